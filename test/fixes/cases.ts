// Small programs with the fixes that they should get: what changes, and what a request costs before and after.
import type { FixKind } from "../../server/src/fixes/fix.ts";

export interface FixCase {
  readonly name: string;
  readonly text: string;
  readonly expects: readonly {
    readonly line: number;
    readonly kind: FixKind;
    readonly safety: "safe" | "suggestion";
    readonly before: number;
    readonly after: number;
    readonly lines: readonly string[];
  }[];
}

const host = (launch: string, declarations = "float *in, *out;") => `
int main() {
  const int n = 256;
  ${declarations}
  cudaMalloc(&in, n * n * sizeof(*in));
  cudaMalloc(&out, n * n * sizeof(*out));
  ${launch}
  cudaDeviceSynchronize();
}
`;

/** A transpose through a tile, with what differs filled in. */
const transpose = (declaration: string, at: (row: string, column: string) => string, type = "float") => `
__global__ void k(const ${type} *in, ${type} *out, int n) {
  ${declaration}
  int tx = threadIdx.x, ty = threadIdx.y;
  ${at("ty", "tx")} = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];
  __syncthreads();
  out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = ${at("tx", "ty")};
}
`;

const square = "k<<<dim3(8, 8), dim3(32, 32)>>>(in, out, n);";

