// The accesses that codegen leaves in each kernel of fixtures/codegen and fixtures/seeds, against those that the GPU executed: the same
// lines, operations and widths, nothing missing and nothing more.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts } from "../../server/src/text/source.ts";
import { type CompiledKernel, instantiated, measured, predicted } from "../support/accesses.ts";
import { readText } from "../support/parser.ts";

/** What codegen knowingly leaves as written (docs/codegen.md), and lines that Nsight Compute charges in its own way. */
const notImitated = new Map(
  Object.entries(
    JSON.parse(readFileSync("fixtures/codegen/not-imitated.json", "utf8")) as Record<string, string>,
  ),
);

function truthOf(path: string): readonly CompiledKernel[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CompiledKernel);
}

const fixtures = [
  ...readdirSync("fixtures/codegen")
    .filter((name) => name.endsWith(".cu"))
    .map((name) => ({
      path: `fixtures/codegen/${name}`,
      truth: truthOf(`fixtures/codegen/${basename(name, ".cu")}.truth.jsonl`),
    })),
  ...readdirSync("fixtures/seeds")
    .filter((name) => name.endsWith(".cu"))
    .map((name) => ({
      path: `fixtures/seeds/${name}`,
      truth: truthOf("fixtures/seeds/truth.jsonl").filter((row) => row.case === name),
    })),
];

describe.each(fixtures)("$path", ({ path, truth }) => {
  const text = readFileSync(path, "utf8");
  const starts = lineStarts(text);
  it.each(truth.map((row) => [row.kernel, row] as const))("%s", async (_, row) => {
    const program = generateCode(lowerProgram(await readText(text)));
    const definition = instantiated(program, row);
    expect(definition).not.toBeNull();
    if (!definition) return;
    const note = notImitated.get(
      `${basename(path, ".cu")}/${row.kernel.replace(/^void /, "").replace(/\(.*$/, "")}`,
    );
    if (note === undefined) expect(predicted(definition, starts)).toEqual(measured(row));
    else expect(predicted(definition, starts), `imitated by now: ${note}`).not.toEqual(measured(row));
  });
});
