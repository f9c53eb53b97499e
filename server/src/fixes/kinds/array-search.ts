// Fixes of an array's layout: pads and swizzles for all findings that its accesses have.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { AccessFinding } from "../../rules/finding.ts";
import { type Candidate, type Candidates, familyOf, refusal } from "../candidate.ts";
import { refusedAll, searchTarget, type TargetResult } from "../check/trials.ts";
import type { TrialSubject } from "../check/try.ts";
import type { LaunchedKernel } from "../fix.ts";
import { arrayOf, type DeclaredArray, goesTo } from "../text/arrays.ts";
import { movedRange } from "../text/edits.ts";
import { notAPointer } from "../text/reached.ts";
import type { TypedTexts } from "../text/typed-text.ts";
import { elementOf } from "../text/vectors.ts";
import type { SearchContext } from "../work.ts";
import { accessedName } from "./carved.ts";
import { carvedPadCandidates } from "./carved-pad.ts";
import { flattenedPadCandidates } from "./flattened-pad.ts";
import {
  indexSwizzleCandidates,
  type SwizzledPart,
  swizzledArray,
  swizzledPiece,
  swizzledReached,
} from "./index-swizzle.ts";
import { byShape, estimateOf, isCounted, layoutAsItIs, type ShapedAccesses } from "./layout.ts";
import { padCandidates, whoMayCountOnRows, whyRowsAreFixed } from "./pad.ts";
import { padParameterCandidates } from "./pad-parameter.ts";
import { countedPadCandidates, reachedArray, reachedPadCandidates } from "./reached-pad.ts";
import { scalarizeCandidates } from "./scalarize.ts";
import { reachedSpreadCandidates, spreadCandidates } from "./spread.ts";
import { swizzleCandidates } from "./swizzle.ts";
import { transposeCandidates } from "./transpose.ts";

/** Findings whose accesses go to one array of shared memory, or to one piece of an array that a kernel carves up. */
export interface ArraySubject {
  readonly findings: readonly AccessFinding[];
}

/** The findings of shared accesses, by array. */
export function arraySubjects(findings: readonly AccessFinding[]): ArraySubject[] {
  const subjects = new Map<string, AccessFinding[]>();
  for (const finding of findings) {
    const { access } = finding.worst;
    if (
      access.space !== "shared" ||
      finding.rule === "vectorizable-access" ||
      access.target?.type?.kind === "record"
    )
      continue;
    const range = access.target?.range;
    const key = range
      ? `${range.file}:${range.start}:${pieceOf(access) ?? ""}`
      : `${finding.range.file}:${finding.range.start}:`;
    const known = subjects.get(key);
    if (known === undefined) subjects.set(key, [finding]);
    else known.push(finding);
  }
  return [...subjects.values()].map((each) => ({ findings: each }));
}

/** The pointer through which an access reaches an array of dynamic shared memory; null where it goes by the array's own name. */
export function pieceOf({ target, expression }: AccessProfile): string | null {
  const isDynamic = target?.type?.kind === "array" && target.type.count === 0;
  const name = isDynamic ? accessedName(expression) : null;
  return name === target?.name ? null : name;
}

export function* searchArray(
  given: SearchContext,
  { findings }: ArraySubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const found = usesOf(given, findings, texts);
  if (typeof found === "string") return refusedAll(findings, found);
  const { context, used } = found;
  const faulting = findings.filter(({ rule }) => rule === "misaligned-vector-access");
  if (faulting.length === 0) return yield* searchLayout(context, used, findings, texts);
  const realigned = yield* searchAlignment(context, used, faulting);
  const others = findings.filter((finding) => !faulting.includes(finding));
  const { refusals } = refusedAll(others, "the kernel faults: the misaligned access comes first");
  return { fixes: realigned.fixes, refusals: [...realigned.refusals, ...refusals] };
}

/** Several arrays of a kernel that no longer rows help, swizzled alike in one edit: each alone would leave the others' loops as they are. */
export function* searchTogether(
  context: SearchContext,
  subjects: readonly ArraySubject[],
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const members = subjects.flatMap(({ findings }) => swizzledAlone(context, findings, texts) ?? []);
  // Two pieces under one name are one part.
  const parts = [...new Map(members.map(({ part }) => [part.name, part])).values()];
  if (parts.length < 2 || parts.some(({ typed }) => typed !== parts[0]?.typed))
    return { fixes: [], refusals: [] };
  const found = indexSwizzleCandidates(parts);
  const concerns = members.map(({ arrays, piece }) => trialSubject(arrays, "runs", piece).concern);
  return yield* searchTarget(context, {
    findings: members.flatMap(({ findings }) => findings),
    candidates: found.kind === "candidates" ? shortlist(found.candidates, null) : [],
    subject: {
      concern: (edits) => {
        const each = concerns.map((concern) => concern(edits));
        return {
          before: (access) => each.some(({ before }) => before(access)),
          after: (access) => each.some(({ after }) => after(access)),
          mustBeKnown: true,
        };
      },
      originalMisaligns: false,
    },
    otherwise: "no swizzle of all arrays together lowers the total",
  });
}

