// Accesses in the text against those that are reported: each that is missing is missing for a reason, which is checked. Some programs of the
// fixtures here, and all of them with EVERY_PROGRAM=1.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type GeneratedProgram, generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import type { AccessProfile } from "../../server/src/evaluate/profile.ts";
import { accessesIn } from "../../server/src/evaluate/regions/unreached.ts";
import type { AccessSite } from "../../server/src/ir/expression.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { simulate } from "../../server/src/simulator/simulate.ts";
import { typedStack } from "../../server/src/text/source.ts";
import { programOf } from "../launches/program-of.ts";

const folder = "fixtures/programs";
const everyWhich = process.env.EVERY_PROGRAM ? 1 : 60;
const launchesOfKernel = 2;
const stepLimit = 300_000;

const programs = readdirSync(folder)
  .filter((name) => name.endsWith(".cu"))
  .filter((_, index) => index % everyWhich === 7 % everyWhich);

/** Why an access of the text is not reported. */
type Reason = "compiled away" | "not executed";

describe("every access in the text of a program", () => {
  it.each(programs)("%s", { timeout: 600_000 }, async (name) => {
    const program = await programOf(name, readFileSync(`${folder}/${name}`, "utf8"));
    const generated = generateCode(program);
    const unexplained: string[] = [];
    let reported = 0;
    for (const { launches } of launchesOf(program).kernels)
      for (const launch of launches.slice(0, launchesOfKernel)) {
        const result = countedIn(program, generated, launch);
        reported += result.reported;
        unexplained.push(...result.unexplained);
      }
    expect(reported).toBeGreaterThan(0);
    expect(unexplained).toEqual([]);
  });
});

function countedIn(
  program: Program,
  generated: GeneratedProgram,
  launch: Launch,
): {
  readonly reported: number;
  readonly missing: ReadonlyMap<string, Reason>;
  readonly unexplained: string[];
} {
  const written = program.functionOf(launch.kernel);
  const compiled = generated.functionOf(launch.kernel);
  if (!written || !compiled)
    return { reported: 0, missing: new Map(), unexplained: [`${launch.kernel} is gone`] };
  const options = { stepLimit, sweeps: "all" } as const;
  const shown = placesOf(evaluateLaunch(generated, launch, options).accesses);
  const asWritten = placesOf(evaluateLaunch(program, launch, options).accesses);
  const left = new Set([...accessesIn(generated, compiled).keys()].flatMap(placesOfSite));
  const missing = new Map<string, Reason>();
  const unexplained: string[] = [];
  let executed: ReadonlySet<string> | null = null;
  let reported = 0;
  for (const site of accessesIn(program, written).keys()) {
    const place = placeOf(site);
    if (shown.has(place)) reported++;
    else if (asWritten.has(place)) {
      missing.set(place, "compiled away");
      // What the generated code still has, and every warp comes to as written, may not vanish on the way to the report.
      if (left.has(place) && executedIn(generated, launch).has(place))
        unexplained.push(`${launch.kernel}: ${site.expression} is left by codegen and not reported`);
    } else {
      executed ??= executedIn(program, launch);
      missing.set(place, "not executed");
      if (executed.has(place))
        unexplained.push(`${launch.kernel}: ${site.expression} is executed and not reported`);
    }
  }
  return { reported, missing, unexplained };
}

/** The accesses of shared and global memory that the plain executor makes in the first blocks. */
function executedIn(program: Program, launch: Launch): ReadonlySet<string> {
  const places = new Set<string>();
  const [x, y, z] = launch.grid.map((count) => Math.min(count ?? 2, 2));
  simulate(
    program,
    { ...launch, grid: [x ?? 1, y ?? 1, z ?? 1] },
    {
      maxSteps: 200_000,
      onRequest: ({ stack, space }) => {
        const [first] = stack;
        if (first && (space === "shared" || space === "global")) places.add(`${first.file}:${first.start}`);
      },
    },
  );
  return places;
}

function placesOf(accesses: readonly AccessProfile[]): Set<string> {
  return new Set(
    accesses.flatMap(({ range, mergedRanges, stack }) =>
      [range, ...mergedRanges, ...stack.slice(0, 1)].map(({ file, start }) => `${file}:${start}`),
    ),
  );
}

function placeOf({ range, stack }: AccessSite): string {
  const { file, start } = typedStack([range, ...(stack ?? [])])[0] ?? range;
  return `${file}:${start}`;
}

function placesOfSite(site: AccessSite): string[] {
  return [placeOf(site), ...site.merged.map(({ file, start }) => `${file}:${start}`)];
}
