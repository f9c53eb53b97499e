// Vector accesses whose address is no multiple of their width in some lane: the kernel faults there.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { rowOf } from "../banks.ts";
import type { AccessContext, JudgedContext, MisalignmentEvidence } from "../finding.ts";
import { areAssumed, figureOf } from "../judge.ts";
import type { AccessRule } from "../rule.ts";

export const misalignedVectorAccess: AccessRule = {
  metadata: {
    id: "misaligned-vector-access",
    summary: "A vector access whose address is not a multiple of its width in some lane: the kernel faults.",
    defaultSeverity: "error",
  },
  check(group) {
    if (!group.contexts.some(({ access }) => faults(access))) return null;
    const contexts = group.contexts.map(judgeContext).sort((a, b) => b.ratio - a.ratio);
    const excessive = contexts.filter((context) => context.isExcessive);
    const [worst] = excessive;
    if (worst === undefined) return null;
    if (areAssumed(contexts) && excessive.length < contexts.length) return null;
    return {
      kind: "access",
      rule: "misaligned-vector-access",
      severity: "error",
      range: group.range,
      worst,
      contexts,
      evidence: evidenceOf(worst),
    };
  },
};

/** The ratio orders contexts by how many lanes fault. */
function judgeContext(context: AccessContext): JudgedContext {
  const { access } = context;
  const isExcessive = faults(access);
  return {
    ...context,
    figure: figureOf(access) ?? { cost: 0, ideal: 0 },
    ratio: access.misaligned?.lanes ?? 0,
    isExcessive,
  };
}

function faults({ misaligned, perRequest }: AccessProfile): boolean {
  return misaligned?.isCertain === true && perRequest !== null;
}

function evidenceOf({ access }: AccessContext): MisalignmentEvidence {
  const addresses = (access.worst?.laneAddresses ?? []).filter((address) => address !== null);
  const offsets = new Set(addresses.map((address) => address % access.bytes));
  return {
    kind: "misalignment",
    variesByLane: offsets.size > 1,
    row: rowOf(access.target?.type ?? null),
    laneStepBytes: usualStep(access.worst?.laneAddresses ?? []),
  };
}

/** The step that more than half of the neighbouring lanes take. */
function usualStep(laneAddresses: readonly (number | null)[]): number | null {
  const counts = new Map<number, number>();
  let pairs = 0;
  for (let lane = 1; lane < laneAddresses.length; lane++) {
    const [before, here] = [laneAddresses[lane - 1], laneAddresses[lane]];
    if (before == null || here == null) continue;
    pairs++;
    counts.set(here - before, (counts.get(here - before) ?? 0) + 1);
  }
  for (const [step, count] of counts) if (count * 2 > pairs) return step;
  return null;
}
