// `add_custom_command`: what a build makes by running something. A copy is made as it would be; all else is told by its name, for nothing is run.
import { resolvePath } from "../../../text/path.ts";
import type { Call, Interpreter } from "../interpreter.ts";
import { hasUnknown } from "../unknown.ts";
import { byKeyword, type CommandTable, textsOf } from "./command.ts";

export const customCommands: CommandTable = [["add_custom_command", addCustomCommand]];

const keywords = new Set(
  "OUTPUT TARGET COMMAND MAIN_DEPENDENCY DEPENDS BYPRODUCTS IMPLICIT_DEPENDS WORKING_DIRECTORY COMMENT DEPFILE JOB_POOL VERBATIM APPEND USES_TERMINAL COMMAND_EXPAND_LISTS".split(
    " ",
  ),
);
const mayBeCompiledOrIncluded = /\.(?:cu|cuh|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|inc)$/;

function addCustomCommand(cmake: Interpreter, call: Call): undefined {
  const parts = byKeyword(call.args, keywords);
  const pathOf = (text: string): string => resolvePath(cmake.directory.binary, text);
  const copied = new Map(
    copiesIn(textsOf(call)).map(({ from, to }): [string, string] => [pathOf(to), pathOf(from)]),
  );
  for (const { text, origin } of [...(parts.get("OUTPUT") ?? []), ...(parts.get("BYPRODUCTS") ?? [])]) {
    if (hasUnknown(text) || !mayBeCompiledOrIncluded.test(text)) continue;
    const path = pathOf(text);
    const from = copied.get(path);
    const content = from === undefined || hasUnknown(from) ? null : cmake.readText(from);
    if (content === null)
      cmake.note(text, "it is made by a command that is not run (add_custom_command)", origin);
    else cmake.journal.put(cmake.writtenFiles, path, { kind: "file", text: content, origin });
  }
  return undefined;
}

/** What `cmake -E copy FROM TO` copies. */
function copiesIn(words: readonly string[]): readonly { readonly from: string; readonly to: string }[] {
  return words.flatMap((word, at) => {
    const [kind = "", from, to] = words.slice(at + 1);
    const isCopy = word === "-E" && /^copy(?:_if_different)?$/.test(kind);
    return isCopy && from !== undefined && to !== undefined ? [{ from, to }] : [];
  });
}
