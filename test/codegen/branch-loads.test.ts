// What no trip changes, and one branch of the trip alone uses: LLVM moves such a load into the branch before it looks for what to take out of the loop.
// Where the loads stand is where nvcc 13.0 -O3 has them in its PTX; of a test whether points lie in boxes, an H200 counted them in the branch.
import { expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { someExpressionOf, someStatement } from "../../server/src/codegen/walks/walk.ts";
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

async function isLoadedInLoop(body: string): Promise<boolean> {
  const program = generateCode(lowerProgram(await readText(kernel(body))));
  const definition = instantiated(program, { case: "", kernel: "k", sites: [] });
  return someStatement(
    definition?.body ?? [],
    (statement) =>
      statement.kind === "loop" &&
      someExpressionOf(
        statement.body,
        (node) =>
          node.kind === "load" && /^(p|point|t|table)\[(2|0|3|7|i \^ 5)/.test(node.site?.expression ?? ""),
      ),
  );
}

it.each([
  ["a branch", "float w = p[2 * i]; if (b[k] > 1) s += w * c[k];"],
  ["what others come to", "float w = p[2 * i]; if (b[k] > 1) continue; s += w * c[k];"],
  ["what is left behind an exit", "float w = p[2 * i]; if (b[k] > 1) break; s += w * c[k];"],
  ["the other way", "float w = p[2 * i]; if (b[k] > 1) s += c[k]; else s += w * c[k + n];"],
  ["what a branch asks first", "float w = p[2 * i]; if (b[k] > 1) { if (w > c[k]) s += b[k + n]; }"],
  ["a branch, of shared memory", "float w = t[i ^ 5]; if (b[k] > 1) s += w * c[k];"],
  ["a branch that loads again what was asked", "float w = p[2 * i]; if (b[k] > 1) s += w * b[k];"],
  ["one way of two, which loads again", "float w = p[2 * i]; if (b[k] > 1) s += w * b[k]; else s -= 1;"],
  ["what follows a return of an inlined function", "s += inside(p + 3 * i, b[k], c[k], c + k);"],
])("is loaded where it is used: by %s", async (_, body) => {
  expect(await isLoadedInLoop(body)).toBe(true);
});

it.each([
  ["used by what is no branch", "float w = p[2 * i]; float x = b[k]; if (x > 1) s += w * x;"],
  ["used twice", "float w = p[2 * i]; if (b[k] > 1) s += w * c[k] + w;"],
  ["used by both ways", "float w = p[2 * i]; if (b[k] > 1) s += w * c[k]; else s -= w * c[k + n];"],
  ["used behind the branch as well", "float w = p[2 * i]; if (b[k] > 1) s += c[k]; s += w;"],
  [
    "past another branch",
    "float w = p[2 * i]; if (c[k] > 3) s += b[k + n] * b[k + 2 * n]; if (b[k] > 1) s += w * c[k + n];",
  ],
  [
    "used in a branch of the branch",
    "float w = p[2 * i]; if (b[k] > 1) { s += c[k + n]; if (c[k] > 2) s += w * b[k + n]; }",
  ],
  [
    "used by a loop in the branch",
    "float w = p[2 * i]; if (b[k] > 1) for (int j = 0; j < n; j++) s += w * c[k + j];",
  ],
  [
    "in front of a store to shared memory",
    "float w = p[2 * i]; t[i] = s; if (b[k] > 1) s += w * c[k] * t[i ^ 1];",
  ],
  ["of the device, that may be loaded in vain", "float w = table[3]; if (b[k] > 1) s += w * c[k];"],
  ["that may be loaded in vain", "float w = t[7]; if (b[k] > 1) s += w * c[k];"],
])("is loaded in front of the loop: %s", async (_, body) => {
  expect(await isLoadedInLoop(body)).toBe(false);
});
