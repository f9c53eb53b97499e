// The built command line as users run it: every exit code, every message about a path, an option or a configuration.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../server/package.json" with { type: "json" };
import { builtCli } from "../support/built.ts";

const _root = fileURLToPath(new URL("../..", import.meta.url));
const cli = builtCli();
let folder = "";

const transpose = `__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *out, const float *in) {
  transpose<<<1, dim3(32, 32)>>>(out, in);
}
`;
const clean = transpose.replace("tile[32][32]", "tile[32][33]");

function write(path: string, content: string | Uint8Array): string {
  const absolute = join(folder, path);
  mkdirSync(dirname(absolute), { recursive: true });
  writeFileSync(absolute, content);
  return absolute;
}

/** Writes a file and gives its path as a user would type it. */
function written(path: string, content: string | Uint8Array): string {
  write(path, content);
  return path;
}

function linkedToNothing(): string {
  symlinkSync("/nowhere", join(folder, "broken.cu"));
  return "broken.cu";
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return { status, stdout, stderr };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "warplint-"));
  write("conflict.cu", transpose);
  write("clean.cu", clean);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  "commander",
  "jsonc-parser",
  "picocolors",
  "vscode-jsonrpc",
  "vscode-languageserver",
  "web-tree-sitter",
  "write-file-atomic",
  "zod",
])("what is shipped has the copyright of %s", (name) => {
  const notices = readFileSync(join(dirname(cli), "THIRD-PARTY-NOTICES.txt"), "utf8");
  expect(notices).toMatch(new RegExp(`^${name} \\d[\\d.]*\\n {2}Copyright`, "m"));
});

describe.runIf(process.platform !== "win32")("a hostile folder", () => {
  it("ends, sends nothing to the terminal that its names or texts hold, and follows no link in a circle", () => {
    const conflicting = `// \x1b[2J\n${transpose}`;
    write("hostile/a.cu", `#include "/etc/passwd"\n#include "pipe.cu"\n${conflicting}`);
    write("hostile/x\x1b[31m\nclean.cu:1:1: note.cu", conflicting);
    write("hostile/deep/b.cu", `#include "../../../../../../../../etc/passwd"\n${conflicting}`);
    execFileSync("mkfifo", [join(folder, "hostile/pipe.cu")]);
    symlinkSync("..", join(folder, "hostile/deep/circle"));
    const { status, stdout, stderr } = run("check", "--no-fixes", "hostile");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(stdout.match(/^hostile\/.*warning: 32-way/gm)).toHaveLength(3);
    expect(stdout).toContain("hostile/x\\u001b[31m\\u000aclean.cu:1:1: note.cu:6:41: warning");
    expect(stdout).not.toMatch(/root:/);
    expect(status).toBe(1);
  });
});

describe("exit codes", () => {
  it("0 where nothing is found", () => {
    const { status, stdout, stderr } = run("check", "clean.cu");
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "No findings in 1 file · 1 kernel, 4 accesses: 4 exact, 0 conditional, 0 unknown\n",
      stderr: "",
    });
  });

  it("1 where there are findings, as a user reads them", () => {
    const { status, stdout, stderr } = run("check", "conflict.cu");
    expect(stderr).toBe("");
    expect(status).toBe(1);
    expect(
      stdout,
    ).toBe(`conflict.cu:5:41: warning: 32-way bank conflict: 32 wavefronts, 1 ideal (block (32,32), line 8) [shared-bank-conflict]
  992 excess wavefronts in this launch (100 % of the kernel's). All 32 lanes read different rows of one bank: a row of tile is 32 words, the number of banks. Fix: Pad tile to [32][33]: 32 → 1 wavefronts, +128 B (output checked).
    5 |   out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
      |                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    32 wavefronts, 1 ideal · block (32,32), line 8
    bank   0       8       16      24     31
    pass 1 █·······························  lane 0
    pass 2 █·······························  lane 1
       ⋮   30 more, one lane each

1 warning in 1 of 1 file · 1 kernel, 4 accesses: 4 exact, 0 conditional, 0 unknown
1 of 1 finding has a fix (--fix makes it, --diff shows it):
  conflict.cu:5: Pad tile to [32][33]: 32 → 1 wavefronts, +128 B (output checked)
`);
  });

  it("0 from analyze, findings or not", () => {
    expect(run("analyze", "--format", "json", "conflict.cu").status).toBe(0);
  });

  it("2 wins over 1", () => {
    expect(run("check", "conflict.cu", "missing.cu").status).toBe(2);
  });
});

