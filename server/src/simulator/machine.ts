// The state of a run: one machine for the whole of it, one block and one warp for what is at work, one frame a call.
import type { AccessSite, Expression } from "../ir/expression.ts";
import type { FunctionId, Program } from "../ir/function.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { LaneValues } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { type SourceRange, typedStack } from "../text/source.ts";
import type { CompiledFunction } from "./function.ts";
import type { AddressSpace, MemoryObject } from "./memory.ts";
import type { AccessRequest, Fault, FaultKind, Gap, UnknownAccess } from "./request.ts";
import type { LaneValue, Value } from "./value.ts";

/** Ends a run; `simulate` catches it and says why. */
export class Stop {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export type Triple = readonly [LaneValue, LaneValue, LaneValue];

/** A scalar somewhere in a variable. */
export interface ScalarAt {
  readonly offsetBytes: number;
  readonly type: ScalarType;
  readonly value: Scalar;
}

export interface Machine {
  readonly program: Program;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  /** gridDim and blockDim as values. */
  readonly gridValues: Triple;
  readonly blockValues: Triple;
  readonly space: AddressSpace;
  /** Offsets of shared variables in the block's shared memory. */
  readonly sharedOffsets: ReadonlyMap<number, number>;
  readonly sharedBytes: number;
  /** Objects of device, constant and static variables, made when first met. */
  readonly globals: Map<number, MemoryObject>;
  readonly makeGlobal: (variable: Variable) => MemoryObject;
  /** What the host copied into a `__constant__` variable, as far as it is known; null where it copied nothing. */
  copiedByHost: (variable: Variable) => readonly ScalarAt[] | null;
  readonly functions: Map<FunctionId, CompiledFunction | null>;
  /** Which functions wait at barriers. */
  readonly suspending: Map<FunctionId, boolean>;
  /** Functions as values: the number is the place in this list, from 1. */
  readonly functionNumbers: Map<FunctionId, number>;
  readonly onRequest: ((request: AccessRequest, frame: Frame) => void) | null;
  readonly onUnknown: ((access: UnknownAccess) => void) | null;
  readonly faults: Map<string, Fault>;
  readonly gaps: Map<string, Gap>;
  readonly unknownStores: Map<string, Gap>;
  readonly uncomputed: "unknown" | "uninterpreted";
  readonly maxSteps: number;
  readonly maxLocalBytes: number;
  steps: number;
}

export interface BlockState {
  readonly index: readonly [number, number, number];
  /** blockIdx as values. */
  readonly indexValues: Triple;
  readonly shared: MemoryObject;
}

export interface Warp {
  readonly machine: Machine;
  readonly block: BlockState;
  readonly index: number;
  /** The thread of each lane; lanes past the block have the last thread's and are never active. */
  readonly threads: readonly [LaneValues, LaneValues, LaneValues];
  readonly local: MemoryObject;
  /** Lanes that have not returned from the kernel. */
  alive: number;
  frame: Frame;
}

export interface Frame {
  /** The slot of each variable that is a register. */
  readonly registers: ReadonlyMap<number, number>;
  /** Registers, by slot. */
  readonly slots: Slot[];
  /** Where the frame begins in local memory. */
  readonly localBase: number;
  readonly localEnd: number;
  readonly depth: number;
  readonly stack: StackNode;
  result: Value | null;
  /** Lanes that left the innermost loop or switch, and those that go on with the loop's next round. */
  breakMask: number;
  continueMask: number;
}

/** A register: its value, and the lanes that never wrote it. */
export interface Slot {
  value: LaneValue;
  uninitialized: number;
}

/** A chain of calls, with the stack of each site below it. */
export interface StackNode {
  readonly ranges: readonly SourceRange[];
  readonly calls: Map<Expression, StackNode>;
  readonly sites: Map<AccessSite, readonly SourceRange[]>;
}

export function stackNode(ranges: readonly SourceRange[]): StackNode {
  return { ranges, calls: new Map(), sites: new Map() };
}

/** The stack of `site` under the calls of `node`: the same array each time. */
export function stackOf(node: StackNode, site: AccessSite): readonly SourceRange[] {
  let stack = node.sites.get(site);
  if (stack === undefined) {
    stack = typedStack([site.range, ...(site.stack ?? []), ...node.ranges]);
    node.sites.set(site, stack);
  }
  return stack;
}

/** The stack inside the function that `call` calls. */
export function stackBelow(node: StackNode, call: Expression, range: SourceRange): StackNode {
  let below = node.calls.get(call);
  if (below === undefined) {
    below = stackNode([range, ...node.ranges]);
    node.calls.set(call, below);
  }
  return below;
}

/** Counts a step of a warp, and ends the run when the budget is spent. */
export function step(machine: Machine): void {
  machine.steps++;
  if (machine.steps > machine.maxSteps) throw new Stop(`the budget of ${machine.maxSteps} steps is spent`);
}

export function reportGap(machine: Machine, range: SourceRange | null, reason: string): void {
  addGap(machine.gaps, range, reason);
}

/** Tells of a store to global memory of what is not known. */
export function reportUnknownStore(machine: Machine, range: SourceRange, reason: string | null): void {
  addGap(machine.unknownStores, range, reason ?? "a value that is not known");
}

function addGap(gaps: Map<string, Gap>, range: SourceRange | null, reason: string): void {
  const key = `${range?.file}:${range?.start}:${reason}`;
  if (!gaps.has(key)) gaps.set(key, { range, reason });
}

/** Tells of a fault in the lanes of `mask`; only the first thread of each place and kind is kept. */
export function reportFault(
  warp: Warp,
  kind: FaultKind,
  range: SourceRange,
  mask: number,
  where: { readonly offsetBytes: number; readonly object: string | null } | null,
): void {
  const key = `${kind}:${range.file}:${range.start}:${range.end}`;
  const lanes = countLanes(mask);
  const fault = warp.machine.faults.get(key);
  if (fault !== undefined) {
    fault.count += lanes;
    return;
  }
  const lane = 31 - Math.clz32(mask & -mask);
  const [x, y, z] = warp.threads;
  warp.machine.faults.set(key, {
    kind,
    range,
    count: lanes,
    thread: [Number(x[lane] ?? 0), Number(y[lane] ?? 0), Number(z[lane] ?? 0)],
    block: warp.block.index,
    offsetBytes: where?.offsetBytes ?? null,
    object: where?.object ?? null,
  });
}

export function countLanes(mask: number): number {
  let count = 0;
  for (let rest = mask >>> 0; rest !== 0; rest &= rest - 1) count++;
  return count;
}
