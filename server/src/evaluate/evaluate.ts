// The folded evaluator: what every warp of a launch accesses, and what that costs.
import type { Assumption, CompilerDoubt } from "../ir/assumption.ts";
import type { AccessSite } from "../ir/expression.ts";
import { type FunctionDefinition, type Program, readableName } from "../ir/function.ts";
import type { Loop } from "../ir/statement.ts";
import type { Launch } from "../launches/launch.ts";
import { runToEnd, type Steps } from "../steps.ts";
import { execute } from "./code/statements.ts";
import type { KnownPitches } from "./cost/pitch.ts";
import {
  type CallPath,
  isUneven,
  type LogEntry,
  profilesOf,
  type SiteProfile,
  type SizeUse,
} from "./cost/recorder.ts";
import { type CodeFacts, type Frame, type Machine, relevanceIn } from "./machine.ts";
import { argumentValue, createObjectTable, type ObjectTable } from "./memory/objects.ts";
import type { RememberedAccesses } from "./memory/remembered.ts";
import type { LaunchProfile } from "./profile.ts";
import { headsOf } from "./regions/heads.ts";
import {
  finish,
  firstOpen,
  type Log,
  logOf,
  type Piece,
  partsOf,
  type Waiting,
  wholly,
} from "./regions/pieces.ts";
import { createRegionQueue } from "./regions/queue.ts";
import {
  type BoundRegion,
  bindRegion,
  type Region,
  regionsOf,
  splitRegion,
  warpsOf,
} from "./regions/region.ts";
import { accessesIn, unreachedAccesses } from "./regions/unreached.ts";
import { emptyMask, sureMask } from "./values/mask.ts";
import { BudgetSpent, SplitRequest } from "./values/symbol.ts";
import { createSymbolTable, type SymbolTable } from "./values/symbols.ts";
import type { MemoryObject } from "./values/value.ts";

export interface EvaluationOptions {
  /** Evaluated nodes after which the rest of the launch is left out. */
  readonly stepLimit: number;
  /** `coarse`: trips of long loops are taken as one from the start, where a precise sweep is expected to end in vain. */
  readonly sweeps: "all" | "coarse";
}

const defaultEvaluationOptions: EvaluationOptions = { stepLimit: 2_000_000, sweeps: "all" };

const mostRegions = 20_000;

/** Evaluates launches of one program, in steps: what its functions need to have worked out is worked out once. */
export type Evaluator = (launch: Launch, options?: EvaluationOptions) => Steps<LaunchProfile>;

/** See `evaluateLaunch`. */
export function evaluatorOf(program: Program): Evaluator {
  const code: CodeFacts = { relevance: new Map(), remade: new Map() };
  return (launch, options = defaultEvaluationOptions) => evaluateOne(program, code, launch, options);
}

/**
 * Profiles of every shared and global access of `launch`. Figures are totals over all blocks, warps and trips: blocks are folded only
 * where they are proven alike. Where the budget ends first the verdicts are conditional and say so.
 */
export function evaluateLaunch(
  program: Program,
  launch: Launch,
  options: EvaluationOptions = defaultEvaluationOptions,
): LaunchProfile {
  return runToEnd(evaluatorOf(program)(launch, options));
}

