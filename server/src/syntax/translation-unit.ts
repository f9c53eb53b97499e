// From a file's text to its top-level declarations, each parsed when it is first asked for.
import { type Preprocessed, type PreprocessOptions, preprocess } from "../preprocess/preprocess.ts";
import type { LexedFile, Token } from "../preprocess/token.ts";
import type { SourceRange } from "../text/source.ts";
import { namesDeclaredBy } from "./declared-names.ts";
import { type NormalisedTokens, normalise } from "./normalise.ts";
import type { CudaParser } from "./parser.ts";
import { type DeclarationSpan, splitDeclarations } from "./split.ts";
import type { SyntaxAttribute, SyntaxUnit, TranslationUnit } from "./unit.ts";
import { rangeOfText, spelledRangeOfText, writeTokens } from "./unit-text.ts";

export { type CudaParser, createParser, type ParserWasm } from "./parser.ts";

export interface ReadOptions extends PreprocessOptions {
  /** An earlier state of the same file: declarations whose tokens have not changed keep their text and tree. */
  readonly previous?: TranslationUnit;
}

/** Reads `text` as the translation unit of `file`. Never throws on any text. */
export function readTranslationUnit(
  file: string,
  text: string,
  parser: CudaParser,
  options: ReadOptions,
): TranslationUnit {
  const preprocessed = preprocess(file, text, options);
  const normalised = normalise(preprocessed.tokens);
  const spans = splitDeclarations(normalised.tokens);
  const known = new Map(options.previous?.units.map((unit) => [unit.hash(), unit]));
  const annotations = new AnnotationReader(preprocessed);
  const units = spans.map((span) => makeUnit(span, normalised, parser, known, annotations));
  return {
    file,
    units,
    includedFiles: preprocessed.includedFiles,
    missingIncludes: preprocessed.missingIncludes,
    conventions: [...preprocessed.conventions, ...normalised.conventions],
    notExpanded: preprocessed.notExpanded,
    unclosed: preprocessed.unclosed,
    texts: new Map([...preprocessed.files].map(([path, lexed]) => [path, lexed.text])),
  };
}

function makeUnit(
  span: DeclarationSpan,
  normalised: NormalisedTokens,
  parser: CudaParser,
  known: ReadonlyMap<string, SyntaxUnit>,
  annotations: AnnotationReader,
): SyntaxUnit {
  const tokens = normalised.tokens.slice(span.start, span.end);
  const attributes = attributesOf(span, normalised);
  const hash = once(() => hashOf(tokens, attributes, span.namespaces));
  const earlier = known.size === 0 ? undefined : known.get(hash());
  const written = earlier?.written ?? writeTokens(tokens);
  return {
    namespaces: span.namespaces,
    text: written.text,
    hash,
    names: earlier?.names ?? once(() => namesDeclaredBy(tokens)),
    identifiers: earlier?.identifiers ?? once(() => identifiersIn(tokens)),
    extent: once(() => extentOf(tokens)),
    written,
    root: earlier?.root ?? once(() => parser.parse(written.text)),
    rangeOf: (start, end) => rangeOfText(written, tokens, start, end),
    spelledRangeOf: (start, end) => spelledRangeOfText(written, tokens, start, end),
    attributes: attributes.map(({ index, name, arguments: values }): SyntaxAttribute => {
      return { offset: written.starts[index] ?? written.text.length, name, arguments: values };
    }),
    annotations: annotations.before(tokens),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type IndexedAttribute = NormalisedTokens["attributes"][number];

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

/** The attributes of a span, by index from its first token. */
function attributesOf(span: DeclarationSpan, { attributes }: NormalisedTokens): IndexedAttribute[] {
  const out: IndexedAttribute[] = [];
  let low = 0;
  let high = attributes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((attributes[middle]?.index ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < attributes.length; at++) {
    const attribute = attributes[at];
    if (attribute === undefined || attribute.index >= span.end) break;
    out.push({ ...attribute, index: attribute.index - span.start });
  }
  return out;
}

/** 64 bits over the tokens' texts, which of them came out of macros, the attributes and the namespaces: two 32-bit multiplicative hashes. */
function hashOf(
  tokens: readonly Token[],
  attributes: readonly IndexedAttribute[],
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

/** Gives each annotation comment to the first unit that ends behind it in the same file. */
class AnnotationReader {
  private readonly preprocessed: Preprocessed;
  private readonly next = new Map<LexedFile, number>();

  constructor(preprocessed: Preprocessed) {
    this.preprocessed = preprocessed;
  }

  before(tokens: readonly Token[]): { text: string; range: SourceRange }[] {
    const last = tokens.at(-1)?.use ?? tokens.at(-1);
    if (last === undefined || last.file.annotations.length === 0) return [];
    const { file } = last;
    const out: { text: string; range: SourceRange }[] = [];
    let at = this.next.get(file) ?? 0;
    for (; at < file.annotations.length; at++) {
      const annotation = file.annotations[at];
      if (annotation === undefined || annotation.start >= last.end) break;
      if (this.preprocessed.isSkipped(file.path, annotation.start)) continue;
      out.push({
        text: annotation.text,
        range: { file: file.path, start: annotation.start, end: annotation.end },
      });
    }
    this.next.set(file, at);
    return out;
  }
}
