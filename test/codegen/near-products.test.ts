// Of products of one number with neighbouring constants LLVM may make one of the other, and ptxas then sees no alignment: what was merged at
// such products is in doubt (recorded: fixtures/forms/behind_odd_arrays), and the single loads beside it; arrays that nobody reads in vectors are not.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

/** What the loads of `s` and `q` leave open, by their text. */
async function leftOpen(body: string): Promise<ReadonlyMap<string, string | undefined>> {
  const program = generateCode(
    lowerProgram(
      await readText(`__global__ void k(const float *in, float *out) {
  __shared__ float s[264];
  __shared__ float q[264];
  int t = threadIdx.x;
  s[t * 7] = in[t];
  q[t * 7] = in[t + 32];
  __syncthreads();
  ${body}
}`),
    ),
  );
  const [declaration] = program.kernels;
  const kernel = declaration ? program.instantiateKernel(declaration, []) : null;
  const definition = kernel && program.functionOf(kernel);
  const open = new Map<string, string | undefined>();
  forEachExpressionOf(definition?.body ?? [], (node) => {
    const site = node.kind === "load" ? node.site : null;
    const array = site?.expression.match(/^[sq](?=\[)/)?.[0];
    if (site && array) open.set(array, definition?.siteDoubts?.get(site));
  });
  return open;
}

describe("loads at eight times a number of which seven times is asked too", () => {
  it("are in doubt where they were made vectors", async () => {
    const open = await leftOpen("out[t] = s[8 * t] + s[8 * t + 1] + s[8 * t + 2] + s[8 * t + 3];");
    expect(open.get("s")).toBe("other-alignment");
  });
  it("are not where each stands by itself", async () => {
    expect((await leftOpen("out[t] = s[8 * t];")).get("s")).toBe(undefined);
  });
  it("are not where only another array is read in vectors", async () => {
    const open = await leftOpen("out[t] = q[8 * t] + s[8 * t] + s[8 * t + 1] + s[8 * t + 2] + s[8 * t + 3];");
    expect(open.get("s")).toBe("other-alignment");
    expect(open.get("q")).toBe(undefined);
  });
});
