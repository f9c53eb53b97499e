// What codegen leaves open of loads that successive trips have in common, against what the GPU executed: fixtures/codegen/across_trips.cu runs
// each loop for 40 trips of one warp, so that a load which every trip makes is executed 40 times.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import type { Expression } from "../../server/src/ir/expression.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

const trips = 40;
const text = readFileSync("fixtures/codegen/across_trips.cu", "utf8");
const starts = lineStarts(text);
const rows = readFileSync("fixtures/codegen/across_trips.truth.jsonl", "utf8")
  .trim()
  .split("\n")
  .map(
    (line) => JSON.parse(line) as { kernel: string; sites: { line: number; sass: string; inst: number }[] },
  );

/** The loads of a kernel that codegen leaves: in how many lines, how many a trip, and what is said of any of them. */
async function loadsOf(kernel: string): Promise<{ lines: Set<number>; count: number; notes: Set<string> }> {
  const program = generateCode(lowerProgram(await readText(text)));
  const declaration = program.kernels.find(({ name }) => name === kernel);
  const id = declaration ? program.instantiateKernel(declaration, []) : null;
  const lines = new Set<number>();
  const notes = new Set<string>();
  let count = 0;
  forEachExpressionOf((id && program.functionOf(id)?.body) ?? [], (node: Expression) => {
    if (node.kind !== "load" || node.place.kind !== "memory" || !node.site) return;
    lines.add(positionAt(starts, node.site.range.start).line);
    count++;
    if (node.site.uncertain !== undefined) notes.add(node.site.uncertain);
  });
  return { lines, count, notes };
}

describe("loads that successive trips have in common", () => {
  it.each([
    ["runningSum", "kept"],
    ["recurrence", "kept"],
    ["column", "kept"],
    ["storedUnderCondition", "kept"],
    ["points", "merged"],
    ["storedElsewhere", "as written"],
    ["underCondition", "as written"],
    ["acrossBarrier", "as written"],
  ] as const)("%s: %s", async (kernel, what) => {
    const { lines, count, notes } = await loadsOf(kernel);
    const row = rows.find((each) => each.kernel.startsWith(`${kernel}(`));
    const executed = (row?.sites ?? [])
      .filter(({ line, sass }) => sass.startsWith("LD") && lines.has(line))
      .reduce((sum, { inst }) => sum + inst, 0);
    if (what === "as written") {
      expect(executed).toBe(count * trips);
      expect([...notes]).toEqual([]);
    } else {
      expect(executed).toBeLessThan(count * trips);
      expect([...notes]).toEqual([what === "kept" ? "keeps-in-register" : "loads-vectors"]);
    }
  });
});
