// Which build description knows a file: the order of the kinds, several compilations, files that nobody names, and what is read again.
import { describe, expect, it } from "vitest";
import { createBuild } from "../../server/src/build/build.ts";
import {
  type BuildDescription,
  type BuildKind,
  type BuildReader,
  type CompiledSource,
  noFlags,
} from "../../server/src/build/flags.ts";
import type { BuildReaders } from "../../server/src/build/readers.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { buildHost } from "../../server/src/project/build-host.ts";
import { directoryOf, resolvePath } from "../../server/src/text/path.ts";

/** Lines "source DEFINE=VALUE target", or "* DEFINE=VALUE" for all others, or "include FILE". */
function reader(kind: BuildKind, reads: string[] = []): BuildReader {
  return (host, file): BuildDescription | null => {
    reads.push(file);
    host.kindOf(resolvePath(directoryOf(file), "a.cu"));
    host.list(directoryOf(file));
    const lines = (host.readText(file) ?? "").split("\n").filter((line) => line !== "");
    if (lines.length === 0) return null;
    const all = lines.flatMap((line) => {
      const [, other = ""] = /^include (.*)/.exec(line) ?? [];
      return other === "" ? [line] : (host.readText(resolvePath(directoryOf(file), other)) ?? "").split("\n");
    });
    const sources: CompiledSource[] = [];
    let others: BuildDescription["others"] = null;
    for (const [index, line] of all.entries()) {
      const [path = "", define = "", target = null] = line.split(" ");
      const [name = "", value = "1"] = define.split("=");
      const origin = { file, line: index + 1 };
      const flags = { ...noFlags, macros: [{ kind: "define" as const, name, value, doubt: null, origin }] };
      if (path === "*") others = flags;
      else sources.push({ path: resolvePath(directoryOf(file), path), language: "cuda", target, flags });
    }
    return { kind, file, readFiles: [], sources, targets: [], generatedFiles: [], unresolved: [], others };
  };
}

const readers: BuildReaders = {
  compileCommands: reader("compile-commands"),
  cmakeFileApi: reader("cmake-file-api"),
  ninja: reader("ninja"),
  cmake: reader("cmake"),
  make: reader("make"),
  shell: reader("shell"),
  setupPy: reader("setup-py"),
  bazel: reader("bazel"),
  clangd: reader("clangd"),
  compileFlags: reader("compile-flags"),
  cCppProperties: reader("c-cpp-properties"),
};

function buildOf(files: Record<string, string>, more: BuildReaders = readers) {
  return createBuild(buildHost(memoryHost(files, "/w"), ["/w"]), "/w", more);
}

/** "cmake /w/CMakeLists.txt A=1": who says what. */
function said(build: ReturnType<typeof buildOf>, file: string): string {
  const { contexts, source, borrowedFrom } = build.of(file);
  const flags = contexts.map(({ flags, targets }) =>
    [
      ...flags.macros.map(({ name, value }) => `${name}=${value}`),
      ...targets.map((each) => `(${each})`),
    ].join(" "),
  );
  const by = borrowedFrom === null ? "" : ` as ${borrowedFrom}`;
  return source === null ? "nobody" : `${source.kind} ${source.file}: ${flags.join(", ")}${by}`;
}

const every: readonly (readonly [path: string, text: string, said: string])[] = [
  ["/w/build/compile_commands.json", "../s/a.cu A=1", "compile-commands /w/build/compile_commands.json: A=1"],
  [
    "/w/build/.cmake/api/v1/reply/index-2.json",
    "../../../../../s/a.cu A=2",
    "cmake-file-api /w/build/.cmake/api/v1/reply/index-2.json: A=2",
  ],
  ["/w/out/build/x64/build.ninja", "../../../s/a.cu A=3", "ninja /w/out/build/x64/build.ninja: A=3"],
  ["/w/CMakeLists.txt", "s/a.cu A=4", "cmake /w/CMakeLists.txt: A=4"],
  ["/w/Makefile", "s/a.cu A=5", "make /w/Makefile: A=5"],
  ["/w/s/build.sh", "a.cu A=6", "shell /w/s/build.sh: A=6"],
  ["/w/setup.py", "s/a.cu A=7", "setup-py /w/setup.py: A=7"],
  ["/w/s/ops.py", "a.cu A=12 cpp_extension", "setup-py /w/s/ops.py: A=12 (cpp_extension)"],
  ["/w/WORKSPACE", "s/a.cu A=13", "bazel /w/WORKSPACE: A=13"],
  ["/w/s/BUILD", "a.cu A=8", "bazel /w/s/BUILD: A=8"],
  ["/w/.clangd", "* A=9", "clangd /w/.clangd: "],
  ["/w/compile_flags.txt", "* A=10", "compile-flags /w/compile_flags.txt: A=10"],
  ["/w/.vscode/c_cpp_properties.json", "* A=11", "c-cpp-properties /w/.vscode/c_cpp_properties.json: A=11"],
];

