// A run in a format that is made of flat findings: one document, or one line a finding.
import type { FlatFinding } from "../render/flat-finding.ts";
import { gitlabReport } from "../render/formats/gitlab.ts";
import { junitXml } from "../render/formats/junit.ts";
import { conciseText, githubText } from "../render/formats/lines.ts";
import { markdownText } from "../render/formats/markdown.ts";
import { rdjson } from "../render/formats/rdjson.ts";
import { digestOf } from "./cache-files.ts";

export const flatFormats = ["concise", "github", "gitlab", "junit", "markdown", "rdjson"] as const;
export type FlatFormat = (typeof flatFormats)[number];

export interface FlatFile {
  /** As it is shown. */
  readonly path: string;
  readonly findings: readonly FlatFinding[];
}

/** `summary`: the closing line of the run. */
export function formatted(format: FlatFormat, files: readonly FlatFile[], summary: string): string {
  const findings = files.flatMap((file) => file.findings);
  switch (format) {
    case "concise":
      return conciseText(findings);
    case "github":
      return githubText(findings);
    case "gitlab":
      return `${JSON.stringify(gitlabReport(findings, digestOf), null, 1)}\n`;
    case "junit":
      return junitXml(files);
    case "markdown":
      return markdownText(findings, summary);
    case "rdjson":
      return `${JSON.stringify(rdjson(findings), null, 1)}\n`;
  }
}

export function isFlat(format: string): format is FlatFormat {
  return flatFormats.some((each) => each === format);
}
