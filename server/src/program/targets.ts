// What a build links to the targets that a source is compiled for.
import type { BuildDescription, BuildTarget } from "../build/flags.ts";

/**
 * The sources of the targets that have `root` among theirs, and of all that is linked to these, directly or not; null where the description
 * knows no such target.
 */
export function sourcesLinkedTo(root: string, { targets }: BuildDescription): ReadonlySet<string> | null {
  const own = targets.filter(({ sources }) => sources.includes(root));
  // A library is linked by whoever uses it: what it lacks may come from there.
  const programs = own.filter(({ kind }) => kind === "executable");
  if (programs.length === 0) return null;
  const byName = new Map(targets.map((target) => [target.name, target]));
  const reached = new Set<BuildTarget>(programs);
  for (const { links } of reached)
    for (const name of links) {
      const linked = byName.get(name);
      if (linked !== undefined) reached.add(linked);
    }
  return new Set([...reached].flatMap(({ sources }) => sources));
}

/** Whether a build says which sources its programs are linked of. */
export function knowsPrograms({ targets }: BuildDescription): boolean {
  return targets.some(({ kind }) => kind === "executable");
}
