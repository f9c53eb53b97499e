// Divides the sources of a run into parts that are linted one after the other or side by side: sources that use each other stay together, so
// that programs are seldom analysed twice. What is found does not hang on how many parts there are.
import { type FileFacts, factsOf, holds, type NameHash } from "../program/facts.ts";
import { distanceBetween } from "../program/link-set.ts";
import { runToEnd, type Steps } from "../steps.ts";

/** A part is kept in memory as a whole. */
const mostTogether = 8;
/** A name that more sources define says nothing of who uses which. */
const mostDefiners = 12;

/** The parts in the order of their first files, each in the order of `sources`. */
export function partsOf(
  sources: readonly string[],
  textOf: (file: string) => string,
): readonly (readonly string[])[] {
  return runToEnd(partsInSteps(sources, textOf));
}

/** The same, a file a step. */
export function* partsInSteps(
  sources: readonly string[],
  textOf: (file: string) => string,
): Steps<readonly (readonly string[])[]> {
  const facts = new Map<string, FileFacts>();
  for (const file of sources) {
    facts.set(file, factsOf(textOf(file)));
    yield;
  }
  const definers = definersIn(facts);
  const parts = new Map<string, string[]>(sources.map((file) => [file, [file]]));
  for (const [file, own] of facts) {
    for (const other of usedBy(file, own, definers)) {
      const a = parts.get(file);
      const b = parts.get(other);
      if (a === undefined || b === undefined || a === b || a.length + b.length > mostTogether) continue;
      a.push(...b);
      for (const each of b) parts.set(each, a);
    }
    yield;
  }
  const places = new Map(sources.map((file, index) => [file, index]));
  const inOrder = (part: readonly string[]) =>
    [...part].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  // A map keeps the order of the sources, and so do the parts, each where its first source stands.
  return [...new Set(parts.values())].map(inOrder);
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
