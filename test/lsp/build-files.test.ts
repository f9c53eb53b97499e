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
  const changed = written(`${folder}/${name}`, after);
  const type = name in files ? 2 : 1;
  void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
    changes: [{ uri: uriOf(changed), type }],
  });
  await client.until(() => client.asked.includes("workspace/diagnostic/refresh"), "a refresh");
  return [before, codesOf(await client.diagnostics(uriOf(path)))];
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
});
