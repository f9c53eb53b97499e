// Names that are declared nowhere: every access that hangs on one is shown and has no exact figure, the others are as exact as without it.
import { describe, expect, it } from "vitest";
import { accessKindText } from "../../server/src/render/access-words.ts";
import { assumptionText } from "../../server/src/render/assumption-words.ts";
import { reportsJson } from "../../server/src/render/json.ts";
import { analyse } from "../ide/analyse.ts";

interface Case {
  /** Declarations, and the body of a kernel of `float *o, int n` in which `t` is the thread's index. */
  readonly before?: string;
  readonly body: string;
  readonly main?: string;
  /** By access: "exact", or the words that its reason or one of its assumptions holds. */
  readonly expected: Readonly<Record<string, string>>;
  /** The accesses that are warned of. */
  readonly warned?: readonly string[];
}

const nowhere = (name: string) => `${name} is declared nowhere in sight`;

const cases: Readonly<Record<string, Case>> = {
  "a constant in an index": {
    body: "o[t * STEP] = 1; o[t * 16] = 2;",
    expected: { "o[t * STEP]": nowhere("STEP"), "o[t * 16]": "exact" },
    warned: ["o[t * 16]"],
  },
  "a constant behind others": {
    before: "constexpr int W = STEP * 4;",
    body: "o[t * W] = 1;",
    expected: { "o[t * W]": nowhere("STEP") },
  },
  "the length of a row": {
    body: "__shared__ float s[8][COLS + 1]; s[t][1] = o[t]; __syncthreads(); o[t] = s[1][t];",
    expected: { "s[t][1]": nowhere("COLS"), "s[1][t]": nowhere("COLS"), "o[t]": "exact" },
  },
  "the number of rows, on which nothing hangs": {
    body: "__shared__ float s[ROWS][32]; s[t][1] = o[t]; __syncthreads(); o[t] = s[1][t];",
    expected: { "s[t][1]": "exact", "s[1][t]": "exact", "o[t]": "exact" },
    warned: ["s[t][1]"],
  },
  "the length of a member": {
    before: "struct S { float a[LENGTH]; float b; };",
    body: "S *p = (S *)o; p[t].b = 1; p->a[t] = 2;",
    expected: { "p[t].b": "the size of S is not known", "p->a[t]": "exact" },
  },
  "what lies behind a member of an unknown type": {
    before: "struct S { real a; float b[64]; float *p; };",
    body: "S *p = (S *)o; p->b[t] = 1; p->p[t] = 2;",
    expected: {
      "p->b[t]": "the type real is declared nowhere",
      "p->p[t]": "p->p points to global memory",
      "p->p": "exact",
    },
  },
  "a base": {
    before: "struct S : Base { float b; };",
    body: "S *p = (S *)o; p[t].b = 1; o[t] = 2;",
    expected: { "p[t].b": "the size of S is not known", "o[t]": "exact" },
  },
  "a function in an index": {
    body: "o[place(t + 1)] = 1; o[t] = 2;",
    expected: { "o[place(t + 1)]": nowhere("place"), "o[t]": "exact" },
  },
  "a guard": {
    body: "if (inside(n)) o[t * 16] = 1; o[t] = 2;",
    expected: { "o[t * 16]": nowhere("inside"), "o[t]": "exact" },
  },
  "a macro with a body": {
    body: "FOR_EACH(i, n) { o[i * 16] = 1; o[t * 16] = 1; } o[t] = 2;",
    expected: { "o[i * 16]": nowhere("i"), "o[t * 16]": nowhere("FOR_EACH"), "o[t]": "exact" },
  },
  "the label of a switch": {
    body: "switch (n) { case MODE: o[t * 16] = 1; break; default: o[t * 8] = 1; } o[t] = 2;",
    expected: { "o[t * 16]": nowhere("MODE"), "o[t * 8]": nowhere("MODE"), "o[t]": "exact" },
  },
  "the type of an index": {
    body: "index_t i = threadIdx.x; o[i * 16] = 1; o[t] = 2;",
    expected: { "o[i * 16]": nowhere("the type index_t"), "o[t]": "exact" },
  },
  "the type of an element": {
    body: "((real *)o)[t] = 1; o[t] = 2;",
    expected: { "((real *)o)[t]": nowhere("the type real"), "o[t]": "exact" },
  },
  "an argument of the launch": {
    body: "o[t * n] = 1; o[t * 16] = 2; o[t] = 3;",
    main: "k<<<4, 32>>>(o, SIZE * 2);",
    expected: { "o[t * n]": nowhere("SIZE"), "o[t * 16]": "exact", "o[t]": "exact" },
    warned: ["o[t * 16]"],
  },
  "a condition of the host": {
    body: "o[t * n] = 1;",
    main: "if (USE_IT) k<<<4, 32>>>(o, 16);",
    expected: { "o[t * n]": nowhere("USE_IT") },
  },
  "a loop of the host": {
    body: "o[t * n] = 1;",
    main: "for (int i = 0; i < ROUNDS; i++) k<<<4, 32>>>(o, 16);",
    expected: { "o[t * n]": nowhere("ROUNDS") },
  },
  "a template's argument": {
    before:
      "template <int N> __global__ void f(float *o) { o[threadIdx.x * N] = 1; o[threadIdx.x * 16 + 1] = 2; }",
    body: "o[t] = 1;",
    main: "f<SIZE><<<4, 32>>>(o); k<<<4, 32>>>(o, 5);",
    expected: {
      "o[threadIdx.x * N]": nowhere("SIZE"),
      "o[threadIdx.x * 16 + 1]": "exact",
      "o[t]": "exact",
    },
    warned: ["o[threadIdx.x * 16 + 1]"],
  },
  "a template's argument that is computed, of a namespace, and handed on by a function": {
    before: `template <int N> __global__ void f(float *o) { o[threadIdx.x * N] = 1; }
      template <int N> __global__ void g(float *o) { o[threadIdx.x + N] = 1; }
      template <int N> void run(float *o) { g<N * 2><<<4, 32>>>(o); }`,
    body: "o[t] = 1;",
    main: "f<config::size><<<4, 32>>>(o); run<SIZE>(o); k<<<4, 32>>>(o, 5);",
    expected: {
      "o[threadIdx.x * N]": nowhere("config::size"),
      "o[threadIdx.x + N]": nowhere("SIZE"),
      "o[t]": "exact",
    },
  },
  "a template's argument out of a constant object that is not computed": {
    before: `#include <string_view>
      constexpr std::string_view name = "transpose";
      template <int N> __global__ void f(float *o) { o[threadIdx.x * N] = 1; }`,
    body: "o[t] = 1;",
    main: "f<name.size()><<<4, 32>>>(o); k<<<4, 32>>>(o, 5);",
    expected: { "o[threadIdx.x * N]": "the value of name is not known", "o[t]": "exact" },
  },
  "a template's argument that a library computes": {
    before: `#include <bit>
      template <int N> __global__ void f(float *o) { o[threadIdx.x * N] = 1; o[threadIdx.x * 16 + 1] = 2; }`,
    body: "o[t] = 1;",
    main: "f<std::bit_width(7u)><<<4, 32>>>(o); k<<<4, 32>>>(o, 5);",
    expected: {
      "o[threadIdx.x * N]": "std::bit_width is not defined here",
      "o[threadIdx.x * 16 + 1]": "exact",
      "o[t]": "exact",
    },
    warned: ["o[threadIdx.x * 16 + 1]"],
  },
  "a template's argument of type": {
    before:
      "template <class T> __global__ void f(T *o, float *p) { o[threadIdx.x] = 1; p[threadIdx.x * 16] = 2; }",
    body: "o[t] = 1;",
    main: "f<real><<<4, 32>>>((real *)o, o); k<<<4, 32>>>(o, 5);",
    expected: {
      "o[threadIdx.x]": nowhere("the type real"),
      "p[threadIdx.x * 16]": "exact",
      "o[t]": "exact",
    },
    warned: ["p[threadIdx.x * 16]"],
  },
  "an enumerator": {
    before: "enum { FIRST = SIZE, SECOND, THIRD = 16 };",
    body: "o[t * FIRST] = 1; o[t * SECOND] = 2; o[t * THIRD] = 3;",
    expected: { "o[t * FIRST]": nowhere("SIZE"), "o[t * SECOND]": nowhere("SIZE"), "o[t * THIRD]": "exact" },
    warned: ["o[t * THIRD]"],
  },
  "the bound of a loop": {
    body: "for (int i = 0; i < ROUNDS; i++) o[i * 32 + t] = 1; o[t * 16] = 2;",
    expected: { "o[i * 32 + t]": nowhere("ROUNDS"), "o[t * 16]": "exact" },
    warned: ["o[t * 16]"],
  },
  "the width of a bit-field and an alignment": {
    before: "struct S { unsigned a : WIDTH; float b; }; struct alignas(SIZE) R { float b; };",
    body: "((S *)o)[t].b = 1; ((R *)o)[t].b = 2;",
    expected: {
      "((S *)o)[t].b": "the size of S is not known",
      "((R *)o)[t].b": "the size of R is not known",
    },
  },
  "a default argument": {
    before: "__global__ void f(float *o, int n = config::size) { o[threadIdx.x * n] = 1; }",
    body: "o[t] = 1;",
    main: "f<<<4, 32>>>(o); k<<<4, 32>>>(o, 5);",
    expected: { "o[threadIdx.x * n]": nowhere("config::size"), "o[t]": "exact" },
  },
  "the block": {
    body: "o[t * n] = 1;",
    main: "k<<<4, THREADS>>>(o, 1);",
    expected: { "o[t * n]": "assumed (THREADS is declared nowhere in sight)" },
  },
  "an extent of the block": {
    body: "o[t * n] = 1;",
    main: "dim3 block(THREADS, 2); k<<<4, block>>>(o, 1);",
    expected: { "o[t * n]": "2) assumed (THREADS is declared nowhere in sight)" },
  },
  "the grid, on which nothing hangs": {
    body: "o[t * 16] = 1;",
    main: "k<<<BLOCKS, 32>>>(o, 16);",
    expected: { "o[t * 16]": "exact" },
    warned: ["o[t * 16]"],
  },
};

