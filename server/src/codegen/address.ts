// Addresses as sums: a base object or pointer, unknown values times coefficients, and a constant number of bytes.
import type { Expression, MemoryPlace } from "../ir/expression.ts";
import { alignmentOf, type Type } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { knownValue } from "./constants.ts";
import {
  type Atom,
  type CopiedLoop,
  constantLinear,
  type Induction,
  keyOf,
  type Linear,
  LinearTable,
  lowBit,
  plus,
} from "./linear.ts";

/** What variables hold at one point, by `variableKey`. A variable that is not in it holds a value that has no other name. */
export interface Values {
  get(key: number): Linear | undefined;
}

export interface Addressing {
  linearOf(expression: Expression, values: Values): Linear;
  addressOf(place: MemoryPlace, values: Values): Address;
  /** A value about which nothing is known but its divisor. */
  unknown(divisor: number, induction?: Induction): Linear;
  readonly linears: LinearTable;
}

export interface Address {
  /** Equal for addresses that differ by a constant only. */
  readonly termsKey: number;
  readonly constant: number;
  readonly base: Variable | null;
  readonly space: "shared" | "global" | "local" | "unknown";
  /** The address is `residue` modulo `modulus`, a power of two up to 16. */
  readonly modulus: number;
  readonly residue: number;
  /** What divides all of it but the base and the constant: a power of two up to 16. */
  readonly alignmentFromBase: number;
  /** In a loop: bytes to the address of the next trip, and the alignment of the first trip's; null where that is not known. */
  readonly trip: {
    readonly strideBytes: number;
    readonly startAlignment: number;
    readonly copies: CopiedLoop | null;
  } | null;
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
  const linears = new LinearTable();
  const initial = new Map<number, Linear>();

  const unknown = (divisor: number, induction?: Induction): Linear =>
    linears.fresh(induction ? { ...plain(divisor), induction } : plain(divisor));

  /** What a variable holds that nobody assigned on the way. */
  const variable = (owner: Variable, offsetBytes: number, type: Type): Linear => {
    const key = variableKey(owner, offsetBytes);
    const known = initial.get(key);
    if (known) return known;
    const base = type.kind === "pointer" && options.parameters.has(owner.id) ? owner : null;
    const linear = linears.fresh({ ...plain(1), base });
    initial.set(key, linear);
    return linear;
  };
  const object = (owner: Variable): Linear =>
    linears.named(`&${owner.id}`, () => ({
      ...plain(options.alignmentOf(owner)),
      base: owner,
      isObject: true,
    }));

  const linearOf = (expression: Expression, values: Values): Linear => {
    switch (expression.kind) {
      case "constant":
        return typeof expression.value === "number" && Number.isInteger(expression.value)
          ? constantLinear(expression.value)
          : linears.named(`c${expression.value}:${expression.type.kind}`, () => plain(1));
      case "load": {
        const { place } = expression;
        if (place.kind === "memory") return unknown(1);
        return (
          values.get(variableKey(place.variable, place.offsetBytes)) ??
          variable(place.variable, place.offsetBytes, expression.type)
        );
      }
      case "address": {
        const { place } = expression;
        if (place.kind === "memory") return plus(linearOf(place.pointer, values), place.offsetBytes);
        return plus(object(place.variable), place.offsetBytes);
      }
      case "offset":
        return linears.sum(
          linearOf(expression.pointer, values),
          linears.scaled(linearOf(expression.index, values), expression.strideBytes),
        );
      case "convert":
        return converted(expression, values);
      case "unary":
        if (expression.operator === "negate" && expression.type.kind === "integer")
          return linears.scaled(linearOf(expression.operand, values), -1);
        return opaque(expression, [expression.operand], values);
      case "binary":
        return expression.type.kind === "integer" || expression.type.kind === "boolean"
          ? binary(expression, values)
          : opaque(expression, [expression.left, expression.right], values);
      case "intrinsic":
        return expression.arguments.length === 0 && !expression.site
          ? linears.named(expression.name, () => ({ ...plain(1), maximum: identityMaximum(expression.name) }))
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
    return linears.named(`${expression.kind} ${name} ${typeKey(expression.type)}(${keys.join(",")})`, () =>
      plain(1),
    );
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
      const maximum = linears.maximumOf(linear);
      return maximum !== null && maximum < 2 ** (to.bits - 1)
        ? linear
        : linears.named(`low${to.bits}(${keyOf(linear)})`, () =>
            plain(Math.min(linears.divisorOf(linear), 2 ** to.bits)),
          );
    }
    if (from.signed || to.bits === from.bits) return linear;
    return widened(linear, from.bits);
  };

  /** Zero extension: unsigned sums may wrap, but not within the zero low bits of the rest. */
  const widened = (linear: Linear, bits: number): Linear => {
    const maximum = linears.maximumOf(linear);
    if (maximum !== null && maximum < 2 ** bits) return linear;
    if (linear.constant === 0 && isOneAtom(linear)) return linear;
    const divisor = Math.min(linears.divisorOfTerms(linear), 65_536);
    const low = modulo(linear.constant, divisor);
    const rest = plus(linear, -low);
    return plus(
      linears.named(`zero${bits}(${keyOf(rest)})`, () => plain(divisor)),
      low,
    );
  };

