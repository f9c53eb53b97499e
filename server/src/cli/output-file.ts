// `--output-file`: what would go to standard output goes to a file, whole and without colours.
import { stripVTControlCharacters } from "node:util";
import { visible } from "../render/visible.ts";
import { resolvePath } from "../text/path.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

/** Runs `run` on a terminal whose output goes to the file `name`, if there is one. */
export async function withOutputFile(
  name: string | undefined,
  terminal: Terminal,
  run: (terminal: Terminal) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (name === undefined) return run(terminal);
  const written: string[] = [];
  const exitCode = await run({ ...terminal, runName: null, write: (text) => void written.push(text) });
  const text = visible(stripVTControlCharacters(written.join("")));
  const problem = terminal.writeFile(
    resolvePath(terminal.host.currentDirectory, name),
    new TextEncoder().encode(text),
  );
  if (problem === null) return exitCode;
  terminal.writeError(`warplint: ${name}: ${problem}\n`);
  return 2;
}
