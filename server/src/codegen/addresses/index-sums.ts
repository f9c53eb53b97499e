// Addresses as LLVM's analysis of scalar evolution has them: where a pointer starts, and the terms of one index of 64 bits. Terms of 32 bits are widened,
// each by itself; of a product that is known not to overflow, what is multiplied is widened, so that it stays a product.
import type { BinaryOperator, Expression } from "../../ir/expression.ts";
import { type IntegerType, isScalar, sizeOf } from "../../ir/type.ts";
import { anything, greatestOf, type Range, rangeOf } from "../values/ranges.ts";
import { lowBit } from "./linear.ts";

/** A term of an index, or a number of at most 32 bits that may become one. */
export interface Term {
  readonly range: Range;
  /** Whether it is a product with a constant, to LLVM. */
  readonly isMultiple: "yes" | "no" | "unclear";
  /** The power of two by which it is multiplied. */
  readonly divisor: number;
  /** What is added to a product last: LLVM widens the two apart. */
  readonly constant: number;
  /** How it becomes 64 bits wide; null where it is so wide. */
  readonly extension: "zero" | "sign" | null;
  /** LLVM adds up terms from the lowest rank on: thread indices, then parameters in their order, then what memory holds; each operation is one more. */
  readonly rank: number;
  /** Whether a trip around it changes it. */
  readonly varies: boolean;
  /** Of a product of 64 bits: what it is one of, by identity. */
  readonly factors?: readonly Term[];
}

/** An index of 64 bits, or a pointer by what is added to where it starts. */
export interface Sum {
  readonly terms: readonly Term[];
  /** In elements of an index, in bytes of a pointer. */
  readonly constant: number;
  /** Of the elements that a pointer counts; null where it counts none yet. */
  readonly elementBytes: number | null;
}

/** What variables hold at one place of the text. */
export interface Held {
  termOf(id: number): Term | undefined;
  sumOf(id: number): Sum | undefined;
  /** The place among the parameters, from 0 on. */
  parameterOf(id: number): number | undefined;
  varies(id: number): boolean;
}

const mostTerms = 16;

const nothingAdded: Sum = constantSum(0);

/** The pointer. One that counts elements of another size, or records, is a start. */
export function sumOfPointer(pointer: Expression, held: Held): Sum {
  switch (pointer.kind) {
    case "convert":
      return pointer.operand.type.kind === "pointer" ? sumOfPointer(pointer.operand, held) : nothingAdded;
    case "load":
      return (pointer.place.kind === "variable" && held.sumOf(pointer.place.variable.id)) || nothingAdded;
    case "address": {
      if (pointer.place.kind !== "memory") return nothingAdded;
      const inner = sumOfPointer(pointer.place.pointer, held);
      return { ...inner, constant: inner.constant + pointer.place.offsetBytes };
    }
    case "offset": {
      const { strideBytes } = pointer;
      const inner = sumOfPointer(pointer.pointer, held);
      const index = sumOfIndex(pointer.index, held);
      if (index.terms.length === 0)
        return { ...inner, constant: inner.constant + index.constant * strideBytes };
      const { type } = pointer.pointer;
      if (type.kind !== "pointer" || !isScalar(type.target) || sizeOf(type.target) !== strideBytes)
        return nothingAdded;
      const start = inner.elementBytes === null || inner.elementBytes === strideBytes ? inner : nothingAdded;
      return {
        terms: limited([...start.terms, ...index.terms]),
        constant: start.constant + index.constant * strideBytes,
        elementBytes: strideBytes,
      };
    }
    default:
      return nothingAdded;
  }
}

/** An index of any width. */
export function sumOfIndex(index: Expression, held: Held): Sum {
  const { type } = index;
  if (index.kind === "constant") return constantSum(Number(index.value));
  if (type.kind !== "integer" || type.bits < 64) return sumOfTerm(termOf(index, held));
  switch (index.kind) {
    case "convert":
      return index.operand.type.kind === "integer" ? sumOfIndex(index.operand, held) : opaque([]);
    case "load":
      return (
        (index.place.kind === "variable" && held.sumOf(index.place.variable.id)) ||
        sumOfTerm(leafOf(index, held))
      );
    case "binary": {
      const left = sumOfIndex(index.left, held);
      const right = sumOfIndex(index.right, held);
      if (index.operator === "+") return added(left, right);
      if (index.operator === "-") return added(left, scaled(right, -1));
      if (index.operator === "<<" && right.terms.length === 0) return scaled(left, 2 ** right.constant);
      if (index.operator === "*" && right.terms.length === 0) return scaled(left, right.constant);
      if (index.operator === "*" && left.terms.length === 0) return scaled(right, left.constant);
      return opaque([...left.terms, ...right.terms], index.operator === "*" ? "product" : "other");
    }
    default:
      return opaque([]);
  }
}

/** A number of at most 32 bits. */
export function termOf(word: Expression, held: Held): Term {
  switch (word.kind) {
    case "load":
      return (word.place.kind === "variable" && held.termOf(word.place.variable.id)) || leafOf(word, held);
    case "convert": {
      const operand = termOf(word.operand, held);
      const range = rangeIn(word, held);
      return isBounded(word, range) ? { ...operand, range } : made(word, range, [operand]);
    }
    case "binary": {
      const left = termOf(word.left, held);
      const right = termOf(word.right, held);
      if (isZero(right) && word.operator === "+") return left;
      if (isZero(left) && word.operator === "+") return right;
      const range = rangeIn(word, held);
      const term = made(word, range, [left, right]);
      const constant = addedTo(left, right, word.operator);
      if (constant !== null && isBounded(word, range))
        return { ...left, range, constant: left.constant + constant };
      const divisor = divisorOf(word.operator, left, right);
      if (!isBounded(word, range)) return { ...term, divisor };
      return { ...term, divisor, isMultiple: isMultipleOf(word.operator, left, right) };
    }
    default:
      return leafOf(word, held);
  }
}

