// Directives that stand before a statement and belong to it, as `#pragma unroll` before a loop.
import type { TypedText } from "./typed-text.ts";

/** Their lines without what they are indented by, and where the first begins; null where there are none. */
export function directivesBefore(
  typed: TypedText,
  first: number,
): { readonly start: number | null; readonly lines: readonly string[] } {
  let at = first;
  while (at > 0 && typed.isInDirective(at - 1)) at--;
  if (at === first) return { start: null, lines: [] };
  const start = typed.tokens[at]?.start ?? 0;
  const lines = typed.text
    .slice(start, typed.tokens[first - 1]?.end ?? start)
    .split("\n")
    .map((line) => line.trim());
  return { start, lines };
}
