// The launches that the host code of a program makes, found by running it.
import { type Assumption, distinctAssumptions } from "../../ir/assumption.ts";
import type { FunctionId, KernelDeclaration, Program } from "../../ir/function.ts";
import { runToEnd } from "../../steps.ts";
import { candidateShapes } from "../assumed/shapes.ts";
import { withContentsOf } from "../contents/found-contents.ts";
import { KernelUses } from "../contents/parameter-use.ts";
import type { HostValue, Launch } from "../launch.ts";
import { type Slice, sliceOf } from "../slice/slice.ts";
import type { ConditionTexts } from "./condition-text.ts";
import { declarationOf, fromTemplates, mostIndependentChoices, placeOf } from "./from-templates.ts";
import { type HostGap, HostGaps } from "./gaps.ts";
import { Interpreter, type RunOptions, type WorldQuestion } from "./interpreter.ts";
import { type CountedLaunch, keyOf, Recorder } from "./recorder.ts";

export interface FindOptions {
  /** The text of each file, for the words of host conditions; without them they are "…". */
  readonly texts?: ConditionTexts;
  /** Whether launches may be assumed of a kernel that nothing else launches: templates are entered with arguments of our own; without it of each. */
  readonly mayAssume?: (kernel: KernelDeclaration) => boolean;
}

export interface FoundLaunches {
  readonly launches: readonly Launch[];
  readonly gaps: readonly HostGap[];
}

/** Blocks and threads that the hardware can start. */
const maxThreads = 1024;

/** What is taken for granted of the world outside the text. */
type World = Pick<RunOptions, "argumentCount" | "device" | "environment">;

const usualWorld: World = { argumentCount: 1, device: "measured", environment: "empty" };

/** A world of which less is known than of the usual one, and what is said of launches that the two do not share. */
interface OtherWorld {
  readonly world: World;
  readonly isAsked: boolean;
  /** What a launch hangs on that is only made in the usual world. */
  readonly usually: Assumption;
  /** What a launch hangs on that is only made in this one. */
  readonly here: Assumption;
}

function otherWorlds(program: Program, slice: Slice, usual: RunResult): readonly OtherWorld[] {
  return [
    {
      world: { ...usualWorld, argumentCount: "unknown" },
      isAsked: argumentsMatter(program, slice),
      usually: { kind: "world", world: "no-arguments" },
      here: { kind: "world", world: "some-arguments" },
    },
    {
      world: { ...usualWorld, device: "common" },
      isAsked: usual.asked.has("device"),
      usually: { kind: "world", world: "measured-device" },
      here: { kind: "world", world: "other-device" },
    },
    {
      world: { ...usualWorld, environment: "unknown" },
      isAsked: usual.asked.has("environment"),
      usually: { kind: "world", world: "empty-environment" },
      here: { kind: "world", world: "other-environment" },
    },
  ];
}

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
  const entered = (ids: readonly FunctionId[]) =>
    run(program, ids, sliceOf(program, ids), { ...usualWorld, texts, kernelUses: null });
  const inWorld = (world: World) => run(program, entries, slice, { ...world, texts, kernelUses: null });
  const usual = yield* inWorld(usualWorld);
  const contents = yield* contentsOf(program, entries, usual.launches, texts);
  const others: { readonly other: OtherWorld; readonly launches: readonly CountedLaunch[] }[] = [];
  for (const other of otherWorlds(program, slice, usual)) {
    if (other.isAsked) others.push({ other, launches: (yield* inWorld(other.world)).launches });
  }
  const gaps = new HostGaps();
  gaps.addAll(usual.gaps);
  const free = others.map(({ other, launches }) => ({ other, described: new Set(launches.map(describe)) }));
  const met = usual.launches.map((launch) => {
    const description = describe(launch);
    const bound = free.filter(({ described }) => !described.has(description));
    const assumptions = [...bound.map(({ other }) => other.usually), ...launch.assumptions];
    return contents.put({ ...launch, assumptions });
  });
  const launched = new Set(met.map((launch) => declarationOf(program, launch)));
  const elsewhere: CountedLaunch[] = [];
  for (const { other, launches } of others) {
    const missing = launches.filter((launch) => !launched.has(declarationOf(program, launch)));
    for (const launch of missing) elsewhere.push(withAssumption(launch, other.here));
    for (const launch of missing) launched.add(declarationOf(program, launch));
  }
  const unreached = [...(yield* fromElsewhere(program, launched, entered))];
  for (const launch of unreached) launched.add(declarationOf(program, launch));
  unreached.push(
    ...(yield* fromTemplates(program, launched, {
      mayAssume: options.mayAssume ?? (() => true),
      run: entered,
    })),
  );
  return {
    launches: [...met, ...elsewhere, ...unreached].flatMap((launch) => complete(program, launch, gaps)),
    gaps: gaps.list(),
  };
}

/** Launches of kernels that are not among `launched`, by functions that no entry was seen to call. */
function* fromElsewhere(
  program: Program,
  launched: ReadonlySet<string>,
  entered: (ids: readonly FunctionId[]) => Generator<void, RunResult>,
): Generator<void, readonly CountedLaunch[]> {
  const isComplete = program.kernels.every(({ nameRange }) => launched.has(placeOf(nameRange)));
  const entries = isComplete ? [] : program.hostLaunchers.filter((id) => !program.hostEntries.includes(id));
  if (entries.length === 0) return [];
  const { launches } = yield* entered(entries);
  return launches
    .filter((launch) => !launched.has(declarationOf(program, launch)))
    .map((launch) => withAssumption(launch, { kind: "hidden-caller", callee: null }));
}

