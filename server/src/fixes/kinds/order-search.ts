// Fixes of uncoalesced accesses that change which thread does what: other axes, tiles of shared memory.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { AccessFinding } from "../../rules/finding.ts";
import type { Candidate } from "../candidate.ts";
import { accessAfter, costPerRequest, type LaunchPair, totalOf } from "../check/compare.ts";
import { refusedAll, searchTarget, type TargetResult } from "../check/trials.ts";
import type { TrialSubject } from "../check/try.ts";
import type { LaunchedKernel, TextEdit } from "../fix.ts";
import { goesAlongRows } from "../row-lanes.ts";
import { goesTo, goesToPointer } from "../text/arrays.ts";
import { movedRange } from "../text/edits.ts";
import type { TypedTexts } from "../text/typed-text.ts";
import type { SearchContext } from "../work.ts";
import { copyRunsCandidates } from "./copy-runs.ts";
import { kernelSubject } from "./kernel-subject.ts";
import { stageBlockCandidates, stagePartCandidates } from "./stage-block.ts";
import { stagePatchCandidates } from "./stage-patch.ts";
import { stageRowsCandidates } from "./stage-rows.ts";
import { stageRunsCandidates } from "./stage-runs.ts";
import { stageStrideCandidates } from "./stage-stride.ts";
import { stageTileCandidates } from "./stage-tile.ts";
import { stripeCandidates } from "./stripe.ts";
import { swapAxesCandidates } from "./swap-axes.ts";
import { type FindCandidates, seenThrough } from "./unfolded.ts";

/** The uncoalesced accesses of a kernel. */
export function* searchOrder(
  context: SearchContext,
  given: readonly AccessFinding[],
  texts: TypedTexts,
): Generator<void, TargetResult> {
  // Whole warps that take neighbouring elements can take them in no better order.
  const findings = given.filter(({ worst }) => !(goesAlongRows(worst) && worst.launch.block[0] >= lanes));
  const inOtherOrder = findings.filter(({ worst }) => !goesAlongRows(worst));
  const swapped = yield* searchTogether(context, inOtherOrder, texts);
  const results: TargetResult[] = [swapped];
  const isOpen = ({ range }: AccessFinding) =>
    !results.some(({ fixes }) => fixes.some(({ target }) => target.start === range.start));
  for (const own of byArray(findings)) {
    for (const finding of own)
      if (isOpen(finding))
        results.push(yield* searchRecords(context, [finding, ...own], texts, [copyRunsCandidates]));
    const open = own.filter(isOpen);
    if (open.length > 0) results.push(yield* searchRecords(context, open, texts, recordKinds));
  }
  const dealt: TargetResult[] = [];
  for (const finding of inOtherOrder) {
    const isDealt = dealt.some(({ fixes }) =>
      fixes.some(({ target }) => target.start === finding.range.start),
    );
    const result = isDealt ? null : yield* searchRun(context, finding, findings, texts);
    if (result === null) continue;
    dealt.push(result);
    // What a thread makes of its own run it uses in its other loops too.
    if (result.fixes.length === 0) break;
  }
  results.splice(1, 0, ...dealt);
  for (const finding of inOtherOrder)
    if (isOpen(finding)) results.push(yield* searchAlone(context, finding, { findings, texts }));
  for (const own of byArray(findings)) {
    const open = own.filter(isOpen);
    if (open.length > 0) results.unshift(yield* searchRecords(context, open, texts, [stagePartCandidates]));
  }
  return {
    fixes: results.flatMap(({ fixes }) => fixes),
    // What is said of one access alone says more.
    refusals: results.toReversed().flatMap(({ refusals }) => refusals),
  };
}

const lanes = 32;

/** By the array that is accessed. */
function byArray(findings: readonly AccessFinding[]): AccessFinding[][] {
  const arrays = new Map<string, AccessFinding[]>();
  for (const finding of findings) {
    const range = finding.worst.access.target?.range;
    const { name = "" } = finding.worst.access.target ?? {};
    const key = range ? `${range.file}:${range.start}:${name.includes(".") ? name : ""}` : "";
    const known = arrays.get(key);
    if (known === undefined) arrays.set(key, [finding]);
    else known.push(finding);
  }
  return [...arrays.values()];
}

