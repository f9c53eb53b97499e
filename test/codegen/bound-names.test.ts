// Names of structured bindings in kernels access as the parts of the object do, read in nvcc 13.0's SASS (sm_90): the parts of a vector that are all
// read are one load, whether they are bound by value or by reference; of a struct of words each is its own.
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { sizeOf } from "../../server/src/ir/type.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { readText } from "../support/parser.ts";

/** The bytes of each load from memory in a kernel of that body. */
async function loadsOf(parameters: string, body: string): Promise<readonly (number | null)[]> {
  const text = `struct Two { int a, b; };\n__global__ void k(${parameters}, float* o) { int i = threadIdx.x; ${body} }\n`;
  const program = generateCode(lowerProgram(await readText(text)));
  const [kernel] = program.kernels;
  const id = kernel && program.instantiateKernel(kernel, []);
  const loads: (number | null)[] = [];
  forEachExpressionOf((id && program.functionOf(id)?.body) || [], (node) => {
    if (node.kind === "load" && node.site !== null) loads.push(sizeOf(node.type));
  });
  return loads;
}

const rows: readonly (readonly [parameters: string, body: string, bytes: readonly number[]])[] = [
  ["const float4* v", "const auto& [x, y, z, w] = v[i]; o[i] = x + y + z + w;", [16]],
  ["const float4* v", "auto [x, y, z, w] = v[i]; o[i] = x + y + z + w;", [16]],
  [
    "const float4* __restrict__ v",
    "auto&& [x, y, z, w] = v[i]; o[i] = x; o[i + 32] = y; o[i + 64] = z + w;",
    [16],
  ],
  ["const float4* v", "const auto& [x, y, z, w] = v[i]; o[i] = x + z;", [4, 4]],
  ["const int2* v", "const auto& [x, y] = v[i]; o[i] = x * y;", [8]],
  ["const Two* v", "const auto& [a, b] = v[i]; o[i] = a * b;", [4, 4]],
  ["const int (*v)[2]", "const auto& [a, b] = v[i]; o[i] = a * b;", [4, 4]],
  ["const float4* v", "const float4& all = v[i]; auto& [x, y, z, w] = all; o[i] = x + y + z + w;", [16]],
];

describe("names of a structured binding", () => {
  it.each(rows)("%s: %s", async (parameters, body, bytes) => {
    expect(await loadsOf(parameters, body)).toEqual(bytes);
  });
});
