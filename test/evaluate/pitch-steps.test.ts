// Steps by powers of two against wavefronts counted plainly.
import { describe, expect, it } from "vitest";
import { stepsByPitch } from "../../server/src/evaluate/cost/pitch-steps.ts";

/** The most distinct words in any bank, of 32 lanes at these words. */
function wavefronts(wordOf: (lane: number) => number): number {
  const banks = new Map<number, Set<number>>();
  for (let lane = 0; lane < 32; lane++) {
    const word = wordOf(lane);
    banks.set(word % 32, (banks.get(word % 32) ?? new Set()).add(word));
  }
  return Math.max(...[...banks.values()].map(({ size }) => size));
}

const search = { residues: 32, farApart: 2 ** 24, reach: 96 };

describe("steps by the pitch", () => {
  it("are one for each power of two where every lane has a row of its own", () => {
    expect(stepsByPitch((pitch) => wavefronts((lane) => lane * pitch), search)).toEqual({
      from: 1,
      steps: [1, 2, 4, 8, 16, 32].map((divisor) => ({ divisor, wavefronts: divisor })),
    });
  });

  it("leave out the powers at which nothing changes, and the pitches at which rows overlap", () => {
    // Two rows of 16 words: in each other's banks but for multiples of 16 that are none of 32. Short rows share words.
    const twoRows = (pitch: number) => wavefronts((lane) => (lane >> 4) * pitch + (lane & 15));
    expect(stepsByPitch(twoRows, search)).toEqual({
      from: 16,
      steps: [
        { divisor: 1, wavefronts: 2 },
        { divisor: 16, wavefronts: 1 },
        { divisor: 32, wavefronts: 2 },
      ],
    });
  });

  it("are none where other things than powers of two decide, or nothing does", () => {
    const fourRows = (pitch: number) => wavefronts((lane) => (lane >> 3) * pitch + (lane & 7));
    expect(fourRows(8)).toBe(1);
    expect(stepsByPitch(fourRows, search)).toBeNull();
    expect(stepsByPitch(() => 1, search)).toBeNull();
    expect(stepsByPitch(() => "differs", search)).toBeNull();
    expect(stepsByPitch(() => null, search)).toBeNull();
  });
});