describe("a name that is declared nowhere", () => {
  it.each(Object.entries(cases))(
    "%s",
    async (_, { before = "", body, main = "k<<<4, 32>>>(o, 5);", expected, warned = [] }) => {
      const text = `${before}\n__global__ void k(float *o, int n) { int t = threadIdx.x; ${body} }\nint main() { float *o; cudaMalloc(&o, 1 << 20); ${main} }\n`;
      const { analysis } = await analyse(text);
      const accesses = analysis.report.launches.flatMap(({ profile }) => profile.accesses);
      const told = Object.fromEntries(
        accesses.map(({ expression, verdict }) => [
          expression,
          verdict.kind === "exact"
            ? "exact"
            : [
                verdict.kind === "unknown" ? verdict.reason : "",
                ...verdict.assumptions.map(assumptionText),
              ].join("; "),
        ]),
      );
      expect(Object.keys(told).sort()).toEqual(Object.keys(expected).sort());
      for (const [expression, words] of Object.entries(expected)) expect(told[expression]).toContain(words);
      const findings = analysis.report.findings.filter(
        ({ severity }) => severity === "warning" || severity === "error",
      );
      expect(findings.map(({ range }) => text.slice(range.start, range.end)).sort()).toEqual(
        [...warned].sort(),
      );
    },
  );

  it("of a type whose size decides how much is accessed leaves that open, in JSON and in words", async () => {
    const { analysis, places } = await analyse(
      "__global__ void k(real *o, float *p) { o[threadIdx.x] = p[threadIdx.x]; }",
    );
    const [launch] = analysis.report.launches;
    expect(launch?.profile.accesses.map(accessKindText).sort()).toEqual([
      "global load, 4 B a lane",
      "global store",
    ]);
    const written = JSON.parse(JSON.stringify(reportsJson([analysis.report], places)));
    const [first] = written.files[0].launches;
    expect(
      Object.fromEntries(
        first.accesses.map(({ operation, bytes }: { operation: string; bytes: unknown }) => [
          operation,
          bytes,
        ]),
      ),
    ).toEqual({ load: 4, store: null });
  });
});
