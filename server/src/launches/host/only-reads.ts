// Whether a function only reads what one of its parameters points to: members like `size()`, functions of const references.
import type { Expression } from "../../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../../ir/function.ts";
import type { Variable } from "../../ir/variable.ts";
import { forEachStatement } from "../slice/walk.ts";

export type FunctionOf = (id: FunctionId) => FunctionDefinition | null;

/** Calls within calls that are looked into. */
const deepestCall = 4;

const known = new WeakMap<FunctionDefinition, Map<number, boolean>>();

/**
 * Whether `callee` does nothing with the pointer that is its parameter at `index` but read through it, or hand it to functions that do the
 * same: it is neither kept, nor returned, nor written through.
 */
export function onlyReads(callee: FunctionId, index: number, functionOf: FunctionOf, depth = 0): boolean {
  const definition = depth < deepestCall ? functionOf(callee) : null;
  const parameter = definition?.parameters[index];
  if (!definition || !parameter) return false;
  const answers = known.get(definition) ?? new Map<number, boolean>();
  known.set(definition, answers);
  const answer = answers.get(index);
  if (answer !== undefined) return answer;
  const result = isOnlyReadIn(definition, parameter, functionOf, depth);
  answers.set(index, result);
  return result;
}

/** Every mention of the parameter has to be in a place that is read, or an argument that is only read. */
function isOnlyReadIn(
  { body }: FunctionDefinition,
  parameter: Variable,
  functionOf: FunctionOf,
  depth: number,
): boolean {
  let mentions = 0;
  let reads = 0;
  let isAssigned = false;
  forEachStatement(
    body,
    () => {},
    (node) => {
      if (isReadOf(node, parameter)) mentions++;
      if (node.kind === "load" && node.place.kind === "memory" && startsFrom(node.place.pointer, parameter))
        reads++;
      if ((node.kind === "assign" || node.kind === "address") && node.place.kind === "variable")
        isAssigned ||= node.place.variable === parameter;
      if (node.kind === "call")
        reads += node.arguments.filter(
          (argument, index) =>
            startsFrom(argument, parameter) && onlyReads(node.callee, index, functionOf, depth + 1),
        ).length;
    },
  );
  return mentions === reads && !isAssigned;
}

function isReadOf(node: Expression, variable: Variable): boolean {
  return node.kind === "load" && node.place.kind === "variable" && node.place.variable === variable;
}

/** Whether a pointer is the parameter, or steps from it. */
function startsFrom(pointer: Expression, parameter: Variable): boolean {
  if (isReadOf(pointer, parameter)) return true;
  if (pointer.kind === "offset") return startsFrom(pointer.pointer, parameter);
  if (pointer.kind === "convert") return startsFrom(pointer.operand, parameter);
  return (
    pointer.kind === "address" &&
    pointer.place.kind === "memory" &&
    startsFrom(pointer.place.pointer, parameter)
  );
}
