// Launches for kernels that nobody in sight launches: as little as the result needs is assumed, and said.
import type { Assumption } from "../../ir/assumption.ts";
import {
  type FunctionDefinition,
  failedAssertionOf,
  type KernelDeclaration,
  type Program,
} from "../../ir/function.ts";
import type { Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { leavesOf } from "../host/leaves.ts";
import type { HostValue, Launch, LaunchOrigin } from "../launch.ts";
import { candidateShapes, type Shape } from "./shapes.ts";
import { type TemplateSample, templateSamples } from "./template-samples.ts";

/**
 * Launches of a kernel that is launched nowhere in sight: each of the shapes that its use of threadIdx, its tiles and its launch bounds leave
 * open, for the likeliest instances, and one for each of the others: those that the text instantiates, else `templateSamples`. Nothing is
 * known of arguments and grid. Where no sample gives an instance that compiles, there is none.
 */
export function assumedLaunches(program: Program, kernel: KernelDeclaration): Launch[] {
  const site = program.launchSiteOf(kernel);
  const path = site === null ? [] : [site];
  return instancesOf(program, kernel).flatMap(({ definition, sample }) => {
    if (definition === null || failedAssertionOf(definition) !== null) return [];
    const { assumptions } = sample;
    return shapesFor(program, definition, sample).map((block) =>
      assumedLaunch(definition, block, { path, assumptions }),
    );
  });
}

interface SampledInstance {
  readonly definition: FunctionDefinition | null;
  readonly sample: Omit<TemplateSample, "values">;
}

function instancesOf(program: Program, kernel: KernelDeclaration): readonly SampledInstance[] {
  const explicit = program.explicitInstances(kernel);
  if (explicit.length === 0)
    return templateSamples(kernel).map((sample) => ({
      definition: instanceOf(program, kernel, sample),
      sample,
    }));
  return explicit.map((id, index) => ({
    definition: program.functionOf(id),
    sample: { blockThreads: null, assumptions: [], isLikely: index < likelyInstances },
  }));
}

/** How many of the instances that a text asks for are tried with all shapes. */
const likelyInstances = 2;

/** Why a kernel that is launched nowhere in sight has no assumed launches either, and what would give it one. */
export function whyNotAssumed(program: Program, kernel: KernelDeclaration): string {
  return `nothing in sight launches it, and ${whyNoInstance(program, kernel)}`;
}

function whyNoInstance(program: Program, kernel: KernelDeclaration): string {
  const template = kernel.templateParameters.find(({ kind }) => kind === "template");
  if (template !== undefined)
    return `its parameter ${template.name} is a template, for which there is no usual one`;
  const names = kernel.templateParameters.filter(
    ({ defaultText, isPack }) => defaultText === null && !isPack,
  );
  const cure = `name those that fit: // warplint: launch(block=(…), ${names.map(({ name }) => `${name}=…`).join(", ")})`;
  for (const sample of templateSamples(kernel)) {
    const definition = instanceOf(program, kernel, sample);
    const assertion = definition && failedAssertionOf(definition);
    if (assertion !== null) return `${assertion} for all template arguments that were tried; ${cure}`;
  }
  return `none of the template arguments that were tried fit it; ${cure}`;
}

/** The instance of a kernel that a sample makes; null where the arguments do not fit. */
export function instanceOf(
  program: Program,
  kernel: KernelDeclaration,
  { values }: TemplateSample,
): FunctionDefinition | null {
  const id = program.instantiateKernel(kernel, values);
  return id === null ? null : program.functionOf(id);
}

function shapesFor(
  program: Program,
  { id }: FunctionDefinition,
  { blockThreads, isLikely }: SampledInstance["sample"],
): readonly Shape[] {
  const shapes = candidateShapes(program, id);
  const isLinear = shapes.every((shape) => shape[1] === 1 && shape[2] === 1);
  if (blockThreads !== null && isLinear) return [[blockThreads, 1, 1]];
  return isLikely ? shapes : shapes.slice(0, 1);
}

/** A launch of which nothing is known but where it stands in the text, if it does: `assumptions` are those of the instance. */
export function assumedLaunch(
  definition: FunctionDefinition,
  block: Shape,
  {
    path = [],
    assumptions,
  }: { readonly path?: LaunchOrigin["path"]; readonly assumptions: readonly Assumption[] },
): Launch {
  return {
    kernel: definition.id,
    grid: [null, null, null],
    block,
    sharedBytes: null,
    arguments: unknownArguments(definition),
    count: 1,
    origin: { kind: "assumed", path },
    ...(assumptions.length > 0 && { isSample: true }),
    assumptions: [{ kind: "block", block }, ...assumptions],
  };
}

/** Arguments of which nothing is known but their types. */
function unknownArguments(definition: FunctionDefinition): HostValue[] {
  return definition.parameters.map((parameter, index) => unknownArgument(parameter, index * 4096));
}

function unknownArgument(parameter: Variable, firstId: number): HostValue {
  let id = firstId;
  const ofType = (type: Type): HostValue => {
    if (type.kind === "pointer") {
      const allocation = {
        id: id++,
        name: parameter.name,
        sizeBytes: null,
        alignmentBytes: 256,
        isAlignmentAssumed: true,
      };
      return { kind: "pointer", allocation, offsetBytes: 0 };
    }
    return { kind: "unknown", reason: `the value of ${parameter.name}` };
  };
  const isCompound = parameter.type.kind === "record" || parameter.type.kind === "array";
  const leaves = isCompound ? leavesOf(parameter.type) : null;
  if (leaves === null) return ofType(parameter.type);
  return { kind: "aggregate", parts: new Map(leaves.map((leaf) => [leaf.offsetBytes, ofType(leaf.type)])) };
}
