// First pass: one access a statement. Every load becomes `temporary = load`, calls are inlined, loops of constant trips unrolled,
// records moved piece by piece, and memory that turns out to be a local variable becomes that variable.
import type { AccessSite, Expression } from "../../ir/expression.ts";
import type { FunctionDefinition } from "../../ir/function.ts";
import type { Declare, If, Loop, Statement, Switch } from "../../ir/statement.ts";
import { booleanType } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import { inlinedParameterOf } from "../addresses/promises.ts";
import { placeOf, readOf } from "../walks/fresh.ts";
import { JournalMap } from "../walks/journal.ts";
import { exits, leaves } from "../walks/jumps.ts";
import { assignedVariables, forEachStatement, isPure } from "../walks/walk.ts";
import { inSteps, joinLastChoice, threaded } from "./branches.ts";
import { knownValue } from "./constants.ts";
import {
  branch,
  type Context,
  type CountedFrom,
  emit,
  emitIf,
  forget,
  frameOf,
  frameWith,
  inTrips,
  type KnownRounds,
  knowledgeAsWritten,
  type LineariseOptions,
  type RecordGroups,
  renamedVariable,
  type UnrolledLoops,
} from "./context.ts";
import { accessesInvariant, isUncountable } from "./counted.ts";
import { effect, initialValue, renameOnly, value } from "./expressions.ts";
import { memoryOfTrip } from "./held-in-loop.ts";
import { addressTakenIn, inlineBodyOf, readWholeIn } from "./inline.ts";
import { countersOf, noteLoop, noteStart } from "./noted-loops.ts";
import { operationsOf } from "./operations.ts";
import { goesThroughOwn } from "./own-arrays.ts";
import { assignVariable } from "./records.ts";
import { fillsNoRound, holdsForRound } from "./rounds-of-trips.ts";
import { asBranch, takenCase } from "./switches.ts";
import { hasEffects, type TripCount, tripCountOf } from "./trip-count.ts";
import { jumpsOf, tripsInARow, withoutContinue } from "./trips-in-a-row.ts";
import { type StatementsBefore, tripsOfPointers } from "./trips-of-pointers.ts";
import {
  isSurelyWrittenOut,
  type PartialPlan,
  planOfUnrolling,
  type TripSize,
  type UnrollPlan,
} from "./unroll.ts";

export interface Linearised {
  readonly body: readonly Statement[];
  /** For each load or store that is a piece of a record access, the same object as for its fellows. */
  readonly groups: RecordGroups;
  /** The temporaries, by their ids, that a record is loaded into. */
  readonly copied: Set<number>;
  /** The groups of stores that LLVM has as one copy, from place to place, and what they copy. */
  readonly byteCopies: ReadonlyMap<number, "vector" | "record">;
  /** Sites that `__ldg` reads: the program promises that nobody writes there. */
  readonly readOnlySites: ReadonlySet<AccessSite>;
  /** Sites that CUDA's header reads by `asm`: `__ldg`, `__ldcs` and their like. */
  readonly asmSites: ReadonlySet<AccessSite>;
  readonly unrolledLoops: UnrolledLoops;
  readonly knownRounds: KnownRounds;
  /** Where loops stand that LLVM may unroll. */
  readonly nearlyUnrolled: ReadonlySet<SourceRange>;
  readonly countedFrom: CountedFrom;
  /** Of the branches that only the step of a `for` follows. */
  readonly beforeSteps: ReadonlySet<SourceRange>;
}

const maximumDepth = 24;

const maximumStatements = 20_000;

/** Of a trip that is written aside to see how large it is. */
const maximumTripStatements = 1000;

/** Of all trips that are written aside, those of loops within them included: of loops in loops in loops they are a power. */
const maximumStatementsAside = 10_000;

/** Of a loop that is not tried out: LLVM would have left it as it is. */
const tooLarge: TripSize = { operations: Infinity, ofCounters: 0, holdsLoop: true, goesThroughOwn: false };

