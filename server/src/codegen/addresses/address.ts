// Addresses as sums: a base object or pointer, unknown values times coefficients, and a constant number of bytes.
import type { Binary, Conditional, Convert, Expression, MemoryPlace } from "../../ir/expression.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import { foldedBinary } from "../linearise/constants.ts";
import {
  alignmentOfNested,
  divisorOfParts,
  lastIndexOf,
  mixesFields,
  promisedAlignment,
  type Sums,
  stepOfMask,
} from "./alignment.ts";
import { identityMaximum } from "./identities.ts";
import {
  type Atom,
  type CopiedLoop,
  commonDivisor,
  constantLinear,
  type Induction,
  isOneAtom,
  keyOf,
  type Linear,
  LinearTable,
  lowBit,
  modulo,
  operationName,
  plus,
  type Terms,
} from "./linear.ts";
import { inlinedParameterOf } from "./promises.ts";
import { type Space, spaceOfBase } from "./space.ts";
import { TestedIndices } from "./tested-indices.ts";
import { tripOf } from "./trip.ts";

/** What variables hold at one point, by `variableKey`. A variable that is not in it holds a value that has no other name. */
export interface Values {
  get(key: number): Linear | undefined;
}

export interface Address {
  /** Equal for addresses that differ by a constant only: the id of `terms`. */
  readonly termsKey: number;
  readonly terms: Terms;
  readonly constant: number;
  /** Where it is one of several: what the two above are in each. */
  readonly choices: readonly Pick<Address, "termsKey" | "constant">[] | null;
  readonly base: Variable | null;
  /** The parameter of an inlined call that its pointer starts from, where that promises something. */
  readonly parameter: Variable | null;
  readonly space: Space;
  /** The address is `residue` modulo `modulus`, a power of two up to 16. */
  readonly modulus: number;
  readonly residue: number;
  /** Whether the compiler may see less of the alignment, or more, by how it computes the address. */
  readonly isAlignmentUnclear: boolean;
  /** Of a member of a vector that LLVM does not see whole: whether it is the one that it sees apart from the others. */
  readonly memberSeenApart: "first" | "later" | null;
  /** In shared memory what the last of its indices is made of, in bytes. */
  readonly index: Terms | null;
  /** What a constant is added to in its last index, in elements, where a branch on the way has compared that sum. */
  readonly testedStart: Terms | null;
  /** What divides all of it but the base and the constant: a power of two. */
  readonly alignmentFromBase: number;
  /** What LLVM knows to divide all of it but the base and the constant; 0 for all numbers. */
  readonly stepBytes: number;
  /** In a loop: bytes to the address of the next trip, and the alignment of the first trip's; null where that is not known. */
  readonly trip: {
    readonly strideBytes: number;
    readonly startAlignment: number;
    /** The alignment of what its constant is added to. */
    readonly startModulus: number;
    /** What the constant of the first trip's address is. */
    readonly startConstant: number;
    /** Whether LLVM chooses where the register of the address starts: of an index, one that does not start from a constant. */
    readonly isStartChosen: boolean;
    readonly copies: CopiedLoop | null;
    readonly countsFrom: "constant" | "variable";
    readonly counts: Induction["counts"];
    /** The range of the loop. */
    readonly loop: SourceRange;
  } | null;
}

/** The address of each load and store that a pass has left standing. */
export type Addresses = Map<Expression, Address>;

export interface AddressingOptions {
  /** Alignment of the address at which a variable in memory lies. */
  readonly alignmentOf: (variable: Variable) => number;
  /** Where an array begins in static shared memory; null of all else. */
  readonly arrayOffsetOf: (variable: Variable) => number | null;
  /** Whether a variable in static shared memory may lie elsewhere within 16 bytes than its alignment is taken from. */
  readonly mayLieElsewhere: (variable: Variable) => boolean;
  readonly isKernel: boolean;
  readonly parameters: ReadonlySet<number>;
  /** Where a pointer leads whose array or parameter is not in sight. */
  readonly spaceOfPointer: (pointer: Expression) => Space;
}

const offsetSpan = 65_536;

export function variableKey(variable: Variable, offsetBytes: number): number {
  return keyOfId(variable.id, offsetBytes);
}

export function keyOfId(id: number, offsetBytes: number): number {
  return id * offsetSpan + offsetBytes;
}

