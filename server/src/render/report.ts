// Findings as text for a terminal or a log. Colour comes from outside, through `Paint`.
import type { Severity } from "../config/schema.ts";
import { type FixSearchResult, noFixes } from "../fixes/fix.ts";
import type { AccessFinding } from "../rules/finding.ts";
import type { FindingGroup } from "../rules/together.ts";
import { sampleName } from "./access-words.ts";
import { drawMap, mapHeading, mapOf } from "./bank-map.ts";
import { cureText } from "./cure.ts";
import { drawFrame, frameOf } from "./frame.ts";
import { messageWithOthers } from "./group-message.ts";
import { contextLabel } from "./labels.ts";
import { contextText } from "./message.ts";
import type { Places } from "./places.ts";
import { onOneLine } from "./visible.ts";
import { countText } from "./words.ts";

/** How parts are to look; each gets and gives text. */
export interface Paint {
  path(text: string): string;
  severity(text: string, severity: Severity): string;
  rule(text: string): string;
  faint(text: string): string;
}

export const plainPaint: Paint = {
  path: (text) => text,
  severity: (text) => text,
  rule: (text) => text,
  faint: (text) => text,
};

/**
 * One finding, which may speak for others of one cause: `path:line:column: severity: message [rule]`, the cause and what helps (its best fix, where
 * it has one), a code frame, the map, the other contexts.
 */
export function findingText(
  { head: finding, others }: FindingGroup,
  places: Places,
  paint: Paint = plainPaint,
  found: FixSearchResult = noFixes,
): string {
  const message = messageWithOthers(finding, others, places);
  const { headline } = message;
  const why = cureText(message, finding, found, places);
  const { line, column } = places.startOf(finding.range);
  const place = paint.path(`${onOneLine(places.displayPath(finding.range.file))}:${line}:${column}`);
  const severity = paint.severity(finding.severity, finding.severity);
  const parts = [`${place}: ${severity}: ${headline} ${paint.rule(`[${finding.rule}]`)}`, `  ${why}`];
  parts.push(...indent(drawFrame(frameOf(finding.range, places))));
  if (finding.kind === "access")
    parts.push(...mapLines(finding, places, paint), ...contextLines(finding, places, paint));
  return parts.join("\n");
}

function mapLines(finding: AccessFinding, places: Places, paint: Paint): string[] {
  const { access } = finding.worst;
  const map = finding.evidence.kind === "misalignment" ? null : mapOf(access);
  if (map === null) return [];
  const label = contextLabel(finding.worst, finding.contexts, places, finding.range.file);
  const name = sampleName(access);
  const start = name === null ? "" : `${name}: `;
  return indent([`${start}${mapHeading(access)} · ${label}`, ...drawMap(map)].map(paint.faint));
}

function contextLines(finding: AccessFinding, places: Places, paint: Paint): string[] {
  const texts = contextTexts(finding, places);
  if (texts.length < 2) return [];
  const shown = texts.slice(0, mostContexts);
  const more = texts.length > shown.length ? [`… ${countText(texts.length - shown.length)} more`] : [];
  return indent([...shown, ...more].map(paint.faint));
}

/** One line a distinct context, worst first. */
export function contextTexts(finding: AccessFinding, places: Places): string[] {
  return [...new Set(finding.contexts.map((context) => contextText(context, finding, places)))];
}

const mostContexts = 4;

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `    ${line}`);
}
