// What is said of kernels that nobody in sight instantiates: only what holds whatever their template arguments are.
import { describe, expect, it } from "vitest";
import { found } from "./found.ts";

const strided = `template <typename T, int N> __global__ void strided(T* out, const T* in) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t * N] = in[t * N];
}
`;
const turned = `template <int DIM> __global__ void turned(float* out, const float* in) {
  __shared__ float tile[DIM][DIM];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * DIM + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * DIM + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;

describe("a template that nobody instantiates", () => {
  it("is not warned of where some argument is well", () => {
    expect(found(strided, "uncoalesced-access")).toEqual([]);
  });

  it("is not warned of for an argument that a comment leaves open", () => {
    const launched = (values: string) => `// warplint: launch(${values})\n${strided}`;
    expect(found(launched("block=256, T=float"), "uncoalesced-access")).toEqual([]);
    expect(found(launched("block=256, T=float, N=32"), "uncoalesced-access")).toHaveLength(2);
  });

  it("is warned of where it costs with all that it can be made for", () => {
    // With a DIM of 1, 2 or 4 no block in sight stays in the tile: these contradict nothing.
    const [conflict, ...others] = found(turned, "shared-bank-conflict");
    expect(conflict?.line).toBe(5);
    expect(others).toEqual([]);
    const tried = conflict?.finding.contexts.map(({ kernel }) => kernel.templateArguments[0]);
    expect(new Set(tried)).toEqual(new Set(["8", "16", "32", "64", "128"]));
  });
});

describe("launches between which the host chooses by what nobody knows", () => {
  const program = (choose: string) => `#include <cstdio>
extern int mode(), width();
template <int STRIDE, int BYTES> __global__ void take(float* out) {
  __shared__ float s[256];
  const float* from = &s[threadIdx.x * STRIDE];
  if constexpr (BYTES == 8) {
    float2 v = *(const float2*)from;
    out[threadIdx.x] = v.x + v.y;
  } else out[threadIdx.x] = *from;
}
template <int STRIDE> void launch(float* out, int bytes) {
  if (bytes == 8) take<STRIDE, 8><<<1, 64>>>(out);
  else take<STRIDE, 4><<<1, 64>>>(out);
}
int main() {
  float* out;
  cudaMalloc(&out, 4096);
  ${choose}
}
`;
  const rule = "misaligned-vector-access";

  it("are warned of each where the choice is one", () => {
    expect(found(program("launch<3>(out, width());"), rule)).toHaveLength(1);
  });

  it("are warned of where all agree where the choices are two, for not all ways need go together", () => {
    const switched = (strides: readonly number[]) =>
      `int bytes = width(); switch (mode()) { ${strides
        .map((stride, mode) => `case ${mode}: launch<${stride}>(out, bytes); break;`)
        .join(" ")} }`;
    expect(found(program(switched([2, 3])), rule)).toEqual([]);
    expect(found(program(switched([1, 3])), rule)).toHaveLength(1);
  });
});
