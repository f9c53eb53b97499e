// Projects of several files as data: what is known of a file comes from all programs that reach it, each analysed once.
import { beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../../server/src/host/host.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import { lintSession } from "../../server/src/lint/lint.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import type { FileReport } from "../../server/src/lint/report.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";

type Files = Record<string, string>;

let pipeline: Pipeline;
const read: string[] = [];
const lowered: string[] = [];

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = {
    ...real,
    read: (file, ...rest) => {
      read.push(file);
      return real.read(file, ...rest);
    },
    lower: (units) => {
      lowered.push(units[0]?.file ?? "");
      return real.lower(units);
    },
  };
});

interface World {
  readonly session: LintSession;
  edit(path: string, text: string): void;
}

function worldOf(files: Files): World {
  read.length = 0;
  lowered.length = 0;
  const now = () => memoryHost(files, "/w");
  const host: Host = {
    currentDirectory: "/w",
    kindOf: (path) => now().kindOf(path),
    sizeOf: (path) => now().sizeOf(path),
    readBytes: (path) => now().readBytes(path),
    realPath: (path) => now().realPath(path),
    list: (directory) => now().list(directory),
  };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  return {
    session,
    edit: (path, text) => {
      files[path] = text;
      session.update([path]);
    },
  };
}

function analysed(session: LintSession, file: string): FileAnalysis {
  const analysis = session.analyse(file);
  if (analysis === null) throw new Error("nobody cancels");
  expect(analysis.failures).toEqual([]);
  return analysis;
}

/** "kernel<block> launch", in the order of the text. */
function launchesOf({ kernels }: Pick<FileAnalysis, "kernels">): readonly string[] {
  return kernels.flatMap(({ name, launches }) =>
    launches.map(({ profile: { launch } }) => `${name} ${launch.block.join("x")} ${launch.origin.kind}`),
  );
}

const launchesIn = (files: Files, file: string) => launchesOf(analysed(worldOf({ ...files }).session, file));

const kernel = (name: string) =>
  `__global__ void ${name}(float* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i * 2] = 1; }\n`;
const header = "#pragma once\nvoid run(float* p, int n, int block);\n";
const runner = `#include "../include/run.h"\n${kernel("k")}void run(float* p, int n, int block) { k<<<n / block, block>>>(p, n); }\n`;
const mainWith = (block: number, include = '"../include/run.h"') =>
  `#include ${include}\nint main() { float* p; cudaMalloc(&p, 8192); run(p, 1024, ${block}); }\n`;
const project: Files = {
  "/w/include/run.h": header,
  "/w/src/run.cu": runner,
  "/w/app/main.cpp": mainWith(128),
};

