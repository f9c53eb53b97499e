// Bytes and 16-bit values of tables in the device's own memory, of whose alignment LLVM knows by their declaration (SASS of nvcc 13.0).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (declaration: string, body: string) => `
#include <cstdint>
__device__ ${declaration};
__global__ void k(const int *__restrict__ q, float *__restrict__ y) {
  const int i = q[threadIdx.x];
  float s = 0;
  ${body}
  y[threadIdx.x] = s;
}
int main() { int *q; float *y; cudaMalloc(&q, 256); cudaMalloc(&y, 256); k<<<1, 32>>>(q, y); }`;

async function tableLoads(declaration: string, body: string): Promise<number[]> {
  const { analysis } = await analyse(kernel(declaration, body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, expression }) => operation === "load" && !expression.startsWith("q["))
    .map(({ bytes }) => bytes)
    .sort((a, b) => a - b);
}

describe("bytes of a table are loaded", () => {
  const grid = "const uint8_t *grid = (const uint8_t *)(table + i);";
  it.each([
    [
      "eight of 64 bits",
      "uint64_t table[256]",
      `${grid} for (int j = 0; j < 8; j++) s = 3 * s + grid[j];`,
      [8],
    ],
    [
      "of constants",
      "const uint64_t table[4] = {1, 2, 3, 4}",
      `${grid} for (int j = 0; j < 8; j++) s = 3 * s + grid[j];`,
      [8],
    ],
    [
      "four of 32 bits",
      "uint32_t table[256]",
      `${grid} for (int j = 0; j < 4; j++) s = 3 * s + grid[j];`,
      [4],
    ],
    ["three, as four", "uint64_t table[256]", `${grid} s = grid[0] + 2 * grid[1] + 3 * grid[2];`, [4]],
    [
      "the upper four",
      "uint64_t table[256]",
      `${grid} s = grid[4] + 2 * grid[5] + 3 * grid[6] + 5 * grid[7];`,
      [4],
    ],
    [
      "what is aligned",
      "__align__(8) uint16_t table[256]",
      "for (int j = 0; j < 4; j++) s = 3 * s + table[4 * i + j];",
      [8],
    ],
    ["two apart", "uint64_t table[256]", `${grid} s = grid[0] + 2 * grid[4];`, [1, 1]],
    [
      "an array of bytes",
      "uint8_t table[256]",
      "s = table[4 * i] + 3 * table[4 * i + 1] + 5 * table[4 * i + 2] + 7 * table[4 * i + 3];",
      [1, 1, 1, 1],
    ],
    ["an array of shorts", "uint16_t table[256]", "s = table[2 * i] + 3 * table[2 * i + 1];", [2, 2]],
  ])("%s", async (_what, declaration, body, bytes) => {
    expect(await tableLoads(declaration, body)).toEqual(bytes);
  });
});
