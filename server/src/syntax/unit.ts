// What `syntax` gives to `lower`: the top-level declarations of one translation unit, each with its text after preprocessing
// and its way back to what the user typed.
import type { MacroAssumption } from "../preprocess/assumed.ts";
import type { ConventionalMacro, MissingInclude } from "../preprocess/preprocessed.ts";
import type { SourceRange } from "../text/source.ts";
import type { SyntaxNode } from "./node.ts";
import type { Reading } from "./reread.ts";
import type { UnitText } from "./unit-text.ts";

/** One top-level declaration (of a namespace or of the file). */
export interface SyntaxUnit {
  /** Names of the namespaces around it, outermost first; an anonymous one is "". `extern "C"` adds none. */
  readonly namespaces: readonly string[];
  /** Preprocessed text, what breaks the parser blanked. */
  readonly text: string;
  /** Hash of the tokens, and of which of them macros made: equal hash, equal meaning. */
  readonly hash: () => string;
  /** The names that it may declare where it stands; there may be others among them. */
  readonly names: () => ReadonlySet<string>;
  /** Every identifier in it: whatever it means hangs on the declarations of these, and on its own tokens, alone. */
  readonly identifiers: () => ReadonlySet<string>;
  /** From its first to its last token as the user typed them; null where they stand in several files. */
  readonly extent: () => SourceRange | null;
  /** Where the tokens stand in `text`. */
  readonly written: UnitText;
  /** Parsed when first asked for, then kept. The root is `translation_unit`. */
  readonly root: () => SyntaxNode;
  /** The place that the user typed for a range of `text`: of an expanded macro, its outermost use. */
  readonly rangeOf: (start: number, end: number) => SourceRange;
  /** The same, but of a range that lies wholly in one argument of a macro's use, what of the argument was typed. */
  readonly spelledRangeOf: (start: number, end: number) => SourceRange;
  /** What was blanked but means something, by the offset in `text` of the token that follows it. */
  readonly attributes: readonly SyntaxAttribute[];
  /** Comments `// warplint: …` that stand between the end of the unit before and the end of this one. */
  readonly annotations: readonly SyntaxAnnotation[];
  /** The same declaration where all of it that stands in `file` stands `by` characters later. */
  readonly moved: (file: string, by: number) => SyntaxUnit;
}

export interface SyntaxAnnotation {
  readonly text: string;
  readonly range: SourceRange;
}

/**
 * What was taken out of the text. `__launch_bounds__(256, 2)` is { name: "__launch_bounds__", arguments: ["256", "2"] }; so are
 * `__cluster_dims__` and `__maxnreg__`. `__align__(16)`, `alignas(16)` and `__attribute__((aligned(16)))` are "__align__".
 * `#pragma unroll`, `#pragma unroll 4` and `_Pragma("unroll 4")` are "#pragma unroll" with no or one argument (its macros
 * expanded), `#pragma nounroll` is "#pragma nounroll"; the token that follows is the loop's `for`, `while` or `do`.
 * `__device__` and `__host__` of a lambda are attributes of that name before its parameters or body.
 */
export interface SyntaxAttribute {
  readonly offset: number;
  readonly name: string;
  readonly arguments: readonly string[];
}

/** A translation unit after preprocessing and splitting. */
export interface TranslationUnit {
  readonly file: string;
  /** Whether its device code is linked with that of others (`-rdc=true`): where its shared memory lies is not known when it is compiled. */
  readonly hasRelocatableDeviceCode: boolean;
  readonly units: readonly SyntaxUnit[];
  /** Files that were included, includes not found (but for system headers), and macros assumed by convention, for messages. */
  readonly includedFiles: readonly string[];
  readonly missingIncludes: readonly MissingInclude[];
  readonly conventions: readonly ConventionalMacro[];
  /** Macros of which the build leaves something open, with the names that hang on them. */
  readonly assumed: readonly MacroAssumption[];
  /** Uses of macros that outgrew the budget and stand unexpanded in the text. */
  readonly notExpanded: readonly {
    readonly name: string;
    readonly range: SourceRange;
    readonly reason: string;
  }[];
  /** What a comment or an #if takes that is never closed: most likely it is still being typed. */
  readonly unclosed: readonly SourceRange[];
  /** The text of each file read, for positions and excerpts. */
  readonly texts: ReadonlyMap<string, string>;
  /** For reading the text once more after an edit of one declaration; null where the declarations are not apart. */
  readonly reading: Reading | null;
}
