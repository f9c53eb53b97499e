// Macro expansion, case by case; the examples of the C++ standard among them.
import { expect, test } from "vitest";
import { type MacroFlag, noFlags } from "../../server/src/build/flags.ts";
import { preprocess } from "../../server/src/preprocess/preprocess.ts";

const readInclude = () => null;

/** The expanded tokens with one space between each two. */
function expanded(text: string, defines: Record<string, string> = {}): string {
  const origin = { file: "Makefile", line: 1 };
  const macros = Object.entries(defines).map(
    ([name, value]): MacroFlag => ({ kind: "define", name, value, doubt: null, origin }),
  );
  return preprocess("a.cu", text, { readInclude, flags: { ...noFlags, macros } })
    .tokens.map((token) => token.text)
    .join(" ");
}

const cases: [name: string, text: string, expected: string][] = [
  ["object-like", "#define N 32\nint a[N];", "int a [ 32 ] ;"],
  ["defined through another", "#define A B\n#define B 3\nA", "3"],
  ["function-like", "#define SQ(x) ((x) * (x))\nSQ(a + 1)", "( ( a + 1 ) * ( a + 1 ) )"],
  ["function-like without a call", "#define f(x) x\nint f;", "int f ;"],
  ["call over several lines", "#define f(x, y) x y\nf(1,\n  2)", "1 2"],
  ["nested calls", "#define ADD(a, b) ((a) + (b))\nADD(ADD(1, 2), 3)", "( ( ( ( 1 ) + ( 2 ) ) ) + ( 3 ) )"],
  ["parentheses and commas", "#define f(x, y) [x|y]\nf((1, 2), g(3, 4))", "[ ( 1 , 2 ) | g ( 3 , 4 ) ]"],
  ["recursion of an object", "#define foo foo + 1\nfoo", "foo + 1"],
  ["mutual recursion", "#define a b\n#define b a\na b", "a b"],
  ["recursion of a function", "#define f(x) f(x + 1)\nf(f(2))", "f ( f ( 2 + 1 ) + 1 )"],
  ["undef", "#define N 1\n#undef N\nN", "N"],
  ["line splices", "#define LONG(a) \\\n  a + \\\n  1\nLONG(2) id\\\nentifier", "2 + 1 identifier"],
  ["stringify", '#define S(x) #x\nS(a  +  "b\\n")', '"a + \\"b\\\\n\\""'],
  ["stringify expanded", "#define S(x) #x\n#define X(x) S(x)\n#define N 4\nS(N) X(N)", '"N" "4"'],
  ["paste", "#define P(a, b) a ## b\nP(float, 4) P(, x) P(y,) P(1, 2)", "float4 x y 12"],
  ["paste is not expanded first", "#define A 1\n#define P(a, b) a##b\nP(A, A)", "AA"],
  ["paste that makes a macro", "#define AB 7\n#define P(a, b) a##b\nP(A, B)", "7"],
  ["variadic", "#define V(...) f(__VA_ARGS__)\nV(1, 2) V()", "f ( 1 , 2 ) f ( )"],
  ["variadic after a name", "#define V(a, ...) f(a, __VA_ARGS__)\nV(1, 2, 3)", "f ( 1 , 2 , 3 )"],
  ["GNU comma", "#define V(a, ...) f(a, ##__VA_ARGS__)\nV(1) V(1, 2)", "f ( 1 ) f ( 1 , 2 )"],
  ["GNU named variadic", "#define V(a, rest...) f(a, ##rest)\nV(1) V(1, 2, 3)", "f ( 1 ) f ( 1 , 2 , 3 )"],
  ["__VA_OPT__", "#define V(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)\nV(1) V(1, 2)", "f ( 1 ) f ( 1 , 2 )"],
  ["wrong count of arguments", "#define f(x, y) x\nf(1)", "f ( 1 )"],
  ["unclosed call", "#define f(x) x\nf(1\n__global__ void k();", "f ( 1 __global__ void k ( ) ;"],
  ["__LINE__ is the use's", "#define L __LINE__\n\nL", "3"],
  ["__COUNTER__", "__COUNTER__ __COUNTER__", "0 1"],
  ["__FILE__", "__FILE__", '"a.cu"'],
  ["_Pragma", '#define UNROLL _Pragma("unroll 4")\nUNROLL for', "unroll 4 for"],
  ["pragma unroll with a macro", "#define N 8\n#pragma unroll N\nfor", "unroll 8 for"],
  ["other pragmas are dropped", "#pragma omp parallel for\nfor", "for"],
  ["directives within a call", "#define f(x) x\nf(\n#ifdef NO\n1\n#else\n2\n#endif\n)", "2"],
  ["push_macro", '#define N 1\n#pragma push_macro("N")\n#undef N\n#pragma pop_macro("N")\nN', "1"],
  [
    "standard, rescanning (C++ [cpp.rescan])",
    "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n" +
      "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\np() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };",
    "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; " +
      "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; " +
      'int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { "hello" , "" } ;',
  ],
  [
    "standard, # and ## (C++ [cpp.concat])",
    '#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", x ## s, x ## t)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n#define HIGHLOW "hello"\n#define LOW LOW ", world"\n' +
      'debug(1, 2);\nfputs(str(strncmp("abc\\0d", "abc", \'\\4\') == 0) str(: @\\n), s);\nxstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)',
    'printf ( "x" "1" "= %d, x" "2" "= %s" , x1 , x2 ) ; ' +
      'fputs ( "strncmp(\\"abc\\\\0d\\", \\"abc\\", \'\\\\4\') == 0" ": @\\n" , s ) ; "vers2.h" "hello" ; "hello" ", world"',
  ],
  [
    "standard, placemarkers (C++ [cpp.concat])",
    "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
    "int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;",
  ],
  [
    "standard, hash_hash (C++ [cpp.concat])",
    "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);",
    'char p [ ] = "x ## y" ;',
  ],
  [
    "standard, __VA_OPT__ (C++ [cpp.subst])",
    "#define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)\n#define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)\n#define SDEF(sname, ...) S sname __VA_OPT__(= { __VA_ARGS__ })\n#define EMP\n" +
      "F(a, b, c) F() F(EMP) G(a, b, c) G(a, ) G(a) SDEF(foo); SDEF(bar, 1, 2);",
    "f ( 0 , a , b , c ) f ( 0 ) f ( 0 ) f ( 0 , a , b , c ) f ( 0 , a ) f ( 0 , a ) S foo ; S bar = { 1 , 2 } ;",
  ],
];

