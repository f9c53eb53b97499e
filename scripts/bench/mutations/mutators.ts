// Mutations of texts: tokens and lines moved, doubled, dropped and taken from another text, numbers at the ends of their types, nests and
// names of absurd size, characters that no editor writes.
import type { Random } from "../../../test/random/random.ts";

/** `text`, changed; `other` is a text that pieces may be taken from. */
export type Mutator = (text: string, other: string, random: Random) => string;

const tokenPattern = /[A-Za-z_]\w*|\d[\w.]*|"(?:[^"\\\n]|\\.)*"|<<<|>>>|[^\s\w]/g;

/** Numbers at which something ends: of types, of blocks, of what fits. */
const numbers =
  "0 1 -1 3 31 32 33 1023 1024 1025 65535 2147483647 2147483648 4294967295 4294967296 9223372036854775807 18446744073709551615 1e38f 1e308 0x7fffffff 0xffffffffu 1ull<<63".split(
    " ",
  );

/** Texts with a meaning of their own, in whatever place they land. */
const fragments = [
  "__syncthreads();",
  "template <typename T>",
  "__shared__ float s[1 << 30];",
  "extern __shared__ char d[];",
  "#define A A A",
  "#define B(x) B(x) B(x)\nB(1)",
  "#if",
  "#endif",
  "#include __FILE__",
  '#include "a.cu"',
  "/*",
  '"',
  'R"x(',
  "<<<1, 32>>>",
  "<<<n, -1>>>",
  "for (;;)",
  "while (true) {",
  "goto x;",
  "operator()(",
  "decltype(auto)",
  "template <int N> struct F { enum { v = F<N - 1>::v }; };",
  "__device__ int f(int x) { return f(f(x)); }",
  "using namespace",
  "...",
  "\\\n",
  "??/",
  "\0",
  "\ufeff",
  "\ud800",
  "\u2028",
  "\x1b[2J",
  "\r\n",
];

const nests: readonly (readonly [open: string, close: string])[] = [
  ["(", ")"],
  ["{", "}"],
  ["[", "]"],
  ["f(", ")"],
  ["a[", "]"],
  ["-", ""],
  ["*", ""],
  ["A<", ">"],
  ["namespace n {", "}"],
  ["if (x) {", "}"],
  ["for (int i = 0; i < n; i++) {", "}"],
  ["x ? ", " : 0"],
  ["1 + ", ""],
  ["a.", "b"],
  ["#if 1\n", "\n#endif\n"],
  ["struct S {", "};"],
  ["[&] {", "}"],
];