export function idOfKey(key: number): number {
  return Math.floor(key / offsetSpan);
}

/** Whether codegen made the variable: a temporary, or its own copy of a local of an inlined function. */
export function isOfTemporary(key: number): boolean {
  return key < 0;
}

/** Names values and addresses of one function. */
export class Addressing {
  readonly linears = new LinearTable();
  readonly options: AddressingOptions;
  readonly tested = new TestedIndices();
  /** What variables hold that nobody assigned on the way. */
  private readonly initial = new Map<number, Linear>();
  private readonly objects = new Map<number, Linear>();
  private settles = true;
  /** Whether a condition has said what number a value is since this was last unset. */
  private hasSettled = false;

  constructor(options: AddressingOptions) {
    this.options = options;
  }

  /** A value about which nothing is known but its divisor. */
  unknown(divisor: number, more: Pick<Atom, "induction" | "within" | "choices"> = {}): Linear {
    return this.linears.fresh({ ...plain(divisor), ...more });
  }

  /** What a variable holds that nobody assigned on the way. */
  private variable(owner: Variable, offsetBytes: number, type: Type): Linear {
    const key = variableKey(owner, offsetBytes);
    const known = this.initial.get(key);
    if (known) return known;
    const base = type.kind === "pointer" && this.options.parameters.has(owner.id) ? owner : null;
    const linear = this.linears.fresh({ ...plain(1), base });
    this.initial.set(key, linear);
    return linear;
  }

  /** The address of a variable. */
  private object(owner: Variable): Linear {
    const known = this.objects.get(owner.id);
    if (known) return known;
    const linear = this.linears.fresh({
      ...plain(this.options.alignmentOf(owner)),
      base: owner,
      isObject: true,
    });
    this.objects.set(owner.id, linear);
    return linear;
  }

  /** What the expression adds up to; a number, where it is known to equal one. */
  linearOf(expression: Expression, values: Values): Linear {
    const linear = this.sumOf(expression, values);
    if (!this.settles || this.linears.equalities.size === 0) return linear;
    const settled = this.linears.settled(linear);
    if (settled !== linear) this.hasSettled = true;
    return settled;
  }

  private sumOf(expression: Expression, values: Values): Linear {
    switch (expression.kind) {
      case "constant":
        return typeof expression.value === "number" && Number.isInteger(expression.value)
          ? constantLinear(expression.value)
          : this.linears.named(`c${expression.value}:${expression.type.kind}`, plain(1));
      case "load": {
        const { place } = expression;
        if (place.kind === "memory") return this.unknown(1);
        return (
          values.get(variableKey(place.variable, place.offsetBytes)) ??
          this.variable(place.variable, place.offsetBytes, expression.type)
        );
      }
      case "address": {
        const { place } = expression;
        if (place.kind === "memory") return plus(this.linearOf(place.pointer, values), place.offsetBytes);
        return plus(this.object(place.variable), place.offsetBytes);
      }
      case "offset":
        return this.linears.sum(
          this.linearOf(expression.pointer, values),
          this.linears.scaled(this.linearOf(expression.index, values), expression.strideBytes),
        );
      case "convert":
        return this.converted(expression, values);
      case "unary":
        if (expression.operator === "negate" && expression.type.kind === "integer")
          return this.linears.scaled(this.linearOf(expression.operand, values), -1);
        return this.opaque(expression, [expression.operand], values);
      case "binary":
        return expression.type.kind === "integer" || expression.type.kind === "boolean"
          ? this.binary(expression, values)
          : this.opaque(expression, [expression.left, expression.right], values);
      case "intrinsic":
        return expression.arguments.length === 0 && !expression.site
          ? (this.linears.get(expression.name) ??
              this.linears.named(expression.name, {
                ...plain(1),
                maximum: identityMaximum(expression.name),
              }))
          : this.opaque(expression, expression.arguments, values);
      case "conditional":
        return this.conditional(expression, values);
      default:
        return this.unknown(1);
    }
  }

  /** What divides both is known of it (forms/chosen_steps mergedAtChosen, mergedAtOdd). */
  private conditional(expression: Conditional, values: Values): Linear {
    const { condition, whenTrue, whenFalse } = expression;
    const asked = this.linearOf(condition, values);
    const chosen = [whenTrue, whenFalse].map((each) => this.linearOf(each, values));
    const divisors = chosen.map((each) => this.linears.divisorOf(each));
    return this.opaqueOf(expression, [asked, ...chosen], Math.min(...divisors));
  }

