// What a staged kernel begins and ends with: the tile and what fills it, in front of the statements that use it, and behind them what writes it
// back. Where that is done for all threads, those that would have returned early stay, and the rest stands under a condition.
import type { TextEdit } from "../fix.ts";
import { directivesBefore } from "../text/directives.ts";
import type { TypedNode } from "../text/statement-tree.ts";
import { offsetsOf } from "../text/typed-text.ts";
import { indented, type KernelText, negated } from "./kernel-text.ts";

export interface Opening {
  /** What stands in front, a line each. */
  readonly lines: readonly string[];
  readonly indent: string;
  readonly first: TypedNode;
  readonly last: TypedNode;
  readonly returns: readonly (TypedNode & { readonly kind: "if" })[];
  /** Whether the statements behind the returns stand under a condition in their place. */
  readonly isWrapped: boolean;
  /** Tokens that other edits replace: conditions that hold one are kept for them. */
  readonly mentions: readonly number[];
}

/** Null where the returns are not the first statements of what is staged, one behind the other. */
export function openingEdits(
  { typed, nodes }: KernelText,
  { lines, indent, first, last, returns, isWrapped, mentions }: Opening,
): TextEdit[] | null {
  const text = lines.map((line) => `${line}\n${indent}`).join("");
  const { file } = typed;
  const [start] = offsetsOf(typed, first.span);
  if (!isWrapped) {
    const before = directivesBefore(typed, first.span.first).start ?? start;
    return [{ file, start: before, end: before, newText: text }];
  }
  const places = returns.map((node) => nodes.indexOf(node));
  if (!places.every((place, index) => place === (places[0] ?? 0) + index) || first !== returns[0])
    return null;
  const returnsEnd = offsetsOf(typed, returns.at(-1)?.span ?? first.span)[1];
  const head: TextEdit[] = [];
  let [from, before] = [start, `${text}if (`];
  for (const { condition } of returns) {
    const [conditionStart, conditionEnd] = offsetsOf(typed, condition);
    if (mentions.some((at) => condition.first <= at && at < condition.end)) {
      head.push({ file, start: from, end: conditionStart, newText: `${before}!(` });
      [from, before] = [conditionEnd, ") && "];
    } else before += `${negated(typed, condition)} && `;
  }
  head.push({ file, start: from, end: returnsEnd, newText: `${before.replace(/ && $/, "")}) {` });
  return [...head, ...indented(typed, returnsEnd, offsetsOf(typed, last.span)[1])];
}

/** Lines behind the last statement and its comment. */
export function closingEdit(
  { typed }: KernelText,
  { lines, indent, last }: Pick<Opening, "lines" | "indent" | "last">,
): TextEdit {
  const end = offsetsOf(typed, last.span)[1];
  const behind = end + (/^[^\S\n]*\/\/[^\n]*/.exec(typed.text.slice(end))?.[0].length ?? 0);
  const newText = lines.map((line) => `\n${indent}${line}`).join("");
  return { file: typed.file, start: behind, end: behind, newText };
}
