// Locals that number the threads of the grid along an axis: `int i = blockIdx.x * blockDim.x + threadIdx.x;`
import { definitionOf } from "./constants.ts";
import { type TypedLocal, typedLocal } from "./locals.ts";
import { summandsOf } from "./products.ts";
import { type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

/** Whether a local is the number of its thread in the grid along an axis, in blocks of `width` threads. */
export function isThreadNumber(
  typed: TypedText,
  { initializer }: TypedLocal,
  width: number,
  axis: "x" | "y" = "x",
): boolean {
  const summands = summandsOf(typed, withoutCast(typed, initializer));
  const texts = (summands ?? []).map(({ factors }) =>
    factors
      .map(({ text }) =>
        isWidth(typed, text, width)
          ? `blockDim.${axis}`
          : text.replace(/^\((?:int|unsigned|unsigned int|size_t|long)\)\s*/, ""),
      )
      .sort()
      .join("*"),
  );
  return (
    texts.length === 2 &&
    texts.includes(`threadIdx.${axis}`) &&
    texts.includes(`blockDim.${axis}*blockIdx.${axis}`)
  );
}

/** The block's width as a number or as a constant. */
function isWidth(typed: TypedText, text: string, width: number): boolean {
  if (text === String(width)) return true;
  const definition = /^\w+$/.test(text) ? definitionOf(typed, text) : null;
  return definition !== null && spelled(typed, definition).trim() === String(width);
}

function withoutCast(typed: TypedText, span: Span): Span {
  const closer = typed.partners[span.first] ?? -1;
  const isCast =
    textAt(typed, span.first) === "(" &&
    closer > 0 &&
    closer < span.end - 1 &&
    ["int", "size_t", "unsigned"].includes(textAt(typed, closer - 1));
  return isCast ? { first: closer + 1, end: span.end } : span;
}

/** Whether a local is the number of its thread in the block or in the grid. */
export function isRowNumber(typed: TypedText, local: TypedLocal, width: number): boolean {
  return spelled(typed, local.initializer).trim() === "threadIdx.x" || isThreadNumber(typed, local, width);
}

/** The thread's number that a span mentions; null where it mentions none, or several. */
export function threadNumberIn(typed: TypedText, { first, end }: Span, width: number): string | null {
  const names = new Set<string>();
  for (let index = first; index < end; index++) {
    if (typed.tokens[index]?.kind !== "identifier") continue;
    const local = typedLocal(typed, index);
    if (local !== null && isThreadNumber(typed, local, width)) names.add(local.name);
  }
  return names.size === 1 ? ([...names][0] ?? null) : null;
}