test.each(cases)("%s", (_, text, expected) => {
  expect(expanded(text)).toBe(expected);
});

test("defines of the user, with parameters too", () => {
  expect(expanded("TILE F(2)", { TILE: "16", "F(x)": "x * x" })).toBe("16 2 * 2");
});

const bombs: [name: string, text: string][] = [
  ["doubling", `#define A0 x\n${lines(60, (i) => `#define A${i + 1} A${i} A${i}`)}A60 after`],
  ["doubling arguments", `#define D(x) x x\n${"D(".repeat(60)}1${")".repeat(60)} after`],
  [
    "doubling through a call",
    `#define E0(x) x\n${lines(60, (i) => `#define E${i + 1}(x) E${i}(x) E${i}(x)`)}E60(1) after`,
  ],
  ["many unclosed calls", `#define f(x) x\n${"f(".repeat(20_000)} after`],
  ["deep arguments", `#define f(x) x\n${"f(".repeat(3000)}1${")".repeat(3000)} after`],
  ["long chain", `${lines(5000, (i) => `#define C${i} C${i + 1}`)}C0 after`],
];

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");
}

test.each(bombs)("a bomb of %s ends in bounded time, and the text after it is read", (_, text) => {
  const start = performance.now();
  expect(expanded(text).endsWith("after")).toBe(true);
  expect(performance.now() - start).toBeLessThan(5000);
});

test("what outgrew the budget is reported and stands as it was typed", () => {
  const text = `#define A0 x\n${lines(60, (i) => `#define A${i + 1} A${i} A${i}`)}int A60 = 1;`;
  const result = preprocess("a.cu", text, { readInclude });
  expect(result.tokens.map((token) => token.text).join(" ")).toBe("int A60 = 1 ;");
  const [bomb] = result.notExpanded;
  expect(bomb?.name).toBe("A60");
  expect(text.slice(bomb?.range.start, bomb?.range.end)).toBe("A60");
});
