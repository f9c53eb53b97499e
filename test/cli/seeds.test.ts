// The seed programs through the built command line: figures against the GPU's (truth.jsonl), texts against TEXTS.md.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const seeds = join(root, "fixtures/seeds");
const folder = mkdtempSync(join(tmpdir(), "warplint-seeds-"));
const cli = builtCli();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], cwd = seeds): string {
  return spawnSync(process.execPath, [cli, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28 }).stdout;
}

/** A row of truth.jsonl: one distinct launch as the GPU executed it. */
interface TruthRow {
  readonly case: string;
  readonly kernel: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly launches: number;
  readonly sites: readonly TruthSite[];
}

interface TruthSite {
  readonly line: number;
  readonly sass: string;
  readonly sectors?: number;
  readonly ideal_sectors?: number;
  readonly wavefronts?: number;
  readonly ideal_wavefronts?: number;
}

interface AnalyzedLaunch {
  readonly kernel: string;
  readonly templateArguments: readonly string[];
  readonly block: readonly number[];
  readonly grid: readonly number[];
  readonly count: number;
  readonly accesses: readonly {
    readonly line: number;
    readonly space: string;
    readonly operation: string;
    readonly verdict: string;
    readonly totals: Readonly<Record<string, number>>;
  }[];
}

const rows: TruthRow[] = readFileSync(join(seeds, "truth.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
const files = [...new Set(rows.map((row) => row.case))];

/** "void f<(int)32, float>(…)" is f with 32 and float. */
function parseKernel(kernel: string): { name: string; templateArguments: string[] } {
  const head = kernel.slice(0, kernel.indexOf("(", kernel.indexOf(">") + 1)).replace(/^void /, "");
  const open = head.indexOf("<");
  if (open === -1) return { name: head, templateArguments: [] };
  const list = head.slice(open + 1, head.lastIndexOf(">"));
  return {
    name: head.slice(0, open),
    templateArguments: list.split(", ").map((each) => each.replace(/^\(\w+\)/, "")),
  };
}

/** Sums by line, space and operation: an unrolled loop is several instructions on the GPU, and one access in the source. */
function truthSums(row: TruthRow): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const site of row.sites) {
    const isShared = site.wavefronts !== undefined;
    const key = `${site.line} ${isShared ? "shared" : "global"} ${site.sass.startsWith("ST") ? "store" : "load"}`;
    add(sums, key, site.wavefronts ?? site.sectors ?? 0, site.ideal_wavefronts ?? site.ideal_sectors ?? 0);
  }
  return sums;
}

function analyzedSums(launch: AnalyzedLaunch): Map<string, [number, number]> {
  const sums = new Map<string, [number, number]>();
  for (const { line, space, operation, verdict, totals } of launch.accesses) {
    expect(verdict).toBe("exact");
    const [cost = 0, ideal = 0] = Object.values(totals);
    add(sums, `${line} ${space} ${operation}`, cost, ideal);
  }
  return sums;
}

function add(sums: Map<string, [number, number]>, key: string, cost: number, ideal: number): void {
  const sum = sums.get(key) ?? [0, 0];
  sums.set(key, [sum[0] + cost, sum[1] + ideal]);
}

describe.each(files)("%s", (file) => {
  const own = rows.filter((row) => row.case === file);
  let launches: AnalyzedLaunch[] = [];
  beforeAll(() => {
    launches = JSON.parse(run(["analyze", file])).files[0].launches;
  });

  it.each(own.map((row) => [row.kernel, row.block.join(","), row] as const))(
    "%s with block %s",
    (_kernel, _block, row) => {
      const { name, templateArguments } = parseKernel(row.kernel);
      const found = launches.filter(
        (launch) =>
          launch.kernel === name &&
          launch.templateArguments.join() === templateArguments.join() &&
          launch.block.join() === row.block.join() &&
          launch.grid.join() === row.grid.join(),
      );
      expect(found).toHaveLength(1);
      const [launch] = found as [AnalyzedLaunch];
      expect(launch.count).toBe(row.launches);
      expect(Object.fromEntries(analyzedSums(launch))).toEqual(Object.fromEntries(truthSums(row)));
    },
  );

  it("has no launch that the GPU did not execute", () => {
    expect(launches).toHaveLength(own.length);
  });
});

