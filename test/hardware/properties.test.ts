// The rules against models written the slow and obvious way, and what must hold of any request.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AccessOperation } from "../../server/src/evaluate/profile.ts";
import { architectures, evidenceFor } from "../../server/src/hardware/architecture.ts";
import { copyPath } from "../../server/src/hardware/async-copy.ts";
import {
  globalFigure,
  misalignedLanes,
  sharedFigure,
  type WarpRequest,
} from "../../server/src/hardware/figure.ts";
import { copiedSectors, sharedPasses } from "../../server/src/hardware/passes.ts";

type Lanes = (number | null)[];

const widths = [1, 2, 4, 8, 16] as const;

/** Aligned addresses, crowded or spread, of which some lanes take part; pairs of lanes often share one. */
function lanesOf(bytes: number): fc.Arbitrary<Lanes> {
  return fc
    .record({
      span: fc.constantFrom(4, 16, 64, 512),
      together: fc.constantFrom(1, 2, 4),
      share: fc.constantFrom(0, 0.1, 0.5),
      numbers: fc.array(fc.nat(511), { minLength: 32, maxLength: 32 }),
      chances: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 32, maxLength: 32 }),
    })
    .map(({ span, together, share, numbers, chances }) =>
      numbers.map((_, lane) => {
        const number = numbers[Math.floor(lane / together) * together] ?? 0;
        return (chances[lane] ?? 1) < share ? null : (number % span) * bytes;
      }),
    );
}

const request = fc.constantFrom(...widths).chain((bytes) =>
  fc.record({
    laneAddresses: lanesOf(bytes),
    bytes: fc.constant(bytes),
    operation: fc.constantFrom<AccessOperation>("load", "store", "atomic"),
    variant: fc.constantFrom("atomicAdd", "atomicCAS", "atomicAdd.single"),
  }),
);

const copy = fc.constantFrom(4, 8, 16).chain((bytes) =>
  fc.record({
    laneAddresses: lanesOf(bytes),
    bytes: fc.constant(bytes),
    operation: fc.constant<AccessOperation>("async-copy"),
    variant: fc.constantFrom("cp.async.ca", "cp.async.cg"),
    partnerAddresses: lanesOf(bytes).map((lanes) => lanes.map((address) => address ?? 0)),
  }),
);

/** The most distinct words in a bank, word by word. */
function conflicts(lanes: Lanes, bytes: number): number {
  const banks = new Map<number, Set<number>>();
  for (const address of lanes)
    if (address !== null)
      for (let byte = address; byte < address + bytes; byte++) {
        const word = Math.floor(byte / 4);
        banks.set(word % 32, (banks.get(word % 32) ?? new Set()).add(word));
      }
  return Math.max(0, ...[...banks.values()].map((words) => words.size));
}

function total(lanes: Lanes, bytes: number, size: number): number {
  let sum = 0;
  for (let start = 0; start < 32; start += size) sum += conflicts(lanes.slice(start, start + size), bytes);
  return sum;
}

/** With `half` pairs, one lane of a pair may be inactive; with `whole` ones, both are or none. */
function pairUp(lanes: Lanes, pairs: "half" | "whole" = "half"): boolean {
  return [1, 2].some((distance) =>
    lanes.every((address, lane) => {
      const other = lanes[lane ^ distance] ?? null;
      return address === other || (pairs === "half" && (address === null || other === null));
    }),
  );
}

/** The table of docs/hardware.md, read aloud. */
function expectedLoad(lanes: Lanes, bytes: number): number {
  if (bytes <= 4) return conflicts(lanes, bytes);
  if (bytes === 8)
    return pairUp(lanes) && conflicts(lanes, 8) <= 1 ? conflicts(lanes, 8) : total(lanes, 8, 16);
  const active = lanes.filter((address) => address !== null);
  if (new Set(active).size === 1) return Math.ceil(active.length / 16);
  const lower = lanes.slice(0, 16);
  const upper = lanes.slice(16);
  const isLast = (lanes[31] ?? null) !== null;
  const lowerMerges = isLast ? pairUp(lower, "whole") : true;
  const cost = (half: Lanes, merges: boolean) =>
    merges && conflicts(half, 16) <= 1
      ? conflicts(half, 16)
      : conflicts(half.slice(0, 8), 16) + conflicts(half.slice(8), 16);
  return cost(lower, lowerMerges) + cost(upper, pairUp(upper));
}

