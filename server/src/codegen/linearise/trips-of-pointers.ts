// Loops on a pointer whose end is a known number of bytes from its start: `for (p = row; p != row + 64; ++p)`, and so a range-for over a class of pointers.
import type { Expression, VariablePlace } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { assignedVariables, readsAny } from "../walks/walk.ts";
import { comparedPointer, strideOfPointer } from "./counted.ts";
import { jumpsOf } from "./trips-in-a-row.ts";

/** The statements in front of a loop, in which its pointers are made. */
export interface StatementsBefore {
  readonly list: readonly Statement[];
  readonly addressTaken: ReadonlySet<number>;
  /** An expression of the loop by the names that the list has for its variables; null where it has none. */
  rename(expression: Expression): Expression | null;
}

/** What is a number of bytes (or of units, of an integer) from something that has a name. */
interface Offset {
  /** Equal where the same is meant; empty of a constant. */
  readonly root: string;
  readonly constant: number;
}

/** How far in front of the loop its pointers may be made. */
const mostStatements = 200;
const mostSteps = 32;

/** The trips of a loop that steps a pointer to one side of its test to another that no trip changes; null where the distance is no constant. */
export function tripsOfPointers(loop: Loop, before: StatementsBefore): number | null {
  const { condition, body, step, test } = loop;
  if (test !== "top" || condition?.kind !== "binary") return null;
  const { operator, left, right } = condition;
  const pointer = comparedPointer(left);
  if (!pointer || before.addressTaken.has(pointer.id)) return null;
  const inBody = assignedVariables(body);
  if (inBody.has(pointer.id) && jumpsOf(body) !== "none") return null;
  if (readsAny(right, inBody) || readsAny(right, assignedVariables([], step))) return null;
  const strideBytes = strideOfPointer(pointer, loop);
  const [start, end] = [left, right].map((side) => offsetIn(side, before));
  if (strideBytes === null || !start || !end || start.root !== end.root) return null;
  return tripsOver(end.constant - start.constant, strideBytes, operator);
}

function tripsOver(distance: number, stride: number, operator: string): number | null {
  const trips = distance / stride;
  if (trips < 0) return null;
  if (operator === "!=") return Number.isInteger(trips) ? trips : null;
  if (stride < 0) return null;
  if (operator === "<") return Math.ceil(trips);
  return operator === "<=" ? Math.floor(trips) + 1 : null;
}

function offsetIn(side: Expression, before: StatementsBefore): Offset | null {
  const renamed = before.rename(side);
  return renamed && new Definitions(before).offsetOf(renamed, before.list.length);
}

/** Follows variables to what they were given. */
class Definitions {
  readonly #before: StatementsBefore;
  #steps = mostSteps;

  constructor(before: StatementsBefore) {
    this.#before = before;
  }

  /** What the expression is where the statement `at` begins. */
  offsetOf(node: Expression, at: number): Offset | null {
    if (this.#steps-- <= 0) return null;
    switch (node.kind) {
      case "constant":
        return typeof node.value === "number" ? { root: "", constant: node.value } : null;
      case "load":
        return node.place.kind === "variable" ? this.#ofVariable(node.place, at) : null;
      case "address":
        if (node.place.kind === "variable")
          return { root: `&${node.place.variable.id}`, constant: node.place.offsetBytes };
        return added(this.offsetOf(node.place.pointer, at), node.place.offsetBytes);
      case "intrinsic":
        return node.arguments.length === 0 && node.site === null ? { root: node.name, constant: 0 } : null;
      case "convert": {
        const operand = this.offsetOf(node.operand, at);
        if (!operand || node.type.kind === "pointer" || operand.root === "") return operand;
        return named(`(${typeLabel(node)})`, [operand]);
      }
      case "offset": {
        const [pointer, index] = [this.offsetOf(node.pointer, at), this.offsetOf(node.index, at)];
        if (!pointer || !index) return null;
        const bytes = index.constant * node.strideBytes;
        if (index.root === "") return added(pointer, bytes);
        return {
          root: `${pointer.root}[${index.root}*${node.strideBytes}]`,
          constant: pointer.constant + bytes,
        };
      }
      case "binary": {
        const [left, right] = [this.offsetOf(node.left, at), this.offsetOf(node.right, at)];
        if (!left || !right) return null;
        // Signed sums do not wrap.
        if (isSigned(node) && right.root === "" && (node.operator === "+" || node.operator === "-"))
          return added(left, node.operator === "+" ? right.constant : -right.constant);
        return named(`${node.operator}${typeLabel(node)}`, [left, right]);
      }
      default:
        return null;
    }
  }

  #ofVariable(place: VariablePlace, at: number): Offset | null {
    const { id } = place.variable;
    const name = `v${id}.${place.offsetBytes}`;
    const first = Math.max(0, at - mostStatements);
    for (let index = at - 1; index >= first; index--) {
      const statement = this.#before.list[index];
      if (!statement || statement.kind === "declare") continue;
      const given = statement.kind === "evaluate" ? assignmentIn(statement.expression) : null;
      if (given === null) {
        if (this.#before.addressTaken.has(id) || assignedVariables([statement]).has(id)) return null;
        continue;
      }
      if (given.place.variable.id !== id || lieApart(given.place, place)) continue;
      if (given.place.offsetBytes !== place.offsetBytes) return null;
      return this.offsetOf(given.value, index) ?? { root: `${name}@${index}`, constant: 0 };
    }
    return first === 0 ? { root: name, constant: 0 } : null;
  }
}

/** The assignment to a variable, where it is all that the expression does. */
function assignmentIn(expression: Expression): { place: VariablePlace; value: Expression } | null {
  if (expression.kind !== "assign" || expression.place.kind !== "variable") return null;
  const { place, value } = expression;
  return assignedVariables([], [value]).size === 0 ? { place, value } : null;
}

function lieApart(a: VariablePlace, b: VariablePlace): boolean {
  const [first, second] = a.offsetBytes <= b.offsetBytes ? [a, b] : [b, a];
  const size = sizeOf(first.type);
  return size !== null && first.offsetBytes + size <= second.offsetBytes;
}

function added(offset: Offset | null, constant: number): Offset | null {
  return offset && { root: offset.root, constant: offset.constant + constant };
}

function named(label: string, operands: readonly Offset[]): Offset {
  return {
    root: `(${label} ${operands.map(({ root, constant }) => `${root}+${constant}`).join(" ")})`,
    constant: 0,
  };
}

function isSigned({ type }: Expression): boolean {
  return type.kind === "integer" && type.signed && type.bits >= 32;
}

function typeLabel({ type }: Expression): string {
  return type.kind === "integer" ? `${type.signed ? "i" : "u"}${type.bits}` : type.kind;
}
