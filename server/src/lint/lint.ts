// Lints a set of files: sources first, then headers; findings stand once, in the file of the access.
import type { Host } from "../host/host.ts";
import type { Project } from "../project/project.ts";
import { cudaKindOf } from "../project/walk.ts";
import type { Pipeline } from "./pipeline.ts";
import type { LintResult } from "./report.ts";
import { createLintSession, type LintOptions, type LintSession } from "./session.ts";

export type { LintOptions } from "./session.ts";

/** Lints `files` (absolute paths). Never throws: what fails is in `failures`, and the other files are linted all the same. */
export function lintFiles(
  files: readonly string[],
  host: Host,
  project: Project,
  pipeline: Pipeline,
  options: LintOptions,
): LintResult {
  return lintSession(files, createLintSession({ host, project, pipeline, options }));
}

/** The same in a session, which then knows these files. */
export function lintSession(files: readonly string[], session: LintSession): LintResult {
  const sources = files.filter((file) => cudaKindOf(file) !== "header");
  const headers = files.filter((file) => cudaKindOf(file) === "header");
  for (const file of sources) session.include(file);
  for (const file of headers) session.include(file);
  return { reports: session.reports(files), texts: session.texts(), failures: session.failures() };
}