/** How deep: mostly as generated code is, now and then as only an enemy writes. */
function depthOf(random: Random): number {
  return random.oneIn(40) ? 100_000 : random.oneIn(10) ? 5000 : random.between(2, 200);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function tokensOf(text: string): readonly Span[] {
  return Array.from(text.matchAll(tokenPattern), ({ index, 0: token }) => ({
    start: index,
    end: index + token.length,
  }));
}

/** Up to `most` tokens in a row. */
function someTokens(text: string, most: number, random: Random): Span {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return { start: 0, end: text.length };
  const first = random.between(0, tokens.length - 1);
  const last = Math.min(tokens.length - 1, first + random.between(0, most - 1));
  return { start: tokens[first]?.start ?? 0, end: tokens[last]?.end ?? text.length };
}

function someLines(text: string, most: number, random: Random): Span {
  const lines = text.split("\n");
  const first = random.between(0, lines.length - 1);
  const start = lines.slice(0, first).join("\n").length;
  const taken = lines.slice(first, first + random.between(1, most)).join("\n");
  return { start, end: Math.min(text.length, start + taken.length + 1) };
}

function replaced(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function textAt(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

function anywhere(text: string, random: Random): Span {
  const { start } = someTokens(text, 1, random);
  return { start, end: start };
}

function changedOne(text: string, pattern: RegExp, by: string, random: Random): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { index, 0: found } = random.pick(matches);
  return replaced(text, { start: index, end: index + found.length }, by);
}

export const mutators: Readonly<Record<string, Mutator>> = {
  "tokens dropped": (text, _, random) => replaced(text, someTokens(text, 8, random), ""),
  "tokens doubled": (text, _, random) => {
    const span = someTokens(text, 12, random);
    return replaced(text, span, `${textAt(text, span)} ${textAt(text, span)}`);
  },
  "tokens moved": (text, _, random) =>
    replaced(text, anywhere(text, random), ` ${textAt(text, someTokens(text, 8, random))} `),
  "tokens of another text": (text, other, random) =>
    replaced(text, someTokens(text, 8, random), ` ${textAt(other, someTokens(other, 20, random))} `),
  "lines dropped": (text, _, random) => replaced(text, someLines(text, 4, random), ""),
  "lines doubled": (text, _, random) => {
    const span = someLines(text, 6, random);
    return replaced(text, { start: span.end, end: span.end }, textAt(text, span));
  },
  "lines of another text": (text, other, random) =>
    replaced(text, someLines(text, 3, random), textAt(other, someLines(other, 20, random))),
  "another text behind": (text, other) => `${text}\n${other}`,
  "cut off": (text, _, random) => text.slice(0, random.between(0, text.length)),
  "begun late": (text, _, random) => text.slice(random.between(0, text.length)),
  "a number": (text, _, random) => changedOne(text, /\b\d[\w.]*\b/g, random.pick(numbers), random),
  "a name for another": (text, _, random) => {
    const names = [...new Set(text.match(/\b[A-Za-z_]\w*\b/g) ?? ["x"])];
    return changedOne(text, /\b[A-Za-z_]\w*\b/g, random.pick(names), random);
  },
  "an operator": (text, _, random) =>
    changedOne(
      text,
      /[-+*/%<>=&|^~!?:,;]+/g,
      random.pick("+ - * / % << >> & | ^ && || = += , ; < > ? :".split(" ")),
      random,
    ),
  "a bracket": (text, _, random) => changedOne(text, /[()[\]{}<>]/g, random.pick([..."()[]{}<>"]), random),
  "a fragment": (text, _, random) => replaced(text, anywhere(text, random), random.pick(fragments)),
  "a nest": (text, _, random) => {
    const [open, close] = random.pick(nests);
    const depth = depthOf(random);
    const span = random.oneIn(2) ? someTokens(text, 4, random) : anywhere(text, random);
    return replaced(text, span, open.repeat(depth) + textAt(text, span) + close.repeat(depth));
  },
  "a nest that is not closed": (text, _, random) =>
    replaced(text, anywhere(text, random), random.pick(nests)[0].repeat(depthOf(random))),
  "a line many times": (text, _, random) => {
    const span = someLines(text, 1, random);
    const times = Math.min(
      random.oneIn(20) ? 20_000 : random.between(2, 500),
      Math.floor(1e6 / (span.end - span.start + 1)),
    );
    return replaced(text, span, textAt(text, span).repeat(times));
  },
  "a long name": (text, _, random) =>
    changedOne(text, /\b[A-Za-z_]\w*\b/g, "x".repeat(depthOf(random)), random),
  "ends of lines": (text, _, random) => text.replaceAll("\n", random.pick(["\r\n", "\r", "\\\n", ""])),
  "a macro for a name": (text, _, random) => {
    const names = text.match(/\b[A-Za-z_]\w*\b/g) ?? ["x"];
    const count = random.between(1, 30);
    const steps = Array.from({ length: count }, (_unused, at) => `#define M${at} M${at + 1} M${at + 1}`);
    return `${steps.join("\n")}\n#define ${random.pick(names)} M0\n${text}`;
  },
};

/** `text` after one to `most` mutations, with their names. */
export function mutated(
  text: string,
  other: string,
  random: Random,
  most = 4,
): { readonly text: string; readonly names: readonly string[] } {
  let result = text;
  const names: string[] = [];
  for (let left = random.between(1, most); left > 0; left--) {
    const [name, mutate] = random.pick(Object.entries(mutators));
    names.push(name);
    result = mutate(result, other, random);
    if (result.length > 2_000_000) result = result.slice(0, 2_000_000);
  }
  return { text: result, names };
}