  private opaque(expression: Expression, operands: readonly Expression[], values: Values): Linear {
    const sums: Linear[] = [];
    for (const operand of operands) sums.push(this.linearOf(operand, values));
    return this.opaqueOf(expression, sums, 1);
  }

  private opaqueOf(expression: Expression, operands: readonly Linear[], divisor: number): Linear {
    const name = "operator" in expression ? expression.operator : "name" in expression ? expression.name : "";
    let keys = "";
    for (const operand of operands) keys += `${keyOf(operand)},`;
    return this.linears.named(
      `${expression.kind} ${name} ${typeKey(expression.type)}(${keys})`,
      plain(divisor),
    );
  }

  private converted(expression: Convert, values: Values): Linear {
    const linear = this.linearOf(expression.operand, values);
    const from = expression.operand.type;
    const to = expression.type;
    if (isAddress(from) || isAddress(to) || from.kind === "boolean") return linear;
    if (from.kind !== "integer" || to.kind !== "integer")
      return this.opaque(expression, [expression.operand], values);
    if (to.bits < from.bits) {
      const maximum = this.linears.maximumOf(linear);
      if (maximum !== null && maximum < 2 ** (to.bits - 1)) return linear;
      return this.apart(linear, `low${to.signed && to.bits < 32 ? "i" : ""}${to.bits}`, 2 ** to.bits);
    }
    if (from.signed || to.bits === from.bits) return linear;
    return this.widened(linear, from.bits);
  }

  /** Zero extension: unsigned sums may wrap, but not within the zero low bits of the rest. */
  private widened(linear: Linear, bits: number): Linear {
    const maximum = this.linears.maximumOf(linear);
    if (maximum !== null && maximum < 2 ** bits) return linear;
    return linear.constant === 0 && isOneAtom(linear) ? linear : this.apart(linear, `zero${bits}`, 65_536);
  }

  /** What a conversion makes of a sum, but for the bits that are zero in all its terms: nothing is carried out of them. */
  private apart(linear: Linear, conversion: string, limit: number): Linear {
    const divisor = Math.min(this.linears.divisorOfTerms(linear), 65_536, limit);
    const low = modulo(linear.constant, divisor);
    return plus(this.linears.named(`${conversion}(${keyOf(plus(linear, -low))})`, plain(divisor)), low);
  }

  private binary(expression: Binary, values: Values): Linear {
    const left = this.linearOf(expression.left, values);
    const right = this.linearOf(expression.right, values);
    const factor = right.terms.id === 0 ? right.constant : null;
    if (factor !== null && left.terms.id === 0) {
      const folded = foldedBinary(expression, left.constant, factor);
      if (folded !== null) return constantLinear(folded);
    }
    switch (expression.operator) {
      case "+":
        return this.linears.sum(left, right);
      case "-":
        return (
          this.linears.roundedDown(left, right) ?? this.linears.sum(left, this.linears.scaled(right, -1))
        );
      case "*":
        if (factor !== null) return this.linears.scaled(left, factor);
        if (left.terms.id === 0) return this.linears.scaled(right, left.constant);
        return this.operation(
          expression,
          left,
          right,
          Math.min(this.linears.divisorOf(left) * this.linears.divisorOf(right), 2 ** 20),
          null,
        );
      case "<<":
        return factor !== null && factor >= 0 && factor < 31
          ? this.linears.scaled(left, 2 ** factor)
          : this.operation(expression, left, right, 1, null);
      case ">>":
        return this.shiftedRight(expression, left, right);
      case "&": {
        const step = stepOfMask(expression.right);
        if (step !== null) return this.linears.masked(left, step);
        const known = this.linears.remainderOf(left, (factor ?? -1) + 1);
        if (known !== null) return constantLinear(known);
        if (factor !== null && factor >= 0)
          return this.linears.fitsMask(left, factor)
            ? left
            : this.operation(
                expression,
                lowBit(factor + 1) === factor + 1 ? this.linears.lowBits(left, factor + 1) : left,
                right,
                Math.max(lowBit(factor), this.linears.divisorOf(left)),
                factor,
              );
        return this.operation(
          expression,
          left,
          right,
          Math.max(this.linears.divisorOf(left), this.linears.divisorOf(right)),
          null,
        );
      }
      case "|":
      case "^":
        if (factor !== null && factor >= 0 && factor < this.linears.divisorOf(left))
          return plus(left, factor);
        return this.operation(
          expression,
          left,
          right,
          Math.min(this.linears.divisorOf(left), this.linears.divisorOf(right)),
          null,
        );
      case "/":
        return factor === 1 ? left : this.divided(expression, left, right);
      case "%": {
        const maximum = factor !== null && factor > 0 ? factor - 1 : null;
        const known = this.linears.remainderOf(left, factor ?? 0);
        if (known === 0 || (known !== null && this.linears.maximumOf(left) !== null))
          return constantLinear(known);
        const divisor = Math.min(this.linears.divisorOf(left), this.linears.divisorOf(right));
        const isUnsigned = expression.type.kind === "integer" && !expression.type.signed;
        const isMask = isUnsigned && factor !== null && factor > 0 && lowBit(factor) === factor;
        return this.operation(
          expression,
          isMask ? this.linears.lowBits(left, factor) : left,
          right,
          divisor,
          this.linears.maximumOf(left) === null ? null : maximum,
        );
      }
      default:
        return this.operation(expression, left, right, 1, 1);
    }
  }

