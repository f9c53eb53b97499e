// Times the way from a text to figures: the parse alone, everything before evaluation, evaluation for each launch, and the plain executor
// beside it. Prints ratios of one run, for absolute times say more of the machine than of the code.
import { readdirSync, readFileSync } from "node:fs";
import { Language, Parser } from "web-tree-sitter";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { preludeFile, preludeText } from "../../server/src/lower/prelude.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import { createCounter } from "../../server/src/simulator/counter.ts";
import { simulate } from "../../server/src/simulator/simulate.ts";
import {
  type CudaParser,
  createParser,
  readTranslationUnit,
} from "../../server/src/syntax/translation-unit.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";
import { manyKernels } from "./many-kernels.ts";

const rounds = 20;
/** The compiler of JavaScript needs some hundred runs of a small file until it is done. */
const warmUpMilliseconds = 3000;
const mostSimulatedBlocks = 64;

interface Prepared {
  readonly program: Program;
  readonly launches: readonly Launch[];
}

async function main(): Promise<void> {
  const runtime = new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm"));
  const grammar = new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm"));
  const parser = await createParser({ runtime, grammar });
  const prelude = readTranslationUnit(preludeFile, preludeText, parser, { readInclude: () => null });
  const bare = new Parser().setLanguage(await Language.load(grammar));
  const seeds = readdirSync("fixtures/seeds").filter((name) => name.endsWith(".cu"));
  const files = seeds.map((name) => ({ name, text: readFileSync(`fixtures/seeds/${name}`, "utf8") }));
  const large = manyKernels(5000);
  files.push({ name: `${large.split("\n").length} lines of kernels`, text: large });
  console.log(
    row("file", "parse", "before evaluation", "ratio", "evaluation a launch", "longest", "plain / folded"),
  );
  const all: number[] = [];
  for (const { name, text } of files) {
    const [parse, before] = medians([
      () => bare.parse(text)?.delete(),
      () => prepare(parser, prelude, name, text),
    ]);
    const { program, launches } = prepare(parser, prelude, name, text);
    const times = launches.map((launch) => median(() => evaluateLaunch(program, launch), 5));
    all.push(...times);
    const ratios = launches
      .slice(0, 6)
      .map((launch, index) => plainTime(program, launch) / (times[index] ?? 1));
    console.log(
      row(
        name,
        milliseconds(parse),
        milliseconds(before),
        `${(before / parse).toFixed(2)}×`,
        milliseconds(middle(times)),
        milliseconds(Math.max(...times)),
        `${middle(ratios).toFixed(0)}×`,
      ),
    );
  }
  console.log(
    `\nevaluation of ${all.length} launches: median ${milliseconds(middle(all))}, longest ${milliseconds(Math.max(...all))}`,
  );
}

function prepare(parser: CudaParser, prelude: TranslationUnit, name: string, text: string): Prepared {
  const program = lowerProgram(readTranslationUnit(name, text, parser, { readInclude: () => null }), {
    prelude,
  });
  const { kernels } = launchesOf(program);
  const generated = generateCode(program);
  const launches = kernels.flatMap((kernel) => kernel.launches);
  for (const launch of launches) generated.functionOf(launch.kernel);
  return { program: generated, launches };
}

/** Time that the plain executor takes for the whole grid, scaled up from its first blocks where the grid is large. */
function plainTime(program: Program, launch: Launch): number {
  const [x, y, z] = launch.grid;
  if (x === null || y === null || z === null) return Number.NaN;
  const blocks: [number, number, number][] = [];
  for (let index = 0; index < Math.min(mostSimulatedBlocks, x * y * z); index++)
    blocks.push([index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))]);
  const { onRequest } = createCounter();
  const start = performance.now();
  simulate(program, launch, { blocks, onRequest });
  return ((performance.now() - start) * x * y * z) / blocks.length;
}

/** Median times of warm runs, in milliseconds. They take turns, so that what else the machine does weighs on all alike. */
function medians(runs: readonly [() => unknown, () => unknown]): readonly [number, number] {
  const taken: [number[], number[]] = [[], []];
  const warmAt = performance.now() + warmUpMilliseconds;
  while (performance.now() < warmAt) for (const run of runs) run();
  for (let round = 0; round < rounds; round++) {
    taken[0].push(timeOf(runs[0]));
    taken[1].push(timeOf(runs[1]));
  }
  return [middle(taken[0]), middle(taken[1])];
}

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Median time of a warm run, in milliseconds. */
function median(run: () => unknown, times: number): number {
  run();
  const taken: number[] = [];
  for (let round = 0; round < times; round++) taken.push(timeOf(run));
  return middle(taken);
}

function middle(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function milliseconds(time: number): string {
  return `${time.toFixed(time < 10 ? 2 : 0)} ms`;
}

function row(name: string, ...cells: readonly string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(20)).join("");
}

await main();
