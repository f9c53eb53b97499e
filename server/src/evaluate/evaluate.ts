// The folded evaluator: what every warp of a launch accesses, and what that costs. See DESIGN §6.
import type { FunctionDefinition, Program } from "../ir/function.ts";
import type { Launch } from "../launches/launch.ts";
import type { Frame, Machine } from "./machine.ts";
import { emptyMask, sureMask } from "./mask.ts";
import { argumentValue, createObjectTable, type ObjectTable } from "./objects.ts";
import type { LaunchProfile } from "./profile.ts";
import { type CallPath, type LogEntry, profilesOf, type SizeUse } from "./recorder.ts";
import { type BoundRegion, bindRegion, type Region, regionsOf, splitRegion } from "./region.ts";
import { execute } from "./statements.ts";
import { BudgetSpent, SplitRequest } from "./symbol.ts";
import { createSymbolTable, type SymbolTable } from "./symbols.ts";

export interface EvaluationOptions {
  /** Evaluated nodes after which the rest of the launch is left out. */
  readonly stepLimit: number;
}

export const defaultEvaluationOptions: EvaluationOptions = { stepLimit: 2_000_000 };

const mostRegions = 20_000;

/**
 * Profiles of every shared and global access of `launch`. Figures are totals over all blocks, warps and trips: blocks are folded only
 * where they are proven alike. Where the budget ends first the verdicts are conditional and say so.
 */
export function evaluateLaunch(
  program: Program,
  launch: Launch,
  options: EvaluationOptions = defaultEvaluationOptions,
): LaunchProfile {
  const definition = program.functionOf(launch.kernel);
  if (!definition) return { launch, accesses: [], gaps: [`${launch.kernel} has no body in sight`], steps: 0 };
  const shared: SharedState = {
    program,
    launch,
    symbols: createSymbolTable(),
    objects: createObjectTable(),
    sizes: { bounding: new Set() },
    gaps: new Set(definition.gaps),
    paths: new Map(),
    root: { id: 0, range: null, caller: null },
    assumptions: [...launch.assumptions, ...definition.assumptions],
  };
  const log: LogEntry[] = [];
  const queue = regionsOf(launch);
  let steps = 0;
  let regions = 0;
  let done = 0;
  let total = 0;
  for (const region of queue) total += warpsOf(region);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const bound = bindRegion(next, shared.symbols);
    const machine = newMachine(shared, bound, options.stepLimit - steps);
    const outcome = run(machine, definition, bound);
    steps += machine.steps;
    regions++;
    if (outcome.kind === "split") {
      for (const region of outcome.regions) queue.push(region);
      if (steps < options.stepLimit && regions < mostRegions) continue;
    } else {
      for (const entry of machine.log) log.push(entry);
      if (outcome.kind === "done") done += warpsOf(next);
    }
    if (outcome.kind === "spent" || regions >= mostRegions || steps >= options.stepLimit) break;
  }
  const isWhole = done === total || (queue.length === 0 && done >= total);
  return {
    launch,
    accesses: profilesOf(log, shared.sizes, {
      isGridKnown: launch.grid.every((count) => count !== null),
      shortfall: isWhole ? null : `${done} of ${total} warps were evaluated within the budget`,
    }),
    gaps: [...shared.gaps],
    steps,
  };
}

interface SharedState {
  readonly program: Program;
  readonly launch: Launch;
  readonly symbols: SymbolTable;
  readonly objects: ObjectTable;
  readonly sizes: SizeUse;
  readonly gaps: Set<string>;
  readonly paths: Map<string, CallPath>;
  readonly root: CallPath;
  /** What the launch and the conventions of the kernel take for granted: it holds for every access. */
  readonly assumptions: readonly string[];
}

type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "spent" }
  | { readonly kind: "split"; readonly regions: readonly Region[] };

/** Runs the kernel over one region. */
function run(machine: Machine, definition: FunctionDefinition, bound: BoundRegion): Outcome {
  const frame: Frame = {
    definition,
    slotOf: new Map(),
    path: machine.root,
    loops: [],
    returnSlot: machine.nextSlot++,
    returned: emptyMask,
  };
  machine.frames.push(frame);
  definition.parameters.forEach((parameter, index) => {
    const slot = machine.nextSlot++;
    frame.slotOf.set(parameter.id, slot);
    const host = machine.launch.arguments[index] ?? { kind: "unknown", reason: parameter.name };
    machine.slots.set(slot, argumentValue(host, parameter, machine.symbols, machine.objects));
  });
  const mask = sureMask(bound.region.warps.activeMask);
  try {
    execute(machine, frame, definition.body, mask);
    return { kind: "done" };
  } catch (error) {
    if (error instanceof BudgetSpent) return { kind: "spent" };
    if (!(error instanceof SplitRequest)) throw error;
    machine.log.length = 0;
    const regions = splitRegion(bound, error.split);
    if (regions.length > 0) return { kind: "split", regions };
    machine.gaps.add("the work differs from block to block in a way that is not followed");
    return { kind: "done" };
  }
}

function newMachine(shared: SharedState, bound: BoundRegion, stepLimit: number): Machine {
  return {
    ...shared,
    bound,
    warpCount: bound.warpCount,
    log: [],
    slots: new Map(),
    nextSlot: 1,
    multiplicity: 1,
    rehearsals: 0,
    assumptions: shared.assumptions,
    steps: 0,
    stepLimit,
    frames: [],
    tables: new Map(),
  };
}

/** Warps of a region, an unknown grid counted as one block. */
function warpsOf(region: Region): number {
  return [...region.block, ...region.warp].reduce(
    (product, progression) => product * (progression?.count ?? 1),
    1,
  );
}
