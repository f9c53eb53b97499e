// One line on what was found, and on what of how much is known.
import type { Severity } from "../config/schema.ts";
import type { FileReport, LintResult } from "../lint/report.ts";
import { together } from "../rules/together.ts";
import type { Places } from "./places.ts";
import { onOneLine } from "./visible.ts";
import { countText, plural } from "./words.ts";

/** How well the figure of an access is known, best first. */
const verdictKinds = ["exact", "conditional", "unknown"] as const;
type VerdictKind = (typeof verdictKinds)[number];

/** What a summary counts of a file. */
export interface FileCounts {
  readonly path: string;
  readonly severities: readonly Severity[];
  readonly kernels: readonly string[];
  /** Each access once, by the weakest of its verdicts. */
  readonly accesses: readonly (readonly [access: string, verdict: VerdictKind])[];
  /** Where it was not analysed, for it is written as others are. */
  readonly isLeftOut?: true;
}

export function countsOf({ path, findings, launches }: FileReport): FileCounts {
  return {
    path,
    severities: together(findings).map(({ head }) => head.severity),
    kernels: [...new Set(launches.map(({ kernel }) => kernel.name))],
    accesses: weakest(
      launches.flatMap(({ profile }) =>
        profile.accesses.flatMap(({ space, operation, range, verdict }) =>
          space === "shared" || space === "global"
            ? [[[range.file, range.start, range.end, space, operation].join("\n"), verdict.kind] as const]
            : [],
        ),
      ),
    ),
  };
}

export function unanalysedCounts(path: string): FileCounts {
  return { path, severities: [], kernels: [], accesses: [], isLeftOut: true };
}

function weakest(accesses: FileCounts["accesses"]): FileCounts["accesses"] {
  const verdicts: Verdicts = new Map();
  weaken(verdicts, accesses);
  return [...verdicts];
}

/** How well each access is known. */
export type Verdicts = Map<string, VerdictKind>;

/** Adds what else is said of accesses: the weakest counts. */
export function weaken(verdicts: Verdicts, accesses: FileCounts["accesses"]): void {
  for (const [access, verdict] of accesses) {
    const known = verdicts.get(access);
    if (known === undefined || verdictKinds.indexOf(verdict) > verdictKinds.indexOf(known))
      verdicts.set(access, verdict);
  }
}

/** "3 warnings in 1 of 2 files · 5 kernels, 41 accesses: 36 exact, 4 conditional, 1 unknown". */
export function summaryText({ reports }: LintResult): string {
  return summaryOf(reports.map(countsOf));
}

/** The same of files that were counted, with all that is known of kernels and accesses, which may stand in other files. */
export function summaryOf(
  files: readonly FileCounts[],
  known: Pick<FileCounts, "kernels" | "accesses"> = knownIn(files),
): string {
  const severities = files.flatMap((file) => file.severities);
  const counts = (["error", "warning", "information"] as const).flatMap((severity) => {
    const count = severities.filter((each) => each === severity).length;
    if (count === 0) return [];
    return [severity === "information" ? `${countText(count)} information` : plural(count, severity)];
  });
  const touched = files.filter((file) => file.severities.length > 0).length;
  const found =
    counts.length === 0
      ? `No findings in ${plural(files.length, "file")}`
      : `${counts.join(", ")} in ${touched} of ${plural(files.length, "file")}`;
  const leftOut = files.filter(({ isLeftOut }) => isLeftOut).length;
  const left =
    leftOut === 0 ? "" : `, ${countText(leftOut)} of them left out, for they are written as others`;
  return `${found}${left} · ${knownText(known)}`;
}

/**
 * What a user may want to know of how files were read, each once, at most ten: "a.cu: b.h is not found: …", "a.cu: not all of
 * kernel k was followed: syntax error".
 */
export function noteTexts({ reports }: LintResult, places: Places): string[] {
  return shownNotes(
    reports.flatMap((report) =>
      notesOf(report).map((note) => `${onOneLine(places.displayPath(report.path))}: ${note}`),
    ),
  );
}

/** What is to be known of how one file was read. */
export function notesOf(report: FileReport): readonly string[] {
  return [...report.notes, ...gapTexts(report)];
}

/** Each once, at most ten. */
export function shownNotes(texts: readonly string[]): string[] {
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

function knownIn(files: readonly FileCounts[]): Pick<FileCounts, "kernels" | "accesses"> {
  return {
    kernels: [...new Set(files.flatMap(({ kernels }) => kernels))],
    accesses: weakest(files.flatMap(({ accesses }) => accesses)),
  };
}

/** How much of the code is known. */
function knownText({ kernels, accesses }: Pick<FileCounts, "kernels" | "accesses">): string {
  const split = verdictKinds
    .map((kind) => `${countText(accesses.filter(([, verdict]) => verdict === kind).length)} ${kind}`)
    .join(", ");
  const counted = accesses.length === 1 ? "1 access" : `${countText(accesses.length)} accesses`;
  return `${plural(kernels.length, "kernel")}, ${counted}${accesses.length === 0 ? "" : `: ${split}`}`;
}
