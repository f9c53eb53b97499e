// What launches find in the GPU's memory where the host's code says what it put there, and where it does not.
import { describe, expect, it, vi } from "vitest";
import { kernelUseOf } from "../../server/src/launches/contents/parameter-use.ts";
import { findLaunches } from "../../server/src/launches/host/find.ts";
import { type HostValue, typeAt } from "../../server/src/launches/launch.ts";
import { programOf } from "./program-of.ts";

const kernels = `
void fillElsewhere(int *p, int n);
__global__ void take(const int *list, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[list[i]];
}
__global__ void move(int *list) { list[threadIdx.x] += 1; }
__global__ void moveAll(int **lists) { lists[0][threadIdx.x] = 1; }
__global__ void same(const int *list, int *out) { out[list[threadIdx.x]] = 1; }
`;

const views = `
template <typename T> struct Memory { T *data; int pitch; __host__ __device__ Memory(T *p, int n = 1) : data(p), pitch(n) {} };
template <typename T> struct Row : Memory<T> {
  __host__ __device__ Row(T *p, int n = 1) : Memory<T>(p, n) {}
  __device__ T &operator[](int i) { return this->data[i]; }
};
template <typename T> struct View : Memory<T> {
  __host__ View(T *p) : Memory<T>(p, 1) {}
  __device__ Row<T> operator[](int i) { return Row<T>(this->data + i * this->pitch, 1); }
};
struct Keeper { int *kept; __device__ void keep(int *p) { kept = p; } };
`.replaceAll("\n", " ");

/** The first `count` numbers that each launch finds behind its first argument; null where it finds none. */
async function found(main: string, count = 6): Promise<(string | null)[]> {
  const text = `#include <cstdlib>\n#include <cstring>\n#include <vector>\n${kernels}
int main(int argc, char **argv) {
  const int n = 64;
  int *d; float *in, *out;
  cudaMalloc(&d, n * sizeof(int)); cudaMalloc(&in, 4096); cudaMalloc(&out, 4096);
  ${main}
}`;
  const { launches } = findLaunches(await programOf("contents.cu", text));
  return launches.map(({ arguments: [first] }) => (first === undefined ? null : numbersIn(first, count)));
}

function numbersIn(value: HostValue, count: number): string | null {
  if (value.kind !== "pointer" || value.contents === undefined) return null;
  const { contents } = value;
  const at = (index: number) =>
    typeAt(contents, index) === undefined && contents.zeroBytes > index * contents.unitBytes
      ? 0
      : (contents.values[index] ?? "?");
  return Array.from({ length: count }, (_, index) => at(index)).join(" ");
}

const copied = "cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);";
const launched = "take<<<1, 64>>>(d, in, out);";

