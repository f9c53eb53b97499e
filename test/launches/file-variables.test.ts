// What variables of a file hold where a function other than main is entered: what the text leaves no doubt of, and no more.
import { describe, expect, it } from "vitest";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { programOf } from "./program-of.ts";

const kernel =
  "__global__ void k(unsigned *o, unsigned *p, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = p[i * n]; }\n";

async function launchesIn(text: string): Promise<string[]> {
  const { kernels } = launchesOf(await programOf("library.cu", kernel + text));
  return kernels.flatMap(({ launches }) =>
    launches.map(({ block, grid, origin }) =>
      origin.kind === "launch" ? `${block} of ${grid[0]}` : "assumed",
    ),
  );
}

describe("a variable of a file, where nobody is in sight who calls what launches", () => {
  const host = "void host(unsigned *o, unsigned n) { k<<<grid, block>>>(o, o, n); }";
  it.each([
    ["holds what it is initialized with", `static int block = 128, grid = 4; ${host}`, "128,1,1 of 4"],
    [
      "holds zero where it is the file's own",
      `static int none; static int block = 64 + none, grid = 2; ${host}`,
      "64,1,1 of 2",
    ],
    [
      "is not known where another function sets it",
      `static int block = 128, grid = 1; void use(int g) { grid = g; } ${host}`,
      "128,1,1 of null",
    ],
    [
      "is not known where another file may set it",
      `int grid; static int block = 32; ${host}`,
      "32,1,1 of null",
    ],
    [
      "is known once the function sets it",
      `static int block = 1, grid = 1; void host(unsigned *o) { block = 32; grid = 2; k<<<grid, block>>>(o, o, 1); }`,
      "32,1,1 of 2",
    ],
    [
      "is as it was set where main is in sight",
      `static int block, grid; ${host} int main() { block = 96; grid = 3; host(nullptr, 1); }`,
      "96,1,1 of 3",
    ],
    [
      "is known but for the member that is set",
      `struct C { int b, g; }; static C c = {64, 5}; void use(int g) { c.g = g; } void host(unsigned *o) { k<<<c.g, c.b>>>(o, o, 1); }`,
      "64,1,1 of null",
    ],
  ])("%s", async (_, text, launch) => {
    expect(await launchesIn(text)).toEqual([launch]);
  });
});

describe("an access through a pointer of which the text says nothing", () => {
  async function accessesOf(text: string): Promise<string[]> {
    const program = await programOf("library.cu", kernel + text);
    const found = launchesOf(program).kernels.flatMap(({ launches }) => launches);
    return found.flatMap((launch) =>
      evaluateLaunch(program, launch).accesses.map(({ expression, verdict }) =>
        verdict.kind === "unknown" ? `${expression}: ${verdict.reason}` : `${expression}: ${verdict.kind}`,
      ),
    );
  }

  it("leads to memory that somebody gave it", async () => {
    const host = "static unsigned *P; void host(unsigned *o, unsigned n) { k<<<64, 256>>>(o, P, n); }";
    expect((await accessesOf(host)).sort()).toEqual(["o[i]: exact", "p[i * n]: conditional"]);
  });

  it("is not dropped where it is null", async () => {
    const host = "void host(unsigned *o, unsigned n) { k<<<64, 256>>>(o, nullptr, n); }";
    expect((await accessesOf(host)).sort()).toEqual([
      "o[i]: exact",
      "p[i * n]: its pointer is null in this launch",
    ]);
  });
});

describe("a variable in constant memory that has an initialiser", () => {
  const constant =
    "__constant__ int stride = 1; __global__ void s(float *x) { x[threadIdx.x * stride] = 0; }\n";
  const run = "void run(float *x) { s<<<1, 32>>>(x); }";
  const sectorsOf = async (text: string, head = constant) => {
    const program = await programOf("library.cu", head + text);
    const launch = launchesOf(program).kernels.flatMap(({ launches }) => launches)[0];
    const store = launch && evaluateLaunch(program, launch).accesses.find(({ space }) => space === "global");
    return store?.totals?.cost ?? null;
  };
  it.each([
    ["holds it where nobody copies to it", run, 4],
    [
      "is not known where another function copies to it",
      `void set(int n) { cudaMemcpyToSymbol(stride, &n, 4); } ${run}`,
      null,
    ],
    [
      "is not known where its address is asked for",
      `void set(int n) { void *p; cudaGetSymbolAddress(&p, stride); cudaMemcpy(p, &n, 4, cudaMemcpyHostToDevice); } ${run}`,
      null,
    ],
    [
      "holds what was copied to it last",
      `void run(float *x) { int n = 4; cudaMemcpyToSymbol(stride, &n, 4); n = 8; cudaMemcpyToSymbol(stride, &n, 4); s<<<1, 32>>>(x); }`,
      32,
    ],
    [
      "holds it in a program that has not copied to it yet",
      "int main() { float *x; cudaMalloc(&x, 4096); s<<<1, 32>>>(x); int n = 8; cudaMemcpyToSymbol(stride, &n, 4); }",
      4,
    ],
  ])("%s", async (_, text, sectors) => {
    expect(await sectorsOf(text)).toBe(sectors);
  });

  it("is not known where it is larger than what is followed, and the program copies to it", async () => {
    const text = `__constant__ int table[2048] = {1, 1}; __global__ void s(float *x) { x[threadIdx.x * table[1]] = 0; }
int main() { float *x; int n[2048]; cudaMalloc(&x, 4096); cudaMemcpyToSymbol(table, n, sizeof n); s<<<1, 32>>>(x); }`;
    expect(await sectorsOf(text, "")).toBeNull();
  });
});
