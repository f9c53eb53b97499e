// One command of a build: what it compiles and links, read from words that know where they were typed.

import { readCompilerCommand } from "../arguments.ts";
import type { CommandWord, CompilerCommand } from "../command/command.ts";
import type { Origin } from "../flags.ts";
import type { Shell } from "../shell/scope.ts";
import { hasUnknown, originOfWord, type Text } from "./text.ts";
import type { World } from "./world.ts";

export interface BuildStep {
  readonly command: CompilerCommand;
  /** The target of make whose recipe it stands in. */
  readonly rule: string | null;
  /** "default": what the build makes when nobody asks for more. */
  readonly use: "default" | "other";
}

/** The step that a command is; null where it neither compiles nor links. */
export function stepOf(
  words: readonly Text[],
  shell: Shell,
  origin: Origin,
  use: BuildStep["use"],
): BuildStep | null {
  const { world, host, directory } = shell;
  const given = words.map((word, index) => {
    const made = commandWord(word, world, origin);
    return index === 0 && made.hole !== null ? { ...made, text: programOf(made.text) } : made;
  });
  const command = readCompilerCommand(host, given, directory ?? nowhere);
  if (command === null) return null;
  for (const file of command.readFiles) world.readFiles.add(file);
  if (directory === null) {
    world.cannot(given.map((word) => word.text).join(" "), "in which directory it runs is not known", origin);
    return null;
  }
  return { command, rule: null, use };
}

/** A program whose path the machine says: `$(which nvcc 2>/dev/null)` by the name that it asks for. */
function programOf(written: string): string {
  if (/nvcc/i.test(written)) return "$NVCC";
  return /\b(?:g\+\+|gcc|clang|CXX|CC|icpc|mpicxx)(?!\w)/.test(written) ? "$CXX" : written;
}

/** A directory that nothing lies in. */
const nowhere = "/?";

function commandWord(word: Text, world: World, origin: Origin): CommandWord {
  const string = world.resolved(word.string);
  const hole = hasUnknown(string) ? (world.reasonOf(string)?.reason ?? "it is not known") : null;
  return { text: world.unknowns.written(string), origin: originOfWord(word) ?? origin, hole, doubt: null };
}
