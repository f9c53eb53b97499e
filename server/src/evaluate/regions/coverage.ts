// How far an evaluation came before its budget ended, and whether what it saw of an access stands for the whole launch.

import type { Assumption } from "../../ir/assumption.ts";
import type { LogEntry } from "../cost/recorder.ts";
import { laneCount } from "../values/lanes.ts";

/** How much of the launch was evaluated. */
export interface Coverage {
  readonly isGridKnown: boolean;
  /** What is assumed of the rest, where the budget ended first. */
  readonly shortfall: Assumption | null;
  /** Share of the launch's warps that were evaluated, 0 to 1. */
  readonly share: number;
}

/** By how much, relative to it, a figure may be off that stands for the whole launch. */
const tolerance = 0.02;
/** Regions that must have been seen before their scatter says how far their mean may be off. */
const fewestForScatter = 16;
/** Regions that must have been seen, all alike, where what lanes do may differ from warp to warp. */
const fewestAlike = 4;
/** Or the share of the warps. */
const leastShare = 0.5;
/** Standard errors that the mean is taken to be off at most. */
const standardErrors = 3;

/**
 * Whether the excess factor of an access over the warps that were evaluated is, within two percent, that of the launch: it is the same
 * everywhere, which says little where only some lanes take part and few warps were seen; or what is left cannot change it; or it scatters
 * little over many regions, which lie spread over the launch.
 */
export function isRepresentative(entries: readonly LogEntry[], { shortfall, share }: Coverage): boolean {
  if (shortfall === null) return true;
  const regions = new Map<number, { cost: number; ideal: number }>();
  let least = Infinity;
  let most = 0;
  const see = (cost: number, ideal: number): void => {
    if (ideal <= 0) return;
    least = Math.min(least, cost / ideal);
    most = Math.max(most, cost / ideal);
  };
  let isCounted = true;
  let isWholeWarps = true;
  for (const { region, measurement, times, isOnePlace, isCounted: isEntryCounted } of entries) {
    if (measurement.kind === "immeasurable") continue;
    isWholeWarps &&= isOnePlace || measurement.lanes === laneCount;
    if (measurement.kind === "bounded") {
      see(measurement.least.cost, measurement.least.ideal);
      see(measurement.most.cost, measurement.most.ideal);
      isCounted = false;
      continue;
    }
    see(measurement.worst.cost, measurement.worst.ideal);
    see(measurement.cost, measurement.ideal);
    isCounted &&= isEntryCounted;
    const sum = regions.get(region) ?? { cost: 0, ideal: 0 };
    sum.cost += measurement.cost * times;
    sum.ideal += measurement.ideal * times;
    regions.set(region, sum);
  }
  if (least === Infinity) return true;
  const isWidelySeen = share >= leastShare || regions.size >= fewestAlike;
  if (most - least <= tolerance * least) return isWholeWarps || isWidelySeen;
  if (!isCounted) return false;
  const sums = [...regions.values()];
  const cost = sums.reduce((sum, each) => sum + each.cost, 0);
  const ideal = sums.reduce((sum, each) => sum + each.ideal, 0);
  const factor = cost / ideal;
  if ((1 - share) * (most - least) <= tolerance * factor) return true;
  if (sums.length < fewestForScatter) return false;
  // The standard error of a ratio of two sums over the regions.
  const mean = ideal / sums.length;
  const scatter = sums.reduce((sum, each) => sum + ((each.cost - factor * each.ideal) / mean) ** 2, 0);
  const error = Math.sqrt(scatter / (sums.length * (sums.length - 1)));
  return standardErrors * error <= tolerance * factor;
}
