// What a shell knows while it is read: its variables, where it is, and what is done with the commands that it would run.
import type { BuildHost, Origin } from "../flags.ts";
import type { Text } from "../worlds/text.ts";
import type { World } from "../worlds/world.ts";
import type { Node } from "./syntax.ts";

/** A text, or a list of bash's. */
export type Value = Text | readonly Text[];

export interface Shell {
  readonly world: World;
  readonly host: BuildHost;
  readonly workspace: string;
  readonly dialect: "sh" | "bash";
  /** Absolute; null where it is not known. */
  directory: string | null;
  variables: Map<string, Value>;
  readonly functions: Map<string, Node>;
  /** `$1` and on; null where whoever calls gives what nobody knows. */
  parameters: readonly Text[] | null;
  /** `$0`. */
  readonly script: Text | null;
  /** What a command does to the build; true where it did something. */
  readonly command: (words: readonly Text[], shell: Shell, origin: Origin) => boolean;
  /** What is written to the output so far; "unknown" once something unknown was. Null where nobody reads it. */
  output: Text[] | "unknown" | null;
  /** `$?`; null where it is not known. */
  status: string | null;
  /** How the text is left: by `exit`, or `return`, `break` and the like. */
  leaving: "exit" | "return" | "break" | "continue" | null;
  depth: number;
}

/** A shell of sh that has set nothing yet, and of which nobody reads the output. */
export function newShell(given: Pick<Shell, "world" | "host" | "workspace" | "directory">): Shell {
  return {
    ...given,
    dialect: "sh",
    variables: new Map(),
    functions: new Map(),
    parameters: [],
    script: null,
    command: () => false,
    output: null,
    status: "0",
    leaving: null,
    depth: 0,
  };
}

export function isList(value: Value): value is readonly Text[] {
  return Array.isArray(value);
}
