// Why lanes open more sectors than they need, and what is advised, on programs whose figures the GPU counted: the reason is that of the
// request that makes most of the excess, and advice is given only where it would help.
import { describe, expect, it } from "vitest";
import { withoutCost } from "../support/without-cost.ts";
import { fixture, found } from "./found.ts";

const reasonsOf = (name: string) =>
  new Map(
    found(fixture(name), "uncoalesced-access").map(({ line, reason }) => [
      line,
      withoutCost(reason.split("\n")[0] ?? ""),
    ]),
  );

describe("the reason of excess sectors", () => {
  it("is where a request starts, if its lanes lie side by side", () => {
    // Rows of 104 floats, read from the fifth on: every request starts 16 bytes past a boundary.
    expect(reasonsOf("stencil25").get(29)).toBe(
      "The 128 bytes of a request start off a 32-byte boundary, so they reach into one sector more.",
    );
    // The rows of ptr[row + 1] start 4 bytes past one, but for those of one lane.
    expect(reasonsOf("csr_adaptive").get(34)).toBe(
      "The 128 bytes of a request start off a 32-byte boundary, so they reach into one sector more.",
    );
  });

  it("is that of whole requests where those of the edge are dearer by ratio", () => {
    // 500 columns in blocks of 16: the last four cost 2 sectors for 1, all others 5 for 4.
    expect(reasonsOf("knn_distances").get(22)).toBe(
      "In the most expensive request only 16 floats at a time are contiguous, in rows that start off a 32-byte boundary: it uses 128 of the 160 bytes that it moves.",
    );
  });

  it("counts in what a member of a structure points to", () => {
    expect(reasonsOf("yuv_convert").get(26)).toMatch(/^Neighbouring lanes write 2 unsigned chars apart:/);
  });

  it("advises to part records only where a part of them is accessed", () => {
    expect(reasonsOf("mandelbrot_tiles").get(33)).not.toContain("Keep each member");
    expect(reasonsOf("ray_spheres").get(72)).toContain("Keep each member of float3 in an array of its own.");
  });

  it("knows no member of a record in what is narrower than each of them", () => {
    const text = `__global__ void k(float *y, const int4 *x) {
        int i = blockIdx.x * 64 + threadIdx.x;
        const unsigned short *codes = reinterpret_cast<const unsigned short *>(&x[i]);
        float sum = 0;
        for (int n = 0; n < 8; n++) sum += codes[n];
        y[i] = sum;
      }
      int main() { float *y; int4 *x; cudaMalloc(&y, 1024); cudaMalloc(&x, 4096); k<<<4, 64>>>(y, x); }`;
    expect(found(text, "uncoalesced-access").map(({ reason }) => withoutCost(reason))).toEqual([
      "Neighbouring lanes read 1 int4 (16 bytes) apart: a request uses at most 64 of the 512 bytes that it moves. Let neighbouring lanes take neighbouring elements.",
    ]);
  });

  it("counts chars that are read as something wider in bytes", () => {
    const text = `__global__ void k(char *memory) {
        unsigned *words = (unsigned *)(memory + (blockIdx.x * 64 + threadIdx.x) * 64);
        words[0] = 1;
      }
      int main() { char *memory; cudaMalloc(&memory, 1 << 20); k<<<4, 64>>>(memory); }`;
    expect(found(text, "uncoalesced-access").map(({ reason }) => withoutCost(reason))).toEqual([
      "Neighbouring lanes write 64 bytes apart, so each lane opens a 32-byte sector of its own. Let neighbouring lanes take neighbouring elements.",
    ]);
  });

  it("tells the pieces apart in which a record is read", () => {
    const text = `struct State { double a; double b; float c, d, e; int pad[3]; };
      __global__ void k(float *y, const State *x) { int i = blockIdx.x * 64 + threadIdx.x; State s = x[i]; y[i] = s.a + s.b + s.c + s.d + s.e; }
      int main() { float *y; State *x; cudaMalloc(&y, 1024); cudaMalloc(&x, 10240); k<<<4, 64>>>(y, x); }`;
    const [finding] = found(text, "uncoalesced-access");
    expect(finding?.headline).toContain("with block (64), line 3");
    expect(finding?.contexts.map((line) => line.split(":")[0])).toEqual([
      "block (64), line 3, 4 B a lane",
      "block (64), line 3, 8 B a lane",
    ]);
  });

  it("advises smaller numbers where the lanes read a part of neighbouring ones", () => {
    const text = `__global__ void k(int *y, const long *x) { int i = blockIdx.x * 64 + threadIdx.x; y[i] = (int)x[i]; }
      int main() { int *y; long *x; cudaMalloc(&y, 1024); cudaMalloc(&x, 2048); k<<<4, 64>>>(y, x); }`;
    expect(found(text, "uncoalesced-access").map(({ reason }) => withoutCost(reason))).toEqual([
      "Neighbouring lanes read 1 long apart: a request uses at most 128 of the 256 bytes that it moves. Only 4 bytes of each are used: keep them as 4-byte numbers.",
    ]);
  });

  it("counts the bytes that lanes share once", () => {
    const text = `__global__ void k(float *y, const float *x) { int i = blockIdx.x * 16 + threadIdx.x; y[threadIdx.y * 16 + i] = x[i * 64]; }
      int main() { float *y, *x; cudaMalloc(&y, 1 << 20); cudaMalloc(&x, 1 << 20); k<<<4, dim3(16, 16)>>>(y, x); }`;
    expect(found(text, "uncoalesced-access").map(({ reason }) => withoutCost(reason))).toEqual([
      "Neighbouring lanes read 64 floats apart: a request uses at most 64 of the 512 bytes that it moves. Let neighbouring lanes take neighbouring elements.",
    ]);
  });

  it("is drawn of the request with the most lanes, of those that cost the same", () => {
    // Of the first warp lanes 0 and 1 do nothing, and it costs what the others do.
    const text = `__global__ void k(int *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if ((i & 1023) >= 2) y[2 * i] = 1; }
      void run(int *y, int n) { k<<<n / 256, 256>>>(y); }`;
    const [finding] = found(text, "uncoalesced-access");
    expect(finding?.reason).toContain("a request uses at most 128 of the 256 bytes");
  });

  it("gives lanes a sector each only where they are that far apart", () => {
    // Two lanes of each warp, 12 bytes apart: in one sector or two.
    const text = `__global__ void k(float *y, const float *x) { if (threadIdx.x == 0) y[threadIdx.y * 3] = x[threadIdx.y * 3]; }
      int main() { float *y, *x; cudaMalloc(&y, 1024); cudaMalloc(&x, 1024); k<<<1, dim3(16, 64)>>>(y, x); }`;
    expect(found(text, "uncoalesced-access").map(({ reason }) => withoutCost(reason))).toEqual([
      "Neighbouring lanes write 3 floats apart: the most expensive request uses 8 of the 64 bytes that it moves.",
      "Neighbouring lanes read 3 floats apart: the most expensive request uses 8 of the 64 bytes that it moves.",
    ]);
  });

  it("gives the least where a size decides how rows start", () => {
    // 16 lanes a row, 16 bytes apart: 8 sectors a row where its pitch is a multiple of 32, else up to 9.
    const text = `__global__ void k(unsigned char *surface, int width, size_t pitch) {
        int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
        if (x < width) *((float *)(surface + y * pitch) + 4 * x) = 1;
      }
      void run(unsigned char *surface, int width, size_t pitch) {
        k<<<dim3(width / 16, 64), dim3(16, 16)>>>(surface, width, pitch);
      }`;
    const [finding] = found(text, "uncoalesced-access");
    expect(finding?.headline).toBe(
      "Uncoalesced store: 16 sectors or more, 4 ideal (4.0×) for any large pitch (block (16,16))",
    );
    expect(finding?.reason.split("\n")[0]).toContain(
      "a request uses at most 128 of the 512 bytes or more that it moves",
    );
    expect(finding?.contexts).toEqual(["block (16,16), line 6: 16 to 18 sectors, 4 ideal"]);
  });

  it("does not advise to stage what lies in rows as it is", () => {
    expect(reasonsOf("life_bits").get(19)).toBe(
      "The most expensive request uses 32 of the 128 bytes that it moves.",
    );
    // The first lane of each row wraps around to its end.
    expect(reasonsOf("polar_fields").get(51)).not.toContain("neighbouring lanes take");
    expect([...reasonsOf("stencil25").values()].join()).not.toContain("Stage the tile");
  });

  it("does not say how far off a boundary what a size that is not known places", () => {
    // 8 n + 4 bytes: 4, 12, 20 or 28 past a boundary.
    const text = `__global__ void k(float *x, int n) { x[2 * n + 1 + threadIdx.x] = 0; }
      void f(float *x, int n) { k<<<1, 32>>>(x, n); }`;
    expect(found(text, "uncoalesced-access").map(({ reason }) => withoutCost(reason))).toEqual([
      "The 128 bytes of a request start off a 32-byte boundary, so they reach into one sector more.",
    ]);
  });

  it("advises to stage columns, not records that lanes go over one by one", () => {
    const text = (column: string) => `__global__ void k(float *y, const float *x) {
        int i = threadIdx.y * 32 + threadIdx.x; y[i] = x[${column}]; }
      void f(float *y, float *x) { k<<<1, dim3(32, 8)>>>(y, x); }`;
    const reasonOf = (column: string) => found(text(column), "uncoalesced-access")[0]?.reason;
    expect(reasonOf("i * 7")).toContain("Let neighbouring lanes take neighbouring elements.");
    expect(reasonOf("threadIdx.x * 64 + threadIdx.y")).toContain("Stage the tile through shared memory.");
  });

  it("names no line that all launches share", () => {
    const text = `struct two { int a, b; };
      template <class T> __global__ void k(T *y, const T *x) { y[threadIdx.x] = x[threadIdx.x]; }
      template <class T> void f(void *p) { k<T><<<1, 32>>>((T *)p, (T *)p + 64); }
      int main() { void *p; cudaMalloc(&p, 4096); f<int>(p); f<two>(p); }`;
    expect(found(text, "uncoalesced-access").map(({ headline }) => headline)).not.toEqual([]);
    expect(
      found(text, "uncoalesced-access")
        .map(({ headline }) => headline)
        .join(),
    ).not.toContain("line 3");
  });
});
