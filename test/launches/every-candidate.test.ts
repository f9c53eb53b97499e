// Launches whose kernel or whose function nobody in sight settles: every kernel that it may be, every member, likely template arguments.
import { describe, expect, it } from "vitest";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import { assumptionText } from "../../server/src/render/assumption-words.ts";
import { programOf } from "./program-of.ts";

const kernels = `
__global__ void a(float *o, int n) { o[threadIdx.x * n] = 1; }
__global__ void b(float *o, int n) { o[threadIdx.x * n] = 2; }
template <class T> __global__ void t(T *o, int n) { o[threadIdx.x * n] = 1; }
template <class T, int N> __global__ void tn(T *o) { o[threadIdx.x * N] = 1; }
using Kernel = void (*)(float *, int);
`;

async function launchesIn(text: string): Promise<string[]> {
  const program = await programOf("library.cu", kernels + text);
  const { launches } = findLaunches(program, { texts: new Map([["library.cu", kernels + text]]) });
  return launches.map(({ kernel, block, origin, assumptions }) => {
    const definition = program.functionOf(kernel);
    const list = definition?.templateArguments?.join() ?? "";
    const words = assumptions.map(assumptionText).join(", ");
    return `${definition?.name}${list && `<${list}>`} ${origin.kind === "launch" ? block : "?"}${words && ` | ${words}`}`;
  });
}

const everyWay = (condition: string) => `host condition \`${condition}\` taken every way`;

describe("a kernel that is chosen by what is not known", () => {
  it.each([
    ["a condition", "void run(float *o, bool f) { auto k = f ? a : b; k<<<4, 64>>>(o, 1); }", "k"],
    ["a condition in place", "void run(float *o, bool f) { (f ? a : b)<<<4, 64>>>(o, 1); }", "(f ? a : b)"],
    [
      "a switch",
      "void run(float *o, int m) { Kernel k = nullptr; switch (m) { case 0: k = a; break; case 1: k = b; } k<<<4, 64>>>(o, 1); }",
      "k",
    ],
    [
      "a table",
      "static const Kernel table[] = {a, b}; void run(float *o, int m) { table[m]<<<4, 64>>>(o, 1); }",
      "table[m]",
    ],
    [
      "a table of records",
      "struct Op { int id; Kernel k; }; static Op ops[] = {{1, a}, {2, b}}; void run(float *o, int m) { ops[m].k<<<4, 64>>>(o, 1); }",
      "ops[m].k",
    ],
    [
      "a function",
      "Kernel choose(int m) { if (m > 3) return a; return b; } void run(float *o, int m) { choose(m)<<<4, 64>>>(o, 1); }",
      "choose(m)",
    ],
    [
      "a vector",
      "#include <vector>\nvoid run(float *o, int m) { std::vector<Kernel> v = {a, b}; v[m]<<<4, 64>>>(o, 1); }",
      "v[m]",
    ],
    [
      "the runtime's call",
      "void run(float *o, int n, bool f) { void *args[] = {&o, &n}; cudaLaunchKernel((void *)(f ? a : b), dim3(4), dim3(64), args, 0, 0); }",
      "(void *)(f ? a : b)",
    ],
  ])("is each that it may be: %s", async (_, text, condition) => {
    expect((await launchesIn(text)).sort()).toEqual(
      ["a", "b"].map((name) => `${name} 64,1,1 | ${everyWay(condition)}`),
    );
  });
});

