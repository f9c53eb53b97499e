// What an atomic in a lambda names is read by it, though nobody reads the atomic's result: nvcc 13.0 loads the edges of these kernels (one
// LDG a member, recorded on an H200) and adds at their indices.
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string) => `
struct Edge { int left, right; };
template <typename F> __device__ void once(F &&put) { put(1.f); }
__global__ void add(float *sums, const Edge *edges) {
  ${body}
}
int main() {
  float *sums;
  Edge *edges;
  cudaMalloc(&sums, 4096);
  cudaMalloc(&edges, 4096);
  add<<<1, 32>>>(sums, edges);
}`;

async function accessesOf(body: string): Promise<string[]> {
  const { analysis } = await analyse(kernel(body));
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .map(({ operation, verdict, requests }) => `${operation} ${verdict.kind} ${requests}`);
}

describe("a lambda that captures by reference", () => {
  it("adds where the captured variable says", async () => {
    expect(
      await accessesOf(
        "int at = threadIdx.x * 2; auto put = [&](float f) { atomicAdd(&sums[at], f); }; put(1.f);",
      ),
    ).toEqual(["atomic exact 1"]);
  });

  it("keeps the load of what it captured, by which the place is not known", async () => {
    expect(
      await accessesOf(
        "const Edge edge = edges[threadIdx.x]; once([&](float f) { atomicAdd(&sums[edge.left], f); atomicAdd(&sums[edge.right], f); });",
      ),
    ).toEqual(["load exact 2", "atomic unknown null", "atomic unknown null"]);
  });
});
