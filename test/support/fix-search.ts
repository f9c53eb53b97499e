// The fixes that warplint finds in files, by its own search and check, however long that takes on a busy machine.
import type { FixSearchResult } from "../../server/src/fixes/fix.ts";
import { memoryHost } from "../../server/src/host/memory.ts";
import { searchFile } from "../../server/src/lint/fix-files.ts";
import { fixTools } from "../../server/src/lint/fix-tools.ts";
import { joined } from "../../server/src/lint/search.ts";
import { createLintSession } from "../../server/src/lint/session.ts";
import { createProject } from "../../server/src/project/project.ts";
import { testPipeline } from "./pipeline.ts";

/** What is found for the findings of `file`, one of `files` (texts by name). */
export async function searchedFixes(
  files: Readonly<Record<string, string>>,
  file: string,
): Promise<FixSearchResult> {
  const host = memoryHost({ ...files }, "/w");
  const project = createProject(host, { configPath: null, overrides: {}, includePaths: [] });
  const session = createLintSession({
    host,
    project,
    pipeline: await testPipeline(),
    options: { block: null },
  });
  session.include(file);
  const analysis = session.analyse(file);
  if (analysis === null) throw new Error("nobody cancels");
  const newPatience = () => ({ isOver: () => false });
  const { kernels, failures } = searchFile(analysis, { session, tools: fixTools, newPatience });
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return joined(kernels);
}
