// The order of trips in unrolled loops, by the numbers that the H200 gave (fixtures/forms/unrolled_trips.cu, control_flow.cu).
import { describe, expect, it } from "vitest";
import { plainRuns, tripRuns, tripsUntil } from "../../server/src/semantics/trips.ts";

const all = 0xffff_ffff | 0;

describe("tripRuns", () => {
  it("makes the remainder first where no carried integer starts from a constant", () => {
    const trips = Array.from({ length: 32 }, (_, lane) => (lane < 4 ? 8 : 7));
    const runs = tripRuns(trips, all, { count: 4, remainder: "before", roundsTogether: 1 });
    expect(runs).toEqual([
      { mask: ~0xf, count: 3 },
      { mask: all, count: 4 },
      { mask: 0xf, count: 4 },
    ]);
  });

  it("makes four rounds at a time, then two, then one, then the remainder: `triangle` of control_flow.cu", () => {
    const trips = Array.from({ length: 32 }, (_, lane) => lane + 1);
    const runs = tripRuns(trips, all, { count: 4, remainder: "after", roundsTogether: 4 });
    const lanes = (mask: number) => Array.from({ length: 32 }, (_, lane) => (mask >>> lane) & 1);
    const made = lanes(0).map((_, lane) =>
      runs.reduce((sum, run) => sum + (lanes(run.mask)[lane] ?? 0) * run.count, 0),
    );
    expect(made).toEqual(trips);
    // 16 copies twice, 8, 4 and three trips of the remainder, as 5 - 3, 2 - 1, 2 - 1 and 6 - 3 of its two warps.
    expect(runs.map((run) => run.count)).toEqual([16, 16, 8, 4, 1, 1, 1]);
  });

  it("changes nothing where all lanes make equally many trips", () => {
    const trips = Array.from({ length: 32 }, () => 9);
    expect(tripRuns(trips, all, { count: 4, remainder: "before", roundsTogether: 4 })).toEqual(
      plainRuns(trips, all),
    );
  });
});

describe("tripsUntil", () => {
  it("counts as C does", () => {
    expect(tripsUntil("<", 230, 64, 0)).toBe(4);
    expect(tripsUntil("<=", 6, 1, 0)).toBe(7);
    expect(tripsUntil(">=", -5, -1, 0)).toBe(6);
    expect(tripsUntil("<", -1, 64, 0)).toBe(0);
    expect(tripsUntil("!=", 5, 2, 0)).toBeNull();
    expect(tripsUntil("!=", 0, 2, 0)).toBe(0);
    expect(tripsUntil("<", 5, -1, 0)).toBeNull();
  });

  it("makes the first trip of a do loop without a test", () => {
    expect(tripsUntil("<", -1, 64, 1)).toBe(1);
    expect(tripsUntil("<", 230, 64, 1)).toBe(4);
    // From where it is compared first it would go on until it wraps around.
    expect(tripsUntil("!=", 0, 2, 1)).toBeNull();
  });
});
