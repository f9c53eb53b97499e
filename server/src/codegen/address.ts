// Addresses as sums: a base object or pointer, unknown values times coefficients, and a constant number of bytes.
import type { Expression, MemoryPlace } from "../ir/expression.ts";
import { alignmentOf, type Type } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";

/** `constant` + Σ coefficient · value of the atom. Sums that are equal have equal keys. */
export interface Linear {
  readonly terms: ReadonlyMap<number, number>;
  readonly constant: number;
}

export interface Atom {
  /** A power of two that divides every value of it. */
  readonly divisor: number;
  /** No value is above it, and none below zero; null where that is not known. */
  readonly maximum: number | null;
  /** The array or pointer parameter that this atom is the address of. */
  readonly base: Variable | null;
  /** Whether it is the address of `base`, not what a pointer in it holds. */
  readonly isObject?: boolean;
  /** Of the counter of a loop that stays one: where it starts, and what each trip adds to it. */
  readonly induction?: Induction;
}

export interface Induction {
  readonly start: Linear;
  readonly step: number;
}

/** What variables hold at one point, by `variableKey`. A variable that is not in it holds a value that has no other name. */
export type Values = Map<number, Linear>;

export interface Addressing {
  linearOf(expression: Expression, values: Values): Linear;
  addressOf(place: MemoryPlace, values: Values): Address;
  /** A value about which nothing is known but its divisor. */
  unknown(divisor: number, induction?: Induction): Linear;
  divisorOf(linear: Linear): number;
}

export interface Address {
  /** Equal for addresses that differ by a constant only. */
  readonly termsKey: string;
  readonly constant: number;
  readonly base: Variable | null;
  readonly space: "shared" | "global" | "local" | "unknown";
  /** The address is `residue` modulo `modulus`, a power of two up to 16. */
  readonly modulus: number;
  readonly residue: number;
  /** In a loop: bytes to the address of the next trip, and the alignment of the first trip's; null where that is not known. */
  readonly trip: { readonly strideBytes: number; readonly startAlignment: number } | null;
}

export interface AddressingOptions {
  /** Alignment of the address at which a variable in memory lies. */
  readonly alignmentOf: (variable: Variable) => number;
  readonly isKernel: boolean;
  readonly parameters: ReadonlySet<number>;
}

const offsetSpan = 65_536;

export function variableKey(variable: Variable, offsetBytes: number): number {
  return keyOfId(variable.id, offsetBytes);
}

export function keyOfId(id: number, offsetBytes: number): number {
  return id * offsetSpan + offsetBytes;
}

