// Rewrites the accesses of device code as nvcc -O3 makes them. Plain IR in, plain IR out; docs/codegen.md has the rules and the
// measurements behind each.
import type { Expression } from "../ir/expression.ts";
import type { FunctionDefinition, FunctionId, NeighbourRow, Program } from "../ir/function.ts";
import type { Statement } from "../ir/statement.ts";
import type { Variable } from "../ir/variable.ts";
import { runToEnd, type Steps } from "../steps.ts";
import { Addressing } from "./addresses/address.ts";
import { dynamicAlignmentBytes } from "./addresses/alignment.ts";
import { limitByCounters } from "./addresses/counters.ts";
import { PointerSpaces } from "./addresses/pointer-spaces.ts";
import { limitByReuse } from "./addresses/reuse.ts";
import { noteSeenApart } from "./addresses/seen-apart.ts";
import { type SharedLayout, sharedLayoutOf } from "./addresses/shared-layout.ts";
import { arrayOffsetsOf, isElsewhere } from "./addresses/shared-offsets.ts";
import { sharedOrderOf } from "./addresses/shared-order.ts";
import { limitBySubtraction } from "./addresses/subtracted.ts";
import { limitByTests } from "./addresses/tested-indices.ts";
import { markAtomics } from "./atomics/discard.ts";
import { type Uniformity, uniformityIn } from "./atomics/divergence.ts";
import { markLockTurns } from "./atomics/lock-turns.ts";
import { lanesWaitAtIn } from "./atomics/waiting-lanes.ts";
import { withoutDead } from "./dead/dead.ts";
import { keptArrays } from "./dead/kept-arrays.ts";
import { withoutUnusedLocals } from "./dead/unused.ts";
import { doubtsIn } from "./doubts/doubts.ts";
import { joinWays, withLastLoads } from "./join/join.ts";
import { predicatedCopiesOf } from "./join/predicated-copies.ts";
import type { LineariseOptions } from "./linearise/context.ts";
import { type InlineBodies, inlineBodyOf } from "./linearise/inline.ts";
import { linearise } from "./linearise/linearise.ts";
import { noteAcrossTrips } from "./loops/across-trips.ts";
import { markCopies } from "./loops/copies.ts";
import { hoistInvariants } from "./loops/hoist.ts";
import { lanesPartAtIn } from "./loops/parting-lanes.ts";
import { roundsWorthWriting } from "./loops/written-rounds.ts";
import { hasSeveralBlocks } from "./merge/emitted.ts";
import { withLoadsAhead } from "./merge/loaded-ahead.ts";
import { loadHalves } from "./merge/long-halves.ts";
import { mergeNeighbours, mergePastStores } from "./merge/merge.ts";
import { narrowLoads } from "./merge/narrow.ts";
import { withPiecesApart } from "./sink/record-pieces.ts";
import { sinkLoads } from "./sink/sink.ts";
import { sinkValues } from "./sink/values.ts";
import { forwardValues } from "./values/forward.ts";
import { withLoadsEliminated, withoutPartlyRedundant } from "./values/loads.ts";
import { settledLoads, withSettledLoads } from "./values/shared-scalars.ts";
import { freshVariables } from "./walks/fresh.ts";
import { surveyOf } from "./walks/survey.ts";
import { usageOf } from "./walks/usage.ts";
import { isCall, sitesIn, someExpressionOf } from "./walks/walk.ts";

export interface GeneratedProgram extends Program {
  /** What `functionOf` gives, in steps, a pass each. */
  generating(id: FunctionId): Steps<FunctionDefinition | null>;
}

