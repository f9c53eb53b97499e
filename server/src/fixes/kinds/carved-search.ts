// Fixes of all pieces of dynamic shared memory that a kernel carves up, in one edit.
import type { AccessFinding } from "../../rules/finding.ts";
import { searchTarget, type TargetResult } from "../check/trials.ts";
import type { TypedTexts } from "../text/typed-text.ts";
import type { SearchContext } from "../work.ts";
import { type ArraySubject, pieceOf, trialSubject, usesOf } from "./array-search.ts";
import { jointPadCandidates } from "./carved-pad.ts";

/** The findings of dynamic shared memory that is carved up, whatever piece they are of. */
export function carvedSubjects(findings: readonly AccessFinding[]): ArraySubject[] {
  const subjects = new Map<string, AccessFinding[]>();
  for (const finding of findings) {
    const { access } = finding.worst;
    const range = access.target?.range;
    if (finding.rule !== "shared-bank-conflict" || !range || pieceOf(access) === null) continue;
    const key = `${range.file}:${range.start}`;
    subjects.set(key, [...(subjects.get(key) ?? []), finding]);
  }
  return [...subjects.values()].map((each) => ({ findings: each }));
}

/**
 * Longer rows of all pieces of dynamic shared memory that have findings, each by what it needs, in one edit: where checks take long, there are steps
 * for one edit and not for one of each piece.
 */
export function* searchJointPads(
  context: SearchContext,
  { findings }: ArraySubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const nothing: TargetResult = { fixes: [], refusals: [] };
  const names = [...new Set(findings.flatMap(({ worst }) => pieceOf(worst.access) ?? []))];
  if (names.length < 2 || !context.work.isExpensiveFor(names.length)) return nothing;
  const found = usesOf(context, findings, texts);
  if (typeof found === "string") return nothing;
  const { array } = found.used;
  const { fixes } = yield* searchTarget(found.context, {
    findings,
    candidates: jointPadCandidates(array, names, found.context.original.launches, texts),
    subject: trialSubject([array], "runs"),
    otherwise: `no padding of ${array.name} lowers the total`,
  });
  return { fixes, refusals: [] };
}
