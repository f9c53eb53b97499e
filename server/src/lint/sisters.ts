// Launches for which the budget of a file left nothing, or too little to come to all of their accesses, of kernels whose other launches were
// evaluated: what is the same in all of those is taken to be so in them.
import type { AccessProfile, Figure, FigureBounds, LaunchProfile, Verdict } from "../evaluate/profile.ts";
import { isForWantOfSteps, tolerance, unreachedReason } from "../evaluate/regions/coverage.ts";
import { type Assumption, distinctAssumptions } from "../ir/assumption.ts";
import type { Launch } from "../launches/launch.ts";

/** So many launches, spread over all of them, must have been evaluated, and agree. */
const fewestSisters = 4;

/** `values` so that any first few of them lie spread over all. */
export function spread<T>(values: readonly T[]): T[] {
  const bits = Math.ceil(Math.log2(Math.max(1, values.length)));
  return Array.from({ length: 2 ** bits }, (_, index) =>
    values.slice(reversed(index, bits)).slice(0, 1),
  ).flat();
}

function reversed(index: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) if ((index >> bit) & 1) result |= 1 << (bits - 1 - bit);
  return result;
}

/**
 * The profile of a launch that was cut. Accesses that its evaluation did not come to have the figures that they have in all launches of its
 * kernel and block whose evaluation did.
 */
export function standingFor(cut: LaunchProfile, profiles: readonly LaunchProfile[]): LaunchProfile {
  const alike = profiles.filter(({ launch }) => isSister(launch, cut.launch));
  const sisters = alike.filter(({ steps }) => steps > 0);
  if (sisters.length < fewestSisters) return cut;
  const byPlace = new Map<string, AccessProfile[]>();
  for (const { accesses } of sisters)
    for (const access of accesses) {
      const key = placeOf(access);
      const known = byPlace.get(key);
      if (known) known.push(access);
      else byPlace.set(key, [access]);
    }
  const accesses = cut.accesses.map((access) =>
    isUnreached(access) ? (ofSisters(byPlace.get(placeOf(access)) ?? [], alike.length) ?? access) : access,
  );
  return accesses.every((access, index) => access === cut.accesses[index]) ? cut : { ...cut, accesses };
}

function isUnreached({ verdict }: AccessProfile): boolean {
  return verdict.kind === "unknown" && verdict.reason === unreachedReason;
}

function isSister(a: Launch, b: Launch): boolean {
  return a.kernel === b.kernel && a.block.every((threads, axis) => threads === b.block[axis]);
}

function placeOf({ stack, operation, space, bytes }: AccessProfile): string {
  const places = stack.map(({ file, start, end }) => `${file}:${start}:${end}`);
  return [...places, operation, space, bytes].join(" ");
}

/**
 * What all of some profiles of an access say, of so many launches, as of one that may make other requests; null where they do not agree.
 */
function ofSisters(accesses: readonly AccessProfile[], launches: number): AccessProfile | null {
  const evaluated = accesses.filter(({ verdict }) => !isForWantOfSteps(verdict));
  const [first, ...others] = evaluated;
  if (!first || evaluated.length < fewestSisters) return null;
  const verdict = commonVerdict(
    evaluated.map((each) => each.verdict),
    { kind: "part-of-launches", evaluated: evaluated.length, launches },
  );
  const isOne = others.every(({ perRequest }) => isAlike(first.perRequest, perRequest));
  if (verdict === null || !isOne || evaluated.some(({ misaligned }) => misaligned !== null)) return null;
  return { ...first, verdict, requests: null, laneCount: null, totals: null };
}

/** Null where some are unknown, or hang on conditions of their own. */
function commonVerdict(verdicts: readonly Verdict[], assumption: Assumption): Verdict | null {
  const assumptions: Assumption[] = [];
  const conditions = new Set<string | null>();
  for (const verdict of verdicts) {
    if (verdict.kind === "unknown") return null;
    conditions.add(verdict.kind === "conditional" ? verdict.condition : null);
    if (verdict.kind === "conditional") assumptions.push(...verdict.assumptions);
  }
  const [condition] = conditions;
  if (conditions.size !== 1 || condition === undefined) return null;
  return {
    kind: "conditional",
    condition,
    assumptions: distinctAssumptions([...assumptions, assumption]),
    dependsOnSizeOnly: verdicts.every((each) => each.kind !== "conditional" || each.dependsOnSizeOnly),
    byPitch: null,
  };
}

function isAlike(a: FigureBounds | null, b: FigureBounds | null): boolean {
  return (
    a !== null &&
    b !== null &&
    isNear(factorOf(a.least), factorOf(b.least)) &&
    isNear(factorOf(a.most), factorOf(b.most))
  );
}

function factorOf({ cost, ideal }: Figure): number {
  return cost / Math.max(1, ideal);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.min(a, b);
}
