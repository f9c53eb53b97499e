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
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { readCsv } from "../../server/src/measured/csv.ts";
import { readNcuReport } from "../../server/src/measured/ncu-report.ts";
import {
  kernelOf,
  type MeasuredFigures,
  type MeasuredLaunch,
  type ReadMeasurement,
} from "../../server/src/measured/report.ts";
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

interface Figures {
  readonly cost: number;
  readonly ideal: number;
}

interface Row {
  readonly places: readonly { readonly file: string; readonly lines: readonly number[] }[];
  readonly unit: string;
  readonly measured: Figures;
  readonly predicted: Figures | null;
  readonly reason: string | null;
}

interface Printed {
  readonly launches: readonly {
    readonly kernel: string;
    readonly reason: string | null;
    readonly rows: readonly Row[];
  }[];
}

const recorded = fileURLToPath(new URL("../../fixtures/reports/", import.meta.url));
/** Programs whose reports scripts/record-reports.py exported from Nsight Compute 2025.3. */
const reported = readdirSync(recorded)
  .filter((name) => name.endsWith(".ncu-rep.gz"))
  .map((name) => name.replace(".ncu-rep.gz", ""));

/** Which thread comes first decides what atomics hand out, and so what the next access costs: no two runs are the same. */
const racing = new Set(["canonical_kmers", "columnar_join"]);

function reportNamed(name: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(join(recorded, `${name}.gz`))));
}

function launchesOf(read: ReadMeasurement): readonly MeasuredLaunch[] {
  if (read.kind === "error") throw new Error(read.message);
  return read.launches;
}

const figuresOf = ({ wavefronts, idealWavefronts, sectors, idealSectors }: MeasuredFigures) =>
  [wavefronts, idealWavefronts, sectors, idealSectors].join("/");

/** Each launch as its kernel and what each line costs, sorted: "k: a.cu:3 32/32/0/0, …". */
function costs(launches: readonly MeasuredLaunch[]): string[] {
  return launches
    .map(({ signature, lines }) => {
      const texts = (lines ?? []).map((line) => `${basename(line.file)}:${line.line} ${figuresOf(line)}`);
      return `${signature}: ${texts.sort().join(", ")}`;
    })
    .sort();
}

function recordedCosts(program: string): string[] {
  return rowsOf(program)
    .flatMap(({ kernel, sites, launches }) => {
      const placeOf = ({ file, line }: TruthRow["sites"][number]) => `${file}:${line}`;
      const texts = [...new Set(sites.map(placeOf))].map((place) => {
        const own = sites.filter((site) => placeOf(site) === place);
        const sums = (["wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors"] as const).map((figure) =>
          own.reduce((sum, site) => sum + (site[figure] ?? 0), 0),
        );
        return `${place} ${sums.join("/")}`;
      });
      return Array<string>(launches).fill(`${kernel}: ${texts.sort().join(", ")}`);
    })
    .sort();
}

describe("reports of Nsight Compute", () => {
  it("are there for forty programs", () => {
    expect(reported.length).toBeGreaterThanOrEqual(40);
  });

  describe.each(reported)("%s", (program) => {
    const report = reportNamed(`${program}.ncu-rep`);
    it("the file, the source page and the raw page say the same, and what was recorded before", () => {
      const launches = launchesOf(readNcuReport(report));
      const page = (name: string) => new TextDecoder().decode(reportNamed(`${program}.${name}.csv`));
      const source = launchesOf(readCsv(page("source")));
      expect(source.map(({ totals }) => totals)).toEqual(launches.map(({ totals }) => totals));
      if (!racing.has(program)) expect(costs(launches)).toEqual(recordedCosts(program));
      const raw = launchesOf(readCsv(page("raw")));
      expect(raw.map(({ totals }) => totals)).toEqual(launches.map(({ totals }) => totals));
      expect(raw.map(({ block, grid }) => [block, grid])).toEqual(
        launches.map(({ block, grid }) => [block, grid]),
      );
    });

    it("every figure that is predicted is the one measured", async () => {
      const place = join(folder, program);
      mkdirSync(place);
      cpSync(join(programs, `${program}.cu`), join(place, `${program}.cu`));
      writeFileSync(join(place, "report.ncu-rep"), report);
      const { out, errors } = await runIn(place, ["measured", "report.ncu-rep", "--format", "json"]);
      expect(errors).toBe("");
      const { launches } = JSON.parse(out) as Printed;
      const wrong = launches.flatMap(({ kernel, rows }) =>
        rows
          .filter(({ measured, predicted }) => predicted !== null && !isSame(measured, predicted))
          // What is conditional may be otherwise, and says so.
          .filter(({ reason }) => !reason?.startsWith("Assumed: "))
          .map((row) => `${kernel} ${JSON.stringify(row)}`),
      );
      expect(wrong).toEqual([]);
      const predicted = launches.flatMap(({ rows }) => rows.filter((row) => row.predicted !== null));
      expect(predicted.length).toBeGreaterThan(0);
    }, 60_000);
  });
});

function isSame(a: Figures, b: Figures): boolean {
  return a.cost === b.cost && a.ideal === b.ideal;
}

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
