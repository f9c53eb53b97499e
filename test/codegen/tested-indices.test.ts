// Behind a branch that compares `at + 1`, LLVM makes the address of p[at] of the one of p[at + 1] where that is accessed first, and ptxas no longer sees
// that the two lie in 8 aligned bytes. Each case was compiled by nvcc 13.0 for sm_90; npm run sass compares them again.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { sizeOf } from "../../server/src/ir/type.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

/** The bits of the loads of `p` in the statements, and whether they are in doubt. */
async function loadsOf(body: string, type = "int"): Promise<string> {
  const program = generateCode(
    lowerProgram(
      await readText(`__global__ void k(const float *x, ${type} n, float *o) {
  __shared__ float p[512];
  __shared__ double d[64];
  p[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  const ${type} t = threadIdx.x;
  const ${type} at = 2 * t;
  ${body}
}`),
    ),
  );
  const [declaration] = program.kernels;
  const kernel = declaration ? program.instantiateKernel(declaration, []) : null;
  const definition = kernel && program.functionOf(kernel);
  const loads: string[] = [];
  forEachExpressionOf(definition?.body ?? [], (node) => {
    if (node.kind !== "load" || node.place.kind !== "memory" || !node.site?.expression.startsWith("p["))
      return;
    const bits = 8 * (sizeOf(node.type) ?? 0);
    loads.push(node.site.uncertain === "other-alignment" ? `${bits}?` : `${bits}`);
  });
  return loads.join(" ");
}

describe("neighbours behind a branch that compares the index of the second", () => {
  it.each([
    ["if (at + 1 < n) p[at] += p[at + 1];"],
    ["if (at + 1 >= n) return; p[at] += p[at + 1];"],
    ["const auto right = at + 1; if (right < n) p[at] += p[right];"],
    ["if (t < 77 && at + 1 < n) o[t] = p[at + 1] - p[at];"],
    ["if (at + 1 < n) { if (x[t] < 1) o[t] = p[at + 1] - p[at]; }"],
    ["o[t] = at + 1 < n ? p[at + 1] - p[at] : 0;"],
    ["if (at + 1 < n) o[t] = x[at + 1] * p[at + 1] - x[at] * p[at];"],
  ])("are loaded one by one where that is accessed first: %s", async (body) => {
    expect(await loadsOf(body)).toBe("32 32");
    expect(await loadsOf(body, "unsigned")).toBe("32 32");
  });

  it.each([
    ["if (at + 1 < n) p[at + 1] += p[at];"],
    ["if (at < n && at + 1 < n) p[at] += p[at + 1];"],
    ["if (at + 1 < n) o[at] = p[at + 1] - p[at];"],
    ["if (at + 1 < n) o[t] = x[at] + p[at + 1] - p[at];"],
    ["if (n - 1 > at) o[t] = p[at + 1] - p[at];"],
    ["for (int k = 0; k < n; k++) { __syncthreads(); if (at + 1 < n) p[at] += p[at + 1]; }"],
  ])("are one load where LLVM has the first in a register: %s", async (body) => {
    expect(await loadsOf(body)).toBe("64");
    expect(await loadsOf(body, "unsigned")).toBe("64");
  });

  it("are one load of signed numbers where LLVM compares without the constant", async () => {
    expect(await loadsOf("if (at + 1 < 256) p[at] += p[at + 1];")).toBe("64");
    expect(await loadsOf("if (at + 1 < 256) p[at] += p[at + 1];", "unsigned")).toBe("32 32");
    expect(await loadsOf("if (at + 1 <= n) p[at] += p[at + 1];")).toBe("64");
    expect(await loadsOf("if (at + 1 <= n) p[at] += p[at + 1];", "unsigned")).toBe("32 32");
  });

  it("show what divides the sum", async () => {
    expect(await loadsOf("if (4 * at + 2 < n) o[t] = p[4 * at + 2] - p[4 * at + 3];")).toBe("64");
    expect(await loadsOf("if (4 * at + 3 < n) o[t] = p[4 * at + 3] - p[4 * at + 2];")).toBe("32 32");
  });

  it("are in doubt where the bytes of the first are a number of their own", async () => {
    const body = "d[t] = x[t]; __syncthreads(); if (at + 1 < n) o[t] = p[at + 1] - p[at] + float(d[0]);";
    expect(await loadsOf(body, "unsigned")).toBe("32? 32?");
  });
});
