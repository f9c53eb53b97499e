// What a check gives both kernels: arguments that the launch leaves open, and the first contents of memory. Nothing is known of the user's
// data, so that several sets are tried.

import type { FunctionId, Program } from "../../ir/function.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { int32, isScalar, type ScalarType, sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { leavesOf } from "../../launches/host/leaves.ts";
import type { Allocation, HostValue, Launch } from "../../launches/launch.ts";
import { convert } from "../../semantics/arithmetic.ts";
import { type RandomFloats, randomContents } from "../../simulator/contents.ts";
import type { FillPage } from "../../simulator/memory.ts";
import type { SimulationOptions } from "../../simulator/simulate.ts";
import { visitStatements } from "../../simulator/walk.ts";

/** One way to fill in what is open. */
export interface InputSet {
  readonly seed: number;
  /**
   * Integers that may be sizes. `launched`: as the host gives them, and where it does not, as many as there are threads along the longest
   * axis. `odd`: a little less, so that tails and guards take part. `small`: single digits where the host gives nothing.
   */
  readonly sizes: "launched" | "odd" | "small";
  readonly warpOrder: "ascending" | "descending";
  /** `full`: rounding tells in which order numbers are added. */
  readonly floats: RandomFloats;
}

export const inputSets: readonly InputSet[] = [
  { seed: 1, sizes: "launched", warpOrder: "ascending", floats: "full" },
  { seed: 2, sizes: "odd", warpOrder: "ascending", floats: "small" },
  { seed: 1, sizes: "launched", warpOrder: "descending", floats: "full" },
  { seed: 3, sizes: "small", warpOrder: "ascending", floats: "full" },
];

/** Everything of a launch that a run needs to be known. */
export type Inputs = Required<
  Pick<SimulationOptions, "grid" | "sharedBytes" | "arguments" | "contents" | "variableContents">
>;

export interface InputChoices {
  /** Integers in memory are below it. */
  readonly integerLimit: number;
  /** Arguments that are not varied. */
  readonly fixed: ReadonlySet<number>;
  readonly extent: Extent;
}

/**
 * Where a run would take too long. `short`: known sizes of hundreds and more become little more than a hundred. `least`: and the last of several
 * is no more than a warp is wide: often the length of what is summed. `fewer`: half of that. `fewest`: no size is longer, but for what is as
 * large as the block, and smaller numbers are 2 at the most.
 */
export type Extent = (typeof extents)[number];

const extents = ["whole", "short", "least", "fewer", "fewest"] as const;

/**
 * Inputs of one launch. Those of another with the same parameters are the same: numbers depend on the place of a parameter, never on ids.
 */
export function inputsOf(
  program: Program,
  launch: Launch,
  set: InputSet,
  { integerLimit, fixed, extent }: InputChoices,
): Inputs | null {
  const definition = program.functionOf(launch.kernel);
  if (definition === null) return null;
  const grid = chooseGrid(program, launch);
  const threadCount = threadsAlong(grid, launch);
  const lastSize = lengthOfSum(sizesOf(program, launch, fixed));
  const places = new Map<number, number>();
  const given = definition.parameters.map((parameter, index): HostValue => {
    const value = launch.arguments[index] ?? { kind: "unknown", reason: "" };
    const isLast = index === lastSize;
    const sizes: Sizes = {
      set,
      index,
      threadCount,
      extent,
      isLast,
      isFixed: fixed.has(index),
      block: launch.block,
    };
    return completed(value, parameter.type, sizes, parameter.name);
  });
  return {
    grid,
    sharedBytes: launch.sharedBytes ?? assumedSharedBytes,
    arguments: new Map(given.entries()),
    contents: (allocation, element) => {
      const place = places.get(allocation.id) ?? places.size;
      places.set(allocation.id, place);
      return randomContents(set.seed * 7919 + place, elementOf(element), {
        integerLimit,
        floats: set.floats,
      });
    },
    variableContents: (variable) => variableContents(variable, set, integerLimit),
  };
}

/** Arguments of scalar type that are not the same in both launches: these the fix itself has changed. */
export function changedArguments(original: Launch, patched: Launch): Set<number> {
  const changed = new Set<number>();
  for (const [index, value] of original.arguments.entries()) {
    const other = patched.arguments[index];
    if (value.kind === "scalar" && (other?.kind !== "scalar" || other.value !== value.value))
      changed.add(index);
  }
  return changed;
}

