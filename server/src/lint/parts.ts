// Divides the sources of a run into parts that are linted one after the other or side by side: sources that are seen through one program stay
// together, so that it is analysed once for all of them. What is found does not hang on how many parts are linted at a time.
import { type FileFacts, factsOf, holds, type NameHash } from "../program/facts.ts";
import type { NameIndexOfFiles } from "../program/index.ts";
import { distanceBetween } from "../program/link-set.ts";
import { runToEnd, type Steps } from "../steps.ts";
import { mostlyLookedAt, writtenAlike } from "./written-alike.ts";

/** So many sources that use each other, directly or not, are one part, whatever programs they are seen through. */
export const mostTogether = 16;
/** A part is one thread's work, and analyses the program that its sources are seen through for itself: more of one root are divided. */
export const mostOfRoot = 64;
/** A name that more sources define says nothing of who uses which. */
const mostDefiners = 12;

/**
 * The parts in the order of their first files, each in the order of `sources`. Sources that use each other stay together if they are few.
 * `around` has the other sources of the workspace: what these alone use, as bindings do, is seen through their program.
 */
export function partsOf(
  sources: readonly string[],
  textOf: (file: string) => string,
  around: Pick<NameIndexOfFiles, "files"> | null = null,
): readonly (readonly string[])[] {
  return runToEnd(partsInSteps(sources, textOf, around));
}

/** The same, a file a step. */
export function* partsInSteps(
  sources: readonly string[],
  textOf: (file: string) => string,
  around: Pick<NameIndexOfFiles, "files"> | null = null,
): Steps<readonly (readonly string[])[]> {
  const indexed = new Map(
    [...(around?.files() ?? [])].flatMap(({ path, kind, facts }) =>
      kind === "source" ? [[path, facts]] : [],
    ),
  );
  const facts = new Map<string, FileFacts>();
  for (const file of sources) {
    facts.set(file, indexed.get(file) ?? factsOf(textOf(file)));
    yield;
  }
  for (const [file, known] of indexed) if (!facts.has(file)) facts.set(file, known);
  const definers = definersIn(facts);
  const users = new Map<string, string[]>([...facts.keys()].map((file) => [file, []]));
  for (const [file, own] of facts) {
    for (const other of usedBy(file, own, definers)) users.get(other)?.push(file);
    yield;
  }
  const parts: (readonly string[])[] = [];
  const wanted = new Set(sources);
  const alike = writtenAlike(sources, textOf);
  /** Sources that are used by none in sight, by what they are written like: what one of them tells spares the others. */
  const instantiating = new Map<readonly string[], string[]>();
  for (const all of connected([...facts.keys()], users)) {
    const together = all.filter((file) => wanted.has(file));
    const [first] = together;
    if (first === undefined) continue;
    const like = together.length === 1 ? alike.get(first) : undefined;
    if (like !== undefined) instantiating.set(like, [...(instantiating.get(like) ?? []), first]);
    else if (together.length <= mostTogether) parts.push(together);
    else for (const ofRoot of yield* byRoot(together, users, facts)) parts.push(...inChunks(ofRoot, alike));
    yield;
  }
  for (const like of instantiating.values()) parts.push(...inChunks(like, alike));
  const places = new Map(sources.map((file, index) => [file, index]));
  const placeOf = ([first = ""]: readonly string[]) => places.get(first) ?? 0;
  return parts.sort((a, b) => placeOf(a) - placeOf(b));
}

/** The sources that use each other, directly or not. */
function connected(
  sources: readonly string[],
  users: ReadonlyMap<string, readonly string[]>,
): Iterable<readonly string[]> {
  const parts = new Map<string, string[]>(sources.map((file) => [file, [file]]));
  for (const [used, files] of users) {
    for (const file of files) {
      const a = parts.get(used);
      const b = parts.get(file);
      if (a === undefined || b === undefined || a === b) continue;
      const [less, more] = a.length < b.length ? [a, b] : [b, a];
      more.push(...less);
      for (const each of less) parts.set(each, more);
    }
  }
  const places = new Map(sources.map((file, index) => [file, index]));
  return [...new Set(parts.values())].map((part) =>
    part.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0)),
  );
}

