// The order in which the regions of a launch are evaluated: spread over the launch, so that what was done when the budget ends stands for
// all of it.

export interface RegionQueue<Region> {
  /** The region to evaluate next, taken out of the queue; undefined where none is left. */
  next(): Region | undefined;
  /** Puts the parts of the region that was taken last in its place: one of them comes next. */
  divide(parts: readonly Region[]): void;
  isEmpty(): boolean;
  /** Those that were not taken. */
  rest(): Region[];
}

/** The fractional parts of its multiples are spread evenly, however many are taken. */
const goldenRatio = 0.6180339887498949;

/**
 * Goes down from the largest region that waits to one that needs no more splitting, then starts from the largest again. `sizeOf` gives
 * the warps of a region.
 */
export function createRegionQueue<Region>(
  regions: readonly Region[],
  sizeOf: (region: Region) => number,
): RegionQueue<Region> {
  /** By the logarithm of the size. */
  const waiting: Region[][] = [];
  let chosen: Region | undefined;
  let picks = 0;
  const spreadIndex = (count: number) => Math.floor(((++picks * goldenRatio) % 1) * count);
  const add = (region: Region): void => {
    const rank = Math.floor(Math.log2(Math.max(1, sizeOf(region))));
    while (waiting.length <= rank) waiting.push([]);
    waiting[rank]?.push(region);
  };
  const takeLargest = (): Region | undefined => {
    while (waiting.length > 0) {
      const largest = waiting[waiting.length - 1];
      const last = largest?.pop();
      if (!largest || last === undefined) {
        waiting.pop();
        continue;
      }
      if (largest.length === 0) return last;
      const index = spreadIndex(largest.length + 1);
      const picked = largest[index];
      if (picked === undefined) return last;
      largest[index] = last;
      return picked;
    }
    return undefined;
  };
  for (const region of regions) add(region);
  return {
    next() {
      const region = chosen ?? takeLargest();
      chosen = undefined;
      return region;
    },
    divide(parts) {
      const index = spreadIndex(parts.length);
      parts.forEach((part, at) => {
        if (at !== index) add(part);
      });
      chosen = parts[index];
    },
    isEmpty: () => chosen === undefined && waiting.every((each) => each.length === 0),
    rest: () => [...(chosen === undefined ? [] : [chosen]), ...waiting.flat()],
  };
}
