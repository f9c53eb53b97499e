// What an expression of host code is worth while the host interpreter runs: a scalar, a pointer to an object that it keeps,
// a function, a record, or unknown with the reason.
import type { FunctionId } from "../../ir/function.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { Cell, Fill, HostObject } from "./object.ts";

export type Value = Scalar | PointerValue | FunctionValue | RecordValue | UnknownValue;

export interface PointerValue {
  readonly kind: "pointer";
  readonly object: HostObject;
  /** Null where it is not known how far into the object it points. */
  readonly offsetBytes: number | null;
  /** Where an index that is not known chooses: the elements that it chooses among, of which one begins at `startBytes`. */
  readonly among?: { readonly startBytes: number; readonly strideBytes: number };
}

export interface FunctionValue {
  readonly kind: "function";
  readonly callee: FunctionId;
  /** What is passed as `this` before the arguments: the closure that a std::function holds. */
  readonly receiver: Value | null;
  /** What numbers are at most where it was chosen. */
  readonly under?: Limits;
}

/** A record or array by value: its scalars by byte offset. */
export interface RecordValue {
  readonly kind: "record";
  readonly cells: ReadonlyMap<number, Cell>;
  /** What the bytes hold that no cell covers. */
  readonly fill: Fill;
}

export interface UnknownValue {
  readonly kind: "unknown";
  readonly reason: string;
  /** What it is a function of, where that is one variable: inside `case 64:` the value is known after all. */
  readonly of?: Dependence;
  /** Of a function that is not known: those that it may be, as far as they are in sight. */
  readonly functions?: readonly FunctionValue[];
  /** The largest number that it may be, where a launch passes it. */
  readonly most?: number;
}

/** A number that is not known: a variable, or what was computed of one. Each is a number of its own, which a case may tell. */
export interface Dependence {
  readonly symbol: HostSymbol;
  /** Of a variable none. */
  readonly operands: readonly Dependence[];
  readonly apply: (values: readonly Scalar[]) => Scalar | null;
  /** Operations applied so far. */
  readonly depth: number;
}

/** An integer variable whose value is not known. */
export interface HostSymbol {
  readonly name: string;
  /** Where conditions that are not known chose among a few numbers: these. */
  readonly among?: readonly Scalar[];
}

/** What numbers are on the way that is being taken. */
export type Bindings = ReadonlyMap<Dependence, Scalar>;

/** What numbers that are not known are at most on the way that is being taken. */
export type Limits = ReadonlyMap<Dependence, number>;

const maxDependenceDepth = 16;

/** An unknown value of its own: all that is computed from it alone can be computed again once it is known. */
export function symbolicValue(name: string, reason: string): UnknownValue {
  return { kind: "unknown", reason, of: { symbol: { name }, operands: [], apply: () => null, depth: 0 } };
}

/** `operation` of a value that is not known. */
export function mapUnknown(value: UnknownValue, operation: (value: Scalar) => Scalar | null): UnknownValue {
  const { of } = value;
  if (of === undefined || of.depth >= maxDependenceDepth) return unknownValue(value.reason);
  const apply = ([known]: readonly Scalar[]) => (known === undefined ? null : operation(known));
  const dependence = { symbol: of.symbol, operands: [of], apply, depth: of.depth + 1 };
  return { kind: "unknown", reason: value.reason, of: dependence };
}

/** `operation` of two values that are not known; it depends on one variable where both are functions of that. */
export function mapUnknowns(
  a: UnknownValue,
  b: UnknownValue,
  operation: (a: Scalar, b: Scalar) => Scalar | null,
): UnknownValue {
  if (a.of === undefined || b.of === undefined || a.of.symbol !== b.of.symbol) return unknownValue(a.reason);
  const depth = a.of.depth + b.of.depth + 1;
  if (depth > maxDependenceDepth) return unknownValue(a.reason);
  const apply = ([x, y]: readonly Scalar[]) => (x === undefined || y === undefined ? null : operation(x, y));
  const dependence = { symbol: a.of.symbol, operands: [a.of, b.of], apply, depth };
  return { kind: "unknown", reason: a.reason, of: dependence };
}

