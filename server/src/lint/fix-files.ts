// Makes the fixes of a set of files, best first, and looks again after each round: what a fix changes may change what is best next.
import {
  type Fix,
  type FixSearchResult,
  firstToMake,
  type SharedSteps,
  type WantedFixes,
} from "../fixes/fix.ts";
import { applyEdits, overlap } from "../text/edit.ts";
import type { FileAnalysis } from "./analysis.ts";
import { type FixTools, fixSearchesOf } from "./fixes.ts";
import type { LintFailure } from "./report.ts";
import { joined, type Patience, searchToEnd } from "./search.ts";
import type { LintSession } from "./session.ts";

export interface SearchOptions {
  readonly session: LintSession;
  readonly tools: FixTools;
  /** How long the search in one kernel of `file` may take. */
  newPatience(file: string): Patience;
  /** What all searches in `file` may take together; left out: each kernel has its own. */
  readonly sharedSteps?: (file: string) => SharedSteps;
}

export interface FixingOptions extends SearchOptions {
  readonly wanted: WantedFixes;
  /** From now on the session is to read these texts in place of the files. */
  overlay(texts: ReadonlyMap<string, string>): void;
}

export interface MadeFix {
  readonly fix: Fix;
  /** The texts that it was made in. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface FixedFiles {
  /** What changed, as it is now. */
  readonly texts: ReadonlyMap<string, string>;
  /** What was there before, of the same files. */
  readonly before: ReadonlyMap<string, string>;
  readonly made: readonly MadeFix[];
  /** By file, what was found the last time: what was not wanted, and why there is no more. */
  readonly found: ReadonlyMap<string, FixSearchResult>;
  readonly failures: readonly LintFailure[];
}

/** Every round lowers a total, so that it ends by itself; this bounds what a bug could do. */
const mostRounds = 20;

export function fixFiles(files: readonly string[], options: FixingOptions): FixedFiles {
  const { session } = options;
  const texts = new Map<string, string>();
  const before = new Map<string, string>();
  const made: MadeFix[] = [];
  const found = new Map<string, FixSearchResult>();
  const failures: LintFailure[] = [];
  let waiting = files;
  for (let round = 0; round < mostRounds && waiting.length > 0; round++) {
    const again: string[] = [];
    for (const file of waiting) {
      const analysis = session.analyse(file);
      if (analysis === null) continue;
      const searched = searchFile(analysis, options);
      failures.push(...searched.failures);
      found.set(file, joined(searched.kernels));
      const { chosen, edited } = chosenOf(searched.kernels, analysis, options.wanted);
      if (chosen.length === 0) continue;
      for (const [path, text] of edited) {
        if (!before.has(path)) before.set(path, analysis.texts.get(path) ?? "");
        texts.set(path, text);
      }
      made.push(...chosen.map((fix) => ({ fix, texts: analysis.texts })));
      options.overlay(texts);
      session.update([...edited.keys()]);
      again.push(file);
    }
    waiting = again;
  }
  return { texts, before, made, found, failures };
}

export interface SearchedFile {
  /** One for each kernel with findings. */
  readonly kernels: readonly FixSearchResult[];
  readonly failures: readonly LintFailure[];
}

/** Searches the fixes of all findings in a file that the session knows. */
export function searchFile(
  analysis: FileAnalysis,
  { session, tools, newPatience, sharedSteps }: SearchOptions,
): SearchedFile {
  const { file } = analysis;
  const shared = sharedSteps?.(file);
  const bounded = shared === undefined ? tools : { ...tools, budget: { ...tools.budget, shared } };
  const outcomes = fixSearchesOf(analysis, session.fixMaterial(file), bounded).map((search) =>
    searchToEnd(search, file, newPatience(file)),
  );
  return {
    kernels: outcomes.map(({ found }) => found),
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
  };
}

/** The best fix of each kernel, as far as they can be made together. */
export function chosenFixes(kernels: readonly FixSearchResult[], wanted: WantedFixes): readonly Fix[] {
  const chosen: Fix[] = [];
  for (const { fixes } of kernels) {
    const best = firstToMake(fixes, wanted);
    // Each was tried alone: of two in one place only one can be made, and the other is looked for again.
    if (best !== null && !chosen.some((other) => collide(other, best))) chosen.push(best);
  }
  return chosen;
}

/** The fixes to be made of one file as it is now, and the texts after them. */
function chosenOf(
  kernels: readonly FixSearchResult[],
  { texts }: FileAnalysis,
  wanted: WantedFixes,
): { readonly chosen: readonly Fix[]; readonly edited: ReadonlyMap<string, string> } {
  const chosen = chosenFixes(kernels, wanted);
  const edited = applyEdits(
    texts,
    chosen.flatMap(({ edits }) => edits),
  );
  return edited === null ? { chosen: [], edited: new Map() } : { chosen, edited };
}

function collide(a: Fix, b: Fix): boolean {
  return a.edits.some((edit) => b.edits.some((other) => overlap(edit, other)));
}
