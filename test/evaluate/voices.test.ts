// The folded evaluator against the plain simulator, on random kernels.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { launchOfRandom, randomKernel } from "../random/kernel.ts";
import { readText } from "../support/parser.ts";
import { evaluatedTotals, simulatedTotals } from "../support/voices.ts";

const kernels = Number(process.env.RUNS ?? 300);
const first = Number(process.env.FIRST ?? 1);

it("agrees with the plain executor, and with C, where an unsigned number is one more than a signed one can be", async () => {
  const program = lowerProgram(
    await readText(`// warplint: launch(block=32, grid=1)
__global__ void k(float *out) {
  unsigned long long t = 1ull << (32 + threadIdx.x);
  out[(long long)t < 0 ? 8 : 0] = 1;
}
`),
  );
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (!launch) throw new Error("no launch");
  const simulated = Object.fromEntries(simulatedTotals(program, launch).totals);
  // Lane 31 alone has the sign bit set, and stores to a sector of its own.
  expect(Object.values(simulated)).toEqual([expect.objectContaining({ cost: 2 })]);
  expect(Object.fromEntries(evaluatedTotals(evaluateLaunch(program, launch).accesses))).toEqual(simulated);
});

describe("folded evaluation and the plain executor", () => {
  it(`agree on all totals of ${kernels} random kernels, before codegen and after`, {
    timeout: 1_200_000,
  }, async () => {
    for (let seed = first; seed < first + kernels; seed++) {
      const random = randomKernel(seed);
      const plain = lowerProgram(await readText(random.source));
      const declaration = plain.kernels.find((each) => each.name === random.kernel);
      if (!declaration) throw new Error(`seed ${seed}: the kernel was not found`);
      const id = plain.instantiateKernel(declaration, random.templateArguments);
      if (!id) throw new Error(`seed ${seed}: the kernel was not instantiated`);
      const launch = launchOfRandom(random, id);
      for (const program of [plain, generateCode(plain)]) {
        const simulated = simulatedTotals(program, launch);
        const profile = evaluateLaunch(program, launch);
        const evaluated = evaluatedTotals(profile.accesses);
        const context = `seed ${seed}, ${program === plain ? "as written" : "after codegen"}\n${random.source}`;
        expect(profile.gaps, context).toEqual([]);
        expect(simulated.status, context).toBe("complete");
        expect(Object.fromEntries(evaluated), context).toEqual(Object.fromEntries(simulated.totals));
      }
    }
  });
});
