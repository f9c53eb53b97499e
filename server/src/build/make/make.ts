// The reader of makefiles: what `make -n` would pass to the compilers, read and never run.
import { directoryOf } from "../../text/path.ts";
import type { BuildReader } from "../flags.ts";
import { describe } from "../worlds/describe.ts";
import { runMake, type Session } from "./walk.ts";

export { makefileNames } from "./walk.ts";

/**
 * What the targets that the default goal of `file` needs compile and link, and then the other targets that the makefile names. Variables of the command line
 * are not given. What hangs on the machine is not known: both answers to a condition on it are followed, and what differs between them is doubtful.
 */
export const readMake: BuildReader = (files, file, workspace) =>
  describe("make", files, file, (world, host) => {
    const session: Session = { world, host, workspace, steps: [], runs: new Set(), use: "default" };
    runMake(
      { directory: directoryOf(file), file, goals: [], given: new Map(), environment: new Map(), level: 0 },
      session,
    );
    return session.steps;
  });
