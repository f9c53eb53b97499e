// A function of the host that is being run, and the ways through it that left early.
import type { Assumption } from "../../ir/assumption.ts";
import type { Expression } from "../../ir/expression.ts";
import type { FunctionDefinition } from "../../ir/function.ts";
import type { SourceRange } from "../../text/source.ts";
import type { HostObject, Journal, Written } from "./object.ts";
import type { Limits, Value } from "./value.ts";
import { unknownValue } from "./value.ts";

/** How a statement ended. */
export type Completion = "next" | "break" | "continue" | "return" | "exit";

/** A way that left early, to be merged where it arrives. */
export interface Way {
  readonly completion: Completion;
  readonly value: Value;
  /** What memory held at the end of the way, and, for all written since it parted, before. */
  readonly after: Journal;
  readonly before: Journal;
  /** What numbers are at most on it. */
  readonly limits: Limits;
}

export interface Frame {
  readonly definition: FunctionDefinition;
  readonly objects: Map<number, HostObject>;
  readonly callRange: SourceRange | null;
  /** The call in the caller's code; null where nothing in the text calls it. */
  readonly call: Expression | null;
  readonly caller: Frame | null;
  result: Value;
  earlyReturns: Way[];
  /** Collects what is written once there were too many early returns. */
  overflow: Written | null;
  targets: Target[];
}

/** A loop or switch that is being run. */
export interface Target {
  readonly kind: "loop" | "switch";
  ways: Way[];
  /** Some iteration may have left the loop. */
  isLeft: boolean;
  /** What iterations behind that one hold under. */
  leftUnder: Assumption | null;
  /** Memory after the first iteration, to see when the loop comes back to it. */
  observed: Observation | null;
}

/** What memory was before an iteration of a loop. */
export interface Head {
  readonly journal: Journal;
  /** Objects with a greater one are the iteration's own. */
  readonly serial: number;
}

/** What memory was between two iterations of a loop. */
export interface Observation extends Head {
  readonly iteration: number;
  /** Of the recorder's log. */
  readonly mark: number | null;
}

export function makeFrame(
  definition: FunctionDefinition,
  { callRange, call, caller }: Pick<Frame, "callRange" | "call" | "caller">,
): Frame {
  return {
    definition,
    objects: new Map(),
    callRange,
    call,
    caller,
    result: unknownValue(`the result of ${definition.name}`),
    earlyReturns: [],
    overflow: null,
    targets: [],
  };
}

/** From `range` outwards through the calls to the entry. */
export function pathFrom(range: SourceRange, innermost: Frame | null): SourceRange[] {
  const path = [range];
  for (let frame = innermost; frame !== null; frame = frame.caller) {
    if (frame.callRange !== null) path.push(frame.callRange);
  }
  // What stands for a library's header is nothing that anybody wrote here.
  return path.filter(({ file }) => !file.startsWith("<"));
}
