// What a run of the host's code changes as it goes, beside the launches that it records.

import type { Slice } from "../slice/slice.ts";
import type { Frame } from "./frame.ts";
import { Memory } from "./object.ts";
import type { Bindings } from "./value.ts";

/** Steps (expressions evaluated) of one run. */
export const maxSteps = 1_000_000;

export interface RunState {
  readonly slice: Slice;
  readonly memory: Memory;
  /** The function that is being run, and its callers. */
  frame: Frame | null;
  /** What symbols are on the way at hand. */
  bindings: Bindings;
  steps: number;
  /** Conditions that were taken both ways. */
  ways: number;
  isExiting: boolean;
}

export function makeRunState(slice: Slice): RunState {
  return {
    slice,
    memory: new Memory(),
    frame: null,
    bindings: new Map(),
    steps: 0,
    ways: 0,
    isExiting: false,
  };
}

/** Whether nothing more is to be run on the way at hand. */
export function isStopped(state: RunState): boolean {
  return state.isExiting || state.steps > maxSteps;
}
