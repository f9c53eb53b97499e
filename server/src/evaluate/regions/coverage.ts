// How far an evaluation came before its budget ended, and whether what it saw of an access stands for the whole launch.

import type { Assumption } from "../../ir/assumption.ts";
import type { LogEntry } from "../cost/recorder.ts";
import type { Figure, Verdict } from "../profile.ts";
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
export const tolerance = 0.02;
/** Regions that must have been seen before their scatter says how far their mean may be off. */
const fewestForScatter = 16;
/** Regions that must have been seen, all alike, where what lanes do may differ from warp to warp. */
const fewestAlike = 4;
/** Or the share of the warps. */
const leastShare = 0.5;
/** Standard errors that the mean is taken to be off at most. */
export const standardErrors = 3;

/** Why there is no figure where the budget ended: the warps that were seen are too few, or too unlike, or none. */
export const unevenReason =
  "the budget of the evaluation ended, and the warps that were evaluated do not stand for all";
export const unreachedReason = "the budget of the evaluation ended before any warp that comes here";

/** Whether more steps might have given a figure. */
export function isForWantOfSteps(verdict: Verdict): boolean {
  return (
    verdict.kind === "unknown" && (verdict.reason === unevenReason || verdict.reason === unreachedReason)
  );
}

/** What the figures of the warps that were evaluated are of: of all of them, of whole warps alone, or of nothing else. */
export type Standing = "for all" | "for whole warps" | "for none";

/**
 * Whether the excess factor of an access over the warps that were evaluated is, within two percent, that of the launch: it is the same
 * everywhere, or lies between the same bounds, over several regions; or what is left cannot change it; or it scatters little over many regions,
 * which lie spread over the launch. Where a few warps with all their lanes cost the same, others that are whole do about as much, but for where their
 * addresses start, and those at the edges do not.
 */
export function standingOf(entries: readonly LogEntry[], { shortfall, share }: Coverage): Standing {
  if (shortfall === null) return "for all";
  const regions = new Map<number, { cost: number; ideal: number }>();
  const lower = new Extremes();
  const upper = new Extremes();
  let isCounted = true;
  let isBounded = true;
  let isWholeWarps = true;
  const isOnePlaceAll = haveOnePlace(entries);
  for (const { region, measurement, times, uncounted } of entries) {
    if (measurement.kind === "immeasurable") continue;
    isWholeWarps &&= measurement.lanes === laneCount;
    if (measurement.kind === "bounded") {
      lower.include(measurement.least);
      upper.include(measurement.most);
      isCounted = false;
      continue;
    }
    for (const bound of [lower, upper]) {
      bound.include(measurement.worst);
      bound.include(measurement);
    }
    isCounted &&= uncounted === null;
    isBounded = false;
    const sum = regions.get(region) ?? { cost: 0, ideal: 0 };
    sum.cost += measurement.cost * times;
    sum.ideal += measurement.ideal * times;
    regions.set(region, sum);
  }
  if (lower.isEmpty) return "for all";
  const isWidelySeen = share >= leastShare || regions.size >= fewestAlike;
  if (lower.areAlike && upper.areAlike) {
    // Between the bounds of an unknown start lies what any start makes of whole warps, but one start is no such bound; where a warp starts in
    // shared memory without excess, others do.
    const isWithoutConflict = !isCounted && upper.most <= 1 && entries[0]?.access.space === "shared";
    if (isOnePlaceAll || isWidelySeen || (isWholeWarps && (isBounded || isWithoutConflict))) return "for all";
    return isWholeWarps ? "for whole warps" : "for none";
  }
  if (!isCounted) return "for none";
  const sums = [...regions.values()];
  const cost = sums.reduce((sum, each) => sum + each.cost, 0);
  const ideal = sums.reduce((sum, each) => sum + each.ideal, 0);
  const factor = cost / ideal;
  if ((1 - share) * (upper.most - lower.least) <= tolerance * factor) return "for all";
  if (sums.length < fewestForScatter) return "for none";
  // The standard error of a ratio of two sums over the regions.
  const mean = ideal / sums.length;
  const scatter = sums.reduce((sum, each) => sum + ((each.cost - factor * each.ideal) / mean) ** 2, 0);
  const error = Math.sqrt(scatter / (sums.length * (sums.length - 1)));
  return standardErrors * error <= tolerance * factor ? "for all" : "for none";
}

/** Whether it is one place for all lanes that were seen to come here: a lane by itself, or a few, say nothing of where others would go. */
function haveOnePlace(entries: readonly LogEntry[]): boolean {
  let together = 0;
  for (const { lanesAtOne } of entries) together |= lanesAtOne;
  let hasAll = false;
  for (const { measurement, lanesAtOne } of entries) {
    if (lanesAtOne === 0 && measurement.kind !== "immeasurable") return false;
    hasAll ||= lanesAtOne === together;
  }
  return hasAll;
}

/** The least and greatest excess factor of some figures. */
class Extremes {
  least = Infinity;
  most = 0;

  include({ cost, ideal }: Figure): void {
    if (ideal <= 0) return;
    this.least = Math.min(this.least, cost / ideal);
    this.most = Math.max(this.most, cost / ideal);
  }

  get isEmpty(): boolean {
    return this.least === Infinity;
  }

  get areAlike(): boolean {
    return this.most - this.least <= tolerance * this.least;
  }
}