/** The body of `definition` with one access a statement. What it computes is the same. */
export function linearise(definition: FunctionDefinition, options: LineariseOptions): Linearised {
  const context: Context = {
    ...options,
    output: [],
    knowledge: new JournalMap(),
    renamed: new Map(),
    addressTaken: addressTakenIn(definition.body),
    readWhole: readWholeIn(definition.body),
    pointers: new Map(
      definition.kind === "kernel" ? definition.parameters.map(({ id }) => [id, "global"]) : [],
    ),
    frame: frameWith([]),
    callees: [definition.id],
    groups: new Map(),
    copied: new Set(),
    copies: new Set(),
    byteCopies: new Map(),
    paddingFrom: new Map(),
    readOnlySites: new Set(),
    asmSites: new Set(),
    unrolledLoops: new Map(),
    knownRounds: new Map(),
    nearlyUnrolled: new Set(),
    countedFrom: new Map(),
    beforeSteps: new Set(),
    budget: { statements: maximumStatements },
    aside: { statements: maximumStatementsAside },
    restricting: null,
    result: null,
    range: definition.range,
    isInTrips: false,
    inlineCall,
  };
  statements(definition.body, context);
  const { output, groups, copied, byteCopies, readOnlySites, asmSites } = context;
  const { unrolledLoops, knownRounds, nearlyUnrolled, countedFrom, beforeSteps } = context;
  return {
    body: output,
    groups,
    copied,
    byteCopies,
    readOnlySites,
    asmSites,
    unrolledLoops,
    knownRounds,
    nearlyUnrolled,
    countedFrom,
    beforeSteps,
  };
}

function statements(list: readonly Statement[], context: Context): void {
  let before: Statement | null = null;
  for (const statement of threaded(list, context.addressTaken)) {
    if (statement.kind === "loop") loopStatement(statement, before, context);
    else oneStatement(statement, context);
    before = statement;
  }
}

function oneStatement(statement: Exclude<Statement, Loop>, context: Context): void {
  if ("range" in statement) context.range = statement.range;
  switch (statement.kind) {
    case "evaluate":
      effect(statement.expression, context);
      return;
    case "declare":
      declare(statement, context);
      return;
    case "block":
      statements(statement.body, context);
      return;
    case "if":
      ifStatement(statement, context);
      return;
    case "switch":
      switchStatement(statement, context);
      return;
    case "return":
      returnStatement(statement, context);
      return;
    case "break":
    case "continue":
    case "barrier":
    case "unknown":
    case "launch":
      emit(statement, context);
  }
}

function returnStatement(statement: Statement & { kind: "return" }, context: Context): void {
  if (context.callees.length === 1) {
    const returned = statement.value ? value(statement.value, context) : null;
    emit({ kind: "return", value: returned, range: statement.range }, context);
  } else if (statement.value && context.result) {
    assignVariable(placeOf(context.result), value(statement.value, context), context);
  } else if (statement.value) effect(statement.value, context);
}

function declare(statement: Declare, context: Context): void {
  const variable = renamedVariable(statement.variable, context, "declared");
  emit({ kind: "declare", variable, initializer: null, range: statement.range }, context);
  context.knowledge.delete(variable.id);
  if (statement.initializer)
    assignVariable(
      placeOf(variable),
      initialValue(statement.initializer, statement.variable, context),
      context,
    );
}

function ifStatement(written: If, context: Context): void {
  const statement = inSteps(written);
  const condition = value(statement.condition, context);
  const known = knownValue(condition, context.knowledge);
  if (typeof known === "number") {
    statements(known !== 0 ? statement.whenTrue : statement.whenFalse, context);
    return;
  }
  emitIf(
    condition,
    (inner) => statements(statement.whenTrue, inner),
    (inner) => statements(statement.whenFalse, inner),
    context,
  );
  // Of trips that all ask the same, LLVM asks once (cases branch_each_trip; not: otherwise).
  if (statement.whenFalse.length === 0) joinLastChoice(context.output, context.addressTaken);
}

