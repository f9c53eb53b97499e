// compile_flags.txt: one option a line, for every file below it.
import { directoryOf } from "../text/path.ts";
import { readCompilerFlags } from "./arguments.ts";
import type { CommandWord } from "./command/command.ts";
import type { BuildDescription, BuildHost } from "./flags.ts";

/** Reads a compile_flags.txt, as clang does: a line is an option or a value whole, without a shell's quotes. */
export function readCompileFlags(host: BuildHost, file: string): BuildDescription | null {
  const text = host.readText(file);
  if (text === null) return null;
  const words = text.split("\n").flatMap((line, at): CommandWord[] => {
    const word = line.trim();
    return word === "" ? [] : [{ text: word, origin: { file, line: at + 1 }, hole: null, doubt: null }];
  });
  if (words.length === 0) return null;
  const { flags, readFiles } = readCompilerFlags(host, words, directoryOf(file), "gcc");
  return {
    kind: "compile-flags",
    file,
    readFiles: [file, ...readFiles],
    sources: [],
    targets: [],
    generatedFiles: [],
    unresolved: [],
    others: flags,
  };
}
