// Where the text launches a kernel, for those that no host code which can be followed launches.
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { SourceRange } from "../../text/source.ts";

/** The first `name<<<` or `name<…><<<` in the text; null where there is none. */
export function launchSiteOf(units: readonly SyntaxUnit[], name: string): SourceRange | null {
  const launch = new RegExp(`\\b${name}\\s*(?:<[^;{}]*>)?\\s*<<<`);
  for (const unit of units) {
    const found = unit.text.includes("<<<") ? launch.exec(unit.text) : null;
    if (found !== null) return unit.rangeOf(found.index, found.index + name.length);
  }
  return null;
}
