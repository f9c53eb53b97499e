// Names of targets and prerequisites: wildcards replaced by the files that they find, "./" in front taken away.
import { glob, isGlob } from "../worlds/glob.ts";
import { hasUnknown, startOf, type Text, textOf, wordsOf } from "../worlds/text.ts";
import type { Scope } from "./scope.ts";

/** The names in `text`; a wildcard that finds nothing stays. */
export function namesIn(text: Text, scope: Scope): Text[] {
  const { host, workspace, directory, world } = scope;
  return wordsOf(text).flatMap((word) => {
    const string = plainName(world.resolved(word.string));
    if (!isGlob(string) || string.includes("%") || hasUnknown(string))
      return string === word.string ? word : textOf(string, startOf(word));
    const found = glob(host, workspace, directory, string) ?? [];
    return found.length === 0 ? word : found.map((path) => textOf(path, startOf(word)));
  });
}

/** The name by which make knows a file. */
export function plainName(name: string): string {
  return name.replace(/^(?:\.\/+)+(?=.)/, "");
}
