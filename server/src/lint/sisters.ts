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
 * Gives a launch that was cut its profile. Accesses that its evaluation did not come to have the figures that they have in all launches of its
 * kernel and block, among `profiles`, whose evaluation did.
 */
export function standingForAmong(profiles: readonly LaunchProfile[]): (cut: LaunchProfile) => LaunchProfile {
  const families = new Map<string, Family>();
  for (const profile of profiles) {
    const key = familyOf(profile.launch);
    const family = families.get(key);
    if (family) family.profiles.push(profile);
    else families.set(key, { profiles: [profile], byPlace: null });
  }
  return (cut) => {
    const family = families.get(familyOf(cut.launch));
    if (!family) return cut;
    const byPlace = commonByPlace(family);
    const accesses = cut.accesses.map((access) =>
      isUnreached(access) ? (byPlace.get(placeOf(access)) ?? access) : access,
    );
    return accesses.every((access, index) => access === cut.accesses[index]) ? cut : { ...cut, accesses };
  };
}

/** The launches of one kernel and block. */
interface Family {
  readonly profiles: LaunchProfile[];
  /** What all that were evaluated agree on, by the place of the access; null where nobody asked so far. */
  byPlace: ReadonlyMap<string, AccessProfile> | null;
}

function familyOf({ kernel, block }: Launch): string {
  return JSON.stringify([kernel, block]);
}

function commonByPlace(family: Family): ReadonlyMap<string, AccessProfile> {
  if (family.byPlace) return family.byPlace;
  const sisters = family.profiles.filter(({ steps }) => steps > 0);
  const all = new Map<string, AccessProfile[]>();
  for (const { accesses } of sisters.length < fewestSisters ? [] : sisters)
    for (const access of accesses) {
      const key = placeOf(access);
      const known = all.get(key);
      if (known) known.push(access);
      else all.set(key, [access]);
    }
  const common = new Map<string, AccessProfile>();
  for (const [place, accesses] of all) {
    const one = ofSisters(accesses, family.profiles.length);
    if (one) common.set(place, one);
  }
  family.byPlace = common;
  return common;
}

function isUnreached({ verdict }: AccessProfile): boolean {
  return verdict.kind === "unknown" && verdict.reason === unreachedReason;
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
  return { ...first, verdict, requests: null, laneCount: null, totals: null, uncounted: budgetEnded };
}

const budgetEnded: AccessProfile["uncounted"] = {
  reason: "the budget of the evaluation ended before this launch",
  dependsOnData: false,
};

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
    assumptions: distinctAssumptions([...withLeastSeen(assumptions), assumption]),
    dependsOnSizeOnly: verdicts.every((each) => each.kind !== "conditional" || each.dependsOnSizeOnly),
    byPitch: null,
  };
}

/** The assumptions, where of several launches only a part was evaluated with that of which the least was: each has figures of its own. */
function withLeastSeen(assumptions: readonly Assumption[]): readonly Assumption[] {
  let least: PartOfLaunch | null = null;
  const others: Assumption[] = [];
  for (const each of assumptions) {
    if (each.kind !== "part-of-launch") others.push(each);
    else if (least === null || shareOf(each) < shareOf(least)) least = each;
  }
  return least === null ? others : [...others, least];
}

type PartOfLaunch = Extract<Assumption, { readonly kind: "part-of-launch" }>;

function shareOf({ evaluatedWarps, warps }: PartOfLaunch): number {
  return evaluatedWarps / warps;
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
