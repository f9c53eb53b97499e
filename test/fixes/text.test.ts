// What the search reads in a text, and how it writes: lengths, sums of products, mentions, statements, where values come from.
import { describe, expect, it } from "vitest";
import { isInAnyOrder } from "../../server/src/fixes/text/carried.ts";
import { definitionOf } from "../../server/src/fixes/text/constants.ts";
import { movedRange } from "../../server/src/fixes/text/edits.ts";
import { mentionsOf } from "../../server/src/fixes/text/mentions.ts";
import { summandsOf } from "../../server/src/fixes/text/products.ts";
import { asFactor, lengthened } from "../../server/src/fixes/text/spelling.ts";
import { freshName, hasComment, statementAround } from "../../server/src/fixes/text/statements.ts";
import { traceValue } from "../../server/src/fixes/text/trace-constant.ts";
import { spelled, tokenFrom, typedText } from "../../server/src/fixes/text/typed-text.ts";

describe("a longer length in the user's spelling", () => {
  it.each([
    ["32", 1, "33"],
    ["N", 1, "N + 1"],
    ["blockSizeY", 4, "blockSizeY + 4"],
    ["WARP_SIZE*4+1", 3, "WARP_SIZE*4+4"],
    ["T + 2", 1, "T + 3"],
    ["T + 2", -1, "T + 1"],
    ["T + 2", -2, "T"],
    ["B*4", 1, "B*4+1"],
    ["B * 4", 1, "B * 4 + 1"],
    ["N << 1", 1, "(N << 1) + 1"],
    ["a ? 2 : b + 1", 1, "(a ? 2 : b + 1) + 1"],
    ["f(x + 1)", 1, "f(x + 1) + 1"],
    ["N", -1, null],
    ["1", -1, null],
  ])("%s by %i is %s", (length, added, expected) => {
    expect(lengthened(length, added)).toBe(expected);
  });

  it.each([
    ["W", "W"],
    ["W + 1", "(W + 1)"],
    ["blockDim.x", "blockDim.x"],
    ["(a) + (b)", "((a) + (b))"],
    ["(a + b)", "(a + b)"],
    ["f(a)", "f(a)"],
  ])("%s as a factor is %s", (text, expected) => {
    expect(asFactor(text)).toBe(expected);
  });
});

describe("sums of products", () => {
  it.each([
    ["ty * 32 + tx", [["ty", "32"], ["tx"]]],
    ["(ty * 4 + i) * PITCH + tx", [["ty * 4 + i", "PITCH"], ["tx"]]],
    ["i / 64 * PITCH + i % 64", [["i / 64", "PITCH"], ["i % 64"]]],
    ["(row * W) + column", [["row", "W"], ["column"]]],
    ["a * b / c", [["a * b / c"]]],
    ["row << 5 | column", null],
  ])("%s", (text, expected) => {
    const typed = typedText("a.cu", text);
    const found = summandsOf(typed, { first: 0, end: typed.tokens.length });
    expect(found?.map(({ factors }) => factors.map((factor) => factor.text)) ?? null).toEqual(expected);
  });
});

describe("mentions of an array", () => {
  const use = (statement: string) => {
    const typed = typedText("a.cu", `void k() { float s[8][8]; ${statement} }`);
    const [nameToken = -1] = typed.byName.get("s") ?? [];
    const scope = { first: 0, end: typed.tokens.length };
    return mentionsOf(typed, { name: "s", nameToken, scope })[0];
  };

  it.each([
    ["s[1][2] = 0;", "not-taken"],
    ["x = 3 & s[1][2];", "not-taken"],
    ["*reinterpret_cast<float4 *>(&s[1][4]) = v;", "accessed"],
    ["for (;;) *(float4 *)&s[1][4] = v;", "accessed"],
    ["v = ((float4 *)&s[1][4])[0];", "accessed"],
    ["float *p = &s[0][0];", "kept"],
    ["float4 *p = (float4 *)&s[0][0];", "kept"],
    ["float4 *p = reinterpret_cast<float4 *>(&s[0][0]);", "kept"],
    ["atomicAdd(&s[1][2], 1);", "passed"],
    ["rowSum(&s[0][0], 3);", "passed"],
  ] as const)("%s: its address is %s", (statement, expected) => {
    expect(use(statement)?.address).toBe(expected);
  });

  it("sees indices, calls and sizeof, and no member of the same name", () => {
    expect(use("f(s);")).toMatchObject({ passedTo: "f", subscripts: [], isSizeof: false });
    expect(use("n = sizeof(s);")?.isSizeof).toBe(true);
    expect(use("s[1][2] = 0;")?.subscripts).toHaveLength(2);
    expect(use("other.s[1] = 0;")).toBeUndefined();
  });
});

