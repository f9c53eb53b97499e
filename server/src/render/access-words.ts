// What an access is and what it costs, in the words of hovers, lenses and the panel.

import type { AccessProfile, Figure, FigureBounds } from "../evaluate/profile.ts";
import type { Assumption } from "../ir/assumption.ts";
import type { Launch } from "../launches/launch.ts";
import { assumptionText } from "./assumption-words.ts";
import { averageText, countText, operationText, plural, ratioText } from "./words.ts";

/** "shared load, 4 B a lane". */
export function accessKindText({ space, operation, bytes }: AccessProfile): string {
  const kind = `${space} ${operationText(operation)}`;
  return bytes === 0 ? kind : `${kind}, ${bytes} B a lane`;
}

/** "wavefront" of shared memory, "sector" of global. */
export function nounOf({ space }: Pick<AccessProfile, "space">): "wavefront" | "sector" {
  return space === "shared" ? "wavefront" : "sector";
}

/**
 * "32 wavefronts, 1 ideal (32.0×)"; where requests differ "4.5 wavefronts a request, 1 ideal (4.5×)"; between bounds "4 to 5 sectors, 4
 * ideal". `figure` is the average request, or the least one.
 */
export function costText(access: AccessProfile, figure: Figure): string {
  const noun = nounOf(access);
  const bounds = boundsOf(access);
  if (bounds !== null)
    return `${averageText(bounds.least.cost)} to ${averageText(bounds.most.cost)} ${noun}s, ${averageText(figure.ideal)} ideal`;
  const ratio = isIdealRatio(ratioOf(figure)) ? "" : ` (${ratioText(ratioOf(figure))})`;
  const isWhole = Number.isInteger(figure.cost) && Number.isInteger(figure.ideal);
  const cost = isWhole
    ? plural(figure.cost, noun)
    : `${averageText(figure.cost)} ${noun}${figure.cost === 1 ? "" : "s"} a request`;
  return `${cost}, ${averageText(figure.ideal)} ideal${ratio}`;
}

/** What a request costs at the least and at the most, where what is not known decides; null where one figure is known. */
export function boundsOf({ totals, perRequest }: AccessProfile): FigureBounds | null {
  const isOpen = totals === null && perRequest !== null && perRequest.most.cost > perRequest.least.cost;
  return isOpen ? perRequest : null;
}

/** Which request a map draws where they differ: "the most expensive request", or, where their figures are not known, "one request"; else null. */
export function sampleName(access: AccessProfile): string | null {
  if (access.worst === null || access.worst.isUniform) return null;
  return boundsOf(access) === null ? "the most expensive request" : "one request";
}

/** How many times its ideal a figure is; 1 where nothing is moved. */
export function ratioOf({ cost, ideal }: Figure): number {
  return ideal <= 0 ? 1 : cost / ideal;
}

/** What no text would show as more than "1.00×". */
export function isIdealRatio(ratio: number): boolean {
  return ratio < 1.005;
}

/** "Used: 128 of 1,024 bytes (12.5 %)": of the sectors that the most expensive request of a global access moves; null where it is ideal. */
export function usedBytesText({ worst, bytes }: AccessProfile): string | null {
  if (worst === null || isIdealRatio(ratioOf(worst.figure))) return null;
  const used = usedBytesOf(worst.laneAddresses, bytes);
  const moved = worst.figure.cost * sectorBytes;
  if (used > moved) return null;
  const share = Math.round((1000 * used) / moved) / 10;
  return `Used: ${countText(used)} of ${countText(moved)} bytes (${share} %)`;
}

/** Of addresses that may be negative: from 0 to below `divisor`. */
export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** Bytes that some lane accesses: what several lanes access counts once. */
export function usedBytesOf(laneAddresses: readonly (number | null)[], bytes: number): number {
  const used = new Set<number>();
  for (const address of laneAddresses)
    if (address !== null) for (let byte = 0; byte < bytes; byte++) used.add(address + byte);
  return used.size;
}

const sectorBytes = 32;

/**
 * "Holds for m >= 8; assumed: argc = 1"; null where nothing but the launch was taken for granted. What was assumed for want of a launch is
 * said where the launch is named.
 */
export function provisoText({ verdict }: AccessProfile): string | null {
  if (verdict.kind === "exact") return null;
  const condition = verdict.kind === "conditional" ? verdict.condition : null;
  const assumed = verdict.assumptions.filter((each) => !isOfLaunch(each)).map(assumptionText);
  const parts = [
    ...(condition === null ? [] : [`Holds for ${condition}`]),
    ...(assumed.length === 0 ? [] : [`${condition === null ? "Assumed" : "assumed"}: ${assumed.join(", ")}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

function isOfLaunch({ kind }: Assumption): boolean {
  return kind === "block" || kind === "template-argument";
}

/** "1 wavefront for odd d; 2, 4, 8, 16, 32 for multiples of 2, 4, 8, 16, 32"; null where no one pitch decides. */
export function pitchText({ verdict }: AccessProfile): string | null {
  const byPitch = verdict.kind === "conditional" ? verdict.byPitch : null;
  if (byPitch === null) return null;
  const { pitch, from, steps } = byPitch;
  const [first, ...others] = steps;
  const [second] = others;
  if (first === undefined || second === undefined) return null;
  const costs = others.map(({ wavefronts }) => countText(wavefronts)).join(", ");
  const divisors = others.map(({ divisor }) => countText(divisor)).join(", ");
  const beyond = from > 1 ? ` (${pitch} >= ${countText(from)})` : "";
  const least = `${plural(first.wavefronts, "wavefront")} for ${remainingText(pitch, second.divisor)}`;
  return `${least}; ${costs} for multiples of ${divisors}${beyond}`;
}

/** "odd d", or "d that is no multiple of 4": the pitches that a power of two does not divide. */
export function remainingText(pitch: string, divisor: number): string {
  return divisor === 2 ? `odd ${pitch}` : `${pitch} that is no multiple of ${countText(divisor)}`;
}

/** "Nsight Compute will show on this line: L1 Wavefronts Shared 1,048,576, Ideal 32,768 (grid (32,32))". */
export function profilerText(space: AccessProfile["space"], totals: Figure, grid: string): string {
  const column = space === "shared" ? "L1 Wavefronts Shared" : "L2 Theoretical Sectors Global";
  return `Nsight Compute will show on this line: ${column} ${countText(totals.cost)}, Ideal ${countText(totals.ideal)} (grid ${grid})`;
}

/**
 * "No total over the launch: how often it is made depends on `count[e]`"; null where there is one, where there is no figure either, and where the
 * launch's name says that its grid is not known.
 */
export function uncountedText(
  { verdict, uncounted, totals }: AccessProfile,
  { grid }: Launch,
): string | null {
  if (verdict.kind === "unknown" || totals !== null || uncounted === null || grid.includes(null)) return null;
  return `No total over the launch: ${uncounted.reason}`;
}
