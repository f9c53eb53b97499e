// Fixes that group neighbouring scalar accesses into one vector access.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { AccessFinding } from "../../rules/finding.ts";
import { costPerRequest } from "../check/compare.ts";
import { refusedAll, searchTarget, type TargetResult } from "../check/trials.ts";
import type { TrialSubject } from "../check/try.ts";
import type { TextEdit } from "../fix.ts";
import { goesTo } from "../text/arrays.ts";
import { movedRange } from "../text/edits.ts";
import type { TypedTexts } from "../text/typed-text.ts";
import type { VectorType } from "../text/vectors.ts";
import type { SearchContext } from "../work.ts";
import { type Neighbours, neighboursOf } from "./neighbours.ts";
import { vectorizeCandidates } from "./vectorize.ts";

/** Findings whose accesses are elements of one vector. */
export interface VectorSubject {
  readonly findings: readonly AccessFinding[];
  readonly neighbours: Neighbours;
}

/** The findings that have neighbours, by the vector's first element. */
export function vectorSubjects(findings: readonly AccessFinding[]): VectorSubject[] {
  const subjects = new Map<string, { findings: AccessFinding[]; neighbours: Neighbours }>();
  for (const finding of findings) {
    if (finding.rule === "misaligned-vector-access") continue;
    const neighbours = neighboursOf(finding.worst);
    const first = neighbours?.accesses[0];
    if (neighbours === null || first === undefined) continue;
    const key = `${first.range.file}:${first.range.start}:${neighbours.vector.name}`;
    const known = subjects.get(key);
    if (known === undefined) subjects.set(key, { findings: [finding], neighbours });
    else known.findings.push(finding);
  }
  return [...subjects.values()];
}

export function* searchVector(
  context: SearchContext,
  { findings, neighbours }: VectorSubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const found = vectorizeCandidates(neighbours, texts);
  if (found.kind === "refused") return refusedAll(findings, found.reason);
  return yield* searchTarget(context, {
    findings,
    candidates: found.candidates,
    subject: vectorSubject(neighbours),
    otherwise: "one vector access costs no less",
  });
}

function vectorSubject({ accesses, vector }: Neighbours): TrialSubject {
  const [first] = accesses;
  const range = first?.target?.range ?? { file: "", start: -1, end: -1 };
  const isOf = (target: typeof range) => (access: AccessProfile) =>
    goesTo({ range: target }, access) && access.operation === first?.operation;
  return {
    concern: (edits) => ({ before: isOf(range), after: isOf(movedRange(range, edits)) }),
    originalMisaligns: false,
    figure: ({ after }, edits) => {
      // What is stored may be a vector too, of another array.
      const isOfTarget = isOf(movedRange(range, edits));
      const made = after.profile.accesses.find(
        (access) => isOfTarget(access) && isMade(access, vector, edits),
      );
      const to = made === undefined ? null : costPerRequest(made);
      const from = accesses.reduce((sum, access) => sum + (costPerRequest(access) ?? 0), 0);
      return to === null ? null : { before: from, after: to };
    },
  };
}

/** The access that stands in what the first edit wrote. */
function isMade(
  { range, bytes }: AccessProfile,
  { elementBytes, elementCount }: VectorType,
  [edit]: readonly TextEdit[],
): boolean {
  return (
    edit !== undefined &&
    bytes === elementBytes * elementCount &&
    range.file === edit.file &&
    edit.start <= range.start &&
    range.end <= edit.start + edit.newText.length
  );
}
