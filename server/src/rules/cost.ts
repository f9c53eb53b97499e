// What accesses cost over all launches of one run: wavefronts of shared memory, sectors of global memory, and how many are beyond the ideal.
import type { AccessProfile, Figure } from "../evaluate/profile.ts";
import { isAssumed, type Launch } from "../launches/launch.ts";

export interface RunCost {
  /** Wavefronts of shared memory, sectors of global memory. */
  readonly unit: "wavefronts" | "sectors";
  readonly cost: number;
  readonly ideal: number;
  /** `cost - ideal`. */
  readonly excess: number;
  /** Whether every launch is counted, with a figure that is known. Otherwise the cost is at least this. */
  readonly isWhole: boolean;
}

/** What the cost of one access under one launch hangs on. */
export interface LaunchedAccess {
  readonly launch: Pick<Launch, "origin" | "isSample" | "count">;
  readonly access: Pick<AccessProfile, "space" | "totals" | "requests" | "perRequest">;
}

/** Wavefronts or sectors of one access in one launch: the totals where they are known, otherwise the least of a request times the requests. */
export function launchFigure({
  totals,
  requests,
  perRequest,
}: Pick<AccessProfile, "totals" | "requests" | "perRequest">): Figure | null {
  if (totals !== null) return totals;
  if (requests === null || perRequest === null) return null;
  return { cost: perRequest.least.cost * requests, ideal: perRequest.least.ideal * requests };
}

/** Wavefronts or sectors beyond the ideal in one launch; null where they are not known. */
export function launchExcess(access: LaunchedAccess["access"]): number | null {
  const figure = launchFigure(access);
  return figure === null ? null : figure.cost - figure.ideal;
}

/**
 * The cost of one place under all launches that a run makes: each counts as often as the host makes it. Launches that are only assumed are
 * alternatives and are not added up: null where there are no others, or none has a known figure.
 */
export function runCost(contexts: readonly LaunchedAccess[]): RunCost | null {
  let cost = 0;
  let ideal = 0;
  let known = 0;
  for (const { launch, access } of contexts) {
    const figure = isAssumed(launch) ? null : launchFigure(access);
    if (figure === null) continue;
    known++;
    cost += figure.cost * launch.count;
    ideal += figure.ideal * launch.count;
  }
  const [first] = contexts;
  if (first === undefined || known === 0) return null;
  const isWhole =
    known === contexts.length &&
    contexts.every(({ access }) => access.totals !== null && access.requests !== null);
  const unit = first.access.space === "shared" ? "wavefronts" : "sectors";
  return { unit, cost, ideal, excess: cost - ideal, isWhole };
}

/** Warp requests of the same; null where those of some launch are not known. */
export function runRequests(contexts: readonly LaunchedAccess[]): number | null {
  let sum = 0;
  for (const { launch, access } of contexts) {
    if (access.requests === null || isAssumed(launch)) return null;
    sum += access.requests * launch.count;
  }
  return sum;
}

/** Costs of one unit added up. */
export function addedCosts(costs: readonly RunCost[]): RunCost | null {
  const [first, ...others] = costs;
  if (first === undefined) return null;
  return others.reduce(
    (sum, each) => ({
      unit: sum.unit,
      cost: sum.cost + each.cost,
      ideal: sum.ideal + each.ideal,
      excess: sum.excess + each.excess,
      isWhole: sum.isWhole && each.isWhole,
    }),
    first,
  );
}
