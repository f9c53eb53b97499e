// Diffs as `diff -u` writes them: texts that are read here, and random ones that `patch` makes what they should be.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../server/src/render/unified-diff.ts";
import { randomOf } from "../lint/edits.ts";

const lines = (...each: string[]) => each.map((line) => `${line}\n`).join("");

describe("a diff", () => {
  it("of equal texts is empty", () => {
    expect(unifiedDiff("a.cu", "x\n", "x\n")).toBe("");
  });

  it("has three lines around what changed, and a hunk for each change that is far from the others", () => {
    const before = lines(..."abcdefghijklmnop".split(""));
    expect(unifiedDiff("a.cu", before, before.replace("b\n", "B\n").replace("n\n", ""))).toBe(
      lines(
        "--- a/a.cu",
        "+++ b/a.cu",
        ...["@@ -1,5 +1,5 @@", " a", "-b", "+B", " c", " d", " e"],
        ...["@@ -11,6 +11,5 @@", " k", " l", " m", "-n", " o", " p"],
      ),
    );
  });

  it("names a file by its path from where it is applied, the root for an absolute one", () => {
    expect(unifiedDiff("/tmp/a.cu", "x\n", "y\n")).toMatch(/^--- a\/tmp\/a\.cu\n\+\+\+ b\/tmp\/a\.cu\n/);
  });

  it("says where a text ends without a line break", () => {
    expect(unifiedDiff("a.cu", "x", "x\n")).toBe(
      lines("--- a/a.cu", "+++ b/a.cu", "@@ -1 +1 @@", "-x", "\\ No newline at end of file", "+x"),
    );
  });

  const hasPatch = spawnSync("patch", ["--version"]).status === 0;
  it.runIf(hasPatch)("is what `patch` needs to make the one text of the other", () => {
    const folder = mkdtempSync(join(tmpdir(), "warplint-diff-"));
    const random = randomOf(7);
    const path = join(folder, "f");
    for (let round = 0; round < 40; round++) {
      const before = Array.from({ length: random(30) }, () => `line ${random(5)}`);
      const after = before.flatMap((line) => {
        const dice = random(8);
        return dice === 0 ? [] : dice === 1 ? [line, `new ${random(3)}`] : [dice === 2 ? "other" : line];
      });
      const [from, to] = [lines(...before), lines(...after)];
      if (from === to) continue;
      writeFileSync(path, from);
      const { status } = spawnSync("patch", ["-s", "-p1", "-d", folder], {
        input: unifiedDiff("f", from, to),
      });
      expect(status).toBe(0);
      const isEmpty = to === "";
      expect(isEmpty ? "" : readFileSync(path, "utf8")).toBe(to);
    }
    rmSync(folder, { recursive: true });
  });
});
