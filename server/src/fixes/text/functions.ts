// Functions of a text by their names: parameters, body, and what every call gives them.
import { argumentsIn, type Span, type TypedText, textAt } from "./typed-text.ts";

export interface TypedFunction {
  readonly name: string;
  readonly parameters: readonly Span[];
  readonly body: Span;
  /** Between the parentheses of each call. */
  readonly calls: readonly Span[];
}

/** The one function of a name that has a body; null where there are none or several. */
export function functionNamed(typed: TypedText, name: string): TypedFunction | null {
  const definitions = (typed.byName.get(name) ?? []).flatMap((nameToken) => {
    const closer = typed.partners[nameToken + 1] ?? -1;
    const open = bodyOpener(typed, closer + 1);
    const bodyEnd = open === null ? -1 : (typed.partners[open] ?? -1);
    if (textAt(typed, nameToken + 1) !== "(" || open === null || bodyEnd === -1) return [];
    const parameters = argumentsIn(typed, { first: nameToken + 2, end: closer });
    return [{ nameToken, parameters, body: { first: open + 1, end: bodyEnd } }];
  });
  const [only, ...others] = definitions;
  if (only === undefined || others.length > 0) return null;
  const { parameters, body } = only;
  return { name, parameters, body, calls: callsOf(typed, name, only.nameToken) };
}

function bodyOpener(typed: TypedText, index: number): number | null {
  return textAt(typed, index) === "{" ? index : null;
}

/** What stands between the parentheses of every other mention. */
function callsOf(typed: TypedText, name: string, definition: number): Span[] {
  return (typed.byName.get(name) ?? []).flatMap((index) => {
    if (index === definition) return [];
    let open = index + 1;
    while (open < typed.tokens.length && !["(", ";", "{"].includes(textAt(typed, open))) open++;
    const closer = typed.partners[open] ?? -1;
    return closer > open ? [{ first: open + 1, end: closer }] : [];
  });
}
