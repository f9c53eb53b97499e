// What a path means: its configuration, its build file, what it may include, which files stand below it.
import { describe, expect, it } from "vitest";
import type { Host } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { createProject, type FileSettings } from "../../server/src/project/project.ts";
import { walkCuda, walkingCuda } from "../../server/src/project/walk.ts";
import { resolvePath } from "../../server/src/text/path.ts";

const options = { configPath: null, overrides: {}, includePaths: [] };

/** Of a source in `directory`. */
function settings(files: Record<string, string>, directory: string, current = "/w", more = {}): FileSettings {
  const project = createProject(memoryHost(files, current), { ...options, ...more });
  const result = project.settingsOf(resolvePath(directory, "a.cu"));
  if (result.kind === "errors") throw new Error(result.errors.map(({ message }) => message).join());
  return result.settings;
}

describe("configuration", () => {
  const files = {
    "/w/warplint.json": '{ "architecture": "sm_80", "defines": { "A": 1 } }',
    "/w/sub/warplint.json": '{ "architecture": "sm_75" }',
    "/w/sub/deep/a.cu": "x",
    "/w/a.cu": "x",
  };
  it("is the nearest", () => {
    expect(settings(files, "/w").config.architecture).toBe("sm_80");
    expect(settings(files, "/w/sub/deep").configFile).toBe("/w/sub/warplint.json");
    expect(settings(files, "/w/sub/deep").config.architecture).toBe("sm_75");
  });
  it("is that of the command line before all", () => {
    expect(settings(files, "/w/sub", "/w", { configPath: "/w/warplint.json" }).config.architecture).toBe(
      "sm_80",
    );
    const laid = settings(files, "/w", "/w", { overrides: { architecture: "sm_100", defines: { B: "2" } } });
    expect(laid.config).toMatchObject({ architecture: "sm_100", defines: { A: 1, B: "2" } });
  });
});

describe("the workspace", () => {
  const files = {
    "/p/CMakeLists.txt": "project(p)",
    "/p/lib/CMakeLists.txt": "add_library(l a.cu)",
    "/p/lib/a.cu": "x",
    "/p/app/src/b.cu": "x",
    "/alone/c.cu": "x",
    "/work/x.cu": "x",
  };
  const workspace = (directory: string, current: string, options = {}) =>
    settings(files, directory, current, options).workspace;

  it("of a file elsewhere is that of the build around it", () => {
    expect(workspace("/p/lib", "/work")).toBe("/p");
    expect(workspace("/p/app/src", "/work")).toBe("/p");
    expect(workspace("/alone", "/work")).toBe("/alone");
    expect(workspace("/p/lib", "/work", { trust: "restricted" })).toBe("/p/lib");
  });

  it("of a file in the current directory is that", () => {
    expect(workspace("/p/lib", "/p/lib")).toBe("/p/lib");
    expect(workspace("/p/app/src", "/p/app")).toBe("/p/app");
  });
});

describe("a Makefile", () => {
  const makefile = [
    "CFLAGS := $(EXTRA) -DFLOAT -DN=4 \\",
    "          -Iheaders -DPLACE=$(PWD)",
    "CFLAGS += -DTWICE=1 -I../outside # -DCOMMENT",
    "OTHER = -DTWICE=2",
    "ifeq ($(DEBUG),yes)",
    "  CFLAGS += -DDEBUG",
    "endif",
    "main: main.cu",
    "\tnvcc $(CFLAGS) -DRECIPE main.cu",
  ].join("\n");
  const files = {
    "/w/Makefile": makefile,
    "/w/src/a.cu": "x",
    "/w/headers/h.cuh": "found",
    "/w/own/warplint.json": '{ "defines": { "N": 8, "FLOAT": false } }',
    "/outside/o.cuh": "not ours",
  };
  const defines = (directory: string) =>
    Object.fromEntries(
      settings(files, directory).flags.macros.map(({ kind, name, value }) => [
        name,
        kind === "define" && value,
      ]),
    );
  it("defines what its recipes pass, for its folder and those below", () => {
    expect(defines("/w/src")).toEqual({ FLOAT: "1", N: "4", PLACE: null, TWICE: "1", RECIPE: "1" });
  });
  it("gives way to the configuration", () => {
    expect(defines("/w/own")).toMatchObject({ FLOAT: false, N: "8", TWICE: "1" });
  });
  it("says where headers are, outside of the workspace too where that may be read", () => {
    const read = (name: string, trust: "trusted" | "restricted") =>
      settings(files, "/w/src", "/w", { trust }).readInclude(name, "/w/src/a.cu", "quoted");
    expect(read("h.cuh", "trusted")?.text).toBe("found");
    expect(read("o.cuh", "trusted")).toMatchObject({ text: "not ours", isOutside: true });
    expect(read("h.cuh", "restricted")?.text).toBe("found");
    expect(read("o.cuh", "restricted")).toBeNull();
  });
});