it("names what the configuration gives a kernel that has no such parameter", () => {
  written("strange/warplint.json", '{ "launches": { "k": { "block": 32, "arguments": { "q": 5 } } } }');
  const path = written("strange/k.cu", "__global__ void k(float *a, int n) { a[threadIdx.x] = n; }\n");
  const { status, stderr } = run("check", path);
  expect(stderr).toBe(
    "warplint: strange/k.cu:1:17: the configuration gives q, which is no parameter of k; there are a, n\n",
  );
  expect(status).toBe(2);
});

it("names template arguments that the configuration gives and the kernel does not have", () => {
  written(
    "templates/warplint.json",
    '{ "launches": { "k": { "block": 32, "templateArguments": ["float"] }, "t": { "block": 32, "templateArguments": ["float", 4] }, "n": { "block": 32, "templateArguments": ["nothing"] } } }',
  );
  const path = written(
    "templates/k.cu",
    `__global__ void k(float *a) { a[threadIdx.x] = 1; }
template <typename T> __global__ void t(T *a) { a[threadIdx.x] = 1; }
template <int N> __global__ void n(float *a) { a[threadIdx.x * N] = 1; }
`,
  );
  const { status, stderr } = run("check", path);
  expect(stderr.split("\n")).toEqual([
    "warplint: templates/k.cu:1:17: the configuration gives template arguments for k, which is no template; remove them",
    "warplint: templates/k.cu:2:39: the configuration gives t more template arguments than it has parameters: T",
    "warplint: templates/k.cu:3:34: the configuration's template arguments do not fit n",
    "",
  ]);
  expect(status).toBe(2);
});

it("warns of what the configuration names and nobody has: directories to search, kernels", () => {
  written(
    "stale/warplint.json",
    `{
  "includePaths": ["kept", "gone"],
  "launches": { "k": { "block": 32 }, "ns::old": { "block": 32 }, "made_float": { "block": 32 } }
}
`,
  );
  written("stale/kept/empty.h", "\n");
  written(
    "stale/made.cu",
    "#define MAKE(T) __global__ void made_##T(T *a) { a[threadIdx.x] = 1; }\nMAKE(float)\n",
  );
  const path = written("stale/k.cu", "__global__ void k(float *a) { a[threadIdx.x] = 1; }\n");
  const { status, stderr } = run("check", path);
  expect(stderr.split("\n")).toEqual([
    "warplint: stale/warplint.json:2:28: warning: includePaths: there is no directory gone here, so that nothing is searched in it; remove it, or correct it",
    "warplint: stale/warplint.json:3:39: warning: launches: no CUDA file below has a kernel ns::old, so that its launches mean nothing; remove them, or correct the name",
    "",
  ]);
  expect(status).toBe(0);
});

it("has no configuration for a path that is not there", () => {
  const { status, stderr } = run("config", "nowhere");
  expect(stderr).toBe("warplint: nowhere: no such file or directory\n");
  expect(status).toBe(2);
});

it("says which comments suppress where one does not", () => {
  const path = written(
    "misspelt.cu",
    "// warplint-ignore\n__global__ void k(float *a) { a[threadIdx.x] = 1; }\n",
  );
  expect(run("check", path).stdout.split("\n").slice(0, 2)).toEqual([
    "misspelt.cu:1:1: warning: Not a comment that warplint knows: nothing is suppressed [unused-suppression]",
    "  Known are warplint-disable-next-line, warplint-disable-line, warplint-disable, warplint-enable and warplint-disable-file.",
  ]);
});

