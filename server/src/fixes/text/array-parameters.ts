// Arrays that are handed to functions as arrays (`float (&tile)[32][33]`): the parameter's lengths and accesses belong to the array.
import { functionAround } from "./calls.ts";
import { type ArrayMention, mentionsOf } from "./mentions.ts";
import { argumentsIn, type Span, spelled, type TypedText, textAt } from "./typed-text.ts";

/** A parameter that stands for the array in a function that gets nothing else there. */
export interface ArrayParameter {
  /** The innermost length that has to follow; null where a template parameter takes it from the argument. */
  readonly rowLength: Span | null;
  readonly mentions: readonly ArrayMention[];
}

/**
 * The parameter that a bare mention goes to. Null where the function is not in the text, has several definitions, takes something else than
 * an array there, or is called with another array elsewhere.
 */
export function arrayParameter(
  typed: TypedText,
  mention: ArrayMention,
  mentions: readonly ArrayMention[],
): ArrayParameter | null {
  if (mention.passedTo === null || mention.subscripts.length > 0) return null;
  const place = argumentPlace(typed, mention.nameToken);
  const definition = definitionOf(typed, mention.passedTo);
  if (place === null || definition === null) return null;
  const calls = callsOf(typed, mention.passedTo, definition.nameToken);
  const isOnlyThis = calls.every((call) => {
    const argument = argumentsIn(typed, call)[place];
    return (
      argument !== undefined &&
      argument.end === argument.first + 1 &&
      mentions.some(({ nameToken }) => nameToken === argument.first)
    );
  });
  const parameter = definition.parameters[place];
  return isOnlyThis && parameter !== undefined ? parameterAt(typed, parameter, definition) : null;
}

interface FunctionDefinition {
  readonly nameToken: number;
  readonly parameters: readonly Span[];
  readonly body: Span;
}

/** Which argument of the call around it a token is. */
function argumentPlace(typed: TypedText, index: number): number | null {
  let place = 0;
  for (let at = index - 1; at >= 0; at--) {
    const partner = typed.partners[at] ?? -1;
    const text = textAt(typed, at);
    if (partner !== -1 && partner < at) at = partner;
    else if (text === "(") return place;
    else if (text === ",") place++;
    else if (text === ";" || text === "{") return null;
  }
  return null;
}

/** The one function of a name that has a body. */
function definitionOf(typed: TypedText, name: string): FunctionDefinition | null {
  const definitions = (typed.byName.get(name) ?? []).flatMap((nameToken) => {
    const closer = typed.partners[nameToken + 1] ?? -1;
    const bodyEnd = typed.partners[closer + 1] ?? -1;
    if (textAt(typed, nameToken + 1) !== "(" || textAt(typed, closer + 1) !== "{" || bodyEnd === -1)
      return [];
    const parameters = argumentsIn(typed, { first: nameToken + 2, end: closer });
    return [{ nameToken, parameters, body: { first: closer + 2, end: bodyEnd } }];
  });
  const [only, ...others] = definitions;
  return only === undefined || others.length > 0 ? null : only;
}

/** What stands between the parentheses of every other mention of a function: no call is left out, so that one without any is one. */
function callsOf(typed: TypedText, name: string, definition: number): Span[] {
  return (typed.byName.get(name) ?? [])
    .filter((index) => index !== definition)
    .map((index) => {
      let open = index + 1;
      while (open < typed.tokens.length && !["(", ";", "{"].includes(textAt(typed, open))) open++;
      const closer = typed.partners[open] ?? -1;
      return closer > open ? { first: open + 1, end: closer } : { first: open, end: open };
    });
}

/** `T (&name)[A][B]`, `T (*name)[B]`, `T name[A][B]`. */
function parameterAt(
  typed: TypedText,
  { first, end }: Span,
  { body }: FunctionDefinition,
): ArrayParameter | null {
  let nameToken = -1;
  let rowLength: Span | null = null;
  for (let index = first; index < end; index++) {
    if (textAt(typed, index) !== "[") continue;
    if (nameToken === -1) nameToken = textAt(typed, index - 1) === ")" ? index - 2 : index - 1;
    const closer = typed.partners[index] ?? -1;
    if (closer === -1) return null;
    rowLength = { first: index + 1, end: closer };
    index = closer;
  }
  const name = typed.tokens[nameToken];
  if (name?.kind !== "identifier" || rowLength === null || rowLength.first === rowLength.end) return null;
  const head = functionAround(typed, body.first);
  const isDeduced = head?.templateParameters.includes(spelled(typed, rowLength).trim()) ?? false;
  const mentions = mentionsOf(typed, { name: name.text, nameToken, scope: body });
  return { rowLength: isDeduced ? null : rowLength, mentions };
}
