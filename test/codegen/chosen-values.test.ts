// A variable that takes one load, or in a branch another: nvcc may choose the address and load once. An array that is declared anew in each trip of a
// loop that is unrolled has nothing to choose: the PTX of nvcc 13.0 -O3 has the four loads of this kernel, each behind a branch of its own.
import { expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { instantiated } from "../support/accesses.ts";
import { readText } from "../support/parser.ts";

const kernel = (inFront: string, inTrip: string) => `
__global__ void k(const float4* p, const unsigned* w, float* out, int n) {
  float s = 0;
  for (int g = 0; g < n / 128; g++) {
    int delta = g * 128 + threadIdx.x * 4;
    const float4* q = p + delta;
    ${inFront}
#pragma unroll
    for (int i = 0; i < 4; i++) {
      unsigned packed = w[i];
      ${inTrip}
      if (delta + i < n) {
        *((float4*)held) = *(q + i);
#pragma unroll
        for (int j = 0; j < 8; j++) {
          s += (float)(packed & 0xF) * __half2float(held[j]);
          packed = packed >> 4;
        }
      }
    }
  }
  out[threadIdx.x] = s;
}`;

async function doubtsOf(text: string): Promise<readonly string[]> {
  const program = generateCode(lowerProgram(await readText(text)));
  const definition = instantiated(program, { case: "", kernel: "k", sites: [] });
  return [...(definition?.siteDoubts?.values() ?? [])];
}

it("is in doubt where it has what the trip before loaded", async () => {
  expect(await doubtsOf(kernel("half held[8];", ""))).toContain("chooses-places");
});

it("is in no doubt where it is declared in each trip", async () => {
  expect(await doubtsOf(kernel("", "half held[8];"))).not.toContain("chooses-places");
});

// The PTX of nvcc 13.0 -O3 has a load of the element, and one of each neighbour behind a branch of its own.
const atBorder = (result: string) => `
__global__ void k(const double* in, double* out, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, pos = i % n;
  const double m = in[i * 32];
  const double l = pos > 0 ? in[(i - step) * 32] : m, r = pos < n - 1 ? in[(i + step) * 32] : m;
  out[i * 32] = ${result};
}`;

it("is in no doubt where what stands in for a neighbour is loaded anyway", async () => {
  expect(await doubtsOf(atBorder("m + 0.1 * (l - 2 * m + r)"))).not.toContain("chooses-places");
});

it("is in doubt where nothing else reads what stands in", async () => {
  const alone = atBorder("l").replace(/, r = .*;/, ";");
  expect(await doubtsOf(alone)).toContain("chooses-places");
});
