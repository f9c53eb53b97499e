// What an edit did to the figures of every launch: the analysis before against the one after.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { isAssumed, type Launch } from "../../launches/launch.ts";
import type { AccessContext } from "../../rules/finding.ts";
import { saysDependence } from "../../rules/reason.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Candidate } from "../candidate.ts";
import type { AnalysedKernels, DearerAccess, FixGain, LaunchedKernel, TextEdit } from "../fix.ts";
import { movedRange } from "../text/edits.ts";

/** A launch before and after the edit. */
export interface LaunchPair {
  readonly before: LaunchedKernel;
  readonly after: LaunchedKernel;
}

export interface Comparison {
  readonly pairs: readonly LaunchPair[];
  /** Of the accesses that the fix concerns, over all launches. */
  readonly totals: { readonly before: number; readonly after: number };
  /** What the accesses after would cost at best. */
  readonly idealAfter: number;
  /** Whether `totals` counts whole grids: else each request of an access as one. */
  readonly isWhole: boolean;
  /** Accesses that got dearer in some launch, the one that does so the most for each place. */
  readonly dearer: readonly DearerAccess[];
  /** Whether one of these is none that the fix concerns. */
  readonly isDearerElsewhere: boolean;
  /** A lane is off a boundary that it was on, an access is not known any more, or a launch is none of those before: in words. */
  readonly harm: string | null;
  /** An access whose cost data decide, before the edit and after it: in words. */
  readonly open: string | null;
}

/** Which accesses a fix is about, before and after the edit. */
export interface Concern {
  readonly before: (access: AccessProfile) => boolean;
  readonly after: (access: AccessProfile) => boolean;
  /** What it concerns must be known after the edit, and where it was not known before, take no more than it has to: else runs must count it. */
  readonly mustBeKnown?: boolean;
  /** Each thread accesses what it did: where data decide an address, they do so through a copy of them. */
  readonly keepsThreads?: boolean;
}

/** Nothing is known of what it costs. */
function isOpen({ verdict, perRequest }: AccessProfile): boolean {
  return verdict.kind === "unknown" && perRequest === null;
}

function whyOpen({ verdict, expression }: AccessProfile): string {
  const reason = verdict.kind === "unknown" ? verdict.reason : "";
  return `the cost of ${expression} is not known: ${saysDependence(reason) ? reason : `it depends on ${reason}`}`;
}

/** Null where a launch before has none after that could be it. */
export function compareKernels(
  original: AnalysedKernels,
  patched: AnalysedKernels,
  edits: readonly TextEdit[],
  concern: Concern,
  pairing: Pairing,
): Comparison | null {
  const pairs = pairLaunches(original, patched, edits, pairing);
  if (pairs === null) return null;
  let before = 0;
  let after = 0;
  let idealAfter = 0;
  let isWhole = true;
  let harm: string | null = null;
  let open: string | null = null;
  let isDearerElsewhere = false;
  const dearer = new Map<string, DearerAccess>();
  for (const pair of pairs) {
    const { count } = pair.before;
    const sums = sumsOf(pair, concern, edits);
    before += sums.before * count;
    after += sums.after * count;
    idealAfter += sums.idealAfter * count;
    isWhole &&= sums.isWhole;
    harm ??= harmOf(pair, concern, edits);
    open ??= concern.mustBeKnown ? whatIsOpen(pair, concern, edits) : null;
    for (const { earlier, ...each } of dearerIn(pair, edits)) {
      isDearerElsewhere ||= !concern.before(earlier);
      const key = `${each.range.file}:${each.range.start}`;
      const known = dearer.get(key);
      if (known === undefined || ratioOf(each) > ratioOf(known)) dearer.set(key, each);
    }
  }
  harm ??= launchLeftOut(original, patched, edits);
  return {
    pairs,
    totals: { before, after },
    idealAfter,
    isWhole,
    dearer: [...dearer.values()].sort((a, b) => a.range.start - b.range.start),
    isDearerElsewhere,
    harm,
    open,
  };
}

function ratioOf({ perRequest: { before, after } }: DearerAccess): number {
  return after / before;
}

