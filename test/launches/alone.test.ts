// Kernels pasted alone: what is assumed of their launches, and what a comment above them sets.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FunctionId, Program } from "../../server/src/ir/function.ts";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import { isAssumed } from "../../server/src/launches/launch.ts";
import { kernelLaunches, launchesOf } from "../../server/src/launches/launches.ts";
import { assumptionText } from "../../server/src/render/assumption-words.ts";
import { programOf } from "./program-of.ts";

async function shapesOf(text: string): Promise<string[]> {
  const program = await programOf("alone.cu", text);
  return launchesOf(program).kernels.flatMap(({ launches }) =>
    launches.map(({ kernel, block, assumptions, origin }) => {
      const list = program.functionOf(kernel)?.templateArguments ?? [];
      return [`<${list}>`, `${block}`, origin.kind, ...assumptions.slice(1).map(assumptionText)].join(" ");
    }),
  );
}

const seed = (name: string) => readFileSync(new URL(`../../fixtures/seeds/${name}`, import.meta.url), "utf8");

/** What of the text an assumed launch of the one kernel points to; null where it points to nothing. */
async function siteIn(text: string): Promise<string | null> {
  const program = await programOf("alone.cu", text);
  const [kernel] = program.kernels;
  const site = kernel === undefined ? null : program.launchSiteOf(kernel);
  return site === null ? null : text.slice(site.start - 4, site.end + 4);
}

describe("the place that launches a kernel", () => {
  const kernel = "template <class T> __global__ void scale(T *x) { x[threadIdx.x] *= 2; }\n";
  it.each([
    ["template <class T> void run(T *x) { ns::scale<T><<<1, 32>>>(x); }", "ns::scale<T><"],
    ["template <class T> void run(T *x) { go(scale<<<1, 32>>>(x)); }", " go(scale<<<1"],
    [
      "template <class A, class B> void run(A *x) { a = 3; me::scale<P<A, (3 > 2)>><<<1, 32>>>(x); }",
      "me::scale<P<A",
    ],
    ["template <class T> void run(T *x) { bad ] if; me::scale<T> <<<1, 32>>>(x); }", "me::scale<T> "],
  ])("is told by its tokens: %s", async (host, site) => {
    expect(await siteIn(kernel + host)).toBe(site);
  });
  it.each([
    "// scale<T><<<1, 32>>>(x);",
    "/* scale<<<1, 32>>>(x); */",
    'const char *usage = "scale<<<1, 32>>>(x)";',
    "template <class T> void run(T *x) { rescale<<<1, 32>>>(x); scale(x); }",
    "#define GO scale<<<1, 32>>>",
  ])("is none where it is not launched: %s", async (host) => {
    expect(await siteIn(`${kernel}${host}\nvoid other() { other_kernel<<<1, 32>>>(); }`)).toBeNull();
  });
});

