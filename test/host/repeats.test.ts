// What the build takes out of the grammar is put back byte for byte, also where copies reach into themselves.
import { expect, test } from "vitest";
import { withoutRepeats } from "../../scripts/without-repeats.mjs";
import { withRepeats } from "../../server/src/host/repeats.ts";
import { parserWasm } from "../support/parser.ts";

const row = "a row of a table, longer than what is worth a copy; ";

test.each([
  ["nothing", ""],
  ["what has no repeats", "abcdefghijklmnopqrstuvwxyz"],
  ["one byte many times", "a".repeat(1000)],
  ["a copy that ends the text", `${row}between${row}`],
  ["a copy that more text follows", `${row}between${row}behind`],
  ["copies that reach into themselves", `${"abc".repeat(100)}${row.repeat(7)}x`],
])("%s comes back", (_, text) => {
  const bytes = Buffer.from(text);
  expect(Buffer.from(withRepeats(withoutRepeats(bytes))).toString()).toBe(text);
});

test("a copy counts its own length only", () => {
  expect(withoutRepeats(Buffer.from(row.repeat(1000))).length).toBeLessThan(row.length + 30);
});

test("the grammar comes back, of a ninth of its size", () => {
  const { grammar } = parserWasm();
  const packed = withoutRepeats(grammar);
  expect(Buffer.compare(withRepeats(packed), grammar)).toBe(0);
  expect(packed.length).toBeLessThan(grammar.length / 9);
});
