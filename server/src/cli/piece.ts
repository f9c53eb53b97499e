// What is printed of a part of a run, as plain data: it comes from a worker, or from an earlier run.
import type { Severity } from "../config/schema.ts";
import type { FixSearchResult } from "../fixes/fix.ts";
import { noFixes } from "../fixes/fix.ts";
import type { FileReport, LintFailure } from "../lint/report.ts";
import { type FlatFinding, flatFinding } from "../render/flat-finding.ts";
import { findingJson } from "../render/json.ts";
import { type Offer, offersOf } from "../render/offers.ts";
import type { Places } from "../render/places.ts";
import { findingText, type Paint } from "../render/report.ts";
import { resultOf } from "../render/sarif.ts";
import { countsOf, type FileCounts, notesOf, unanalysedCounts } from "../render/summary.ts";
import { type FindingGroup, together } from "../rules/together.ts";
import { flatFormats } from "./formatted.ts";

export const outputFormats = ["text", "json", "sarif", ...flatFormats] as const;
export type OutputFormat = (typeof outputFormats)[number];

export interface Piece {
  readonly files: readonly FilePiece[];
  readonly failures: readonly LintFailure[];
  /** Places of kernels that something in this part launches. */
  readonly launched: readonly string[];
  /** Those that nothing in it does and that were left out. */
  readonly open: readonly OpenKernel[];
}

export interface OpenKernel {
  readonly place: string;
  /** Of the part, a file whose programs hold it. */
  readonly file: string;
}

export interface FilePiece {
  readonly path: string;
  readonly findings: readonly FindingPiece[];
  readonly notes: readonly string[];
  readonly counts: FileCounts;
}

export interface FindingPiece {
  readonly rule: string;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
  /** How many times the ideal it costs: of two sources that see one place of a header, the dearer speaks for it. */
  readonly ratio: number;
  /** As it is printed: text, or what stands in the document; empty where `flat` says it. */
  readonly shown: string | object;
  readonly flat: FlatFinding;
  /** Its best fix; null where it has none, or nobody searched. */
  readonly offer: Offer | null;
}

export interface Drawing {
  readonly format: OutputFormat;
  readonly paint: Paint;
}

export function filePiece(
  report: FileReport,
  found: FixSearchResult | null,
  places: Places,
  drawing: Drawing,
): FilePiece {
  return {
    path: report.path,
    findings: together(report.findings).map((group) =>
      findingPiece(group, found ?? noFixes, places, drawing),
    ),
    notes: notesOf(report),
    counts: countsOf(report),
  };
}

/** Of a file that was not analysed, for that reason. */
export function unanalysedPiece(path: string, reason: string): FilePiece {
  return { path, findings: [], notes: [reason], counts: unanalysedCounts(path) };
}

function findingPiece(
  group: FindingGroup,
  found: FixSearchResult,
  places: Places,
  { format, paint }: Drawing,
): FindingPiece {
  const { head: finding, others } = group;
  const { rule, severity, range } = finding;
  const [offer = null] = offersOf([finding, ...others], new Map([[range.file, found]]), places);
  return {
    rule,
    severity,
    start: range.start,
    end: range.end,
    ratio: finding.kind === "access" ? finding.worst.ratio : 0,
    shown:
      format === "text"
        ? findingText(group, places, paint, found)
        : format === "json"
          ? findingJson(group, found, places)
          : format === "sarif"
            ? resultOf(group, found, places)
            : "",
    flat: flatFinding(group, places),
    offer,
  };
}
