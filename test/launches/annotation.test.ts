// What people write above a kernel, and in the configuration.
import { describe, expect, it } from "vitest";
import { parseAnnotation } from "../../server/src/launches/asked/annotation.ts";
import { evaluateInteger } from "../../server/src/launches/asked/integer-expression.ts";

describe("evaluateInteger", () => {
  const names = new Map([["n", 1000]]);
  it.each([
    ["1<<20", 1048576],
    ["(n+255)/256", 4],
    ["2 + 3 * 4 - 1", 13],
    ["-7/2", -3],
    ["-7%4", -3],
    ["0x10", 16],
    ["1 << 2 + 1", 8],
    ["1'000'000u", 1000000],
    ["100 - 10 - 5", 85],
    ["256ull", 256],
    ["1 << 40 >> 38", 4],
  ])("%s", (text, value) => {
    expect(evaluateInteger(text, names)).toEqual({ kind: "value", value });
  });

  it.each([
    ["1/0", "division by zero", 3],
    ["2 * (3", "a ) is missing", 6],
    ["m", "m has no value here", 0],
    ["", "a number is missing", 0],
    ["1.5", '"." is not allowed here', 1],
    ["3 4", '"4" is not expected here', 2],
    ["1 << 99", "the number is too large", 0],
    ["(1 << 2000) & 1", "the number is too large", 0],
  ])("%s is wrong", (text, message, start) => {
    expect(evaluateInteger(text, names)).toMatchObject({ kind: "error", message, start });
  });

  it("ends on deep nesting", () => {
    expect(evaluateInteger("(".repeat(100_000), names)).toMatchObject({ kind: "error" });
  });
});

describe("parseAnnotation", () => {
  const names = { parameters: ["out", "in", "m", "n"], templateParameters: ["T", "TILE"] };
  const parse = (text: string) =>
    parseAnnotation(text, { file: "a.cu", start: 100, end: 100 + text.length }, names);

  it("reads block, grid, shared bytes, arguments and template arguments", () => {
    const text =
      "// warplint: launch(block=(32,8), grid=(16,TILE*2), shared=4096, m=1024, n=1<<20, T=float, TILE=32)";
    const { request, problems } = parse(text.replace("grid=(16,TILE*2)", "grid=(16,16)"));
    expect(problems).toEqual([]);
    expect(request).toEqual({
      block: [32, 8, 1],
      grid: [16, 16, 1],
      sharedBytes: 4096,
      arguments: new Map([
        ["m", 1024],
        ["n", 1048576],
      ]),
      templateArguments: new Map([
        ["T", "float"],
        ["TILE", "32"],
      ]),
    });
  });

  it("lets later values use earlier ones", () => {
    const { request } = parse("launch(n=1000, block=256, grid=(n+255)/256)");
    expect(request).toMatchObject({ block: [256, 1, 1], grid: [4, 1, 1] });
  });

  it.each([
    ["launch(block=(64,32))", "block must have 1 to 1024 threads", "(64,32)"],
    ["launch(block=(1,1,1,1))", "block has at most three extents", "(1,1,1,1)"],
    [
      "launch(k=3)",
      "k is no parameter of the kernel; there are block, grid, shared, T, TILE, out, in, m, n",
      "k",
    ],
    ["launch(m=x)", "x has no value here", "x"],
    ["launch(32)", "expected name=value", "32"],
    ["launch(block=(32,8), m=(1", "a ( is not closed", "1"],
    [
      "ignore[shared-bank-conflict]",
      "expected launch(block=(32,8), …); what silences a finding is // warplint-disable-line",
      "ignore[shared-bank-conflict]",
    ],
    ["launch block=3", "expected launch(block=(32,8), …)", "launch block=3"],
  ])("%s: %s", (text, message, at) => {
    const start = 100 + text.indexOf(at);
    expect(parse(text).problems).toEqual([
      { message, range: { file: "a.cu", start, end: start + at.length } },
    ]);
  });

  it("keeps what is right beside what is wrong", () => {
    expect(parse("launch(block=32, q=1)").request.block).toEqual([32, 1, 1]);
  });
});
