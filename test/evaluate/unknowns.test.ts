// What is said of accesses where sizes or data are unknown: no more than holds whatever they are, and no less.
import { describe, expect, it } from "vitest";
import { interiorWarps } from "../../server/src/evaluate/code/expressions.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import type { AccessProfile } from "../../server/src/evaluate/profile.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { testPrelude } from "../lower/support.ts";
import { readText } from "../support/parser.ts";

describe("accesses under unknown sizes and data", () => {
  it("take a block index times the grid's size for a position, not for a size", async () => {
    const [access] = await accessesOf(
      "void k(float *x, int n) { int i = (blockIdx.z * gridDim.x + blockIdx.x) * 32 + threadIdx.x; if (i >= n) return; x[i] = 0; }",
      "x[i]",
    );
    expect(access?.verdict.kind).toBe("conditional");
    expect(factorsOf(access)).toEqual([1, 1]);
  });

  it("know what a guard that most starts do not pass gave a loop behind it", async () => {
    // As nvcc moves a load in front of a loop; fill of several devices, recorded on an H200: four sectors for each warp.
    const [access] = await accessesOf(
      "void k(float *x, unsigned r, unsigned d) { unsigned step; int i = r * 512 + threadIdx.x; if (i < 4096) step = d * 32; while (i < 4096) { x[i] = 0; i += step; } }",
      "x[i]",
    );
    expect(access?.verdict.kind).toBe("conditional");
    expect(factorsOf(access)).toEqual([1, 1]);
  });

  it("bound what the first lanes cost where data say how many they are", async () => {
    const guard = "int n = counts[blockIdx.x]; if (threadIdx.x < n)";
    const [contiguous] = await accessesOf(
      `void k(float *x, const int *counts) { ${guard} x[threadIdx.x] = 0; }`,
      "x[threadIdx.x]",
    );
    expect(factorsOf(contiguous)).toEqual([1, 1]);
    const [strided] = await accessesOf(
      `void k(float *x, const int *counts) { ${guard} x[threadIdx.x * 8] = 0; }`,
      "x[threadIdx.x * 8]",
    );
    // One lane alone takes the one sector that it needs; all 32 take 32 for 4.
    expect(factorsOf(strided)).toEqual([1, 8]);
  });

  it("say why there is no total, and whether data decide it", async () => {
    const why = async (text: string) => {
      const kernel = `void k(float *x, const int *counts, int n, int d) { ${text} }`;
      const accesses = await accessesOf(kernel, null, "32, grid=4");
      return accesses.find(({ target }) => target?.name === "x")?.uncounted;
    };
    expect(await why("for (int j = 0; j < counts[blockIdx.x]; j++) x[threadIdx.x + 32 * j] = 0;")).toEqual({
      reason: "how often it is made depends on counts[blockIdx.x]",
      dependsOnData: true,
    });
    expect(await why("if (counts[blockIdx.x] > 3) x[threadIdx.x] = 0;")).toMatchObject({
      dependsOnData: true,
    });
    expect(await why("for (int j = 0; j < n; j++) x[threadIdx.x + 32 * j] = 0;")).toEqual({
      reason: "how often it is made depends on n",
      dependsOnData: false,
    });
    // Of two causes the one that no other launch would settle is named.
    expect(await why("if (n > 3) if (counts[blockIdx.x] > d) x[threadIdx.x] = 0;")).toMatchObject({
      reason: "how often it is made depends on counts[blockIdx.x]",
      dependsOnData: true,
    });
    expect(await why("x[threadIdx.x * d] = 0;")).toEqual({
      reason: "what it costs depends on d",
      dependsOnData: false,
    });
    expect(await why("x[threadIdx.x] = 0;")).toBeNull();
  });

  it("leave to the data what they decide, and keep the least for findings", async () => {
    const [placed] = await accessesOf(
      "void k(float *x, const int *starts) { x[starts[blockIdx.x] + (int)threadIdx.x * 8] = 0; }",
      "x[starts[blockIdx.x] + (int)threadIdx.x * 8]",
    );
    // Each lane has a sector of its own, wherever the data put the warp.
    expect(placed?.verdict.kind).not.toBe("unknown");
    expect(factorsOf(placed)).toEqual([8, 8]);
    const [wide] = await accessesOf(
      "void k(float *x, const int *starts) { x[starts[blockIdx.x] + (int)threadIdx.x * 3] = 0; }",
      "x[starts[blockIdx.x] + (int)threadIdx.x * 3]",
    );
    expect(wide?.verdict).toMatchObject({ kind: "unknown", reason: "starts[blockIdx.x]" });
    expect(factorsOf(wide)?.[0]).toBe(3);
    const [moved] = await accessesOf(
      "void k(float *x, int start) { x[start + (int)threadIdx.x] = 0; }",
      "x[start + (int)threadIdx.x]",
    );
    expect(moved?.verdict.kind).toBe("conditional");
  });

  it("forget an array of a thread's own that was written nobody knows where, though nobody knows whether either", async () => {
    const [access] = await accessesOf(
      `void k(int *colors, const int *used) {
        int free[8];
        for (int c = 0; c < 8; c++) free[c] = 1;
        if (used[threadIdx.x] != 0) free[used[threadIdx.x]] = 0;
        for (int c = 0; c < 8; c++) if (free[c] != 0) { colors[threadIdx.x * 8] = c; break; }
      }`,
      "colors[threadIdx.x * 8]",
    );
    expect(access?.verdict.kind).toBe("unknown");
  });

  it("take a step back in unsigned 64 bits for one", async () => {
    const back = `size_t i = blockIdx.x * blockDim.x + threadIdx.x; size_t r = i + (size_t)(-16);
      if (threadIdx.x & 16)`;
    const [word] = await accessesOf(`void k(float *x) { ${back} x[r] = 0; }`, "x[r]");
    expect(factorsOf(word)).toEqual([1, 1]);
    const [member] = await accessesOf(`void k(float2 *x) { ${back} x[r].y = 0; }`, "x[r].y");
    expect(factorsOf(member)).toEqual([2, 2]);
  });

  it("take nothing from lanes that do not come by, whatever they held before", async () => {
    const [access] = await accessesOf(
      `void k(float *x) {
        int i, j;
        if (threadIdx.x < 16)
          for (i = 1; i < 16; i++)
            for (j = 0; j < i; j++) x[threadIdx.x * 16 + i] = j;
      }`,
      "x[threadIdx.x * 16 + i]",
    );
    expect(access?.verdict.kind).toBe("exact");
    // Half a warp writes a sector a lane, for two sectors' worth of words.
    expect(factorsOf(access)).toEqual([8, 8]);
  });

  it("count warps beyond a size where each lane goes on there with an index of its own", async () => {
    const at = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    const load = async (body: string) => {
      const [access] = await accessesOf(
        `void k(float *x, const float *y, int n, int m) { ${at} int j = i, odd = 0; ${body} x[i] = y[2 * j + odd]; }`,
        "y[2 * j + odd]",
      );
      return [factorsOf(access), access?.verdict];
    };
    const beyond = { kind: "conditional", condition: "no warp straddles n", assumptions: [] };
    const within = { kind: "conditional", condition: null, assumptions: [interiorWarps] };
    // Half of the threads may come here with `2 * (i - n) + 1`: nine sectors, unless n is a multiple of four.
    for (const fold of ["if (i >= n) { j -= n; odd = 1; }", "j = i < n ? i : i - n; odd = 1;"])
      expect(await load(fold)).toEqual([[2, 2.25], expect.objectContaining(beyond)]);
    // From behind, with lanes the other way round, from a place that none is more usual than.
    expect(await load("if (i >= n) j = 2 * n - 1 - i;")).toEqual([
      [2, 2.25],
      { kind: "unknown", reason: "blockIdx.x, n", dependsOnData: false, assumptions: [] },
    ]);
    // How far a ring is turned nobody knows.
    const ring = { ...beyond, condition: "no warp straddles n, m" };
    expect(await load("j = i + m; if (j >= n) j -= n;")).toEqual([[2, 2.25], expect.objectContaining(ring)]);
    // A clamp gives all that the grid has too many one index; of a row's neighbours the last alone is in the next row.
    expect(await load("j = 0; if (i < n) j = i;")).toEqual([[2, 2], expect.objectContaining(within)]);
    expect(await load("if (i >= n) j = n - 1;")).toEqual([[2, 2], expect.objectContaining(within)]);
    expect(await load("j = i + 4; if (j >= n) j -= n;")).toEqual([[2, 2], expect.objectContaining(within)]);
    expect(await load("j = i - 4; if (j < 0) j += n;")).toEqual([[2, 2], expect.objectContaining(within)]);
  });

  it("know that a guard turns out the same in every trip, and with it where a position is that moves behind it", async () => {
    const loop = async (guard: string, index: string) => {
      const [store] = await accessesOf(
        `void k(float *x, int n, int w, int h) {
          int i = threadIdx.x, skipped = 0;
          for (int row = 1; row < h; row++) { if (${guard}) { i += w; } x[${index}] = 0; __syncthreads(); }
        }`,
        `x[${index}]`,
      );
      return [factorsOf(store), store?.verdict];
    };
    // A row of 32 words lies in four sectors, or across five, wherever it starts.
    const rows = [
      [1, 1.25],
      expect.objectContaining({ kind: "conditional", condition: "no warp straddles n", assumptions: [] }),
    ];
    expect(await loop("threadIdx.x < n", "i")).toEqual(rows);
    expect(await loop("!(threadIdx.x >= n)", "i")).toEqual(rows);
    // Two guards, both of which must hold, are one; the other of an alternative is another in each trip.
    const [both] = await loop("threadIdx.x < n && threadIdx.x + 64 < h", "i");
    expect(both).toEqual([1, 1.25]);
    // What the guard asks moves with the trips: how often it held nobody knows.
    const unknown = expect.objectContaining({ kind: "unknown", reason: "a value that a loop changes" });
    expect(await loop("threadIdx.x + row * 3 < n", "i")).toEqual([null, unknown]);
    expect(await loop("i < n", "i")).toEqual([null, unknown]);
  });

  it("take the integers of a record that the kernel is handed to read alone for sizes", async () => {
    const guarded = async (parameter: string, count: string) => {
      const [store] = await accessesOf(
        `void k(float *x, ${parameter}) { int i = blockIdx.x * 32 + threadIdx.x; if (i < ${count}) x[i * 2] = 0; }`,
        "x[i * 2]",
      );
      return store?.verdict;
    };
    const interior = { kind: "conditional", assumptions: [interiorWarps] };
    expect(await guarded("const int4 *settings", "settings->y")).toMatchObject(interior);
    const data = { kind: "unknown", dependsOnData: true };
    // What the kernel may write itself is data, and so are the records of an array.
    expect(await guarded("int4 *settings", "settings->y")).toMatchObject(data);
    expect(await guarded("const int4 *rows", "rows[i].y")).toMatchObject(data);
    expect(await guarded("const int *counts", "counts[1]")).toMatchObject(data);
  });

  it("know a step in words of the grid's size, though nobody asked for that before the loop", async () => {
    const stride = "for (int j = threadIdx.x + blockIdx.x * blockDim.x; j < n; j += gridDim.x * blockDim.x)";
    const [store] = await accessesOf(`void k(float *x, int n) { ${stride} x[j] = 0; }`, "x[j]");
    expect(store?.verdict.kind).toBe("conditional");
    expect(factorsOf(store)).toEqual([1, 1]);
  });

  it("know a step that is the product of a grid of three dimensions and of how many there are of it", async () => {
    const [access] = await accessesOf(
      `void k(float *x, int n, int devices) {
        unsigned threads = devices * (gridDim.x * gridDim.y * gridDim.z * 32u);
        for (unsigned i = threadIdx.x; i < n; i += threads) x[i] = 0;
      }`,
      "x[i]",
    );
    expect(access?.verdict.kind).toBe("conditional");
    expect(factorsOf(access)).toEqual([1, 1]);
  });

  it("take nothing of a variable for known behind a store to one of several places", async () => {
    const strided = (where: string) =>
      `void k(float *x, const int *d) { int at[1] = { (int)threadIdx.x }; int other[1]; int* p = ${where}; if (p) *p = threadIdx.x * 8; x[at[0]] = 0; }`;
    for (const where of ["d[5] ? at : nullptr", "d[5] ? other : at"]) {
      const [access] = await accessesOf(strided(where), "x[at[0]]");
      expect(access?.verdict.kind).toBe("unknown");
    }
    const [apart] = await accessesOf(strided("d[5] ? other : nullptr"), "x[at[0]]");
    expect(factorsOf(apart)).toEqual([1, 1]);
  });

  it("let the lanes of a warp wrap together where data are their unsigned index's start", async () => {
    const [row] = await accessesOf(
      "void k(float *x, const int *rows) { x[rows[blockIdx.x] * 256 + threadIdx.x * 2] = 0; }",
      "x[rows[blockIdx.x] * 256 + threadIdx.x * 2]",
    );
    expect(row?.verdict.kind).toBe("exact");
    expect(factorsOf(row)).toEqual([2, 2]);
    const [placed] = await accessesOf(
      "void k(float *x, const int *starts) { x[starts[blockIdx.x] + threadIdx.x * 8] = 0; }",
      "x[starts[blockIdx.x] + threadIdx.x * 8]",
    );
    expect(factorsOf(placed)).toEqual([8, 8]);
    // Bytes in steps of 32 wrap within a warp, or not, and so do products as large as those of hashes.
    const [byte] = await accessesOf(
      "void k(float *x, const int *starts) { x[(unsigned char)(starts[blockIdx.x] + threadIdx.x * 8)] = 0; }",
      "x[(unsigned char)(starts[blockIdx.x] + threadIdx.x * 8)]",
    );
    expect(byte?.verdict.kind).toBe("unknown");
    const [hashed] = await accessesOf(
      "void k(float *x, const int *starts) { x[(starts[blockIdx.x] + threadIdx.x) * 2654435761u % 1000] = 0; }",
      "x[(starts[blockIdx.x] + threadIdx.x) * 2654435761u % 1000]",
    );
    expect(hashed?.verdict.kind).toBe("unknown");
  });

  it("know that lanes within a step of what is unknown have one quotient", async () => {
    const loop = "for (int t = threadIdx.x / 16; t < lengths[blockIdx.x]; t += 8)";
    const [page] = await accessesOf(
      `void k(int *pages, const int *lengths) { ${loop} pages[t / 16] = 0; }`,
      "pages[t / 16]",
    );
    expect(page?.verdict.kind).toBe("exact");
    expect(page?.perRequest?.most).toEqual({ cost: 1, ideal: 1 });
    const [half] = await accessesOf(
      `void k(int *pages, const int *lengths) { ${loop} pages[(t + 15) / 16] = 0; }`,
      "pages[(t + 15) / 16]",
    );
    expect(half?.verdict.kind).not.toBe("exact");
  });

  it("name the data that choose an element of a local table, which is one for lanes that agree", async () => {
    const table = "int step[4] = {1, 1, 0, -1};";
    const [chosen] = await accessesOf(
      `void k(float *x, const int *kinds) { ${table} int i = threadIdx.x; x[i + 64 * step[kinds[i]]] = 0; }`,
      "x[i + 64 * step[kinds[i]]]",
    );
    expect(chosen?.verdict).toMatchObject({ kind: "unknown", reason: "step[kinds[i]]", dependsOnData: true });
    const [shared] = await accessesOf(
      `void k(float *x, const int *kinds) { ${table} int i = threadIdx.x; x[i + 64 * step[kinds[blockIdx.x]]] = 0; }`,
      "x[i + 64 * step[kinds[blockIdx.x]]]",
    );
    expect(shared?.verdict.kind).toBe("exact");
    expect(factorsOf(shared)).toEqual([1, 1]);
  });

  it("leave to an unknown pitch where the rows lie that data choose", async () => {
    const row = "x + rows[blockIdx.x] * pitch";
    const [known] = await accessesOf(
      `void k(float *x, const int *rows) { int pitch = 33; (${row})[threadIdx.x] = 0; }`,
      `(${row})[threadIdx.x]`,
    );
    expect(known?.verdict).toMatchObject({ kind: "unknown", dependsOnData: true });
    const [open] = await accessesOf(
      `void k(float *x, const int *rows, int pitch) { (${row})[threadIdx.x] = 0; }`,
      `(${row})[threadIdx.x]`,
    );
    expect(open?.verdict.kind).toBe("conditional");
    expect(factorsOf(open)).toEqual([1, 1.25]);
  });

  it("take a warp not to stand at the one place that a border excludes", async () => {
    const inner = "int i = blockIdx.x * 32 + threadIdx.x; if (i != 0 && i != n - 1) x[i] = 0;";
    const [border] = await accessesOf(`void k(float *x, int n) { ${inner} }`, "x[i]");
    expect(border?.verdict).toMatchObject({ kind: "conditional", assumptions: [interiorWarps] });
    expect(factorsOf(border)).toEqual([1, 1]);
    const loop =
      "for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 32 * gridDim.x) x[i] = i == 0 ? 0 : x[n + i - 1];";
    const [before] = await accessesOf(`void k(float *x, int n) { ${loop} }`, "x[n + i - 1]");
    // One float before a row: of rows that begin on a sector five, four of others.
    expect(before?.verdict).toMatchObject({
      kind: "unknown",
      reason: "n",
      isLeastKnown: true,
      assumptions: [interiorWarps],
    });
    expect(factorsOf(before)).toEqual([1, 1.25]);
  });

  it("take no parameter that is compared with a number, or clamped to one, for a guard", async () => {
    const storeAt = async (index: string) => {
      const kernel = `void k(float *x, int n, int mode) { int i = blockIdx.x * 32 + threadIdx.x; x[${index}] = 0; }`;
      return (await accessesOf(kernel, `x[${index}]`, "32, grid=4"))[0];
    };
    const unknown = (reason: string) => ({ verdict: { kind: "unknown", reason }, totals: null });
    expect(await storeAt("i * (mode == 0 ? 1 : 8)")).toMatchObject(unknown("mode"));
    expect(await storeAt("i * (mode < 3 ? 8 : 1)")).toMatchObject(unknown("mode"));
    expect(await storeAt("i * (n < 64 ? n : 64)")).toMatchObject(unknown("n"));
    expect(await storeAt("i * min(n, 64)")).toMatchObject(unknown("n"));
    // A clamp of what lanes have of their own is one.
    expect((await storeAt("min(i, n - 1)"))?.verdict).toMatchObject({
      kind: "conditional",
      assumptions: [interiorWarps],
    });
  });

  it("claim nothing of a number that a switch over a parameter gives", async () => {
    const [store] = await accessesOf(
      "void k(float *x, int mode) { int s = 1; switch (mode) { case 0: s = 8; break; case 1: s = 4; break; default: s = 2; } x[threadIdx.x * s] = 0; }",
      "x[threadIdx.x * s]",
    );
    expect(store?.verdict).toMatchObject({ kind: "unknown", dependsOnData: false });
    expect(factorsOf(store)).toEqual([1, 8]);
  });

  it("claim no figure of a tile with a border, whose rows begin off a sector by their length", async () => {
    const loadOf = async (index: string) =>
      (
        await accessesOf(
          `void k(float *x, const float *y, int w) { x[threadIdx.x] = y[${index}]; }`,
          `y[${index}]`,
        )
      )[0];
    const row = "blockIdx.y * w + blockIdx.x * 32 + threadIdx.x";
    expect((await loadOf(row))?.verdict.kind).toBe("conditional");
    expect(await loadOf(`${row} - 1`)).toMatchObject({
      verdict: { kind: "unknown", reason: "w", isLeastKnown: true },
      perRequest: { least: { cost: 4 }, most: { cost: 5 } },
    });
    const rows = "(blockIdx.y * 2 + threadIdx.x / 16) * w + blockIdx.x * 16 + threadIdx.x % 16";
    expect((await loadOf(rows))?.verdict.kind).toBe("conditional");
    expect((await loadOf(`${rows} - 1`))?.verdict).toMatchObject({ kind: "unknown", reason: "w" });
  });

  it("count all lanes but one, or one alone, where a number that nobody knows is compared with the lane's", async () => {
    const kernel = (body: string) => `void k(float *x, int n, int m) { int t = threadIdx.x; ${body} }`;
    const figuresOf = async (body: string, access: string) => {
      const found = (await accessesOf(kernel(body), access))[0];
      return [factorsOf(found), found?.perRequest?.most.cost, found?.verdict.kind];
    };
    // 31 floats fill four sectors, and a sector of four lanes is touched whichever of them is missing.
    expect(await figuresOf("if (t != (n & 31)) x[t * 2] = 0;", "x[t * 2]")).toEqual([
      [2, 2],
      8,
      "conditional",
    ]);
    // Of eight lanes a sector, too; of one lane a sector, the missing one is one sector less.
    expect(await figuresOf("if (t == (n & 31)) return; x[t * 8] = 0;", "x[t * 8]")).toEqual([
      [31 / 4, 8],
      32,
      "conditional",
    ]);
    // How often that is nobody knows.
    const [alone] = await accessesOf(kernel("if (t == (n & 31)) x[t * 8 + m] = 0;"), "x[t * 8 + m]");
    expect(alone).toMatchObject({ totals: null, requests: null });
    expect(await figuresOf("if (t == (n & 31)) x[t * 8 + m] = 0;", "x[t * 8 + m]")).toEqual([
      [1, 1],
      1,
      "exact",
    ]);
    // Four lanes have one number, two tests a lane each, and every trip loses one more.
    for (const body of [
      "if (t / 4 == (n & 7)) x[t * 8] = 0;",
      "if (t == (n & 31) || t == (m & 31)) x[t * 8] = 0;",
      "if (t == (n & 31)) return; if (t == (m & 31)) return; x[t * 8] = 0;",
      "for (int k = n; k < m; k++) { if (t == (k & 31)) break; x[t * 8] = 0; }",
    ])
      expect(await figuresOf(body, "x[t * 8]")).toEqual([null, undefined, "unknown"]);
  });

  it("join unknowns that part the lanes in one proportion to one pitch", async () => {
    const storeAt = async (index: string) => {
      const kernel = `void k(float *x, int n, int m, int w) { int i = threadIdx.x; x[${index}] = 0; }`;
      return (await accessesOf(kernel, `x[${index}]`))[0];
    };
    const joined = await storeAt("i * (n + 1) * n");
    expect(joined?.verdict).toMatchObject({ kind: "conditional", condition: "n + n*n >= 8" });
    expect(factorsOf(joined)).toEqual([8, 8]);
    expect((await storeAt("i * (2 * n + m)"))?.verdict).toMatchObject({ condition: "2*n + m >= 8" });
    // Rows and columns each have their own; three are too many.
    const two = await storeAt("(i % 8 * w + i / 8) * (n + 1) * m");
    expect(two?.verdict.kind).toBe("conditional");
    const three = await storeAt("i % 4 * n + i / 4 % 4 * m + i / 16 * w");
    expect(three?.verdict).toMatchObject({
      reason: "lanes are apart by several unknown pitches: n, m, w",
    });
  });

  it("are not known of trips that lanes may have left before, as data say", async () => {
    const trips = (last: string) =>
      `void k(float *x, const float *y, int n) { int t = threadIdx.x; for (int k = 0; k < n; k++) { x[t + 32 * k] = 0; ${last} } }`;
    const [left] = await accessesOf(trips("if (y[t] > 0) break;"), "x[t + 32 * k]");
    expect(left?.verdict).toMatchObject({ kind: "unknown", dependsOnData: true });
    const [stayed] = await accessesOf(trips("if (y[t] > 0) x[0] = 1;"), "x[t + 32 * k]");
    expect(stayed?.verdict.kind).not.toBe("unknown");
    const [together] = await accessesOf(trips("if (y[0] > 0) break;"), "x[t + 32 * k]");
    expect(together?.verdict.kind).not.toBe("unknown");
    // Where each trip leaves the first of those that are left, they are the first of all.
    const [ordered] = await accessesOf(
      "void k(float *x, int n) { int t = threadIdx.x; for (int i = 0; i < n; i++) { if (i * 32 + t >= 1000) break; x[i * 32 + t] = 0; } }",
      "x[i * 32 + t]",
    );
    expect(factorsOf(ordered)).toEqual([1, 1]);
  });

  it("take a warp to lie within a row, where the row is asked for and where its edge is", async () => {
    const row = "int i = blockIdx.x * 32 + threadIdx.x;";
    const verdictOf = async (body: string) =>
      (await accessesOf(`void k(float *x, int n, int w) { ${row} ${body} }`, "x[i]"))[0];
    for (const guard of ["i / w > 0", "i / w != n", "i % w != 0", "!((i + 1) % w == 0)"]) {
      const access = await verdictOf(`if (${guard}) x[i] = 0;`);
      expect(access?.verdict, guard).toMatchObject({ kind: "conditional", assumptions: [interiorWarps] });
      expect(factorsOf(access)).toEqual([1, 1]);
    }
    // Of a few rows, or where data say how long they are, it is not to be expected.
    for (const guard of ["i % w % 4 != 0", "i % (int)x[0] != 0"])
      expect((await verdictOf(`if (${guard}) x[i] = 0;`))?.verdict.kind, guard).toBe("unknown");
  });

  it("average over all that a warp executes, also where nobody knows how many blocks there are", async () => {
    const [store] = await accessesOf(
      "void k(float *x) { __shared__ float s[1024]; for (int i = 0; i < 101; i++) s[threadIdx.x * (i < 100 ? 1 : 32)] = x[i]; }",
      "s[threadIdx.x * (i < 100 ? 1 : 32)]",
    );
    // A hundred requests of one wavefront, and one of 32.
    expect(factorsOf(store)).toEqual([132 / 101, 132 / 101]);
  });

  it("ask of a pitch no more than its strongest condition", async () => {
    const tile = "tile + blockIdx.x * 16 + blockIdx.y * 16 * pitch";
    const [load] = await accessesOf(
      `void k(half *tile, int pitch) {
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> b;
        nvcuda::wmma::load_matrix_sync(b, ${tile}, pitch); }`,
      `nvcuda::wmma::load_matrix_sync(b, ${tile}, pitch)`,
    );
    expect(load?.verdict).toMatchObject({ condition: "pitch >= 16" });
  });

  it("take the size behind a mask or a shift for a power of two, and a warp to lie in one row of it", async () => {
    const kernel =
      "void k(float *x, int n, int s) { __shared__ float t[1024]; int i = blockIdx.x * 32 + threadIdx.x; t[2 * i - (i & (n - 1))] = 0; x[(i >> s) * 3] = 0; }";
    const [masked] = await accessesOf(kernel, "t[2 * i - (i & (n - 1))]");
    expect(masked?.verdict).toMatchObject({
      condition: "n is a power of two and no warp straddles a multiple of n",
    });
    expect(factorsOf(masked)).toEqual([1, 1]);
    const [shifted] = await accessesOf(kernel, "x[(i >> s) * 3]");
    expect(shifted?.verdict).toMatchObject({ condition: "no warp straddles a multiple of 2^s" });
    expect(factorsOf(shifted)).toEqual([1, 1]);
    // Whole warps share what a shift by five or more leaves, whatever it is beyond that.
    const [group] = await accessesOf(
      "void k(float *x, int s) { int i = blockIdx.x * 32 + threadIdx.x; x[(i >> (5 + s)) * 3] = 0; }",
      "x[(i >> (5 + s)) * 3]",
    );
    expect(group?.verdict.kind).toBe("exact");
    expect(factorsOf(group)).toEqual([1, 1]);
  });

  it("know of a variable that a loop writes first what the loop makes of it", async () => {
    const [found] = await accessesOf(
      "void k(float *x, int n) { int row; for (int i = 0; i < n; i++) if (i % 3 == 1) row = i; x[row * 32 + threadIdx.x] = 0; }",
      "x[row * 32 + threadIdx.x]",
    );
    // Whole lines of 128 bytes, whichever.
    expect(found?.verdict.kind).toBe("exact");
    expect(factorsOf(found)).toEqual([1, 1]);
    const [element] = await accessesOf(
      "void k(float *x, const int *a, int n) { int w[2]; for (int i = 0; i < n; i++) w[1] = a[i]; x[w[1] * 8 + threadIdx.x * 8] = 0; }",
      "x[w[1] * 8 + threadIdx.x * 8]",
    );
    expect(element?.verdict.kind).toBe("exact");
    expect(factorsOf(element)).toEqual([8, 8]);
    const [read] = await accessesOf(
      "void k(float *x, const int *a, int n) { int w; for (int i = 0; i < n; i++) w = a[i + threadIdx.x]; x[w] = 0; }",
      "x[w]",
    );
    expect(read?.verdict).toMatchObject({ kind: "unknown", dependsOnData: true });
  });

  it("know the limits of number types", async () => {
    const index = "threadIdx.x * (std::numeric_limits<unsigned char>::max() + 1)";
    const [strided] = await accessesOf(`void k(float *x) { x[${index}] = 0; }`, `x[${index}]`);
    expect(strided?.verdict.kind).toBe("exact");
    expect(factorsOf(strided)).toEqual([8, 8]);
  });

  it("take no kernel to access a word off its boundary while another place is possible", async () => {
    const float = "*(float *)(x + (long long)blockIdx.x * bytes + threadIdx.x * 4)";
    const [placed] = await accessesOf(`void k(char *x, long long bytes) { ${float} = 0; }`, float);
    expect(factorsOf(placed)).toEqual([1, 1.25]);
    const column = "*(float *)(x + (long long)threadIdx.x * bytes)";
    const [strided] = await accessesOf(`void k(char *x, long long bytes) { ${column} = 0; }`, column);
    // From 32 bytes on each lane has one sector of its own, and never two.
    expect(strided?.verdict).toMatchObject({ condition: "bytes >= 32" });
    expect(factorsOf(strided)).toEqual([8, 8]);
  });

  it("follow the indices of many dimensions through products of their sizes", async () => {
    const parts = [
      "long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x",
      "long long d = i / (a * b * c), e = (i - d * a * b * c) / (a * b)",
      "long long f = (i - d * a * b * c - e * a * b) / a, g = i - d * a * b * c - e * a * b - f * a",
    ];
    const [access] = await accessesOf(
      `void k(char *x, long long a, long long b, long long c, long long s, long long t, long long u, long long v) {
        ${parts.join(";\n")}; *(float *)(x + g * s + f * t + e * u + d * v) = 0; }`,
      "*(float *)(x + g * s + f * t + e * u + d * v)",
    );
    expect(access?.verdict).toMatchObject({ kind: "conditional", dependsOnSizeOnly: false });
    expect(factorsOf(access)).toEqual([8, 8]);
  });

  it("take a guard to hold between an unknown start and an unknown end", async () => {
    const guard = "int i = first + blockIdx.x * 32 + threadIdx.x; if (i <= last)";
    const [inside] = await accessesOf(`void k(float *x, int first, int last) { ${guard} x[i] = 0; }`, "x[i]");
    expect(inside?.verdict).toMatchObject({
      kind: "conditional",
      assumptions: [interiorWarps],
    });
    expect(factorsOf(inside)).toEqual([1, 1.25]);
    // Of two sizes alone neither is a start or an end: all lanes go or none, and nothing is taken for granted.
    const [apart] = await accessesOf(
      "void k(float *x, int a, int b) { if (a < b) x[threadIdx.x * 3] = 0; }",
      "x[threadIdx.x * 3]",
    );
    expect(apart?.verdict.kind).toBe("exact");
    expect(apart?.totals).toBeNull();
  });

  it("take the lower guard of a stencil to hold in a grid that is not known", async () => {
    const [inside] = await accessesOf(
      "void k(float *x, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i >= 4 && i < n - 4) x[i] = 0; }",
      "x[i]",
    );
    expect(inside?.verdict).toMatchObject({
      kind: "conditional",
      assumptions: [interiorWarps],
    });
    expect(factorsOf(inside)).toEqual([1, 1]);
    // Where data move the position, it may be anywhere: what is said holds whichever lanes take part.
    const [moved] = await accessesOf(
      "void k(float *x, const int *d) { int i = blockIdx.x * 32 + threadIdx.x; if (i + d[0] >= 4) x[i] = 0; }",
      "x[i]",
    );
    expect(moved?.verdict).toMatchObject({ assumptions: [] });
  });

  it("follow guards that are joined by & and | as those joined by && and ||", async () => {
    const guarded = (guard: string) =>
      accessesOf(
        `void k(float *x, int n, int m) { int i = blockIdx.x * 32 + threadIdx.x; ${guard} }`,
        "x[i]",
      );
    const [both] = await guarded("if (i < n & i < m) x[i] = 0;");
    expect(both?.verdict).toMatchObject({
      kind: "conditional",
      assumptions: [interiorWarps],
    });
    const [kept] = await guarded("int inside = (i < n) & (i < m); if (inside) x[i] = 0;");
    expect(kept?.verdict.kind).toBe("conditional");
    // As numbers they are 0 and 1: what is added to an index may move it by that.
    const [added] = await accessesOf(
      "void k(float *x, int n) { int i = blockIdx.x * 32 + threadIdx.x; x[i + (i < n)] = 0; }",
      "x[i + (i < n)]",
    );
    expect(added?.verdict.kind).toBe("unknown");
  });

  it("name the data that a loop's counter starts from", async () => {
    const store = "s[step * (2 * threadIdx.x + 1)]";
    const [access] = await accessesOf(
      `void k(const int *counts, int *y) { __shared__ int s[4096]; int step = 1;
        for (int d = counts[0] >> 1; d > 0; d >>= 1) { if (threadIdx.x < d) ${store} = 0; step <<= 1; }
        __syncthreads(); y[threadIdx.x] = s[threadIdx.x]; }`,
      store,
    );
    expect(access?.verdict).toMatchObject({ kind: "unknown", dependsOnData: true });
    expect(access?.verdict).toMatchObject({ reason: "which lanes take part depends on counts[0]" });
  });

  it("know that words which data choose out of 32 neighbours share no bank", async () => {
    const load = async (index: string) => {
      const kernel = `void k(float *y, const unsigned *d) { __shared__ float s[256]; y[threadIdx.x] = s[${index}]; }`;
      return (await accessesOf(kernel, `s[${index}]`))[0];
    };
    const digit = await load("d[threadIdx.x] >> 3 & 15");
    expect(digit?.verdict.kind).toBe("exact");
    expect(digit?.totals).toBeNull();
    expect(factorsOf(digit)).toEqual([1, 1]);
    expect((await load("d[threadIdx.x] & 31"))?.verdict.kind).toBe("exact");
    expect((await load("d[threadIdx.x] & 63"))?.verdict.kind).toBe("unknown");
  });

  it("say nothing of accesses of a type that is not known", async () => {
    const [access] = await accessesOf(
      "void k(float *y) { __shared__ lib::Thing s; y[threadIdx.x] = s; }",
      "s",
    );
    expect(access?.verdict).toMatchObject({ kind: "unknown" });
  });

  it("know nothing of a local variable that code out of sight was given to write", async () => {
    const undeclared = "the function fill is declared nowhere in sight";
    const given: Record<string, readonly [body: string, expression: string, reason: string]> = {
      pointer: ["int n = 2; fill(&n); x[threadIdx.x * n] = 0;", "x[threadIdx.x * n]", undeclared],
      element: [
        "int w[2] = {2, 2}; fill(w + 1); x[threadIdx.x * w[1]] = 0;",
        "x[threadIdx.x * w[1]]",
        undeclared,
      ],
      reference: [
        "int n = 2; cub::Scan(x).Sum(n, n); x[threadIdx.x * n] = 0;",
        "x[threadIdx.x * n]",
        "defined here",
      ],
      record: [
        "struct Pair { int n; }; Pair pair = {2}; fill(pair); x[threadIdx.x * pair.n] = 0;",
        "x[threadIdx.x * pair.n]",
        undeclared,
      ],
      elsewhere: ["int n = 2; elsewhere(n); x[threadIdx.x * n] = 0;", "x[threadIdx.x * n]", "defined here"],
    };
    for (const [how, [body, expression, reason]] of Object.entries(given)) {
      const source = `void k(float *x) { ${body} }\n__device__ void elsewhere(int &n);`;
      const [access] = await accessesOf(source, expression);
      expect([how, access?.verdict.kind]).toEqual([how, "unknown"]);
      expect(access?.verdict).toMatchObject({ reason: expect.stringContaining(reason) });
    }
    const constant = "void k(float *x) { const int n = 2; fill(n); x[threadIdx.x * n] = 0; }";
    const [kept] = await accessesOf(constant, "x[threadIdx.x * n]");
    expect(kept?.verdict.kind).toBe("exact");
  });

  it("are listed where only the type of what a pointer points to is not known", async () => {
    const kernel = `void k(const lib::Thing *p, lib::Thing *q, float *y) {
      int i = threadIdx.x; q[i] = p[i]; y[i] = p[i + 1].weight; *(q + 2 * i) = p[3]; }`;
    const expressions = ["q[i]", "p[i]", "p[i + 1].weight", "*(q + 2 * i)", "p[3]"];
    for (const expression of expressions) {
      const accesses = await accessesOf(kernel, expression);
      expect(accesses.map(({ space, verdict }) => [space, verdict])).toMatchObject([
        ["global", { kind: "unknown", dependsOnData: false, reason: expect.stringContaining("lib::Thing") }],
      ]);
    }
    // What lies beside them is known as ever.
    const [known] = await accessesOf(kernel, "y[i]");
    expect(known?.verdict.kind).toBe("exact");
  });

  it("know what a function leaves behind a pointer to its caller's variable, whichever of its returns is taken", async () => {
    const search =
      "__device__ void find(int key, int *out) { int low = 0, high = 30; while (low <= high) { int i = (low + high) / 2; if (i > key) high = i - 1; else if (i < key) low = i + 1; else { *out = i; return; } } }";
    const body = "int at = 0; find(KEY, &at); x[at * 8] = 0;";
    const withKey = (key: string) =>
      accessesOf(`void k(float *x, const int *keys) { ${body.replace("KEY", key)} }\n${search}`, "x[at * 8]");
    const [known] = await withKey("threadIdx.x % 31");
    expect(known?.verdict.kind).toBe("exact");
    // Lanes 0 and 31 share a place; the 31 places lie in sectors of their own.
    expect(known?.perRequest?.least).toMatchObject({ cost: 31, ideal: 4 });
    const [byData] = await withKey("keys[threadIdx.x]");
    expect(byData?.verdict).toMatchObject({ kind: "unknown" });
  });

  it("are made for what code out of sight was given to read", async () => {
    for (const given of ["Sum(n)", "Sum(n, n)", "Sum(m, n)"]) {
      const source = `void k(const float *x, float *y) { float n = x[threadIdx.x], m; y[0] = cub::Scan(y).${given}; }`;
      const [access] = await accessesOf(source, "x[threadIdx.x]");
      expect([given, access?.verdict.kind]).toEqual([given, "exact"]);
    }
  });

  it("count the load and the swap of an atomic that is a loop, as the profiler does", async () => {
    const both = await accessesOf(
      "void k(float *y) { __shared__ float s[64]; s[threadIdx.x] = 0; __syncthreads(); atomicAdd(&s[threadIdx.x / 2], 1.5f); y[threadIdx.x] = s[threadIdx.x]; }",
      "atomicAdd(&s[threadIdx.x / 2], 1.5f)",
    );
    expect(both.map(({ operation, perRequest }) => [operation, perRequest?.least])).toEqual([
      ["load", { cost: 2, ideal: 2 }],
      ["atomic", { cost: 4, ideal: 4 }],
    ]);
  });

  it("name the variable that counts the trips where the trip decides, and neither it nor the warp by a name of our own", async () => {
    const reasonIn = async (loop: string) => {
      const [access] = await accessesOf(
        `void k(float *x, int n) { __shared__ float s[1024]; int w = threadIdx.x / 32; ${loop} x[threadIdx.x] = s[5]; }`,
        "s[at]",
      );
      return access?.verdict.kind === "unknown" ? access.verdict.reason : null;
    };
    const index = "int at = (int)(threadIdx.x * j + w) & 1023;";
    expect(await reasonIn(`for (int j = 3; j < n; j += 4) { ${index} s[at] = 0; }`)).toBe("j");
    expect(await reasonIn(`int j = 1; while (j < n) { ${index} s[at] = 0; j += 7; }`)).toBe("j");
    expect(
      await reasonIn(
        "for (int t = 0; t < n; t++) { int at = threadIdx.x * 2; if ((threadIdx.x ^ t) & 4) s[at] = 0; }",
      ),
    ).toBe("which lanes take part depends on t");
  });

  it("say which data decide where they choose lanes freely", async () => {
    const [access] = await accessesOf(
      "void k(float *x, const int *flags) { if (flags[threadIdx.x]) x[threadIdx.x * 8] = 0; }",
      "x[threadIdx.x * 8]",
    );
    expect(access?.verdict).toMatchObject({
      kind: "unknown",
      reason: "which lanes take part depends on flags[threadIdx.x]",
    });
  });

  it("follow one side of a uniform condition within known lanes as all or none", async () => {
    const [access] = await accessesOf(
      "void k(float *x, const int *flag) { int f = *flag; if (threadIdx.x < 16 && f) x[threadIdx.x * 8] = 0; }",
      "x[threadIdx.x * 8]",
    );
    expect(factorsOf(access)).toEqual([8, 8]);
  });

  it("end loops that only data end, and go on after them", async () => {
    const [access] = await accessesOf(
      "void k(float *x, const int *next) { int at = 0; while (true) { if (next[at] == 0) break; at = next[at]; } x[threadIdx.x] = 0; }",
      "x[threadIdx.x]",
    );
    expect(JSON.stringify(access?.verdict)).not.toContain("budget");
    expect(factorsOf(access)).toEqual([1, 1]);
  });

  it("keep the space of a pointer that is one of two arrays, and the step between two offsets", async () => {
    const [chosen] = await accessesOf(
      "void k(float *y, int stage) { __shared__ float a[64]; __shared__ float b[64]; float *p = a; if (stage) p = b; p[threadIdx.x * 2] = y[0]; }",
      "p[threadIdx.x * 2]",
    );
    expect(chosen?.space).toBe("shared");
    expect(factorsOf(chosen)).toEqual([2, 2]);
    const [staged] = await accessesOf(
      "void k(float *y, int stage) { int from = 0; if (stage) from = 1024; y[from + threadIdx.x] = 0; }",
      "y[from + threadIdx.x]",
    );
    expect(factorsOf(staged)).toEqual([1, 1]);
  });

  it("do not take what data add in each trip for a step", async () => {
    const [access] = await accessesOf(
      "void k(float *y, const int *d) { int at = 0; for (int i = 0; i < 64; i++) { y[at + (int)threadIdx.x] = 0; at += d[i]; } }",
      "y[at + (int)threadIdx.x]",
    );
    expect(access?.verdict.kind).not.toBe("exact");
    expect(factorsOf(access)).toEqual([1, 1.25]);
  });

  it("take a number in __constant__ memory for a size, and a table there for data, unless the host is seen to fill them", async () => {
    const declared = "void k(float *x); __constant__ int n, pitch; __constant__ int table[4]; __global__ ";
    const [guarded] = await accessesOf(
      `${declared} void k(float *x) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) x[i * pitch] = 0; }`,
      "x[i * pitch]",
    );
    expect(guarded?.verdict).toMatchObject({ kind: "conditional", condition: "pitch >= 8" });
    const [chosen] = await accessesOf(
      `${declared} void k(float *x) { int i = threadIdx.x; if (i * i < table[1]) x[i * 2] = 0; }`,
      "x[i * 2]",
    );
    expect(chosen?.verdict).toMatchObject({ kind: "unknown", dependsOnData: true });
  });

  it("claim nothing of rows that data place where data say how far apart they are", async () => {
    const kernel =
      "void k(float *y, const int *d) { __shared__ float tile[4096]; int pitch = d[0] + 17; tile[threadIdx.x * pitch] = 1; __syncthreads(); y[threadIdx.x] = tile[threadIdx.x]; }";
    const [store] = await accessesOf(kernel, "tile[threadIdx.x * pitch]");
    expect(store?.verdict).toMatchObject({ kind: "unknown", reason: "d[0]", dependsOnData: true });
  });

  it("know a division by the multiplier that the host made of a divisor", async () => {
    const kernel = (quotient: string) =>
      `void k(float *y, const float *x, unsigned m, unsigned s, unsigned d) { unsigned i = blockIdx.x * 32 + threadIdx.x; unsigned q = ${quotient}; y[q] = x[i - q * d]; }`;
    for (const quotient of ["(__umulhi(i, m) + i) >> s", "__umulhi(i, m) >> s"]) {
      const [store] = await accessesOf(kernel(quotient), "y[q]");
      expect(store?.verdict).toMatchObject({ kind: "conditional", dependsOnSizeOnly: false });
      expect(store?.verdict.kind === "conditional" && store.verdict.condition).toContain(
        "no warp straddles a multiple of the divisor behind m, s",
      );
      expect(factorsOf(store)).toEqual([1, 1]);
      const [load] = await accessesOf(kernel(quotient), "x[i - q * d]");
      expect(factorsOf(load)).toEqual([1, 1.25]);
    }
    const [other] = await accessesOf(kernel("(__umulhi(i, m) + 3 * i) >> s"), "y[q]");
    expect(other?.verdict.kind).toBe("unknown");
  });

  it("know how lanes differ that are whole multiples of the divisor apart, whatever is added to all of them", async () => {
    const kernel = (index: string, type: string) =>
      `void k(float *y, ${type} u, ${type} v) { ${type} i = ${index}; y[i / 32] = 0; }`;
    const [positive] = await accessesOf(kernel("u + 32 * threadIdx.x", "unsigned"), "y[i / 32]");
    expect(positive?.verdict.kind === "conditional" ? positive.verdict.condition : null).toBeNull();
    expect(factorsOf(positive)).toEqual([1, 1.25]);
    // (-1) / 32 is 0, and so is 31 / 32: towards zero two lanes may meet.
    const [signed] = await accessesOf(kernel("u - v + 32 * (int)threadIdx.x", "int"), "y[i / 32]");
    expect(signed?.verdict.kind === "conditional" && signed.verdict.condition).toContain(
      "what is divided by 32 has one sign within a warp",
    );
    const [parted] = await accessesOf(kernel("u + 31 * threadIdx.x", "unsigned"), "y[i / 32]");
    expect(parted?.verdict.kind).toBe("unknown");
  });

  it("take a warp to lie in one row where an unknown size parts its index, say so, and find nothing there", async () => {
    const body =
      "int i = blockIdx.x * 32 + threadIdx.x; if (i >= n) return; int c = i / w, r = i % w; y[(r * h + c) * 8] = x[c * w + r + h * 8];";
    const [store] = await accessesOf(
      `void k(float *y, const float *x, int n, int w, int h) { ${body} }`,
      "y[(r * h + c) * 8]",
    );
    expect(store?.verdict).toMatchObject({ kind: "conditional", dependsOnSizeOnly: false });
    expect(store?.verdict.kind === "conditional" && store.verdict.condition).toContain(
      "no warp straddles a multiple of w",
    );
    expect(factorsOf(store)?.[1]).toBe(8);
    // What the division took apart and the index puts together again stands under no condition.
    const [whole] = await accessesOf(
      "void k(float *y, int w) { int i = blockIdx.x * 32 + threadIdx.x; y[(i / w) * w + i % w] = 0; }",
      "y[(i / w) * w + i % w]",
    );
    expect(whole?.verdict.kind === "conditional" ? whole.verdict.condition : null).toBeNull();
    expect(factorsOf(whole)).toEqual([1, 1]);
    // Whether such lanes go together is not known.
    const [guarded] = await accessesOf(
      "void k(float *y, int w) { int i = blockIdx.x * 32 + threadIdx.x; if (i / w == 3) y[threadIdx.x * 3] = 0; }",
      "y[threadIdx.x * 3]",
    );
    expect(guarded?.verdict.kind).not.toBe("exact");
    const [data] = await accessesOf(
      "void k(float *y, const int *d, int w) { y[(d[threadIdx.x] / w) * 3] = 0; }",
      "y[(d[threadIdx.x] / w) * 3]",
    );
    expect(data?.verdict.kind).toBe("unknown");
  });

  it("take lanes to pass a test of positions together where the grid is not known, as guards against sizes", async () => {
    const at = "int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;";
    const guarded = async (guard: string) => {
      const [store] = await accessesOf(
        `void k(float *x, const int *limits, int n) { ${at} if (${guard}) x[col * 8] = 0; }`,
        "x[col * 8]",
      );
      return store;
    };
    // Above the diagonal: but for the warp that lies across it, all lanes or none.
    const above = await guarded("col > row");
    expect(above?.verdict).toMatchObject({ kind: "conditional", assumptions: [interiorWarps] });
    expect(factorsOf(above)).toEqual([8, 8]);
    const triangle = await guarded("col < n && col > row");
    expect(triangle?.verdict).toMatchObject({ kind: "conditional", assumptions: [interiorWarps] });
    expect(factorsOf(triangle)).toEqual([8, 8]);
    const eitherSide = await guarded("col < n - 64 || col >= n + row");
    expect(eitherSide?.verdict).toMatchObject({ kind: "conditional", assumptions: [interiorWarps] });
    // Beyond a size there are whole warps as well.
    const beyond = await guarded("!(col < n)");
    expect(beyond?.verdict).toMatchObject({ kind: "conditional", assumptions: [interiorWarps] });
    expect(factorsOf(beyond)).toEqual([8, 8]);
    // Within a block they part anywhere.
    expect((await guarded("!(threadIdx.x < n)"))?.verdict.kind).toBe("conditional");
    expect(factorsOf(await guarded("!(threadIdx.x < n)"))).toEqual([1, 8]);
    // A limit in memory may lie anywhere within a warp.
    expect(factorsOf(await guarded("col > limits[row]"))).toEqual([1, 8]);
    // Its own lanes decide, or one position alone does.
    expect((await guarded("threadIdx.x > 3"))?.verdict.kind).toBe("exact");
    expect((await guarded("row == 0"))?.verdict.kind).toBe("exact");
    const corner = await guarded("threadIdx.x < 16 && row == 0");
    expect(corner?.verdict.kind).toBe("exact");
    expect(factorsOf(corner)).toEqual([8, 8]);
  });

  it("give all lanes one value of what they shuffle from one lane, whatever that lane holds", async () => {
    const stored = async (given: string) => {
      const [store] = await accessesOf(
        `void k(float *x, const int *rows, int n) {
          int lane = threadIdx.x, row = 0;
          ${given}
          x[(row + 1) % n * 64 + lane] = 0;
        }`,
        "x[(row + 1) % n * 64 + lane]",
      );
      return [factorsOf(store), store?.verdict.kind];
    };
    expect(await stored("if (lane == 0) row = rows[7]; row = __shfl_sync(0xffffffffu, row, 0);")).toEqual([
      [1, 1],
      "exact",
    ]);
    expect(await stored("row = __shfl_sync(0xffffffffu, rows[lane], n % 32);")).toEqual([[1, 1], "exact"]);
    // In halves of a warp there are two.
    expect((await stored("row = __shfl_sync(0xffffffffu, rows[lane], 0, 16);"))[1]).toBe("unknown");
    expect((await stored("row = __shfl_xor_sync(0xffffffffu, rows[lane], 1);"))[1]).toBe("unknown");
  });

  it("know the excess of small tables that data index, not how many sectors they touch", async () => {
    const loaded = async (index: string) => {
      const [load] = await accessesOf(
        `void k(float *x, const int *levels, const float *table) { x[threadIdx.x] = table[${index}]; }`,
        `table[${index}]`,
      );
      const { least, most } = load?.perRequest ?? {};
      return [load?.verdict.kind, least, most];
    };
    const one = { cost: 1, ideal: 1 };
    expect(await loaded("levels[threadIdx.x] & 7")).toEqual(["exact", one, one]);
    // As many sectors as 32 lanes fill.
    expect(await loaded("levels[threadIdx.x] & 31")).toEqual(["conditional", one, { cost: 4, ideal: 4 }]);
    // Two places, wherever they are.
    expect(await loaded("(levels[threadIdx.x] & 1) * 1000")).toEqual([
      "conditional",
      one,
      { cost: 2, ideal: 2 },
    ]);
    expect((await loaded("levels[threadIdx.x] & 63"))[0]).toBe("unknown");
    expect((await loaded("4 + (levels[threadIdx.x] & 31)"))[0]).toBe("unknown");
  });

  it("take products of 24 bits for products of sizes and positions, not of data", async () => {
    const stored = async (row: string) => {
      const index = `__umul24(${row}, w) * 8 + threadIdx.x`;
      const [store] = await accessesOf(
        `void k(float *x, const int *d, int w) { x[${index}] = 0; }`,
        `x[${index}]`,
      );
      return factorsOf(store);
    };
    expect(await stored("blockIdx.y")).toEqual([1, 1]);
    expect(await stored("3")).toEqual([1, 1]);
    const [gathered] = await accessesOf(
      "void k(float *x, const int *d, int w) { x[__umul24(d[threadIdx.x], w)] = 0; }",
      "x[__umul24(d[threadIdx.x], w)]",
    );
    expect(gathered?.verdict.kind).toBe("unknown");
  });

  it("know that rows of whole warps part no warp, whatever their number", async () => {
    const stored = async (row: string) => {
      const index = `rows[${row}] * 32 + threadIdx.x % 32`;
      const [store] = await accessesOf(
        `void k(float *x, const int *rows, int n, int log) { unsigned i = blockIdx.x * 64 + threadIdx.x; x[${index}] = 0; }`,
        `x[${index}]`,
      );
      return store?.verdict.kind === "conditional" ? store.verdict.condition : store?.verdict.kind;
    };
    expect(await stored("i / (32 * n)")).toBe("exact");
    expect(await stored("(i & ((1 << (5 + log)) - 1)) >> 5")).toBe("exact");
    expect(await stored("i >> (5 + log)")).toBe("exact");
    expect(await stored("i / n")).toBe("no warp straddles a multiple of n");
    expect(await stored("(i & ((1 << (4 + log)) - 1)) >> 5")).toMatch(/no warp straddles|unknown/);
  });

  it("name what was loaded where a position chose between two loads", async () => {
    const [load] = await accessesOf(
      `void k(char *x, const char *text, const int *ends) {
        int b = blockIdx.x, length;
        if (b == 0) length = ends[0]; else length = ends[b] - ends[b - 1];
        if (threadIdx.x * 3 + 1 < length) x[threadIdx.x * 3] = 0;
      }`,
      "x[threadIdx.x * 3]",
    );
    const bounds = load?.perRequest;
    expect([load?.verdict.kind, bounds?.least.cost]).toEqual(["unknown", 1]);
    expect(load?.verdict).toMatchObject({
      reason: "which lanes take part depends on ends[0], ends[b], ends[b - 1]",
      dependsOnData: true,
    });
  });

  it("give sums without end up for one unknown", async () => {
    const mix = Array.from({ length: 40 }, (_, i) => `h += (h >> ${i % 7}) ^ (h << ${i % 5});`).join(" ");
    const [access] = await accessesOf(
      `void k(float *y, unsigned h) { for (int i = 0; i < 3; i++) { ${mix} } y[(h & 1023) * 32 + threadIdx.x] = 0; }`,
      "y[(h & 1023) * 32 + threadIdx.x]",
    );
    expect(factorsOf(access)).toEqual([1, 1]);
  }, 20_000);
});