function loopStatement(statement: Loop, before: Statement | null, context: Context): void {
  context.range = statement.range;
  const counted = tripCountOf(statement, before, knowledgeAsWritten(context), () =>
    tripsOfPointers(statement, statementsBefore(context)),
  );
  const plan = counted && planOf(statement, counted, context);
  noteLoop(statement, counted, plan, context);
  const isAskedTogether = plan?.kind === "partial" && statement.condition && hasEffects(statement.condition);
  if (!counted || !plan || plan.kind === "nearly-full" || isAskedTogether) keptLoop(statement, context);
  else if (plan.kind === "full") inTrips(context, () => writeTrips(statement, counted, context));
  else {
    const body = withoutContinue(statement.body);
    loopOfCopies(body ? { ...statement, body } : statement, { ...plan, ending: counted.ending }, context);
  }
}

function statementsBefore(context: Context): StatementsBefore {
  const { output, addressTaken } = context;
  return { list: output, addressTaken, rename: (expression) => renameOnly(expression, context) };
}

function planOf(statement: Loop, counted: TripCount, context: Context): UnrollPlan | null {
  const { trips, ending, on } = counted;
  const plan = planOfUnrolling(
    statement,
    trips,
    context.budget.statements,
    () => sizeOfTrip(statement, context),
    () => sizeOfAllTrips(statement, counted, context),
  );
  // How aligned a pointer is that a loop of several copies carries, LLVM sees of some rows only.
  if (on === "pointers" && plan?.kind === "partial") return { kind: "nearly-full" };
  // What accesses no memory makes a difference where it stands between accesses of neighbouring trips, and to how large those are.
  const isWrittenOut = context.isInTrips && ending === "counted" && isSurelyWrittenOut(statement, trips);
  return plan ?? (isWrittenOut ? { kind: "full", trips } : null);
}

/** All trips, one after the other. */
function writeTrips(statement: Loop, { trips, ending }: TripCount, context: Context): void {
  if (ending === "counted" && jumpsOf(statement.body) === "none") {
    const { condition, test } = statement;
    const asked = condition && hasEffects(condition) ? condition : null;
    if (asked && test === "top") effect(asked, context);
    for (let trip = 0; trip < trips; trip++) {
      statements(statement.body, context);
      for (const step of statement.step) effect(step, context);
      if (asked) effect(asked, context);
    }
    return;
  }
  const row = tripsInARow(statement, trips, ending === "open" ? statement.condition : null);
  if (row) statements(row, context);
  else loopOfCopies(statement, null, context);
}

/** Writes one trip aside, as it is where the counter is not known. */
function sizeOfTrip(statement: Loop, context: Context): TripSize {
  return sizeAside(statement, context, maximumTripStatements, (inner) => {
    forget(assignedVariables([statement]), inner);
    if (statement.condition) effect(statement.condition, inner);
    statements(statement.body, inner);
    for (const step of statement.step) effect(step, inner);
  });
}

/** Writes all trips aside, in which the counter is known. */
function sizeOfAllTrips(statement: Loop, counted: TripCount, context: Context): TripSize {
  if (counted.ending !== "counted" || jumpsOf(statement.body) !== "none") return tooLarge;
  return sizeAside(statement, context, maximumStatementsAside, (inner) =>
    writeTrips(statement, counted, inner),
  );
}

function sizeAside(
  statement: Loop,
  context: Context,
  mostStatements: number,
  write: (inner: Context) => void,
): TripSize {
  if (context.aside.statements <= 0) return tooLarge;
  const granted = Math.min(mostStatements, context.budget.statements);
  const mark = context.knowledge.mark();
  const inner: Context = {
    ...context,
    output: [],
    renamed: new Map(context.renamed),
    unrolledLoops: new Map(),
    knownRounds: new Map(),
    nearlyUnrolled: new Set(),
    countedFrom: new Map(),
    copied: new Set(context.copied),
    copies: new Set(context.copies),
    paddingFrom: new Map(context.paddingFrom),
    budget: { statements: granted },
    isInTrips: true,
  };
  write(inner);
  context.knowledge.takeBack(mark);
  context.aside.statements -= granted - inner.budget.statements + 1;
  let holdsLoop = false;
  forEachStatement(inner.output, (one) => {
    if (one.kind === "loop") holdsLoop = true;
  });
  // What is the same in all trips only once an inner loop is unrolled, LLVM moves out too late.
  const memory = inner.knownRounds.size > 0 ? null : memoryOfTrip(inner.output, inner);
  const size = operationsOf(inner.output, countersOf(statement, inner), mostStatements, memory);
  return { ...size, holdsLoop, goesThroughOwn: goesThroughOwn(inner.output) };
}

