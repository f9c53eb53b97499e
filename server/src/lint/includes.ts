// Headers that are not found, as far as somebody should be told.
import { isKnownLibrary } from "../preprocess/headers.ts";
import type { MissingInclude } from "../preprocess/preprocessed.ts";
import type { UnitAnalysis } from "./unit.ts";

/** Those that `file` includes, each once. One in angles counts where something is not known that it may declare. */
export function missingIncludesIn(
  file: string,
  analyses: readonly UnitAnalysis[],
): readonly MissingInclude[] {
  const found = new Map<string, MissingInclude>();
  for (const analysis of analyses)
    for (const missing of analysis.unit.missingIncludes) {
      if (missing.range.file !== file || found.has(missing.name) || isKnownLibrary(missing.name)) continue;
      if (missing.kind === "quoted" || hasUnknowns(analysis)) found.set(missing.name, missing);
    }
  return [...found.values()];
}

/** Whether an access is not known, and for another reason than data. */
function hasUnknowns({ profiles }: UnitAnalysis): boolean {
  return profiles.some(({ profile }) =>
    profile.accesses.some(({ verdict }) => verdict.kind === "unknown" && !verdict.dependsOnData),
  );
}
