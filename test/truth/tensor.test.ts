// Tensor-core, inline PTX and copying accesses of fixtures/tensor against what the GPU executed: every unit as the GPU has it, or unknown
// where its figure hangs on what registers happen to hold.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  agreeing,
  measurePrograms,
  outcomeName,
  type ProgramResult,
  programsOf,
} from "../support/programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const programs = join(root, "fixtures/tensor");
/** What differs, and why; one that agrees must leave the list. */
const knownGaps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "skipped_copies.cu": predicated([
    "warpsOne 21",
    "warpsFive 28",
    "elseZero 51",
    "elseCopied 61",
    "nextTile 76",
  ]),
};

/** Each such copy, on both of its sides: the figures say that they are conditional. */
function predicated(copies: readonly string[]): Record<string, string> {
  const sides = copies.flatMap((copy) => ["shared", "global"].map((space) => [copy, space] as const));
  return Object.fromEntries(
    sides.map(([copy, space]) => {
      const [kernel, line] = copy.split(" ");
      const unit = `${kernel} block (128,1,1) grid (1,1,1) line ${line} ${space} async-copy`;
      return [`factor: ${unit}`, "warps that skip the copy execute it with no lane, which counts"];
    }),
  );
}
// A build of its own: test files run side by side.
const folder = mkdtempSync(join(tmpdir(), "warplint-tensor-"));
let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(folder, "dist")], {
    stdio: "inherit",
  });
  const measured = measurePrograms(join(folder, "dist/cli.cjs"), programs);
  results = new Map(measured.map((result) => [result.program, result]));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("tensor-core and PTX accesses against the GPU", () => {
  it.each(programsOf(programs))("%s", (program) => {
    const outcomes = results.get(program)?.outcomes ?? [];
    expect(outcomes.length).toBeGreaterThan(5);
    const isMasked = program === "masked.cu";
    const differing = outcomes.filter(({ kind }) => !agreeing.has(kind) && !(isMasked && kind === "unknown"));
    expect(differing.map((outcome) => `${outcome.kind}: ${outcomeName(outcome)}`)).toEqual(
      Object.keys(knownGaps[program] ?? {}),
    );
  });
});
