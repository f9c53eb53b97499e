// Makes one top-level declaration out of its tokens; what is costly about it is made when it is first asked for.
import type { Token } from "../preprocess/token.ts";
import type { SourceRange } from "../text/source.ts";
import { namesDeclaredBy } from "./declared-names.ts";
import type { NormalisedTokens } from "./normalise.ts";
import type { CudaParser } from "./parser.ts";
import { type DeclaredTokens, SharedParts } from "./shared-parts.ts";
import type { SyntaxAnnotation, SyntaxAttribute, SyntaxUnit } from "./unit.ts";
import { rangeOfText, spelledRangeOfText, writeTokens } from "./unit-text.ts";

/** What a declaration is made of. */
export interface UnitParts extends DeclaredTokens {
  readonly annotations: readonly SyntaxAnnotation[];
}

/** What declarations of the same tokens have in common: all but the annotations. */
interface CommonParts extends DeclaredTokens {
  readonly unit: Omit<SyntaxUnit, "moved" | "annotations">;
}

const shared = new SharedParts<CommonParts>();

/** `known`: declarations by their hash, whose text and tree are the new one's where the tokens are the same. */
export function makeUnit(
  parts: UnitParts,
  parser: CudaParser,
  known: ReadonlyMap<string, SyntaxUnit>,
): SyntaxUnit {
  const { unit } = shared.get(parts, () => commonParts(parts, parser, known));
  return unitAt(unit, parts.annotations, "", 0);
}

function commonParts(
  { tokens, attributes, namespaces }: DeclaredTokens,
  parser: CudaParser,
  known: ReadonlyMap<string, SyntaxUnit>,
): CommonParts {
  const hash = once(() => hashOf(tokens, attributes, namespaces));
  const earlier = known.size === 0 ? undefined : known.get(hash());
  const written = earlier?.written ?? writeTokens(tokens);
  const parts: CommonParts = {
    tokens,
    attributes,
    namespaces,
    unit: {
      namespaces,
      text: written.text,
      hash,
      names: earlier?.names ?? once(() => namesDeclaredBy(tokens)),
      identifiers: earlier?.identifiers ?? once(() => identifiersIn(tokens)),
      extent: once(() => extentOf(tokens)),
      written,
      root: earlier?.root ?? once(() => parser.parse(written.text)),
      // Whoever asks for places keeps all of the parts.
      rangeOf: (start, end) => rangeOfText(written, parts.tokens, start, end),
      spelledRangeOf: (start, end) => spelledRangeOfText(written, parts.tokens, start, end),
      attributes: attributes.map(({ index, name, arguments: values }): SyntaxAttribute => {
        return { offset: written.starts[index] ?? written.text.length, name, arguments: values };
      }),
    },
  };
  return parts;
}

/**
 * `unit` where everything of it that stands in `file` stands `by` characters later. Written out property by property, so that all have one
 * layout: each edit makes such objects for a whole text, and code that reads them is made for the layouts that it has seen.
 */
function unitAt(
  unit: Omit<SyntaxUnit, "moved" | "annotations">,
  annotations: readonly SyntaxAnnotation[],
  file: string,
  by: number,
): SyntaxUnit {
  const isMoved = by !== 0;
  const move = (range: SourceRange): SourceRange =>
    range.file === file ? { file, start: range.start + by, end: range.end + by } : range;
  return {
    namespaces: unit.namespaces,
    text: unit.text,
    hash: unit.hash,
    names: unit.names,
    identifiers: unit.identifiers,
    extent: isMoved ? once(() => movedExtent(unit.extent(), move)) : unit.extent,
    written: unit.written,
    root: unit.root,
    rangeOf: isMoved ? (start, end) => move(unit.rangeOf(start, end)) : unit.rangeOf,
    spelledRangeOf: isMoved ? (start, end) => move(unit.spelledRangeOf(start, end)) : unit.spelledRangeOf,
    attributes: unit.attributes,
    annotations: isMoved ? annotations.map(({ text, range }) => ({ text, range: move(range) })) : annotations,
    moved: (further, more) => unitAt(unit, annotations, further, by + more),
  };
}

function movedExtent(
  extent: SourceRange | null,
  move: (range: SourceRange) => SourceRange,
): SourceRange | null {
  return extent && move(extent);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function identifiersIn(tokens: readonly Token[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { kind, text } of tokens) if (kind === "identifier") found.add(text);
  return found;
}

function extentOf(tokens: readonly Token[]): SourceRange | null {
  const [first] = tokens;
  if (first === undefined) return null;
  const { file } = first.use ?? first;
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const token of tokens) {
    const place = token.use ?? token;
    if (place.file !== file) return null;
    start = Math.min(start, place.start);
    end = Math.max(end, place.end);
  }
  return { file: file.path, start, end };
}

/** 64 bits over the tokens' texts, which of them came out of macros, the attributes and the namespaces: two 32-bit multiplicative hashes. */
function hashOf(
  tokens: readonly Token[],
  attributes: NormalisedTokens["attributes"],
  namespaces: readonly string[],
): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  const mix = (text: string) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x5bd1e995);
      high ^= high >>> 15;
    }
    low = Math.imul(low ^ 0x1f, 0x01000193);
    high = Math.imul(high ^ 0x1f, 0x5bd1e995);
  };
  let file = tokens[0]?.file;
  for (const token of tokens) {
    mix(token.text);
    if (token.use !== null) mix("\t");
    else if (token.file !== file) {
      mix("\v");
      file = token.file;
    }
  }
  for (const { index, name, arguments: values } of attributes) mix(`\n${index} ${name} ${values.join(",")}`);
  for (const name of namespaces) mix(`::${name}`);
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0");
}
