// Small matrices that a thread factorises in an array of its own: LLVM writes out nests whose inner loops are counted by the outer one, and stores nothing of
// what stays as it was loaded. Each size was compiled by nvcc 13.0 for sm_90: n * n loads and n * n - n stores up to 18, a loop of both from 20 on.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf, rootVariableOf } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

interface Accesses {
  loads: number;
  stores: number;
  doubted: number;
}

async function factorised(n: number): Promise<Accesses> {
  const program = generateCode(
    lowerProgram(
      await readText(`__global__ void lu(float *A, int n) {
  float a[${n}][${n}];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < ${n}; i++) for (int j = 0; j < ${n}; j++) a[i][j] = A[(i * ${n} + j) * n + t];
  for (int k = 0; k < ${n}; k++) {
    float inv = 1 / a[k][k];
    for (int i = k + 1; i < ${n}; i++) {
      a[i][k] *= inv;
      for (int j = k + 1; j < ${n}; j++) a[i][j] -= a[i][k] * a[k][j];
    }
  }
  for (int i = 0; i < ${n}; i++) for (int j = 0; j < ${n}; j++) A[(i * ${n} + j) * n + t] = a[i][j];
}`),
    ),
  );
  const [declaration] = program.kernels;
  const kernel = declaration ? program.instantiateKernel(declaration, []) : null;
  const definition = kernel && program.functionOf(kernel);
  const accesses: Accesses = { loads: 0, stores: 0, doubted: 0 };
  forEachExpressionOf(definition?.body ?? [], (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory" || !node.site)
      return;
    if (rootVariableOf(node.place.pointer)?.name !== "A") return;
    accesses[node.kind === "load" ? "loads" : "stores"]++;
    if (definition?.siteDoubts?.get(node.site) === "store-without-effect") accesses.doubted++;
  });
  return accesses;
}

describe("a matrix that is factorised in place", () => {
  it("is written back but for what stayed as it was", async () => {
    for (const n of [2, 4, 8])
      expect(await factorised(n)).toEqual({ loads: n * n, stores: n * n - n, doubted: 0 });
  });

  it("is written back in doubt where it is not known whether all loops are written out", async () => {
    const { stores, doubted } = await factorised(20);
    expect(stores).toBeGreaterThan(0);
    expect(doubted).toBe(stores);
  });
});
