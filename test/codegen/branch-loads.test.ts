// What no trip changes, and a branch of the trip alone uses: LLVM may move such a load into the branch before it looks for what to take out of the
// loop. So nvcc 13.0 -O3 does with those of the first list in its PTX; of a test whether points lie in boxes, an H200 counted them in the branch.
import { expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { instantiated } from "../support/accesses.ts";
import { readText } from "../support/parser.ts";

const kernel = (body: string) => `
__device__ float table[64];
__device__ int inside(const float* point, float a, float b, const float* box) {
  float x = point[0], y = point[0];
  if (a > b) return 0;
  return fabsf(x - box[0]) < box[1];
}
__global__ void k(const float* p, const float* b, const float* c, float* out, int n) {
  __shared__ float t[256];
  int i = threadIdx.x;
  float s = 0;
  t[i] = c[i];
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < n; k++) { ${body} }
  out[i] = s;
}`;

async function isInDoubt(body: string): Promise<boolean> {
  const program = generateCode(lowerProgram(await readText(kernel(body))));
  const definition = instantiated(program, { case: "", kernel: "k", sites: [] });
  const doubtful = [...(definition?.siteDoubts?.keys() ?? [])].map(({ expression }) => expression);
  return doubtful.some((each) => /^(p|point|t)\[(2|0|i \^ 5)/.test(each));
}

it.each([
  ["a branch", "float w = p[2 * i]; if (b[k] > 1) s += w * c[k];"],
  ["what others come to", "float w = p[2 * i]; if (b[k] > 1) continue; s += w * c[k];"],
  ["the other way", "float w = p[2 * i]; if (b[k] > 1) s += c[k]; else s += w * c[k + n];"],
  ["what a branch asks first", "float w = p[2 * i]; if (b[k] > 1) { if (w > c[k]) s += b[k + n]; }"],
  ["a branch, of shared memory", "float w = t[i ^ 5]; if (b[k] > 1) s += w * c[k];"],
  ["a branch that loads again what was asked", "float w = p[2 * i]; if (b[k] > 1) s += w * b[k];"],
  ["one way of two, which loads again", "float w = p[2 * i]; if (b[k] > 1) s += w * b[k]; else s -= 1;"],
])("is in doubt that is used by %s alone", async (_, body) => {
  expect(await isInDoubt(body)).toBe(true);
});

it.each([
  ["used by what is no branch", "float w = p[2 * i]; float x = b[k]; if (x > 1) s += w * x; s += w;"],
  ["used behind the branch as well", "float w = p[2 * i]; if (b[k] > 1) s += c[k]; s += w;"],
  ["loaded in front of the loop by the text", "s += c[k];"],
])("is in no doubt: %s", async (_, body) => {
  expect(await isInDoubt(body)).toBe(false);
});
