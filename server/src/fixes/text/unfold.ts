// A kernel in which what stands for elements of an array is written out, so that every access reads `array[index]`: pointers and references to an
// element, macros, lambdas and functions that give one or number it.
import type { TextEdit } from "../fix.ts";
import { composedEdits } from "./composed-edits.ts";
import { applyEdits } from "./edits.ts";
import { expansionAt } from "./expressions.ts";
import { namesIn, threadAxesOf, typedLocal } from "./locals.ts";
import { asFactor, asSummand } from "./spelling.ts";
import { statementAround } from "./statements.ts";
import {
  blockAround,
  bodyAround,
  offsetsOf,
  replaced,
  type Span,
  spelled,
  type TypedText,
  textAt,
  tokenFrom,
  typedText,
} from "./typed-text.ts";
import { isChangedIn } from "./uniform.ts";

/** The same text with edits that change nothing of what it means; none where nothing stands for anything. */
export function unfoldingEdits(typed: TypedText, body: Span, array: string): TextEdit[] {
  const [start] = offsetsOf(typed, body);
  let edits: TextEdit[] = [];
  let text = typed;
  for (let round = 0; round < mostRounds; round++) {
    const own = bodyAround(text, tokenFrom(text, start));
    const more = own === null ? [] : (steps.map((step) => step(text, own, array)).find(isSome) ?? []);
    if (more.length === 0) break;
    edits = composedEdits(typed.text, edits, more).map(({ edit }) => edit);
    text = typedText(typed.file, applyEdits(typed.text, edits));
  }
  return edits;
}

const mostRounds = 8;

function isSome(edits: readonly TextEdit[]): boolean {
  return edits.length > 0;
}

const steps = [elementCalls, aliases, indexCalls, indexLocals];

/** `AT(u, i, j)` where that is `u[i * n + j]`. */
function elementCalls(typed: TypedText, body: Span, array: string): TextEdit[] {
  const found: TextEdit[] = [];
  let end = body.first;
  for (let index = body.first; index < body.end; index++) {
    if (index < end || textAt(typed, index + 1) !== "(" || textAt(typed, index) === array) continue;
    const expansion = expansionAt(typed, index, body);
    if (expansion === null || !expansion.text.startsWith(`${array}[`)) continue;
    found.push(replaced(typed, { first: index, end: expansion.end }, expansion.text));
    end = expansion.end;
  }
  return found;
}

/** `array[at(i)]` where that is `array[s * n + i]`. */
function indexCalls(typed: TypedText, body: Span, array: string): TextEdit[] {
  const found: TextEdit[] = [];
  for (const { first, end } of subscriptsOf(typed, body, array)) {
    for (let index = first; index < end; index++) {
      const expansion = textAt(typed, index + 1) === "(" ? expansionAt(typed, index, body) : null;
      if (expansion === null) continue;
      const isWhole = index === first && expansion.end === end;
      const text = isWhole ? expansion.text : `(${expansion.text})`;
      found.push(replaced(typed, { first: index, end: expansion.end }, text));
      index = expansion.end - 1;
    }
  }
  return found;
}