describe("the architecture", () => {
  const commands = (architectures: string) =>
    JSON.stringify([{ directory: "/w", file: "a.cu", command: `nvcc ${architectures} -c a.cu` }]);
  const of = (architectures: string, more: Record<string, string> = {}, options = {}) =>
    settings(
      { "/w/a.cu": "x", "/w/compile_commands.json": commands(architectures), ...more },
      "/w",
      "/w",
      options,
    ).config.architecture;

  it.each([
    ["-arch=sm_80", "sm_80"],
    ["-gencode arch=compute_70,code=sm_70 -gencode arch=compute_86,code=sm_86", "sm_86"],
    ["-gencode arch=compute_90,code=sm_90 -gencode arch=compute_120,code=sm_120", "sm_90"],
    ["-arch=sm_100", "sm_100"],
    ["-arch=sm_88", "sm_87"],
    ["-arch=sm_52", "sm_70"],
    ["", "sm_90"],
  ])("of a build with %s is %s", (written, expected) => {
    expect(of(written)).toBe(expected);
  });

  it("is what the configuration or the command line says before all", () => {
    expect(of("-arch=sm_80", { "/w/warplint.json": '{ "architecture": "sm_75" }' })).toBe("sm_75");
    expect(of("-arch=sm_80", { "/w/warplint.json": "{}" })).toBe("sm_80");
    expect(of("-arch=sm_80", {}, { overrides: { architecture: "sm_90" } })).toBe("sm_90");
  });

  it("that a compiler takes by itself is nobody's choice", () => {
    const project =
      "cmake_minimum_required(VERSION 3.20)\nproject(a LANGUAGES CUDA)\nadd_executable(a a.cu)\n";
    const files = { "/w/a.cu": "x", "/w/CMakeLists.txt": project };
    expect(settings(files, "/w").config.architecture).toBe("sm_90");
  });
});

describe("includes", () => {
  const files = {
    "/w/src/a.cu": "x",
    "/w/src/beside.cuh": "beside",
    "/w/common/shared.cuh": "shared",
    "/lib/lib.cuh": "lib",
    "/etc/passwd": "secret",
  };
  const read = (name: string, kind: "quoted" | "angled" = "quoted", includePaths: string[] = []) =>
    settings(files, "/w/src", "/w", { includePaths }).readInclude(name, "/w/src/a.cu", kind)?.text ?? null;

  it("are found beside the file, in the workspace and along the include paths", () => {
    expect(read("beside.cuh")).toBe("beside");
    expect(read("../common/shared.cuh")).toBe("shared");
    expect(read("lib.cuh", "angled", ["/lib"])).toBe("lib");
    expect(read("shared.cuh", "quoted", ["/w/common"])).toBe("shared");
  });
  it("in angles are not looked for beside the file", () => {
    expect(read("beside.cuh", "angled")).toBeNull();
  });
  it("are found where build files would say, innermost first", () => {
    expect(read("shared.cuh")).toBe("shared");
    expect(read("shared.cuh", "angled")).toBe("shared");
    const deep = {
      "/w/a/b/main.cu": "x",
      "/w/include/one.cuh": "far",
      "/w/a/include/one.cuh": "near",
      "/w/two.cuh": "above",
      "/include/three.cuh": "outside",
      "/w/a/includes/four.cuh": "among includes",
    };
    const { readInclude } = settings(deep, "/w/a/b");
    expect(readInclude("one.cuh", "/w/a/b/main.cu", "quoted")?.text).toBe("near");
    expect(readInclude("two.cuh", "/w/a/b/main.cu", "quoted")?.text).toBe("above");
    expect(readInclude("three.cuh", "/w/a/b/main.cu", "angled")).toBeNull();
    expect(readInclude("four.cuh", "/w/a/b/main.cu", "quoted")?.text).toBe("among includes");
  });
  it("are found beside a file that a link leads to out of the workspace", () => {
    const files = {
      "/w/a.cu": "x",
      "/w/link/b.cu": "x",
      "/w/link/inc/one.cuh": "one",
      "/w/link/.git/HEAD": "x",
    };
    const plain = memoryHost({ ...files, "/lib/.git/HEAD": "x", "/other/two.cuh": "two" }, "/w");
    const host: Host = { ...plain, realPath: (path) => path.replace(/^\/w\/link/, "/lib") };
    const result = createProject(host, options).settingsOf("/w/link/b.cu");
    if (result.kind === "errors") throw new Error("no settings");
    const { readInclude } = result.settings;
    expect(readInclude("inc/one.cuh", "/w/link/b.cu", "quoted")?.path).toBe("/w/link/inc/one.cuh");
    expect(readInclude("../../other/two.cuh", "/w/link/b.cu", "quoted")).toBeNull();
  });
  it("are never read through a link out of the workspace", () => {
    const plain = memoryHost({ "/w/a.cu": "x", "/w/link/one.cuh": "one" }, "/w");
    const host: Host = { ...plain, realPath: (path) => path.replace(/^\/w\/link/, "/lib") };
    const result = createProject(host, options).settingsOf("/w/a.cu");
    if (result.kind === "errors") throw new Error("no settings");
    expect(result.settings.readInclude("link/one.cuh", "/w/a.cu", "quoted")).toBeNull();
  });
  it("are never read outside", () => {
    expect(read("/etc/passwd")).toBeNull();
    expect(read("../../etc/passwd")).toBeNull();
    expect(read("../../lib/lib.cuh")).toBeNull();
  });
});

