// Tries the candidates of one target and checks the best: what searches of arrays, launches and groups of accesses share.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { AccessFinding } from "../../rules/finding.ts";
import { type Candidate, familyOf, isSameChoice } from "../candidate.ts";
import type { Fix, FixGain, FixRefusal, PassedCheck, TextEdit } from "../fix.ts";
import { ranked, safetyOf } from "../rank.ts";
import type { SearchContext } from "../work.ts";
import { accessAfter, type Concern, costPerRequest, type LaunchPair, pairOf, unitOf } from "./compare.ts";
import { checkImprovement, type Improvement, type TrialSubject, tryCandidate } from "./try.ts";

/** What a search of one target found, for each of its findings. */
export interface TargetResult {
  readonly fixes: readonly Fix[];
  readonly refusals: readonly FixRefusal[];
}

export function refusedAll(findings: readonly AccessFinding[], reason: string): TargetResult {
  const refusals = findings.map(({ rule, range }): FixRefusal => ({ rule, target: range, reason }));
  return { fixes: [], refusals };
}

/** Candidates of one target, in the order in which they are to be tried, and what to say where none helps. */
export interface Target {
  readonly findings: readonly AccessFinding[];
  readonly candidates: readonly Candidate[];
  readonly subject: TrialSubject;
  readonly otherwise: string;
  /** What the accesses cost now by their samples, to hold the candidates' estimates against; null where that is no measure. */
  readonly sampledCost?: number | null;
  /** Says more than why the last candidate failed. */
  readonly suspicion?: string | null;
}

/** Fixes for the findings, best first; for those without one, the reason. */
export function* searchTarget(context: SearchContext, target: Target): Generator<void, TargetResult> {
  const { findings, subject, otherwise, suspicion = null } = target;
  const { improvements, refusals } = yield* tryAll(context, target);
  const checked = yield* checkBest(context, improvements, subject, refusals);
  const fixes = findings.flatMap((finding) =>
    checked.flatMap(({ improvement, check }) => fixOf(finding, improvement, check, subject) ?? []),
  );
  return { fixes, refusals: refusedAll(findings, suspicion ?? refusals[0] ?? otherwise).refusals };
}

/** Round by round one of each kind, as long as it promises more than the kind has reached. */
function* tryAll(
  context: SearchContext,
  { candidates, subject, sampledCost = null }: Target,
): Generator<void, { improvements: Improvement[]; refusals: string[] }> {
  const improvements: Improvement[] = [];
  const refusals: string[] = [];
  const closed = new Set<string>();
  let analyses = 0;
  for (const candidate of inRounds(candidates)) {
    if (closed.has(familyOf(candidate))) continue;
    if (analyses >= context.budget.analysesPerTarget) break;
    if (improvements.some((known) => !promisesMore(candidate, known, sampledCost))) continue;
    if (context.work.isExpensive && improvements.some((known) => isEstimatedWorse(candidate, known)))
      continue;
    if (isSlowToTell(candidate) && improvements.some(isIdeal)) continue;
    if (!context.work.allowsAnalysis()) {
      refusals.push(context.work.whyOver);
      break;
    }
    analyses++;
    const trial = yield* tryCandidate(context, candidate, subject);
    if (trial.kind === "improves") improvements.push(trial.improvement);
    else if (!trial.isFinal) refusals.push(`${nameOf(candidate)} ${trial.reason}`);
    else {
      refusals.push(trial.reason);
      closed.add(familyOf(candidate));
    }
  }
  return { improvements, refusals };
}

/** Indices made of many operations take long to evaluate: not beside an edit that leaves nothing to gain. */
function isSlowToTell({ title }: Candidate): boolean {
  return title.kind === "swizzle-index";
}

function isIdeal({ comparison: { totals, idealAfter, dearer } }: Improvement): boolean {
  return totals.after <= idealAfter && dearer.length === 0;
}

/** Whether a candidate may do better than what one of its kind has done: at least cost no access more. */
function promisesMore(
  candidate: Candidate,
  { candidate: known, comparison: { totals, idealAfter, dearer } }: Improvement,
  sampledCost: number | null,
): boolean {
  if (dearer.length > 0) return true;
  const isIdealPad = totals.after <= idealAfter && known.title.kind === "pad";
  if (familyOf(candidate) !== familyOf(known)) return !(isIdealPad && candidate.title.kind === "pad");
  if (totals.after <= idealAfter) return false;
  // Their samples are those of some launches alone: no measure for the total.
  if (candidate.title.kind === "pad-parameter")
    return (candidate.estimate?.cost ?? 0) < (known.estimate?.cost ?? 0);
  if (candidate.estimate === null || sampledCost === null || sampledCost === 0) return true;
  return candidate.estimate.cost / sampledCost < totals.after / totals.before - rounding;
}