describe("a block that is chosen by what is not known", () => {
  const launched = (sizes: readonly number[], condition: string) =>
    sizes.map((size) => `a ${size},1,1 | ${everyWay(condition)}`).sort();
  it.each([
    [
      "in place",
      "void run(float *o, int n) { a<<<n, n > 9 ? 256 : 128>>>(o, 1); }",
      [256, 128],
      "n > 9 ? 256 : 128",
    ],
    [
      "by if",
      "void run(float *o, int n) { int s = 64; if (n > 9) s = 128; a<<<n, s>>>(o, 1); }",
      [64, 128],
      "s",
    ],
    [
      "a member",
      "void run(float *o, int n) { dim3 s(64); if (n > 9) s.x *= 2; a<<<n, s>>>(o, 1); }",
      [64, 128],
      "s",
    ],
    [
      "by a function",
      "int pick(int n) { if (n > 99) return 256; if (n > 9) return 128; return 64; } void run(float *o, int n) { a<<<n, dim3(pick(n))>>>(o, 1); }",
      [64, 128, 256],
      "dim3(pick(n))",
    ],
    [
      "by the runtime's call",
      "void run(float *o, int n, bool f) { int s = f ? 64 : 96; void *args[] = {&o, &n}; cudaLaunchKernel((void *)a, dim3(4), dim3(s), args, 0, 0); }",
      [64, 96],
      "dim3(s)",
    ],
  ])("is each that it may be: %s", async (_, text, sizes, condition) => {
    expect((await launchesIn(text)).sort()).toEqual(launched(sizes, condition));
  });

  it("has what hangs on it go with it", async () => {
    const text = `${kernels}void run(float *o, int n) { int s = n > 9 ? 256 : 128; a<<<1024 / s, s, s * 4>>>(o, s); }`;
    const program = await programOf("library.cu", text);
    const { launches } = findLaunches(program, { texts: new Map([["library.cu", text]]) });
    const summary = launches.map(({ grid, block, sharedBytes, arguments: values }) => ({
      grid: grid[0],
      block: block[0],
      sharedBytes,
      n: values[1],
    }));
    expect(summary).toEqual([
      { grid: 4, block: 256, sharedBytes: 1024, n: expect.objectContaining({ value: 256 }) },
      { grid: 8, block: 128, sharedBytes: 512, n: expect.objectContaining({ value: 128 }) },
    ]);
  });

  it("is not known of a table that is longer than what is looked at", async () => {
    const table = (length: number) =>
      `struct Op { Kernel k; int size; }; static Op ops[] = {${"{a, 64}, ".repeat(length - 1)}{a, 128}};
       void run(float *o, int m) { Op op = ops[m]; op.k<<<4, op.size>>>(o, 1); }`;
    const blocks = async (length: number) =>
      new Set((await launchesIn(table(length))).map((launch) => launch.split(" ")[1]));
    expect(await blocks(8)).toEqual(new Set(["64,1,1", "128,1,1"]));
    expect(await blocks(100)).toEqual(new Set(["?"]));
  });

  it("is each pair of two extents, as long as these are few", async () => {
    const pick = (name: string, sizes: readonly number[]) =>
      `int ${name} = ${sizes[0]}; ${sizes
        .slice(1)
        .map((size) => `if (n > ${size}) ${name} = ${size};`)
        .join(" ")}`;
    const run = (x: readonly number[], y: readonly number[]) =>
      launchesIn(`void run(float *o, int n) { ${pick("x", x)} ${pick("y", y)} a<<<n, dim3(x, y)>>>(o, 1); }`);
    const blocks = (await run([8, 16, 32], [2, 4])).map((launch) => launch.split(" ")[1]);
    expect(blocks.sort()).toEqual(["16,2,1", "16,4,1", "32,2,1", "32,4,1", "8,2,1", "8,4,1"]);
    const many = await run([8, 16, 32, 64], [1, 2, 4, 8]);
    expect(many.every((launch) => launch.startsWith("a ?"))).toBe(true);
  });

  it.each([
    ["by a loop", "void run(float *o, int n) { int s = 32; while (s < n) s *= 2; a<<<n, s>>>(o, 1); }"],
    [
      "by a loop behind a condition",
      "void run(float *o, int n) { int s = n > 9 ? 32 : 64; for (int i = 0; i < n; i++) s += 32; a<<<n, s>>>(o, 1); }",
    ],
    [
      "or may be any number",
      "void run(float *o, int n, int m) { int s = n > 9 ? 32 : 64; if (m > 3) s = m; a<<<n, s>>>(o, 1); }",
    ],
    [
      "of two numbers that are chosen apart",
      "void run(float *o, int n, int m) { int s = n > 9 ? 32 : 64, t = m > 9 ? 2 : 4; a<<<n, s * t>>>(o, 1); }",
    ],
  ])("is not known: %s", async (_, text) => {
    expect(new Set((await launchesIn(text)).map((launch) => launch.slice(0, 3)))).toEqual(new Set(["a ?"]));
  });
});

describe("a member function that nobody calls", () => {
  it("is entered, wherever it is defined", async () => {
    const text = `
      class Solver {
       public:
        Solver(float *p) { a<<<1, 32>>>(p, 1); }
        ~Solver() { a<<<1, 64>>>(p_, 1); }
        void step() { a<<<1, 96>>>(p_, 1); }
        virtual void next() { a<<<1, 128>>>(p_, 1); }
        void operator()() { a<<<1, 160>>>(p_, 1); }
        void last();
        float *p_;
      };
      void Solver::last() { a<<<1, 192>>>(p_, 1); }`;
    expect((await launchesIn(text)).sort()).toEqual(
      ["128,1,1", "160,1,1", "192,1,1", "32,1,1", "64,1,1", "96,1,1"].map((block) => `a ${block}`),
    );
  });
});

