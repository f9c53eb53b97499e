// Locals of a kernel as typed: how they are declared, what they are made of, and which of them hang on threadIdx.
import { localAt } from "./constants.ts";
import { type Span, type TypedText, textAt } from "./typed-text.ts";

export interface TypedLocal {
  readonly name: string;
  readonly nameToken: number;
  /** As typed, without `const`: "unsigned int". */
  readonly type: string;
  /** What it is made with; it is never assigned to again. */
  readonly initializer: Span;
}

/** The local that a token names; null where it names none, or one that is assigned to again. */
export function typedLocal(typed: TypedText, index: number): TypedLocal | null {
  const initializer = localAt(typed, { first: index, end: index + 1 });
  // A lambda is no value that may be written in its place.
  if (initializer === null || textAt(typed, initializer.first) === "[") return null;
  const nameToken = initializer.first - 2;
  const type = typeBefore(typed, nameToken);
  return type === null ? null : { name: textAt(typed, nameToken), nameToken, type, initializer };
}

/** The words before the first name that a declaration declares: those of `unsigned int x = 0, y = 1`. */
function typeBefore(typed: TypedText, nameToken: number): string | null {
  let first = nameToken;
  for (let at = nameToken - 1; at >= 0; at--) {
    const partner = typed.partners[at] ?? -1;
    if (partner !== -1 && partner < at && textAt(typed, at) !== "}") {
      at = partner;
      continue;
    }
    if ([";", "{", "}", "("].includes(textAt(typed, at)) || typed.isInDirective(at)) break;
    first = at;
  }
  const words: string[] = [];
  for (let at = first; at < nameToken; at++) {
    if (["=", ",", "[", "("].includes(textAt(typed, at + 1))) break;
    words.push(textAt(typed, at));
  }
  const type = words.filter((word) => !["const", "constexpr", "static", "register"].includes(word));
  const isPlain = type.length > 0 && type.every((word) => /^[A-Za-z_]\w*$/.test(word));
  return isPlain ? type.join(" ") : null;
}

/** Every identifier of a span that is no member: its token. */
export function namesIn(typed: TypedText, { first, end }: Span): number[] {
  const names: number[] = [];
  for (let index = first; index < end; index++) {
    if (typed.tokens[index]?.kind !== "identifier") continue;
    if (![".", "->", "::"].includes(textAt(typed, index - 1))) names.push(index);
  }
  return names;
}

const mostDepth = 8;

/** The axes of threadIdx that an expression hangs on, through locals. */
export function threadAxesOf(typed: TypedText, span: Span, depth = 0): ReadonlySet<string> {
  const axes = new Set<string>();
  for (const index of namesIn(typed, span)) {
    if (textAt(typed, index) === "threadIdx") axes.add(textAt(typed, index + 2));
    const local = depth < mostDepth ? typedLocal(typed, index) : null;
    if (local === null || contains(local.initializer, index)) continue;
    for (const axis of threadAxesOf(typed, local.initializer, depth + 1)) axes.add(axis);
  }
  return axes;
}

function contains({ first, end }: Span, index: number): boolean {
  return first <= index && index < end;
}

/** The locals that hang on threadIdx which some spans need, those first that others are made of. */
export function threadLocalsOf(typed: TypedText, spans: readonly Span[]): TypedLocal[] {
  const found = new Map<string, TypedLocal>();
  const visit = (span: Span, depth: number) => {
    for (const index of namesIn(typed, span)) {
      const local = depth < mostDepth ? typedLocal(typed, index) : null;
      if (local === null || found.has(local.name) || contains(local.initializer, index)) continue;
      if (threadAxesOf(typed, local.initializer).size === 0) continue;
      visit(local.initializer, depth + 1);
      found.set(local.name, local);
    }
  };
  for (const span of spans) visit(span, 0);
  return [...found.values()];
}

/** What stands in for some tokens: the text, and the first token behind those that it replaces. */
export type Substitution = (index: number) => { readonly text: string; readonly end: number } | null;

/** What was typed in a span, with some tokens replaced. */
export function substituted(typed: TypedText, { first, end }: Span, substitution: Substitution): string {
  let result = "";
  let at = typed.tokens[first]?.start ?? 0;
  for (let index = first; index < end; ) {
    const found = substitution(index);
    const token = typed.tokens[index];
    if (token === undefined) break;
    result += typed.text.slice(at, token.start);
    const next = found?.end ?? index + 1;
    result += found?.text ?? token.text;
    at = typed.tokens[next - 1]?.end ?? token.end;
    index = next;
  }
  return result;
}
