// Fixes of an array's layout: pads and swizzles for all findings that its accesses have.
import type { AccessProfile } from "../evaluate/profile.ts";
import type { AccessFinding } from "../rules/finding.ts";
import { arrayOf, type DeclaredArray, goesTo } from "./arrays.ts";
import type { Candidate } from "./candidate.ts";
import { accessAfter, costPerRequest, pairOf, unitOf } from "./compare.ts";
import { movedRange } from "./edits.ts";
import type { Fix, FixContext, FixRefusal, PassedCheck } from "./fix.ts";
import { byShape, estimatedCostOf, type ShapedAccesses } from "./layout.ts";
import { padCandidates } from "./pad.ts";
import { ranked } from "./rank.ts";
import type { TargetResult } from "./search.ts";
import { swizzleCandidates } from "./swizzle.ts";
import { checkImprovement, type Improvement, type TrialSubject, tryCandidate } from "./try.ts";
import type { TypedTexts } from "./typed-text.ts";

/** Findings whose accesses go to one array of shared memory. */
export interface ArraySubject {
  readonly findings: readonly AccessFinding[];
}

/** The findings of shared accesses, by array. */
export function arraySubjects(findings: readonly AccessFinding[]): ArraySubject[] {
  const subjects = new Map<string, AccessFinding[]>();
  for (const finding of findings) {
    const { access } = finding.worst;
    if (access.space !== "shared") continue;
    const range = access.target?.range;
    const key = range ? `${range.file}:${range.start}` : `${finding.range.file}:${finding.range.start}:`;
    const known = subjects.get(key);
    if (known === undefined) subjects.set(key, [finding]);
    else known.push(finding);
  }
  return [...subjects.values()].map((each) => ({ findings: each }));
}

export function* searchArray(
  context: FixContext,
  { findings }: ArraySubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const [first] = findings;
  const lookup = first === undefined ? null : arrayOf(first.worst, texts);
  if (first === undefined || lookup === null) return { fixes: [], refusals: [] };
  if (lookup.kind === "refused") return refusedAll(findings, lookup.reason);
  const { array } = lookup;
  const accesses = accessesTo(array, context);
  const unknown = accesses.find(
    ({ verdict, perRequest }) => verdict.kind === "unknown" && perRequest === null,
  );
  if (unknown?.verdict.kind === "unknown")
    return refusedAll(findings, `what ${unknown.expression} costs is not known: ${unknown.verdict.reason}`);
  const uses = byShape(accesses);
  if (uses === null) return refusedAll(findings, `the elements of ${array.name} are not known`);
  const subject = trialSubject(array, accesses);
  const { candidates, reasons } = candidatesFor(array, uses);
  const { improvements, refusals } = yield* tryAll(context, shortlist(candidates, uses), subject);
  const checked = yield* checkBest(context, improvements, subject, refusals);
  const fixes = findings.flatMap((finding) =>
    checked.flatMap(({ improvement, check }) => fixOf(finding, improvement, check, subject) ?? []),
  );
  const reason =
    refusals[0] ?? reasons[0] ?? `no pad up to 32 elements and no swizzle of ${array.name} lowers the total`;
  return { fixes, refusals: findings.map(({ rule, range }) => ({ rule, target: range, reason })) };
}

function refusedAll(findings: readonly AccessFinding[], reason: string): TargetResult {
  const refusals = findings.map(({ rule, range }): FixRefusal => ({ rule, target: range, reason }));
  return { fixes: [], refusals };
}

function accessesTo(array: DeclaredArray, { original }: FixContext): AccessProfile[] {
  return original.launches.flatMap(({ profile }) =>
    profile.accesses.filter((access) => goesTo(array, access) && access.requests !== 0),
  );
}

function trialSubject(array: DeclaredArray, accesses: readonly AccessProfile[]): TrialSubject {
  return {
    concern: (edits) => {
      const moved = { range: movedRange(array.range, edits) };
      return {
        before: (access) => goesTo(array, access),
        after: (access) => goesTo(moved, access),
      };
    },
    originalMisaligns: accesses.some(({ misaligned }) => misaligned !== null),
  };
}

