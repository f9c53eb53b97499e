// Why the trips of a loop cannot be changed together: its threads may leave it one by one, or wait for each other in it.
import { mentionsAny } from "../text/statement-tree.ts";
import type { Span, TypedText } from "../text/typed-text.ts";

const waiting = new Set(["__syncthreads", "__syncwarp"]);
const leaving = new Set(["return", "break", "continue", "goto"]);

/** The reason in words, of the loop's body; null where all threads that enter the loop make all its trips, and none waits. */
export function whyNotWhole(typed: TypedText, body: Span): string | null {
  if (mentionsAny(typed, body, waiting)) return "a barrier stands in the loop";
  return mentionsAny(typed, body, leaving) ? "some threads leave the loop before others" : null;
}
