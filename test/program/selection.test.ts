// Which sources make a program: the roots that may reach a file, and what a linker would put together from a root.

import { beforeAll, describe, expect, it } from "vitest";
import { noFlags } from "../../server/src/build/flags.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createNameIndex, type NameIndexOfFiles } from "../../server/src/program/index.ts";
import { linkSetOf } from "../../server/src/program/link-set.ts";
import { rootsOf } from "../../server/src/program/roots.ts";
import { fileTexts, includeReader } from "../../server/src/project/includes.ts";
import { runToEnd } from "../../server/src/steps.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";
import { testPipeline } from "../support/pipeline.ts";

type Files = Readonly<Record<string, string>>;

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await testPipeline();
});

const nothingIgnored = { isIgnored: () => false };

function indexOf(files: Files): NameIndexOfFiles {
  const index = createNameIndex(memoryHost(files, "/w"), "/w", nothingIgnored);
  runToEnd(index.refresh());
  return index;
}

/** Paths without what they share. */
const short = (paths: readonly string[]) => paths.map((path) => path.replace("/w/", ""));

const rootsIn = (files: Files, file: string) => short(runToEnd(rootsOf(`/w/${file}`, indexOf(files))).files);

interface Linked {
  readonly files: readonly string[];
  readonly gaps: readonly string[];
  readonly read: readonly string[];
}

function linkedIn(files: Files, root: string, mostCharacters = 60_000_000): Linked {
  const host = memoryHost(files, "/w");
  const search = { workspace: "/w", allowed: { inside: ["/w"], outside: [] }, includePaths: [] };
  const { readInclude } = includeReader(host, fileTexts(host), search);
  const read: string[] = [];
  const units = new Map<string, TranslationUnit>();
  const readUnit = (path: string) => {
    const known = units.get(path);
    if (known !== undefined) return known;
    read.push(path);
    const options = { readInclude, flags: noFlags, architecture: 900, previous: null };
    const unit = pipeline.read(path, files[path] ?? "", options);
    units.set(path, unit);
    return unit;
  };
  const { units: linked, gaps } = runToEnd(
    linkSetOf(readUnit(`/w/${root}`), {
      mostCharacters,
      *index() {
        yield;
        return indexOf(files);
      },
      *read(path) {
        yield;
        return [readUnit(path)];
      },
      isLinked: null,
      objects: new Set(),
      linksDeviceCode: false,
    }),
  );
  return { files: short(linked.map(({ file }) => file)), gaps, read: short(read) };
}

const header = "#pragma once\nvoid scale(float* p, int n);\nint blocksFor(int n);\n";
const kernels = `#include "../include/scale.h"
__global__ void scaleKernel(float* p) { p[threadIdx.x] *= 2; }
void scale(float* p, int n) { scaleKernel<<<blocksFor(n), 128>>>(p); }
`;
const main = '#include "../include/scale.h"\nint main() { float* p; cudaMalloc(&p, 512); scale(p, 128); }\n';
const project: Files = {
  "/w/include/scale.h": header,
  "/w/src/scale.cu": kernels,
  "/w/util/blocks.cpp": '#include "../include/scale.h"\nint blocksFor(int n) { return n / 128; }\n',
  "/w/util/other.cpp": "int other() { return 1; }\n",
  "/w/app/main.cpp": main,
};