const plain = fc
  .constantFrom(...widths)
  .chain((bytes) => fc.record({ bytes: fc.constant(bytes), lanes: lanesOf(bytes) }));

const runs = { numRuns: 3000 };

describe("shared figures", () => {
  test("loads and stores are as the table says", () => {
    fc.assert(
      fc.property(plain, ({ bytes, lanes }) => {
        const figureOf = (operation: AccessOperation) =>
          sharedFigure({ laneAddresses: lanes, bytes, operation }).cost;
        expect(figureOf("load")).toBe(expectedLoad(lanes, bytes));
        expect(figureOf("store")).toBe(total(lanes, bytes, bytes <= 4 ? 32 : 128 / bytes));
      }),
      runs,
    );
  });

  test("native atomics count lanes in banks", () => {
    fc.assert(
      fc.property(lanesOf(4), (laneAddresses) => {
        const banks = new Map<number, number>();
        for (const address of laneAddresses)
          if (address !== null) banks.set((address / 4) % 32, (banks.get((address / 4) % 32) ?? 0) + 1);
        const most = Math.max(0, ...banks.values());
        const costOf = (variant: string) =>
          sharedFigure({ laneAddresses, bytes: 4, operation: "atomic", variant }).cost;
        expect(costOf("atomicMax")).toBe(most);
        expect(costOf("atomicCAS")).toBe(most * 2);
      }),
      runs,
    );
  });

  test("ldmatrix counts the lanes of its matrices only", () => {
    fc.assert(
      fc.property(lanesOf(16), fc.constantFrom(1, 2, 4), (laneAddresses, matrices) => {
        const variant = `ldmatrix.x${matrices}.trans`;
        const figure = sharedFigure({ laneAddresses, bytes: 16, operation: "matrix-load", variant });
        expect(figure.cost).toBe(
          total(
            laneAddresses.map((a, lane) => (lane < matrices * 8 ? a : null)),
            16,
            8,
          ),
        );
      }),
    );
  });

  test("do not change when all addresses move by a multiple of 128 bytes", () => {
    fc.assert(
      fc.property(fc.oneof(request, copy), fc.integer({ min: -(2 ** 33), max: 2 ** 33 }), (asked, rows) => {
        const moved = move(asked, rows * 128);
        expect(sharedFigure(moved)).toEqual(sharedFigure(asked));
        expect(globalFigure(moved)).toEqual(globalFigure(asked));
      }),
      runs,
    );
  });

  test("addresses far apart are told apart", () => {
    const laneAddresses = Array.from({ length: 32 }, (_, lane) => lane * 2 ** 32);
    expect(sharedFigure({ laneAddresses, bytes: 4, operation: "load" })).toEqual({ cost: 32, ideal: 1 });
    expect(globalFigure({ laneAddresses, bytes: 4, operation: "load" })).toEqual({ cost: 32, ideal: 4 });
  });

  test("an idle warp costs nothing", () => {
    const laneAddresses = new Array<null>(32).fill(null);
    for (const operation of ["load", "store", "atomic", "matrix-load", "async-copy"] as const)
      expect(sharedFigure({ laneAddresses, bytes: 16, operation })).toEqual({ cost: 0, ideal: 0 });
  });

  test("cost is never below ideal", () => {
    fc.assert(
      fc.property(fc.oneof(request, copy), (asked) => {
        const { cost, ideal } = sharedFigure(asked);
        expect(cost).toBeGreaterThanOrEqual(ideal);
      }),
    );
  });

  test("a record of 12 bytes is three words, one after the other", () => {
    const laneAddresses = Array.from({ length: 32 }, (_, lane) => lane * 12);
    expect(sharedFigure({ laneAddresses, bytes: 12, operation: "load" })).toEqual({ cost: 3, ideal: 3 });
  });
});

