// Where the shared variables of a kernel and of what it calls lie in its block's shared memory.
import type { FunctionId, Program } from "../ir/function.ts";
import { alignmentOf, sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { alignUp } from "./function.ts";
import { scalarTypeOf } from "./value.ts";
import { visitStatements } from "./walk.ts";

export interface SharedLayout {
  readonly offsets: ReadonlyMap<number, number>;
  readonly staticBytes: number;
  readonly isDynamic: boolean;
}

/**
 * Static variables where the compiler lays them; where it was not asked, and what it took apart, behind those in the order in which the kernel and
 * what it calls name them. Dynamic ones all start behind them.
 */
export function layoutShared(program: Program, kernel: FunctionId): SharedLayout {
  const variables = sharedVariables(program, kernel);
  const offsets = new Map(program.functionOf(kernel)?.sharedOffsets);
  let end = 0;
  for (const { id, type } of variables) {
    const offset = offsets.get(id);
    if (offset !== undefined) end = Math.max(end, offset + (sizeOf(type) ?? 0));
  }
  for (const variable of variables) {
    if (variable.storage !== "shared" || offsets.has(variable.id)) continue;
    const isScalar = scalarTypeOf(variable.type) !== null;
    const alignment = Math.max(variable.alignmentBytes, alignmentOf(variable.type) ?? 1, isScalar ? 1 : 16);
    end = alignUp(end, alignment);
    offsets.set(variable.id, end);
    end += sizeOf(variable.type) ?? 0;
  }
  const dynamic = variables.filter((variable) => variable.storage === "dynamic-shared");
  const alignment = dynamic.reduce((most, variable) => Math.max(most, variable.alignmentBytes), 16);
  const staticBytes = dynamic.length > 0 ? alignUp(end, alignment) : end;
  for (const variable of dynamic) offsets.set(variable.id, staticBytes);
  return { offsets, staticBytes, isDynamic: dynamic.length > 0 };
}

function sharedVariables(program: Program, kernel: FunctionId): readonly Variable[] {
  const variables = new Map<number, Variable>();
  const queue: FunctionId[] = [kernel];
  const seen = new Set(queue);
  const note = (variable: Variable) => {
    if (variable.storage === "shared" || variable.storage === "dynamic-shared") {
      variables.set(variable.id, variable);
    }
  };
  for (const id of queue) {
    visitStatements(program.functionOf(id)?.body ?? [], {
      statement: (statement) => {
        if (statement.kind === "declare") note(statement.variable);
      },
      place: (place) => {
        if (place.kind === "variable") note(place.variable);
      },
      expression: (expression) => {
        if (expression.kind !== "call" && expression.kind !== "function") return;
        if (!seen.has(expression.callee)) queue.push(expression.callee);
        seen.add(expression.callee);
      },
    });
  }
  return [...variables.values()];
}