describe("a template that nothing instantiates", () => {
  it("launches with what stands beside the launch, for likely types", async () => {
    expect(
      await launchesIn("template <class T> void run(T *o, int n) { t<T><<<n, dim3(1, 256, 1)>>>(o, n); }"),
    ).toEqual(["t<float> 1,256,1 | T = float assumed", "t<double> 1,256,1 | T = double assumed"]);
  });

  it("takes numbers as the functions have them that lead to it", async () => {
    const text = `
      template <class T, int N> void go(T *o) { tn<T, N><<<4, 128>>>(o); }
      template <class T> void run(T *o, int m) { if (m == 1) go<T, 1>(o); else go<T, 2>(o); }`;
    expect((await launchesIn(text)).map((each) => each.split(" |")[0])).toEqual([
      "tn<float,1> 128,1,1",
      "tn<float,2> 128,1,1",
      "tn<double,1> 128,1,1",
      "tn<double,2> 128,1,1",
    ]);
  });

  it("passes no number on to what a kernel calls", async () => {
    const text = `
      template <class T, class F> __global__ void apply(T *o, F f) { o[threadIdx.x] = f(o[threadIdx.x]); }
      template <class F> __global__ void each(F f) { f(threadIdx.x); }
      template <class T, class G> void run(T *o, G g) { apply<<<4, 128>>>(o, g); }
      template <class G> void over(G g, int n) { each<<<n, 96>>>(g); }`;
    expect(await launchesIn(text)).toEqual([
      "apply<float,G> 128,1,1 | T = float assumed",
      "apply<double,G> 128,1,1 | T = double assumed",
      "each<G> 96,1,1",
    ]);
  });

  it("passes an integer on to what chooses places with it", async () => {
    const text = `
      template <class I, class T> __global__ void rows(const I *of, T *o, I m) { I row = threadIdx.y; if (row < m) o[row * 4] = of[row]; }
      template <class V, class W> void run(const V *of, W *o, V m) { dim3 block(1, 256, 1); rows<V, W><<<4, block>>>(of, o, m); }`;
    expect((await launchesIn(text)).map((each) => each.split(" |")[0])).toEqual([
      "rows<int,float> 1,256,1",
      "rows<long long,double> 1,256,1",
    ]);
  });

  it("is entered by its members where it is a class", async () => {
    const text = "template <class T> struct Job { T *o; void run(int n) { t<T><<<n, 64>>>(o, n); } };";
    expect(await launchesIn(text)).toEqual([
      "t<float> 64,1,1 | T = float assumed",
      "t<double> 64,1,1 | T = double assumed",
    ]);
  });

  it("is entered only where it leads to a kernel that nothing launches, through whatever names it", async () => {
    const text = `
      template <class T> auto pick(int m) { return m == 1 ? &tn<T, 1> : &tn<T, 2>; }
      template <class T> void far(T *o, int m) { auto k = pick<T>(m); k<<<4, 128>>>(o); }
      template <class T> void near(T *o) { t<T><<<4, 64>>>(o, 1); }
      template <class T> struct Job { T *o; void run() { t<T><<<4, 64>>>(o, 2); } };`;
    const program = await programOf("library.cu", kernels + text);
    const leadingTo = (...names: string[]) =>
      program
        .hostTemplatesFor?.(program.kernels.filter(({ name }) => names.includes(name)))
        .map(({ name }) => name);
    expect(leadingTo("tn")).toEqual(["far"]);
    expect(leadingTo("t")).toEqual(["near", "Job"]);
    expect(leadingTo("a", "b")).toEqual([]);
    expect(leadingTo()).toEqual([]);
  });

  it("is left to those that the text asks for", async () => {
    const text =
      "template <class T> void run(T *o, int n) { t<T><<<n, 64>>>(o, n); }\ntemplate __global__ void t<int>(int *, int);";
    expect(await launchesIn(text)).toEqual([]);
  });
});

describe("an argument that is a pointer of a class that is not in sight, or null", () => {
  it("is passed to the kernel", async () => {
    const text =
      "void run(const at::optional<at::Tensor> &v) { a<<<4, 64>>>(v.has_value() ? v.value().data_ptr<float>() : nullptr, 1); }";
    expect(await launchesIn(text)).toEqual(["a 64,1,1"]);
  });
});

describe("a class template that the text instantiates", () => {
  it("is entered by all of its members, wherever they are defined, and with no other arguments", async () => {
    const text = `
      template <class T> struct Solver { T *o; void step(int n); void last() { t<<<2, 64>>>(o, 2); } static void make(T *p) { t<<<3, 160>>>(p, 5); } };
      template <class T> void Solver<T>::step(int n) { t<<<n, 96>>>(o, 3); }
      template struct Solver<float>;
      extern template struct Solver<double>;
      template class Solver<int>;`;
    expect((await launchesIn(text)).sort()).toEqual(
      ["float", "int"].flatMap((type) => ["160", "64", "96"].map((x) => `t<${type}> ${x},1,1`)),
    );
  });
});

