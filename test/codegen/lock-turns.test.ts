// Where lanes take turns at a lock, no figure of their trips is called exact (recorded: 16,346 sectors of 16,384, the lanes of some trips
// having gone on together); the one lane that every trip chooses is as it is written.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

/** What the store of `sums` in the kernel leaves open. */
async function leftOpen(body: string): Promise<string | undefined> {
  const text = `__global__ void add(float *sums, const float *in, int *locks, int n) {
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  ${body}
}`;
  const program = generateCode(lowerProgram(await readText(text)));
  const [declaration] = program.kernels;
  const kernel = declaration ? program.instantiateKernel(declaration, []) : null;
  const definition = kernel === null ? null : program.functionOf(kernel);
  const stores: (string | undefined)[] = [];
  forEachExpressionOf(definition?.body ?? [], (node) => {
    if (node.kind === "assign" && node.site) stores.push(node.site.uncertain);
  });
  expect(stores).toHaveLength(1);
  return stores[0];
}

const waiting = "lanes-meet-behind-lock";
const locked = `{
      while (atomicCAS(&locks[t % 7], 0, 1) != 0);
      sums[t % 7] += in[t];
      atomicExch(&locks[t % 7], 0);
    }`;

describe("a lock", () => {
  it("that lanes take in a trip of their own", async () => {
    expect(await leftOpen(`for (int lane = 0; lane < 32; lane++) if (t % 32 == lane) ${locked}`)).toBe(
      waiting,
    );
  });
  it("that they take so in a loop within a loop", async () => {
    const inner = `for (int lane = 0; lane < 32; lane++) if (t % 32 == lane) ${locked}`;
    expect(await leftOpen(`for (; t < n; t += 1024) { ${inner} }`)).toBe(waiting);
  });
  it("that the first lane takes in every trip", async () => {
    expect(
      await leftOpen(`for (int i = blockIdx.x; i < n; i += gridDim.x) if (threadIdx.x == 0) ${locked}`),
    ).toBe(undefined);
  });
  it("that is taken once", async () => {
    expect(await leftOpen(`if (threadIdx.x == 0) ${locked}`)).toBe(undefined);
  });
  it("in place of which an atomic only counts", async () => {
    const counting = "{ if (atomicAdd(&locks[0], 1) < 5) sums[t % 7] += in[t]; }";
    expect(await leftOpen(`for (int lane = 0; lane < n; lane++) if (t % 32 == lane) ${counting}`)).toBe(
      undefined,
    );
  });
});