const recordKinds = [stageBlockCandidates, stagePatchCandidates, stageStrideCandidates];

/** What changes all accesses to an array. */
function* searchRecords(
  context: SearchContext,
  findings: readonly AccessFinding[],
  texts: TypedTexts,
  kinds: readonly FindCandidates[],
): Generator<void, TargetResult> {
  const [first] = findings;
  if (first === undefined) return { fixes: [], refusals: [] };
  const { access } = first.worst;
  const launches = launchesOf(context, first);
  const results: TargetResult[] = [];
  for (const kind of kinds) {
    const found = seenThrough(kind, access, launches, texts);
    if (found.kind === "refused") {
      results.push(refusedAll(findings, found.reason));
      continue;
    }
    // One by one: a tile that is only stored to fails where some member is not, one that is filled before does not.
    for (const candidate of found.candidates) {
      const result = yield* searchTarget(context, {
        findings,
        candidates: [candidate],
        subject: arraySubject(access, loadsAndStores),
        otherwise: sectorsStay,
      });
      if (result.fixes.length > 0) return result;
      results.push(result);
    }
  }
  return { fixes: [], refusals: results.flatMap(({ refusals }) => refusals) };
}

/** What changes all accesses of the kernel at once. */
function* searchTogether(
  context: SearchContext,
  findings: readonly AccessFinding[],
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const [first] = findings;
  if (first === undefined) return { fixes: [], refusals: [] };
  const found = swapAxesCandidates(first.worst.access, launchesOf(context, first), texts);
  if (found.kind === "refused") return refusedAll(findings, found.reason);
  return yield* searchTarget(context, {
    findings,
    candidates: found.candidates,
    subject: { ...kernelSubject(first.worst.access, texts), objection: whyThreadsDiffer },
    otherwise: sectorsStay,
  });
}

/** Whatever axis they stand along, there are as many threads as before, but for the rest of a block at the end. */
function whyThreadsDiffer({ before, after }: LaunchPair): string | null {
  const [from, to] = [threadsOf(before), threadsOf(after)];
  const isSame = from.every((count, at) => {
    const other = to[at] ?? null;
    const rest = Math.max(...before.launch.block, ...after.launch.block);
    return count === null || other === null ? count === other : Math.abs(count - other) < rest;
  });
  return isSame ? null : "the grid does not follow the axes: other threads would take part";
}

/** Along each axis, the most first; null where the grid is not known. */
function threadsOf({ launch: { block, grid } }: LaunchedKernel): (number | null)[] {
  return grid
    .map((extent, axis) => (extent === null ? null : extent * (block[axis] ?? 1)))
    .sort((a, b) => (b ?? 0) - (a ?? 0));
}

/** What changes all accesses of a loop in which each thread goes along a run of its own; null where there is none. */
function* searchRun(
  context: SearchContext,
  finding: AccessFinding,
  findings: readonly AccessFinding[],
  texts: TypedTexts,
): Generator<void, TargetResult | null> {
  const { access } = finding.worst;
  const found = seenThrough(stripeCandidates, access, launchesOf(context, finding), texts);
  if (found.kind === "refused") return null;
  const { concern, originalMisaligns } = kernelSubject(access, texts);
  return yield* searchTarget(context, {
    findings,
    candidates: found.candidates,
    subject: { concern, originalMisaligns },
    otherwise: sectorsStay,
  });
}

const sectorsStay = "the sectors would not fall";

function* searchAlone(
  context: SearchContext,
  finding: AccessFinding,
  { findings, texts }: { readonly findings: readonly AccessFinding[]; readonly texts: TypedTexts },
): Generator<void, TargetResult> {
  const { access } = finding.worst;
  const launches = launchesOf(context, finding);
  const is2d = finding.worst.launch.block[1] > 1;
  const first = is2d
    ? seenThrough(stageTileCandidates, access, launches, texts)
    : seenThrough(stageRowsCandidates, access, launches, texts);
  const second = seenThrough(stageRunsCandidates, access, launches, texts);
  const results: TargetResult[] = [];
  for (const { found, subject } of [
    { found: first, subject: arraySubject(access, is2d ? [access.operation] : loadsAndStores) },
    { found: second, subject: runsSubject(access) },
  ]) {
    const result =
      found.kind === "refused"
        ? refusedAll([finding], found.reason)
        : yield* searchTarget(context, {
            findings: [
              finding,
              ...findings.filter((each) => each !== finding && isEdited(each, found.candidates)),
            ],
            candidates: found.candidates,
            subject,
            otherwise: sectorsStay,
          });
    if (result.fixes.length > 0) return result;
    results.push(result);
  }
  // Runs are what more loops have than rows.
  return { fixes: [], refusals: results.toReversed().flatMap(({ refusals }) => refusals) };
}