  const binary = (expression: Expression & { kind: "binary" }, values: Values): Linear => {
    const left = linearOf(expression.left, values);
    const right = linearOf(expression.right, values);
    const factor = right.terms.id === 0 ? right.constant : null;
    if (factor !== null && left.terms.id === 0) {
      const folded = foldedBinary(expression, left.constant, factor);
      if (folded !== null) return constantLinear(folded);
    }
    const named = (divisor: number, maximum: number | null): Linear =>
      linears.named(
        `${expression.operator}${typeKey(expression.type)}(${keyOf(left)},${keyOf(right)})`,
        () => ({
          divisor,
          maximum,
          base: null,
        }),
      );
    switch (expression.operator) {
      case "+":
        return linears.sum(left, right);
      case "-":
        return linears.sum(left, linears.scaled(right, -1));
      case "*":
        if (factor !== null) return linears.scaled(left, factor);
        if (left.terms.id === 0) return linears.scaled(right, left.constant);
        return named(Math.min(linears.divisorOf(left) * linears.divisorOf(right), 2 ** 20), null);
      case "<<":
        return factor !== null && factor >= 0 && factor < 31
          ? linears.scaled(left, 2 ** factor)
          : named(1, null);
      case ">>": {
        if (factor === 0) return left;
        const maximum = linears.maximumOf(left);
        if (factor === null || factor < 0 || factor > 52) return named(1, maximum);
        return named(
          Math.max(1, linears.divisorOf(left) / 2 ** factor),
          maximum === null ? null : Math.floor(maximum / 2 ** factor),
        );
      }
      case "&":
        if (factor === 0) return constantLinear(0);
        if (factor !== null && factor >= 0)
          return maskIsWider(left, factor)
            ? left
            : named(Math.max(lowBit(factor), linears.divisorOf(left)), factor);
        return named(Math.max(linears.divisorOf(left), linears.divisorOf(right)), null);
      case "|":
      case "^":
        if (factor !== null && factor >= 0 && factor < linears.divisorOf(left)) return plus(left, factor);
        return named(Math.min(linears.divisorOf(left), linears.divisorOf(right)), null);
      case "/":
        return factor === 1 ? left : named(1, linears.maximumOf(left));
      case "%": {
        if (factor === 1) return constantLinear(0);
        const maximum = factor !== null && factor > 0 ? factor - 1 : null;
        const divisor = Math.min(linears.divisorOf(left), linears.divisorOf(right));
        return named(divisor, linears.maximumOf(left) === null ? null : maximum);
      }
      default:
        return named(1, 1);
    }
  };
  const maskIsWider = (left: Linear, mask: number): boolean => {
    const maximum = linears.maximumOf(left);
    return maximum !== null && maximum <= mask && (mask & (mask + 1)) === 0;
  };

  const addressOf = (place: MemoryPlace, values: Values): Address => {
    const linear = plus(linearOf(place.pointer, values), place.offsetBytes);
    let base: Variable | null = null;
    let isObject = false;
    for (let index = 0; index < linear.terms.atoms.length; index++) {
      const atom = linears.atom(linear.terms.atoms[index] ?? 0);
      if (!atom?.base || linear.terms.coefficients[index] !== 1) continue;
      base = atom.base;
      isObject = atom.isObject ?? false;
    }
    const modulus = Math.min(16, linears.divisorOfTerms(linear));
    const promised = promisedAlignment(place);
    const isProven = modulus >= promised;
    return {
      termsKey: linear.terms.id,
      constant: linear.constant,
      base,
      space: spaceOf(base, isObject ? "object" : "pointer", options.isKernel),
      modulus: isProven ? modulus : promised,
      alignmentFromBase: base === null ? 1 : Math.min(16, linears.divisorOfTerms(linear, base)),
      residue: isProven ? modulo(linear.constant, modulus) : modulo(place.offsetBytes, promised),
      trip: tripOf(linear),
    };
  };

  /** Of the innermost loop that the address counts with: the latest atom of the kind. */
  const tripOf = (linear: Linear): Address["trip"] => {
    const innermost = linear.terms.atoms.findLastIndex((id) => linears.atom(id)?.induction);
    const id = linear.terms.atoms[innermost];
    const coefficient = linear.terms.coefficients[innermost];
    const induction = id === undefined ? undefined : linears.atom(id)?.induction;
    if (!induction || id === undefined || coefficient === undefined) return null;
    const counter: Linear = linears.scaled(linears.unit(id), -coefficient);
    const start = linears.sum(linears.sum(linear, counter), linears.scaled(induction.start, coefficient));
    const { step, copies } = induction;
    return { strideBytes: step * coefficient, startAlignment: linears.divisorOf(start), copies };
  };

  return { linearOf, addressOf, unknown, linears };
}

/** The operation on two constants: `span * 2` in an unrolled trip. */
function foldedBinary(
  expression: Expression & { kind: "binary" },
  left: number,
  right: number,
): number | null {
  const known = knownValue(
    {
      ...expression,
      left: { kind: "constant", type: expression.left.type, value: left },
      right: { kind: "constant", type: expression.right.type, value: right },
    },
    new Map(),
  );
  return typeof known === "number" ? known : null;
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

function isOneAtom({ terms }: Linear): boolean {
  return terms.atoms.length === 1 && terms.coefficients[0] === 1;
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

function typeKey(type: Type): string {
  return type.kind === "integer" ? `${type.signed ? "i" : "u"}${type.bits}` : type.kind;
}

export function modulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
