// Times what an editor waits for: a keystroke in a file of 1,000 lines and ten or so long kernels with their launches, up to its findings,
// as a ratio to the parse of the same text in the same run. Typed are declarations into kernels, letter by letter and back, with every
// tenth edit in host code. Times are of the wall: this is what a person waits for; each run takes its turn with a parse.
import { readFileSync } from "node:fs";
import { Language, Parser } from "web-tree-sitter";
import { memoryHost } from "../../server/src/host/memory.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { createProject } from "../../server/src/project/project.ts";
import { longText, typedStates } from "./typed-text.ts";

const editCount = 200;
const lineCount = 1000;
const warmUpRounds = 3;
const file = "/w/a.cu";

async function main(): Promise<void> {
  const runtime = new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm"));
  const grammar = new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm"));
  const pipeline = await createPipeline({ runtime, grammar });
  const bare = new Parser().setLanguage(await Language.load(grammar));
  const text = longText(lineCount);
  let current = text;
  const host = {
    ...memoryHost({ [file]: "" }, "/w"),
    readBytes: () => new TextEncoder().encode(current),
    sizeOf: () => current.length,
  };
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  const fresh = timeOf(() => session.analyse(file));
  const parses: number[] = [];
  const edits: number[] = [];
  for (let round = 0; round <= warmUpRounds; round++) {
    parses.length = 0;
    edits.length = 0;
    for (const next of typedStates(text, editCount)) {
      current = next;
      parses.push(timeOf(() => bare.parse(current)?.delete()));
      edits.push(
        timeOf(() => {
          session.update([file]);
          session.analyse(file);
        }),
      );
    }
  }
  const kernels = session.analyse(file)?.kernels.length ?? 0;
  console.log(`${text.split("\n").length} lines, ${kernels} kernels, ${edits.length} edits`);
  const parse = quantile(parses, 0.5);
  for (const [name, time] of [
    ["parse of the text, median", parse],
    ["first analysis (cold)", fresh],
    ["edit to findings, median", quantile(edits, 0.5)],
    ["edit to findings, p95", quantile(edits, 0.95)],
    ["edit to findings, longest", quantile(edits, 1)],
  ] as const)
    console.log(
      `${name.padEnd(30)}${time.toFixed(2).padStart(10)} ms${(time / parse).toFixed(2).padStart(10)}×`,
    );
}

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

await main();
