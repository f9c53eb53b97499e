// The JSON of `analyze` and `check --format json`: the contract of docs/json.md. Fields may be added, never removed.

import type { AccessProfile } from "../evaluate/profile.ts";
import { type Fix, type FixSearchResult, fixesOfFinding, noFixes, refusalOfFinding } from "../fixes/fix.ts";
import type { FileReport, KernelLaunch } from "../lint/report.ts";
import type { Evidence, Finding, JudgedContext } from "../rules/finding.ts";
import { type FindingGroup, together } from "../rules/together.ts";
import type { SourceRange } from "../text/source.ts";
import { assumptionText } from "./assumption-words.ts";
import { fixTitle } from "./fix-title.ts";
import { groupCost } from "./flat-finding.ts";
import { messageWithOthers } from "./group-message.ts";
import { contextText } from "./message.ts";
import type { Places } from "./places.ts";

const schemaVersion = 1;

/** What is written beside the reports. */
export interface JsonExtras {
  /** By file; of a file that is not there nobody searched for fixes. */
  readonly fixes?: ReadonlyMap<string, FixSearchResult>;
  readonly errors?: readonly string[];
}

/** Everything that is known, each finding by itself: `analyze`. */
export function reportsJson(
  files: readonly FileReport[],
  places: Places,
  { fixes = new Map(), errors = [] }: JsonExtras = {},
): object {
  return {
    schemaVersion,
    files: files.map((file) => ({
      path: places.displayPath(file.path),
      launches: file.launches.map((launch) => launchJson(launch, places)),
      diagnostics: findingsJson(file, file.findings.map(alone), fixes, places),
      notes: file.notes,
    })),
    errors,
  };
}

/** Findings alone, those of one cause as one: `check --format json`. */
export function diagnosticsJson(
  files: readonly FileReport[],
  places: Places,
  { fixes = new Map(), errors = [] }: JsonExtras = {},
): object {
  return diagnosticsDocument(
    files.map((file) => ({
      path: places.displayPath(file.path),
      diagnostics: findingsJson(file, together(file.findings), fixes, places),
    })),
    errors,
  );
}

/** The same of findings that are JSON already (`findingJson`). */
export function diagnosticsDocument(
  files: readonly { readonly path: string; readonly diagnostics: readonly object[] }[],
  errors: readonly string[],
): object {
  return { schemaVersion, files, errors };
}

function launchJson({ kernel, launches, profile, count }: KernelLaunch, places: Places): object {
  const { block, grid, sharedBytes, origin, assumptions } = profile.launch;
  return {
    kernel: kernel.name,
    templateArguments: kernel.templateArguments,
    block,
    grid,
    sharedBytes,
    count,
    origin: { kind: origin.kind, path: origin.path.map((step) => lineJson(step, places)) },
    otherPaths: launches.slice(1).map((other) => other.origin.path.map((step) => lineJson(step, places))),
    assumptions: assumptions.map(assumptionText),
    gaps: profile.gaps,
    accesses: profile.accesses.map((access) => accessJson(access, places)),
  };
}

function accessJson(access: AccessProfile, places: Places): object {
  const { verdict, totals, perRequest } = access;
  const figure = (cost: number, ideal: number) =>
    access.space === "shared"
      ? { wavefronts: cost, idealWavefronts: ideal }
      : { sectors: cost, idealSectors: ideal };
  const hasFigures = access.space === "shared" || access.space === "global";
  const hasAverage = hasFigures && verdict.kind !== "unknown";
  return {
    ...rangeJson(access.range, places),
    expression: access.expression,
    stack: access.stack.map((frame) => lineJson(frame, places)),
    mergedLines: mergedLines(access, places),
    space: access.space,
    operation: access.operation,
    bytes: access.bytes === 0 ? null : access.bytes,
    verdict: verdict.kind,
    condition: verdict.kind === "conditional" ? verdict.condition : null,
    reason: verdict.kind === "unknown" ? verdict.reason : null,
    assumptions: verdict.kind === "exact" ? [] : verdict.assumptions.map(assumptionText),
    requests: access.requests,
    totals: hasFigures && totals !== null ? figure(totals.cost, totals.ideal) : null,
    totalsReason: hasAverage && totals === null ? (access.uncounted?.reason ?? null) : null,
    dependsOnData: hasFigures && isOfData(access),
    perRequest:
      hasAverage && perRequest !== null ? figure(perRequest.least.cost, perRequest.least.ideal) : null,
    perRequestMost:
      hasAverage && perRequest !== null ? figure(perRequest.most.cost, perRequest.most.ideal) : null,
    misalignedLanes: access.misaligned?.lanes ?? 0,
  };
}

