// Every place of a text that mentions an array, and what it does with it there.
import { type Span, type TypedText, textAt } from "./typed-text.ts";

export interface ArrayMention {
  readonly nameToken: number;
  /** What stands between each pair of brackets behind the name. */
  readonly subscripts: readonly Span[];
  /** The mention stands in a macro's definition. */
  readonly isInMacro: boolean;
  /** The function that a bare name or a row is handed to, where it is one; null elsewhere. */
  readonly passedTo: string | null;
  /** `sizeof(tile)` asks for no address. */
  readonly isSizeof: boolean;
}

export interface MentionScope {
  readonly name: string;
  /** The declaration itself, which is no mention. */
  readonly nameToken: number;
  readonly scope: Span;
}

/** All mentions in the scope, and in macros that the scope may use, in the order of the text. */
export function mentionsOf(typed: TypedText, { name, nameToken, scope }: MentionScope): ArrayMention[] {
  const places = typed.byName.get(name) ?? [];
  return places.flatMap((index) => {
    const isInMacro = typed.isInDirective(index);
    if (index === nameToken || (!isInMacro && !contains(scope, index))) return [];
    // A member of the same name is another thing.
    if ([".", "->", "::"].includes(textAt(typed, index - 1))) return [];
    return [mentionAt(typed, index, isInMacro)];
  });
}

function contains({ first, end }: Span, index: number): boolean {
  return first <= index && index < end;
}

function mentionAt(typed: TypedText, nameToken: number, isInMacro: boolean): ArrayMention {
  const subscripts: Span[] = [];
  let index = nameToken + 1;
  while (textAt(typed, index) === "[") {
    const closer = typed.partners[index] ?? -1;
    if (closer === -1) break;
    subscripts.push({ first: index + 1, end: closer });
    index = closer + 1;
  }
  return {
    nameToken,
    subscripts,
    isInMacro,
    passedTo: calleeAround(typed, nameToken),
    isSizeof: isOperandOfSizeof(typed, nameToken),
  };
}

function isOperandOfSizeof(typed: TypedText, index: number): boolean {
  const before = textAt(typed, index - 1);
  return before === "sizeof" || (before === "(" && textAt(typed, index - 2) === "sizeof");
}

/** The name before the innermost parenthesis around a token: the function that it is an argument of. */
function calleeAround(typed: TypedText, index: number): string | null {
  for (let at = index - 1; at >= 0; at--) {
    const partner = typed.partners[at] ?? -1;
    const text = textAt(typed, at);
    if (partner !== -1 && partner < at) at = partner;
    else if (text === ";" || text === "{" || text === "}") return null;
    else if (text === "(") {
      const name = typed.tokens[at - 1];
      return name?.kind === "identifier" ? name.text : null;
    }
  }
  return null;
}
