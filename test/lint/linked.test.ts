// Functions that other sources beside a program define: the host is followed into them as a linker would, or not at all.
import { beforeAll, describe, expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createLintSession, type LintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "../support/pipeline.ts";

const program = "/w/main.cu";

/** Launches as many blocks as `blocks` says, and loads in the order that `order` makes. */
const main = `#include "table.h"
__global__ void gather(const float* in, float* out, const int* order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[order[i]];
}
int main() {
  const int n = 128 * blocks();
  int* order = makeOrder(n);
  float *in, *out;
  int* places;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMalloc(&places, n * 4);
  cudaMemcpy(places, order, n * 4, cudaMemcpyHostToDevice);
  gather<<<n / 128, 128>>>(in, out, places);
}
`;
const header = `#pragma once
int blocks();
int* makeOrder(int n);
`;
const table = `#include "table.h"
#include <stdlib.h>
static const int many = 3;
int blocks() { return many; }
int* makeOrder(int n) {
  int* order = (int*)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) order[i] = i * 8 % n;
  return order;
}
`;
const usual = { [program]: main, "/w/table.h": header, "/w/table.cpp": table };

let pipeline: Pipeline;
const read: string[] = [];

beforeAll(async () => {
  const real = await testPipeline();
  pipeline = {
    ...real,
    read: (file, text, options) => {
      read.push(file);
      return real.read(file, text, options);
    },
  };
});

function sessionOver(files: Record<string, string>): {
  session: LintSession;
  edit(path: string, text: string): void;
} {
  const now = () => memoryHost(files, "/w");
  const host = {
    ...memoryHost({}, "/w"),
    kindOf: (path: string) => now().kindOf(path),
    sizeOf: (path: string) => now().sizeOf(path),
    readBytes: (path: string) => now().readBytes(path),
    realPath: (path: string) => now().realPath(path),
    list: (directory: string) => now().list(directory),
  };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  const edit = (path: string, text: string) => {
    files[path] = text;
    session.update([path]);
  };
  return { session, edit };
}

/** Blocks of the one launch, and the sectors of the gathered load: null where they are not known. */
function figuresOf({ kernels, groups, text }: FileAnalysis): {
  blocks: number | null;
  sectors: number | null;
} {
  const [launch] = kernels.flatMap(({ launches }) => launches);
  const gathered = groups.find(({ range }) => text.startsWith("in[order[i]]", range.start));
  const totals = gathered?.contexts[0]?.access.totals;
  return { blocks: launch?.launches[0]?.grid[0] ?? null, sectors: totals?.cost ?? null };
}

function figures(session: LintSession): ReturnType<typeof figuresOf> {
  const analysis = session.analyse(program);
  if (analysis === null) throw new Error("nobody cancels");
  expect(analysis.failures).toEqual([]);
  return figuresOf(analysis);
}

const figuresIn = (files: Record<string, string>) => figures(sessionOver({ ...files }).session);

const known = { blocks: 3, sectors: 3 * 128 };
const unknown = { blocks: null, sectors: null };

describe("a table that one other source beside the program defines", () => {
  const entry = "struct Entry { const char* name; int (*blocks)(int); int count; };\n";
  const chosen = `${entry}extern const Entry entries[];\n`;
  const main = usual[program].replace("blocks()", "chosen()");
  const files = {
    ...usual,
    "/w/table.h": `${header}${chosen}`,
    [program]: main.replace(
      "int main",
      "int chosen() { const Entry& e = entries[1]; return e.blocks(e.count); }\nint main",
    ),
    "/w/entries.cpp": `#include "table.h"
static int one(int) { return 1; }
static int more(int n) { return n + 1; }
const Entry entries[] = {{"one", one, 7}, {"more", more, 2}};
`,
  };

  it("is read, though its length is not declared", () => {
    expect(figuresIn(files)).toEqual(known);
  });

  it("is not, where two sources define it", () => {
    expect(figuresIn({ ...files, "/w/others.cpp": files["/w/entries.cpp"] })).toEqual(unknown);
  });
});

describe("a function that one other source beside the program defines", () => {
  it("is run, with the tables that it builds", () => {
    expect(figuresIn(usual)).toEqual(known);
  });

  it("is not, where two sources define it", () => {
    expect(figuresIn({ ...usual, "/w/table_avx.cpp": table })).toEqual(unknown);
  });

  it("is not, where its source is a program of its own", () => {
    const other = `${table}int main() { return blocks(); }\n`;
    expect(figuresIn({ ...usual, "/w/table.cpp": other })).toEqual(unknown);
  });

  it("is too where its source has an overload of the program's kernel", () => {
    const other = `${table}int gather(int i) { return i; }\n`;
    expect(figuresIn({ ...usual, "/w/table.cpp": other })).toEqual(known);
  });

  it("is too where a header says something else to its source", () => {
    const chosen = `${header}#ifdef WIDE\nstruct Row { double at[4]; };\n#else\nstruct Row { float at[4]; };\n#endif\n`;
    const files = { ...usual, "/w/table.h": chosen };
    expect(figuresIn(files)).toEqual(known);
    expect(figuresIn({ ...files, "/w/table.cpp": `#define WIDE\n${table}` })).toEqual(known);
  });

  it("is not, where it is static, and is in another directory", () => {
    const hidden = table.replace("int blocks", "static int blocks").replace("int* make", "static int* make");
    expect(figuresIn({ ...usual, "/w/table.cpp": hidden })).toEqual(unknown);
    const { "/w/table.cpp": _, ...others } = usual;
    const below = table.replace("table.h", "../table.h");
    expect(figuresIn({ ...others, "/w/below/table.cpp": below })).toEqual(known);
  });

  it("is not, where it is the GPU's, which nvcc compiles by itself", () => {
    const files = {
      [program]: main.replace("in[order[i]]", "in[order[i]] + in[place(i)]"),
      "/w/table.h": `${header}__device__ int place(int i);\n`,
      "/w/table.cpp": table,
      "/w/place.cu": '#include "table.h"\n__device__ int place(int i) { return i * 8; }\n',
    };
    const analysis = sessionOver(files).session.analyse(program);
    const verdicts = analysis?.groups.map(({ range, contexts }) => [
      analysis.text.slice(range.start, range.end),
      contexts[0]?.access.verdict.kind,
    ]);
    expect(verdicts).toContainEqual(["in[place(i)]", "unknown"]);
    expect(verdicts).toContainEqual(["in[order[i]]", "exact"]);
  });

  it("keeps its source's own macros", () => {
    const wide = `#define COUNT 7\n${main}`;
    const counted = table.replace("many = 3", "many = COUNT");
    const ownHeader = `${header}#ifndef COUNT\n#define COUNT 3\n#endif\n`;
    expect(
      figuresIn({ ...usual, [program]: wide, "/w/table.h": ownHeader, "/w/table.cpp": counted }),
    ).toEqual(known);
  });

  it("may be a constructor, and call functions of a third source", () => {
    const withClass = main
      .replace("128 * blocks()", "128 * table.blocks()")
      .replace("const int n", "Table table(3);\n  const int n")
      .replace("makeOrder(n)", "table.order()");
    const classHeader = `#pragma once
int* makeOrder(int n);
class Table {
 public:
  explicit Table(int blocks);
  int blocks() const { return m_blocks; }
  int* order();
 private:
  int m_blocks;
};
`;
    const members = `#include "table.h"
Table::Table(int blocks) : m_blocks(blocks) {}
int* Table::order() { return makeOrder(128 * m_blocks); }
`;
    const order = table.replace(/static .*\nint blocks.*\n/, "");
    const files = {
      [program]: withClass,
      "/w/table.h": classHeader,
      "/w/members.cu": members,
      "/w/order.cc": order,
    };
    expect(figuresIn(files)).toEqual(known);
  });
});

describe("an edit", () => {
  it("of the other source renews what is known", () => {
    const { session, edit } = sessionOver({ ...usual });
    expect(figures(session)).toEqual(known);
    edit("/w/table.cpp", table.replace("many = 3", "many = 5"));
    expect(figures(session)).toEqual({ blocks: 5, sectors: 5 * 128 });
    edit("/w/table.cpp", table.replace("i * 8 % n", "i"));
    expect(figures(session)).toEqual({ blocks: 3, sectors: 3 * 16 });
    edit("/w/table.cpp", table.replace("int blocks", "int block"));
    expect(figures(session)).toEqual({ ...unknown, sectors: null });
    edit("/w/table.cpp", table);
    expect(figures(session)).toEqual(known);
  });

  it("of a source that was of no use may make it so, as may a new one", () => {
    const { session, edit } = sessionOver({ ...usual, "/w/table.cpp": "" });
    expect(figures(session)).toEqual(unknown);
    edit("/w/table.cpp", table);
    expect(figures(session)).toEqual(known);
    edit("/w/second.cpp", table);
    expect(figures(session)).toEqual(unknown);
  });

  it("of the program leaves the other as it is", () => {
    const { session, edit } = sessionOver({ ...usual });
    expect(figures(session)).toEqual(known);
    edit(program, main.replace("128 * blocks()", "128 * blocks() * 2"));
    expect(figures(session).blocks).toBe(6);
    edit(program, main);
    expect(figures(session)).toEqual(known);
  });

  it("that leaves the program half typed leaves what is known of it", () => {
    const { session, edit } = sessionOver({ ...usual });
    expect(figures(session)).toEqual(known);
    edit(program, main.replace("int i =", "if (true) { int i ="));
    const analysis = session.analyse(program);
    expect(
      analysis?.kernels.map(({ launches, isStale }) => [launches[0]?.launches[0]?.grid[0], isStale]),
    ).toEqual([[3, true]]);
    edit(program, main);
    expect(figures(session)).toEqual(known);
  });
});

it("of a program that lacks nothing no other source is read", () => {
  read.length = 0;
  figuresIn({
    ...usual,
    [program]: main.replace('#include "table.h"\n', table.replace('#include "table.h"\n', "")),
  });
  expect(read).toEqual([program]);
});

it("what of a launch could not be followed is told at the file that it stands in", () => {
  const kernels = "template <class T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }\n";
  const files = {
    "/w/kernels.cuh": kernels,
    "/w/odd.cuh": '#include "kernels.cuh"\ninline void odd(float *x) { scale<<<1, 32>>>(x, nullptr); }\n',
    "/w/launch.h": "void run(float *x); void other(float *x);\n",
    "/w/launch.cu":
      '#include "kernels.cuh"\n#include "launch.h"\nvoid run(float *x) { scale<float><<<1, 32>>>(x); }\n',
    "/w/other.cu":
      '#include "odd.cuh"\n#include "launch.h"\nvoid other(float *x) { scale<<<1, 64>>>(x, 2.0f); odd(x); }\n',
    "/w/main.cu":
      '#include "launch.h"\n__global__ void own(float *x) { x[threadIdx.x] = 1; }\nint main() { float *x; cudaMalloc(&x, 4096); own<<<1, 32>>>(x); run(x); other(x); }\n',
  };
  const { session } = sessionOver(files);
  const notes = (path: string) => session.analyse(path)?.notes;
  const misfit = "a launch whose kernel is not known: no kernel scale fits the arguments";
  expect(notes("/w/main.cu")).toEqual([]);
  expect(notes("/w/launch.cu")).toEqual([misfit]);
  expect(notes("/w/other.cu")).toEqual([`${misfit} (odd.cuh)`]);
  expect(notes("/w/odd.cuh")).toEqual([misfit]);
});

it("of a kernel that one program launches, other template arguments are not tried for another", () => {
  const files = {
    "/w/kernels.cuh": `template <class T> __global__ void scale(T *x, int n) { x[threadIdx.x * n] = 1; }
template <class T> void run(T *x, int n) { scale<T><<<4, 128>>>(x, n); }
template <class T> void two(T *x, int n) { scale<T><<<4, dim3(1, 128)>>>(x, n); }
`,
    "/w/library.cu": '#include "kernels.cuh"\ntemplate <class T> void other(T *x, int n) { run(x, n); }\n',
    "/w/test.cu": '#include "kernels.cuh"\nint main() { float *x; cudaMalloc(&x, 1 << 20); run(x, 5); }\n',
  };
  const analysis = sessionOver(files).session.analyse("/w/kernels.cuh");
  const launched = analysis?.kernels.flatMap(({ launches }) =>
    launches.map(({ kernel, profile }) => [kernel.templateArguments, profile.launch.block]),
  );
  expect(launched).toEqual([[["float"], [128, 1, 1]]]);
  const contexts = analysis?.groups.flatMap((group) => group.contexts);
  expect(contexts?.map(({ kernel }) => kernel.templateArguments)).toEqual([["float"]]);
});

it.each([
  ["a default that is called", "Options options = Options()"],
  ["a default in braces", "Options options = {}"],
  ["a function", "std::function<Options(int)> options = nullptr"],
])("a member is found in another source whatever its parameters are: %s", (_, parameter) => {
  const files = {
    "/w/job.h": `#pragma once
#include <functional>
struct Options { int blocks = 3; };
class Job { public: explicit Job(int n, ${parameter}); void operator()(float *x) const; private: int n_; };
`,
    "/w/job.cu": `#include "job.h"
__global__ void fill(float *x) { x[threadIdx.x] = 1; }
Job::Job(int n, ${parameter.replace(/ =.*/, "")}) : n_(n) {}
void Job::operator()(float *x) const { fill<<<1, 32 * n_>>>(x); }
`,
    "/w/main.cu": '#include "job.h"\nint main() { float *x; cudaMalloc(&x, 4096); Job job(3); job(x); }\n',
  };
  const analysis = sessionOver(files).session.analyse("/w/job.cu");
  const blocks = analysis?.kernels.flatMap(({ launches }) =>
    launches.map(({ profile }) => profile.launch.block),
  );
  expect(blocks).toEqual([[96, 1, 1]]);
});
