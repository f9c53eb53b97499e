// Unknowns that part the lanes in one proportion: `i * n * n + i * n` has one pitch, n * n + n.
import { lanesIn } from "../../semantics/lanes.ts";
import { divisorOfLanes, greatestDivisor, laneCount, laneOf } from "../values/lanes.ts";
import { rangeOfFactors, type Term } from "../values/linear.ts";
import type { Indeterminate } from "../values/symbol.ts";

/** A pitch, of which each lane has its own multiple. */
export interface Pitch {
  /** In the user's names: "n*n + n". */
  readonly name: string;
  /** How many of it each lane is away: that of a term, whose factors are one unknown where several terms were joined. */
  readonly term: Term;
  /** What it is made of. */
  readonly factors: readonly Indeterminate[];
}

/** The terms, those in one proportion joined to one pitch. */
export function joinedPitches(terms: readonly Term[], mask: number): readonly Pitch[] {
  const groups = new Map<string, [Term, ...Term[]]>();
  for (const term of terms) {
    const proportion = proportionOf(term, mask);
    const group = groups.get(proportion);
    if (group) group.push(term);
    else groups.set(proportion, [term]);
  }
  return [...groups.values()].map((group) => pitchOf(group, mask));
}

/** The same for terms whose lanes are apart in one proportion, and one way round. */
function proportionOf(term: Term, mask: number): string {
  const divisor = divisorOfLanes(term.coefficient, mask);
  return lanesIn(mask)
    .map((lane) => Number(laneOf(term.coefficient, lane)) / divisor)
    .join();
}

function pitchOf(group: readonly [Term, ...Term[]], mask: number): Pitch {
  const [first, ...others] = group;
  const factors = group.flatMap((term) => term.factors);
  if (others.length === 0) return { name: nameOf(first), term: first, factors };
  const counts = group.map((term) => divisorOfLanes(term.coefficient, mask));
  const common = counts.reduce((divisor, count) => greatestDivisor(divisor, count), 0);
  const parts = group.map((term, index) => {
    const times = (counts[index] ?? 0) / common;
    const { least, most } = rangeOfFactors(term);
    const name = times === 1 ? nameOf(term) : `${times}*${nameOf(term)}`;
    return { name, least: times * least, most: times * most };
  });
  const name = parts.map((part) => part.name).join(" + ");
  const sum: Indeterminate = {
    id: -1,
    name,
    meaning: null,
    role: factors.every(({ role }) => role === "size") ? "size" : "derived",
    varies: false,
    least: parts.reduce((total, { least }) => total + least, 0),
    most: parts.reduce((total, { most }) => total + most, 0),
    reason: name,
    split: null,
    condition: null,
    isPowerOfTwo: false,
    alike: null,
    highHalfOf: null,
    undeclared: factors.find(({ undeclared }) => undeclared !== null)?.undeclared ?? null,
  };
  const coefficient = Array.from(
    { length: laneCount },
    (_, lane) => (Number(laneOf(first.coefficient, lane)) / (counts[0] ?? 1)) * common,
  );
  return { name, term: { key: "", factors: [sum], coefficient }, factors };
}

function nameOf({ factors }: Term): string {
  return factors.map((factor) => factor.meaning ?? factor.name).join("*");
}
