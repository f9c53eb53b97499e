// From a value at a launch outwards, through parameters and template parameters, to where the constant was written.
import type { SourceRange } from "../../text/source.ts";
import { callAt, functionAround } from "./calls.ts";
import { type Span, type TypedText, type TypedTexts, textAt, tokenFrom } from "./typed-text.ts";

export interface WrittenValue {
  readonly typed: TypedText;
  readonly span: Span;
  /** A number stands there; else a name or an expression, whose own definition others may use. */
  readonly isLiteral: boolean;
}

/** The places where a value is handed on, innermost first: the last is the outermost that the text shows. */
export function traceValue(
  texts: TypedTexts,
  path: readonly SourceRange[],
  { typed, span }: { readonly typed: TypedText; readonly span: Span },
): WrittenValue[] {
  const trail: WrittenValue[] = [];
  let current: { typed: TypedText; span: Span } | null = { typed, span };
  for (let level = 0; current !== null && level <= path.length; level++) {
    trail.push({ ...current, isLiteral: isLiteral(current.typed, current.span) });
    current = handedOver(texts, path[level + 1], current);
  }
  return trail;
}

/** Whether a number stands there, and nothing else. */
export function isLiteral(typed: TypedText, span: Span): boolean {
  return span.end === span.first + 1 && typed.tokens[span.first]?.kind === "number";
}

/** What the caller (`call`) gives for a name that is a parameter of the function around it; null for all else. */
function handedOver(
  texts: TypedTexts,
  call: SourceRange | undefined,
  { typed, span }: { readonly typed: TypedText; readonly span: Span },
): { typed: TypedText; span: Span } | null {
  if (span.end !== span.first + 1 || typed.tokens[span.first]?.kind !== "identifier" || !call) return null;
  const name = textAt(typed, span.first);
  const head = functionAround(typed, span.first);
  const caller = texts(call.file);
  if (head === null || caller === null) return null;
  const given = callAt(caller, tokenFrom(caller, call.start));
  if (given === null) return null;
  const asTemplate = head.templateParameters.indexOf(name);
  const asParameter = head.parameters.indexOf(name);
  const argument = asTemplate >= 0 ? given.templateArguments[asTemplate] : given.arguments[asParameter];
  return argument === undefined ? null : { typed: caller, span: argument };
}
