// A folder for the build that the tests of a run share (built.ts); it goes with the run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    buildFolder: string;
  }
}

export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "warplint-build-"));
  project.provide("buildFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