/** The value with what its numbers are bound to put in. */
export function resolve(value: Value, bindings: Bindings): Value {
  if (bindings.size === 0 || isScalarValue(value)) return value;
  if (value.kind === "record") return { ...value, cells: resolveCells(value.cells, bindings) };
  if (value.kind !== "unknown" || value.of === undefined) return value;
  return boundValue(value.of, bindings) ?? value;
}

/** What a number is on the way at hand: told itself, or computed of what is. */
function boundValue(number: Dependence, bindings: Bindings): Scalar | null {
  const told = bindings.get(number);
  if (told !== undefined || number.operands.length === 0) return told ?? null;
  const operands: Scalar[] = [];
  for (const operand of number.operands) {
    const value = boundValue(operand, bindings);
    if (value === null) return null;
    operands.push(value);
  }
  return number.apply(operands);
}

function resolveCells(cells: ReadonlyMap<number, Cell>, bindings: Bindings): ReadonlyMap<number, Cell> {
  return new Map(
    [...cells].map(([offset, cell]) => [offset, { ...cell, value: resolve(cell.value, bindings) }]),
  );
}

export function isScalarValue(value: Value): value is Scalar {
  return typeof value === "number" || typeof value === "bigint";
}

export function unknownValue(reason: string): UnknownValue {
  return { kind: "unknown", reason };
}

export function pointerTo(object: HostObject, offsetBytes: number | null): PointerValue {
  return { kind: "pointer", object, offsetBytes };
}

