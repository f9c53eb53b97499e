// Which lanes each wavefront of a shared request serves, for the map.
import type { RequestSample } from "../evaluate/profile.ts";
import { bankBytes, bankCount, groupSize } from "../rules/banks.ts";

export interface Pass {
  /** The group of lanes that is served together, from 0; each has its own passes. */
  readonly group: number;
  /** For each bank the lanes that get their word from it in this pass; empty: idle. */
  readonly lanesOfBank: readonly (readonly number[])[];
}

/**
 * The passes of a request, in the order of the first lane that each serves. Null where they don't add up to the figure (merged groups,
 * serialised atomics): then the map shows lanes only.
 */
export function passesOf(sample: RequestSample, bytes: number): Pass[] | null {
  for (const size of groupSizesOf(bytes)) {
    const passes = passesInGroups(sample.laneAddresses, bytes, size);
    if (passes.length === sample.figure.cost) return passes;
  }
  return null;
}

/** Groups as served, then as paired groups that were merged into one pass. */
function groupSizesOf(bytes: number): number[] {
  const size = groupSize(bytes);
  return size === 32 ? [32] : [size, size * 2];
}

function passesInGroups(laneAddresses: RequestSample["laneAddresses"], bytes: number, size: number): Pass[] {
  const passes: Pass[] = [];
  for (let first = 0; first < laneAddresses.length; first += size) {
    const ofGroup: number[][][] = [];
    const passOfWord = new Map<number, number>();
    const nextOfBank = new Array<number>(bankCount).fill(0);
    for (let lane = first; lane < Math.min(first + size, laneAddresses.length); lane++) {
      const address = laneAddresses[lane];
      if (address == null) continue;
      const last = Math.floor((address + bytes - 1) / bankBytes);
      for (let word = Math.floor(address / bankBytes); word <= last; word++) {
        const bank = ((word % bankCount) + bankCount) % bankCount;
        let pass = passOfWord.get(word);
        if (pass === undefined) {
          pass = nextOfBank[bank] ?? 0;
          nextOfBank[bank] = pass + 1;
          passOfWord.set(word, pass);
        }
        ofGroup[pass] ??= Array.from({ length: bankCount }, () => []);
        ofGroup[pass]?.[bank]?.push(lane);
      }
    }
    for (const lanesOfBank of ofGroup) passes.push({ group: first / size, lanesOfBank });
  }
  return passes;
}
