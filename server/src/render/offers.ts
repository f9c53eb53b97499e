// What is said of fixes behind the findings of a command-line run: how many findings have one, the best of each, and how to make them.
import { bestOf, type Fix, type FixSearchResult, fixesOfFinding, noFixes } from "../fixes/fix.ts";
import type { Finding } from "../rules/finding.ts";
import { fixTitle } from "./fix-title.ts";
import type { Places } from "./places.ts";
import { onOneLine } from "./visible.ts";
import { countText } from "./words.ts";

/** Longer lists are for `--diff`. */
const mostShown = 10;

/** The best fix of a finding, as it is listed. */
export interface Offer {
  /** Equal for fixes that make the same edits. */
  readonly edits: string;
  readonly text: string;
  readonly safety: Fix["safety"];
}

/** The best fixes of findings that have one. `found`: by file. */
export function offersOf(
  findings: readonly Finding[],
  found: ReadonlyMap<string, FixSearchResult>,
  places: Places,
): readonly Offer[] {
  return findings.flatMap((finding) => {
    const best = bestOf(fixesOfFinding(found.get(finding.range.file) ?? noFixes, finding), "all");
    if (best === null) return [];
    return [{ edits: JSON.stringify(best.edits), text: offerText(best, places), safety: best.safety }];
  });
}

/**
 * "1 of 2 findings has a fix (--fix makes it, --diff shows it):" and the fixes below; null where none has.
 */
export function offersText(best: readonly Offer[], findingCount: number): string | null {
  if (best.length === 0) return null;
  const distinct = withoutRepeats(best);
  const shown = distinct.slice(0, mostShown).map(({ text }) => `  ${text}`);
  const left = distinct.length - shown.length;
  const share = `${countText(best.length)} of ${countText(findingCount)} ${findingCount === 1 ? "finding" : "findings"}`;
  const has = best.length === 1 ? "has a fix" : "have fixes";
  return [
    `${share} ${has} (${waysText(distinct)}):`,
    ...shown,
    ...(left > 0 ? [`  … ${countText(left)} more`] : []),
  ].join("\n");
}

/** One edit may be the fix of several findings: it stands with the first. */
function withoutRepeats(offers: readonly Offer[]): readonly Offer[] {
  return [...new Map(offers.toReversed().map((offer) => [offer.edits, offer])).values()].reverse();
}

/** "a.cu:5: Pad tile to [32][33]: …". */
function offerText(fix: Fix, places: Places): string {
  const line = `${onOneLine(places.displayPath(fix.target.file))}:${places.startOf(fix.target).line}`;
  return `${line}: ${fixTitle(fix, places)}${fix.safety === "suggestion" ? " with --unsafe-fixes" : ""}`;
}

function waysText(fixes: readonly Offer[]): string {
  const it = fixes.length === 1 ? "it" : "them";
  const safe = fixes.filter(({ safety }) => safety === "safe").length;
  if (safe === fixes.length) return `--fix makes ${it}, --diff shows ${it}`;
  if (safe === 0) return `--unsafe-fixes makes ${it}, --unsafe-fixes --diff shows ${it}`;
  return "--fix makes the safe ones, --unsafe-fixes all, --diff shows them";
}