describe("numbers that the host puts into the GPU's memory", () => {
  it.each([
    ["by a loop", `int h[n]; for (int i = 0; i < n; i++) h[i] = 3 * i + 1; ${copied}`, "1 4 7 10 13 16"],
    [
      "by loops in one another, from memory of the heap",
      `int *h = (int *)malloc(n * 4); for (int r = 0; r < 8; r++) for (int c = 0; c < 8; c++) h[8 * r + c] = 8 * c + r; ${copied}`,
      "0 8 16 24 32 40",
    ],
    [
      "by a sum of those before",
      `std::vector<int> v(n); v[0] = 2; for (int i = 1; i < n; i++) v[i] = v[i - 1] + i % 3; int *h = v.data(); ${copied}`,
      "2 3 5 5 6 8",
    ],
    [
      "by a vector that grows",
      `std::vector<int> v; for (int i = 0; (int)v.size() < n; i++) if (i % 5 < 2) v.push_back(i); const int *h = v.data(); ${copied}`,
      "0 1 5 6 10 11",
    ],
    [
      "by a vector that grows from a zero, as the rows of a sparse matrix do",
      `std::vector<int> v(1, 0); for (int i = 1; i < n; i++) v.push_back(v.back() + i % 3); const int *h = v.data(); ${copied}`,
      "0 1 3 3 4 6",
    ],
    [
      "by a function that is called",
      `int h[n]; auto next = [](int x) { return (x * 5 + 3) % 64; }; int x = 0; for (int i = 0; i < n; i++) h[i] = x = next(x); ${copied}`,
      "3 18 29 20 39 6",
    ],
    ["as zeros", "cudaMemset(d, 0, n * sizeof(int));", "0 0 0 0 0 0"],
    ["as bytes", "cudaMemset(d, 0xff, n * sizeof(int));", "-1 -1 -1 -1 -1 -1"],
    [
      "and moved by copies",
      `int h[n]; for (int i = 0; i < n; i++) h[i] = i; ${copied} cudaMemcpy(d, d + 4, 2 * sizeof(int), cudaMemcpyDeviceToDevice);`,
      "4 5 2 3 4 5",
    ],
    [
      "of which some are not known",
      `int h[n]; for (int i = 0; i < n; i++) h[i] = i % 2 ? i : rand(); ${copied}`,
      "? 1 ? 3 ? 5",
    ],
    [
      "by a loop that may end early",
      `int h[n]; for (int i = 0; i < n; i++) { if (rand() == 7) break; h[i] = i; } ${copied}`,
      null,
    ],
    [
      "where nobody knows whether",
      `int h[n]; for (int i = 0; i < n; i++) h[i] = i; if (rand() == 7) for (int i = 0; i < 2; i++) h[i] = 9; ${copied}`,
      "? ? 2 3 4 5",
    ],
    [
      "where nobody knows whether, by a pointer to a pointer",
      `int *h = (int *)malloc(n * 4), **p = &h; for (int i = 0; i < n; i++) { (*p)[i] = i; if (i % 2 && rand() == 7) (*p)[i]++; } ${copied}`,
      "0 ? 2 ? 4 ?",
    ],
    [
      "where nobody knows whether, by a pointer that is set there",
      `int h[n]; for (int i = 0; i < n; i++) { int *q = h; h[i] = i; if (rand() == 7) { q = h + i / 2; *q = 9; } } ${copied}`,
      null,
    ],
    ["from a file", `int h[n]; FILE *f = fopen(argv[1], "r"); fread(h, 4, n, f); ${copied}`, null],
  ])("%s", async (_, main, expected) => {
    expect(await found(`${main} ${launched}`)).toEqual([expected]);
  });

  it("by a vector of zeros: behind it nobody knows", async () => {
    const main = `int *e; cudaMalloc(&e, 4096); std::vector<int> v(200); v[1] = 7;
      cudaMemcpy(e, v.data(), 200 * sizeof(int), cudaMemcpyHostToDevice); take<<<1, 64>>>(e, in, out);`;
    const [numbers] = await found(main, 202);
    expect(numbers?.startsWith("0 7 0 0 0 0 ")).toBe(true);
    expect(numbers?.endsWith(" 0 0 ? ?")).toBe(true);
  });

  it("are no longer known behind a kernel that writes there, but for those that only read", async () => {
    const filled = `int h[n]; for (int i = 0; i < n; i++) h[i] = i; ${copied}`;
    expect(await found(`${filled} take<<<1, 32>>>(d, in, out); take<<<1, 64>>>(d, in, out);`)).toEqual([
      "0 1 2 3 4 5",
      "0 1 2 3 4 5",
    ]);
    expect(await found(`${filled} move<<<1, 64>>>(d); ${launched}`)).toEqual([null, null]);
    const table = "int **t; cudaMalloc(&t, 8); cudaMemcpy(t, &d, 8, cudaMemcpyHostToDevice);";
    expect(await found(`${filled} ${table} moveAll<<<1, 64>>>(t); ${launched}`)).toEqual([null, null]);
  });

  it("are not known to a kernel that writes to them under another name", async () => {
    const filled = `int h[n]; for (int i = 0; i < n; i++) h[i] = i; ${copied}`;
    expect(await found(`${filled} same<<<1, 64>>>(d, d);`)).toEqual([null]);
    expect(await found(`${filled} same<<<1, 64>>>(d, (int *)out);`)).toEqual(["0 1 2 3 4 5"]);
  });

  it.each([
    [
      "a function elsewhere",
      "int *h = (int *)calloc(n, 4); fillElsewhere(h, n); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);",
    ],
    [
      "a library, by iterators",
      "std::vector<int> v(n, 3); std::mt19937 any; std::shuffle(v.begin(), v.end(), any); cudaMemcpy(d, v.data(), n * 4, cudaMemcpyHostToDevice);",
    ],
    ["a library on the GPU", "cudaMemset(d, 0, n * 4); thrust::sequence(thrust::device, d, d + n);"],
  ])("are not known behind %s", async (_, main) => {
    expect(await found(`${main} ${launched}`)).toEqual([null]);
  });

  it("are known where all launches that are one find the same", async () => {
    const loop = (fill: string) =>
      `int h[n]; for (int t = 0; t < 3; t++) { for (int i = 0; i < n; i++) h[i] = ${fill}; ${copied} ${launched} }`;
    expect(await found(loop("i"))).toEqual(["0 1 2 3 4 5"]);
    expect(await found(loop("i + t"))).toEqual([null]);
  });
});

describe("memory that nobody in sight allocates", () => {
  const text = (launch: string) => `
    __device__ int next(const int *p, int i) { return p[i]; }
    __global__ void k(const int *p, int *q) { q[next(p, threadIdx.x)] = 1; }
    ${launch}`;
  it.each([
    ["is not looked into", "void run(const int *p, int *q) { k<<<1, 32>>>(p, q); }", false],
    [
      "is no reason to leave out what is",
      "void run(const int *p) { int *q; cudaMalloc(&q, 400); k<<<1, 32>>>(p, q); }",
      true,
    ],
  ])("%s", async (_, launch, isAsked) => {
    const program = await programOf("library.cu", text(launch));
    const asked: string[] = [];
    const { functionOf } = program;
    vi.spyOn(program, "functionOf").mockImplementation((id) => {
      const definition = functionOf.call(program, id);
      asked.push(definition?.name ?? "");
      return definition;
    });
    expect(findLaunches(program).launches).toHaveLength(1);
    expect(asked.includes("next")).toBe(isAsked);
  });
});