/** What an edit changes of what a launch is known by: a template parameter's value, or the block. */
export type Pairing = Pick<Candidate, "parameter" | "block">;

/**
 * Each launch before with what it is after: by kernel and where it is launched, its shape and template arguments as like as can be. Launches
 * that have become equal are one after.
 */
function pairLaunches(
  original: AnalysedKernels,
  patched: AnalysedKernels,
  edits: readonly TextEdit[],
  pairing: Pairing,
): LaunchPair[] | null {
  const pairs: LaunchPair[] = [];
  for (const [place, before] of original.launches.entries()) {
    const after = launchAfter(before, inTurnFrom(patched.launches, place), edits, pairing);
    if (after === null) return null;
    pairs.push({ before, after });
  }
  return pairs;
}

/** Most launches keep their place: hosts that launch a kernel in each of a thousand steps are not to be gone through a thousand times. */
function* inTurnFrom<T>(items: readonly T[], place: number): Generator<T> {
  const own = items[place];
  if (own !== undefined) yield own;
  for (const [other, item] of items.entries()) if (other !== place) yield item;
}

/** The first that is the same launch, or else the first of those that are the most like it; null where none can be it. */
function launchAfter(
  before: LaunchedKernel,
  launches: Iterable<LaunchedKernel>,
  edits: readonly TextEdit[],
  pairing: Pairing,
): LaunchedKernel | null {
  let best: { readonly after: LaunchedKernel; readonly distance: number } | null = null;
  for (const after of launches) {
    const distance = distanceBetween(before, after, edits, pairing);
    if (distance === 0) return after;
    if (distance !== null && (best === null || distance < best.distance)) best = { after, distance };
  }
  return best?.after ?? null;
}

/** Launches that were alike are one before: where the edit changed the statement of one alone, the others are met at their own after. */
function launchLeftOut(
  { launches: before }: AnalysedKernels,
  { launches: after }: AnalysedKernels,
  edits: readonly TextEdit[],
): string | null {
  const ofKernel = new Map<string, LaunchedKernel[]>();
  for (const each of before) {
    const known = ofKernel.get(each.kernel.name);
    if (known === undefined) ofKernel.set(each.kernel.name, [each]);
    else known.push(each);
  }
  const left = after.find(({ kernel: { name }, launch }) => {
    const own = ofKernel.get(name) ?? [];
    return own.length > 0 && !isAssumed(launch) && !own.some((each) => isSamePath(each, { launch }, edits));
  });
  return left === undefined ? null : `another launch of ${left.kernel.name} would stay as it is`;
}

/** 0 for what is the same launch; null for what cannot be. */
function distanceBetween(
  before: LaunchedKernel,
  after: LaunchedKernel,
  edits: readonly TextEdit[],
  { parameter, block }: Pairing,
): number | null {
  if (before.kernel.name !== after.kernel.name) return null;
  let distance = 0;
  for (const [index, value] of before.kernel.templateArguments.entries()) {
    const other = after.kernel.templateArguments[index];
    if (value === other) continue;
    const isEdited =
      parameter !== undefined &&
      parameter.name === before.kernel.templateParameterNames[index] &&
      parameter.before === value &&
      parameter.after === other;
    if (!isEdited) return null;
    distance++;
  }
  const isSameShape = isSameBlock(before.launch.block, after.launch.block);
  if (!isSameShape && (block === undefined || !isSameBlock(block, after.launch.block))) return null;
  if (!isSamePath(before, after, edits)) distance += 4;
  if (!isSameShape) distance += 2;
  if (before.launch.grid.some((extent, axis) => extent !== after.launch.grid[axis])) distance++;
  if (!haveSameScalars(before.launch, after.launch)) distance++;
  return distance;
}

/** Launches of one statement, as in a loop, may differ in a number that they pass and nothing else. */
function haveSameScalars(a: Launch, b: Launch): boolean {
  return a.arguments.every((argument, index) => {
    const other = b.arguments[index];
    return argument.kind !== "scalar" || (other?.kind === "scalar" && other.value === argument.value);
  });
}

function isSameBlock(a: readonly number[], b: readonly number[]): boolean {
  return a.every((extent, axis) => extent === b[axis]);
}

