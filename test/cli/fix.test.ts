// `check --fix` as users run it: what is written and what is not, what is said of it, and that the second time nothing is left to do.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtCli } from "../support/built.ts";

const _root = fileURLToPath(new URL("../..", import.meta.url));
const cli = builtCli();
let folder = "";

const kernel = (name: string, array = "tile") => `__global__ void ${name}(float *out, const float *in) {
  __shared__ float ${array}[32][32]; // a tile
  ${array}[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = ${array}[threadIdx.x][threadIdx.y];
}
`;
const launch = (...names: string[]) =>
  `void run(float *out, const float *in) {\n${names.map((name) => `  ${name}<<<1, dim3(32, 32)>>>(out, in);\n`).join("")}}\n`;
const conflict = kernel("transpose") + launch("transpose");
const padded = conflict.replace("[32][32];", "[32][33];");
const title = "Pad tile to [32][33]: 32 → 1 wavefronts, +128 B (output checked)";

/** The wrong index takes threadIdx.x: neighbouring lanes take columns. */
const columns = `__global__ void scale(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[x * n + y] = 2 * in[x * n + y];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  dim3 block(32, 8);
  dim3 grid((512 + block.x - 1) / block.x, (512 + block.y - 1) / block.y);
  scale<<<grid, block>>>(a, b, 512);
}
`;

const swap = "Swap x and y in the kernel and at its launch: 32 → 4 sectors (output checked)";