describe("texts", () => {
  const lines = (text: string) => text.split("\n").filter((line) => /^\S+:\d+:\d+: /.test(line));
  const after = (text: string, head: string) => text.slice(text.indexOf(head)).split("\n").slice(0, 2);

  it("A: two instantiations of a tile", () => {
    const text = run(["check", "seed1_matrix_trans.cu"]);
    expect(after(text, "seed1_matrix_trans.cu:26:")).toEqual([
      "seed1_matrix_trans.cu:26:46: warning: 32-way bank conflict: 32 wavefronts, 1 ideal (T=float, block (32,32), line 52) [shared-bank-conflict]",
      "  1,998,848 excess wavefronts in 2 launches. All 32 lanes read different rows of one bank: a row of subMatrix is 32 words, the number of banks. Fix: Pad subMatrix to [blockSizeX][blockSizeY + 1]: 32 → 1 wavefronts, +128 B (output checked).",
    ]);
    expect(text).toContain("T=double, block (32,32), line 52: 32 wavefronts, 2 ideal (16.0×)");
    expect(lines(text)).toHaveLength(2);
  });

  it("B: a transposition that nothing launches", () => {
    const source = readFileSync(join(seeds, "seed0_mat_trans.cu"), "utf8");
    const start = source.indexOf("__global__ void kernel_mat_trans_fp32(");
    writeFileSync(join(folder, "pasted.cu"), source.slice(start, source.indexOf("__global__", start + 1)));
    const text = run(["check", "pasted.cu"], folder);
    expect(lines(text)).toEqual([
      "pasted.cu:6:9: warning: Uncoalesced store: 32 sectors, 4 ideal (8.0×) for any m >= 8, block (32,8) assumed [uncoalesced-access]",
    ]);
    expect(text).toContain(
      "  Neighbouring lanes write m floats apart, so each lane opens a 32-byte sector of its own. Fix: Stage the stores to y through a shared tile[32][37]: 32 → 4 sectors, +4,736 B (output checked).",
    );
  });

  it("C: vectors off their boundary, with AS_WRITTEN and not without", () => {
    const text = run(["check", "--define", "AS_WRITTEN", "seed0_mat_trans.cu"]);
    expect(after(text, "seed0_mat_trans.cu:60:9: error")).toEqual([
      "seed0_mat_trans.cu:60:9: error: Misaligned float4 store: 24 of 32 lanes off the 16-byte boundary, the kernel will fault [misaligned-vector-access]",
      "  The index ends in tid%8, a step of 4 bytes; a float4 needs steps of 16, whatever m is (cudaErrorMisalignedAddress). Did you mean (tid%8)*4?",
    ]);
    expect(after(text, "seed0_mat_trans.cu:83:9: error")).toEqual([
      "seed0_mat_trans.cu:83:9: error: Misaligned float4 store in 24 of 32 warps, the kernel will fault (block (32,32), line 141) [misaligned-vector-access]",
      "  A row of tile is 129 floats = 516 bytes, no multiple of 16: rows 1-3, 5-7, … start off the boundary. Fix: Pad tile to [WARP_SIZE][WARP_SIZE*4+4]: aligned, +384 B, but line 100 loads 1 → 4 wavefronts (output checked).",
    ]);
    expect(text.match(/\[misaligned-vector-access\]/g)).toHaveLength(2);
    expect(run(["check", "seed0_mat_trans.cu"])).not.toContain("[misaligned-vector-access]");
  });

  it("E: a one-dimensional kernel that nothing launches", () => {
    writeFileSync(
      join(folder, "linear.cu"),
      "__global__ void spread(float *out) {\n  __shared__ float s[2048];\n  s[threadIdx.x * 2] = 1;\n  __syncthreads();\n  out[threadIdx.x] = s[threadIdx.x * 2];\n}\n",
    );
    const text = run(["check", "linear.cu"], folder);
    expect(lines(text)[0]).toBe(
      "linear.cu:3:3: warning: 2-way bank conflict: 2 wavefronts, 1 ideal [shared-bank-conflict]",
    );
    expect(text).toContain("(no launch found; the same for every block.x that is a multiple of 32)");
  });

  it("F: launches that differ, and launches that are clean", () => {
    expect(after(run(["check", "seed3_naive.cu"]), "seed3_naive.cu:12:")).toEqual([
      "seed3_naive.cu:12:5: warning: Uncoalesced store: 32 sectors, 4 ideal (8.0×) with block (32,8); 2.0× with (8,32) [uncoalesced-access]",
      "  20,971,520 excess sectors in 40 launches. Neighbouring lanes write ny = 512 floats apart. Block (8,32) writes 4 neighbouring floats a column; the load is ideal with both. Fix: Stage the stores to output through a shared tile[32][37]: 32 → 4 sectors, +4,736 B (output checked).",
    ]);
    // PAD=2 leaves two lanes in a bank on the load, as the GPU counted (2 wavefronts a request), and PAD=1 none.
    expect(lines(run(["check", "seed3_padding.cu"]))).toEqual([
      "seed3_padding.cu:30:22: information: Padding of tile by 2 leaves 3 wavefronts for 2 accesses: padding by 1 would leave 2 [ineffective-padding]",
      "seed3_padding.cu:59:30: warning: Bank conflicts in 2 of 3 launches: at worst 32 wavefronts, 1 ideal (PAD=0) [shared-bank-conflict]",
    ]);
  });
});
