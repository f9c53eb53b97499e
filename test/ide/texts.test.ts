// The six cases of TEXTS.md on the seeds: what people read must be these strings, typed from that page. Where the GPU's truth forces
// another number than the page has, the test says so.
import { describe, expect, it } from "vitest";
import { actionsAt } from "../../server/src/ide/actions.ts";
import { diagnosticsOf } from "../../server/src/ide/diagnostics.ts";
import { hoverAt } from "../../server/src/ide/hover.ts";
import { launchChoicesOf, setLaunchEdits } from "../../server/src/ide/launch-choice.ts";
import { lensesOf } from "../../server/src/ide/lenses.ts";
import { statusAt } from "../../server/src/ide/status.ts";
import { hoverMarkdown } from "../../server/src/render/markdown.ts";
import { type Analysed, analyse, offsetOf, seedText } from "./analyse.ts";

const hoverLines = ({ analysis, places }: Analysed, offset: number, hasDiagnosticAbove = false) => {
  const content = hoverAt(analysis, offset, { places, hasDiagnosticAbove });
  if (content === null) return [];
  const text = hoverMarkdown(content, { dialect: "fenced", linkTo: ({ kind }) => `command:${kind}` });
  return text
    .replace(/\[((?:[^\]\\]|\\.)*)\]\([^)]*\)/g, "$1")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("```"));
};

const lensTitles = ({ analysis, places }: Analysed, kernel: string) =>
  lensesOf(analysis, places)
    // At the name, or where the head begins with its template parameters.
    .filter(({ range }) =>
      new RegExp(`^(?:template[^;{}]*\\b)?${kernel}\\(`).test(analysis.text.slice(range.start)),
    )
    .map(({ title }) => title);

const messages = ({ analysis, places }: Analysed) =>
  diagnosticsOf(analysis, places).map(({ severity, message }) => `${severity}: ${message}`);

const actionTitles = ({ analysis, found, places }: Analysed, offset: number) =>
  actionsAt(analysis, { start: offset, end: offset }, { found, pending: [], places }).map(
    ({ title }) => title,
  );

describe("A: 32-way tile", async () => {
  const seed = await analyse(seedText("seed1_matrix_trans.cu"));
  const access = offsetOf(seed.analysis, "subMatrix[col][row]");

  it("warns", () => {
    expect(messages(seed)).toContain(
      "warning: 32-way bank conflict: 32 wavefronts, 1 ideal (T=float, block (32,32), line 52)\n" +
        "1,998,848 excess wavefronts in 2 launches. All 32 lanes read different rows of one bank: a row of subMatrix is 32 words, the number of banks. Pad the row by one element.",
    );
  });

  it("names the launch as the related place", () => {
    const related = diagnosticsOf(seed.analysis, seed.places).map((each) => each.related);
    expect(related.map((each) => each.map(({ range }) => seed.places.startOf(range).line))).toEqual([
      [51],
      [52],
    ]);
    expect(related[1]?.[0]?.message).toBe("matrix_trans_step2 is launched here with block (32,32)");
  });

  it("says all of it on hover", () => {
    expect(hoverLines(seed, access)).toEqual([
      "32 wavefronts, 1 ideal (32.0×) · shared load, 4 B a lane · T=float, block (32,32)",
      "bank   0       8       16      24     31",
      "pass 1 █·······························  lane 0",
      "pass 2 █·······························  lane 1",
      "   ⋮   30 more, one lane each",
      "T=double: 32 wavefronts, 2 ideal (16.0×)",
      "Nsight Compute will show on this line: L1 Wavefronts Shared 1,048,576, Ideal 32,768 (grid (32,32))",
      "from main, line 60 → run, line 52",
      "Bank map · Change launch · Rule",
    ]);
  });

  it("shows the map and links only where the diagnostic stands above", () => {
    const lines = hoverLines(seed, access, true);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^bank/);
    expect(lines.at(-1)).toBe("Bank map · Change launch · Rule");
    const clean = offsetOf(seed.analysis, "subMatrix[row][col]");
    expect(hoverLines(seed, clean, true)[0]).toBe(
      "1 wavefront, 1 ideal · shared store, 4 B a lane · T=float, block (32,32)",
    );
  });

  it("sums all accesses of the line for the profiler's columns", () => {
    const store = offsetOf(seed.analysis, "c[ (tileX + row)");
    expect(hoverLines(seed, store)).toContain(
      "Nsight Compute will show on this line: L2 Theoretical Sectors Global 131,072, Ideal 131,072 (grid (32,32))",
    );
  });

  it("has lenses", () => {
    expect(lensTitles(seed, "matrix_trans_step2")).toEqual([
      "line 26: 32.0× · 3 other accesses ideal",
      "2 launches: block (32,32), line 52",
    ]);
    expect(lensTitles(seed, "matrix_trans_step3")[0]).toBe("all 4 accesses ideal");
    // Above the whole head, not between its template parameters and the rest.
    const heads = lensesOf(seed.analysis, seed.places).map(({ range }) =>
      seed.analysis.text.slice(range.start, range.end),
    );
    expect(new Set(heads)).toEqual(new Set(["template <typename T>"]));
  });

  it("offers to ignore, last and not preferred", () => {
    const actions = actionsAt(seed.analysis, { start: access, end: access }, { ...seed, pending: [] });
    expect(actions.map(({ title }) => title)).toEqual([
      "Ignore shared-bank-conflict on this line…",
      "Disable shared-bank-conflict in this file…",
    ]);
    expect(actions[0]?.isPreferred).toBe(false);
  });

  it("lists the accesses of the array at its declaration", () => {
    const lines = hoverLines(seed, offsetOf(seed.analysis, "subMatrix[blockSizeX]"));
    expect(lines[0]).toBe("shared `float subMatrix[32][32]`, 4,096 B · T=float, block (32,32)");
    expect(lines.slice(1)).toEqual([
      "| line | access | cost |",
      "| --- | --- | ---: |",
      "| 26 | load | 32 wavefronts, 1 ideal (32.0×) |",
      "| 24 | store | 1 wavefront, 1 ideal |",
    ]);
  });

  it("sums up the kernel at its name, where it is defined and where it is launched", () => {
    const defined = hoverLines(seed, offsetOf(seed.analysis, "matrix_trans_step2"));
    expect(defined[0]).toBe("`matrix_trans_step2`: line 26: 32.0× · 3 other accesses ideal");
    expect(defined[3]).toBe("| T=float, block (32,32), line 52 | (32,32) | 1,081,344 (16.5×) | 262,144 |");
    expect(hoverLines(seed, offsetOf(seed.analysis, "matrix_trans_step2", 1))).toEqual(defined);
  });
});

