// The whole pipeline on a text, as an editor would have it: what `ide` is given.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defaultConfig } from "../../server/src/config/schema.ts";
import type { AnalysedFile } from "../../server/src/ide/analysis.ts";
import { findingsOfFile } from "../../server/src/lint/findings.ts";
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { createPlaces, type Places } from "../../server/src/render/places.ts";
import { groupAccesses } from "../../server/src/rules/group.ts";
import { analyseUnit } from "../../server/src/lint/unit.ts";

const rootOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const bytesOf = (path: string) => new Uint8Array(readFileSync(rootOf(path)));

let pipeline: Promise<Pipeline> | null = null;

const testPipeline = () => {
  pipeline ??= createPipeline({
    runtime: bytesOf("node_modules/web-tree-sitter/web-tree-sitter.wasm"),
    grammar: bytesOf("grammars/tree-sitter-cuda.wasm"),
  });
  return pipeline;
};

export const seedText = (name: string) => readFileSync(rootOf(`fixtures/seeds/${name}`), "utf8");

export interface Analysed {
  readonly analysis: AnalysedFile;
  readonly places: Places;
}

/** Analyses `text` as /work/<name>. */
export async function analyse(
  text: string,
  { name = "a.cu", defines = {} }: { name?: string; defines?: Readonly<Record<string, string>> } = {},
): Promise<Analysed> {
  const file = `/work/${name}`;
  const config = { ...defaultConfig, defines };
  const unit = analyseUnit(
    file,
    text,
    {
      config,
      configFile: null,
      workspace: "/work",
      readInclude: () => null,
      ignored: { isIgnored: () => false },
    },
    await testPipeline(),
    { block: null, wantsUnlaunched: () => true },
  );
  const groups = groupAccesses(unit.profiles).filter(({ range }) => range.file === file);
  const findings = findingsOfFile(file, text, groups, { config, reportsUnused: true });
  const texts = new Map([...unit.unit.texts, [file, text]]);
  const analysis: AnalysedFile = {
    file,
    text,
    report: { path: file, launches: unit.launches, findings, notes: unit.notes },
    kernels: kernelsOf(file, text, unit.launches),
    groups,
    texts,
  };
  return { analysis, places: createPlaces(texts, (path) => path.replace("/work/", "")) };
}

/** Kernels by the head and the braces of their text: good enough for the texts of tests. */
function kernelsOf(
  file: string,
  text: string,
  launches: AnalysedFile["report"]["launches"],
): AnalysedFile["kernels"] {
  return [...text.matchAll(/__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)/g)].map((match) => {
    const name = match[1] ?? "";
    const nameStart = match.index + match[0].length - name.length;
    const before = text.slice(0, match.index);
    const start = /template\s*<[^{};]*>\s*$/.exec(before)?.index ?? match.index;
    const end = text.indexOf("\n}", nameStart) + 2;
    return {
      name,
      nameRange: { file, start: nameStart, end: nameStart + name.length },
      range: { file, start, end },
      launches: launches.filter(({ kernel }) => kernel.name === name),
    };
  });
}
