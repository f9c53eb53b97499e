// Every kernel of a program with its launches: as an annotation says, else the configuration, else as the host code does,
// else assumed.
import type { FunctionDefinition, KernelDeclaration, Program } from "../ir/function.ts";
import type { LaunchProblem } from "./asked/annotation.ts";
import { annotationLaunches, type ConfiguredLaunch, configuredLaunches } from "./asked/requested.ts";
import { assumedLaunches, whyNotAssumed } from "./assumed/assumed.ts";
import { type FindOptions, findLaunches } from "./host/find.ts";
import type { HostGap } from "./host/gaps.ts";
import type { Launch } from "./launch.ts";

export interface LaunchesOptions extends FindOptions {
  /** By the kernel's name, qualified or not. */
  readonly configured?: Readonly<Record<string, readonly ConfiguredLaunch[]>>;
}

export interface KernelLaunches {
  readonly declaration: KernelDeclaration;
  readonly launches: readonly Launch[];
}

export interface ProgramLaunches {
  /** In the order of the text. */
  readonly kernels: readonly KernelLaunches[];
  readonly problems: readonly LaunchProblem[];
  readonly gaps: readonly HostGap[];
}

/** The launches of all kernels of `program`. */
export function launchesOf(program: Program, options: LaunchesOptions = {}): ProgramLaunches {
  const found = findLaunches(program, options);
  const byKernel = launchesByKernel(program, found.launches);
  const problems: LaunchProblem[] = [];
  const kernels = program.kernels.map((declaration) => {
    const result = kernelLaunches(program, declaration, byKernel.get(declaration) ?? [], options);
    problems.push(...result.problems);
    return { declaration, launches: result.launches };
  });
  return { kernels, problems, gaps: found.gaps };
}

/** Of `found` those that launch each kernel, or an explicit specialisation of it that is a definition of its own. */
export function launchesByKernel(
  program: Program,
  found: readonly Launch[],
): ReadonlyMap<KernelDeclaration, readonly Launch[]> {
  const byKernel = new Map<KernelDeclaration, Launch[]>();
  const byPlace = new Map<string, KernelDeclaration[]>();
  const byName = new Map<string, KernelDeclaration>();
  for (const kernel of program.kernels) {
    byKernel.set(kernel, []);
    const place = placeOf(kernel);
    byPlace.set(place, [...(byPlace.get(place) ?? []), kernel]);
    if (!byName.has(kernel.name)) byName.set(kernel.name, kernel);
  }
  for (const launch of found) {
    const definition = program.functionOf(launch.kernel);
    if (definition === null) continue;
    const named = byName.get(definition.name);
    const all = byPlace.get(placeOf(definition)) ?? (named ? [named] : []);
    // A source that is compiled in several ways declares several in one place: in namespaces that macros name, say.
    const own = all.filter(
      (kernel) => program.instantiateKernel(kernel, definition.templateArguments) === launch.kernel,
    );
    for (const kernel of all.length > 1 && own.length > 0 ? own : all) byKernel.get(kernel)?.push(launch);
  }
  return byKernel;
}

/** One use of a macro may declare several kernels: they stand in one place, most of them under names of their own. */
function placeOf({ name, nameRange }: KernelDeclaration | FunctionDefinition): string {
  return `${nameRange.file}:${nameRange.start} ${name}`;
}

/** Launches of a kernel by the first source that has some. */
export interface FittingLaunches {
  readonly launches: readonly Launch[];
  /** What is wrong with annotations, and where. */
  readonly problems: readonly LaunchProblem[];
  /** Why there is none; null where there is one. */
  readonly gap: string | null;
}

/** The launches of one kernel, of which the host code makes `found`. */
export function kernelLaunches(
  program: Program,
  declaration: KernelDeclaration,
  found: readonly Launch[],
  options: Pick<LaunchesOptions, "configured" | "mayAssume"> = {},
): FittingLaunches {
  const problems: LaunchProblem[] = [];
  const annotated = declaration.annotations.flatMap((annotation) => {
    const result = annotationLaunches(program, declaration, annotation, found);
    problems.push(...result.problems);
    return result.launches;
  });
  if (annotated.length > 0) return { launches: annotated, problems, gap: null };
  const configured = configuredLaunches(program, declaration, options.configured ?? {}, found);
  problems.push(...configured.problems);
  if (configured.launches.length > 0) return { launches: configured.launches, problems, gap: null };
  if (found.length > 0) return { launches: found, problems, gap: null };
  if (options.mayAssume?.(declaration) === false) return { launches: [], problems, gap: null };
  const launches = assumedLaunches(program, declaration);
  return { launches, problems, gap: launches.length > 0 ? null : whyNotAssumed(program, declaration) };
}
