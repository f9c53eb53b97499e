// A line of a shell, several commands joined by `&&`, `;` or `|`, to the runs of compilers in it.
import { commandPath, readCompilerCommand } from "./arguments.ts";
import type { CommandWord, CompilerCommand } from "./command/command.ts";
import { type ShellToken, shellTokens, type VariableLookup } from "./command/words.ts";
import type { BuildHost, Origin } from "./flags.ts";

/** What a shell's line runs, and the directory that it ends in. */
export interface ShellLine {
  readonly commands: readonly CompilerCommand[];
  readonly directory: string;
}

/**
 * The runs of compilers and archivers in `text`, as sh would run it from `directory` (absolute): `cd`, `pushd` and subshells are followed, redirections
 * dropped. `lookup` gives the values of shell variables; one that it does not know is a hole with its name. Nothing is executed.
 */
export function readShellLine(
  host: BuildHost,
  text: string,
  directory: string,
  origin: Origin,
  lookup?: VariableLookup,
): ShellLine {
  return readShellTokens(host, shellTokens(text, origin, lookup), directory);
}

/** As `readShellLine`, of words that are parted already. */
export function readShellTokens(
  host: BuildHost,
  tokens: readonly ShellToken[],
  directory: string,
): ShellLine {
  const commands: CompilerCommand[] = [];
  const around: string[] = [];
  const pushed: string[] = [];
  let current = directory;
  let words: CommandWord[] = [];
  const end = (): void => {
    const simple = withoutKeywords(words);
    words = [];
    const [first, second] = simple;
    if (first === undefined) return;
    if (first.text === "cd" || first.text === "pushd" || first.text === "chdir") {
      if (first.text === "pushd") pushed.push(current);
      const target = simple.slice(1).find(({ text }) => !/^-[A-Za-z]*$|^\/[dD]$/.test(text));
      if (target !== undefined && target.hole === null) current = commandPath(current, target.text);
      else if (second === undefined) current = directory;
    } else if (first.text === "popd") {
      current = pushed.pop() ?? current;
    } else {
      const command = readCompilerCommand(host, simple, current);
      if (command !== null) commands.push(command);
    }
  };
  let isRedirected = false;
  for (const token of tokens) {
    if ("operator" in token) {
      isRedirected = isRedirection(token.operator);
      if (isRedirected) {
        // "2>&1": the number of the stream belongs to the operator.
        if (/^\d$/.test(words.at(-1)?.text ?? "")) words.pop();
        continue;
      }
      end();
      if (token.operator === "(") around.push(current);
      else if (token.operator === ")") current = around.pop() ?? current;
    } else if (isRedirected) isRedirected = false;
    else words.push(token);
  }
  end();
  return { commands, directory: current };
}

function isRedirection(operator: string): boolean {
  return /^(?:&?>>?|<|<<-?|<<<|>[&|]|<[&>])$/.test(operator);
}

/** The simple command behind `if`, `then`, `{`, `!` and the like. */
function withoutKeywords(words: readonly CommandWord[]): readonly CommandWord[] {
  const at = words.findIndex(({ text }) => !keywords.has(text));
  return at === -1 ? [] : words.slice(at);
}

const keywords = new Set(["if", "then", "else", "elif", "do", "while", "until", "{", "}", "!", "fi", "done"]);
