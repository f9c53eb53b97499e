// What a loop may assign, whichever way its iterations go.
import type { Expression, VariablePlace } from "../../ir/expression.ts";
import type { Loop } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { forEachStatement } from "../slice/walk.ts";
import { type FunctionOf, onlyReads } from "./only-reads.ts";

const known = new WeakMap<Loop, readonly VariablePlace[]>();

/**
 * Variables and members that `loop` assigns by name, or whose address it hands to a call that may do more than read them. Variables that it
 * declares are left out.
 */
export function assignedIn(loop: Loop, functionOf: FunctionOf): readonly VariablePlace[] {
  const cached = known.get(loop);
  if (cached !== undefined) return cached;
  const assigned = new Map<string, VariablePlace>();
  const add = (place: VariablePlace) =>
    assigned.set(`${place.variable.id} ${place.offsetBytes} ${sizeOf(place.type)}`, place);
  const declared = new Set<Variable>();
  forEachStatement(
    [loop],
    (statement) => {
      if (statement.kind === "declare") declared.add(statement.variable);
    },
    (expression) => {
      if (expression.kind === "assign" && expression.place.kind === "variable") add(expression.place);
      if (isCall(expression)) {
        for (const [index, argument] of expression.arguments.entries()) {
          const isRead = expression.kind === "call" && onlyReads(expression.callee, index, functionOf);
          if (!isRead) addAddressed(argument, add);
        }
      }
    },
  );
  const places = [...assigned.values()].filter(({ variable }) => !declared.has(variable));
  known.set(loop, places);
  return places;
}

function isCall(expression: Expression) {
  return expression.kind === "call" || expression.kind === "call-indirect" || expression.kind === "intrinsic";
}

function addAddressed(argument: Expression, add: (place: VariablePlace) => void): void {
  if (argument.kind === "convert") {
    addAddressed(argument.operand, add);
    return;
  }
  if (argument.kind === "address" && argument.place.kind === "variable") add(argument.place);
}
