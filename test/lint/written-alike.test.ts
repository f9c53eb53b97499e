// Of sources that only instantiate a repository looks at those that tell something new.
import { describe, expect, it } from "vitest";
import { formOf, WrittenAlike } from "../../server/src/lint/written-alike.ts";

describe("the form of a source", () => {
  const half = `#include "k.cuh"\ntemplate void run_64<Traits<64, half>>(Params<half> &, int);\n`;

  it.each([
    [
      "other arguments and numbers",
      `#include "k.cuh"\ntemplate void run_128<Traits<128, float>>(Params<float> &);\n`,
    ],
    ["comments", `/* made */ #include "k.cuh"\n// of 64\ntemplate void run_64<int>();\n`],
  ])("is the same with %s", (_, text) => expect(formOf(text)).toBe(formOf(half)));

  it.each([
    ["another header", half.replace("k.cuh", "k2.cuh")],
    ["another function", half.replace("run_64", "launch_64")],
    ["a definition", half.replace(";", " { run(); }")],
  ])("is another with %s", (_, text) => expect(formOf(text)).not.toBe(formOf(half)));

  it.each(["__global__ void k() {}", "void f() { k<<<1, 32>>>(); }", "int main() {}"])(
    "is none where it has what %s has",
    (text) => expect(formOf(text)).toBeNull(),
  );
});

describe("of sixteen sources that are written alike", () => {
  const files = Array.from({ length: 16 }, (_, index) => `/w/${String.fromCharCode(97 + index)}.cu`);
  const textOf = () => `#include "k.cuh"\nINSTANTIATE(float)\n`;
  const lookedAt = (telling: readonly string[]): readonly string[] => {
    const alike = new WrittenAlike(files, textOf);
    return alike.inOrder(files).filter((file) => {
      if (alike.reasonAgainst(file) !== null) return false;
      alike.tell(file, telling.includes(file) ? "news" : "nothing new");
      return true;
    });
  };

  it("those are looked at that come before two that told nothing new", () => {
    expect(lookedAt(["/w/a.cu"])).toEqual(["/w/a.cu", "/w/i.cu", "/w/e.cu"]);
  });

  it("all are looked at where each tells something new", () => {
    expect([...lookedAt(files)].sort()).toEqual(files);
  });
});