/** What launches find in memory. */
interface FoundContents {
  put(launch: CountedLaunch): CountedLaunch;
}

/** Launches of the two runs are held against each other, each with each. */
const mostLaunches = 1000;

const noContents: FoundContents = { put: (launch) => launch };

/**
 * Runs the host's code once more, with the data in bulk that accesses of the kernels hang on: so the launches are what they are whether or not
 * anybody could follow those.
 */
function* contentsOf(
  program: Program,
  entries: readonly FunctionId[],
  launches: readonly CountedLaunch[],
  texts: ConditionTexts,
): Generator<void, FoundContents> {
  const kernelUses = new KernelUses(program);
  const isRead = ({ kernel, arguments: values }: CountedLaunch) =>
    values.some((_, index) => kernelUses.isRead(kernel, index));
  const seesMemory = launches.some((launch) => launch.arguments.some(leadsToSeenMemory));
  if (!seesMemory || launches.length > mostLaunches || !launches.some(isRead)) return noContents;
  yield;
  const slice = sliceOf(program, entries, (kernel, index) => kernelUses.isRead(kernel, index));
  const result = yield* run(program, entries, slice, { ...usualWorld, texts, kernelUses });
  if (!result.knowsData) return noContents;
  if (!result.launches.some((launch) => launch.arguments.some(holdsContents))) return noContents;
  const worlds = otherWorlds(program, slice, result).filter(({ isAsked }) => isAsked);
  return {
    put(launch) {
      const values = withContentsOf(launch, result.launches);
      if (!values.some(holdsContents)) return launch;
      const assumptions = [...worlds.map(({ usually }) => usually), ...launch.assumptions];
      return { ...launch, arguments: values, assumptions: distinctAssumptions(assumptions) };
    },
  };
}

/** Whether a value is or holds a pointer to memory that was seen allocated: of other memory nobody knows what lies there. */
function leadsToSeenMemory(value: HostValue): boolean {
  if (value.kind === "aggregate") return [...value.parts.values()].some(leadsToSeenMemory);
  return value.kind === "pointer" && value.allocation.isAlignmentAssumed !== true;
}

function holdsContents(value: HostValue): boolean {
  if (value.kind === "aggregate") return [...value.parts.values()].some(holdsContents);
  return value.kind === "pointer" && value.contents !== undefined;
}

interface RunResult {
  readonly launches: readonly CountedLaunch[];
  readonly gaps: readonly HostGap[];
  /** What the host asked of the world that it runs in. */
  readonly asked: ReadonlySet<WorldQuestion>;
  /** Whether data in bulk were followed to the end. */
  readonly knowsData: boolean;
}

function* run(
  program: Program,
  entries: readonly FunctionId[],
  slice: Slice,
  options: RunOptions,
): Generator<void, RunResult> {
  const recorder = new Recorder();
  const gaps = new HostGaps();
  const asked = new Set<WorldQuestion>();
  const reached = new Set<FunctionId>();
  let knowsData = true;
  for (const entry of entries) {
    // What another entry calls was run with arguments that are known.
    if (reached.has(entry)) continue;
    yield;
    const interpreter = new Interpreter(program, slice, recorder, options);
    interpreter.runEntry(entry);
    gaps.addAll(interpreter.gaps.list());
    for (const question of interpreter.asked) asked.add(question);
    for (const id of interpreter.reached) reached.add(id);
    knowsData &&= interpreter.knowsData;
  }
  const launches = recorder.launches();
  return { launches, gaps: gaps.list(), asked, knowsData };
}

function describe(launch: CountedLaunch): string {
  return `${keyOf(launch)}|${launch.assumptions.length}`;
}

function argumentsMatter(program: Program, slice: Slice): boolean {
  return program.hostEntries.some((entry) => {
    const definition = program.functionOf(entry);
    return (
      definition?.name === "main" && definition.parameters.some((parameter) => slice.dependsOn(parameter))
    );
  });
}

function withAssumption(launch: CountedLaunch, assumption: Assumption): CountedLaunch {
  return { ...launch, assumptions: [assumption, ...launch.assumptions] };
}

function complete(program: Program, met: CountedLaunch, gaps: HostGaps): Launch[] {
  const kernel = program.functionOf(met.kernel);
  if (kernel === null) return [];
  const problem = invalidity(met, kernel.name);
  if (problem !== null) {
    gaps.add(problem, met.path[0] ?? null);
    return [];
  }
  const [x = null, y = null, z = null] = met.block;
  const [gridX = null, gridY = null, gridZ = null] = met.grid;
  const { arguments: values, constants, isFromMain, sharedBytes, count, path, choices } = met;
  const rest = {
    kernel: met.kernel,
    grid: [gridX, gridY, gridZ] as const,
    sharedBytes,
    arguments: values,
    ...(constants.size > 0 && { constants }),
    ...(isFromMain && { isFromMain }),
    count,
    ...(choices > mostIndependentChoices && { isSample: true as const }),
  };
  if (x !== null && y !== null && z !== null) {
    return [{ ...rest, block: [x, y, z], origin: { kind: "launch", path }, assumptions: met.assumptions }];
  }
  const undeclared = met.undeclaredBlock !== null && { undeclared: met.undeclaredBlock };
  return shapesLike(program, met.kernel, [x, y, z]).map((block) => ({
    ...rest,
    block,
    origin: { kind: "assumed", path },
    assumptions: [...met.assumptions, { kind: "block", block, ...undeclared }],
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
