// The words of a compiler's command line and what the command does, as plain data.
import type { CompiledSource, CompileFlags, Origin, Unresolved } from "../flags.ts";

/** One word of a command line, after the shell took its quotes away. */
export interface CommandWord {
  readonly text: string;
  readonly origin: Origin;
  /** Why parts of the text are not known: "NVCC_FLAGS is not known". Those parts stand in `text` as they were written. Null where all is known. */
  readonly hole: string | null;
  /** Why the word may not be passed at all. Null where it is. */
  readonly doubt: string | null;
}

export type CompilerDialect = "nvcc" | "gcc" | "msvc";

/** What is made of objects. "device-link": one more object, by `nvcc -dlink`. "object": `ld -r`. */
export type LinkKind = "executable" | "shared-library" | "static-library" | "device-link" | "object";

export interface LinkStep {
  readonly kind: LinkKind;
  /** Objects and libraries that are named by path, absolute and normal, in order. */
  readonly inputs: readonly string[];
  /** `-lm` as "m"; `-l:libm.a` as ":libm.a". */
  readonly libraries: readonly string[];
  /** `-L`, absolute and normal. */
  readonly libraryPaths: readonly string[];
}

/** One run of a compiler, an archiver or a linker. */
export interface CompilerCommand {
  readonly dialect: CompilerDialect;
  readonly directory: string;
  readonly origin: Origin;
  /** What it compiles; their flags are `flags`. */
  readonly sources: readonly { readonly path: string; readonly language: CompiledSource["language"] }[];
  /** Absolute and normal; null where the compiler names the output by itself, or the name is not known. */
  readonly output: string | null;
  /** Objects that it writes, in the order of `sources`; empty where it goes on to link. */
  readonly objects: readonly string[];
  readonly flags: CompileFlags;
  /** Null where it stops before linking. */
  readonly link: LinkStep | null;
  /** Response files that were read or looked for. */
  readonly readFiles: readonly string[];
}

/** Words of which all is known, from one place. */
export function literalWords(texts: readonly string[], origin: Origin): CommandWord[] {
  return texts.map((text) => ({ text, origin, hole: null, doubt: null }));
}

/** The sources of a command, each with the command's flags. */
export function compiledSources(command: CompilerCommand, target: string | null): CompiledSource[] {
  return command.sources.map(({ path, language }) => ({ path, language, target, flags: command.flags }));
}

/** A word that can't be made use of. */
export function unresolvedWord(word: CommandWord, reason: string): Unresolved {
  return { what: shortened(word.text), reason, origin: word.origin };
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