describe("walking", () => {
  const files = {
    "/w/.gitignore": "build/\n*.gen.cu\n!keep.gen.cu\n",
    "/w/.git/HEAD": "ref",
    "/w/.git/a.cu": "x",
    "/w/a.cu": "x",
    "/w/b.cuh": "x",
    "/w/c.cpp": "x",
    "/w/x.gen.cu": "x",
    "/w/keep.gen.cu": "x",
    "/w/build/d.cu": "x",
    "/w/sub/.gitignore": "/local.cu\n",
    "/w/sub/local.cu": "x",
    "/w/sub/e.cu": "x",
    "/w/sub/deep/local.cu": "x",
    "/w/third/f.cu": "x",
    "/w/node_modules/g.cu": "x",
    "/w/warplint.json": '{ "ignore": ["third"] }',
  };
  it("heeds .gitignore at every level and the configuration", () => {
    const host = memoryHost(files, "/w");
    expect(walkCuda(host, "/w", settings(files, "/w").ignored)).toEqual([
      "/w/a.cu",
      "/w/b.cuh",
      "/w/keep.gen.cu",
      "/w/sub/deep/local.cu",
      "/w/sub/e.cu",
    ]);
  });
  it("finds kernels in files of any name of C++, and leaves those that only speak of some", () => {
    const kernel =
      "template <class T>\n__global__ void __launch_bounds__(256) k(T *p,\n  int n = 3)\n{ p[0] = n; }\n";
    const named = ["a.h", "b.hpp", "c.inl", "d.cpp", "e.H", "f.md", "g.py"].map((name) => [
      `/w/${name}`,
      kernel,
    ]);
    const host = memoryHost(
      {
        ...Object.fromEntries(named),
        "/w/macro.h": "#define KERNEL __global__ void\n#define __global__\nstruct S { int n; };\n",
        "/w/declared.h": "__global__ void k(float *p);\nint f() { return 1; }\n",
        "/w/inline.h": "__device__ inline int f() { return 1; }\n",
        "/w/text.cpp": 'const char *s = "__global__ void k(float *p) { p[0] = 1; }";\n',
      },
      "/w",
    );
    expect(walkCuda(host, "/w", { isIgnored: () => false })).toEqual([
      "/w/a.h",
      "/w/b.hpp",
      "/w/c.inl",
      "/w/d.cpp",
      "/w/e.H",
    ]);
  });
  it("can be left after each directory, and each file that is read", () => {
    const done: string[] = [];
    const memory = memoryHost(files, "/w");
    const noting =
      <T>(act: (path: string) => T) =>
      (path: string): T => {
        done.push(path);
        return act(path);
      };
    const host: Host = { ...memory, list: noting(memory.list), readBytes: noting(memory.readBytes) };
    const steps = walkingCuda(host, "/w", settings(files, "/w").ignored);
    done.length = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) {
      // A directory is listed in the step in which its first file may be read.
      expect(done.length).toBeLessThanOrEqual(2);
      done.length = 0;
    }
  });
});