  /** What divides a sum more often than the power of two that it is divided by divides the quotient (cases divided_indices). */
  private divided(expression: Binary, left: Linear, right: Linear): Linear {
    const by = right.terms.id === 0 && lowBit(right.constant) === right.constant ? right.constant : null;
    const counter = by === null ? null : this.linears.dividedCounter(left, by);
    if (counter) return counter;
    const isExact = by !== null && !this.linears.counts(left);
    const divisor = isExact ? Math.max(1, this.linears.divisorOf(left) / by) : 1;
    return this.operation(expression, left, right, divisor, this.linears.maximumOf(left));
  }

  /** The low bits of a sum are those of its constant, as far as a power of two divides the rest: `(256 * t + 255) >> 5` is 7 above a multiple of 8. */
  private shiftedRight(expression: Binary, left: Linear, right: Linear): Linear {
    const bits = right.terms.id === 0 ? right.constant : null;
    if (bits === 0) return left;
    const maximum = this.linears.maximumOf(left);
    if (bits === null || bits < 0 || bits > 52) return this.operation(expression, left, right, 1, maximum);
    const span = 2 ** bits;
    const spacing = this.linears.divisorOfTerms(left) / span;
    if (spacing < 1) return this.operation(expression, left, right, 1, maximum && Math.floor(maximum / span));
    const low = modulo(Math.floor(left.constant / span), spacing);
    const highest = maximum === null ? null : Math.floor(maximum / span) - low;
    const name = operationName({ operator: `>>${low}`, left, right });
    return plus(this.linears.named(name, { divisor: spacing, maximum: highest, base: null }), low);
  }

  private operation(
    { operator, type, left: { type: compared } }: Binary,
    left: Linear,
    right: Linear,
    divisor: number,
    maximum: number | null,
  ): Linear {
    // Comparisons of signed and of unsigned numbers are two.
    const computedIn = type.kind === "boolean" ? compared : type;
    const operation = { operator: `${operator}${typeKey(computedIn)}`, left, right };
    return this.linears.named(operationName(operation), { divisor, maximum, base: null, operation });
  }

  /** The address as it is where conditions say what numbers values are, and by the names of what it is made of; one where they say nothing of it. */
  addressesOf(place: MemoryPlace, values: Values): { readonly named: Address; readonly address: Address } {
    this.hasSettled = false;
    const address = this.addressOf(place, values);
    if (!this.hasSettled) return { named: address, address };
    this.settles = false;
    const named = this.addressOf(place, values);
    this.settles = true;
    return { named, address };
  }