describe("kernels alone", () => {
  it("has small blocks, too, where a shared array has fewer elements than the usual ones have threads", async () => {
    const kernel = (count: number) =>
      `__global__ void k() { __shared__ double s[${count}]; s[threadIdx.x * 8 + threadIdx.y] = 0; }`;
    expect(await shapesOf(kernel(64))).toContain("<> 8,8,1 assumed");
    expect(await shapesOf(kernel(256))).not.toContain("<> 8,8,1 assumed");
    // Too small for a word of each thread's own.
    expect(await shapesOf(kernel(32))).not.toContain("<> 8,8,1 assumed");
  });

  it("instantiates type parameters for 4 and 8 bytes, and reads the block off the tile", async () => {
    const text = seed("seed1_matrix_trans.cu");
    const start = text.indexOf("template <typename T>\n__global__ void matrix_trans_step3");
    const kernel = `#define blockSizeX 32\n#define blockSizeY 32\n${text.slice(start, text.indexOf("template <typename T>\nvoid run"))}`;
    expect(await shapesOf(kernel)).toEqual(
      ["float", "double"].flatMap((type) =>
        ["32,32,1", "32,8,1", "16,16,1", "8,32,1"].map(
          (shape) => `<${type}> ${shape} assumed T = ${type} assumed`,
        ),
      ),
    );
  });

  it.each([
    ["int, long long", "const I *rows, T *x", "x[rows[threadIdx.x]] = 1;"],
    ["int, long long", "I n, T *x", "for (I i = threadIdx.x; i < n; i += 32) x[2 * (i + 1)] = 1;"],
    ["int, long long", "I n, T *x", "const I lane = n; if (lane % 4 == 0) x[threadIdx.x] = 1;"],
    ["float, double", "const I *scale, T *x", "x[threadIdx.x] = scale[threadIdx.x] * 2;"],
    ["float, double", "const I *where, T *x", "x[(int)where[threadIdx.x]] = static_cast<int>(where[0]) % 4;"],
  ])("takes %s for a type by what its values do: %s { %s }", async (types, parameters, body) => {
    const kernel = `template <typename I, typename T> __global__ void k(${parameters}) { ${body} }`;
    const taken = (await shapesOf(kernel)).map((shape) => /assumed I = (.*?) assumed T/.exec(shape)?.[1]);
    expect([...new Set(taken)].join(", ")).toBe(types);
  });

  it.each([
    ["is called", "F f, float *o", "f(o, threadIdx.x);"],
    ["is made and called", "float *o", "o[threadIdx.x] = F{}(o[threadIdx.x]) + F()(1);"],
    ["has members", "const F f", "f.out[threadIdx.x] = f.scale;"],
    ["has members behind a pointer", "F *f", "f->scale = f[threadIdx.x].scale;"],
    ["is subscripted", "F f, float *o", "o[threadIdx.x] = f[threadIdx.x];"],
    ["is dereferenced", "F f, float *o", "o[threadIdx.x] = *(f + 1) + *f;"],
    ["has functions", "float *o", "o[threadIdx.x] = F::apply(1);"],
    ["has types", "float *o", "typename F::type x = 1; o[threadIdx.x] = x;"],
  ])("takes no number for a type that %s", async (_, parameters, body) => {
    const shapes = await shapesOf(`template <typename F> __global__ void k(${parameters}) { ${body} }`);
    expect(shapes).toContain("<F> 256,1,1 assumed");
    for (const shape of shapes) expect(shape).toMatch(/^<F> \d+,1,1 assumed$/);
  });

  it("takes numbers for a type of which pointers alone are subscripted", async () => {
    const shapes = await shapesOf(
      "template <typename T> __global__ void k(T *o, T by) { o[threadIdx.x] = *o * by; }",
    );
    expect(new Set(shapes.map((shape) => shape.split(" ")[0]))).toEqual(new Set(["<float>", "<double>"]));
  });

  it("takes a block size from the template parameter that is one", async () => {
    const kernel =
      "template <int BLOCK_SIZE, bool full> __global__ void k(float *x) { x[threadIdx.x * BLOCK_SIZE] = full; }";
    expect(await shapesOf(kernel)).toEqual([
      "<256,0> 256,1,1 assumed BLOCK_SIZE = 256 assumed full = false assumed",
      "<128,1> 128,1,1 assumed BLOCK_SIZE = 128 assumed full = true assumed",
      "<512,0> 512,1,1 assumed BLOCK_SIZE = 512 assumed full = false assumed",
      "<64,1> 64,1,1 assumed BLOCK_SIZE = 64 assumed full = true assumed",
      "<1024,0> 1024,1,1 assumed BLOCK_SIZE = 1024 assumed full = false assumed",
      "<32,1> 32,1,1 assumed BLOCK_SIZE = 32 assumed full = true assumed",
    ]);
  });

  it("takes the instances that the text asks for, with nothing assumed but the block", async () => {
    const kernel = "template <int N, typename T> __global__ void k(T *p) { p[threadIdx.x * N] = 0; }\n";
    const asked =
      "template __global__ void k<2, double>(double *p);\nextern template void k<4, int>(int *);\n";
    const shapes = await shapesOf(kernel + asked);
    expect(shapes.length).toBeGreaterThan(0);
    for (const shape of shapes) expect(shape).toMatch(/^<2,double> \d+,\d+,1 assumed$/);
    expect(await shapesOf(`${kernel}template __global__ void other<2, double>(double *p);`)).not.toEqual(
      shapes,
    );
  });

  it("tries other paddings than the default", async () => {
    const kernel =
      "template <int N, int PAD = 0> __global__ void k(float *x) { __shared__ float s[32][N + PAD]; s[threadIdx.x][0] = 1; x[0] = s[0][0]; }";
    const shapes = await shapesOf(kernel);
    expect(shapes).toContain("<32,0> 32,1,1 assumed N = 32 assumed");
    for (const pad of [0, 1, 8])
      expect(shapes).toContain(`<32,${pad}> 32,1,1 assumed N = 32 assumed PAD = ${pad} assumed`);
  });

  it("tries no template arguments that an assertion forbids", async () => {
    const kernel = (most: number) =>
      `template <int dim> __global__ void k(float *x) { static_assert(dim >= 0 && dim <= ${most}, "dim"); x[threadIdx.x * dim] = 1; }`;
    const blocks = ["32", "64", "128", "256", "512", "1024"];
    expect(await shapesOf(kernel(16))).toEqual([
      ...blocks.map((block) => `<16> ${block},1,1 assumed dim = 16 assumed`),
      ...["8", "4", "2", "1"].map((dim) => `<${dim}> 32,1,1 assumed dim = ${dim} assumed`),
    ]);
  });

  it.each([
    [
      'template <int dim> __global__ void k(float *x) { static_assert(dim == 7, "dim"); x[dim] = 1; }',
      "nothing in sight launches it, and static_assert(dim == 7) fails for all template arguments that were tried; name those that fit: // warplint: launch(block=(…), dim=…)",
    ],
    [
      "template <template <typename> class V> __global__ void k(V<float> v, float *x) { x[0] = v.x; }",
      "nothing in sight launches it, and its parameter V is a template, for which there is no usual one",
    ],
    ["__global__ void k(float *x) { x[0] = 1; }", null],
  ])("says why there is none: %s", async (text, gap) => {
    const program = await programOf("alone.cu", text);
    expect(program.kernels.map((kernel) => kernelLaunches(program, kernel, []).gap)).toEqual([gap]);
  });

  it("tells launches that a comment gives in part from those that it gives whole", async () => {
    const samples = async (annotation: string) => {
      const text = `// warplint: launch(${annotation})\ntemplate <int dim> __global__ void k(float *x) { x[threadIdx.y * dim] = 1; }`;
      const { kernels } = launchesOf(await programOf("alone.cu", text));
      return new Set(kernels.flatMap(({ launches }) => launches.map(isAssumed)));
    };
    expect(await samples("block=(32,8), dim=7")).toEqual(new Set([false]));
    expect(await samples("block=(32,8)")).toEqual(new Set([true]));
    expect(await samples("dim=7")).toEqual(new Set([true]));
  });

  it("is not alone where a launch stands in a macro's parentheses", async () => {
    const text = `#define CHECK(call) do { call; } while (0)
      __global__ void k(float *x) { x[threadIdx.x] = 0; }
      int main() { float *x; cudaMalloc(&x, 512); CHECK((k<<<2, 64>>>(x))); }`;
    expect(await shapesOf(text)).toEqual(["<> 64,1,1 launch"]);
  });

  it("counts an explicit specialisation as the kernel that it specialises", async () => {
    const text = `template <typename T> __global__ void k(T *x) { x[threadIdx.x] = 0; }
      template <> __global__ void k<half>(half *x) { x[threadIdx.x * 2] = 0; }
      int main() { half *x; cudaMalloc(&x, 512); k<<<2, 96>>>(x); }`;
    expect(await shapesOf(text)).toEqual(["<__half> 96,1,1 launch"]);
  });

  it("does as the comment above says", async () => {
    const kernel = "// warplint: launch(block=(16,4), n=1<<10, T=double)\n";
    const text = `${kernel}template <typename T> __global__ void k(T *x, int n) { x[threadIdx.y] = n; }`;
    const program = await programOf("alone.cu", text);
    const { kernels, problems } = launchesOf(program);
    expect(problems).toEqual([]);
    expect(kernels[0]?.launches).toMatchObject([
      {
        block: [16, 4, 1],
        origin: { kind: "annotation" },
        arguments: [{ kind: "pointer" }, { value: 1024 }],
        assumptions: [],
      },
    ]);
  });

  it("shows where a comment is wrong", async () => {
    const text = "// warplint: launch(block=32, q=1)\n__global__ void k(int n) {}";
    const { problems } = launchesOf(await programOf("alone.cu", text));
    expect(problems.map(({ range }) => text.slice(range.start, range.end))).toEqual(["q"]);
  });
});

