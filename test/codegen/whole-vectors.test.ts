// Vectors that are handed to functions whole: LLVM loads all of one where it is copied, whatever stands between the reads of its members
// (the n-body tile of a program that an H200 recorded: 128 bits, once a trip).
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

it.each([
  ["a division by a root", "1.0f / sqrtf(d * d * d)"],
  ["a sine", "sinf(d)"],
  ["a product", "d * d"],
])("a float4 in shared memory is one load where %s stands between its members", async (_, between) => {
  const { analysis } = await analyse(`
__device__ float3 pull(float4 mine, float4 other, float3 sum) {
  float3 r = {other.x - mine.x, other.y - mine.y, other.z - mine.z};
  float d = r.x * r.x + r.y * r.y + r.z * r.z + 1.0f;
  float strength = other.w * (${between});
  sum.x += strength * r.x;
  sum.y += strength * r.y;
  sum.z += strength * r.z;
  return sum;
}
__global__ void bodies(const float4 *in, float3 *out) {
  __shared__ float4 tile[64];
  float4 mine = in[threadIdx.x];
  float3 sum = {0, 0, 0};
  tile[threadIdx.x] = mine;
  __syncthreads();
  for (int i = 0; i < blockDim.x; i++) sum = pull(mine, tile[i], sum);
  out[threadIdx.x] = sum;
}
int main() {
  float4 *in;
  float3 *out;
  cudaMalloc(&in, 1024); cudaMalloc(&out, 768);
  bodies<<<1, 64>>>(in, out);
}`);
  const widths = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, space }) => operation === "load" && space === "shared")
    .map(({ bytes }) => bytes);
  expect(new Set(widths)).toEqual(new Set([16]));
});
