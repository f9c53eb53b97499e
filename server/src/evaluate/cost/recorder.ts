// Gathers what each access costs, and makes profiles of it. The log only grows while a region is evaluated and is cut back when the region
// has to be split.
import { type Assumption, type CompilerDoubt, distinctAssumptions } from "../../ir/assumption.ts";
import type { AccessSite } from "../../ir/expression.ts";
import type { NeighbourRow } from "../../ir/function.ts";
import { type SourceRange, typedStack } from "../../text/source.ts";
import type {
  AccessOperation,
  AccessProfile,
  Figure,
  FigureBounds,
  MemorySpace,
  Misalignment,
  Neighbours,
  RequestSample,
  Verdict,
} from "../profile.ts";
import { type Coverage, isRepresentative } from "../regions/coverage.ts";
import type { Indeterminate } from "../values/symbol.ts";
import type { MemoryObject } from "../values/value.ts";
import { conditionTexts, type PitchCondition } from "./conditions.ts";
import type { Addresses, Bounded, Measurement } from "./measurement.ts";

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
  /** Whether it stands for no more and no fewer: else grid or data decide how many there are, and it is counted as of one block, and as executed. */
  readonly isCounted: boolean;
  readonly assumptions: readonly Assumption[];
  /** A load or store of shared memory at one place for all lanes of any warp: whichever lanes take part, it costs the same. */
  readonly isOnePlace: boolean;
  /** What the address takes for granted of the sizes that index it. */
  readonly condition: string | null;
  readonly laneStride: RequestSample["laneStride"];
  readonly columns: AccessProfile["columns"];
  readonly movedBytes: number;
  readonly warp: number | null;
  readonly block: readonly [number, number, number] | null;
}

/** Which sizes are known to bound an index or to multiply a row; filled while evaluating. */
export interface SizeUse {
  readonly bounding: Set<number>;
}

/** What is known of an access as written, in one of the contexts that it is come to in. */
export interface SiteProfile {
  readonly site: AccessSite;
  readonly profile: AccessProfile;
}

