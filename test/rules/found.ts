// What a rule says of a text, by the whole way from text to message.
import { readFileSync } from "node:fs";
import { memoryHost } from "../../server/src/host/memory.ts";
import { lintFiles } from "../../server/src/lint/lint.ts";
import { createProject } from "../../server/src/project/project.ts";
import { messageOf } from "../../server/src/render/message.ts";
import { createPlaces } from "../../server/src/render/places.ts";
import { contextTexts } from "../../server/src/render/report.ts";
import type { AccessFinding } from "../../server/src/rules/finding.ts";
import { testPipeline } from "../support/pipeline.ts";

export const urlOf = (path: string) => new URL(`../../${path}`, import.meta.url);

const pipeline = await testPipeline();

export interface Found {
  readonly finding: AccessFinding;
  readonly line: number;
  readonly headline: string;
  readonly reason: string;
  /** A line for each context, worst first. */
  readonly contexts: readonly string[];
}

export function found(text: string, rule: AccessFinding["rule"]): Found[] {
  const host = memoryHost({ "/w/a.cu": text }, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const { reports, texts } = lintFiles(["/w/a.cu"], host, project, pipeline, { block: null });
  const places = createPlaces(texts, () => "a.cu");
  return reports
    .flatMap(({ findings }) => findings)
    .filter((finding): finding is AccessFinding => finding.kind === "access" && finding.rule === rule)
    .map((finding) => ({
      finding,
      line: places.startOf(finding.range).line,
      ...messageOf(finding, places),
      contexts: contextTexts(finding, places),
    }));
}

export const fixture = (name: string) => readFileSync(urlOf(`fixtures/programs/${name}.cu`), "utf8");
