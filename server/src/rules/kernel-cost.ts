// What kernels and their accesses cost in all: wavefronts and sectors beyond the ideal, over all launches of one run. Editor and command line
// rank by it.
import type { AccessOperation, AccessProfile, Figure, RequestSample, Verdict } from "../evaluate/profile.ts";
import { isAssumed, type Launch } from "../launches/launch.ts";
import type { SourceRange } from "../text/source.ts";
import { launchFigure } from "./cost.ts";

/** What of an access its cost hangs on: of a large workspace nothing else is kept. */
export interface CountedAccess
  extends Pick<
    AccessProfile,
    "range" | "space" | "operation" | "expression" | "requests" | "totals" | "perRequest"
  > {
  readonly verdict: Pick<Verdict, "kind">;
  readonly worst: Pick<RequestSample, "figure"> | null;
}

/** A kernel under launches that do the same. */
export interface CountedLaunch {
  readonly profile: {
    readonly launch: Pick<Launch, "origin" | "isSample">;
    readonly accesses: readonly CountedAccess[];
  };
  /** How often the host launches it so. */
  readonly count: number;
}

/** One access of a kernel, as one operation, over all launches. */
export interface AccessCost {
  readonly range: SourceRange;
  readonly space: "shared" | "global";
  readonly operation: AccessOperation;
  readonly expression: string;
  /** Warp requests of all launches; null where those of one are not known. */
  readonly requests: number | null;
  /** Wavefronts or sectors of all launches of which they are known; null where they are of none. */
  readonly total: Figure | null;
  /** False where launches were left out of `total`, or the least that is certain stands for one. */
  readonly isTotalExact: boolean;
  /** Of the request that costs most beyond its ideal, under the worst launch; null where nothing is known. */
  readonly perRequest: Figure | null;
  /** Of `total`, what is beyond the ideal; null where `total` is. */
  readonly excess: number | null;
  /** The part of the kernel's excess, 0 to 1; null where nothing of the kernel is known, or it has none. */
  readonly share: number | null;
}

/** A kernel, or one of its instantiations, over all launches. */
export interface KernelCost {
  /** By excess, greatest first; those of which no total is known last. */
  readonly accesses: readonly AccessCost[];
  /** Wavefronts of shared memory; null without such accesses, or where the total of none is known. */
  readonly shared: Figure | null;
  /** Sectors of global memory; likewise. */
  readonly global: Figure | null;
  /** Wavefronts and sectors beyond the ideal; null where no total is known. */
  readonly excess: number | null;
  /** False where the total of some access is not exact. */
  readonly isExact: boolean;
}

/**
 * The cost of one kernel over `launches`, which are all of its launches. Launches that were assumed say what a request costs, but not how
 * many there are: they have no totals.
 */
export function kernelCost(launches: readonly CountedLaunch[]): KernelCost {
  const open = new Map<string, OpenAccess>();
  for (const { profile, count } of launches) {
    const isGuess = isAssumed(profile.launch);
    for (const access of profile.accesses) {
      const { range, space, operation } = access;
      if ((space !== "shared" && space !== "global") || access.requests === 0) continue;
      const key = [range.file, range.start, range.end, space, operation].join("\n");
      const known = open.get(key) ?? newAccess(access, space);
      open.set(key, known);
      addLaunch(known, access, isGuess ? null : count);
    }
  }
  const accesses = [...open.values()];
  const excess = sumOf(accesses.map(excessOf));
  return {
    accesses: accesses.map((access) => closed(access, excess)).sort(byExcess),
    shared: totalOf(accesses, "shared"),
    global: totalOf(accesses, "global"),
    excess,
    isExact: accesses.every(({ isTotalExact }) => isTotalExact),
  };
}

/** Greatest excess first, then by the cost of a request; what is not known last. */
export function byExcess(a: AccessCost, b: AccessCost): number {
  return (
    (b.excess ?? -1) - (a.excess ?? -1) ||
    requestExcess(b) - requestExcess(a) ||
    (a.range.file < b.range.file ? -1 : a.range.file > b.range.file ? 1 : a.range.start - b.range.start)
  );
}

function requestExcess({ perRequest }: AccessCost): number {
  return perRequest === null ? -1 : perRequest.cost - perRequest.ideal;
}

interface OpenAccess {
  readonly range: SourceRange;
  readonly space: AccessCost["space"];
  readonly operation: AccessOperation;
  readonly expression: string;
  requests: number | null;
  total: Figure | null;
  isTotalExact: boolean;
  perRequest: Figure | null;
}

function newAccess({ range, operation, expression }: CountedAccess, space: AccessCost["space"]): OpenAccess {
  return {
    range,
    space,
    operation,
    expression,
    requests: 0,
    total: null,
    isTotalExact: true,
    perRequest: null,
  };
}

/** `count`: null where nobody knows how often. */
function addLaunch(open: OpenAccess, access: CountedAccess, count: number | null): void {
  const { requests, perRequest, worst } = access;
  open.requests =
    count === null || requests === null || open.requests === null ? null : open.requests + requests * count;
  const sample = worst?.figure ?? perRequest?.least ?? null;
  if (sample !== null && (open.perRequest === null || excessIn(sample) > excessIn(open.perRequest)))
    open.perRequest = sample;
  const known = count === null ? null : launchFigure(access);
  if (known === null || access.totals === null || access.verdict.kind !== "exact") open.isTotalExact = false;
  if (count === null || known === null) return;
  const { cost, ideal } = open.total ?? { cost: 0, ideal: 0 };
  open.total = { cost: cost + known.cost * count, ideal: ideal + known.ideal * count };
}

function closed(access: OpenAccess, kernelExcess: number | null): AccessCost {
  const excess = excessOf(access);
  const share = excess === null || kernelExcess === null || kernelExcess === 0 ? null : excess / kernelExcess;
  return { ...access, excess, share };
}

function excessOf({ total }: OpenAccess): number | null {
  return total === null ? null : excessIn(total);
}

function excessIn({ cost, ideal }: Figure): number {
  return cost - ideal;
}

function totalOf(accesses: readonly OpenAccess[], space: AccessCost["space"]): Figure | null {
  const totals = accesses.flatMap((access) => (access.space === space ? (access.total ?? []) : []));
  if (totals.length === 0) return null;
  return {
    cost: totals.reduce((sum, { cost }) => sum + cost, 0),
    ideal: totals.reduce((sum, { ideal }) => sum + ideal, 0),
  };
}

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
