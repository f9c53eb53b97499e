// Gathers what each access costs, and makes profiles of it. The log only grows while a region is evaluated and is cut back when the region
// has to be split.

import { type Assumption, type CompilerDoubt, distinctAssumptions } from "../../ir/assumption.ts";
import type { AccessSite } from "../../ir/expression.ts";
import type { NeighbourRow } from "../../ir/function.ts";
import { type SourceRange, typedStack } from "../../text/source.ts";
import type {
  AccessOperation,
  AccessProfile,
  FiguresByPitch,
  MemorySpace,
  Neighbours,
  RequestSample,
  Verdict,
} from "../profile.ts";
import { type Coverage, standingOf, unevenReason } from "../regions/coverage.ts";
import type { WhyUnknown } from "../values/mask.ts";
import type { Indeterminate } from "../values/symbol.ts";
import type { MemoryObject, Predicate } from "../values/value.ts";
import { conditionTexts, type PitchCondition } from "./conditions.ts";
import type { Measurement } from "./measurement.ts";
import { type Sums, sumsOf } from "./sums.ts";
import { meetAtWords, metAtWord } from "./swaps.ts";
import { whyUncounted } from "./uncounted.ts";

/** One access in one call context. */
export interface AccessIdentity {
  readonly site: AccessSite;
  readonly path: CallPath;
  readonly operation: AccessOperation;
  readonly variant: string;
  readonly bytes: number;
  /** Which piece of a record that is accessed in several. */
  readonly piece: number;
  readonly space: MemorySpace;
}

/** The calls from the kernel to the function being evaluated; the kernel itself is the root. */
export interface CallPath {
  readonly id: number;
  readonly range: SourceRange | null;
  readonly caller: CallPath | null;
}

export interface LogEntry {
  readonly access: AccessIdentity;
  readonly object: MemoryObject | null;
  /** Counts the regions that were evaluated. */
  readonly region: number;
  readonly measurement: Measurement;
  /** Executions that this entry stands for, beyond the weight of the measurement. */
  readonly times: number;
  /** Why it may stand for more or fewer: grid or data decide how many there are, and it is counted as of one block, and as executed; null where it doesn't. */
  readonly uncounted: WhyUnknown | null;
  /** The test of data that decides whether its warps make it; entries of one are made together. */
  readonly decision: Predicate | null;
  /** Whether a loop of load and swap does it that other warps of the block may disturb. */
  readonly isSwap: boolean;
  readonly assumptions: readonly Assumption[];
  /** The lanes that access one place, where that costs the same whichever of them take part; 0 of other accesses. */
  readonly lanesAtOne: number;
  /** What the address takes for granted of the sizes that index it. */
  readonly condition: string | null;
  readonly laneStride: RequestSample["laneStride"];
  readonly columns: AccessProfile["columns"];
  readonly leavesArray: boolean;
  readonly movedBytes: number;
  readonly warp: number | null;
  readonly block: readonly [number, number, number] | null;
}

/** Which sizes are known to bound an index or to multiply a row; filled while evaluating. */
export interface SizeUse {
  readonly bounding: Set<number>;
}

/** What an evaluation found out beside the costs; filled while evaluating. */
export interface Noted {
  readonly sizes: SizeUse;
  /** Accesses that the compiler may make otherwise, as the way of some warp shows. */
  readonly doubted: ReadonlyMap<AccessSite, CompilerDoubt>;
}

/** What is known of an access as written, in one of the contexts that it is come to in. */
export interface SiteProfile {
  readonly site: AccessSite;
  readonly profile: AccessProfile;
}

