// Findings as an editor lists them: range, severity, rule, text, the launch and the accesses of the same cause as related places.

import { type FixSearchResult, noFixes } from "../fixes/fix.ts";
import { cureText } from "../render/cure.ts";
import { withOthers } from "../render/group-message.ts";
import { blockText, distinctLaunches, tellingStep } from "../render/labels.ts";
import type { Places } from "../render/places.ts";
import type { AccessFinding } from "../rules/finding.ts";
import { type FindingGroup, together } from "../rules/together.ts";
import type { AnalysedFile } from "./analysis.ts";
import { messagesIn } from "./known-messages.ts";
import type { IdeDiagnostic } from "./types.ts";

/** The findings of a file, in the order of the text. The texts are those of the command line, with the fixes that are ready. */
export function diagnosticsOf(
  { report }: AnalysedFile,
  places: Places,
  found: FixSearchResult = noFixes,
): IdeDiagnostic[] {
  const messageOf = messagesIn(places);
  return together(report.findings).map((group) => {
    const message = withOthers(messageOf(group.head), group, places);
    return diagnosticOf(group, `${message.headline}\n${cureText(message, group.head, found, places)}`);
  });
}

function diagnosticOf({ head: finding, others }: FindingGroup, message: string): IdeDiagnostic {
  return {
    range: { start: finding.range.start, end: finding.range.end },
    severity: finding.severity,
    rule: finding.rule,
    message,
    related: [
      ...(finding.kind === "access" ? launchOf(finding) : []),
      ...others.slice(0, mostOthers).map(({ range, worst }) => ({
        range,
        message: `the same of ${worst.access.expression}`,
      })),
    ],
  };
}

/** Further places would only make a list long. */
const mostOthers = 20;

/** Where the launch of the message's figures is told from the others. */
function launchOf({ worst, contexts }: AccessFinding): IdeDiagnostic["related"] {
  const { launch, kernel } = worst;
  const rivals = distinctLaunches(contexts).filter((other) => other.kernel === launch.kernel);
  const range = tellingStep(launch.origin.path, rivals);
  if (range === null) return [];
  const given = launch.origin.kind === "annotation" ? "annotated" : "launched";
  return [{ range, message: `${kernel.name} is ${given} here with block ${blockText(launch.block)}` }];
}