describe("a kernel has the launches of every program that reaches it", () => {
  it("from a wrapper in another directory", () => {
    expect(launchesIn(project, "/w/src/run.cu")).toEqual(["k 128x1x1 launch"]);
  });

  it("from two mains, one of them a test", () => {
    const files = { ...project, "/w/test/run_test.cpp": mainWith(64) };
    expect([...launchesIn(files, "/w/src/run.cu")].sort()).toEqual(["k 128x1x1 launch", "k 64x1x1 launch"]);
  });

  it("and of two that launch it at one place alike only one", () => {
    const files = {
      ...project,
      "/w/src/run.cu": runner.replaceAll("block>>>", "256>>>").replace("n / block", "4"),
      "/w/test/run_test.cpp": mainWith(128),
    };
    expect(launchesIn(files, "/w/src/run.cu")).toEqual(["k 256x1x1 launch"]);
  });

  it("a kernel in a header has those of all that include it", () => {
    const files = {
      "/w/k.cuh": `#pragma once\n${kernel("k")}`,
      "/w/a.cu": '#include "k.cuh"\nint main() { k<<<1, 32>>>(0, 1); }\n',
      "/w/b.cu": '#include "k.cuh"\nvoid b() { k<<<1, 64>>>(0, 1); }\n',
      "/w/b_main.cpp": "void b();\nint main() { b(); }\n",
    };
    expect([...launchesIn(files, "/w/k.cuh")].sort()).toEqual(["k 32x1x1 launch", "k 64x1x1 launch"]);
  });

  it("and no assumed ones in a report, whichever sources read it beside the one that launches it", () => {
    const files = {
      "/w/k.cuh": `#pragma once\ntemplate <int N> ${kernel("k")}`,
      "/w/a.cu":
        '#include "k.cuh"\n__global__ void own(float* p) { p[threadIdx.x] = 1; }\nint main() { own<<<1, 32>>>(0); }\n',
      "/w/b.cu": '#include "k.cuh"\nint main() { k<4><<<1, 64>>>(0, 1); }\n',
    };
    const { session } = worldOf({ ...files });
    const { reports } = lintSession(Object.keys(files), session);
    const shown = reports.flatMap(({ path, launches }) =>
      launches.map(({ kernel: { name }, profile: { launch } }) => `${path} ${name} ${launch.origin.kind}`),
    );
    expect(shown).toEqual(["/w/a.cu own launch", "/w/b.cu k launch"]);
  });

  it("a kernel that is declared here and defined there too", () => {
    const files = {
      "/w/k.cu": kernel("k"),
      "/w/main.cu": "__global__ void k(float* p, int n);\nint main() { k<<<8, 96>>>(0, 9); }\n",
    };
    expect(launchesIn(files, "/w/k.cu")).toEqual(["k 96x1x1 launch"]);
  });

  it("a kernel whose launches stand in sources that the build makes", () => {
    const files = {
      "/w/CMakeLists.txt": `project(p LANGUAGES CXX CUDA)
foreach(size 64 256)
  set(SIZE \${size})
  configure_file(run.cu.in \${CMAKE_CURRENT_BINARY_DIR}/run_\${size}.cu @ONLY)
  list(APPEND made \${CMAKE_CURRENT_BINARY_DIR}/run_\${size}.cu)
endforeach()
add_executable(app main.cpp \${made})
target_include_directories(app PRIVATE .)
`,
      "/w/k.cuh": `#pragma once\ntemplate <int N>\n${kernel("k")}`,
      "/w/run.cu.in":
        '#include "k.cuh"\nvoid run_@SIZE@(float* p, int n) { k<@SIZE@><<<n / @SIZE@, @SIZE@>>>(p, n); }\n',
      "/w/main.cpp":
        "void run_64(float*, int);\nvoid run_256(float*, int);\nint main() { float* p; cudaMalloc(&p, 8192); run_64(p, 1024); run_256(p, 1024); }\n",
    };
    const found = ["k 256x1x1 launch", "k 64x1x1 launch"];
    expect([...launchesIn(files, "/w/k.cuh")].sort()).toEqual(found);
    // A change of what the build says is seen.
    const { session, edit } = worldOf({ ...files });
    expect([...launchesOf(analysed(session, "/w/k.cuh"))].sort()).toEqual(found);
    edit("/w/CMakeLists.txt", files["/w/CMakeLists.txt"].replace("64 256", "64 512"));
    edit("/w/main.cpp", files["/w/main.cpp"].replaceAll("256", "512"));
    expect([...launchesOf(analysed(session, "/w/k.cuh"))].sort()).toEqual([
      "k 512x1x1 launch",
      "k 64x1x1 launch",
    ]);
  });

  it("a kernel in a directory that git ignores", () => {
    const files = {
      "/w/.gitignore": "scratch/\n",
      "/w/scratch/try/k.cu": `${kernel("k")}void run(float* p, int n) { k<<<n / 64, 64>>>(p, n); }\n`,
      "/w/scratch/main.cpp":
        "void run(float*, int);\nint main() { float* p; cudaMalloc(&p, 8192); run(p, 1024); }\n",
      "/w/main.cpp": "void run(float*, int);\nint main() { float* p; cudaMalloc(&p, 8192); run(p, 512); }\n",
    };
    const { session, edit } = worldOf(files);
    const grids = () =>
      analysed(session, "/w/scratch/try/k.cu").kernels.flatMap(({ launches }) =>
        launches.map(({ profile: { launch } }) => launch.grid[0]),
      );
    expect(grids()).toEqual([16]);
    edit("/w/scratch/main.cpp", files["/w/scratch/main.cpp"].replace("1024", "2048"));
    expect(grids()).toEqual([32]);
  });

  it("a kernel whose launchers have names that macros put together", () => {
    const files = {
      "/w/k.cu": `#define LAUNCHER(N) void run_##N(float* p, int n) { k<<<n / N, N>>>(p, n); }\n${kernel("k")}LAUNCHER(64)\nLAUNCHER(96)\n`,
      "/w/main.cpp":
        "void run_64(float*, int);\nint main() { float* p; cudaMalloc(&p, 8192); run_64(p, 1024); }\n",
    };
    expect(launchesIn(files, "/w/k.cu")).toEqual(["k 64x1x1 launch"]);
  });

  it("a kernel whose launcher is defined under the name that a macro has", () => {
    const files = {
      "/w/k.cu": `#ifndef RUN\n#define RUN run\n#endif\n${kernel("k")}void RUN(float* p, int n) { k<<<n / 64, 64>>>(p, n); }\n`,
      "/w/main.cpp": "void run(float*, int);\nint main() { float* p; cudaMalloc(&p, 8192); run(p, 1024); }\n",
    };
    expect(launchesIn(files, "/w/k.cu")).toEqual(["k 64x1x1 launch"]);
  });

  it("a kernel that an object registers which nobody names", () => {
    const files = {
      "/w/registry.h":
        "#pragma once\n#include <vector>\nusing Run = void (*)(float*, int);\nstd::vector<Run>& all();\nstruct Entry { explicit Entry(Run run) { all().push_back(run); } };\n",
      "/w/registry.cpp":
        '#include "registry.h"\nstd::vector<Run>& all() { static std::vector<Run> runs; return runs; }\n',
      "/w/k.cu": `#include "registry.h"\nnamespace {\n${kernel("k")}void go(float* p, int n) { k<<<n / 64, 64>>>(p, n); }\nconst Entry entry(go);\n}\n`,
      "/w/main.cpp":
        '#include "registry.h"\nint main() { float* p; cudaMalloc(&p, 8192); for (auto each : all()) each(p, 1024); }\n',
      "/w/CMakeLists.txt":
        "project(p CXX CUDA)\nadd_library(cases OBJECT k.cu)\nadd_library(runtime registry.cpp)\nadd_executable(app main.cpp)\ntarget_link_libraries(app cases runtime)\n",
    };
    const { session } = worldOf({ ...files });
    const grids = (of: LintSession) =>
      analysed(of, "/w/k.cu").kernels.flatMap(({ launches }) =>
        launches.map(({ profile: { launch } }) => launch.grid[0]),
      );
    expect(grids(session)).toEqual([16]);
    // What lies in an archive is linked where it is used, and there it is not.
    const archive = worldOf({
      ...files,
      "/w/CMakeLists.txt": files["/w/CMakeLists.txt"].replace("cases OBJECT", "cases STATIC"),
    });
    expect(grids(archive.session)).toEqual([null]);
  });

  it("a source that the build compiles twice, for one program or for two", () => {
    const databaseOf = (entries: readonly (readonly [string, string, string])[]) =>
      JSON.stringify(
        entries.map(([file, options, output]) => ({
          directory: "/w",
          file,
          command: `nvcc ${options} -c ${file} -o ${output}`,
        })),
      );
    const files = {
      "/w/k.cu": `#define PASTE(a, b) a##b\n#define NAME(a, b) PASTE(a, b)\n${kernel("k").replace("__global__", "static __global__")}void NAME(run_, N)(float* p, int n) { k<<<n / N, N>>>(p, n); }\n`,
      "/w/main.cpp":
        "void run_32(float*, int);\nvoid run_64(float*, int);\nint main() { float* p; cudaMalloc(&p, 8192); run_32(p, 1024); run_64(p, 1024); }\n",
      "/w/compile_commands.json": databaseOf([
        ["k.cu", "-DN=32", "o/k_32.o"],
        ["k.cu", "-DN=64", "o/k_64.o"],
        ["main.cpp", "", "o/main.o"],
      ]),
    };
    const found = ["k 32x1x1 launch", "k 64x1x1 launch"];
    expect([...launchesIn(files, "/w/k.cu")].sort()).toEqual(found);
    const two = {
      "/w/k.cu": `${kernel("k")}void run(float* p, int n) { k<<<n / N, N>>>(p, n); }\n`,
      "/w/main.cpp":
        "void run(float*, int);\nint main() { float* p; cudaMalloc(&p, 8192); run(p, 16 * N); }\n",
      "/w/compile_commands.json": databaseOf([
        ["k.cu", "-DN=32", "CMakeFiles/small.dir/k.o"],
        ["main.cpp", "-DN=32", "CMakeFiles/small.dir/main.o"],
        ["k.cu", "-DN=64", "CMakeFiles/large.dir/k.o"],
        ["main.cpp", "-DN=64", "CMakeFiles/large.dir/main.o"],
      ]),
    };
    expect([...launchesIn(two, "/w/k.cu")].sort()).toEqual(found);
    // A program's own objects come before those of a library that may be linked to it.
    const test = {
      ...two,
      "/w/test.cpp": two["/w/main.cpp"],
      "/w/compile_commands.json": databaseOf([
        ["k.cu", "-DN=32", "CMakeFiles/library.dir/k.o"],
        ["main.cpp", "-DN=32", "CMakeFiles/app.dir/main.o"],
        ["test.cpp", "-DN=64", "CMakeFiles/test.dir/test.o"],
        ["k.cu", "-DN=64", "CMakeFiles/test.dir/k.o"],
      ]),
    };
    expect([...launchesIn(test, "/w/k.cu")].sort()).toEqual(found);
  });

  it("a library without callers is entered with parameters that nobody knows", () => {
    const { "/w/app/main.cpp": _, ...library } = project;
    const launches = launchesIn(library, "/w/src/run.cu");
    expect(launches.length).toBeGreaterThan(1);
    expect(launches.every((launch) => launch.endsWith("assumed"))).toBe(true);
  });

  it("a test without main calls a library as well as one with it", () => {
    const files = { ...project, "/w/app/main.cpp": mainWith(96).replace("int main()", "TEST(Run, Works)") };
    expect(launchesIn(files, "/w/src/run.cu")).toEqual(["k 96x1x1 launch"]);
  });

  it("kernels that no program reaches are those of a library", () => {
    const files = {
      ...project,
      "/w/src/run.cu": `${runner}${kernel("other")}void unused(float* p) { other<<<1, 160>>>(p, 1); }\n`,
    };
    expect(launchesIn(files, "/w/src/run.cu")).toEqual(["k 128x1x1 launch", "other 160x1x1 launch"]);
  });

  it("operators of a class, which nobody calls by name, are found in the source that defines them", () => {
    const files = {
      "/w/net.h": `#pragma once
class Net { float* data_; int n_; public: explicit Net(int n) : n_(n) { cudaMalloc(&data_, 4 * n); } Net& operator()(int rows); Net &operator << (int rows); int operator[](int i) const; };
void apply(float* p, int n, int block);
`,
      "/w/net.cpp": `#include "net.h"
Net& Net::operator()(int rows) { apply(data_, n_, 32 * rows); return *this; }
Net& Net::operator<<(int rows) { apply(data_, n_, (*this)[rows]); return *this; }
`,
      "/w/size.cpp": '#include "net.h"\nint Net::operator[](int i) const { return 64 * i; }\n',
      "/w/k.cu": `#include "net.h"\n${kernel("k")}void apply(float* p, int n, int block) { k<<<n / block, block>>>(p, n); }\n`,
      "/w/main.cpp": '#include "net.h"\nint main() { Net net(1024); net(1)(3); net << 2; }\n',
    };
    const found = ["k 32x1x1 launch", "k 96x1x1 launch", "k 128x1x1 launch"];
    expect(launchesIn(files, "/w/k.cu")).toEqual(found);
  });

  it("static functions of one name in two sources are two", () => {
    const source = (name: string, block: number) =>
      `${kernel(name)}static int blockOf() { return ${block}; }\nvoid run_${name}(float* p) { ${name}<<<4, blockOf()>>>(p, 4); }\n`;
    const files = {
      "/w/a.cu": source("a", 32),
      "/w/b.cu": source("b", 64),
      "/w/main.cpp":
        "void run_a(float*);\nvoid run_b(float*);\nstatic int blockOf() { return 1; }\nint main() { run_a(0); run_b(0); return blockOf(); }\n",
    };
    expect(launchesIn(files, "/w/a.cu")).toEqual(["a 32x1x1 launch"]);
    expect(launchesIn(files, "/w/b.cu")).toEqual(["b 64x1x1 launch"]);
  });
});