function candidatesFor(
  array: DeclaredArray,
  uses: readonly ShapedAccesses[],
): { candidates: readonly Candidate[]; reasons: readonly string[] } {
  const kinds = [padCandidates(array, uses), swizzleCandidates(array, uses)];
  return {
    candidates: kinds.flatMap((each) => (each.kind === "candidates" ? each.candidates : [])),
    reasons: kinds.flatMap((each) => (each.kind === "refused" ? [each.reason] : [])),
  };
}

/** The few of each kind that their samples speak for, best first. */
function shortlist(candidates: readonly Candidate[], uses: readonly ShapedAccesses[]): Candidate[] {
  const now = estimatedCostOf(uses, () => (offsetBytes) => offsetBytes);
  const kinds = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.estimate !== null && now !== null && candidate.estimate >= now) continue;
    const known = kinds.get(candidate.title.kind);
    if (known === undefined) kinds.set(candidate.title.kind, [candidate]);
    else known.push(candidate);
  }
  return [...kinds.values()].flatMap((each) =>
    each
      .toSorted((a, b) => (a.estimate ?? Infinity) - (b.estimate ?? Infinity) || a.operations - b.operations)
      .slice(0, triedOfEachKind),
  );
}

const triedOfEachKind = 3;

function* tryAll(
  context: FixContext,
  candidates: readonly Candidate[],
  subject: TrialSubject,
): Generator<void, { improvements: Improvement[]; refusals: string[] }> {
  const improvements: Improvement[] = [];
  const refusals: string[] = [];
  for (const candidate of candidates.slice(0, context.budget.analysesPerTarget)) {
    const trial = yield* tryCandidate(context, candidate, subject);
    if (trial.kind === "improves") improvements.push(trial.improvement);
    else refusals.push(trial.reason);
  }
  return { improvements, refusals };
}

interface CheckedImprovement {
  readonly improvement: Improvement;
  readonly check: PassedCheck;
}

/** The best of each kind that passes its check. */
function* checkBest(
  context: FixContext,
  improvements: readonly Improvement[],
  subject: TrialSubject,
  refusals: string[],
): Generator<void, CheckedImprovement[]> {
  const checked: CheckedImprovement[] = [];
  let left = ranked(improvements);
  for (let run = 0; run < context.budget.checksPerTarget && left.length > 0; run++) {
    const [best] = left;
    if (best === undefined) break;
    const check = yield* checkImprovement(context, best, subject);
    if (check.kind === "checked") checked.push({ improvement: best, check });
    else refusals.unshift(check.reason);
    left = left.filter(
      (each) => each !== best && (check.kind !== "checked" || each.candidate.kind !== best.candidate.kind),
    );
  }
  return checked;
}

/** Null where the finding's own access is none the better for it. */
function fixOf(
  finding: AccessFinding,
  { candidate, edits, comparison, prices }: Improvement,
  check: PassedCheck,
  { originalMisaligns }: TrialSubject,
): Fix | null {
  const { access } = finding.worst;
  const pair = pairOf(comparison.pairs, finding.worst);
  const price = pair === null ? undefined : prices.get(pair);
  if (pair === null || price === undefined) return null;
  const after = accessAfter(pair, access, edits);
  const from = costPerRequest(access);
  const to = after === null ? null : costPerRequest(after);
  const isGain = from !== null && to !== null && to < from;
  if (!isGain && !originalMisaligns) return null;
  return {
    kind: candidate.kind,
    rule: finding.rule,
    target: finding.range,
    edits,
    safety: candidate.safety,
    gain: {
      unit: unitOf(access),
      perRequest: isGain && !originalMisaligns ? { before: from, after: to } : null,
      totals: comparison.isWhole ? comparison.totals : null,
    },
    price,
    dearer: comparison.dearer,
    check,
    title: candidate.title,
  };
}
