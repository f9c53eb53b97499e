// How the time and memory of a lint grow with what people write more of: tables of n, 2n, 4n and 8n of one thing in a text. Each text is linted
// whole, in one warm process; times are of the processor, garbage collection included.
//
//   npm run bench -- cliffs [NAME…]
//
// Without a name it does not end today: "nested loops" and "elements of an array in the text" are cliffs that are known and not mended.
//
// "growth" is the exponent between the smallest and the largest text: 1 is linear, 2 quadratic. Of the least of three runs each.
import { readFileSync } from "node:fs";
import { memoryHost } from "../../server/src/host/memory.ts";
import { lintFiles } from "../../server/src/lint/lint.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { createProject } from "../../server/src/project/project.ts";
import { axes } from "./grown-texts.ts";

const factors = [1, 2, 4, 8];
const runs = 3;
/** What is short is run once more until it has taken so many milliseconds: V8 compiles meanwhile. */
const warmMilliseconds = 400;
/** Beyond this growth an axis is marked. n log n over a range of eight comes to 1.2 or so. */
const steep = 1.35;
/** What takes less than this in all is not worth a mark: constants outweigh the growth. */
const briefMilliseconds = 60;

interface Measured {
  readonly milliseconds: number;
  readonly megabytes: number;
}

async function main(): Promise<void> {
  const pipeline = await createPipeline({
    runtime: new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm")),
    grammar: new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm")),
  });
  const wanted = process.argv.slice(2);
  const kept = axes.filter(({ name }) => wanted.length === 0 || wanted.some((each) => name.includes(each)));
  console.log(row("ms of CPU (MB of heap)", "n", ...factors.map((factor) => `${factor}n`), "growth"));
  for (const { name, from, files } of kept) {
    const measured = factors.map((factor) => measure(pipeline, files(from * factor)));
    const first = measured[0]?.milliseconds ?? 1;
    const last = measured.at(-1)?.milliseconds ?? 1;
    const growth = Math.log(last / first) / Math.log(factors.at(-1) ?? 1);
    const mark = growth > steep && last > briefMilliseconds ? " !" : "";
    const cells = measured.map(
      ({ milliseconds, megabytes }) => `${milliseconds.toFixed(0)} (${megabytes.toFixed(0)})`,
    );
    console.log(row(name, String(from), ...cells, `${growth.toFixed(2)}${mark}`));
  }
}

function measure(pipeline: Pipeline, files: Readonly<Record<string, string>>): Measured {
  let least = Number.POSITIVE_INFINITY;
  let megabytes = 0;
  let spent = 0;
  for (let run = 0; run < runs || spent < warmMilliseconds; run++) {
    globalThis.gc?.();
    const heap = process.memoryUsage().heapUsed;
    const start = processorTime();
    lint(pipeline, files);
    const taken = processorTime() - start;
    megabytes = Math.max(megabytes, (process.memoryUsage().heapUsed - heap) / 2 ** 20);
    least = Math.min(least, taken);
    spent += taken;
    // What takes seconds is warm in itself.
    if (taken > 4 * warmMilliseconds) break;
  }
  return { milliseconds: least, megabytes };
}

function lint(pipeline: Pipeline, files: Readonly<Record<string, string>>): void {
  const host = memoryHost(files, "/w");
  const sources = Object.keys(files).filter((file) => file.endsWith(".cu"));
  const { failures } = lintFiles(
    sources,
    host,
    createProject(host, { configPath: null, overrides: {}, includePaths: [] }),
    pipeline,
    { block: null },
  );
  for (const failure of failures) console.log(`  ${JSON.stringify(failure).slice(0, 300)}`);
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function row(name: string, ...cells: readonly string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(13)).join("");
}

await main();