describe("what could not be read or followed", () => {
  const cases: readonly [string, string, string][] = [
    [
      "a kernel typed by half",
      "__global__ void half(float *a, int n\n  a[threadIdx.x] = 1;\n}\n",
      "kernel half (line 1) could not be read: a ( is not closed",
    ],
    [
      "a statement typed by half",
      "__global__ void half(float *a) {\n  a[threadIdx.x * 32] = ;\n}\n",
      "not all of kernel half was followed: a syntax error",
    ],
    [
      "a kernel without launches",
      "template <template <class> class V> __global__ void k(V<int> v) { v.x = threadIdx.x; }\n",
      "kernel k (line 1): nothing in sight launches it, and its parameter V is a template, for which there is no usual one",
    ],
  ];
  it.each(cases)("is said: %s", (_name, text, note) => {
    const path = written("half.cu", text);
    expect(run("check", path).stdout.split("\n")[0]).toBe(`note: half.cu: ${note}`);
  });
});

describe("paths", () => {
  const cases: readonly [string, () => string, string][] = [
    ["missing", () => "missing.cu", "missing.cu: no such file or directory"],
    [
      "binary",
      () => written("binary.cu", new Uint8Array([127, 69, 76, 70, 0, 1])),
      "binary.cu: a binary file, not CUDA source",
    ],
    ["empty", () => written("empty.cu", " \n"), "empty.cu: the file is empty, there is nothing to lint"],
    [
      "no CUDA",
      () => written("notes.txt", "hello"),
      "notes.txt: not CUDA: no .cu or .cuh file, and no kernel or device function in it",
    ],
    [
      "a directory without CUDA",
      () => dirname(written("docs/a.md", "x")),
      "docs: there is no file with CUDA in this directory",
    ],
    ["a broken link", linkedToNothing, "broken.cu: no such file or directory"],
    ["a device", () => "/dev/null", "/dev/null: neither a file nor a directory"],
  ];
  it.each(cases)("%s", (_name, make, message) => {
    const { status, stdout, stderr } = run("check", make());
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: `warplint: ${message}\n` });
  });

  it.skipIf(process.getuid?.() === 0)("unreadable", () => {
    chmodSync(write("secret.cu", clean), 0);
    expect(run("check", "secret.cu").stderr).toBe(
      "warplint: secret.cu: cannot be read (is there permission?)\n",
    );
  });

  it("a header that holds CUDA is taken when named", () => {
    write("kernels.h", clean);
    expect(run("check", "kernels.h").status).toBe(0);
  });

  it("a directory stands for the CUDA files below, but for the ignored ones", () => {
    write("tree/a.cu", transpose);
    write("tree/sub/b.cu", transpose);
    write("tree/build/c.cu", transpose);
    write("tree/.gitignore", "build/\n");
    write("tree/.git/HEAD", "");
    const { stdout } = run("check", "tree");
    expect(stdout.match(/^\S+(?=:\d+:\d+: )/gm)).toEqual(["tree/a.cu", "tree/sub/b.cu"]);
  });

  it("a directory's files that are no text are named, and fail nothing", () => {
    write("mixed/clean.cu", clean);
    write("mixed/object.cu", new Uint8Array([127, 69, 76, 70, 0, 1]));
    write("mixed/wide.cu", new Uint8Array([255, 254, 65, 0]));
    const { status, stderr } = run("check", "mixed");
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr:
        "warplint: mixed/object.cu: a binary file, not CUDA source\n" +
        "warplint: mixed/wide.cu: UTF-16, which no CUDA compiler reads; save it as UTF-8\n",
    });
  });

  it("a comment of a launch that stands above no kernel is named", () => {
    write("stray.cu", `${clean}// warplint: launch(block=32)\nstatic int blocks() { return 3; }\n`);
    const { status, stderr } = run("check", "stray.cu");
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^warplint: stray\.cu:\d+:1: no kernel stands below this comment, so that it counts for none\n$/,
    );
  });

  it("without a path the current directory is linted", () => {
    expect(run("check").stdout).toMatch(/^conflict\.cu:5:41: /m);
  });

  it("text that is half typed, or no program at all, does no harm", () => {
    write("half.cu", transpose.slice(0, 170));
    write("noise.cu", "}}} template < #if __global__ ((( <<<>>> \\");
    expect(run("check", "half.cu").status).toBe(0);
    expect(run("check", "noise.cu").status).toBe(0);
  });
});

