// MIR of real kernels: built of what codegen makes of the fixtures it is well-formed, raised it is the very statements, and its text says all of it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { surveyOf } from "../../server/src/codegen/walks/survey.ts";
import type { FunctionDefinition } from "../../server/src/ir/function.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { buildMir } from "../../server/src/mir/build.ts";
import { raise } from "../../server/src/mir/raise.ts";
import { parseMir } from "../../server/src/mir/text/parse.ts";
import { printMir } from "../../server/src/mir/text/print.ts";
import { faultsIn } from "../../server/src/mir/verify.ts";
import { eliminateDead } from "../../server/src/passes/adce/adce.ts";
import { readText } from "../support/parser.ts";

/** Of so many programs one is taken: the others were tried once. */
const everyOf: Readonly<Record<string, number>> = { codegen: 1, forms: 2, tensor: 1, seeds: 1, programs: 10 };

describe.each(Object.entries(everyOf))("fixtures/%s", (folder, every) => {
  const names = readdirSync(join("fixtures", folder))
    .filter((name) => name.endsWith(".cu"))
    .filter((_, at) => at % every === 0);
  it.each(names)("%s", async (name) => {
    const definitions = await generated(readFileSync(join("fixtures", folder, name), "utf8"));
    expect(definitions.length).toBeGreaterThan(0);
    for (const { body, id } of definitions) {
      const mir = buildMir(body, surveyOf(body).escaped);
      expect(faultsIn(mir), id).toEqual([]);
      expect(raise(mir), id).toBe(body);
      const text = printMir(mir);
      const again = parseMir(text);
      expect(printMir(again), id).toBe(text);
      eliminateDead(mir, new Set());
      expect(faultsIn(mir), id).toEqual([]);
      eliminateDead(again, new Set());
      expect(printMir(again), id).toBe(printMir(mir));
    }
  });
});

async function generated(text: string): Promise<readonly FunctionDefinition[]> {
  const program = lowerProgram(await readText(text));
  const launched = launchesOf(program).kernels.flatMap(({ launches }) =>
    launches.map(({ kernel }) => kernel),
  );
  const unlaunched = program.kernels.flatMap((kernel) => program.instantiateKernel(kernel, []) ?? []);
  const { functionOf } = generateCode(program);
  return [...new Set([...launched, ...unlaunched])].flatMap((id) => functionOf(id) ?? []);
}
