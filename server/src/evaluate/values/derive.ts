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
  const found = new Map<number, Indeterminate>();
  for (const operand of operands)
    for (const term of operand.terms) for (const factor of term.factors) found.set(factor.id, factor);
  return [...found.values()];
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
