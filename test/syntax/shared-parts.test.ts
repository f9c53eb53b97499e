// What several sources read of one header is made once where it is the same, and says what reading each source by itself says.
import { expect, test } from "vitest";
import { type ReadOptions, readTranslationUnit } from "../../server/src/syntax/translation-unit.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";
import { testParser } from "../support/parser.ts";

const header = `
__device__ int plain(int a) { return a + 1; }
__device__ TYPE of_macro(TYPE a) { return a; }
__global__ void __launch_bounds__(SIZE) bounded(float* p) { p[threadIdx.x] = 0; }
__device__ int called() { return ADD(1, 2); }
// warplint: launch block=64
__global__ void annotated(float* p) { p[0] = 1; }
int typed = PRId32[0];
`;

const macros = "#define TYPE float\n#define SIZE 128\n#define ADD(a, b) a + b\n";

const sources = {
  "one.cu": `#include "macros.h"\n#include "a.h"\n`,
  "alike.cu": `#include "macros.h"\nint own;\n#include "a.h"\n`,
  "types.cu": `#include "macros.h"\n#undef TYPE\n#define TYPE double\n#include "a.h"\n`,
  "bounds.cu": `#include "macros.h"\n#undef SIZE\n#define SIZE 256\n#include "a.h"\n`,
  "inside.cu": `#include "macros.h"\nnamespace n {\n#include "a.h"\n}\n`,
};

type Source = keyof typeof sources;

async function reading(cache: NonNullable<ReadOptions["cache"]>): Promise<(file: Source) => TranslationUnit> {
  const parser = await testParser();
  const readInclude = (name: string) => {
    const text = { "a.h": header, "macros.h": macros }[name];
    return text === undefined ? null : { path: name, text };
  };
  return (file) => readTranslationUnit(file, sources[file], parser, { readInclude, cache });
}

function described({ units }: TranslationUnit): unknown {
  return units.map((unit) => ({
    namespaces: unit.namespaces,
    text: unit.text,
    attributes: unit.attributes,
    annotations: unit.annotations,
    hash: unit.hash(),
    names: [...unit.names()],
    identifiers: [...unit.identifiers()],
    extent: unit.extent(),
    root: unit.root(),
    ranges: unit.written.starts.map((start, index) => unit.rangeOf(start, unit.written.ends[index] ?? start)),
    spelled: unit.written.starts.map((start, index) =>
      unit.spelledRangeOf(start, unit.written.ends[index] ?? start),
    ),
  }));
}

/** Whether two sources have one tree of what declares `name`. */
function isShared(a: TranslationUnit, b: TranslationUnit, name: string): boolean {
  const rootIn = ({ units }: TranslationUnit) => units.find((unit) => unit.names().has(name))?.root;
  expect(rootIn(a)).toBeDefined();
  return rootIn(a) === rootIn(b);
}

test("a source says the same whatever was read before it", async () => {
  const files = Object.keys(sources) as Source[];
  const apart = await Promise.all(files.map(async (file) => (await reading(new Map()))(file)));
  const read = await reading(new Map());
  const together = files.map(read);
  expect(together.map(described)).toEqual(apart.map(described));
});

test("what is the same is made once", async () => {
  const read = await reading(new Map());
  const one = read("one.cu");
  const alike = read("alike.cu");
  for (const name of ["plain", "of_macro", "bounded", "called", "annotated", "typed"])
    expect([name, isShared(one, alike, name)]).toEqual([name, true]);
});

test("what macros, attributes or namespaces make another is another", async () => {
  const read = await reading(new Map());
  const one = read("one.cu");
  const types = read("types.cu");
  expect([isShared(one, types, "of_macro"), isShared(one, types, "plain")]).toEqual([false, true]);
  const bounds = read("bounds.cu");
  expect([isShared(one, bounds, "bounded"), isShared(one, bounds, "called")]).toEqual([false, true]);
  const inside = read("inside.cu");
  expect([isShared(one, inside, "plain"), isShared(one, inside, "called")]).toEqual([false, false]);
});
