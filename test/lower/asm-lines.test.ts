// The line that nvcc 13.0 charges the access of an asm statement to, read in its SASS (-lineinfo, sm_90): that of the last token of its last
// operand, closing brackets aside; of a call the name of what is called. Numbers have no line.
import { describe, expect, it } from "vitest";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

/** The lines of accesses by PTX in a kernel of that body, the first of the body being 1. */
async function linesOf(body: string): Promise<readonly number[]> {
  const head =
    "__device__ float twice(float x) { return x * 2; }\n__global__ void k(const float *p, float *q, int i) {\n  float v;\n";
  const text = `${head}${body}\n}\n`;
  const starts = lineStarts(text);
  const program = lowerProgram(await readText(text));
  const [kernel] = program.kernels;
  const id = kernel && program.instantiateKernel(kernel, []);
  const lines: number[] = [];
  forEachExpressionOf((id && program.functionOf(id)?.body) || [], (node) => {
    const site =
      node.kind === "load" || node.kind === "assign" || node.kind === "intrinsic" ? node.site : null;
    if (site && /^(ld|st|cp)\b|^LDG/.test(site.expression))
      lines.push(positionAt(starts, site.range.start).line - head.split("\n").length + 1);
  });
  return lines;
}

const rows: readonly (readonly [what: string, body: string, line: number])[] = [
  ["on one line", 'asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p));', 1],
  ["operands on lines of their own", 'asm volatile("ld.global.f32 %0, [%1];"\n : "=f"(v)\n : "l"(p));', 3],
  [
    "clobbers behind",
    'asm volatile(\n"st.global.f32 [%0], %1;"\n :\n : "l"(q),\n "f"(v)\n : "memory"\n);',
    5,
  ],
  ["an operand of two lines", 'asm volatile("ld.global.f32 %0, [%1];"\n : "=f"(v)\n : "l"(p +\n i)\n);', 4],
  ["brackets that close", 'asm volatile("ld.global.f32 %0, [%1];"\n : "=f"(v)\n : "l"(&p[\n i\n ])\n);', 4],
  ["a call", 'asm volatile("st.global.f32 [%0], %1;"\n :: "l"(q),\n "f"(twice(\n v\n ))\n);', 3],
  [
    "a sum with a call",
    'asm volatile("st.global.f32 [%0], %1;"\n :: "l"(q),\n "f"(v +\n twice(\n v))\n);',
    4,
  ],
  ["a cast", 'asm volatile("st.global.f32 [%0], %1;"\n :: "l"(q),\n "f"(static_cast<float>(\n i)\n )\n);', 4],
  ["a number", 'asm volatile("st.global.b32 [%0], %1;"\n :: "l"(q),\n "n"(\n 5\n ));', 2],
  [
    "several strings",
    'asm volatile("{\\n"\n "ld.global.f32 %0, [%1];\\n"\n "}\\n"\n : "=f"(v)\n : "l"(p));',
    5,
  ],
  [
    "a macro's use",
    '#define LDG(v, p) asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p))\nLDG(v,\n p);',
    2,
  ],
];

describe("an access by PTX is charged to the line of the last operand", () => {
  it.each(rows)("%s", async (_, body, line) => {
    expect(await linesOf(body)).toEqual([line]);
  });
});
