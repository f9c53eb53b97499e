// Loops whose trips load windows of shared memory that overlap: copies of a trip load what they have in common once, so that ptxas finds a loop
// short that has many accesses in the text, and makes four rounds at once. Lanes that make different numbers of trips meet in other ones then:
// of the loads of `weights` an H200 counted 2,152 requests where one for each trip of the text would be 1,512 and 1,512.
import { expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const text = `
constexpr int length = 256;
constexpr int channels = 2;

__global__ void backwards(const float *weights, const float *inputs, float *outputs) {
  __shared__ float w[length];
  __shared__ float x[channels * length];
  const int t = threadIdx.x * 4;
  for (int i = threadIdx.x; i < length; i += blockDim.x) w[i] = weights[blockIdx.x * length + i];
  for (int i = threadIdx.x; i < channels * length; i += blockDim.x) x[i] = inputs[blockIdx.x * channels * length + i];
  __syncthreads();
  float4 sums[channels] = {};
  for (int u = 0; u <= t; u++) {
#pragma unroll
    for (int c = 0; c < channels; c++) {
      const float *window = x + c * length + length - t + u - 4;
      sums[c].x += window[3] * w[u];
      sums[c].y += window[2] * w[u];
      sums[c].z += window[1] * w[u];
      sums[c].w += window[0] * w[u];
    }
  }
  for (int c = 0; c < channels; c++)
    reinterpret_cast<float4 *>(outputs)[(blockIdx.x * channels + c) * length / 4 + threadIdx.x] = sums[c];
}

__global__ void forwards(const float *weights, const float *inputs, float *outputs) {
  __shared__ float w[length];
  __shared__ float x[length + 4];
  const int t = threadIdx.x * 4;
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    w[i] = weights[blockIdx.x * length + i];
    x[i] = inputs[blockIdx.x * length + i];
  }
  __syncthreads();
  float4 sum = {};
  for (int u = t + 3; u < length; u++) {
    const float *window = x + length + t - u - 1;
    sum.x += window[0] * w[u];
    sum.y += window[1] * w[u];
    sum.z += window[2] * w[u];
    sum.w += window[3] * w[u];
  }
  reinterpret_cast<float4 *>(outputs)[blockIdx.x * length / 4 + threadIdx.x] = sum;
}

int main() {
  float *weights, *inputs, *outputs;
  cudaMalloc(&weights, 4 * length * sizeof(float));
  cudaMalloc(&inputs, 4 * channels * length * sizeof(float));
  cudaMalloc(&outputs, 4 * channels * length * sizeof(float));
  backwards<<<4, length / 4>>>(weights, inputs, outputs);
  forwards<<<4, length / 4>>>(weights, inputs, outputs);
  cudaDeviceSynchronize();
}
`;

// The trip that is left over each lane makes once, all together: an H200 counted the 8 requests and 32 wavefronts of its `w[u]` that are claimed.
const requestsLeftOver: readonly (number | null)[] = [8, 16];

it.each(["window[0]", "window[3]", "w[u]"])("is not sure of %s in trips made at once", async (expression) => {
  const { analysis } = await analyse(text);
  const accesses = analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(
      ({ space, expression: text, requests }) =>
        space === "shared" && text === expression && !requestsLeftOver.includes(requests),
    );
  expect(accesses.length).toBeGreaterThan(0);
  for (const { verdict } of accesses) expect(verdict.kind).toBe("conditional");
});
