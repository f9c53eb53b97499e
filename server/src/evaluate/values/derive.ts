// Derived symbols: results that are not linear in their operands. What is known of them (range, whether lanes agree, which
// split would settle them) is worked out here.

import { isUniform, type Lanes, sameLanes } from "./lanes.ts";
import { isUniformLinear, keyOf, type Linear, symbolic } from "./linear.ts";
import type { Indeterminate, Split, SymbolRole } from "./symbol.ts";
import type { SymbolTable } from "./symbols.ts";

export interface Derivation {
  /** Operator and type: with the operands it names the result. */
  readonly operation: string;
  readonly operands: readonly Linear[];
  readonly least: number;
  readonly most: number;
  /** The split that would settle it if folded dimensions alone make it unknown; by default every point alone. */
  readonly split?: Split | null;
  readonly name?: string;
  /** See `Indeterminate.meaning`; by default what the operation says. */
  readonly meaning?: string | null;
  /** What is taken for granted of it, beside what is of its operands. */
  readonly condition?: string;
  readonly isPowerOfTwo?: boolean;
  readonly highHalfOf?: Indeterminate["highHalfOf"];
}

/** A symbol for the result of `derivation`; the same operation on the same operands gives the same symbol. */
export function deriveLinear(symbols: SymbolTable, derivation: Derivation): Linear {
  const key = `${derivation.operation}(${derivation.operands.map(keyOf).join(";")})`;
  return symbolic(
    symbols.derive(key, () => {
      const unknowns = factorsOf(derivation.operands);
      const reason = nameOf(unknowns);
      return {
        name: derivation.name ?? reason,
        role: roleOf(unknowns),
        meaning: meaningIn(derivation, unknowns),
        varies: !derivation.operands.every(isUniformLinear),
        least: derivation.least,
        most: derivation.most,
        reason,
        split: splitOf(unknowns, derivation.split ?? null),
        condition: derivation.condition ?? conditionOf(unknowns),
        isPowerOfTwo: derivation.isPowerOfTwo ?? false,
        highHalfOf: derivation.highHalfOf ?? null,
        alike: alikeIn(derivation.operands),
        undeclared: unknowns.find(({ undeclared }) => undeclared !== null)?.undeclared ?? null,
      };
    }),
  );
}

const longestMeaning = 32;

/** A size that has no short text is told by what it hangs on: "f(K, blocksize)". Its name alone would say that it is one of these. */
function meaningIn(derivation: Derivation, unknowns: readonly Indeterminate[]): string | null {
  const meaning = derivation.meaning === undefined ? meaningOf(derivation) : derivation.meaning;
  if (meaning !== null || derivation.name !== undefined || roleOf(unknowns) !== "size") return meaning;
  return `f(${nameOf(unknowns)})`;
}

function meaningOf({ operation, operands }: Derivation): string | null {
  const [left, right] = operands.map(linearText);
  if (left === undefined || left === null || right === null) return null;
  if (/^__\w+$/.test(operation) && right === undefined) return withinLength(`${operation}(${left})`);
  const [, operator, constant] = /^([-+*/%&|^]|<<|>>)(?:[su]\d+|b|(\d+))?$/.exec(operation) ?? [];
  const isExtreme = operation === "min" || operation === "max";
  const other = right ?? constant;
  if (other === undefined || (operator === undefined && !isExtreme)) return null;
  const text = isExtreme
    ? `${operation}(${left}, ${other})`
    : `${grouped(left)} ${operator} ${grouped(other)}`;
  return withinLength(text);
}

function withinLength(text: string): string | null {
  return text.length > longestMeaning ? null : text;
}

function grouped(text: string): string {
  return /^-?[\w.[\]()]+$/.test(text) ? text : `(${text})`;
}