describe("the description of a file", () => {
  it.each(every.map(([path, , expected], index) => [path, expected, index] as const))(
    "is %s where no earlier kind knows the file",
    (_, expected, index) => {
      const files = Object.fromEntries(every.slice(index).map(([path, text]) => [path, text]));
      expect(said(buildOf({ ...files, "/w/s/a.cu": "" }), "/w/s/a.cu")).toBe(expected);
    },
  );

  it("is passed over where it does not name the file and another does", () => {
    const build = buildOf({
      "/w/compile_commands.json": "b.cu A=1",
      "/w/CMakeLists.txt": "b.cu A=1",
      "/w/Makefile": "a.cu A=2",
    });
    expect(said(build, "/w/a.cu")).toBe("make /w/Makefile: A=2");
    expect(build.of("/w/a.cu").lookedAt).toEqual([
      "/w/compile_commands.json",
      "/w/CMakeLists.txt",
      "/w/Makefile",
    ]);
  });

  it("is the outermost CMakeLists.txt, else a project inside of it, and the outermost Makefile", () => {
    const build = buildOf({
      "/w/CMakeLists.txt": "one/a.cu A=1",
      "/w/one/CMakeLists.txt": "project(one)\na.cu A=2",
      "/w/two/CMakeLists.txt": "project(two)\na.cu A=3",
      "/w/three/CMakeLists.txt": "a.cu A=4",
      "/w/Makefile": "three/a.cu A=5\n* A=7",
      "/w/three/Makefile": "a.cu A=6\n* A=8",
      "/w/four/Makefile": "a.cu A=9",
    });
    expect(said(build, "/w/one/a.cu")).toBe("cmake /w/CMakeLists.txt: A=1");
    expect(said(build, "/w/two/a.cu")).toContain("A=3");
    expect(said(build, "/w/three/a.cu")).toBe("make /w/Makefile: A=5");
    expect(said(build, "/w/four/a.cu")).toBe("make /w/four/Makefile: A=9");
  });

  it("is a makefile of a folder beside it that names it, where nothing else does", () => {
    const build = buildOf({
      "/w/setup.py": "lib/csrc/b.cu B=1",
      "/w/tests/Makefile": "../lib/csrc/a.cu A=1\n../lib/csrc/b.cu A=2\n* A=3",
      "/w/lib/bench/Makefile": "own.cu A=4\n* A=5",
    });
    expect(said(build, "/w/lib/csrc/a.cu")).toBe("make /w/tests/Makefile: A=1");
    expect(said(build, "/w/lib/csrc/b.cu")).toBe("setup-py /w/setup.py: B=1");
    expect(said(build, "/w/lib/csrc/c.cu")).not.toContain("make");
    expect(said(build, "/w/lib/csrc/a.cuh")).not.toContain("make");
  });

  it("is none of many makefiles beside each other", () => {
    const makefiles = Array.from({ length: 17 }, (_, n) => [`/w/sample${n}/Makefile`, "../common/a.cu A=1"]);
    expect(said(buildOf(Object.fromEntries(makefiles)), "/w/common/a.cu")).toBe("nobody");
  });

  it("is that which .clangd names", () => {
    const build = buildOf({
      "/w/.clangd": "CompileFlags:\n  CompilationDatabase: made/here\n",
      "/w/made/here/compile_commands.json": "../../a.cu A=1",
    });
    expect(said(build, "/w/a.cu")).toContain("compile-commands /w/made/here/compile_commands.json: A=1");
  });

  it("gives every way in which the file is compiled, those alike once", () => {
    const build = buildOf({ "/w/CMakeLists.txt": "a.cu A=1 one\na.cu A=2 two\na.cu A=1 three" });
    expect(said(build, "/w/a.cu")).toBe("cmake /w/CMakeLists.txt: A=1 (one) (three), A=2 (two)");
  });

  it("is never outside of the workspace", () => {
    expect(said(buildOf({ "/Makefile": "w/a.cu A=1", "/w/a.cu": "" }), "/w/a.cu")).toBe("nobody");
  });
});

