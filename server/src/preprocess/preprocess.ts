// From a text to its tokens, all macros expanded: of a whole file with what it includes, or of a part of one.
import { type CompileFlags, noFlags } from "../build/flags.ts";
import { lexStretch } from "./lex.ts";
import { macrosAt } from "./macro-history.ts";
import { predefinedMacros } from "./predefined.ts";
import type {
  KnownMacros,
  Preprocessed,
  PreprocessedStretch,
  PreprocessOptions,
  Stretch,
} from "./preprocessed.ts";
import { Preprocessor } from "./preprocessor.ts";

const DEFAULT_ARCHITECTURE = 900;

/** Whether no code of the GPU is made of a source: what the build says, else its name. Headers are read as CUDA, whoever includes them. */
function isForHostAlone(path: string, { language }: CompileFlags): boolean {
  return language === undefined ? /\.(?:cpp|cc|cxx|c)$/.test(path) : language !== "cuda";
}

/** Preprocesses `text` as nvcc would, or the host's compiler. Never throws on any text. */
export function preprocess(path: string, text: string, options: PreprocessOptions): Preprocessed {
  const { architecture = DEFAULT_ARCHITECTURE, flags = noFlags } = options;
  const compiler = isForHostAlone(path, flags) ? "host" : "nvcc";
  return new Preprocessor(options, predefinedMacros(architecture, flags, compiler)).run(path, text);
}

/**
 * Preprocesses a part of `text` that begins outside of everything, with the macros that are `known` at `place` of the text that they are
 * known of. Null where it cannot be read by itself: it may hold a directive that says something to the rest, or a macro's use that goes on
 * behind it.
 */
export function preprocessStretch(
  path: string,
  text: string,
  stretch: Stretch,
  place: number,
  known: KnownMacros,
): PreprocessedStretch | null {
  if (speaksToOthers.test(text.slice(stretch.start, stretch.end))) return null;
  const preprocessor = new Preprocessor({ readInclude: () => null }, macrosAt(known.history, place));
  return preprocessor.runStretch(lexStretch(path, text, stretch), known);
}

/** A directive that is no pragma, or a pragma of the preprocessor's own. */
const speaksToOthers = /#(?!\s*pragma\b(?!\s*(?:once|push_macro|pop_macro)\b))/;
