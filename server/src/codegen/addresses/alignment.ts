// What of an address proves alignment: declarations and types, and sums: LLVM adds up what one index is made of, but neither the dimensions of
// an array nor products of sums.
import type { Expression, MemoryPlace } from "../../ir/expression.ts";
import { alignmentOf, type RecordField, sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import {
  type Atom,
  type Linear,
  type LinearTable,
  lowBit,
  type Operation,
  sameLinear,
  type Terms,
} from "./linear.ts";

/** What the sums of a function are. */
export interface Sums {
  readonly linears: LinearTable;
  readonly linearOf: (expression: Expression) => Linear;
}

/** The largest power of two that divides every part of an address by itself, constants left out (cases dimensions/antidiagonal, …). */
export function divisorOfParts(pointer: Expression, sums: Sums): number {
  return Math.min(...partsOf(pointer, sums).map(({ linear }) => sums.linears.divisorOfTerms(linear)));
}

/**
 * Whether ptxas may lose sight of the alignment: an index adds bits that are masked and then divided (`t % 32 / 8 * 4`) to other masked bits
 * (`t / 64 * 64`). It does unless what is divided is used elsewhere too (cases fields/quarters, blocks; not: quartersUsed).
 */
export function mixesFields(pointer: Expression, sums: Sums): boolean {
  return partsOf(pointer, sums).some(({ linear: { terms }, strideBytes }) => {
    if (!strideBytes || terms.atoms.length < 2) return false;
    const kinds = terms.atoms.map((id, index) =>
      bitsOf(sums.linears.atom(id), (terms.coefficients[index] ?? 0) / strideBytes, sums),
    );
    return kinds.includes("shifted right") && kinds.includes("masked");
  });
}

/** What LLVM computes of `factor` times the atom in the end: a mask, or a shift to the right of what was masked; null for anything else. */
function bitsOf(atom: Atom | undefined, factor: number, sums: Sums): "masked" | "shifted right" | null {
  const operation = atom?.operation;
  if (!operation || factor < 1 || lowBit(factor) !== factor) return null;
  if (isMask(operation)) return "masked";
  const { operator, left, right } = operation;
  if (!operator.startsWith("/") || right.terms.id !== 0 || lowBit(right.constant) !== right.constant)
    return null;
  const [divided] = left.terms.atoms;
  const inner = divided === undefined ? undefined : sums.linears.atom(divided)?.operation;
  if (inner && isMask(inner)) return factor < right.constant ? "shifted right" : "masked";
  const isUnsigned = operator === "/u32" || inner?.operator === "/u32";
  return isUnsigned && factor > 1 ? "masked" : null;
}

/** Of signed numbers, a remainder is none. */
function isMask({ operator, right }: Operation): boolean {
  if (right.terms.id !== 0) return false;
  return operator.startsWith("&") || (operator === "%u32" && lowBit(right.constant) === right.constant);
}

/** What the type of the pointer promises: `float4*` is 16-byte aligned, and a member lies where it lies. */
export function promisedAlignment(place: MemoryPlace): number {
  const target = place.pointer.type.kind === "pointer" ? place.pointer.type.target : null;
  const bytes = Math.max(
    target?.kind === "record" ? (alignmentOf(target) ?? 1) : 1,
    lowBit(place.offsetBytes) >= (alignmentOf(place.type) ?? 1) ? (alignmentOf(place.type) ?? 1) : 1,
  );
  return Math.min(16, bytes);
}

interface Based {
  /** The object that the address lies in; null where it is not known. */
  readonly base: Variable | null;
}

/** What LLVM is told of the alignment of an access: that of the variable, or that of the type that the text accesses. */
export function declaredAlignment({ pointer }: MemoryPlace, { base }: Based): number {
  const target = pointer.type.kind === "pointer" ? pointer.type.target : null;
  return Math.max(base === null ? 1 : toldAlignment(base), (target && alignmentOf(target)) ?? 1);
}

/** nvcc declares dynamic shared memory with 16 bytes, whatever its type and the text say (dynamic_loops.cu). */
function toldAlignment({ storage, alignmentBytes }: Variable): number {
  return storage === "dynamic-shared" ? dynamicAlignmentBytes : alignmentBytes;
}

/** The alignment of dynamic shared memory, as nvcc declares it and the GPU gives it. */
export const dynamicAlignmentBytes = 16;

/** What the last index of an address is made of, in bytes: of a row of an array, what stands in the last brackets. */
export function lastIndexOf(pointer: Expression, sums: Sums): Terms | null {
  return partsOf(pointer, sums).at(-1)?.linear.terms ?? null;
}

interface Part {
  readonly linear: Linear;
  /** Of the array that is indexed; null of a pointer that a variable holds, 0 of an array itself. */
  readonly strideBytes: number | null;
}

function partsOf(pointer: Expression, sums: Sums): readonly Part[] {
  if (pointer.kind === "convert") return partsOf(pointer.operand, sums);
  if (pointer.kind === "address" && pointer.place.kind === "memory")
    return partsOf(pointer.place.pointer, sums);
  if (pointer.kind !== "offset")
    return [{ linear: sums.linearOf(pointer), strideBytes: pointer.kind === "address" ? 0 : null }];
  const { linears } = sums;
  const { strideBytes } = pointer;
  const { sum, products } = addendsOf(pointer.index, sums);
  const before = partsOf(pointer.pointer, sums);
  const last = before.at(-1);
  const own = linears.scaled(sum, strideBytes);
  const apart = products.map((product) => ({ linear: linears.scaled(product, strideBytes), strideBytes }));
  // Steps over one array are one index.
  const isOneIndex = last?.strideBytes === null || last?.strideBytes === strideBytes;
  return last && isOneIndex
    ? [...before.slice(0, -1), ...apart, { linear: linears.sum(last.linear, own), strideBytes }]
    : [...before, ...apart, { linear: own, strideBytes }];
}

interface Addends {
  readonly sum: Linear;
  /** Products that LLVM does not multiply out: `(31 - t) * 33`, `(a + b) * 33`. */
  readonly products: readonly Linear[];
}

function addendsOf(index: Expression, sums: Sums): Addends {
  const whole = { sum: sums.linearOf(index), products: [] };
  if (index.kind === "convert") {
    const operand = addendsOf(index.operand, sums);
    return sameLinear(sums.linearOf(index.operand), whole.sum) ? operand : whole;
  }
  if (index.kind !== "binary") return whole;
  if (index.operator === "+") {
    const left = addendsOf(index.left, sums);
    const right = addendsOf(index.right, sums);
    return {
      sum: sums.linears.sum(left.sum, right.sum),
      products: [...left.products, ...right.products],
    };
  }
  const isProduct = index.operator === "*" || index.operator === "<<";
  const factors = [sums.linearOf(index.left), sums.linearOf(index.right)];
  return isProduct && factors.some(isKeptWhole)
    ? { sum: sums.linears.scaled(whole.sum, 0), products: [whole.sum] }
    : whole;
}

/** Only `x + 1` is multiplied out. */
function isKeptWhole({ terms, constant }: Linear): boolean {
  const [coefficient = 1, ...others] = terms.coefficients;
  return others.length > 0 || (coefficient < 0 && constant !== 0);
}

/**
 * The most that a member of a record in a record is told to be aligned: each step by itself proves something, what they add up to nothing (cases
 * nested_members/second, secondCopied; as one: firstOfNested, flat).
 */
export function alignmentOfNested({ pointer, offsetBytes }: MemoryPlace): number {
  let type: Type | null = pointer.type.kind === "pointer" ? pointer.type.target : null;
  let rest = offsetBytes;
  let alignment = 16;
  while (type?.kind === "record") {
    const field = type.fields.find((one) => holds(one, rest));
    if (field?.type.kind !== "record") return alignment;
    if (field.offsetBytes > 0) alignment = Math.min(alignment, lowBit(field.offsetBytes));
    rest -= field.offsetBytes;
    type = field.type;
  }
  return alignment;
}

function holds({ offsetBytes, type }: RecordField, at: number): boolean {
  return offsetBytes <= at && at < offsetBytes + (sizeOf(type) ?? 0);
}

const widestStep = 65_536;

/** What a mask rounds down to multiples of: 8 of `~7`; null where it is no such mask. */
export function stepOfMask(mask: Expression): number | null {
  if (mask.kind !== "constant" || mask.type.kind !== "integer") return null;
  const { value, type } = mask;
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) return null;
  const step = Number(BigInt.asUintN(type.bits, -BigInt(value)));
  return step > 0 && step <= widestStep && lowBit(step) === step ? step : null;
}
