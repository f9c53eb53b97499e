// Functions that return out of loops stay calls here, where nvcc puts them in the place of the call: what it then loads and stores once, or not at all, is not
// known (seen in SASS of nvcc 13.0).
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import type { FunctionDefinition } from "../../server/src/ir/function.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

/** What is in doubt of each load of the function `taps` of that body, where it stays a call. */
async function doubtsOf(body: string): Promise<readonly (string | undefined)[]> {
  const unit = await readText(`__host__ __device__ float taps(const float *s, int t, int r) { ${body} }
__global__ void conv(const float *in, float *out) { out[threadIdx.x] = taps(in, threadIdx.x, 5); }`);
  const program = generateCode(lowerProgram(unit));
  const [declaration] = program.kernels;
  const kernel = declaration ? program.instantiateKernel(declaration, []) : null;
  const callees: FunctionDefinition[] = [];
  forEachExpressionOf((kernel && program.functionOf(kernel)?.body) ?? [], (node) => {
    const callee = node.kind === "call" ? program.functionOf(node.callee) : null;
    if (callee) callees.push(callee);
  });
  return callees.flatMap((callee) => {
    const doubts: (string | undefined)[] = [];
    forEachExpressionOf(callee.body, (node) => {
      if (node.kind === "load" && node.place.kind === "memory" && node.site)
        doubts.push(callee.siteDoubts?.get(node.site));
    });
    return doubts;
  });
}

describe("a function that returns out of a loop", () => {
  it("leaves open how often it loads", async () => {
    const doubts = await doubtsOf(
      "float a = 0; for (int k = 0; k < 8; k++) { if (k > r) return a + s[t]; a += s[t + k]; } return a;",
    );
    expect(doubts.length).toBeGreaterThan(0);
    expect(doubts.every((doubt) => doubt === "inlines-returns")).toBe(true);
  });

  it("stands in the place of its call where it returns behind branches alone", async () => {
    expect(await doubtsOf("if (t > r) return s[t]; return s[t + 1];")).toEqual([]);
  });
});
