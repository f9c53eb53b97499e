// Fixes of what a thread has side by side in a tile of registers: one edit moves its columns in shared memory and in global memory.
import type { AccessFinding } from "../../rules/finding.ts";
import { searchTarget, type TargetResult } from "../check/trials.ts";
import { goesTo } from "../text/arrays.ts";
import { movedRange } from "../text/edits.ts";
import type { TypedTexts } from "../text/typed-text.ts";
import type { SearchContext } from "../work.ts";
import { kernelSubject } from "./kernel-subject.ts";
import { splitColumnsCandidates } from "./split-columns.ts";

/** The columns of a kernel's threads dealt out anew: judged by its global accesses, or by the shared array where only that conflicts. */
export function* searchColumns(
  context: SearchContext,
  findings: readonly AccessFinding[],
  texts: TypedTexts,
): Generator<void, TargetResult> {
  // What is stored speaks for more of the kernel than what is loaded from a tile.
  const ordered = findings
    .filter((finding) => isConflict(finding) || finding.rule === "uncoalesced-access")
    .sort((a, b) => Number(isConflict(a)) - Number(isConflict(b)));
  for (const finding of ordered) {
    const { kernel, access } = finding.worst;
    const range = access.target?.range ?? null;
    if (range === null) continue;
    const launches = context.original.launches.filter((each) => each.kernel.name === kernel.name);
    const found = splitColumnsCandidates(access, launches, texts);
    if (found.kind === "refused") continue;
    yield;
    const { concern } = kernelSubject(access, texts);
    const result = yield* searchTarget(context, {
      findings: [finding, ...ordered.filter((each) => each !== finding)],
      candidates: found.candidates,
      subject: isConflict(finding)
        ? {
            concern: (edits) => ({
              before: (each) => goesTo({ range }, each),
              after: (each) => goesTo({ range: movedRange(range, edits) }, each),
              mustBeKnown: true,
            }),
            originalMisaligns: false,
            mayRise: "concerned",
          }
        : { concern, originalMisaligns: false, mayRise: "others" },
      otherwise: "dealing out the columns of a thread anew would not pay",
    });
    if (result.fixes.length > 0) return result;
  }
  return { fixes: [], refusals: [] };
}

function isConflict({ rule }: AccessFinding): boolean {
  return rule === "shared-bank-conflict";
}