describe("the streams", () => {
  it.skipIf(!existsSync("/dev/full"))("a full disk is said, not taken for findings", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [cli, "check", "conflict.cu"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "warplint: the output cannot be written (ENOSPC)\n",
    });
  });

  it.each([
    ["plain where nobody asks", {}, false],
    ["coloured where FORCE_COLOR asks", { FORCE_COLOR: "1" }, true],
    ["plain where NO_COLOR asks, too", { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("no terminal: %s", (_name, asked, isColoured) => {
    const { FORCE_COLOR, NO_COLOR, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, [cli, "check", "--no-fixes", "conflict.cu"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...env, ...asked },
    });
    expect(stdout).toContain("conflict.cu");
    expect(stdout.includes("\u001b[")).toBe(isColoured);
  });
});

describe("options", () => {
  it("--help and --version", () => {
    expect(run("--version")).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
    const { status, stdout } = run("--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: warplint/);
    expect(stdout).toContain("Exit codes: 0 no findings, 1 findings (check only), 2 ");
    expect(run("check", "--help").stdout).toContain("--include-path");
  });

  const wrong: readonly [string[], string][] = [
    [[], "Usage: warplint"],
    [["chekc"], "warplint: unknown command 'chekc'\n(Did you mean check?)"],
    [["check", "--formt", "json"], "warplint: unknown option '--formt'\n(Did you mean --format?)"],
    [
      ["check", "--format", "xml"],
      "'xml' is invalid. Allowed choices are text, json, sarif, concise, github, gitlab, junit, markdown, rdjson.",
    ],
    [["check", "--arch", "sm_9"], "'sm_9' is invalid. allowed: sm_70"],
    [
      ["check", "--block", "0,8"],
      "a block is one to three numbers, such as 256 or 32,8, of at most 1024 threads.",
    ],
    [["check", "--block", "64,32"], "of at most 1024 threads."],
    [["check", "--define", "1X=2"], "a definition is NAME or NAME=VALUE."],
    [["analyze"], "warplint: missing required argument 'files'"],
  ];
  it.each(wrong)("%j", (args, message) => {
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("--define chooses what is compiled", () => {
    write("defined.cu", clean.replace("[33]", "[32 + PAD]"));
    expect(run("check", "--define", "PAD=1", "defined.cu").status).toBe(0);
    expect(run("check", "-D", "PAD=0", "defined.cu").status).toBe(1);
  });

  it("--include-path finds what is included", () => {
    write("include/pad.cuh", "#define PAD 0\n");
    write("including.cu", `#include <pad.cuh>\n${clean.replace("[33]", "[32 + PAD]")}`);
    expect(run("check", "--include-path", "include", "including.cu").status).toBe(1);
  });

  it("an include that is not found is noted, and the rest analysed", () => {
    write("lacking.cu", `#include "not_here.cuh"\n${clean}`);
    expect(run("check", "lacking.cu")).toEqual({
      status: 0,
      stdout:
        "note: lacking.cu: not_here.cuh is not found: add its directory to includePaths in warplint.json, or name it with --include-path (line 1)\n" +
        "No findings in 1 file · 1 kernel, 4 accesses: 4 exact, 0 conditional, 0 unknown\n",
      stderr: "",
    });
  });

  it("headers of libraries of which warplint knows what matters are not noted", () => {
    write("torch.cu", `#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n${clean}`);
    expect(run("check", "torch.cu").stdout).toBe(
      "No findings in 1 file · 1 kernel, 4 accesses: 4 exact, 0 conditional, 0 unknown\n",
    );
  });

  it("--block is the block of kernels that nothing launches", () => {
    write("alone.cu", transpose.slice(0, transpose.indexOf("void run")));
    expect(run("check", "--block", "32,32", "alone.cu").stdout).toContain("32-way bank conflict");
    // With the lanes along y it is the store that goes down a column.
    expect(run("check", "--block", "1,32", "alone.cu").stdout).toMatch(
      /^alone\.cu:3:3: warning: 32-way bank conflict/,
    );
  });
});

describe("configuration", () => {
  it("that is wrong: file, line, column, what is allowed", () => {
    write("wrong/warplint.json", '{\n  "archtecture": "sm_90"\n}\n');
    write("wrong/a.cu", transpose);
    const { status, stdout, stderr } = run("check", "wrong");
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr:
        'warplint: wrong/warplint.json:2:3: unknown key "archtecture"; allowed here: $schema, extends, architecture, rules, thresholds, samples, overrides, launches, defines, includePaths, ignore\n',
    });
  });

  it("that is not there", () => {
    expect(run("check", "--config", "none.json", "clean.cu")).toEqual({
      status: 2,
      stdout: "",
      stderr: "warplint: none.json:1:1: there is no such file\n",
    });
  });

  it("gives launches by kernel name", () => {
    write("configured/warplint.json", '{ "launches": { "transpose": { "block": [1, 32] } } }');
    write("configured/a.cu", transpose);
    expect(run("check", "configured").stdout).toMatch(
      /^configured\/a\.cu:3:3: warning: 32-way bank conflict/,
    );
  });

  it("is printed by `config` with what the build passes to a file's compiler", () => {
    write("built/Makefile", "CFLAGS := -DBX=32 -Iheaders\nmain: main.cu\n\tnvcc $(CFLAGS) -o main main.cu\n");
    write("built/warplint.json", '{\n  "defines": { "BY": 8 },\n  "architecture": "sm_80"\n}');
    write("built/main.cu", clean);
    const { status, stdout } = run("config", "built/main.cu");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      architecture: "sm_80",
      defines: {
        BX: { value: "32", origin: { file: "built/Makefile" } },
        BY: { value: "8", origin: { file: "built/warplint.json", line: 2 } },
      },
      includePaths: [{ path: "built/headers", kind: "user", origin: { file: "built/Makefile" } }],
      source: { kind: "make", file: "built/Makefile" },
      lookedAt: ["built/Makefile"],
    });
    const lines = run("config", "built/main.cu", "--format", "text").stdout.split("\n");
    expect(lines[0]).toBe("built/main.cu: as built/Makefile has it");
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}-D BX=32 +built\/Makefile:\d$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}-D BY=8 +built\/warplint\.json:2$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}-I built\/headers +built\/Makefile:\d$/));
  });

  it("and says what it assumed of what the build leaves open", () => {
    written("extension/a.cu", "__global__ void k(float *a) { a[threadIdx.x * T] = 1; }\n");
    written(
      "extension/setup.py",
      `import os
from torch.utils.cpp_extension import CUDAExtension
CUDAExtension("e", ["a.cu"], extra_compile_args={"nvcc": ["-DT=" + os.getenv("TILE", "16"), "-arch=sm_90"]})
`,
    );
    const lines = run("config", "extension/a.cu", "--format", "text").stdout.split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}-D T=16 +extension\/setup\.py:3$/));
    const assumed = lines.indexOf("Assumed:");
    expect(lines[assumed + 1]).toBe("  TILE: taken as not set (extension/setup.py:3)");
    expect(lines).not.toContain("Could not be evaluated:");
    expect(JSON.parse(run("config", "extension/a.cu").stdout)).toMatchObject({
      assumed: [{ what: "TILE", reason: "taken as not set", origin: { line: 3 } }],
      unresolved: [],
    });
  });

  it("is printed by `config`", () => {
    const { status, stdout } = run("config", "--arch", "sm_80", "configured");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      configFile: join(folder, "configured/warplint.json"),
      architecture: "sm_80",
      thresholds: { sharedWarning: 1.1 },
    });
  });
});

