// What stands for elements of an array, written out; and edits made in such a text, as edits of the one that the author wrote.
import { describe, expect, it } from "vitest";
import { composedEdits } from "../../server/src/fixes/text/composed-edits.ts";
import { applyEdits } from "../../server/src/fixes/text/edits.ts";
import { bodyAround, typedText } from "../../server/src/fixes/text/typed-text.ts";
import { unfoldingEdits } from "../../server/src/fixes/text/unfold.ts";

/** The kernel's statements as they are with all that stands for elements of `a` written out. */
function unfolded(statements: string, before = ""): string {
  const head = `${before}\n__global__ void k(float *a, int n) {\n`;
  const typed = typedText("a.cu", `${head}${statements}\n}\n`);
  const inside = typed.tokens.findIndex(({ start }) => start >= head.length);
  const body = bodyAround(typed, inside);
  if (body === null) throw new Error("no body");
  return applyEdits(typed.text, unfoldingEdits(typed, body, "a")).slice(head.length, -3);
}

describe("what stands for an element is written out", () => {
  it.each([
    ["float *p = a + t * 4;\np[i] = 1;", "a[t * 4 + i] = 1;"],
    ["float *p = &a[t];\np->x = *p;", "a[t].x = a[t];"],
    ["float &r = a[t];\nr += 2;", "a[t] += 2;"],
    ["float *p = a + t, *q = b;\np[0] = q[0];", "float *q = b;\na[t] = q[0];"],
    [
      "auto at = [=](int i) { return t * n + i; };\na[at(2)] = 1;",
      "auto at = [=](int i) { return t * n + i; };\na[t * n + 2] = 1;",
    ],
    ["float *p = a + t;\nuse(p, p + 1);", "use(a + t, a + t + 1);"],
    [
      "int t = threadIdx.x;\nint base = t * n;\na[base + 1] = a[base * 2];",
      "int t = threadIdx.x;\nint base = t * n;\na[t * n + 1] = a[(t * n) * 2];",
    ],
    // One pointer stands for another's element.
    ["float *p = a + t * n;\nfloat *q = p + 1;\nq[i] = 1;", "a[t * n + 1 + i] = 1;"],
  ])("%s", (statements, expected) => {
    expect(unfolded(statements)).toBe(expected);
  });

  it("by macros and functions that are one expression", () => {
    expect(unfolded("a[IDX(x, y + 1)] = 1;", "#define IDX(x, y) ((y) * n + (x))")).toBe(
      "a[(y + 1) * n + (x)] = 1;",
    );
    expect(unfolded("AT(a, i) = 1;", "#define AT(m, i) m[(i) * 2]")).toBe("a[(i) * 2] = 1;");
    expect(
      unfolded("s = get(a, r + 1);", "__device__ float get(const float *m, int r) { return m[r * 8]; }"),
    ).toBe("s = a[(r + 1) * 8];");
  });

  it.each([
    "float *p = a + t;\np++;\np[0] = 1;",
    "float *p = a + t;\nt = 2;\np[0] = 1;",
    "float *p = a + t;\nif (p != b) p[0] = 1;",
    "float *p = a + t;\np = a;\np[0] = 1;",
  ])("but not where it changes or goes elsewhere: %s", (statements) => {
    expect(unfolded(statements)).toBe(statements);
  });
});

describe("edits one after the other", () => {
  it("are edits of the first text", () => {
    const first = [
      { file: "a", start: 2, end: 3, newText: "long" },
      { file: "a", start: 6, end: 7, newText: "" },
    ];
    // "a b c d e" is "a long c  e" between them, and "a lo-g c ! e" behind.
    const second = [
      { file: "a", start: 4, end: 5, newText: "-" },
      { file: "a", start: 9, end: 9, newText: "!" },
    ];
    const composed = composedEdits("a b c d e", first, second).map(({ edit }) => edit);
    expect(applyEdits("a b c d e", composed)).toBe("a lo-g c ! e");
  });

  it("say which the second had nothing to do with", () => {
    const first = [
      { file: "a", start: 0, end: 1, newText: "one" },
      { file: "a", start: 4, end: 5, newText: "two" },
    ];
    const composed = composedEdits("a b c", first, [{ file: "a", start: 0, end: 3, newText: "x" }]);
    expect(composed.map(({ edit, isOfFirst }) => [edit.start, edit.newText, isOfFirst])).toEqual([
      [0, "x", false],
      [4, "two", true],
    ]);
  });
});