function* evaluateOne(
  program: Program,
  code: CodeFacts,
  launch: Launch,
  options: EvaluationOptions,
): Steps<LaunchProfile> {
  const definition = program.functionOf(launch.kernel);
  if (!definition) return withoutBody(launch);
  const shared: SharedState = {
    program,
    launch,
    symbols: createSymbolTable(),
    objects: createObjectTable(definition.sharedOffsets ?? new Map()),
    sizes: { bounding: new Set() },
    gaps: new Set(definition.gaps),
    paths: new Map(),
    starts: new Map(),
    code,
    patience: new Map(),
    knownPitches: new Map(),
    remembered: new Map(),
    doubted: new Map(definition.siteDoubts),
    root: { id: 0, range: null, caller: null },
    assumptions: [
      ...launch.assumptions,
      ...definition.assumptions,
      ...(definition.doubts ?? []).map((doubt) => ({ kind: "compiler", doubt }) as const),
    ],
  };
  const isGridKnown = launch.grid.every((count) => count !== null);
  const rows = definition.neighbourRows ?? [];
  let known: readonly SiteProfile[] = [];
  let steps = 0;
  let openFrom = 0;
  let seen: LaunchProfile["seen"] = "sample";
  const wholeCoverage = { isGridKnown, shortfall: null, share: 1 };
  for (const kind of options.sweeps === "all" ? allSweeps : coarseSweeps) {
    const { shareOfLeft, shareOfLoop } = kind;
    if (kind === firstCoarse) {
      const ahead = yield* sweepHeads(shared, definition, openFrom, options.stepLimit - steps);
      const profiles = profilesOf(ahead.log, shared, wholeCoverage, rows);
      const settled = profiles.filter(({ site }) => !ahead.later.has(site));
      const sites = sitesOf(settled);
      known = [...known.filter(({ site }) => !sites.has(site)), ...settled];
      steps += ahead.steps;
    }
    if (known.length > 0 && isSettled(program, definition, known)) break;
    const stepLimit = (options.stepLimit - steps) * shareOfLeft;
    const isPrecise = shareOfLoop === Infinity;
    const knownBy = ({ log: { whole, partial }, done, total, isWhole }: Sweep): SiteProfile[] => {
      const trips = isPrecise ? "all" : "first";
      const shortfall =
        isWhole && isPrecise
          ? null
          : ({ kind: "part-of-launch", evaluatedWarps: done, warps: total, trips } as const);
      const coverage = { isGridKnown, shortfall, share: done / total };
      return completed(known, [
        ...profilesOf(whole, shared, wholeCoverage, rows),
        ...profilesOf(partial, shared, coverage, rows),
      ]);
    };
    const isSettledBy = (swept: Sweep) => isSettled(program, definition, knownBy(swept));
    const limits = { stepLimit, stepsOfLoop: stepLimit * shareOfLoop };
    const swept = yield* sweep(shared, definition, limits, isPrecise ? isSettledBy : null);
    seen = isPrecise ? (swept.isWhole ? "all" : "sample") : "coarse";
    known = knownBy(swept);
    openFrom = Math.max(openFrom, swept.openFrom);
    steps += swept.steps;
    if (swept.isWhole) break;
  }
  const unreached = seen === "all" ? [] : unreachedAccesses(program, definition, sitesOf(known));
  return {
    launch,
    accesses: [...known.map(({ profile }) => profile), ...unreached],
    gaps: [...shared.gaps],
    steps,
    seen,
    isCut: unreached.length > 0 || known.some(isUneven),
  };
}

/** Whether more steps would settle no access that few did not. */
function isSettled(program: Program, definition: FunctionDefinition, known: readonly SiteProfile[]): boolean {
  return !known.some(isUneven) && unreachedAccesses(program, definition, sitesOf(known)).length === 0;
}

function withoutBody(launch: Launch): LaunchProfile {
  return {
    launch,
    accesses: [],
    gaps: [`${readableName(launch.kernel)} has no body in sight`],
    steps: 0,
    seen: "all",
    isCut: false,
  };
}

/** What was known, and what a coarser sweep found out of the sites where too few warps were seen, or none. */
function completed(known: readonly SiteProfile[], coarser: readonly SiteProfile[]): SiteProfile[] {
  const seen = sitesOf(known);
  const found = sitesOf(coarser);
  const openStill = sitesOf(coarser.filter(({ profile }) => profile.verdict.kind === "unknown"));
  const settled = new Set(
    known.filter(isUneven).flatMap(({ site }) => (found.has(site) && !openStill.has(site) ? [site] : [])),
  );
  return [
    ...known.filter(({ site }) => !settled.has(site)),
    ...coarser.filter(({ site }) => !seen.has(site) || settled.has(site)),
  ];
}

/** One of several goes at a launch: each is coarser than the one before, and made where that did not come to its end. */
interface SweepKind {
  /** Of the budget that is left. */
  readonly shareOfLeft: number;
  /** Of the budget of the sweep: what one loop may take before its trips are taken as one, so that what stands behind it is seen. */
  readonly shareOfLoop: number;
}

const preciseSweep: SweepKind = { shareOfLeft: 0.75, shareOfLoop: Infinity };
const firstCoarse: SweepKind = { shareOfLeft: 0.5, shareOfLoop: 1 / 64 };
const coarseSweeps: readonly SweepKind[] = [
  firstCoarse,
  { shareOfLeft: 0.85, shareOfLoop: 1 / 4096 },
  { shareOfLeft: 1, shareOfLoop: 0 },
];
const allSweeps: readonly SweepKind[] = [preciseSweep, ...coarseSweeps];

/** Whether the precise sweep comes to its end, as it did in `profile`: more steps would change nothing. */
export function isPreciseWithin(
  { steps, seen }: Pick<LaunchProfile, "steps" | "seen">,
  { stepLimit, sweeps }: EvaluationOptions,
): boolean {
  return seen === "all" && sweeps === "all" && steps < stepLimit * preciseSweep.shareOfLeft;
}

