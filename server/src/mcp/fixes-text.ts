// `fixes` and `apply_fix`: what was tried and found to cost less, and the text with one of them made.
import { type Fix, type FixSearchResult, refusalOfFinding } from "../fixes/fix.ts";
import { fixTitle } from "../render/fix-title.ts";
import { onOneLine } from "../render/visible.ts";
import { applyEdits } from "../text/edit.ts";
import { type Analysed, InputError } from "./analysed.ts";
import { placeText } from "./analyze-text.ts";

/** One line a fix, numbered, best first for each finding; then why others have none. */
export function fixesText({ analysis, places }: Analysed, found: FixSearchResult): string {
  const lines = found.fixes.map(
    (fix, index) =>
      `${index + 1}. ${placeText(fix.target, places)} ${onOneLine(places.textOf(fix.target))}: ${fixTitle(fix, places)}, ${fix.safety}`,
  );
  for (const finding of analysis.report.findings) {
    const reason = finding.kind === "access" ? refusalOfFinding(found, finding) : null;
    if (reason === null) continue;
    const { range } = finding;
    lines.push(`No fix for ${placeText(range, places)} ${onOneLine(places.textOf(range))}: ${reason}.`);
  }
  if (lines.length > 0) return lines.join("\n");
  return analysis.report.findings.length === 0
    ? "Nothing to fix: there are no findings."
    : "No fix was found.";
}

export interface AppliedFix {
  /** "Pad tile to [32][33]: …", and which texts follow. */
  readonly summary: string;
  /** The whole text of each file that changes; nothing was written. */
  readonly texts: readonly string[];
}

/** Throws `InputError` where there is no fix of that number. */
export function appliedFix(number: number, analysed: Analysed, found: FixSearchResult): AppliedFix {
  const { analysis, places } = analysed;
  const fix: Fix | undefined = found.fixes[number - 1];
  if (fix === undefined)
    throw new InputError(
      found.fixes.length === 0 ? "There are no fixes." : `Fixes are numbered 1 to ${found.fixes.length}.`,
    );
  const edited = applyEdits(new Map([...analysis.texts, [analysis.file, analysed.original]]), fix.edits);
  if (edited === null) throw new InputError("The fix does not belong to this text.");
  const names = [...edited.keys()].map((file) => onOneLine(places.displayPath(file)));
  const where =
    analysed.isText && edited.size === 1 ? "The text is now:" : `Not written. Now: ${names.join(", ")}`;
  return { summary: `${fixTitle(fix, places)}. ${where}`, texts: [...edited.values()] };
}
