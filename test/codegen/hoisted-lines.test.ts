// Loads that LLVM moves in front of a loop lose their line there, and count for whatever comes before. Each such line that the GPU's profile
// names is among those that codegen says the load may be charged to.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

interface Row {
  readonly kernel: string;
  readonly sites: readonly { readonly line: number; readonly sass: string }[];
}

const text = readFileSync("fixtures/codegen/loops.cu", "utf8");
const starts = lineStarts(text);
const rows = readFileSync("fixtures/codegen/loops.truth.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

/** The lines of the loads that codegen leaves in a kernel, each with those that it may be charged to. */
async function chargedLines(kernel: string): Promise<ReadonlySet<number>> {
  const program = generateCode(lowerProgram(await readText(text)));
  const declaration = program.kernels.find(({ name }) => name === kernel);
  const id = declaration && program.instantiateKernel(declaration, []);
  const lines = new Set<number>();
  forEachExpressionOf((id && program.functionOf(id)?.body) || [], (node) => {
    if (node.kind !== "load" || !node.site) return;
    for (const range of [node.site.range, ...node.site.merged])
      lines.add(positionAt(starts, range.start).line);
  });
  return lines;
}

describe("the lines of loads that were moved in front of a loop", () => {
  it.each([
    "invariantGlobal",
    "invariantShared",
    "invariantAcrossStoreRestrict",
    "invariantSharedGlobalStore",
  ])("%s", async (kernel) => {
    const sites = rows.find((row) => row.kernel.startsWith(`${kernel}(`))?.sites ?? [];
    const measured = sites.filter(({ sass }) => sass.startsWith("LD")).map(({ line }) => line);
    expect(measured.length).toBeGreaterThan(0);
    const charged = await chargedLines(kernel);
    expect(measured.filter((line) => !charged.has(line))).toEqual([]);
  });
});