describe("roots", () => {
  it("are the sources with main that use a file, directly or not", () => {
    expect(rootsIn(project, "src/scale.cu")).toEqual(["app/main.cpp"]);
    expect(rootsIn(project, "util/blocks.cpp")).toEqual(["app/main.cpp"]);
    expect(rootsIn(project, "util/other.cpp")).toEqual([]);
    expect(rootsIn(project, "app/main.cpp")).toEqual([]);
  });

  it("are all of them, tests too, nearest first", () => {
    const files = { ...project, "/w/src/test/scale_test.cu": main.replace("../", "../../") };
    expect(rootsIn(files, "src/scale.cu")).toEqual(["src/test/scale_test.cu", "app/main.cpp"]);
  });

  it("are those that nobody uses, where no main is in sight", () => {
    const files = { ...project, "/w/app/main.cpp": main.replace("int main", "void api") };
    expect(rootsIn(files, "src/scale.cu")).toEqual(["app/main.cpp"]);
    expect(rootsIn({ "/w/a.cu": "void f() {}" }, "a.cu")).toEqual([]);
  });

  it("use a header's kernels through what includes it", () => {
    const files = {
      "/w/k.cuh": "template <class T> __global__ void k(T* p) { p[threadIdx.x] = 1; }\n",
      "/w/run.cuh": '#include "k.cuh"\ntemplate <class T> void run(T* p) { k<<<1, 32>>>(p); }\n',
      "/w/main.cu": '#include "run.cuh"\nint main() { float* p; run(p); }\n',
      "/w/strange.cu": "int main() { int k = 1; run(k); }\n",
    };
    expect(rootsIn(files, "k.cuh")).toEqual(["main.cu"]);
  });

  it("are not those that mean a nearer definition by the name", () => {
    const files = {
      "/w/a/run.cu": "void run() { }\n",
      "/w/a/main.cpp": "void run();\nint main() { run(); }\n",
      "/w/b/run.cu": "void run() { }\n",
      "/w/b/main.cpp": "void run();\nint main() { run(); }\n",
    };
    expect(rootsIn(files, "a/run.cu")).toEqual(["a/main.cpp"]);
  });

  it("are not more than are analysed for one file, the nearest, and that is said", () => {
    const files: Record<string, string> = { ...project };
    for (let at = 0; at < 20; at++) files[`/w/app/far/away/main${at}.cpp`] = main.replace("../", "../../../");
    const { files: found, gap } = runToEnd(rootsOf("/w/src/scale.cu", indexOf(files)));
    expect(found).toHaveLength(16);
    expect(found[0]).toBe("/w/app/main.cpp");
    expect(gap).toBe("of 21 programs that may reach scale.cu the nearest 16 were analysed");
  });

  it("may mean a definition that lies farther, where a build says what it links", () => {
    const files = {
      "/w/main.cpp": "void run();\nint main() { run(); }\n",
      "/w/run.cu": "void run() {}\n",
      "/w/fast/run.cu": "void run() {}\n",
    };
    const roots = (meant: "nearest" | "any") =>
      short(runToEnd(rootsOf("/w/fast/run.cu", indexOf(files), meant)).files);
    expect(roots("nearest")).toEqual([]);
    expect(roots("any")).toEqual(["main.cpp"]);
  });

  it("are not those that define the name themselves", () => {
    const files = {
      "/w/a.cu": "void run() {}\n",
      "/w/main.cpp": "static void run() {}\nint main() { run(); }\n",
    };
    expect(rootsIn(files, "a.cu")).toEqual([]);
  });
});

