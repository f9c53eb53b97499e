// What follows a finding's headline: why, and what helps. A fix that was tried stands in the place of general advice.
import { bestOf, type FixSearchResult, fixesOfFinding } from "../fixes/fix.ts";
import type { Finding } from "../rules/finding.ts";
import { fixTitle } from "./fix-title.ts";
import type { Message } from "./message.ts";
import type { Places } from "./places.ts";

/** "32 lanes read 32 rows of one bank. Fix: Pad tile to [32][33]: 32 → 1 wavefronts (output checked)."; without a fix, the message's own reason. */
export function cureText(
  { reason, cause }: Message,
  finding: Finding,
  found: FixSearchResult,
  places: Places,
): string {
  const fix = bestOf(fixesOfFinding(found, finding), "all");
  return fix === null ? reason : `${cause} Fix: ${fixTitle(fix, places)}.`;
}
