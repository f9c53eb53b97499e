// Reads every CUDA file of some folders and says how much of it warplint understands: files that fail or are slow, kernels lowered, accesses
// by verdict, and the reasons for what is unknown.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { generateCode } from "../../server/src/codegen/codegen.ts";
import { evaluateLaunch } from "../../server/src/evaluate/evaluate.ts";
import { launchesOf } from "../../server/src/launches/launches.ts";
import { preludeFile, preludeText } from "../../server/src/lower/prelude.ts";
import { lowerProgram } from "../../server/src/lower/program.ts";
import {
  type CudaParser,
  createParser,
  readTranslationUnit,
} from "../../server/src/syntax/translation-unit.ts";
import type { TranslationUnit } from "../../server/src/syntax/unit.ts";

interface Tally {
  files: number;
  failed: string[];
  slow: string[];
  kernels: number;
  lowered: number;
  assumed: number;
  gaps: Map<string, number>;
  shared: Map<string, number>;
  global: Map<string, number>;
  reasons: Map<string, { count: number; example: string }>;
}

const slowMilliseconds = 10_000;

async function main(): Promise<void> {
  const parser = await createParser({
    runtime: new Uint8Array(readFileSync("node_modules/web-tree-sitter/web-tree-sitter.wasm")),
    grammar: new Uint8Array(readFileSync("grammars/tree-sitter-cuda.wasm")),
  });
  const prelude = readTranslationUnit(preludeFile, preludeText, parser, { readInclude: () => null });
  const isVerbose = process.argv.includes("--verbose");
  for (const folder of process.argv.slice(2).filter((argument) => !argument.startsWith("--"))) {
    const tally: Tally = {
      files: 0,
      failed: [],
      slow: [],
      kernels: 0,
      lowered: 0,
      assumed: 0,
      gaps: new Map(),
      shared: new Map(),
      global: new Map(),
      reasons: new Map(),
    };
    for (const file of cudaFilesOf(folder)) {
      tally.files++;
      const start = performance.now();
      try {
        survey(parser, prelude, file, folder, tally);
      } catch (error) {
        tally.failed.push(
          `${file}: ${error instanceof Error ? error.stack?.split("\n").slice(0, 4).join(" | ") : error}`,
        );
      }
      const taken = performance.now() - start;
      if (taken > slowMilliseconds || (isVerbose && taken > 2000))
        tally.slow.push(`${file}: ${(taken / 1000).toFixed(1)} s`);
    }
    print(folder, tally);
  }
}

function survey(
  parser: CudaParser,
  prelude: TranslationUnit,
  file: string,
  root: string,
  tally: Tally,
): void {
  const unit = readTranslationUnit(file, readFileSync(file, "utf8"), parser, {
    readInclude: (name, from) => includeOf(name, from, root),
  });
  const program = lowerProgram(unit, { prelude });
  const { kernels } = launchesOf(program);
  const generated = generateCode(program);
  for (const { declaration, launches } of kernels) {
    if (declaration.nameRange.file !== file) continue;
    tally.kernels++;
    const first = launches[0];
    const definition = first ? program.functionOf(first.kernel) : null;
    if (definition && definition.gaps.length === 0) tally.lowered++;
    else count(tally.gaps, definition?.gaps[0] ?? `no instantiation of a template (${declaration.name})`);
    if (!first || first.origin.kind === "assumed") tally.assumed++;
    for (const launch of first?.origin.kind === "assumed" ? launches.slice(0, 1) : launches.slice(0, 4)) {
      const profile = evaluateLaunch(generated, launch);
      for (const access of profile.accesses) {
        const verdicts = access.space === "shared" ? tally.shared : tally.global;
        if (access.space === "local" || access.space === "constant") continue;
        count(verdicts, access.verdict.kind);
        if (access.verdict.kind !== "unknown") continue;
        const reason = access.verdict.reason.replace(/\[.*\]/, "[…]");
        const entry = tally.reasons.get(reason) ?? { count: 0, example: `${file}: ${access.expression}` };
        entry.count++;
        tally.reasons.set(reason, entry);
      }
    }
  }
}

function print(folder: string, tally: Tally): void {
  const share = (verdicts: Map<string, number>) => {
    const all = [...verdicts.values()].reduce((sum, each) => sum + each, 0);
    const settled = (verdicts.get("exact") ?? 0) + (verdicts.get("conditional") ?? 0);
    return `${((100 * settled) / all).toFixed(1)} % of ${all} (${[...verdicts].map(([kind, n]) => `${kind} ${n}`).join(", ")})`;
  };
  console.log(`\n${folder}: ${tally.files} files, ${tally.failed.length} failed, ${tally.slow.length} slow`);
  for (const line of [...tally.failed, ...tally.slow]) console.log(`  ${line}`);
  console.log(
    `  kernels lowered: ${tally.lowered} of ${tally.kernels}, ${tally.assumed} with an assumed launch`,
  );
  console.log(`  shared accesses exact or conditional: ${share(tally.shared)}`);
  console.log(`  global accesses exact or conditional: ${share(tally.global)}`);
  const top = (entries: [string, string][]) => {
    for (const [n, text] of entries.slice(0, 40)) console.log(`    ${n.padStart(5)}  ${text}`);
  };
  console.log("  why not lowered:");
  top([...tally.gaps].sort((a, b) => b[1] - a[1]).map(([text, n]) => [`${n}`, text]));
  console.log("  why unknown:");
  top(
    [...tally.reasons]
      .sort((a, b) => b[1].count - a[1].count)
      .map(([text, { count: n, example }]) => [`${n}`, `${text}  (${example})`]),
  );
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function includeOf(name: string, from: string, root: string): { path: string; text: string } | null {
  for (const base of [
    dirname(from),
    root,
    join(root, "include"),
    join(root, "Common"),
    ...ancestors(dirname(from), root),
  ]) {
    const path = resolve(base, name);
    if (existsSync(path) && statSync(path).isFile() && realpathSync(path).startsWith(realpathSync(root)))
      return { path, text: readFileSync(path, "utf8") };
  }
  return null;
}

function ancestors(from: string, root: string): string[] {
  const folders: string[] = [];
  for (let at = from; at.length >= resolve(root).length && at !== "/"; at = dirname(at))
    folders.push(at, ...["include", "Common", "common", "utils"].map((name) => join(at, name)));
  return folders;
}

function cudaFilesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.cuh?$/.test(entry.name))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .sort();
}

await main();