describe("what is linked", () => {
  it("is cut where its text passes what may be read, and says so", () => {
    const whole = linkedIn(project, "app/main.cpp");
    expect(whole.files).toEqual(["app/main.cpp", "src/scale.cu", "util/blocks.cpp"]);
    expect(whole.gaps).toEqual([]);
    const mostCharacters = header.length + main.length + 1;
    const cut = linkedIn(project, "app/main.cpp", mostCharacters);
    expect(cut.files).toEqual(["app/main.cpp", "src/scale.cu"]);
    expect(cut.gaps).toEqual([
      "the program of /w/app/main.cpp is larger than what is followed: 2 of its sources were read",
    ]);
  });

  it("is what is lacked, in any directory, and nothing else is read", () => {
    const { files, read } = linkedIn(project, "app/main.cpp");
    expect(files).toEqual(["app/main.cpp", "src/scale.cu", "util/blocks.cpp"]);
    expect(read).toEqual(files);
  });

  it("asks for no other source where members only call what looks like a declaration", () => {
    const files = {
      "/w/main.cu":
        "struct Max { float operator()(float a) const { if (a > 0) { return 1; } return fmaxf(a, 0); } };\nint main() {}\n",
      "/w/fmaxf.cu":
        "float fmaxf(float a, float b) { return a; }\nstruct Max { float fmaxf(float a, float b); };\nfloat Max::fmaxf(float a, float b) { return b; }\n",
    };
    expect(linkedIn(files, "main.cu").read).toEqual(["main.cu"]);
  });

  it("is not a second main", () => {
    const second = `${project["/w/util/blocks.cpp"]}int main() { return blocksFor(1); }\n`;
    expect(linkedIn({ ...project, "/w/util/blocks.cpp": second }, "app/main.cpp").files).toEqual([
      "app/main.cpp",
      "src/scale.cu",
    ]);
  });

  it("is not what is internal to its source", () => {
    const hidden = project["/w/util/blocks.cpp"]?.replace("int blocksFor", "static int blocksFor") ?? "";
    expect(linkedIn({ ...project, "/w/util/blocks.cpp": hidden }, "app/main.cpp").files).toEqual([
      "app/main.cpp",
      "src/scale.cu",
    ]);
  });

  it("is the nearest of several definitions, and none of two beside each other", () => {
    const blocks = project["/w/util/blocks.cpp"] ?? "";
    const near = { ...project, "/w/src/blocks.cpp": blocks };
    expect(linkedIn(near, "app/main.cpp").files).toEqual(["app/main.cpp", "src/scale.cu", "src/blocks.cpp"]);
    const both = linkedIn({ ...near, "/w/src/blocks_avx.cpp": blocks }, "app/main.cpp");
    expect(both.files).toEqual(["app/main.cpp", "src/scale.cu"]);
    expect(both.gaps).toEqual([
      "blocksFor is defined in 2 sources beside each other, and nothing tells which is linked",
    ]);
  });

  it("is the definition that takes what was declared", () => {
    const files = {
      "/w/main.cpp":
        "void run(float* p, int n);\nvoid run(double* p, int n);\nint main() { float* p; run(p, 1); }\n",
      "/w/floats.cu": "void run(float *values, const int n) { }\n",
      "/w/doubles.cu": "void run(double* values, int n) { }\n",
    };
    expect(linkedIn(files, "main.cpp").files).toEqual(["main.cpp", "floats.cu", "doubles.cu"]);
  });

  it("is what defines and instantiates the members of a class template", () => {
    const files = {
      "/w/matrix.h":
        "namespace m { template <class T> struct Matrix { T* v; static Matrix make(int n); void fill(T x); };\n" +
        "extern template struct Matrix<float>; }\n",
      "/w/matrix.cu":
        '#include "matrix.h"\nnamespace m {\ntemplate <class T> Matrix<T> Matrix<T>::make(int n) { return {}; }\n' +
        "template <class T> void Matrix<T>::fill(T x) { }\ntemplate struct Matrix<float>;\n}\n",
      "/w/main.cu": '#include "matrix.h"\nint main() { auto a = m::Matrix<float>::make(8); a.fill(2.f); }\n',
      "/w/other.cu": "struct Other { void fill(float x); };\nvoid Other::fill(float x) { }\n",
    };
    expect(linkedIn(files, "main.cu").files).toEqual(["main.cu", "matrix.cu"]);
    expect(rootsIn(files, "matrix.cu")).toEqual(["main.cu"]);
  });

  it("is what instantiates a function template that gives an object of a class template", () => {
    const files = {
      "/w/csr.h":
        "template <class T> struct Csr { int rows; T* v; };\ntemplate <class T> Csr<T> laplace(int n);\n",
      "/w/csr.cu":
        '#include "csr.h"\ntemplate <class T> Csr<T> laplace(int n) { return {n * n}; }\n' +
        "template Csr<float> laplace<float>(int);\n",
      "/w/main.cu": '#include "csr.h"\nint main() { return laplace<float>(8).rows; }\n',
    };
    expect(linkedIn(files, "main.cu").files).toEqual(["main.cu", "csr.cu"]);
    expect(rootsIn(files, "csr.cu")).toEqual(["main.cu"]);
  });

  it("follows only what the program reaches", () => {
    const files = {
      "/w/main.cpp": "void used();\nint main() { used(); }\n",
      "/w/lib.cpp": "void far();\nvoid used() { }\nvoid unused() { far(); }\n",
      "/w/far.cpp": "void far() { }\n",
    };
    expect(linkedIn(files, "main.cpp").files).toEqual(["main.cpp", "lib.cpp"]);
  });

  it("is known by members of classes, variables, kernels and explicit instances", () => {
    const files = {
      "/w/table.h":
        "#pragma once\nextern int rows;\nnamespace t { class Table { public: explicit Table(int n); int* order() const; }; }\ntemplate <class T> void fill(T* p);\n__global__ void gather(int* p);\n",
      "/w/main.cu":
        '#include "table.h"\nint main() { t::Table table(rows); fill(table.order()); gather<<<1, 1>>>(0); }\n',
      "/w/table.cpp":
        '#include "table.h"\nnamespace t { Table::Table(int n) {} }\nint* t::Table::order() const { return 0; }\n',
      "/w/rows.c": "int rows = 3;\n",
      "/w/fill.cu":
        '#include "table.h"\ntemplate <class T> void fill(T* p) { }\ntemplate void fill<int>(int*);\n',
      "/w/gather.cu": '#include "table.h"\n__global__ void gather(int* p) { }\n',
    };
    expect([...linkedIn(files, "main.cu").files].sort()).toEqual([
      "fill.cu",
      "gather.cu",
      "main.cu",
      "rows.c",
      "table.cpp",
    ]);
  });
});

describe("the index", () => {
  it("reads what was changed alone, and tells whether an answer may be another one", () => {
    const files: Record<string, string> = { ...project };
    const host = memoryHost({}, "/w");
    const read: string[] = [];
    const now = () => memoryHost(files, "/w");
    const index = createNameIndex(
      {
        ...host,
        kindOf: (path) => now().kindOf(path),
        sizeOf: (path) => now().sizeOf(path),
        list: (path) => now().list(path),
        readBytes: (path) => {
          read.push(path);
          return now().readBytes(path);
        },
      },
      "/w",
      nothingIgnored,
    );
    runToEnd(index.refresh());
    expect(read).toHaveLength(5);
    const { version } = index;
    files["/w/util/other.cpp"] = "int other() { return 2; } // other words\n";
    index.update(["/w/util/other.cpp"]);
    runToEnd(index.refresh());
    expect(read).toHaveLength(6);
    expect(index.version).toBe(version);
    files["/w/util/other.cpp"] = "int more() { return 2; }\n";
    index.update(["/w/util/other.cpp"]);
    runToEnd(index.refresh());
    expect(index.version).toBeGreaterThan(version);
  });
});