describe("B: naive transpose, m and n unknown, no launch", async () => {
  const source = seedText("seed0_mat_trans.cu");
  const start = source.indexOf("__global__ void kernel_mat_trans_fp32(");
  // The lines above keep the kernel where the page has it: at line 8.
  const pasted = "\n".repeat(7) + source.slice(start, source.indexOf("__global__", start + 1));
  const seed = await analyse(pasted);
  const store = offsetOf(seed.analysis, "y[col*m+row]");

  it("warns", () => {
    expect(messages(seed)).toEqual([
      "warning: Uncoalesced store: 32 sectors, 4 ideal (8.0×) for any m >= 8, block (32,8) assumed\n" +
        "Neighbouring lanes write m floats apart, so each lane opens a 32-byte sector of its own. Stage the tile through shared memory.",
    ]);
    expect(diagnosticsOf(seed.analysis, seed.places)[0]?.related).toEqual([]);
  });

  it("says all of it on hover", () => {
    expect(hoverLines(seed, store)).toEqual([
      "32 sectors, 4 ideal (8.0×) · global store, 4 B a lane · block (32,8) assumed",
      "sector 1 █·······  lane 0  4 of 32 B used",
      "sector 2 █·······  lane 1  4 of 32 B used",
      "   ⋮     30 more: 128 of 1,024 B used (12.5 %)",
      "Used: 128 of 1,024 bytes (12.5 %)",
      "Other blocks: (16,16) at least 4.0×, (8,32) at least 2.0×",
      "Holds for m >= 8; assumed: interior warps (guards against unknown sizes hold)",
      "Set launch · Bank map · Rule",
    ]);
  });

  it("has lenses", () => {
    // The page has "load ideal". The load takes 5 sectors where n is no multiple of 8: the lens says on what it depends.
    expect(lensTitles(seed, "kernel_mat_trans_fp32")).toEqual([
      "line 13 store: 8.0× for m >= 8 · load ideal if aligned",
      "no launch found: block (32,8) assumed, set…",
    ]);
  });

  it("offers to set the launch, and to ignore", () => {
    expect(actionTitles(seed, store)).toEqual([
      "Set the launch of kernel_mat_trans_fp32…",
      "Ignore uncoalesced-access on this line…",
      "Disable uncoalesced-access in this file…",
    ]);
    expect(actionTitles(seed, offsetOf(seed.analysis, "kernel_mat_trans_fp32", 0, 3))).toEqual([
      "Set the launch of kernel_mat_trans_fp32…",
    ]);
    expect(actionTitles(seed, offsetOf(seed.analysis, "int row"))).toEqual([]);
  });
});

