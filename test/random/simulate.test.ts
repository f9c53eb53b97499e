// Random kernels run on the simulator to their end, understood in every part, and never leave their arrays.
import { describe, expect, it } from "vitest";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { simulate } from "../../server/src/simulator/simulate.ts";
import { readText } from "../support/parser.ts";
import { launchOfRandom, randomKernel } from "./kernel.ts";

async function run(seed: number) {
  const random = randomKernel(seed);
  const program = lowerProgram(await readText(random.source));
  const declaration = program.kernels.find((kernel) => kernel.name === random.kernel);
  const id = declaration && program.instantiateKernel(declaration, random.templateArguments);
  if (!id) return { seed, problem: "no kernel" };
  const result = simulate(program, launchOfRandom(random, id));
  const faults = result.faults.filter((fault) => fault.kind !== "uninitialized");
  const gaps = [...result.gaps.map((gap) => gap.reason), ...(program.functionOf(id)?.gaps ?? [])];
  const isFine = result.status === "complete" && faults.length === 0 && gaps.length === 0;
  return { seed, problem: isFine ? null : JSON.stringify([result.status, result.reasons, faults, gaps]) };
}

describe("random kernels", () => {
  it("run in bounds: 150 seeds", { timeout: 120_000 }, async () => {
    const problems: unknown[] = [];
    for (let seed = 1; seed <= 150; seed++) {
      const outcome = await run(seed);
      if (outcome.problem !== null) problems.push(outcome);
    }
    expect(problems.slice(0, 3)).toEqual([]);
  });
});
