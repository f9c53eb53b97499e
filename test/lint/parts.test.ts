// Which sources of a run are linted together: those that are seen through one program.
import { expect, it } from "vitest";
import { memoryHost } from "../../server/src/host/memory.ts";
import { mostOfRoot, mostTogether, partsOf } from "../../server/src/lint/parts.ts";
import { createNameIndex } from "../../server/src/program/index.ts";
import { runToEnd } from "../../server/src/steps.ts";

type Files = Readonly<Record<string, string>>;

function partsIn(files: Files): readonly (readonly string[])[] {
  return partsOf(Object.keys(files), (file) => files[file] ?? "").map((part) => [...part]);
}

const main = (callee: string) => `void ${callee}(float*);\nint main() { ${callee}(nullptr); }\n`;
const kernel = "__global__ void k(float* p) { *p = 1; }\n";
const definition = (name: string) => `void ${name}(float* p) { *p = 1; }\n`;

it("keeps few sources that use each other together, and others apart", () => {
  const files = {
    "/w/a.cu": main("scale"),
    "/w/alone.cu": "int main() {}\n",
    "/w/scale.cu": definition("scale"),
  };
  expect(partsIn(files)).toEqual([["/w/a.cu", "/w/scale.cu"], ["/w/alone.cu"]]);
});

it("divides many by the nearest program that they are seen through", () => {
  const shared = Array.from({ length: mostTogether }, (_, index) => `shared${index}`);
  const callsAll = shared.map((name) => `void ${name}(float*);`).join("\n");
  const mainOfAll = (own: string) =>
    `${callsAll}\nvoid ${own}(float*);\nint main() { ${[...shared, own].map((name) => `${name}(nullptr);`).join(" ")} }\n`;
  const files = {
    "/w/first/main.cu": mainOfAll("first"),
    "/w/first/own.cu": definition("first"),
    "/w/second/main.cu": mainOfAll("second"),
    "/w/second/own.cu": definition("second"),
    ...Object.fromEntries(shared.map((name) => [`/w/second/lib/${name}.cu`, definition(name)])),
  };
  const parts = partsIn(files);
  expect(parts[0]).toEqual(["/w/first/main.cu", "/w/first/own.cu"]);
  // What both use is seen through the nearer of the two, which is analysed once for all of them.
  expect(parts.slice(1)).toEqual([
    ["/w/second/main.cu", "/w/second/own.cu", ...shared.map((name) => `/w/second/lib/${name}.cu`)],
  ]);
});

it("divides what one program has too much of for a thread", () => {
  const names = Array.from({ length: mostOfRoot + 1 }, (_, index) => `shared${index}`);
  const calls = names.map((name) => `${name}(nullptr);`).join(" ");
  const files = {
    "/w/main.cu": `${names.map((name) => `void ${name}(float*);`).join("\n")}\nint main() { ${calls} }\n`,
    ...Object.fromEntries(names.map((name) => [`/w/${name}.cu`, `${definition(name)}${kernel}`])),
  };
  // The 66 sources are two parts alike.
  expect(partsIn(files).map(({ length }) => length)).toEqual([33, 33]);
});

it("keeps sources that only instantiate together, by how they are written", () => {
  const instance = (header: string, type: string, size: number) =>
    `// made by a script\n#include "${header}"\ntemplate void run_${size}<${type}, ${size}>(Params<${type}> &);\n`;
  const files = {
    "/w/a_32.cu": instance("a.cuh", "half", 32),
    "/w/a_64.cu": instance("a.cuh", "float", 64),
    "/w/b_32.cu": instance("b.cuh", "half", 32),
    "/w/c.cu": `#include "a.cuh"\n${kernel}`,
    "/w/other/a_96.cu": instance("a.cuh", "half", 96),
  };
  expect(partsIn(files)).toEqual([
    ["/w/a_32.cu", "/w/a_64.cu"],
    ["/w/b_32.cu"],
    ["/w/c.cu"],
    ["/w/other/a_96.cu"],
  ]);
});

it("counts of those that are written alike the few that are looked at", () => {
  const count = 10 * mostOfRoot;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/w/k${index}.cu`,
      `#include "k.cuh"\nINSTANTIATE(float, ${index})\n`,
    ]),
  );
  expect(partsIn(files).map(({ length }) => length)).toEqual([count]);
});

it("keeps sources together that another one alone uses", () => {
  const files = {
    "/w/a.cu": definition("a"),
    "/w/b.cu": definition("b"),
    "/w/bindings.cpp": "void a(float*);\nvoid b(float*);\nvoid both(float* p) { a(p); b(p); }\n",
  };
  const sources = ["/w/a.cu", "/w/b.cu"];
  const textOf = (file: string) => files[file as keyof typeof files];
  const index = createNameIndex(memoryHost(files, "/w"), "/w", { isIgnored: () => false });
  runToEnd(index.refresh());
  expect(partsOf(sources, textOf)).toEqual([["/w/a.cu"], ["/w/b.cu"]]);
  expect(partsOf(sources, textOf, index)).toEqual([["/w/a.cu", "/w/b.cu"]]);
});