const write = (path: string, content: string | Uint8Array) => writeFileSync(join(folder, path), content);
const read = (path: string) => readFileSync(join(folder, path), "utf8");

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warplint-fix-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("check --fix", () => {
  it("writes the fix, says so, and has nothing to do the second time", () => {
    write("a.cu", conflict);
    const first = run("check", "--fix", "a.cu");
    expect(first).toEqual({
      status: 0,
      stdout: `fixed a.cu:5: ${title}\n1 fix in 1 file.\n\nNo findings in 1 file · 1 kernel, 4 accesses: 4 exact, 0 conditional, 0 unknown\n`,
      stderr: "",
    });
    expect(read("a.cu")).toBe(padded);
    const second = run("check", "--fix", "a.cu");
    expect(second.status).toBe(0);
    expect(second.stdout).not.toContain("fixed");
    expect(read("a.cu")).toBe(padded);
  });

  it("fixes every kernel of every file", () => {
    write("a.cu", kernel("one") + kernel("two", "pile") + launch("one", "two"));
    write("b.cu", conflict);
    const { status, stdout } = run("check", "--fix");
    expect(status).toBe(0);
    expect(stdout).toContain("3 fixes in 2 files.");
    expect(read("a.cu").match(/\[32\]\[33\]; \/\/ a tile/g)).toHaveLength(2);
    expect(read("b.cu")).toBe(padded);
  });

  it("keeps the ends of lines and the byte order mark", () => {
    write("a.cu", `\uFEFF${conflict.replaceAll("\n", "\r\n")}`);
    expect(run("check", "--fix", "a.cu").status).toBe(0);
    expect(read("a.cu")).toBe(`\uFEFF${padded.replaceAll("\n", "\r\n")}`);
  });

  it("keeps tabs, spaces and comments beside an edit, and counts characters as they are written", () => {
    const typed = conflict.replace(
      "  __shared__ float tile[32][32]; // a tile",
      "\t/* 漢字 ü 😀 */\t__shared__  float\ttile [ 32 ] [\t32\t]; // 😀 a tile",
    );
    write("a.cu", typed);
    const { status } = run("check", "--fix", "a.cu");
    expect(status).toBe(0);
    expect(read("a.cu")).toBe(typed.replace("[\t32\t]", "[\t33\t]"));
  });

  it("fixes in the header what a source launches", () => {
    write("k.cuh", kernel("transpose"));
    write("a.cu", `#include "k.cuh"\n${launch("transpose")}`);
    expect(run("check", "--fix", "a.cu").stdout).toContain(`fixed k.cuh:5: ${title}`);
    expect(read("k.cuh")).toContain("[32][33]; // a tile");
  });

  it("does not touch what is suppressed", () => {
    const suppressed = conflict.replace("  out[", "  // warplint-disable-next-line -- known\n  out[");
    write("a.cu", suppressed);
    expect(run("check", "--fix", "a.cu").status).toBe(0);
    expect(read("a.cu")).toBe(suppressed);
  });

  it("does not write a file that is not UTF-8, and says so", () => {
    const latin1 = Buffer.from(conflict.replace("a tile", "\u00fcber"), "latin1");
    write("a.cu", latin1);
    const { status, stderr } = run("check", "--fix", "a.cu");
    expect(status).toBe(2);
    expect(stderr).toBe("warplint: a.cu: is not UTF-8, not written\n");
    expect(readFileSync(join(folder, "a.cu"))).toEqual(latin1);
  });

  it("says of the files beside one that cannot be written what is so", () => {
    write("a.cu", Buffer.from(conflict.replace("a tile", "\u00fcber"), "latin1"));
    write("b.cu", conflict);
    const { stdout } = run("check", "--fix", "a.cu", "b.cu");
    expect(stdout.split("\n").filter((line) => /^\S/.test(line))).toEqual([
      expect.stringMatching(/^fixed b\.cu:5: Pad tile/),
      "1 fix in 1 file.",
      expect.stringMatching(/^a\.cu:5:41: warning: 32-way bank conflict/),
      expect.stringMatching(/^1 warning in 1 of 2 files/),
    ]);
  });

  // The superuser may write everything.
  it.skipIf(process.getuid?.() === 0)("says of a file that may not be written why", () => {
    write("a.cu", conflict);
    chmodSync(join(folder, "a.cu"), 0o444);
    const { status, stderr } = run("check", "--fix", "a.cu");
    expect(status).toBe(2);
    expect(stderr).toContain("a.cu: cannot be written (EACCES)");
  });

  it("says of what stays why there is no fix", () => {
    const escaping = `__device__ void fill(float *tile, const float *in);\n${conflict.replace(
      "tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];",
      "fill(&tile[0][0], in);",
    )}`;
    write("a.cu", escaping);
    const { status, stdout } = run("check", "--fix", "a.cu");
    expect(status).toBe(1);
    expect(stdout).toMatch(/no fix: \w/);
    expect(read("a.cu")).toBe(escaping);
  });

  it("gives JSON of what stays", () => {
    write("a.cu", conflict);
    const { stdout } = run("check", "--fix", "--format", "json", "a.cu");
    expect(JSON.parse(stdout).files).toEqual([{ path: "a.cu", diagnostics: [] }]);
  });
});

describe("check --unsafe-fixes", () => {
  it("makes suggestions, which --fix leaves alone", () => {
    write("a.cu", columns);
    expect(run("check", "--fix", "a.cu").status).toBe(1);
    expect(read("a.cu")).toBe(columns);
    const { stdout } = run("check", "--unsafe-fixes", "a.cu");
    expect(stdout).toContain(`fixed a.cu:4: ${swap}`);
    const [x, y] = ["blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.y * blockDim.y + threadIdx.y"];
    expect(read("a.cu")).toBe(
      columns.replace(`int x = ${x};\n  int y = ${y};`, `int x = ${y};\n  int y = ${x};`),
    );
  });
});

