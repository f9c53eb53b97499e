// One translation unit from its text to the access profiles of all its kernels.
import { definesOf } from "../config/schema.ts";
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { KernelDeclaration, Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { FileSettings } from "../project/project.ts";
import type { KernelName } from "../rules/finding.ts";
import type { KernelProfile } from "../rules/group.ts";
import type { TranslationUnit } from "../syntax/unit.ts";
import { createBudget } from "./budget.ts";
import type { LaunchSearch, Pipeline } from "./pipeline.ts";
import type { KernelLaunch } from "./report.ts";

export interface UnitAnalysis {
  readonly unit: TranslationUnit;
  readonly profiles: readonly KernelProfile[];
  readonly launches: readonly KernelLaunch[];
  readonly notes: readonly string[];
  /** What is wrong with annotations, and where. */
  readonly problems: LaunchSearch["problems"];
}

export interface UnitOptions {
  /** The block for kernels that nothing launches, in place of the shapes that are assumed otherwise. */
  readonly block: Launch["block"] | null;
  /** Whether a kernel that nothing launches is worth analysing. */
  wantsUnlaunched(declaration: KernelDeclaration): boolean;
}

/** Runs all stages on `text`. Throws only where warplint itself is wrong. */
export function analyseUnit(
  file: string,
  text: string,
  settings: FileSettings,
  pipeline: Pipeline,
  options: UnitOptions,
): UnitAnalysis {
  const { config, readInclude } = settings;
  const unit = pipeline.read(file, text, {
    readInclude,
    defines: definesOf(config),
    architecture: Number(config.architecture.slice("sm_".length)) * 10,
  });
  const program = pipeline.lower(unit);
  const search = pipeline.launches(program, { configured: config.launches, texts: unit.texts });
  const generated = pipeline.generate(program);
  const wanted: Launch[] = [];
  for (const { declaration, launches } of search.kernels) {
    const isLaunched = launches.some(({ origin }) => origin.kind !== "assumed");
    if (!isLaunched && !options.wantsUnlaunched(declaration)) continue;
    const kept = isLaunched || options.block === null ? launches : withBlock(launches, options.block);
    for (const launch of kept) wanted.push(launch);
  }
  const budget = createBudget(wanted.length);
  const profiles = wanted.map((launch): KernelProfile => {
    const profile = pipeline.evaluate(generated, launch, budget.nextLimit());
    budget.spend(profile.steps);
    return { kernel: kernelName(program, launch), profile };
  });
  return {
    unit,
    profiles,
    launches: mergeLaunches(profiles),
    notes: [...notesOf(unit), ...search.notes],
    problems: search.problems,
  };
}

/** One launch for each instantiation, with the block that the user gave. */
function withBlock(assumed: readonly Launch[], block: Launch["block"]): Launch[] {
  const ofKernel = new Map<string, Launch>();
  for (const launch of assumed) if (!ofKernel.has(launch.kernel)) ofKernel.set(launch.kernel, launch);
  return [...ofKernel.values()].map((launch) => ({
    ...launch,
    block,
    origin: { kind: "config", path: [] },
    assumptions: launch.assumptions.filter((assumption) => !assumption.startsWith("block ")),
  }));
}

function kernelName(program: Program, launch: Launch): KernelName {
  const definition = program.functionOf(launch.kernel);
  return {
    name: definition?.name ?? launch.kernel,
    templateArguments: definition?.templateArguments ?? [],
    templateParameterNames: definition?.templateParameterNames ?? [],
    parameterNames: definition?.parameters.map(({ name }) => name) ?? [],
  };
}

/** Launches of one shape whose accesses have the same figures are one, however their other arguments differ. */
function mergeLaunches(profiles: readonly KernelProfile[]): KernelLaunch[] {
  const merged = new Map<
    string,
    { kernel: KernelName; launches: Launch[]; profile: LaunchProfile; count: number }
  >();
  for (const { kernel, profile } of profiles) {
    const { launch } = profile;
    const key = JSON.stringify([
      launch.kernel,
      launch.block,
      launch.grid,
      launch.sharedBytes,
      launch.origin.kind,
      profile.accesses.map(figuresOf),
    ]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { kernel, launches: [launch], profile, count: launch.count });
    else {
      known.launches.push(launch);
      known.count += launch.count;
    }
  }
  return [...merged.values()];
}

function figuresOf({
  range,
  operation,
  bytes,
  stack,
  verdict,
  requests,
  totals,
  perRequest,
}: LaunchProfile["accesses"][number]) {
  return [range, operation, bytes, stack, verdict, requests, totals, perRequest];
}

function notesOf(unit: TranslationUnit): string[] {
  return [
    ...unit.missingIncludes.map(({ name }) => `#include "${name}" was not found; see --include-path`),
    ...unit.conventions.map(({ name, value }) => `${name} is defined nowhere and taken as ${value}`),
    ...unit.notExpanded.map(({ name, reason }) => `macro ${name} was not expanded: ${reason}`),
  ];
}
