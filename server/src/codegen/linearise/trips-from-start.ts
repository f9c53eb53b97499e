// Loops whose ends are a known number apart though nobody knows where they start: `for (int j = 4 * w; j < 4 * w + 4; j++)`.
import type { Binary, Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { assignedVariables, readsAny } from "../walks/walk.ts";
import { type KnowledgeToRead, knownValue } from "./constants.ts";

/**
 * The trips of a loop on a signed counter that starts, in the statement `before` it, at a sum of which its bound has all but the constant: signed
 * sums do not wrap, so that LLVM knows the number. Null for all others.
 */
export function tripsFromStart(
  loop: Loop,
  before: Statement | null,
  knowledge: KnowledgeToRead,
): number | null {
  const { condition, body, step, test } = loop;
  if (test !== "top" || condition?.kind !== "binary" || step.length !== 1) return null;
  if (condition.operator !== "<" && condition.operator !== "<=") return null;
  const counter = signedVariable(condition.left);
  const start = counter === null ? null : startOf(counter, before);
  const stride = counter === null ? null : strideOf(counter, step[0], knowledge);
  if (counter === null || start === null || stride === null) return null;
  const inBody = assignedVariables(body);
  if (inBody.has(counter) || readsAny(condition.right, new Set([...inBody, counter]))) return null;
  const distance = distanceOf(start, condition.right, knowledge);
  if (distance === null || distance < 0) return null;
  return condition.operator === "<" ? Math.ceil(distance / stride) : Math.floor(distance / stride) + 1;
}

function signedVariable(node: Expression): number | null {
  if (node.kind !== "load" || node.place.kind !== "variable" || !isSigned(node)) return null;
  return node.place.offsetBytes === 0 ? node.place.variable.id : null;
}

function isSigned({ type }: Expression): boolean {
  return type.kind === "integer" && type.signed && type.bits >= 32;
}

function startOf(counter: number, before: Statement | null): Expression | null {
  if (before?.kind === "declare") return before.variable.id === counter ? before.initializer : null;
  if (before?.kind !== "evaluate" || before.expression.kind !== "assign") return null;
  const { place, value } = before.expression;
  return place.kind === "variable" && place.variable.id === counter ? value : null;
}

/** What the step adds, above 0. */
function strideOf(counter: number, step: Expression | undefined, knowledge: KnowledgeToRead): number | null {
  if (step?.kind !== "assign" || step.place.kind !== "variable" || step.place.variable.id !== counter)
    return null;
  const { value } = step;
  if (value.kind !== "binary" || value.operator !== "+" || signedVariable(value.left) !== counter)
    return null;
  const stride = knownValue(value.right, knowledge);
  return typeof stride === "number" && stride > 0 ? stride : null;
}

/** `to - from`, where all but constants are in both. */
function distanceOf(from: Expression, to: Expression, knowledge: KnowledgeToRead): number | null {
  const addends = new Map<string, number>();
  const add = (value: Expression, factor: 1 | -1): number | null => {
    const known = knownValue(value, knowledge);
    if (typeof known === "number") return factor * known;
    if (value.kind === "binary" && isSigned(value) && (value.operator === "+" || value.operator === "-")) {
      const left = add(value.left, factor);
      const right = add(value.right, value.operator === "+" ? factor : factor === 1 ? -1 : 1);
      return left === null || right === null ? null : left + right;
    }
    const name = nameOf(value);
    if (name === null) return null;
    addends.set(name, (addends.get(name) ?? 0) + factor);
    return 0;
  };
  const end = add(to, 1);
  const start = add(from, -1);
  if (end === null || start === null || [...addends.values()].some((times) => times !== 0)) return null;
  return end + start;
}

/** Equal for equal arithmetic on variables and built-in numbers; null for all else. */
function nameOf(value: Expression): string | null {
  switch (value.kind) {
    case "constant":
      return String(value.value);
    case "load":
      return value.place.kind === "variable"
        ? `v${value.place.variable.id}.${value.place.offsetBytes}`
        : null;
    case "intrinsic":
      return value.arguments.length === 0 && value.site === null ? value.name : null;
    case "convert":
      return named(`(${value.type.kind}${value.type.kind === "integer" ? value.type.bits : ""}`, [
        value.operand,
      ]);
    case "binary":
      return named(binaryLabel(value), [value.left, value.right]);
    default:
      return null;
  }
}

function binaryLabel({ operator, type }: Binary): string {
  return `(${operator}${type.kind === "integer" && type.signed ? "s" : ""}`;
}

function named(label: string, operands: readonly Expression[]): string | null {
  const names = operands.map(nameOf);
  return names.includes(null) ? null : `${label} ${names.join(" ")})`;
}
