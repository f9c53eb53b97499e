// What the lanes of one request access, in words: the bank map for readers who see no picture.
import type { AccessProfile, RequestSample } from "../evaluate/profile.ts";
import { sharedPasses } from "../hardware/passes.ts";
import { bankBytes, bankCount } from "../rules/banks.ts";
import { usedBytesText } from "./access-words.ts";
import { countText, plural } from "./words.ts";

/** Runs and wavefronts that are told one by one; the rest is counted. */
const mostLines = 6;

/** Lines on the most expensive request of an access: where its lanes are, then which banks each wavefront serves. Empty where none is known. */
export function requestWords(access: AccessProfile): string[] {
  const { worst, space } = access;
  if (worst === null) return [];
  const lanes = laneRuns(worst).map(runText);
  if (space !== "shared") {
    const used = usedBytesText(access);
    return [...shortened(lanes), ...(used === null ? [] : [used])];
  }
  return [
    ...shortened(lanes),
    ...shortened(wavefrontTexts(worst, access)),
    ...busiestBankText(worst, access),
  ];
}

/** Neighbouring lanes whose addresses grow by one step. */
interface LaneRun {
  readonly first: number;
  last: number;
  readonly start: number;
  /** Null while the run is one lane. */
  step: number | null;
}

function laneRuns({ laneAddresses, movedBytes }: RequestSample): LaneRun[] {
  const runs: LaneRun[] = [];
  for (const [lane, address] of laneAddresses.entries()) {
    if (address === null) continue;
    const at = address + movedBytes;
    const run = runs.at(-1);
    const end = run === undefined ? null : run.start + (run.step ?? 0) * (run.last - run.first);
    if (
      run === undefined ||
      end === null ||
      run.last !== lane - 1 ||
      (run.step !== null && at - end !== run.step)
    ) {
      runs.push({ first: lane, last: lane, start: at, step: null });
      continue;
    }
    run.step = at - end;
    run.last = lane;
  }
  return runs;
}

/** "lanes 0-31: from byte 0, 128 bytes apart", "lane 3: byte 12". */
function runText({ first, last, start, step }: LaneRun): string {
  if (step === null || first === last) return `lane ${first}: byte ${countText(start)}`;
  if (step === 0) return `lanes ${first}-${last}: all at byte ${countText(start)}`;
  return `lanes ${first}-${last}: from byte ${countText(start)}, ${plural(step, "byte")} apart`;
}

/** "wavefronts 1-32: 1 lane each, 1 of 32 banks": neighbours that are alike together. */
function wavefrontTexts(
  { laneAddresses, partnerAddresses, figure }: RequestSample,
  access: AccessProfile,
): string[] {
  const { bytes, operation, variant } = access;
  const passes = sharedPasses({ laneAddresses, partnerAddresses, bytes, operation, variant });
  if (passes === null || passes.length !== figure.cost) return [];
  const groups: { first: number; last: number; text: string }[] = [];
  for (const [index, { lanes, cells }] of passes.entries()) {
    const banks = new Set(cells.map(({ bank }) => bank)).size;
    const text = `${plural(lanes.length, "lane")} on ${banks} of ${bankCount} banks`;
    const group = groups.at(-1);
    if (group?.text === text) group.last = index + 1;
    else groups.push({ first: index + 1, last: index + 1, text });
  }
  return groups.map(({ first, last, text }) =>
    first === last ? `wavefront ${first}: ${text}` : `wavefronts ${first}-${last}: ${text} each`,
  );
}

/** "bank 0 is asked for 32 different words": of accesses of at most a word, where a bank is asked for several. */
function busiestBankText({ laneAddresses }: RequestSample, { bytes }: AccessProfile): string[] {
  if (bytes > bankBytes) return [];
  const wordsOf = new Map<number, Set<number>>();
  for (const address of laneAddresses) {
    if (address === null) continue;
    const word = Math.floor(address / bankBytes);
    const bank = ((word % bankCount) + bankCount) % bankCount;
    wordsOf.set(bank, (wordsOf.get(bank) ?? new Set()).add(word));
  }
  const counts = [...wordsOf].map(([bank, words]) => ({ bank, count: words.size }));
  const most = Math.max(0, ...counts.map(({ count }) => count));
  if (most < 2) return [];
  const busiest = counts.filter(({ count }) => count === most);
  const [first] = busiest;
  const who = busiest.length === 1 ? `bank ${first?.bank} is` : `${busiest.length} banks are each`;
  return [`${who} asked for ${most} different words`];
}

function shortened(lines: readonly string[]): string[] {
  if (lines.length <= mostLines) return [...lines];
  return [...lines.slice(0, mostLines - 1), `${lines.length - mostLines + 1} more such lines`];
}
