// Texts that the protocol's tests speak of: small, and known by heart.

/** One 32-way conflict, at `tile[threadIdx.x][threadIdx.y]` in line 6 (from 1). */
export const conflict = `#define N 32
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[N][N];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * N + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  float *out, *in;
  transpose<<<1, dim3(32, 32)>>>(out, in);
}
`;

export const clean = conflict.replace("tile[N][N]", "tile[N][N + 1]");

/** As `conflict`, and nothing launches it. */
export const unlaunched = conflict.slice(0, conflict.indexOf("int main"));

/**
 * A kernel with one 32-way conflict, at `tile[threadIdx.x][threadIdx.y]`. No trip of its loops is like another: one evaluation of it takes
 * hundreds of milliseconds, and a search for fixes takes many.
 */
export const heavyKernel = (name: string, trips = "20"): string =>
  `__global__ void ${name}(float* out, const float* in, const float* weights) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  int at = threadIdx.x;
  for (int i = 0; i < ${trips}; i++)
    for (int j = 0; j < ${trips}; j++) {
      at = (at * 5 + i) % 97;
      if (at > 40 + j) sum += weights[at];
    }
  out[blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x] = sum + tile[threadIdx.x][threadIdx.y];
}
`;

/** Launches the kernels of these names. */
export const heavyLaunches = (names: readonly string[]): string =>
  `void run(float* out, const float* in, const float* weights) {
${names.map((name) => `  ${name}<<<64, dim3(32, 32)>>>(out, in, weights);\n`).join("")}}
`;

/** The place of `needle` in `text`, in the middle of it. */
export function placeOf(text: string, needle: string): { line: number; character: number } {
  const offset = text.indexOf(needle);
  if (offset === -1) throw new Error(`${needle} is not there`);
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: (before.at(-1) ?? "").length + Math.floor(needle.length / 2) };
}
