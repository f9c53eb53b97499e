import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";
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
  "skipped_otherwise.cu": {
    ...predicated([
      "continuedUnrolled 26",
      "continuedRolled 34",
      "switchedOne 88",
      "chosen 107",
      "shortCircuit 112",
      "returned 122",
      "predicated 136",
      "zeroLater 176",
    ]),
    ...onBothSides(
      "extra",
      ["continued 17", "continuedWithOther 44"],
      "Nsight Compute leaves out a copy that is predicated in a rolled loop",
    ),
    ...onBothSides(
      "missing",
      ["everyWarpSkips 149"],
      "no warp takes the branch, which is no access to warplint",
    ),
    ...onBothSides(
      "unknown",
      ["loadedCondition 117", "fourLanes 183"],
      "data, or registers of lanes left out, decide",
    ),
  },
};

/** Each such copy: the figures say that they are conditional. */
function predicated(copies: readonly string[]): Record<string, string> {
  return onBothSides("factor", copies, "warps that skip the copy execute it with no lane, which counts");
}

/** The misses of copies, each on both of its sides. */
function onBothSides(kind: string, copies: readonly string[], reason: string): Record<string, string> {
  const sides = copies.flatMap((copy) => ["shared", "global"].map((space) => [copy, space] as const));
  return Object.fromEntries(
    sides.map(([copy, space]) => {
      const [kernel, line] = copy.split(" ");
      const unit = `${kernel} block (128,1,1) grid (1,1,1) line ${line} ${space} async-copy`;
      return [`${kind}: ${unit}`, reason];
    }),
  );
}
let results: ReadonlyMap<string, ProgramResult> = new Map();

beforeAll(() => {
  const measured = measurePrograms(builtCli(), programs);
  results = new Map(measured.map((result) => [result.program, result]));
}, 120_000);

describe("tensor-core and PTX accesses against the GPU", () => {
  it.each(programsOf(programs))("%s", (program) => {
    const outcomes = results.get(program)?.outcomes ?? [];
    expect(outcomes.length).toBeGreaterThan(5);
    const isMasked = program === "masked.cu";
    const differing = outcomes.filter(({ kind }) => !agreeing.has(kind) && !(isMasked && kind === "unknown"));
    expect(differing.map((outcome) => `${outcome.kind}: ${outcomeName(outcome)}`).sort()).toEqual(
      Object.keys(knownGaps[program] ?? {}).sort(),
    );
  });
});
