// All stages of warplint for tests: one for each test file, since starting WASM costs 40 ms.
import type { Pipeline } from "../../server/src/lint/pipeline.ts";
import { createPipeline } from "../../server/src/lint/stages.ts";
import { parserWasm } from "./parser.ts";

let pipeline: Promise<Pipeline> | null = null;

/** What users run; to watch a stage, put another in its place: `{ ...(await testPipeline()), read }`. */
export function testPipeline(): Promise<Pipeline> {
  pipeline ??= createPipeline(parserWasm());
  return pipeline;
}
