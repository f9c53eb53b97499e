// `check` on a repository whose sources mostly instantiate one template.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";

const folder = mkdtempSync(join(tmpdir(), "warplint-"));

beforeAll(() => {
  writeFileSync(
    join(folder, "k.cuh"),
    `template <int N> __global__ void k(float* x) { x[threadIdx.x * 8] = N; }
template <int N> void launch(float* x) { k<N><<<1, 32>>>(x); }
`,
  );
  for (let index = 10; index < 30; index++)
    writeFileSync(
      join(folder, `k${index}.cu`),
      `#include "k.cuh"\ntemplate void launch<${index}>(float*);\n`,
    );
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("tells how many were left out, why, and what the others found", () => {
  const { stdout } = spawnSync(
    process.execPath,
    [builtCli(), "check", "--no-cache", "--no-fixes", "--jobs", "1", "."],
    { cwd: folder, encoding: "utf8" },
  );
  expect(stdout).toContain("in 1 of 21 files, 17 of them left out, for they are written as others");
  expect(stdout).toContain(
    "k12.cu: not analysed: 3 of 20 sources that are written as it is, but for arguments, were, and the last of them told nothing new",
  );
  expect(stdout).toMatch(/k\.cuh:1:\d+: warning/);
});
