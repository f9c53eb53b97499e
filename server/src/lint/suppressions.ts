// Comments that suppress findings: `// warplint-disable-next-line RULE, RULE -- reason`, `// warplint-disable-line`,
// `// warplint-disable RULE` up to `// warplint-enable RULE`, and `// warplint-disable-file RULE`, wherever it stands.
import type { SuppressionScope } from "../rules/finding.ts";
import type { SourceRange } from "../text/source.ts";
import { lineStarts, positionAt } from "../text/source.ts";

export interface Suppression {
  readonly range: SourceRange;
  readonly scope: SuppressionScope;
  /** Empty: all rules. */
  readonly rules: readonly string[];
  readonly reason: string | null;
  /** The lines it covers, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** The suppressions of a file, in the order of the text. What stands in strings is no comment. */
export function readSuppressions(file: string, text: string): Suppression[] {
  if (!text.includes(marker)) return [];
  const starts = lineStarts(text);
  const found: Suppression[] = [];
  const open: { range: SourceRange; rules: string[]; reason: string | null; firstLine: number }[] = [];
  const close = (rules: readonly string[], lastLine: number) => {
    for (let index = open.length - 1; index >= 0; index--) {
      const block = open[index];
      if (block === undefined || !endsBlock(rules, block.rules)) continue;
      found.push({ ...block, scope: "block", lastLine });
      open.splice(index, 1);
    }
  };
  for (const comment of commentsOf(text)) {
    const written = text.slice(comment.start, comment.end);
    const range: SourceRange = { file, start: comment.start, end: comment.end };
    const directive = directivePattern.exec(written);
    if (directive === null) {
      if (unknownPattern.test(written)) found.push(coveringNothing(range));
      continue;
    }
    const [, kind = "", list = "", reason = null] = directive;
    const rules = list.split(/[\s,]+/).filter((rule) => rule !== "");
    const { line } = positionAt(starts, comment.start);
    const last = positionAt(starts, comment.end).line;
    if (kind === "disable-line") found.push(single(range, "line", rules, reason, line));
    else if (kind === "disable-next-line") found.push(single(range, "next-line", rules, reason, last + 1));
    else if (kind === "disable-file")
      found.push({ range, scope: "file", rules, reason, firstLine: 1, lastLine: starts.length });
    else if (kind === "disable") open.push({ range, rules, reason, firstLine: line });
    else close(rules, line);
  }
  close([], starts.length);
  return found.sort((a, b) => a.range.start - b.range.start);
}

/** Whether `suppression` covers a finding of `rule` that begins on `line`. */
export function covers(suppression: Suppression, rule: string, line: number): boolean {
  const { rules, firstLine, lastLine } = suppression;
  return line >= firstLine && line <= lastLine && (rules.length === 0 || rules.includes(rule));
}

const marker = "warplint-";

const directivePattern =
  /^(?:\/\/|\/\*)[\s*]*warplint-(disable-next-line|disable-line|disable-file|disable|enable)(?![\w-])([\w\s,-]*?)(?:\s--\s+([\s\S]*?))?\s*(?:\*\/)?$/;

/** A comment that is meant to suppress, and is none of those that do. */
const unknownPattern = /^(?:\/\/|\/\*)[\s*]*warplint-(?:disable|enable|ignore|suppress|skip|off\b)/;

function coveringNothing(range: SourceRange): Suppression {
  return { range, scope: "nothing", rules: [], reason: null, firstLine: 1, lastLine: 0 };
}

function single(
  range: SourceRange,
  scope: "line" | "next-line",
  rules: readonly string[],
  reason: string | null,
  line: number,
): Suppression {
  return { range, scope, rules, reason, firstLine: line, lastLine: line };
}

/** `enable` without rules ends every block; with rules those that name the same. */
function endsBlock(enabled: readonly string[], disabled: readonly string[]): boolean {
  return enabled.length === 0 || (disabled.length > 0 && disabled.every((rule) => enabled.includes(rule)));
}

/** Comments, and what must be jumped over to find them: raw strings, strings, characters. */
const tokenPattern =
  /\/\/(?:[^\n\\]|\\[\s\S])*|\/\*[\s\S]*?(?:\*\/|$)|R"([^()\\\s]{0,16})\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S]){0,8}'/g;

function* commentsOf(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (const match of text.matchAll(tokenPattern)) {
    if (match[0].startsWith("//") || match[0].startsWith("/*"))
      yield { start: match.index, end: match.index + match[0].trimEnd().length };
  }
}
