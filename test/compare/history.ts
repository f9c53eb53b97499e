// A project of twelve commits: what `compare` is tried on, and what a GPU ran (history.truth.jsonl).

export const transpose = (pitch: string, name = "transpose") => `#include "tiles.h"
__global__ void ${name}(float *out, const float *in) {
  __shared__ float tile[32][${pitch}];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run_${name}() {
  float *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  ${name}<<<1, dim3(32, 32)>>>(out, in);
}
`;

const swizzled = (column: string) => `__global__ void swizzled(float *out, const float *in) {
  __shared__ float square[32][32];
  square[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = square[threadIdx.x][${column}];
}
void run_swizzled() {
  float *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  swizzled<<<1, dim3(32, 32)>>>(out, in);
}
`;

/** TILE_WIDTH comes from CMake. */
const rows = `__global__ void rows(float *out) {
  __shared__ float rows_of[32 * TILE_WIDTH];
  for (int i = threadIdx.x; i < 32 * TILE_WIDTH; i += 32) rows_of[i] = i;
  __syncthreads();
  out[threadIdx.x] = rows_of[threadIdx.x * TILE_WIDTH];
}
void run_rows() {
  float *out;
  cudaMalloc(&out, 4096);
  rows<<<1, 32>>>(out);
}
`;

/** STRIDE comes from tiles.h. */
const strided = `#include "tiles.h"
__global__ void strided(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x * STRIDE]; }
void run_strided() {
  float *out, *in;
  cudaMalloc(&out, 65536);
  cudaMalloc(&in, 65536);
  strided<<<1, 256>>>(out, in);
}
`;

const copies = (block: number) => `__global__ void both(float *a, float *b, const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = c[i];
  b[i] = c[i] * 2;
}
void run_both() {
  float *a, *b, *c;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&c, 4096);
  both<<<1024 / ${block}, ${block}>>>(a, b, c);
}
`;

const split = `__global__ void first(float *a, const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = c[i];
}
__global__ void second(float *b, const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = c[i] * 2;
}
void run_both() {
  float *a, *b, *c;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&c, 4096);
  first<<<4, 256>>>(a, c);
  second<<<4, 256>>>(b, c);
}
`;

const cmake = (width: number) => `cmake_minimum_required(VERSION 3.20)
project(history CUDA)
add_executable(app main.cu transpose.cu swizzled.cu rows.cu strided.cu copies.cu)
target_compile_definitions(app PRIVATE TILE_WIDTH=${width})
`;

const main = (transposed: string) => `void run_${transposed}();
void run_swizzled();
void run_rows();
void run_strided();
void run_both();
int main() {
  run_${transposed}();
  run_swizzled();
  run_rows();
  run_strided();
  run_both();
}
`;

type Files = Readonly<Record<string, string | null>>;

/** What each commit writes (null: removes). */
export const history: readonly { readonly message: string; readonly files: Files }[] = [
  {
    message: "all of it",
    files: {
      "CMakeLists.txt": cmake(33),
      "tiles.h": "#define STRIDE 1\n",
      "main.cu": main("transpose"),
      "transpose.cu": transpose("33"),
      "swizzled.cu": swizzled("threadIdx.y ^ threadIdx.x"),
      "rows.cu": rows,
      "strided.cu": strided,
      "copies.cu": copies(256),
    },
  },
  { message: "pad removed", files: { "transpose.cu": transpose("32") } },
  { message: "pad is back", files: { "transpose.cu": transpose("33") } },
  { message: "swizzle deleted", files: { "swizzled.cu": swizzled("threadIdx.y") } },
  { message: "tile changed in CMake only", files: { "CMakeLists.txt": cmake(32) } },
  { message: "macro of a header", files: { "tiles.h": "#define STRIDE 8\n" } },
  {
    message: "kernel renamed",
    files: { "transpose.cu": transpose("33", "flip"), "main.cu": main("flip") },
  },
  {
    message: "kernel moved",
    files: {
      "transpose.cu": null,
      "flip.cu": transpose("33", "flip"),
      "CMakeLists.txt": cmake(32).replace("transpose.cu", "flip.cu"),
    },
  },
  { message: "block changed", files: { "copies.cu": copies(128) } },
  {
    message: "refactored",
    files: { "strided.cu": strided.replace("in[threadIdx.x * STRIDE]", "in[STRIDE * threadIdx.x]") },
  },
  { message: "kernel split", files: { "copies.cu": split } },
  { message: "words", files: { "README.md": "Kernels.\n" } },
];

/** All files as they are after the commit: contents by path. */
export function filesAfter(commit: number): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { files: written } of history.slice(0, commit + 1))
    for (const [path, text] of Object.entries(written))
      if (text === null) files.delete(path);
      else files.set(path, text);
  return files;
}
