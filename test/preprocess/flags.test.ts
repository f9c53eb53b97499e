// What the compiler is given beside the text: macros, files that are read in front, the standard; and what of it is open.
import { describe, expect, it } from "vitest";
import { type CompileFlags, type MacroFlag, noFlags } from "../../server/src/build/flags.ts";
import { preprocess } from "../../server/src/preprocess/preprocess.ts";

const origin = { file: "/w/CMakeLists.txt", line: 14 };
const define = (name: string, value: string | null, doubt: string | null = null): MacroFlag => ({
  kind: "define",
  name,
  value,
  doubt,
  origin,
});

function read(text: string, flags: Partial<CompileFlags>, files: Record<string, string> = {}) {
  const readInclude = (name: string) => {
    const found = files[name];
    return found === undefined ? null : { path: name, text: found };
  };
  return preprocess("/w/a.cu", text, { readInclude, flags: { ...noFlags, ...flags } });
}

const textOf = ({ tokens }: ReturnType<typeof read>) => tokens.map(({ text }) => text).join(" ");

describe("macros of the build", () => {
  it("are defined and undefined in their order", () => {
    const undefine: MacroFlag = { kind: "undefine", name: "N", value: "", doubt: null, origin };
    expect(textOf(read("N", { macros: [define("N", "1"), define("N", "2")] }))).toBe("2");
    expect(textOf(read("N", { macros: [define("N", "1"), undefine] }))).toBe("N");
    expect(textOf(read("N", { macros: [undefine, define("N", "1")] }))).toBe("1");
    const builtIn: MacroFlag = { ...undefine, name: "__GNUC__" };
    expect(textOf(read("#ifdef __GNUC__\ngnu\n#else\nother\n#endif", { macros: [builtIn] }))).toBe("other");
  });

  it("may have parameters, and no value", () => {
    expect(textOf(read("MAX(1, 2)", { macros: [define("MAX(a,b)", "((a)>(b)?(a):(b))")] }))).toBe(
      "( ( 1 ) > ( 2 ) ? ( 1 ) : ( 2 ) )",
    );
    expect(textOf(read("E a", { macros: [define("E", "")] }))).toBe("a");
  });
});

describe("what nvcc includes in front of each source", () => {
  // As NVIDIA's helper_cuda.h asks; nvcc -E -Xcompiler -dM of an empty source has them all.
  it.each(["__DRIVER_TYPES_H__", "__CUDA_RUNTIME_H__", "__VECTOR_TYPES_H__"])("has set %s", (guard) => {
    expect(textOf(read(`#ifdef ${guard}\nin\n#else\nout\n#endif`, {}))).toBe("in");
  });
});

describe("files that are read in front", () => {
  const files = { "/w/pre.h": "#define N 4\nint pre;\n", "/w/macros.h": "#define M N\nint dropped;\n" };
  const forcedIncludes = [
    { path: "/w/pre.h", kind: "include" as const, origin },
    { path: "/w/macros.h", kind: "imacros" as const, origin },
    { path: "/w/gone.h", kind: "include" as const, origin },
  ];
  it("give their text, or their macros alone, those first", () => {
    const found = read("int a[M];", { forcedIncludes }, files);
    expect(textOf(found)).toBe("int pre ; int a [ 4 ] ;");
    expect(found.includedFiles).toEqual(["/w/macros.h", "/w/pre.h"]);
    expect(found.missingIncludes.map(({ name }) => name)).toEqual(["/w/gone.h"]);
  });
});

it.each([
  ["c++11", "201103L"],
  ["gnu++14", "201402L"],
  ["c++17", "201703L"],
  ["c++20", "202002L"],
  ["c++2b", "202302L"],
])("the standard %s is __cplusplus %s", (value, expected) => {
  expect(textOf(read("__cplusplus", { standard: { value, origin } }))).toBe(expected);
});

describe("a macro that the build sets to what is not known", () => {
  const macros = [define("N", null, "VERSION is not known")];
  it("is defined, and stays a name that nothing declares", () => {
    const found = read("#ifdef N\nint a[N];\n#else\nint b;\n#endif\n", { macros });
    expect(textOf(found)).toBe("int a [ N ] ;");
    expect(found.assumed).toMatchObject([{ name: "N", value: null, why: "unknown-value", regions: [] }]);
  });
  it("leaves an #if open that asks for its value", () => {
    const text = "#if N > 4\nint a;\n#else\nint b;\n#endif\n";
    const [macro] = read(text, { macros }).assumed;
    expect(macro?.regions).toEqual([
      { range: { file: "/w/a.cu", start: 0, end: text.indexOf("#endif") + 1 }, hasOthers: true },
    ]);
  });
});

describe("a macro that the build sets perhaps", () => {
  const macros = [define("FAST", "1", "USE_FAST is not known")];
  it("is taken as set, and leaves open what asks for it and what is defined there", () => {
    const text =
      "#ifdef FAST\n#define B 64\n#else\n#define B 32\n#endif\n#define TILE (B * 2)\nint t[TILE];\n";
    const found = read(text, { macros });
    expect(textOf(found)).toBe("int t [ ( 64 * 2 ) ] ;");
    const [macro] = found.assumed;
    expect(macro).toMatchObject({ name: "FAST", value: "1", why: "may-be-set" });
    expect([...(macro?.names ?? [])].sort()).toEqual(["B", "FAST", "TILE"]);
    expect(macro?.regions).toHaveLength(1);
  });
  it("reaches what is included there", () => {
    const found = read(
      '#ifdef FAST\n#include "fast.h"\n#endif\n',
      { macros },
      { "fast.h": "#define B 64\n" },
    );
    expect([...(found.assumed[0]?.names ?? [])]).toContain("B");
    expect(found.assumed[0]?.regions.map(({ range }) => range.file)).toEqual(["fast.h", "/w/a.cu"]);
  });
});

describe("a default", () => {
  const text = "#ifndef N\n#define N 16\n#endif\n#if !defined(M)\n#define M (N)\n#endif\nint a[M];\n";
  const unresolved = [{ what: "include(EXTRA)", reason: "EXTRA is not known", origin }];
  it("is open where the build could not be read to its end", () => {
    const { assumed } = read(text, { unresolved });
    expect(assumed).toMatchObject([
      { name: "N", value: "16", why: "default", origin: { file: "/w/a.cu", line: 2 } },
      { name: "M", value: "(N)", why: "default", origin: { file: "/w/a.cu", line: 5 } },
    ]);
    expect([...(assumed[0]?.names ?? [])].sort()).toEqual(["M", "N"]);
  });
  it("is what it says where the build was read, or only a package could not be found", () => {
    expect(read(text, {}).assumed).toEqual([]);
    for (const what of [
      "find_package(MPI)",
      "MPI::MPI_CXX",
      "CMAKE_CUDA_ARCHITECTURES",
      "-gencode=$(GENCODE)",
    ]) {
      const search = [{ what, reason: "it is not installed", origin }];
      expect(read(text, { unresolved: search }).assumed).toEqual([]);
    }
    const existence = [{ what: "app", reason: "whether the target is made is not known: MPI_FOUND", origin }];
    expect(read(text, { unresolved: existence }).assumed).toEqual([]);
  });
  it("is none where the build defines the macro", () => {
    expect(read(text, { unresolved, macros: [define("N", "8"), define("M", "8")] }).assumed).toEqual([]);
  });
  it("is no guard of a header", () => {
    expect(read("#ifndef A_H\n#define A_H\nint a;\n#endif\n", { unresolved }).assumed).toEqual([]);
  });
});
