// What a command of CMake is to the interpreter, and how commands part their arguments.
import { rejoined } from "../expression-text.ts";
import type { Argument, Call, Flow, Interpreter } from "../interpreter.ts";
import type { Running } from "../run.ts";
import type { Entry } from "../state.ts";

/** Runs a command; nothing where the next one follows. */
export type Command = (cmake: Interpreter, call: Call, running: Running) => Flow | undefined;

export type CommandTable = readonly (readonly [string, Command])[];

export function textsOf(call: Call): readonly string[] {
  return call.args.map(({ text }) => text);
}

/** Arguments by the keyword in front of them; those in front of all keywords under "". */
export function byKeyword(
  args: readonly Argument[],
  keywords: ReadonlySet<string>,
): ReadonlyMap<string, readonly Argument[]> {
  const parts = new Map<string, Argument[]>([["", []]]);
  let current = parts.get("") ?? [];
  for (const arg of args) {
    if (!keywords.has(arg.text)) {
      current.push(arg);
      continue;
    }
    current = parts.get(arg.text) ?? [];
    parts.set(arg.text, current);
  }
  return parts;
}

export function entryOf(arg: Argument): Entry {
  return { text: arg.text, origin: arg.origin, doubt: null };
}

/** Entries of arguments, lists in quotes parted, doubtful elements marked as such. */
export function entriesOfArguments(cmake: Interpreter, args: readonly Argument[]): readonly Entry[] {
  return args.flatMap((arg) =>
    rejoined(cmake.unknowns.elements(arg.text)).map(({ text, doubt }) => ({
      text,
      doubt,
      origin: arg.origin,
    })),
  );
}
