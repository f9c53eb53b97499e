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

/** The runs in their order; null where all trips are tested, or where it makes no difference. */
export function runsOfCopies(
  machine: Machine,
  frame: Frame,
  copies: LoopCopies,
  mask: Mask,
): readonly TripRun[] | null {
  if (mask.uncertain !== 0 || mask.active === 0) return null;
  const linear = (expression: LoopCopies["left"]) =>
    toLinear(machine, evaluate(machine, frame, expression, mask), mask);
  const distance = subtract(linear(copies.right), linear(copies.left));
  const stride = linear(copies.stride);
  if (!isKnown(stride) || !isUniform(stride.constant)) return null;
  const trips = tripsOf(distance, Number(stride.constant), copies.operator, mask.active);
  if (!trips) return null;
  const plain = plainRuns(trips, mask.active);
  const readings = copies.readings.map((reading) => tripRuns(trips, mask.active, reading));
  const [first] = readings;
  if (!first || readings.every((runs) => areSameRuns(runs, plain))) return null;
  if (!readings.every((runs) => areSameRuns(runs, first)))
    machine.assumptions = withAssumption(machine.assumptions, unrolled);
  return first;
}

/** The trips of each active lane, 0 for others; null where they are not known, or where they are the same for all. */
function tripsOf(
  distance: Linear,
  stride: number,
  operator: LoopCopies["operator"],
  active: number,
): readonly number[] | null {
  const count = (bytes: number) => tripsUntil(operator, bytes, stride);
  if (isKnown(distance)) {
    const counts = perLane(active, (lane) => count(Number(laneOf(distance.constant, lane))));
    return counts && differ(counts, active) ? counts : null;
  }
  const range = rangeOf(distance, active);
  const ends = [range.least, range.most];
  if (!ends.every(Number.isFinite) || operator === "!=") return null;
  const counts = ends.map((end) => count(end) ?? 0);
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  if (least === most || most - least > mostDifference) return null;
  const beyond: number[] = [];
  for (let trips = least; trips < most; trips++) {
    const predicate = compareLinear(operator, known(trips * stride), distance, active);
    if (openLanes(predicate, active) !== 0) {
      if (predicate.doubt?.split) throw new SplitRequest(predicate.doubt.split);
      return null;
    }
    beyond.push(predicate.yes & active);
  }
  const found = perLane(active, (lane) => beyond.reduce((sum, lanes) => sum + ((lanes >>> lane) & 1), least));
  return found && differ(found, active) ? found : null;
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