/** Profiles of the accesses of a finished log, in the order of their first execution. */
export function profilesOf(
  log: readonly LogEntry[],
  sizes: SizeUse,
  coverage: Coverage,
  rows: readonly NeighbourRow[],
): SiteProfile[] {
  const groups = new Map<string, LogEntry[]>();
  const sites = new Map<AccessSite, number>();
  for (const entry of log) {
    const { site, path, operation, bytes, piece, space } = entry.access;
    let siteId = sites.get(site);
    if (siteId === undefined) {
      siteId = sites.size;
      sites.set(site, siteId);
    }
    const key = `${siteId} ${path.id} ${operation} ${bytes} ${piece} ${space}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const neighbours = neighboursBySite(rows);
  return [...groups.values()].map((entries) => profileOf(entries, sizes, coverage, neighbours));
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

function profileOf(
  entries: readonly LogEntry[],
  sizes: SizeUse,
  coverage: Coverage,
  neighbours: ReadonlyMap<AccessSite, Neighbours>,
): SiteProfile {
  const first = entries[0];
  if (!first) throw new Error("an access without entries");
  const { access, object } = first;
  const sums = sumsOf(entries);
  const isCounted = coverage.isGridKnown && coverage.shortfall === null && sums.isCounted;
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
    target: object ? { name: object.name, range: object.range, type: object.type } : null,
    verdict: verdictOf(entries, sums, sizes, coverage),
    requests: isCounted && sums.immeasurable === null ? sums.requests : null,
    laneCount: isCounted && sums.immeasurable === null ? sums.lanes : null,
    totals: isCounted && sums.isExact ? { cost: sums.cost, ideal: sums.ideal } : null,
    perRequest: sums.immeasurable === null ? sums.bounds : null,
    worst: sums.immeasurable === null ? sums.sample : null,
    misaligned: sums.misaligned,
    columns: columnsOfAll(entries),
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

interface Sums {
  readonly requests: number;
  readonly lanes: number;
  readonly cost: number;
  readonly ideal: number;
  /** All entries have an exact count of executions. */
  readonly isCounted: boolean;
  /** All entries are measured exactly. */
  readonly isExact: boolean;
  readonly bounds: FigureBounds | null;
  readonly sample: RequestSample | null;
  readonly immeasurable: WhyUnknown | null;
  /** The data that decide where in its bounds the figure is. */
  readonly undecided: string | null;
  readonly misaligned: Misalignment | null;
}

/** Whether a request makes more of the excess than another; of two that make the same, whether it is the larger. */
function isDearer(one: Figure, other: Figure): boolean {
  const more = one.cost - one.ideal - (other.cost - other.ideal);
  return more === 0 ? one.cost > other.cost : more > 0;
}

function sumsOf(entries: readonly LogEntry[]): Sums {
  let requests = 0;
  let lanes = 0;
  let cost = 0;
  let ideal = 0;
  let averageWeight = 0;
  let averageCost = 0;
  let averageIdeal = 0;
  let isCounted = true;
  let isExact = true;
  let least = null as Figure | null;
  let most = null as Figure | null;
  let sample = null as {
    entry: LogEntry;
    figure: Figure;
    addresses: Addresses;
    partners: Addresses | null;
  } | null;
  let immeasurable = null as WhyUnknown | null;
  let undecided = null as string | null;
  let misaligned = null as Misalignment | null;
  let isUniform = true;
  let allRequests = 0;
  for (const entry of entries) {
    const { measurement, times } = entry;
    isCounted &&= entry.isCounted;
    if (measurement.kind === "bounded" && measurement.dataReason !== null && isOpen(measurement))
      undecided ??= measurement.dataReason;
    if (measurement.kind === "immeasurable") {
      immeasurable ??= measurement;
      isExact = false;
      continue;
    }
    let figure: Figure;
    let addresses: Addresses;
    let partners: Addresses | null = null;
    if (measurement.kind === "measured") {
      requests += measurement.weight * times;
      lanes += measurement.lanes * measurement.weight * times;
      cost += measurement.cost * times;
      ideal += measurement.ideal * times;
      averageWeight += measurement.weight * times;
      averageCost += measurement.cost * times;
      averageIdeal += measurement.ideal * times;
      figure = measurement.worst;
      addresses = measurement.worstAddresses;
      partners = measurement.worstPartners;
      isUniform &&= measurement.isUniform;
      if (measurement.misalignedLanes > 0)
        misaligned = {
          lanes: Math.max(misaligned?.lanes ?? 0, measurement.misalignedLanes),
          requests: (misaligned?.requests ?? 0) + measurement.misalignedWeight * times,
          allRequests: 0,
          isCertain: true,
        };
      allRequests += measurement.weight * times;
    } else {
      isExact = false;
      requests += times;
      lanes += measurement.lanes * times;
      allRequests += times;
      least = lesser(least, measurement.least);
      most = greater(most, measurement.most);
      figure = measurement.least;
      addresses = measurement.sampleAddresses;
      if (measurement.least.cost !== measurement.most.cost) isUniform = false;
      if (measurement.leastMisaligned > 0)
        misaligned = {
          lanes: Math.max(misaligned?.lanes ?? 0, measurement.leastMisaligned),
          requests: null,
          allRequests: null,
          isCertain: true,
        };
    }
    if (sample && (sample.figure.cost !== figure.cost || sample.figure.ideal !== figure.ideal))
      isUniform = false;
    if (!sample || isDearer(figure, sample.figure)) sample = { entry, figure, addresses, partners };
  }
  if (averageWeight > 0) {
    const average = { cost: averageCost / averageWeight, ideal: averageIdeal / averageWeight };
    least = lesser(least, average);
    most = greater(most, average);
  }
  if (misaligned && misaligned.requests !== null)
    misaligned = isCounted
      ? { ...misaligned, allRequests }
      : { ...misaligned, requests: null, allRequests: null };
  return {
    requests,
    lanes,
    cost,
    ideal,
    isCounted,
    isExact,
    bounds: least && most ? { least, most } : null,
    sample: sample && {
      laneAddresses: sample.addresses,
      partnerAddresses: sample.partners,
      movedBytes: sample.entry.movedBytes,
      figure: sample.figure,
      isUniform,
      warp: sample.entry.warp,
      block: sample.entry.block,
      laneStride: sample.entry.laneStride,
    },
    immeasurable,
    undecided,
    misaligned,
  };
}

/** Whether the excess factor itself, not only the number of lanes, differs over the range. */
function isOpen({ least, most }: Bounded): boolean {
  return least.cost * most.ideal !== most.cost * least.ideal;
}

const unevenReason = "the budget of the evaluation ended, and the figure is not the same in all warps";

function verdictOf(entries: readonly LogEntry[], sums: Sums, sizes: SizeUse, coverage: Coverage): Verdict {
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
    if (measurement.kind !== "bounded") continue;
    isBounded = true;
    bounded.push(...measurement.conditions);
    pitches.push(...measurement.pitches);
  }
  for (const condition of conditionTexts(bounded)) conditions.add(condition);
  if (coverage.shortfall) assumed.add(coverage.shortfall);
  for (const doubt of doubts) assumed.add({ kind: "compiler", doubt });
  const assumptions = distinctAssumptions(assumed);
  if (sums.immeasurable) return unknownVerdict(sums.immeasurable, assumptions);
  if (sums.undecided) return unknownVerdict({ reason: sums.undecided, dependsOnData: true }, assumptions);
  if (!isRepresentative(entries, coverage))
    return unknownVerdict({ reason: unevenReason, dependsOnData: false }, assumptions);
  if (assumptions.length === 0 && !isBounded && !isGuessed) return { kind: "exact" };
  return {
    kind: "conditional",
    condition: conditions.size > 0 ? [...conditions].join(" and ") : null,
    assumptions,
    dependsOnSizeOnly:
      !isGuessed && pitches.every((pitch) => pitch.role === "size" && sizes.bounding.has(pitch.id)),
  };
}

interface WhyUnknown {
  readonly reason: string;
  readonly dependsOnData: boolean;
}

function unknownVerdict({ reason, dependsOnData }: WhyUnknown, assumptions: readonly Assumption[]): Verdict {
  return { kind: "unknown", reason, dependsOnData, assumptions };
}

function stackOf(path: CallPath): SourceRange[] {
  const ranges: SourceRange[] = [];
  for (let at: CallPath | null = path; at; at = at.caller) if (at.range) ranges.push(at.range);
  return ranges;
}

function lesser(a: Figure | null, b: Figure): Figure {
  return a && a.cost * b.ideal <= b.cost * a.ideal ? a : b;
}

function greater(a: Figure | null, b: Figure): Figure {
  return a && a.cost * b.ideal >= b.cost * a.ideal ? a : b;
}