describe("check", () => {
  const lastLines = (stdout: string, count: number) => stdout.trimEnd().split("\n").slice(-count);

  it("says behind its findings which have fixes, and how to make them", () => {
    write("a.cu", conflict);
    const { status, stdout } = run("check", "a.cu");
    expect(status).toBe(1);
    expect(lastLines(stdout, 3)).toEqual([
      "1 warning in 1 of 1 file · 1 kernel, 4 accesses: 4 exact, 0 conditional, 0 unknown",
      "1 of 1 finding has a fix (--fix makes it, --diff shows it):",
      `  a.cu:5: ${title}`,
    ]);
    expect(read("a.cu")).toBe(conflict);
  });

  it("tells what --fix makes from what --unsafe-fixes makes", () => {
    write("a.cu", conflict);
    write("b.cu", columns);
    expect(lastLines(run("check", "b.cu").stdout, 2)).toEqual([
      "2 of 2 findings have fixes (--unsafe-fixes makes it, --unsafe-fixes --diff shows it):",
      `  b.cu:4: ${swap} with --unsafe-fixes`,
    ]);
    expect(lastLines(run("check", "a.cu", "b.cu").stdout, 3)).toEqual([
      "3 of 3 findings have fixes (--fix makes the safe ones, --unsafe-fixes all, --diff shows them):",
      `  a.cu:5: ${title}`,
      expect.stringContaining(`  b.cu:4: ${swap}`),
    ]);
  });

  it("says nothing of fixes where there is none, or nobody is to look for one", () => {
    write("a.cu", conflict);
    write("b.cu", padded);
    expect(run("check", "b.cu").stdout).not.toContain("fix");
    expect(run("check", "--no-fixes", "a.cu").stdout).not.toContain("(output checked)");
    const { status, stderr } = run("check", "--no-fixes", "--fix", "a.cu");
    expect([status, stderr]).toEqual([
      2,
      "warplint: option '--no-fixes' cannot be used with option '--fix'\n",
    ]);
  });

  it("gives fixes in SARIF, whose replacements are the edits", () => {
    write("a.cu", conflict);
    const [result] = JSON.parse(run("check", "--format", "sarif", "a.cu").stdout).runs[0].results;
    const [pad] = result.fixes;
    expect(pad.description.text).toBe(title);
    const [{ artifactLocation, replacements }] = pad.artifactChanges;
    expect(artifactLocation).toEqual({ uri: "a.cu" });
    const [{ deletedRegion, insertedContent }] = replacements;
    const lines = conflict.split("\n");
    const line = lines[deletedRegion.startLine - 1] ?? "";
    lines[deletedRegion.startLine - 1] =
      line.slice(0, deletedRegion.startColumn - 1) +
      insertedContent.text +
      line.slice(deletedRegion.endColumn - 1);
    expect([deletedRegion.endLine, replacements.length]).toEqual([deletedRegion.startLine, 1]);
    expect(lines.join("\n")).toBe(padded);
  });
});

describe("check --diff", () => {
  it("prints what would change, and writes nothing", () => {
    write("a.cu", conflict);
    const { status, stdout, stderr } = run("check", "--diff", "a.cu");
    expect(status).toBe(1);
    expect(stdout).toBe(
      [
        "--- a/a.cu",
        "+++ b/a.cu",
        "@@ -1,5 +1,5 @@",
        " __global__ void transpose(float *out, const float *in) {",
        "-  __shared__ float tile[32][32]; // a tile",
        "+  __shared__ float tile[32][33]; // a tile",
        "   tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];",
        "   __syncthreads();",
        "   out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];",
        "",
      ].join("\n"),
    );
    expect(stderr).toBe(`would fix a.cu:5: ${title}\n`);
    expect(read("a.cu")).toBe(conflict);
  });

  it("prints a patch that applies to a file with other ends of lines, and with form feeds", () => {
    const other = (text: string) => `\f\n${text}`.replaceAll("\n", "\r\n");
    write("a.cu", other(conflict));
    const { stdout } = run("check", "--diff", "a.cu");
    execFileSync("git", ["apply", "-"], { cwd: folder, input: stdout });
    expect(read("a.cu")).toBe(other(padded));
  });

  it("prints nothing where there is nothing to fix", () => {
    write("a.cu", padded);
    expect(run("check", "--diff", "a.cu")).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describe("analyze", () => {
  it("searches no fixes where it is told not to", () => {
    write("a.cu", conflict);
    const fixesOf = (...args: string[]) =>
      JSON.parse(run("analyze", ...args, "a.cu").stdout).files[0].diagnostics[0].fixes.length;
    expect(fixesOf()).toBeGreaterThan(0);
    expect(fixesOf("--no-fixes")).toBe(0);
  });
});
