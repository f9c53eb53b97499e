// What the preprocessor is given, and what it gives.
import type { CompileFlags } from "../build/flags.ts";
import type { SourceRange } from "../text/source.ts";
import type { MacroAssumption } from "./assumed.ts";
import type { MacroTable } from "./macro.ts";
import type { MacroHistory } from "./macro-history.ts";
import type { LexedFile, Token } from "./token.ts";

export interface PreprocessOptions {
  /** The file that an #include names, or null where there is none. Whoever calls does the IO beforehand or in here. */
  readonly readInclude: (
    name: string,
    fromFile: string,
    kind: "quoted" | "angled",
  ) => { readonly path: string; readonly text: string; readonly isOutside?: true } | null;
  /** What the compiler is given. */
  readonly flags?: CompileFlags;
  /** The value of `__CUDA_ARCH__`; 900 if not given. */
  readonly architecture?: number;
  /** Lexed files by path, kept by the caller from one call to the next. */
  readonly cache?: Map<string, LexedFile>;
}

/** An #include of which the text is not there: whatever it declares is not known. */
export interface MissingInclude {
  readonly name: string;
  readonly kind: "quoted" | "angled";
  readonly range: SourceRange;
  /** "budget": too deep, or one of too many. */
  readonly reason: "not found" | "budget";
}

/** What a name that is defined nowhere was taken for. */
export interface ConventionalMacro {
  readonly name: string;
  /** The name with its parameters: "CEIL_DIV(a, b)". */
  readonly written: string;
  readonly value: string;
}

export interface Preprocessed {
  readonly tokens: readonly Token[];
  readonly files: ReadonlyMap<string, LexedFile>;
  readonly includedFiles: readonly string[];
  readonly missingIncludes: readonly MissingInclude[];
  readonly conventions: readonly ConventionalMacro[];
  /** Macros of which the build leaves something open, as far as the text hangs on them. */
  readonly assumed: readonly MacroAssumption[];
  /** Uses of macros that outgrew the budget and stand in the tokens as they were typed. */
  readonly notExpanded: readonly {
    readonly name: string;
    readonly range: SourceRange;
    readonly reason: string;
  }[];
  /** What a comment or an #if takes that is never closed: most likely it is still being typed. */
  readonly unclosed: readonly SourceRange[];
  /** Whether the offset of a file was left out by an #if. */
  readonly isSkipped: (path: string, offset: number) => boolean;
  readonly known: KnownMacros;
}

/** The macros of a text, for whoever reads a part of it again. */
export interface KnownMacros {
  readonly history: MacroHistory;
  readonly conventions: MacroTable;
  /** Names of macros that were computed from where they stand, such as `__LINE__`. */
  readonly computed: ReadonlySet<string>;
}

/** A part of a text that was read by itself. */
export interface PreprocessedStretch {
  readonly tokens: readonly Token[];
  readonly file: LexedFile;
  /** Names that convention knows; equal for stretches that mention the same ones in the same ways. */
  readonly mentions: string;
  readonly computed: ReadonlySet<string>;
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
}
