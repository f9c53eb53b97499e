// A program that is being analysed: in steps, with what is known of it so far.
import type { FileSettings } from "../project/project.ts";
import type { SourceRange } from "../text/source.ts";
import type { AnalysedProgram } from "./analysed-program.ts";
import type { UnitMemory } from "./memory.ts";
import type { Pipeline } from "./pipeline.ts";
import { internalFailure, problemAt } from "./report.ts";
import { analyseUnits, type Interim, type UnitAnalysis, type UnitOptions } from "./unit.ts";

export interface ProgramRun extends Pick<AnalysedProgram, "units" | "spokenFor"> {
  readonly steps: Generator<void, AnalysedProgram>;
  /** With the kernels that were in sight; null as long as there is none. The same object until there are more. */
  draft(): AnalysedProgram | null;
  /** What the next run is to begin with, where this one is left now; null where it has come to nothing yet. */
  memory(): UnitMemory | null;
}

interface Started extends Omit<AnalysedProgram, "analysis" | "failures"> {
  readonly settings: FileSettings;
  readonly options: UnitOptions;
}

/** `sees`: whether a kernel that is defined here is in sight now. */
export function startProgram(
  started: Started,
  pipeline: Pipeline,
  earlier: UnitMemory | null,
  sees: (definition: SourceRange) => boolean,
): ProgramRun {
  const { units, spokenFor, settings, options } = started;
  let interim: Interim | null = null;
  let draft: AnalysedProgram | null = null;
  const onlooker = {
    sees,
    show: (given: Interim) => {
      interim = given;
    },
  };
  return {
    units,
    spokenFor,
    steps: programOf(started, analyseUnits(units, settings, pipeline, options, earlier, onlooker)),
    draft: () => {
      const analysis = interim?.draft() ?? null;
      if (analysis !== null && analysis !== draft?.analysis) draft = { ...started, analysis, failures: [] };
      return draft;
    },
    memory: () => interim?.memory() ?? null,
  };
}

function* programOf(
  started: Started,
  steps: Generator<void, UnitAnalysis>,
): Generator<void, AnalysedProgram> {
  try {
    const analysis = yield* steps;
    const failures = analysis.problems.map(({ message, range }) =>
      problemAt(range, analysis.unit.texts, message),
    );
    return { ...started, analysis, failures };
  } catch (error) {
    return { ...started, analysis: null, failures: [internalFailure(started.root, error)] };
  }
}
