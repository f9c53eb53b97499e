// Translation phase 2: a backslash before a line's end joins the lines. Offsets of the joined text lead back to the raw text.

const SPLICE = /\\[ \t]*\r?\n/g;

export interface LogicalText {
  readonly text: string;
  /** Offsets in `text` before which something was cut, ascending. */
  readonly cuts: readonly number[];
  /** For each cut, how many characters were cut before it, that cut included. */
  readonly removed: readonly number[];
}

/** `raw` without its spliced line ends. */
export function joinSplicedLines(raw: string): LogicalText {
  if (!raw.includes("\\")) return { text: raw, cuts: [], removed: [] };
  const cuts: number[] = [];
  const removed: number[] = [];
  let total = 0;
  const text = raw.replace(SPLICE, (match, offset: number) => {
    cuts.push(offset - total);
    total += match.length;
    removed.push(total);
    return "";
  });
  return { text, cuts, removed };
}

/** A function from offsets of the logical text to raw ones. Its arguments must never fall by more than one token's length. */
export function rawOffsets({ cuts, removed }: LogicalText): (offset: number) => number {
  if (cuts.length === 0) return (offset) => offset;
  let next = 0;
  return (offset) => {
    while (next < cuts.length && (cuts[next] ?? 0) <= offset) next++;
    while (next > 0 && (cuts[next - 1] ?? 0) > offset) next--;
    return offset + (next === 0 ? 0 : (removed[next - 1] ?? 0));
  };
}
