// Records of 8 bytes and something narrower in shared memory: with the padding behind them all nvcc copies member by member, and ptxas makes no 128 bits of
// 64 and 32; with padding between them in words of 8 bytes, of which it stores two as one (widths as in SASS of nvcc 13.0).
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

/** The widths in bits of what the kernel stores in or loads from shared memory. */
async function widthsOf(members: string, what: "load" | "store"): Promise<number[]> {
  const { analysis } = await analyse(`
struct Best { ${members} };
__global__ void k(const Best *in, Best *out, int n) {
  __shared__ Best best[256];
  int t = threadIdx.x;
  best[t] = in[t];
  __syncthreads();
  if (n > 5) best[t] = best[t + n];
  __syncthreads();
  out[t] = best[t ^ 1];
}
int main() {
  Best *in, *out;
  cudaMalloc(&in, 8192); cudaMalloc(&out, 8192);
  k<<<1, 128>>>(in, out, 8);
}`);
  const accesses = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, space }) => operation === what && space === "shared");
  return [...new Set(accesses.map(({ bytes }) => 8 * (bytes ?? 0)))];
}

it.each([
  ["a double and an int", "double value; int index;", [64]],
  ["a double and a char", "double value; char flag;", [64]],
  ["a double and two shorts", "double value; short row, column;", [64]],
  ["a pointer and a length", "float *data; int length;", [64]],
  ["an int and a double", "int index; double value;", [128]],
  ["a double and two ints, without padding", "double value; int row, column;", [64]],
])("%s are stored in shared memory as their padding lies", async (_, members, bits) => {
  expect(await widthsOf(members, "store")).toEqual(bits);
});

it.each([
  ["a double and an int", "double value; int index;", [64]],
  ["an int and a double", "int index; double value;", [128]],
  ["an int and a byte", "int key; char kind;", [64]],
  ["a byte and an int", "bool isSet; float value;", [64]],
  ["a double, a float and a byte", "double value; float weight; char kind;", [64]],
  ["three of 4 bytes with a byte", "int row; float value; char kind;", [32]],
])(
  "%s are loaded from shared memory as their padding lies, once more where they were stored",
  async (_, members, bits) => {
    expect(await widthsOf(members, "load")).toEqual(bits);
  },
);
