// Reading a text again after an edit of one declaration gives what reading it as a whole gives.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type ReadOptions, readTranslationUnit } from "../../server/src/syntax/translation-unit.ts";
import type { SyntaxUnit, TranslationUnit } from "../../server/src/syntax/unit.ts";
import { editedAtRandom, randomOf } from "../lint/edits.ts";
import { testParser } from "../support/parser.ts";

const programs = fileURLToPath(new URL("../../fixtures/programs/", import.meta.url));
/** Every other: what is compared is long. */
const programFiles = readdirSync(programs)
  .filter((name) => name.endsWith(".cu"))
  .filter((_, index) => index % 2 === 0);
const options: ReadOptions = { readInclude: () => null };

/** All that a unit says, its ranges at each of its tokens among it. Texts of the same tokens may differ in white space. */
function describeUnit(unit: SyntaxUnit) {
  const { namespaces, text, written, attributes, annotations } = unit;
  return {
    namespaces,
    text: text.replace(/\s+/g, ""),
    attributes: attributes.map((each) => ({ ...each, offset: written.starts.indexOf(each.offset) })),
    annotations,
    hash: unit.hash(),
    names: unit.names(),
    identifiers: unit.identifiers(),
    extent: unit.extent(),
    ranges: written.starts.map((start, index) => unit.rangeOf(start, written.ends[index] ?? start)),
    spelled: written.starts.map((start, index) => unit.spelledRangeOf(start, written.ends[index] ?? start)),
    all: unit.rangeOf(0, text.length),
  };
}

function describeWhole({ reading: _, units, ...rest }: TranslationUnit) {
  return { ...rest, units: units.map(describeUnit) };
}

/** Reads `texts` one after the other; how many of them were read by one declaration alone. */
async function readOneByOne(texts: readonly string[]): Promise<number> {
  const parser = await testParser();
  let previous: TranslationUnit | undefined;
  let count = 0;
  for (const text of texts) {
    const unit = readTranslationUnit("a.cu", text, parser, { ...options, ...(previous && { previous }) });
    expect(describeWhole(unit)).toEqual(describeWhole(readTranslationUnit("a.cu", text, parser, options)));
    // What is moved or kept is told by the macros, which a whole reading makes anew.
    if (previous?.reading && unit.reading?.macros.history === previous.reading.macros.history) count++;
    previous = unit;
  }
  return count;
}

test("after random edits of programs", async () => {
  let count = 0;
  for (const [seed, name] of programFiles.entries()) {
    const random = randomOf(seed + 1);
    const texts = [readFileSync(programs + name, "utf8")];
    for (let edit = 0; edit < 4; edit++) texts.push(editedAtRandom(texts.at(-1) ?? "", random));
    count += await readOneByOne(texts);
  }
  expect(count).toBeGreaterThan(programFiles.length);
}, 120_000);

const head = `#define SIZE 32
#define AT(x) [x]
namespace a {
int before = SIZE;
/* warplint: no */
// warplint: launch(block=32)
__global__ void k(float* p) {
  p[threadIdx.x] = 1;
}
__global__ void l(float* p) { p AT(threadIdx.x) = SIZE; }
}
`;

const edits: readonly [what: string, from: string, to: string, byItself: boolean][] = [
  ["a number", "= 1", "= 12", true],
  ["white space", "p[threadIdx", "p  [threadIdx", true],
  ["a new line", "p[threadIdx", "\n\np[threadIdx", true],
  ["a comment", "= 1;", "= 1; // of it", true],
  ["an annotation inside", "= 1;", "= 1; // warplint: launch(block=64)", true],
  ["a use of a macro", "= 1", "= SIZE", true],
  ["a pragma", "  p[threadIdx", "#pragma unroll\n  p[threadIdx", true],
  ["a brace that is not closed", "= 1;", "= 1; {", false],
  ["a brace too many", "= 1;", "= 1; }", false],
  ["a comment that is not closed", "= 1;", "= 1; /*", false],
  ["a text that is not closed", "= 1;", '= 1; "', true],
  ["a directive", "  p[threadIdx", "#undef SIZE\n  p[threadIdx", false],
  ["a name that convention knows", "= 1", "= M_PI", false],
  ["a use of a macro that is not closed", "= 1;", "= AT(1;", false],
  ["a second declaration", "= 1;\n}", "= 1;\n}\nint f() {}", false],
  ["the name of a kernel", "void k(", "void kk(", true],
  ["a launch that is not closed", "= 1", "= f<<<1", true],
  ["something between declarations", "int before", "int c;\nint before", false],
  ["the definition of a macro", "SIZE 32", "SIZE 33", false],
];

test.each(edits)("%s", async (_, from, to, byItself) => {
  const after = head.replace(from, to);
  expect(after).not.toBe(head);
  expect(await readOneByOne([head, after, head])).toBe(byItself ? 2 : 0);
});

test("macros are those of the place, whatever is defined behind it", async () => {
  const text = "#define N 1\nvoid f() { int a = N; }\n#undef N\n#define N 2\nvoid g() { int b = N; }\n";
  const first = text.replace("a =", "ac =");
  expect(await readOneByOne([text, first, first.replace("b =", "bc =")])).toBe(2);
});

test("a line that comes or goes moves the numbers of lines", async () => {
  const text = "void f() { int a; }\nvoid g() { int b = __LINE__; }\n";
  expect(await readOneByOne([text, text.replace("int a", "\nint a")])).toBe(0);
  expect(await readOneByOne([text, text.replace("int a", "int aa")])).toBe(1);
});

test("device code is told from host code", async () => {
  const text =
    "#define A (__CUDA_ARCH__)\n__global__ void f() { int a = A; }\nvoid g() { int b = A; }\nvoid h() {}\n";
  const first = text.replace("b =", "bb =");
  expect(await readOneByOne([text, first, first.replace("a =", "aa =")])).toBe(2);
});

test("an include that has another text is read", async () => {
  const parser = await testParser();
  const text = '#include "n.h"\nvoid f() { int a = N; }\n';
  const including = (header: string): ReadOptions => ({
    readInclude: () => ({ path: "n.h", text: header }),
  });
  const previous = readTranslationUnit("a.cu", text, parser, including("#define N 1\n"));
  const edited = text.replace("a =", "aa =");
  const again = { ...including("#define N 2\n"), previous };
  expect(readTranslationUnit("a.cu", edited, parser, again).units[0]?.text).toContain("aa = 2");
});
