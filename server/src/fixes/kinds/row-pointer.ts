// Pointers to a thread's part of an array that are made once: `const T *row = array + offset`.
import { isAssigned } from "../text/assigned.ts";
import { type Span, spelled, type TypedText, textAt } from "../text/typed-text.ts";

export interface RowPointer {
  /** What the offset is added to: the array's name, or a cast of it. */
  readonly base: string;
  readonly offset: Span;
  /** What it points to, where that is not what the array holds. */
  readonly type: string | null;
}

/** `T *row = array + offset`, `T *row = &array[offset]` or `V *row = reinterpret_cast<V *>(array) + offset`, a pointer that is never set again. */
export function rowPointerOf(typed: TypedText, token: number, array: string, body: Span): RowPointer | null {
  const mentions = (typed.byName.get(textAt(typed, token)) ?? []).filter(
    (index) => body.first <= index && index < body.end,
  );
  const changed = mentions.filter((index) => isAssigned(typed, index + 1));
  const [declared, ...others] = changed;
  if (declared === undefined || others.length > 0 || textAt(typed, declared + 1) !== "=") return null;
  if (!["*", "__restrict__", "auto"].includes(textAt(typed, declared - 1))) return null;
  const first = declared + 2;
  let end = first;
  while (end < body.end && ![";", ","].includes(textAt(typed, end)))
    end = Math.max(end, typed.partners[end] ?? -1) + 1;
  if (textAt(typed, first) === array && textAt(typed, first + 1) === "+")
    return { base: array, offset: { first: first + 2, end }, type: null };
  const isAddress =
    textAt(typed, first) === "&" &&
    textAt(typed, first + 1) === array &&
    typed.partners[first + 2] === end - 1;
  if (isAddress) return { base: array, offset: { first: first + 3, end: end - 1 }, type: null };
  const cast = castOf(typed, { first, end }, array);
  return cast === null || textAt(typed, cast.end) !== "+"
    ? null
    : {
        base: spelled(typed, { first, end: cast.end }),
        offset: { first: cast.end + 1, end },
        type: cast.type,
      };
}

/** `reinterpret_cast<const float4 *>(array)` or `(const float4 *)array` at the beginning of a span. */
function castOf(
  typed: TypedText,
  { first, end }: Span,
  array: string,
): { readonly end: number; readonly type: string } | null {
  const name = Array.from({ length: end - first }, (_, at) => first + at).find(
    (index) => textAt(typed, index) === array,
  );
  if (name === undefined) return null;
  const isNamed = textAt(typed, first) === "reinterpret_cast" && textAt(typed, name - 1) === "(";
  const isPlain = textAt(typed, first) === "(" && typed.partners[first] === name - 1;
  if (!isNamed && !isPlain) return null;
  const written = spelled(typed, { first: first + (isNamed ? 2 : 1), end: name - (isNamed ? 2 : 1) });
  const type = /^(?:const\s+)?([A-Za-z_]\w*)(?:\s+const)?\s*\*$/.exec(written.trim())?.[1] ?? null;
  return type === null ? null : { end: name + (isNamed ? 2 : 1), type };
}
