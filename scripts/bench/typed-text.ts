// What benchmarks of editing type, and into what.
import { readFileSync } from "node:fs";
import { joined } from "./joined-programs.ts";

// Of all fixtures those with the longest kernels that make ten kernels in 1,000 lines. They are named, since a choice by rule would change,
// and with it the figures, with each new fixture.
const longPrograms = [
  "flash_decode_split",
  "vocab_loss",
  "cute_lite_gemm",
  "mini_flash",
  "mma_swizzled",
  "hgemm_ldmatrix_swizzle",
  "flash_decode",
  "paged_kv",
];

/** At least `lineCount` lines of programs with long kernels: about ten kernels in 1,000 lines. */
export function longText(lineCount: number): string {
  const programs = longPrograms.map((name) => readFileSync(`fixtures/programs/${name}.cu`, "utf8"));
  return joined(programs, lineCount);
}

/** The text as somebody types: `editCount` states, each a keystroke from the one before. */
export function typedStates(text: string, editCount: number): string[] {
  const bodies = [...text.matchAll(/__global__[^;{]*\{\n/g)].map((match) => match.index + match[0].length);
  const hosts = [...text.matchAll(/^int run\([^;{]*\{\n/gm)].map((match) => match.index + match[0].length);
  const typed = "  int probe = 2;\n";
  const states: string[] = [];
  for (let turn = 0; states.length < editCount; turn++) {
    const places = turn % 10 === 9 ? hosts : bodies;
    const place = places[turn % places.length] ?? 0;
    const at = (length: number) => text.slice(0, place) + typed.slice(0, length) + text.slice(place);
    for (let length = 1; length <= typed.length; length++) states.push(at(length));
    states.push(at(0));
  }
  return states.slice(0, editCount);
}
