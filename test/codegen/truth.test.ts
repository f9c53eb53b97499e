// The accesses that codegen leaves in each kernel of fixtures/codegen and fixtures/seeds, against those that the GPU executed: the same
// lines, operations and widths, nothing missing and nothing more.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf, rootOf } from "../../server/src/codegen/walks/walk.ts";
import type { FunctionDefinition, Program } from "../../server/src/ir/function.ts";
import { sizeOf } from "../../server/src/ir/type.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

interface TruthRow {
  readonly case: string;
  readonly kernel: string;
  readonly sites: readonly {
    readonly line: number;
    readonly file: string;
    readonly sass: string;
    readonly bits: number;
    readonly inst: number;
  }[];
}

/** What codegen knowingly leaves as written (docs/codegen.md), and lines that Nsight Compute charges in its own way. */
const notImitated = new Map(
  Object.entries(
    JSON.parse(readFileSync("fixtures/codegen/not-imitated.json", "utf8")) as Record<string, string>,
  ),
);

function truthOf(path: string): readonly TruthRow[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TruthRow);
}

function measured(row: TruthRow): readonly string[] {
  const found = new Set<string>();
  for (const { line, file, sass, bits } of row.sites) {
    if (file !== row.case) continue;
    const operation = sass.startsWith("ST") ? "store" : sass.startsWith("LD") ? "load" : "atomic";
    found.add(`${line} ${operation} ${widthOf(sass) ?? bits}`);
  }
  return [...found].sort();
}

/** Nsight Compute's access size is wrong below 32 bits; the instruction names its own. */
function widthOf(sass: string): number | null {
  const narrow = /\.[US](8|16)\b/.exec(sass)?.[1];
  return narrow ? Number(narrow) : null;
}

function predicted(definition: FunctionDefinition, starts: readonly number[]): readonly string[] {
  const found = new Set<string>();
  forEachExpressionOf(definition.body, (node) => {
    if (node.kind === "intrinsic" && node.site && node.name.startsWith("atomic"))
      found.add(`${positionAt(starts, node.site.range.start).line} atomic ${(sizeOf(node.type) ?? 0) * 8}`);
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory" || !node.site)
      return;
    const root = rootOf(node.place.pointer)?.place;
    if (
      root?.kind === "variable" &&
      !["shared", "dynamic-shared", "device", "device-constant"].includes(root.variable.storage)
    )
      return;
    const { line } = positionAt(starts, node.site.range.start);
    found.add(`${line} ${node.kind === "load" ? "load" : "store"} ${(sizeOf(node.place.type) ?? 0) * 8}`);
  });
  return [...found].sort();
}

function instantiated(program: Program, row: TruthRow): FunctionDefinition | null {
  const name = row.kernel.replace(/^void /, "").replace(/[<(].*$/, "");
  const listed = /<(.*)>\(/.exec(row.kernel)?.[1];
  const templateArguments = listed ? listed.split(", ").map((one) => one.replace(/^\([a-z ]+\)/, "")) : [];
  const declaration = program.kernels.find((kernel) => kernel.name === name);
  const id = declaration && program.instantiateKernel(declaration, templateArguments);
  return id ? program.functionOf(id) : null;
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