/** A form that is one for all lanes, in the user's names: "n + 7"; null where it is none. */
export function linearText({ constant, terms }: Linear): string | null {
  if (!isUniform(constant) || terms.some(({ coefficient }) => !isUniform(coefficient))) return null;
  let text = "";
  for (const { coefficient, factors } of terms) {
    if (
      factors.some(
        ({ role, meaning }) =>
          role === "dimension" || role === "trip" || (role !== "size" && meaning === null),
      )
    )
      return null;
    const times = Number(coefficient);
    const name = factors.map((factor) => grouped(factor.meaning ?? factor.name)).join(" * ");
    const sign = times < 0 ? (text === "" ? "-" : " - ") : text === "" ? "" : " + ";
    text += `${sign}${Math.abs(times) === 1 ? name : `${Math.abs(times)} * ${name}`}`;
  }
  const rest = Number(constant);
  if (text === "") return `${rest}`;
  return rest === 0 ? text : `${text} ${rest < 0 ? "-" : "+"} ${Math.abs(rest)}`;
}

/** Lanes that hold one value of all that these are computed from; null where it is not known which do. */
function alikeIn(operands: readonly Linear[]): Lanes | null {
  const isScaled = operands.every(
    ({ constant, terms }) => isUniform(constant) && terms.every(({ coefficient }) => isUniform(coefficient)),
  );
  if (!isScaled) return null;
  const [first, ...others] = factorsOf(operands).filter(({ varies }) => varies);
  const alike = first?.alike ?? null;
  return alike !== null && others.every((other) => other.alike !== null && sameLanes(other.alike, alike))
    ? alike
    : null;
}

/** The distinct symbols of some forms. */
export function factorsOf(operands: readonly Linear[]): Indeterminate[] {
  const found: Indeterminate[] = [];
  for (const operand of operands)
    for (const term of operand.terms)
      for (const factor of term.factors) if (!found.includes(factor)) found.push(factor);
  return found;
}

/** The first condition that some unknowns stand under, or null. */
export function conditionOf(unknowns: readonly Indeterminate[]): string | null {
  return unknowns.find((unknown) => unknown.condition !== null)?.condition ?? null;
}

/** Whether splitting folded dimensions makes every one of these known. */
export function areSplittable(unknowns: readonly Indeterminate[]): boolean {
  return unknowns.every((unknown) => unknown.role === "dimension" || unknown.split !== null);
}

/** The split that makes these known: `preferred` where only dimensions stand in the way, a derived symbol's own first. */
export function splitOf(unknowns: readonly Indeterminate[], preferred: Split | null): Split | null {
  if (unknowns.length === 0 || !areSplittable(unknowns)) return null;
  for (const unknown of unknowns) if (unknown.split) return unknown.split;
  if (preferred) return preferred;
  const smallest = unknowns.reduce((a, b) => (b.most < a.most ? b : a));
  return { dimension: smallest, at: { kind: "points" } };
}

function roleOf(unknowns: readonly Indeterminate[]): SymbolRole {
  if (unknowns.some((unknown) => unknown.role === "data")) return "data";
  if (unknowns.length > 0 && unknowns.every((unknown) => unknown.role === "size")) return "size";
  return "derived";
}

/**
 * The names of what is not known, for people: of data before all else, and of the dimensions that are folded, which people have no name
 * for, only where there is nothing else.
 */
export function nameOf(unknowns: readonly Indeterminate[]): string {
  const data = unknowns.filter((unknown) => unknown.role === "data");
  const open = data.length > 0 ? data : unknowns.filter((unknown) => unknown.role !== "dimension");
  const named = open.length > 0 ? open : unknowns;
  // The number of a trip has no name of its own: it is told by the variable that counts it.
  return listOf(named.map((unknown) => (unknown.role === "trip" ? unknown.reason : unknown.name)));
}

const mostNames = 3;

/** The first few of some names, each of which may be such a list itself. */
export function listOf(names: readonly string[]): string {
  const found = new Set<string>();
  for (const name of names)
    for (const part of name.split(", ")) {
      found.add(part);
      if (found.size === mostNames) return [...found].join(", ");
    }
  return [...found].join(", ");
}