/** Profiles of the accesses of a finished log, in the order of their first execution. */
export function profilesOf(
  log: readonly LogEntry[],
  noted: Noted,
  coverage: Coverage,
  rows: readonly NeighbourRow[],
): SiteProfile[] {
  const groups = new Map<string, LogEntry[]>();
  const sites = new Map<AccessSite, number>();
  const lost = new Set<string>();
  const found = new Set<string>();
  for (const entry of log) {
    const { site, path, operation, bytes, piece, space } = entry.access;
    let siteId = sites.get(site);
    if (siteId === undefined) {
      siteId = sites.size;
      sites.set(site, siteId);
    }
    const accessKey = `${siteId} ${path.id} ${operation} ${bytes} ${piece}`;
    const isNull = isThroughNull(entry);
    if (space === "unknown" && !isNull) lost.add(accessKey);
    if (!isNull) found.add(accessKey);
    const key = `${accessKey} ${space}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const neighbours = neighboursBySite(rows);
  return [...groups].flatMap(([key, all]) => {
    const accessKey = key.slice(0, key.lastIndexOf(" "));
    // No lane goes through a null pointer: the executions that go elsewhere are all there are.
    const entries = found.has(accessKey) ? all.filter((entry) => !isThroughNull(entry)) : all;
    if (entries.length === 0) return [];
    // Where nobody knows what memory some executions of an access lead to, the others are not all of them.
    const isAll = !lost.has(accessKey) || entries[0]?.access.space === "unknown";
    return [profileOf(entries, noted, { coverage, neighbours, isAll })];
  });
}

function isThroughNull({ object }: LogEntry): boolean {
  return object?.space === "null";
}

/** Whether more warps would have to be seen for a figure. */
export function isUneven({ profile: { verdict } }: SiteProfile): boolean {
  return verdict.kind === "unknown" && verdict.reason === unevenReason;
}

/** Of each row, its first site in the text stands for all. */
function neighboursBySite(rows: readonly NeighbourRow[]): ReadonlyMap<AccessSite, Neighbours> {
  const bySite = new Map<AccessSite, Neighbours>();
  for (const { base, vectorBytes, elementBytes, sites } of rows) {
    const [first] = [...sites].sort((a, b) => a.range.start - b.range.start);
    if (first === undefined || bySite.has(first)) continue;
    bySite.set(first, { base, vectorBytes, elementBytes, ranges: sites.map(({ range }) => range) });
  }
  return bySite;
}

interface Surroundings {
  readonly coverage: Coverage;
  readonly neighbours: ReadonlyMap<AccessSite, Neighbours>;
  /** Whether the entries are all executions of the access. */
  readonly isAll: boolean;
}

function profileOf(
  entries: readonly LogEntry[],
  noted: Noted,
  { coverage, neighbours, isAll }: Surroundings,
): SiteProfile {
  const first = entries[0];
  if (!first) throw new Error("an access without entries");
  const { access, object } = first;
  const own = sumsOf(entries);
  const sums = own.uncounted === null && meetAtWords(entries) ? { ...own, uncounted: metAtWord } : own;
  const uncounted = whyUncounted(entries, sums, coverage, isAll);
  const isCounted = isAll && coverage.isGridKnown && coverage.shortfall === null && sums.uncounted === null;
  const { site } = access;
  const stack = typedStack([site.range, ...(site.stack ?? []), ...stackOf(access.path)]);
  const range = stack[0] ?? site.range;
  const profile: AccessProfile = {
    range,
    // The names in a library's own text mean nothing where it is called.
    expression: range === site.range ? site.expression : site.expression.replace(/\(.*$/s, ""),
    stack,
    mergedRanges: site.merged.filter((each) => typedStack([each, range])[0] === each),
    space: access.space,
    operation: access.operation,
    variant: access.variant,
    bytes: access.bytes,
    target: object
      ? { name: object.name, range: object.range, type: object.type, startBytes: object.baseBytes }
      : null,
    verdict: verdictOf(entries, sums, noted, coverage),
    requests: isCounted && sums.immeasurable === null ? sums.requests : null,
    laneCount: isCounted && sums.immeasurable === null ? sums.lanes : null,
    totals: uncounted === null ? { cost: sums.cost, ideal: sums.ideal } : null,
    uncounted,
    perRequest: sums.immeasurable === null ? sums.bounds : null,
    worst: sums.immeasurable === null ? sums.sample : null,
    misaligned: sums.misaligned,
    columns: columnsOfAll(entries),
    leavesArray: entries.some((entry) => entry.leavesArray),
    neighbours: neighbours.get(site) ?? null,
  };
  return { site, profile };
}

/** Null where those of one entry are not known. */
function columnsOfAll(entries: readonly LogEntry[]): AccessProfile["columns"] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { columns } of entries) {
    if (columns === null) return null;
    least = Math.min(least, columns.least);
    most = Math.max(most, columns.most);
  }
  return { least, most };
}

function verdictOf(
  entries: readonly LogEntry[],
  sums: Sums,
  { sizes, doubted }: Noted,
  coverage: Coverage,
): Verdict {
  const assumed = new Set<Assumption>();
  const doubts = new Set<CompilerDoubt>();
  const conditions = new Set<string>();
  const bounded: PitchCondition[] = [];
  const pitches: Indeterminate[] = [];
  let isBounded = false;
  let isGuessed = false;
  for (const { access, assumptions: own, condition, measurement, object } of entries) {
    for (const assumption of own) assumed.add(assumption);
    if (condition !== null) conditions.add(condition);
    isGuessed ||= condition !== null;
    if (object?.assumption) assumed.add(object.assumption);
    if (access.site.uncertain) doubts.add(access.site.uncertain);
    const doubt = doubted.get(access.site);
    if (doubt) doubts.add(doubt);
    if (measurement.kind !== "bounded") continue;
    isBounded = true;
    bounded.push(...measurement.conditions);
    pitches.push(...measurement.pitches);
  }
  for (const { undeclared } of pitches)
    if (undeclared !== null) assumed.add({ kind: "undeclared", name: undeclared });
  for (const condition of conditionTexts(bounded)) conditions.add(condition);
  if (coverage.shortfall) assumed.add(coverage.shortfall);
  for (const doubt of doubts) assumed.add({ kind: "compiler", doubt });
  const assumptions = distinctAssumptions(assumed);
  if (sums.immeasurable) return unknownVerdict(sums.immeasurable, assumptions);
  if (sums.undecided) return unknownVerdict({ reason: sums.undecided, dependsOnData: true }, assumptions);
  if (sums.displaced) {
    const unknown = unknownVerdict({ reason: sums.displaced, dependsOnData: false }, assumptions);
    return conditions.size > 0 ? unknown : { ...unknown, isLeastKnown: true };
  }
  const standing = standingOf(entries, coverage);
  if (standing !== "for all") {
    const unknown = unknownVerdict({ reason: unevenReason, dependsOnData: false }, assumptions);
    return standing === "for none" ? unknown : { ...unknown, holdsForWholeWarps: true };
  }
  if (assumptions.length === 0 && !isBounded && !isGuessed) return { kind: "exact" };
  return {
    kind: "conditional",
    condition: conditions.size > 0 ? [...conditions].join(" and ") : null,
    assumptions,
    dependsOnSizeOnly:
      !isGuessed && pitches.every((pitch) => pitch.role === "size" && sizes.bounding.has(pitch.id)),
    byPitch: pitchOfAll(entries),
  };
}

/** How the figures of all entries hang on one pitch; null where those of some hang on another, or on none. */
function pitchOfAll(entries: readonly LogEntry[]): FiguresByPitch | null {
  let all: FiguresByPitch | null = null;
  for (const { measurement } of entries) {
    const own = measurement.kind === "bounded" ? measurement.byPitch : null;
    if (own === null || (all !== null && !isSamePitch(all, own))) return null;
    all = all === null || own.from > all.from ? own : all;
  }
  return all;
}

function isSamePitch(a: FiguresByPitch, b: FiguresByPitch): boolean {
  return (
    a.pitch === b.pitch &&
    a.steps.length === b.steps.length &&
    a.steps.every(
      ({ divisor, wavefronts }, index) =>
        divisor === b.steps[index]?.divisor && wavefronts === b.steps[index]?.wavefronts,
    )
  );
}

function unknownVerdict(
  { reason, dependsOnData }: WhyUnknown,
  assumptions: readonly Assumption[],
): Extract<Verdict, { readonly kind: "unknown" }> {
  return { kind: "unknown", reason, dependsOnData, assumptions };
}

function stackOf(path: CallPath): SourceRange[] {
  const ranges: SourceRange[] = [];
  for (let at: CallPath | null = path; at; at = at.caller) if (at.range) ranges.push(at.range);
  return ranges;
}
