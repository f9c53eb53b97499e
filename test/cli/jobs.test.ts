// `check` in several threads, and interrupted: the same output in the same order, and an end in any case.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";

const _root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "warplint-"));
const cli = builtCli();

/** Two kernels in one header: what is launched in one source, in another, and nowhere. */
const header = `template <int N> __device__ float column(const float (&tile)[32][N]) { return tile[threadIdx.x][0]; }
__global__ void shared_by_all(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][1] = 1;
  out[threadIdx.x] = column(tile);
}
__global__ void launched_nowhere(float *out) { out[threadIdx.x * 32] = 1; }
`;

const source = (index: number) => `#include "tile.cuh"
__global__ void own(float *out) { out[threadIdx.x * ${index + 2}] = 1; }
int main() {
  float *out;
  cudaMalloc(&out, 4096);
  own<<<1, 32>>>(out);
  ${index === 3 ? "shared_by_all<<<1, 32>>>(out);" : ""}
}
`;

beforeAll(() => {
  writeFileSync(join(folder, "tile.cuh"), header);
  for (let index = 0; index < 10; index++) writeFileSync(join(folder, `program${index}.cu`), source(index));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function check(...options: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, "check", "--no-cache", ...options, "."], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout;
}

it.each(["text", "json", "sarif"])("says the same in one thread and in three, as %s", (format) => {
  const one = check("--no-fixes", "--format", format, "--jobs", "1");
  expect(check("--no-fixes", "--format", format, "--jobs", "3")).toBe(one);
});

it("says what stands in a header once, and of a kernel that nothing launches too", () => {
  const places = check("--no-fixes")
    .split("\n")
    .filter((line) => /^\S+: (warning|information|error): /.test(line))
    .map((line) => line.split(":").slice(0, 2).join(":"));
  expect(places.filter((place) => place.startsWith("tile.cuh"))).toEqual([
    "tile.cuh:1",
    "tile.cuh:4",
    "tile.cuh:7",
  ]);
  // Sources first, in their order.
  expect(places.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `program${index}.cu:2`));
});

it("counts the accesses of kernels in headers, launched or not", () => {
  // One in each of ten sources, three of `shared_by_all` (the column's among them), one of `launched_nowhere`.
  expect(check("--no-fixes").trimEnd().split("\n").at(-1)).toMatch(/ · 3 kernels, 14 accesses: /);
});

it("gives what it has when it is interrupted", async () => {
  for (let index = 10; index < 60; index++) writeFileSync(join(folder, `program${index}.cu`), source(index));
  const child = spawn(process.execPath, [cli, "check", "--no-cache", "--no-fixes", "."], { cwd: folder });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => {
    if (stdout === "") child.kill("SIGINT");
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(code).toBe(130);
  expect(stdout).toMatch(/^program0\.cu:2:/);
  expect(stdout).toMatch(/ in \d+ of \d+ files? · /);
  expect(stderr).toMatch(/^warplint: interrupted: \d+ of 61 files linted\n$/);
});
