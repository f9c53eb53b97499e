// The reader of shell scripts that compile: what the script would pass to the compilers, read and never run.
import { directoryOf } from "../text/path.ts";
import type { BuildReader } from "./flags.ts";
import { runMake, type Session } from "./make/walk.ts";
import { runShell } from "./shell/run.ts";
import type { Shell } from "./shell/scope.ts";
import { describe } from "./worlds/describe.ts";
import { stepOf } from "./worlds/steps.ts";
import { join, linesOfFile, type Text, textOf } from "./worlds/text.ts";

/**
 * What a script compiles and links that is started in its own directory. Its parameters are what nobody knows, but a default that it has for
 * one is taken.
 */
export const readShell: BuildReader = (host, file, workspace) =>
  describe("shell", file, (world) => {
    const session: Session = { world, host, workspace, steps: [], runs: new Set(), use: "default" };
    world.readFiles.add(file);
    const content = host.readText(file);
    if (content === null) return [];
    const shell: Shell = {
      world,
      host,
      workspace,
      dialect: /^#!.*\b(?:dash|\/sh)\b/.test(content) ? "sh" : "bash",
      directory: directoryOf(file),
      variables: new Map(),
      functions: new Map(),
      parameters: null,
      script: textOf(file, { file, line: 1 }),
      command: (words, at, origin) => {
        const step = stepOf(words, at, origin, "default");
        if (step !== null) session.steps.push(step);
        return step !== null || isMake(words, at, session);
      },
      output: null,
      leaving: null,
      depth: 0,
    };
    runShell(join(linesOfFile(file, content), "\n"), shell);
    return session.steps;
  });

/** Follows `make` with the variables that it is given. */
function isMake(words: readonly Text[], shell: Shell, session: Session): boolean {
  if (words[0]?.string !== "make" || shell.directory === null) return false;
  const given = new Map<string, Text>();
  runMake(
    { directory: shell.directory, file: null, goals: [], given, environment: new Map(), level: 1 },
    session,
  );
  return true;
}
