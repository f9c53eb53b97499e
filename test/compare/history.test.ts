// A history of twelve commits in a repository of its own: `compare` names the four that make accesses dearer, with what they cost.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIn } from "../support/terminal.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "warplint-history-")));

function git(...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const transpose = (pitch: string, name = "transpose") => `#include "tiles.h"
__global__ void ${name}(float *out, const float *in) {
  __shared__ float tile[32][${pitch}];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run_${name}() {
  float *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  ${name}<<<1, dim3(32, 32)>>>(out, in);
}
`;

const swizzled = (column: string) => `__global__ void swizzled(float *out, const float *in) {
  __shared__ float square[32][32];
  square[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = square[threadIdx.x][${column}];
}
void run_swizzled() {
  float *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  swizzled<<<1, dim3(32, 32)>>>(out, in);
}
`;

/** TILE_WIDTH comes from CMake. */
const rows = `__global__ void rows(float *out) {
  __shared__ float rows_of[32 * TILE_WIDTH];
  for (int i = threadIdx.x; i < 32 * TILE_WIDTH; i += 32) rows_of[i] = i;
  __syncthreads();
  out[threadIdx.x] = rows_of[threadIdx.x * TILE_WIDTH];
}
void run_rows() {
  float *out;
  cudaMalloc(&out, 4096);
  rows<<<1, 32>>>(out);
}
`;

/** STRIDE comes from tiles.h. */
const strided = `#include "tiles.h"
__global__ void strided(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x * STRIDE]; }
void run_strided() {
  float *out, *in;
  cudaMalloc(&out, 65536);
  cudaMalloc(&in, 65536);
  strided<<<1, 256>>>(out, in);
}
`;

const copies = (block: number) => `__global__ void both(float *a, float *b, const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = c[i];
  b[i] = c[i] * 2;
}
void run_both() {
  float *a, *b, *c;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&c, 4096);
  both<<<1024 / ${block}, ${block}>>>(a, b, c);
}
`;

const split = `__global__ void first(float *a, const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = c[i];
}
__global__ void second(float *b, const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = c[i] * 2;
}
void run_both() {
  float *a, *b, *c;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&c, 4096);
  first<<<4, 256>>>(a, c);
  second<<<4, 256>>>(b, c);
}
`;

const cmake = (width: number) => `cmake_minimum_required(VERSION 3.20)
project(history CUDA)
add_executable(app main.cu transpose.cu swizzled.cu rows.cu strided.cu copies.cu)
target_compile_definitions(app PRIVATE TILE_WIDTH=${width})
`;

const main = (transposed: string) => `void run_${transposed}();
void run_swizzled();
void run_rows();
void run_strided();
void run_both();
int main() {
  run_${transposed}();
  run_swizzled();
  run_rows();
  run_strided();
  run_both();
}
`;

type Files = Readonly<Record<string, string | null>>;

/** What each commit writes (null: removes). */
const history: readonly { readonly message: string; readonly files: Files }[] = [
  {
    message: "all of it",
    files: {
      "CMakeLists.txt": cmake(33),
      "tiles.h": "#define STRIDE 1\n",
      "main.cu": main("transpose"),
      "transpose.cu": transpose("33"),
      "swizzled.cu": swizzled("threadIdx.y ^ threadIdx.x"),
      "rows.cu": rows,
      "strided.cu": strided,
      "copies.cu": copies(256),
    },
  },
  { message: "pad removed", files: { "transpose.cu": transpose("32") } },
  { message: "pad is back", files: { "transpose.cu": transpose("33") } },
  { message: "swizzle deleted", files: { "swizzled.cu": swizzled("threadIdx.y") } },
  { message: "tile changed in CMake only", files: { "CMakeLists.txt": cmake(32) } },
  { message: "macro of a header", files: { "tiles.h": "#define STRIDE 8\n" } },
  {
    message: "kernel renamed",
    files: { "transpose.cu": transpose("33", "flip"), "main.cu": main("flip") },
  },
  {
    message: "kernel moved",
    files: {
      "transpose.cu": null,
      "flip.cu": transpose("33", "flip"),
      "CMakeLists.txt": cmake(32).replace("transpose.cu", "flip.cu"),
    },
  },
  { message: "block changed", files: { "copies.cu": copies(128) } },
  {
    message: "refactored",
    files: { "strided.cu": strided.replace("in[threadIdx.x * STRIDE]", "in[STRIDE * threadIdx.x]") },
  },
  { message: "kernel split", files: { "copies.cu": split } },
  { message: "words", files: { "README.md": "Kernels.\n" } },
];

beforeAll(() => {
  git("init", "-q");
  for (const { message, files } of history) {
    for (const [path, text] of Object.entries(files)) {
      const absolute = join(folder, path);
      mkdirSync(dirname(absolute), { recursive: true });
      if (text === null) rmSync(absolute);
      else writeFileSync(absolute, text);
    }
    git("add", "-A");
    git("commit", "-q", "-m", message);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runIn(folder, ["compare", ...args]);

const last = history.length - 1;
const revision = (commit: number) => (commit === last ? "HEAD" : `HEAD~${last - commit}`);

async function compareCommit(index: number) {
  const { code, out, errors } = await run(revision(index - 1), revision(index), "--format", "json");
  expect(errors).toBe("");
  const { kernels } = JSON.parse(out) as { kernels: Kernel[] };
  const statuses = new Map(kernels.map((each) => [each.after?.name ?? `-${each.before?.name}`, each.status]));
  return { code, kernels, statuses };
}

interface Figure {
  readonly cost: number;
  readonly ideal: number;
}
interface Kernel {
  readonly before: { readonly name: string; readonly path: string } | null;
  readonly after: { readonly name: string; readonly path: string } | null;
  readonly status: string;
  readonly total: Readonly<
    Record<"wavefronts" | "sectors", { readonly before: Figure; readonly after: Figure }>
  >;
}

/** The figures are those that the hardware counts: a column of 32 rows is 32 wavefronts in each of 32 warps, and so on. */
const worse: Readonly<
  Record<string, { kernel: string; unit: "wavefronts" | "sectors"; excess: [number, number] }>
> = {
  "pad removed": { kernel: "transpose", unit: "wavefronts", excess: [0, 32 * 31] },
  "swizzle deleted": { kernel: "swizzled", unit: "wavefronts", excess: [0, 32 * 31] },
  "tile changed in CMake only": { kernel: "rows", unit: "wavefronts", excess: [0, 31] },
  "macro of a header": { kernel: "strided", unit: "sectors", excess: [0, 8 * 28] },
};

describe("each commit", () => {
  it.each(history.slice(1).map(({ message }, index) => [message, index + 1] as const))(
    "%s",
    async (message, index) => {
      const { code, kernels, statuses } = await compareCommit(index);
      const expected = worse[message];
      const found = kernels.filter(({ status }) => status === "worse");
      expect(code).toBe(expected === undefined ? 0 : 1);
      expect(found.map(({ after }) => after?.name)).toEqual(expected === undefined ? [] : [expected.kernel]);
      if (expected !== undefined) {
        const change = found[0]?.total[expected.unit];
        const excess = [change?.before, change?.after].map((each) => (each ? each.cost - each.ideal : null));
        expect(excess).toEqual(expected.excess);
      }
      expect([...statuses.values()]).not.toContain("unknown");
    },
  );
});

it("a kernel with another name, in another file, is known again", async () => {
  const { out } = await run(revision(5), revision(7), "--format", "json");
  const { kernels } = JSON.parse(out) as { kernels: Kernel[] };
  expect(kernels).toContainEqual(
    expect.objectContaining({
      before: { path: "transpose.cu", name: "transpose" },
      after: { path: "flip.cu", name: "flip" },
      status: "same",
    }),
  );
});

it("a split kernel is gone in part, and what is new is told apart", async () => {
  const { statuses } = await compareCommit(10);
  expect([...statuses.values()].sort()).toEqual(expect.arrayContaining(["new"]));
  expect([...statuses.values()]).not.toContain("worse");
});

it("the working tree stands against a revision, with changes that nobody has committed", async () => {
  const path = join(folder, "flip.cu");
  writeFileSync(path, transpose("32", "flip"));
  try {
    const { code, out } = await run("HEAD");
    expect(code).toBe(1);
    expect(out.split("\n").slice(0, 4)).toEqual([
      "HEAD → working tree",
      "worse: flip (flip.cu)",
      "  block (32,32), grid (1): wavefronts 64 → 1,056 (ideal 64), sectors 256 (ideal 256)",
      "    flip.cu:6 tile[threadIdx.x][threadIdx.y]: excess 0 → 992 wavefronts",
    ]);
    expect((await run("HEAD", "--tolerance", "2000%")).code).toBe(0);
    expect((await run("HEAD", "--tolerance", "992")).code).toBe(0);
    expect((await run("HEAD", "--tolerance", "991")).code).toBe(1);
    expect((await run("HEAD", "--budget", ".git/budget.json", "--update-budget")).code).toBe(0);
    expect((await run("HEAD", "--budget", ".git/budget.json")).code).toBe(0);
  } finally {
    writeFileSync(path, transpose("33", "flip"));
  }
});

it.each([
  [
    ["nothing-of-the-sort"],
    "warplint: nothing-of-the-sort: neither a report, a folder nor a revision of git\n",
  ],
  [["--", "--output=x"], "warplint: --output=x: neither a report, a folder nor a revision of git\n"],
  [["README.md"], "warplint: README.md: not a report of `warplint analyze`: not JSON\n"],
  [["HEAD", "--budget", "none.json"], "warplint: none.json: no such file or directory\n"],
])("%j is refused", async (args, message) => {
  expect(await run(...args)).toEqual({ code: 2, out: "", errors: message });
});
