// The launches that the host code of a program makes, found by running it.
import type { FunctionId, Program } from "../ir/function.ts";
import type { ConditionTexts } from "./condition-text.ts";
import { Interpreter } from "./interpreter.ts";
import type { Launch } from "./launch.ts";
import { type CountedLaunch, keyOf, Recorder } from "./recorder.ts";
import { candidateShapes, shapeText } from "./shapes.ts";
import { type Slice, sliceOf } from "./slice.ts";

export interface FindOptions {
  /** The text of each file, for the words of host conditions; without them they are "…". */
  readonly texts?: ConditionTexts;
}

export interface FoundLaunches {
  readonly launches: readonly Launch[];
  /** What of the host code could not be followed, in words. */
  readonly gaps: readonly string[];
}

/** Blocks and threads that the hardware can start. */
const maxThreads = 1024;

/**
 * Runs the host entries of `program` and gives every launch that they make, equal ones merged in the order of the first.
 * A launch whose block is not known is given once for each shape that is assumed, as of kind "assumed" with its path.
 */
export function findLaunches(program: Program, options: FindOptions = {}): FoundLaunches {
  const slice = sliceOf(program, program.hostEntries);
  const gaps = new Set<string>();
  const recorder = new Recorder();
  run(program, slice, recorder, gaps, { argumentCount: 1, texts: options.texts ?? new Map() });
  const met = recorder.launches();
  const dependsOnArguments = argumentsMatter(program, slice) ? keysThatDepend(program, slice) : null;
  const launches = met.flatMap((launch) => {
    const isArgc = dependsOnArguments?.isFree(launch) === false;
    return complete(program, isArgc ? withAssumption(launch, "argc = 1") : launch, gaps);
  });
  return { launches, gaps: [...gaps] };
}

function run(
  program: Program,
  slice: Slice,
  recorder: Recorder,
  gaps: Set<string>,
  options: ConstructorParameters<typeof Interpreter>[3],
): void {
  for (const entry of program.hostEntries) {
    const interpreter = new Interpreter(program, slice, recorder, options);
    interpreter.runEntry(entry);
    for (const gap of interpreter.gaps) gaps.add(gap);
  }
}

function argumentsMatter(program: Program, slice: Slice): boolean {
  return program.hostEntries.some((entry) => {
    const definition = program.functionOf(entry);
    return (
      definition?.name === "main" && definition.parameters.some((parameter) => slice.dependsOn(parameter))
    );
  });
}

/** Runs once more with argc unknown: a launch that is the same then does not depend on it. */
function keysThatDepend(program: Program, slice: Slice): { isFree(launch: CountedLaunch): boolean } {
  const recorder = new Recorder();
  run(program, slice, recorder, new Set(), { argumentCount: "unknown", texts: new Map() });
  const describe = (launch: CountedLaunch) => `${keyOf(launch)}|${launch.assumptions.length}`;
  const free = new Set(recorder.launches().map(describe));
  return { isFree: (launch) => free.has(describe(launch)) };
}

function withAssumption(launch: CountedLaunch, assumption: string): CountedLaunch {
  return { ...launch, assumptions: [assumption, ...launch.assumptions] };
}

function complete(program: Program, met: CountedLaunch, gaps: Set<string>): Launch[] {
  const kernel = program.functionOf(met.kernel);
  if (kernel === null) return [];
  const problem = invalidity(met, kernel.name);
  if (problem !== null) {
    gaps.add(problem);
    return [];
  }
  const [x = null, y = null, z = null] = met.block;
  const [gridX = null, gridY = null, gridZ = null] = met.grid;
  const { arguments: values, sharedBytes, count, path } = met;
  const rest = {
    kernel: met.kernel,
    grid: [gridX, gridY, gridZ] as const,
    sharedBytes,
    arguments: values,
    count,
  };
  if (x !== null && y !== null && z !== null) {
    return [{ ...rest, block: [x, y, z], origin: { kind: "launch", path }, assumptions: met.assumptions }];
  }
  return shapesLike(program, met.kernel, [x, y, z]).map((block) => ({
    ...rest,
    block,
    origin: { kind: "assumed", path },
    assumptions: [...met.assumptions, `block ${shapeText(block)} assumed`],
  }));
}

/** The shapes that are assumed for a kernel, with the extents that are known put in. */
function shapesLike(
  program: Program,
  kernel: FunctionId,
  known: readonly (number | null)[],
): (readonly [number, number, number])[] {
  const shapes = new Map<string, readonly [number, number, number]>();
  for (const shape of candidateShapes(program, kernel)) {
    const block = [known[0] ?? shape[0], known[1] ?? shape[1], known[2] ?? shape[2]] as const;
    if (block[0] * block[1] * block[2] <= maxThreads) shapes.set(block.join(), block);
  }
  return [...shapes.values()];
}

/** Why the hardware refuses a launch, or null. */
function invalidity(met: CountedLaunch, kernel: string): string | null {
  const threads = met.block.reduce<number>((product, extent) => product * (extent ?? 1), 1);
  if (threads > maxThreads)
    return `a launch of ${kernel} asks for ${threads} threads a block, and the GPU has at most 1024`;
  if (met.block.includes(0) || met.grid.includes(0)) return `a launch of ${kernel} has no threads`;
  return null;
}
