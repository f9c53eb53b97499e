// The text of a declaration: what of the file stands in it as typed, what does not, and where each token is.
import { expect, test } from "vitest";
import { readText } from "../support/parser.ts";

const written: readonly (readonly [string, string, string])[] = [
  ["white space stays as typed", "int  a[ 3 ]\n= { 1 };", "int  a[ 3 ]\n= { 1 };\n"],
  ["a comment within a line is a space", "int a/* size */= 1;", "int a = 1;\n"],
  ["a comment to the end of its line is a line's end", "int a // size\n  = 1;", "int a\n= 1;\n"],
  ["a token that a line splice cuts is whole", "int lo\\\nng1 = 1;", "int long1 = 1;\n"],
  ["what a macro gives stands between spaces", "#define N 4\nint a[N+1];", "int a[ 4 +1];\n"],
  [
    "the () of an operator() that a macro declares is one",
    "#define CALL(T) void operator()(T)\nstruct A { CALL(int); };",
    "struct A { void operator () ( int ) ; };\n",
  ],
  [
    "the grammar has one specifier at most before a conversion",
    "struct A { __host__ __device__ explicit operator int() const; __device__ operator float(); __device__ inline A operator+(A); };",
    "struct A { operator int() const; __device__ operator float(); __device__ inline A operator+(A); };\n",
  ],
  ["what follows an expansion is as typed again", "#define N 4\nint a=N, b=  2;", "int a= 4 , b=  2;\n"],
];

test.each(written)("%s", async (_, text, expected) => {
  const { units } = await readText(text);
  const unit = units.at(-1);
  expect(unit?.text).toBe(expected);
});

test("tokens know where they stand in the text", async () => {
  const { units } = await readText("#define N 4\nint a[N], /* two */ b = N;");
  const unit = units.at(-1);
  const tokens = unit?.written.starts.map((start, index) => unit.text.slice(start, unit.written.ends[index]));
  expect(tokens).toEqual(["int", "a", "[", "4", "]", ",", "b", "=", "4", ";"]);
});
