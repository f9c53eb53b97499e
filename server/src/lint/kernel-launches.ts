// Launches as they are compared and shown.
import type { LaunchProfile } from "../evaluate/profile.ts";
import type { FunctionId, KernelDeclaration, Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { KernelName } from "../rules/finding.ts";
import type { KernelProfile } from "../rules/group.ts";
import type { KernelLaunch } from "./report.ts";

/** Equal for launches that differ only in where the host makes them. */
export function launchKey(launch: Launch): string {
  const { path: _, ...origin } = launch.origin;
  return JSON.stringify({ ...launch, origin }, (key, value: unknown) =>
    value instanceof Map ? [...value] : typeof value === "bigint" ? `${value}n` : plain(keyed(key, value)),
  );
}

/** Contents of memory stand under their digest. */
function keyed(key: string, value: unknown): unknown {
  const hasDigest = key === "contents" && typeof value === "object" && value !== null && "digest" in value;
  return hasDigest ? value.digest : value;
}

/** JSON knows neither of these numbers. */
function plain(value: unknown): unknown {
  return typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
    ? `${Object.is(value, -0) ? "-0" : value}`
    : value;
}

/** Each launch once that several programs make alike, with the same figures. */
export function distinctProfiles(programs: readonly (readonly KernelProfile[])[]): readonly KernelProfile[] {
  const [first = [], ...others] = programs.filter((profiles) => profiles.length > 0);
  if (others.length === 0) return first;
  const found: KernelProfile[] = [];
  const seen = new Map<string, string[]>();
  for (const profiles of [first, ...others]) {
    // Within one program all launches are there that it makes.
    const own: (readonly [string, string])[] = [];
    for (const each of profiles) {
      const key = `${shapeKey(each)} ${JSON.stringify(each.profile.launch.origin.path)}`;
      const figures = JSON.stringify(each.profile.accesses.map(figuresOf));
      if (seen.get(key)?.includes(figures)) continue;
      own.push([key, figures]);
      found.push(each);
    }
    for (const [key, figures] of own) seen.set(key, [...(seen.get(key) ?? []), figures]);
  }
  return found;
}

/** Launches of several programs, those of one shape with the same figures as one, as within a program. */
export function mergedAcross(programs: readonly (readonly KernelLaunch[])[]): readonly KernelLaunch[] {
  if (programs.filter((launches) => launches.length > 0).length < 2) return programs.flat();
  const merged = new Map<string, KernelLaunch>();
  for (const launches of programs)
    for (const launch of launches) {
      const key = `${shapeKey(launch)} ${JSON.stringify(launch.profile.accesses.map(figuresOf))}`;
      const known = merged.get(key);
      merged.set(key, known === undefined ? launch : together(known, launch));
    }
  return [...merged.values()];
}

function together(a: KernelLaunch, b: KernelLaunch): KernelLaunch {
  const places = new Set(a.launches.map(({ origin }) => JSON.stringify(origin.path)));
  const others = b.launches.filter(({ origin }) => !places.has(JSON.stringify(origin.path)));
  if (others.length === 0) return a;
  const count = others.reduce((sum, launch) => sum + launch.count, a.count);
  return { ...a, launches: [...a.launches, ...others], count };
}

/** Equal for launches of one kernel and one shape, whichever program they are of. */
function shapeKey({ kernel, profile: { launch } }: KernelProfile): string {
  const { block, grid, sharedBytes, origin } = launch;
  return JSON.stringify([kernel.name, kernel.templateArguments, block, grid, sharedBytes, origin.kind]);
}

export function isLaunched(launches: readonly Launch[]): boolean {
  return launches.some(({ origin }) => origin.kind !== "assumed");
}

/** One launch for each instantiation, with the block that the user gave. */
export function withBlock(assumed: readonly Launch[], block: Launch["block"]): Launch[] {
  const ofKernel = new Map<string, Launch>();
  for (const launch of assumed) if (!ofKernel.has(launch.kernel)) ofKernel.set(launch.kernel, launch);
  return [...ofKernel.values()].map((launch) => ({
    ...launch,
    block,
    origin: { kind: "config", path: [] },
    assumptions: launch.assumptions.filter((assumption) => assumption.kind !== "block"),
  }));
}

export function kernelName(program: Program, launch: Launch): KernelName {
  const definition = program.functionOf(launch.kernel);
  return {
    name: definition?.name ?? launch.kernel,
    templateArguments: definition?.templateArguments ?? [],
    templateParameterNames: definition?.templateParameterNames ?? [],
    parameterNames: definition?.parameters.map(({ name }) => name) ?? [],
  };
}

/**
 * Whether an instance of a kernel has the id that another program gave it; the program knows it by that from here on. `names`: what that one
 * knew of it.
 */
export function isInstance(
  program: Program,
  declaration: KernelDeclaration,
  kernel: FunctionId,
  names: () => KernelName | null,
): boolean {
  // Nothing is lowered for it.
  if (program.kindOf(kernel) !== null) return true;
  const isTemplate = declaration.templateParameters.length > 0;
  const values = isTemplate ? names()?.templateArguments : [];
  return values !== undefined && program.instantiateKernel(declaration, values) === kernel;
}

/** Launches of one shape whose accesses have the same figures are one, however their other arguments differ: indices of each such set. */
export function mergeLaunches(profiles: readonly KernelProfile[]): number[][] {
  const shapes = new Map<string, number[]>();
  for (const [index, { profile }] of profiles.entries()) {
    const { kernel, block, grid, sharedBytes, origin } = profile.launch;
    noteAt(shapes, JSON.stringify([kernel, block, grid, sharedBytes, origin.kind]), index);
  }
  const merged = new Map<string, number[]>();
  for (const [shape, indices] of shapes)
    for (const index of indices) {
      // Of one launch alone nobody asks whether its figures are those of another.
      const figures = indices.length === 1 ? null : profiles[index]?.profile.accesses.map(figuresOf);
      noteAt(merged, `${shape} ${JSON.stringify(figures)}`, index);
    }
  return [...merged.values()].sort(([a = 0], [b = 0]) => a - b);
}

function noteAt(indices: Map<string, number[]>, key: string, index: number): void {
  const known = indices.get(key);
  if (known === undefined) indices.set(key, [index]);
  else known.push(index);
}

export function mergedLaunches(
  profiles: readonly KernelProfile[],
  merged: readonly (readonly number[])[],
): KernelLaunch[] {
  return merged.flatMap((indices) => {
    const own = indices.flatMap((index) => profiles[index] ?? []);
    const [first] = own;
    if (first === undefined) return [];
    const launches = own.map(({ profile }) => profile.launch);
    const count = launches.reduce((total, launch) => total + launch.count, 0);
    return [{ kernel: first.kernel, launches, profile: first.profile, count }];
  });
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
