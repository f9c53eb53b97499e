// Times the way from a text to figures: the parse alone, everything before evaluation, evaluation for each launch, and the plain executor
// beside it. Prints ratios of one run, for absolute times say more of the machine than of the code. Times are of the processor: what
// else the machine does counts little.
import { readdirSync, readFileSync } from "node:fs";
import { Language, Parser } from "web-tree-sitter";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import type { Program } from "../../server/src/ir/function.ts";
import type { Launch } from "../../server/src/launches/launch.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { librariesOf } from "../../server/src/lower/headers/libraries.ts";
import { type LowerOptions, lowerProgram } from "../../server/src/lower/program.ts";
import { createCounter } from "../../server/src/simulator/counter.ts";
import { simulate } from "../../server/src/simulator/simulate.ts";
import {
  type CudaParser,
  createParser,
  readTranslationUnit,
} from "../../server/src/syntax/translation-unit.ts";
import { joinedPrograms } from "./joined-programs.ts";
import { manyKernels } from "./many-kernels.ts";

const rounds = 20;
const largeFileLines = 5000;
/**
 * V8 compiles for long, and its compiler's time counts as the process's: after ten seconds of the seeds it still makes some fifty functions
 * a second, after thirty few. So the seeds take turns first, and each has a turn of its own before it is timed.
 */
const warmUpMilliseconds = 30_000;
const turnMilliseconds = 3000;
const mostSimulatedBlocks = 64;

interface Prepared {
  readonly program: Program;
  readonly launches: readonly Launch[];
}

async function main(): Promise<void> {
  const runtime = new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm"));
  const grammar = new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm"));
  const parser = await createParser({ runtime, grammar });
  const libraries = librariesOf(parser);
  const bare = new Parser().setLanguage(await Language.load(grammar));
  const seeds = readdirSync("fixtures/seeds").filter((name) => name.endsWith(".cu"));
  const files = seeds.map((name) => ({ name, text: readFileSync(`fixtures/seeds/${name}`, "utf8") }));
  const warmAt = processorTime() + warmUpMilliseconds;
  while (processorTime() < warmAt)
    for (const { name, text } of files) {
      bare.parse(text)?.delete();
      prepare(parser, libraries, name, text);
    }
  for (const [what, text] of [
    ["programs", joinedPrograms("fixtures/programs", largeFileLines)],
    ["random kernels", manyKernels(largeFileLines)],
  ] as const)
    files.push({ name: `${text.split("\n").length} lines of ${what}`, text });
  console.log(
    row("file", "parse", "before evaluation", "ratio", "evaluation a launch", "longest", "plain / folded"),
  );
  const all: number[] = [];
  for (const { name, text } of files) {
    const [parse, before] = medians([
      () => bare.parse(text)?.delete(),
      () => prepare(parser, libraries, name, text),
    ]);
    const { program, launches } = prepare(parser, libraries, name, text);
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

function prepare(parser: CudaParser, libraries: LowerOptions, name: string, text: string): Prepared {
  const unit = readTranslationUnit(name, text, parser, { readInclude: () => null });
  const program = lowerProgram(unit, libraries);
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
  const time = timeOf(() => simulate(program, launch, { blocks, onRequest }));
  return (time * x * y * z) / blocks.length;
}

/** Median times of warm runs, in milliseconds. They take turns, so that what else the machine does weighs on all alike. */
function medians(runs: readonly [() => unknown, () => unknown]): readonly [number, number] {
  const taken: [number[], number[]] = [[], []];
  const warmAt = processorTime() + turnMilliseconds;
  while (processorTime() < warmAt) for (const run of runs) run();
  for (let round = 0; round < rounds; round++) {
    taken[0].push(timeOf(runs[0]));
    taken[1].push(timeOf(runs[1]));
  }
  return [middle(taken[0]), middle(taken[1])];
}

function timeOf(run: () => unknown): number {
  const start = processorTime();
  run();
  return processorTime() - start;
}

/** Milliseconds that this process has computed, garbage collection included. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
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
  return name.padEnd(30) + cells.map((cell) => cell.padStart(20)).join("");
}

await main();
