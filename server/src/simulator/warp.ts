// Blocks and warps as they start.
import { laneCount } from "../semantics/lanes.ts";
import { type BlockState, type Machine, stackNode, type Warp } from "./machine.ts";
import { localMemory, sharedMemory } from "./memory.ts";
import { uniform } from "./value.ts";

export function makeBlock(index: readonly [number, number, number], sharedBytes: number): BlockState {
  return { index, indexValues: uniformTriple(index), shared: sharedMemory(sharedBytes) };
}

export function uniformTriple(values: readonly [number, number, number]): BlockState["indexValues"] {
  return [uniform(values[0]), uniform(values[1]), uniform(values[2])];
}

/** The warp `index` of a block; it has a frame of its own, for what runs outside a kernel. */
export function makeWarp(machine: Machine, block: BlockState, index: number): Warp {
  const [width, height, depth] = machine.block;
  const total = width * height * depth;
  const threads = Array.from({ length: laneCount }, (_, lane) =>
    Math.min(index * laneCount + lane, total - 1),
  );
  return {
    machine,
    block,
    index,
    threads: [
      threads.map((thread) => thread % width),
      threads.map((thread) => Math.floor(thread / width) % height),
      threads.map((thread) => Math.floor(thread / (width * height))),
    ],
    local: localMemory(0),
    alive: laneMask(total - index * laneCount),
    frame: {
      registers: new Map(),
      slots: [],
      localBase: 0,
      localEnd: 0,
      depth: -1,
      stack: stackNode([]),
      result: null,
      breakMask: 0,
      continueMask: 0,
    },
  };
}

function laneMask(lanes: number): number {
  return lanes >= laneCount ? -1 : (1 << lanes) - 1;
}
