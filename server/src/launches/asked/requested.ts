// Launches that somebody asks for: a comment above the kernel, or the configuration.
import type { Assumption } from "../../ir/assumption.ts";
import type { FunctionDefinition, FunctionId, KernelDeclaration, Program } from "../../ir/function.ts";
import { entryOf } from "../../table.ts";
import { assumedLaunch, instanceOf } from "../assumed/assumed.ts";
import { candidateShapes } from "../assumed/shapes.ts";
import { templateSamples } from "../assumed/template-samples.ts";
import type { HostValue, Launch } from "../launch.ts";
import { type LaunchProblem, type LaunchRequest, parseAnnotation } from "./annotation.ts";

/** A launch as `warplint.json` gives it. */
export interface ConfiguredLaunch {
  readonly block?: readonly number[];
  readonly grid?: readonly number[];
  readonly shared?: number;
  readonly arguments?: Readonly<Record<string, number>>;
  /** All of them in order, or some by name. */
  readonly templateArguments?: readonly (string | number)[] | Readonly<Record<string, string | number>>;
}

export interface RequestedLaunches {
  readonly launches: readonly Launch[];
  /** What is asked for and cannot be, and where. */
  readonly problems: readonly LaunchProblem[];
}

/** Launches as `// warplint: launch(…)` above a kernel asks for; what it leaves out is as `found`, else assumed. */
export function annotationLaunches(
  program: Program,
  declaration: KernelDeclaration,
  annotation: KernelDeclaration["annotations"][number],
  found: readonly Launch[],
): RequestedLaunches {
  const templateParameters = declaration.templateParameters.map((parameter) => parameter.name);
  const { request, problems } = parseAnnotation(annotation.text, annotation.range, {
    parameters: parameterNames(program, declaration, found),
    templateParameters,
  });
  const isEmpty =
    Object.keys(request).length === 2 && request.arguments.size + request.templateArguments.size === 0;
  const launches = isEmpty ? [] : requestedLaunches(program, declaration, request, found, "annotation");
  if (launches.length === 0 && problems.length === 0) {
    const message = isEmpty ? "launch(…) says nothing" : "these template arguments do not fit the kernel";
    return { launches, problems: [{ message, range: annotation.range }] };
  }
  return { launches, problems };
}

/** Names of the kernel's parameters, as any of its instances has them. */
function parameterNames(
  program: Program,
  declaration: KernelDeclaration,
  found: readonly Launch[],
): string[] {
  const [launch] = found;
  const definition =
    launch === undefined ? anyInstance(program, declaration) : program.functionOf(launch.kernel);
  return definition?.parameters.map(({ name }) => name) ?? [];
}

function anyInstance(program: Program, declaration: KernelDeclaration): FunctionDefinition | null {
  for (const sample of templateSamples(declaration)) {
    const definition = instanceOf(program, declaration, sample);
    if (definition !== null) return definition;
  }
  return null;
}

/** Launches as the configuration gives them for a kernel; what it leaves out is as `found`, else assumed. */
export function configuredLaunches(
  program: Program,
  declaration: KernelDeclaration,
  configured: Readonly<Record<string, readonly ConfiguredLaunch[]>>,
  found: readonly Launch[],
): RequestedLaunches {
  const requests = requestsFor(declaration, configured);
  const problems = requests.flatMap((request) => strangeTemplateArguments(declaration, request));
  const known = new Set(requests.length === 0 ? [] : parameterNames(program, declaration, found));
  for (const request of requests)
    for (const name of request.arguments.keys())
      if (!known.has(name))
        problems.push(
          `the configuration gives ${name}, which is no parameter of ${declaration.name}; there are ${[...known].join(", ")}`,
        );
  const launches = requests.flatMap((request) => {
    const asked = requestedLaunches(program, declaration, request, found, "config");
    if (asked.length === 0 && problems.length === 0)
      problems.push(`the configuration's template arguments do not fit ${declaration.name}`);
    return asked;
  });
  return { launches, problems: problems.map((message) => ({ message, range: declaration.nameRange })) };
}

/** Template arguments that the kernel has no parameters for, in words. */
function strangeTemplateArguments(
  { name, templateParameters }: KernelDeclaration,
  { templateArguments }: LaunchRequest,
): string[] {
  if (templateArguments.size === 0) return [];
  if (templateParameters.length === 0)
    return [`the configuration gives template arguments for ${name}, which is no template; remove them`];
  const names = templateParameters.map((parameter) => parameter.name);
  const isKnown = (key: string | number) =>
    typeof key === "string"
      ? names.includes(key)
      : key < names.length || templateParameters.some(({ isPack }) => isPack);
  const strange = [...templateArguments.keys()].filter((key) => !isKnown(key));
  return strange.map((key) =>
    typeof key === "string"
      ? `the configuration gives ${key}, which is no template parameter of ${name}; there are ${names.join(", ")}`
      : `the configuration gives ${name} more template arguments than it has parameters: ${names.join(", ")}`,
  );
}

