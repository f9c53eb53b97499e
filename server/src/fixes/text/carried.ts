// What a loop hands on from one iteration to the next.
import { isAssigned } from "./assigned.ts";
import { namesIn } from "./locals.ts";
import { type Span, type TypedText, textAt } from "./typed-text.ts";

/**
 * Whether the iterations of a loop's body may be made in any order, by other threads: they leave in no other way than at their end, and what
 * they change of the names around is summed up alone (`sum += x`, `count++`, `most = max(most, x)`).
 */
export function isInAnyOrder(typed: TypedText, body: Span): boolean {
  for (let index = body.first; index < body.end; index++)
    if (["break", "return", "goto"].includes(textAt(typed, index))) return false;
  const mentions = new Map<string, number[]>();
  for (const index of namesIn(typed, body)) {
    const name = textAt(typed, index);
    mentions.set(name, [...(mentions.get(name) ?? []), index]);
  }
  for (const places of mentions.values()) {
    const [first] = places;
    if (first === undefined || isDeclaredAt(typed, first)) continue;
    const isChanged = places.some((index) => isAssigned(typed, index + 1) || isStepped(typed, index - 1));
    if (isChanged && !isSummedUp(typed, places)) return false;
  }
  return true;
}

/** `float x = …`, `int a, b;`, `auto& v : list`: a word or a `*` or `&` of a type stands in front. */
function isDeclaredAt(typed: TypedText, index: number): boolean {
  let before = index - 1;
  while (["*", "&", "&&"].includes(textAt(typed, before))) before--;
  const word = textAt(typed, before);
  if (!/^[A-Za-z_]\w*$|^>$/.test(word) || ["return", "else", "do", "case"].includes(word)) return false;
  // `a * b` is a product, but behind what begins a statement.
  return before === index - 1 || [";", "{", "}", "("].includes(textAt(typed, before - 1));
}

function isStepped(typed: TypedText, index: number): boolean {
  return textAt(typed, index) === "++" || textAt(typed, index) === "--";
}

function isSummedUp(typed: TypedText, places: readonly number[]): boolean {
  const kinds = new Set<string>();
  let own = 0;
  for (const index of places) {
    const kind = sumAt(typed, index);
    if (kind === null) return false;
    kinds.add(kind.operation);
    own += kind.mentions;
  }
  return kinds.size === 1 && own === places.length;
}

interface Sum {
  readonly operation: string;
  /** How many mentions of the name it holds, told at the first alone. */
  readonly mentions: number;
}

/** What sums up into the name at a token; null where the name stands for something else. */
function sumAt(typed: TypedText, index: number): Sum | null {
  const before = textAt(typed, index - 1);
  const after = textAt(typed, index + 1);
  const begins = [";", "{", "}", ")", "else"].includes(before);
  if (begins && ["+=", "-="].includes(after)) return { operation: "+", mentions: 1 };
  if (begins && ["*=", "|=", "&=", "^="].includes(after)) return { operation: after, mentions: 1 };
  if (begins && isStepped(typed, index + 1)) return { operation: "+", mentions: 1 };
  if (isStepped(typed, index - 1) && after === ";") return { operation: "+", mentions: 1 };
  const extreme = begins && after === "=" ? /^f?(min|max)f?$/.exec(textAt(typed, index + 2))?.[1] : undefined;
  if (extreme !== undefined && textAt(typed, index + 4) === textAt(typed, index))
    return { operation: extreme, mentions: 2 };
  const isOfExtreme = before === "(" && after === "," && textAt(typed, index - 4) === textAt(typed, index);
  return isOfExtreme ? { operation: textAt(typed, index - 2).replaceAll("f", ""), mentions: 0 } : null;
}