export function createAddressing(options: AddressingOptions): Addressing {
  const atoms: Atom[] = [];
  const ids = new Map<string, number>();

  const atom = (key: string, make: () => Atom): Linear => {
    let id = ids.get(key);
    if (id === undefined) {
      id = atoms.push(make()) - 1;
      ids.set(key, id);
    }
    return { terms: new Map([[id, 1]]), constant: 0 };
  };
  const unknown = (divisor: number, induction?: Induction): Linear =>
    atom(`?${atoms.length}`, () => (induction ? { ...plain(divisor), induction } : plain(divisor)));

  const divisorOf = (linear: Linear): number => {
    let divisor = lowBit(linear.constant);
    for (const [id, coefficient] of linear.terms)
      divisor = Math.min(divisor, lowBit(coefficient) * (atoms[id]?.divisor ?? 1));
    return divisor;
  };
  const divisorOfTerms = (linear: Linear): number => divisorOf({ ...linear, constant: 0 });
  const maximumOf = (linear: Linear): number | null => {
    let maximum = linear.constant;
    if (maximum < 0) return null;
    for (const [id, coefficient] of linear.terms) {
      const most = atoms[id]?.maximum;
      if (most === null || most === undefined || coefficient < 0) return null;
      maximum += most * coefficient;
    }
    return maximum;
  };

  const variable = (owner: Variable, offsetBytes: number, type: Type): Linear =>
    atom(`v${owner.id}.${offsetBytes}`, () => ({
      ...plain(1),
      base: type.kind === "pointer" && options.parameters.has(owner.id) ? owner : null,
    }));
  const object = (owner: Variable): Linear =>
    atom(`&${owner.id}`, () => ({ ...plain(options.alignmentOf(owner)), base: owner, isObject: true }));

  const linearOf = (expression: Expression, values: Values): Linear => {
    switch (expression.kind) {
      case "constant":
        return typeof expression.value === "number" && Number.isInteger(expression.value)
          ? constant(expression.value)
          : atom(`c${expression.value}:${expression.type.kind}`, () => plain(1));
      case "load": {
        const { place } = expression;
        if (place.kind === "memory") return unknown(1);
        const key = variableKey(place.variable, place.offsetBytes);
        let held = values.get(key);
        if (!held) {
          held = variable(place.variable, place.offsetBytes, expression.type);
          values.set(key, held);
        }
        return held;
      }
      case "address": {
        const { place } = expression;
        if (place.kind === "memory") return plus(linearOf(place.pointer, values), place.offsetBytes);
        return plus(object(place.variable), place.offsetBytes);
      }
      case "offset":
        return sum(
          linearOf(expression.pointer, values),
          scaled(linearOf(expression.index, values), expression.strideBytes),
        );
      case "convert":
        return converted(expression, values);
      case "unary":
        if (expression.operator === "negate" && expression.type.kind === "integer")
          return scaled(linearOf(expression.operand, values), -1);
        return opaque(expression, [expression.operand], values);
      case "binary":
        return expression.type.kind === "integer" || expression.type.kind === "boolean"
          ? binary(expression, values)
          : opaque(expression, [expression.left, expression.right], values);
      case "intrinsic":
        return expression.arguments.length === 0 && !expression.site
          ? atom(expression.name, () => ({ ...plain(1), maximum: identityMaximum(expression.name) }))
          : opaque(expression, expression.arguments, values);
      case "conditional":
        return opaque(expression, [expression.condition, expression.whenTrue, expression.whenFalse], values);
      default:
        return unknown(1);
    }
  };

  const opaque = (expression: Expression, operands: readonly Expression[], values: Values): Linear => {
    const name = "operator" in expression ? expression.operator : "name" in expression ? expression.name : "";
    const keys = operands.map((operand) => keyOf(linearOf(operand, values)));
    return atom(`${expression.kind} ${name} ${typeKey(expression.type)}(${keys.join(",")})`, () => plain(1));
  };

  const converted = (expression: Expression & { kind: "convert" }, values: Values): Linear => {
    const linear = linearOf(expression.operand, values);
    const from = expression.operand.type;
    const to = expression.type;
    const isAddress = (type: Type) => type.kind === "pointer" || type.kind === "function";
    if (isAddress(from) || isAddress(to) || from.kind === "boolean") return linear;
    if (from.kind !== "integer" || to.kind !== "integer")
      return opaque(expression, [expression.operand], values);
    if (to.bits < from.bits) {
      const maximum = maximumOf(linear);
      return maximum !== null && maximum < 2 ** (to.bits - 1)
        ? linear
        : atom(`low${to.bits}(${keyOf(linear)})`, () => plain(Math.min(divisorOf(linear), 2 ** to.bits)));
    }
    if (from.signed || to.bits === from.bits) return linear;
    return widened(linear, from.bits);
  };

  /** Zero extension: unsigned sums may wrap, but not within the zero low bits of the rest. */
  const widened = (linear: Linear, bits: number): Linear => {
    const maximum = maximumOf(linear);
    if (maximum !== null && maximum < 2 ** bits) return linear;
    if (linear.terms.size === 1 && linear.constant === 0 && [...linear.terms.values()][0] === 1)
      return linear;
    const divisor = Math.min(divisorOfTerms(linear), 65_536);
    const low = modulo(linear.constant, divisor);
    const rest = plus(linear, -low);
    return plus(
      atom(`zero${bits}(${keyOf(rest)})`, () => plain(divisor)),
      low,
    );
  };

  const binary = (expression: Expression & { kind: "binary" }, values: Values): Linear => {
    const left = linearOf(expression.left, values);
    const right = linearOf(expression.right, values);
    const factor = right.terms.size === 0 ? right.constant : null;
    const named = (divisor: number, maximum: number | null): Linear =>
      atom(`${expression.operator}${typeKey(expression.type)}(${keyOf(left)},${keyOf(right)})`, () => ({
        divisor,
        maximum,
        base: null,
      }));
    switch (expression.operator) {
      case "+":
        return sum(left, right);
      case "-":
        return sum(left, scaled(right, -1));
      case "*":
        if (factor !== null) return scaled(left, factor);
        if (left.terms.size === 0) return scaled(right, left.constant);
        return named(Math.min(divisorOf(left) * divisorOf(right), 2 ** 20), null);
      case "<<":
        return factor !== null && factor >= 0 && factor < 31 ? scaled(left, 2 ** factor) : named(1, null);
      case ">>": {
        const maximum = maximumOf(left);
        if (factor === null || factor < 0 || factor > 52) return named(1, maximum);
        return named(
          Math.max(1, divisorOf(left) / 2 ** factor),
          maximum === null ? null : Math.floor(maximum / 2 ** factor),
        );
      }
      case "&":
        if (factor !== null && factor >= 0)
          return maskIsWider(left, factor) ? left : named(Math.max(lowBit(factor), divisorOf(left)), factor);
        return named(Math.max(divisorOf(left), divisorOf(right)), null);
      case "|":
      case "^":
        if (factor !== null && factor >= 0 && factor < divisorOf(left)) return plus(left, factor);
        return named(Math.min(divisorOf(left), divisorOf(right)), null);
      case "/":
        return named(1, maximumOf(left));
      case "%": {
        const maximum = factor !== null && factor > 0 ? factor - 1 : null;
        const divisor = Math.min(divisorOf(left), divisorOf(right));
        return named(divisor, maximumOf(left) === null ? null : maximum);
      }
      default:
        return named(1, 1);
    }
  };
  const maskIsWider = (left: Linear, mask: number): boolean => {
    const maximum = maximumOf(left);
    return maximum !== null && maximum <= mask && (mask & (mask + 1)) === 0;
  };

  const addressOf = (place: MemoryPlace, values: Values): Address => {
    const linear = plus(linearOf(place.pointer, values), place.offsetBytes);
    let base: Variable | null = null;
    let isObject = false;
    for (const [id, coefficient] of linear.terms) {
      const candidate = atoms[id]?.base;
      if (!candidate || coefficient !== 1) continue;
      base = candidate;
      isObject = atoms[id]?.isObject ?? false;
    }
    const modulus = Math.min(16, divisorOfTerms(linear));
    const promised = promisedAlignment(place);
    const isProven = modulus >= promised;
    return {
      termsKey: termsKey(linear),
      constant: linear.constant,
      base,
      space: spaceOf(base, isObject ? "object" : "pointer", options.isKernel),
      modulus: isProven ? modulus : promised,
      residue: isProven ? modulo(linear.constant, modulus) : modulo(place.offsetBytes, promised),
      trip: tripOf(linear),
    };
  };

  /** Of the innermost loop that the address counts with: the latest atom of the kind. */
  const tripOf = (linear: Linear): Address["trip"] => {
    let innermost = -1;
    for (const id of linear.terms.keys()) if (atoms[id]?.induction) innermost = Math.max(innermost, id);
    const induction = atoms[innermost]?.induction;
    const coefficient = linear.terms.get(innermost);
    if (!induction || coefficient === undefined) return null;
    const others = new Map(linear.terms);
    others.delete(innermost);
    const start = sum({ terms: others, constant: linear.constant }, scaled(induction.start, coefficient));
    return { strideBytes: induction.step * coefficient, startAlignment: divisorOf(start) };
  };

  return { linearOf, addressOf, unknown, divisorOf };
}

