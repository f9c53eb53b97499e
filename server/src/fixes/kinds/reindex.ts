// Fixes that change every index of an array, and leave what is stored in it: swizzles and spreads.
import type { DeclaredArray } from "../text/arrays.ts";
import { spelled } from "../text/typed-text.ts";
import { whoMayCountOnRows, whyRowsAreFixed } from "./pad.ts";

/** Why some index cannot be written anew, in words; null where all can. */
export function whyNotReindexed(array: DeclaredArray): string | null {
  const { name, dimensions, mentions } = array;
  const reason = whyRowsAreFixed(array) ?? whoMayCountOnRows(array);
  if (reason !== null) return reason;
  for (const mention of mentions) {
    const { subscripts, isInMacro, isSizeof } = mention;
    if (isSizeof) continue;
    if (isInMacro) return `${name} is accessed in a macro`;
    if (subscripts.length !== dimensions.length)
      return `${name} is reached in another way than by all its indices`;
  }
  return null;
}

/** Why an index cannot be written at two places, in words; null where none does anything. */
export function whyNotRepeated({ name, mentions, typed }: DeclaredArray): string | null {
  const isChanging = mentions.some(({ subscripts }) =>
    subscripts.some((span) => hasEffect(spelled(typed, span))),
  );
  return isChanging ? `an index of ${name} changes a variable` : null;
}

/** What is written twice must not happen twice. */
export function hasEffect(text: string): boolean {
  return /\+\+|--|(?:^|[^=<>!])=(?!=)|\batomic\w*\s*\(/.test(text);
}
