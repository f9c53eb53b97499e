// Values of Python as words of a command line.
import type { CommandWord } from "../command/command.ts";
import type { Origin } from "../flags.ts";
import { doubted, type StringValue, unknownReason, type Value } from "./values.ts";

export interface ValueWords {
  readonly words: readonly CommandWord[];
  /** Why there may be more. */
  readonly more: string | null;
}

/** The strings of a list, or a string by itself. `origin`: where words stand whose own place is not known; `doubt`: why none of them may be passed. */
export function wordsOf(value: Value | undefined, origin: Origin, doubt: string | null): ValueWords {
  if (value === undefined || value.kind === "none") return { words: [], more: null };
  if (value.kind === "string") return { words: [wordOf(value, origin, doubt)], more: null };
  if (value.kind !== "list") return { words: [], more: unknownReason(value) ?? "this is no list" };
  let { more } = value;
  const words = value.items.flatMap((item): readonly CommandWord[] => {
    if (item.kind === "none") return [];
    if (item.kind === "string" || item.kind === "list") {
      const inner = wordsOf(doubted(item, value.doubt), origin, doubt);
      more ??= inner.more;
      return inner.words;
    }
    more ??= unknownReason(item) ?? "an item is not known";
    return [];
  });
  return { words, more };
}

export function wordOf(value: StringValue, origin: Origin, doubt: string | null): CommandWord {
  return { text: value.text, origin: value.place ?? origin, hole: value.hole, doubt: value.doubt ?? doubt };
}