describe("what folded warps make unknown", () => {
  it("is known of each warp: the bits of a float that is made of its index", async () => {
    const [access] = await accessesOf(
      "void k(float *x) { x[(__float_as_int((float)threadIdx.x) >> 23) * 32] = 0; }",
      "x[(__float_as_int((float)threadIdx.x) >> 23) * 32]",
      128,
    );
    // The numbers from 0 to 31 have six exponents, and the lanes of each other warp have one.
    expect(access?.verdict.kind).toBe("exact");
    expect(access?.perRequest?.most.cost).toBe((6 + 1 + 1 + 1) / 4);
  });

  it("is told by the unknown size that stands with them, for people have no name for the folded", async () => {
    const copy = `asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"((unsigned)__cvta_generic_to_shared(&s[t])), "l"(&a[t / 16 * n + t % 16 * 8]));`;
    const [access] = (
      await accessesOf(
        `void k(const short *a, int n) { __shared__ float4 s[128]; int t = threadIdx.x; ${copy} }`,
        null,
        128,
      )
    ).filter(({ verdict }) => verdict.kind === "unknown");
    expect(access?.verdict).toMatchObject({ reason: "n" });
  });
});

/** The accesses of a launch of one block; those that are written so, or all. */
async function accessesOf(
  kernel: string,
  expression: string | null,
  block: number | string = 32,
): Promise<AccessProfile[]> {
  const unit = await readText(`// warplint: launch(block=${block})\n__global__ ${kernel}\n`);
  const program = lowerProgram(unit, { prelude: await testPrelude() });
  const launch = launchesOf(program).kernels[0]?.launches[0];
  if (!launch) throw new Error("no launch");
  return evaluateLaunch(program, launch).accesses.filter(
    (each) => expression === null || each.expression === expression,
  );
}

/** Least and most cost over ideal. */
function factorsOf(access: AccessProfile | undefined): number[] | null {
  const bounds = access?.perRequest;
  return bounds ? [bounds.least.cost / bounds.least.ideal, bounds.most.cost / bounds.most.ideal] : null;
}
