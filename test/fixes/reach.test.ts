// What fixes may touch: the kernel, the functions that it calls, the records that it names, the constants that its array's rows are made of, its launches with what they are made of, and the most bytes that it may be given.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import type { SourceRange } from "../../server/src/text/source.ts";
import { fixesOf } from "./fixing.ts";

const folder = "fixtures/fixes";
const names = readdirSync(folder).filter((name) => name.endsWith(".cu") && !name.startsWith("none_"));

describe("no fix edits anything else", () => {
  it.each(names)("in %s", { timeout: 120_000 }, async (name) => {
    const { fixes, analysis, text } = await fixesOf(readFileSync(join(folder, name), "utf8"));
    expect(fixes).not.toEqual([]);
    for (const { target, edits } of fixes)
      for (const range of edits) {
        expect(isItsOwn(analysis, text, target, range), lineAt(text, range.start)).toBe(true);
      }
  });
});

function isItsOwn(analysis: FileAnalysis, text: string, target: SourceRange, edited: SourceRange): boolean {
  const isCalled = ({ range }: { readonly range: SourceRange }, place: SourceRange) =>
    wordsOf(text.slice(range.start, range.end)).includes(functionAround(text, place.start) ?? "");
  const [only, ...others] = analysis.kernels;
  // An operator is called without being named.
  const kernel =
    analysis.kernels.find((each) => contains(each.range, target) || isCalled(each, target)) ??
    (others.length === 0 ? only : undefined);
  if (!kernel) return false;
  if (isCalled(kernel, edited)) return true;
  const launches = kernel.launches.flatMap(({ profile }) => profile.launch.origin.path);
  if ([kernel.range, ...launches].some((range) => contains(range, edited))) return true;
  if (lineAt(text, edited.start).includes(`cudaFuncSetAttribute(${kernel.name}`)) return true;
  const declared = recordAround(text, edited.start) ?? declaredIn(lineAt(text, edited.start));
  return declared !== null && namesOf(text, [kernel.range, ...launches]).has(declared);
}

/** The function that a place stands in, by the line that begins it; one that is a line, a member too, by that. */
function functionAround(text: string, offset: number): string | null {
  const line = lineAt(text, offset);
  const whole = /\b(\w+)\([^()]*\)(?: const)? \{.*\}$/.exec(line)?.[1];
  if (whole !== undefined && (/^\w/.test(line) || recordAround(text, offset) !== null)) return whole;
  const heads = [...text.slice(0, offset).matchAll(/^\w[^\n;]*?\b(\w+)\([^\n;]*\{\s*$/gm)];
  return heads.at(-1)?.[1] ?? null;
}

/** The names in `ranges`, and those in the declarations of such names: a launch's `block`, its `BX`, and what a named record is made of. */
function namesOf(text: string, ranges: readonly SourceRange[]): ReadonlySet<string> {
  const names = new Set(ranges.flatMap(({ start, end }) => wordsOf(text.slice(start, end))));
  // What a declaration is made of stands above it.
  for (const line of text.split("\n").reverse()) {
    const declared = declaredIn(line);
    if (declared !== null && names.has(declared)) for (const word of wordsOf(line)) names.add(word);
  }
  // A record that another is made of stands above it.
  for (const [whole = "", name = ""] of [...text.matchAll(topRecord)].reverse())
    if (names.has(name)) for (const word of wordsOf(whole)) names.add(word);
  return names;
}

/** A record that begins a line, up to the line that ends it. */
const topRecord = /^struct (\w+)[^;{}]*\{$.*?^\};$/gms;

/** The name of the record without records in it, but for functions, that a place stands in. */
function recordAround(text: string, offset: number): string | null {
  const records = text.matchAll(/\bstruct\b([^{};]*)\{(?:[^{}]|\{[^{}]*\})*\}\s*(\w*)\s*;/g);
  for (const { index, 0: whole, 1: head = "", 2: alias = "" } of records)
    if (index <= offset && offset <= index + whole.length)
      return (alias === "" ? wordsOf(head).at(-1) : alias) ?? null;
  return null;
}

/** The name that a line declares: a macro, or a variable or constant with its value. */
function declaredIn(line: string): string | null {
  const [, macro, variable] = /^\s*(?:#\s*define\s+(\w+)|[\w:\s]*?\b(\w+)\s*[=({])/.exec(line) ?? [];
  return macro ?? variable ?? null;
}

function wordsOf(text: string): string[] {
  return text.match(/\w+/g) ?? [];
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf("\n", offset);
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, end === -1 ? text.length : end);
}

function contains(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}
