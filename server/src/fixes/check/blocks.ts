// Which blocks of two launches a check runs: few, so chosen that together they stand for the rest.
import type { Launch } from "../../launches/launch.ts";
import type { AxisPair } from "../fix.ts";

export type BlockIndex = readonly [number, number, number];
type Extents = readonly [number, number, number];

export interface BlockChoice {
  readonly original: readonly BlockIndex[];
  readonly patched: readonly BlockIndex[];
}

/** The shape of one launch, with its grid known. */
export interface LaunchShape {
  readonly block: Launch["block"];
  readonly grid: Extents;
}

/**
 * At most `most` blocks where both launches have one shape: the first and the last (where guards bite), then the other corners of the first
 * layer and one from the middle. Where shapes differ, those blocks that cover the same threads of the whole launch, at its beginning and at its
 * end; null where these are too many. Where axes are swapped, what is along one of them is along the other in the patched launch.
 */
export function chooseBlocks(
  original: LaunchShape,
  patched: LaunchShape,
  most: number,
  swappedAxes: AxisPair | null = null,
): BlockChoice | null {
  if (swappedAxes !== null) {
    const turn = turns[swappedAxes];
    const turned = { block: turn(patched.block), grid: turn(patched.grid) };
    const choice = chooseBlocks(original, turned, most);
    return choice === null ? null : { ...choice, patched: choice.patched.map(turn) };
  }
  if (isSame(original.block, patched.block) && isSame(original.grid, patched.grid)) {
    const blocks = spread(original.grid, most);
    return { original: blocks, patched: blocks };
  }
  const regions = commonRegions(original, patched);
  const choice = {
    original: blocksIn(original, regions),
    patched: blocksIn(patched, regions),
  };
  return threads(choice.original, original) > mostThreads || threads(choice.patched, patched) > mostThreads
    ? null
    : choice;
}

const turns: Readonly<Record<AxisPair, (extents: Extents) => BlockIndex>> = {
  xy: ([x, y, z]) => [y, x, z],
  xz: ([x, y, z]) => [z, y, x],
};

/** More than these would take seconds. */
const mostThreads = 32_768;

function threads(blocks: readonly BlockIndex[], { block }: LaunchShape): number {
  return blocks.length * block[0] * block[1] * block[2];
}

function isSame(left: Extents, right: Extents): boolean {
  return left.every((extent, axis) => extent === right[axis]);
}

function spread(grid: Extents, most: number): BlockIndex[] {
  const [x, y, z] = grid;
  if (x * y * z <= most) return all([range(0, x), range(0, y), range(0, z)]);
  const wanted: BlockIndex[] = [
    [0, 0, 0],
    [x - 1, y - 1, z - 1],
    // Off the diagonal: a mistake of rows for columns shows there.
    [Math.floor((2 * x) / 3), Math.floor(y / 3), Math.floor(z / 2)],
    [x - 1, 0, 0],
    [0, y - 1, 0],
  ];
  return unique(wanted).slice(0, most);
}

function unique(blocks: readonly BlockIndex[]): BlockIndex[] {
  return [...new Map(blocks.map((block) => [block.join(), block])).values()];
}

/** Bounds in threads, `[start, end)`, for each axis: where the launches begin and where the shorter one ends. */
function commonRegions(original: LaunchShape, patched: LaunchShape): (readonly [number, number])[][] {
  return [0, 1, 2].map((axis) => {
    const [first, second] = [original.block[axis] ?? 1, patched.block[axis] ?? 1];
    const period = leastCommonMultiple(first, second);
    const extent = Math.min(first * (original.grid[axis] ?? 1), second * (patched.grid[axis] ?? 1));
    const last = Math.floor((extent - 1) / period) * period;
    return [...new Set([0, last])].map((start) => [start, start + period] as const);
  });
}

function blocksIn(
  { block, grid }: LaunchShape,
  regions: readonly (readonly (readonly [number, number])[])[],
) {
  return all(
    regions.map((bounds, axis) =>
      bounds.flatMap(([start, end]) => {
        const width = block[axis] ?? 1;
        return range(start / width, Math.min(end / width, grid[axis] ?? 1));
      }),
    ),
  );
}

function all([xs = [], ys = [], zs = []]: readonly (readonly number[])[]): BlockIndex[] {
  return zs.flatMap((z) => ys.flatMap((y) => xs.map((x): BlockIndex => [x, y, z])));
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

function leastCommonMultiple(a: number, b: number): number {
  return (a / greatestCommonDivisor(a, b)) * b;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