/** The least that would have done for an evaluation that left nothing open, with what it was allowed. */
export function enoughFor(profile: LaunchProfile, allowed: EvaluationOptions): EvaluationOptions {
  const { steps } = profile;
  if (isPreciseWithin(profile, allowed))
    return { stepLimit: Math.min(allowed.stepLimit, steps / preciseSweep.shareOfLeft), sweeps: "all" };
  // How many warps do for all hangs on the limit.
  if (profile.seen === "sample") return allowed;
  const inVain = allowed.sweeps === "all" ? allowed.stepLimit * preciseSweep.shareOfLeft : 0;
  const ofCoarse = (steps - inVain) / Math.min(...coarseSweeps.map(({ shareOfLeft }) => shareOfLeft));
  return { stepLimit: Math.max(0, Math.min(allowed.stepLimit - inVain, ofCoarse)), sweeps: "coarse" };
}

function sitesOf(profiles: readonly SiteProfile[]): Set<AccessSite> {
  return new Set(profiles.map(({ site }) => site));
}

interface SweepOptions {
  readonly stepLimit: number;
  readonly stepsOfLoop: number;
}

interface Sweep {
  readonly log: Log;
  /** The statement of the kernel up to which all warps are recorded, each trip of each loop. */
  readonly openFrom: number;
  /** Warps of regions that came to their end, and of all. */
  readonly done: number;
  readonly total: number;
  readonly isWhole: boolean;
  readonly steps: number;
}

/** The share of its budget after which a sweep is asked for the first time whether it goes on, then at twice that, and so on. */
const shareOfTrial = 1 / 8;
/** What it seems to need, of its budget, where it will not come to its end. */
const shareInVain = 1.25;

/**
 * Evaluates regions of the launch, spread over it, until all are done or the budget is spent; or, where the budget will not do for all of
 * them, until `isEnough`.
 */
function* sweep(
  shared: SharedState,
  definition: FunctionDefinition,
  options: SweepOptions,
  isEnough: ((sofar: Sweep) => boolean) | null,
): Steps<Sweep> {
  const pieces: Piece[] = [];
  const all = regionsOf(shared.launch);
  const queue = createRegionQueue<Waiting>(all.map(wholly), ({ region }) => warpsOf(region));
  const total = all.reduce((sum, region) => sum + warpsOf(region), 0);
  let steps = 0;
  let regions = 0;
  let done = 0;
  let isSpent = false;
  let nextTrial = options.stepLimit * shareOfTrial;
  const isPrecise = options.stepsOfLoop === Infinity;
  let cut: readonly Waiting[] = [];
  const sofar = (isWhole: boolean): Sweep => {
    const openFrom = isPrecise ? firstOpen([...cut, ...queue.rest()]) : 0;
    return { log: logOf(pieces, definition, openFrom), openFrom, done, total, isWhole, steps };
  };
  while (!isSpent) {
    const next = queue.next();
    if (!next) break;
    const bound = bindRegion(next.region, shared.symbols);
    const machine = newMachine(shared, bound, {
      ...options,
      stepLimit: options.stepLimit - steps,
      region: regions,
    });
    // A coarse sweep takes trips for others that it has not seen: what it makes of a loop hangs on whether it records.
    const firstRecorded = isPrecise ? next.firstRecorded : 0;
    const outcome = yield* run(machine, definition, bound, firstRecorded);
    steps += machine.steps;
    regions++;
    if (outcome.kind === "split") queue.divide(partsOf(next, outcome, machine.log, pieces));
    else if (outcome.kind === "done") {
      pieces.push({ entries: machine.log, warps: 1, done: 1, outer: null });
      done += finish(next);
    } else cut = [next];
    isSpent = outcome.kind === "spent" || regions >= mostRegions || steps >= options.stepLimit;
    if (isEnough && steps >= nextTrial && !isSpent) {
      nextTrial = steps * 2;
      const isInVain = (steps / done) * total > options.stepLimit * shareInVain;
      isSpent = isInVain && isEnough(sofar(false));
    }
    yield;
  }
  return sofar(!isSpent || (queue.isEmpty() && done === total));
}

/** For one head, and of what is left for all of them: the loops are to have the rest. */
const mostStepsOfHead = 20_000;
const shareOfHeads = 0.25;

