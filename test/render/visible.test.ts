// Control characters of files and names as text shows them.
import { describe, expect, it } from "vitest";
import { onOneLine, visible, visibleWithColours } from "../../server/src/render/visible.ts";

describe("control characters are written, not sent", () => {
  it.each([
    ["an escape sequence", "a\x1b[2Jb", "a\\u001b[2Jb"],
    ["C1", "\x9b31m", "\\u009b31m"],
    ["a return", "a\rb", "a\\u000db"],
    ["ends of lines stay, of whatever kind", "a\r\nb\f\n", "a\r\nb\f\n"],
    ["text that turns", "a\u202eb", "a\\u202eb"],
    ["what layout needs stays", "a\tb\n", "a\tb\n"],
    ["letters of all scripts stay", "größe 長さ", "größe 長さ"],
  ])("%s", (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });
  it("and means the same in JSON", () => {
    const text = "a\x9b\u202e\x7f";
    expect(JSON.parse(visible(JSON.stringify(text)))).toBe(text);
  });
  it("but for colours where there are some", () => {
    expect(visibleWithColours("\x1b[33mwarning\x1b[39m \x1b[2J")).toBe("\x1b[33mwarning\x1b[39m \\u001b[2J");
  });
  it("a name stands on one line", () => {
    expect(onOneLine("a\nwarning: b.cu")).toBe("a\\u000awarning: b.cu");
  });
});
