// Neighbouring scalar accesses of a thread that one aligned vector access can replace, where the compiler cannot do it itself.
import type { AccessProfile, Neighbours } from "../../evaluate/profile.ts";
import { globalFigure } from "../../hardware/figure.ts";
import { isScalar, sizeOf } from "../../ir/type.ts";
import { isAssumed } from "../../launches/launch.ts";
import type { AccessContext, JudgedContext, VectorEvidence } from "../finding.ts";
import { isCertain } from "../judge.ts";
import type { AccessRule } from "../rule.ts";

export const vectorizableAccess: AccessRule = {
  metadata: {
    id: "vectorizable-access",
    summary: "Neighbouring scalar accesses of a thread that one aligned vector access can replace.",
    defaultSeverity: "information",
  },
  check(group) {
    if (group.space !== "global") return null;
    const contexts: JudgedContext[] = [];
    let evidence: VectorEvidence | null = null;
    for (const context of group.contexts) {
      const found = vectorIn(context);
      // Under every launch, or the text cannot be what it should be.
      if (found === null) return null;
      contexts.push(judged(context, found));
      evidence ??= found;
    }
    const [worst] = contexts;
    if (worst === undefined || evidence === null) return null;
    return {
      kind: "access",
      rule: "vectorizable-access",
      severity: "information",
      range: group.range,
      worst,
      contexts,
      evidence,
    };
  },
};

/** Fewer sectors than these a vector are a broadcast or a tail: nothing worth a word. */
const leastSectorsOfVector = 4;

function judged(context: AccessContext, { before, after }: VectorEvidence): JudgedContext {
  return {
    ...context,
    figure: { cost: before, ideal: after },
    ratio: before / after,
    isExcessive: true,
  };
}

/** What would be gained in one context; null where that is nothing, or not sure. */
function vectorIn({ access, siblings, launch, kernel }: AccessContext): VectorEvidence | null {
  const { neighbours } = access;
  if (neighbours === null || isAssumed(launch) || !isOfScalars(access, neighbours)) return null;
  const base = launch.arguments[kernel.parameterNames.indexOf(neighbours.base)];
  if (base?.kind !== "pointer" || base.allocation.isAlignmentAssumed === true) return null;
  const { vectorBytes, elementBytes, ranges } = neighbours;
  const isAligned =
    base.allocation.alignmentBytes >= vectorBytes && Number(base.offsetBytes) % vectorBytes === 0;
  const members = membersOf(neighbours, access, siblings);
  if (!isAligned || members === null) return null;
  const vectorCount = (ranges.length * elementBytes) / vectorBytes;
  const ofVector = globalFigure({
    laneAddresses: windowOf(access, vectorBytes),
    bytes: vectorBytes,
    operation: access.operation,
  }).cost;
  const before = members.reduce((sum, member) => sum + (member.worst?.figure.cost ?? 0), 0);
  const after = ofVector * vectorCount;
  if (ofVector < leastSectorsOfVector || before < after * 2) return null;
  return {
    kind: "vector",
    elementCount: ranges.length,
    elementBytes,
    vectorBytes,
    vectorCount,
    before,
    after,
    base: neighbours.base,
  };
}

/** Members of a record are another matter: it may be declared aligned, or split. */
function isOfScalars({ target }: AccessProfile, { elementBytes }: Neighbours): boolean {
  let type = target?.type ?? null;
  while (type?.kind === "pointer" || type?.kind === "array")
    type = type.kind === "pointer" ? type.target : type.element;
  return type !== null && isScalar(type) && sizeOf(type) === elementBytes;
}

/** The profile of each neighbour, in their order; null where one is not known, or not by the same lanes. */
function membersOf(
  { ranges }: Neighbours,
  access: AccessProfile,
  siblings: readonly AccessProfile[],
): readonly AccessProfile[] | null {
  const members: AccessProfile[] = [];
  for (const range of ranges) {
    const member = siblings.find(
      ({ range: own, operation, space }) =>
        own.file === range.file &&
        own.start === range.start &&
        own.end === range.end &&
        operation === access.operation &&
        space === access.space,
    );
    if (member === undefined || !isAlike(member, access)) return null;
    members.push(member);
  }
  return members;
}

/** Its figure is sure and the same for every request, and the lanes are those of `access`. */
function isAlike(member: AccessProfile, access: AccessProfile): boolean {
  if (member.verdict.kind === "unknown" || !isCertain(member) || member.worst?.isUniform !== true)
    return false;
  const lanes = member.worst.laneAddresses;
  return lanes.every((address, lane) => (address === null) === (access.worst?.laneAddresses[lane] === null));
}

/** Where the vector of each lane begins that holds what the lane accesses now. */
function windowOf({ worst }: AccessProfile, vectorBytes: number): (number | null)[] {
  return (worst?.laneAddresses ?? []).map((address) =>
    address === null ? null : Math.floor(address / vectorBytes) * vectorBytes,
  );
}
