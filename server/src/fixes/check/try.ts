// Tries a candidate: the whole pipeline on the edited text, figures against figures, then both kernels on the simulator.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { Program } from "../../ir/function.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Candidate } from "../candidate.ts";
import type { CheckPair, FixPrice, PassedCheck, TextEdit } from "../fix.ts";
import { blocksPerSm, mostSharedBytes, staticSharedBytes } from "../price.ts";
import { joinedEdits } from "../text/edits.ts";
import type { SearchContext } from "../work.ts";
import { tooManySteps } from "./check.ts";
import { type Comparison, type Concern, compareKernels, type LaunchPair, totalOf } from "./compare.ts";

/** A candidate that lowers what the accesses cost, by the pipeline's word. */
export interface Improvement {
  readonly candidate: Candidate;
  readonly edits: readonly TextEdit[];
  readonly comparison: Comparison;
  readonly prices: ReadonlyMap<LaunchPair, FixPrice>;
}

export type Trial =
  | { readonly kind: "improves"; readonly improvement: Improvement }
  | {
      readonly kind: "refused";
      readonly reason: string;
      /** The reason holds of every other candidate of the target as well. */
      readonly isFinal: boolean;
    };

export interface TrialSubject {
  readonly concern: (edits: readonly TextEdit[]) => Concern;
  /** The original faults: what it costs is no measure, and other accesses may get dearer. */
  readonly originalMisaligns: boolean;
  /** Of a request before and after, where several accesses become one; left out where the finding's own access stays. */
  readonly figure?: (
    pair: LaunchPair,
    edits: readonly TextEdit[],
    access: AccessProfile,
  ) => { readonly before: number; readonly after: number } | null;
  /** Launches that have to be run; left out: those with an access that the fix concerns. */
  readonly isTouched?: (pair: LaunchPair) => boolean;
  /**
   * Which accesses may get dearer where all together cost much less: any, those that the fix concerns, or others of global memory by little of
   * what is saved (a register that nvcc keeps across a loop is not kept across two); left out: none.
   */
  readonly mayRise?: "any" | "concerned" | "others";
  /** What must hold of each launch before and after whatever the candidate; says in words what does not. */
  readonly objection?: (pair: LaunchPair) => string | null;
}

/** Runs the pipeline on the edited text: whether the total falls, nothing else rises, and it still fits. */
export function* tryCandidate(
  context: SearchContext,
  candidate: Candidate,
  subject: TrialSubject,
): Generator<void, Trial> {
  const edits = joinedEdits(candidate.edits);
  if (edits === null || edits.length === 0) return refused("two changes would fall on one piece of the text");
  if (edits.some(({ file }) => !context.isEditable(file)))
    return refused("what would have to change is outside the workspace");
  yield;
  const patched = yield* context.analyse(edits);
  context.work.spendAnalysis(patched);
  if (patched === null) return refused("the text does not parse any more");
  if (patched.gaps.length > context.original.gaps.length)
    return refused(patched.gaps.find((gap) => !context.original.gaps.includes(gap)) ?? "a gap more");
  const comparison = compareKernels(context.original, patched, edits, subject.concern(edits), candidate);
  if (comparison === null) return refused("a launch is not found any more");
  const objection = objectionOf(comparison, subject);
  if (objection !== null) return { kind: "refused", reason: objection, isFinal: true };
  const reason = whyNoGain(comparison, subject, edits, context.texts);
  if (reason !== null) return refused(reason);
  yield;
  const prices = new Map<LaunchPair, FixPrice>();
  for (const pair of comparison.pairs) {
    const price = priceOfPair(pair, candidate);
    if (price === null) return refused("shared memory would pass the 48 KB that a block may declare");
    prices.set(pair, price);
  }
  return { kind: "improves", improvement: { candidate, edits, comparison, prices } };
}

function refused(reason: string): Trial {
  return { kind: "refused", reason, isFinal: false };
}

function objectionOf({ pairs }: Comparison, { objection }: TrialSubject): string | null {
  for (const pair of pairs) {
    const reason = objection?.(pair) ?? null;
    if (reason !== null) return reason;
  }
  return null;
}

function whyNoGain(
  { totals, harm, dearer, isDearerElsewhere, pairs }: Comparison,
  { concern, originalMisaligns, mayRise }: TrialSubject,
  edits: readonly TextEdit[],
  texts: ReadonlyMap<string, string>,
): string | null {
  if (harm !== null) return harm;
  if (originalMisaligns) {
    const isConcerned = concern(edits).after;
    const isOff = pairs.some(({ after }) =>
      after.profile.accesses.some((access) => access.misaligned !== null && isConcerned(access)),
    );
    return isOff ? "some lanes would still be off the boundary" : null;
  }
  if (totals.after >= totals.before * (1 - leastGain)) return "the total would not fall";
  const [first] = dearer;
  if (first === undefined) return null;
  const isAllowed =
    mayRise === "any" ||
    (mayRise === "concerned" && !isDearerElsewhere) ||
    (mayRise === "others" &&
      dearer.every(({ unit }) => unit === "sectors") &&
      riseOfOthers(pairs, concern(edits)) <= (totals.before - totals.after) * mostRise);
  if (isAllowed && totals.after <= totals.before * worthwhileShare) return null;
  const { file, start, end } = first.range;
  return `${texts.get(file)?.slice(start, end) ?? "another access"} would cost more`;
}

