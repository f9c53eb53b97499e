// A header is read for each source that includes it, and most of its declarations are the same tokens each time. What is costly of such a
// declaration is made once, as long as one that has these tokens is in use.
import type { LexedFile, MacroUse, Token } from "../preprocess/token.ts";
import type { NormalisedTokens } from "./normalise.ts";

/** What tells a declaration from others, but for the annotations in front of it. */
export interface DeclaredTokens {
  readonly tokens: readonly Token[];
  /** By index in `tokens`. */
  readonly attributes: NormalisedTokens["attributes"];
  readonly namespaces: readonly string[];
}

/** Of declarations that begin at one place: macros and `#if`s may make several of one. The last that were read. */
const mostOfPlace = 4;

/** Held weakly: whoever uses one keeps it. */
export class SharedParts<Parts extends DeclaredTokens> {
  private readonly known = new WeakMap<LexedFile, Map<number, readonly WeakRef<Parts>[]>>();

  /** What was made of a declaration alike, where somebody still has it; else what `make` gives. */
  get(declared: DeclaredTokens, make: () => Parts): Parts {
    const [first] = declared.tokens;
    if (first === undefined) return make();
    const places = this.known.get(first.file) ?? new Map<number, readonly WeakRef<Parts>[]>();
    const alike: WeakRef<Parts>[] = [];
    for (const each of places.get(first.start) ?? []) {
      const parts = each.deref();
      if (parts === undefined) continue;
      if (isSameDeclaration(parts, declared)) return parts;
      alike.push(each);
    }
    const made = make();
    this.known.set(first.file, places);
    places.set(first.start, [new WeakRef(made), ...alike.slice(0, mostOfPlace - 1)]);
    return made;
  }
}

function isSameDeclaration(a: DeclaredTokens, b: DeclaredTokens): boolean {
  return (
    a.tokens.length === b.tokens.length &&
    areEqual(a.namespaces, b.namespaces) &&
    a.attributes.length === b.attributes.length &&
    a.attributes.every((one, at) => {
      const other = b.attributes[at];
      return (
        one.index === other?.index && one.name === other.name && areEqual(one.arguments, other.arguments)
      );
    }) &&
    a.tokens.every((token, at) => isSameToken(token, b.tokens[at]))
  );
}

/** Whether two tokens stand at one place and say the same: tokens that no macro made are the very same. */
function isSameToken(a: Token, b: Token | undefined): boolean {
  if (a === b) return true;
  return (
    a.text === b?.text &&
    a.kind === b.kind &&
    a.file === b.file &&
    a.start === b.start &&
    a.end === b.end &&
    a.startsLine === b.startsLine &&
    a.spaceBefore === b.spaceBefore &&
    isSameUse(a.use, b.use)
  );
}

function isSameUse(a: MacroUse | null, b: MacroUse | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  return (
    a.file === b.file &&
    a.start === b.start &&
    a.end === b.end &&
    a.name === b.name &&
    a.arguments.length === b.arguments.length &&
    a.arguments.every(
      ({ start, end }, at) => start === b.arguments[at]?.start && end === b.arguments[at]?.end,
    )
  );
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((each, at) => each === b[at]));
}
