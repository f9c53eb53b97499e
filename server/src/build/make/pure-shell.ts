// `$(shell …)` and `!=`: what only looks at names and files of the workspace is read, all else is not known.
import type { Origin } from "../flags.ts";
import { capture } from "../shell/run.ts";
import { newShell } from "../shell/scope.ts";
import { replaceAll, type Text, textOf } from "../worlds/text.ts";
import type { Scope } from "./scope.ts";

/** The output with spaces for its line ends, as make takes it. */
export function answerOfShell(command: Text, origin: Origin, scope: Scope): Text {
  const { world, host, workspace, directory } = scope;
  const text = capture(command, newShell({ world, host, workspace, directory }));
  return replaceAll(text, /\n/g, () => textOf(" ", origin));
}
