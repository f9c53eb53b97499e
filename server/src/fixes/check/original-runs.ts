// What the original did in a run, kept while a search tries one edit after another: it does the same beside each of them.
import type { SimulationResult } from "../../simulator/simulate.ts";

export interface CountedRun extends SimulationResult {
  /** What its shared accesses cost. */
  readonly wavefronts: number;
}

export interface OriginalRun {
  readonly result: CountedRun;
  /** Places of the accesses that ran. */
  readonly executed: ReadonlySet<string>;
  /** What it was allowed to take. */
  readonly maxSteps: number;
}

/** Of one launch, by its inputs. */
export type OriginalRuns = Map<string, OriginalRun>;

/** The run that was made with these inputs; null where there is none, or one that stopped before it might stop now. */
export function knownRun(runs: OriginalRuns | undefined, key: string, maxSteps: number): OriginalRun | null {
  const known = runs?.get(key);
  if (known === undefined) return null;
  return known.result.status === "complete" || known.maxSteps >= maxSteps ? known : null;
}
