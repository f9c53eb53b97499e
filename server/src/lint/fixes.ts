// The second phase: what the search for fixes works on, one search for each kernel with findings. Findings never wait for it.

import type {
  AnalysedKernels,
  FixBudget,
  FixContext,
  FixSearchResult,
  LaunchedKernel,
  TextEdit,
} from "../fixes/fix.ts";
import type { FunctionId, Program } from "../ir/function.ts";
import type { AccessFinding, Finding, KernelName } from "../rules/finding.ts";
import { groupAccesses } from "../rules/group.ts";
import { applyEdits } from "../text/edit.ts";
import type { FileAnalysis } from "./analysis.ts";
import type { Pipeline } from "./pipeline.ts";
import { rememberedTries } from "./tried-edits.ts";
import type { UnitAnalysis } from "./unit.ts";

/** Finds fixes for the findings of one kernel: `searchFixes`, or what stands in for it in tests. */
export type FixSearch = (context: FixContext) => Generator<void, FixSearchResult>;

export interface FixTools {
  readonly search: FixSearch;
  readonly check: FixContext["check"];
  readonly budget: FixBudget;
}

/** The translation units that a file is seen through, and what they would be if texts were others. */
export interface FixMaterial {
  readonly analyses: readonly UnitAnalysis[];
  readonly pipeline: Pipeline;
  isEditable(file: string): boolean;
  /** The same units, of `texts` in place of those of the files they name; what does not change is not evaluated again. */
  tried(texts: ReadonlyMap<string, string>): Generator<void, readonly UnitAnalysis[]>;
}

export interface KernelFixSearch {
  readonly kernel: string;
  readonly findings: readonly AccessFinding[];
  /** Searches with equal keys find the same, but for where it stands. */
  readonly key: string;
  /** In steps: whoever takes them may stop for a while between two, or for good; `onReady` is told of what is found by then. */
  run(onReady: FixContext["onReady"]): Generator<void, FixSearchResult>;
}

/** One search for each kernel with findings in the file, in the order of its first finding. */
export function fixSearchesOf(
  analysis: Pick<FileAnalysis, "report" | "texts">,
  material: FixMaterial,
  tools: FixTools,
): readonly KernelFixSearch[] {
  const original = once(() => analysedKernels(material.analyses, material.pipeline));
  const groups = once(() => groupAccesses(material.analyses.flatMap(({ profiles }) => profiles)));
  const tries = rememberedTries({
    analyse: (edits) => analyseEdited(edits, analysis.texts, material),
    check: tools.check,
  });
  return [...findingsByKernel(analysis.report.findings)].map(([kernel, findings]) => ({
    kernel,
    findings,
    key: keyOf(kernel, findings, material.analyses),
    run: (onReady) =>
      tools.search({
        findings,
        groups: groups(),
        original: original(),
        texts: analysis.texts,
        isEditable: material.isEditable,
        ...tries,
        budget: tools.budget,
        onReady,
      }),
  }));
}

function findingsByKernel(findings: readonly Finding[]): ReadonlyMap<string, readonly AccessFinding[]> {
  const ofKernel = new Map<string, AccessFinding[]>();
  for (const finding of findings) {
    if (finding.kind !== "access") continue;
    const { name } = finding.worst.kernel;
    const known = ofKernel.get(name);
    if (known) known.push(finding);
    else ofKernel.set(name, [finding]);
  }
  return ofKernel;
}

/** What the kernel hangs on, by meaning alone, and what was found in it. */
function keyOf(
  kernel: string,
  findings: readonly AccessFinding[],
  analyses: readonly UnitAnalysis[],
): string {
  const parts = analyses.flatMap(({ memory: { world, host, kernels } }) => [
    world,
    ...host.parts.map(({ hash }) => hash),
    ...[...kernels.values()]
      .filter(({ declaration }) => declaration.name === kernel)
      .flatMap((each) => each.parts.map(({ hash }) => hash)),
  ]);
  const found = findings.map(({ rule, severity, contexts }) => `${rule} ${severity} ${contexts.length}`);
  return JSON.stringify([kernel, found, parts]);
}

function* analyseEdited(
  edits: readonly TextEdit[],
  texts: ReadonlyMap<string, string>,
  material: FixMaterial,
): Generator<void, AnalysedKernels | null> {
  const edited = applyEdits(texts, edits);
  if (edited === null) return null;
  const analyses = yield* material.tried(edited);
  return analysedKernels(analyses, material.pipeline);
}

function analysedKernels(analyses: readonly UnitAnalysis[], pipeline: Pipeline): AnalysedKernels {
  return {
    launches: analyses.flatMap((analysis) => launchedKernels(analysis, pipeline)),
    gaps: analyses.flatMap(({ kernels }) =>
      kernels.flatMap(({ name, gaps, isStale }) =>
        isStale ? [...gaps, `${name} does not parse any more`] : gaps,
      ),
    ),
  };
}

function launchedKernels(analysis: UnitAnalysis, pipeline: Pipeline): LaunchedKernel[] {
  const program = once(() => pipeline.lower(analysis.units));
  return analysis.profiles.map(({ kernel, profile }) => ({
    kernel,
    launch: profile.launch,
    count: profile.launch.count,
    profile,
    program: once(() => withInstance(program(), kernel, profile.launch.kernel)),
  }));
}

/** `program` with the instance of the kernel that a launch starts; null where it has none. */
function withInstance(program: Program, kernel: KernelName, id: FunctionId): Program | null {
  const isInstance = program.kernels.some(
    (declaration) =>
      declaration.name === kernel.name &&
      program.instantiateKernel(declaration, kernel.templateArguments) === id,
  );
  return isInstance && program.functionOf(id) !== null ? program : null;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
