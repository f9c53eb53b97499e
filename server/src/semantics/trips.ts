// In which order lanes make the trips of a loop that the compiler unrolled: rounds of several trips, and a remainder before or behind them.
import { lanesIn } from "./lanes.ts";

/** How a loop whose trips are counted when it starts was unrolled (recorded: fixtures/forms/unrolled_trips.cu). */
export interface Copies {
  /** Trips of one round. */
  readonly count: number;
  /** Where the trips are made that do not fill a round. */
  readonly remainder: "before" | "after";
  /** Rounds that follow each other without a test: 4 means four, then two, then one. */
  readonly roundsTogether: 1 | 4;
}

/** Trips that the same lanes make together. */
export interface TripRun {
  readonly mask: number;
  readonly count: number;
}

/** The trips of a loop that tests after each one: as many runs as there are different numbers of trips. */
export function plainRuns(trips: readonly number[], mask: number): readonly TripRun[] {
  const ends = [...new Set(lanesIn(mask).map((lane) => trips[lane] ?? 0))].sort((a, b) => a - b);
  return ends.flatMap((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
    return run(
      select(mask, (lane) => (trips[lane] ?? 0) > start),
      end - start,
    );
  });
}

/** The same trips as the unrolled loop makes them; `trips[lane]` is how many the lane makes. */
export function tripRuns(trips: readonly number[], mask: number, copies: Copies): readonly TripRun[] {
  const { count } = copies;
  const remainder = remainderRuns(trips, mask, count);
  const rounds = trips.map((each) => Math.floor(each / count));
  const main = copies.roundsTogether === 1 ? plainRuns(rounds, mask) : groupedRuns(rounds, mask);
  const whole = main.map((one) => ({ mask: one.mask, count: one.count * count }));
  return joined(copies.remainder === "before" ? [...remainder, ...whole] : [...whole, ...remainder]);
}

/** Whether the lanes of a warp meet in the same trips. */
export function areSameRuns(a: readonly TripRun[], b: readonly TripRun[]): boolean {
  return a.length === b.length && a.every((one, i) => one.mask === b[i]?.mask && one.count === b[i]?.count);
}

function remainderRuns(trips: readonly number[], mask: number, count: number): readonly TripRun[] {
  const rests = trips.map((each) => each % count);
  return plainRuns(rests, mask);
}

/** Fours while there are four, then two, then one. */
function groupedRuns(rounds: readonly number[], mask: number): readonly TripRun[] {
  const fours = plainRuns(
    rounds.map((each) => Math.floor(each / 4)),
    mask,
  ).map((one) => ({ mask: one.mask, count: one.count * 4 }));
  const two = run(
    select(mask, (lane) => ((rounds[lane] ?? 0) & 2) !== 0),
    2,
  );
  const one = run(
    select(mask, (lane) => ((rounds[lane] ?? 0) & 1) !== 0),
    1,
  );
  return [...fours, ...two, ...one];
}

function run(mask: number, count: number): readonly TripRun[] {
  return mask === 0 || count === 0 ? [] : [{ mask, count }];
}

function joined(runs: readonly TripRun[]): readonly TripRun[] {
  const result: TripRun[] = [];
  for (const one of runs) {
    const last = result.at(-1);
    if (last?.mask === one.mask)
      result[result.length - 1] = { mask: one.mask, count: last.count + one.count };
    else result.push(one);
  }
  return result;
}

function select(mask: number, holds: (lane: number) => boolean): number {
  let found = 0;
  for (const lane of lanesIn(mask)) if (holds(lane)) found |= 1 << lane;
  return found;
}

/**
 * How often `value` passes `value operator bound` when `stride` is added after each trip, at least `least` times; null where it would not
 * end.
 */
export function tripsUntil(operator: string, distance: number, stride: number, least: number): number | null {
  const ahead = stride > 0 ? distance : -distance;
  const pace = Math.abs(stride);
  if (pace === 0) return null;
  switch (operator) {
    case "<":
      return stride > 0 ? Math.max(least, Math.ceil(ahead / pace)) : null;
    case ">":
      return stride < 0 ? Math.max(least, Math.ceil(ahead / pace)) : null;
    case "<=":
      return stride > 0 ? Math.max(least, Math.floor(ahead / pace) + 1) : null;
    case ">=":
      return stride < 0 ? Math.max(least, Math.floor(ahead / pace) + 1) : null;
    case "!=":
      return ahead >= least && ahead % pace === 0 ? ahead / pace : null;
    default:
      return null;
  }
}
