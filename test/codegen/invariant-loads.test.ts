// How many trips nvcc makes one behind another hangs on how large a trip is once LLVM has moved out of the loop what is the same in all of them.
// Here 64 trips stand one behind another, or a loop stays, as in PTX of nvcc 13.0 -O3 for sm_90.
import { expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { someStatement } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { instantiated } from "../support/accesses.ts";
import { readText } from "../support/parser.ts";

const kernel = (body: string) => `
__global__ void k(const float* K, float* out, const float* __restrict__ R, float a, float c) {
  __shared__ float v[66][64], sums[66][64], p[2][2];
  int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  v[ty][tx] = K[tx]; sums[tx][ty] = K[ty]; p[ty][tx] = K[ty + tx];
  __syncthreads();
  for (int i = 0; i < 64; i++) { ${body} }
  __syncthreads();
  out[tx] = sums[ty][tx] + p[tx][ty] + acc;
}`;

async function staysLoop(body: string): Promise<boolean> {
  const program = generateCode(lowerProgram(await readText(kernel(body))));
  const definition = instantiated(program, { case: "", kernel: "k", sites: [] });
  return someStatement(definition?.body ?? [], ({ kind }) => kind === "loop");
}

it.each([
  ["an array that no trip changes", "sums[ty][i] += a * p[ty][tx] * v[tx][i];"],
  ["a restricted pointer to const", "sums[ty][i] += R[tx] * v[tx][i];"],
  ["global memory, while trips store in shared memory", "sums[ty][i] += K[tx] * v[tx][i];"],
  ["the second index of a row, which is one address with the first", "acc += v[i][tx] * sums[i][ty];"],
])("%s: not counted, all trips stand one behind another", async (_, body) => {
  expect(await staysLoop(body)).toBe(false);
});

it.each([
  ["an array that trips change", "sums[ty][i] += sums[ty + 1][tx] * v[tx][i];"],
  ["a load by the read-only path, which the headers make of asm", "sums[ty][i] += __ldg(K + tx) * v[tx][i];"],
  ["a load that not every trip makes", "if (v[tx][i] > c) sums[ty][i] += p[ty][tx] * v[tx][i];"],
])("%s: counted, a loop stays", async (_, body) => {
  expect(await staysLoop(body)).toBe(true);
});