/** Where the parameters of these names stand among the kernel's. */
export function parameterPlaces(program: Program, { kernel }: Launch, names: readonly string[]): number[] {
  const parameters = program.functionOf(kernel)?.parameters ?? [];
  return [...parameters.keys()].filter((place) => names.includes(parameters[place]?.name ?? ""));
}

/** A size may also bound a loop. */
const mostMadeSize = 4096;

/** As much as every block can have without asking. */
const assumedSharedBytes = 48 * 1024;

/** Threads along the longest axis: as many elements as a size that the host leaves open stands for. */
function threadsAlong(grid: readonly number[], { block }: Launch): number {
  return Math.min(mostMadeSize, Math.max(...grid.map((blocks, axis) => blocks * (block[axis] ?? 1))));
}

/** Along an axis that the host leaves open: a few blocks where the kernel tells them apart, else one. */
function chooseGrid(program: Program, { grid, kernel }: Launch): [number, number, number] {
  const used = grid.includes(null) ? blockAxes(program, kernel) : new Set<string>();
  const chosen = (axis: 0 | 1 | 2, name: string, blocks: number) =>
    grid[axis] ?? (used.has(name) ? blocks : 1);
  return [chosen(0, "blockIdx.x", 3), chosen(1, "blockIdx.y", 2), chosen(2, "blockIdx.z", 2)];
}

function blockAxes(program: Program, kernel: FunctionId): Set<string> {
  const names = [...intrinsicsOf(program, kernel)];
  return new Set(names.filter((name) => intrinsicEffect(name) === "identity"));
}

/** The names of the intrinsics that a kernel and what it calls use. */
export function intrinsicsOf(program: Program, kernel: FunctionId): Set<string> {
  const names = new Set<string>();
  const queue = new Set([kernel]);
  for (const id of queue) {
    visitStatements(program.functionOf(id)?.body ?? [], {
      expression: (expression) => {
        if (expression.kind === "call" || expression.kind === "function") queue.add(expression.callee);
        if (expression.kind === "intrinsic") names.add(expression.name);
      },
    });
  }
  return names;
}

interface Sizes {
  readonly set: InputSet;
  /** The parameter's place: odd sizes differ from each other. */
  readonly index: number;
  readonly threadCount: number;
  readonly extent: Extent;
  readonly isFixed: boolean;
  /** The last of the launch's sizes. */
  readonly isLast: boolean;
  readonly block: Launch["block"];
}

function completed(value: HostValue, type: Type, sizes: Sizes, name: string): HostValue {
  switch (value.kind) {
    case "scalar":
      return isScalar(type) ? { kind: "scalar", value: varied(value.value, type, sizes) } : value;
    case "pointer":
    case "null":
      return value;
    case "unknown":
      return type.kind === "record" || type.kind === "array"
        ? completed({ kind: "aggregate", parts: new Map() }, type, sizes, name)
        : made(value, type, sizes, name);
    case "aggregate": {
      const parts = new Map(value.parts);
      for (const leaf of leavesOf(type) ?? []) {
        const part = parts.get(leaf.offsetBytes) ?? { kind: "unknown", reason: name };
        if (part.kind === "unknown") {
          const own = { ...sizes, index: sizes.index + leaf.offsetBytes / 4 };
          parts.set(leaf.offsetBytes, made(part, leaf.type, own, name));
        }
      }
      return { kind: "aggregate", parts };
    }
  }
}

/** Numbers from here on may be sizes; smaller ones are strides, radii, modes, and how often a loop runs. */
const leastSize = 8;
const fewestTrips = 2;

function varied(value: number | bigint, type: ScalarType, sizes: Sizes): number | bigint {
  const { set, isFixed, extent, block } = sizes;
  if (isFixed || type.kind !== "integer" || typeof value !== "number") return value;
  if (value < leastSize) return shortened(value, sizes);
  // A tile as wide as the block: with less, what lies behind it in shared memory would begin in it.
  if (extent === "fewest" && block.includes(value)) return value;
  const size = shortened(value, sizes);
  if (set.sizes !== "odd") return size;
  return size % 2 === 0 ? size - 1 : size - 2;
}

