// `check --since`: findings of kernels alone whose figures changed since a revision.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runIn } from "../support/terminal.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "warplint-since-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
    cwd: folder,
    stdio: "pipe",
  });
}

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

const strided = (name: string) => `__global__ void ${name}(float *out) {
  out[threadIdx.x * 8] = 1;
}
void run_${name}(float *out) { ${name}<<<1, 32>>>(out); }
`;

beforeAll(() => {
  write("pitch.h", "#define PITCH 33\n");
  write(
    "tile.cu",
    `#include "pitch.h"
__global__ void column(float *out) {
  __shared__ float tile[32][PITCH];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *out) { column<<<1, dim3(32, 32)>>>(out); }
`,
  );
  write("old.cu", strided("old"));
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
});

const check = async (...args: string[]) => {
  const ran = await runIn(folder, ["check", "--no-fixes", "--no-cache", "--format", "concise", ...args, "."]);
  return { ...ran, places: ran.out.split("\n").map((line) => line.split(":").slice(0, 2).join(":")) };
};

it("without a change nothing is reported, though there is a finding", async () => {
  expect((await check()).places).toEqual(["old.cu:2", ""]);
  expect(await check("--since", "HEAD")).toMatchObject({ code: 0, out: "" });
});

it("a header's change, and a new kernel, are; what only moved is not", async () => {
  write("pitch.h", "#define PITCH 32\n");
  write("old.cu", `// moved\n${strided("old")}`);
  write("new.cu", strided("fresh"));
  const { code, places } = await check("--since", "HEAD");
  expect(places).toEqual(["new.cu:2", "tile.cu:6", ""]);
  expect(code).toBe(1);
});

it("a revision that is not there is told", async () => {
  const { code, errors } = await check("--since", "nowhere");
  expect(code).toBe(2);
  expect(errors).toContain("nowhere: neither a report, a folder nor a revision of git");
});
