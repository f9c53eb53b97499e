// Calls and function heads in the text: arguments, template arguments, what is between <<< and >>>, and the names that they go by inside.
import { argumentsIn, bodyAround, type Span, type TypedText, textAt } from "./typed-text.ts";

/** A call or launch as typed. */
export interface TypedCall {
  readonly templateArguments: readonly Span[];
  /** Between `<<<` and `>>>`; empty for a plain call. */
  readonly configuration: readonly Span[];
  readonly arguments: readonly Span[];
}

/** Reads the call that starts at a token: `ns::f<32, T>(a, b)`, `kernel<T><<<grid, block>>>(a)`. Null where there is none. */
export function callAt(typed: TypedText, first: number): TypedCall | null {
  let index = first;
  while (typed.tokens[index]?.kind === "identifier" || isQualifier(textAt(typed, index))) index++;
  let templateArguments: readonly Span[] = [];
  let configuration: readonly Span[] = [];
  if (textAt(typed, index) === "<") {
    const end = angleEnd(typed, index);
    if (end === null) return null;
    templateArguments = splitAngles(typed, { first: index + 1, end });
    index = end + 1;
  }
  if (textAt(typed, index) === "<<<") {
    const end = launchEnd(typed, index);
    if (end === null) return null;
    configuration = argumentsIn(typed, { first: index + 1, end: end.first });
    index = end.end;
  }
  const closer = typed.partners[index] ?? -1;
  if (textAt(typed, index) !== "(" || closer === -1) return null;
  return {
    templateArguments,
    configuration,
    arguments: argumentsIn(typed, { first: index + 1, end: closer }),
  };
}

function isQualifier(text: string): boolean {
  return text === "::" || text === "." || text === "->";
}

/** Index of the `>` that closes the `<` at `open`; null where none does before the statement ends. */
function angleEnd(typed: TypedText, open: number): number | null {
  let depth = 0;
  for (let index = open; index < typed.tokens.length; index++) {
    const text = textAt(typed, index);
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (text === "<") depth++;
    else if (text === ">") depth--;
    else if (text === ">>") depth -= 2;
    else if (text === ";" || text === "{") return null;
    if (depth <= 0) return index;
  }
  return null;
}

/** The parts between commas that stand in no bracket and in no angle of their own. */
function splitAngles(typed: TypedText, { first, end }: Span): Span[] {
  const parts: Span[] = [];
  let start = first;
  for (let index = first; index < end; index++) {
    const text = textAt(typed, index);
    const partner = typed.partners[index] ?? -1;
    if (partner > index) index = partner;
    else if (text === "<") index = angleEnd(typed, index) ?? index;
    else if (text === ",") {
      parts.push({ first: start, end: index });
      start = index + 1;
    }
  }
  if (start < end) parts.push({ first: start, end });
  return parts;
}

/** The `>>>` that closes a launch, as the tokens that it is made of. */
function launchEnd(typed: TypedText, open: number): Span | null {
  for (let index = open + 1; index < typed.tokens.length; index++) {
    const partner = typed.partners[index] ?? -1;
    if (partner > index) {
      index = partner;
      continue;
    }
    if (textAt(typed, index) === ">>" && textAt(typed, index + 1) === ">")
      return { first: index, end: index + 2 };
    if (textAt(typed, index) === ";") return null;
  }
  return null;
}

/** The head of the function whose body a token stands in. */
export interface FunctionHead {
  readonly parameters: readonly string[];
  readonly templateParameters: readonly string[];
  readonly body: Span;
}

export function functionAround(typed: TypedText, index: number): FunctionHead | null {
  const body = bodyAround(typed, index);
  if (body === null) return null;
  const closer = body.first - 2;
  const opener = typed.partners[closer] ?? -1;
  if (textAt(typed, closer) !== ")" || opener === -1) return null;
  return {
    parameters: argumentsIn(typed, { first: opener + 1, end: closer }).map((span) => nameOf(typed, span)),
    templateParameters: templateParametersBefore(typed, opener).map((span) => nameOf(typed, span)),
    body,
  };
}

/** What a template parameter is where a launch does not give it: `0` of `template <int N, int PAD = 0>`; null where the text does not say. */
export function templateDefault(typed: TypedText, inBody: number, parameter: string): Span | null {
  const body = bodyAround(typed, inBody);
  const opener = body === null ? -1 : (typed.partners[body.first - 2] ?? -1);
  const span = templateParametersBefore(typed, opener).find((each) => nameOf(typed, each) === parameter);
  if (span === undefined) return null;
  for (let index = span.first; index < span.end; index++)
    if (textAt(typed, index) === "=") return { first: index + 1, end: span.end };
  return null;
}

/** The name that a parameter declares: its last identifier before a default or brackets. */
function nameOf(typed: TypedText, { first, end }: Span): string {
  let name = "";
  for (let index = first; index < end; index++) {
    const token = typed.tokens[index];
    if (token?.text === "=" || token?.text === "[") break;
    if (token?.kind === "identifier") name = token.text;
  }
  return name;
}

function templateParametersBefore(typed: TypedText, opener: number): Span[] {
  for (let index = opener - 1; index >= 0; index--) {
    const text = textAt(typed, index);
    if (text === ";" || text === "}" || text === "{") return [];
    if (text !== "template" || textAt(typed, index + 1) !== "<") continue;
    const end = angleEnd(typed, index + 1);
    if (end === null) return [];
    return splitAngles(typed, { first: index + 2, end });
  }
  return [];
}
