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

/** The place of `needle` in `text`, in the middle of it. */
export function placeOf(text: string, needle: string): { line: number; character: number } {
  const offset = text.indexOf(needle);
  if (offset === -1) throw new Error(`${needle} is not there`);
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: (before.at(-1) ?? "").length + Math.floor(needle.length / 2) };
}
