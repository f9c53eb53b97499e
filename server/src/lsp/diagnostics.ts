// Findings as the protocol's diagnostics.
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from "vscode-languageserver";
import type { Severity } from "../config/schema.ts";
import type { FixSearchResult } from "../fixes/fix.ts";
import { diagnosticsOf } from "../ide/diagnostics.ts";
import type { IdeDiagnostic } from "../ide/types.ts";
import type { FileAnalysis } from "../lint/analysis.ts";
import { missingIncludeText } from "../lint/notes.ts";
import type { LintFailure } from "../lint/report.ts";
import type { Places } from "../render/places.ts";
import type { ClientFeatures } from "./features.ts";
import type { Locations } from "./locations.ts";
import { clientCommands, type RuleArgument } from "./protocol.ts";

export const diagnosticSource = "warplint";

/** The code of what is wrong with an annotation: no rule's, since it cannot be configured. */
const annotationCode = "launch-annotation";

/** No rule's, either: it says what a figure may lack. */
const missingIncludeCode = "missing-include";

/** Asked of the library when it is needed: a command line never loads it. */
function severityOf(severity: Severity): DiagnosticSeverity {
  switch (severity) {
    case "error":
      return DiagnosticSeverity.Error;
    case "warning":
      return DiagnosticSeverity.Warning;
    case "information":
      return DiagnosticSeverity.Information;
  }
}

/** All that is to be shown of a file, in the order of the text: findings, and annotations that cannot be read. */
export function protocolDiagnostics(
  analysis: FileAnalysis,
  places: Places,
  locations: Locations,
  features: ClientFeatures,
  found: FixSearchResult,
): Diagnostic[] {
  return [
    ...diagnosticsOf(analysis, places, found).map((each) =>
      toDiagnostic(each, analysis.file, locations, features),
    ),
    ...analysis.failures.flatMap((failure) => annotationDiagnostic(failure, analysis)),
    ...analysis.missingIncludes.map(
      (missing): Diagnostic => ({
        range: locations.rangeIn(analysis.file, missing.range),
        severity: DiagnosticSeverity.Hint,
        code: missingIncludeCode,
        source: diagnosticSource,
        message: missingIncludeText(missing),
      }),
    ),
  ];
}

function toDiagnostic(
  { range, severity, rule, message, related }: IdeDiagnostic,
  file: string,
  locations: Locations,
  features: ClientFeatures,
): Diagnostic {
  const page = features.commandLinks ? showRuleAddress(rule) : rulePage(rule, features);
  return {
    range: locations.rangeIn(file, range),
    severity: severityOf(severity),
    code: rule,
    source: diagnosticSource,
    message,
    ...(page !== null && features.canShowRulePage ? { codeDescription: { href: page } } : {}),
    ...(related.length > 0 && features.canShowRelated
      ? {
          relatedInformation: related.map((each) => ({
            location: locations.locationOf(each.range),
            message: each.message,
          })),
        }
      : {}),
    ...(rule === "unused-suppression" && features.canShowTags ? { tags: [DiagnosticTag.Unnecessary] } : {}),
  };
}

/** What opens the page as a page: a file's address would open its markup. */
function showRuleAddress(rule: string): string {
  const argument: RuleArgument = { rule };
  return `command:${clientCommands.showRule}?${encodeURIComponent(JSON.stringify([argument]))}`;
}

/** Where the page of a rule is; null where nobody has said. */
export function rulePage(rule: string, { rulePages }: ClientFeatures): string | null {
  return rulePages === null ? null : `${rulePages}${rule}.md`;
}

/** What the command line prints with "file:line:column" before it, on its line. */
function annotationDiagnostic({ file, message }: LintFailure, analysis: FileAnalysis): Diagnostic[] {
  const place = /^(.*):(\d+):(\d+)$/.exec(file);
  if (place === null || place[1] !== analysis.file) return [];
  const line = Number(place[2]) - 1;
  const character = Number(place[3]) - 1;
  const text = analysis.text.split("\n")[line]?.trimEnd();
  if (text === undefined) return [];
  return [
    {
      range: { start: { line, character }, end: { line, character: Math.max(character, text.length) } },
      severity: DiagnosticSeverity.Error,
      code: annotationCode,
      source: diagnosticSource,
      message,
    },
  ];
}
