// Where variables of global memory lie: as recorded on an H200, program by program (fixtures/hardware/variables.jsonl).
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { globalFigure } from "../../server/src/hardware/figure.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

interface Recorded {
  readonly declarations: readonly string[];
  /** By variable: its address modulo 65,536. */
  readonly lowAddressBits: Readonly<Record<string, number>>;
}

const programs = readFileSync("fixtures/hardware/variables.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

it.each(programs)(
  "$lowAddressBits: bytes from the tenth on take the sectors that they lie in",
  async ({ declarations, lowAddressBits }) => {
    const names = Object.keys(lowAddressBits).filter((name) =>
      declarations.some((each) => each.includes(`${name}[`)),
    );
    expect(names.length).toBeGreaterThan(0);
    const reads = names.map((name) => `sum += *((const volatile char *)${name} + threadIdx.x + 9);`);
    const unit = await readText(
      `${declarations.join("\n")}\n// warplint: launch(block=32, grid=1)\n__global__ void k(int *out) { int sum = 0; ${reads.join(" ")} out[0] = sum; }\n`,
    );
    const program = lowerProgram(unit, { prelude: await testPrelude() });
    const launch = launchesOf(program).kernels[0]?.launches[0];
    if (!launch) throw new Error("no launch");
    const loads = evaluateLaunch(program, launch).accesses.filter(({ bytes }) => bytes === 1);
    expect(loads.map(({ totals }) => totals?.cost)).toEqual(
      names.map((name) => {
        const first = (lowAddressBits[name] ?? Number.NaN) + 9;
        const laneAddresses = Array.from({ length: 32 }, (_, lane) => first + lane);
        return globalFigure({ operation: "load", bytes: 1, laneAddresses }).cost;
      }),
    );
  },
);
