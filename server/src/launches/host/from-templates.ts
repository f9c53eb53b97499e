// Launches by templates of host code that nothing in sight instantiates, with template arguments of our own.
import type {
  FunctionDefinition,
  FunctionId,
  HostTemplate,
  KernelDeclaration,
  Program,
  TemplateParameter,
} from "../../ir/function.ts";
import type { SourceRange } from "../../text/source.ts";
import { type TemplateSample, templateSamples, unknownType } from "../assumed/template-samples.ts";
import type { CountedLaunch } from "./recorder.ts";

/**
 * Each way of one choice is meant to be gone. Of two, no one knows which go together: a mode's own block size, a layout's own vectors.
 */
export const mostIndependentChoices = 1;

export interface TemplateOptions {
  /** Whether launches may be assumed of a kernel that nothing else launches. */
  readonly mayAssume: (kernel: KernelDeclaration) => boolean;
  /** Runs functions of the host. */
  readonly run: (
    entries: readonly FunctionId[],
  ) => Generator<void, { readonly launches: readonly CountedLaunch[] }>;
}

/** Samples of a template's arguments that are run, and templates. */
const mostSamples = 8;
const mostTemplates = 32;

/** Launches of kernels that are not among `launched`, by templates that nothing in sight instantiates. */
export function* fromTemplates(
  program: Program,
  launched: ReadonlySet<string>,
  { mayAssume, run }: TemplateOptions,
): Generator<void, readonly CountedLaunch[]> {
  const missing = program.kernels.filter(({ nameRange }) => !launched.has(placeOf(nameRange)));
  const left = missing.filter((kernel) => !mayAssume(kernel));
  if (left.length === missing.length) return [];
  const passed = new Set([...launched, ...left.map(({ nameRange }) => placeOf(nameRange))]);
  const kernels = new Map(program.kernels.map((kernel) => [placeOf(kernel.nameRange), kernel]));
  const found: CountedLaunch[] = [];
  const templates = program.hostTemplatesFor?.(missing.filter((kernel) => !left.includes(kernel))) ?? [];
  for (const template of templates.slice(0, mostTemplates)) {
    const launchesWith = function* (values: readonly string[]): Generator<void, readonly CountedLaunch[]> {
      const entries = template.instantiate(values);
      return entries.length === 0 ? [] : (yield* run(entries)).launches;
    };
    const samples = yield* samplesFor(program, kernels, template, launchesWith);
    for (const { values, assumptions } of samples.slice(0, mostSamples)) {
      for (const launch of yield* launchesWith(values)) {
        const place = declarationOf(program, launch);
        const kernel = kernels.get(place);
        // Instances that the text asks for are what callers elsewhere get: no others are made up.
        const asked = kernel === undefined ? [] : program.explicitInstances(kernel);
        if (passed.has(place) || (asked.length > 0 && !asked.includes(launch.kernel))) continue;
        const choices = launch.choices + (assumptions.length > 0 ? mostIndependentChoices + 1 : 0);
        found.push({ ...launch, choices, assumptions: [...assumptions, ...launch.assumptions] });
      }
    }
  }
  return found;
}

/**
 * Samples of the template's arguments. What a kernel calls, or chooses places with, is no float in the function that passes it on either: which of
 * its types that are, the kernels tell that it launches with types of which nothing is known.
 */
function* samplesFor(
  program: Program,
  kernels: ReadonlyMap<string, KernelDeclaration>,
  template: HostTemplate,
  launchesWith: (values: readonly string[]) => Generator<void, readonly CountedLaunch[]>,
): Generator<void, readonly TemplateSample[]> {
  const samples = templateSamples(template);
  const [likeliest] = samples;
  const given = template.templateParameters.filter(
    ({ isPack, defaultText }) => !isPack && defaultText === null,
  );
  const isOpen = given.some(({ kind, typeRole }) => kind === "type" && typeRole === "value");
  const areTold = [...kernels.values()].some(({ templateParameters }) => templateParameters.some(isTold));
  if (likeliest === undefined || !isOpen || !areTold) return samples;
  const values = given.map(({ kind, name }, index) =>
    kind === "type" ? unknownType(name) : (likeliest.values[index] ?? ""),
  );
  const roles = new Map<string, TypeRole>();
  for (const launch of yield* launchesWith(values))
    for (const [name, role] of rolesIn(program.functionOf(launch.kernel), kernels))
      if (roles.get(name) !== "object") roles.set(name, role);
  const templateParameters = template.templateParameters.map((parameter) => {
    const { typeRole } = parameter;
    return {
      ...parameter,
      typeRole: typeRole === "value" ? (roles.get(parameter.name) ?? typeRole) : typeRole,
    };
  });
  return templateSamples({ templateParameters });
}

type TypeRole = TemplateParameter["typeRole"];

/** What the types do in a kernel that it is an instance with, by their names. */
function rolesIn(
  definition: FunctionDefinition | null,
  kernels: ReadonlyMap<string, KernelDeclaration>,
): readonly (readonly [string, TypeRole])[] {
  if (definition === null) return [];
  const parameters = kernels.get(placeOf(definition.nameRange))?.templateParameters ?? [];
  return definition.templateArguments.flatMap((name, index) => {
    const parameter = parameters[index];
    return parameter !== undefined && isTold(parameter) ? [[name, parameter.typeRole] as const] : [];
  });
}

function isTold({ typeRole }: TemplateParameter): boolean {
  return typeRole !== "value";
}

/** The kernel as written, whatever its template arguments. */
export function declarationOf(program: Program, launch: CountedLaunch): string {
  const range = program.functionOf(launch.kernel)?.nameRange;
  return range === undefined ? launch.kernel : placeOf(range);
}

export function placeOf(range: SourceRange): string {
  return `${range.file}:${range.start}`;
}
