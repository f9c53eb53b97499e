// Searches fixes for the findings of a kernel: candidates of every kind, ranked cheaply, analysed as text, then run on the simulator.
import type { AccessFinding } from "../rules/finding.ts";
import { refusedAll, type TargetResult } from "./check/trials.ts";
import type { Fix, FixContext, FixRefusal, FixSearchResult } from "./fix.ts";
import { arraySubjects, searchArray, searchCarved, searchTogether } from "./kinds/array-search.ts";
import { carvedSubjects, searchJointPads } from "./kinds/carved-search.ts";
import { searchColumns } from "./kinds/columns-search.ts";
import { launchSubjects, searchLaunch } from "./kinds/launch-search.ts";
import { otherThreads } from "./kinds/launch-shape.ts";
import { memberSubjects, searchMember } from "./kinds/member-search.ts";
import { searchOrder } from "./kinds/order-search.ts";
import { recordSubjects, searchRecord } from "./kinds/record-search.ts";
import { searchVector, vectorSubjects } from "./kinds/vector-search.ts";
import { goesAlongRows } from "./row-lanes.ts";
import { typedTexts } from "./text/typed-text.ts";
import { overTime, type SearchContext, Work } from "./work.ts";

/** Best fixes first. It yields often, so that who drives it can end it between any two steps. */
export function* searchFixes(given: FixContext): Generator<void, FixSearchResult> {
  const context: SearchContext = { ...given, work: new Work(given) };
  const texts = typedTexts(context.texts);
  const fixes: Fix[] = [];
  const refusals: FixRefusal[] = [];
  const add = (result: TargetResult) => {
    fixes.push(...result.fixes);
    refusals.push(...result.refusals);
    context.onReady(resultOf(context, { fixes, refusals }, overTime));
  };
  for (const subject of recordSubjects(context.findings)) {
    yield;
    add(yield* searchRecord(context, subject, texts));
  }
  for (const subject of memberSubjects(context.findings)) {
    yield;
    add(yield* searchMember(context, subject, texts));
  }
  const uncoalesced = context.findings.filter(({ rule }) => rule === "uncoalesced-access");
  if (uncoalesced.length > 0) context.work.keep(shareOfOrder);
  const arrays = arraySubjects(context.findings);
  yield;
  add(yield* searchTogether(context, arrays, texts));
  for (const subject of carvedSubjects(context.findings)) {
    yield;
    add(yield* searchJointPads(context, subject, texts));
  }
  for (const subject of arrays) {
    yield;
    if (subject.findings.every((finding) => isFixedBy(fixes, finding))) continue;
    add(yield* searchArray(context, subject, texts));
  }
  for (const { findings } of carvedSubjects(context.findings)) {
    yield;
    const left = findings.filter((finding) => !isFixedBy(fixes, finding));
    if (left.length > 0) add(yield* searchCarved(context, { findings: left }, texts));
  }
  for (const subject of vectorSubjects(context.findings)) {
    yield;
    add(yield* searchVector(context, subject, texts));
  }
  context.work.keep(0);
  yield;
  const open = context.findings.filter((finding) => !isFixedBy(fixes, finding));
  const columns = yield* searchColumns(context, open, texts);
  add(columns);
  yield;
  const others = uncoalesced.filter((finding) => !isFixedBy(columns.fixes, finding));
  add(yield* searchOrder(context, others, texts));
  for (const subject of launchSubjects(context.findings)) {
    yield;
    add(yield* searchLaunch(context, subject, texts));
  }
  add(
    refusedAll(
      others.filter(({ worst }) => goesAlongRows(worst)),
      "neighbouring threads already access neighbouring elements, in rows shorter than a warp",
    ),
  );
  return resultOf(context, { fixes, refusals }, "none of the edits that warplint tries applies here");
}

/** Of the steps, for uncoalesced accesses: a shared array may take all there are and get nothing. */
const shareOfOrder = 0.5;

/** With the reason for each finding that has no fix; `otherwise` where none was met. */
function resultOf(
  { findings }: FixContext,
  { fixes, refusals }: TargetResult,
  otherwise: string,
): FixSearchResult {
  return {
    fixes: [...fixes],
    refusals: findings
      .filter((finding) => !isFixedBy(fixes, finding))
      .map((finding) => shiftedRefusal(finding) ?? refusalOf(finding, refusals, otherwise))
      .sort((a, b) => a.target.start - b.target.start),
  };
}

function isFixedBy(fixes: readonly Fix[], { rule, range }: AccessFinding): boolean {
  return fixes.some(({ rule: other, target }) => rule === other && isSamePlace(range, target));
}

/** Of an access that costs more for where its rows begin alone: no order of threads would mend it. */
function shiftedRefusal({ rule, range, worst }: AccessFinding): FixRefusal | null {
  const { bytes, worst: sample } = worst.access;
  if (rule !== "uncoalesced-access" || sample === null || bytes >= sectorBytes) return null;
  const addresses = sample.laneAddresses.flatMap((address) => address ?? []);
  const breaks = addresses.filter((address, at) => at > 0 && address - (addresses[at - 1] ?? 0) !== bytes);
  const [columns] = worst.launch.block;
  const isShifted = (addresses[0] ?? 0) % sectorBytes !== 0;
  const isByNeighbours = addresses.length > 1 && columns >= lanes && breaks.length === 0 && isShifted;
  const elements = sectorBytes / bytes;
  return isByNeighbours
    ? {
        rule,
        target: range,
        reason: `neighbouring threads already access neighbouring elements, but start off a ${sectorBytes}-byte boundary. Use a row pitch that is a multiple of ${elements} elements (cudaMallocPitch); a shifted index needs a tile with a halo`,
      }
    : null;
}

const sectorBytes = 32;
const lanes = 32;

function refusalOf(
  { rule, range }: AccessFinding,
  refusals: readonly FixRefusal[],
  otherwise: string,
): FixRefusal {
  const own = refusals.filter((each) => each.rule === rule && isSamePlace(each.target, range));
  const known = own.find((each) => each.reason !== otherThreads) ?? own[0];
  const reason = rule === "misaligned-vector-access" ? "the intended index is not known" : otherwise;
  return known ?? { rule, target: range, reason };
}

function isSamePlace(a: AccessFinding["range"], b: AccessFinding["range"]): boolean {
  return a.file === b.file && a.start === b.start && a.end === b.end;
}