/** Whether the contents of memory decide what is not known: the figure, or how often it is. */
function isOfData({ verdict, uncounted }: AccessProfile): boolean {
  return verdict.kind === "unknown" ? verdict.dependsOnData : uncounted?.dependsOnData === true;
}

function mergedLines(access: AccessProfile, places: Places): number[] {
  return [...new Set(access.mergedRanges.map((range) => places.startOf(range).line))].sort((a, b) => a - b);
}

/** A finding that speaks for no other. */
function alone(head: Finding): FindingGroup {
  return { head, others: [] };
}

function findingsJson(
  { path }: FileReport,
  groups: readonly FindingGroup[],
  fixes: ReadonlyMap<string, FixSearchResult>,
  places: Places,
): object[] {
  const found = fixes.get(path) ?? noFixes;
  return groups.map((group) => findingJson(group, found, places));
}

export function findingJson(
  { head: finding, others }: FindingGroup,
  found: FixSearchResult,
  places: Places,
): object {
  const { headline, reason } = messageWithOthers(finding, others, places);
  const { file: _file, ...range } = rangeJson(finding.range, places);
  return {
    rule: finding.rule,
    severity: finding.severity,
    ...range,
    message: `${headline}\n${reason}`,
    cost: groupCost(finding, others),
    others: others.map(({ range: place, worst }) => ({
      ...rangeJson(place, places),
      expression: worst.access.expression,
    })),
    contexts:
      finding.kind === "access"
        ? finding.contexts.map((context) => ({
            ...contextJson(context, finding.evidence.kind),
            text: contextText(context, finding, places),
          }))
        : [],
    fixes: fixesOfFinding(found, finding).map((fix) => fixJson(fix, places)),
    noFixBecause: refusalOfFinding(found, finding),
  };
}

/** Offsets count UTF-16 units from 0; lines and columns from 1. */
function fixJson(fix: Fix, places: Places): object {
  const { kind, safety, edits, gain, price, check } = fix;
  return {
    title: fixTitle(fix, places),
    kind,
    safety,
    edits: edits.map(({ file, start, end, newText }) => ({
      ...rangeJson({ file, start, end }, places),
      start,
      end,
      newText,
    })),
    gain,
    price,
    inputSets: check.inputSets,
  };
}

function contextJson(context: JudgedContext, kind: Evidence["kind"]): object {
  const { kernel, launch, figure, ratio } = context;
  const figures =
    kind === "banks" || kind === "padding"
      ? { wavefronts: figure.cost, idealWavefronts: figure.ideal, ratio }
      : kind === "sectors" || kind === "vector"
        ? { sectors: figure.cost, idealSectors: figure.ideal, ratio }
        : { misalignedLanes: context.access.misaligned?.lanes ?? 0 };
  return {
    kernel: kernel.name,
    templateArguments: kernel.templateArguments,
    block: launch.block,
    grid: launch.grid,
    origin: launch.origin.kind,
    ...figures,
  };
}

function rangeJson(range: SourceRange, places: Places) {
  const start = places.startOf(range);
  const end = places.endOf(range);
  return {
    file: places.displayPath(range.file),
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}

function lineJson(range: SourceRange, places: Places) {
  return { file: places.displayPath(range.file), line: places.startOf(range).line };
}
