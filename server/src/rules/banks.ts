// How the lanes of one shared request meet in banks.
import type { RequestSample } from "../evaluate/profile.ts";
import type { Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";

export const bankCount = 32;
export const bankBytes = 4;

/** The innermost dimension of an array of two or more. */
export interface ArrayRow {
  readonly bytes: number;
  readonly elementBytes: number;
}

/** The innermost rows of an array type with two or more dimensions; null for all other types. */
export function rowOf(type: Type | null): ArrayRow | null {
  if (type?.kind !== "array" || type.element.kind !== "array") return null;
  let row = type.element;
  while (row.element.kind === "array") row = row.element;
  const elementBytes = sizeOf(row.element);
  return elementBytes === null || row.count === 0 ? null : { bytes: elementBytes * row.count, elementBytes };
}

/** Lanes that are served together: all 32 for up to 4 bytes a lane, a half-warp for 8, a quarter for 16 (docs/hardware.md). */
export function groupSize(bytes: number): number {
  return bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
}

/** For each group of lanes with an active one: the most distinct words in any bank. */
export function passesOfGroups(sample: RequestSample, bytes: number): number[] {
  const size = groupSize(bytes);
  const passes: number[] = [];
  for (let first = 0; first < sample.laneAddresses.length; first += size) {
    const words = new Set<number>();
    for (const address of sample.laneAddresses.slice(first, first + size)) {
      if (address === null) continue;
      const last = Math.floor((address + Math.max(bytes, 1) - 1) / bankBytes);
      for (let word = Math.floor(address / bankBytes); word <= last; word++) words.add(word);
    }
    if (words.size > 0) passes.push(mostInOneBank(words));
  }
  return passes;
}

function mostInOneBank(words: ReadonlySet<number>): number {
  const counts = new Array<number>(bankCount).fill(0);
  for (const word of words) {
    const bank = ((word % bankCount) + bankCount) % bankCount;
    counts[bank] = (counts[bank] ?? 0) + 1;
  }
  return Math.max(...counts);
}

/** N where every group takes N > 1 passes and they make up the whole cost; null where "N-way" would mislead. */
export function wayCountOf(sample: RequestSample, bytes: number): number | null {
  const passes = passesOfGroups(sample, bytes);
  const [way] = passes;
  if (way === undefined || way < 2 || passes.some((each) => each !== way)) return null;
  return way * passes.length === sample.figure.cost ? way : null;
}

/** Wavefronts of the request if lanes in one word did not wait for each other, as in a load. */
export function wavefrontsOfDistinctWords(sample: RequestSample, bytes: number): number {
  return passesOfGroups(sample, bytes).reduce((sum, each) => sum + each, 0);
}
