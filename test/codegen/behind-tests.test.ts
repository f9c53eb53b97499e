// What the test of a loop has loaded, in its trips and behind it, as nvcc 13.0 makes it of these kernels (read in their SASS: `npm run sass`).
import { describe, expect, it } from "vitest";
import { analyse } from "../ide/analyse.ts";

const kernel = (body: string) => `
__global__ void k(const int *a, const int *b, int *out, int key) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = out[i];
  __syncthreads();
  ${body}
}
int main() { int *a; cudaMalloc(&a, 4096); k<<<1, 64>>>(a, a, a, 9); }`;

/** The loads of the body: line and expression. */
async function loadsOf(body: string): Promise<string[]> {
  const text = kernel(body);
  const { analysis } = await analyse(text);
  const bodyStart = text.indexOf(body);
  return analysis.groups
    .flatMap(({ contexts }) => contexts.map(({ access }) => access))
    .filter(({ operation, range }) => operation === "load" && range.start >= bodyStart)
    .map(({ expression, range }) => `${text.slice(bodyStart, range.start).split("\n").length} ${expression}`);
}

describe("what a loop's test has loaded", () => {
  it.each([
    ["of shared memory", "while (s[i] < key)\ni++;\nout[0] = s[i];", ["1 s[i]"]],
    ["of global memory", "while (a[i] < key)\ni += 32;\nout[0] = a[i];", ["1 a[i]"]],
    ["first, of two", "while (a[i] < key && b[i] > key)\ni += 32;\nout[0] = a[i];", ["1 a[i]", "1 b[i]"]],
    [
      "in front of barriers of the trip",
      "while (s[0] < key) {\n__syncthreads();\ns[i] = i;\n__syncthreads(); }\nout[0] = s[0];",
      ["1 s[0]"],
    ],
  ])("%s, is in a register behind it", async (_what, body, loads) => {
    expect(await loadsOf(body)).toEqual(loads);
  });

  it.each([
    ["behind a barrier", "while (s[i] < key)\ni++;\n__syncthreads();\nout[0] = s[i];", ["1 s[i]", "4 s[i]"]],
    [
      "second, of two",
      "while (a[i] < key && b[i] > key)\ni += 32;\nout[0] = b[i];",
      ["1 a[i]", "1 b[i]", "3 b[i]"],
    ],
    [
      "behind a test of registers",
      "while (i < 64 && a[i] < key)\ni += 32;\nout[0] = a[i];",
      ["1 a[i]", "3 a[i]"],
    ],
  ])("%s, is loaded again", async (_what, body, loads) => {
    expect(await loadsOf(body)).toEqual(loads);
  });

  it.each([
    [
      "of a loop with `continue`",
      "while (a[i] < key) {\nint v = a[i];\ni += 32;\nif (v & 1) continue;\nout[i] = v; }",
    ],
    [
      "of one with a step as well",
      "for (; a[i] < key; i += 32) {\nint v = a[i];\nif (v & 1) continue;\nout[i] = v; }",
    ],
  ])("%s, is in a register in its trip", async (_what, body) => {
    expect(await loadsOf(body)).toEqual(["1 a[i]"]);
  });
});
