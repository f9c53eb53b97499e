// Which macros were defined at each place of a file, for whoever reads a part of it again.
import type { Macro, MacroTable } from "./macro.ts";

export interface MacroChange {
  /** Of the file that was read, what it includes counted as standing at the directive: where its text goes on. */
  readonly offset: number;
  readonly name: string;
  /** What the name meant before. */
  readonly before: Macro | undefined;
}

export interface MacroHistory {
  /** The macros at the end of the file. */
  readonly last: MacroTable;
  /** In the order in which they were made. */
  readonly changes: readonly MacroChange[];
}

/** The macros that are defined at `offset`. */
export function macrosAt({ last, changes }: MacroHistory, offset: number): MacroTable {
  const macros: MacroTable = new Map(last);
  for (let index = changes.length - 1; index >= 0; index--) {
    const change = changes[index];
    if (change === undefined || change.offset <= offset) break;
    if (change.before === undefined) macros.delete(change.name);
    else macros.set(change.name, change.before);
  }
  return macros;
}
