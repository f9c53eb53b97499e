// The stages that warplint is made of, strung together.
import { generateCode } from "../codegen/codegen.ts";
import type { ConfiguredLaunch } from "../config/schema.ts";
import { evaluatorOf } from "../evaluate/evaluate.ts";
import { findingLaunches } from "../launches/host/find.ts";
import { kernelLaunches, launchesByKernel } from "../launches/launches.ts";
import { librariesOf } from "../lower/headers/libraries.ts";
import { lowerUnits } from "../lower/program.ts";
import {
  createParser,
  type ParserWasm,
  type ReadOptions,
  readTranslationUnit,
} from "../syntax/translation-unit.ts";
import type { ConfiguredLaunches, Pipeline } from "./pipeline.ts";

/** The whole pipeline, with a parser of its own. */
export async function createPipeline(wasm: ParserWasm): Promise<Pipeline> {
  const parser = await createParser(wasm);
  const libraries = librariesOf(parser);
  // Headers are lexed once, however many files include them.
  const cache: NonNullable<ReadOptions["cache"]> = new Map();
  return {
    read: (file, text, { previous, ...options }) =>
      readTranslationUnit(file, text, parser, { ...options, cache, ...(previous ? { previous } : {}) }),
    lower: (units) => lowerUnits(units, libraries),
    findLaunches: (program, texts, mayAssume) => findingLaunches(program, { texts, mayAssume }),
    launchesByKernel,
    kernelLaunches: (program, kernel, found, { configured, mayAssume }) =>
      kernelLaunches(program, kernel, found, { configured: requestsOf(configured), mayAssume }),
    generate: generateCode,
    evaluatorOf,
  };
}

function requestsOf(configured: ConfiguredLaunches) {
  return Object.fromEntries(
    Object.entries(configured).map(([kernel, launches]) => {
      const list = Array.isArray(launches) ? launches : [launches];
      return [kernel, list.map(requestOf)];
    }),
  );
}

function requestOf({ block, grid, shared, arguments: values, templateArguments }: ConfiguredLaunch) {
  return {
    block: extents(block),
    ...(grid === undefined ? {} : { grid: extents(grid) }),
    ...(shared === undefined ? {} : { shared }),
    ...(values === undefined ? {} : { arguments: values }),
    ...(templateArguments === undefined ? {} : { templateArguments }),
  };
}

function extents(extent: number | readonly number[]): readonly number[] {
  return typeof extent === "number" ? [extent] : extent;
}
