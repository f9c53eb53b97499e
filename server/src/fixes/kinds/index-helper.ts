// A function beside an array that makes the new index of an old one: where a formula in each pair of brackets would be long, or would do twice what an
// index does (`s[at++]`).
import type { TextEdit } from "../fix.ts";
import { freshNameIn } from "../text/statements.ts";
import { blockAround, bodyAround, type Span, type TypedText, textAt } from "../text/typed-text.ts";
import { indentAt } from "./kernel-text.ts";

export interface IndexHelper {
  readonly name: string;
  readonly edit: TextEdit;
}

/** What a helper serves: `formula` gives the new index of `i`. */
export interface Reindexed {
  readonly typed: TypedText;
  /** Where the arrays are declared. */
  readonly nameTokens: readonly number[];
  readonly indices: readonly Span[];
  readonly name: string;
  readonly formula: string;
}

/** Null where the indices stand in several functions. */
export function indexHelper({ typed, nameTokens, indices, name, formula }: Reindexed): IndexHelper | null {
  const [first] = indices;
  const body = first === undefined ? null : bodyAround(typed, first.first);
  if (body === null || indices.some((index) => index.first < body.first || index.first >= body.end))
    return null;
  const declared = Math.min(...nameTokens);
  const isInBody = blockAround(typed, declared)?.first === body.first;
  const at = isInBody ? statementStart(typed, declared) : body.first;
  const fresh = freshNameIn(typed, body, name);
  const start = typed.tokens[at]?.start ?? 0;
  const newText = `const auto ${fresh} = [](int i) { return ${formula}; };\n${indentAt(typed, at)}`;
  return { name: fresh, edit: { file: typed.file, start, end: start, newText } };
}

function statementStart(typed: TypedText, token: number): number {
  let at = token;
  while (at > 0 && ![";", "{", "}"].includes(textAt(typed, at - 1)) && !typed.isInDirective(at - 1)) at--;
  return at;
}
