// Stores to shared memory, and others of the same places under the branch behind them: ptxas makes one of each pair behind the branch, by all
// lanes, where LLVM has left both (`s[t] = 0; if (i < n) s[t] = in[i];` in front of a reduction; fixtures/forms/stored_once.cu).
import type { Assign, Expression } from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import type { Extent } from "../addresses/alias.ts";
import { isSelection } from "../linearise/selections.ts";
import { takesSlowPath } from "../linearise/slow-paths.ts";
import { passOnPlace } from "../walks/facts.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { rangeOfFirst } from "../walks/lines.ts";
import { likeSite, withExpression, withWays } from "../walks/rebuild.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  isPure,
  sitesIn,
  someExpression,
} from "../walks/walk.ts";
import { isSamePlace, type JoinOptions, namesAny } from "./loads.ts";

/** What follows the end of a list: the kernel's end, the end of its own branch where ways meet, or the next trip of its loop. */
export type ListEnd = "return" | "meeting" | "trip";

interface SharedStore extends Extent {
  readonly statement: Evaluate;
  readonly expression: Assign;
}

/** The list with such stores behind their branches, from its end on, as ptxas goes. */
export function withStoresByAll(
  list: readonly Statement[],
  end: ListEnd,
  options: JoinOptions,
): readonly Statement[] {
  let current = list;
  for (let index = list.length - 1; index > 0; index--) {
    const branch = current[index];
    if (branch?.kind !== "if" || !doesNothingShared(branch.whenFalse, options)) continue;
    const before = current.slice(0, index);
    const behind = current.slice(index + 1);
    const joined = joinedBehind(branch, before, behind, end, options);
    if (joined) current = [...joined, ...behind];
  }
  return current;
}

function joinedBehind(
  branch: If,
  before: readonly Statement[],
  behind: readonly Statement[],
  end: ListEnd,
  options: JoinOptions,
): readonly Statement[] | null {
  const under = storesUnder(branch.whenTrue, options);
  if (under.length === 0) return null;
  const first = lastStoresOf(before, options);
  if (first.length !== under.length) return null;
  const start = before.indexOf(first[0]?.statement as Statement);
  const changed = assignedVariables([...before.slice(start), branch]);
  const isPair = (one: SharedStore, index: number): boolean => {
    const other = under[index];
    if (!other || !isSamePlace(one, other) || one.expression.place.kind !== "memory") return false;
    const { pointer } = one.expression.place;
    return (
      sameType(one.expression.value.type, other.expression.value.type) &&
      !namesAny(pointer, changed) &&
      !namesEqual(branch.condition, pointer)
    );
  };
  if (!isPure(branch.condition) || !first.every(isPair)) return null;
  if (!goesOnByBranch(behind, end) && !widensAgain(branch, before, behind, options)) return null;
  const kept = new Map<Statement, Statement>();
  const stores = first.map((one, index) => {
    const other = under[index] ?? one;
    const { type } = other.expression.value;
    const result = options.fresh.outcome(type, "stored");
    for (const { statement, expression } of [one, other])
      kept.set(statement, assignment(placeOf(result), expression.value, statement.range));
    const lines = [
      one.statement.range,
      branch.range,
      ...rangeOfFirst(behind.filter(({ kind }) => kind !== "barrier")),
    ];
    return withExpression(other.statement, storeOf(other, readOf(result), lines, options));
  });
  const withKept = (list: readonly Statement[]) => list.map((statement) => kept.get(statement) ?? statement);
  return [
    ...withKept(before),
    withWays(branch, branch.condition, withKept(branch.whenTrue), branch.whenFalse),
    ...stores,
  ];
}

/** The store with another value, which Nsight Compute may charge to any of the lines. */
function storeOf(
  { expression }: SharedStore,
  value: Expression,
  lines: readonly Evaluate["range"][],
  options: JoinOptions,
): Assign {
  const { kind, type, place } = expression;
  const site =
    expression.site && likeSite(expression.site, { merged: [...expression.site.merged, ...lines] });
  const store: Assign = { kind, type, place, value, site };
  passOnPlace(expression, store, options);
  return store;
}

/** The stores to shared memory of a branch that is one block to ptxas and loads from there nothing; none where it is more. */
function storesUnder(way: readonly Statement[], options: JoinOptions): readonly SharedStore[] {
  const stores: SharedStore[] = [];
  for (const statement of way) {
    const touch = touchOf(statement, options);
    if (touch === "loads shared" || touch === "more") return [];
    if (typeof touch === "object") stores.push(touch);
  }
  return stores;
}

function doesNothingShared(way: readonly Statement[], options: JoinOptions): boolean {
  return way.every((statement) => ["nothing", "stores global"].includes(String(touchOf(statement, options))));
}

