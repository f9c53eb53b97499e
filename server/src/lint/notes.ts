// What is said of how a file was read, beside its findings: what was not found, taken by convention, or could not be followed.

import type { UnreadKernel } from "../ir/function.ts";
import type { HostGap } from "../launches/host/gaps.ts";
import { isKnownLibrary } from "../preprocess/headers.ts";
import type { MissingInclude } from "../preprocess/preprocessed.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { lineStarts, positionAt, type SourceRange } from "../text/source.ts";
import { instancesOf } from "./instances.ts";
import type { KernelMemory } from "./memory.ts";

export interface Noted {
  readonly units: readonly TranslationUnit[];
  /** What of the program could not be followed. */
  readonly gaps: readonly HostGap[];
  readonly unread: readonly UnreadKernel[];
  /** Those that this program speaks for, and those that it launches and left out. */
  readonly kernels: readonly KernelMemory[];
}

/** One sentence each, by the file of the translation unit: a kernel of a header is a matter of the first unit that has it. */
export function notesByFile({ units, gaps, unread, kernels }: Noted): ReadonlyMap<string, readonly string[]> {
  const isOf = ({ file }: SourceRange, unit: TranslationUnit) =>
    units.find(({ texts }) => texts.has(file)) === unit;
  const launching = units.filter(launches);
  const [root] = units;
  const holders = launching.length > 0 ? launching : [root];
  const isHeldBy = ({ file }: HostGap, unit: TranslationUnit) => {
    const own = file === null ? undefined : units.find(({ texts }) => texts.has(file));
    return own === undefined ? holders.includes(unit) : own === unit;
  };
  const notes = new Map<string, readonly string[]>(
    units.map((unit) => [
      unit.file,
      [
        ...oncePerName(unit.missingIncludes).map(
          (each) => `${missingIncludeText(each)} (${placeText(each.range, unit)})`,
        ),
        ...unit.conventions.map(
          ({ written, value }) => `${written} is defined nowhere and taken as ${value}`,
        ),
        ...unit.notExpanded.map(({ name, reason }) => `macro ${name} was not expanded: ${reason}`),
        ...unread.filter(({ range }) => isOf(range, unit)).map((kernel) => unreadText(kernel, unit)),
        ...kernels.flatMap((kernel) => {
          const { name, nameRange } = kernel.declaration;
          const gap = kernel.gap ?? unseenInstances(kernel);
          return gap === null || !isOf(nameRange, unit)
            ? []
            : [`kernel ${name} (${placeText(nameRange, unit)}): ${gap}`];
        }),
        ...new Set(gaps.filter((gap) => isHeldBy(gap, unit)).map((gap) => gapText(gap, unit))),
      ],
    ]),
  );
  for (const { reason, file } of gaps)
    if (file !== null && !units.some((unit) => unit.file === file))
      notes.set(file, [...(notes.get(file) ?? []), reason]);
  return notes;
}

/** Null where all were evaluated, or there are none. */
function unseenInstances({ launches, evaluations }: KernelMemory): string | null {
  const all = instancesOf(launches).size;
  const seen = instancesOf(evaluations.map(({ profile }) => profile.launch)).size;
  if (seen >= all) return null;
  return seen === 0
    ? `its instances (${all}) were not analysed here: those that other sources launch told all there is`
    : `of its ${all} instances ${seen} were analysed, spread over all: the last of them told nothing new`;
}

/** What stands in a header is told at the header, and where it is included with its name. */
function gapText({ reason, file }: HostGap, unit: TranslationUnit): string {
  return file === null || file === unit.file
    ? reason
    : `${reason} (${file.slice(file.lastIndexOf("/") + 1)})`;
}

function launches({ file, units }: TranslationUnit): boolean {
  return units.some((each) => /<<<|cudaLaunch/.test(each.text) && each.extent()?.file === file);
}

/** "util.h is not found: …", with what would cure it. */
export function missingIncludeText({ name, reason }: Pick<MissingInclude, "name" | "reason">): string {
  return reason === "not found"
    ? `${name} is not found: add its directory to includePaths in warplint.json, or name it with --include-path`
    : `${name} is not read: there is too much before it`;
}

/** Without those of libraries of which warplint knows what matters: to name their directory would change no figure. */
function oncePerName(missing: readonly MissingInclude[]): readonly MissingInclude[] {
  const told = missing.filter(({ name }) => !isKnownLibrary(name));
  return [...new Map(told.toReversed().map((each) => [each.name, each])).values()].reverse();
}

function unreadText({ name, range, reason }: UnreadKernel, unit: TranslationUnit): string {
  const place = placeText(range, unit);
  return `${name === null ? `a kernel (${place})` : `kernel ${name} (${place})`} could not be read: ${reason}`;
}

/** "line 12", "kernels.cuh:12". */
function placeText({ file, start }: SourceRange, unit: TranslationUnit): string {
  const { line } = positionAt(lineStarts(unit.texts.get(file) ?? ""), start);
  return file === unit.file ? `line ${line}` : `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
}
