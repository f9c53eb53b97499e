// A call of make within a recipe or a script: where it runs, what it is asked for and which variables it is given.
import { resolvePath } from "../../text/path.ts";
import { isList, type Shell } from "../shell/scope.ts";
import { hasUnknown, join, slice, startOf, type Text } from "../worlds/text.ts";

/** One run of make. */
export interface Run {
  readonly directory: string;
  /** Absolute; null for the one that make finds. */
  readonly file: string | null;
  readonly goals: readonly string[];
  /** Of the command line: `CFLAGS=-g`. */
  readonly given: ReadonlyMap<string, Text>;
  readonly environment: ReadonlyMap<string, Text>;
  /** 0 for the one that the user starts. */
  readonly level: number;
}

/** The run that a command is, over what it inherits: null where it is no make, or where it runs is not known. */
export function runOfCommand(
  words: readonly Text[],
  shell: Shell,
  inherited: Pick<Run, "given" | "environment" | "level">,
): Run | null {
  const { world } = shell;
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.string));
  const program = words[start];
  if (program === undefined || !/^(?:.*\/)?g?make$/.test(program.string)) return null;
  const given = new Map(inherited.given);
  const environment = new Map(inherited.environment);
  for (const [name, value] of shell.variables)
    if (environment.has(name) && !isList(value)) environment.set(name, value);
  for (const word of words.slice(0, start)) set(environment, word);
  const goals: string[] = [];
  let { directory } = shell;
  let file: string | null = null;
  for (let at = start + 1; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) continue;
    const string = world.resolved(word.string);
    const option = /^(?:-C|--directory=?|-f|--file=?|--makefile=?)/.exec(string)?.[0];
    if (option !== undefined) {
      const isJoined = string.length > option.length;
      const value = isJoined ? string.slice(option.length) : world.resolved(words[++at]?.string ?? "");
      if (hasUnknown(value)) directory = null;
      else if (/^-(?:C|-d)/.test(option))
        directory = directory === null ? null : resolvePath(directory, value);
      else file = value;
    } else if (/^[\w.-]+\s*(?:[+?!]|:{1,3})?=/.test(string) && !string.startsWith("-")) set(given, word);
    else if (/^-[IWo]$/.test(string)) at++;
    else if (!string.startsWith("-") && !hasUnknown(string) && !/^\d+$/.test(string)) goals.push(string);
  }
  if (directory === null) {
    world.cannot(
      world.unknowns.written(join(words, " ").string),
      "in which directory it runs is not known",
      startOf(program),
    );
    return null;
  }
  return {
    directory,
    file: file === null ? null : resolvePath(directory, file),
    goals,
    given,
    environment,
    level: inherited.level,
  };
}

function set(into: Map<string, Text>, word: Text): void {
  const match = /^([\w.-]+)\s*(?:[+?!]|:{1,3})?=/.exec(word.string);
  if (match !== null) into.set(match[1] ?? "", slice(word, match[0].length));
}
