// How messages and lists name launches and calls of one place that cost different amounts.
import { describe, expect, it } from "vitest";
import { found } from "../rules/found.ts";

const launchedInALoop = `__global__ void strided(const float* in, float* out, int n, int stride) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  if (i < n) out[i] = 1.0f;
}
int main() {
  const int n = 1 << 16;
  float *in, *out;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  for (int s = 1; s <= 8; s *= 8) strided<<<n / 256 / s, 256>>>(in, out, n, s);
}
`;

describe("launches of one line", () => {
  it("are told apart by the argument that differs", () => {
    const [finding] = found(launchedInALoop, "uncoalesced-access");
    expect(finding?.headline).toBe(
      "Uncoalesced store in 1 of 2 launches: 32 sectors, 4 ideal (8.0×) with stride=8",
    );
    expect(finding?.contexts).toEqual([
      "block (256), line 10, stride=8: 32 sectors, 4 ideal (8.0×)",
      "block (256), line 10, stride=1: 4 sectors, 4 ideal",
    ]);
  });

  it("are counted where lanes cost more than need be, and the worst is named", () => {
    // With 1 a step lanes lie side by side, with 2 they reach 8 sectors, with 4 16 of them.
    const text = launchedInALoop.replace("s <= 8; s *= 8", "s <= 4; s *= 2");
    const [finding] = found(text, "uncoalesced-access");
    expect(finding?.headline).toBe(
      "Uncoalesced store in 2 of 3 launches: at worst 16 sectors, 4 ideal (4.0×) with stride=4",
    );
  });

  it("leave out the ratio, which follows from the figures, where the line has no room for it", () => {
    // 3,000 elements from an odd start: rows of 16 floats off the boundary, in some launches only.
    const text = `template <typename T, int TILE> __global__ void turn(T* o, int w, int h) {
      int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
      if (x < w && y < h) o[y * w + x] = 1;
    }
    template <typename T> void run(int w, int h) {
      T* o; cudaMalloc(&o, w * h * sizeof(T));
      turn<T, 16><<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(o, w, h);
      turn<T, 32><<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 32)>>>(o, w, h);
    }
    int main() {
      for (int h = 1000; h < 1050; h++) run<float>(700, h);
      run<double>(512, 512);
      run<short>(64, 64);
    }`;
    const [finding] = found(text, "uncoalesced-access");
    expect(finding?.headline).toBe(
      "Uncoalesced store in 100 of 104 launches: at worst 5.0 sectors a request, 4.0 ideal",
    );
  });

  it("are said to be those of a loop's first iteration where its end is not known and it does more than count", () => {
    const text = launchedInALoop
      .replace("int main() {", "int main(int argc, char **argv) {")
      .replace("s = 1; s <= 8", "s = 8; s <= atoi(argv[1])");
    const [finding] = found(text, "uncoalesced-access");
    expect(finding?.reason).toContain("(only the first iteration of the loop `s <= atoi(argv[1])` is known)");
  });

  it("are not named by arguments where all cost the same", () => {
    const text = launchedInALoop.replace("s = 1;", "s = 8;").replace("s <= 8", "s <= 64");
    const [finding] = found(text, "uncoalesced-access");
    expect(finding?.headline).toBe("Uncoalesced store: 32 sectors, 4 ideal (8.0×) with block (256), line 10");
  });
});

describe("a launch in host code that is not followed", () => {
  it("is not called none at all", () => {
    const text = `__global__ void fill(float *p, int n) { int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8; if (i < n) p[i] = 1; }
      int chosen();
      void run(float *p, int n) { fill<<<n / 128, chosen()>>>(p, n); }`;
    const reasonOf = (source: string) => found(source, "uncoalesced-access")[0]?.reason;
    expect(reasonOf(text)).toContain("(the launch's block is not known; ");
    expect(reasonOf(text.replace("fill<<<n / 128, chosen()>>>(p, n);", ""))).toContain("(no launch found; ");
  });
});

describe("calls of one function", () => {
  it("are told apart by their lines", () => {
    const text = `__device__ void put(float* s, int at) {
  s[at] = 1.0f;
}
__global__ void both(float* out) {
  __shared__ float s[1024];
  put(s, threadIdx.x * 8);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  put(s, threadIdx.x * 2);
  __syncthreads();
  out[threadIdx.x + 32] = s[threadIdx.x];
}
void run(float* out) { both<<<1, 32>>>(out); }
`;
    const [finding] = found(text, "shared-bank-conflict");
    expect(finding?.headline).toBe(
      "8-way bank conflict: 8 wavefronts, 1 ideal (block (32), line 14, call at line 6)",
    );
    expect(finding?.contexts).toEqual([
      "block (32), line 14, call at line 6: 8 wavefronts, 1 ideal (8.0×)",
      "block (32), line 14, call at line 10: 2 wavefronts, 1 ideal (2.0×)",
    ]);
  });
});
