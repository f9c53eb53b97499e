// Where places stand after an edit.
import { expect, it } from "vitest";
import { changeBetween, isIntact, isLineEdited, moveRange } from "../../server/src/lint/move.ts";

const before = "one\ntwo words\nthree\n";
const changesTo = (after: string) => new Map([["a", changeBetween(before, after)]]);
const rangeOf = (word: string) => {
  const start = before.indexOf(word);
  return { file: "a", start, end: start + word.length };
};

it.each([
  ["one\nTWO words\nthree\n", ["one", "words", "three"]],
  ["zero\none\ntwo words\nthree\n", ["one", "two", "words", "three"]],
  ["one\ntwo more words\nthree\n", ["one", "two", "words", "three"]],
  ["two words\nthree\n", ["two", "words", "three"]],
  ["one\nthree\n", ["one", "three"]],
])("words that stay are moved to where they stand in %j", (after, words) => {
  const changes = changesTo(after);
  for (const word of words) {
    const { start, end } = moveRange(rangeOf(word), changes);
    expect(isIntact(rangeOf(word), changes)).toBe(true);
    expect(after.slice(start, end)).toBe(word);
  }
});

it("what is inside of the change is drawn to its ends", () => {
  expect(moveRange(rangeOf("two words"), changesTo("one\ntree\n"))).toEqual({ file: "a", start: 4, end: 5 });
});

it.each([
  ["one\ntwo wordy\nthree\n", ["two", "words"]],
  ["one\ntwo words;\nthree\n", ["two", "words"]],
  ["one\nand\ntwo words\nthree\n", []],
  ["one\ntwo words\nand\nthree\n", []],
  ["one\nthree\n", ["two", "words"]],
  ["one\ntwo\nwords\nthree\n", ["two", "words"]],
])("in %j the lines of %j are edited", (after, edited) => {
  const changes = changesTo(after);
  const words = ["one", "two", "words", "three"].filter((word) => isLineEdited(rangeOf(word), changes));
  expect(words).toEqual(edited);
});