describe("C: float4 misalignment", async () => {
  const seed = await analyse(seedText("seed0_mat_trans.cu"), { defines: { AS_WRITTEN: "1" } });
  const single = (line: string) => line.replace(/ +/g, " ");

  it("reports both faults as errors", () => {
    const errors = messages(seed).filter((message) => message.startsWith("error"));
    expect(errors).toEqual([
      "error: Misaligned float4 store: 24 of 32 lanes off the 16-byte boundary, the kernel will fault\n" +
        "The index ends in tid%8, a step of 4 bytes; a float4 needs steps of 16, whatever m is (cudaErrorMisalignedAddress). Did you mean (tid%8)*4?",
      "error: Misaligned float4 store in 24 of 32 warps, the kernel will fault (block (32,32), line 141)\n" +
        "A row of tile is 129 floats = 516 bytes, no multiple of 16: rows 1-3, 5-7, … start off the boundary.",
    ]);
  });

  it("shows the lanes that are off the boundary", () => {
    const lines = hoverLines(seed, offsetOf(seed.analysis, "FLOAT4(y[")).map(single);
    expect(lines).toContain("lane 0 1 2 3 4 5 6 7 …");
    expect(lines).toContain("address mod 16: 0 4 8 12 0 4 8 12 …");
    expect(lines).toContain("No fix offered: the intended index is not known");
    expect(lines.join("\n")).not.toContain("Nsight");
  });

  it("shows the rows that start off it", () => {
    const lines = hoverLines(seed, offsetOf(seed.analysis, "FLOAT4(tile[tidy][tidx*4])", 1), true).map(
      single,
    );
    expect(lines).toEqual([
      "row 0 1 2 3 4 5 6 7 …",
      "start mod 16: 0 4 8 12 0 4 8 12 …",
      "Bank map · Change launch · Rule",
    ]);
  });

  it("says in the lens that the kernel faults", () => {
    expect(lensTitles(seed, "kernel_mat_trans_fp32_4_shared_smc")[0]).toBe(
      "line 83 faults, misaligned · 9 other accesses ideal",
    );
  });
});

describe("D: unknown index", async () => {
  const seed = await analyse(
    [
      "__global__ void histogram(const int *data, int *out, int step) {",
      "  __shared__ int hist[256];",
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
      "  hist[threadIdx.x] = 0;",
      "  __syncthreads();",
      "  atomicAdd(&hist[data[i]], step);",
      "  __syncthreads();",
      "  out[i] = step;",
      "}",
      "void run(const int *data, int *out, int step) { histogram<<<64, 256>>>(data, out, step); }",
    ].join("\n"),
  );
  const access = offsetOf(seed.analysis, "atomicAdd");

  it("is never a diagnostic", () => {
    expect(messages(seed)).toEqual([]);
  });

  it("says why it is not known, and between what", () => {
    expect(hoverLines(seed, access)).toEqual([
      "Not known: hist is indexed by data[i], a value loaded from memory.",
      "1 to 32 wavefronts a request. Simulated for uniformly random data in 256 bins: 3.5 (illustration, not a finding).",
      "Change launch",
    ]);
  });

  it("counts the distinct words of a bank where the hardware counts lanes of a word (recorded: ATOMS.POPC.INC)", async () => {
    const counting = await analyse(seed.analysis.text.replace(", step);", ", 1);"));
    // The page has 1 to 32 and 3.5 for this spelling: 256 bins are 8 words a bank, and lanes of one word take one pass.
    expect(hoverLines(counting, access)[1]).toBe(
      "1 to 8 wavefronts a request. Simulated for uniformly random data in 256 bins: 3.1 (illustration, not a finding).",
    );
  });

  it("has lenses", () => {
    expect(lensTitles(seed, "histogram")).toEqual([
      "3 accesses ideal · 1 depends on data",
      "block (256), line 10",
    ]);
  });
});

