// Comments that suppress findings: which lines and rules they hold for, and what is wrong with them.
import { describe, expect, it } from "vitest";
import { readSuppressions } from "../../server/src/lint/suppressions.ts";

const read = (text: string) =>
  readSuppressions("a.cu", text).map(({ scope, rules, reason, firstLine, lastLine }) => ({
    scope,
    rules,
    reason,
    lines: [firstLine, lastLine],
  }));

describe("suppression comments", () => {
  const rules = ["shared-bank-conflict"];
  const cases: readonly [string, string, ReturnType<typeof read>][] = [
    [
      "next line",
      "// warplint-disable-next-line shared-bank-conflict\nx",
      [{ scope: "next-line", rules, reason: null, lines: [2, 2] }],
    ],
    [
      "the whole file",
      "a\n// warplint-disable-file shared-bank-conflict -- by design\nb",
      [{ scope: "file", rules, reason: "by design", lines: [1, 3] }],
    ],
    [
      "with a reason",
      "// warplint-disable-next-line shared-bank-conflict, uncoalesced-access -- cold path, -- really",
      [
        {
          scope: "next-line",
          rules: ["shared-bank-conflict", "uncoalesced-access"],
          reason: "cold path, -- really",
          lines: [2, 2],
        },
      ],
    ],
    [
      "on the line",
      "\nx; // warplint-disable-line shared-bank-conflict",
      [{ scope: "line", rules, reason: null, lines: [2, 2] }],
    ],
    [
      "all rules",
      "x; // warplint-disable-line -- why",
      [{ scope: "line", rules: [], reason: "why", lines: [1, 1] }],
    ],
    [
      "in a block comment",
      "/* warplint-disable-next-line shared-bank-conflict */\nx",
      [{ scope: "next-line", rules, reason: null, lines: [2, 2] }],
    ],
    [
      "a block",
      "// warplint-disable shared-bank-conflict\na\n// warplint-enable shared-bank-conflict\nb",
      [{ scope: "block", rules, reason: null, lines: [1, 3] }],
    ],
    [
      "a block to the end",
      "a\n// warplint-disable\nb\nc",
      [{ scope: "block", rules: [], reason: null, lines: [2, 4] }],
    ],
    [
      "one that is not known",
      "// warplint-ignore shared-bank-conflict\nx",
      [{ scope: "nothing", rules: [], reason: null, lines: [1, 0] }],
    ],
    [
      "one that is misspelt",
      "// warplint-disable-nextline shared-bank-conflict\nx",
      [{ scope: "nothing", rules: [], reason: null, lines: [1, 0] }],
    ],
    ["not in prose", "// warplint-friendly padding, as warplint knows", []],
    ["not in a string", 'f("// warplint-disable-line");', []],
    ["not in a raw string", 'f(R"(\n// warplint-disable-line\n)");', []],
    [
      "behind a character",
      "c = '\"'; // warplint-disable-line",
      [{ scope: "line", rules: [], reason: null, lines: [1, 1] }],
    ],
    ["not what is like it", "// see warplint-disable-line", []],
  ];
  it.each(cases)("%s", (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("ends in bounded time on hostile text", () => {
    const start = performance.now();
    readSuppressions("a.cu", `// warplint-disable ${"a ".repeat(200_000)}'"/*${"\\".repeat(100_000)}`);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