/** A view of the program in which kernels access memory as nvcc's machine code does. Functions are rewritten when first asked for. */
export function generateCode(program: Program): GeneratedProgram {
  const rewritten = new Map<FunctionId, FunctionDefinition | null>();
  const used = new Map<FunctionId, FunctionDefinition | null>();
  /** What is compiled of a function of the program. */
  const usedOf = (id: FunctionId): FunctionDefinition | null => {
    const known = used.get(id);
    if (known !== undefined) return known;
    const definition = program.functionOf(id);
    const result = definition && definition.kind !== "host" ? withoutUnusedLocals(definition) : definition;
    used.set(id, result);
    return result;
  };
  const inlineBodies: InlineBodies = new Map();
  const initializerOf = (variable: Variable) => program.globalInitializer(variable);
  let firstFresh = -1;
  function* generating(id: FunctionId): Steps<FunctionDefinition | null> {
    const known = rewritten.get(id);
    if (known !== undefined) return known;
    const fresh = freshVariables(firstFresh);
    firstFresh -= freshPerFunction;
    const definition = usedOf(id);
    const result =
      definition && definition.kind !== "host"
        ? yield* generateFunction(definition, usedOf, {
            hasRelocatableDeviceCode: program.hasRelocatableDeviceCode,
            fresh,
            inlineBodies,
            initializerOf,
            roundsOf: new Map(),
          })
        : definition;
    rewritten.set(id, result);
    return result;
  }
  return {
    kernels: program.kernels,
    unreadKernels: program.unreadKernels,
    hasRelocatableDeviceCode: program.hasRelocatableDeviceCode,
    hostEntries: program.hostEntries,
    get hostLaunchers() {
      return program.hostLaunchers;
    },
    hostTemplatesFor: (kernels) => program.hostTemplatesFor?.(kernels) ?? [],
    generating,
    functionOf: (id) => rewritten.get(id) ?? runToEnd(generating(id)),
    kindOf: (id) => program.kindOf(id),
    instantiateKernel: (kernel, templateArguments) => program.instantiateKernel(kernel, templateArguments),
    explicitInstances: (kernel) => program.explicitInstances(kernel),
    launchSiteOf: (kernel) => program.launchSiteOf(kernel),
    globalInitializer: initializerOf,
  };
}

/** Ids that a function's own temporaries may take, so that no two functions of a program share one. */
const freshPerFunction = 1_000_000;

