// Sums of unknown values times coefficients and a constant. Equal sums are made of one object of terms, so that comparing costs nothing
// and a sum that was made before is looked up.

import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import { JournalMap } from "../walks/journal.ts";

/** `constant` + Σ coefficient · value of the atom. Linears of one table are equal when their terms are the same and their constants are. */
export interface Linear {
  readonly terms: Terms;
  readonly constant: number;
}

/** `coefficients[i]` times the atom `atoms[i]`, in the order of the atoms; `id` is 0 where there is none. */
export interface Terms {
  readonly id: number;
  readonly atoms: readonly number[];
  readonly coefficients: readonly number[];
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
  /** Of a pointer that a loop moves on within its array: the atom that it was, an address, before the loop. */
  readonly within?: Atom | undefined;
  /** Where ways met on which a variable was given numbers that differ: what it is one of, sums that differ by constants alone. */
  readonly choices?: readonly Linear[] | undefined;
  /** Of what a loop that stays one counts on: where it starts, and what each trip adds to it. */
  readonly induction?: Induction | undefined;
  /** What it is the result of. */
  readonly operation?: Operation | undefined;
}

export interface Operation {
  /** With the type in which it is computed. */
  readonly operator: string;
  readonly left: Linear;
  readonly right: Linear;
}

/** A loop whose body stands `count` times; its last round may end early, where the trips are no multiple. */
export interface CopiedLoop {
  readonly count: number;
  readonly rounds: number;
  readonly lastRound: "whole" | "early";
}

export interface Induction {
  readonly start: Linear;
  /** What each trip adds. */
  readonly advance: Linear;
  /** The loop's range, by which it is told from others. */
  readonly loop: SourceRange;
  /** Of an index of a loop whose body stands in several copies, for which LLVM chooses a register; else null. */
  readonly copies: CopiedLoop | null;
  /** What counts: an index, a pointer, or one that a trip moves on before it is used (`*p++`). */
  readonly counts: "index" | "pointer" | "pointer moved first";
}

const mostChoices = 16;

const noTerms: Terms = { id: 0, atoms: [], coefficients: [] };

export function constantLinear(value: number): Linear {
  return { terms: noTerms, constant: value };
}

export function plus(linear: Linear, bytes: number): Linear {
  return bytes === 0 ? linear : { terms: linear.terms, constant: linear.constant + bytes };
}

export function sameLinear(a: Linear, b: Linear): boolean {
  return a.terms === b.terms && a.constant === b.constant;
}

/** Atoms and the sums made of them. */
export class LinearTable {
  readonly #atoms: Atom[] = [];
  readonly #named = new Map<string, Linear>();
  readonly #units: Terms[] = [];
  readonly #terms = new Map<string, Terms>();
  readonly #sums = new Map<number, Terms>();
  readonly #products = new Map<number, Map<number, Terms>>();
  #lastId = 0;
  /** By atom, the number that it is at the point where a pass stands. */
  readonly equalities = new JournalMap<number>();

  /** The atom of that name, if there is one. */
  get(name: string): Linear | undefined {
    return this.#named.get(name);
  }

  /** The atom of that name, `atom` where there is none yet. */
  named(name: string, atom: Atom): Linear {
    const known = this.#named.get(name);
    if (known) return known;
    const linear = this.fresh(atom);
    this.#named.set(name, linear);
    return linear;
  }

