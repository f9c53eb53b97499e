// Counts what the requests of a run cost, for each access in each call context.
import type { AccessOperation, Figure, MemorySpace } from "../evaluate/profile.ts";
import type { AccessSite } from "../ir/expression.ts";
import type { SourceRange } from "../text/source.ts";
import { figureOf } from "./figure.ts";
import { countLanes } from "./machine.ts";
import type { AccessRequest } from "./request.ts";

/** What one access in one context cost over the run. */
export interface AccessTotal {
  readonly site: AccessSite;
  readonly stack: readonly SourceRange[];
  readonly space: MemorySpace;
  readonly operation: AccessOperation;
  readonly bytes: number;
  requests: number;
  /** Active lanes over all requests. */
  lanes: number;
  /** Wavefronts or sectors; 0 where the space has none. */
  cost: number;
  ideal: number;
  /** Requests with a lane whose address is not a multiple of the width. */
  misaligned: number;
}

export interface Counter {
  /** To be given to `simulate`. */
  readonly onRequest: (request: AccessRequest) => void;
  /** In the order of their first execution. */
  readonly totals: () => readonly AccessTotal[];
}

export function createCounter(): Counter {
  const byContext = new Map<readonly SourceRange[], AccessTotal[]>();
  const all: AccessTotal[] = [];
  return {
    onRequest: (request) => {
      const total = totalOf(byContext, all, request);
      total.requests++;
      total.lanes += countLanes(request.mask);
      if (isMisaligned(request)) total.misaligned++;
      const figure: Figure | null = figureOf(request);
      if (figure === null) return;
      total.cost += figure.cost;
      total.ideal += figure.ideal;
    },
    totals: () => all,
  };
}

function totalOf(
  byContext: Map<readonly SourceRange[], AccessTotal[]>,
  all: AccessTotal[],
  request: AccessRequest,
): AccessTotal {
  const { site, stack, space, operation, bytes } = request;
  let totals = byContext.get(stack);
  if (totals === undefined) {
    totals = [];
    byContext.set(stack, totals);
  }
  const found = totals.find(
    (one) => one.bytes === bytes && one.space === space && one.operation === operation,
  );
  if (found !== undefined) return found;
  const total = {
    site,
    stack,
    space,
    operation,
    bytes,
    requests: 0,
    lanes: 0,
    cost: 0,
    ideal: 0,
    misaligned: 0,
  };
  totals.push(total);
  all.push(total);
  return total;
}

function isMisaligned(request: AccessRequest): boolean {
  for (let rest = request.mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    if ((request.laneAddresses[lane] ?? 0) % request.bytes !== 0) return true;
  }
  return false;
}