function* generateFunction(
  definition: FunctionDefinition,
  functionOf: Program["functionOf"],
  {
    hasRelocatableDeviceCode,
    ...options
  }: Omit<LineariseOptions, "functionOf"> & Pick<Program, "hasRelocatableDeviceCode">,
): Steps<FunctionDefinition> {
  const gaps = new Set(definition.gaps);
  const doubts = new Set(definition.doubts);
  const assumptions = new Map(definition.assumptions.map((each) => [each.name, each]));
  const linearised = linearise(definition, {
    functionOf: (id) => {
      const callee = functionOf(id);
      // What its callees leave open, a function leaves open once they stand in it.
      for (const gap of callee?.gaps ?? []) gaps.add(gap);
      for (const doubt of callee?.doubts ?? []) doubts.add(doubt);
      for (const assumption of callee?.assumptions ?? []) assumptions.set(assumption.name, assumption);
      return callee;
    },
    ...options,
  });
  const { fresh } = options;
  const {
    body: linear,
    groups,
    copied: copiedRecords,
    byteCopies,
    readOnlySites,
    asmSites,
    unrolledLoops,
    knownRounds,
    nearlyUnrolled,
    countedFrom,
    beforeSteps,
  } = linearised;
  yield;
  const { usage, escaped, hasLoops, hasAtomics, hasBypassCopies, hasPartialLoads, sharedVariables } =
    surveyOf(linear);
  const order = sharedOrderOf(sharedVariables, definition, functionOf);
  // Of relocatable code the linker says where shared memory lies: ptxas knows what alignment was declared, and no more (SASS of the same kernels).
  const laidOut = (variables: readonly Variable[]) =>
    sharedLayoutOf(hasRelocatableDeviceCode ? [] : variables, definition.body);
  const sharedLayout = laidOut(order.variables);
  const ifShared = order.ifShared === order.variables ? sharedLayout : laidOut(order.ifShared);
  const sharedOffsets = arrayOffsetsOf(sharedLayout.arrays, ifShared.offsets, linear);
  const addressing = addressingOf(definition, {
    body: linear,
    escaped,
    sharedLayout,
    ifShared,
    sharedOffsets,
  });
  const known = { addressing, groups, escaped, readOnlySites, unrolledLoops };
  const forwarded = forwardValues(linear, usage, known);
  yield;
  const arrays = keptArrays(linear, forwarded.body, { escaped, sharedVariables });
  const needed = withoutDead(forwarded.body, forwarded.addresses, { escaped, arrays, knownRounds });
  const lifting = {
    addresses: forwarded.addresses,
    entries: forwarded.entries,
    groups,
    escaped,
    fresh,
    countedFrom,
    asmSites,
    uniformityOf: onceAsked(() => uniformityIn(needed, parametersOf(definition))),
  };
  const joining = { ...lifting, byteCopies, beforeSteps };
  const joined = joinWays(withoutPartlyRedundant(withLastLoads(needed, joining), lifting), joining);
  const lifted = hasLoops ? hoistInvariants(joined, lifting) : joined;
  yield;
  const settled = lifted === needed ? forwarded : forwardValues(lifted, usageOf(lifted), known);
  yield;
  const { addresses } = settled;
  const lean =
    lifted === needed ? needed : withoutDead(settled.body, addresses, { escaped, arrays, knownRounds });
  const { linears } = addressing;
  limitByReuse(lean, { addresses, linears });
  limitBySubtraction(lean, addresses);
  limitByTests(lean, addresses, linears);
  noteSeenApart(lean, { addresses, groups, asmSites, parameters: definition.parameters });
  if (hasLoops) limitByCounters(lean, addresses, countedFrom);
  const facts = { addresses, entries: settled.entries, groups };
  const carried = hasLoops ? withLoadsEliminated(lean, { ...facts, asmSites, fresh, escaped }) : lean;
  const held = hasLoops ? noteAcrossTrips(carried, { ...facts, linears, countedFrom, knownRounds }) : lean;
  // Loops whose trips LLVM makes in rounds are seen for what they are here: then the function is generated with the rounds.
  const roundsOf =
    hasLoops && options.roundsOf.size === 0
      ? roundsWorthWriting(held, countedFrom, addresses, linears)
      : null;
  if (roundsOf && roundsOf.size > 0)
    return yield* generateFunction(definition, functionOf, {
      ...options,
      hasRelocatableDeviceCode,
      roundsOf,
    });
  const merging = {
    addresses,
    groups,
    copied: copiedRecords,
    asmSites,
    fresh,
    hasSeveralBlocks: hasSeveralBlocks(held),
  };
  const whole = groups.size > 0 ? mergeNeighbours(held, { ...merging, scope: "vector" }) : held;
  const apart =
    groups.size > 0 ? withPiecesApart(whole, { facts, fresh, escaped, copied: copiedRecords }) : whole;
  yield;
  const summaries = {
    addresses,
    summaries: new Map(),
    movedSites: new Map(),
    doubtedSites: new Map(),
    groups,
    countedFrom,
    escaped,
  };
  const constants = new Set(definition.kind === "kernel" ? definition.parameters.map(({ id }) => id) : []);
  const sunk = sinkValues(sinkLoads(apart, summaries), { ...summaries, constants });
  const rows: NeighbourRow[] = [];
  const sharedScalars = sharedLayout.scalars;
  const constantsOfBlock = sharedScalars.size > 0 || hasAtomics ? settledLoads(sunk, constants) : new Map();
  const ofWords = new Set<Expression>();
  const narrowed = groups.size > 0 ? mergeNeighbours(sunk, { ...merging, scope: "record" }) : sunk;
  const paired = mergePastStores(narrowed, ofWords, merging);
  const together = mergeNeighbours(paired, { ...merging, ofWords, scope: "all", rows, sharedScalars });
  const merged = withLoadsAhead(together, { addresses, sharedScalars, fresh });
  yield;
  const clean = merged === held ? held : withoutDead(merged, addresses, { escaped, arrays, knownRounds });
  const narrow = hasPartialLoads ? loadHalves(narrowLoads(clean, { addresses, asmSites }), addresses) : clean;
  const marked = hasAtomics ? markLockTurns(markAtomics(narrow, parametersOf(definition))) : narrow;
  const copied = hasLoops ? markCopies(marked, countedFrom, addresses) : marked;
  const body = constantsOfBlock.size > 0 ? withSettledLoads(copied, constantsOfBlock) : copied;
  const siteDoubts = doubtsIn(body, {
    addresses,
    nearlyUnrolled,
    parameters: new Set(definition.parameters.map(({ id }) => id)),
    isCalledHereAlone:
      definition.kind !== "kernel" && inlineBodyOf(definition, options.inlineBodies) === null,
  });
  const holdsCalls = someExpressionOf(body, isCall);
  const callsItself =
    holdsCalls && someExpressionOf(body, (node) => node.kind === "call" && node.callee === definition.id);
  return {
    ...definition,
    gaps: [...gaps],
    assumptions: [...assumptions.values()],
    ...(doubts.size > 0 ? { doubts: [...doubts] } : {}),
    ...(siteDoubts.size > 0 ? { siteDoubts } : {}),
    ...(rows.length > 0 ? { neighbourRows: rows } : {}),
    ...(sharedOffsets.size > 0 ? { sharedOffsets } : {}),
    ...(hasBypassCopies ? { predicatedCopies: predicatedCopiesOf(body) } : {}),
    ...(hasLoops ? { lanesPartAt: lanesPartAtIn(body) } : {}),
    ...(holdsCalls ? { sitesAroundCalls: sitesIn(body), callsItself } : {}),
    ...(hasLoops && hasAtomics ? { lanesWaitAt: lanesWaitAtIn(body) } : {}),
    body,
  };
}

