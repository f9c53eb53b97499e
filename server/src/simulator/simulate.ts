// The plain executor: every thread of every block asked for, in lockstep warps, memory as bytes. It defines what a kernel means.
import { type FunctionId, type Program, readableName } from "../ir/function.ts";
import type { Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { Allocation, HostValue, Launch } from "../launches/launch.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { runToEnd } from "../steps.ts";
import { randomContents } from "./contents.ts";
import { type CompiledFunction, compiledFunction, newFrame } from "./function.ts";
import { makeGlobal } from "./globals.ts";
import { layoutShared, type SharedLayout } from "./layout.ts";
import {
  type Frame,
  type Machine,
  reportFault,
  type ScalarAt,
  Stop,
  stackNode,
  type Warp,
} from "./machine.ts";
import { AddressSpace, type FillPage, type MemoryObject, wholeContents } from "./memory.ts";
import type { AccessRequest, Fault, Gap, UnknownAccess } from "./request.ts";
import { type Meeting, runCode } from "./statement.ts";
import { emptyBytes, placePart, scalarTypeOf, tainted, uniform, type Value } from "./value.ts";
import { makeBlock, makeWarp, uniformTriple } from "./warp.ts";

export interface SimulationOptions {
  /** The blocks to run, in order; all of the grid where it is not given. */
  readonly blocks?: Iterable<readonly [number, number, number]>;
  /** What the launch leaves unknown: dimensions of the grid, dynamic shared memory, arguments by index. */
  readonly grid?: readonly [number, number, number];
  readonly sharedBytes?: number;
  readonly arguments?: ReadonlyMap<number, HostValue>;
  /** First contents of an allocation, reached by a pointer to `element`; null (and by default) small random numbers of that type. */
  readonly contents?: (allocation: Allocation, element: Type) => Uint8Array | FillPage | null;
  /**
   * First contents of a variable without initializer. By default a constant holds what the host would copy there, random numbers, and a device
   * variable zeros.
   */
  readonly variableContents?: (variable: Variable) => FillPage | null;
  readonly seed?: number;
  /** The order in which a block's warps go on from barrier to barrier; `ascending` by default. */
  readonly warpOrder?: "ascending" | "descending";
  /**
   * What an operation gives that is a function of its operands and is not computed. `unknown` by default. `uninterpreted`: the same
   * made-up number for the same operands, so that two runs can be compared.
   */
  readonly uncomputed?: "unknown" | "uninterpreted";
  /** `frame` is that of the function that accesses: for `registerOf`. */
  readonly onRequest?: (request: AccessRequest, frame: Frame) => void;
  readonly onUnknown?: (access: UnknownAccess) => void;
  /** Loop rounds, calls and accesses of all warps together; by default 50 million. */
  readonly maxSteps?: number;
  /** How far an allocation of unknown size may grow, and the most that one of known size may hold; by default 1 GiB. */
  readonly maxAllocationBytes?: number;
}

export interface SimulationResult {
  /** `complete`: every block asked for ran to its end. `stopped`: a budget ended it. `not-started`: something is missing. */
  readonly status: "complete" | "stopped" | "not-started";
  /** Why it stopped or did not start, in words. */
  readonly reasons: readonly string[];
  /** Parameters that must be given in the options, by index. */
  readonly missingArguments: readonly {
    readonly index: number;
    readonly name: string;
    readonly reason: string;
  }[];
  readonly blockCount: number;
  readonly completedBlockCount: number;
  readonly faults: readonly Fault[];
  /** What was not followed; where there is any, figures and contents may differ from the GPU's. */
  readonly gaps: readonly Gap[];
  /** Stores to global memory of what is not known. */
  readonly unknownStores: readonly Gap[];
  readonly steps: number;
  /** It stopped because these were all that it might take. */
  readonly isOutOfSteps: boolean;
  /** What an allocation holds at the end, by its id; null where no argument points into it. */
  readonly contentsOf: (allocationId: number) => Uint8Array | null;
  /** Everything that outlives the kernel: allocations in the order of the arguments, then device variables in the order of their first use. */
  readonly memories: () => readonly MemoryObject[];
}

/** Runs a launch. It throws nothing: what is missing or ends it is in the result. */
export function simulate(
  program: Program,
  launch: Launch,
  options: SimulationOptions = {},
): SimulationResult {
  return runToEnd(simulating(program, launch, options));
}

/** As `simulate`, and yields between warps, so that it can be left at any time. */
export function* simulating(
  program: Program,
  launch: Launch,
  options: SimulationOptions = {},
): Generator<void, SimulationResult, void> {
  const definition = program.functionOf(launch.kernel);
  if (definition === null)
    return notStarted([`the kernel ${readableName(launch.kernel)} has no body in sight`], []);
  const shared = layoutShared(program, launch.kernel);
  const dynamicBytes = options.sharedBytes ?? launch.sharedBytes;
  const reasons: string[] = [];
  const [x, y, z] = [0, 1, 2].map((axis) => options.grid?.[axis] ?? launch.grid[axis] ?? null);
  if (x == null || y == null || z == null) reasons.push("the grid is not known");
  if (dynamicBytes === null && shared.isDynamic)
    reasons.push("the size of the dynamic shared memory is not known");
  const [threads, sharedBytes] = [
    launch.block[0] * launch.block[1] * launch.block[2],
    shared.staticBytes + (dynamicBytes ?? 0),
  ];
  if (!(threads >= 1 && threads <= 1024)) reasons.push(`a block of ${threads} threads cannot be launched`);
  if (sharedBytes > mostSharedBytes) reasons.push(`${sharedBytes} bytes of shared memory cannot be had`);
  const values = definition.parameters.map(
    (_, index): HostValue =>
      options.arguments?.get(index) ?? launch.arguments[index] ?? { kind: "unknown", reason: "no argument" },
  );
  const missingArguments = values.flatMap((value, index) =>
    value.kind === "unknown"
      ? [{ index, name: definition.parameters[index]?.name ?? "", reason: value.reason }]
      : [],
  );
  if (reasons.length > 0 || missingArguments.length > 0) return notStarted(reasons, missingArguments);
  const machine = makeMachine(program, launch, options, [x ?? 1, y ?? 1, z ?? 1], shared, sharedBytes);
  return yield* new Run(machine, options, launch.constants).run(launch.kernel, values);
}

/** Shared memory that a block of sm_90 can have. */
const mostSharedBytes = 227 * 1024;
const defaultMaxSteps = 50_000_000;
const defaultMaxAllocationBytes = 2 ** 30;
const maxLocalBytes = 512 * 1024;

function notStarted(
  reasons: readonly string[],
  missingArguments: SimulationResult["missingArguments"],
): SimulationResult {
  return {
    status: "not-started",
    reasons,
    missingArguments,
    blockCount: 0,
    completedBlockCount: 0,
    faults: [],
    gaps: [],
    unknownStores: [],
    steps: 0,
    isOutOfSteps: false,
    contentsOf: () => null,
    memories: () => [],
  };
}

function makeMachine(
  program: Program,
  launch: Launch,
  options: SimulationOptions,
  grid: readonly [number, number, number],
  shared: SharedLayout,
  sharedBytes: number,
): Machine {
  const fillOf =
    options.variableContents ??
    ((variable: Variable) =>
      variable.storage === "constant"
        ? randomContents((options.seed ?? 1) + variable.id, variable.type)
        : null);
  const machine: Machine = {
    program,
    grid,
    block: launch.block,
    gridValues: uniformTriple(grid),
    blockValues: uniformTriple(launch.block),
    space: new AddressSpace(),
    sharedOffsets: shared.offsets,
    sharedBytes,
    globals: new Map(),
    copiedByHost: () => null,
    makeGlobal: (variable) => {
      const made = machine.globals.get(variable.id) ?? makeGlobal(machine, variable, fillOf);
      machine.globals.set(variable.id, made);
      return made;
    },
    functions: new Map(),
    suspending: new Map(),
    functionNumbers: new Map(),
    onRequest: options.onRequest ?? null,
    onUnknown: options.onUnknown ?? null,
    faults: new Map(),
    gaps: new Map(),
    unknownStores: new Map(),
    uncomputed: options.uncomputed ?? "unknown",
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    maxLocalBytes,
    steps: 0,
  };
  return machine;
}

class Run {
  readonly #machine: Machine;
  readonly #options: SimulationOptions;
  readonly #allocations = new Map<number, MemoryObject>();
  /** Allocations whose size is known. */
  readonly #known = new Set<number>();
  readonly #rootStack = stackNode([]);
  #completed = 0;

  constructor(machine: Machine, options: SimulationOptions, constants: Launch["constants"]) {
    this.#machine = machine;
    this.#options = options;
    machine.copiedByHost = ({ name, type }) => {
      const value = constants?.get(name);
      return value === undefined ? null : this.#scalarsOf(value, type);
    };
  }

  *run(kernel: FunctionId, values: readonly HostValue[]): Generator<void, SimulationResult, void> {
    const [x, y, z] = this.#machine.grid;
    const blocks = this.#options.blocks === undefined ? null : [...this.#options.blocks];
    const blockCount = blocks?.length ?? x * y * z;
    const reasons: string[] = [];
    try {
      const entry = compiledFunction(this.#machine, kernel);
      if (entry !== null)
        yield* this.#blocks(entry, this.#parameters(entry, values), blocks ?? allBlocks(this.#machine.grid));
    } catch (error) {
      if (error instanceof Stop) reasons.push(error.reason);
      else if (error instanceof RangeError)
        reasons.push(`the run needs more memory than there is (${error.message})`);
      else throw error;
    }
    return {
      status: reasons.length === 0 ? "complete" : "stopped",
      reasons,
      missingArguments: [],
      blockCount,
      completedBlockCount: this.#completed,
      faults: [...this.#machine.faults.values()],
      gaps: [...this.#machine.gaps.values()],
      unknownStores: [...this.#machine.unknownStores.values()],
      steps: this.#machine.steps,
      isOutOfSteps: this.#machine.steps > this.#machine.maxSteps,
      contentsOf: (id) => this.#contents(id),
      memories: () => [
        ...this.#allocations.values(),
        ...[...this.#machine.globals.values()].filter(({ space }) => space === "global"),
      ],
    };
  }

  #contents(id: number): Uint8Array | null {
    const object = this.#allocations.get(id);
    if (object === undefined) return null;
    return wholeContents(object, this.#known.has(id) ? "all" : "reached");
  }

  #parameters(entry: CompiledFunction, values: readonly HostValue[]): readonly Value[] {
    return entry.definition.parameters.map((parameter, index) =>
      this.#valueOf(values[index] ?? { kind: "null" }, parameter.type),
    );
  }

  #valueOf(value: HostValue, type: Type): Value {
    if (value.kind !== "aggregate") {
      return value.kind === "unknown" ? tainted(value.reason) : uniform(this.#scalarOf(value, type));
    }
    const whole = emptyBytes(sizeOf(type) ?? 0, "a part of an argument that is not known");
    for (const [offsetBytes, part] of value.parts) {
      const leaf = leafType(type, offsetBytes);
      const of = leaf === null ? null : scalarTypeOf(leaf);
      if (leaf === null || of === null) continue;
      placePart(whole, offsetBytes, leaf, this.#valueOf(part, leaf));
    }
    return whole;
  }

  #scalarsOf(value: HostValue, type: Type): ScalarAt[] {
    const parts = value.kind === "aggregate" ? [...value.parts] : ([[0, value]] as const);
    return parts.flatMap(([offsetBytes, part]) => {
      const leaf = leafType(type, offsetBytes);
      const of = leaf === null ? null : scalarTypeOf(leaf);
      if (leaf === null || of === null || part.kind === "unknown" || part.kind === "aggregate") return [];
      return [{ offsetBytes, type: of, value: this.#scalarOf(part, leaf) }];
    });
  }

  #scalarOf(value: Exclude<HostValue, { kind: "aggregate" | "unknown" }>, type: Type): Scalar {
    switch (value.kind) {
      case "scalar":
        return value.value;
      case "null":
        return 0;
      case "pointer":
        return this.#allocation(value.allocation, type).base + Number(value.offsetBytes);
    }
  }

  #allocation(allocation: Allocation, pointer: Type): MemoryObject {
    const made = this.#allocations.get(allocation.id);
    if (made !== undefined) return made;
    const limit = this.#options.maxAllocationBytes ?? defaultMaxAllocationBytes;
    if (allocation.sizeBytes !== null && allocation.sizeBytes > limit) {
      throw new Stop(
        `${allocation.name} has ${allocation.sizeBytes} bytes, more than the ${limit} that may be held`,
      );
    }
    const element: Type = pointer.kind === "pointer" ? pointer.target : { kind: "void" };
    const given = this.#options.contents?.(allocation, element) ?? null;
    const object = this.#machine.space.add({
      name: allocation.name,
      space: "global",
      sizeBytes: allocation.sizeBytes ?? limit,
      fill:
        given === null
          ? randomContents((this.#options.seed ?? 1) + allocation.id * 7919, element)
          : typeof given === "function"
            ? given
            : copied(given),
    });
    this.#allocations.set(allocation.id, object);
    if (allocation.sizeBytes !== null) this.#known.add(allocation.id);
    return object;
  }

  *#blocks(
    entry: CompiledFunction,
    values: readonly Value[],
    blocks: Iterable<readonly [number, number, number]>,
  ): Generator<void, void, void> {
    let meeting: Generator<Turn, void, void>[] = [];
    for (const index of blocks) {
      if (entry.body.kind === "plain") yield* this.#plainBlock(entry, values, index);
      else {
        const block = this.#waitingBlock(entry, values, index);
        if (yield* untilGrid(block)) meeting.push(block);
      }
    }
    // Blocks that wait for the grid go on together, round by round.
    while (meeting.length > 0) {
      const waiting: Generator<Turn, void, void>[] = [];
      for (const block of meeting) if (yield* untilGrid(block)) waiting.push(block);
      meeting = waiting;
    }
  }

  #warps(
    entry: CompiledFunction,
    values: readonly Value[],
    index: readonly [number, number, number],
  ): Warp[] {
    const machine = this.#machine;
    const block = makeBlock(index, machine.sharedBytes);
    const threads = machine.block[0] * machine.block[1] * machine.block[2];
    const warps = Array.from({ length: Math.ceil(threads / laneCount) }, (_, at) => {
      const warp = makeWarp(machine, block, at);
      warp.frame = newFrame(warp, entry, { localBase: 0, depth: 0, stack: this.#rootStack });
      entry.bind(warp, warp.alive, values);
      return warp;
    });
    return this.#options.warpOrder === "descending" ? warps.reverse() : warps;
  }

  *#plainBlock(
    entry: CompiledFunction,
    values: readonly Value[],
    index: readonly [number, number, number],
  ): Generator<void, void, void> {
    for (const warp of this.#warps(entry, values, index)) {
      if (entry.body.kind === "plain") entry.body.run(warp, warp.alive);
      yield;
    }
    this.#completed++;
  }

  /** Runs every warp up to its next barrier, round by round; waits itself where the warps wait for the grid. */
  *#waitingBlock(
    entry: CompiledFunction,
    values: readonly Value[],
    index: readonly [number, number, number],
  ): Generator<Turn, void, void> {
    let running = this.#warps(entry, values, index).map((warp) => ({
      warp,
      steps: runCode(entry.body, warp, warp.alive),
    }));
    while (running.length > 0) {
      const meetings = new Set<Meeting>();
      const waiting: typeof running = [];
      for (const each of running) {
        const { done, value } = each.steps.next();
        if (done !== true) {
          meetings.add(value);
          waiting.push(each);
        }
        yield "warp";
      }
      running = waiting;
      const [first] = running;
      if (meetings.size > 1 && first !== undefined) {
        reportFault(first.warp, "barrier-mismatch", entry.definition.nameRange, first.warp.alive, null);
      }
      if (meetings.has("grid")) yield "grid";
    }
    this.#completed++;
  }
}

