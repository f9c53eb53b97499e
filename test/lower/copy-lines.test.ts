// The lines that copies of structs and vectors are charged to, against those that Nsight Compute showed (fixtures/lines): a line that the
// GPU's record names is one that the access spans or says it is charged to.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import type { AccessSite } from "../../server/src/ir/expression.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

interface TruthRow {
  readonly kernel: string;
  readonly sites: readonly { readonly line: number; readonly sass: string }[];
}

const text = readFileSync("fixtures/lines/copies.cu", "utf8");
const rows = readFileSync("fixtures/lines/copies.truth.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as TruthRow);
const starts = lineStarts(text);
const lineAt = (offset: number): number => positionAt(starts, offset).line;

/** The lines that a site spans, and those that it may be charged to. */
function linesOf({ range, merged }: AccessSite): readonly number[] {
  const first = lineAt(range.start);
  const span = Array.from({ length: lineAt(range.end) - first + 1 }, (_, index) => first + index);
  return [...span, ...merged.map((other) => lineAt(other.start))];
}

describe("copies charged as the GPU's record has them", () => {
  it.each(rows.map((row) => [row.kernel, row] as const))("%s", async (kernel, { sites }) => {
    const program = generateCode(lowerProgram(await readText(text)));
    const declaration = program.kernels.find(({ name }) => name === kernel.replace(/\(.*$/, ""));
    const id = declaration && program.instantiateKernel(declaration, []);
    const body = (id && program.functionOf(id))?.body ?? [];
    const found = { load: [] as AccessSite[], store: [] as AccessSite[] };
    forEachExpressionOf(body, (node) => {
      if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory" || !node.site)
        return;
      found[node.kind === "load" ? "load" : "store"].push(node.site);
    });
    for (const operation of ["load", "store"] as const) {
      const measured = sites.filter(({ sass }) => sass.startsWith(operation === "load" ? "LD" : "ST"));
      const charged = found[operation].flatMap(linesOf);
      expect(charged).toEqual(expect.arrayContaining(measured.map(({ line }) => line)));
      const lines = new Set(measured.map(({ line }) => line));
      for (const site of found[operation]) expect(linesOf(site).some((line) => lines.has(line))).toBe(true);
    }
  });
});
