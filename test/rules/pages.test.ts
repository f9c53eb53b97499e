// The code blocks of the rules' pages: each line marked `finds: RULE` has that finding, and no other line has any.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ruleIds } from "../../server/src/config/schema.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { lintFiles } from "../../server/src/lint/lint.ts";
import { createProject } from "../../server/src/project/project.ts";
import { lineStarts, positionAt } from "../../server/src/text/source.ts";
import { testPipeline } from "../support/pipeline.ts";

const pipeline = testPipeline();

async function findingsOf(text: string): Promise<string[]> {
  const host = memoryHost({ "/w/a.cu": text }, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const { reports, failures } = lintFiles(["/w/a.cu"], host, project, await pipeline, { block: null });
  expect(failures).toEqual([]);
  const starts = lineStarts(text);
  return reports.flatMap(({ findings }) =>
    findings.map(({ range, rule }) => `${positionAt(starts, range.start).line}: ${rule}`),
  );
}

const sections = [
  "What it finds",
  "Why it costs",
  "Example",
  "Fix",
  "Fix safety",
  "When not to use it",
  "How we know",
];

describe.each(ruleIds)("%s", (id) => {
  const page = readFileSync(new URL(`../../server/src/rules/${id}/page.md`, import.meta.url), "utf8");

  it("has every section, in order", () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(sections);
  });

  it("is the page of the docs (npm run docs)", () => {
    expect(readFileSync(new URL(`../../docs/rules/${id}.md`, import.meta.url), "utf8")).toBe(page);
  });

  const blocks = [...page.matchAll(/^```cuda\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  it.each(blocks.map((code, index) => [index + 1, code] as const))(
    "block %i finds what it says",
    async (_index, code) => {
      const expected = code.split("\n").flatMap((line, index) => {
        const rules = [...line.matchAll(/finds: ([\w-]+)/g)];
        return rules.map(([, rule]) => `${index + 1}: ${rule}`);
      });
      expect(await findingsOf(code)).toEqual(expected);
    },
  );
});
