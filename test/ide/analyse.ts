// The whole pipeline on a text, as an editor would have it: what `ide` is given.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FixSearchResult } from "../../server/src/fixes/fix.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import type { ProgramOf } from "../../server/src/ide/trace.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import { type FixMaterial, type FixTools, fixSearchesOf } from "../../server/src/lint/fixes.ts";
import { launchedProgram } from "../../server/src/lint/launched-program.ts";
import { joined, searchToEnd } from "../../server/src/lint/search.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { createPlaces, type Places } from "../../server/src/render/places.ts";
import { testPipeline } from "../support/pipeline.ts";

const rootOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const seedText = (name: string) => readFileSync(rootOf(`fixtures/seeds/${name}`), "utf8");

export interface Analysed {
  readonly analysis: FileAnalysis;
  readonly places: Places;
  readonly programOf: ProgramOf;
  /** Of `tools`; nothing without. */
  readonly found: FixSearchResult;
  readonly material: FixMaterial;
}

/** Analyses `text` as /work/<name>. */
export async function analyse(
  text: string,
  {
    name = "a.cu",
    defines = {},
    tools = null,
  }: { name?: string; defines?: Readonly<Record<string, string>>; tools?: FixTools | null } = {},
): Promise<Analysed> {
  const file = `/work/${name}`;
  const host = memoryHost({ [file]: text }, "/work");
  const project = createProject(host, { configPath: null, overrides: { defines }, includePaths: [] });
  const pipeline = await testPipeline();
  const session = createLintSession({ host, project, pipeline, options: { block: null } });
  const analysis = session.analyse(file);
  if (analysis === null) throw new Error("cancelled");
  const places = createPlaces(analysis.texts, (path) => path.replace("/work/", ""));
  const programOf: ProgramOf = (launch, kernel, form) =>
    launchedProgram(launch, kernel, form, session.unitsOf(file, launch), pipeline);
  const material = session.fixMaterial(file);
  const patient = { isOver: () => false };
  const results =
    tools === null
      ? []
      : fixSearchesOf(analysis, material, tools).map((search) => searchToEnd(search, file, patient));
  return { analysis, places, programOf, found: joined(results.map(({ found }) => found)), material };
}

/** The offset of `word` in the text of the analysis: of its occurrence number `index`, plus `shift`. */
export function offsetOf({ text }: FileAnalysis, word: string, index = 0, shift = 0): number {
  let at = -1;
  for (let count = 0; count <= index; count++) at = text.indexOf(word, at + 1);
  if (at === -1) throw new Error(`no ${word}`);
  return at + shift;
}
