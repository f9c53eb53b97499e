// Where the way of some warp shows that the compiler may make an access with other lanes, no figure of it is called exact; where it shows
// none, it is. The programs were recorded: in those called conditional the GPU executes more requests than the text has, or may do so.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import type { AccessProfile } from "../../server/src/evaluate/profile.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { programOf } from "../launches/program-of.ts";

/** By kernel, the doubts about its accesses. */
async function doubtsIn(path: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const program = generateCode(await programOf("a.cu", readFileSync(path, "utf8")));
  const doubts: Record<string, readonly string[]> = {};
  for (const { declaration, launches } of launchesOf(program).kernels)
    doubts[declaration.name] = [
      ...new Set(launches.flatMap((launch) => evaluateLaunch(program, launch).accesses.flatMap(doubtsOf))),
    ];
  return doubts;
}

function doubtsOf({ verdict }: AccessProfile): string[] {
  if (verdict.kind !== "conditional") return [];
  return verdict.assumptions.map((each) => (each.kind === "compiler" ? each.doubt : each.kind));
}

describe("a figure is conditional", () => {
  it("of copies past L1 that whole warps skip under a branch that may be predicated", async () => {
    const skipped = ["skipping-warps-count"];
    expect(await doubtsIn("fixtures/tensor/skipped_copies.cu")).toEqual({
      warpsOne: skipped,
      warpsFive: skipped,
      warpsSix: [],
      warpsCached: [],
      elseZero: skipped,
      elseCopied: skipped,
      allTake: [],
      nextTile: skipped,
      strided: [],
      leftEarly: [],
    });
  });
  it("of loops that lanes leave, or in which they part, where the counter meets a number of their own", async () => {
    const other = ["lanes-meet-in-other-trips"];
    expect(await doubtsIn("fixtures/forms/counted_exits.cu")).toEqual({
      stopAtOwn: other,
      stopAtOwnBehind: other,
      stopBetween: [],
      stopCounted: other,
      stopAtMultiple: [],
      returnAtOwn: other,
      bothBounds: other,
      bothBoundsRolled: [],
      bothBoundsOfWarps: [],
      skipOwn: other,
      skipOwnThenBranch: other,
      skipOwnGuarded: other,
      skipOwnGuardedRolled: other,
      skipOfBlock: [],
      lowerHalf: other,
      skipThird: [],
    });
  });
  it("of loops that lanes leave at trips of their own, but where nvcc's copies are known or nobody can make any", async () => {
    const doubts = await doubtsIn("fixtures/forms/lane_trips.cu");
    const exact = Object.keys(doubts).filter((kernel) => doubts[kernel]?.length === 0);
    expect(exact.sort()).toEqual(
      [
        // Copies in a known order.
        ...[
          "downPlusN",
          "downMul",
          "downMulPlus",
          "downTo5",
          "downToT",
          "downGeN",
          "upPlus",
          "upConst",
          "upPlusN",
        ],
        ...[
          "upPlusNp",
          "upNp",
          "up2Plus",
          "up2PlusN",
          "upBlk",
          "upBlkC",
          "upBlkP",
          "upLane",
          "upN",
          "doUpT",
          "doUp4",
        ],
        ...["whileNe", "uns", "unsDown", "sz", "i64", "guarded", "idxPtr"],
        // No copies: counters that are divided, multiplied, two at once; exits between others; one trip.
        ...["unsHalf", "shlstep", "doubleV", "breakMul", "idxPtr2"],
      ].sort(),
    );
  });
  it("of copies past L1 that whole warps skip by `continue`, `switch` or what a function returns", async () => {
    const doubts = await doubtsIn("fixtures/tensor/skipped_otherwise.cu");
    const others = Object.keys(doubts).filter((kernel) => doubts[kernel]?.length === 0);
    // Jumps; unknown, for data or registers decide; no copy at all.
    expect(others.sort()).toEqual([
      "broken",
      "brokenBehind",
      "everyWarpSkips",
      "fourLanes",
      "loadedCondition",
    ]);
  });
  it("behind loops in which lanes wait for an atomic, up to a barrier, and of recursions", async () => {
    const apart = ["lanes-part-at-atomic"];
    const waiting = await doubtsIn("fixtures/forms/waiting_lanes.cu");
    expect(Object.keys(waiting).filter((kernel) => `${waiting[kernel]}` === `${apart}`)).toEqual([
      "casLoop",
      "casLoopTwice",
      "casPrinted",
      "printIfBothThenStore",
      "spinThenStore",
    ]);
    const probing = await doubtsIn("fixtures/forms/probed_slots.cu");
    expect(
      Object.keys(probing).filter((kernel) => !probing[kernel]?.includes("lanes-part-at-atomic")),
    ).toEqual(["found"]);
    const parted = await doubtsIn("fixtures/forms/parted_lanes.cu");
    expect(parted.recursion).toEqual(["lanes-part-in-recursion"]);
    // It leaves a loop by a return: its lanes meet again, but where nvcc puts what it loads is not claimed.
    expect(parted.returnFromCalled).toEqual(["inlines-returns"]);
  });
});
