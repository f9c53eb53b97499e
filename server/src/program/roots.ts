// The roots of the programs that may reach a file: who uses what it defines, and who uses those, up to the sources with `main`, else to those
// that nobody uses.
import { directoryOf, nameOf, resolvePath } from "../text/path.ts";
import { holds } from "./facts.ts";
import type { IndexedFile, NameIndexOfFiles } from "./index.ts";
import { distanceBetween } from "./link-set.ts";

export interface Roots {
  /** Nearest first. */
  readonly files: readonly string[];
  /** Why there may be more; null where these are all. */
  readonly gap: string | null;
}

/** Budgets: files that are looked at on the way up, and programs that are analysed for the sake of one file. */
const mostUsers = 400;
const mostRoots = 16;

/**
 * Which of the sources that define one name its users mean: the nearest, as where no build is known, or any of them, for the build says which it
 * links.
 */
export type MeantDefinition = "nearest" | "any";

/** Of a source, without itself. The index must know all. */
export function* rootsOf(
  file: string,
  index: NameIndexOfFiles,
  meant: MeantDefinition = "nearest",
): Generator<void, Roots> {
  const start = index.fileOf(file);
  if (start === null) return { files: [], gap: null };
  const seen = new Map<string, IndexedFile>([[file, start]]);
  // Who uses a name that a macro makes is seen by linking alone.
  const macroNamed = new Set(index.namedByMacros());
  const roots = [...index.files()].filter(({ kind, facts }) => kind === "source" && facts.isRoot);
  const mains: string[] = [];
  const tops: string[] = [];
  let gap = index.gap;
  // A map goes on with what is added to it meanwhile.
  for (const each of seen.values()) {
    if (each !== start && each.kind === "source" && each.facts.isRoot) {
      mains.push(each.path);
      continue;
    }
    if (seen.size > mostUsers) {
      gap = `more than ${mostUsers} files use ${nameOf(file)}, directly or not`;
      break;
    }
    const users = [...usersOf(each, index, meant), ...(macroNamed.has(each.path) ? roots : [])];
    for (const user of users) seen.set(user.path, user);
    if (users.length === 0 && each.kind === "source" && each !== start) tops.push(each.path);
    yield;
  }
  const found = mains.length > 0 ? mains : tops;
  const nearest = found.sort(
    (a, b) => distanceBetween(a, file) - distanceBetween(b, file) || (a < b ? -1 : 1),
  );
  if (nearest.length > mostRoots)
    gap = `of ${nearest.length} programs that may reach ${nameOf(file)} the nearest ${mostRoots} were analysed`;
  return { files: nearest.slice(0, mostRoots), gap };
}

/** The sources that use a name that a source defines, without those in between who use these. Nearest first. */
export function sourcesNaming(file: string, index: NameIndexOfFiles): readonly string[] {
  const start = index.fileOf(file);
  return start === null ? [] : sourcesNearest(file, usersOf(start, index, "any")).slice(0, mostRoots);
}

/**
 * The sources through which a header is seen: those that include it, directly or not, and use what it means; where there is none, the nearest
 * that includes it. Nearest first.
 */
export function sourcesUsing(header: string, index: NameIndexOfFiles): Roots {
  const start = index.fileOf(header);
  const seen = new Set(start === null ? [] : [start]);
  for (const each of seen)
    if (each.kind === "header") for (const user of usersOf(each, index, "any")) seen.add(user);
  const using = sourcesNearest(header, seen);
  const found = using.length > 0 ? using : sourcesNearest(header, includersOf(header, index)).slice(0, 1);
  const gap =
    found.length > mostRoots
      ? `of ${found.length} sources that use ${nameOf(header)} the nearest ${mostRoots} were analysed`
      : index.gap;
  return { files: found.slice(0, mostRoots), gap };
}

/** Headers that include another, directly or not, and launch: it is seen through them where no source includes it. Nearest first. */
export function headersLaunching(header: string, index: NameIndexOfFiles): readonly string[] {
  const found = [...includersOf(header, index)].filter(
    ({ kind, path, facts }) => kind === "header" && path !== header && facts.hasLaunch,
  );
  return nearestFirst(
    header,
    found.map(({ path }) => path),
  ).slice(0, mostRoots);
}

function sourcesNearest(from: string, files: Iterable<IndexedFile>): readonly string[] {
  return nearestFirst(
    from,
    [...files].flatMap(({ path, kind }) => (kind === "source" ? [path] : [])),
  );
}

function nearestFirst(from: string, paths: readonly string[]): readonly string[] {
  return [...paths].sort((a, b) => distanceBetween(a, from) - distanceBetween(b, from) || (a < b ? -1 : 1));
}

/** Files that use a name that `file` gives a meaning to. */
function usersOf(file: IndexedFile, index: NameIndexOfFiles, meant: MeantDefinition): readonly IndexedFile[] {
  if (file.kind === "header")
    return [...includersOf(file.path, index)].filter((each) => sharesName(each, file.facts.own));
  return [...index.files()].filter(
    (each) =>
      each.path !== file.path &&
      sharesName(each, file.facts.defined) &&
      (meant === "any" || usesDefinitionOf(each, file, index)),
  );
}

function sharesName({ facts: { mentioned } }: IndexedFile, names: Int32Array): boolean {
  return meet(mentioned, names).next().done === false;
}

/** Whether the definition that `user` means by some name is that in `file`: no other lies nearer. */
function usesDefinitionOf(user: IndexedFile, file: IndexedFile, index: NameIndexOfFiles): boolean {
  const distance = distanceBetween(user.path, file.path);
  for (const name of meet(user.facts.mentioned, file.facts.defined)) {
    const others = index.definersOf(name);
    if (others.length > mostDefiners) continue;
    if (
      others.every(
        (other) => index.fileOf(other)?.facts.isRoot || distanceBetween(other, user.path) >= distance,
      )
    )
      return true;
  }
  return false;
}

/** A name that more sources define says nothing of who uses which. */
const mostDefiners = 12;

/** What two ascending lists share. */
function* meet(a: Int32Array, b: Int32Array): Generator<number, void> {
  if (b.length > a.length) {
    yield* meet(b, a);
    return;
  }
  // One of them is short as a rule.
  for (const each of b) if (holds(a, each)) yield each;
}

/** Files that include `header`, directly or through other headers. */
export function includersOf(header: string, index: NameIndexOfFiles): ReadonlySet<IndexedFile> {
  const found = new Set<IndexedFile>();
  const pending = [header];
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const path of index.including(nameOf(at))) {
      const file = index.fileOf(path);
      if (file === null || found.has(file) || !includes(file, at)) continue;
      found.add(file);
      if (file.kind === "header") pending.push(path);
    }
  return found;
}

/** Whether `file` may mean `header` by what it includes: beside itself, or along a path that nobody knows here. */
function includes({ path, facts }: IndexedFile, header: string): boolean {
  return facts.includes.some((written) => {
    if (nameOf(written) !== nameOf(header)) return false;
    if (resolvePath(directoryOf(path), written) === header) return true;
    const plain = written.replace(/^(?:\.\.?\/)+/, "");
    return header.endsWith(`/${plain}`);
  });
}