function requestsFor(
  declaration: KernelDeclaration,
  configured: Readonly<Record<string, readonly ConfiguredLaunch[]>>,
): LaunchRequest[] {
  const entries =
    entryOf(configured, declaration.qualifiedName) ?? entryOf(configured, declaration.name) ?? [];
  return entries.map((entry) => ({
    ...(entry.block === undefined ? {} : { block: entry.block }),
    ...(entry.grid === undefined ? {} : { grid: entry.grid }),
    ...(entry.shared === undefined ? {} : { sharedBytes: entry.shared }),
    arguments: new Map(Object.entries(entry.arguments ?? {})),
    templateArguments: new Map<string | number, string>(
      Array.isArray(entry.templateArguments)
        ? entry.templateArguments.map((value, index) => [index, `${value}`])
        : Object.entries(entry.templateArguments ?? {}).map(([name, value]) => [name, `${value}`]),
    ),
  }));
}

/** The launches that a request stands for: it overrides those found in the text, or those assumed where there are none. */
function requestedLaunches(
  program: Program,
  declaration: KernelDeclaration,
  request: LaunchRequest,
  found: readonly Launch[],
  kind: "annotation" | "config",
): Launch[] {
  const launches = new Map<string, Launch>();
  for (const base of basesFor(program, declaration, request, found)) {
    const definition = program.functionOf(base.kernel);
    if (definition === null) continue;
    const launch = override(base, definition, request, kind);
    const key = `${launch.kernel}|${launch.block}|${launch.grid}`;
    if (!launches.has(key)) launches.set(key, launch);
  }
  return [...launches.values()];
}

/** What a request changes: the launches of the instances that it means. */
function basesFor(
  program: Program,
  declaration: KernelDeclaration,
  request: LaunchRequest,
  found: readonly Launch[],
): Launch[] {
  const meant = found.filter((launch) => matches(program.functionOf(launch.kernel), request));
  if (meant.length > 0) return meant;
  const bases: Launch[] = [];
  const given = [...request.templateArguments.keys()];
  for (const sample of templateSamples(declaration)) {
    const id = program.instantiateKernel(declaration, argumentsFor(declaration, sample.values, request));
    if (id === null) continue;
    const assumptions = sample.assumptions.filter(({ name }) => !given.includes(name));
    bases.push(...blankLaunches(program, id, given.includes(0) ? [] : assumptions));
  }
  return bases;
}

function matches(definition: FunctionDefinition | null, request: LaunchRequest): boolean {
  if (definition === null) return false;
  return [...request.templateArguments].every(([key, value]) => {
    const index = typeof key === "number" ? key : definition.templateParameterNames.indexOf(key);
    return definition.templateArguments[index] === value;
  });
}

/** The assumed arguments of a template's parameters, with those that the request gives put in. */
function argumentsFor(
  declaration: KernelDeclaration,
  assumed: readonly string[],
  request: LaunchRequest,
): string[] {
  const given = declaration.templateParameters.map(
    (parameter, index) =>
      request.templateArguments.get(parameter.name) ?? request.templateArguments.get(index),
  );
  const last = given.findLastIndex((value) => value !== undefined);
  const values: string[] = [];
  let next = 0;
  declaration.templateParameters.forEach((parameter, index) => {
    const isRequired = !parameter.isPack && parameter.defaultText === null;
    const fallback = isRequired ? assumed[next++] : undefined;
    const value = given[index] ?? fallback;
    if (value !== undefined && (isRequired || index <= last)) values.push(value);
  });
  return values;
}

function blankLaunches(program: Program, kernel: FunctionId, assumptions: readonly Assumption[]): Launch[] {
  const definition = program.functionOf(kernel);
  if (definition === null) return [];
  return candidateShapes(program, kernel).map((block) => assumedLaunch(definition, block, { assumptions }));
}

function override(
  base: Launch,
  definition: FunctionDefinition,
  request: LaunchRequest,
  kind: "annotation" | "config",
): Launch {
  const block = request.block === undefined ? base.block : extents(request.block);
  const isSameBlock = block.every((extent, axis) => extent === base.block[axis]);
  const grid = request.grid === undefined ? (isSameBlock ? base.grid : unknownGrid) : extents(request.grid);
  const isBlockAssumed = request.block === undefined && base.origin.kind === "assumed";
  return {
    kernel: base.kernel,
    block,
    grid,
    sharedBytes: request.sharedBytes ?? base.sharedBytes,
    arguments: definition.parameters.map((parameter, index): HostValue => {
      const value = request.arguments.get(parameter.name);
      if (value !== undefined) return { kind: "scalar", value };
      return base.arguments[index] ?? { kind: "unknown", reason: `the value of ${parameter.name}` };
    }),
    count: base.count,
    origin: { kind, path: [] },
    ...((base.isSample || isBlockAssumed) && { isSample: true }),
    assumptions:
      request.block === undefined
        ? base.assumptions
        : base.assumptions.filter(({ kind: what }) => what !== "block"),
  };
}

const unknownGrid = [null, null, null] as const;

function extents(values: readonly number[]): readonly [number, number, number] {
  return [values[0] ?? 1, values[1] ?? 1, values[2] ?? 1];
}