/** What is left over of a warp, or of half of one, stays. */
function shortened(
  size: number,
  { extent, isLast, block }: Pick<Sizes, "extent" | "isLast" | "block">,
): number {
  const toWarps = (least: number) => Math.min(size, least + (size % 32));
  const toHalf = Math.min(size, 16 + (size % 16));
  switch (extent) {
    case "whole":
      return size;
    case "short":
      return toWarps(shortSize);
    case "least":
      return toWarps(isLast ? 32 : shortSize);
    case "fewer":
      return isLast ? toHalf : toWarps(shortSize);
    case "fewest":
      return size < leastSize ? Math.min(size, fewestTrips) : block.includes(size) ? size : toHalf;
  }
}

/** Wide enough for the tiles of one block. */
const shortSize = 128;

/** The next extent that makes some size shorter; null where there is none. */
export function shorterThan(
  extent: Extent,
  subject: { readonly program: Program; readonly launch: Launch },
  fixed: ReadonlySet<number>,
): Extent | null {
  const next = extents.slice(extents.indexOf(extent) + 1);
  return next.find((each) => canShorten(subject, fixed, extent, each)) ?? null;
}

/** Whether a size of the launch is shorter `to` an extent than `from` another; the only one it has is not the length of a sum. */
export function canShorten(
  { program, launch }: { readonly program: Program; readonly launch: Launch },
  fixed: ReadonlySet<number>,
  from: Extent,
  to: Extent,
): boolean {
  const sizes = sizesOf(program, launch, fixed);
  const { block } = launch;
  const lastSize = lengthOfSum(sizes);
  return sizes.some(({ value, index }) => {
    const isLast = index === lastSize;
    return (
      shortened(value, { extent: to, isLast, block }) < shortened(value, { extent: from, isLast, block })
    );
  });
}

/** The place of the last of several sizes; null where there is one at most. */
function lengthOfSum(sizes: readonly Size[]): number | null {
  const long = sizes.filter(({ value }) => value >= leastSize);
  return long.length > 1 ? (long.at(-1)?.index ?? null) : null;
}

/** An argument that may be a size, or say how often a loop runs. */
interface Size {
  readonly index: number;
  readonly value: number;
}

function sizesOf(program: Program, launch: Launch, fixed: ReadonlySet<number>): Size[] {
  const made = threadsAlong(chooseGrid(program, launch), launch);
  const parameters = program.functionOf(launch.kernel)?.parameters ?? [];
  return parameters.flatMap(({ type }, index): Size[] => {
    const given = launch.arguments[index];
    const value = given?.kind === "scalar" ? given.value : made;
    const isOpen = given === undefined || given.kind === "unknown";
    if (fixed.has(index) || type.kind !== "integer" || (given?.kind !== "scalar" && !isOpen)) return [];
    return typeof value === "number" && Number.isInteger(value) && value > fewestTrips
      ? [{ index, value }]
      : [];
  });
}

function made(unknown: HostValue, type: Type, sizes: Sizes, name: string): HostValue {
  const { set, index, threadCount } = sizes;
  if (type.kind === "pointer")
    return { kind: "pointer", allocation: madeAllocation(index, name), offsetBytes: 0 };
  if (!isScalar(type)) return unknown;
  switch (type.kind) {
    case "boolean":
      return { kind: "scalar", value: set.seed % 2 };
    case "float":
      return { kind: "scalar", value: (set.seed + index + 1) / 4 };
    case "integer": {
      const size = madeSize(set.sizes, index, shortened(threadCount, sizes));
      return { kind: "scalar", value: convert(size, int32, type) };
    }
  }
}

function madeSize(sizes: InputSet["sizes"], index: number, threadCount: number): number {
  switch (sizes) {
    case "launched":
      return threadCount;
    case "odd":
      return Math.max(1, threadCount - 1 - 2 * (index % 8));
    case "small":
      return 2 + (index % 3);
  }
}

/** Ids of allocations that a host makes begin at 0. */
function madeAllocation(index: number, name: string): Allocation {
  return { id: -1 - index, name, sizeBytes: null, alignmentBytes: 256 };
}

/** Bytes of no type are taken as integers: they may be indices, and as floats they are small. */
function elementOf(element: Type): Type {
  return (sizeOf(element) ?? 0) === 0 ? int32 : element;
}

/** Arrays hold what the host may have copied there; counters and flags begin at zero. */
function variableContents(variable: Variable, set: InputSet, integerLimit: number): FillPage | null {
  const isArray = variable.type.kind === "array" || variable.storage === "constant";
  if (!isArray) return null;
  const place = [...variable.name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 0);
  return randomContents(set.seed * 104_729 + place, variable.type, { integerLimit, floats: set.floats });
}