describe("a lens", async () => {
  it("names a line once that costs in two ways", async () => {
    const seed = await analyse(
      [
        "__global__ void turn(float *out) {",
        "  __shared__ float s[32][32];",
        "  s[threadIdx.y][threadIdx.x] = 1;",
        "  __syncthreads();",
        "  out[(threadIdx.y * 32 + threadIdx.x) * 2] = s[threadIdx.x][threadIdx.y];",
        "}",
        "void run(float *out) { turn<<<1, dim3(32, 32)>>>(out); }",
      ].join("\n"),
    );
    expect(lensTitles(seed, "turn")[0]).toBe("line 5: 32.0×, 2.0× · 1 other access ideal");
  });
});

describe("rows of an even length that is not known", () => {
  const findingsWith = async (step: string) => {
    const { analysis } = await analyse(
      [
        "__global__ void attend(float *out, int d) {",
        "  extern __shared__ float rows[];",
        `  for (int x = 0; x < d; ${step}) out[x * 32 + threadIdx.x] = rows[threadIdx.x * 2 * d + x];`,
        "}",
        "void run(float *out, int d) { attend<<<1, 32, 9000>>>(out, d); }",
      ].join("\n"),
    );
    return analysis.report.findings.map(({ rule }) => rule);
  };

  it("are told of where lanes conflict, and not where the compiler may load two words at once, which is ideal for an odd d", async () => {
    expect(await findingsWith("x += 3")).toEqual(["shared-bank-conflict"]);
    expect(await findingsWith("x++")).toEqual([]);
  });
});

describe("rows whose length in shared memory is not known", async () => {
  const seed = await analyse(
    [
      "__global__ void attend(float *out, const float *keys, int d) {",
      "  extern __shared__ float rows[];",
      "  for (int x = 0; x < d; x++) rows[threadIdx.x * d + x] = keys[x * 32 + threadIdx.x];",
      "  __syncthreads();",
      // No neighbours, of which ptxas might make vectors.
      "  for (int x = 0; x < d; x += 3) out[x * 32 + threadIdx.x] = rows[threadIdx.x * 2 * d + x];",
      "  out[threadIdx.x] += rows[threadIdx.x / 8 * d + threadIdx.x % 8];",
      "  out[threadIdx.x] += rows[threadIdx.x / 16 * d + threadIdx.x % 16];",
      "}",
      "void run(float *out, const float *keys, int d) { attend<<<1, 32, 9000>>>(out, keys, d); }",
    ].join("\n"),
  );

  it("are ideal for some lengths only, and the lens says for which", () => {
    expect(lensTitles(seed, "attend")[0]).toBe(
      "line 5: at least 2.0× · 4 other accesses ideal · 1 access ideal for odd d · 2 accesses ideal at best",
    );
  });

  it("say on hover what each length costs", () => {
    expect(hoverLines(seed, offsetOf(seed.analysis, "rows[threadIdx.x * d"))).toEqual([
      "1 to 32 wavefronts, 1 ideal · shared store, 4 B a lane · block (32)",
      "1 wavefront for odd d; 2, 4, 8, 16, 32 for multiples of 2, 4, 8, 16, 32",
      "One request: 1 wavefront, 1 ideal",
      "bank   0       8       16      24     31",
      "pass 1 ████████████████████████████████  lanes 0-31",
      "No total over the launch: how often it is made depends on d",
      "Bank map · Change launch",
    ]);
    // Steps of 2*d are even.
    expect(hoverLines(seed, offsetOf(seed.analysis, "rows[threadIdx.x * 2"), true)[0]).toBe(
      "2 wavefronts for odd d; 4, 8, 16, 32 for multiples of 2, 4, 8, 16",
    );
  });

  it("say from which length on, where shorter rows overlap", () => {
    // Two rows of 16 words miss each other only at 16 words more than a multiple of 32.
    expect(hoverLines(seed, offsetOf(seed.analysis, "rows[threadIdx.x / 16"))[1]).toBe(
      "2 wavefronts for d that is no multiple of 16; 1, 2 for multiples of 16, 32 (d >= 16)",
    );
  });

  it("say nothing where more than powers of two decide", () => {
    // Four rows of 8 words: free of conflicts at 8 words from each other, and not at 16.
    const lines = hoverLines(seed, offsetOf(seed.analysis, "rows[threadIdx.x / 8"));
    expect(lines[0]).toBe("1 to 4 wavefronts, 1 ideal · shared load, 4 B a lane · block (32)");
    expect(lines.join("\n")).not.toContain("multiples");
  });
});