/** All pieces of dynamic shared memory changed alike in one edit, through whatever names they are reached. */
export function* searchCarved(
  given: SearchContext,
  { findings }: ArraySubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const found = usesOf(given, findings, texts);
  if (typeof found === "string") return refusedAll(findings, found);
  const { context, used } = found;
  return yield* searchCandidates(
    context,
    used,
    findings,
    candidatesOfNames(used.array, context.original.launches, texts),
  );
}

interface SwizzledAlone {
  readonly findings: readonly AccessFinding[];
  readonly arrays: readonly DeclaredArray[];
  readonly piece: string | null;
  readonly part: SwizzledPart;
}

/** Null where longer rows promise something, or the indices cannot be changed. */
function swizzledAlone(
  given: SearchContext,
  findings: readonly AccessFinding[],
  texts: TypedTexts,
): SwizzledAlone | null {
  const found = usesOf(given, findings, texts);
  if (typeof found === "string" || findings.some(({ rule }) => rule !== "shared-bank-conflict")) return null;
  const { array, uses } = found.used;
  const [piece = null] = findings.map(({ worst }) => pieceOf(worst.access));
  const layout = layoutCandidates(found.used, piece, found.context, texts);
  const { part, candidates, together } = layout;
  if (part === undefined || typeof part === "string") return null;
  const now = estimateOf(together?.uses ?? uses, () => layoutAsItIs)?.cost ?? null;
  const isPadded = shortlist(candidates, now).some(
    ({ kind, operations }) => kind === "pad" && operations === 0,
  );
  return isPadded ? null : { findings, arrays: together?.arrays ?? [array], piece, part };
}

/** The array that the findings are of, with all that accesses it; in words why it is not known. */
export function usesOf(
  given: SearchContext,
  findings: readonly AccessFinding[],
  texts: TypedTexts,
): { readonly context: SearchContext; readonly used: ArrayUses } | string {
  const [first] = findings;
  const lookup = first === undefined ? null : arrayOf(first.worst, texts);
  if (lookup === null) return "the array is not known";
  if (lookup.kind === "refused") return lookup.reason;
  const { array } = lookup;
  const context = withFittingBlocks(given, array);
  // What the others cost with the edit must be known, and no more than it has to be.
  const accesses = accessesTo(array, context);
  if (accesses.length === 0)
    return `the indices of ${array.name} leave its rows in every block that was assumed`;
  const uses = byShape(accesses);
  if (uses === null) return `the elements of ${array.name} are not known`;
  return { context, used: { array, accesses, uses } };
}

/** An array with everything that accesses it. */
interface ArrayUses {
  readonly array: DeclaredArray;
  readonly accesses: readonly AccessProfile[];
  readonly uses: readonly ShapedAccesses[];
}

/** Another layout that costs less. */
function* searchLayout(
  context: SearchContext,
  used: ArrayUses,
  findings: readonly AccessFinding[],
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const [piece = null] = findings.map(({ worst }) => pieceOf(worst.access));
  return yield* searchCandidates(
    context,
    used,
    findings,
    layoutCandidates(used, piece, context, texts),
    piece,
  );
}

function* searchCandidates(
  context: SearchContext,
  { array, uses }: ArrayUses,
  findings: readonly AccessFinding[],
  { candidates, otherwise, together = null }: LayoutCandidates,
  piece: string | null = null,
): Generator<void, TargetResult> {
  const sampledCost = estimateOf(together?.uses ?? uses, () => layoutAsItIs)?.cost ?? null;
  return yield* searchTarget(context, {
    findings,
    candidates: shortlist(candidates, sampledCost),
    sampledCost,
    subject: trialSubject(together?.arrays ?? [array], "runs", piece),
    suspicion: piece === null && whyRowsAreFixed(array) === null ? whoMayCountOnRows(array) : null,
    otherwise,
  });
}

