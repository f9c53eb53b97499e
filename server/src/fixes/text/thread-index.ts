// Locals that number the threads of the grid along an axis: `int i = blockIdx.x * blockDim.x + threadIdx.x;`
import { definitionOf } from "./constants.ts";
import { type TypedLocal, typedLocal } from "./locals.ts";
import { summandsOf } from "./products.ts";
import { asFactor } from "./spelling.ts";
import { type Span, spelled, type TypedText, textAt } from "./typed-text.ts";
import { isUniform } from "./uniform.ts";

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

/** A number that a block's threads have one behind the other along x. */
export interface ThreadNumber {
  readonly name: string;
  /** That of the block's first thread: `blockIdx.x * blockDim.x`. */
  readonly first: string;
  readonly type: string;
  /** What it is made of. */
  readonly span: Span;
}

/** The thread's number that a span mentions or is, in the grid or behind what is one for the block; null where it mentions none, or several. */
export function threadNumberIn(typed: TypedText, span: Span, width: number): ThreadNumber | null {
  const { first, end } = span;
  const numbers = new Map<string, ThreadNumber>();
  for (let index = first; index < end; index++) {
    if (typed.tokens[index]?.kind !== "identifier") continue;
    const local = typedLocal(typed, index);
    const number = local === null ? null : threadNumberOf(typed, local, width);
    if (number !== null) numbers.set(number.name, number);
  }
  if (numbers.size === 0) {
    const own = withoutThread(typed, span);
    return own === null ? null : { name: spelled(typed, span).trim(), first: own, type: "int", span };
  }
  return numbers.size === 1 ? ([...numbers.values()][0] ?? null) : null;
}

function threadNumberOf(typed: TypedText, local: TypedLocal, width: number): ThreadNumber | null {
  const { name, type, initializer } = local;
  if (isThreadNumber(typed, local, width))
    return { name, first: "blockIdx.x * blockDim.x", type: "int", span: initializer };
  const first = withoutThread(typed, initializer);
  return first === null ? null : { name, first, type, span: initializer };
}

/** What is added to `threadIdx.x`, one for all threads of the block, "0" where nothing is; null where it is another sum. */
function withoutThread(typed: TypedText, span: Span): string | null {
  const summands = summandsOf(typed, span) ?? [];
  const others = summands.filter(({ factors }) => !isThread(factors.map(({ text }) => text)));
  const isSum = summands.length - others.length === 1;
  if (!isSum || !others.every(({ factors }) => factors.every((each) => isUniform(typed, each.span))))
    return null;
  if (others.length === 0) return "0";
  // A difference is no sum, wherever it stands.
  if (/-/.test(spelled(typed, span).replace(/\([^()]*\)/g, ""))) return null;
  return others
    .map(({ factors }) => factors.map((each) => asFactor(spelled(typed, each.span).trim())).join(" * "))
    .join(" + ");
}

function isThread(factors: readonly string[]): boolean {
  return factors.length === 1 && factors[0] === "threadIdx.x";
}
