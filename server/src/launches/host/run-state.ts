// What a run of the host's code changes as it goes, beside the launches that it records.

import type { Slice } from "../slice/slice.ts";
import type { Frame } from "./frame.ts";
import { Memory } from "./object.ts";
import type { Bindings, Limits } from "./value.ts";

/** Steps (expressions evaluated) of one run. */
export const maxSteps = 1_000_000;

export interface RunState {
  readonly slice: Slice;
  readonly memory: Memory;
  /** The function that is being run, and its callers. */
  frame: Frame | null;
  /** What symbols are on the way at hand. */
  bindings: Bindings;
  /** What they are at most there. */
  limits: Limits;
  steps: number;
  /** Conditions that were taken both ways. */
  ways: number;
  /** Loops whose ends are not known that are being run, one in the other. */
  unknownLoops: number;
  /** Those of them that were taken for later iterations of such loops. */
  laterSteps: number;
  isExiting: boolean;
}

export function makeRunState(slice: Slice): RunState {
  return {
    slice,
    memory: new Memory(),
    frame: null,
    bindings: new Map(),
    limits: new Map(),
    steps: 0,
    ways: 0,
    unknownLoops: 0,
    laterSteps: 0,
    isExiting: false,
  };
}

/** Whether nothing more is to be run on the way at hand. */
export function isStopped(state: RunState): boolean {
  return state.isExiting || stepsLeft(state) < 0;
}

/** Steps that may still be taken: those for later iterations of loops, which have a limit of their own, are none of them. */
export function stepsLeft({ steps, laterSteps }: RunState): number {
  return maxSteps - (steps - laterSteps);
}