/** Rows that begin on the boundary, or accesses of single elements. */
function* searchAlignment(
  context: SearchContext,
  { array, uses }: ArrayUses,
  findings: readonly AccessFinding[],
): Generator<void, TargetResult> {
  const pads = padCandidates(array, uses);
  // The first are the smallest.
  const rows = (pads.kind === "candidates" ? pads.candidates : []).map(
    (candidate): Candidate => ({ ...candidate, kind: "realign" }),
  );
  const results: TargetResult[] = [];
  for (const finding of findings) {
    const single = scalarizeCandidates(array, finding);
    results.push(
      yield* searchTarget(context, {
        findings: [finding],
        candidates: [
          ...rows.slice(0, triedRealignments),
          ...(single.kind === "candidates" ? single.candidates : []),
        ],
        subject: trialSubject([array], "faults"),
        otherwise: single.kind === "refused" ? single.reason : "the intended index is not known",
      }),
    );
  }
  return {
    fixes: results.flatMap(({ fixes }) => fixes),
    refusals: results.flatMap(({ refusals }) => refusals),
  };
}

/** Without launches that were assumed and in which an index is beyond its row: the kernel is not made for their blocks. */
function withFittingBlocks(context: SearchContext, array: DeclaredArray): SearchContext {
  const launches = context.original.launches.filter(
    ({ launch, profile }) =>
      launch.origin.kind !== "assumed" ||
      !profile.accesses.some((access) => goesTo(array, access) && leavesRows(access)),
  );
  return { ...context, original: { ...context.original, launches } };
}

function leavesRows({ target, columns, requests }: AccessProfile): boolean {
  const isOfRows = target?.type?.kind === "array" && target.type.element.kind === "array";
  return isOfRows && columns === null && requests !== 0;
}

function accessesTo(array: DeclaredArray, { original }: SearchContext): AccessProfile[] {
  return accessesIn(array, original.launches);
}

function accessesIn(array: DeclaredArray, launches: readonly LaunchedKernel[]): AccessProfile[] {
  return launches.flatMap(({ profile }) =>
    profile.accesses.filter((access) => goesTo(array, access) && isCounted(access)),
  );
}

/** What a fix of an array is judged by: its accesses, or those by the name of a piece of it. */
export function trialSubject(
  arrays: readonly DeclaredArray[],
  original: "runs" | "faults",
  piece: string | null = null,
): TrialSubject {
  const isOf = (declared: readonly Pick<DeclaredArray, "range">[]) => (access: AccessProfile) =>
    declared.some((each) => goesTo(each, access)) &&
    (piece === null || accessedName(access.expression) === piece);
  return {
    concern: (edits) => {
      const moved = arrays.map(({ range }) => ({ range: movedRange(range, edits) }));
      return {
        before: isOf(arrays),
        after: isOf(moved),
        mustBeKnown: original === "runs",
      };
    },
    originalMisaligns: original === "faults",
    mayRise: "concerned",
  };
}

interface LayoutCandidates {
  readonly candidates: readonly Candidate[];
  readonly otherwise: string;
  /** What a swizzle of its indices would change; in words why it cannot; left out where nothing else can be changed either. */
  readonly part?: SwizzledPart | string;
  /** Left out where the array is changed alone. */
  readonly together?: null | {
    readonly arrays: readonly DeclaredArray[];
    readonly uses: readonly ShapedAccesses[];
  };
}

function layoutCandidates(
  { array, uses }: ArrayUses,
  piece: string | null,
  context: SearchContext,
  texts: TypedTexts,
): LayoutCandidates {
  return piece === null
    ? candidatesFor(array, uses, context, texts)
    : candidatesOfPiece(array, piece, context, texts);
}

function candidatesFor(
  array: DeclaredArray,
  uses: readonly ShapedAccesses[],
  { original }: SearchContext,
  texts: TypedTexts,
): LayoutCandidates {
  if (whyRowsAreFixed(array) !== null) return candidatesOfNames(array, original.launches, texts);
  const pads = [
    padCandidates(array, uses),
    padParameterCandidates(array, original.launches, texts),
    flattenedPadCandidates(array, original.launches, texts),
  ];
  const swizzles = swizzleCandidates(array, uses);
  const transposed = transposeCandidates(array, uses);
  const part = swizzledArray(array, uses, original.launches);
  const spreads = spreadCandidates(array, uses, original.launches, texts);
  if (
    array.dimensions.length === 1 &&
    (array.rowLengths.length > 0 || pads.some(({ kind }) => kind === "refused"))
  )
    pads.push(countedPadCandidates(array, original.launches, texts));
  return {
    candidates: [...pads, transposed, swizzles, swizzlesOfPart(part), spreads].flatMap((each) =>
      each.kind === "candidates" ? each.candidates : [],
    ),
    otherwise: whyNone(array, uses, pads, swizzles),
    part,
  };
}

