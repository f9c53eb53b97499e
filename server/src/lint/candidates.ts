// The programs that may reach a file, as far as the names in the texts around tell, and why there may be more.
import type { NameIndexOfFiles } from "../program/index.ts";
import { rootsOf, sourcesUsing } from "../program/roots.ts";
import { knowsPrograms, objectsLinkedTo } from "../program/targets.ts";
import type { Project } from "../project/project.ts";

interface Found {
  /** That of the index when it was asked. */
  readonly version: number;
  readonly files: readonly string[];
  readonly gap: string | null;
}

/** Programs that an object is linked to though nobody uses it: all tests of a library may be of one kind. */
const mostRootsOfObjects = 4;

/** Kept as long as the index is what it was. */
export class Candidates {
  private readonly found = new Map<string, Found>();

  /** The roots of the programs that may reach a source, nearest first. */
  *rootsFor(file: string, index: NameIndexOfFiles, project: Project): Generator<void, readonly string[]> {
    const known = this.found.get(file);
    if (known?.version === index.version) return known.files;
    const { version } = index;
    const description = project.descriptionOf(file);
    const meant = description !== null && knowsPrograms(description) ? "any" : "nearest";
    const { files, gap } = yield* rootsOf(file, index, meant);
    // What the build links to a program is no program of its own.
    const isRoot = (path: string) =>
      index.fileOf(path)?.facts.isRoot === true || rootsWithObjectOf(path, index, project).length === 0;
    const roots = [...new Set([...files.filter(isRoot), ...rootsWithObjectOf(file, index, project)])];
    this.found.set(file, { version, files: roots, gap });
    return roots;
  }

  /** The sources that use a header, nearest first. */
  usersOf(header: string, index: NameIndexOfFiles): readonly string[] {
    const known = this.found.get(header);
    if (known?.version === index.version) return known.files;
    const { files, gap } = sourcesUsing(header, index);
    this.found.set(header, { version: index.version, files, gap });
    return files;
  }

  /** Not all of them were looked at, and why. */
  leaveGap(file: string, gap: string): void {
    const known = this.found.get(file);
    if (known !== undefined) this.found.set(file, { ...known, gap });
  }

  /** Why there may be more; null where these are all, or nobody asked. */
  gapOf(file: string): string | null {
    return this.found.get(file)?.gap ?? null;
  }
}

/** The sources with `main` that the build links to `file` though they may not use it. */
function rootsWithObjectOf(file: string, index: NameIndexOfFiles, project: Project): readonly string[] {
  const description = project.descriptionOf(file);
  if (description === null) return [];
  const built = new Set(
    description.targets.flatMap(({ kind, sources }) => (kind === "executable" ? sources : [])),
  );
  return [...built]
    .filter((root) => index.fileOf(root)?.facts.isRoot && objectsLinkedTo(root, description).has(file))
    .slice(0, mostRootsOfObjects);
}
