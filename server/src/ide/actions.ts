// What can be done about a place: make a checked fix, set the launch of its kernel, ignore a finding.
import type { RuleId } from "../config/schema.ts";
import type { FixSearchResult } from "../fixes/fix.ts";
import { isLaunchKnown } from "../render/launch-words.ts";
import type { Places } from "../render/places.ts";
import type { Finding } from "../rules/finding.ts";
import type { AnalysedFile, AnalysedKernel } from "./analysis.ts";
import { fixActions } from "./fixes.ts";
import { launchesOfKernel } from "./kernels.ts";
import { lineAbove, lineAround, lineBefore, withoutComment } from "./text-lines.ts";
import type { Action, OffsetRange, TextEdit } from "./types.ts";

export interface ActionMaterial {
  /** The fixes that are ready. */
  readonly found: FixSearchResult;
  /** The findings whose search has not ended. */
  readonly pending: readonly Finding[];
  readonly places: Places;
}

/** The actions for `range`, in the order in which they are to be listed: to ignore a finding comes last, and is never preferred. */
export function actionsAt(
  analysis: AnalysedFile,
  range: OffsetRange,
  { found, pending, places }: ActionMaterial,
): Action[] {
  const findings = analysis.report.findings.filter((finding) => touches(finding.range, range));
  return [
    ...fixActions(findings, found, places),
    ...searchActions(analysis, findings, pending),
    ...suppressionActions(analysis, findings),
    ...launchActions(analysis, range, findings),
    ...ignoreActions(analysis, findings),
    ...disableActions(analysis, findings),
  ];
}

/** While a search runs the menu says so; a click opens it again, with what is ready by then. */
function searchActions(
  { file }: AnalysedFile,
  findings: readonly Finding[],
  pending: readonly Finding[],
): Action[] {
  const searched = findings.filter((finding) => pending.includes(finding));
  const [first] = searched;
  if (first === undefined) return [];
  return [
    {
      title: "Searching for fixes… Open the menu again",
      kind: "quickfix",
      origin: "fix",
      edits: [],
      command: { kind: "pick-fix", file, offset: first.range.start },
      isPreferred: false,
      diagnostics: searched.map(({ rule, range: { start, end } }) => ({ rule, range: { start, end } })),
    },
  ];
}

/** "Remove the unused suppression": where it suppresses nothing at all. What ends a block elsewhere would be left alone, so not there. */
function suppressionActions({ file, text }: AnalysedFile, findings: readonly Finding[]): Action[] {
  return findings.flatMap((finding): Action[] => {
    if (finding.kind !== "suppression" || finding.scope === "block" || finding.scope === "nothing") return [];
    const { range, rule, unusedRules, unknownRules } = finding;
    const named = text.slice(range.start, range.end).match(/(?<=[\s,])[a-z]+(?:-[a-z]+)+(?=[\s,]|$)/g) ?? [];
    const rules = named.filter((name) => !name.startsWith("warplint-"));
    const isWhole = unusedRules.length === 0 || rules.every((name) => unusedRules.includes(name));
    if (unknownRules.length > 0 || !isWhole) return [];
    const { start, end } = range;
    return [
      {
        title: "Remove the unused suppression",
        kind: "quickfix",
        origin: "fix",
        edits: [withoutComment(file, text, range)],
        command: null,
        isPreferred: true,
        diagnostics: [{ rule, range: { start, end } }],
      },
    ];
  });
}

function touches(a: OffsetRange, b: OffsetRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** "Set the launch of reduce0…": on the head of a kernel that nothing launches, and on findings that were made for an assumed block. */
function launchActions(
  { file, kernels, text }: AnalysedFile,
  range: OffsetRange,
  findings: readonly Finding[],
): Action[] {
  return kernels.flatMap((kernel) => {
    if (isLaunchKnown(launchesOfKernel(kernel)) || !touches(kernel.range, range)) return [];
    const own = findings.filter((finding) => touches(kernel.range, finding.range));
    if (own.length === 0 && !touches(headOf(kernel, text), range)) return [];
    const offset = kernel.nameRange.start;
    return [
      {
        title: `Set the launch of ${kernel.name}…`,
        kind: "quickfix",
        origin: "launch",
        edits: [],
        command: { kind: "choose-launch", file, kernel: kernel.name, offset },
        isPreferred: false,
        diagnostics: own.map(({ rule, range: { start, end } }) => ({ rule, range: { start, end } })),
      },
    ];
  });
}

/** From the start of the definition to its body. */
function headOf({ range, nameRange }: AnalysedKernel, text: string): OffsetRange {
  const brace = text.indexOf("{", nameRange.end);
  return { start: range.start, end: brace === -1 || brace > range.end ? nameRange.end : brace };
}

/** "Ignore shared-bank-conflict on this line…": one for each rule and line. */
function ignoreActions({ file, text }: AnalysedFile, findings: readonly Finding[]): Action[] {
  const groups = new Map<string, { rule: RuleId; line: number; ranges: OffsetRange[] }>();
  for (const { kind, rule, range } of findings) {
    if (kind === "suppression") continue;
    const line = lineAround(text, range.start).start;
    const key = `${rule} ${line}`;
    const group = groups.get(key) ?? { rule, line, ranges: [] };
    groups.set(key, group);
    group.ranges.push({ start: range.start, end: range.end });
  }
  return [...groups.values()].flatMap(({ rule, line, ranges }): Action[] => {
    const edit = ignoreEdit(file, text, line, rule);
    if (edit === null) return [];
    return [
      {
        title: `Ignore ${rule} on this line…`,
        kind: "quickfix",
        origin: "ignore",
        edits: [edit],
        command: null,
        isPreferred: false,
        diagnostics: ranges.map((range) => ({ rule, range })),
      },
    ];
  });
}

/** "Disable shared-bank-conflict in this file…": a comment in the first line, one for each rule. */
function disableActions({ file, text }: AnalysedFile, findings: readonly Finding[]): Action[] {
  const rules = new Map<RuleId, OffsetRange[]>();
  for (const { kind, rule, range } of findings)
    if (kind !== "suppression") rules.set(rule, [...(rules.get(rule) ?? []), range]);
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const ending = /\r\n|\n/.exec(text)?.[0] ?? "\n";
  return [...rules].map(([rule, ranges]) => ({
    title: `Disable ${rule} in this file…`,
    kind: "quickfix",
    origin: "ignore",
    edits: [{ file, start, end: start, newText: `// warplint-disable ${rule} -- reason${ending}` }],
    command: null,
    isPreferred: false,
    diagnostics: ranges.map((range) => ({ rule, range: { start: range.start, end: range.end } })),
  }));
}

/** A comment above the line, or the rule added to the one that stands there. */
function ignoreEdit(file: string, text: string, offset: number, rule: RuleId): TextEdit | null {
  const before = lineBefore(text, lineAround(text, offset));
  const known = before === null ? null : suppressionPattern.exec(text.slice(before.start, before.end));
  if (before === null || known === null)
    return lineAbove(file, text, offset, `// warplint-disable-next-line ${rule} -- reason`);
  const at = before.start + (known[1] ?? "").length;
  return { file, start: at, end: at, newText: `, ${rule}` };
}

/** A comment that names rules: to one that names none, nothing need be added. */
const suppressionPattern = /^(\s*\/\/\s*warplint-disable-next-line\s+[\w-]+(?:\s*,\s*[\w-]+)*)(?=\s|$)/;
