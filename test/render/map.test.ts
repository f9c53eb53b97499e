// The map as text, against the drawings of TEXTS.md.
import { describe, expect, it } from "vitest";
import { arrayOf, float32 } from "../../server/src/ir/type.ts";
import { drawMap, mapOf, mostRows } from "../../server/src/render/bank-map.ts";
import { type AccessInput, access, lanes } from "../rules/profiles.ts";

const draw = (input: AccessInput) => {
  const map = mapOf(access(input));
  const lines = map === null ? [] : drawMap(map);
  expect(lines.length).toBeLessThanOrEqual(mostRows);
  return lines;
};

const idle = (count: number) => "·".repeat(count);

describe("shared", () => {
  it("draws a column as one lane a pass", () => {
    expect(draw({ laneAddresses: lanes((lane) => lane * 128), cost: 32, ideal: 1 })).toEqual([
      "bank   0       8       16      24     31",
      `pass 1 █${idle(31)}  lane 0`,
      `pass 2 █${idle(31)}  lane 1`,
      "   ⋮   30 more, one lane each",
    ]);
  });

  it("draws a row without conflict as one full pass", () => {
    expect(draw({ laneAddresses: lanes((lane) => lane * 132), cost: 1, ideal: 1 })).toEqual([
      "bank   0       8       16      24     31",
      `pass 1 ${"█".repeat(32)}  lanes 0-31`,
    ]);
  });

  it("draws the phases of 16-byte accesses, lanes told apart by shade", () => {
    const lines = draw({
      bytes: 16,
      type: arrayOf(float32, 512),
      laneAddresses: lanes((lane) => lane * 16),
      cost: 4,
      ideal: 4,
    });
    expect(lines).toHaveLength(5);
    expect(lines[1]).toBe(`pass 1 ${"████▓▓▓▓".repeat(4)}  lanes 0-7`);
    expect(lines[4]).toBe(`pass 4 ${"████▓▓▓▓".repeat(4)}  lanes 24-31`);
  });

  it("draws half-warps that merge as one pass", () => {
    const lines = draw({
      bytes: 16,
      type: arrayOf(float32, 512),
      laneAddresses: lanes((lane) => (lane >> 1) * 16),
      cost: 2,
      ideal: 2,
    });
    expect(lines.slice(1)).toEqual([
      `pass 1 ${"████▓▓▓▓".repeat(4)}  lanes 0-15`,
      `pass 2 ${"████▓▓▓▓".repeat(4)}  lanes 16-31`,
    ]);
  });

  it("marks a broadcast", () => {
    expect(draw({ laneAddresses: lanes(() => 64), cost: 1, ideal: 1 })[1]).toBe(
      `pass 1 ${idle(16)}B${idle(15)}  lanes 0-31`,
    );
  });

  it("shows which lanes are active", () => {
    const lines = draw({ laneAddresses: lanes((lane) => (lane < 16 ? lane * 4 : null)), cost: 1, ideal: 1 });
    expect(lines.at(-1)).toBe(
      `lanes  ${"█".repeat(16)}${idle(16)}  16 of 32 active; ideal counts these only`,
    );
  });

  it("draws atomics on one word one after another", () => {
    const lines = draw({ operation: "atomic", laneAddresses: lanes(() => 0), cost: 32, ideal: 1 });
    expect(lines.at(-1)).toBe("   ⋮   30 more, one lane each");
  });

  it("draws nothing where passes do not add up to the figure", () => {
    expect(draw({ operation: "atomic", laneAddresses: lanes(() => 0), cost: 33, ideal: 1 })).toEqual([]);
  });
});

describe("global", () => {
  it("draws scattered lanes as one sector each", () => {
    expect(
      draw({
        space: "global",
        operation: "store",
        laneAddresses: lanes((lane) => lane * 2048),
        cost: 32,
        ideal: 4,
      }),
    ).toEqual([
      "sector 1 █·······  lane 0  4 of 32 B used",
      "sector 2 █·······  lane 1  4 of 32 B used",
      "   ⋮     30 more: 128 of 1,024 B used (12.5 %)",
    ]);
  });

  it("draws a row that starts off its boundary in one line", () => {
    expect(
      draw({ space: "global", laneAddresses: lanes((lane) => lane * 4 + 28), cost: 5, ideal: 4 }),
    ).toEqual([" ·······█ ████████ ████████ ████████ ███████·  (one character = 4 bytes)"]);
  });
});