describe("what runs before main, in a program without one", () => {
  const warmup = "struct Warmup { float *p; Warmup(int n) { cudaMalloc(&p, 4096); a<<<n, 96>>>(p, 3); } };";
  it.each([
    ["an object", `${warmup} static Warmup warm(4);`, "a 96,1,1"],
    [
      "a function",
      "static int go() { float *p; cudaMalloc(&p, 64); a<<<1, 64>>>(p, 1); return 1; } int x = go();",
      "a 64,1,1",
    ],
    [
      "a lambda",
      "const bool ok = [] { float *p; cudaMalloc(&p, 64); a<<<1, 160>>>(p, 1); return true; }();",
      "a 160,1,1",
    ],
    [
      "a static member",
      "struct H { static H one; float *p = make(); static float *make() { float *p; cudaMalloc(&p, 64); a<<<2, 128>>>(p, 1); return p; } }; H H::one;",
      "a 128,1,1",
    ],
  ])("is run: %s", async (_, text, launch) => {
    expect(await launchesIn(text)).toEqual([launch]);
  });

  it("takes what objects are made with", async () => {
    const program = await programOf("library.cu", `${kernels}${warmup} namespace { Warmup warm(4); }`);
    expect(findLaunches(program).launches.map(({ grid, count }) => [grid, count])).toEqual([[[4, 1, 1], 1]]);
  });

  it("leads to what it only registers", async () => {
    const text = `#include <functional>
      #include <map>
      #include <string>
      struct Registry { std::map<std::string, std::function<void(float *)>> table; bool add(const char *n, std::function<void(float *)> f) { table[n] = f; return true; } static Registry &get() { static Registry r; return r; } };
      static bool added = Registry::get().add("a", [](float *o) { a<<<7, 224>>>(o, 9); });`;
    expect(await launchesIn(text)).toEqual([
      "a 224,1,1 | the function that launches it is called from elsewhere",
    ]);
  });
});

describe("a template argument that is a constant, of a value that could not be computed", () => {
  it.each([
    [
      "of the file",
      "constexpr int tile = pick(); void run(float *o) { tn<float, tile><<<4, 64>>>(o); }",
      "tile",
    ],
    ["of a function", "void run(float *o) { const int t = lib::width(3); tn<float, t><<<4, 64>>>(o); }", "t"],
    [
      "of a class",
      "struct C { static constexpr int w = pick(); }; void run(float *o) { tn<float, C::w><<<4, 64>>>(o); }",
      "C::w",
    ],
    [
      "in an expression",
      "constexpr int tile = pick(); void run(float *o) { tn<float, 2 * tile><<<4, 64>>>(o); }",
      "2 * tile",
    ],
  ])("%s", async (_, text, argument) => {
    expect(await launchesIn(text)).toEqual([`tn<float,${argument}> 64,1,1`]);
  });
});

describe("what CUDA's functions are given beside what launches hang on", () => {
  const head = "#include <functional>\n#include <vector>\n";
  it.each([
    [
      "a stream",
      "struct R { std::vector<int> n; cudaStream_t s; }; int main() { float *p; cudaMalloc(&p, 64); R r; r.n.push_back(3); cudaStreamSynchronize(r.s); for (auto &f : r.n) a<<<1, 32 * f>>>(p, 1); }",
    ],
    [
      "a graph that is captured",
      `struct R { std::vector<std::function<void()>> nodes; cudaGraph_t graph; cudaGraphExec_t run; cudaStream_t s; };
       int main() { float *p; cudaMalloc(&p, 64); R r; r.nodes.push_back([=] { a<<<1, 96>>>(p, 1); }); cudaStreamCreate(&r.s); cudaStreamBeginCapture(r.s, cudaStreamCaptureModeGlobal);
         for (auto &node : r.nodes) node(); cudaStreamEndCapture(r.s, &r.graph); cudaGraphInstantiate(&r.run, r.graph, nullptr, nullptr, 0); cudaGraphLaunch(r.run, r.s); }`,
    ],
    [
      "a library's handle",
      "struct R { int n = 3; cublasHandle_t h; R() { cublasCreate(&h); cublasSetStream(h, 0); } void go(float *p) { a<<<1, 32 * n>>>(p, 1); } }; int main() { float *p; cudaMalloc(&p, 64); R r; r.go(p); }",
    ],
  ])("stays known: %s", async (_, text) => {
    expect(await launchesIn(head + text)).toEqual(["a 96,1,1"]);
  });
});
