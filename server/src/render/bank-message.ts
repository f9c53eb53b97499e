// Why lanes meet in banks, in words.
import { bankBytes, bankCount, groupSize } from "../rules/banks.ts";
import type { AccessFinding, BankEvidence } from "../rules/finding.ts";
import { allLanes, steadyStrideOf } from "../rules/stride.ts";
import type { Reason } from "./reason.ts";
import { countText, plural, verbOf } from "./words.ts";

/** "All 32 lanes read different rows of one bank: a row of tile is 32 words, the number of banks.", "Pad the row by one element." */
export function bankReason(finding: AccessFinding, evidence: BankEvidence): Reason {
  const { access } = finding.worst;
  if (access.operation === "async-copy") return { cause: `${copying(access)}.`, advice: "" };
  const scattered = evidence.mostInOneBank > 1 ? null : scatteredGroups(access);
  if (scattered !== null) return { cause: `${scattered}.`, advice: "" };
  const cause = rowCause(finding, evidence) ?? strideCause(finding);
  const colon = cause === null ? "" : `: ${cause}`;
  return {
    cause: `${meeting(evidence, verbOf(access.operation), access.bytes)}${colon}.`,
    advice: padAdvice(evidence.padElements),
  };
}

function meeting(evidence: BankEvidence, verb: string, bytes: number): string {
  const { wayCount, groupLaneCount, meetsByRow } = evidence;
  const lanes = lanesText(groupLaneCount, bytes);
  if (evidence.bankCount === 1) {
    const bank = bytes > bankBytes ? "the same banks" : "one bank";
    return `${lanes} ${verb} ${meetsByRow ? `different rows of ${bank}` : bank}`;
  }
  if (wayCount !== null && wayCount * evidence.bankCount === groupLaneCount && bytes <= bankBytes)
    return `The ${groupLaneCount} ${groupLaneCount === 32 ? "" : "active "}lanes ${verb} ${evidence.bankCount} banks, ${wayCount} ${meetsByRow ? "rows" : "words"} of each`;
  const most = wayCount ?? evidence.mostInOneBank;
  return `Up to ${most} lanes access different ${meetsByRow ? "row" : "word"}s of the same bank`;
}

/** docs/hardware.md: copies of 16 bytes past L1 move sectors as they lie, others meet in banks on either side. */
function copying({ variant, bytes }: AccessFinding["worst"]["access"]): string {
  if (bytes >= 16 && !/\.ca\b/.test(variant))
    return "One wavefront of a 16-byte copy past L1 brings parts of one 128-byte line to one 128-byte row of shared memory, each into the half of a sector that it comes from or each into the other";
  return "Lanes of a copy through L1 conflict in the banks of source and destination alike";
}

/** Where no lanes meet, it costs that few lanes of many groups take part: each group takes a wavefront of its own. */
function scatteredGroups({ worst, bytes }: AccessFinding["worst"]["access"]): string | null {
  const size = groupSize(bytes);
  if (worst === null || size === bankCount) return null;
  const lanes = worst.laneAddresses.flatMap((address, lane) => (address === null ? [] : [lane]));
  const groups = new Set(lanes.map((lane) => Math.floor(lane / size)));
  if (groups.size < 2 || groups.size !== worst.figure.cost) return null;
  const name = size === 8 ? "quarter-warps" : "half-warps";
  return `The ${plural(lanes.length, "active lane")} lie in ${groups.size} ${name}, each of which takes a wavefront of its own`;
}

function lanesText(count: number, bytes: number): string {
  if (bytes >= 16) return `The ${count} lanes of a quarter-warp`;
  if (bytes >= 8) return `The ${count} lanes of a half-warp`;
  return count === 32 ? "All 32 lanes" : `The ${count} active lanes`;
}

function rowCause({ worst }: AccessFinding, { row, meetsByRow }: BankEvidence): string | null {
  const name = worst.access.target?.name;
  if (!meetsByRow || row === null || name === undefined || row.bytes % bankBytes !== 0) return null;
  const words = row.bytes / bankBytes;
  return `a row of ${name} is ${plural(words, "word")}${comparedWithBanks(words)}`;
}

function comparedWithBanks(words: number): string {
  if (words === bankCount) return ", the number of banks";
  if (words % bankCount === 0) return `, ${words / bankCount} times the number of banks`;
  const period = bankCount / greatestCommonDivisor(words, bankCount);
  if (period === bankCount) return "";
  return `, so every ${ordinal(period)} row starts in the same bank`;
}

/** A step that not all lanes take may be free of conflict by itself: 17 words, say, that wrap around after 16 lanes. */
function strideCause({ worst: { access } }: AccessFinding): string | null {
  const bytes = access.worst === null ? null : (steadyStrideOf(access.worst, allLanes)?.bytes ?? null);
  if (bytes === null || bytes === 0) return null;
  const distance = Math.abs(bytes);
  if (distance % bankBytes !== 0) return `neighbouring lanes are ${plural(distance, "byte")} apart`;
  return `neighbouring lanes are ${plural(distance / bankBytes, "word")} apart`;
}

function padAdvice(elements: number | null): string {
  if (elements === null) return "";
  const count = Math.abs(elements);
  const by = count === 1 ? "one element" : `${countText(count)} elements`;
  return elements < 0 ? `Reduce the padding by ${by}.` : `Pad the row by ${by}.`;
}

function ordinal(count: number): string {
  return (
    ({ 2: "second", 4: "fourth", 8: "eighth", 16: "16th" } as Record<number, string>)[count] ?? `${count}th`
  );
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
