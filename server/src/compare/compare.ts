// Two states of a program, kernel by kernel and launch by launch: what costs more beyond its ideal than before, and where.
import {
  type AccessFigures,
  excessOf,
  type Figure,
  type KernelFigures,
  type LaunchFigures,
  type Unit,
  units,
} from "./figures.ts";
import { matchAccesses, matchKernels, matchLaunches, type Pair } from "./matching.ts";

export type Status = "worse" | "better" | "same" | "new" | "gone" | "unknown";

/** Wavefronts or sectors on either side; zeros where there are no accesses. */
export interface Change {
  readonly before: Figure;
  readonly after: Figure;
}

export type Changes = Readonly<Record<Unit, Change>>;

export interface AccessComparison {
  readonly before: AccessFigures | null;
  readonly after: AccessFigures;
  /** By how much its excess rose: over a launch, or of a request where launches have no totals. */
  readonly rise: number;
  readonly basis: "launch" | "request";
}

export interface LaunchComparison {
  readonly before: LaunchFigures | null;
  readonly after: LaunchFigures | null;
  readonly status: Status;
  /** Over one launch, of the accesses whose totals are known on both sides. */
  readonly perLaunch: Changes;
  /** Of one request of each access whose totals are not known, added up. */
  readonly perRequest: Changes;
  /** Accesses of which nothing is known on one side or on both. */
  readonly unknownAccesses: number;
  /** The accesses whose excess rose, most first. */
  readonly risen: readonly AccessComparison[];
  /** Why it is unknown; null where it is not. */
  readonly reason: string | null;
}

export interface KernelComparison {
  readonly before: Pick<KernelFigures, "path" | "name"> | null;
  readonly after: Pick<KernelFigures, "path" | "name"> | null;
  readonly status: Status;
  readonly launches: readonly LaunchComparison[];
  /** Over all launches of a run, each as often as the host makes it: what is known. */
  readonly total: Changes;
  /** What a budget allows, where the kernel costs more. */
  readonly overBudget: OverBudget | null;
}

export interface OverBudget {
  readonly unit: Unit;
  readonly allowed: number;
  readonly excess: number;
}

export interface Comparison {
  readonly kernels: readonly KernelComparison[];
  /** Kernels that are worse, or cost more than their budget. */
  readonly failed: number;
}

/** How much an excess may rise: in percent of what the launch cost, or in wavefronts and sectors. */
export type Tolerance =
  | { readonly kind: "percent"; readonly value: number }
  | { readonly kind: "count"; readonly value: number };

/** The most excess of kernels over all launches of a run, by name. */
export type Budgets = ReadonlyMap<string, Budget>;

export interface Budget {
  readonly wavefronts?: number | undefined;
  readonly sectors?: number | undefined;
}

export interface CompareOptions {
  readonly tolerance: Tolerance;
  /** Kernels that it names are judged by it alone. */
  readonly budgets: Budgets;
}

export function compareKernels(
  before: readonly KernelFigures[],
  after: readonly KernelFigures[],
  options: CompareOptions,
): Comparison {
  const kernels = matchKernels(before, after).map((pair) => compareKernel(pair, options));
  const failed = kernels.filter((kernel) => isFailed(kernel, options.budgets)).length;
  return { kernels, failed };
}

/** Whether a kernel is worse, or over its budget. */
export function isFailed({ status, overBudget, after }: KernelComparison, budgets: Budgets): boolean {
  if (after !== null && budgets.has(after.name)) return overBudget !== null;
  return status === "worse";
}

function compareKernel({ before, after }: Pair<KernelFigures>, options: CompareOptions): KernelComparison {
  const launches = matchLaunches(before?.launches ?? [], after?.launches ?? []).map((pair) =>
    compareLaunch(pair, options.tolerance),
  );
  const total = addedChanges(launches);
  return {
    before: before && { path: before.path, name: before.name },
    after: after && { path: after.path, name: after.name },
    status: before === null ? "new" : after === null ? "gone" : statusOf(launches),
    launches,
    total,
    overBudget: after === null ? null : overBudgetOf(total, options.budgets.get(after.name) ?? {}),
  };
}

/** One launch that is worse makes a kernel worse. Launches that are only assumed must agree. */
function statusOf(launches: readonly LaunchComparison[]): Status {
  const matched = launches.filter(({ before, after }) => before !== null && after !== null);
  const found = matched.filter(({ after }) => after?.isAssumed === false);
  const judged = found.length > 0 ? found : matched;
  const has = (status: Status) => judged.some((launch) => launch.status === status);
  if (judged.length === 0) return "unknown";
  if (found.length === 0 && has("worse") && !judged.every(({ status }) => status === "worse"))
    return "unknown";
  if (has("worse")) return "worse";
  if (has("unknown")) return "unknown";
  return has("better") ? "better" : "same";
}

