// What LLVM knows of numbers: ranges, by their signs and bits.
import type { Binary, Conditional, Expression } from "../../ir/expression.ts";
import type { IntegerType } from "../../ir/type.ts";

/** All numbers that it may be, both ends among them. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What nothing is known of. */
export const anything: Range = { least: -Infinity, most: Infinity };

/** What the variable of an id is known to be; `depth` is how far definitions have been followed. */
export type RangeOfVariable = (id: number, depth: number) => Range | undefined;

/** How far definitions are followed. */
const deepest = 12;

/** What LLVM knows of the number, of its type at the least. Where a sum may wrap around, so may that of its ends. */
export function rangeOf(expression: Expression, ofVariable: RangeOfVariable, depth = 0): Range {
  const { least, most } = rangeInside(expression, ofVariable, depth);
  const ofType = rangeOfType(expression);
  return least < ofType.least || most > ofType.most ? ofType : { least, most };
}

/** What the type leaves: of signed numbers anything, since they do not wrap around. */
export function rangeOfType({ type }: Expression): Range {
  if (type.kind === "boolean") return { least: 0, most: 1 };
  return type.kind === "integer" && !type.signed ? { least: 0, most: 2 ** type.bits - 1 } : anything;
}

function rangeInside(expression: Expression, ofVariable: RangeOfVariable, depth: number): Range {
  if (depth === deepest) return anything;
  const inside = (one: Expression): Range => rangeOf(one, ofVariable, depth + 1);
  switch (expression.kind) {
    case "constant":
      return { least: Number(expression.value), most: Number(expression.value) };
    case "load": {
      const { place } = expression;
      return (place.kind === "variable" && ofVariable(place.variable.id, depth + 1)) || anything;
    }
    case "convert": {
      const { operand, type } = expression;
      if (operand.type.kind !== "integer" && operand.type.kind !== "boolean") return anything;
      const range = inside(operand);
      // What is unsigned and may be anything may be negative as a signed number.
      return type.kind === "integer" && range.most > greatestOf(type) ? anything : range;
    }
    case "conditional":
      return rangeOfChoice(expression, inside);
    case "intrinsic": {
      const [a, b] = expression.arguments.map(inside);
      if (!a || !b || (expression.name !== "min" && expression.name !== "max")) return anything;
      const pick = expression.name === "min" ? Math.min : Math.max;
      return { least: pick(a.least, b.least), most: pick(a.most, b.most) };
    }
    case "binary":
      return rangeOfBinary(expression, inside(expression.left), inside(expression.right));
    default:
      return anything;
  }
}

/** `a < b ? a : b` is the lesser of the two to LLVM. */
function rangeOfChoice(
  { condition, whenTrue, whenFalse }: Conditional,
  inside: (one: Expression) => Range,
): Range {
  const [a, b] = [inside(whenTrue), inside(whenFalse)];
  const isOrder = condition.kind === "binary" && ["<", "<=", ">", ">="].includes(condition.operator);
  const isLesser = isOrder && (whenTrue.kind === "constant" || whenFalse.kind === "constant");
  return isLesser && Math.min(a.most, b.most) < Infinity
    ? { least: Math.min(a.least, b.least), most: Math.min(a.most, b.most) }
    : unionOf(a, b);
}

export function unionOf(a: Range, b: Range): Range {
  return { least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };
}

function rangeOfBinary({ operator, type, right: by }: Binary, left: Range, right: Range): Range {
  const isSigned = type.kind === "integer" && type.signed;
  const constant = by.kind === "constant" ? Number(by.value) : null;
  const ends = (combine: (a: number, b: number) => number): Range => {
    const all = [left.least, left.most].flatMap((a) => [right.least, right.most].map((b) => combine(a, b)));
    return all.some(Number.isNaN) ? anything : { least: Math.min(...all), most: Math.max(...all) };
  };
  switch (operator) {
    case "+":
      return { least: left.least + right.least, most: left.most + right.most };
    case "-":
      return { least: left.least - right.most, most: left.most - right.least };
    case "*":
      return ends((a, b) => a * b);
    case "<<":
      return constant !== null ? ends((a) => a * 2 ** constant) : anything;
    case "&": {
      const masks = [left, right].filter(({ least }) => least >= 0).map(({ most }) => most);
      return masks.length === 0 ? anything : { least: 0, most: Math.min(...masks) };
    }
    case "|":
    case "^":
      return left.least < 0 || right.least < 0
        ? anything
        : { least: 0, most: bitsOf(Math.max(left.most, right.most)) };
    case "/":
      return constant !== null && constant > 0 ? ends((a) => Math.trunc(a / constant)) : anything;
    case ">>":
      return constant !== null ? ends((a) => Math.floor(a / 2 ** constant)) : anything;
    case "%": {
      if (constant === null || constant <= 0) return anything;
      // Of an unsigned remainder LLVM knows nothing but where it is a mask; of a signed one the bits.
      if (!isSigned)
        return Number.isInteger(Math.log2(constant)) ? { least: 0, most: constant - 1 } : anything;
      const bits = bitsOf(constant - 1);
      return { least: left.least >= 0 ? 0 : -bits, most: bits };
    }
    default:
      return anything;
  }
}

/** The greatest number of as many bits. */
function bitsOf(value: number): number {
  return value < 1 ? 0 : 2 ** (Math.floor(Math.log2(value)) + 1) - 1;
}

/** The greatest number of the type. */
export function greatestOf({ bits, signed }: IntegerType): number {
  return 2 ** (signed ? bits - 1 : bits) - 1;
}