describe("a file that no description names", () => {
  it("is compiled as the source nearest to it: of its name, else of CUDA", () => {
    const build = buildOf({
      "/w/CMakeLists.txt": "src/a.cu A=1\nsrc/deep/b.cu A=2\nsrc/deep/c.cu A=3\nlib/d.cu A=4",
    });
    expect(said(build, "/w/src/deep/c.cuh")).toBe("cmake /w/CMakeLists.txt: A=3 as /w/src/deep/c.cu");
    expect(said(build, "/w/src/deep/x.cuh")).toBe("cmake /w/CMakeLists.txt: A=2 as /w/src/deep/b.cu");
    expect(said(build, "/w/src/other/x.cuh")).toBe("cmake /w/CMakeLists.txt: A=1 as /w/src/a.cu");
    expect(said(build, "/w/lib/x.cu")).toBe("cmake /w/CMakeLists.txt: A=4 as /w/lib/d.cu");
  });

  it("has the flags that hold for all others, below the description's directory alone", () => {
    const build = buildOf({ "/w/one/compile_flags.txt": "* A=1" });
    expect(said(build, "/w/one/deep/a.cuh")).toBe("compile-flags /w/one/compile_flags.txt: A=1");
    expect(said(build, "/w/two/a.cuh")).toBe("nobody");
  });
});

describe("a description", () => {
  const files: Record<string, string> = { "/w/Makefile": "include flags.mk", "/w/flags.mk": "a.cu A=1" };
  const reads: string[] = [];
  const make = reader("make", reads);

  it("is read once, and again when a file changes that it was read from", () => {
    const now = { ...files };
    const host = memoryHost(now, "/w");
    const live = {
      ...host,
      readBytes: (path: string) => new TextEncoder().encode(now[path] ?? ""),
      kindOf: (path: string) => (path in now ? ("file" as const) : host.kindOf(path)),
      sizeOf: (path: string) => now[path]?.length ?? null,
    };
    const build = createBuild(buildHost(live, ["/w"]), "/w", { make });
    expect(said(build, "/w/a.cu")).toBe("make /w/Makefile: A=1");
    expect(said(build, "/w/a.cuh")).toBe("make /w/Makefile: A=1 as /w/a.cu");
    expect(reads).toEqual(["/w/Makefile"]);
    expect(build.forget(["/w/a.cu"])).toBe(false);
    expect(build.hangsOn("/w/a.cu")).toBe(false);
    expect(build.hangsOn("/w/flags.mk")).toBe(true);
    now["/w/flags.mk"] = "a.cu A=2";
    expect(build.forget(["/w/flags.mk"])).toBe(true);
    expect(said(build, "/w/a.cu")).toBe("make /w/Makefile: A=2");
    expect(reads).toEqual(["/w/Makefile", "/w/Makefile"]);
    now["/w/GNUmakefile"] = "a.cu A=3";
    expect(build.forget(["/w/GNUmakefile"])).toBe(true);
    expect(said(build, "/w/a.cu")).toBe("make /w/GNUmakefile: A=3");
  });
});

describe("the language of a source", () => {
  it("is what the build says, where the name says another", () => {
    const text = `cmake_minimum_required(VERSION 3.22)
project(p LANGUAGES CXX CUDA)
add_executable(t a.cu b.cpp c.cpp)
set_source_files_properties(b.cpp PROPERTIES LANGUAGE CUDA)`;
    const host = memoryHost({ "/p/CMakeLists.txt": text, "/p/b.cpp": "", "/p/c.cpp": "" }, "/p");
    const build = createBuild(buildHost(host, ["/p"]), "/p");
    const languageOf = (file: string) => build.of(`/p/${file}`).contexts[0]?.flags.language;
    expect(["a.cu", "b.cpp", "c.cpp", "h.h"].map(languageOf)).toEqual([
      undefined,
      "cuda",
      undefined,
      undefined,
    ]);
  });
});
