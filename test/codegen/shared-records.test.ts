// Members of a record in shared memory that are stored with loads of another array between: one store where the record tells LLVM that it is
// aligned, which knows that the array is elsewhere (seen in SASS of nvcc 13.0).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (type: string, body: string) => `
struct __align__(8) Aligned { float x, y; };
struct Plain { float x, y; };
__global__ void k(float *out) {
  __shared__ ${type} sums;
  __shared__ float cells[32];
  int t = threadIdx.x;
  cells[t] = out[t];
  __syncthreads();
  if (t == 0) { ${body} }
  __syncthreads();
  out[t] = sums.x + sums.y * cells[31 - t];
}
int main() { float *out; cudaMalloc(&out, 1024); k<<<1, 32>>>(out); }`;

async function storesOf(type: string, body: string): Promise<string[]> {
  const { analysis } = await analyse(kernel(type, body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, space }) => operation === "store" && space === "shared")
    .map(({ expression, bytes }) => `${expression} ${bytes}`)
    .filter((store) => store.startsWith("sums"));
}

const loadsBetween = "sums.x = cells[1]; sums.y = cells[2];";

describe("members of a record, with loads of another array between their stores,", () => {
  it.each(["float2", "Aligned"])("are stored at once in a %s", async (type) => {
    expect(await storesOf(type, loadsBetween)).toEqual(["sums.y 8"]);
  });

  it("are stored one by one where the record is aligned as they are", async () => {
    expect(await storesOf("Plain", loadsBetween)).toEqual(["sums.x 4", "sums.y 4"]);
  });
});
