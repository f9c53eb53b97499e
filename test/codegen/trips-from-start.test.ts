// A loop from a number that nobody knows to one a constant above it has as many trips as that constant says, so that its loads become one
// vector: as nvcc 13.0 -O3 unrolls these (PTX; recorded on an H200 in fixtures/programs/warp_roles_async.cu, asmRing).
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts } from "../../server/src/text/source.ts";
import { instantiated, predicted } from "../support/accesses.ts";
import { readText } from "../support/parser.ts";

const kernel = (head: string) => `__global__ void rows(float *o, const float *in, int n) {
  __shared__ __align__(16) float s[1024];
  const int t = threadIdx.x, base = t * 4;
  for (int i = t; i < 1024; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (${head})
    sum = sum * s[j] + 1;
  o[t] = sum;
}`;

async function loadsOf(head: string): Promise<string[]> {
  const text = kernel(head);
  const program = generateCode(lowerProgram(await readText(text)));
  const definition = instantiated(program, { case: "", kernel: "rows", sites: [] });
  return definition
    ? predicted(definition, lineStarts(text)).filter((each) => each.startsWith("8 load"))
    : [];
}

describe("a loop whose ends are a known number apart", () => {
  it.each([
    "int j = base; j < base + 4; j++",
    "int j = t * 4; j <= t * 4 + 3; j++",
    "int j = 4 * t; j < 4 + 4 * t; j += 1",
    "int j = base + 8 - 4; j < 8 + base; j++",
  ])("for (%s) loads one vector", async (head) => {
    expect(await loadsOf(head)).toEqual(["8 load 128"]);
  });

  it.each([
    // Another start, another counter, sums that may wrap.
    "int j = base; j < t * 4 + n; j++",
    "int j = base; j < base + n; j++",
    "unsigned j = base; j < base + 4u; j++",
  ])("for (%s) stays as it is", async (head) => {
    expect(await loadsOf(head)).toEqual(["8 load 32"]);
  });
});
