// The kernels that stand in a file, with what all translation units say of them.
import { isTried } from "../launches/launch.ts";
import { isMisfit } from "../rules/group.ts";
import type { KernelSummary } from "./analysis.ts";
import { mergedAcross } from "./kernel-launches.ts";
import type { KernelLaunch } from "./report.ts";
import type { UnitAnalysis } from "./unit.ts";

/** In the order of the text. A kernel of a header has the launches of every unit that launches it. */
export function kernelsIn(file: string, analyses: readonly UnitAnalysis[]): KernelSummary[] {
  const byPlace = new Map<number, KernelSummary>();
  for (const { kernels } of analyses) {
    for (const kernel of kernels) {
      if (kernel.nameRange.file !== file) continue;
      const known = byPlace.get(kernel.nameRange.start);
      byPlace.set(kernel.nameRange.start, known === undefined ? kernel : together(known, kernel));
    }
  }
  return [...byPlace.values()].map(fitting).sort((a, b) => a.nameRange.start - b.nameRange.start);
}

function together(a: KernelSummary, b: KernelSummary): KernelSummary {
  return {
    ...a,
    launches: withoutNeedlessAssumptions(mergedAcross([a.launches, b.launches])),
    gaps: [...new Set([...a.gaps, ...b.gaps])],
    isStale: a.isStale || b.isStale,
  };
}

/** Without assumed launches that the kernel is not made for, where it is for others: findings speak of these alone. */
function fitting(kernel: KernelSummary): KernelSummary {
  const launches = kernel.launches.filter(({ profile }) => !isMisfit(profile));
  const isAsItWas = launches.length === 0 || launches.length === kernel.launches.length;
  return isAsItWas ? kernel : { ...kernel, launches };
}

function withoutNeedlessAssumptions(launches: readonly KernelLaunch[]): readonly KernelLaunch[] {
  const found = launches.filter(({ profile }) => !isTried(profile.launch));
  return found.length > 0 ? found : launches;
}
