// The launches that the host code of a program makes, found by running it.
import type { FunctionId, Program } from "../ir/function.ts";
import { runToEnd } from "../steps.ts";
import type { SourceRange } from "../text/source.ts";
import type { ConditionTexts } from "./condition-text.ts";
import { Interpreter, type RunOptions } from "./interpreter.ts";
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

/** What is taken for granted of the world outside the text. */
type World = Pick<RunOptions, "argumentCount" | "device">;

const usualWorld: World = { argumentCount: 1, device: "measured" };

/**
 * Runs the host entries of `program` and gives every launch that they make, equal ones merged in the order of the first.
 * A launch whose block is not known is given once for each shape that is assumed, as of kind "assumed" with its path. Kernels that are
 * launched only where the command line gives more than the program's name are found by a run in which it is not known, those that are kept
 * for other GPUs by one in which the GPU is not, and those that no entry leads to by running the functions whose text launches them.
 */
export function findLaunches(program: Program, options: FindOptions = {}): FoundLaunches {
  return runToEnd(findingLaunches(program, options));
}

/** The same in steps, a run of an entry each: whoever takes them may do something else between two. */
export function* findingLaunches(
  program: Program,
  options: FindOptions = {},
): Generator<void, FoundLaunches> {
  const entries = program.hostEntries;
  yield;
  const slice = sliceOf(program, entries);
  const texts = options.texts ?? new Map();
  const inWorld = (world: World) => run(program, entries, slice, { ...world, texts });
  const usual = yield* inWorld(usualWorld);
  const unknownArguments = argumentsMatter(program, slice)
    ? yield* inWorld({ ...usualWorld, argumentCount: "unknown" })
    : null;
  const anyDevice = usual.asksDevice ? yield* inWorld({ ...usualWorld, device: "common" }) : null;
  const [withoutArguments, onAnyDevice] = [descriptionsOf(unknownArguments), descriptionsOf(anyDevice)];
  const gaps = new Set(usual.gaps);
  const met = usual.launches.map((launch) => {
    const assumptions = [
      ...(isFree(launch, withoutArguments) ? [] : ["argc = 1"]),
      ...(isFree(launch, onAnyDevice) ? [] : ["the GPU is an H200"]),
    ];
    return { ...launch, assumptions: [...assumptions, ...launch.assumptions] };
  });
  const launched = new Set(met.map((launch) => declarationOf(program, launch)));
  const others: CountedLaunch[] = [];
  const addMissing = (run: RunResult | null, assumption: string) => {
    const missing = (run?.launches ?? []).filter((launch) => !launched.has(declarationOf(program, launch)));
    for (const launch of missing) others.push(withAssumption(launch, assumption));
    for (const launch of missing) launched.add(declarationOf(program, launch));
  };
  addMissing(unknownArguments, "the command line is as the program asks for");
  addMissing(anyDevice, "the GPU is one for which the program launches it");
  const unreached = yield* fromElsewhere(program, launched, texts);
  return {
    launches: [...met, ...others, ...unreached].flatMap((launch) => complete(program, launch, gaps)),
    gaps: [...gaps],
  };
}

/** Launches of kernels that are not among `launched`, by functions that no entry was seen to call. */
function* fromElsewhere(
  program: Program,
  launched: ReadonlySet<string>,
  texts: ConditionTexts,
): Generator<void, readonly CountedLaunch[]> {
  const isComplete = program.kernels.every(({ nameRange }) => launched.has(placeOf(nameRange)));
  const entries = isComplete
    ? []
    : (program.hostLaunchers ?? []).filter((id) => !program.hostEntries.includes(id));
  if (entries.length === 0) return [];
  const { launches } = yield* run(program, entries, sliceOf(program, entries), { ...usualWorld, texts });
  return launches
    .filter((launch) => !launched.has(declarationOf(program, launch)))
    .map((launch) => withAssumption(launch, "the function that launches it is called from elsewhere"));
}

interface RunResult {
  readonly launches: readonly CountedLaunch[];
  readonly gaps: readonly string[];
  /** Whether the host asked what GPU it has. */
  readonly asksDevice: boolean;
}

function* run(
  program: Program,
  entries: readonly FunctionId[],
  slice: Slice,
  options: RunOptions,
): Generator<void, RunResult> {
  const recorder = new Recorder();
  const gaps = new Set<string>();
  let asksDevice = false;
  for (const entry of entries) {
    yield;
    const interpreter = new Interpreter(program, slice, recorder, options);
    interpreter.runEntry(entry);
    for (const gap of interpreter.gaps) gaps.add(gap);
    asksDevice ||= interpreter.asksDevice;
  }
  const launches = recorder.launches();
  return { launches, gaps: [...gaps], asksDevice };
}

/** What describes each launch of a run that knew less, where there was one: a program may make thousands. */
function descriptionsOf(other: RunResult | null): ReadonlySet<string> | null {
  return other && new Set(other.launches.map(describe));
}

/** Whether a launch is the same in a run that knew less. */
function isFree(launch: CountedLaunch, descriptions: ReadonlySet<string> | null): boolean {
  return descriptions === null || descriptions.has(describe(launch));
}

function describe(launch: CountedLaunch): string {
  return `${keyOf(launch)}|${launch.assumptions.length}`;
}

/** The kernel as written, whatever its template arguments. */
function declarationOf(program: Program, launch: CountedLaunch): string {
  const range = program.functionOf(launch.kernel)?.nameRange;
  return range === undefined ? launch.kernel : placeOf(range);
}

function placeOf(range: SourceRange): string {
  return `${range.file}:${range.start}`;
}

function argumentsMatter(program: Program, slice: Slice): boolean {
  return program.hostEntries.some((entry) => {
    const definition = program.functionOf(entry);
    return (
      definition?.name === "main" && definition.parameters.some((parameter) => slice.dependsOn(parameter))
    );
  });
}

function withAssumption(launch: CountedLaunch, assumption: string): CountedLaunch {
  return { ...launch, assumptions: [assumption, ...launch.assumptions] };
}

/**
 * Each way of one choice is meant to be gone. Of two, no one knows which go together: a mode's own block size, a layout's own vectors.
 */
const mostIndependentChoices = 1;

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
  const { arguments: values, constants, sharedBytes, count, path, choices } = met;
  const rest = {
    kernel: met.kernel,
    grid: [gridX, gridY, gridZ] as const,
    sharedBytes,
    arguments: values,
    ...(constants.size > 0 && { constants }),
    count,
    ...(choices > mostIndependentChoices && { isSample: true as const }),
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
