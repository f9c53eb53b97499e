// Words that inline PTX loads from and stores to shared memory by addresses of 32 bits: nvcc 13.0 makes one access of neighbours as of any
// others (`npm run sass` of these kernels), however the address comes about, and past accesses of other memory.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const program = (body: string) => `
__device__ float load(unsigned a) { float v; asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(a)); return v; }
__device__ void store(unsigned a, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(a), "f"(v) : "memory"); }
__global__ void run(const float *in, float *out) {
  __shared__ __align__(16) float tile[32 * 36];
  unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  float sum = 0;
  ${body}
  out[threadIdx.x] = sum;
}
int main() {
  float *a;
  cudaMalloc(&a, 8192);
  run<<<1, 32>>>(a, a);
}`;

/** The bytes of a lane of each access of shared memory. */
async function widthsOf(body: string): Promise<readonly number[]> {
  const { analysis } = await analyse(program(body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ space }) => space === "shared")
    .map(({ bytes }) => bytes);
}

const loads = (pitch: number, unit: string) =>
  `for (int c = 0; c < 4; ++c) sum += load(base + (threadIdx.x * ${pitch} + c) * ${unit});`;

describe("accesses of shared memory by inline PTX", () => {
  it.each(["4", "sizeof(float)"])(
    "are one of 16 bytes where all rows begin at 16, in units of %s",
    async (unit) => {
      expect(await widthsOf(loads(36, unit))).toEqual([16]);
    },
  );

  it("are two of 8 where rows begin at 8, and stay words, one a trip, where they begin at 4", async () => {
    expect(await widthsOf(loads(34, "sizeof(float)"))).toEqual([8, 8]);
    expect(await widthsOf(loads(33, "sizeof(float)"))).toEqual([4]);
  });

  it("are merged past loads of global memory", async () => {
    const stores =
      "for (int c = 0; c < 4; ++c) store(base + (threadIdx.x * 36 + c) * 4, in[c * 32 + threadIdx.x]);";
    expect(await widthsOf(stores)).toEqual([16]);
  });
});
