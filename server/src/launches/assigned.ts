// The variables that a loop may assign, whichever way its iterations go.
import type { Expression } from "../ir/expression.ts";
import type { Loop } from "../ir/statement.ts";
import type { Variable } from "../ir/variable.ts";
import { forEachStatement } from "./walk.ts";

const known = new WeakMap<Loop, readonly Variable[]>();

/** Variables that `loop` assigns by name, or whose address it hands to a call. Those that it declares are left out. */
export function assignedIn(loop: Loop): readonly Variable[] {
  const cached = known.get(loop);
  if (cached !== undefined) return cached;
  const assigned = new Set<Variable>();
  const declared = new Set<Variable>();
  forEachStatement(
    [loop],
    (statement) => {
      if (statement.kind === "declare") declared.add(statement.variable);
    },
    (expression) => {
      if (expression.kind === "assign" && expression.place.kind === "variable")
        assigned.add(expression.place.variable);
      if (isCall(expression)) {
        for (const argument of expression.arguments) addAddressed(argument, assigned);
      }
    },
  );
  const variables = [...assigned].filter((variable) => !declared.has(variable));
  known.set(loop, variables);
  return variables;
}

function isCall(expression: Expression) {
  return expression.kind === "call" || expression.kind === "call-indirect" || expression.kind === "intrinsic";
}

function addAddressed(argument: Expression, into: Set<Variable>): void {
  if (argument.kind === "convert") {
    addAddressed(argument.operand, into);
    return;
  }
  if (argument.kind === "address" && argument.place.kind === "variable") into.add(argument.place.variable);
}