  /** An atom that equals no other. */
  fresh(atom: Atom): Linear {
    const id = this.#atoms.push(atom) - 1;
    const terms: Terms = { id: ++this.#lastId, atoms: [id], coefficients: [1] };
    this.#units.push(terms);
    return { terms, constant: 0 };
  }

  /** Once the atom. */
  unit(id: number): Linear {
    return { terms: this.#intern([id], [1]), constant: 0 };
  }

  atom(id: number): Atom | undefined {
    return this.#atoms[id];
  }

  /** The atom of the sum that is the address of an array or parameter; null where there is none. */
  baseAtomOf({ terms }: Linear): Atom | null {
    let found: Atom | null = null;
    for (let index = 0; index < terms.atoms.length; index++) {
      const atom = this.#atoms[terms.atoms[index] ?? 0];
      const address = atom?.within ?? atom;
      if (address?.base && terms.coefficients[index] === 1) found = address;
    }
    return found;
  }

  /** The sums of which one holds where either does, if they differ by constants alone; null where they do not, or are many. */
  eitherOf(a: Linear, b: Linear): readonly Linear[] | null {
    const lefts = this.choicesOf(a) ?? [a];
    const rights = this.choicesOf(b) ?? [b];
    const [first] = lefts;
    const isAlike = [...lefts, ...rights].every(({ terms }) => terms === first?.terms);
    return isAlike && lefts.length + rights.length <= mostChoices ? [...lefts, ...rights] : null;
  }

  /** What the sum is one of, where an atom in it is one of several; null where none is. */
  choicesOf(linear: Linear): readonly Linear[] | null {
    const { atoms, coefficients } = linear.terms;
    for (let index = 0; index < atoms.length; index++) {
      const id = atoms[index] ?? 0;
      const coefficient = coefficients[index] ?? 0;
      const choices = this.#atoms[id]?.choices;
      if (!choices) continue;
      const rest = this.sum(linear, this.scaled(this.unit(id), -coefficient));
      return choices.map((choice) => this.sum(rest, this.scaled(choice, coefficient)));
    }
    return null;
  }

  /** `n - (n & 3)`, `n - n % 4`: what is left has no low bits. Null where another thing is taken away. */
  roundedDown(left: Linear, right: Linear): Linear | null {
    const operation = isOneAtom(right) ? this.atom(right.terms.atoms[0] ?? 0)?.operation : undefined;
    if (operation?.right.terms.id !== 0) return null;
    const { constant } = operation.right;
    const step = operation.operator.startsWith("&")
      ? constant + 1
      : operation.operator.startsWith("%")
        ? constant
        : 0;
    if (right.constant !== 0 || step < 2 || lowBit(step) !== step) return null;
    const isOfIt = sameLinear(operation.left, left) || sameLinear(operation.left, this.lowBits(left, step));
    return isOfIt ? this.downTo(step, left) : null;
  }

  /**
   * `(end + 7) & ~7` of a step of 8: a sum that has no low bits but those of its constant is less by them. Of the number that is the address of
   * an array LLVM knows no bits (fixtures/forms/aligned_pieces).
   */
  masked(sum: Linear, step: number): Linear {
    const hasNoLowBits = this.divisorOfTerms(sum) >= step && this.baseAtomOf(sum) === null;
    return hasNoLowBits || step === 1 ? plus(sum, -modulo(sum.constant, step)) : this.downTo(step, sum);
  }

  /** The sum less its low bits; `step` is a power of two. */
  downTo(step: number, sum: Linear): Linear {
    const name = `${keyOf(sum)} rounded down to ${step}`;
    return this.named(name, { divisor: step, maximum: this.maximumOf(sum), base: null });
  }

  /** Whether what a loop counts on is in the sum. */
  counts({ terms }: Linear): boolean {
    return terms.atoms.some((id) => this.#atoms[id]?.induction !== undefined);
  }

  /** What a loop counts on from a known number, in steps that the divisor divides: the quotient counts on as well. Null for anything else. */
  dividedCounter(linear: Linear, by: number): Linear | null {
    const atom = isOneAtom(linear) && linear.constant === 0 ? this.#atoms[linear.terms.atoms[0] ?? 0] : null;
    const { start, advance } = atom?.induction ?? {};
    if (!atom?.induction || start?.terms !== noTerms || advance?.terms !== noTerms) return null;
    const divides = start.constant >= 0 && start.constant % by === 0 && advance.constant % by === 0;
    if (!divides || advance.constant <= 0) return null;
    const induction = {
      ...atom.induction,
      start: constantLinear(start.constant / by),
      advance: constantLinear(advance.constant / by),
    };
    const divisor = Math.max(1, atom.divisor / by);
    return this.named(`${keyOf(linear)} counted by ${by}`, { divisor, maximum: null, base: null, induction });
  }

  /** Whether a mask of the low bits leaves the sum as it is. */
  fitsMask(linear: Linear, mask: number): boolean {
    const maximum = this.maximumOf(linear);
    return maximum !== null && maximum <= mask && (mask & (mask + 1)) === 0;
  }

  /**
   * What is left of the sum by a power of two, which divides all of it but constants and what loops count from (forms/masked_counters); null where it is not
   * known.
   */
  remainderOf({ terms, constant }: Linear, span: number): number | null {
    if (span < 1 || lowBit(span) !== span) return null;
    let rest = constant;
    for (const [index, id] of terms.atoms.entries()) {
      const coefficient = terms.coefficients[index] ?? 0;
      const { divisor = 1, induction } = this.#atoms[id] ?? {};
      if ((coefficient * divisor) % span === 0) continue;
      const { start, advance } = induction ?? {};
      const isCounted = start?.terms === noTerms && advance?.terms === noTerms;
      if (!isCounted || (coefficient * advance.constant) % span !== 0) return null;
      rest += coefficient * start.constant;
    }
    return modulo(rest, span);
  }

  /** What the bits below `span`, a power of two, depend on: LLVM masks that alone (test/codegen/low-bits.test.ts). */
  lowBits(sum: Linear, span: number): Linear {
    const { atoms, coefficients } = sum.terms;
    const kept = atoms.flatMap((id, index) => {
      const coefficient = coefficients[index] ?? 0;
      const isAbove = (coefficient * (this.#atoms[id]?.divisor ?? 1)) % span === 0;
      return isAbove ? [] : [this.scaled(this.unit(id), coefficient)];
    });
    const constant = modulo(sum.constant, span);
    if (kept.length === atoms.length) return { terms: sum.terms, constant };
    return kept.reduce((rest, term) => this.sum(rest, term), constantLinear(constant));
  }

  /** Notes that two sums are equal, if that says what number an atom is. */
  equate(a: Linear, b: Linear): void {
    const { terms, constant } = this.sum(a, this.scaled(b, -1));
    const [atom] = terms.atoms;
    const [coefficient] = terms.coefficients;
    if (atom === undefined || terms.atoms.length > 1 || Math.abs(coefficient ?? 0) !== 1) return;
    this.equalities.set(atom, coefficient === 1 ? -constant : constant);
  }

  /** The number that a value by itself is known to be: sums that were made of it before stay as they are. */
  settled(linear: Linear): Linear {
    const number =
      linear.constant === 0 && isOneAtom(linear)
        ? this.equalities.get(linear.terms.atoms[0] ?? 0)
        : undefined;
    return number === undefined ? linear : constantLinear(number);
  }

  sum(a: Linear, b: Linear): Linear {
    if (b.terms === noTerms) return plus(a, b.constant);
    if (a.terms === noTerms) return plus(b, a.constant);
    return { terms: this.#sumOfTerms(a.terms, b.terms), constant: a.constant + b.constant };
  }

  scaled(linear: Linear, factor: number): Linear {
    if (factor === 1) return linear;
    if (factor === 0) return constantLinear(0);
    const { terms } = linear;
    return {
      terms: terms === noTerms ? terms : this.#scaledTerms(terms, factor),
      constant: linear.constant * factor,
    };
  }

  /** `a - b` where only constants and other terms remain; null where `b` does not cancel. */
  difference(a: Linear, b: Linear): Linear | null {
    const constant = a.constant - b.constant;
    if (a.terms === b.terms) return { terms: noTerms, constant };
    const terms = this.#sumOfTerms(a.terms, this.#scaledTerms(b.terms, -1));
    const hasCancelled = terms.atoms.length === a.terms.atoms.length - b.terms.atoms.length;
    return hasCancelled ? { terms, constant } : null;
  }

  /** The largest power of two that is known to divide every value of the sum. */
  divisorOf(linear: Linear): number {
    return Math.min(lowBit(linear.constant), this.divisorOfTerms(linear));
  }

  /** Of all terms but the address `without`. */
  divisorOfTerms({ terms }: Linear, without: Variable | null = null): number {
    let divisor = lowBit(0);
    for (let index = 0; index < terms.atoms.length; index++) {
      const atom = this.#atoms[terms.atoms[index] ?? 0];
      if (without !== null && atom?.base === without && terms.coefficients[index] === 1) continue;
      divisor = Math.min(divisor, lowBit(terms.coefficients[index] ?? 0) * (atom?.divisor ?? 1));
    }
    return divisor;
  }

  /** What no value of the sum is above, where none is below zero either; null where that is not known. */
  maximumOf({ terms, constant }: Linear): number | null {
    let maximum = constant;
    if (maximum < 0) return null;
    for (let index = 0; index < terms.atoms.length; index++) {
      const coefficient = terms.coefficients[index] ?? 0;
      const most = this.#atoms[terms.atoms[index] ?? 0]?.maximum;
      if (most === null || most === undefined || coefficient < 0) return null;
      maximum += most * coefficient;
    }
    return maximum;
  }

  #sumOfTerms(a: Terms, b: Terms): Terms {
    const key = a.id * 2 ** 26 + b.id;
    const known = this.#sums.get(key);
    if (known) return known;
    const atoms: number[] = [];
    const coefficients: number[] = [];
    for (let i = 0, j = 0; i < a.atoms.length || j < b.atoms.length; ) {
      const left = a.atoms[i] ?? Infinity;
      const right = b.atoms[j] ?? Infinity;
      const total =
        (left <= right ? (a.coefficients[i++] ?? 0) : 0) + (right <= left ? (b.coefficients[j++] ?? 0) : 0);
      if (total === 0) continue;
      atoms.push(Math.min(left, right));
      coefficients.push(total);
    }
    const terms = this.#intern(atoms, coefficients);
    this.#sums.set(key, terms);
    return terms;
  }

  #scaledTerms(terms: Terms, factor: number): Terms {
    let products = this.#products.get(factor);
    if (!products) {
      products = new Map();
      this.#products.set(factor, products);
    }
    const known = products.get(terms.id);
    if (known) return known;
    const product = this.#intern(
      terms.atoms,
      terms.coefficients.map((coefficient) => coefficient * factor),
    );
    products.set(terms.id, product);
    return product;
  }

  #intern(atoms: readonly number[], coefficients: readonly number[]): Terms {
    if (atoms.length === 0) return noTerms;
    if (atoms.length === 1 && coefficients[0] === 1) {
      const unit = this.#units[atoms[0] ?? 0];
      if (unit) return unit;
    }
    let key = "";
    for (let index = 0; index < atoms.length; index++) key += `${atoms[index]}*${coefficients[index]}+`;
    const known = this.#terms.get(key);
    if (known) return known;
    const terms: Terms = { id: ++this.#lastId, atoms, coefficients };
    this.#terms.set(key, terms);
    return terms;
  }
}

/** Whether the sums are multiples of one another but for one atom, which both have once: `s + 8t` and `s + 16t`. */
export function areStridesOfOne(a: Terms, b: Terms): boolean {
  if (a.atoms.length !== b.atoms.length || a === b) return false;
  let ratio: number | null = null;
  let sameCount = 0;
  for (let index = 0; index < a.atoms.length; index++) {
    if (a.atoms[index] !== b.atoms[index]) return false;
    const found = (a.coefficients[index] ?? 0) / (b.coefficients[index] ?? 1);
    if (found === 1) sameCount++;
    else if (ratio !== null && ratio !== found) return false;
    else ratio = found;
  }
  return sameCount === 1 && ratio !== null;
}

/** The name of the atom that is the result. */
export function operationName({ operator, left, right }: Operation): string {
  return `${operator}(${keyOf(left)},${keyOf(right)})`;
}

/** Equal for equal sums of one table. */
export function keyOf(linear: Linear): string {
  return `${linear.terms.id}+${linear.constant}`;
}

/** The largest power of two that divides the number; a large one for zero. */
export function lowBit(value: number): number {
  if (value === 0) return 2 ** 30;
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return Math.min(2 ** 30, (value & -value) >>> 0);
  let bit = 1;
  while (bit < 2 ** 30 && value % (bit * 2) === 0) bit *= 2;
  return bit;
}

/** 0 is divided by every number. */
export function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

export function modulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}

export function isOneAtom({ terms }: Linear): boolean {
  return terms.atoms.length === 1 && terms.coefficients[0] === 1;
}
