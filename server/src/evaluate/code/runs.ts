// Which lanes make which trips of a loop that the compiler unrolled, where they do not make equally many.
import type { Assumption } from "../../ir/assumption.ts";
import type { LoopCopies } from "../../ir/statement.ts";
import { areSameRuns, plainRuns, type TripRun, tripRuns, tripsUntil } from "../../semantics/trips.ts";
import type { Frame, Machine } from "../machine.ts";
import { toLinear } from "../values/conversions.ts";
import { allLanes, isUniform, laneCount, laneOf } from "../values/lanes.ts";
import { isKnown, known, type Linear, rangeOf, subtract } from "../values/linear.ts";
import type { Mask } from "../values/mask.ts";
import { compareLinear, openLanes } from "../values/predicates.ts";
import { SplitRequest } from "../values/symbol.ts";
import { evaluate, withAssumption } from "./expressions.ts";

/** Steps by which the trips of the lanes of a warp, and of warps that are folded, may differ. */
const mostDifference = 64;

const unrolled: Assumption = { kind: "unrolled-trips" };

/** The runs in their order; `alike` where the copies make no difference, `unclear` where it is not known which lane makes how many trips. */
export function runsOfCopies(
  machine: Machine,
  frame: Frame,
  copies: LoopCopies,
  mask: Mask,
): readonly TripRun[] | "alike" | "unclear" {
  if (mask.uncertain !== 0 || mask.active === 0) return "unclear";
  const linear = (expression: LoopCopies["left"]) =>
    toLinear(machine, evaluate(machine, frame, expression, mask), mask);
  const distance = subtract(linear(copies.right), linear(copies.left));
  const stride = linear(copies.stride);
  if (!isKnown(stride)) return "unclear";
  const trips = isUniform(stride.constant)
    ? tripsOf(distance, Number(stride.constant), copies, mask.active)
    : tripsByLane(distance, stride, copies, mask.active);
  if (!trips) return "unclear";
  if (!differ(trips, mask.active)) return "alike";
  const plain = plainRuns(trips, mask.active);
  const readings = copies.readings.map((reading) => tripRuns(trips, mask.active, reading));
  const [first] = readings;
  if (!first || readings.every((runs) => areSameRuns(runs, plain))) return "alike";
  if (!readings.every((runs) => areSameRuns(runs, first)))
    machine.assumptions = withAssumption(machine.assumptions, unrolled);
  return first;
}

/** The trips of each active lane, 0 for others; null where they are not known. */
function tripsOf(
  distance: Linear,
  stride: number,
  { operator, leastTrips }: LoopCopies,
  active: number,
): readonly number[] | null {
  const count = (ahead: number) => tripsUntil(operator, ahead, stride, leastTrips);
  if (isKnown(distance)) return perLane(active, (lane) => count(Number(laneOf(distance.constant, lane))));
  const range = rangeOf(distance, active);
  const ends = [range.least, range.most];
  if (!ends.every(Number.isFinite) || operator === "!=") return null;
  const counts = ends.map((end) => count(end) ?? 0);
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  if (most - least > mostDifference) return null;
  const beyond: number[] = [];
  for (let trips = least; trips < most; trips++) {
    const predicate = compareLinear(operator, known(trips * stride), distance, active);
    if (openLanes(predicate, active) !== 0) {
      if (predicate.doubt?.split) throw new SplitRequest(predicate.doubt.split);
      return null;
    }
    beyond.push(predicate.yes & active);
  }
  return perLane(active, (lane) => beyond.reduce((sum, lanes) => sum + ((lanes >>> lane) & 1), least));
}

/** The same where each lane adds a number of its own. */
function tripsByLane(
  distance: Linear,
  stride: Linear,
  { operator, leastTrips }: LoopCopies,
  active: number,
): readonly number[] | null {
  if (!isKnown(distance)) return null;
  const at = (sum: Linear, lane: number) => Number(laneOf(sum.constant, lane));
  return perLane(active, (lane) => tripsUntil(operator, at(distance, lane), at(stride, lane), leastTrips));
}

function perLane(active: number, value: (lane: number) => number | null): readonly number[] | null {
  const values: number[] = [];
  for (let lane = 0; lane < laneCount; lane++) {
    const one = ((active & allLanes) >>> lane) & 1 ? value(lane) : 0;
    if (one === null) return null;
    values.push(one);
  }
  return values;
}

function differ(trips: readonly number[], active: number): boolean {
  const first = trips[Math.clz32(active & -active) ^ 31] ?? 0;
  return trips.some((each, lane) => ((active >>> lane) & 1) !== 0 && each !== first);
}
