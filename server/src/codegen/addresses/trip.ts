// How an address changes from trip to trip.
import type { Address } from "./address.ts";
import type { Induction, Linear, LinearTable } from "./linear.ts";

/** Of the innermost loop that the address counts with; null where it counts with none, or in steps that are no numbers. */
export function tripOf(linear: Linear, linears: LinearTable): Address["trip"] {
  const counter = innermostCounter(linear, linears);
  if (counter === null || counter.advance.terms.id !== 0) return null;
  const { id, coefficient, start: first, advance, copies, loop, counts } = counter;
  const rest = linears.sum(linear, linears.scaled(linears.unit(id), -coefficient));
  const start = linears.sum(rest, linears.scaled(first, coefficient));
  return {
    strideBytes: advance.constant * coefficient,
    startAlignment: linears.divisorOf(start),
    startModulus: linears.divisorOfTerms(start),
    startConstant: start.constant,
    isStartChosen: start.terms.atoms.length > 1 && linears.baseAtomOf(first) === null,
    copies,
    counts,
    countsFrom: isKnownStart(first, counts) ? "constant" : "variable",
    loop,
  };
}

interface Counter extends Induction {
  readonly id: number;
  readonly coefficient: number;
}

/** The latest atom of the sum that a loop counts on. */
function innermostCounter({ terms }: Linear, linears: LinearTable): Counter | null {
  for (let index = terms.atoms.length - 1; index >= 0; index--) {
    const id = terms.atoms[index] ?? 0;
    const induction = linears.atom(id)?.induction;
    if (induction) return { ...induction, id, coefficient: terms.coefficients[index] ?? 0 };
  }
  return null;
}

/** Of a pointer, the start of an array or a place at a number of bytes behind it. */
function isKnownStart({ terms }: Linear, counts: Induction["counts"]): boolean {
  return terms.id === 0 || (counts !== "index" && terms.atoms.length === 1 && terms.coefficients[0] === 1);
}
