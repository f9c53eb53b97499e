// Padding that leaves bank conflicts, or takes the alignment from vector accesses, where another pad or a swizzle does better.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { AccessContext, JudgedContext, PaddingEvidence } from "../finding.ts";
import { areAssumed, isCertain } from "../judge.ts";
import {
  type Costs,
  costsNow,
  isSameArray,
  type Layout,
  layoutsOf,
  type PaddedArray,
  paddedArrayOf,
  sumOf,
  swizzledCosts,
} from "../layout.ts";
import type { AccessRule, Thresholds } from "../rule.ts";

export const ineffectivePadding: AccessRule = {
  metadata: {
    id: "ineffective-padding",
    summary:
      "Padding that does not remove the conflict, or costs alignment, where another pad or a swizzle does better.",
    defaultSeverity: "information",
  },
  check(group, thresholds) {
    if (group.space !== "shared") return null;
    const found = group.contexts.flatMap((context) => {
      const evidence = paddingIn(context, thresholds);
      return evidence === null ? [] : [{ context, evidence }];
    });
    if (areAssumed(group.contexts) && found.length < group.contexts.length) return null;
    const [first] = found.sort((a, b) => gainOf(b.evidence) - gainOf(a.evidence));
    const declaration = first?.context.access.target?.range ?? null;
    // One finding for the array: that of the access to it that stands first.
    if (first === undefined || declaration?.file !== group.range.file) return null;
    if (!isFirstOfArray(first.context)) return null;
    const contexts = found.map(({ context, evidence }) => judged(context, evidence));
    const [worst] = contexts;
    if (worst === undefined) return null;
    return {
      kind: "access",
      rule: "ineffective-padding",
      severity: "information",
      range: declaration,
      worst,
      contexts,
      evidence: first.evidence,
    };
  },
};

function gainOf({ now, better }: PaddingEvidence): number {
  return now - better.sum;
}

function isFirstOfArray({ access, siblings }: AccessContext): boolean {
  return siblings
    .filter((each) => isSameArray(each, access) && each.requests !== 0)
    .every(({ range }) => range.file === access.range.file && range.start >= access.range.start);
}

function judged(context: AccessContext, { now, better }: PaddingEvidence): JudgedContext {
  return {
    ...context,
    figure: { cost: now, ideal: better.sum },
    ratio: now / better.sum,
    isExcessive: true,
  };
}

function paddingIn({ access, siblings }: AccessContext, thresholds: Thresholds): PaddingEvidence | null {
  const array = paddedArrayOf(access, siblings);
  if (array === null || !array.accesses.every(isSure)) return null;
  const common = {
    kind: "padding",
    row: array.row,
    usedBytes: array.usedBytes,
    padElements: array.padElements,
    widestBytes: Math.max(...array.accesses.map(({ bytes }) => bytes)),
    operations: array.accesses.map(({ operation }) => operation),
  } as const;
  const before = costsNow(array);
  const isMisaligned = array.accesses.some(({ misaligned }) => misaligned?.isCertain === true);
  if (isMisaligned) {
    const aligned = bestOf(layoutsOf(array));
    if (aligned === null || array.row.bytes % common.widestBytes === 0) return null;
    return { ...common, isMisaligned, now: sumOf(before), better: betterOf(aligned) };
  }
  const better = betterThan(before, array);
  if (better === null || sumOf(before) < better.sum * thresholds.sharedWarning) return null;
  return { ...common, isMisaligned, now: sumOf(before), better };
}

function isSure(access: AccessProfile): boolean {
  return access.verdict.kind !== "unknown" && isCertain(access);
}

/** The layout that lowers the sum and makes no access dearer: a pad, or where only that does better, a swizzle. */
function betterThan(before: Costs, array: PaddedArray): PaddingEvidence["better"] | null {
  const isBetter = (costs: Costs) =>
    sumOf(costs) < sumOf(before) && costs.every((cost, index) => cost <= (before[index] ?? 0));
  const padded = bestOf(layoutsOf(array).filter(({ costs }) => isBetter(costs)));
  if (padded !== null) return betterOf(padded);
  const swizzled = swizzledCosts(array);
  if (swizzled === null || !isBetter(swizzled)) return null;
  return { padElements: null, costs: swizzled, sum: sumOf(swizzled) };
}

function betterOf({ padElements, costs }: Layout): PaddingEvidence["better"] {
  return { padElements, costs, sum: sumOf(costs) };
}

/** The cheapest; of equals the smallest. */
function bestOf(layouts: readonly Layout[]): Layout | null {
  return layouts.reduce<Layout | null>(
    (best, layout) => (best === null || sumOf(layout.costs) < sumOf(best.costs) ? layout : best),
    null,
  );
}
