// What the first pass knows while it writes statements, and how it writes them.

import type { AccessSite, Expression, Place, VariablePlace } from "../../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../../ir/function.ts";
import { isPieceType } from "../../ir/pieces.ts";
import type { Rounds, Statement } from "../../ir/statement.ts";
import type { InlinedCall, Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import type { CopiedLoop } from "../addresses/linear.ts";
import { type Fresh, placeOf, readOf } from "../walks/fresh.ts";
import { type Changes, type JournalMap, keysOf } from "../walks/journal.ts";
import { endsInJump } from "../walks/jumps.ts";
import { likeSite } from "../walks/rebuild.ts";
import {
  holdsAll,
  type KnowledgeToRead,
  type Known,
  type KnownPlace,
  knownValue,
  leadsToLocals,
  referenceKey,
  sameKnown,
} from "./constants.ts";
import type { InlineBodies } from "./inline.ts";
import { notePointer, type PointerMemories } from "./pointers.ts";

/** Accesses that come from one access of a record in the text have one number: the compiler sees one vector and may narrow it. */
export type RecordGroups = Map<Expression, number>;

/** By the range of a loop that stays one, whether any integer that its trips carry on starts from a constant. */
export type CountedFrom = Map<SourceRange, "constant" | "variable" | "both">;

/** By their range, the loops whose body stands several times. */
export type UnrolledLoops = Map<SourceRange, CopiedLoop>;

/** By its range, how often the body of a loop that stays one is made; null where nobody knows before it starts. */
export type KnownRounds = Map<SourceRange, number | null>;

/** By the range of the loop, the rounds that LLVM surely makes of it; loops of which that is not sure, or that load no neighbours, are not there. */
export type RoundsToWrite = ReadonlyMap<SourceRange, Rounds>;

export interface LineariseOptions {
  readonly functionOf: (id: FunctionId) => FunctionDefinition | null;
  /** What a variable of a namespace is initialized with, null where nothing is written. */
  readonly initializerOf: (variable: Variable) => Expression | null;
  readonly fresh: Fresh;
  /** Of the loops whose rounds are to be written out. */
  readonly roundsOf: RoundsToWrite;
  /** Of all functions of the program that were inlined so far. */
  readonly inlineBodies: InlineBodies;
}

/** A call that is written out: one for all trips of a loop around it. */
export interface Frame {
  /** The calls around the code at hand, innermost first. */
  readonly stack: readonly SourceRange[];
  /** By site, what it is in this call of the function. */
  readonly sites: Map<AccessSite, AccessSite>;
  readonly calls: Map<SourceRange, Frame>;
}

export interface Context extends LineariseOptions {
  output: Statement[];
  /** What is known at the statement at hand: one map for all contexts of a function. */
  readonly knowledge: JournalMap<Known>;
  /** Variables of the function being inlined, by the id that its text has. */
  readonly renamed: Map<number, Variable>;
  readonly addressTaken: ReadonlySet<number>;
  /** As the text names them. */
  readonly readWhole: ReadonlySet<number>;
  readonly pointers: PointerMemories;
  readonly frame: Frame;
  readonly callees: readonly FunctionId[];
  readonly groups: RecordGroups;
  /** Ids of temporaries that hold a record as it was in memory, its padding too. */
  readonly copied: Set<number>;
  /** Ids of variables that took such a record in. */
  readonly copies: Set<number>;
  /** The groups of stores that LLVM has as one copy, from place to place, and what they copy. */
  readonly byteCopies: Map<number, "vector" | "record">;
  /**
   * By id, variables whose padding has a value: what it was loaded from, or null where braces gave it (lower/variables/image.ts) or several
   * things did. LLVM does not store it back to where it was loaded from.
   */
  readonly paddingFrom: Map<number, Variable | null>;
  readonly readOnlySites: Set<AccessSite>;
  readonly asmSites: Set<AccessSite>;
  readonly unrolledLoops: UnrolledLoops;
  readonly knownRounds: KnownRounds;
  readonly nearlyUnrolled: Set<SourceRange>;
  readonly countedFrom: CountedFrom;
  /** Of the branches that only the step of a `for` follows. */
  readonly beforeSteps: Set<SourceRange>;
  readonly budget: { statements: number };
  /** How many statements may still be written aside, to see how large trips are. */
  readonly aside: { statements: number };
  /** The call that is being inlined, where it or one around it restricts its pointers. */
  readonly restricting: InlinedCall | null;
  /** Where `return` puts its value while a function is inlined. */
  readonly result: Variable | null;
  /** Of the statement at hand. */
  range: SourceRange;
  /** Whether the statement at hand is one of a trip that is written out, or written aside to see how large it is. */
  isInTrips: boolean;
  /** Writes the body of the function in the place of its call, and gives what it returns; null where it cannot. */
  readonly inlineCall: (expression: Expression & { kind: "call" }, context: Context) => Expression | null;
}

export function emitIf(
  condition: Expression,
  buildTrue: (inner: Context) => void,
  buildFalse: (inner: Context) => void,
  context: Context,
): void {
  const { range } = context;
  const whenTrue = branch(context, buildTrue);
  const whenFalse = branch(context, buildFalse);
  const ends = [whenTrue, whenFalse].filter((one) => !endsInJump(one.output));
  const [first, second] = ends;
  let asked = condition;
  if (first && second) {
    const chosen = learnCommon(first.learnt, second.learnt, context.knowledge);
    if (chosen.size > 0) {
      const flag = flagOf(condition, context);
      asked = readOf(flag);
      for (const [id, [whenTrue, whenFalse]] of chosen)
        context.knowledge.set(id, { flag, whenTrue, whenFalse });
    }
  } else if (first) context.knowledge.apply(first.learnt);
  const statement: Statement = {
    kind: "if",
    condition: asked,
    whenTrue: whenTrue.output,
    whenFalse: whenFalse.output,
    range,
  };
  emit(statement, context);
}

/** A variable that is set to the condition here and nowhere else. */
export function flagOf(condition: Expression, context: Context): Variable {
  const flag = context.fresh.flag(condition.type);
  emitAssign(placeOf(flag), condition, null, context);
  return flag;
}

export interface Branch {
  readonly output: readonly Statement[];
  /** How its end differs from its start, at which the knowledge is again. */
  readonly learnt: Changes<Known>;
}

/** Statements written aside, starting from what is known here. */
export function branch(context: Context, build: (context: Context) => void): Branch {
  const { output, range } = context;
  const mark = context.knowledge.mark();
  const aside: Statement[] = [];
  context.output = aside;
  build(context);
  context.output = output;
  context.range = range;
  return { output: aside, learnt: context.knowledge.takeBack(mark) };
}

/** Writes a trip of a loop whose trips are written out. */
export function inTrips(context: Context, write: () => void): void {
  const { isInTrips } = context;
  context.isInTrips = true;
  write();
  context.isInTrips = isInTrips;
}

/** Where two ways meet: what both know. Gives the pointers that each way leads to local variables of its own. */
function learnCommon(
  a: Changes<Known>,
  b: Changes<Known>,
  knowledge: JournalMap<Known>,
): ReadonlyMap<number, readonly [KnownPlace, KnownPlace]> {
  const chosen = new Map<number, readonly [KnownPlace, KnownPlace]>();
  for (const id of keysOf(a, b)) {
    const left = a.has(id) ? a.get(id) : knowledge.get(id);
    const right = b.has(id) ? b.get(id) : knowledge.get(id);
    if (left !== undefined && right !== undefined && sameKnown(left, right)) knowledge.set(id, left);
    else knowledge.delete(id);
    if (!knowledge.get(id) && leadsToLocals(left) && leadsToLocals(right)) chosen.set(id, [left, right]);
  }
  return chosen;
}

export function forget(ids: ReadonlySet<number>, context: Context): void {
  for (const id of ids) context.knowledge.delete(context.renamed.get(id)?.id ?? id);
}

export function emit(statement: Statement, context: Context): void {
  context.budget.statements--;
  context.output.push(statement);
}

export function emitAssign(
  place: Place,
  stored: Expression,
  site: AccessSite | null,
  context: Context,
  group?: number,
): void {
  const known = place.kind === "variable" ? learn(place, stored, context) : null;
  if (place.kind === "variable" && place.type.kind === "pointer")
    notePointer(place, stored, context.pointers);
  const value: Expression =
    typeof known === "number" && stored.kind !== "constant"
      ? { kind: "constant", type: stored.type, value: known }
      : stored;
  const expression: Expression = { kind: "assign", type: place.type, place, value, site };
  if (group !== undefined) context.groups.set(expression, group);
  emit({ kind: "evaluate", expression, range: context.range }, context);
}

function learn(place: VariablePlace, stored: Expression, context: Context): Known | null {
  const { id } = place.variable;
  const isScalar = holdsAll(place) && isPieceType(place.variable.type) && !context.addressTaken.has(id);
  const reference = referenceKey(place);
  const known = isScalar || reference !== null ? knownValue(stored, context.knowledge) : null;
  const key = reference ?? id;
  if (known === null) context.knowledge.delete(key);
  else context.knowledge.set(key, known);
  return known;
}

export function siteIn(site: AccessSite | null, context: Context): AccessSite | null {
  const { stack, sites } = context.frame;
  if (!site || stack.length === 0) return site;
  const known = sites.get(site);
  if (known) return known;
  const framed = likeSite(site, { stack });
  sites.set(site, framed);
  if (context.readOnlySites.has(site)) context.readOnlySites.add(framed);
  if (context.asmSites.has(site)) context.asmSites.add(framed);
  return framed;
}

/** The frame of a call that stands in the code at hand. */
export function frameOf(call: SourceRange, { frame }: Context): Frame {
  const known = frame.calls.get(call);
  if (known) return known;
  const inner = frameWith([call, ...frame.stack]);
  frame.calls.set(call, inner);
  return inner;
}

export function frameWith(stack: readonly SourceRange[]): Frame {
  return { stack, sites: new Map(), calls: new Map() };
}

/** What is known of variables by the names that the statements at hand have for them: those of an inlined function were renamed. */
export function knowledgeAsWritten({ knowledge, renamed, callees }: Context): KnowledgeToRead {
  if (callees.length === 1) return knowledge;
  return { get: (id) => knowledge.get(renamed.get(id)?.id ?? id) };
}

/** Automatic variables of an inlined function are new ones for each call. */
export function renamedVariable(variable: Variable, context: Context, how: "declared" | "used"): Variable {
  if (variable.storage !== "automatic" || context.callees.length === 1) return variable;
  const known = context.renamed.get(variable.id);
  if (known && how === "used") return known;
  if (how === "used") return variable;
  const copy = context.fresh.copyOf(variable);
  context.renamed.set(variable.id, copy);
  return copy;
}
