// Arrays that a kernel carves out of one array of dynamic shared memory: pointers into it, one behind another.

import type { LaunchedKernel } from "../fix.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import { valueIn } from "../text/constants.ts";
import { type ArrayMention, mentionsOf } from "../text/mentions.ts";
import { bodyAround, type Span, type TypedText, textAt } from "../text/typed-text.ts";

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
  const waiting: { name: string; mentions: readonly ArrayMention[] }[] = [array];
  for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
    for (const mention of parent.mentions) {
      const made = pieceAt(typed, mention, parent.name, element);
      if (made === null) {
        if (parent === array || mention.subscripts.length === 0 || mention.address === "kept")
          return refused(`${parent.name} is reached in other ways than by pointers that are made once`);
        continue;
      }
      const mentions = mentionsOf(typed, { ...made, scope });
      pieces.push({ ...made, mentions });
      waiting.push({ name: made.name, mentions });
    }
  }
  const names = new Set(pieces.map(({ name }) => name));
  return names.size === pieces.length
    ? { kind: "pieces", pieces }
    : refused(`a pointer into ${array.name} is set again`);
}

function refused(reason: string): Carving {
  return { kind: "refused", reason };
}

type MadePiece = Omit<Piece, "mentions">;

/** The pointer to `element` that a mention makes; null where it makes none. */
function pieceAt(
  typed: TypedText,
  { nameToken, subscripts }: ArrayMention,
  parent: string,
  element: string,
): MadePiece | null {
  const isAddress = textAt(typed, nameToken - 1) === "&";
  const equals = isAddress ? nameToken - 2 : nameToken - 1;
  const name = typed.tokens[equals - 1];
  const star = textAt(typed, equals - 2) === "__restrict__" ? equals - 3 : equals - 2;
  const isDeclaration =
    textAt(typed, equals) === "=" && textAt(typed, star) === "*" && textAt(typed, star - 1) === element;
  if (!isDeclaration || name?.kind !== "identifier") return null;
  const made = { name: name.text, nameToken: equals - 1, parent, parentToken: nameToken };
  const [subscript, ...others] = subscripts;
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

function isEnd(text: string): boolean {
  return text === ";" || text === ",";
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
