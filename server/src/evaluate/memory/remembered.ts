// Executions of an access that cost what an earlier one did: its lanes lie as they did then, moved together by whole wavefronts or sectors. What
// was worked out for that one is taken again.
import type { AccessSite } from "../../ir/expression.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { periodOf } from "../cost/measurement.ts";
import type { LogEntry } from "../cost/recorder.ts";
import { type Lanes, laneCount } from "../values/lanes.ts";
import type { Linear } from "../values/linear.ts";
import type { Mask } from "../values/mask.ts";

/** By site, those that were worked out last. */
export type RememberedAccesses = Map<AccessSite, Remembered[]>;

export interface Remembered {
  /** Of which all but the place in the launch holds. */
  readonly entry: LogEntry;
  readonly active: number;
  /** Where the lanes are within the object. */
  readonly offset: Lanes;
  /** What measuring it took. */
  readonly figures: number;
}

/** Of one site: the places within a sector that a warp's start may have, of a usual type. */
const mostOfSite = 8;

/** Whether what is worked out holds for others: each lane is known to take part, and where. */
export function isWorthRemembering({ terms }: Linear, { uncertain }: Mask, { access }: LogEntry): boolean {
  const { operation, space, site } = access;
  return (
    terms.length === 0 &&
    uncertain === 0 &&
    site.wideBytes === undefined &&
    (operation === "load" || operation === "store") &&
    (space === "shared" || space === "global")
  );
}

export function remember(all: RememberedAccesses, remembered: Remembered): void {
  const { site } = remembered.entry.access;
  const known = all.get(site);
  if (known === undefined) all.set(site, [remembered]);
  else if (known.unshift(remembered) > mostOfSite) known.pop();
}

/** By how many bytes the lanes lie beyond those of an earlier execution; null where they lie otherwise, or may cost something else there. */
export function movedSince({ entry, active, offset }: Remembered, now: Lanes): number | null {
  const { space } = entry.access;
  const period = periodOf(space === "shared" ? "shared" : "global");
  if (typeof now === "number" && typeof offset === "number")
    return (now - offset) % period === 0 ? now - offset : null;
  if (typeof now !== "object" || typeof offset !== "object") return null;
  const first = 31 - Math.clz32(active & -active);
  const moved = difference(now, offset, first);
  if (moved === null || moved % period !== 0) return null;
  for (let lane = first + 1; lane < laneCount; lane++)
    if ((active >>> lane) & 1 && difference(now, offset, lane) !== moved) return null;
  return moved;
}

/** Null where one of them is beyond what doubles hold. */
function difference(a: Exclude<Lanes, Scalar>, b: Exclude<Lanes, Scalar>, lane: number): number | null {
  const left = a[lane];
  const right = b[lane];
  return typeof left === "number" && typeof right === "number" ? left - right : null;
}
