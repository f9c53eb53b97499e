// The index of an element in a run that a loop goes along: where the run begins, and how far the loop has come. In `(y * width + x) * 3 + c`, the run
// that `c` goes along begins at `(y * width + x) * 3`.
import { namesIn, typedLocal } from "./locals.ts";
import { asSummand } from "./spelling.ts";
import { type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

/** Where the run begins that a variable goes along by one, "" where it is the whole index; null where an index is something else. */
export function runStart(typed: TypedText, index: Span, variable: string, loop: Span): string | null {
  const found = withoutVariable(typed, index, variable, loop);
  return found === null || found.signs !== 1 ? null : found.text;
}

interface Part {
  readonly text: string;
  /** How often the variable was taken out. */
  readonly signs: number;
}

/** Null where the variable, or something that the loop makes of it, is more than a summand. */
function withoutVariable(typed: TypedText, { first, end }: Span, variable: string, loop: Span): Part | null {
  const parts: string[] = [];
  let signs = 0;
  for (const { sign, span } of summandsWithSigns(typed, { first, end })) {
    const only = span.end === span.first + 1 ? span.first : null;
    if (only !== null && textAt(typed, only) === variable) {
      if (sign === "-") return null;
      signs++;
      continue;
    }
    const local = only === null ? null : typedLocal(typed, only);
    const isOfLoop = local !== null && loop.first <= local.nameToken && local.nameToken < loop.end;
    const inner = isOfLoop ? local.initializer : isWrapped(typed, span) ? insideOf(span) : null;
    if (inner !== null && sign !== "-") {
      const nested = withoutVariable(typed, inner, variable, loop);
      if (nested === null) return null;
      if (isOfLoop || nested.signs > 0) {
        signs += nested.signs;
        if (nested.text !== "") parts.push(`${parts.length === 0 ? "" : " + "}${asSummand(nested.text)}`);
        continue;
      }
    }
    const isBound = namesIn(typed, span).some((index) => {
      if (textAt(typed, index) === variable) return true;
      const made = typedLocal(typed, index);
      return made !== null && loop.first <= made.nameToken && made.nameToken < loop.end;
    });
    if (isBound) return null;
    const text = spelled(typed, span);
    parts.push(parts.length === 0 ? (sign === "-" ? `-${text}` : text) : ` ${sign} ${text}`);
  }
  return { text: parts.join(""), signs };
}

interface Signed {
  readonly sign: "+" | "-";
  readonly span: Span;
}

/** The summands outside of brackets; the whole where other operators join it. */
function summandsWithSigns(typed: TypedText, { first, end }: Span): Signed[] {
  const found: Signed[] = [];
  let sign: "+" | "-" = "+";
  let start = first;
  for (let index = first; index < end; index++) {
    const text = textAt(typed, index);
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (["|", "^", "&", "<<", ">>", "?", ":", ",", "<", ">"].includes(text))
      return [{ sign: "+", span: { first, end } }];
    else if ((text === "+" || text === "-") && index > start && !isOperator(typed, index - 1)) {
      found.push({ sign, span: { first: start, end: index } });
      sign = text;
      start = index + 1;
    }
  }
  found.push({ sign, span: { first: start, end } });
  return found;
}

/** A sign behind it belongs to a number. */
function isOperator(typed: TypedText, index: number): boolean {
  return ["*", "/", "%", "+", "-"].includes(textAt(typed, index));
}

function isWrapped(typed: TypedText, { first, end }: Span): boolean {
  return textAt(typed, first) === "(" && typed.partners[first] === end - 1;
}

function insideOf({ first, end }: Span): Span {
  return { first: first + 1, end: end - 1 };
}
