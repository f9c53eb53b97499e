// Fixes in the definition of a record. One that nothing says the alignment of is moved member by member: `struct alignas(8) Complex { float re, im; }`
// is moved whole. One of an even number of words has its members in few banks: a word more brings them into all.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { type RecordType, sizeOf, type Type } from "../../ir/type.ts";
import type { AccessFinding } from "../../rules/finding.ts";
import type { Candidate } from "../candidate.ts";
import { type LaunchPair, totalOf } from "../check/compare.ts";
import { searchTarget, type TargetResult } from "../check/trials.ts";
import type { TrialSubject } from "../check/try.ts";
import type { FixGain, TextEdit } from "../fix.ts";
import { movedRange } from "../text/edits.ts";
import { alignedHead, type DeclaredRecord, recordNamed, withMember } from "../text/records.ts";
import { freshName } from "../text/statements.ts";
import { replaced, type TypedTexts } from "../text/typed-text.ts";
import { elementOf } from "../text/vectors.ts";
import type { SearchContext } from "../work.ts";

/** Findings whose arrays hold records of one type. */
export interface RecordSubject {
  readonly findings: readonly AccessFinding[];
  readonly record: RecordType;
}

/** The findings by each record that they may be mended with. */
export function recordSubjects(findings: readonly AccessFinding[]): RecordSubject[] {
  const subjects = new Map<string, { findings: AccessFinding[]; record: RecordType }>();
  for (const finding of findings) {
    if (finding.rule !== "uncoalesced-access" && finding.rule !== "shared-bank-conflict") continue;
    const { access } = finding.worst;
    for (const record of recordsIn(elementOf(access.target?.type))) {
      if (boundariesOf(record).length === 0 && access.space !== "shared") continue;
      const known = subjects.get(record.name);
      if (known === undefined) subjects.set(record.name, { findings: [finding], record });
      else known.findings.push(finding);
    }
  }
  return [...subjects.values()];
}

/** A record and those in it, outermost first. What it points to is elsewhere. */
function recordsIn(type: Type | null): RecordType[] {
  if (type?.kind === "array") return recordsIn(type.element);
  if (type?.kind !== "record") return [];
  return [type, ...type.fields.flatMap((field) => recordsIn(field.type))];
}

/**
 * Greater alignments that leave the record's size as it is, the widest first. None for members of several widths: nvcc leaves those apart
 * (`uint16_t` beside `uint8_t`, in its PTX).
 */
function boundariesOf(record: RecordType): number[] {
  const { sizeBytes, alignmentBytes } = record;
  if (new Set(scalarBytesIn(record)).size !== 1) return [];
  return [16, 8, 4].filter((bytes) => bytes > alignmentBytes && sizeBytes % bytes === 0);
}

function scalarBytesIn(type: Type): (number | null)[] {
  if (type.kind === "array") return scalarBytesIn(type.element);
  return type.kind === "record" ? type.fields.flatMap((field) => scalarBytesIn(field.type)) : [sizeOf(type)];
}

export function* searchRecord(
  context: SearchContext,
  { findings, record }: RecordSubject,
  texts: TypedTexts,
): Generator<void, TargetResult> {
  const declared = recordNamed(record.name, context.texts.keys(), texts);
  if (declared === null) return { fixes: [], refusals: [] };
  const candidates = [...alignedCandidates(declared, record), ...paddedCandidates(context, declared, record)];
  const spaces = new Set(findings.map(({ worst }) => worst.access.space));
  const { fixes } = yield* searchTarget(context, {
    findings,
    candidates,
    subject: recordSubject(record, spaces),
    otherwise: `${declared.name} costs no less with another layout`,
  });
  // Sectors and wavefronts have no sum.
  const own =
    spaces.size === 1 ? fixes : fixes.map((fix) => ({ ...fix, gain: { ...fix.gain, totals: null } }));
  // What the searches for other kinds say of the findings says more.
  return { fixes: own, refusals: [] };
}

