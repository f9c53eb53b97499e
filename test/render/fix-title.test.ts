// What fixes are called: the titles of TEXTS.md.
import { describe, expect, it } from "vitest";
import type { Fix } from "../../server/src/fixes/fix.ts";
import { fixTitle } from "../../server/src/render/fix-title.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import { at, file, text } from "../rules/profiles.ts";

const places = createPlaces(new Map([[file, text]]), () => "a.cu");

const column = (gain: Partial<Fix["gain"]>): Fix["gain"] => ({
  unit: "wavefronts",
  perRequest: { before: 32, after: 1 },
  totals: { before: 1_081_344, after: 65_536 },
  ...gain,
});

const free: Fix["price"] = { sharedBytes: 0, blocksPerSm: null, operations: 0 };

const kinds = {
  "pad-pitch": "pad",
  "pad-pitches": "pad",
  "pad-parameter": "pad",
  "pad-record": "pad",
  "swizzle-index": "swizzle",
} as const;

const isOther = (kind: Fix["title"]["kind"]): kind is keyof typeof kinds => kind in kinds;

function titleOf(fix: Partial<Fix> & Pick<Fix, "title">): string {
  const { kind } = fix.title;
  return fixTitle(
    {
      kind: isOther(kind) ? kinds[kind] : kind,
      rule: "shared-bank-conflict",
      target: at(5),
      edits: [],
      safety: "safe",
      gain: column({}),
      price: free,
      dearer: [],
      check: { kind: "checked", inputSets: 3, cost: "predicted" },
      ...fix,
    },
    places,
  );
}

describe("the title of a fix", () => {
  it.each<[string, Parameters<typeof titleOf>[0]]>([
    [
      "Pad subMatrix to [blockSizeX][blockSizeY + 1]: 32 → 1 wavefronts, +128 B (output checked)",
      {
        title: { kind: "pad", array: "subMatrix", dimensions: ["blockSizeX", "blockSizeY + 1"] },
        price: { ...free, sharedBytes: 128 },
      },
    ],
    [
      "Swizzle columns of subMatrix with ^: 32 → 1 wavefronts, no memory (output checked)",
      { title: { kind: "swizzle", array: "subMatrix" } },
    ],
    [
      "Swizzle indices of re and im with ^: 32 → 1 wavefronts, no memory (output checked)",
      { title: { kind: "swizzle-index", arrays: ["re", "im"] } },
    ],
    [
      "Pad the rows of q, k and s: 32 → 1 wavefronts, no memory (output checked)",
      { title: { kind: "pad-pitches", arrays: ["q", "k", "s"] } },
    ],
    [
      "Pad the rows of s: pitch W → W + 1: 32 → 1 wavefronts, +4,096 B, 8 → 7 blocks per SM (output checked)",
      {
        title: { kind: "pad-pitch", array: "s", pitch: { before: "W", after: "W + 1" } },
        price: { sharedBytes: 4096, blocksPerSm: { before: 8, after: 7 }, operations: 0 },
      },
    ],
    [
      "Pad mine to [128][9]: 32 → 1 wavefronts, +512 B (output and total cost checked on made-up data)",
      {
        title: { kind: "pad", array: "mine", dimensions: ["128", "9"] },
        price: { ...free, sharedBytes: 512 },
        check: { kind: "checked", inputSets: 3, cost: "counted" },
      },
    ],
    [
      "Align Complex to 8 bytes: 16 → 8 sectors (output checked)",
      {
        title: { kind: "align", record: "Complex", bytes: 8 },
        gain: column({ unit: "sectors", perRequest: { before: 16, after: 8 } }),
      },
    ],
    [
      "Pad Cell by 4 bytes: 32 → 1 wavefronts, +512 B (output checked)",
      { title: { kind: "pad-record", record: "Cell", bytes: 4 }, price: { ...free, sharedBytes: 512 } },
    ],
    [
      "Pad tile: PAD 0 → 1: 32 → 1 wavefronts, +128 B (output checked)",
      {
        title: {
          kind: "pad-parameter",
          array: "tile",
          parameter: "PAD",
          value: { before: "0", after: "1" },
        },
        price: { ...free, sharedBytes: 128 },
      },
    ],
    [
      "Load 4 floats of in as one float4: 4,096 → 1,024 sectors in all (output checked)",
      {
        title: {
          kind: "vectorize",
          array: "in",
          operation: "load",
          vector: "float4",
          elementCount: 4,
          element: "float",
        },
        gain: {
          unit: "sectors",
          perRequest: { before: 16, after: 16 },
          totals: { before: 4096, after: 1024 },
        },
      },
    ],
    [
      "Launch with block (8,32): 32 → 4 sectors (output checked)",
      {
        title: { kind: "launch-shape", block: [8, 32] },
        gain: { unit: "sectors", perRequest: { before: 32, after: 4 }, totals: null },
      },
    ],
    [
      "Pad tile to [32][32*4+4]: aligned, +1,536 B, but lines 10-13 load 1 → 4 wavefronts (output checked)",
      {
        title: { kind: "pad", array: "tile", dimensions: ["32", "32*4+4"] },
        gain: column({ perRequest: null }),
        price: { ...free, sharedBytes: 1536 },
        dearer: [10, 11, 12, 13].map((line) => ({
          range: at(line),
          operation: "load",
          unit: "wavefronts",
          perRequest: { before: 1, after: 4 },
        })),
      },
    ],
    [
      "Store 4 floats of tile one by one: aligned (output checked)",
      {
        title: {
          kind: "scalarize",
          array: "tile",
          operation: "store",
          elementCount: 4,
          element: "float",
        },
        gain: column({ perRequest: null }),
      },
    ],
    [
      "Pad tile to [16][18]: 4,096 → 3,072 wavefronts in all, +64 B (output checked)",
      {
        title: { kind: "pad", array: "tile", dimensions: ["16", "18"] },
        gain: column({ perRequest: { before: 2, after: 2 }, totals: { before: 4096, after: 3072 } }),
        price: { ...free, sharedBytes: 64 },
      },
    ],
  ])("%s", (expected, fix) => {
    expect(titleOf(fix)).toBe(expected);
  });
});
