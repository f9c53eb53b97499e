// What an expansion sees: the variables, the files, the directory, and the world that it happens in.
import type { BuildHost, Origin } from "../flags.ts";
import type { Text } from "../worlds/text.ts";
import type { World } from "../worlds/world.ts";
import type { VariableSet } from "./variables.ts";

export interface Scope {
  readonly world: World;
  readonly host: BuildHost;
  readonly workspace: string;
  /** Absolute: where make runs. */
  readonly directory: string;
  readonly variables: VariableSet;
  /** Reads lines of a makefile in the midst of an expansion: `$(eval …)`. */
  readonly evaluate: (text: Text) => void;
  /** Names that are being expanded, so that a variable of itself ends. */
  readonly expanding: Set<string>;
}

export type Expand = (text: Text, scope: Scope) => Text;

/** A call of a function: its arguments as typed, and the whole of it. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly Text[];
  readonly whole: Text;
  readonly origin: Origin;
  readonly scope: Scope;
  readonly expand: Expand;
}