describe("E: no launch in sight, one-dimensional kernel", async () => {
  const text = [
    "__global__ void reduce0(const float *g, float *out, unsigned int n) {",
    "  __shared__ float s[2048];",
    "  s[threadIdx.x * 2] = g[threadIdx.x];",
    "  __syncthreads();",
    "  out[threadIdx.x] = s[threadIdx.x * 2] + s[threadIdx.x];",
    "}",
    "__global__ void copy(const float *g, float *out, unsigned int n) {",
    "  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;",
    "  out[i] = g[i];",
    "}",
  ].join("\n");
  const seed = await analyse(text);

  it("says in the finding that it is the same for every block", () => {
    expect(messages(seed)[0]).toMatch(
      /\(no launch found; the same for every block\.x that is a multiple of 32\)$/,
    );
  });

  it("says so on hover", () => {
    // The page leaves out what kind of access it is, and has "set…" where the hover has a link below.
    expect(hoverLines(seed, offsetOf(seed.analysis, "s[threadIdx.x];"))[0]).toBe(
      "1 wavefront, 1 ideal · shared load, 4 B a lane · any block.x that is a multiple of 32 · no launch found",
    );
    expect(hoverLines(seed, offsetOf(seed.analysis, "s[threadIdx.x];")).at(-1)).toBe("Set launch · Bank map");
  });

  it("has lenses", () => {
    expect(lensTitles(seed, "copy")).toEqual([
      "both accesses ideal",
      "no launch found: assuming blockDim.x is a multiple of 32, set…",
    ]);
  });

  it("has a status, and a launch to set", () => {
    const offset = offsetOf(seed.analysis, "out[threadIdx.x]");
    const status = statusAt(seed.analysis, offset, seed.places);
    expect(status?.text).toBe("reduce0, no launch found");
    expect(status?.isLaunchKnown).toBe(false);
    const choices = launchChoicesOf(seed.analysis, offset, seed.places);
    expect(choices?.choices[0]?.annotation).toBe("block=(256), n=1<<20");
    const edits = setLaunchEdits(seed.analysis, offset, "block=(256), n=1<<20");
    expect(edits).toEqual([
      { file: "/work/a.cu", start: 0, end: 0, newText: "// warplint: launch(block=(256), n=1<<20)\n" },
    ]);
  });
});

describe("E: no launch in sight, a tile", async () => {
  const seed = await analyse(
    [
      "__global__ void turn(float *out, const float *in, int w, int h) {",
      "  __shared__ float tile[32][33];",
      "  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;",
      "  tile[threadIdx.y][threadIdx.x] = in[y * w + x];",
      "  __syncthreads();",
      "  out[y * w + x] = tile[threadIdx.x][threadIdx.y];",
      "}",
    ].join("\n"),
  );

  it("says in the lens what the block was read off, and speaks of that block", () => {
    // Rows of 33 floats keep a block of (32,32) free of conflicts, not one of (8,32).
    expect(lensTitles(seed, "turn")).toEqual([
      "2 accesses ideal · 2 accesses ideal if aligned",
      "no launch found: block (32,32) read off tile[32][33], set…",
    ]);
  });

  it("shows the same block on hover, and what others would cost", () => {
    const lines = hoverLines(seed, offsetOf(seed.analysis, "tile[threadIdx.y]"));
    expect(lines[0]).toBe("1 wavefront, 1 ideal · shared store, 4 B a lane · block (32,32) assumed");
    expect(lines).toContain("Other blocks: (16,16) 2.0×, (8,32) 4.0×");
  });
});

describe("E: no launch in sight, a tile that few blocks stay in", async () => {
  const seed = await analyse(
    [
      "#define DIM 32",
      "#define ROWS 8",
      "__global__ void turn(float *out, const float *in) {",
      "  __shared__ float tile[DIM][DIM];",
      "  int x = blockIdx.x * DIM + threadIdx.x, y = blockIdx.y * DIM + threadIdx.y, width = gridDim.x * DIM;",
      "  for (int j = 0; j < DIM; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];",
      "  __syncthreads();",
      "  for (int j = 0; j < DIM; j += ROWS) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];",
      "}",
    ].join("\n"),
  );

  it("speaks of the only block with which no row is behind the tile, wherever it speaks", () => {
    expect(messages(seed)).toEqual([
      "warning: 32-way bank conflict: 32 wavefronts, 1 ideal\n" +
        "All 32 lanes read different rows of one bank: a row of tile is 32 words, the number of banks. Pad the row by one element. (no launch found; block (32,8) assumed)",
    ]);
    expect(lensTitles(seed, "turn")).toEqual([
      "line 8: 32.0× · 3 other accesses ideal",
      "no launch found: block (32,8) assumed, set…",
    ]);
    expect(hoverLines(seed, offsetOf(seed.analysis, "tile[threadIdx.y"))[0]).toBe(
      "1 wavefront, 1 ideal · shared store, 4 B a lane · block (32,8) assumed",
    );
  });
});