type Launched = Pick<LaunchedKernel, "launch">;

function isSamePath(before: Launched, after: Launched, edits: readonly TextEdit[]): boolean {
  const { path } = before.launch.origin;
  const other = after.launch.origin.path;
  return (
    path.length === other.length &&
    path.every((range, index) => movedRange(range, edits).start === other[index]?.start)
  );
}

function sumsOf({ before, after }: LaunchPair, concern: Concern, edits: readonly TextEdit[]) {
  const openBefore = openPlaces(before, edits);
  const openAfter = openPlaces(after, []);
  const own = before.profile.accesses.filter(
    (access) => concern.before(access) && !isOpen(access) && !isAt(openAfter, access, edits),
  );
  const patched = after.profile.accesses.filter(
    (access) => concern.after(access) && !isAt(openBefore, access, []),
  );
  const isWhole = [...own, ...patched].every(({ totals, requests }) => totals !== null || requests === 0);
  const idealAfter = patched.reduce((sum, access) => sum + (idealOf(access) ?? 0), 0);
  return { before: sumOf(own), after: sumOf(patched), idealAfter, isWhole };
}

function openPlaces({ profile }: LaunchedKernel, edits: readonly TextEdit[]): ReadonlySet<string> {
  return new Set(profile.accesses.filter(isOpen).map((access) => placeOf(access, edits)));
}

function isAt(places: ReadonlySet<string>, access: AccessProfile, edits: readonly TextEdit[]): boolean {
  return places.size > 0 && places.has(placeOf(access, edits));
}

function sumOf(accesses: readonly AccessProfile[]): number {
  return accesses.reduce((sum, access) => sum + (totalOf(access) ?? 0), 0);
}

/** Wavefronts or sectors over the launch; where the grid is not known, of one request for each. Null where nothing is known. */
export function totalOf({ totals, requests, perRequest }: AccessProfile): number | null {
  if (totals !== null) return totals.cost;
  if (requests === 0) return 0;
  return perRequest === null ? null : perRequest.most.cost * (requests ?? 1);
}

function idealOf({ totals, requests, perRequest }: AccessProfile): number | null {
  if (totals !== null) return totals.ideal;
  return requests === 0 || perRequest === null ? null : perRequest.most.ideal * (requests ?? 1);
}

/** Of one request, on average; where the sizes are not known the least, which is what the finding says. */
export function costPerRequest({ totals, requests, perRequest }: AccessProfile): number | null {
  if (totals !== null && requests !== null && requests > 0) return totals.cost / requests;
  return perRequest?.least.cost ?? null;
}

function harmOf({ before, after }: LaunchPair, concern: Concern, edits: readonly TextEdit[]): string | null {
  const known = byPlace(before.profile.accesses, edits);
  for (const access of after.profile.accesses) {
    if (access.space !== "shared" && access.space !== "global") continue;
    const earlier = known.get(placeOf(access, []))?.[0];
    if (access.misaligned !== null && earlier?.misaligned == null)
      return `${access.expression} would be off the boundary of its ${access.bytes} bytes`;
    if (concern.after(access) && mayComeApart(access))
      return `whether the compiler would still load or store neighbours of ${access.expression} as one is not known`;
    const isCountable = concern.mustBeKnown === true && concern.after(access) && isOpen(access);
    const isByCopy = concern.keepsThreads === true && !concern.after(access) && isByData(access);
    if (isCountable || totalOf(access) !== null || (isByCopy && earlier !== undefined)) continue;
    if (earlier === undefined || totalOf(earlier) !== null)
      return `the cost of ${access.expression} would become unknown`;
  }
  return null;
}

/** The edit moves elements, and how they lie decides whether the compiler merges them: apart they cost more than merged ones with conflicts. */
function mayComeApart({ verdict }: AccessProfile): boolean {
  return (
    verdict.kind === "conditional" &&
    verdict.assumptions.some((each) => each.kind === "compiler" && each.doubt === "other-alignment")
  );
}

function isByData({ verdict }: AccessProfile): boolean {
  return verdict.kind === "unknown" && verdict.dependsOnData;
}

