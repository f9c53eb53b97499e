// A loop on a pointer from a place that nobody knows to one a constant behind it has as many trips as that constant says: as nvcc 13.0 -O3 unrolls
// these (SASS).
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts } from "../../server/src/text/source.ts";
import { instantiated, predicted } from "../support/accesses.ts";
import { readText } from "../support/parser.ts";

const kernel = (loop: string, length: number) => `template <int N> struct Row {
  float *p;
  __device__ float *begin() const { return p; }
  __device__ float *end() const { return p + N; }
};
struct Span { float *p; int n; __device__ float *begin() const { return p; } __device__ float *end() const { return p + n; } };
__global__ void rows(float *o, const float *in, int n) {
  __shared__ __align__(16) float s[32][${length}];
  for (int i = threadIdx.x; i < 32 * ${length}; i += 32) s[0][i] = in[i];
  __syncthreads();
  float sum = 0;
  float *row = s[threadIdx.x], *last = row;
  ${loop};
  o[threadIdx.x] = sum;
}`;

async function loadsOf(loop: string, length: number): Promise<string[]> {
  const text = kernel(loop, length);
  const program = generateCode(lowerProgram(await readText(text)));
  const definition = instantiated(program, { case: "", kernel: "rows", sites: [] });
  return definition
    ? predicted(definition, lineStarts(text)).filter((each) => each.startsWith("13 load"))
    : [];
}

describe("a loop on a pointer whose end is a known number of bytes from its start", () => {
  it.each([
    ["for (float x : Row<16>{row}) sum += x", 16],
    ["for (float x : Row<200>{row}) sum += x", 200],
    ["for (float x : Span{row, 8}) sum += x", 8],
    ["for (float *p = row, *e = p + 32; p != e; ++p) sum += *p", 32],
    ["for (float *p = row; p < row + 32; p++) sum += *p", 32],
    ["for (float *p = row; p <= row + 31; p++) sum += *p", 32],
    [
      "for (float *p = s[0] + threadIdx.x * 64, *e = s[0] + threadIdx.x * 64 + 64; p != e; ++p) sum += *p",
      64,
    ],
    ["for (float *p = row + 31, *e = row - 1; p != e; --p) sum = sum * 0.5f + *p", 32],
    ["for (float *p = row, *e = p + 32; p < e; p += 2) sum += p[0] * p[1]", 32],
    ["for (int r = 0; r < 2; ++r) for (float x : Row<8>{s[r]}) sum += x * r", 8],
  ])("%s loads vectors", async (loop, length) => {
    expect(await loadsOf(loop, length)).toEqual(["13 load 128"]);
  });

  it.each([
    // Ends that are no constant away, or not where the pointer comes from.
    "for (float x : Span{row, n}) sum += x",
    "for (float *p = row, *e = s[31]; p != e; ++p) sum += *p",
    "for (float *p = row, *e = (last += n, last + 16); p != e; ++p) sum += *p",
  ])("%s stays as it is", async (loop) => {
    expect(await loadsOf(loop, 32)).toEqual(["13 load 32"]);
  });
});
