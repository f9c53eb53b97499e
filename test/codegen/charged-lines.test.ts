// Lines that nvcc charges accesses to beside their own, read in its PTX and SASS (13.0, sm_90). A vector of integers whose words are read as
// floats, or of floats that are read as integers, counts where its first word is read; one that is read as it is, or through a pointer that
// makes it read-only, where it is loaded. A store that ways of a branch end with counts for its neighbours.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

const classes = `struct __align__(16) Pack {
  float v[4];
  Pack() = default;
  __device__ explicit Pack(int4 bits) { memcpy(&v, &bits, sizeof(bits)); }
  __device__ float &operator[](int k) { return v[k]; }
};
struct __align__(16) Halves { __half v[8]; };
__device__ Pack load(const float *p) { return Pack{*reinterpret_cast<const int4 *>(p)}; }
`;

/** The lines, the first of the kernel's body being 1, that its loads or stores are charged to beside their own. */
async function chargedLines(
  body: string,
  parameters: string,
  kind: "load" | "assign",
): Promise<readonly number[]> {
  const head = `${classes}__global__ void k(${parameters}, float *out, int n) {\n`;
  const text = `${head}${body}\n}\n`;
  const starts = lineStarts(text);
  const program = generateCode(lowerProgram(await readText(text)));
  const [kernel] = program.kernels;
  const id = kernel && program.instantiateKernel(kernel, []);
  const lines: number[] = [];
  forEachExpressionOf((id && program.functionOf(id)?.body) || [], (node) => {
    if (node.kind !== kind || node.place.kind !== "memory" || !node.site) return;
    for (const range of node.site.merged)
      lines.push(positionAt(starts, range.start).line - head.split("\n").length + 1);
  });
  return lines;
}

