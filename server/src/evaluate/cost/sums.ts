// What the executions of one access come to together: totals, bounds of a request, the dearest one, and what keeps figures from being known.
import type { Figure, FigureBounds, Misalignment, RequestSample } from "../profile.ts";
import { standardErrors, tolerance } from "../regions/coverage.ts";
import { dataFirst, type WhyUnknown } from "../values/mask.ts";
import type { Addresses, Bounded, Immeasurable, Measured } from "./measurement.ts";
import type { LogEntry } from "./recorder.ts";

export interface Sums extends Totals {
  /** Why the executions of some entries are not counted; null where all are. */
  readonly uncounted: WhyUnknown | null;
  /** All entries are measured exactly. */
  readonly isExact: boolean;
  readonly bounds: FigureBounds | null;
  readonly sample: RequestSample | null;
  readonly immeasurable: WhyUnknown | null;
  /** The data that decide where in its bounds the figure is. */
  readonly undecided: string | null;
  /** What decides how much more than the least it is, where no row begins so that it is the least; null where nothing does. */
  readonly displaced: string | null;
  readonly misaligned: Misalignment | null;
}

interface Totals {
  readonly requests: number;
  /** Active lanes over all requests. */
  readonly lanes: number;
  /** Of those requests alone that are measured exactly, as is `ideal`. */
  readonly cost: number;
  readonly ideal: number;
}

/** The sums over all entries of one access. */
export function sumsOf(entries: readonly LogEntry[]): Sums {
  const totals = totalsOf(entries);
  const uncounted = entries.reduce<WhyUnknown | null>((why, entry) => dataFirst(why, entry.uncounted), null);
  const whyUneven = undecidedAmong(entries);
  return {
    ...totals,
    uncounted,
    isExact: entries.every(({ measurement }) => measurement.kind === "measured"),
    bounds: boundsOf(entries, totals, whyUneven === null ? "all" : "some"),
    sample: sampleOf(entries),
    immeasurable: firstImmeasurable(entries),
    undecided: undecidedIn(entries) ?? whyUneven,
    displaced: displacedIn(entries),
    misaligned: misalignmentIn(entries, uncounted === null ? totals.requests : null),
  };
}

function totalsOf(entries: readonly LogEntry[]): Totals {
  let requests = 0;
  let lanes = 0;
  let cost = 0;
  let ideal = 0;
  for (const { measurement, times } of entries) {
    if (measurement.kind === "immeasurable") continue;
    const weight = measurement.kind === "measured" ? measurement.weight : 1;
    requests += weight * times;
    lanes += measurement.lanes * weight * times;
    if (measurement.kind === "bounded") continue;
    cost += measurement.cost * times;
    ideal += measurement.ideal * times;
  }
  return { requests, lanes, cost, ideal };
}

/** The average of the requests that are measured exactly is one figure among those of the others, if all of them are made. */
function boundsOf(
  entries: readonly LogEntry[],
  { cost, ideal }: Totals,
  made: "all" | "some",
): FigureBounds | null {
  let least: Figure | null = null;
  let most: Figure | null = null;
  let measuredRequests = 0;
  for (const { measurement, times } of entries) {
    if (measurement.kind === "measured" && made === "some") {
      const { weight } = measurement;
      const average = { cost: measurement.cost / weight, ideal: measurement.ideal / weight };
      least = lesser(least, average);
      most = greater(most, average);
    } else if (measurement.kind === "measured") measuredRequests += measurement.weight * times;
    if (measurement.kind !== "bounded") continue;
    least = lesser(least, measurement.least);
    most = greater(most, measurement.most);
  }
  if (measuredRequests > 0) {
    const average = { cost: cost / measuredRequests, ideal: ideal / measuredRequests };
    least = lesser(least, average);
    most = greater(most, average);
  }
  return least && most ? { least, most } : null;
}

function lesser(a: Figure | null, b: Figure): Figure {
  return a && a.cost * b.ideal <= b.cost * a.ideal ? a : b;
}

function greater(a: Figure | null, b: Figure): Figure {
  return a && a.cost * b.ideal >= b.cost * a.ideal ? a : b;
}

/** The request that stands for an entry: the dearest of those measured, the cheapest that is possible of those with bounds. */
interface Request {
  readonly entry: LogEntry;
  readonly figure: Figure;
  readonly addresses: Addresses;
  readonly partners: Addresses | null;
  /** Whether every request of the entry has this figure. */
  readonly isUniform: boolean;
}