/** What a block at work yields for: a warp has come to a barrier or its end, or all warps wait for the grid. */
type Turn = "warp" | "grid";

/** Runs a block to its end, or until it waits for the grid: whether it does. */
function* untilGrid(block: Generator<Turn, void, void>): Generator<void, boolean, void> {
  for (;;) {
    const { done, value } = block.next();
    if (done === true) return false;
    if (value === "grid") return true;
    yield;
  }
}

function* allBlocks(grid: readonly [number, number, number]): Generator<readonly [number, number, number]> {
  for (let z = 0; z < grid[2]; z++) {
    for (let y = 0; y < grid[1]; y++) {
      for (let x = 0; x < grid[0]; x++) yield [x, y, z];
    }
  }
}

function copied(given: Uint8Array) {
  return (bytes: Uint8Array, start: number): void => {
    bytes.set(given.subarray(start, start + bytes.length));
  };
}

/** The scalar or pointer of `type` that lies at `offsetBytes`; null where none begins there. */
function leafType(type: Type, offsetBytes: number): Type | null {
  if (scalarTypeOf(type) !== null) return offsetBytes === 0 ? type : null;
  if (type.kind === "array") {
    const size = sizeOf(type.element) ?? 0;
    return size === 0 ? null : leafType(type.element, offsetBytes % size);
  }
  if (type.kind !== "record") return null;
  for (const field of type.fields) {
    const size = sizeOf(field.type) ?? 0;
    const isInside = offsetBytes >= field.offsetBytes && offsetBytes < field.offsetBytes + size;
    const leaf = isInside ? leafType(field.type, offsetBytes - field.offsetBytes) : null;
    if (leaf !== null) return leaf;
  }
  return null;
}