describe("vectors whose words are read as the other kind", () => {
  const floats = "const float *in";
  const rows: readonly (readonly [
    what: string,
    parameters: string,
    body: string,
    lines: readonly number[],
  ])[] = [
    [
      "read as floats",
      "const int4 *in",
      "int4 v = in[threadIdx.x];\nfloat s = 2;\ns *= __int_as_float(v.x);\ns *= __int_as_float(v.y);\nout[threadIdx.x] = s * __int_as_float(v.z) * __int_as_float(v.w);",
      [3],
    ],
    [
      "one read as it is",
      "const int4 *in",
      "int4 v = in[threadIdx.x];\nfloat s = 2;\ns *= __int_as_float(v.x);\ns *= v.y;\nout[threadIdx.x] = s * __int_as_float(v.z) * __int_as_float(v.w);",
      [],
    ],
    [
      "read-only",
      "const int4 *__restrict__ in",
      "int4 v = in[threadIdx.x];\nfloat s = 2;\ns *= __int_as_float(v.x);\nout[threadIdx.x] = s * __int_as_float(v.y) * __int_as_float(v.z) * __int_as_float(v.w);",
      [],
    ],
    [
      "pairs",
      "const int2 *in",
      "int2 v = in[threadIdx.x];\nfloat s = 2;\ns *= __int_as_float(v.x);\nout[threadIdx.x] = s * __int_as_float(v.y);",
      [3],
    ],
    [
      "floats read as integers",
      "const float4 *in",
      "float4 v = in[threadIdx.x];\nint s = 2;\ns ^= __float_as_int(v.x);\ns += __float_as_int(v.y);\ns *= __float_as_int(v.z);\nout[threadIdx.x] = s + __float_as_int(v.w);",
      [3],
    ],
    [
      "an array's words",
      floats,
      "float v[4];\n*(int4 *)v = *(const int4 *)(in + 4 * threadIdx.x);\nfloat s = 0;\nfor (int k = 0; k < 4; k++)\ns += v[k];\nout[threadIdx.x] = s;",
      [5],
    ],
    [
      "an array's words, loaded as what they are",
      floats,
      "float v[4];\n*(float4 *)v = *(const float4 *)(in + 4 * threadIdx.x);\nfloat s = 0;\nfor (int k = 0; k < 4; k++)\ns += v[k];\nout[threadIdx.x] = s;",
      [],
    ],
    [
      "an array's integers, loaded as floats",
      "const int *in",
      "int v[4];\n*(float4 *)v = *(const float4 *)(in + 4 * threadIdx.x);\nint s = 0;\nfor (int k = 0; k < 4; k++)\ns += v[k];\nout[threadIdx.x] = s;",
      [],
    ],
    [
      "an array's bytes, loaded as floats",
      "const signed char *in",
      "signed char v[16];\n*(float4 *)v = *(const float4 *)(in + 16 * threadIdx.x);\nint s = 0;\nfor (int k = 0; k < 16; k++)\ns += v[k];\nout[threadIdx.x] = s;",
      [5],
    ],
    [
      "an array's bytes, loaded as integers",
      "const signed char *in",
      "signed char v[16];\n*(int4 *)v = *(const int4 *)(in + 16 * threadIdx.x);\nint s = 0;\nfor (int k = 0; k < 16; k++)\ns += v[k];\nout[threadIdx.x] = s;",
      [],
    ],
    [
      "a class's words, through its constructor's memcpy",
      floats,
      "Pack v = load(in + 4 * threadIdx.x);\nfloat m = 0;\nfor (int k = 0; k < 4; k++)\nm = fmaxf(m, v[k]);\nfloat s = 0;\nfor (int k = 0; k < 4; k++)\ns += __expf(v[k] - m);\nout[threadIdx.x] = s;",
      [4],
    ],
    [
      "a class's words, each named first",
      floats,
      "Pack v = load(in + 4 * threadIdx.x);\nfloat m = 0, s = 0;\nfor (int k = 0; k < 4; k++) {\nfloat x = v[k];\nm = fmaxf(m, x);\ns += x - m;\n}\nout[threadIdx.x] = s;",
      [4],
    ],
    [
      "halves",
      "const __half *in",
      "Halves h;\n*(int4 *)&h = *(const int4 *)(in + 8 * threadIdx.x);\nfloat s = 0;\nfor (int k = 0; k < 8; k++)\ns += __half2float(h.v[k]);\nout[threadIdx.x] = s;",
      [],
    ],
  ];
  it.each(rows)("%s", async (_what, parameters, body, lines) => {
    expect(await chargedLines(body, parameters, "load")).toEqual(lines);
  });
});

describe("a store that the ways of a branch end with", () => {
  const floats = "const float *in";
  const branch = "float x = in[threadIdx.x];\nif (x > 0)\nout[threadIdx.x] = 0;\nelse\n";
  it.each([
    ["shown at the condition as well", "out[threadIdx.x] = x * 2;", [3, 2]],
    [
      "and at what stands behind",
      "out[threadIdx.x] = __expf(x);\nx *= x;\nout[threadIdx.x + 64] = x;",
      [3, 2, 6],
    ],
  ])("is %s", async (_what, rest, lines) => {
    expect(await chargedLines(branch + rest, floats, "assign")).toEqual(lines);
  });
});

describe("loads that the way to a loop and each trip end with", () => {
  it.each([
    [
      "are shown at the loop",
      "const int *in",
      "int v = in[threadIdx.x];\nint s = 0;\nwhile (v > 0) {\ns += v;\nv = in[v];\n}\nout[threadIdx.x] = s;",
      [3, 3],
    ],
    [
      "stay where they are in front of stores",
      "float *in",
      "float v = *in;\nout[64] = 1;\nwhile (v > 0) {\n__syncthreads();\nv = *in;\nout[threadIdx.x] = v;\n}",
      [],
    ],
  ])("%s", async (_what, parameters, body, lines) => {
    expect(await chargedLines(body, parameters, "load")).toEqual(lines);
  });
});
