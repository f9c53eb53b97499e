// Texts of flags as words, each with the place that it comes from.
import type { CommandWord } from "../command/command.ts";
import type { Origin } from "../flags.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Entry, Piece } from "./state.ts";
import { hasUnknown, replaceMarks } from "./unknown.ts";

/** Options whose value is the next word: the two go together. */
const withValue =
  /^(?:-gencode|--generate-code|-Xcompiler|--compiler-options|-Xptxas|-Xcudafe|-Xlinker|-isystem|-include|-imacros|-idirafter|-iquote|-arch|-code|-D|-U|-I|-std|-ccbin|--options-file|-maxrregcount|-x)$/;

/** Words of a text of flags as a shell parts them, an option together with its value. */
export function flagWords(text: string): readonly string[] {
  const words: string[] = [];
  const found = text.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs) ?? [];
  for (let at = 0; at < found.length; at++) {
    const word = found[at] ?? "";
    const next = found[at + 1];
    if (withValue.test(word) && next !== undefined) {
      words.push(`${word}\n${next}`);
      at++;
    } else words.push(word);
  }
  return words;
}

function unquoted(word: string): string {
  return word.replace(
    /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
    (_, escaped?: string, double?: string, single?: string) => {
      if (escaped !== undefined) return escaped;
      if (double !== undefined) return double.replace(/\\(["\\$`])/g, "$1");
      return single ?? "";
    },
  );
}

/** Words of a text of flags; `pieces` are the parts that it was put together from. */
export function wordsOfFlags(
  cmake: Interpreter,
  text: string,
  pieces: readonly Piece[],
  fallback: Origin,
): readonly CommandWord[] {
  const expanded = pieces.map((piece) => ({ origin: piece.origin, text: allReadings(cmake, piece.text) }));
  return cmake.unknowns.elements(text, flagWords).flatMap(({ text: pair, doubt }) => {
    const needle = cmake.unknowns.bare(pair).replace(/\n/g, " ");
    const piece = expanded.findLast((one) => one.text.replace(/\s+/g, " ").includes(needle));
    const origin = piece?.origin ?? pieces.at(-1)?.origin ?? fallback;
    return pair.split("\n").map((word) => wordOf(cmake, unquoted(word), origin, doubt));
  });
}

function allReadings(cmake: Interpreter, text: string): string {
  if (!hasUnknown(text)) return text;
  return (cmake.unknowns.readings(text) ?? [cmake.unknowns.bare(text)]).join("\n");
}

/** One word as the reader of command lines takes it: what is unknown in it is a hole. */
export function wordOf(cmake: Interpreter, text: string, origin: Origin, doubt: string | null): CommandWord {
  const hole = cmake.unknowns.reasonOf(text);
  return { text: replaceMarks(text, () => "$"), origin, hole, doubt: hole === null ? doubt : null };
}

/** Words of an entry of options: `SHELL:` parts it, all else is one word. */
export function wordsOfOption(cmake: Interpreter, entry: Entry): readonly CommandWord[] {
  if (entry.text.startsWith("SHELL:")) {
    return flagWords(entry.text.slice("SHELL:".length)).flatMap((pair) =>
      pair.split("\n").map((word) => wordOf(cmake, unquoted(word), entry.origin, entry.doubt)),
    );
  }
  return [wordOf(cmake, entry.text, entry.origin, entry.doubt)];
}
