// Where the variables of a body are read and assigned.
import type { Expression } from "../ir/expression.ts";
import type { Statement } from "../ir/statement.ts";
import { variableKey } from "./address.ts";
import { forEachExpressionOf } from "./walk.ts";

export interface Usage {
  /** Keys of the temporaries of codegen that are assigned at one place of the text, by one scalar assignment. */
  readonly stable: ReadonlySet<number>;
  /** By variable id, the offsets at which it is read or assigned. */
  readonly offsets: ReadonlyMap<number, readonly number[]>;
}

export function usageOf(body: readonly Statement[]): Usage {
  const stable = new Set<number>();
  const assigned = new Set<number>();
  const offsets = new Map<number, number[]>();
  forEachExpressionOf(body, (expression) => {
    if (expression.kind !== "assign" && expression.kind !== "load") return;
    if (expression.place.kind !== "variable") return;
    const { variable, offsetBytes } = expression.place;
    const known = offsets.get(variable.id);
    if (known === undefined) offsets.set(variable.id, [offsetBytes]);
    else if (known[0] !== offsetBytes && !known.includes(offsetBytes)) known.push(offsetBytes);
    if (expression.kind !== "assign" || variable.id >= 0) return;
    const key = variableKey(variable, offsetBytes);
    if (assigned.has(key) || isRecordType(expression)) stable.delete(key);
    else stable.add(key);
    assigned.add(key);
  });
  return { stable, offsets };
}

export function isRecordType(expression: Expression): boolean {
  return expression.type.kind === "record" || expression.type.kind === "array";
}