/** Sectors that accesses cost more which the fix does not concern. */
function riseOfOthers(pairs: readonly LaunchPair[], concern: Concern): number {
  const costOf = (accesses: readonly AccessProfile[], isConcerned: Concern["before"]) =>
    accesses
      .filter((access) => access.space === "global" && !isConcerned(access))
      .reduce((sum, access) => sum + (totalOf(access) ?? 0), 0);
  return pairs.reduce(
    (sum, { before, after }) =>
      sum +
      before.count *
        (costOf(after.profile.accesses, concern.after) - costOf(before.profile.accesses, concern.before)),
    0,
  );
}

/** Of what is saved. */
const mostRise = 0.2;

/** Some access may cost more where all together cost this share of what they did, or less. */
const worthwhileShare = 0.7;

/** What falls by less is not worth an edit. */
const leastGain = 0.01;

/** Of one launch; null where a block would not fit any more. */
function priceOfPair({ before, after }: LaunchPair, { operations }: Candidate): FixPrice | null {
  const from = sharedBytesOf(before);
  const to = sharedBytesOf(after);
  if (from === null || to === null) return { sharedBytes: 0, blocksPerSm: null, operations };
  if (to > mostSharedBytes && to > from) return null;
  const fit = { before: blocksPerSm(before.launch, from), after: blocksPerSm(after.launch, to) };
  return { sharedBytes: to - from, blocksPerSm: fit.after < fit.before ? fit : null, operations };
}

function sharedBytesOf({ program, launch }: LaunchPair["before"]): number | null {
  const made = program();
  const fixed = made === null ? null : staticSharedBytes(made, launch.kernel);
  return fixed === null ? null : fixed + (launch.sharedBytes ?? 0);
}

export type Check =
  | PassedCheck
  | {
      readonly kind: "refused";
      readonly reason: string;
      /** It is the original that cannot be checked: no other candidate will do better. */
      readonly isOfOriginal: boolean;
    };

/** Runs original and patched kernel of every distinct launch that the fix concerns, up to a number of them. */
export function* checkImprovement(
  context: SearchContext,
  { candidate, comparison, edits }: Improvement,
  { concern, originalMisaligns, isTouched }: TrialSubject,
): Generator<void, Check> {
  // A block that several kernels go by is another one for all of them.
  const concerned = comparison.pairs.filter(
    isTouched ?? (({ before }) => before.profile.accesses.some(concern(edits).before)),
  );
  const wavefronts = { before: 0, after: 0 };
  let inputSets = 0;
  let unfit = "no launch of the kernel can be run";
  for (const pair of distinct(concerned)) {
    yield;
    const original = runnable(pair.before);
    const patched = runnable(pair.after);
    if (original === null || patched === null)
      return { kind: "refused", reason: "the kernel cannot be run on the simulator", isOfOriginal: true };
    const mustRun = touchedIn(pair, concern(edits).before);
    const keptArguments = candidate.keptArguments ?? [];
    const { swappedAxes = null } = candidate;
    const originalRuns = context.work.runsOf(original.launch);
    const given: CheckPair = {
      original,
      patched,
      originalMisaligns,
      mustRun,
      keptArguments,
      swappedAxes,
      originalRuns,
    };
    const { stepsLeft } = context.work;
    if (stepsLeft === 0) return { kind: "refused", reason: context.work.whyOver, isOfOriginal: true };
    const result = yield* context.check(given, stepsLeft);
    context.work.spend(result.steps);
    if (result.kind === "not-checked" && pair.before.launch.origin.kind === "assumed") {
      // What does not run by itself is not the block that the kernel is for.
      unfit = result.reason;
      continue;
    }
    if (result.kind === "not-checked" && result.reason === tooManySteps && context.work.isSharedShort)
      return { kind: "refused", reason: context.work.whyOver, isOfOriginal: true };
    if (result.kind !== "checked")
      return { kind: "refused", reason: result.reason, isOfOriginal: result.kind === "not-checked" };
    wavefronts.before += result.wavefronts.before;
    wavefronts.after += result.wavefronts.after;
    inputSets = inputSets === 0 ? result.inputSets : Math.min(inputSets, result.inputSets);
  }
  if (inputSets === 0) return { kind: "refused", reason: unfit, isOfOriginal: true };
  if (comparison.open === null) return { kind: "checked", inputSets, cost: "predicted" };
  return wavefronts.after < wavefronts.before * (1 - leastGain)
    ? { kind: "checked", inputSets, cost: "counted" }
    : { kind: "refused", reason: `with it, ${comparison.open}`, isOfOriginal: false };
}

function touchedIn({ before }: LaunchPair, concerns: (access: AccessProfile) => boolean): SourceRange[] {
  return before.profile.accesses.filter((access) => concerns(access) && access.requests !== 0).map(rangeOf);
}

function rangeOf({ range }: AccessProfile): SourceRange {
  return range;
}

function runnable({
  program,
  launch,
}: LaunchPair["before"]): { program: Program; launch: LaunchPair["before"]["launch"] } | null {
  const made = program();
  return made === null ? null : { program: made, launch };
}

/** One launch of each instantiation and block shape, at most so many: each is another run. */
const mostPairs = 6;

function distinct(pairs: readonly LaunchPair[]): LaunchPair[] {
  const kept = new Map<string, LaunchPair>();
  for (const pair of pairs) {
    const { kernel, launch } = pair.before;
    const key = `${kernel.name}<${kernel.templateArguments.join()}>${launch.block.join()}`;
    if (!kept.has(key)) kept.set(key, pair);
  }
  return [...kept.values()].slice(0, mostPairs);
}