/** In words, an access of which the edit leaves open what it costs, or leaves more than it has to cost where that was open. */
function whatIsOpen(
  { before, after }: LaunchPair,
  concern: Concern,
  edits: readonly TextEdit[],
): string | null {
  const known = byPlace(before.profile.accesses, edits);
  for (const access of after.profile.accesses) {
    if (!concern.after(access) || access.requests === 0) continue;
    const earlier = known.get(placeOf(access, []))?.find(isOpen);
    if (isOpen(access)) return whyOpen(earlier ?? access);
    const figure = access.perRequest?.most;
    if (earlier !== undefined && figure !== undefined && figure.cost > figure.ideal) return whyOpen(earlier);
  }
  return null;
}

function dearerIn(
  { before, after }: LaunchPair,
  edits: readonly TextEdit[],
): (DearerAccess & { readonly earlier: AccessProfile })[] {
  const patched = byPlace(after.profile.accesses, []);
  return [...byPlace(before.profile.accesses, edits)].flatMap(([place, earlier]) => {
    const later = patched.get(place);
    const [first] = earlier;
    if (later === undefined || first === undefined || earlier.some(isOpen)) return [];
    const sum = { before: sumOf(earlier), after: sumOf(later) };
    if (sum.after <= sum.before * (1 + rounding) + rounding) return [];
    // A vector that comes apart is several requests in place of one: what all of them cost is said of each that was one.
    const requests = earlier.reduce((all, { requests: own }) => all + (own ?? Number.NaN), 0);
    const isCounted = requests > 0 && first.bytes !== later[0]?.bytes;
    const from = isCounted ? sum.before / requests : costPerRequest(first);
    const to = isCounted ? sum.after / requests : later[0] === undefined ? null : costPerRequest(later[0]);
    return [
      {
        earlier: first,
        range: first.range,
        operation: operationOf(first),
        unit: unitOf(first),
        perRequest: { before: from ?? sum.before, after: to ?? sum.after },
      },
    ];
  });
}

const rounding = 1e-9;

function operationOf({ operation }: AccessProfile): DearerAccess["operation"] {
  return operation === "load" || operation === "store" ? operation : "other";
}

export function unitOf({ space }: AccessProfile): FixGain["unit"] {
  return space === "shared" ? "wavefronts" : "sectors";
}

/** Shared and global accesses by where they are made (after the edits), by what calls, and what they do. */
function byPlace(
  accesses: readonly AccessProfile[],
  edits: readonly TextEdit[],
): Map<string, AccessProfile[]> {
  const places = new Map<string, AccessProfile[]>();
  for (const access of accesses) {
    if (access.space !== "shared" && access.space !== "global") continue;
    const key = placeOf(access, edits);
    const known = places.get(key);
    if (known === undefined) places.set(key, [access]);
    else known.push(access);
  }
  return places;
}

function placeOf({ stack, range, operation, space }: AccessProfile, edits: readonly TextEdit[]): string {
  const steps = [range, ...stack].map((step) => startOf(step, edits)).join("<");
  return `${space} ${operation} ${steps}`;
}

function startOf(range: SourceRange, edits: readonly TextEdit[]): string {
  return `${range.file}:${movedRange(range, edits).start}`;
}

/** The pair of the launch that makes a finding's message. */
export function pairOf(
  pairs: readonly LaunchPair[],
  { launch, kernel }: Pick<AccessContext, "launch" | "kernel">,
): LaunchPair | null {
  const found = pairs.find(
    ({ before }) =>
      before.kernel.name === kernel.name &&
      before.kernel.templateArguments.join() === kernel.templateArguments.join() &&
      before.launch.block.join() === launch.block.join() &&
      before.launch.grid.join() === launch.grid.join(),
  );
  return found ?? null;
}

/** An access of the launch before, as it is after; null where it is not there any more. */
export function accessAfter(
  { after }: LaunchPair,
  access: AccessProfile,
  edits: readonly TextEdit[],
): AccessProfile | null {
  const place = placeOf(access, edits);
  return after.profile.accesses.find((each) => placeOf(each, []) === place) ?? null;
}
