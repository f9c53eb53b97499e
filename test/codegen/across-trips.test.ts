// What codegen leaves open of loads that successive trips have in common, against what the GPU executed: fixtures/codegen/across_trips.cu runs
// each loop for 40 trips of one warp, so that a load which every trip makes is executed 40 times.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { forEachExpressionOf } from "../../server/src/codegen/walks/walk.ts";
import type { Expression } from "../../server/src/ir/expression.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { readText } from "../support/parser.ts";

const trips = 40;

interface Row {
  readonly kernel: string;
  readonly sites: readonly { readonly line: number; readonly sass: string; readonly inst: number }[];
}

interface Fixture {
  readonly text: string;
  readonly rows: readonly Row[];
}

function fixtureOf(name: string): Fixture {
  const truth = readFileSync(`fixtures/codegen/${name}.truth.jsonl`, "utf8").trim().split("\n");
  const rows = truth.map((line) => JSON.parse(line) as Row);
  return { text: readFileSync(`fixtures/codegen/${name}.cu`, "utf8"), rows };
}

const acrossTrips = fixtureOf("across_trips");
const behindLoops = fixtureOf("behind_loops");

/** The loads that the GPU executed in those lines. */
function executedIn({ rows }: Fixture, kernel: string, lines: ReadonlySet<number>): number {
  const row = rows.find((each) => each.kernel.startsWith(`${kernel}(`));
  return (row?.sites ?? [])
    .filter(({ line, sass }) => sass.startsWith("LD") && lines.has(line))
    .reduce((sum, { inst }) => sum + inst, 0);
}

/** The loads of a kernel that codegen leaves: in how many lines, how many a trip, and what is said of any of them. */
async function loadsOf(
  { text }: Fixture,
  kernel: string,
): Promise<{ lines: Set<number>; count: number; notes: Set<string> }> {
  const starts = lineStarts(text);
  const program = generateCode(lowerProgram(await readText(text)));
  const declaration = program.kernels.find(({ name }) => name === kernel);
  const id = declaration ? program.instantiateKernel(declaration, []) : null;
  const lines = new Set<number>();
  const notes = new Set<string>();
  let count = 0;
  forEachExpressionOf((id && program.functionOf(id)?.body) ?? [], (node: Expression) => {
    if (node.kind !== "load" || node.place.kind !== "memory" || !node.site) return;
    lines.add(positionAt(starts, node.site.range.start).line);
    count++;
    if (node.site.uncertain !== undefined) notes.add(node.site.uncertain);
  });
  return { lines, count, notes };
}

describe("loads that successive trips have in common", () => {
  it.each([
    ["runningSum", "kept"],
    ["recurrence", "kept"],
    ["column", "kept"],
    ["storedUnderCondition", "kept"],
    ["rowsUp", "kept"],
    ["rowsDown", "kept"],
    ["points", "in rounds"],
    ["changedInOneBranch", "kept"],
    ["changedBehindContinue", "kept"],
    ["changedUnrolledByOne", "as written"],
    ["changedInTwoBranches", "as written"],
    ["boundedTwice", "merged"],
    ["boundedLow", "merged"],
    ["pointsOneByOne", "as written"],
    ["storedElsewhere", "as written"],
    ["rowsStoredElsewhere", "as written"],
    ["otherRows", "as written"],
    ["underCondition", "as written"],
    ["acrossBarrier", "as written"],
  ] as const)("%s: %s", async (kernel, what) => {
    const { lines, count, notes } = await loadsOf(acrossTrips, kernel);
    const executed = executedIn(acrossTrips, kernel, lines);
    if (what === "as written") {
      expect(executed).toBe(count * trips);
      expect([...notes]).toEqual([]);
    } else {
      expect(executed).toBeLessThan(count * trips);
      if (what === "in rounds") expect([...notes]).toEqual([]);
      else expect([...notes]).toEqual([what === "kept" ? "keeps-in-register" : "loads-vectors"]);
    }
  });
});

describe("a load in front of a loop that stores to its place in every trip", () => {
  it("is made by the rounds and by the trips left over, where nothing was loaded before", async () => {
    const { notes, lines } = await loadsOf(behindLoops, "notHeld");
    // Two warps: 21 loads of the data, two of the sum before the loop, one behind it.
    expect(executedIn(behindLoops, "notHeld", lines)).toBe(2 * (21 + 2 + 1));
    expect([...notes]).toEqual(["once-per-part"]);
  });

  it.each(["held", "notHeldButSure"])("is made once or never in %s", async (kernel) => {
    expect([...(await loadsOf(behindLoops, kernel)).notes]).toEqual([]);
  });
});

