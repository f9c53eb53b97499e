import { describe, expect, it } from "vitest";
import { changedStretch } from "../../server/src/text/stretch.ts";

describe("the stretch in which two texts differ", () => {
  // Texts are compared in pieces of 512: changes stand before, at and behind their ends.
  const places = [0, 1, 511, 512, 513, 1023, 1024, 1500, 1999, 2000];
  const text = Array.from({ length: 2000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");

  it.each(places)("is what is typed at %i", (at) => {
    const typed = `${text.slice(0, at)}++${text.slice(at)}`;
    expect(changedStretch(text, typed)).toEqual({ start: at, oldEnd: at, newEnd: at + 2 });
    expect(changedStretch(typed, text)).toEqual({ start: at, oldEnd: at + 2, newEnd: at });
  });

  it.each(places.filter((at) => at < 2000))("is one character that becomes another, at %i", (at) => {
    const other = `${text.slice(0, at)}+${text.slice(at + 1)}`;
    expect(changedStretch(text, other)).toEqual({ start: at, oldEnd: at + 1, newEnd: at + 1 });
  });

  it("is empty where the texts are equal, and all of them where nothing is", () => {
    expect(changedStretch(text, text)).toEqual({ start: 2000, oldEnd: 2000, newEnd: 2000 });
    expect(changedStretch("", text)).toEqual({ start: 0, oldEnd: 0, newEnd: 2000 });
    expect(changedStretch("ab", "cd")).toEqual({ start: 0, oldEnd: 2, newEnd: 2 });
  });

  it("does not count the same character for both ends", () => {
    expect(changedStretch("a".repeat(600), "a".repeat(700))).toEqual({
      start: 600,
      oldEnd: 600,
      newEnd: 700,
    });
  });
});
