// Fixes of arrays that are members of a struct in shared memory: longer rows where the struct declares them, swizzles of what is mentioned
// under their name alone.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { RecordType } from "../../ir/type.ts";
import type { AccessFinding } from "../../rules/finding.ts";
import type { SourceRange } from "../../text/source.ts";
import { type Candidates, refusal } from "../candidate.ts";
import { refusedAll, searchTarget, type TargetResult } from "../check/trials.ts";
import type { Fix, FixRefusal, LaunchedKernel } from "../fix.ts";
import type { DeclaredArray } from "../text/arrays.ts";
import { type ArrayField, declaredMember, fieldHolding } from "../text/members.ts";
import type { TypedTexts } from "../text/typed-text.ts";
import { elementOf } from "../text/vectors.ts";
import type { SearchContext } from "../work.ts";
import { shortlist, trialSubject } from "./array-search.ts";
import { flattenedPadCandidates } from "./flattened-pad.ts";
import { byShape, estimateOf, layoutAsItIs, type ShapedAccesses } from "./layout.ts";
import { padCandidates, whyRowsAreFixed } from "./pad.ts";
import { spreadCandidates } from "./spread.ts";
import { swizzleCandidates } from "./swizzle.ts";
import { transposeCandidates } from "./transpose.ts";

/** Findings whose accesses go to one struct or union in shared memory. */
export interface MemberSubject {
  readonly findings: readonly AccessFinding[];
  readonly variable: RecordVariable;
}

interface RecordVariable {
  readonly name: string;
  readonly range: SourceRange;
  readonly record: RecordType;
}

export function memberSubjects(findings: readonly AccessFinding[]): MemberSubject[] {
  const subjects = new Map<string, { variable: RecordVariable; findings: AccessFinding[] }>();
  for (const finding of findings) {
    const { access } = finding.worst;
    const variable = recordVariableOf(access);
    if (variable === null || finding.rule === "vectorizable-access") continue;
    const key = `${variable.range.file}:${variable.range.start}`;
    const known = subjects.get(key);
    if (known === undefined) subjects.set(key, { variable, findings: [finding] });
    else known.findings.push(finding);
  }
  return [...subjects.values()];
}

/** The struct that an access goes to; null where it goes to something else. */
function recordVariableOf({ space, target }: AccessProfile): RecordVariable | null {
  return space === "shared" && target?.range != null && target.type?.kind === "record"
    ? { name: target.name, range: target.range, record: target.type }
    : null;
}

/** Member after member, those with findings. */
export function* searchMember(
  context: SearchContext,
  { findings, variable }: MemberSubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  if (liesElsewhere(context, variable))
    return refusedAll(
      findings,
      `${variable.record.name} lies in other memory as well, with the layout that it has`,
    );
  const byField = new Map<string, { field: ArrayField; findings: AccessFinding[] }>();
  const fixes: Fix[] = [];
  const refusals: FixRefusal[] = [];
  for (const finding of findings) {
    const field = fieldOf(finding.worst.access, variable);
    if (field === null) {
      refusals.push(
        ...refusedAll([finding], `which member of ${variable.name} is accessed is not known`).refusals,
      );
      continue;
    }
    const key = `${field.name} ${field.offsetBytes}`;
    const known = byField.get(key);
    if (known === undefined) byField.set(key, { field, findings: [finding] });
    else known.findings.push(finding);
  }
  for (const each of byField.values()) {
    yield;
    const found = yield* searchField(context, variable, each, texts);
    fixes.push(...found.fixes);
    refusals.push(...found.refusals);
  }
  return { fixes, refusals };
}

/** Whether the record is in memory that the host, or another kernel, knows the layout of. */
function liesElsewhere({ original }: SearchContext, { record }: RecordVariable): boolean {
  return original.launches.some(({ profile }) =>
    profile.accesses.some(({ space, target }) => {
      const element = elementOf(target?.type);
      return (
        space !== "shared" && space !== "local" && element?.kind === "record" && element.name === record.name
      );
    }),
  );
}

/** The member that holds all lanes of the dearest request. */
function fieldOf({ worst, bytes, expression }: AccessProfile, { record }: RecordVariable): ArrayField | null {
  if (worst === null) return null;
  const lanes = worst.laneAddresses.flatMap((address) =>
    address === null ? [] : [address + worst.movedBytes],
  );
  if (lanes.length === 0) return null;
  return fieldHolding(record, [Math.min(...lanes), Math.max(...lanes) + bytes - 1], expression);
}

function* searchField(
  context: SearchContext,
  variable: RecordVariable,
  { field, findings }: { readonly field: ArrayField; readonly findings: readonly AccessFinding[] },
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const declared = declaredMember(field.record.name, field.name, context.texts.keys(), texts);
  if (declared === null)
    return refusedAll(
      findings,
      `${field.name} of ${field.record.name} is not declared under this name in the text`,
    );
  const array: DeclaredArray = {
    ...declared,
    name: field.name,
    range: variable.range,
    storage: "static",
    rowLengths: [],
  };
  const launches = context.original.launches.map((launched) => ofField(launched, variable, field));
  const accesses = launches.flatMap(({ profile }) =>
    profile.accesses.filter(({ target }) => target?.range === variable.range),
  );
  const uses = byShape(accesses) ?? [];
  const found = candidatesOf(array, declared.isOnlyOfName, uses, launches, texts);
  const [reason = `no padding of ${field.name} lowers the total`] = found.flatMap((each) =>
    each.kind === "refused" ? [each.reason] : [],
  );
  const sampledCost = estimateOf(uses, () => layoutAsItIs)?.cost ?? null;
  return yield* searchTarget(context, {
    findings,
    candidates: shortlist(
      found.flatMap((each) => (each.kind === "candidates" ? each.candidates : [])),
      sampledCost,
    ),
    sampledCost,
    subject: trialSubject([array], "runs"),
    otherwise: reason,
  });
}

function candidatesOf(
  array: DeclaredArray,
  isOnlyOfName: boolean,
  uses: readonly ShapedAccesses[],
  launches: readonly LaunchedKernel[],
  texts: TypedTexts,
): Candidates[] {
  const reason = whyRowsAreFixed(array);
  if (reason !== null) return [refusal(reason)];
  const pads = padCandidates(array, uses);
  if (!isOnlyOfName)
    return array.dimensions.length > 1
      ? [pads]
      : [refusal(`${array.name} is the name of something else as well`)];
  return [
    pads,
    transposeCandidates(array, uses),
    swizzleCandidates(array, uses),
    flattenedPadCandidates(array, launches, texts),
    spreadCandidates(array, uses, launches, texts),
  ];
}

/** A launch with the accesses to the member as if it were an array by itself, and without those to other members. */
function ofField(launched: LaunchedKernel, variable: RecordVariable, field: ArrayField): LaunchedKernel {
  const accesses = launched.profile.accesses.flatMap((access): AccessProfile[] => {
    const { target, worst, expression } = access;
    const { range } = variable;
    if (target?.range?.file !== range.file || target.range.start !== range.start) return [access];
    const own = fieldOf(access, variable);
    if (worst === null || own?.offsetBytes !== field.offsetBytes || own.name !== field.name) return [];
    const name = /^[^[]*/.exec(expression)?.[0] ?? field.name;
    return [
      {
        ...access,
        target: { ...target, range, name, type: field.type },
        worst: { ...worst, movedBytes: worst.movedBytes - field.offsetBytes },
      },
    ];
  });
  return { ...launched, profile: { ...launched.profile, accesses } };
}