/** Every field's name, however deep. */
function fieldsOf(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]);
}

describe("formats", () => {
  it("analyze writes no field that docs/json.md does not explain", () => {
    const page = readFileSync(new URL("../../docs/json.md", import.meta.url), "utf8");
    const fields = new Set(fieldsOf(JSON.parse(run("analyze", "conflict.cu").stdout)));
    expect(fields.size).toBeGreaterThan(50);
    expect([...fields].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it("analyze gives the contract's JSON", () => {
    const output = JSON.parse(run("analyze", "conflict.cu").stdout);
    expect(output.schemaVersion).toBe(1);
    expect(output.files).toHaveLength(1);
    const [file] = output.files;
    expect(file.path).toBe("conflict.cu");
    expect(file.launches).toHaveLength(1);
    const [launch] = file.launches;
    expect(launch).toMatchObject({
      kernel: "transpose",
      templateArguments: [],
      block: [32, 32, 1],
      grid: [1, 1, 1],
      sharedBytes: 0,
      count: 1,
      origin: { kind: "launch", path: [{ file: "conflict.cu", line: 8 }] },
    });
    const column = launch.accesses.find(
      (each: { space: string; operation: string }) => each.space === "shared" && each.operation === "load",
    );
    expect(column).toMatchObject({
      file: "conflict.cu",
      line: 5,
      column: 41,
      endLine: 5,
      endColumn: 71,
      expression: "tile[threadIdx.x][threadIdx.y]",
      stack: [{ file: "conflict.cu", line: 5 }],
      mergedLines: [],
      bytes: 4,
      verdict: "exact",
      condition: null,
      reason: null,
      assumptions: [],
      requests: 32,
      totals: { wavefronts: 1024, idealWavefronts: 32 },
      perRequest: { wavefronts: 32, idealWavefronts: 1 },
    });
    const load = launch.accesses.find(
      (each: { space: string; operation: string }) => each.space === "global" && each.operation === "load",
    );
    expect(load.totals).toEqual({ sectors: 128, idealSectors: 128 });
    expect(file.diagnostics).toHaveLength(1);
    const [fix] = file.diagnostics[0].fixes;
    expect(fix).toMatchObject({
      title: "Pad tile to [32][33]: 32 → 1 wavefronts, +128 B (output checked)",
      kind: "pad",
      safety: "safe",
      gain: { unit: "wavefronts", perRequest: { before: 32, after: 1 } },
      price: { sharedBytes: 128 },
    });
    const [edit] = fix.edits;
    expect(edit).toMatchObject({ file: "conflict.cu", line: 2 });
    expect(transpose.slice(0, edit.start) + edit.newText + transpose.slice(edit.end)).toBe(clean);
    expect(file.diagnostics[0]).toMatchObject({
      rule: "shared-bank-conflict",
      severity: "warning",
      line: 5,
      column: 41,
      noFixBecause: null,
      contexts: [{ kernel: "transpose", block: [32, 32, 1], wavefronts: 32, idealWavefronts: 1, ratio: 32 }],
    });
    expect(file.diagnostics[0].message.split("\n")[0]).toBe(
      "32-way bank conflict: 32 wavefronts, 1 ideal (block (32,32), line 8)",
    );
  });

  it("check --format json gives the findings", () => {
    const { status, stdout } = run("check", "--format", "json", "conflict.cu");
    expect(status).toBe(1);
    expect(JSON.parse(stdout).files[0].diagnostics[0].rule).toBe("shared-bank-conflict");
  });

  it("problems stand in the JSON too", () => {
    const { status, stdout } = run("check", "--format", "json", "missing.cu");
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      files: [],
      errors: ["missing.cu: no such file or directory"],
    });
  });

  it("check --format sarif gives SARIF", () => {
    const log = JSON.parse(run("check", "--format", "sarif", "conflict.cu").stdout);
    expect(log.version).toBe("2.1.0");
    expect(log.runs[0].results[0]).toMatchObject({
      ruleId: "shared-bank-conflict",
      level: "warning",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "conflict.cu" },
            region: { startLine: 5, startColumn: 41 },
          },
        },
      ],
    });
  });
});
