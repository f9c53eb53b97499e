// The variables that a recipe has of its target: `$@`, `$<`, `$^` and their kin.
import type { Origin } from "../flags.ts";
import { emptyText, join, type Text, textOf } from "../worlds/text.ts";
import { VariableSet } from "./variables.ts";

export interface Made {
  readonly target: string;
  /** In the order of make, with repeats. */
  readonly prerequisites: readonly string[];
  readonly orderOnly: readonly string[];
  readonly stem: string | null;
  readonly origin: Origin;
}

/** `below` with the automatic variables over it. */
export function withAutomatic(below: VariableSet, made: Made): VariableSet {
  const { origin } = made;
  const set = new VariableSet(below);
  const unique = [...new Set(made.prerequisites)];
  const values: Record<string, readonly string[]> = {
    "@": [made.target],
    "<": made.prerequisites.slice(0, 1),
    "^": unique,
    "+": made.prerequisites,
    "?": unique,
    "|": [...new Set(made.orderOnly)],
    "*": [made.stem ?? withoutSuffix(made.target)],
    "%": [],
  };
  for (const [name, words] of Object.entries(values)) {
    const define = (key: string, strings: readonly string[]) => {
      const value: Text =
        strings.length === 0
          ? emptyText
          : join(
              strings.map((string) => textOf(string, origin)),
              " ",
            );
      set.own.set(key, { value, flavor: "simple", source: "automatic", appends: false });
    };
    define(name, words);
    define(`${name}D`, words.map(directoryOfWord));
    define(
      `${name}F`,
      words.map((word) => word.slice(word.lastIndexOf("/") + 1)),
    );
  }
  return set;
}

function directoryOfWord(word: string): string {
  const at = word.lastIndexOf("/");
  return at === -1 ? "." : at === 0 ? "/" : word.slice(0, at);
}

/** The stem of a target of an explicit rule: its name without a suffix. */
function withoutSuffix(target: string): string {
  return /\.(?:o|c|cc|cpp|C|a|out)$/.test(target) ? target.replace(/\.\w+$/, "") : "";
}