describe("what a kernel does with memory", () => {
  it("is found through functions that call each other deeper than a stack is", async () => {
    const depth = 3000;
    const chain = Array.from(
      { length: depth },
      (_, at) => `__device__ int f${at + 1}(int i) { return f${at}(i) + 1; }`,
    );
    const kernel = `__global__ void k(const int *a, int *b) { b[f${depth}(a[threadIdx.x])] = 1; }`;
    const text = [
      "__device__ int f0(int i) { return i; }",
      ...chain,
      kernel,
      "int main() { k<<<1, 32>>>(0, 0); }",
    ];
    const program = await programOf("deep.cu", text.join("\n"));
    const [launch] = findLaunches(program).launches;
    const uses = launch === undefined ? [] : kernelUseOf(program, launch.kernel).parameters;
    expect(uses.map(({ contentsDecide, isWritten }) => [contentsDecide, isWritten])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  const use = async (parameters: string, body: string) => {
    const program = await programOf(
      "use.cu",
      `struct P { const int *a; int *b; };\nstruct Q { float x; int k; };\n${views}\n__global__ void k(${parameters}) { int i = threadIdx.x; ${body} }\nint main() { k<<<1, 32>>>(0, 0); }`,
    );
    const [launch] = findLaunches(program).launches;
    if (launch === undefined) throw new Error("no launch");
    const { parameters: uses } = kernelUseOf(program, launch.kernel);
    const written = (isChanged: unknown) => (isChanged ? " written" : " floats written");
    return uses.map(({ contentsDecide, isWritten, isChanged }) =>
      `${contentsDecide ? "decides" : ""}${isWritten ? written(isChanged) : ""}`.trim(),
    );
  };
  it.each([
    ["an index", "const int *a, int *b", "b[a[i]] = 1;", ["decides", "written"]],
    ["by a variable", "const int *a, int *b", "int j = a[i] + 1; b[j] = 1;", ["decides", "written"]],
    ["a branch", "const int *a, int *b", "if (a[i] > 0) b[i] = 1;", ["decides", "written"]],
    ["a value alone", "const int *a, int *b", "b[i] = a[i];", ["", "written"]],
    ["floating-point numbers", "const float *a, int *b", "if (a[i] > 0) b[(int)a[i]] = 1;", ["", "written"]],
    ["a number beside such", "const Q *a, int *b", "Q q = a[i]; b[q.k] = 1;", ["decides", "written"]],
    [
      "a number beside written ones",
      "Q *a, int *b",
      "if (a[i].k) a[i].x = 1;",
      ["decides floats written", ""],
    ],
    ["a number written beside", "Q *a, int *b", "if (a[i].k) a[i].k = a[i].x = 1;", ["decides written", ""]],
    ["a record written whole", "Q *a, int *b", "Q q = a[i]; if (q.k) a[i] = q;", ["decides written", ""]],
    ["a moved pointer", "int *a, int *b", "int *p = a + i; for (; *p; p++) b[i]++;", ["decides", "written"]],
    ["an atomic", "int *a, int *b", "atomicAdd(&b[a[i]], 1);", ["decides", "written"]],
    ["a pointer from memory", "int **a, int *b", "a[0][i] = b[i];", ["decides written", "written"]],
    [
      "a pointer in a record from memory",
      "const int *a, P *b",
      "b[0].b[a[i]] = 1;",
      ["decides written", "decides written"],
    ],
    ["by a view", "const int *a, Row<float> b", "b[a[i]] = 1;", ["decides", "written"]],
    ["in a view", "Row<const int> a, Row<float> b", "b[a[i]] = 1;", ["decides", "written"]],
    [
      "rows that are made of views",
      "View<const int> a, View<float> b",
      "b[i][a[i][0]] = 1;",
      ["decides", "decides written"],
    ],
    [
      "a pointer that a record of its own keeps",
      "int *a, int *b",
      "Keeper k; k.keep(a); k.kept[b[i]] = 1;",
      ["written", "decides"],
    ],
    [
      "pointers that lie behind a view",
      "Row<int *> a, int *b",
      "a[0][b[i]] = 1;",
      ["decides written", "decides written"],
    ],
    [
      "values by way of an array of the thread's own",
      "const float4 *a, float4 *b",
      "float t[4]; *(float4 *)&t[0] = a[i]; b[i] = *(float4 *)&t[0];",
      ["", "written"],
    ],
    [
      "an index by way of an array of the thread's own",
      "const int4 *a, int *b",
      "int t[4]; *(int4 *)&t[0] = a[i]; b[t[i % 4]] = 1;",
      ["decides", "written"],
    ],
    [
      "by the address of a variable",
      "int *a, int *b",
      "int t = a[i]; int *p = &t; b[*p] = 1;",
      ["decides", "written"],
    ],
  ])("%s", async (_, parameters, body, expected) => {
    expect(await use(parameters, body)).toEqual(expected);
  });
});