describe("a program", () => {
  const two: Files = {
    ...project,
    "/w/src/more.cu": `${kernel("m")}void more(float* p) { m<<<2, 32>>>(p, 3); }\n`,
    "/w/app/main.cpp": `void more(float* p);\n${mainWith(128).replace("run(p", "more(p); run(p")}`,
  };

  it("is analysed once for all its files", () => {
    const { session } = worldOf({ ...two });
    expect(launchesOf(analysed(session, "/w/src/run.cu"))).toEqual(["k 128x1x1 launch"]);
    const before = [...read];
    expect(before.sort()).toEqual(["/w/app/main.cpp", "/w/src/more.cu", "/w/src/run.cu"]);
    expect(lowered).toEqual(["/w/app/main.cpp"]);
    expect(launchesOf(analysed(session, "/w/src/more.cu"))).toEqual(["m 32x1x1 launch"]);
    expect(launchesOf(analysed(session, "/w/app/main.cpp"))).toEqual([]);
    expect(read).toHaveLength(3);
    expect(lowered).toEqual(["/w/app/main.cpp"]);
  });

  it("changes with an edit of any of its files, and reads that one again", () => {
    const { session, edit } = worldOf({ ...two });
    analysed(session, "/w/src/run.cu");
    read.length = 0;
    edit("/w/app/main.cpp", two["/w/app/main.cpp"]?.replace("128", "512") ?? "");
    expect(launchesOf(analysed(session, "/w/src/run.cu"))).toEqual(["k 512x1x1 launch"]);
    expect(read).toEqual(["/w/app/main.cpp"]);
    edit("/w/app/main.cpp", "int main() { return 0; }\n");
    const alone = launchesOf(analysed(session, "/w/src/run.cu"));
    expect(alone.every((launch) => launch.endsWith("assumed"))).toBe(true);
    edit("/w/app/main.cpp", two["/w/app/main.cpp"] ?? "");
    expect(launchesOf(analysed(session, "/w/src/run.cu"))).toEqual(["k 128x1x1 launch"]);
  });

  it("comes and goes with its root", () => {
    const { session, edit } = worldOf({ ...two });
    edit("/w/tool/tool.cpp", mainWith(64));
    expect([...launchesOf(analysed(session, "/w/src/run.cu"))].sort()).toEqual([
      "k 128x1x1 launch",
      "k 64x1x1 launch",
    ]);
    edit("/w/tool/tool.cpp", "");
    expect(launchesOf(analysed(session, "/w/src/run.cu"))).toEqual(["k 128x1x1 launch"]);
  });

  it("evaluates nothing again that an edit of another of its files leaves alone", () => {
    const { session, edit } = worldOf({ ...two });
    const profileOf = () => analysed(session, "/w/src/more.cu").kernels[0]?.launches[0]?.profile.accesses;
    const before = profileOf();
    edit("/w/src/run.cu", runner.replace("i * 2", "i * 3"));
    expect(profileOf()).toBe(before);
  });

  it("is forgotten with the last of its files", () => {
    const { session } = worldOf({ ...two });
    analysed(session, "/w/src/run.cu");
    analysed(session, "/w/src/more.cu");
    session.forget("/w/src/run.cu");
    expect(session.texts().has("/w/src/run.cu")).toBe(true);
    session.forget("/w/src/more.cu");
    expect(session.texts().size).toBe(0);
  });
});

