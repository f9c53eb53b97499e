// What `syntax` gives to `lower`: the top-level declarations of one translation unit, each with its text after preprocessing
// and its way back to what the user typed.
import type { SourceRange } from "../text/source.ts";
import type { SyntaxNode } from "./node.ts";

/** One top-level declaration (of a namespace or of the file). */
export interface SyntaxUnit {
  /** Names of the namespaces around it, outermost first; an anonymous one is "". `extern "C"` adds none. */
  readonly namespaces: readonly string[];
  /** Preprocessed text, what breaks the parser blanked. */
  readonly text: string;
  /** Hash of the tokens: equal hash, equal meaning. */
  readonly hash: string;
  /** Parsed when first asked for, then kept. The root is `translation_unit`. */
  readonly root: () => SyntaxNode;
  /** The place that the user typed for a range of `text`: of an expanded macro, its outermost use. */
  readonly rangeOf: (start: number, end: number) => SourceRange;
  /** What was blanked but means something, by the offset in `text` of the token that follows it. */
  readonly attributes: readonly SyntaxAttribute[];
  /** Comments `// warplint: …` that stand between the end of the unit before and the end of this one. */
  readonly annotations: readonly { readonly text: string; readonly range: SourceRange }[];
}

/** `__launch_bounds__(256, 2)` is { name: "__launch_bounds__", arguments: ["256", "2"] }; `__align__(16)` and `alignas(16)` are "__align__". */
export interface SyntaxAttribute {
  readonly offset: number;
  readonly name: string;
  readonly arguments: readonly string[];
}

/** A translation unit after preprocessing and splitting. */
export interface TranslationUnit {
  readonly file: string;
  readonly units: readonly SyntaxUnit[];
  /** Files that were included, and names assumed by convention (`WARP_SIZE` = 32), for messages. */
  readonly includedFiles: readonly string[];
  readonly missingIncludes: readonly { readonly name: string; readonly range: SourceRange }[];
  readonly conventions: readonly { readonly name: string; readonly value: string }[];
  /** The text of each file read, for positions and excerpts. */
  readonly texts: ReadonlyMap<string, string>;
}
