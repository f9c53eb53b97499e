// What benchmarks of editing type, and into what.
import { readdirSync, readFileSync } from "node:fs";
import { joined } from "./joined-programs.ts";

const editCount = 200;

/** At least `lineCount` lines of the fixtures with the longest kernels: about ten kernels in 1,000 lines. */
export function longText(lineCount: number): string {
  return joined(longKernels(), lineCount);
}

/** The text as somebody types: `editCount` states, each a keystroke from the one before. */
export function typedStates(text: string): string[] {
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

/** Programs with the longest kernels first, about ten of them. */
function longKernels(): string[] {
  const paths = ["fixtures/programs", "fixtures/seeds"].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith(".cu") ? [`${folder}/${name}`] : [])),
  );
  const programs = paths.map((path) => readFileSync(path, "utf8"));
  const length = (program: string) =>
    program.split("\n").length / (program.match(/__global__/g)?.length ?? Number.POSITIVE_INFINITY);
  // Those that make kernels by macros have more than can be counted here.
  const isPlain = (program: string) =>
    /\bmain\(/.test(program) && !/(#define|\\\n).*__global__/.test(program);
  return programs.filter(isPlain).sort((a, b) => length(b) - length(a));
}
