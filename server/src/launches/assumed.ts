// Launches for kernels that nobody in sight launches: as little as the result needs is assumed, and said.
import {
  type FunctionDefinition,
  type KernelDeclaration,
  mayCompile,
  type Program,
  type TemplateParameter,
} from "../ir/function.ts";
import type { Type } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { HostValue, Launch } from "./launch.ts";
import { leavesOf } from "./object.ts";
import { candidateShapes, type Shape, shapeText } from "./shapes.ts";

/** Instantiations that are tried for one template. */
const maxInstantiations = 8;

/**
 * Launches of a kernel that is launched nowhere in sight: each of the shapes that its use of threadIdx, its tiles and its
 * launch bounds leave open, for each instantiation that compiles (see `templateArgumentLists`). Nothing is known of arguments and grid.
 */
export function assumedLaunches(program: Program, kernel: KernelDeclaration): Launch[] {
  const launches: Launch[] = [];
  for (const list of templateArgumentLists(kernel)) {
    const id = program.instantiateKernel(kernel, list.values);
    const definition = id === null ? null : program.functionOf(id);
    if (definition === null || !mayCompile(definition)) continue;
    const fixed = list.blockThreads === null ? null : ([list.blockThreads, 1, 1] as const);
    const shapes = candidateShapes(program, definition.id);
    const isLinear = shapes.every((shape) => shape[1] === 1 && shape[2] === 1);
    for (const block of fixed !== null && isLinear ? [fixed] : shapes) {
      launches.push(assumedLaunch(definition, block, list.assumptions));
    }
  }
  return launches;
}

function assumedLaunch(definition: FunctionDefinition, block: Shape, assumptions: readonly string[]): Launch {
  return {
    kernel: definition.id,
    grid: [null, null, null],
    block,
    sharedBytes: null,
    arguments: unknownArguments(definition),
    count: 1,
    origin: { kind: "assumed", path: [] },
    assumptions: [`block ${shapeText(block)} assumed`, ...assumptions],
  };
}

/** Arguments of which nothing is known but their types. */
export function unknownArguments(definition: FunctionDefinition): HostValue[] {
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

interface TemplateArgumentList {
  readonly values: readonly string[];
  /** The value given to a parameter that is the number of threads, if there is one. */
  readonly blockThreads: number | null;
  readonly assumptions: readonly string[];
}

/**
 * Template arguments for a kernel that nobody instantiates: types are float and double (4 and 8 bytes), booleans false and
 * true, numbers of threads 256 and 128, padding 1 and 0, vector widths and items a thread 4 and 1, other numbers 32 and 16.
 * Parameters with a default are left to it. All parameters take their first choice, or all their second, but types, which are
 * combined with both.
 */
export function templateArgumentLists(kernel: KernelDeclaration): TemplateArgumentList[] {
  const parameters = kernel.templateParameters.filter((each) => !each.isPack && !each.hasDefault);
  if (parameters.length === 0) return [{ values: [], blockThreads: null, assumptions: [] }];
  if (parameters.some((parameter) => parameter.kind === "template")) return [];
  const hasTypes = parameters.some((parameter) => parameter.kind === "type");
  const hasValues = parameters.some((parameter) => parameter.kind === "value");
  const lists: TemplateArgumentList[] = [];
  for (const valueChoice of hasValues ? [0, 1] : [0]) {
    for (const typeChoice of hasTypes ? [0, 1] : [0]) {
      lists.push(argumentList(parameters, typeChoice, valueChoice));
    }
  }
  return lists.slice(0, maxInstantiations);
}

function argumentList(
  parameters: readonly TemplateParameter[],
  typeChoice: number,
  valueChoice: number,
): TemplateArgumentList {
  const values = parameters.map((parameter) =>
    parameter.kind === "type"
      ? (["float", "double"][typeChoice] ?? "float")
      : conventionalValue(parameter, valueChoice),
  );
  const threads = parameters.findIndex(
    (parameter) => parameter.kind === "value" && namesThreads.test(parameter.name),
  );
  return {
    values,
    blockThreads: threads === -1 ? null : Number(values[threads]),
    assumptions: parameters.map((parameter, index) => `${parameter.name} = ${values[index]} assumed`),
  };
}

const namesThreads =
  /^(k?(block|cta|tb)_?(size|dim|dim_?x|threads)?|k?(n|num)?_?threads(_?per_?block)?|tpb)$/i;
const namesPadding = /pad/i;
const namesItems = /(vec|unroll|per_?thread|items|ilp|pack)/i;

function conventionalValue(parameter: TemplateParameter, choice: number): string {
  const choices = (() => {
    if (/\bbool\b/.test(parameter.typeText ?? "")) return ["false", "true"];
    if (namesThreads.test(parameter.name)) return ["256", "128"];
    if (namesPadding.test(parameter.name)) return ["1", "0"];
    if (namesItems.test(parameter.name)) return ["4", "1"];
    return ["32", "16"];
  })();
  return choices[choice] ?? "32";
}
