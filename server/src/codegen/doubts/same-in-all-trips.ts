// Branches of a loop that go the same way in every trip (`if (bias) …`): LLVM makes a loop of its own for either way if the loop is small enough,
// and ptxas may ask once where lanes differ. What such a way loads again, or alike in every trip, is then loaded once, and what it alone
// uses is loaded in front of its loop alone (fixtures/forms/zero_ways, fixtures/programs/welford_layer_norm and token_sampling).
import type { AccessSite, Expression } from "../../ir/expression.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import type { SourceRange } from "../../text/source.ts";
import { isInvariant } from "../linearise/counted.ts";
import { areEqual } from "../walks/equal.ts";
import { exits, mayLeave } from "../walks/jumps.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  forEachStatement,
  partsOf,
  rootVariableOf,
  someStatement,
} from "../walks/walk.ts";
import { isMemoryLoad, type MemoryLoad, memoryLoadsIn } from "./memory-loads.ts";

/** The loads under such branches that a loop of its own for the way would have once. */
export function sameInAllTrips(loop: Loop): readonly AccessSite[] {
  if (!loop.body.some(branches) || someStatement(loop.body, ({ kind }) => kind === "barrier")) return [];
  const assigned = assignedVariables(loop.body, loop.step);
  const guarded = new Set<MemoryLoad>();
  forEachStatement(loop.body, (statement) => {
    if (statement.kind !== "if" || !isInvariant(statement.condition, assigned)) return;
    for (const load of memoryLoadsIn([...statement.whenTrue, ...statement.whenFalse])) guarded.add(load);
  });
  if (guarded.size === 0) return [];
  const loads = memoryLoadsIn(loop.body);
  const stored = rootsStoredIn(loop.body);
  const isAgain = (load: MemoryLoad) =>
    loads.some((other) => other !== load && areEqual(other.place.pointer, load.place.pointer));
  return [...guarded].flatMap((load) => {
    if (!load.site || stored.has(rootVariableOf(load.place.pointer)?.id ?? null)) return [];
    return isInvariant(load.place.pointer, assigned) || isAgain(load) ? [load.site] : [];
  });
}

/**
 * The loads in front of a loop of the list that the loop uses under such a condition alone, and those of its own that have left it and are used under
 * whatever condition, or behind an exit: LLVM may have moved them there before (fixtures/forms/used_in_branch, divergent_uses).
 */
export function usedOneWay(list: readonly Statement[]): readonly AccessSite[] {
  return list.flatMap((loop, index) => {
    if (loop.kind !== "loop") return [];
    const own = readOneWay(loop, () => true);
    const exit = loop.body.findIndex((one) => one.kind === "if" && mayLeave(one, exits.jump));
    const behind = exit < 0 ? new Set<number>() : readBehind(loop, exit);
    if (own.size + behind.size === 0) return [];
    const assigned = assignedVariables(loop.body, loop.step);
    const wanted = readOneWay(loop, (condition) => isInvariant(condition, assigned));
    const isOwn = ({ range }: AccessSite) => isWithin(range, loop.range);
    const isInFront = ({ range }: AccessSite) => isBefore(range, loop.body[exit]);
    return list
      .slice(0, index)
      .flatMap((statement) => [
        ...loadedInto(wanted, statement),
        ...loadedInto(own, statement).filter(isOwn),
        ...loadedInto(behind, statement).filter((site) => isOwn(site) && isInFront(site)),
      ]);
  });
}

function isBefore({ file, start }: SourceRange, exit: Statement | undefined): boolean {
  return exit?.kind === "if" && exit.range.file === file && start < exit.range.start;
}

/** The variables that the loop reads behind the statement alone. */
function readBehind(loop: Loop, exit: number): ReadonlySet<number> {
  const [all, behind] = [new Map<number, number>(), new Map<number, number>()];
  forEachExpressionOf([loop], countRead, all);
  forEachExpressionOf(loop.body.slice(exit + 1), countRead, behind);
  return new Set([...behind.keys()].filter((id) => behind.get(id) === all.get(id)));
}

function isWithin(inner: SourceRange, outer: SourceRange): boolean {
  return inner.file === outer.file && inner.start >= outer.start && inner.end <= outer.end;
}

function branches({ kind }: Statement): boolean {
  return kind === "if" || kind === "switch" || kind === "block" || kind === "loop";
}

/** The ids of the variables that stores go to or through; null stands for what is not plain to see. */
function rootsStoredIn(statements: readonly Statement[]): ReadonlySet<number | null> {
  const roots = new Set<number | null>();
  forEachExpressionOf(statements, (node) => {
    if (node.kind === "assign" && node.place.kind === "memory")
      roots.add(rootVariableOf(node.place.pointer)?.id ?? null);
  });
  return roots;
}

/** The variables that the loop reads where one of those conditions has let control come, and nowhere else in it. */
function readOneWay(loop: Loop, isAsked: (condition: Expression) => boolean): ReadonlySet<number> {
  const assigned = assignedVariables(loop.body, loop.step);
  const oneWay = new Map<number, number>();
  const noteRight = (node: Expression): void => {
    if (node.kind === "logical" && isAsked(node.left)) forEachExpression(node.right, countRead, oneWay);
  };
  forEachStatement(loop.body, (statement) => {
    for (const expression of partsOf(statement).expressions) forEachExpression(expression, noteRight);
    if (statement.kind === "if" && isAsked(statement.condition))
      forEachExpressionOf([...statement.whenTrue, ...statement.whenFalse], countRead, oneWay);
  });
  if (oneWay.size === 0) return new Set();
  const all = new Map<number, number>();
  forEachExpressionOf([loop], countRead, all);
  const isOnly = (id: number) => (oneWay.get(id) ?? 0) >= (all.get(id) ?? 0) && !assigned.has(id);
  return new Set([...oneWay.keys()].filter(isOnly));
}

function countRead(node: Expression, counts: Map<number, number>): void {
  if (node.kind !== "load" || node.place.kind !== "variable") return;
  const { id } = node.place.variable;
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** The loads from memory whose value the statement, or what it does under a condition, gives one of the variables. */
function loadedInto(wanted: ReadonlySet<number>, statement: Statement): readonly AccessSite[] {
  const sites: AccessSite[] = [];
  forEachExpressionOf(statement.kind === "loop" ? [] : [statement], (node) => {
    if (node.kind !== "assign" || node.place.kind !== "variable" || !wanted.has(node.place.variable.id))
      return;
    if (isMemoryLoad(node.value) && node.value.site) sites.push(node.value.site);
  });
  return sites;
}
