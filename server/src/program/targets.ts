// What a build links to the targets that a source is compiled for.
import type { BuildDescription, BuildTarget } from "../build/flags.ts";

/** A program that a build makes of a source: the executable, and the names of it and of all that is linked to it, directly or not. */
export interface BuiltProgram {
  readonly target: string;
  readonly linked: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
  /** Of them those whose objects are linked whether somebody uses them or not: what is in an archive is linked if it is used. */
  readonly objects: ReadonlySet<string>;
}

/** The programs that have `root` among the sources of their own target. A library is linked by whoever uses it, and is none. */
export function programsOf(root: string, { targets }: BuildDescription): readonly BuiltProgram[] {
  const byName = new Map(targets.map((target) => [target.name, target]));
  return targets
    .filter(({ kind, sources }) => kind === "executable" && sources.includes(root))
    .map((target) => {
      const reached = new Set<BuildTarget>([target]);
      for (const { links } of reached)
        for (const name of links) {
          const linked = byName.get(name);
          if (linked !== undefined) reached.add(linked);
        }
      const all = [...reached];
      return {
        target: target.name,
        linked: new Set(all.map(({ name }) => name)),
        sources: new Set(all.flatMap(({ sources }) => sources)),
        objects: new Set(
          all.flatMap((each) => (each === target || each.kind === "object-library" ? each.sources : [])),
        ),
      };
    });
}

/** The sources of all programs that have `root` among theirs; null where the build knows no such program. What a library lacks may come from there. */
export function sourcesLinkedTo(root: string, description: BuildDescription): ReadonlySet<string> | null {
  const programs = programsOf(root, description);
  return programs.length === 0 ? null : new Set(programs.flatMap(({ sources }) => [...sources]));
}

/** Of the sources linked to the programs of `root` those that are linked whether they are used or not. */
export function objectsLinkedTo(root: string, description: BuildDescription): ReadonlySet<string> {
  return new Set(programsOf(root, description).flatMap(({ objects }) => [...objects]));
}

const often = new WeakMap<BuildDescription, ReadonlySet<string>>();

/** The sources that a build compiles several times. Of all others one way is known without looking at their flags. */
export function compiledOften(description: BuildDescription): ReadonlySet<string> {
  const known = often.get(description);
  if (known !== undefined) return known;
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const { path } of description.sources) {
    if (seen.has(path)) found.add(path);
    seen.add(path);
  }
  often.set(description, found);
  return found;
}

/** Whether a build says which sources its programs are linked of. */
export function knowsPrograms({ targets }: BuildDescription): boolean {
  return targets.some(({ kind }) => kind === "executable");
}
