// Arrays that a kernel carves out of one array of dynamic shared memory: pointers into it, one behind another.

import type { LaunchedKernel } from "../fix.ts";
import { type DeclaredArray, goesTo } from "../text/arrays.ts";
import { valueIn } from "../text/constants.ts";
import { type ArrayMention, mentionsOf } from "../text/mentions.ts";
import { bodyAround, type Span, type TypedText, textAt } from "../text/typed-text.ts";
import { shapeOf } from "./layout.ts";

/** A pointer that is made once, from the array or from another piece: `float* b = &smem[n];`, `float* c = b + n;`. */
export interface Piece {
  readonly name: string;
  readonly nameToken: number;
  /** The array or piece that it is made from. */
  readonly parent: string;
  /** The token that mentions it there. */
  readonly parentToken: number;
  /** In elements from its parent's start; null where it begins with it. */
  readonly offset: Span | null;
  /** The last word of what it points to. */
  readonly element: string;
  readonly mentions: readonly ArrayMention[];
}

/** The pieces of an array, or why they cannot be told, in words. */
export type Carving =
  | { readonly kind: "pieces"; readonly pieces: readonly Piece[] }
  | { readonly kind: "refused"; readonly reason: string };

/** The name by which an access reaches what it accesses: `Kj` of `Kj[y * d + x]`; null where it begins otherwise. */
export function accessedName(expression: string): string | null {
  return /^([A-Za-z_]\w*)\s*\[/.exec(expression)?.[1] ?? null;
}

/** Every pointer that the text makes from the array: all of it must be reached through them. */
export function carvingOf(array: DeclaredArray): Carving {
  const { typed } = array;
  const scope = bodyAround(typed, array.nameToken);
  const element = textAt(typed, array.nameToken - 1);
  if (scope === null) return refused(`${array.name} is declared outside of the kernel`);
  const pieces: Piece[] = [];
  const waiting: Pick<Piece, "name" | "element" | "mentions">[] = [{ ...array, element }];
  for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
    for (const mention of parent.mentions) {
      const made = pieceAt(typed, mention, parent);
      if (made === null) {
        if (parent.name === array.name || mention.subscripts.length === 0 || mention.address === "kept")
          return refused(`${parent.name} is reached in other ways than by pointers that are made once`);
        continue;
      }
      const mentions = mentionsOf(typed, { ...made, scope });
      pieces.push({ ...made, mentions });
      waiting.push({ ...made, mentions });
    }
  }
  const names = new Set(pieces.map(({ name }) => name));
  // Offsets of elements of several sizes are no sums of each other.
  if (new Set(pieces.map((piece) => piece.element)).size > 1)
    return refused(`${array.name} holds elements of several types`);
  return names.size === pieces.length
    ? { kind: "pieces", pieces }
    : refused(`a pointer into ${array.name} is reassigned`);
}

function refused(reason: string): Carving {
  return { kind: "refused", reason };
}

type MadePiece = Omit<Piece, "mentions">;

/** The pointer that a mention makes; null where it makes none. */
function pieceAt(
  typed: TypedText,
  { nameToken, subscripts }: ArrayMention,
  { name: parent, element }: Pick<Piece, "name" | "element">,
): MadePiece | null {
  const cast = castAround(typed, nameToken);
  const isAddress = textAt(typed, nameToken - 1) === "&";
  const equals = cast === null ? (isAddress ? nameToken - 2 : nameToken - 1) : cast.first - 1;
  const name = typed.tokens[equals - 1];
  const star = textAt(typed, equals - 2) === "__restrict__" ? equals - 3 : equals - 2;
  const own = cast?.element ?? element;
  const isDeclaration =
    textAt(typed, equals) === "=" && textAt(typed, star) === "*" && declaredAt(typed, star) === own;
  if (!isDeclaration || name?.kind !== "identifier") return null;
  const made = { name: name.text, nameToken: equals - 1, parent, parentToken: nameToken, element: own };
  const [subscript, ...others] = subscripts;
  if (cast !== null)
    return subscript === undefined && isEnd(textAt(typed, cast.end)) ? { ...made, offset: null } : null;
  const behind = (subscript?.end ?? nameToken) + 1;
  if (isAddress) {
    const isWhole = subscript !== undefined && others.length === 0 && isEnd(textAt(typed, behind));
    return isWhole ? { ...made, offset: subscript } : null;
  }
  if (subscript !== undefined) return null;
  if (isEnd(textAt(typed, behind))) return { ...made, offset: null };
  if (textAt(typed, behind) !== "+") return null;
  let end = behind + 1;
  while (end < typed.tokens.length && !isEnd(textAt(typed, end)))
    end = Math.max(end, typed.partners[end] ?? -1) + 1;
  return { ...made, offset: { first: behind + 1, end } };
}