describe("kernels that the host only names", () => {
  it("are not lowered to find launches, whatever number of instantiations its choices name", async () => {
    const choices = Array.from({ length: 50 }, (_, index) => `if (n == ${index}) chosen = scale<${index}>;`);
    const program = await programOf(
      "choices.cu",
      `template <int N> __global__ void scale(float* x) { x[threadIdx.x] *= N; }
       void run(float* x, int n) { void (*chosen)(float*) = scale<100>; ${choices.join(" ")} remember(chosen); scale<7><<<1, 32>>>(x); }`,
    );
    const asked = new Set<string>();
    const watched: Program = {
      functionOf(id) {
        asked.add(id);
        return program.functionOf(id);
      },
      kindOf: (id) => program.kindOf(id),
      kernels: program.kernels,
      hostEntries: program.hostEntries,
      instantiateKernel: (kernel, values) => program.instantiateKernel(kernel, values),
      hostLaunchers: program.hostLaunchers,
      unreadKernels: program.unreadKernels,
      hasRelocatableDeviceCode: false,
      explicitInstances: (kernel) => program.explicitInstances(kernel),
      launchSiteOf: (kernel) => program.launchSiteOf(kernel),
      globalInitializer: (variable) => program.globalInitializer(variable),
    };
    findLaunches(watched);
    const kernels = [...asked].filter((id) => program.kindOf(id as FunctionId) === "kernel");
    expect(kernels.length).toBeLessThan(5);
  });
});

describe("a kernel whose template is only declared", () => {
  const kernels = `template <typename T> __global__ void scale(T *x, T by);
    template <> __global__ void scale<float>(float *x, float by) { x[threadIdx.x] *= by; }
    template <> __global__ void scale<double>(double *x, double by) { x[2 * threadIdx.x] *= by; }\n`;
  it("is launched by what its specialisations define", async () => {
    const text = `${kernels}int main() { float *a; double *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096);
      scale<float><<<2, 128>>>(a, 2.0f); scale<double><<<2, 64>>>(b, 2.0); }`;
    expect(await shapesOf(text)).toEqual(["<float> 128,1,1 launch", "<double> 64,1,1 launch"]);
  });
  it("is tried in its specialisations where nobody launches it", async () => {
    const shapes = new Set((await shapesOf(kernels)).map((shape) => shape.split(" ")[0]));
    expect([...shapes]).toEqual(["<float>", "<double>"]);
  });
});
