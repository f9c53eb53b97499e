// The hover of a shared array, or of a pointer: all that is known of the accesses to it, a row each.
import type { Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import { costText } from "../render/access-words.ts";
import type { HoverBlock, HoverContent } from "../render/content.ts";
import { labelOf, labelText } from "../render/labels.ts";
import type { Places } from "../render/places.ts";
import { dependsOnData } from "../render/unknown-words.ts";
import { countText, elementOf, operationText, typeName } from "../render/words.ts";
import type { AnalysedFile } from "./analysis.ts";
import { holds, type RatedAccess, type RatedContext, ratedAccesses } from "./contexts.ts";
import { kernelAt } from "./kernels.ts";
import type { OffsetRange } from "./types.ts";

/** The hover of the array or pointer that is declared or named at `offset`; null where there is none with known accesses. */
export function arrayHover(analysis: AnalysedFile, offset: number, places: Places): HoverContent | null {
  const word = wordAt(analysis.text, offset);
  if (word === null) return null;
  const name = analysis.text.slice(word.start, word.end);
  const all = ratedAccesses(analysis.groups);
  const declared = all.filter(({ worst }) => isDeclaredAt(worst, analysis.file, word));
  const own = declared.length > 0 ? declared : namedIn(all, analysis, offset, name);
  const [first] = own;
  if (first === undefined) return null;
  const shown = own.slice(0, mostRows);
  const rows = shown.map((access) => rowOf(access, places));
  const more = own.length > shown.length ? [[`… ${countText(own.length - shown.length)} more`, "", ""]] : [];
  return {
    range: word,
    blocks: [
      titleOf(first, analysis.file, places),
      { kind: "table", head: ["line", "access", "cost"], rows: [...rows, ...more] },
    ],
  };
}

const mostRows = 8;

function isDeclaredAt({ access: { target } }: RatedContext, file: string, word: OffsetRange): boolean {
  const range = target?.range;
  return range != null && range.file === file && range.start <= word.start && word.end <= range.end;
}

/** The name used in a kernel outside of accesses: `&tile[0][0]`, an argument. */
function namedIn(
  all: readonly RatedAccess[],
  analysis: AnalysedFile,
  offset: number,
  name: string,
): RatedAccess[] {
  const kernel = kernelAt(analysis, offset);
  if (kernel === null) return [];
  return all.filter(
    ({ worst, group }) =>
      worst.access.target?.name === name &&
      group.space === "shared" &&
      holds(kernel.range, group.range.start),
  );
}

/** "shared float tile[32][33], 4,224 B · T=float, block (32,32)". */
function titleOf({ worst, contexts, group }: RatedAccess, file: string, places: Places): HoverBlock {
  const { target } = worst.access;
  const bytes = target?.type?.kind === "array" ? sizeOf(target.type) : null;
  const size = bytes === null ? "" : `, ${countText(bytes)} B`;
  const label = labelText({ ...labelOf(worst, contexts, places, file), line: null });
  return {
    kind: "line",
    spans: [
      { kind: "plain", text: `${group.space} ` },
      { kind: "code", text: declarationText(target?.name ?? "", target?.type ?? null) },
      { kind: "plain", text: `${size} · ${label}` },
    ],
  };
}

function declarationText(name: string, type: Type | null): string {
  const element = typeName(elementOf(type));
  const dimensions: string[] = [];
  for (let at: Type | null = type; at?.kind === "array"; at = at.element) dimensions.push(`[${at.count}]`);
  const star = type?.kind === "pointer" ? " *" : " ";
  return element === null ? name : `${element}${star}${name}${dimensions.join("")}`;
}

function rowOf(access: RatedAccess, places: Places): string[] {
  const { worst, operation, group } = access;
  const { line } = places.startOf(group.range);
  return [String(line), operationText(operation), costOf(worst)];
}

function costOf({ access, figure }: RatedContext): string {
  if (access.misaligned?.isCertain === true) return "misaligned, faults";
  if (access.verdict.kind === "unknown")
    return dependsOnData(access.verdict.reason) ? "depends on data" : "not known";
  return figure === null ? "not known" : costText(access, figure);
}

/** The identifier around `offset`. */
export function wordAt(text: string, offset: number): OffsetRange | null {
  let start = offset;
  let end = offset;
  while (start > 0 && isWordCharacter(text.charAt(start - 1))) start--;
  while (end < text.length && isWordCharacter(text.charAt(end))) end++;
  return start === end ? null : { start, end };
}

function isWordCharacter(character: string): boolean {
  return /[\w$]/.test(character);
}