/** Whether `value` is true as a condition; null where that is not known. Memory that was allocated is never null. */
export function truthOf(value: Value): boolean | null {
  if (isScalarValue(value)) return value !== 0;
  if (value.kind === "function") return true;
  if (value.kind === "pointer") return value.object.isOpaque ? null : true;
  const [first, ...others] = numbersOf(value).map((number) => Number(number) !== 0);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

/** Of numbers that a value may be, more are not kept. */
const mostNumbers = 6;

/** The whole numbers that a value is, or is one of; none where that is not known. */
export function numbersOf(value: Value): readonly Scalar[] {
  if (isScalarValue(value)) return typeof value === "bigint" || Number.isInteger(value) ? [value] : [];
  const choice = choiceOf(value);
  if (choice === null || value.kind !== "unknown" || value.of === undefined) return [];
  const numbers = new Set<Scalar>();
  for (const each of choice.symbol.among ?? []) {
    const number = boundValue(value.of, new Map([[choice, each]]));
    if (number === null) return [];
    numbers.add(number);
  }
  return [...numbers];
}

/** The variable that conditions chose a number for, of which a value is computed; null where there is none. */
export function choiceOf(value: Value): Dependence | null {
  if (isScalarValue(value) || value.kind !== "unknown" || value.of?.symbol.among === undefined) return null;
  let number = value.of;
  for (let [next] = number.operands; next !== undefined; [next] = number.operands) number = next;
  return number;
}

/** Whether two values are surely the same. An unknown equals nothing. */
export function sameValue(a: Value, b: Value): boolean {
  if (isScalarValue(a) || isScalarValue(b)) return Object.is(a, b);
  if (a.kind === "pointer") {
    return (
      b.kind === "pointer" &&
      a.object === b.object &&
      a.offsetBytes === b.offsetBytes &&
      a.offsetBytes !== null
    );
  }
  if (a.kind === "unknown") return a === b && a.of !== undefined;
  if (a.kind === "function")
    return b.kind === "function" && a.callee === b.callee && a.receiver === b.receiver;
  return a === b && a.kind === "record";
}

/** What a variable holds after two ways that the host may have taken. */
export function mergeValues(a: Value, b: Value, reason: string): Value {
  if (sameValue(a, b)) return widened(a, b);
  const functions = mergedFunctions(a, b);
  if (functions.length > 0) return { kind: "unknown", reason, functions };
  const numbers = mergedNumbers(a, b);
  if (numbers.length > 0) return oneOf(numbers, reason);
  if (isScalarValue(a) || isScalarValue(b)) return unknownValue(reason);
  if (a.kind === "unknown") return withoutChoice(a);
  if (b.kind === "unknown") return withoutChoice(b);
  if (a.kind === "record" && b.kind === "record") return mergeRecords(a, b, reason);
  return unknownValue(reason);
}

function mergedNumbers(a: Value, b: Value): readonly Scalar[] {
  const first = numbersOf(a);
  const second = numbersOf(b);
  if (first.length === 0 || second.length === 0) return [];
  const all = [...new Set([...first, ...second])];
  return all.length <= mostNumbers ? all : [];
}

function oneOf(among: readonly Scalar[], reason: string): UnknownValue {
  const of: Dependence = { symbol: { name: "", among }, operands: [], apply: () => null, depth: 0 };
  return { kind: "unknown", reason, of };
}

/** A value that is not known, and may be others than those it was chosen from. */
export function withoutChoice(value: UnknownValue): UnknownValue {
  return choiceOf(value) === null ? value : unknownValue(value.reason);
}

/** Of functions that a value may be, more are not kept. */
export const mostFunctions = 32;

/** The functions that a value is, or may be. */
export function candidatesOf(value: Value): readonly FunctionValue[] {
  if (isScalarValue(value)) return [];
  if (value.kind === "function") return [value];
  return value.kind === "unknown" ? (value.functions ?? []) : [];
}

function mergedFunctions(a: Value, b: Value): readonly FunctionValue[] {
  const second = candidatesOf(b);
  const first = candidatesOf(a).map((each) => {
    const there = second.find((other) => sameValue(each, other));
    return there === undefined ? each : widenedFunction(each, there);
  });
  const others = second.filter((each) => !first.some((known) => sameValue(known, each)));
  return [...first, ...others].slice(0, mostFunctions);
}

/** A value that is the same on two ways: a function, where either way holds. */
function widened(a: Value, b: Value): Value {
  if (isScalarValue(a) || isScalarValue(b) || a.kind !== "function" || b.kind !== "function") return a;
  return widenedFunction(a, b);
}

function widenedFunction(a: FunctionValue, b: FunctionValue): FunctionValue {
  if (a.under === undefined) return a;
  const under = [...a.under].flatMap(([number, most]): [Dependence, number][] => {
    const other = b.under?.get(number);
    return other === undefined ? [] : [[number, Math.max(most, other)]];
  });
  return { ...a, under: new Map(under) };
}

/** What a number that is not known is at most. */
export function mostOf({ of }: UnknownValue, limits: Limits): number | undefined {
  return of === undefined ? undefined : limits.get(of);
}

function mergeRecords(a: RecordValue, b: RecordValue, reason: string): RecordValue {
  return { kind: "record", ...mergeContents(a, b, reason) };
}

/** The contents that two ways have in common; what differs is unknown. */
export function mergeContents(
  a: { readonly cells: ReadonlyMap<number, Cell>; readonly fill: Fill },
  b: { readonly cells: ReadonlyMap<number, Cell>; readonly fill: Fill },
  reason: string,
): { cells: Map<number, Cell>; fill: Fill } {
  const cells = new Map<number, Cell>();
  for (const [offset, cell] of a.cells) {
    const other = b.cells.get(offset);
    if (other !== undefined && other.bytes !== cell.bytes) return { cells: new Map(), fill: "unknown" };
    const there = other?.value ?? valueOfFill(b.fill, reason);
    cells.set(offset, { ...cell, value: mergeValues(cell.value, there, reason) });
  }
  for (const [offset, cell] of b.cells) {
    if (a.cells.has(offset)) continue;
    if (overlaps(cells, offset, cell.bytes)) return { cells: new Map(), fill: "unknown" };
    cells.set(offset, { ...cell, value: mergeValues(cell.value, valueOfFill(a.fill, reason), reason) });
  }
  return { cells, fill: a.fill === b.fill ? a.fill : "unknown" };
}

function valueOfFill(fill: Fill, reason: string): Value {
  return fill === "zero" ? 0 : unknownValue(reason);
}

const widestBytes = 8;

/** Whether some cell has bytes in common with those from `offset` on. */
export function overlaps(cells: ReadonlyMap<number, Cell>, offset: number, bytes: number): boolean {
  if (cells.size === 0) return false;
  for (let at = offset - widestBytes + 1; at < offset + bytes; at++) {
    const cell = cells.get(at);
    if (cell !== undefined && at + cell.bytes > offset) return true;
  }
  return false;
}
