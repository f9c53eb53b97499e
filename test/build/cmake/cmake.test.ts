// What the static reader says of projects, against what the real cmake gave to the compiler: `npm run bench -- record-cmake` records it.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCMake } from "../../../server/src/build/cmake/cmake.ts";
import { readCMakeFileApi } from "../../../server/src/build/cmake/file-api.ts";
import type { BuildDescription } from "../../../server/src/build/flags.ts";
import { memoryHost } from "../../../server/src/host/memory.ts";
import { buildHost } from "../../../server/src/project/build-host.ts";
import { type BuildRecord, recordOf, treeOf } from "./record.ts";

const folder = import.meta.dirname;
const root = "/project";

function read(files: Readonly<Record<string, string>>): BuildDescription {
  const absolute = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text]));
  const description = readCMake(buildHost(memoryHost(absolute), [root]), `${root}/CMakeLists.txt`, root);
  if (description === null) throw new Error("the project is not read");
  return description;
}

describe("as cmake gives it to the compiler", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
    test(name.replace(/\.json$/, ""), () => {
      const expected = JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as BuildRecord;
      const description = read(treeOf(readFileSync(`${folder}/${name.replace(/json$/, "txt")}`, "utf8")));
      const headers = description.generatedFiles.filter(
        ({ path }) => path.endsWith(".h") && !path.includes("/CMakeFiles/"),
      );
      const record = recordOf(description.sources, headers, root);
      expect(record.sources).toEqual(expected.sources);
      expect(record.headers).toEqual(expected.headers);
    });
  }
});

test("a reply of the File API says the same, with the lines of commands", () => {
  const reply = treeOf(readFileSync(`${folder}/cuda.reply.txt`, "utf8"));
  const files = treeOf(readFileSync(`${folder}/cuda.txt`, "utf8"));
  const place = `${root}/build/.cmake/api/v1/reply`;
  const host = memoryHost({
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`${root}/${path}`, text])),
    ...Object.fromEntries(Object.entries(reply).map(([path, text]) => [`${place}/${path}`, text])),
  });
  const index = Object.keys(reply).find((name) => name.startsWith("index-")) ?? "";
  const description = readCMakeFileApi(buildHost(host, [root]), `${place}/${index}`, root);
  const expected = JSON.parse(readFileSync(`${folder}/cuda.json`, "utf8")) as BuildRecord;
  // What CMake leaves out of its reply: that device code is relocatable.
  const told = expected.sources.map((source) => ({
    ...source,
    isRelocatable: false,
    macros: source.macros.filter((macro) => macro !== "__CUDACC_RDC__=1"),
  }));
  const sortedBy = (one: object): string => JSON.stringify(one);
  const sorted = <Item extends object>(all: readonly Item[]): readonly Item[] =>
    [...all].sort((a, b) => (sortedBy(a) < sortedBy(b) ? -1 : 1));
  expect(sorted(recordOf(description?.sources ?? [], [], root).sources)).toEqual(sorted(told));
  const kernels = description?.targets.find(({ name }) => name === "kernels");
  const lines = (files["CMakeLists.txt"] ?? "").split("\n");
  expect(lines[(kernels?.origin.line ?? 0) - 1]).toContain("add_library(kernels");
  const macro = description?.sources
    .find(({ target }) => target === "kernels")
    ?.flags.macros.find(({ name }) => name === "BLOCK");
  expect(lines[(macro?.origin.line ?? 0) - 1]).toContain("BLOCK=128");
  expect(description?.targets.find(({ name }) => name === "app")?.links).toEqual(["kernels"]);
});

describe("files that the build makes", () => {
  const made = (commands: string) => {
    const { generatedFiles, unresolved } = read({
      "CMakeLists.txt": `project(p LANGUAGES CXX CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 90)\nset(WIDTH 64)\n${commands}\nadd_executable(a a.cu)\n`,
      "k.cu.in": "constexpr int width = @WIDTH@;\n",
      "k.cu": "constexpr int width = 3;\n",
    });
    return {
      texts: Object.fromEntries(generatedFiles.map(({ path, text }) => [path.replace(`${root}/`, ""), text])),
      unresolved: unresolved.map(({ what, reason, origin: { line } }) => `${line} ${what}: ${reason}`),
    };
  };

  test("have the text that configure_file, file and string(CONFIGURE) give them", () => {
    const { texts, unresolved } = made(
      `configure_file(k.cu.in k64.cu @ONLY)
string(CONFIGURE "int a = @WIDTH@;" text @ONLY)
file(WRITE \${CMAKE_BINARY_DIR}/a.cuh "\${text}")
file(APPEND \${CMAKE_BINARY_DIR}/a.cuh "\nint b;")
file(CONFIGURE OUTPUT b.h CONTENT "int c = @WIDTH@;")
file(GENERATE OUTPUT c.h CONTENT "int d = \${WIDTH};")`,
    );
    expect(texts).toEqual({
      "build/k64.cu": "constexpr int width = 64;\n",
      "build/a.cuh": "int a = 64;\nint b;",
      "build/b.h": "int c = 64;",
      "build/c.h": "int d = 64;",
    });
    expect(unresolved).toEqual([]);
  });

  test("by a command that only copies are copies; by any other they are named and not known", () => {
    const { texts, unresolved } = made(
      `add_custom_command(OUTPUT made.cu COMMAND \${CMAKE_COMMAND} -E copy \${CMAKE_SOURCE_DIR}/k.cu made.cu)
add_custom_command(OUTPUT tables.cu tables.txt COMMAND gen --width 3 DEPENDS k.cu)`,
    );
    expect(texts).toEqual({ "build/made.cu": "constexpr int width = 3;\n" });
    expect(unresolved).toEqual(["5 tables.cu: it is made by a command that is not run (add_custom_command)"]);
  });
});