  addressOf(place: MemoryPlace, values: Values): Address {
    const linear = plus(this.linearOf(place.pointer, values), place.offsetBytes);
    const { base = null, isObject = false } = this.linears.baseAtomOf(linear) ?? {};
    const choices = this.linears.choicesOf(linear);
    const space = base
      ? spaceOfBase(base, isObject ? "object" : "pointer", this.options.isKernel)
      : this.options.spaceOfPointer(place.pointer);
    const sums = this.sumsAt(values);
    // ptxas knows where a constant place is; of all others it sees the alignment of what they are added to (forms/behind_odd_arrays).
    const isConstant = base !== null && this.objects.get(base.id)?.terms === linear.terms;
    const offset = isConstant ? this.options.arrayOffsetOf(base) : null;
    const modulus = offset === null ? this.provenModulus(linear, place, space, sums) : 16;
    const promised = promisedAlignment(place);
    // What the type promises is believed even where it is not so: the kernel then faults.
    const isProven = modulus >= promised && modulo(linear.constant - place.offsetBytes, promised) === 0;
    const told = Math.min(isProven ? modulus : promised, space === "shared" ? 16 : alignmentOfNested(place));
    return {
      termsKey: linear.terms.id,
      terms: linear.terms,
      constant: linear.constant,
      choices: choices?.map(({ terms, constant }) => ({ termsKey: terms.id, constant })) ?? null,
      base,
      parameter: inlinedParameterOf(place.pointer),
      space,
      modulus: told,
      alignmentFromBase: base === null ? 1 : this.linears.divisorOfTerms(linear, base),
      stepBytes: this.stepOf(place.pointer, values),
      residue: modulo(isProven ? linear.constant + (offset ?? 0) : place.offsetBytes, told),
      isAlignmentUnclear: space === "shared" && this.isUnclear(place, told, base, sums),
      memberSeenApart: null,
      index: space === "shared" ? lastIndexOf(place.pointer, sums) : null,
      testedStart: this.testedStart(place, sums),
      trip: tripOf(linear, this.linears),
    };
  }

  private testedStart({ pointer }: MemoryPlace, sums: Sums): Terms | null {
    if (this.tested.isEmpty) return null;
    const inner = pointer.kind === "convert" ? pointer.operand : pointer;
    return inner.kind === "offset" ? this.tested.startOf(sums.linearOf(inner.index)) : null;
  }

  /** Only in shared memory do accesses merge by what their addresses prove. */
  private provenModulus(linear: Linear, place: MemoryPlace, space: Space, sums: Sums): number {
    const modulus = Math.min(16, this.linears.divisorOfTerms(linear));
    if (space !== "shared" || modulus <= (sizeOf(place.type) ?? 1)) return modulus;
    return Math.min(modulus, divisorOfParts(place.pointer, sums));
  }

  private sumsAt(values: Values): Sums {
    return { linears: this.linears, linearOf: (expression) => this.linearOf(expression, values) };
  }

  /** Of alignment that no declaration in the text gives: of dynamic shared memory it may be lost all the same. */
  private isUnclear(place: MemoryPlace, modulus: number, base: Variable | null, sums: Sums): boolean {
    if (modulus <= Math.max(sizeOf(place.type) ?? 1, promisedAlignment(place), base?.alignmentBytes ?? 1))
      return false;
    return (base !== null && this.options.mayLieElsewhere(base)) || mixesFields(place.pointer, sums);
  }

  /**
   * LLVM sees the strides of arrays and records, and products of one index with a constant that is no power of two, which would be a shift
   * (cases low_bits/stepsOfTwelve; not: stepsOfEight, masked).
   */
  private stepOf(pointer: Expression, values: Values): number {
    switch (pointer.kind) {
      case "offset": {
        const { atoms, coefficients } = this.linearOf(pointer.index, values).terms;
        const step = this.stepOf(pointer.pointer, values);
        if (atoms.length === 0) return step;
        const factor = atoms.length === 1 ? Math.abs(coefficients[0] ?? 1) : 1;
        return commonDivisor(step, pointer.strideBytes * (lowBit(factor) === factor ? 1 : factor));
      }
      case "convert":
        return this.stepOf(pointer.operand, values);
      case "address":
        return pointer.place.kind === "memory" ? this.stepOf(pointer.place.pointer, values) : 0;
      default: {
        const isBase = isOneAtom(this.linearOf(pointer, values));
        return isBase || pointer.type.kind !== "pointer" ? 0 : (sizeOf(pointer.type.target) ?? 1);
      }
    }
  }
}

function isAddress(type: Type): boolean {
  return type.kind === "pointer" || type.kind === "function";
}

function plain(divisor: number): Atom {
  return { divisor, maximum: null, base: null };
}

function typeKey(type: Type): string {
  return type.kind === "integer" ? `${type.signed ? "i" : "u"}${type.bits}` : type.kind;
}
