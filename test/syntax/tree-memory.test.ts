// Trees are read out of tree-sitter's memory: they must be what tree-sitter's own cursor gives, of every text.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { randomKernel } from "../random/kernel.ts";
import { readText, testParser } from "../support/parser.ts";

const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));
const files = ["seeds", "programs", "codegen", "hardware", "tensor"].flatMap((folder) =>
  readdirSync(fixtures + folder)
    .filter((name) => name.endsWith(".cu"))
    .map((name) => `${folder}/${name}`),
);

const texts = async (source: string) => (await readText(source)).units.map((unit) => unit.text);

/** Compared as text: vitest's comparison of large trees takes seconds. */
async function expectSameTree(text: string): Promise<void> {
  const { parse, parseByCursor } = await testParser();
  const read = JSON.stringify(parse(text));
  if (read !== JSON.stringify(parseByCursor(text))) expect(parse(text)).toEqual(parseByCursor(text));
}

test("the memory is laid out as known", async () => {
  expect((await testParser()).copies).toBe("from memory");
});

test("every declaration of the fixtures", { timeout: 60_000 }, async () => {
  expect(files.length).toBeGreaterThan(80);
  for (const file of files)
    for (const text of await texts(readFileSync(fixtures + file, "utf8"))) await expectSameTree(text);
});

test("whole files, with comments and directives", { timeout: 60_000 }, async () => {
  for (const file of files) await expectSameTree(readFileSync(fixtures + file, "utf8"));
});

test("broken text: errors, missing tokens, what no token is", { timeout: 60_000 }, async () => {
  const text = readFileSync(`${fixtures}seeds/seed3_float4.cu`, "utf8");
  for (let cut = 0; cut < text.length; cut += 97) {
    await expectSameTree(text.slice(0, cut));
    await expectSameTree(text.slice(0, cut) + text.slice(cut + 31));
  }
  for (const odd of ["", "\n", "@", "{", "}}}", "int", "\u00e4\u{1F600} = \u4e2d(1);", "f(", "'", '"\\'])
    await expectSameTree(odd);
});

test("random kernels, long tokens and long gaps", { timeout: 60_000 }, async () => {
  for (let seed = 1; seed <= 40; seed++) await expectSameTree(randomKernel(seed).source);
  const word = "w".repeat(70_000);
  await expectSameTree(`int ${word}${" ".repeat(70_000)}= ${word}2;${"\n".repeat(300)}int b;`);
});

test("nesting beyond all bounds", async () => {
  const { parse } = await testParser();
  expect(parse(`int a = ${"(".repeat(5000)}1${")".repeat(5000)};`).hasError).toBe(true);
});
