// A text that is parsed by the tree of the one before has the tree that it has by itself.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Tree } from "web-tree-sitter";
import { editedAtRandom, randomOf } from "../lint/edits.ts";
import { readText, testParser } from "../support/parser.ts";

const programs = fileURLToPath(new URL("../../fixtures/programs/", import.meta.url));
const programFiles = readdirSync(programs).filter((name) => name.endsWith(".cu"));
const editsOfEach = 3;

/** Parses `texts` one after the other; how many of them had no errors. */
async function parseOneByOne(texts: readonly string[]): Promise<number> {
  const { parse, parseByCursor } = await testParser();
  let sound = 0;
  for (const text of texts) {
    const root = parse(text);
    const alone = parseByCursor(text);
    // Compared as text: vitest's comparison of large trees takes seconds.
    if (JSON.stringify(root) !== JSON.stringify(alone)) expect(root, text).toEqual(alone);
    if (!root.hasError) sound++;
  }
  return sound;
}

test("after random edits of declarations", { timeout: 60_000 }, async () => {
  let edits = 0;
  let sound = 0;
  for (const [seed, name] of programFiles.entries()) {
    const random = randomOf(seed + 1);
    for (const { text } of (await readText(readFileSync(programs + name, "utf8"))).units) {
      const texts = [text];
      for (let edit = 0; edit < editsOfEach; edit++) texts.push(editedAtRandom(texts.at(-1) ?? "", random));
      edits += editsOfEach;
      sound += await parseOneByOne(texts);
    }
  }
  expect(edits).toBeGreaterThan(2500);
  // Of those with errors the tree of the text before has no part.
  expect(sound).toBeGreaterThan(edits / 4);
});

test("what is typed into a kernel, letter by letter, and taken back", async () => {
  const kernel = "__global__ void k(float* a) {\n  int i = threadIdx.x;\n  a[i] = 1.0f;\n}\n";
  const place = kernel.indexOf("  a[i]");
  const typed = "  for (int j = 0; j < 4; j++) { a[i + (j << 2)] *= 2; }\n  if (a[0] < 1 && i > 2) return;\n";
  const states = Array.from(typed, (_, length) => {
    return kernel.slice(0, place) + typed.slice(0, length) + kernel.slice(place);
  });
  expect(await parseOneByOne([...states, ...states.toReversed(), kernel])).toBeGreaterThan(10);
});

test("only where most of a text is as it was", async () => {
  const { parse } = await testParser();
  const edits: unknown[] = [];
  const edit = Tree.prototype.edit;
  Tree.prototype.edit = function (this: Tree, change) {
    edits.push(change);
    edit.call(this, change);
  };
  try {
    parse("int first(int a) { return a + 1; }");
    parse("int first(int a) { return a + 12; }");
    expect(edits).toMatchObject([{ startIndex: 31, oldEndIndex: 31, newEndIndex: 32 }]);
    parse("template <typename T> struct Other { T other[40]; };");
    expect(edits.length).toBe(1);
  } finally {
    Tree.prototype.edit = edit;
  }
});