describe("check", () => {
  const files: Files = {
    ...project,
    "/w/include/tile.cuh": `#pragma once\ntemplate <int N> ${kernel("tile")}`,
    "/w/src/run.cu": `#include "../include/tile.cuh"\n${runner}void tiles(float* p) { tile<3><<<1, 32>>>(p, 1); }\n`,
    "/w/src/other.cu":
      '#include "../include/tile.cuh"\nvoid others(float* p) { tile<4><<<1, 64>>>(p, 1); }\n',
    "/w/test/run_test.cu": mainWith(64),
    "/w/lib/alone.cu": kernel("alone"),
  };
  const cuda = Object.keys(files).filter((path) => /\.cuh?$/.test(path));

  /** What a report shows of a file. */
  const shown = ({ findings, launches }: Pick<FileReport, "findings" | "launches">) => ({
    findings: findings.map(({ rule, range, severity }) => `${rule} ${severity} ${range.start}`),
    launches: [
      ...new Set(
        launches.map(({ kernel: { name }, profile }) => `${name} ${profile.launch.block.join("x")}`),
      ),
    ].sort(),
  });

  it("reports every file, and each the same as by itself and in an editor", () => {
    const { reports, failures } = lintSession(cuda, worldOf({ ...files }).session);
    expect(failures).toEqual([]);
    expect(reports.map(({ path }) => path)).toEqual([...cuda].sort());
    for (const report of reports) {
      const alone = lintSession([report.path], worldOf({ ...files }).session);
      const own = alone.reports.find(({ path }) => path === report.path);
      expect(own && shown(own).findings).toEqual(shown(report).findings);
      const { session } = worldOf({ ...files });
      const analysis = analysed(session, report.path);
      expect(shown(analysis.report).findings).toEqual(shown(report).findings);
    }
  });

  it("analyses every program once", () => {
    lintSession(cuda, worldOf({ ...files }).session);
    expect(lowered.filter((root) => root.includes("main") || root.includes("test"))).toEqual([
      "/w/app/main.cpp",
      "/w/test/run_test.cu",
    ]);
  });

  it("loses no kernel and no access of the text", () => {
    const { reports } = lintSession(cuda, worldOf({ ...files }).session);
    const seen = new Set(
      reports.flatMap(({ launches }) =>
        launches.flatMap(({ profile }) =>
          profile.accesses.map(({ range, operation }) => `${range.file} ${range.start} ${operation}`),
        ),
      ),
    );
    const written = cuda.flatMap((path) =>
      [...(files[path] ?? "").matchAll(/p\[i \* 2\] = 1/g)].map(({ index }) => `${path} ${index} store`),
    );
    expect([...seen].sort()).toEqual(written.sort());
  });
});

describe("a kernel that the build as it is does not reach", () => {
  it("has the launches of the source that names it", () => {
    const files = {
      "/w/kernels.cu": kernel("k"),
      "/w/ops.cu": "__global__ void k(float *p, int n);\nvoid run(float *p, int n) { k<<<n, 96>>>(p, n); }\n",
      "/w/api.cpp": "#if WITH_CUDA\nvoid run(float *p, int n);\nvoid api(float *p) { run(p, 3); }\n#endif\n",
      "/w/CMakeLists.txt":
        'project(l CXX)\noption(WITH_CUDA "" OFF)\nadd_library(l SHARED api.cpp)\nif(WITH_CUDA)\ntarget_sources(l PRIVATE ops.cu kernels.cu)\nendif()\n',
    };
    expect(launchesIn(files, "/w/kernels.cu")).toEqual(["k 96x1x1 launch"]);
  });
});
