// The reader of shell scripts that compile: what the script would pass to the compilers, read and never run.
import { directoryOf } from "../text/path.ts";
import type { BuildReader } from "./flags.ts";
import { runOfCommand } from "./make/sub-make.ts";
import { runMake, type Session } from "./make/walk.ts";
import { runShell } from "./shell/run.ts";
import { newShell, type Shell } from "./shell/scope.ts";
import { describe } from "./worlds/describe.ts";
import { stepOf } from "./worlds/steps.ts";
import { join, linesOfFile, textOf } from "./worlds/text.ts";

/**
 * What a script compiles and links that is started in its own directory. Its parameters are what nobody knows, but a default that it has for
 * one is taken.
 */
export const readShell: BuildReader = (files, file, workspace) =>
  describe("shell", files, file, (world, host) => {
    const session: Session = { world, host, workspace, steps: [], runs: new Set(), use: "default" };
    world.readFiles.add(file);
    const content = host.readText(file);
    if (content === null) return [];
    const shell: Shell = {
      ...newShell({ world, host, workspace, directory: directoryOf(file) }),
      dialect: /^#!.*\b(?:dash|\/sh)\b/.test(content) ? "sh" : "bash",
      parameters: null,
      script: textOf(file, { file, line: 1 }),
      command: (words, at, origin) => {
        const step = stepOf(words, at, origin, "default");
        if (step !== null) session.steps.push(step);
        const run =
          step === null
            ? runOfCommand(words, at, { given: new Map(), environment: new Map(), level: 1 })
            : null;
        if (run !== null) runMake(run, session);
        return step !== null || run !== null;
      },
    };
    runShell(join(linesOfFile(file, content), "\n"), shell);
    return session.steps;
  });
