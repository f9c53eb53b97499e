// Why a figure is not known, in words, and between what it must lie.
import type { AccessProfile } from "../evaluate/profile.ts";
import { sharedFigure } from "../hardware/figure.ts";
import { laneCount, wavefrontBytes } from "../hardware/request.ts";
import { sizeOf } from "../ir/type.ts";
import { isSentence, saysDependence } from "../rules/reason.ts";
import { nounOf } from "./access-words.ts";
import { averageText, countText } from "./words.ts";

/** Whether it is data (what memory holds, or an atomic returned) that decide, so that nothing in the source could settle it. */
export function dependsOnData(reason: string): boolean {
  if (isSentence(reason)) return / data\b/.test(reason) || saysDependence(reason);
  return isLoaded(reason) || isCall(reason);
}

/** "Not known: hist is indexed by data[i], a value loaded from memory." */
export function unknownText({ target, operation }: AccessProfile, reason: string): string {
  if (isSentence(reason)) return `Not known: ${reason}.`;
  const what = target === null ? `the address of this ${operation.replace("-", " ")}` : target.name;
  const verb = target === null ? "comes from" : "is indexed by";
  return `Not known: ${what} ${verb} ${reason}${kindOf(reason)}.`;
}

/** "2 to 8 sectors a request, 1 to 4 ideal.": the bounds that hold whatever the data are; null where there are none. */
export function knownBoundsText(access: AccessProfile): string | null {
  const { perRequest } = access;
  if (perRequest === null) return null;
  const { least, most } = perRequest;
  const noun = least.cost === most.cost && least.cost === 1 ? nounOf(access) : `${nounOf(access)}s`;
  return `${spanText(least.cost, most.cost)} ${noun} a request, ${spanText(least.ideal, most.ideal)} ideal.`;
}

function spanText(a: number, b: number): string {
  return a === b ? averageText(a) : `${averageText(Math.min(a, b))} to ${averageText(Math.max(a, b))}`;
}

/** "1 to 32 wavefronts a request.": what the least and the dearest pattern of a whole warp cost. */
export function possibleCostText(access: AccessProfile): string | null {
  const [least, most] = extremesOf(access);
  if (most <= least) return null;
  return `${countText(least)} to ${countText(most)} ${nounOf(access)}s a request.`;
}

function kindOf(reason: string): string {
  if (isCall(reason)) return `, which ${/^(\w+)/.exec(reason)?.[1] ?? "a call"} returns`;
  if (isLoaded(reason)) return ", a value loaded from memory";
  return ", whose value is unknown here";
}

/** "data[i]", "p->next", "*bits", "m.offsets[row]". */
function isLoaded(reason: string): boolean {
  return /\]|->|^\*/.test(reason) || /\]\.\w+$/.test(reason);
}

function isCall(reason: string): boolean {
  return /^\w+\(.*\)$/.test(reason);
}

/** Costs of one lane alone or all lanes on one word, and of all lanes as far apart as the array lets them be. */
function extremesOf(access: AccessProfile): readonly [number, number] {
  const { space, operation, bytes, target } = access;
  if (space === "global") return [1, laneCount * Math.max(1, bytes / sectorBytes)];
  if (operation === "async-copy") return [0, 0];
  const size = target?.type?.kind === "array" ? sizeOf(target.type) : null;
  // Rows of 128 bytes start in the same bank, whatever the width.
  const within = (address: number) => (size === null || size < wavefrontBytes ? address : address % size);
  const costs = [
    costOf(access, (lane) => (lane === 0 ? 0 : null)),
    costOf(access, () => 0),
    costOf(access, (lane) => within(lane * bytes)),
    costOf(access, (lane) => within(lane * wavefrontBytes)),
  ];
  return [Math.min(...costs), Math.max(...costs)];
}

function costOf(
  { operation, variant, bytes }: AccessProfile,
  addressOf: (lane: number) => number | null,
): number {
  const laneAddresses = Array.from({ length: laneCount }, (_, lane) => addressOf(lane));
  return sharedFigure({ laneAddresses, operation, variant, bytes }).cost;
}

/**
 * "Simulated for uniformly random data in 256 bins: 3.5 (illustration, not a finding).": the mean over whole warps whose lanes pick
 * elements of a one-dimensional shared array at random. Null where the array is not known, or something else than its index is.
 */
export function randomDataText(access: AccessProfile, reason: string): string | null {
  const { space, operation, bytes, target } = access;
  if (space !== "shared" || operation === "async-copy" || !isLoaded(reason) || isSentence(reason))
    return null;
  const type = target?.type;
  if (type?.kind !== "array" || type.count < 2 || sizeOf(type.element) !== bytes) return null;
  const mean = meanCost(access, type.count).toFixed(1);
  return `Simulated for uniformly random data in ${countText(type.count)} bins: ${mean} (illustration, not a finding).`;
}

/** The mean cost by kind of access and number of elements: a hover asks for the same again and again. */
const means = new Map<string, number>();

function meanCost(access: AccessProfile, elementCount: number): number {
  const { operation, variant, bytes } = access;
  const key = `${operation} ${variant} ${bytes} ${elementCount}`;
  const known = means.get(key);
  if (known !== undefined) return known;
  const next = randomNumbers();
  let sum = 0;
  for (let request = 0; request < sampleCount; request++)
    sum += costOf(access, () => Math.floor(next() * elementCount) * bytes);
  means.set(key, sum / sampleCount);
  return sum / sampleCount;
}

/** The standard error of the mean is below 0.02 wavefronts. */
const sampleCount = 2000;

/** The same numbers each time (mulberry32), so that a hover does not flicker. */
function randomNumbers(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const sectorBytes = 32;