function* byRoot(
  files: readonly string[],
  users: ReadonlyMap<string, readonly string[]>,
  facts: ReadonlyMap<string, FileFacts>,
): Steps<readonly (readonly string[])[]> {
  const ofRoot = new Map<string, string[]>();
  for (const file of files) {
    const root = nearestRoot(file, users, facts);
    const part = ofRoot.get(root);
    if (part === undefined) ofRoot.set(root, [file]);
    else part.push(file);
    yield;
  }
  return [...ofRoot.values()];
}

/** Sources that are written alike stay together where they can: most of them are not analysed, and count nothing. */
function inChunks(
  files: readonly string[],
  alike: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const groups = new Map<unknown, string[]>();
  for (const file of files) {
    const key = alike.get(file) ?? file;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  const costs = new Map(
    [...groups.values()].flatMap((group) =>
      group.map((file, index) => [file, index < mostlyLookedAt ? 1 : 0] as const),
    ),
  );
  const costOf = (file: string) => costs.get(file) ?? 1;
  const all = files.reduce((sum, file) => sum + costOf(file), 0);
  const most = Math.ceil(all / Math.ceil(all / mostOfRoot));
  const chunks: string[][] = [];
  let cost = most;
  for (const file of [...groups.values()].flat()) {
    if (cost + costOf(file) > most) {
      chunks.push([]);
      cost = 0;
    }
    chunks.at(-1)?.push(file);
    cost += costOf(file);
  }
  const places = new Map(files.map((file, index) => [file, index]));
  return chunks.map((chunk) => chunk.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)));
}

/**
 * The root of the program through which a source is seen first: of the sources with `main` that use it, directly or not, else of those that
 * nobody uses, the nearest.
 */
function nearestRoot(
  file: string,
  users: ReadonlyMap<string, readonly string[]>,
  facts: ReadonlyMap<string, FileFacts>,
): string {
  if (facts.get(file)?.isRoot === true) return file;
  const seen = new Set([file]);
  const mains: string[] = [];
  const tops: string[] = [];
  for (const each of seen) {
    if (facts.get(each)?.isRoot === true) {
      mains.push(each);
      continue;
    }
    const usersOfIt = users.get(each) ?? [];
    if (usersOfIt.length === 0) tops.push(each);
    for (const user of usersOfIt) seen.add(user);
  }
  const [first = file, ...others] = mains.length > 0 ? mains : tops;
  return others.reduce((nearest, each) => (isNearer(each, nearest, file) ? each : nearest), first);
}

function isNearer(a: string, b: string, file: string): boolean {
  const difference = distanceBetween(a, file) - distanceBetween(b, file);
  return difference === 0 ? a < b : difference < 0;
}

/** Of each name the sources that define it for others; no program has two with `main`. */
function definersIn(facts: ReadonlyMap<string, FileFacts>): ReadonlyMap<NameHash, readonly string[]> {
  const definers = new Map<NameHash, string[]>();
  for (const [file, { defined, isRoot }] of facts) {
    if (isRoot) continue;
    for (const name of defined) {
      const known = definers.get(name);
      if (known === undefined) definers.set(name, [file]);
      else known.push(file);
    }
  }
  return definers;
}

/** The sources whose definitions a source may mean, the nearest of each name. */
function usedBy(
  file: string,
  { mentioned, defined }: FileFacts,
  definers: ReadonlyMap<NameHash, readonly string[]>,
): ReadonlySet<string> {
  const used = new Set<string>();
  for (const name of mentioned) {
    const files = definers.get(name);
    if (files === undefined || files.length > mostDefiners || holds(defined, name)) continue;
    const nearest = Math.min(...files.map((each) => distanceBetween(each, file)));
    for (const each of files) if (distanceBetween(each, file) === nearest) used.add(each);
  }
  return used;
}