function compareLaunch({ before, after }: Pair<LaunchFigures>, tolerance: Tolerance): LaunchComparison {
  const sums = sumsOf(matchAccesses(before?.accesses ?? [], after?.accesses ?? []));
  const { perLaunch, perRequest, unknownAccesses, isComparable } = sums;
  const known = { before, after, perLaunch, perRequest, unknownAccesses };
  if (before === null) return { ...known, status: "new", risen: [], reason: null };
  if (after === null) return { ...known, status: "gone", risen: [], reason: null };
  if (before.isAssumed !== after.isAssumed) {
    const reason = after.isAssumed ? "nothing launches it any more" : "nothing launched it before";
    return { ...known, status: "unknown", risen: [], reason };
  }
  const risen = sums.risen.toSorted((a, b) => b.rise - a.rise);
  const changes = [perLaunch, perRequest].map((each) => changeOf(each, tolerance));
  if (changes.includes("worse")) return { ...known, status: "worse", risen, reason: null };
  if (!isComparable) return { ...known, status: "unknown", risen, reason: unknownReason(after, before) };
  return { ...known, status: changes.includes("better") ? "better" : "same", risen, reason: null };
}

function unknownReason(...launches: readonly LaunchFigures[]): string {
  for (const { accesses } of launches)
    for (const { expression, reason, total, perRequest } of accesses)
      if (total === null && perRequest === null && reason !== null)
        return `${expression} is not known: ${reason}`;
  return "some accesses are not known on both sides";
}

/** Wavefronts and sectors together: one may be paid for with the other. */
function changeOf(changes: Changes, tolerance: Tolerance): "worse" | "better" | "same" {
  const sum = (of: (change: Change) => number) => units.reduce((total, unit) => total + of(changes[unit]), 0);
  const rise = sum(({ before, after }) => excessOf(after) - excessOf(before));
  const allowed =
    tolerance.kind === "count"
      ? tolerance.value
      : (sum(({ before }) => before.cost) * tolerance.value) / percent;
  if (rise > allowed + rounding) return "worse";
  return rise < -rounding ? "better" : "same";
}

const percent = 100;
/** Sums of averages are not whole. */
const rounding = 1e-6;

interface Sums {
  readonly perLaunch: Changes;
  readonly perRequest: Changes;
  readonly unknownAccesses: number;
  /** Nothing is known on one side alone. */
  readonly isComparable: boolean;
  readonly risen: readonly AccessComparison[];
}

function sumsOf(pairs: readonly Pair<AccessFigures>[]): Sums {
  let perLaunch = noChanges;
  let perRequest = noChanges;
  let unknownAccesses = 0;
  let isComparable = true;
  const risen: AccessComparison[] = [];
  for (const { before, after } of pairs) {
    const own = [before, after].filter((each) => each !== null);
    const [first] = own;
    if (first === undefined) continue;
    const basis = own.every(({ total }) => total !== null) ? "launch" : "request";
    const figureIn = (access: AccessFigures | null) =>
      access === null ? noFigure : basis === "launch" ? access.total : access.perRequest;
    const change = { before: figureIn(before), after: figureIn(after) };
    if (change.before === null || change.after === null) {
      unknownAccesses++;
      // What is not known on either side is taken to be as it was.
      const isKnownOnce = own.some(({ total, perRequest: request }) => total !== null || request !== null);
      if (isKnownOnce || own.length === 1) isComparable = false;
      continue;
    }
    const known = { before: change.before, after: change.after };
    if (basis === "launch") perLaunch = withChange(perLaunch, first.unit, known, 1);
    else perRequest = withChange(perRequest, first.unit, known, 1);
    const rise = excessOf(known.after) - excessOf(known.before);
    if (after !== null && rise > rounding) risen.push({ before, after, rise, basis });
  }
  return { perLaunch, perRequest, unknownAccesses, isComparable, risen };
}

const noFigure: Figure = { cost: 0, ideal: 0 };
const noChange: Change = { before: noFigure, after: noFigure };
const noChanges: Changes = { wavefronts: noChange, sectors: noChange };

function withChange(changes: Changes, unit: Unit, change: Change, count: number): Changes {
  const { before, after } = changes[unit];
  return {
    ...changes,
    [unit]: { before: sum(before, change.before, count), after: sum(after, change.after, count) },
  };
}

function sum(a: Figure, b: Figure, count: number): Figure {
  return { cost: a.cost + b.cost * count, ideal: a.ideal + b.ideal * count };
}

/** Each side as often as its host makes the launch. */
function addedChanges(launches: readonly LaunchComparison[]): Changes {
  let total = noChanges;
  for (const { before, after, perLaunch } of launches)
    for (const unit of units) {
      const change = perLaunch[unit];
      if (before !== null && !before.isAssumed)
        total = withChange(total, unit, { before: change.before, after: noFigure }, before.count);
      if (after !== null && !after.isAssumed)
        total = withChange(total, unit, { before: noFigure, after: change.after }, after.count);
    }
  return total;
}

function overBudgetOf(total: Changes, budget: Budget): OverBudget | null {
  for (const unit of units) {
    const allowed = budget[unit];
    const excess = excessOf(total[unit].after);
    if (allowed !== undefined && excess > allowed + rounding) return { unit, allowed, excess };
  }
  return null;
}
