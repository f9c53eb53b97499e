// From a file's text to its top-level declarations, each parsed when it is first asked for.
import { preprocess } from "../preprocess/preprocess.ts";
import type { Preprocessed, PreprocessOptions } from "../preprocess/preprocessed.ts";
import { AnnotationReader } from "./annotations.ts";
import { throughDeclarations } from "./assumed.ts";
import { makeUnit } from "./make-unit.ts";
import { type NormalisedTokens, normalise } from "./normalise.ts";
import type { CudaParser } from "./parser.ts";
import { readingOf, recordAnswers, reread } from "./reread.ts";
import { type DeclarationSpan, splitDeclarations } from "./split.ts";
import type { SyntaxUnit, TranslationUnit } from "./unit.ts";

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
  const { previous } = options;
  const edited = previous?.file === file ? reread(previous, text, parser, options) : null;
  return edited ?? readWhole(file, text, parser, options);
}

function readWhole(file: string, text: string, parser: CudaParser, options: ReadOptions): TranslationUnit {
  const { answers, readInclude } = recordAnswers(options.readInclude);
  const preprocessed = preprocess(file, text, { ...options, readInclude });
  const normalised = normalise(preprocessed.tokens);
  const spans = splitDeclarations(normalised.tokens);
  const known = new Map(options.previous?.units.map((unit) => [unit.hash(), unit]));
  const annotations = new AnnotationReader(preprocessed);
  const units: SyntaxUnit[] = [];
  // One by one, as `reread` does.
  for (const span of spans) {
    const tokens = normalised.tokens.slice(span.start, span.end);
    const attributes = attributesOf(span, normalised);
    const { namespaces } = span;
    units.push(
      makeUnit({ tokens, attributes, namespaces, annotations: annotations.before(tokens) }, parser, known),
    );
  }
  const texts = new Map([...preprocessed.files].map(([path, lexed]) => [path, lexed.text]));
  const assumed = throughDeclarations(preprocessed.assumed, units, texts);
  return {
    file,
    hasRelocatableDeviceCode: options.flags?.hasRelocatableDeviceCode ?? false,
    units,
    includedFiles: preprocessed.includedFiles,
    missingIncludes: preprocessed.missingIncludes,
    conventions: [...preprocessed.conventions, ...normalised.conventions],
    assumed,
    notExpanded: preprocessed.notExpanded,
    unclosed: preprocessed.unclosed,
    texts,
    // What hangs on an open macro hangs on places in the text, too.
    reading:
      isWhole(preprocessed, spans) && assumed.length === 0
        ? readingOf(file, units, preprocessed.known, answers, options)
        : null,
  };
}

/** Whether nothing of the text runs on over what stands behind it. */
function isWhole({ unclosed, notExpanded }: Preprocessed, spans: readonly DeclarationSpan[]): boolean {
  return unclosed.length === 0 && notExpanded.length === 0 && spans.every(({ isClosed }) => isClosed);
}

/** The attributes of a span, by index from its first token. */
function attributesOf(
  span: DeclarationSpan,
  { attributes }: NormalisedTokens,
): NormalisedTokens["attributes"][number][] {
  const out: NormalisedTokens["attributes"][number][] = [];
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
