// What the accesses of a kernel cost over all launches of one run, ranked: for trees and tables.
import type { AccessOperation, AccessProfile, Figure, RequestSample } from "../evaluate/profile.ts";
import type { Launch } from "../launches/launch.ts";
import type { SourceRange } from "../text/source.ts";
import { addedCosts, type LaunchedAccess, type RunCost, runCost, runRequests } from "./cost.ts";

/** What of an access its cost hangs on: of a large workspace nothing else is kept. */
export interface CountedAccess
  extends Pick<
    AccessProfile,
    "range" | "space" | "operation" | "expression" | "requests" | "totals" | "perRequest"
  > {
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
  /** Null where it is known of no launch. */
  readonly total: RunCost | null;
  /** Of the request that costs most beyond its ideal, under the worst launch; null where nothing is known. */
  readonly perRequest: Figure | null;
  /** The part of the kernel's excess, 0 to 1; null where nothing of the kernel is known, or it has none. */
  readonly share: number | null;
}

/** A kernel, or one of its instantiations, over all launches. */
export interface KernelCost {
  /** By excess, greatest first; those of which no total is known last. */
  readonly accesses: readonly AccessCost[];
  /** Of shared memory; null without such accesses, or where the total of none is known. */
  readonly shared: RunCost | null;
  /** Of global memory; likewise. */
  readonly global: RunCost | null;
  /** Wavefronts and sectors beyond the ideal; null where no total is known. */
  readonly excess: number | null;
  /** Whether the total of every access is known in full. */
  readonly isWhole: boolean;
}

/**
 * The cost of one kernel over `launches`, which are all of its launches. Launches that were assumed say what a request costs, but not how
 * many there are: they have no totals.
 */
export function kernelCost(launches: readonly CountedLaunch[]): KernelCost {
  const costs = placesOf(launches).map(costOfPlace);
  const totals = costs.flatMap(({ total }) => total ?? []);
  const excess = totals.length === 0 ? null : totals.reduce((sum, total) => sum + total.excess, 0);
  const accesses = costs.map(
    (cost): AccessCost => ({ ...cost, share: cost.total && excess ? cost.total.excess / excess : null }),
  );
  return {
    accesses: accesses.sort(byExcess),
    shared: addedCosts(totals.filter(({ unit }) => unit === "wavefronts")),
    global: addedCosts(totals.filter(({ unit }) => unit === "sectors")),
    excess,
    isWhole: costs.every(({ total }) => total?.isWhole ?? false),
  };
}

/** One access of the source, as one operation, under all launches. */
interface Place {
  readonly first: CountedAccess;
  readonly space: AccessCost["space"];
  readonly contexts: (LaunchedAccess & { readonly access: CountedAccess })[];
}

function placesOf(launches: readonly CountedLaunch[]): Place[] {
  const places = new Map<string, Place>();
  for (const { profile, count } of launches) {
    const launch = { ...profile.launch, count };
    for (const access of profile.accesses) {
      const { range, space, operation } = access;
      if ((space !== "shared" && space !== "global") || access.requests === 0) continue;
      const key = [range.file, range.start, range.end, space, operation].join("\n");
      const place = places.get(key) ?? { first: access, space, contexts: [] };
      places.set(key, place);
      place.contexts.push({ launch, access });
    }
  }
  return [...places.values()];
}

function costOfPlace({ first, space, contexts }: Place): Omit<AccessCost, "share"> {
  const { range, operation, expression } = first;
  const samples = contexts.flatMap(({ access }) => access.worst?.figure ?? access.perRequest?.least ?? []);
  return {
    range,
    space,
    operation,
    expression,
    requests: runRequests(contexts),
    total: runCost(contexts),
    perRequest: samples.reduce<Figure | null>(
      (worst, each) => (worst !== null && excessOf(worst) >= excessOf(each) ? worst : each),
      null,
    ),
  };
}

/** Greatest excess first, then by the cost of a request; what is not known last. */
function byExcess(a: AccessCost, b: AccessCost): number {
  return (
    (b.total?.excess ?? -1) - (a.total?.excess ?? -1) ||
    excessOf(b.perRequest) - excessOf(a.perRequest) ||
    (a.range.file < b.range.file ? -1 : a.range.file > b.range.file ? 1 : a.range.start - b.range.start)
  );
}

function excessOf(figure: Figure | null): number {
  return figure === null ? -1 : figure.cost - figure.ideal;
}