describe("global figures", () => {
  test("count distinct sectors", () => {
    fc.assert(
      fc.property(plain, ({ bytes, lanes }) => {
        const active = lanes.filter((address) => address !== null);
        const sectors = new Set(active.map((address) => Math.floor(address / 32))).size;
        const ideal = Math.min(sectors, Math.ceil((active.length * bytes) / 32));
        expect(globalFigure({ laneAddresses: lanes, bytes, operation: "load" })).toEqual({
          cost: sectors,
          ideal,
        });
      }),
      runs,
    );
  });
});

describe("passes", () => {
  test("are as many as the wavefronts, serve each lane, and move one word a bank", () => {
    fc.assert(
      fc.property(fc.oneof(request, copy), (asked) => {
        const passes = sharedPasses(asked);
        const isLoop = asked.operation === "atomic" && /single/.test(asked.variant);
        const isWide = asked.operation === "atomic" && asked.bytes === 8 && asked.variant === "atomicAdd";
        if (passes === null || isLoop || isWide) return;
        expect(passes.length).toBe(sharedFigure(asked).cost);
        const isCopy = asked.operation === "async-copy";
        const served = new Set(passes.flatMap((pass) => pass.lanes));
        if (!isCopy)
          expect([...served].sort((a, b) => a - b)).toEqual(
            asked.laneAddresses.flatMap((address, lane) => (address === null ? [] : [lane])),
          );
        for (const pass of passes)
          expect(new Set(pass.cells.map((cell) => cell.bank)).size).toBe(pass.cells.length);
      }),
      runs,
    );
  });

  test("name words, banks and broadcast lanes", () => {
    const laneAddresses = Array.from({ length: 32 }, (_, lane) => (lane < 2 ? 0 : lane === 2 ? 128 : null));
    const passes = sharedPasses({ laneAddresses, bytes: 4, operation: "load" });
    expect(passes).toEqual([
      { lanes: [0, 1], cells: [{ bank: 0, word: 0, lanes: [0, 1] }] },
      { lanes: [2], cells: [{ bank: 0, word: 32, lanes: [2] }] },
    ]);
  });

  test("of a copy past L1 have as many sectors at the source as are counted", () => {
    fc.assert(
      fc.property(copy, ({ partnerAddresses, ...asked }) => {
        const { laneAddresses: destinations } = asked;
        const sources = partnerAddresses.map((address, lane) =>
          destinations[lane] == null ? null : address,
        );
        const global = { ...asked, laneAddresses: sources, partnerAddresses: destinations };
        const sectors = copiedSectors(global);
        if (copyPath(asked.variant, asked.bytes) === "cached") expect(sectors).toBeNull();
        else expect(sectors?.length).toBe(globalFigure(global).cost);
      }),
      runs,
    );
  });

  test("of a copy through L1 are not known", () => {
    const laneAddresses = Array.from({ length: 32 }, (_, lane) => lane * 4);
    const asked: WarpRequest = {
      laneAddresses,
      bytes: 4,
      operation: "async-copy",
      partnerAddresses: laneAddresses,
    };
    expect(sharedPasses(asked)).toBeNull();
  });
});

test("misaligned lanes are those off the boundary of the width", () => {
  const laneAddresses = Array.from({ length: 32 }, (_, lane) => (lane === 5 ? null : lane * 4));
  expect(misalignedLanes({ laneAddresses, bytes: 16, operation: "load" })).toHaveLength(24 - 1);
  expect(misalignedLanes({ laneAddresses, bytes: 4, operation: "load" })).toEqual([]);
});

test("evidence tells what was measured from what is claimed", () => {
  const evidence = (name: string, operation: AccessOperation) => {
    const on = architectures.find((architecture) => architecture.name === name);
    return on && evidenceFor({ space: "shared", operation, bytes: 16 }, on);
  };
  expect(evidence("sm_90", "load")).toBe("measured");
  expect(evidence("sm_80", "load")).toBe("claimed");
  expect(evidence("sm_75", "async-copy")).toBe("unknown");
});

function move(asked: WarpRequest, bytes: number): WarpRequest {
  const by = (lanes: readonly (number | null)[]) =>
    lanes.map((address) => (address === null ? null : address + bytes));
  const partners = asked.partnerAddresses;
  return {
    ...asked,
    laneAddresses: by(asked.laneAddresses),
    ...(partners ? { partnerAddresses: by(partners) } : {}),
  };
}