/** The last word of the type before a `*`, which the second name of a declaration shares with the first: `float *a = s, *b = a + n;`. */
function declaredAt(typed: TypedText, star: number): string {
  if (textAt(typed, star - 1) !== ",") return textAt(typed, star - 1);
  let first = star;
  for (let at = star - 1; at >= 0 && ![";", "{", "}"].includes(textAt(typed, at)); at--) {
    const partner = typed.partners[at] ?? -1;
    if (partner !== -1 && partner < at) at = partner;
    else if (textAt(typed, at) === "(") return "";
    else if (textAt(typed, at) === "*" && typed.tokens[at - 1]?.kind === "identifier") first = at;
  }
  return textAt(typed, first - 1);
}

/** `reinterpret_cast<T *>(name)` or `(T *)name`, with the last word of `T`. */
function castAround(typed: TypedText, nameToken: number): (Span & { readonly element: string }) | null {
  const before = textAt(typed, nameToken - 1);
  if (before === ")" && textAt(typed, nameToken - 2) === "*") {
    const first = typed.partners[nameToken - 1] ?? -1;
    return first === -1 ? null : { first, end: nameToken + 1, element: textAt(typed, nameToken - 3) };
  }
  const isCast =
    before === "(" && textAt(typed, nameToken - 2) === ">" && textAt(typed, nameToken - 3) === "*";
  if (!isCast) return null;
  let first = nameToken - 4;
  while (first > 0 && typed.tokens[first]?.kind === "identifier") first--;
  return textAt(typed, first) === "<" && textAt(typed, first - 1) === "reinterpret_cast"
    ? { first: first - 1, end: nameToken + 2, element: textAt(typed, nameToken - 4) }
    : null;
}

function isEnd(text: string): boolean {
  return text === ";" || text === ",";
}

/** Of the elements of the pieces under one launch: those of the array, unless pointers to another type are made of it. */
export function pieceBytes(
  array: DeclaredArray,
  pieces: readonly Piece[],
  { profile }: LaunchedKernel,
): number | null {
  const accesses = profile.accesses.filter((access) => goesTo(array, access) && access.requests !== 0);
  const isOfArray = pieces.every(({ element }) => element === textAt(array.typed, array.nameToken - 1));
  if (isOfArray) return shapeOf(accesses[0]?.target?.type)?.elementBytes ?? null;
  // What the compiler made of several elements is wider.
  return accesses.length === 0 ? null : Math.min(...accesses.map(({ bytes }) => bytes));
}

/** Where each piece begins under one launch, in elements from the start of the array; null where the text does not say. */
export function startsOf(
  array: DeclaredArray,
  pieces: readonly Piece[],
  launched: LaunchedKernel,
): ReadonlyMap<string, number> | null {
  const starts = new Map([[array.name, 0]]);
  // A piece comes behind the one that it is made from.
  for (const { name, parent, offset } of pieces) {
    const from = starts.get(parent);
    const added = offset === null ? 0 : valueIn(array.typed, offset, launched);
    if (from === undefined || added === null || added < 0) return null;
    starts.set(name, from + added);
  }
  return starts;
}
