// A program as it was analysed last, and what tells one from another.
import type { FileSettings } from "../project/project.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import type { LintFailure } from "./report.ts";
import { placeOf, type UnitAnalysis, type UnitOptions } from "./unit.ts";

/** The root, and the build's target where its flags are not those that come first for all its sources. */
export type ProgramId = string & { readonly brand: "ProgramId" };

export function idOf(root: string, target: string | null): ProgramId {
  return (target === null ? root : `${root}\0${target}`) as ProgramId;
}

export function rootOf(id: ProgramId): string {
  return id.split("\0", 1)[0] ?? id;
}

/** A program as it was analysed last. */
export interface AnalysedProgram {
  /** Tells it from others of the same root, which the build compiles under other flags. */
  readonly id: ProgramId;
  readonly root: string;
  /** As they were linked; none where the root could not be read. */
  readonly units: readonly TranslationUnit[];
  /** Null where it could not be analysed: `failures` say why. */
  readonly analysis: UnitAnalysis | null;
  readonly failures: readonly LintFailure[];
  /** Of the root. */
  readonly text: string;
  readonly settings: FileSettings | null;
  readonly options: UnitOptions | null;
  /** Kernels that other programs speak for, by `placeOf`. */
  readonly spokenFor: ReadonlySet<string>;
}

/** One of which the root could not be read. */
export function unreadProgram(
  id: ProgramId,
  read: { readonly text: string; readonly failures?: readonly LintFailure[] },
): AnalysedProgram {
  return {
    id,
    root: rootOf(id),
    units: [],
    analysis: null,
    failures: read.failures ?? [],
    text: read.text,
    settings: null,
    options: null,
    spokenFor: new Set(),
  };
}

export function reads({ analysis, units }: AnalysedProgram, file: string): boolean {
  return analysis?.unit.texts.has(file) ?? units.some(({ texts }) => texts.has(file));
}

/** Whether a program is one of these units, and others speak for the same of its kernels. */
export function isSameProgram(
  known: Pick<AnalysedProgram, "units" | "spokenFor">,
  units: readonly TranslationUnit[],
  spokenFor: ReadonlySet<string>,
): boolean {
  return (
    known.units.length === units.length &&
    known.units.every((unit, index) => unit === units[index]) &&
    known.spokenFor.size === spokenFor.size &&
    [...spokenFor].every((place) => known.spokenFor.has(place))
  );
}

/** In characters, headers once for each source. */
export function textLengthOf(units: readonly TranslationUnit[]): number {
  let sum = 0;
  for (const { texts } of units) for (const text of texts.values()) sum += text.length;
  return sum;
}

/** The kernels that some program launches. */
export function reachedIn(programs: readonly AnalysedProgram[]): ReadonlySet<string> {
  return new Set(programs.flatMap(({ analysis }) => [...(analysis?.launched ?? [])]));
}

/** Whether there is more to say of `file` than what `programs` say: kernels that none of them launches, or that could not be read. */
export function isMoreIn(
  file: string,
  programs: readonly AnalysedProgram[],
  reached: ReadonlySet<string>,
): boolean {
  const analyses = programs.flatMap(({ analysis }) => (analysis?.unit.texts.has(file) ? [analysis] : []));
  if (analyses.length === 0) return true;
  return analyses.some(({ kernels }) =>
    kernels.some(({ nameRange }) => nameRange.file === file && !reached.has(placeOf(nameRange))),
  );
}
