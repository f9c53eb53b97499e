// Whether two indices lie a number apart whatever the launch: said by the text alone, since `a[i]` and `a[i ^ j]` are neighbours in one launch
// and far apart in the next.
import { localAt } from "./constants.ts";
import { summandsOf } from "./products.ts";
import { type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

/** Whether subscripts (`[row][4 * i]` and `[row][4 * i + 1]`) differ by a number that is written in them, or in the locals that they are. */
export function differByNumbers(typed: TypedText, subscripts: readonly (readonly Span[])[]): boolean {
  const [first, ...others] = subscripts.map((each) => variablePart(typed, each));
  return first != null && others.every((other) => other === first);
}

/** What is left of subscripts without the numbers that are added last of all; null where the last one is no sum. */
function variablePart(typed: TypedText, subscripts: readonly Span[]): string | null {
  const last = subscripts.at(-1);
  const summands = last === undefined ? null : variableSummands(typed, last, mostLocals);
  if (summands === null) return null;
  const outer = subscripts.slice(0, -1).map((span) => spelled(typed, span));
  return [...outer, summands.toSorted().join(" + ")].join("][");
}

const mostLocals = 4;

/** Each with its sign and its factors in order. Locals that are made once are what they are made of. */
function variableSummands(typed: TypedText, span: Span, locals: number): string[] | null {
  const summands = hasNegatedSum(typed, span) ? null : summandsOf(typed, span);
  if (summands === null) return null;
  const parts: string[] = [];
  for (const { factors } of summands) {
    const [factor] = factors;
    if (factor === undefined) return null;
    const isNegative = textAt(typed, factor.span.first - 1) === "-";
    const isAlone = factors.length === 1;
    if (isAlone && /^\d+[uUlL]*$/.test(factor.text)) continue;
    const made = isAlone && !isNegative && locals > 0 ? localAt(typed, factor.span) : null;
    const inner = made === null ? null : variableSummands(typed, made, locals - 1);
    const product = factors.map(({ text }) => text).toSorted();
    parts.push(...(inner ?? [`${isNegative ? "-" : ""}${product.join("*")}`]));
  }
  return parts;
}

/** `- (`: the signs of what stands in the parentheses are others than those that are written. */
function hasNegatedSum(typed: TypedText, { first, end }: Span): boolean {
  for (let index = first; index + 1 < end; index++)
    if (textAt(typed, index) === "-" && textAt(typed, index + 1) === "(") return true;
  return false;
}
