// Whether all threads of a warp have one value for what is typed, as far as names say.

import { namesIn, typedLocal } from "./locals.ts";
import { bodyAround, type Span, type TypedText, textAt } from "./typed-text.ts";

const mostDepth = 8;

/**
 * Made of numbers, parameters that nothing changes, and locals that are made of such. What stands in memory, what a loop counts and what is set more
 * than once may differ between threads, but for loop variables that are named.
 */
export function isUniform(
  typed: TypedText,
  span: Span,
  loopVariables: ReadonlySet<string> = new Set(),
  depth = 0,
): boolean {
  for (let index = span.first; index < span.end; index++) if (textAt(typed, index) === "[") return false;
  return namesIn(typed, span).every((index) => {
    const name = textAt(typed, index);
    if (name === "threadIdx") return false;
    if (loopVariables.has(name)) return true;
    const local = depth < mostDepth ? typedLocal(typed, index) : null;
    if (local !== null) return isUniform(typed, local.initializer, loopVariables, depth + 1);
    const body = bodyAround(typed, index);
    return body !== null && !isChangedIn(typed, name, body);
  });
}

/** Whether something in a span assigns to a name, steps it, declares it or takes its address. */
export function isChangedIn(typed: TypedText, name: string, { first, end }: Span): boolean {
  return (typed.byName.get(name) ?? []).some((index) => {
    if (index < first || index >= end) return false;
    if ([".", "->", "::"].includes(textAt(typed, index - 1))) return false;
    const before = textAt(typed, index - 1);
    const after = textAt(typed, index + 1);
    const isStepped = [before, after].some((text) => text === "++" || text === "--");
    const isDeclared = typed.tokens[index - 1]?.kind === "identifier" && before !== "return";
    return isStepped || isDeclared || before === "&" || /^(?:[-+*/%&|^]|<<|>>)?=$/.test(after);
  });
}
