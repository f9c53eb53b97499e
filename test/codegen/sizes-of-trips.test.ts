// How large LLVM takes a trip for, seen by how many of its loads are written out: all trips where they fit, else the largest power of two that does. Each loop
// was compiled by nvcc 13.0 for sm_90; the numbers are the loads of `c` in its PTX, and for the last the 128-bit loads that a GPU executed (newlines, 64 bytes).
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf, rootVariableOf } from "../../server/src/codegen/walks/walk.ts";
import { sizeOf } from "../../server/src/ir/type.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

/** The bytes of each load of `c`. */
async function loadsOf(array: string, loop: string): Promise<number[]> {
  const program = generateCode(
    lowerProgram(
      await readText(`__global__ void k(int *o) {
  __shared__ ${array};
  for (int i = threadIdx.x; i < 1024; i += 32) (&c[0][0])[i] = o[i];
  __syncthreads();
  int m = o[77], f = o[78];
  ${loop}
  o[threadIdx.x] = m + f;
}`),
    ),
  );
  const [declaration] = program.kernels;
  const kernel = declaration ? program.instantiateKernel(declaration, []) : null;
  const loads: number[] = [];
  forEachExpressionOf((kernel && program.functionOf(kernel)?.body) ?? [], (node) => {
    if (node.kind !== "load" || node.place.kind !== "memory") return;
    if (rootVariableOf(node.place.pointer)?.name === "c") loads.push(sizeOf(node.type) ?? 0);
  });
  return loads;
}

async function copiesOf(statement: string, trips: number): Promise<number> {
  const loop = `for (int t = 0; t < ${trips}; t++) { int v = c[threadIdx.x][t]; ${statement} }`;
  return (await loadsOf(`int c[32][${trips + 1}]`, loop)).length;
}

describe("trips that are written out", () => {
  it("have two operations for a greatest or least integer, three for its absolute value", async () => {
    expect(await copiesOf("m = max(m, v);", 112)).toBe(112);
    expect(await copiesOf("m = min(m, v);", 128)).toBe(32);
    expect(await copiesOf("f += abs(v);", 64)).toBe(64);
    expect(await copiesOf("f += abs(v);", 80)).toBe(16);
  });

  it("have no jump where a branch only sets variables", async () => {
    expect(await copiesOf("if (v > m) m = v;", 112)).toBe(112);
    expect(await copiesOf("if (v > m) m = v;", 128)).toBe(32);
    expect(await copiesOf("if (v > m) m = v + 1;", 96)).toBe(96);
    expect(await copiesOf("if (v > m) m = v; else f += 1;", 80)).toBe(16);
  });

  it("have no loop where an inner one accesses no memory", async () => {
    const loop = `for (int w = 0; w < 16; w++) {
      unsigned int v = c[threadIdx.x][w];
      for (int b = 0; b < 4; b++) f += ((v >> (8 * b)) & 255) == '\\n';
    }`;
    expect(await loadsOf("unsigned int c[32][16]", loop)).toEqual([16, 16, 16, 16]);
  });
});