/** Of an array that is reached by pointers into it, or by functions that get it. */
function candidatesOfNames(
  array: DeclaredArray,
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): LayoutCandidates {
  const concerned = launches.filter(({ profile }) =>
    profile.accesses.some((access) => goesTo(array, access)),
  );
  const reached = reachedArray(array, concerned, texts);
  if (typeof reached === "string")
    return {
      candidates: [],
      otherwise: reached.endsWith(notAPointer) ? (whyRowsAreFixed(array) ?? reached) : reached,
    };
  const uses = byShape(reached.arrays.flatMap((each) => accessesIn(each, concerned))) ?? [];
  const part = swizzledReached(reached, uses, concerned);
  const found = [
    reachedPadCandidates(array, reached, concerned, texts),
    swizzlesOfPart(part),
    reachedSpreadCandidates(reached, uses, concerned, texts),
  ];
  const [reason = `no padding of ${array.name} lowers the total`] = found.flatMap((each) =>
    each.kind === "refused" ? [each.reason] : [],
  );
  return {
    candidates: found.flatMap((each) => (each.kind === "candidates" ? each.candidates : [])),
    otherwise: reason,
    together: { arrays: reached.arrays, uses },
    part,
  };
}

function candidatesOfPiece(
  array: DeclaredArray,
  piece: string,
  { original: { launches } }: SearchContext,
  texts: TypedTexts,
): LayoutCandidates {
  const part = swizzledPiece(array, piece, launches);
  const found = [carvedPadCandidates(array, piece, launches, texts), swizzlesOfPart(part)];
  const [reason = `no padding and no swizzle of ${piece} lowers the total`] = found.flatMap((each) =>
    each.kind === "refused" ? [each.reason] : [],
  );
  return {
    candidates: found.flatMap((each) => (each.kind === "candidates" ? each.candidates : [])),
    otherwise: reason,
    part,
  };
}

function swizzlesOfPart(part: SwizzledPart | string): Candidates {
  return typeof part === "string" ? refusal(part) : indexSwizzleCandidates([part]);
}

/** Records of so many bytes are moved whole. */
const mostWordsBytes = 8;

function whyNone(
  { name, dimensions }: DeclaredArray,
  uses: readonly ShapedAccesses[],
  pads: readonly Candidates[],
  swizzles: Candidates,
): string {
  const recordBytes = recordBytesOf(uses) ?? 0;
  if (recordBytes > mostWordsBytes && dimensions.length === 1)
    return `${name} holds records of ${recordBytes} bytes, which no other row length parts: an array for each of their members would`;
  const isTried = pads.some((each) => each.kind === "candidates" && each.candidates.length > 0);
  const [padReason] = pads.flatMap((each) => (each.kind === "refused" ? [each.reason] : []));
  if (padReason !== undefined && !isTried) return padReason;
  return swizzles.kind === "refused"
    ? `no padding of ${name} lowers the total, and ${swizzles.reason}`
    : `no padding and no swizzle of ${name} lowers the total`;
}

/** Of the elements that several members are accessed of; null where these are no records. */
function recordBytesOf(uses: readonly ShapedAccesses[]): number | null {
  const [first] = uses;
  const isOfRecords = uses.every(({ accesses }) =>
    accesses.every(({ target }) => elementOf(target?.type)?.kind === "record"),
  );
  return first !== undefined && isOfRecords ? first.shape.elementBytes : null;
}

/** The few of each kind that their samples speak for, best first: those that cost less than `now`, where that is a measure. */
export function shortlist(candidates: readonly Candidate[], now: number | null): Candidate[] {
  const cheaper = candidates.filter(
    ({ estimate }) => estimate === null || now === null || estimate.cost < now,
  );
  // What no sample speaks against comes first, and alone where there is any of it.
  const harmless = cheaper.filter(({ estimate }) => estimate?.risesSomewhere !== true);
  const kinds = new Map<string, Candidate[]>();
  for (const candidate of harmless.length > 0 ? harmless : cheaper) {
    const known = kinds.get(familyOf(candidate));
    if (known === undefined) kinds.set(familyOf(candidate), [candidate]);
    else known.push(candidate);
  }
  return [...kinds.values()].flatMap((each) =>
    each
      .toSorted((a, b) => costOf(a) - costOf(b) || a.operations - b.operations || growthOf(a) - growthOf(b))
      .slice(0, triedOfEachKind),
  );
}

function growthOf({ addedElements = 0 }: Candidate): number {
  return addedElements;
}

function costOf({ estimate }: Candidate): number {
  return estimate?.cost ?? Number.POSITIVE_INFINITY;
}

const triedOfEachKind = 3;
const triedRealignments = 3;
