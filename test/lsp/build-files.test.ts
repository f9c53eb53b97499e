// What changes in build descriptions changes what is found, over the protocol.
import { describe, expect, it } from "vitest";
import { uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { conflict } from "./texts.ts";

const { start, write: written } = serving((line) => / failed: |\n\s+at /.test(line));

/** The tile's rows are as long as the build says. */
const source = conflict.replace("tile[N][N]", "tile[N][ROW]");

const codesOf = (diagnostics: readonly { code?: unknown }[]) => diagnostics.map(({ code }) => code);

/** What is found before and after `name` has the text `after`; both lists of codes. */
async function foundAround(
  folder: string,
  files: Readonly<Record<string, string>>,
  [name, after]: readonly [string, string],
  initializationOptions: object = {},
): Promise<readonly (readonly unknown[])[]> {
  const path = written(`${folder}/a.cu`, source);
  for (const [file, text] of Object.entries(files)) written(`${folder}/${file}`, text);
  const client = await start({ initializationOptions });
  client.open(path, source);
  const before = codesOf(await client.diagnostics(uriOf(path)));
  await client.until(() => client.registered.includes("workspace/didChangeWatchedFiles"), "a registration");
  expect(client.watched.some((pattern) => names(pattern, name))).toBe(true);
  const changed = written(`${folder}/${name}`, after);
  const type = name in files ? 2 : 1;
  void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
    changes: [{ uri: uriOf(changed), type }],
  });
  await client.until(() => client.asked.includes("workspace/diagnostic/refresh"), "a refresh");
  return [before, codesOf(await client.diagnostics(uriOf(path)))];
}

/** Whether a pattern for any directory names the file: by its name, by one of several, or by one of several endings. */
function names(pattern: string, file: string): boolean {
  const [, star = "", list, single = ""] = /^\*\*\/(\*\.)?(?:\{(.*)\}|(.*))$/.exec(pattern) ?? [];
  const base = file.slice(file.lastIndexOf("/") + 1);
  return (list?.split(",") ?? [single]).some((one) =>
    star === "" ? base === one : base.endsWith(`.${one}`),
  );
}

const makefile = (row: number) => `NVCCFLAGS := -DROW=${row}\nall: a.cu\n\tnvcc $(NVCCFLAGS) -o a a.cu\n`;

describe("a -D", () => {
  it("that changes in a Makefile changes the figures", async () => {
    const found = await foundAround("make", { Makefile: makefile(32) }, ["Makefile", makefile(33)]);
    expect(found).toEqual([["shared-bank-conflict"], []]);
  });

  it("of a Makefile that is new changes the figures", async () => {
    const found = await foundAround("new-make", {}, ["Makefile", makefile(32)]);
    expect(found).toEqual([[], ["shared-bank-conflict"]]);
  });

  it("that changes in a file which CMakeLists.txt includes changes the figures", async () => {
    const files = {
      "CMakeLists.txt": [
        "cmake_minimum_required(VERSION 3.20)",
        "project(a LANGUAGES CUDA)",
        "include(cmake/row.cmake)",
        "add_executable(a a.cu)",
        `target_compile_definitions(a PRIVATE ROW=\${ROW})`,
      ].join("\n"),
      "cmake/row.cmake": "set(ROW 32)\n",
    };
    const found = await foundAround("cmake", files, ["cmake/row.cmake", "set(ROW 33)\n"]);
    expect(found).toEqual([["shared-bank-conflict"], []]);
  });

  it("that changes in CMakeLists.txt changes the figures", async () => {
    const project = (row: number) =>
      `project(a LANGUAGES CUDA)\nadd_executable(a a.cu)\ntarget_compile_definitions(a PRIVATE ROW=${row})\n`;
    const name = "CMakeLists.txt";
    const found = await foundAround("lists", { [name]: project(32) }, [name, project(33)]);
    expect(found).toEqual([["shared-bank-conflict"], []]);
  });

  it("that changes in compile_commands.json changes the figures", async () => {
    const commands = (row: number) =>
      JSON.stringify([{ directory: ".", file: "../a.cu", command: `nvcc -DROW=${row} -c ../a.cu` }]);
    const name = "build/compile_commands.json";
    const found = await foundAround("commands", { [name]: commands(32) }, [name, commands(33)]);
    expect(found).toEqual([["shared-bank-conflict"], []]);
  });
});
