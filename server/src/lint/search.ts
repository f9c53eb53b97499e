// Searches for fixes, run to their end or to somebody's patience, and what is kept of them as text.
import { type FixSearchResult, noFixes } from "../fixes/fix.ts";
import { overTime } from "../fixes/work.ts";
import { runToEnd } from "../steps.ts";
import type { KernelFixSearch } from "./fixes.ts";
import { internalFailure, type LintFailure } from "./report.ts";

/** Asked between two steps. */
export interface Patience {
  isOver(): boolean;
}

/**
 * What the search in one kernel may take: behind its own budgets, which are counted, for what counting does not see. Twice what they come to on
 * an idle machine, so that a busy one, where the same steps take more CPU, offers the same.
 */
export const millisecondsOfKernel = 4000;

/** Over as soon as another step, if it took as long as the longest so far, would end behind `limitMilliseconds` of `worked`. */
export function patienceOf(limitMilliseconds: number, worked: () => number): Patience {
  const start = worked();
  let before = start;
  let longest = 0;
  return {
    isOver: () => {
      const now = worked();
      longest = Math.max(longest, now - before);
      before = now;
      return now - start + longest > limitMilliseconds;
    },
  };
}

export interface SearchOutcome {
  readonly found: FixSearchResult;
  /** A bug in the search: nothing is offered then. */
  readonly failure: LintFailure | null;
}

/** What `search` finds; what it has found by then where patience ends before it does. Never throws. In steps. */
export function* searchInSteps(
  search: KernelFixSearch,
  file: string,
  patience: Patience,
): Generator<void, SearchOutcome> {
  let ready: FixSearchResult = withoutFixes(search, overTime);
  const onReady = (found: FixSearchResult) => {
    ready = found;
  };
  try {
    const steps = search.run(onReady);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return { found: step.value, failure: null };
      if (patience.isOver()) return { found: ready, failure: null };
      yield;
    }
  } catch (error) {
    return {
      found: withoutFixes(search, "the search for one failed"),
      failure: internalFailure(file, error),
    };
  }
}

/** The same in one go. */
export function searchToEnd(search: KernelFixSearch, file: string, patience: Patience): SearchOutcome {
  return runToEnd(searchInSteps(search, file, patience));
}

/** The refusal of all findings that were searched for, for one reason. */
function withoutFixes({ findings }: KernelFixSearch, reason: string): FixSearchResult {
  return { fixes: [], refusals: findings.map(({ rule, range }) => ({ rule, target: range, reason })) };
}

export function joined(results: readonly FixSearchResult[]): FixSearchResult {
  if (results.length === 0) return noFixes;
  return {
    fixes: results.flatMap(({ fixes }) => fixes),
    refusals: results.flatMap(({ refusals }) => refusals),
  };
}