/** What a kernel is given is one for all lanes; what a function is given, its callers know. */
function parametersOf(definition: FunctionDefinition): ReadonlyMap<number, Uniformity> {
  const uniformity = definition.kind === "kernel" ? "uniform" : "unclear";
  return new Map(definition.parameters.map((parameter) => [parameter.id, uniformity]));
}

/** What is worked out when it is first asked for. */
function onceAsked<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface Surveyed {
  readonly body: readonly Statement[];
  readonly escaped: ReadonlySet<number>;
  readonly sharedLayout: SharedLayout;
  /** Where other kernels call the same functions. */
  readonly ifShared: SharedLayout;
  readonly sharedOffsets: ReadonlyMap<number, number>;
}

function addressingOf(
  definition: FunctionDefinition,
  { body, escaped, sharedLayout, ifShared, sharedOffsets }: Surveyed,
): Addressing {
  const isKernel = definition.kind === "kernel";
  const parameters = new Set(definition.parameters.map((parameter) => parameter.id));
  const pointerSpaces = new PointerSpaces(body, { isKernel, parameters, escaped });
  return new Addressing({
    alignmentOf: (variable) => {
      const offset = sharedLayout.offsets.get(variable.id);
      if (variable.storage === "dynamic-shared") return dynamicAlignmentBytes;
      return offset === undefined ? variable.alignmentBytes : powerOfTwoIn(offset);
    },
    arrayOffsetOf: ({ id }) => sharedOffsets.get(id) ?? null,
    mayLieElsewhere: ({ id }) => isElsewhere(id, sharedLayout.offsets, ifShared.offsets),
    isKernel,
    parameters,
    spaceOfPointer: (pointer) => pointerSpaces.spaceOf(pointer),
  });
}

function powerOfTwoIn(offset: number): number {
  let power = 16;
  while (power > 1 && offset % power !== 0) power /= 2;
  return power;
}