/** The access is written anew. */
function isEdited({ range }: AccessFinding, candidates: readonly Candidate[]): boolean {
  return candidates.some(({ edits }) =>
    edits.some(({ file, start, end }) => file === range.file && start === range.start && end > start),
  );
}

const loadsAndStores = ["load", "store"] as const;

function launchesOf({ original }: SearchContext, { worst }: AccessFinding): LaunchedKernel[] {
  return original.launches.filter((each) => each.kernel.name === worst.kernel.name);
}

/** The accesses of some kinds to one array, wherever they stand afterwards. */
function arraySubject(
  { target }: AccessProfile,
  operations: readonly AccessProfile["operation"][],
): TrialSubject {
  const range = target?.range ?? { file: "", start: -1, end: -1 };
  const name = target?.name ?? "";
  const isOf = (declared: typeof range) => (access: AccessProfile) =>
    access.space === "global" &&
    goesToPointer({ name, range: declared }, access) &&
    operations.includes(access.operation);
  return {
    concern: (edits) => ({ before: isOf(range), after: isOf(movedRange(range, edits)), keepsThreads: true }),
    originalMisaligns: false,
    mayRise: "others",
    figure: (pair, edits, access) => {
      const own = pair.before.profile.accesses.filter(isOf(range));
      const made = pair.after.profile.accesses.filter(isOf(movedRange(range, edits)));
      // What is left where it was gains nothing by what is made of others.
      const left = accessAfter(pair, access, edits);
      if (left !== null && isOf(movedRange(range, edits))(left)) return null;
      const figure = { before: worstOf(own), after: worstOf(made.filter((each) => isInEdit(each, edits))) };
      return figure.before === null || figure.after === null
        ? null
        : { before: figure.before, after: figure.after };
    },
  };
}

/** Short runs are copied in more requests than they were accessed in: what a request cost, and what now stands for it. */
function runsSubject(access: AccessProfile): TrialSubject {
  const subject = arraySubject(access, loadsAndStores);
  const range = access.target?.range ?? { file: "", start: -1, end: -1 };
  return {
    ...subject,
    figure: (pair, edits, own) => {
      const before = costPerRequest(own);
      const made = pair.after.profile.accesses.filter(
        (each) =>
          each.operation === own.operation &&
          goesTo({ range: movedRange(range, edits) }, each) &&
          isInEdit(each, edits),
      );
      const replaced = pair.before.profile.accesses.filter(
        (each) => each.operation === own.operation && goesTo({ range }, each) && isReplaced(each, edits),
      );
      const requests = replaced.reduce((sum, each) => sum + (each.requests ?? 0), 0);
      const total = made.reduce<number | null>((sum, each) => plus(sum, totalOf(each)), 0);
      return before === null || total === null || requests === 0 || made.length === 0
        ? null
        : { before, after: total / requests };
    },
  };
}

/** Begins where an edit writes something else. */
function isReplaced({ range }: AccessProfile, edits: readonly TextEdit[]): boolean {
  return edits.some(({ file, start, end }) => file === range.file && start === range.start && end > start);
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function worstOf(accesses: readonly AccessProfile[]): number | null {
  const costs = accesses.flatMap((each) => (each.requests === 0 ? [] : (costPerRequest(each) ?? [])));
  return costs.length === 0 ? null : Math.max(...costs);
}

/** Stands in what an edit wrote. */
function isInEdit({ range }: AccessProfile, edits: readonly TextEdit[]): boolean {
  return edits.some((edit) => {
    const { start } = movedRange(
      { file: edit.file, start: edit.start, end: edit.end },
      edits.filter((each) => each !== edit),
    );
    return range.file === edit.file && start <= range.start && range.end <= start + edit.newText.length;
  });
}