/** What is in front of the loops that take the budget, in all warps: of the longest head that few steps evaluate, and that is longer than what is recorded of all. */
function* sweepHeads(
  shared: SharedState,
  definition: FunctionDefinition,
  openFrom: number,
  stepsLeft: number,
): Steps<{ log: readonly LogEntry[]; later: ReadonlyMap<AccessSite, unknown>; steps: number }> {
  let steps = 0;
  for (const { head, rest } of headsOf(definition, openFrom)) {
    const stepLimit = Math.min(mostStepsOfHead, stepsLeft * shareOfHeads - steps);
    if (stepLimit <= 0) break;
    const swept = yield* sweep(shared, head, { stepLimit, stepsOfLoop: Infinity }, null);
    steps += swept.steps;
    if (swept.isWhole)
      return {
        log: [...swept.log.whole, ...swept.log.partial],
        later: accessesIn(shared.program, rest),
        steps,
      };
  }
  return { log: [], later: new Map(), steps };
}

interface SharedState {
  readonly program: Program;
  readonly launch: Launch;
  readonly symbols: SymbolTable;
  readonly objects: ObjectTable;
  readonly sizes: SizeUse;
  readonly gaps: Set<string>;
  readonly paths: Map<string, CallPath>;
  readonly starts: Map<number, MemoryObject>;
  readonly code: CodeFacts;
  readonly patience: Map<Loop, number>;
  readonly knownPitches: KnownPitches;
  readonly remembered: RememberedAccesses;
  readonly doubted: Map<AccessSite, CompilerDoubt>;
  readonly root: CallPath;
  /** What the launch and the conventions of the kernel take for granted: it holds for every access. */
  readonly assumptions: readonly Assumption[];
}

type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "spent" }
  | {
      readonly kind: "split";
      readonly regions: readonly Region[];
      /** The statement of the kernel that could not be evaluated for the region as a whole; the log has what those before it did. */
      readonly statement: number;
    };

/** Runs the kernel over one region. What statements before `firstRecorded` do is recorded elsewhere: they are run for what they leave in variables. */
function* run(
  machine: Machine,
  definition: FunctionDefinition,
  bound: BoundRegion,
  firstRecorded: number,
): Steps<Outcome> {
  const mask = sureMask(bound.region.warps.activeMask);
  const frame: Frame = {
    definition,
    lanes: mask.active,
    slotOf: new Map(),
    path: machine.root,
    loops: [],
    changedBy: new Map(),
    returnSlot: machine.nextSlot++,
    reachesVariables: false,
    returned: emptyMask,
    returnedSlots: [],
  };
  machine.frames.push(frame);
  definition.parameters.forEach((parameter, index) => {
    const slot = machine.nextSlot++;
    frame.slotOf.set(parameter.id, slot);
    const host = machine.launch.arguments[index] ?? { kind: "unknown", reason: parameter.name };
    machine.slots.set(slot, argumentValue(host, parameter, machine.symbols, machine.objects));
  });
  let statement = 0;
  let logLength = 0;
  try {
    let live = mask;
    for (; statement < definition.body.length && live.active !== 0; statement++) {
      if (statement < firstRecorded && !relevanceIn(machine, frame).mattersBehind(statement)) continue;
      machine.rehearsals = statement < firstRecorded ? 1 : 0;
      logLength = machine.log.length;
      live = yield* execute(machine, frame, definition.body.slice(statement, statement + 1), live);
    }
    return { kind: "done" };
  } catch (error) {
    if (error instanceof BudgetSpent) return { kind: "spent" };
    if (!(error instanceof SplitRequest)) throw error;
    const regions = splitRegion(bound, error.split);
    machine.log.length = regions.length > 0 ? logLength : 0;
    if (regions.length > 0) return { kind: "split", regions, statement };
    machine.gaps.add("the work differs from block to block in a way that is not followed");
    return { kind: "done" };
  }
}

/** Written out property by property: a spread would give machines no layout in common, at which thousands of regions take a tenth longer. */
function newMachine(
  shared: SharedState,
  bound: BoundRegion,
  limits: SweepOptions & { readonly region: number },
): Machine {
  return {
    program: shared.program,
    launch: shared.launch,
    symbols: shared.symbols,
    objects: shared.objects,
    bound,
    sizes: shared.sizes,
    gaps: shared.gaps,
    warpCount: bound.warpCount,
    log: [],
    slots: new Map(),
    nextSlot: 1,
    paths: shared.paths,
    starts: shared.starts,
    root: shared.root,
    multiplicity: 1,
    rehearsals: 0,
    assumptions: shared.assumptions,
    steps: 0,
    nextPause: 0,
    stepLimit: limits.stepLimit,
    stepsOfLoop: limits.stepsOfLoop,
    region: limits.region,
    frames: [],
    code: shared.code,
    patience: shared.patience,
    knownPitches: shared.knownPitches,
    remembered: shared.remembered,
    doubted: shared.doubted,
    tables: new Map(),
  };
}
