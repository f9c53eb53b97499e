// The cache of `check`: what it says is what a run without it says, whatever changed in between.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";

const _root = fileURLToPath(new URL("../..", import.meta.url));
const cli = builtCli();
let folder = "";

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), "warplint-"));
  for (const [path, text] of Object.entries(project)) write(path, text);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const column = (rows: string) => `__global__ void k(float *out) {
  __shared__ float tile[32][${rows}];
  tile[threadIdx.x][0] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][1];
}
`;

/** A program alone, one of two sources, and one whose tile the build makes. */
const project: Readonly<Record<string, string>> = {
  "CMakeLists.txt": `project(p LANGUAGES CUDA)
add_executable(built built.cu)
target_compile_definitions(built PRIVATE ROWS=32)
`,
  "alone.cu": `#include "tile.cuh"
${column("WIDTH")}
int main() { float *out; cudaMalloc(&out, 128); k<<<1, 32>>>(out); }
`,
  "tile.cuh": "#define WIDTH 32\n",
  "built.cu": `${column("ROWS")}
int main() { float *out; cudaMalloc(&out, 128); k<<<1, 32>>>(out); }
`,
  "kernels.cu": `__global__ void far(float *out, int step) { out[threadIdx.x * step] = 1; }
`,
  "missing.cu": `#include "absent.h"
#ifdef ABSENT
${column("32")}
#else
${column("33")}
#endif
int main() { float *out; cudaMalloc(&out, 128); k<<<1, 32>>>(out); }
`,
};

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function check(...options: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, "check", "--no-fixes", ...options, "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout + stderr;
}

it("says the same again, from the cache", () => {
  const first = check();
  expect(first).toBe(check("--no-cache"));
  const parts = readdirSync(join(folder, ".warplint_cache")).filter((name) => name.startsWith("part-"));
  expect(parts.length).toBeGreaterThan(0);
  expect(check()).toBe(first);
  expect(readdirSync(join(folder, ".warplint_cache")).filter((name) => name.startsWith("part-"))).toEqual(
    parts,
  );
});

it.each<readonly [change: string, () => void]>([
  ["a header is edited", () => write("tile.cuh", "#define WIDTH 33\n")],
  ["a header is gone", () => rmSync(join(folder, "tile.cuh"))],
  ["a header appears that was not found", () => write("absent.h", "#define ABSENT\n")],
  ["a header appears where projects keep them", () => write("include/absent.h", "#define ABSENT\n")],
  [
    "the build defines something else",
    () => write("CMakeLists.txt", (project["CMakeLists.txt"] ?? "").replace("ROWS=32", "ROWS=33")),
  ],
  [
    "a source appears that launches a kernel",
    () =>
      write(
        "main.cu",
        `__global__ void far(float *out, int step);
int main() { float *out; cudaMalloc(&out, 4096); far<<<1, 32>>>(out, 32); }
`,
      ),
  ],
  [
    "a configuration appears",
    () => write("warplint.json", '{ "rules": { "shared-bank-conflict": "error" } }'),
  ],
  ["a file is ignored", () => write(".gitignore", "alone.cu\n")],
  ["a source is edited", () => write("built.cu", "int x;\n")],
])("%s", (_, change) => {
  const before = check();
  change();
  const after = check();
  expect(after).toBe(check("--no-cache"));
  expect(after).not.toBe(before);
});

it("says a whole run again, for the same arguments", () => {
  const first = check();
  const cache = join(folder, ".warplint_cache");
  const runs = () => readdirSync(cache).filter((name) => name.startsWith("run-"));
  expect(runs()).toHaveLength(1);
  const [run = ""] = runs();
  // With the parts gone, only the run itself can say it.
  for (const name of readdirSync(cache)) if (name.startsWith("part-")) rmSync(join(cache, name));
  expect(check()).toBe(first);
  expect(readdirSync(cache).filter((name) => name.startsWith("part-"))).toEqual([]);
  expect(readFileSync(join(cache, run), "utf8")).toContain("bank conflict");
  check("--format", "json");
  expect(runs()).toHaveLength(2);
});

it("takes an entry that is damaged as none", () => {
  const first = check();
  const cache = join(folder, ".warplint_cache");
  for (const name of readdirSync(cache)) writeFileSync(join(cache, name), "{");
  expect(check()).toBe(first);
});

it("keeps nothing where it is told to, and is removed by clean", () => {
  check("--no-cache");
  expect(existsSync(join(folder, ".warplint_cache"))).toBe(false);
  check();
  expect(readFileSync(join(folder, ".warplint_cache/.gitignore"), "utf8").split("\n")).toContain("*");
  expect(spawnSync(process.execPath, [cli, "clean"], { cwd: folder }).status).toBe(0);
  expect(existsSync(join(folder, ".warplint_cache"))).toBe(false);
});
