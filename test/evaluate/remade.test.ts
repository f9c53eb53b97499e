// Variables that each trip of a loop makes anew, where only half of the warp makes trips: the other lanes keep what they had.
import { expect, it } from "vitest";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

it.each([
  // Behind the loop lanes 0 to 15 stand at 992 + 2t, the others at t: even banks from 16 on meet.
  ["in every trip", "where = 32 * i + 2 * threadIdx.x; atomicAdd(&s[where], i);", [32, 2]],
  // Lanes 0, 3, … 15 stand in bank 0 behind the loop, the others where they were, each in a bank of its own.
  [
    "by some lanes, the same in each trip",
    "if (threadIdx.x % 3 == 0) where = 32 * threadIdx.x; atomicAdd(&s[threadIdx.x], i);",
    [32, 6],
  ],
  // Lanes 0 to 15 stand at 2t, the others at t: where they share a bank, they share its word.
  ["in one trip alone", "if (i == 3) { where = 2 * threadIdx.x; atomicAdd(&s[where], i); }", [1, 1]],
  [
    "behind a jump",
    "if (i + threadIdx.x > 40) continue; where = 32 * i + 2 * threadIdx.x; atomicAdd(&s[where], i);",
    [32, null],
  ],
])("made %s", async (_where, trip, expected) => {
  const unit = await readText(`// warplint: launch(block=32, grid=1)
__global__ void k(int *out) {
  __shared__ int s[1024];
  int where = threadIdx.x;
  if (threadIdx.x < 16)
    for (int i = 0; i < 32; ++i) { ${trip} }
  __syncthreads();
  out[threadIdx.x] = s[where];
}
`);
  const program = lowerProgram(unit, { prelude: await testPrelude() });
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (!launch) throw new Error("no launch");
  const shared = evaluateLaunch(program, launch).accesses.filter(({ space }) => space !== "global");
  expect(shared.map(({ operation }) => operation)).toEqual(["atomic", "load"]);
  expect(shared.map(({ totals }) => totals?.cost ?? null)).toEqual(expected);
});