describe("the rounds of a loop of known trips, each with words of 16 bytes that lie in several of them", () => {
  const tiles = fixtureOf("tile_rounds");
  const isVector = ({ sass }: Row["sites"][number]) => sass === "LDS.128";
  const vectorsOf = (kernel: string) =>
    (tiles.rows.find((row) => row.kernel.startsWith(`${kernel}(`))?.sites ?? []).filter(isVector).length;

  it.each(["eightByEight", "sevenBySeven", "sixByEight", "fourBySix", "fourByFourAsked"])(
    "are made one by one in %s",
    async (kernel) => {
      expect(vectorsOf(kernel)).toBe(0);
      expect([...(await loadsOf(tiles, kernel)).notes]).toEqual([]);
    },
  );

  it.each(["fourByFour", "fourByEight", "sixBySeven", "fourByTen"])(
    "may be made several at a time in %s",
    async (kernel) => {
      expect(vectorsOf(kernel)).toBeGreaterThan(0);
      expect([...(await loadsOf(tiles, kernel)).notes]).toEqual(["loads-vectors"]);
    },
  );
});

describe("what a trip hands on to the next by a variable", () => {
  const kernel = (
    body: string,
  ) => `__global__ void k(unsigned char *in, unsigned char *other, int n, int step) {
  int previous = threadIdx.x, current = previous + step;
  for (int i = 1; i < n; i++) {
    ${body}
  }
}`;
  const notesOf = async (body: string): Promise<readonly (string | null)[]> => {
    const program = generateCode(lowerProgram(await readText(kernel(body))));
    const [declaration] = program.kernels;
    const id = declaration ? program.instantiateKernel(declaration, []) : null;
    const notes: (string | null)[] = [];
    forEachExpressionOf((id && program.functionOf(id)?.body) ?? [], (node: Expression) => {
      if (node.kind === "load" && node.place.kind === "memory") notes.push(node.site?.uncertain ?? null);
    });
    return notes;
  };
  const handOn = "previous = current; current += step;";

  // An H200 executes one load a trip of the first: LLVM makes rounds of four, of which the first alone loads what the trip in front has stored.
  const round = [null, "keeps-in-register", null, null, null];
  const leftOver = [null, "keeps-in-register"];
  it.each([
    [`in[current] = in[current] ^ in[previous]; ${handOn}`, [...round, ...leftOver]],
    [`if (in[current] > in[previous]) other[i] = 1; ${handOn}`, [null, null]],
    [`other[i] = in[current] ^ in[previous]; ${handOn}`, [null, null]],
    ["in[current] ^= in[previous]; current += step; previous = current;", [null, null]],
    [`in[current] ^= in[previous]; if (i % 3) { ${handOn} }`, [null, null]],
    [`in[current] ^= in[previous]; __syncthreads(); ${handOn}`, [null, null]],
  ])("%s", async (body, expected) => {
    expect(await notesOf(body)).toEqual(expected);
  });
});

describe("neighbours of trips around an inner loop", () => {
  const kernel = (end: string) => `__global__ void k(float *a, int n) {
  __shared__ float rows[32][36], out[32];
  float sum = 0;
  rows[n][threadIdx.x] = out[threadIdx.x] = a[threadIdx.x];
  for (int k = 0; k < n; k++) {
    float v = rows[threadIdx.x][k];
    for (int j = 0; j < k; j++) sum += v * out[j];
    ${end}
  }
  a[threadIdx.x] = sum;
}`;
  // Floyd and Warshall's blocks, and eliminations: an H200 loads a word a trip of what a barrier parts.
  it.each([
    ["__syncthreads(); if (threadIdx.x == k) out[k] = sum; __syncthreads();", undefined],
    ["if (threadIdx.x == k) out[k] = sum;", "loads-vectors"],
    ["if (n > 7) __syncthreads();", "loads-vectors"],
    ["if (sum > 7) continue; __syncthreads();", "loads-vectors"],
  ])("%s", async (end, expected) => {
    const program = generateCode(lowerProgram(await readText(kernel(end))));
    const [declaration] = program.kernels;
    const id = declaration ? program.instantiateKernel(declaration, []) : null;
    const notes: (string | undefined)[] = [];
    forEachExpressionOf((id && program.functionOf(id)?.body) ?? [], (node: Expression) => {
      const isLoad = node.kind === "load" && node.place.kind === "memory" && node.site !== null;
      if (isLoad && node.site?.range.start === kernel(end).indexOf("rows[threadIdx.x][k]"))
        notes.push(node.site.uncertain);
    });
    expect(notes).toEqual([expected]);
  });
});