/** Of one kind, where estimates are all there is time for. */
function isEstimatedWorse(candidate: Candidate, known: Improvement): boolean {
  const other = known.candidate;
  if (familyOf(candidate) !== familyOf(other) || candidate.estimate === null || other.estimate === null)
    return false;
  return candidate.estimate.cost > other.estimate.cost;
}

const rounding = 1e-9;

/** The first of each kind, then the second of each, and so on. */
function inRounds(candidates: readonly Candidate[]): Candidate[] {
  const kinds = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const known = kinds.get(familyOf(candidate));
    if (known === undefined) kinds.set(familyOf(candidate), [candidate]);
    else known.push(candidate);
  }
  const longest = Math.max(0, ...[...kinds.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => round).flatMap((round) =>
    [...kinds.values()].flatMap((each) => each[round] ?? []),
  );
}

interface CheckedImprovement {
  readonly improvement: Improvement;
  readonly check: PassedCheck;
}

/** What was tried, in words that a reason can follow. */
function nameOf({ kind, title }: Candidate): string {
  switch (kind) {
    case "pad":
    case "realign":
      return title.kind === "pad-record" ? "with a word more" : "with longer rows";
    case "swizzle":
      return "with a swizzle";
    case "transpose":
      return "with its dimensions swapped";
    case "spread":
      return "with elements left free";
    case "vectorize":
      return `as one ${title.kind === "vectorize" ? title.vector : "vector"}`;
    case "align":
      return `aligned to ${title.kind === "align" ? title.bytes : 0} bytes`;
    case "scalarize":
      return "one by one";
    case "swap-axes":
      return `with threadIdx.x and threadIdx.${title.kind === "swap-axes" ? title.axes[1] : "y"} swapped`;
    case "stripe":
      return "with neighbouring elements for neighbouring threads";
    case "stage-tile":
      return "with a tile in shared memory";
    case "launch-shape":
      return `with block (${title.kind === "launch-shape" ? title.block.join(",") : ""})`;
  }
}

/** The best of each kind that passes its check. */
function* checkBest(
  context: SearchContext,
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
    else refusals.unshift(check.reason.replace(/^with it,/, nameOf(best.candidate)));
    if (check.kind === "refused" && check.isOfOriginal) break;
    left = left.filter(
      (each) =>
        each !== best &&
        (check.kind === "checked"
          ? !isSameChoice(each.candidate, best.candidate)
          : !failsAlike(each.candidate, best.candidate)),
    );
  }
  return checked;
}

/** A kernel that is made for one shape is so for every other. */
function failsAlike(a: Candidate, b: Candidate): boolean {
  return a.kind === "launch-shape" && familyOf(a) === familyOf(b);
}

/** Null where the finding's own access is none the better for it. */
function fixOf(
  finding: AccessFinding,
  improvement: Improvement,
  check: PassedCheck,
  { concern, originalMisaligns, figure }: TrialSubject,
): Fix | null {
  const { candidate, edits, comparison, prices } = improvement;
  // The message may speak of a block that was assumed and that the kernel is not made for.
  const context = [finding.worst, ...finding.contexts].find(
    (each) => pairOf(comparison.pairs, each) !== null,
  );
  const pair = context === undefined ? null : pairOf(comparison.pairs, context);
  if (context === undefined || pair === null) return null;
  const { access } = context;
  const price = prices.get(pair);
  if (price === undefined) return null;
  const perRequest =
    finding.rule === "ineffective-padding"
      ? greatestDrop(pair, edits, concern(edits))
      : figure === undefined
        ? figureOf(pair, access, edits)
        : figure(pair, edits, access);
  const isGain = perRequest !== null && perRequest.after < perRequest.before;
  if (!isGain && !originalMisaligns) return null;
  return {
    kind: candidate.kind,
    rule: finding.rule,
    target: finding.range,
    edits,
    safety: safetyOf(improvement),
    gain: {
      unit: unitOf(access),
      perRequest: isGain && !originalMisaligns ? perRequest : null,
      // Of others than the finding's kind of memory they say nothing.
      totals: comparison.isWhole && concern(edits).before(access) ? comparison.totals : null,
    },
    price,
    dearer: comparison.dearer,
    check,
    title: candidate.title,
  };
}

/** Of the accesses to an array, the one that gains most: a finding of the array as a whole speaks of it. */
function greatestDrop(pair: LaunchPair, edits: readonly TextEdit[], concern: Concern): FixGain["perRequest"] {
  const figures = pair.before.profile.accesses
    .filter(concern.before)
    .flatMap((access) => figureOf(pair, access, edits) ?? []);
  return figures.toSorted((a, b) => b.before - b.after - (a.before - a.after))[0] ?? null;
}

/** What a request of the access costs before and after; null where it is not there any more. */
function figureOf(
  pair: LaunchPair,
  access: AccessProfile,
  edits: readonly TextEdit[],
): FixGain["perRequest"] {
  const later = accessAfter(pair, access, edits);
  const before = costPerRequest(access);
  const after = later === null ? null : costPerRequest(later);
  return before === null || after === null ? null : { before, after };
}