export const cases: readonly FixCase[] = [
  {
    name: "a literal length grows by one, and the comment behind it stays",
    text: `${transpose("__shared__ float tile[32][32]; // one tile", (r, c) => `tile[${r}][${c}]`)}${host(square)}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: ["__shared__ float tile[32][33]; // one tile"],
      },
      {
        line: 7,
        kind: "swizzle",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "tile[ty][tx ^ ty] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = tile[tx][ty ^ tx];",
        ],
      },
    ],
  },
  {
    name: "an array whose threads go down its columns is transposed, without the pad that it had",
    text: `
template <int BX, int BY>
__global__ void k(const float *in, float *out, int n) {
  __shared__ float sums[BX][BY + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  sums[tx][ty] = in[ty * n + tx];
  __syncthreads();
  if (ty == 0) out[tx] = sums[tx][0] + sums[tx][BY - 1];
}
${host("k<16, 16><<<1, dim3(16, 16)>>>(in, out, n); k<32, 8><<<1, dim3(32, 8)>>>(in, out, n);")}`,
    expects: [
      {
        line: 6,
        kind: "transpose",
        safety: "safe",
        before: 2,
        after: 1,
        lines: [
          "__shared__ float sums[BY][BX];",
          "sums[ty][tx] = in[ty * n + tx];",
          "if (ty == 0) out[tx] = sums[0][tx] + sums[BY - 1][tx];",
        ],
      },
    ],
  },
  {
    name: "rows that are even in one instantiation and odd in another are odd in both",
    text: `
template <int N>
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[32][N];
  int t = threadIdx.x;
  for (int c = 0; c < N; ++c) s[t][c] = in[c * 32 + t];
  __syncthreads();
  for (int c = 0; c < N; ++c) out[c * 32 + t] = s[t][c] + s[31 - t][c];
}
${host("k<16><<<1, 32>>>(in, out, n); k<9><<<1, 32>>>(in, out, n);")}`,
    expects: [
      {
        line: 6,
        kind: "pad",
        safety: "safe",
        before: 16,
        after: 1,
        lines: ["__shared__ float s[32][N | 1];"],
      },
    ],
  },
  {
    name: "two rows of bytes at once lie half the banks apart: more than 32 elements",
    text: `
__global__ void k(const unsigned char *in, unsigned *out) {
  __shared__ unsigned char tile[8][128];
  int t = threadIdx.x;
  for (int r = 0; r < 8; ++r) tile[r][t] = in[r * 128 + t];
  __syncthreads();
  for (int j = 0; j < 2; ++j) out[j * 128 + t] = *(unsigned *)&tile[t / 16][(t % 16 + 16 * j) * 4];
}
${host("k<<<1, 128>>>(in, out);", "unsigned char *in; unsigned *out;")}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 2,
        after: 1,
        lines: ["__shared__ unsigned char tile[8][192];"],
      },
    ],
  },
  {
    name: "an index that changes a variable is spread by a function, so that it does so once",
    text: `
__global__ void k(const float *in, float *out) {
  __shared__ float s[512];
  int t = threadIdx.x, at = t * 4;
  for (int c = 0; c < 4; ++c) s[t + c * 128] = in[c * 128 + t];
  __syncthreads();
  out[t] = s[at++];
  __syncthreads();
  out[t + 128] = s[at];
}
${host("k<<<1, 128>>>(in, out);")}`,
    expects: [
      {
        line: 7,
        kind: "spread",
        safety: "safe",
        before: 4,
        after: 1,
        lines: [
          "const auto spread = [](int i) { return i + (i >> 5); };",
          "__shared__ float s[528];",
          "for (int c = 0; c < 4; ++c) s[spread(t + c * 128)] = in[c * 128 + t];",
          "out[t] = s[spread(at++)];",
          "out[t + 128] = s[spread(at)];",
        ],
      },
    ],
  },
  {
    name: "a member of another struct that has the same name is another thing",
    text: `
struct Params { const float *A; float *C; };
struct Storage { float A[32][32]; };
__device__ const float *moved(const float *p, int by) { return p + by; }
__global__ void k(Params params, int n) {
  __shared__ Storage storage;
  int tx = threadIdx.x, ty = threadIdx.y;
  storage.A[ty][tx] = *moved(params.A, ty * n + tx);
  __syncthreads();
  params.C[ty * n + tx] = storage.A[tx][ty];
}
${host("k<<<1, dim3(32, 32)>>>({in, out}, n);")}`,
    expects: [
      {
        line: 10,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: ["struct Storage { float A[32][33]; };"],
      },
    ],
  },
  {
    name: "an atomic of a library's text runs where it is called",
    text: `
#include <cuda/atomic>
__global__ void k(const float *in, float *out) {
  __shared__ int bins[128];
  int t = threadIdx.x;
  bins[t] = in[t];
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block>(bins[t * 2 % 128]).fetch_max(t);
  __syncthreads();
  out[t] = bins[t];
}
${host("k<<<1, 128>>>(in, out);")}`,
    expects: [
      {
        line: 8,
        kind: "spread",
        safety: "safe",
        before: 2,
        after: 1,
        lines: [
          "__shared__ int bins[132];",
          "bins[t + (t >> 5)] = in[t];",
          "cuda::atomic_ref<int, cuda::thread_scope_block>(bins[t * 2 % 128 + ((t * 2 % 128) >> 5)]).fetch_max(t);",
          "out[t] = bins[t + (t >> 5)];",
        ],
      },
    ],
  },
  {
    name: "a pad of two that does too little gives way to one of one",
    text: `#define T 32${transpose("__shared__ float tile[T][T + 2];", (r, c) => `tile[${r}][${c}]`)}${host(square)}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 2,
        after: 1,
        lines: ["__shared__ float tile[T][T + 1];"],
      },
    ],
  },
  {
    name: "a pad that costs more than it saves goes, rather than that it grows to 32",
    text: `
__global__ void k(const float *in, float *out, int n) {
  __shared__ float tile[16][16 + 1];
  int at = (blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[at];
  __syncthreads();
  out[at] = tile[threadIdx.y][threadIdx.x];
}
${host("k<<<dim3(16, 16), dim3(16, 16)>>>(in, out, n);")}`,
    expects: [
      {
        line: 5,
        kind: "pad",
        safety: "safe",
        before: 2,
        after: 1,
        lines: ["__shared__ float tile[16][16];"],
      },
    ],
  },
  {
    name: "bytes need whole words: the row grows by four",
    text: `${transpose("__shared__ unsigned char tile[32][32];", (r, c) => `tile[${r}][${c}]`, "unsigned char")}${host(square, "unsigned char *in, *out;")}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 8,
        after: 1,
        lines: ["__shared__ unsigned char tile[32][36];"],
      },
    ],
  },
  {
    name: "an array of one dimension that no pitch describes",
    text: `
__global__ void k(const float *in, float *out, int n) {
  __shared__ float s[32 * 32], last[2];
  int from = threadIdx.y * 32 + threadIdx.x;
  int to = threadIdx.x * 32 + threadIdx.y;
  s[from] = in[from];
  __syncthreads();
  last[0] = s[1023] + s[5];
  out[from] = s[to ^ 1] + last[0];
}
${host("k<<<1, dim3(32, 32)>>>(in, out, n);")}`,
    expects: [
      {
        line: 9,
        kind: "spread",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "__shared__ float s[32 * 32 + (32 * 32) / 32], last[2];",
          "s[from + (from >> 5)] = in[from];",
          "last[0] = s[1054] + s[5];",
          "out[from] = s[(to ^ 1) + ((to ^ 1) >> 5)] + last[0];",
        ],
      },
    ],
  },
  {
    name: "butterflies of every span in two arrays, changed together",
    text: `
__global__ void k(const float *in, float *out) {
  __shared__ float re[256], im[256];
  const int t = threadIdx.x;
  for (int r = 0; r < 256; r += 128) re[t + r] = in[t + r], im[t + r] = in[t + r + 256];
  __syncthreads();
  for (int half = 1; half < 256; half *= 2) {
    const int i = t / half * 2 * half + t % half;
    const float a = re[i], b = im[i];
    re[i] = a + re[i + half];
    im[i] = b + im[i + half];
    __syncthreads();
  }
  out[t] = re[t] + im[t];
}
${host("k<<<1, 128>>>(in, out);")}`,
    expects: [
      {
        line: 9,
        kind: "swizzle",
        safety: "safe",
        before: 1.625,
        after: 1,
        lines: [
          "const auto swizzled = [](int i) { return i ^ (((i >> 5) & 1) * 31); };",
          "for (int r = 0; r < 256; r += 128) re[swizzled(t + r)] = in[t + r], im[swizzled(t + r)] = in[t + r + 256];",
          "const float a = re[swizzled(i)], b = im[swizzled(i)];",
          "re[swizzled(i)] = a + re[swizzled(i + half)];",
          "im[swizzled(i)] = b + im[swizzled(i + half)];",
          "out[t] = re[swizzled(t)] + im[swizzled(t)];",
        ],
      },
    ],
  },
  {
    name: "a column of rows that are carved out of bytes, by their indices where no factor is a pitch",
    text: `
__global__ void k(const float *in, float *out, int n) {
  extern __shared__ char raw[];
  float *s = reinterpret_cast<float *>(raw);
  s[threadIdx.x] = in[threadIdx.x];
  s[threadIdx.x + 256] = in[threadIdx.x + 256];
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = s[threadIdx.x << 4];
}
${host("k<<<1, 256, 2048>>>(in, out, n);")}`,
    expects: [
      {
        line: 8,
        kind: "swizzle",
        safety: "suggestion",
        before: 16,
        after: 1,
        lines: [
          "s[threadIdx.x ^ ((threadIdx.x >> 5) & 31)] = in[threadIdx.x];",
          "s[(threadIdx.x + 256) ^ (((threadIdx.x + 256) >> 5) & 31)] = in[threadIdx.x + 256];",
          "if (threadIdx.x < 32) out[threadIdx.x] = s[(threadIdx.x << 4) ^ (((threadIdx.x << 4) >> 5) & 31)];",
        ],
      },
    ],
  },
  {
    name: "beside a loop of dearer launches",
    text: `
__global__ void strided(const float *in, float *out, int stride) { out[threadIdx.x] = in[threadIdx.x * stride]; }
${transpose("__shared__ float tile[32][32];", (r, c) => `tile[${r}][${c}]`)}${host(`for (int stride = 8; stride > 1; stride /= 2) strided<<<1, 32>>>(in, out, stride);\n  ${square}`)}`,
    expects: [
      {
        line: 9,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: ["__shared__ float tile[32][33];"],
      },
    ],
  },
  {
    name: "a launch to warm up and the one that is timed",
    text: `${transpose("extern __shared__ float s[];", (r, c) => `s[${r} * 32 + ${c}]`)}${host("k<<<dim3(8, 8), dim3(32, 32), 4096>>>(in, out, n);\n  k<<<dim3(8, 8), dim3(32, 32), 4096>>>(in, out, n);")}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "s[ty * 33 + tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[tx * 33 + ty];",
          "k<<<dim3(8, 8), dim3(32, 32), 4224>>>(in, out, n);",
          "k<<<dim3(8, 8), dim3(32, 32), 4224>>>(in, out, n);",
        ],
      },
    ],
  },
  {
    name: "doubles of dynamic shared memory, of which one more fits behind every sixteen",
    text: `
__global__ void k(const double *in, double *out) {
  extern __shared__ double s[];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x << 4];
}
${host("const int bytes = 512 * sizeof(double);\n  k<<<1, 32, bytes>>>(in, out);\n  k<<<1, 32, bytes>>>(in, out);", "double *in, *out;")}`,
    expects: [
      {
        line: 6,
        kind: "spread",
        safety: "safe",
        before: 32,
        after: 2,
        lines: [
          "for (int i = threadIdx.x; i < 512; i += blockDim.x) s[i + (i >> 4)] = in[i];",
          "out[threadIdx.x] = s[(threadIdx.x << 4) + ((threadIdx.x << 4) >> 4)];",
          "k<<<1, 32, bytes + bytes / 16>>>(in, out);",
          "k<<<1, 32, bytes + bytes / 16>>>(in, out);",
        ],
      },
    ],
  },
  {
    name: "a literal pitch of a flattened array",
    text: `${transpose("__shared__ float s[32 * 32];", (r, c) => `s[${r} * 32 + ${c}]`)}${host(square)}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "__shared__ float s[32 * 33];",
          "s[ty * 33 + tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[tx * 33 + ty];",
        ],
      },
    ],
  },
  {
    name: "a template parameter that is the pitch and nothing else, of the launch that needs it alone",
    text: `
template <int Pitch>
__global__ void k(const float *in, float *out, int n) {
  __shared__ float tile[32][Pitch];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];
  __syncthreads();
  out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = tile[tx][ty];
}
${host("k<32><<<dim3(8, 8), dim3(32, 32)>>>(in, out, n); k<33><<<dim3(8, 8), dim3(32, 32)>>>(in, out, n);")}`,
    expects: [
      {
        line: 8,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "k<33><<<dim3(8, 8), dim3(32, 32)>>>(in, out, n); k<33><<<dim3(8, 8), dim3(32, 32)>>>(in, out, n);",
        ],
      },
    ],
  },
  {
    name: "a pad that the launch leaves to the kernel's own default",
    text: `
template <int T = 32, int PAD = 0>
__global__ void k(const float *in, float *out, int n) {
  __shared__ float tile[T][T + PAD];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = in[(blockIdx.y * T + ty) * n + blockIdx.x * T + tx];
  __syncthreads();
  out[(blockIdx.x * T + ty) * n + blockIdx.y * T + tx] = tile[tx][ty];
}
${host("k<32><<<dim3(8, 8), dim3(32, 32)>>>(in, out, n);")}`,
    expects: [
      {
        line: 8,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: ["template <int T = 32, int PAD = 1>"],
      },
    ],
  },
  {
    name: "a pitch in locals that index nothing but the array",
    text: `
#define W 32
__global__ void k(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int tx = threadIdx.x, ty = threadIdx.y;
  int from = ty * W + tx; // a row
  int to = tx * W + ty;
  s[from] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];
  __syncthreads();
  out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[to];
}
${host("k<<<dim3(8, 8), dim3(32, 32), W * W * sizeof(float)>>>(in, out, n);")}`,
    expects: [
      {
        line: 10,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "int from = ty * (W + 1) + tx; // a row",
          "int to = tx * (W + 1) + ty;",
          "k<<<dim3(8, 8), dim3(32, 32), W * (W + 1) * sizeof(float)>>>(in, out, n);",
        ],
      },
    ],
  },
  {
    name: "a flattened array of a size in one number",
    text: `${transpose("__shared__ float s[1024];", (r, c) => `s[${c} + ${r} * 32]`)}${host(square)}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "__shared__ float s[1056];",
          "s[tx + ty * 33] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[ty + tx * 33];",
        ],
      },
    ],
  },
  {
    name: "a macro that sizes something else as well stays what it is",
    text: `#define W 32${transpose("__shared__ float s[W * W];", (r, c) => `s[${r} * W + ${c}]`)}__global__ void other(float *out) { __shared__ float t[W]; t[threadIdx.x] = out[threadIdx.x]; out[threadIdx.x + W] = t[threadIdx.x]; }
${host(`${square} other<<<1, 32>>>(out);`)}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "__shared__ float s[W * (W + 1)];",
          "s[ty * (W + 1) + tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[tx * (W + 1) + ty];",
        ],
      },
    ],
  },
  {
    name: "a macro that is the pitch of this array alone changes where it is defined",
    text: `#define PITCH 32${transpose("__shared__ float s[32 * PITCH];", (r, c) => `s[${r} * PITCH + ${c}]`)}${host(square)}`,
    expects: [{ line: 7, kind: "pad", safety: "safe", before: 32, after: 1, lines: ["#define PITCH 33"] }],
  },
  {
    name: "dynamic shared memory grows at the launch",
    text: `${transpose("extern __shared__ float s[];", (r, c) => `s[${r} * blockDim.x + ${c}]`)}${host("size_t bytes = 4096; k<<<dim3(8, 8), dim3(32, 32), bytes>>>(in, out, n);")}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "s[ty * (blockDim.x + 1) + tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[tx * (blockDim.x + 1) + ty];",
          "size_t bytes = 4096; k<<<dim3(8, 8), dim3(32, 32), bytes + 128>>>(in, out, n);",
        ],
      },
    ],
  },
  {
    name: "what lies behind it in dynamic shared memory moves, and the launch asks for more",
    text: `${transpose("extern __shared__ float raw[]; float *s = raw; float *rest = &raw[1024]; rest[threadIdx.x] = 1;", (r, c) => `s[${r} * 32 + ${c}]`)}${host("k<<<dim3(8, 8), dim3(32, 32), 4096 + 128>>>(in, out, n);")}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "extern __shared__ float raw[]; float *s = raw; float *rest = &raw[1056]; rest[threadIdx.x] = 1;",
          "s[ty * 33 + tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[tx * 33 + ty];",
          "k<<<dim3(8, 8), dim3(32, 32), 4096 + 256>>>(in, out, n);",
        ],
      },
    ],
  },
  {
    name: "a function that gets the tile as an array follows",
    text: `
__device__ void fill(float (&t)[32][32], const float *in, int n) {
  t[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
}
__global__ void k(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  fill(tile, in + blockIdx.y * 32 * n + blockIdx.x * 32, n);
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
${host(square)}`,
    expects: [
      {
        line: 9,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "__device__ void fill(float (&t)[32][33], const float *in, int n) {",
          "__shared__ float tile[32][33];",
        ],
      },
    ],
  },
  {
    name: "no launch in sight: checked with the block that the tile is made for",
    text: `
#define TILE 32
__global__ void k(float *out, const float *in, int width, int height) {
  __shared__ float tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
`,
    expects: [
      {
        line: 11,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: ["__shared__ float tile[TILE][TILE + 1];"],
      },
    ],
  },
  {
    name: "rows of eight words: bits of every fourth row",
    text: `
__global__ void k(const float *in, float *out, int n) {
  __shared__ float work[64][8];
  int t = threadIdx.x;
  for (int j = 0; j < 8; ++j) work[t][j] = in[blockIdx.x * 512 + j * 64 + t];
  __syncthreads();
  for (int j = 0; j < 8; ++j) out[blockIdx.x * 512 + j * 64 + t] = work[(j * 64 + t) / 8][t % 8];
}
${host("k<<<32, 64>>>(in, out, n);")}`,
    expects: [
      {
        line: 5,
        kind: "swizzle",
        safety: "safe",
        before: 8,
        after: 1,
        lines: [
          "for (int j = 0; j < 8; ++j) work[t][j ^ ((t >> 2) & 7)] = in[blockIdx.x * 512 + j * 64 + t];",
          "for (int j = 0; j < 8; ++j) out[blockIdx.x * 512 + j * 64 + t] = work[(j * 64 + t) / 8][(t % 8) ^ ((((j * 64 + t) / 8) >> 2) & 7)];",
        ],
      },
    ],
  },
  {
    name: "four neighbouring loads become one float4",
    text: `
__global__ void k(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[4 * i]; // first
  float b = in[4 * i + 1];
  float c = in[4 * i + 2], d = in[4 * i + 3];
  out[i] = a * b + c * d;
}
${host("k<<<8, 128>>>(in, out);")}`,
    expects: [
      {
        line: 4,
        kind: "vectorize",
        safety: "safe",
        before: 64,
        after: 16,
        lines: [
          "const float4 in4 = *reinterpret_cast<const float4*>(&in[4 * i]);",
          "float a = in4.x; // first",
          "float b = in4.y;",
          "float c = in4.z, d = in4.w;",
        ],
      },
    ],
  },
  {
    name: "four neighbouring stores become one float4, a suggestion where loads lie between",
    text: `
__global__ void k(const float *in, float *out) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  out[i] = in[i] * 2;
  out[i + 1] = in[i + 1] * 2;
  out[i + 2] = in[i + 2] * 2;
  out[i + 3] = in[i + 3] * 2;
}
${host("k<<<8, 128>>>(in, out);")}`,
    expects: [
      {
        line: 5,
        kind: "vectorize",
        safety: "suggestion",
        before: 64,
        after: 16,
        lines: [
          "const float4 in4 = *reinterpret_cast<const float4*>(&in[i]);",
          "out[i] = in4.x * 2;",
          "out[i + 1] = in4.y * 2;",
          "out[i + 2] = in4.z * 2;",
          "out[i + 3] = in4.w * 2;",
        ],
      },
    ],
  },
  {
    name: "a vector that is stored is counted by itself, what it is made of may become one too",
    text: `
__global__ void k(const int *in, int *out) {
  __shared__ int s[256];
  s[threadIdx.x] = in[threadIdx.x];
  s[threadIdx.x + 128] = in[threadIdx.x + 128];
  __syncthreads();
  out[2 * threadIdx.x] = s[2 * threadIdx.x];
  out[2 * threadIdx.x + 1] = s[2 * threadIdx.x + 1];
}
${host("int *ints, *sums; cudaMalloc(&ints, 1024); cudaMalloc(&sums, 1024); k<<<1, 128>>>(ints, sums);")}`,
    expects: [
      {
        line: 7,
        kind: "vectorize",
        safety: "safe",
        before: 16,
        after: 8,
        lines: [
          "*reinterpret_cast<int2*>(&out[2 * threadIdx.x]) = make_int2(s[2 * threadIdx.x], s[2 * threadIdx.x + 1]);",
        ],
      },
    ],
  },
  {
    name: "block and grid follow two constants",
    text: `#define BX 64
#define BY 4
__global__ void k(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
${host("dim3 block(BX, BY), grid(n / BX, n / BY); k<<<grid, block>>>(in, out, n);")}`,
    expects: [
      {
        line: 5,
        kind: "launch-shape",
        safety: "suggestion",
        before: 32,
        after: 8,
        lines: ["#define BX 8", "#define BY 32"],
      },
    ],
  },
  {
    name: "a record of two floats is moved whole once it says how it is aligned",
    text: `
struct Complex { float re, im; };
__global__ void k(const Complex *in, Complex *out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = Complex{in[i].im, in[i].re};
}
${host("k<<<8, 32>>>(in, out);", "Complex *in, *out;")}`,
    expects: [
      {
        line: 5,
        kind: "align",
        safety: "suggestion",
        before: 16,
        after: 8,
        lines: ["struct alignas(8) Complex { float re, im; };"],
      },
    ],
  },
  {
    name: "a template of records is aligned by its type, as the file spells alignments",
    text: `
struct __align__(8) Other { int a, b; };
template <typename T> struct Pair { T a, b; };
__global__ void k(Pair<double> *in, double *out) {
  const Pair<double> p = in[blockIdx.x * 32 + threadIdx.x];
  out[blockIdx.x * 32 + threadIdx.x] = p.a + p.b;
}
${host("k<<<8, 32>>>(in, out);", "Pair<double> *in; double *out;")}`,
    expects: [
      {
        line: 5,
        kind: "align",
        safety: "suggestion",
        before: 32,
        after: 16,
        lines: ["template <typename T> struct __align__(2 * sizeof(T)) Pair { T a, b; };"],
      },
    ],
  },
  {
    name: "a word more in a record of four that lies in shared memory alone",
    text: `
struct Cell {
  float value;
  int row, column;
  float weight;
};
__global__ void k(const float *in, float *out) {
  __shared__ Cell cells[32];
  cells[threadIdx.x].value = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = cells[31 - threadIdx.x].value;
}
${host("k<<<1, 32>>>(in, out);")}`,
    expects: [
      { line: 9, kind: "pad", safety: "suggestion", before: 4, after: 1, lines: ["int unused;"] },
      { line: 11, kind: "pad", safety: "suggestion", before: 4, after: 1, lines: ["int unused;"] },
    ],
  },
  {
    name: "a chunk for each thread is dealt out in turn",
    text: `
__global__ void k(const int *in, int *out, int n, int chunk) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int start = t * chunk;
  int end = min(start + chunk, n);
  for (int i = start; i < end; i++) atomicAdd(&out[in[i] & 63], 1);
}
${host("k<<<4, 64>>>(in, out, n * n, 256);", "int *in, *out;")}`,
    expects: [
      {
        line: 6,
        kind: "stripe",
        safety: "suggestion",
        before: 32,
        after: 4,
        lines: [
          "int start = blockIdx.x * blockDim.x * chunk + threadIdx.x;",
          "int end = min((blockIdx.x + 1) * blockDim.x * chunk, n);",
          "for (int i = start; i < end; i += blockDim.x) atomicAdd(&out[in[i] & 63], 1);",
        ],
      },
    ],
  },
  {
    name: "four elements for each thread, the product written in each index",
    text: `
__global__ void k(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k)
    if (i * 8 + k < n) out[i * 8 + k] = 2 * in[i * 8 + k];
}
${host("k<<<4, 64>>>(in, out, n);")}`,
    expects: [
      {
        line: 5,
        kind: "stripe",
        safety: "suggestion",
        before: 32,
        after: 4,
        lines: [
          "const int first = blockIdx.x * blockDim.x * 8 + threadIdx.x;",
          "if (first + k * blockDim.x < n) out[first + k * blockDim.x] = 2 * in[first + k * blockDim.x];",
        ],
      },
    ],
  },
  {
    name: "dynamic shared memory that is reached beside the pointer into it: rows in one place, a count in the other",
    text: `${transpose("extern __shared__ float raw[]; float *s = raw; raw[1024 + threadIdx.x] = 1;", (r, c) => `s[${r} * 32 + ${c}]`)}${host("k<<<dim3(8, 8), dim3(32, 32), 4096 + 128>>>(in, out, n);")}`,
    expects: [
      {
        line: 7,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: [
          "extern __shared__ float raw[]; float *s = raw; raw[1024 + threadIdx.x + (1024 + threadIdx.x) / 32] = 1;",
          "s[ty * 33 + tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx];",
          "out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = s[tx * 33 + ty];",
          "k<<<dim3(8, 8), dim3(32, 32), 4096 + 260>>>(in, out, n);",
        ],
      },
    ],
  },
  {
    name: "a tile that is a member of a struct",
    text: `
struct Stage { float tile[32][32]; int count; };
${transpose("__shared__ Stage stage;", (r, c) => `stage.tile[${r}][${c}]`)}${host(square)}`,
    expects: [
      {
        line: 9,
        kind: "pad",
        safety: "safe",
        before: 32,
        after: 1,
        lines: ["struct Stage { float tile[32][33]; int count; };"],
      },
    ],
  },
];