interface CountedRounds extends PartialPlan {
  readonly ending: TripCount["ending"];
}

/** A loop that stays one, or becomes rounds of several trips with the trips left over before or behind them. */
function keptLoop(statement: Loop, context: Context): void {
  const rounds = context.roundsOf.get(statement.range);
  const { condition } = statement;
  const body = rounds && !accessesInvariant(statement) ? withoutContinue(statement.body) : null;
  if (!rounds || !body || condition?.kind !== "binary" || condition.left.type.kind !== "integer") {
    loopOfCopies(statement, null, context);
    return;
  }
  const { trips } = rounds;
  const counted = {
    kind: "partial",
    copies: trips,
    rounds: 0,
    exitBefore: null,
    isAtLimit: false,
    ending: "counted",
  } as const;
  const isBefore = rounds.remainder === "before";
  const oneByOne = (leftOver: Expression) => {
    const rest: Loop = { ...statement, condition: leftOver, unroll: 1, range: { ...statement.range } };
    context.unrolledLoops.set(rest.range, { count: 1, rounds: 0, lastRound: "whole" });
    loopOfCopies(rest, null, context);
  };
  if (isBefore) oneByOne(fillsNoRound(condition, rounds));
  const whole = isBefore ? condition : holdsForRound(condition, rounds);
  loopOfCopies({ ...statement, body, rounds, condition: whole }, counted, context);
  if (!isBefore) oneByOne(condition);
}

/** A loop that stays one, its body written several times where the plan says so. To LLVM `if (c) { A; continue; } B` is a branch of two ways. */
function loopOfCopies(written: Loop, plan: CountedRounds | null, context: Context): void {
  const statement = { ...written, body: withoutContinue(written.body) ?? written.body };
  const copies = plan?.copies ?? 1;
  const exitBefore = plan?.exitBefore ?? null;
  const assigned = assignedVariables([statement]);
  noteStart(statement, assigned, context);
  forget(assigned, context);
  const { test, isPlainTest } = plainTest(statement.condition, context);
  const canFlatten = !leaves(statement.body, exits.continue);
  // A `continue` comes to a test at the top whatever stands there.
  const isTestInBody = !isPlainTest && (canFlatten || statement.test === "top");
  const body = branch(context, (inner) => {
    if (isTestInBody && statement.test === "top") exitUnless(statement.condition, inner);
    for (let copy = 0; copy < copies; copy++) {
      if (copy === exitBefore || (copy > 0 && plan?.ending === "open"))
        exitUnless(statement.condition, inner);
      if (copies > 1) inTrips(inner, () => statements(statement.body, inner));
      else statements(statement.body, inner);
      if (copy + 1 < copies || canFlatten) for (const step of statement.step) effect(step, inner);
    }
    if (isTestInBody && statement.test === "bottom") exitUnless(statement.condition, inner);
  });
  const kept: Loop = {
    ...statement,
    condition: isPlainTest ? test : isTestInBody ? null : renameOnly(statement.condition, context),
    step: canFlatten ? [] : statement.step.map((step) => renameOnly(step, context) ?? step),
    test: isTestInBody ? "top" : statement.test,
    body: body.output,
  };
  const lastRound = exitBefore === null ? "whole" : "early";
  if (plan && copies > 1)
    context.unrolledLoops.set(kept.range, { count: copies, rounds: plan.rounds, lastRound });
  const staysOne = kept.unroll === null && isUncountable(kept, context.asmSites);
  emit(staysOne ? { ...kept, unroll: 1 } : kept, context);
  forget(assigned, context);
}

