// A vector that is copied from place to place is one copy to LLVM, which in a loop stays in its own way of a branch; what goes member by member,
// or by way of a variable, is stored once behind it. As nvcc 13.0 -O3 has these kernels in its PTX.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (type: string, taken: string, other: string) => `struct Body { float4 at, moving; };
struct Three { float x, y, z; };
struct Labelled { float weight; double value; };
__global__ void tiles(const ${type} *in, float *out, int n, int tiles) {
  __shared__ ${type} s[64];
  float sum = 0;
  for (int tile = 0; tile < tiles; tile++) {
    int i = tile * 64 + threadIdx.x;
    if (i < n)
      ${taken}
    else
      ${other}
    __syncthreads();
    for (int j = 0; j < 64; j++) sum += *(const float *)&s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
int main() {
  ${type} *in;
  float *out;
  cudaMalloc(&in, 200 * sizeof(${type}));
  cudaMalloc(&out, 64 * sizeof(float));
  tiles<<<1, 64>>>(in, out, 96, 2);
}
`;

/** The lines of stores to shared memory. */
async function storeLines(type: string, taken: string, other: string): Promise<number[]> {
  const text = kernel(type, taken, other);
  const { analysis } = await analyse(text);
  const lines = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ space, operation }) => space === "shared" && operation === "store")
    .map(({ range }) => text.slice(0, range.start).split("\n").length);
  return [...new Set(lines)].sort();
}

const copy = "s[threadIdx.x] = in[i];";

it.each([
  ["a vector", "float4", copy, "s[threadIdx.x] = make_float4(0, 0, 0, 1);"],
  ["bytes", "uchar4", copy, "s[threadIdx.x] = make_uchar4(1, 2, 3, 4);"],
  ["vectors of one place each", "int2", copy, "s[threadIdx.x] = in[0];"],
  [
    "a record of vectors",
    "Body",
    copy,
    "s[threadIdx.x].at = s[threadIdx.x].moving = make_float4(0, 0, 0, 1);",
  ],
  ["a record with padding", "Labelled", copy, "s[threadIdx.x] = in[0];"],
])("%s copied from place to place is stored in its own way", async (_, type, taken, other) => {
  expect(await storeLines(type, taken, other)).toEqual([10, 12]);
});

it.each([
  ["members", "Three", copy, "{ s[threadIdx.x].x = 1; s[threadIdx.x].y = 2; s[threadIdx.x].z = 3; }"],
  [
    "a vector that is computed",
    "float4",
    "s[threadIdx.x] = make_float4(in[i].y, 1, 2, 0);",
    "s[threadIdx.x] = make_float4(0, 0, 0, 1);",
  ],
  [
    "a vector by way of a variable",
    "float4",
    "{ float4 v = in[i]; s[threadIdx.x] = v; }",
    "{ float4 v = in[0]; s[threadIdx.x] = v; }",
  ],
])("%s is stored once", async (_, type, taken, other) => {
  expect(await storeLines(type, taken, other)).toHaveLength(1);
});
