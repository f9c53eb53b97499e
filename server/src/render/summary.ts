// One line on what was found, and on what of how much is known.
import type { FileReport, LintResult } from "../lint/report.ts";
import type { Places } from "./places.ts";
import { onOneLine } from "./visible.ts";
import { countText, plural } from "./words.ts";

/** "3 warnings in 1 of 2 files · 5 kernels, 41 accesses: 36 exact, 4 conditional, 1 unknown". */
export function summaryText({ reports }: LintResult): string {
  const findings = reports.flatMap((report) => report.findings);
  const counts = (["error", "warning", "information"] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    if (count === 0) return [];
    return [severity === "information" ? `${countText(count)} information` : plural(count, severity)];
  });
  const touched = reports.filter((report) => report.findings.length > 0).length;
  const found =
    counts.length === 0
      ? `No findings in ${plural(reports.length, "file")}`
      : `${counts.join(", ")} in ${touched} of ${plural(reports.length, "file")}`;
  return `${found} · ${knownText(reports)}`;
}

/**
 * What a user may want to know of how files were read, each once, at most ten: "a.cu: b.h is not found: …", "a.cu: not all of
 * kernel k was followed: syntax error".
 */
export function noteTexts({ reports }: LintResult, places: Places): string[] {
  const texts = reports.flatMap((report) =>
    [...report.notes, ...gapTexts(report)].map(
      (note) => `${onOneLine(places.displayPath(report.path))}: ${note}`,
    ),
  );
  const distinct = [...new Set(texts)];
  if (distinct.length <= mostNotes) return distinct;
  return [...distinct.slice(0, mostNotes), `… ${countText(distinct.length - mostNotes)} more`];
}

const mostNotes = 10;

/** The first gap of each kernel: what is behind it is not in the figures. */
function gapTexts({ launches }: FileReport): string[] {
  const first = new Map<string, string>();
  for (const { kernel, profile } of launches) {
    const [gap] = profile.gaps;
    if (gap !== undefined && !first.has(kernel.name)) first.set(kernel.name, gap);
  }
  return [...first].map(([kernel, gap]) => `not all of kernel ${kernel} was followed: ${gap}`);
}

/** How much of the code is known: each access counts once, by the weakest of its verdicts. */
function knownText(reports: LintResult["reports"]): string {
  const ranks = { exact: 0, conditional: 1, unknown: 2 };
  const verdicts = new Map<string, keyof typeof ranks>();
  const kernels = new Set<string>();
  for (const { kernel, profile } of reports.flatMap((report) => report.launches)) {
    kernels.add(kernel.name);
    for (const { space, operation, range, verdict } of profile.accesses) {
      if (space !== "shared" && space !== "global") continue;
      const key = [range.file, range.start, range.end, space, operation].join("\n");
      const known = verdicts.get(key);
      if (known === undefined || ranks[verdict.kind] > ranks[known]) verdicts.set(key, verdict.kind);
    }
  }
  const count = (kind: keyof typeof ranks) =>
    [...verdicts.values()].filter((verdict) => verdict === kind).length;
  const accesses = verdicts.size === 1 ? "1 access" : `${countText(verdicts.size)} accesses`;
  const split = `${countText(count("exact"))} exact, ${countText(count("conditional"))} conditional, ${countText(count("unknown"))} unknown`;
  return `${plural(kernels.size, "kernel")}, ${accesses}${verdicts.size === 0 ? "" : `: ${split}`}`;
}