function alignedCandidates(declared: DeclaredRecord, record: RecordType): Candidate[] {
  const { typed, keyToken, name } = declared;
  return boundariesOf(record).flatMap((bytes): Candidate[] => {
    const head = alignedHead(declared, bytes, fieldBytesOf(record));
    if (head === null) return [];
    return [
      {
        kind: "align",
        edits: [replaced(typed, { first: keyToken, end: keyToken + 1 }, head)],
        title: { kind: "align", record: name, bytes },
        safety: "suggestion",
        operations: 0,
        estimate: null,
      },
    ];
  });
}

/** A word more, where the record lies in no other memory than shared memory. */
function paddedCandidates(
  { original }: SearchContext,
  declared: DeclaredRecord,
  record: RecordType,
): Candidate[] {
  const { sizeBytes, alignmentBytes } = record;
  const isElsewhere = original.launches.some(({ profile }) =>
    profile.accesses.some(
      ({ space, target }) =>
        space !== "shared" &&
        space !== "local" &&
        recordsIn(elementOf(target?.type)).some(({ name }) => name === record.name),
    ),
  );
  if (isElsewhere || alignmentBytes !== wordBytes || sizeBytes % (2 * wordBytes) !== 0) return [];
  return [
    {
      kind: "pad",
      edits: [withMember(declared, `int ${freshName(declared.typed, "unused")};`)],
      title: { kind: "pad-record", record: declared.name, bytes: wordBytes },
      safety: "suggestion",
      operations: 0,
      estimate: null,
    },
  ];
}

const wordBytes = 4;

/** Of records whose members are all alike. */
function fieldBytesOf({ fields }: RecordType): number | null {
  const sizes = new Set(
    fields.map(({ type }) => (type.kind === "array" ? sizeOf(type.element) : sizeOf(type))),
  );
  return sizes.size === 1 ? ([...sizes][0] ?? null) : null;
}

function recordSubject(record: RecordType, spaces: ReadonlySet<AccessProfile["space"]>): TrialSubject {
  const isOf = (access: AccessProfile) =>
    spaces.has(access.space) &&
    recordsIn(elementOf(access.target?.type)).some(({ name }) => name === record.name);
  return {
    concern: () => ({ before: isOf, after: isOf }),
    originalMisaligns: false,
    figure: mergedFigure,
  };
}

/** What a request costs now, and what the accesses cost that it stands for; null where it is made no more. */
function mergedFigure(
  { before, after }: LaunchPair,
  edits: readonly TextEdit[],
  access: AccessProfile,
): FixGain["perRequest"] {
  const isAt = (range: AccessProfile["range"], moved: AccessProfile["range"]) =>
    range.file === moved.file && range.start === moved.start && range.end === moved.end;
  const own = movedRange(access.range, edits);
  const made = after.profile.accesses.filter(
    (each) =>
      each.operation === access.operation &&
      each.space === access.space &&
      [each.range, ...each.mergedRanges].some((range) => isAt(range, own)),
  );
  const ranges = made.flatMap(({ range, mergedRanges }) => [range, ...mergedRanges]);
  const parts = before.profile.accesses.filter(
    (each) =>
      each.operation === access.operation &&
      each.space === access.space &&
      ranges.some((range) => isAt(range, movedRange(each.range, edits))),
  );
  // Through a reference to a member nvcc knows no more of its place than what the member itself asks for.
  if (parts.some(({ expression }) => /^\w+$/.test(expression))) return null;
  const requests = made.reduce((sum, each) => sum + (each.requests ?? 1), 0);
  const costOf = (accesses: readonly AccessProfile[]) =>
    accesses.reduce((sum, each) => sum + (totalOf(each) ?? 0), 0) / requests;
  return requests === 0 ? null : { before: costOf(parts), after: costOf(made) };
}
