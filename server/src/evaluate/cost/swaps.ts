// Loops of load and swap in shared memory (`atomicAdd` of floats): a swap that another warp's overtook is one more trip, so that where warps meet
// at a word time alone decides how many there are (docs/hardware.md).
import type { BoundRegion } from "../regions/region.ts";
import { factorsOf } from "../values/derive.ts";
import type { Linear } from "../values/linear.ts";
import type { WhyUnknown } from "../values/mask.ts";
import type { LogEntry } from "./recorder.ts";

/** As of data, no reading of the source would settle it. */
export const metAtWord: WhyUnknown = {
  reason: "when other warps of the block swap the same word",
  dependsOnData: true,
};

/** Whether warps of the region go to the same words, or to such as data choose. */
export function meetsInRegion({ dimensions }: BoundRegion, address: Linear): boolean {
  const factors = factorsOf([address]);
  return (
    factors.some(({ role }) => role === "data") ||
    dimensions.some(({ symbol, place }) => place.kind === "warp" && !factors.includes(symbol))
  );
}

/** Whether warps that were evaluated one by one go to the same words of a block. */
export function meetAtWords(entries: readonly LogEntry[]): boolean {
  const warpAt = new Map<string, number>();
  return entries.some(({ isSwap, measurement, warp, block, movedBytes }) => {
    if (!isSwap || warp === null || measurement.kind !== "measured") return false;
    return measurement.worstAddresses.some((address) => {
      if (address === null) return false;
      const word = `${block} ${address + movedBytes}`;
      const other = warpAt.get(word);
      warpAt.set(word, warp);
      return other !== undefined && other !== warp;
    });
  });
}
