// Every place of a text that mentions an array, and what it does with it there.
import { type Span, subscriptsAfter, type TypedText, textAt } from "./typed-text.ts";

export interface ArrayMention {
  readonly nameToken: number;
  /** What stands between each pair of brackets behind the name. */
  readonly subscripts: readonly Span[];
  /** The mention stands in a macro's definition. */
  readonly isInMacro: boolean;
  /** The function or macro that it is an argument of; null elsewhere. */
  readonly passedTo: string | null;
  /** Whether its address is taken: at once to access what is there, to hand it to a function, or to keep it in a variable. */
  readonly address: "not-taken" | "accessed" | "passed" | "kept";
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
    return [mentionAt(typed, index)];
  });
}

function contains({ first, end }: Span, index: number): boolean {
  return first <= index && index < end;
}

/** What is done at a name; of a member, `first` is where what it is a member of begins. */
export function mentionAt(typed: TypedText, nameToken: number, first = nameToken): ArrayMention {
  const subscripts = subscriptsAfter(typed, nameToken);
  const end = (subscripts.at(-1)?.end ?? nameToken) + 1;
  const passedTo = calleeAround(typed, first);
  return {
    nameToken,
    subscripts,
    isInMacro: typed.isInDirective(nameToken),
    passedTo,
    address: addressUse(typed, { first, end }, passedTo),
    isSizeof: isOperandOfSizeof(typed, first),
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

function addressUse(typed: TypedText, mention: Span, passedTo: string | null): ArrayMention["address"] {
  const ampersand = mention.first - 1;
  if (textAt(typed, ampersand) !== "&" || isOperand(typed, ampersand - 1)) return "not-taken";
  if (isDereferenced(typed, { first: ampersand, end: mention.end })) return "accessed";
  return passedTo === null ? "kept" : "passed";
}

/** An operator behind the token has it for its left side. */
function isOperand(typed: TypedText, index: number): boolean {
  const token = typed.tokens[index];
  if (token === undefined || token.text === "return") return false;
  if (token.text === ")") {
    // The parenthesis of a head, or of a cast to a pointer, is followed by another operand.
    const isHead = ["for", "if", "while"].includes(textAt(typed, (typed.partners[index] ?? 0) - 1));
    return !isHead && textAt(typed, index - 1) !== "*";
  }
  return token.kind === "identifier" || token.kind === "number" || token.text === "]";
}

/** `*&s[i]`, `*(T *)&s[i]`, `*reinterpret_cast<T *>(&s[i])`, `((T *)&s[i])[0]`: casts and parentheses around the address, then an access. */
function isDereferenced(typed: TypedText, address: Span): boolean {
  let { first, end } = address;
  for (let steps = 0; steps < mostCasts; steps++) {
    if (["[", "->"].includes(textAt(typed, end))) return true;
    const before = textAt(typed, first - 1);
    if (before === "*") return !isOperand(typed, first - 2);
    if (before === ")") first = typed.partners[first - 1] ?? -1;
    else if (before === "(" && typed.partners[first - 1] === end) {
      first = beforeCast(typed, first - 1);
      end += 1;
    } else return false;
    if (first < 1) return false;
  }
  return false;
}

const mostCasts = 6;

/** Of the parenthesis of `reinterpret_cast<T *>(…)`, where the cast begins; else the parenthesis itself. */
function beforeCast(typed: TypedText, open: number): number {
  if (textAt(typed, open - 1) !== ">") return open;
  for (let at = open - 2; at >= 0; at--) {
    const text = textAt(typed, at);
    if (text === "<") return textAt(typed, at - 1).endsWith("_cast") ? at - 1 : open;
    if ([";", "{", "}"].includes(text)) return open;
  }
  return open;
}
