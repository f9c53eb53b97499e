// What a launch's grid is made of, written for blocks of other extents.
import { asSummand } from "./spelling.ts";
import { argumentsIn, bodyAround, type Span, type TypedText, textAt } from "./typed-text.ts";

/** One extent of a block: its number, and how the text may name it. */
export interface BlockExtent {
  readonly number: number;
  /** As it is written where the block is made: `16`, `TILE`. */
  readonly text: string;
  /** `block.x`; null where the block has no name. */
  readonly member: string | null;
}

/**
 * `(n + 15) / 16`, `n / block.x`, `CEIL_DIV(n, TILE)` for blocks of another extent; null where the extent is not mentioned. Where a block had one
 * thread, as many blocks as there were threads are divided.
 */
export function gridExtentFor(
  { tokens, text }: TypedText,
  { first, end }: Span,
  from: BlockExtent,
  to: BlockExtent,
): string | null {
  const start = tokens[first]?.start ?? 0;
  let at = start;
  let written = "";
  let isMentioned = false;
  for (let index = first; index < end; index++) {
    const token = tokens[index];
    if (token === undefined) return null;
    const last = tokens[index + 2];
    const member = `${token.text}${tokens[index + 1]?.text ?? ""}${last?.text ?? ""}`;
    const isMember = from.member !== null && index + 2 < end && member === from.member;
    const after = isMember ? (to.member ?? to.text) : replacement(token.text, from, to);
    if (after === null) continue;
    written += text.slice(at, token.start) + after;
    at = (isMember ? last?.end : token.end) ?? token.end;
    if (isMember) index += 2;
    isMentioned = true;
  }
  if (isMentioned) return written + text.slice(at, tokens[end - 1]?.end ?? at);
  const whole = text.slice(start, tokens[end - 1]?.end ?? start);
  return from.number === 1 ? `(${asSummand(whole)} + ${to.number - 1}) / ${to.text}` : null;
}

function replacement(text: string, from: BlockExtent, to: BlockExtent): string | null {
  // A 1 may be anything.
  if (text === "1") return null;
  if (text === from.text || text === String(from.number)) return to.text;
  // The `15` of `(n + 15) / 16`.
  return from.number > 2 && text === String(from.number - 1) ? String(to.number - 1) : null;
}

/** The extents of a `dim3` that is made where it is used, or of the variable that is declared with them in the same function. */
export interface WrittenDim3 {
  readonly extents: readonly Span[];
  /** The variable; null for what is made in place. */
  readonly name: string | null;
  /** Where the function mentions the variable, its declaration left out. */
  readonly mentions: readonly number[];
}

export function writtenDim3(typed: TypedText, used: Span): WrittenDim3 | null {
  if (textAt(typed, used.first) === "dim3") {
    const extents = extentsIn(typed, used.first + 1);
    return extents === null ? null : { extents, name: null, mentions: [] };
  }
  const body = bodyAround(typed, used.first);
  if (used.end !== used.first + 1 || body === null) return null;
  const name = textAt(typed, used.first);
  const all = (typed.byName.get(name) ?? []).filter((index) => body.first <= index && index < body.end);
  const [only, ...others] = all.filter((index) => isDeclared(typed, index));
  if (only === undefined || others.length > 0 || only > used.first) return null;
  const isSet = all.some((index) => index !== only && isAssigned(typed, index));
  const open = textAt(typed, only + 1) === "=" ? only + 2 : only + 1;
  const extents = isSet ? null : extentsIn(typed, textAt(typed, open) === "dim3" ? open + 1 : open);
  return extents === null ? null : { extents, name, mentions: all.filter((index) => index !== only) };
}

/** `dim3 a(…), b(…);` */
function isDeclared(typed: TypedText, index: number): boolean {
  if (!["(", "{", "="].includes(textAt(typed, index + 1))) return false;
  let at = index - 1;
  while (at > 0 && textAt(typed, at) !== ";" && textAt(typed, at) !== "{") {
    const partner = typed.partners[at] ?? -1;
    if (textAt(typed, at) === "dim3" && ![",", "(", "="].includes(textAt(typed, at - 1))) return true;
    at = partner !== -1 && partner < at ? partner - 1 : at - 1;
  }
  return false;
}

function isAssigned(typed: TypedText, index: number): boolean {
  return (
    textAt(typed, index + 1) === "=" || (textAt(typed, index + 1) === "." && textAt(typed, index + 3) === "=")
  );
}

function extentsIn(typed: TypedText, open: number): Span[] | null {
  const closer = typed.partners[open] ?? -1;
  if (!["(", "{"].includes(textAt(typed, open)) || closer === -1) return null;
  return argumentsIn(typed, { first: open + 1, end: closer });
}