describe("statements", () => {
  const around = (text: string, word: string) => {
    const typed = typedText("a.cu", text);
    const found = statementAround(typed, tokenFrom(typed, text.indexOf(word)));
    return found === null ? null : spelled(typed, found.span);
  };

  it.each([
    ["{ a = 1; b = x + 2; }", "b = x + 2;"],
    ["{ if (c) { } b = x; }", "b = x;"],
    ["{ if (c) b = x; }", null],
    ["{ for (int i = x; i < 2; ++i) { } }", null],
    ["{ else b = x; }", null],
    ["{ float v[2] = {x, 1}; }", "float v[2] = {x, 1};"],
    ["{\n#ifdef A\n b = x;\n#endif\n }", "b = x;"],
  ])("%s", (text, expected) => {
    expect(around(text, "x")).toBe(expected);
  });

  it("knows comments inside from those behind, and names that are free", () => {
    const typed = typedText("a.cu", "a = 1; /* why */ b = 2; // done\n in4 = 3;");
    expect(hasComment(typed, { first: 0, end: 8 })).toBe(true);
    expect(hasComment(typed, { first: 4, end: 8 })).toBe(false);
    expect(freshName(typed, "in4")).toBe("in42");
    expect(freshName(typed, "out4")).toBe("out4");
  });
});

describe("where a value was written", () => {
  const text = `template <int B, int PAD> void call(float *p, int n) { kernel<B, PAD><<<1, dim3(n, 8)>>>(p); }
void run(float *p, int m) { call<32, 0>(p, m); }
int main() { run(nullptr, 64); }`;
  const typed = typedText("a.cu", text);
  const rangeOf = (part: string) => {
    const start = text.indexOf(part);
    return { file: "a.cu", start, end: start + part.length };
  };
  const path = [rangeOf("kernel<B"), rangeOf("call<32, 0>(p, m)"), rangeOf("run(nullptr, 64)")];
  const trail = (word: string) => {
    const first = tokenFrom(typed, text.indexOf(word, text.indexOf("kernel<")));
    const found = traceValue(() => typed, path, { typed, span: { first, end: first + 1 } });
    return found.map((each) => spelled(typed, each.span));
  };

  it("follows template arguments and arguments outwards", () => {
    expect(trail("PAD")).toEqual(["PAD", "0"]);
    expect(trail("n, 8")).toEqual(["n", "m", "64"]);
  });
});

it("finds the one definition of a constant", () => {
  const typed = typedText(
    "a.cu",
    "#define W (16 * 2)\nconstexpr int P = W + 1;\nint n = 3;\n#define F(x) x\nconst int Q = 1; const int Q = 2;",
  );
  const definition = (name: string) => {
    const span = definitionOf(typed, name);
    return span === null ? null : spelled(typed, span);
  };
  expect(definition("W")).toBe("(16 * 2)");
  expect(definition("P")).toBe("W + 1");
  expect(definition("n")).toBeNull();
  expect(definition("F")).toBeNull();
  expect(definition("Q")).toBeNull();
});

it("moves ranges with what is written before and inside of them", () => {
  const edits = [
    { file: "a.cu", start: 4, end: 6, newText: "long" },
    { file: "a.cu", start: 20, end: 20, newText: "x" },
  ];
  expect(movedRange({ file: "a.cu", start: 10, end: 15 }, edits)).toMatchObject({ start: 12, end: 17 });
  expect(movedRange({ file: "a.cu", start: 2, end: 8 }, edits)).toMatchObject({ start: 2, end: 10 });
  expect(movedRange({ file: "a.cu", start: 18, end: 24 }, edits)).toMatchObject({ start: 20, end: 27 });
  expect(movedRange({ file: "b.cu", start: 10, end: 15 }, edits)).toMatchObject({ start: 10, end: 15 });
});

describe("iterations in any order", () => {
  it.each([
    ["out[i] = 2 * in[i];", true],
    ["sum += in[i]; count++;", true],
    ["float x = in[i]; x = x * x; sum += x;", true],
    ["most = max(most, in[i]);", true],
    ["if (in[i] > 0) sum += in[i]; else sum -= in[i];", true],
    ["auto& slot = bins[in[i]]; slot++;", true],
    // An automaton: its state is read before it is set.
    ["char c = text[i]; while (q > 0 && p[q] != c) q = fail[q - 1]; if (p[q] == c) q++;", false],
    ["sum += in[i]; out[i] = sum;", false],
    ["if (in[i] > best) { best = in[i]; at = i; }", false],
    ["last = in[i];", false],
    ["out[n++] = in[i];", false],
    ["sum += in[i]; sum *= 2;", false],
    ["if (in[i] == 0) break; sum += in[i];", false],
    ["s = s * 1664525u + in[i];", false],
  ])("%s: %s", (text, expected) => {
    const typed = typedText("a.cu", `{ ${text} }`);
    expect(isInAnyOrder(typed, { first: 1, end: typed.tokens.length - 1 })).toBe(expected);
  });
});