function rangeIn(word: Expression, held: Held): Range {
  return rangeOf(word, (id) => held.termOf(id)?.range);
}

/** What is no sum and no product. */
function leafOf(leaf: Expression, held: Held): Term {
  const id = leaf.kind === "load" && leaf.place.kind === "variable" ? leaf.place.variable.id : null;
  const varies = id !== null && held.varies(id);
  const parameter = id === null ? undefined : held.parameterOf(id);
  const isIndex = leaf.kind === "intrinsic" && leaf.arguments.length === 0;
  const rank = isIndex ? 1 : parameter === undefined || varies ? 65_536 : 3 + parameter;
  return { ...made(leaf, rangeIn(leaf, held), []), rank, varies };
}

function made({ type }: Expression, range: Range, parts: readonly Term[]): Term {
  return {
    range,
    isMultiple: "no",
    divisor: 1,
    constant: 0,
    extension: extensionOf(type.kind === "integer" ? type : null),
    rank: 1 + Math.max(0, ...parts.map(({ rank }) => rank)),
    varies: parts.some(({ varies }) => varies),
  };
}

function extensionOf(type: IntegerType | null): Term["extension"] {
  if (type?.bits === 64) return null;
  return type?.signed ? "sign" : "zero";
}

/** Of a result that is known not to overflow. */
function isMultipleOf(operator: BinaryOperator, left: Term, right: Term): Term["isMultiple"] {
  const factor = constantOf(right) ?? constantOf(left);
  switch (operator) {
    case "*":
      return factor !== null && factor > 1 ? "yes" : "no";
    case "<<":
      return factor !== null ? "yes" : "no";
    case "&":
      return factor !== null && lowBit(factor) > 1 ? "yes" : "no";
    case "+":
    case "|":
    case "^":
      return left.isMultiple === "no" && right.isMultiple === "no" ? "no" : "unclear";
    default:
      return "no";
  }
}

function divisorOf(operator: BinaryOperator, left: Term, right: Term): number {
  const factor = constantOf(right);
  switch (operator) {
    case "*":
      return left.divisor * right.divisor * lowBit(factor ?? constantOf(left) ?? 1);
    case "<<":
      return left.divisor * 2 ** (factor ?? 0);
    case "&":
      return lowBit(factor ?? 1);
    default:
      return 1;
  }
}

/** The constant that is added to a product with another, where that is all that is done; else null. */
function addedTo(left: Term, right: Term, operator: BinaryOperator): number | null {
  const constant = constantOf(right);
  if (constant === null || left.isMultiple !== "yes") return null;
  const areApart = left.constant + constant < left.divisor;
  return operator === "+" || (areApart && (operator === "|" || operator === "^")) ? constant : null;
}

/** Whether all that the number may be is not below 0 and fits its type. */
function isBounded({ type }: Expression, { least, most }: Range): boolean {
  if (type.kind === "boolean") return true;
  return type.kind === "integer" && least >= 0 && most < greatestOf(type);
}

function constantOf({ range: { least, most } }: Term): number | null {
  return least === most ? least : null;
}

function isZero(word: Term): boolean {
  return constantOf(word) === 0;
}

function sumOfTerm(term: Term): Sum {
  const constant = constantOf(term);
  return constant === null
    ? { terms: [{ ...term, constant: 0 }], constant: term.constant, elementBytes: null }
    : constantSum(constant);
}

function constantSum(constant: number): Sum {
  return { terms: [], constant, elementBytes: null };
}

/** What is made of the parts, and no product with a constant. */
function opaque(parts: readonly Term[], kind: "product" | "other" = "other"): Sum {
  const term = made64(parts);
  const terms = [kind === "product" ? { ...term, factors: parts } : term];
  return { terms, constant: 0, elementBytes: null };
}

function made64(parts: readonly Term[]): Term {
  const rank = 2 + Math.max(0, ...parts.map((part) => part.rank));
  const varies = parts.some((part) => part.varies);
  return { range: anything, isMultiple: "no", divisor: 1, constant: 0, extension: null, rank, varies };
}

function added(left: Sum, right: Sum): Sum {
  return {
    terms: limited([...left.terms, ...right.terms]),
    constant: left.constant + right.constant,
    elementBytes: null,
  };
}

/** A hash adds itself to itself over and over: of so many terms it is not known how LLVM adds them up, and they stay as few. */
function limited(terms: readonly Term[]): readonly Term[] {
  return terms.length <= mostTerms
    ? terms
    : terms.slice(0, mostTerms).map((term) => ({ ...term, varies: true }));
}

/** A sum of two is multiplied out where one of them is a product. */
function scaled(sum: Sum, factor: number): Sum {
  if (factor === 1) return sum;
  if (factor === 0) return nothingAdded;
  const isOut = sum.terms.length < 2 || sum.terms.some(({ isMultiple }) => isMultiple !== "no");
  const terms = isOut ? sum.terms : [made64(sum.terms)];
  return {
    terms: terms.map((term) => ({
      ...made64([term]),
      isMultiple: "yes",
      divisor: term.divisor * lowBit(factor),
    })),
    constant: sum.constant * factor,
    elementBytes: null,
  };
}