/** The condition as an expression, and whether that is all it takes. */
function plainTest(
  condition: Expression | null,
  context: Context,
): { readonly test: Expression | null; readonly isPlainTest: boolean } {
  let test: Expression | null = null;
  const { output } = branch(context, (inner) => {
    test = condition && value(condition, inner);
  });
  return { test, isPlainTest: output.length === 0 };
}

function exitUnless(condition: Expression | null, context: Context): void {
  if (!condition) return;
  if (condition.kind === "logical" && condition.operator === "and" && !isPure(condition.right)) {
    exitUnless(condition.left, context);
    exitUnless(condition.right, context);
    return;
  }
  const test = value(condition, context);
  const { range } = context;
  const stop: Expression = { kind: "unary", operator: "not", type: booleanType, operand: test };
  emit({ kind: "if", condition: stop, whenTrue: [{ kind: "break" }], whenFalse: [], range }, context);
}

function switchStatement(statement: Switch, context: Context): void {
  const branched = asBranch(statement);
  if (branched) {
    ifStatement(branched, context);
    return;
  }
  const selector = value(statement.selector, context);
  const known = knownValue(selector, context.knowledge);
  const taken = typeof known === "number" ? takenCase(statement, known) : null;
  if (taken) {
    statements(taken, context);
    return;
  }
  const { range } = context;
  const assigned = assignedVariables([statement]);
  forget(assigned, context);
  const cases = statement.cases.map((one) => ({
    ...one,
    body: branch(context, (inner) => statements(one.body, inner)).output,
  }));
  emit({ kind: "switch", selector, cases, range }, context);
  forget(assigned, context);
}

function inlineCall(expression: Expression & { kind: "call" }, context: Context): Expression | null {
  if (context.callees.length > maximumDepth || context.callees.includes(expression.callee)) return null;
  if (context.budget.statements <= 0 || expression.isSeparate) return null;
  const callee = context.functionOf(expression.callee);
  const inlined = callee && inlineBodyOf(callee, context.inlineBodies);
  if (!callee || !inlined || callee.parameters.length !== expression.arguments.length) return null;
  const returned = callee.result.kind === "void" ? null : context.fresh.temporary(callee.result, "returned");
  const inner: Context = {
    ...context,
    renamed: new Map(),
    addressTaken: joined(context.addressTaken, inlined.addressTaken),
    readWhole: joined(context.readWhole, inlined.readWhole),
    frame: frameOf(expression.range, context),
    callees: [...context.callees, callee.id],
    restricting:
      context.restricting || callee.parameters.some(({ isRestrict }) => isRestrict)
        ? { at: expression.range }
        : null,
    result: returned,
  };
  const given = expression.arguments.map((argument) => value(argument, context));
  callee.parameters.forEach((parameter, index) => {
    const argument = given[index];
    const isIndexed = inlined.indexed.has(parameter.id);
    if (argument) passArgument(parameter, { argument, isIndexed }, inner);
  });
  statements(inlined.body, inner);
  if (!returned) return { kind: "constant", type: expression.type, value: 0 };
  return readOf(returned);
}

function passArgument(
  parameter: Variable,
  { argument, isIndexed }: { readonly argument: Expression; readonly isIndexed: boolean },
  inner: Context,
): void {
  const call = parameter.type.kind === "pointer" ? inner.restricting : null;
  const promised = call
    ? { ...parameter, inlined: { call, passed: inlinedParameterOf(argument), isIndexed } }
    : parameter;
  const variable = renamedVariable(promised, inner, "declared");
  emit({ kind: "declare", variable, initializer: null, range: inner.range }, inner);
  assignVariable(placeOf(variable), argument, inner);
}

function joined(a: ReadonlySet<number>, b: ReadonlySet<number>): ReadonlySet<number> {
  return b.size === 0 ? a : new Set([...a, ...b]);
}
