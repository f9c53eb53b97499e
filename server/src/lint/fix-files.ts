// Makes the fixes of a set of files, best first, and looks again after each round: what a fix changes may change what is best next.
import type { Fix, FixSearchResult } from "../fixes/fix.ts";
import { applyEdits, overlap } from "../text/edit.ts";
import type { FileAnalysis } from "./analysis.ts";
import { type FixTools, fixSearchesOf } from "./fixes.ts";
import type { LintFailure } from "./report.ts";
import { joined, type Patience, searchToEnd } from "./search.ts";
import type { LintSession } from "./session.ts";

/** Which fixes are made: those that change nothing but where data lie, or suggestions too. */
export type WantedFixes = "safe" | "all";

export interface SearchOptions {
  readonly session: LintSession;
  readonly tools: FixTools;
  /** How long the search in one kernel of `file` may take. */
  newPatience(file: string): Patience;
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
  { session, tools, newPatience }: SearchOptions,
): SearchedFile {
  const { file } = analysis;
  const outcomes = fixSearchesOf(analysis, session.fixMaterial(file), tools).map((search) =>
    searchToEnd(search, file, newPatience(file)),
  );
  return {
    kernels: outcomes.map(({ found }) => found),
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
  };
}

/** The fixes to be made of one file as it is now, and the texts after them. */
function chosenOf(
  kernels: readonly FixSearchResult[],
  { texts }: FileAnalysis,
  wanted: WantedFixes,
): { readonly chosen: readonly Fix[]; readonly edited: ReadonlyMap<string, string> } {
  const chosen: Fix[] = [];
  for (const { fixes } of kernels) {
    const best = bestOf(fixes, wanted);
    // Each was tried alone: of two in one place only one can be made, and the other is looked for again.
    if (best !== null && !chosen.some((other) => collide(other, best))) chosen.push(best);
  }
  const edited = applyEdits(
    texts,
    chosen.flatMap(({ edits }) => edits),
  );
  return edited === null ? { chosen: [], edited: new Map() } : { chosen, edited };
}

/** Safe ones first, then what makes a kernel run at all, then what saves most over all accesses and launches; of equals the first. */
export function bestOf(fixes: readonly Fix[], wanted: WantedFixes): Fix | null {
  const allowed = fixes.filter(({ safety }) => wanted === "all" || safety === "safe");
  return allowed.reduce<Fix | null>((best, fix) => (best === null || isBetter(fix, best) ? fix : best), null);
}

function isBetter(a: Fix, b: Fix): boolean {
  if (a.safety !== b.safety) return a.safety === "safe";
  const [isCure, wasCure] = [a, b].map(({ gain }) => gain.perRequest === null);
  return isCure === wasCure ? savedBy(a) > savedBy(b) : isCure === true;
}

function savedBy({ gain: { perRequest, totals } }: Fix): number {
  const { before, after } = totals ?? perRequest ?? { before: 0, after: 0 };
  return before - after;
}

function collide(a: Fix, b: Fix): boolean {
  return a.edits.some((edit) => b.edits.some((other) => overlap(edit, other)));
}
