// Every launch of the fixtures, folded and plain: the same totals for every access whose figures are exact.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";
import { evaluatedTotals, simulatedTotals } from "../support/voices.ts";

/** Blocks that each axis of a grid is cut down to here, for both engines alike; `npm run fuzz` runs whole grids. */
const mostBlocks = Number(process.env.MOST_BLOCKS ?? 3);
const mostSteps = Number(process.env.MOST_STEPS ?? 1_000_000);
const folders = ["fixtures/seeds", "fixtures/codegen"];

describe("folded evaluation and the plain executor on the fixtures", () => {
  for (const folder of folders)
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".cu")))
      it(`agree on ${folder}/${name}`, { timeout: 7_200_000 }, async () => {
        const unit = await readText(readFileSync(`${folder}/${name}`, "utf8"));
        const program = generateCode(lowerProgram(unit, { prelude: await testPrelude() }));
        let compared = 0;
        for (const { launches } of launchesOf(program).kernels)
          for (const launch of launches) compared += compare(program, cutDown(launch));
        expect(compared).toBeGreaterThan(0);
      });
});

type Generated = ReturnType<typeof generateCode>;

/** How many accesses were compared. */
function compare(program: Generated, launch: Launch): number {
  const profile = evaluateLaunch(program, launch);
  const simulated = simulatedTotals(program, launch, { maxSteps: mostSteps });
  // A loop that waits for another block's memory never ends in the plain executor's order.
  if (simulated.status !== "complete") return 0;
  const evaluated = evaluatedTotals(profile.accesses);
  let compared = 0;
  for (const [key, totals] of evaluated) {
    if (totals === null || [...simulated.nowhere].some((place) => key.startsWith(place))) continue;
    expect(totals, `${launch.kernel} ${key}`).toEqual(simulated.totals.get(key));
    compared++;
  }
  // What the plain executor met, the evaluator must have an entry for, be it an unknown one.
  for (const key of simulated.totals.keys()) expect([...evaluated.keys()], launch.kernel).toContain(key);
  return compared;
}

function cutDown(launch: Launch): Launch {
  const cut = (count: number | null) => (count === null ? null : Math.min(count, mostBlocks));
  const [x, y, z] = launch.grid;
  return { ...launch, grid: [cut(x), cut(y), cut(z)] };
}
