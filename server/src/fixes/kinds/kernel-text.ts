// A kernel's text with its launches, as fixes see it that change which thread does what.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { entryOf } from "../../table.ts";
import type { SourceRange } from "../../text/source.ts";
import { type Candidates, refusal } from "../candidate.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { statementsIn, type TypedNode } from "../text/statement-tree.ts";
import {
  bodyAround,
  type Span,
  type TypedText,
  type TypedTexts,
  textAt,
  tokenFrom,
} from "../text/typed-text.ts";
import { otherThreads } from "./launch-shape.ts";

export type Extents = readonly [number, number, number];

export interface KernelText {
  readonly typed: TypedText;
  readonly body: Span;
  readonly nodes: readonly TypedNode[];
  /** Of this kernel, whatever its template arguments. */
  readonly launches: readonly LaunchedKernel[];
  /** Each once. */
  readonly blocks: readonly Extents[];
  /** The access as typed. */
  readonly access: Span;
}

/** The kernel that an access stands in; in words why it cannot be edited. */
export function kernelText(
  access: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): KernelText | string {
  if (access.stack.length > 1) return "the access stands in a function that the kernel calls";
  return textAround(access.range, launches, texts);
}

/** The kernel that makes an access, itself or in a function that it calls: then the call stands for the access. */
export function callingKernelText(
  { range, stack }: AccessProfile,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): KernelText | string {
  return textAround(stack.at(-1) ?? range, launches, texts);
}

function textAround(
  range: SourceRange,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): KernelText | string {
  const typed = texts(range.file);
  if (typed === null) return "the kernel is not in the text";
  const first = tokenFrom(typed, range.start);
  if (typed.isInDirective(first)) return "the access stands in a macro";
  const body = bodyAround(typed, first);
  const nodes = body === null ? null : statementsIn(typed, body);
  if (body === null || nodes === null) return "the statements of the kernel are not all understood";
  const blocks = new Map(launches.map(({ launch }) => [launch.block.join(), launch.block]));
  const access = { first, end: tokenFrom(typed, range.end) };
  return { typed, body, nodes, launches, blocks: [...blocks.values()], access };
}

/** What a kind makes of the kernel; where its text is not understood, the reason. */
export function ofKernel(found: KernelText | string, make: (kernel: KernelText) => Candidates): Candidates {
  return typeof found === "string" ? refusal(found) : make(found);
}

/** The same for kinds that take the threads of a block for one row, of so many. */
export function ofRow(
  found: KernelText | string,
  make: (kernel: KernelText, threads: number) => Candidates,
): Candidates {
  return ofKernel(found, (kernel) => {
    const threads = widthOfRow(kernel);
    return threads === null ? refusal(otherThreads) : make(kernel, threads);
  });
}

/** The threads of a block where all launches have one shape, along x alone; null where they have not. */
function widthOfRow({ blocks }: KernelText): number | null {
  const [block, ...others] = blocks;
  return block !== undefined && block[1] === 1 && block[2] === 1 && others.length === 0 ? block[0] : null;
}

/** The condition that holds where `if (condition) return;` does not return. */
export function negated(typed: TypedText, span: Span): string {
  const text = (part: Span) =>
    typed.text.slice(typed.tokens[part.first]?.start ?? 0, typed.tokens[part.end - 1]?.end ?? 0);
  const parts: Span[] = [];
  let first = span.first;
  for (let index = span.first; index < span.end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (textAt(typed, index) === "&&") return `!(${text(span)})`;
    else if (textAt(typed, index) === "||") {
      parts.push({ first, end: index });
      first = index + 1;
    }
  }
  parts.push({ first, end: span.end });
  const opposite = parts.map((part) => negatedComparison(typed, part));
  return opposite.includes(null) ? `!(${text(span)})` : opposite.join(" && ");
}

const opposites: Readonly<Record<string, string>> = {
  "<": ">=",
  ">": "<=",
  "<=": ">",
  ">=": "<",
  "==": "!=",
  "!=": "==",
};

/** `i < n` for `i >= n`; null for what is no comparison. */
function negatedComparison(typed: TypedText, { first, end }: Span): string | null {
  let operator = -1;
  for (let index = first; index < end; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (entryOf(opposites, textAt(typed, index)) !== undefined) {
      if (operator !== -1) return null;
      operator = index;
    } else if (["?", "="].includes(textAt(typed, index))) return null;
  }
  const start = typed.tokens[first]?.start ?? 0;
  const token = typed.tokens[operator];
  const last = typed.tokens[end - 1]?.end ?? 0;
  if (token === undefined) return null;
  return typed.text.slice(start, token.start) + opposites[token.text] + typed.text.slice(token.end, last);
}

/** The white space before a statement on its line. */
export function indentAt({ text, tokens }: TypedText, first: number): string {
  const start = tokens[first]?.start ?? 0;
  const line = text.lastIndexOf("\n", start - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, start))?.[0] ?? "";
}

/** One step of indentation, as the file has it. */
export function indentStep({ text }: TypedText): string {
  if (/^\t/m.test(text)) return "\t";
  const steps = [...text.matchAll(/\{[^\S\n]*\n( +)\S/g)].map((match) => match[1] ?? "");
  return steps.reduce((least, each) => (each.length < least.length ? each : least), "    ");
}

/** The lines that begin between two offsets, one step further in. */
export function indented(typed: TypedText, from: number, to: number): TextEdit[] {
  const { file, text } = typed;
  const step = indentStep(typed);
  const edits: TextEdit[] = [];
  for (let line = text.indexOf("\n", from) + 1; line > 0 && line <= to; line = text.indexOf("\n", line) + 1) {
    const rest = /^[^\S\n]*(.?)/.exec(text.slice(line))?.[1] ?? "";
    if (rest !== "" && rest !== "#") edits.push({ file, start: line, end: line, newText: step });
  }
  return edits;
}
