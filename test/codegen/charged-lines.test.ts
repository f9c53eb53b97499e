// Lines that nvcc charges accesses to beside their own, read in its PTX and SASS (13.0, sm_90): a store that ways of a branch end with counts for
// its neighbours.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

/** The lines, the first of the kernel's body being 1, that its stores are charged to beside their own. */
async function chargedLines(body: string): Promise<readonly number[]> {
  const head = "__global__ void k(const float *in, float *out, int n) {\n";
  const text = `${head}${body}\n}\n`;
  const starts = lineStarts(text);
  const program = generateCode(lowerProgram(await readText(text)));
  const [kernel] = program.kernels;
  const id = kernel && program.instantiateKernel(kernel, []);
  const lines: number[] = [];
  forEachExpressionOf((id && program.functionOf(id)?.body) || [], (node) => {
    if (node.kind !== "assign" || node.place.kind !== "memory" || !node.site) return;
    for (const range of node.site.merged)
      lines.push(positionAt(starts, range.start).line - head.split("\n").length + 1);
  });
  return lines;
}

describe("a store that the ways of a branch end with", () => {
  const branch = "float x = in[threadIdx.x];\nif (x > 0)\nout[threadIdx.x] = 0;\nelse\n";
  it.each([
    ["shown at the condition as well", "out[threadIdx.x] = x * 2;", [3, 2]],
    [
      "and at what stands behind",
      "out[threadIdx.x] = __expf(x);\nx *= x;\nout[threadIdx.x + 64] = x;",
      [3, 2, 6],
    ],
  ])("is %s", async (_what, rest, lines) => {
    expect(await chargedLines(branch + rest)).toEqual(lines);
  });
});