function requestOf(entry: LogEntry, measurement: Measured | Bounded): Request {
  if (measurement.kind === "measured") {
    const { worst, worstAddresses, worstPartners, isUniform } = measurement;
    return { entry, figure: worst, addresses: worstAddresses, partners: worstPartners, isUniform };
  }
  const { least, most, sampleAddresses } = measurement;
  const isUniform = least.cost === most.cost;
  return { entry, figure: least, addresses: sampleAddresses, partners: null, isUniform };
}

/** The request that makes most of the excess; null where none has a figure. */
function sampleOf(entries: readonly LogEntry[]): RequestSample | null {
  let dearest: Request | null = null;
  let isUniform = true;
  for (const entry of entries) {
    if (entry.measurement.kind === "immeasurable") continue;
    const request = requestOf(entry, entry.measurement);
    isUniform &&= request.isUniform && (dearest === null || isSameFigure(request.figure, dearest.figure));
    if (dearest === null || isDearer(request.figure, dearest.figure)) dearest = request;
  }
  if (dearest === null) return null;
  const { entry, figure, addresses, partners } = dearest;
  return {
    laneAddresses: addresses,
    partnerAddresses: partners,
    movedBytes: entry.movedBytes,
    figure,
    isUniform,
    warp: entry.warp,
    block: entry.block,
    laneStride: entry.laneStride,
  };
}

function isSameFigure(one: Figure, other: Figure): boolean {
  return one.cost === other.cost && one.ideal === other.ideal;
}

/** Whether a request makes more of the excess than another; of two that make the same, whether it is the larger. */
function isDearer(one: Figure, other: Figure): boolean {
  const more = one.cost - one.ideal - (other.cost - other.ideal);
  return more === 0 ? one.cost > other.cost : more > 0;
}

function firstImmeasurable(entries: readonly LogEntry[]): Immeasurable | null {
  for (const { measurement } of entries) if (measurement.kind === "immeasurable") return measurement;
  return null;
}

function undecidedIn(entries: readonly LogEntry[]): string | null {
  for (const { measurement } of entries)
    if (measurement.kind === "bounded" && measurement.dataReason !== null && isOpen(measurement))
      return measurement.dataReason;
  return null;
}

function displacedIn(entries: readonly LogEntry[]): string | null {
  for (const { measurement } of entries)
    if (measurement.kind === "bounded" && measurement.placeReason !== null && isOpen(measurement))
      return measurement.placeReason;
  return null;
}

/**
 * Why nobody knows what the executions come to together: data decide which of them there are, they cost unlike much, and are too few for
 * what chance would leave of them to cost as all do.
 */
function undecidedAmong(entries: readonly LogEntry[]): string | null {
  if (entries.every(({ decision }) => decision === null)) return null;
  const sums = new Map<LogEntry["decision"], { cost: number; ideal: number }>();
  let requests = 0;
  for (const { measurement, times, decision } of entries) {
    if (measurement.kind !== "measured") continue;
    requests += measurement.weight * times;
    const sum = sums.get(decision) ?? { cost: 0, ideal: 0 };
    sum.cost += measurement.cost * times;
    sum.ideal += measurement.ideal * times;
    sums.set(decision, sum);
  }
  const factors = [...sums.values()].filter(({ ideal }) => ideal > 0).map(({ cost, ideal }) => cost / ideal);
  const least = factors.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = factors.reduce((a, b) => Math.max(a, b), 0);
  const error = (standardErrors * (most - least)) / 2 / Math.sqrt(Math.max(1, requests));
  return error > tolerance * least ? whichAreMade : null;
}

const whichAreMade = "which of its executions are made depends on data, and they cost unlike much";

/** Whether the excess factor itself, not only the number of lanes, differs over the range. */
function isOpen({ least, most }: Bounded): boolean {
  return least.cost * most.ideal !== most.cost * least.ideal;
}

/** What is off its boundary for sure; `allRequests` is null where their number is not known. */
function misalignmentIn(entries: readonly LogEntry[], allRequests: number | null): Misalignment | null {
  let lanes = 0;
  let requests = 0;
  let areKnown = allRequests !== null;
  for (const { measurement, times } of entries) {
    if (measurement.kind === "measured") {
      lanes = Math.max(lanes, measurement.misalignedLanes);
      requests += measurement.misalignedWeight * times;
    } else if (measurement.kind === "bounded" && measurement.leastMisaligned > 0) {
      lanes = Math.max(lanes, measurement.leastMisaligned);
      areKnown = false;
    }
  }
  if (lanes === 0) return null;
  return areKnown
    ? { lanes, requests, allRequests, isCertain: true }
    : { lanes, requests: null, allRequests: null, isCertain: true };
}