/** `array[base + i]` where `base` is `s * n`, and `s` the thread's number. */
function indexLocals(typed: TypedText, body: Span, array: string): TextEdit[] {
  return subscriptsOf(typed, body, array).flatMap((subscript) =>
    namesIn(typed, subscript).flatMap((index) => {
      const local = typedLocal(typed, index);
      if (local === null || threadAxesOf(typed, local.initializer).size === 0) return [];
      const text = spelled(typed, local.initializer);
      // A number of the thread is what the index is told by.
      if (!text.includes("*") || /\b(?:threadIdx|blockIdx)\b|\[/.test(text)) return [];
      const isSummand = ["[", "+", "("].includes(textAt(typed, index - 1));
      const isLast = ["]", "+", "-", ")"].includes(textAt(typed, index + 1));
      const own = { first: index, end: index + 1 };
      return [replaced(typed, own, isSummand && isLast ? asSummand(text) : asFactor(text))];
    }),
  );
}

/** What stands in the brackets behind the array's name, everywhere in the body. */
function subscriptsOf(typed: TypedText, body: Span, array: string): Span[] {
  return (typed.byName.get(array) ?? []).flatMap((name) => {
    const closer = textAt(typed, name + 1) === "[" ? (typed.partners[name + 1] ?? -1) : -1;
    const isInBody = body.first <= name && name < body.end;
    return isInBody && closer > 0 ? [{ first: name + 2, end: closer }] : [];
  });
}

interface Alias {
  readonly nameToken: number;
  /** What it stands for: a pointer's offset from the array, or the whole element. */
  readonly kind: "pointer" | "reference";
  readonly index: Span;
  readonly end: number;
}

/** The first pointer or reference to an element of the array all mentions of which can be written out. */
function aliases(typed: TypedText, body: Span, array: string): TextEdit[] {
  for (const mention of typed.byName.get(array) ?? []) {
    if (mention < body.first || mention >= body.end) continue;
    const alias = aliasMadeOf(typed, mention);
    const edits = alias === null ? null : aliasEdits(typed, alias, array);
    if (edits !== null) return edits;
  }
  return [];
}

/** `T *name = array + index`, `T *name = &array[index]`, `T &name = array[index]`. */
function aliasMadeOf(typed: TypedText, mention: number): Alias | null {
  const isAddress = textAt(typed, mention - 1) === "&" && textAt(typed, mention - 2) === "=";
  const equals = isAddress ? mention - 2 : mention - 1;
  const nameToken = equals - 1;
  let sign = nameToken - 1;
  while (["const", "__restrict__", "__restrict"].includes(textAt(typed, sign))) sign--;
  const mark = textAt(typed, sign);
  if (textAt(typed, equals) !== "=" || (mark !== "*" && mark !== "&" && mark !== "auto")) return null;
  const closer = textAt(typed, mention + 1) === "[" ? (typed.partners[mention + 1] ?? -1) : -1;
  const isElement = closer > 0 && [";", ","].includes(textAt(typed, closer + 1));
  const inside = { first: mention + 2, end: closer };
  if (mark === "&")
    return isElement && !isAddress ? { nameToken, kind: "reference", index: inside, end: closer + 1 } : null;
  if (isAddress) return isElement ? { nameToken, kind: "pointer", index: inside, end: closer + 1 } : null;
  if (textAt(typed, mention + 1) !== "+") return null;
  let end = mention + 2;
  while (end < typed.tokens.length && ![";", ","].includes(textAt(typed, end)))
    end = Math.max(end, typed.partners[end] ?? -1) + 1;
  return { nameToken, kind: "pointer", index: { first: mention + 2, end }, end };
}

/** Null where something else is done to it than an element accessed, or where it, or what it is made of, is changed. */
function aliasEdits(typed: TypedText, alias: Alias, array: string): TextEdit[] | null {
  const { nameToken, index, end } = alias;
  const name = textAt(typed, nameToken);
  const scope = blockAround(typed, nameToken);
  const removal = removalOf(typed, alias);
  if (scope === null || removal === null) return null;
  const rest = { first: end, end: scope.end };
  const parts = namesIn(typed, index).map((at) => textAt(typed, at));
  // What is assigned to a reference is assigned to the element.
  const names = alias.kind === "reference" ? parts : [name, ...parts];
  const isFixed = names.every((each) => each === "threadIdx" || !isChangedIn(typed, each, rest));
  if (!isFixed) return null;
  const mentions = (typed.byName.get(name) ?? []).filter((at) => end <= at && at < scope.end);
  const edits = mentions.map((at) => mentionEdit(typed, at, alias, array));
  return mentions.length === 0 || edits.includes(null)
    ? null
    : [removal, ...edits.flatMap((edit) => edit ?? [])];
}

function mentionEdit(typed: TypedText, at: number, { kind, index }: Alias, array: string): TextEdit | null {
  if ([".", "->", "::"].includes(textAt(typed, at - 1))) return null;
  const own = spelled(typed, index);
  const element = `${array}[${own}]`;
  if (kind === "reference") return replaced(typed, { first: at, end: at + 1 }, element);
  const next = textAt(typed, at + 1);
  const closer = typed.partners[at + 1] ?? -1;
  if (next === "[" && closer > at) {
    const inner = spelled(typed, { first: at + 2, end: closer });
    const sum = inner.trim() === "0" ? own : `${asSummand(own)} + ${asSummand(inner)}`;
    return replaced(typed, { first: at, end: closer + 1 }, `${array}[${sum}]`);
  }
  if (next === "->") return replaced(typed, { first: at, end: at + 2 }, `${element}.`);
  // As a pointer: handed on, or what another one is made of.
  const isPointer = ["=", "(", ","].includes(textAt(typed, at - 1)) && ["+", ")", ",", ";"].includes(next);
  if (isPointer) return replaced(typed, { first: at, end: at + 1 }, `${array} + ${asSummand(own)}`);
  const isUnary = /^(?:[-+*/%=<>&|^(,;{}!]|[-+*/%&|^]=|return|&&|\|\|)$/.test(textAt(typed, at - 2));
  return textAt(typed, at - 1) === "*" && isUnary && !["+", "-", "++", "--"].includes(next)
    ? replaced(typed, { first: at - 1, end: at + 1 }, element)
    : null;
}

/** Takes the declaration out: the whole line, or one of several names. */
function removalOf(typed: TypedText, { nameToken, end }: Alias): TextEdit | null {
  const statement = statementAround(typed, nameToken);
  if (statement === null) return null;
  const { text, tokens, file } = typed;
  let first = nameToken;
  while (["*", "&", "const", "__restrict__", "__restrict"].includes(textAt(typed, first - 1))) first--;
  const [declaratorStart, declaratorEnd] = offsetsOf(typed, { first, end });
  if (textAt(typed, end) === ",")
    return { file, start: declaratorStart, end: tokens[end + 1]?.start ?? declaratorEnd, newText: "" };
  if (textAt(typed, first - 1) === ",")
    return { file, start: tokens[first - 1]?.start ?? declaratorStart, end: declaratorEnd, newText: "" };
  const [start, statementEnd] = offsetsOf(typed, statement.span);
  const line = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", statementEnd) + 1;
  const isAlone = text.slice(line, start).trim() === "" && text.slice(statementEnd, next).trim() === "";
  return isAlone
    ? { file, start: line, end: next, newText: "" }
    : { file, start, end: tokens[statement.span.end]?.start ?? statementEnd, newText: "" };
}
