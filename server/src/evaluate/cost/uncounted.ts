// Why an access has no totals over the launch, in a sentence for people.
import type { Coverage } from "../regions/coverage.ts";
import type { WhyUnknown } from "../values/mask.ts";
import type { LogEntry } from "./recorder.ts";
import type { Sums } from "./sums.ts";

/** Null where there are totals. What data decide comes first: neither a larger budget nor a known grid would settle that. */
export function whyUncounted(
  entries: readonly LogEntry[],
  { uncounted, isExact }: Sums,
  { isGridKnown, shortfall }: Coverage,
  isAll: boolean,
): WhyUnknown | null {
  if (uncounted?.dependsOnData) return howOften(uncounted);
  if (!isGridKnown) return notOfData("the grid is not known");
  if (shortfall !== null)
    return notOfData("the budget of the evaluation ended before all warps and trips were seen");
  if (!isAll) return notOfData("where it leads is not known of some of its executions");
  if (uncounted !== null) return howOften(uncounted);
  return isExact ? null : whatItDependsOn(entries);
}

function howOften({ reason, dependsOnData }: WhyUnknown): WhyUnknown {
  return { reason: `how often it is made depends on ${reason}`, dependsOnData };
}

/** Of requests whose cost is only known to lie between bounds. */
function whatItDependsOn(entries: readonly LogEntry[]): WhyUnknown {
  const names = new Set<string>();
  for (const { measurement } of entries) {
    if (measurement.kind !== "bounded") continue;
    if (measurement.dataReason !== null)
      return { reason: `what it costs depends on ${measurement.dataReason}`, dependsOnData: true };
    for (const { name } of measurement.pitches) names.add(name);
  }
  return notOfData(
    `what it costs depends on ${names.size > 0 ? [...names].join(", ") : "where its warps start"}`,
  );
}

function notOfData(reason: string): WhyUnknown {
  return { reason, dependsOnData: false };
}
