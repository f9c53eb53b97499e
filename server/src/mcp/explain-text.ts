// `explain`: one access in words: figures, what its lanes access, why it costs what it costs.
import { accessesAt, findingOn, type RatedAccess } from "../ide/contexts.ts";
import { hoverAt } from "../ide/hover.ts";
import { messageWithOthers } from "../render/group-message.ts";
import { hoverPlainText } from "../render/plain-text.ts";
import { requestWords } from "../render/request-words.ts";
import { onOneLine } from "../render/visible.ts";
import { type Analysed, InputError } from "./analysed.ts";
import { placeText } from "./analyze-text.ts";
import type { PlaceInput } from "./inputs.ts";

/** Every access of the line, or that at the column. Throws `InputError` where there is none. */
export function explainText({ line, column }: PlaceInput, analysed: Analysed): string {
  const { analysis, places } = analysed;
  const found = new Map<number, readonly RatedAccess[]>();
  for (const { range } of analysis.groups) {
    const start = places.startOf(range);
    const end = places.endOf(range);
    const isOnLine = start.line <= line && line <= end.line;
    const isAtColumn =
      column === undefined ||
      ((start.line < line || start.column <= column) && (line < end.line || column <= end.column));
    if (isOnLine && isAtColumn) found.set(range.start, accessesAt(analysis, range.start));
  }
  if (found.size === 0) {
    const lines = [...new Set(analysis.groups.map(({ range }) => places.startOf(range).line))];
    throw new InputError(
      `There is no access to shared or global memory at ${line}${column === undefined ? "" : `:${column}`}. Lines with one: ${lines.join(", ")}.`,
    );
  }
  return [...found].map(([offset, accesses]) => textOf(offset, accesses, analysed)).join("\n\n");
}

function textOf(offset: number, accesses: readonly RatedAccess[], { analysis, places }: Analysed): string {
  const [main] = accesses;
  if (main === undefined) return "";
  const hover = hoverAt(analysis, offset, { places, hasDiagnosticAbove: false });
  const blocks = (hover?.blocks ?? []).filter(({ kind }) => kind !== "map");
  const finding = findingOn(analysis, main);
  const reason = finding === null ? [] : [messageWithOthers(finding, [], places).reason];
  return [
    `${placeText(main.group.range, places)} ${onOneLine(places.textOf(main.group.range))}`,
    hover === null ? "" : hoverPlainText({ ...hover, blocks }).replaceAll("\n\n", "\n"),
    ...reason,
    ...requestWords(main.worst.access),
  ]
    .filter((text) => text !== "")
    .join("\n");
}
