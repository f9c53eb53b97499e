// The part of a launch that one evaluation covers: ranges of blocks and of warps, folded into dimensions. Everything in it behaves
// alike, or a SplitRequest says where it does not.
import type { Launch } from "../../launches/launch.ts";
import { foldLanes, type Lanes, laneCount } from "../values/lanes.ts";
import { add, known, type Linear, scale, symbolic } from "../values/linear.ts";
import type { Indeterminate, Split } from "../values/symbol.ts";
import type { SymbolTable } from "../values/symbols.ts";

/** Values start, start + step, …, `count` of them. */
export interface Progression {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** Indexed by `DimensionName`; a block index of an unknown grid is null. */
export interface Region {
  readonly block: readonly [Progression | null, Progression | null, Progression | null];
  readonly warps: WarpLayout;
  /** Progressions of the warp dimensions of the layout. */
  readonly warp: readonly Progression[];
}

/** Warps of a block whose threads are placed alike: thread index = lanes' part + Σ warp dimension × its stride. */
export interface WarpLayout {
  readonly activeMask: number;
  readonly lanes: readonly [Lanes, Lanes, Lanes];
  /** For each warp dimension: what one step adds to threadIdx.x, .y, .z and to the warp's number. */
  readonly strides: readonly (readonly [number, number, number, number])[];
  readonly firstWarp: number;
}

/** A region with a symbol for every dimension that counts more than one. */
export interface BoundRegion {
  readonly region: Region;
  readonly blockIndex: readonly [Linear, Linear, Linear];
  readonly threadIndex: readonly [Linear, Linear, Linear];
  readonly warpIndex: Linear;
  /** The dimensions of more than one value, with their place in the region. */
  readonly dimensions: readonly { readonly symbol: Indeterminate; readonly place: DimensionPlace }[];
  /** See `warpsOf`. */
  readonly warpCount: number;
  readonly isGridKnown: boolean;
}

export type DimensionPlace =
  | { readonly kind: "block"; readonly axis: 0 | 1 | 2 }
  | { readonly kind: "warp"; readonly index: number };

/** Regions that together cover every warp of the launch once. */
export function regionsOf(launch: Launch): Region[] {
  const whole = (count: number | null): Progression | null =>
    count === null ? null : { start: 0, step: 1, count };
  const block = [whole(launch.grid[0]), whole(launch.grid[1]), whole(launch.grid[2])] as const;
  return warpLayouts(launch.block).map(({ layout, counts }) => ({
    block,
    warps: layout,
    warp: counts.map((count) => ({ start: 0, step: 1, count })),
  }));
}

/** Gives each dimension its symbol. */
export function bindRegion(region: Region, symbols: SymbolTable): BoundRegion {
  const dimensions: { symbol: Indeterminate; place: DimensionPlace }[] = [];
  const bind = (progression: Progression, name: string, place: DimensionPlace): Linear => {
    if (progression.count === 1) return known(progression.start);
    const symbol = symbols.create({
      name,
      role: "dimension",
      varies: false,
      least: 0,
      most: progression.count - 1,
    });
    dimensions.push({ symbol, place });
    return add(known(progression.start), scale(symbolic(symbol), progression.step));
  };
  const blockIndexOf = (axis: 0 | 1 | 2): Linear => {
    const progression = region.block[axis];
    const name = `blockIdx.${"xyz"[axis]}`;
    if (progression) return bind(progression, name, { kind: "block", axis });
    return symbolic(
      symbols.create({ name, role: "position", varies: false, least: 0, most: Infinity, reason: name }),
    );
  };
  const blockIndex = [blockIndexOf(0), blockIndexOf(1), blockIndexOf(2)] as const;
  const steps = region.warp.map((progression, index) => bind(progression, "warp", { kind: "warp", index }));
  const threadIndexOf = (axis: 0 | 1 | 2 | 3, base: Linear): Linear =>
    region.warps.strides.reduce(
      (sum, stride, index) => add(sum, scale(steps[index] ?? known(0), stride[axis])),
      base,
    );
  const { lanes, firstWarp } = region.warps;
  return {
    region,
    blockIndex,
    threadIndex: [
      threadIndexOf(0, known(lanes[0])),
      threadIndexOf(1, known(lanes[1])),
      threadIndexOf(2, known(lanes[2])),
    ],
    warpIndex: threadIndexOf(3, known(firstWarp)),
    dimensions,
    warpCount: warpsOf(region),
    isGridKnown: region.block.every((progression) => progression !== null),
  };
}

/** Warps of a region over all its blocks, an unknown extent of the grid counted as one. */
export function warpsOf(region: Region): number {
  return [...region.block, ...region.warp].reduce(
    (product, progression) => product * (progression?.count ?? 1),
    1,
  );
}

/** The parts of a region that `split` asks for. */
export function splitRegion(bound: BoundRegion, split: Split): Region[] {
  const dimension = bound.dimensions.find(({ symbol }) => symbol === split.dimension);
  if (!dimension) return [];
  const { region } = bound;
  const { place } = dimension;
  const progression = place.kind === "block" ? region.block[place.axis] : region.warp[place.index];
  if (!progression) return [];
  return splitProgression(progression, split.at).map((part) =>
    place.kind === "block"
      ? { ...region, block: replaceAt(region.block, place.axis, part) }
      : { ...region, warp: region.warp.map((old, index) => (index === place.index ? part : old)) },
  );
}

/** The parts of a progression, in order of their first value. */
export function splitProgression(whole: Progression, at: Split["at"]): Progression[] {
  const { start, step, count } = whole;
  switch (at.kind) {
    case "threshold": {
      const first = Math.min(Math.max(1, at.count), count - 1);
      return [
        { start, step, count: first },
        { start: start + first * step, step, count: count - first },
      ];
    }
    case "modulo": {
      const period = Math.min(at.period, count);
      if (period > mostParts) return chunks(whole);
      return Array.from({ length: period }, (_, residue) => ({
        start: start + residue * step,
        step: step * period,
        count: Math.ceil((count - residue) / period),
      }));
    }
    case "starts": {
      const ends = [...at.starts, count];
      return ends.map((end, index) => {
        const first = ends[index - 1] ?? 0;
        return { start: start + first * step, step, count: end - first };
      });
    }
    case "points":
      if (count > mostParts) return chunks(whole);
      return Array.from({ length: count }, (_, index) => ({ start: start + index * step, step, count: 1 }));
  }
}

/** Parts that one split makes; a longer progression is cut into runs first, which ask to be split again. */
const mostParts = 256;

function chunks({ start, step, count }: Progression): Progression[] {
  const length = Math.ceil(count / mostParts);
  return Array.from({ length: Math.ceil(count / length) }, (_, index) => ({
    start: start + index * length * step,
    step,
    count: Math.min(length, count - index * length),
  }));
}

type Triple<T> = readonly [T, T, T];

function replaceAt<T>(triple: Triple<T>, axis: 0 | 1 | 2, value: T): Triple<T> {
  return [axis === 0 ? value : triple[0], axis === 1 ? value : triple[1], axis === 2 ? value : triple[2]];
}

interface CountedLayout {
  readonly layout: WarpLayout;
  readonly counts: readonly number[];
}

/** The warps of a block, folded where their threads are placed alike up to a constant. */
function warpLayouts(block: Triple<number>): CountedLayout[] {
  const [width, height, depth] = block;
  const threads = width * height * depth;
  const rows = height * depth;
  if (width % laneCount === 0) {
    const perRow = width / laneCount;
    return [
      folded(block, [
        { count: perRow, stride: [laneCount, 0, 0, 1] },
        { count: height, stride: [0, 1, 0, perRow] },
        { count: depth, stride: [0, 0, 1, perRow * height] },
      ]),
    ];
  }
  const rowsPerWarp = laneCount / width;
  if (Number.isInteger(rowsPerWarp) && rows % rowsPerWarp === 0) {
    if (height % rowsPerWarp === 0)
      return [
        folded(block, [
          { count: height / rowsPerWarp, stride: [0, rowsPerWarp, 0, 1] },
          { count: depth, stride: [0, 0, 1, height / rowsPerWarp] },
        ]),
      ];
    if (rowsPerWarp % height === 0)
      return [folded(block, [{ count: rows / rowsPerWarp, stride: [0, 0, rowsPerWarp / height, 1] }])];
  }
  return Array.from({ length: Math.ceil(threads / laneCount) }, (_, warp) => ({
    layout: layoutAt(block, warp, []),
    counts: [],
  }));
}

interface WarpDimension {
  readonly count: number;
  readonly stride: readonly [number, number, number, number];
}

function folded(block: Triple<number>, dimensions: readonly WarpDimension[]): CountedLayout {
  const several = dimensions.filter(({ count }) => count > 1);
  return {
    layout: layoutAt(
      block,
      0,
      several.map(({ stride }) => stride),
    ),
    counts: several.map(({ count }) => count),
  };
}

function layoutAt(block: Triple<number>, warp: number, strides: WarpLayout["strides"]): WarpLayout {
  const [width, height, depth] = block;
  const threads = Array.from({ length: laneCount }, (_, lane) => warp * laneCount + lane);
  const activeMask = threads.reduce(
    (mask, thread, lane) => (thread < width * height * depth ? mask | (1 << lane) : mask),
    0,
  );
  return {
    activeMask,
    lanes: [
      foldLanes(threads.map((thread) => thread % width)),
      foldLanes(threads.map((thread) => Math.floor(thread / width) % height)),
      foldLanes(threads.map((thread) => Math.floor(thread / (width * height)))),
    ],
    strides,
    firstWarp: warp,
  };
}
