// Parameters that the host binds to one allocation: an access goes by the name of the one that it goes through, and both are one piece of memory.
import { expect, it } from "vitest";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

const text = `
__global__ void k(const float *in, float *out, float *end, int n) {
  const float *from = n > 4 ? in : out;
  int distance = end - out;
  out[threadIdx.x * 2] = in[threadIdx.x];
  end[threadIdx.x * distance] = from[threadIdx.x * 4];
}
int main() {
  float *memory;
  cudaMalloc(&memory, 4096);
  k<<<1, 32>>>(memory, memory + 512, memory + 520, 9);
}
`;

it("names the parameter, and still knows how far apart their elements are", async () => {
  const program = lowerProgram(await readText(text), { prelude: await testPrelude() });
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (!launch) throw new Error("no launch");
  const accesses = evaluateLaunch(program, launch).accesses.map(({ operation, target, totals }) => ({
    access: `${operation} ${target?.name}`,
    sectors: totals?.cost,
  }));
  expect(accesses).toEqual([
    { access: "load in", sectors: 4 },
    { access: "store out", sectors: 8 },
    { access: "load in", sectors: 16 },
    // end - out is 8: an element in each sector.
    { access: "store end", sectors: 32 },
  ]);
});