/** What the type of the pointer promises: `float4*` is 16-byte aligned, and a member lies where it lies. */
function promisedAlignment(place: MemoryPlace): number {
  const target = place.pointer.type.kind === "pointer" ? place.pointer.type.target : null;
  const bytes = Math.max(
    target?.kind === "record" ? (alignmentOf(target) ?? 1) : 1,
    lowBit(place.offsetBytes) >= (alignmentOf(place.type) ?? 1) ? (alignmentOf(place.type) ?? 1) : 1,
  );
  return Math.min(16, bytes);
}

function spaceOf(base: Variable | null, kind: "object" | "pointer", isKernel: boolean): Address["space"] {
  if (!base) return "unknown";
  if (kind === "pointer") return isKernel ? "global" : "unknown";
  switch (base.storage) {
    case "shared":
    case "dynamic-shared":
      return "shared";
    case "device":
      return "global";
    case "automatic":
      return "local";
    default:
      return "unknown";
  }
}

function plain(divisor: number): Atom {
  return { divisor, maximum: null, base: null };
}

function identityMaximum(name: string): number | null {
  if (name === "threadIdx.z") return 63;
  if (name.startsWith("threadIdx.")) return 1023;
  if (name.startsWith("blockDim.")) return 1024;
  if (name === "laneid") return 31;
  if (name === "warpid") return 31;
  if (name.startsWith("blockIdx.") || name.startsWith("gridDim.")) return 2 ** 31 - 1;
  return name === "warpSize" ? 32 : null;
}

function constant(value: number): Linear {
  return { terms: noTerms, constant: value };
}

const noTerms: ReadonlyMap<number, number> = new Map();

function plus(linear: Linear, bytes: number): Linear {
  return bytes === 0 ? linear : { terms: linear.terms, constant: linear.constant + bytes };
}

function sum(a: Linear, b: Linear): Linear {
  if (b.terms.size === 0) return plus(a, b.constant);
  if (a.terms.size === 0) return plus(b, a.constant);
  const terms = new Map(a.terms);
  for (const [id, coefficient] of b.terms) {
    const total = (terms.get(id) ?? 0) + coefficient;
    if (total === 0) terms.delete(id);
    else terms.set(id, total);
  }
  return { terms, constant: a.constant + b.constant };
}

function scaled(linear: Linear, factor: number): Linear {
  if (factor === 1) return linear;
  if (factor === 0) return constant(0);
  const terms = new Map<number, number>();
  for (const [id, coefficient] of linear.terms) terms.set(id, coefficient * factor);
  return { terms, constant: linear.constant * factor };
}

function termsKey(linear: Linear): string {
  return [...linear.terms]
    .sort((a, b) => a[0] - b[0])
    .map(([id, coefficient]) => `${id}*${coefficient}`)
    .join("+");
}

export function keyOf(linear: Linear): string {
  return `${termsKey(linear)}+${linear.constant}`;
}

function typeKey(type: Type): string {
  return type.kind === "integer" ? `${type.signed ? "i" : "u"}${type.bits}` : type.kind;
}

export function modulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}

/** The largest power of two that divides the number; a large one for zero. */
function lowBit(value: number): number {
  if (value === 0) return 2 ** 30;
  let bit = 1;
  while (bit < 2 ** 30 && value % (bit * 2) === 0) bit *= 2;
  return bit;
}
