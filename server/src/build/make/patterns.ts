// Words against patterns with one "%", as make matches them.
import { concat, hasUnknown, slice, type Text } from "../worlds/text.ts";

/** A pattern with its "%" found and backslashes in front of it taken away; without a "%" it is its own prefix. */
export interface Pattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly hasStem: boolean;
}

export function patternOf(text: string): Pattern {
  let prefix = "";
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (
      character === "\\" &&
      (text[index + 1] === "%" || (text[index + 1] === "\\" && /^\\+%/.test(text.slice(index))))
    ) {
      prefix += text[index + 1];
      index++;
    } else if (character === "%") return { prefix, suffix: text.slice(index + 1), hasStem: true };
    else prefix += character;
  }
  return { prefix, suffix: "", hasStem: false };
}

/** What stands for "%" in `word`; null where it does not match, "unknown" where that hangs on what is not known. */
export function stemOf(pattern: Pattern, word: string): { readonly stem: string } | null | "unknown" {
  const { prefix, suffix, hasStem } = pattern;
  if (!hasStem) {
    if (prefix === word) return { stem: "" };
    return hasUnknown(prefix) || hasUnknown(word) ? "unknown" : null;
  }
  if (word.length >= prefix.length + suffix.length && word.startsWith(prefix) && word.endsWith(suffix))
    return { stem: word.slice(prefix.length, word.length - suffix.length) };
  if (!hasUnknown(prefix + suffix) && !hasUnknown(word)) return null;
  const knownStart = /^[^\uE000-\uF8FF]*/.exec(word)?.[0] ?? "";
  const knownEnd = /[^\uE000-\uF8FF]*$/.exec(word)?.[0] ?? "";
  if (hasUnknown(prefix + suffix)) return "unknown";
  const startFits = knownStart.startsWith(prefix) || prefix.startsWith(knownStart);
  const endFits = knownEnd.endsWith(suffix) || suffix.endsWith(knownEnd);
  return startFits && endFits ? "unknown" : null;
}

/** `replacement` with the stem of `word`, which lies behind the pattern's prefix, in place of its "%". */
export function withStem(replacement: Text, word: Text, pattern: Pattern, stem: string): Text {
  const stemText = slice(word, pattern.prefix.length, pattern.prefix.length + stem.length);
  return replaceStem(replacement, stemText);
}

export function replaceStem(replacement: Text, stem: Text): Text {
  const at = replacement.string.indexOf("%");
  if (at === -1) return replacement;
  if (replacement.string[at - 1] === "\\")
    return concat(slice(replacement, 0, at - 1), slice(replacement, at));
  return concat(slice(replacement, 0, at), stem, slice(replacement, at + 1));
}
