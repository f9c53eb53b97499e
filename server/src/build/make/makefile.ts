// What a makefile says once it is read: its variables, rules and search paths, as plain data.
import type { Origin } from "../flags.ts";
import type { Text } from "../worlds/text.ts";
import type { Pattern } from "./patterns.ts";
import { type Variable, VariableSet } from "./variables.ts";

export interface Recipe {
  /** As typed, without the tabs; lines that a backslash joins are one. */
  readonly lines: readonly Text[];
  readonly origin: Origin;
}

/** One rule for one target, or of one that has several of them ("::"). */
export interface Rule {
  readonly prerequisites: Text;
  readonly orderOnly: Text;
  recipe: Recipe | null;
  /** What stood for "%" in a static pattern rule. */
  readonly stem: string | null;
  /** Whether prerequisites are expanded a second time, when the target is made. */
  readonly expandsAgain: boolean;
}

export interface Target {
  readonly name: string;
  readonly rules: Rule[];
  readonly isDoubleColon: boolean;
  readonly origin: Origin;
}

export interface PatternRule {
  readonly targets: readonly Pattern[];
  readonly prerequisites: Text;
  readonly orderOnly: Text;
  recipe: Recipe | null;
  readonly isTerminal: boolean;
  readonly expandsAgain: boolean;
  readonly source: "file" | "built in";
}

export interface Makefile {
  /** Absolute: where make runs. */
  readonly directory: string;
  readonly variables: VariableSet;
  readonly targets: Map<string, Target>;
  readonly patternRules: PatternRule[];
  /** Variables of single targets. */
  readonly targetVariables: Map<string, VariableSet>;
  readonly patternVariables: {
    readonly pattern: Pattern;
    readonly name: string;
    readonly variable: Variable;
  }[];
  /** Names that stand as prerequisites. */
  readonly mentioned: Set<string>;
  readonly searchPaths: { readonly pattern: Pattern; readonly directories: readonly string[] }[];
  suffixes: string[];
  readonly exported: Set<string>;
  exportsAll: boolean;
  readonly unexported: Set<string>;
  isOneShell: boolean;
  expandsAgain: boolean;
}

export function emptyMakefile(directory: string): Makefile {
  return {
    directory,
    variables: new VariableSet(null),
    targets: new Map(),
    patternRules: [],
    targetVariables: new Map(),
    patternVariables: [],
    mentioned: new Set(),
    searchPaths: [],
    suffixes: [],
    exported: new Set(),
    exportsAll: false,
    unexported: new Set(),
    isOneShell: false,
    expandsAgain: false,
  };
}