/** One step of a bitonic sort: for `j` of 1, and for no other, `data[i]` and `data[i ^ j]` lie side by side. */
const bitonicStep = `
__global__ void k(int *data, int n, int j) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned int other = i ^ j;
  if (other > i) {
    int a = data[i];
    int b = data[other];
    if (a > b) {
      data[i] = b;
      data[other] = a;
    }
  }
}
int main() {
  int *data;
  cudaMalloc(&data, 4096 * sizeof(int));
  k<<<16, 256>>>(data, 4096, 1);
}
`;

export const refusals: readonly { readonly name: string; readonly text: string; readonly reason: string }[] =
  [
    {
      name: "a local indexes the array and global memory too",
      text: `
__global__ void k(const float *in, float *out, int n) {
  __shared__ short s[1024];
  int from = threadIdx.y * 32 + threadIdx.x;
  int to = threadIdx.x * 32 + threadIdx.y;
  s[from] = in[from];
  __syncthreads();
  out[from] = s[to];
}
${host("k<<<1, dim3(32, 32)>>>(in, out, n);")}`,
      reason: "s is not indexed by a row times a pitch everywhere",
    },
    {
      name: "elements are neighbours for an argument of this launch alone",
      text: bitonicStep,
      reason: "cannot tell from the indices alone whether these elements of data are contiguous",
    },
    {
      name: "a function that gets the tile gets another one elsewhere",
      text: `
__device__ void fill(float t[32][32], const float *in, int n) {
  t[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
}
__global__ void other(const float *in, float *out, int n) {
  __shared__ float rows[32][32];
  fill(rows, in, n);
  out[threadIdx.y * n + threadIdx.x] = rows[threadIdx.y][threadIdx.x];
}
__global__ void k(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  fill(tile, in + blockIdx.y * 32 * n + blockIdx.x * 32, n);
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
${host(`${square} other<<<1, dim3(32, 32)>>>(in, out, n);`)}`,
      reason: "tile is passed whole to fill, which may count on its row length",
    },
    {
      name: "a launch just like the one that is edited is written in another way",
      text: `${transpose("extern __shared__ short s[];", (r, c) => `s[${r} * 32 + ${c}]`, "short")}${host("const int bytes = 2048;\n  k<<<dim3(8, 8), dim3(32, 32), 2048>>>(in, out, n);\n  k<<<dim3(8, 8), dim3(32, 32), bytes>>>(in, out, n);", "short *in, *out;")}`,
      reason: "with longer rows another launch of k would stay as it is",
    },
    {
      name: "a record's members are reached by references to them, of which nothing says how they are aligned",
      text: `
struct Pair { float a, b; };
__device__ float sum(const float &a, const float &b) { return a + b; }
__global__ void k(const Pair *in, float *out) {
  const Pair *p = in + blockIdx.x * 3 + threadIdx.x * threadIdx.x % 61;
  out[threadIdx.x] = sum(p->a, p->b);
}
${host("k<<<2, 64>>>(in, out);", "Pair *in; float *out;")}`,
      reason: "the access stands in a function that the kernel calls",
    },
    {
      name: "a column of an array that was written in that column alone",
      text: `
__global__ void k(const float *in, float *out) {
  __shared__ short s[1024];
  s[threadIdx.x * 32] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * 32] + s[threadIdx.x];
}
${host("k<<<1, 32>>>(in, out);")}`,
      reason: "what it stores depends on memory that was never written",
    },
    {
      name: "an assertion counts on the size of the array",
      text: `
template <int Rows> __global__ void k(const float *in, float *out) {
  __shared__ float tile[Rows][96];
  static_assert(Rows == 64 && sizeof(tile) == 64 * 96 * sizeof(float), "as the host copies it");
  for (int i = threadIdx.x; i < 6144; i += 64) tile[i / 96][i % 96] = in[blockIdx.x * 6144 + i];
  __syncthreads();
  for (int j = 0; j < 96; ++j) out[blockIdx.x * 6144 + j * 64 + threadIdx.x] = tile[threadIdx.x][j];
}
${host("k<64><<<2, 64>>>(in, out);")}`,
      reason: "with longer rows static_assert(Rows == 64 && sizeof(tile) == 64 * 96 * sizeof(float)) fails",
    },
    {
      name: "rows that do not fit into shared memory any more, and no power of two",
      text: `
__global__ void k(const float *in, float *out) {
  __shared__ float tile[128][96];
  for (int i = threadIdx.x; i < 12288; i += 128) tile[i / 96][i % 96] = in[blockIdx.x * 12288 + i];
  __syncthreads();
  for (int j = 0; j < 96; ++j) out[blockIdx.x * 12288 + j * 128 + threadIdx.x] = tile[threadIdx.x][j];
}
${host("k<<<2, 128>>>(in, out);")}`,
      reason: "with longer rows shared memory would pass the 48 KB that a block may declare",
    },
  ];
