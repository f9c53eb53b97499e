// What a trip hands on to the next one by a variable: `previous = current;`. A load at `previous` is then what this trip has loaded, or stored,
// at `current`.
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import { assignedVariables } from "../walks/walk.ts";

export interface HandedOn {
  /** The variable that the next trip reads. */
  readonly to: number;
  /** The variable whose value it is by then. */
  readonly from: number;
  /** The statements of the trip in front of which, and behind whose last change of `from`, an access is at the same place. */
  readonly during: readonly Statement[];
}

/** The variables that every trip of the loop sets once, and as a whole, to what another one holds that the trip changes too. */
export function handedOnBy({ body, step }: Loop): readonly HandedOn[] {
  const moves = body.flatMap((statement, at) => {
    const move = moveOf(statement);
    return move && move.to !== move.from ? [{ ...move, at }] : [];
  });
  if (moves.length === 0) return [];
  const changes = changesIn(body, step);
  return moves.flatMap(({ to, from, at }) => {
    const ofSource = changes.get(from);
    if (changes.get(to)?.length !== 1 || ofSource === undefined) return [];
    const last = ofSource.findLast((change) => change < at) ?? -1;
    return [{ to, from, during: body.slice(last + 1, at) }];
  });
}

/** By variable, which statements of a trip change it, in order; the step stands behind them. */
function changesIn(
  body: readonly Statement[],
  step: readonly Expression[],
): ReadonlyMap<number, readonly number[]> {
  const changes = new Map<number, number[]>();
  const note = (ids: ReadonlySet<number>, at: number) => {
    for (const id of ids) {
      const known = changes.get(id);
      if (known) known.push(at);
      else changes.set(id, [at]);
    }
  };
  for (const [at, statement] of body.entries()) note(assignedVariables([statement]), at);
  note(assignedVariables([], step), body.length);
  return changes;
}

function moveOf(statement: Statement): { to: number; from: number } | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || place.offsetBytes !== 0 || !sameType(place.type, value.type)) return null;
  const isVariable =
    value.kind === "load" && value.place.kind === "variable" && value.place.offsetBytes === 0;
  return isVariable ? { to: place.variable.id, from: value.place.variable.id } : null;
}

/** Whether the pointer, with what is handed on in the place of what hands it on, is the other one. */
export function isSameWhenHandedOn(pointer: Expression, other: Expression, handed: HandedOn): boolean {
  if (pointer.kind !== other.kind || !sameType(pointer.type, other.type)) return false;
  if (!hasSameLabel(pointer, other, handed)) return false;
  const [left, right] = [operandsOf(pointer), operandsOf(other)];
  return (
    left.length === right.length &&
    left.every((operand, index) => {
      const counterpart = right[index];
      return counterpart !== undefined && isSameWhenHandedOn(operand, counterpart, handed);
    })
  );
}

function hasSameLabel(a: Expression, b: Expression, { to, from }: HandedOn): boolean {
  switch (a.kind) {
    case "constant":
      return b.kind === "constant" && a.value === b.value;
    case "binary":
      return b.kind === "binary" && a.operator === b.operator;
    case "unary":
      return b.kind === "unary" && a.operator === b.operator;
    case "offset":
      return b.kind === "offset" && a.strideBytes === b.strideBytes;
    case "intrinsic":
      return b.kind === "intrinsic" && a.name === b.name;
    case "convert":
      return true;
    case "load":
    case "address": {
      if (b.kind !== a.kind || a.place.kind !== "variable" || b.place.kind !== "variable") return false;
      const { id } = a.place.variable;
      return a.place.offsetBytes === b.place.offsetBytes && b.place.variable.id === (id === to ? from : id);
    }
    default:
      return false;
  }
}
