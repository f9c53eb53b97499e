// What ways of a branch store and load, as nvcc 13.0 makes it of these kernels (read in their SASS and PTX: `npm run sass`).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string) => `
__device__ int table[8];
__global__ void k(const int *a, int *out, int n) {
  extern __shared__ int dynamic[];
  __shared__ int t[64];
  int i = threadIdx.x, v = a[i], w = a[i + 64];
  t[i] = dynamic[i + 1] = v;
  __syncthreads();
  ${body}
}
int main() { int *a, *out; cudaMalloc(&a, 4096); cudaMalloc(&out, 4096); k<<<1, 64, 512>>>(a, out, 9); }`;

/** The accesses of the body: line, expression and how many warps make them. */
async function accessesOf(body: string, ofOperation: "load" | "store"): Promise<string[]> {
  const text = kernel(body);
  const { analysis } = await analyse(text);
  const bodyStart = text.indexOf(body);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, range }) => operation === ofOperation && range.start >= bodyStart)
    .map(({ expression, range, requests }) => {
      const line = text.slice(bodyStart, range.start).split("\n").length;
      return `${line} ${expression} ${requests ?? "?"}`;
    });
}

describe("stores that the ways of a branch end with", () => {
  it.each([
    ["values that are there", "if (v > w)\nout[i] = 0;\nelse\nout[i] = v;", ["2 out[i] 2"]],
    ["constants", "if (v > w)\nout[i] = 1;\nelse\nout[i] = 7;", ["2 out[i] 2"]],
    ["values of which one is computed", "if (v > w)\nout[i] = w;\nelse\nout[i] = v * 3;", ["4 out[i] 2"]],
  ])("%s are one, shown on the line that selects", async (_what, body, stores) => {
    expect(await accessesOf(body, "store")).toEqual(stores);
  });

  it("are one behind two conditions of which the second loads, where nothing is computed", async () => {
    const both = "if (v > a[i + 9] && w > a[i + 8])\nout[i] = 0;\nelse\nout[i] = ";
    expect(await accessesOf(`${both}v;`, "store")).toEqual(["2 out[i] 2"]);
    expect((await accessesOf(`${both}v * w;`, "store")).length).toBe(2);
  });

  it("stay two where one way computes and the other stores zero", async () => {
    const stores = await accessesOf("if (v > w)\nout[i] = v * w;\nelse\nout[i] = 0;", "store");
    expect(stores.map((each) => each.slice(0, 8))).toEqual(["2 out[i]", "4 out[i]"]);
  });

  it.each([
    ["a break leaves", "for (int k = 0; k < n; k++) { if (a[k] > w) break; v += a[k * 12]; }", 1],
    ["a bound is loaded for", "for (int k = 0; k < a[n]; k++) v += a[k * 12];", 1],
    ["a return leaves", "for (int k = 0; k < n; k++) { if (a[k] > w) return; v += a[k * 12]; }", 2],
  ])("behind a loop that %s", async (_what, loop, count) => {
    const ways = "if (v > w)\nout[i] = v * 3;\nelse\nout[i] = v * v;";
    expect((await accessesOf(`${loop} ${ways}`, "store")).length).toBe(count);
    const returning = "if (v > w) {\nout[i] = v * 3; return; }\nout[i] = v * v;";
    expect((await accessesOf(`${loop} ${returning}`, "store")).length).toBe(count);
  });

  it("stay two in front of a break of a switch, where other ways arrive", async () => {
    const one = "if (v > w)\nout[i] = 0;\nelse\nout[i] = v;\nbreak;";
    const stores = await accessesOf(`switch (a[i + 32]) {\ncase 0: ${one}\ncase 4: out[i] = 1; }`, "store");
    expect(stores.length).toBe(3);
  });
});

describe("stores of a trip, which `continue` parts as `else` does", () => {
  const trip = (ways: string) => `for (int j = i; j < n; j += 64) {\nint u = a[j];\n${ways}\n}`;

  it.each([
    ["one place", "if (u % 3 == 0) {\nout[j] = u + 1;\ncontinue;\n}\nout[j] = u * u;"],
    [
      "one place, behind a load",
      "if (u < 0) {\nout[j] = u;\ncontinue;\n}\nint x = a[j + 64];\nout[j] = x * u;",
    ],
  ])("are one: of %s", async (_what, ways) => {
    const stores = await accessesOf(trip(ways), "store");
    expect(stores.length).toBe(1);
    const withElse = trip(ways.replace("continue;\n}", "} else {").concat(" }"));
    expect(await accessesOf(withElse, "store")).toEqual(stores);
  });

  it("stay two where one way stores zero", async () => {
    const ways = "if (u < 0) {\nout[j] = 0;\ncontinue;\n}\nout[j] = u * 3;";
    expect((await accessesOf(trip(ways), "store")).length).toBe(2);
  });
});

describe("loads of a constant index under a short branch", () => {
  it("of a static shared array are in doubt: all lanes may make them", async () => {
    const body = "int r = w; if (v > w) r = t[5] + 3; out[i] = r;";
    const text = kernel(body);
    const { analysis } = await analyse(text);
    const [load] = analysis.groups
      .flatMap(({ contexts }) => contexts.map(({ access }) => access))
      .filter(({ operation, range }) => operation === "load" && range.start >= text.indexOf(body));
    const assumptions = load && "assumptions" in load.verdict ? load.verdict.assumptions : [];
    expect(assumptions).toContainEqual({ kind: "compiler", doubt: "loads-behind-branch" });
  });

  it.each([
    ["dynamic shared memory", "int r = w; if (v > w) r = dynamic[5]; out[i] = r;"],
    ["an array on the device", "int r = w; if (v > w) r = table[3]; out[i] = r;"],
    ["any element", "int r = w; if (v > w) r = t[n & 31]; out[i] = r;"],
  ])("of %s are made by those alone that take the way", async (_what, body) => {
    const loads = await accessesOf(body, "load");
    expect(loads.length).toBe(1);
    expect(loads[0]).toMatch(/[?]$/);
  });
});

describe("an assignment to a volatile word", () => {
  it.each([
    ["whose value is used loads it again", "volatile int *s = t; int r = s[i] = v; out[i] = r;", 1],
    ["that is another's value too", "volatile int *s = t; s[i] = s[i + 1] = v;", 1],
    ["by an operator, whose value is used, loads it twice", "volatile int *s = t; out[i] = s[i] += v;", 2],
    ["whose value is not used stores alone", "volatile int *s = t; s[i] = v;", 0],
    ["by an operator loads it once", "volatile int *s = t; s[i] += v;", 1],
    ["by an increment in front loads it once", "volatile int *s = t; out[i] = ++s[i];", 1],
  ])("%s", async (_what, body, count) => {
    expect((await accessesOf(body, "load")).length).toBe(count);
  });
});

describe("a pointer that both ways load", () => {
  it("is loaded in each, where one of them computes what it stores before", async () => {
    const text = `
struct Cells { float *n, *share; };
__global__ void k(Cells *c, float sum) {
  int i = threadIdx.x;
  if (c->n[i] < 0.5f) {
    c->share[i] = 0;
  } else {
    c->share[i] = c->n[i] * sum;
  }
}
int main() { Cells *c; cudaMalloc(&c, sizeof(Cells)); k<<<1, 64>>>(c, 2.f); }`;
    const { analysis } = await analyse(text);
    const pointers = analysis.groups
      .flatMap(({ contexts }) => contexts.map(({ access }) => access))
      .filter(({ operation, bytes }) => operation === "load" && bytes === 8);
    expect(pointers.map(({ expression }) => expression)).toEqual(["c->n", "c->share", "c->share"]);
  });
});
