// `warplint measured`: what a GPU was recorded to do, printed as Nsight Compute's pages print it, beside what is predicted.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readCsv } from "../../server/src/measured/csv.ts";
import { kernelOf } from "../../server/src/measured/report.ts";
import { runIn } from "../support/terminal.ts";
import type { TruthRow } from "../support/truth.ts";
import { rawPage, reportOf, sourcePage } from "./reports.ts";

const programs = fileURLToPath(new URL("../../fixtures/programs/", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "warplint-measured-")));
afterAll(() => rmSync(folder, { recursive: true }));

function rowsOf(program: string): TruthRow[] {
  return readFileSync(join(programs, `${program}.truth.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TruthRow);
}

/** Programs of one file that are predicted as they were recorded, and whose kernels are launched with one shape each. */
const gaps = JSON.parse(readFileSync(join(programs, "known-gaps.json"), "utf8")) as Record<string, unknown>;
const chosen = readdirSync(programs)
  .filter((name) => name.endsWith(".truth.jsonl"))
  .map((name) => name.replace(".truth.jsonl", ""))
  .filter((name) => gaps[name] === undefined && gaps[`${name}.cu`] === undefined)
  .filter((_, index) => index % 8 === 0);

interface Row {
  readonly places: readonly { readonly file: string; readonly lines: readonly number[] }[];
  readonly unit: string;
  readonly measured: { readonly cost: number; readonly ideal: number };
  readonly predicted: { readonly cost: number; readonly ideal: number } | null;
  readonly reason: string | null;
}

interface Printed {
  readonly launches: readonly {
    readonly kernel: string;
    readonly reason: string | null;
    readonly rows: readonly Row[];
  }[];
}

async function measure(program: string, page: string): Promise<Printed> {
  const place = join(folder, program);
  mkdirSync(place, { recursive: true });
  cpSync(join(programs, `${program}.cu`), join(place, `${program}.cu`));
  writeFileSync(join(place, "report.csv"), page);
  const { out, errors } = await runIn(place, ["measured", "report.csv", "--format", "json"]);
  expect(errors).toBe("");
  return JSON.parse(out) as Printed;
}

describe("recorded programs", () => {
  it(`${chosen.length} are read from their source page, and every figure that is predicted is the one measured`, async () => {
    expect(chosen.length).toBeGreaterThanOrEqual(40);
    let agreeing = 0;
    const wrong: string[] = [];
    for (const program of chosen) {
      const { launches } = await measure(program, sourcePage(rowsOf(program), "/build/machine"));
      for (const { kernel, rows } of launches)
        for (const { places, unit, measured, predicted, reason } of rows) {
          if (predicted === null) continue;
          if (measured.cost === predicted.cost && measured.ideal === predicted.ideal) agreeing++;
          else
            wrong.push(
              `${program} ${kernel}:${JSON.stringify(places)} ${unit} ${JSON.stringify([measured, predicted])} ${reason}`,
            );
        }
    }
    expect(wrong).toEqual([]);
    expect(agreeing).toBeGreaterThan(200);
  }, 300_000);
});

describe("one program", () => {
  const source = `__global__ void k(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
`;
  const row = (sites: TruthRow["sites"]): TruthRow => ({
    case: "a.cu",
    kernel: "k(float *, const float *)",
    block: [32, 32, 1],
    grid: [2, 1, 1],
    launches: 1,
    sites,
  });
  const site = { file: "a.cu", inst: 64, threads: 2048 };
  const sites = [
    { ...site, line: 3, sass: "LDG", sectors: 256, ideal_sectors: 256 },
    { ...site, line: 3, sass: "STS", wavefronts: 64, ideal_wavefronts: 64 },
    { ...site, line: 5, sass: "LDS", wavefronts: 2048, ideal_wavefronts: 64 },
    { ...site, line: 5, sass: "STG", sectors: 256, ideal_sectors: 256 },
  ];

  async function run(page: string, text = source) {
    writeFileSync(join(folder, "a.cu"), text);
    writeFileSync(join(folder, "report.csv"), page);
    return runIn(folder, ["measured", "report.csv", "a.cu"]);
  }

  it("a kernel that nobody launches takes block and grid from the report", async () => {
    const { code, out } = await run(rawPage([row(sites)]));
    expect(out.split("\n").map((line) => line.trim().replace(/ +/g, " "))).toEqual([
      "k(float *, const float *): block (32,32), grid (2)",
      "line measured ideal predicted ideal difference",
      "whole launch wavefronts 2,112 128 2,112 128 0",
      "whole launch sectors 512 512 512 512 0",
      "2 of 2 figures as predicted",
      "",
    ]);
    expect(code).toBe(0);
  });

  it("says by how much a line differs, and the likely reason", async () => {
    const launched = `${source}void run(float *out, float *in) { k<<<2, dim3(32, 32)>>>(out, in); }\n`;
    const more = sites.map((each) =>
      each.sass === "LDS" ? { ...each, wavefronts: 4096, ideal_wavefronts: 128 } : each,
    );
    const { code, out } = await run(sourcePage([row(more)], "/elsewhere"), launched);
    expect(code).toBe(1);
    expect(out).toMatch(
      /a\.cu:5 +wavefronts +4,096 +128 +2,048 +64 +\+2,048\n +Each request costs what is predicted/,
    );
    expect(out).toContain("3 of 4 figures as predicted, 1 differ");
  });

  it("a launch of another shape than the source's is told", async () => {
    const launched = `${source}void run(float *out, float *in) { k<<<7, dim3(32, 32)>>>(out, in); }\n`;
    const { out } = await run(rawPage([row(sites)]), launched);
    expect(out).toContain(
      "not predicted: no launch with block (32,32,1), grid (2,1,1) was found; found: block (32,32,1), grid (7,1,1)",
    );
  });

  it("data that decide are the reason of what is not predicted", async () => {
    const gather = "__global__ void k(float *out, const int *at) {\n  out[at[threadIdx.x]] = 1;\n}\n";
    const { out } = await run(
      rawPage([row([{ ...site, line: 2, sass: "STG", sectors: 700, ideal_sectors: 64 }])]),
      gather,
    );
    expect(out).toMatch(/sectors +700 +64 +unknown\n +Not known: out is indexed by at\[threadIdx\.x\]/);
  });

  it("a .ncu-rep is read with its lines", async () => {
    mkdirSync(join(folder, "ncu"));
    cpSync(fileURLToPath(new URL("fixtures/lines.cu", import.meta.url)), join(folder, "ncu", "lines.cu"));
    writeFileSync(join(folder, "ncu", "report.ncu-rep"), reportOf());
    const { code, out } = await runIn(join(folder, "ncu"), ["measured", "report.ncu-rep"]);
    expect(out).toContain("lines.cu:2");
    expect(out).toContain("5 of 5 figures as predicted");
    expect(code).toBe(0);
  });

  it.each([
    ["", "there is no header"],
    ["not,a,report\n1,2,3\n", "there is no header"],
    ['"Line No","Source","Address","Source","# Samples"\n', "no figures of memory accesses"],
  ])("%j gets a message", async (page, reason) => {
    const { code, errors } = await run(page);
    expect(code).toBe(2);
    expect(errors).toContain(reason);
  });

  it("a report that is not there gets a message", async () => {
    expect(await runIn(folder, ["measured", "none.csv"])).toMatchObject({
      code: 2,
      errors: "warplint: none.csv: no such file, or it cannot be read\n",
    });
  });
});

it("the page of instructions alone gives totals", () => {
  const page = `"Kernel Name","void k<(int)32>(float *)"
"Address","Source","L1 Wavefronts Shared","L1 Wavefronts Shared Ideal","L2 Theoretical Sectors Global","L2 Theoretical Sectors Global Ideal"
"0x7fc48541d900","      LDS R1, [R2] ","1,024","32","0","0"
"0x7fc48541d910","      STG.E [R2], R1 ","0","0","128","128"
`;
  expect(readCsv(page)).toMatchObject({
    launches: [
      {
        kernel: "k",
        templateArguments: ["32"],
        lines: null,
        totals: { wavefronts: 1024, idealWavefronts: 32, sectors: 128, idealSectors: 128 },
      },
    ],
  });
});

it.each([
  ["k(float *)", "k", []],
  ["void ns::k<(int)32, (bool)1, float>(T1 *, int)", "k", ["32", "1", "float"]],
  ["void outer<A<1>>::k<B<C, D>>(void (*)(int))", "k", ["B<C, D>"]],
  ["k", "k", []],
])("%s is the kernel %s", (signature, kernel, templateArguments) => {
  expect(kernelOf(signature)).toEqual({ kernel, templateArguments });
});
