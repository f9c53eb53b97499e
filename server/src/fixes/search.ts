// Searches fixes for the findings of a kernel: candidates of every kind, ranked cheaply, analysed as text, then run on the simulator.
import type { AccessFinding } from "../rules/finding.ts";
import { type ArraySubject, arraySubjects, searchArray } from "./array-search.ts";
import type { Fix, FixContext, FixRefusal, FixSearchResult } from "./fix.ts";
import { typedTexts } from "./typed-text.ts";

/** What a search of one target found, for each of its findings. */
export interface TargetResult {
  readonly fixes: readonly Fix[];
  readonly refusals: readonly FixRefusal[];
}

/** Best fixes first. It yields often, so that who drives it can end it between any two steps. */
export function* searchFixes(context: FixContext): Generator<void, FixSearchResult> {
  const texts = typedTexts(context.texts);
  const fixes: Fix[] = [];
  const refusals: FixRefusal[] = [];
  const subjects: readonly ArraySubject[] = arraySubjects(context.findings);
  for (const subject of subjects) {
    yield;
    const result = yield* searchArray(context, subject, texts);
    fixes.push(...result.fixes);
    refusals.push(...result.refusals);
  }
  const isFixed = ({ rule, range }: AccessFinding) =>
    fixes.some(({ rule: other, target }) => rule === other && isSamePlace(range, target));
  return {
    fixes,
    refusals: context.findings
      .filter((finding) => !isFixed(finding))
      .map((finding) => refusalOf(finding, refusals))
      .sort((a, b) => a.target.start - b.target.start),
  };
}

function refusalOf({ rule, range }: AccessFinding, refusals: readonly FixRefusal[]): FixRefusal {
  const known = refusals.find((each) => each.rule === rule && isSamePlace(each.target, range));
  return known ?? { rule, target: range, reason: "no fix is known" };
}

function isSamePlace(a: AccessFinding["range"], b: AccessFinding["range"]): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}
