// Searches fixes of a text as lint does, with the pipeline run afresh on every edited text.

import type {
  AnalysedKernels,
  Fix,
  FixBudget,
  FixContext,
  FixSearchResult,
  TextEdit,
} from "../../server/src/fixes/fix.ts";
import { searchFixes } from "../../server/src/fixes/search.ts";
import { applyEdits } from "../../server/src/fixes/text/edits.ts";
import type { FileAnalysis } from "../../server/src/lint/analysis.ts";
import { fixTools } from "../../server/src/lint/fix-tools.ts";
import type { AccessFinding } from "../../server/src/rules/finding.ts";
import { type Analysed, analyse } from "../ide/analyse.ts";

export interface FixingOptions {
  readonly check?: FixContext["check"];
  readonly budget?: FixBudget;
  readonly defines?: Readonly<Record<string, string>>;
}

export interface Fixing extends FixSearchResult {
  readonly text: string;
  readonly analysis: FileAnalysis;
  /** Analyses that the search asked for. */
  readonly analysisCount: number;
}

/** All fixes of one text, with its kernels' findings searched together. */
export async function fixesOf(text: string, options: FixingOptions = {}): Promise<Fixing> {
  const given = options.defines === undefined ? {} : { defines: options.defines };
  const original = await analyse(text, given);
  const { analysis } = original;
  let analysisCount = 0;
  const wanted: TextEdit[][] = [];
  const answers = new Map<string, AnalysedKernels>();
  const context: FixContext = {
    findings: analysis.report.findings.filter((each): each is AccessFinding => each.kind === "access"),
    groups: analysis.groups,
    original: kernelsOf(original),
    texts: analysis.texts,
    isEditable: () => true,
    *analyse(edits) {
      analysisCount++;
      wanted.push([...edits]);
      // The driver answers before it goes on.
      yield;
      return answers.get(JSON.stringify(edits)) ?? null;
    },
    check: options.check ?? fixTools.check,
    budget: options.budget ?? fixTools.budget,
    onReady: () => {},
  };
  const steps = searchFixes(context);
  for (;;) {
    const step = steps.next();
    if (step.done) return { ...step.value, text, analysis, analysisCount };
    for (const edits of wanted.splice(0)) {
      const key = JSON.stringify(edits);
      const patched = await analyse(applyEdits(text, edits), given);
      if (patched.analysis.failures.length === 0) answers.set(key, kernelsOf(patched));
    }
  }
}

function kernelsOf({ analysis, programOf }: Analysed): AnalysedKernels {
  return {
    launches: analysis.kernels.flatMap(({ launches }) =>
      launches.map(({ kernel, launches: [launch], profile, count }) => ({
        kernel,
        launch: launch ?? profile.launch,
        count,
        profile,
        program: () => programOf(profile.launch, kernel, "written"),
      })),
    ),
    gaps: analysis.kernels.flatMap(({ gaps }) => gaps),
  };
}

/** The lines that a fix changes, as they are afterwards. */
export function changedLines(text: string, { edits }: Fix): string[] {
  const before = new Set(text.split("\n"));
  return applyEdits(text, edits)
    .split("\n")
    .filter((line) => !before.has(line))
    .map((line) => line.trim());
}
