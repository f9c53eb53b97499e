// Global accesses that touch more 32-byte sectors than the bytes they move need.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import type { AccessContext, SectorEvidence } from "../finding.ts";
import { figureOf, judge } from "../judge.ts";
import type { AccessRule } from "../rule.ts";
import { runsOf } from "../runs.ts";
import { allLanes, steadyStrideOf } from "../stride.ts";

export const uncoalescedAccess: AccessRule = {
  metadata: {
    id: "uncoalesced-access",
    summary: "Excess sectors of a global load, store or atomic.",
    defaultSeverity: "warning",
  },
  check(group, thresholds) {
    if (group.space !== "global") return null;
    const judgement = judge(
      group,
      (ratio, excessSectors) => {
        // One sector more than needed is what a row that starts off its boundary costs.
        if (ratio >= thresholds.globalWarning && excessSectors > 1) return "warning";
        return ratio >= thresholds.globalInformation ? "information" : null;
      },
      thresholds,
    );
    if (judgement === null) return null;
    return {
      kind: "access",
      rule: "uncoalesced-access",
      range: group.range,
      ...judgement,
      evidence: evidenceOf(judgement.worst),
    };
  },
};

function evidenceOf({ access, siblings, launch }: AccessContext): SectorEvidence {
  const activeLanes = (access.worst?.laneAddresses ?? []).filter((address) => address !== null).length;
  const others = siblings.filter((sibling) => sibling.space === "global" && !isSameAccess(sibling, access));
  const areOthersIdeal = others.length === 0 ? null : others.every(isIdeal);
  // A few lanes close to each other may lie in a sector each, in the worst of the requests: that is no rule.
  const isOneLaneASector =
    activeLanes > 1 &&
    access.worst?.figure.cost === activeLanes * sectorsOfLane(access.bytes) &&
    Math.abs(access.worst.laneStride?.bytes ?? sectorBytes) >= sectorBytes;
  // Lanes that go down a column open a sector each; those that share one walk over records.
  const isTransposed = launch.block[1] > 1 && areOthersIdeal === true && isOneLaneASector;
  return {
    kind: "sectors",
    isOneLaneASector,
    areOthersIdeal,
    advice: adviceOf(access, siblings, isTransposed),
  };
}

const sectorBytes = 32;

function sectorsOfLane(bytes: number): number {
  return Math.max(1, bytes / sectorBytes);
}

function isSameAccess(a: AccessProfile, b: AccessProfile): boolean {
  return a.range.file === b.range.file && a.range.start === b.range.start && a.range.end === b.range.end;
}

function isIdeal(access: AccessProfile): boolean {
  const figure = figureOf(access);
  return figure !== null && figure.cost <= figure.ideal * idealTolerance;
}

/** A row that starts off its boundary still counts as coalesced where others are compared with it. */
const idealTolerance = 1.25;

/** What would help, as far as the access and the others of the kernel show. */
function adviceOf(
  access: AccessProfile,
  siblings: readonly AccessProfile[],
  isTransposed: boolean,
): SectorEvidence["advice"] {
  const type = access.target?.type;
  const pointed = type?.kind === "pointer" ? type.target : type?.kind === "array" ? type.element : type;
  const isPart =
    pointed?.kind === "record" && access.bytes < pointed.sizeBytes && access.bytes >= narrowestIn(pointed);
  if (isPart && access.worst?.laneStride?.bytes === pointed.sizeBytes) return "split-records";
  const size = pointed?.kind === "integer" ? sizeOf(pointed) : null;
  if (size !== null && access.bytes < size && access.worst?.laneStride?.bytes === size)
    return "narrow-elements";
  if (isWholeWithSiblings(access, siblings)) return "widen";
  // Lanes that lie in rows are as they should be: what costs is where the rows start.
  if (isInRows(access)) return null;
  return isTransposed ? "stage-tile" : "reorder-lanes";
}

/** Bytes of the narrowest number in a value of `type`: what takes fewer reads it as something that it is not. */
function narrowestIn(type: Type): number {
  if (type.kind === "record") return Math.min(...type.fields.map((field) => narrowestIn(field.type)));
  if (type.kind === "array") return narrowestIn(type.element);
  return sizeOf(type) ?? 1;
}

/** Whether lanes lie one behind the other in rows of at least four. */
function isInRows({ worst, bytes }: AccessProfile): boolean {
  if (worst === null) return false;
  const runs = runsOf(worst, bytes);
  const sum = runs.reduce((before, run) => before + run.bytes, 0);
  return sum >= runs.length * fewestInRow * bytes;
}

const fewestInRow = 4;
const widestAccessBytes = 16;

/** Whether accesses like this one take, lane by lane, all that lies between one lane's address and the next. */
function isWholeWithSiblings(access: AccessProfile, siblings: readonly AccessProfile[]): boolean {
  const stepBytes = stepOf(access);
  if (stepBytes === null || stepBytes <= access.bytes) return false;
  if (stepBytes > widestAccessBytes || widestAccessBytes % stepBytes !== 0) return false;
  const places = new Set<number>();
  for (const sibling of siblings) {
    const first = sibling.worst?.laneAddresses.find((address) => address !== null);
    if (first == null || stepOf(sibling) !== stepBytes || sibling.bytes !== access.bytes) continue;
    if (sibling.operation !== access.operation || sibling.space !== access.space) continue;
    if (sibling.target?.name === access.target?.name) places.add(first % stepBytes);
  }
  return places.size * access.bytes === stepBytes;
}

function stepOf({ worst }: AccessProfile): number | null {
  return worst === null ? null : (steadyStrideOf(worst, allLanes)?.bytes ?? null);
}