/** All stores of the block that the list ends with; none where one is to global memory, or shared memory is loaded from behind the first. */
function lastStoresOf(list: readonly Statement[], options: JoinOptions): readonly SharedStore[] {
  const stores: SharedStore[] = [];
  let isLoaded = false;
  for (let index = list.length - 1; index >= 0; index--) {
    const statement = list[index];
    if (!statement) break;
    const touch = touchOf(statement, options);
    if (touch === "more") return endsBlock(statement) ? stores : [];
    if (touch === "stores global" || (typeof touch === "object" && isLoaded)) return [];
    if (touch === "loads shared") {
      if (stores.length === 0) return [];
      isLoaded = true;
    }
    if (typeof touch === "object") stores.unshift(touch);
  }
  return stores;
}

function endsBlock({ kind }: Statement): boolean {
  return kind === "barrier" || kind === "if" || kind === "loop" || kind === "switch";
}

/** What the statement does with memory; `more` where it is none of a straight block, or what it does is not known. */
function touchOf(
  statement: Statement,
  { addresses, escaped }: JoinOptions,
): SharedStore | "nothing" | "stores global" | "loads shared" | "more" {
  if (statement.kind === "declare") return statement.initializer === null ? "nothing" : "more";
  if (statement.kind === "if") return isSelection(statement) ? "nothing" : "more";
  if (statement.kind !== "evaluate") return "more";
  const { expression } = statement;
  if (takesSlowPath(expression)) return "more";
  if (expression.kind !== "assign") {
    const isGlobal = addresses.get(expression)?.space === "global";
    return isPure(expression) || isGlobal ? "nothing" : "more";
  }
  const { place, value } = expression;
  if (place.kind === "variable") {
    if (isPure(value)) return "nothing";
    const space = addresses.get(value)?.space;
    if (space === "global") return "nothing";
    return space === "shared" && value.kind === "load" ? "loads shared" : "more";
  }
  const address = addresses.get(expression);
  const bytes = sizeOf(place.type);
  if (place.kind !== "memory" || !address || !bytes || !expression.site || !isPure(value)) return "more";
  if (address.space === "global") return "stores global";
  if (address.space !== "shared" || expression.site.isVolatile || namesAny(value, escaped)) return "more";
  return { statement, expression, address, bytes };
}

/** Whether the branch is taken where what the pointer counts with is one given number: LLVM puts that in there, and sees two places. */
function namesEqual(condition: Expression, pointer: Expression): boolean {
  return someExpression(condition, (node) => {
    if (node.kind !== "binary" || node.operator !== "==") return false;
    const sides = [node.left, node.right].map(variableOf);
    const isGiven = [node.left, node.right].every((side, index) => sides[index] || side.kind === "constant");
    return isGiven && namesAny(pointer, new Set(sides.flatMap((id) => id ?? [])));
  });
}

function variableOf(side: Expression): number | null {
  if (side.kind === "convert") return variableOf(side.operand);
  return side.kind === "load" && side.place.kind === "variable" ? side.place.variable.id : null;
}

/**
 * Whether the block where the ways meet is one of its own, and ends in a branch: a block that returns ptxas copies into the ways. A loop that
 * accesses nothing may be gone, unrolled.
 */
function goesOnByBranch(behind: readonly Statement[], end: ListEnd): boolean {
  for (const statement of behind) {
    if (statement.kind === "return") return false;
    if (statement.kind === "switch" || (statement.kind === "loop" && sitesIn([statement]).length > 0))
      return true;
    if (statement.kind === "if" && !isSelection(statement)) return true;
    if (statement.kind === "evaluate" && takesSlowPath(statement.expression)) return true;
  }
  if (end === "return") return false;
  return end === "trip" || behind.some(({ kind }) => kind !== "declare");
}

/**
 * Whether the branch and what follows it widen one index to 64 bits, that nothing in front has widened: LLVM then gives the other way a block,
 * too, to do that in.
 */
function widensAgain(
  { whenTrue }: If,
  before: readonly Statement[],
  behind: readonly Statement[],
  options: JoinOptions,
): boolean {
  const [under, again, earlier] = [whenTrue, behind, before].map((list) => indicesOf(list, options));
  return [...(under ?? [])].some((key) => again?.has(key) && !earlier?.has(key));
}

/** What accesses to global memory compute of their indices of 32 bits. */
function indicesOf(list: readonly Statement[], { addresses }: JoinOptions): ReadonlySet<string> {
  const keys = new Set<string>();
  forEachExpressionOf(list, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
    const { pointer } = node.place;
    if (addresses.get(node)?.space !== "global" || pointer.kind !== "offset") return;
    const { index } = pointer;
    if (index.type.kind !== "integer" || index.type.bits === 64 || index.kind === "constant") return;
    keys.add(`wide ${keyOf(index)}`);
    forEachExpression(index, (part) => {
      if (part.kind === "binary") keys.add(keyOf(part));
    });
  });
  return new Set([...keys].filter((key) => !key.includes("?")));
}

function keyOf(node: Expression): string {
  if (node.kind === "load" && node.place.kind === "variable") return `v${node.place.variable.id}`;
  if (node.kind === "constant") return String(node.value);
  if (node.kind === "convert") return keyOf(node.operand);
  if (node.kind === "binary") return `(${keyOf(node.left)}${node.operator}${keyOf(node.right)})`;
  return node.kind === "intrinsic" && node.arguments.length === 0 ? node.name : "?";
}