describe("E: no launch in sight, template arguments that nobody gives", async () => {
  const seed = await analyse(
    [
      "template <int K> __global__ void gather(float *out, const float *in) {",
      "  out[threadIdx.x] = in[threadIdx.x * K];",
      "}",
    ].join("\n"),
  );

  it("are those of one instance in a lens, which names them", () => {
    expect(lensTitles(seed, "gather")).toEqual([
      "line 2 load: 8.0× · store ideal",
      "no launch found: K=32, assuming blockDim.x is a multiple of 32, set…",
    ]);
  });

  it("are named on hover where the figure hangs on them, with the others beside it", () => {
    const lines = hoverLines(seed, offsetOf(seed.analysis, "in[threadIdx.x * K"));
    expect(lines[0]).toBe(
      "32 sectors, 4 ideal (8.0×) · global load, 4 B a lane · K=32 assumed · any block.x that is a multiple of 32 · no launch found",
    );
    // K=8, 16, 64 and 128 cost what 32 does.
    expect(lines).toContain("Other arguments: K=4 4.0×, K=2 2.0×, K=1 1.0×");
    expect(hoverLines(seed, offsetOf(seed.analysis, "out[threadIdx.x] = in"))[0]).toBe(
      "4 sectors, 4 ideal · global store, 4 B a lane · any block.x that is a multiple of 32 · no launch found",
    );
  });
});

describe("F: two launches that differ", async () => {
  const seed = await analyse(seedText("seed3_naive.cu"));
  const access = offsetOf(seed.analysis, "output[id_x");

  it("makes one warning", () => {
    expect(messages(seed)).toEqual([
      "warning: Uncoalesced store: 32 sectors, 4 ideal (8.0×) with block (32,8); 2.0× with (8,32)\n" +
        "20,971,520 excess sectors in 40 launches. Neighbouring lanes write ny = 512 floats apart. Block (8,32) writes 4 neighbouring floats a column; the load is ideal with both.",
    ]);
  });

  it("has a table of launches, worst first, and the path", () => {
    const lines = hoverLines(seed, access);
    const head = lines.indexOf("| launch | sectors | ideal | × |");
    expect(lines.slice(head + 2, head + 4)).toEqual([
      "| block (32,8), line 108 | 32 | 4 | 8.0× |",
      "| block (8,32), line 107 | 8 | 4 | 2.0× |",
    ]);
    expect(lines).toContain("from main, line 108 → v1_time, line 42 → call_v1, line 18");
  });

  it("has lenses", () => {
    expect(lensTitles(seed, "transpose_v1")).toEqual([
      "store 8.0× / 2.0× · load ideal",
      "2 launches: (32,8) line 108, (8,32) line 107",
    ]);
  });

  it("says of how many launches where some are clean", async () => {
    const padding = await analyse(seedText("seed3_padding.cu"));
    expect(messages(padding).find((message) => message.startsWith("warning"))).toMatch(
      /^warning: Bank conflicts in 2 of 3 launches: at worst 32 wavefronts, 1 ideal \(PAD=0\)\n/,
    );
  });
});

describe("a kernel that would leave its shared array in every block that is assumed", async () => {
  const text = [
    "__global__ void few(const float *in, float *out, int n) {",
    "  __shared__ float part[8];",
    "  part[threadIdx.x] = in[threadIdx.x * n];",
    "  __syncthreads();",
    "  out[threadIdx.x] = part[7 - threadIdx.x];",
    "}",
    "",
  ].join("\n");
  const seed = await analyse(text);

  it("has no finding, for it is made for other blocks, and says so", () => {
    expect(messages(seed)).toEqual([]);
    expect(hoverLines(seed, offsetOf(seed.analysis, "in[threadIdx.x")).at(-2)).toBe(
      "Holds for n >= 8; assumed: every block size tried reads outside the shared array",
    );
  });

  it("is as any other where the block is told", async () => {
    const told = await analyse(`// warplint: launch(block=8)\n${text}`);
    expect(hoverLines(told, offsetOf(told.analysis, "in[threadIdx.x"))[0]).toMatch(/^8 sectors, 1 ideal/);
  });
});
