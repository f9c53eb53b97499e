// What kernels cost over all launches of a run.
import { describe, expect, it } from "vitest";
import { kernelCost } from "../../server/src/rules/kernel-cost.ts";
import { access, lanes, profile } from "./profiles.ts";

const column = lanes((lane) => lane * 128);
const row = lanes((lane) => lane * 4);

describe("the cost of a kernel", () => {
  it("adds up each access over all launches, worst first", () => {
    const store = access({
      line: 5,
      operation: "store",
      laneAddresses: row,
      cost: 2,
      ideal: 1,
      requests: 1000,
    });
    const load = access({ line: 6, laneAddresses: column, cost: 32, ideal: 1, requests: 10 });
    const sectors = access({ line: 7, space: "global", laneAddresses: row, cost: 4, ideal: 4, requests: 10 });
    const cost = kernelCost([
      { ...profile({ block: [32, 1, 1] }, [load, sectors, store]), count: 3 },
      { ...profile({ block: [64, 1, 1] }, [load]), count: 1 },
    ]);
    expect(
      cost.accesses.map(({ range, total, requests, share }) => [
        range.start,
        total && { cost: total.cost, ideal: total.ideal },
        total?.excess,
        requests,
        share,
      ]),
    ).toEqual([
      // Conflicts of two threads that are made often come before a conflict of 32 that is not.
      [40, { cost: 6000, ideal: 3000 }, 3000, 3000, 3000 / 4240],
      [50, { cost: 1280, ideal: 40 }, 1240, 40, 1240 / 4240],
      [60, { cost: 120, ideal: 120 }, 0, 30, 0],
    ]);
    expect(cost).toMatchObject({
      shared: { cost: 7280, ideal: 3040 },
      global: { cost: 120, ideal: 120 },
      excess: 4240,
      isWhole: true,
    });
  });

  it("knows no total where nobody launches the kernel, and ranks by request", () => {
    const mild = access({ line: 5, laneAddresses: row, cost: 2, ideal: 1, requests: null });
    const harsh = access({ line: 6, laneAddresses: column, cost: 32, ideal: 1, requests: null });
    const cost = kernelCost([{ ...profile({ kind: "assumed" }, [mild, harsh]), count: 1 }]);
    expect(cost).toMatchObject({ excess: null, shared: null, global: null, isWhole: false });
    expect(
      cost.accesses.map(({ range, perRequest, total, share }) => [range.start, perRequest, total, share]),
    ).toEqual([
      [50, { cost: 32, ideal: 1 }, null, null],
      [40, { cost: 2, ideal: 1 }, null, null],
    ]);
  });

  it("counts what is certain where a launch has no total, and says that it is not all", () => {
    const known = access({ laneAddresses: column, cost: 32, ideal: 1, requests: 10 });
    const least = access({ laneAddresses: column, cost: 8, ideal: 1, requests: 10, hasTotals: false });
    const open = access({ laneAddresses: column, cost: 8, ideal: 1, requests: null });
    const cost = kernelCost([
      { ...profile({}, [known]), count: 1 },
      { ...profile({}, [least]), count: 2 },
      { ...profile({}, [open]), count: 1 },
    ]);
    expect(cost.accesses).toMatchObject([
      { total: { cost: 480, ideal: 30, excess: 450, isWhole: false }, requests: null, share: 1 },
    ]);
  });
});
