// How large LLVM takes a trip of a loop to be: its operations once invariant ones and repeated ones are gone.
import type { Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { lowBit } from "../addresses/linear.ts";
import { isWrittenAlike } from "../walks/equal.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  isCall,
  rootVariableOf,
  someExpressionOf,
  someStatement,
} from "../walks/walk.ts";
import { type Knowledge, knownValue } from "./constants.ts";
import { sizeOfCall } from "./function-sizes.ts";
import { isHeldInLoop, type TripMemory } from "./held-in-loop.ts";
import { memoryUnder } from "./pointers.ts";

/** Operations that LLVM counts for a division, for a call that stays one, and for code of which nothing is known. */
const divisionOperations = 4;
const callOperations = 12;
const unknownOperations = 60;

/** Into the branch and out of it. */
const jumpsOfBranch = 2;

/** Copies that a loop of unknown trips gets, its remainder and what starts it. */
const copiesOfCounted = 5;
const startOfCounted = 20;

/** What LLVM counts in a trip. */
export interface Operations {
  readonly operations: number;
  /** Those that hang on the loop's counters alone: constants, once the loop is unrolled. */
  readonly ofCounters: number;
}

/** Operations of one trip whose statements have been linearised, counted no further than `limit`; `memory` where it is known what the trip does to it. */
export function operationsOf(
  body: readonly Statement[],
  counters: ReadonlySet<number>,
  limit: number,
  memory: TripMemory | null = null,
): Operations {
  const counter: Counter = {
    assigned: assignedVariables(body),
    counters,
    knowledge: new Map(),
    values: new Map(),
    seen: new Set(),
    names: new Map(),
    operations: 0,
    ofCounters: 0,
    limit,
    memory,
    goneOn: new Set(),
    isReached: true,
  };
  countList(body, counter);
  return { operations: counter.operations, ofCounters: counter.ofCounters };
}

interface Counter {
  /** What trips change: the rest is computed in front of the loop. */
  readonly assigned: ReadonlySet<number>;
  /** What the loop counts on. */
  readonly counters: ReadonlySet<number>;
  readonly knowledge: Knowledge;
  /** By variable: what it was last assigned, as a name; a number where it is a constant. */
  readonly values: Map<string, string>;
  readonly seen: Set<string>;
  /** By what a value is made of: its name, which stays short however often values are made of values. */
  readonly names: Map<string, string>;
  operations: number;
  ofCounters: number;
  readonly limit: number;
  readonly memory: TripMemory | null;
  /** Addresses of rows from which an index went on. */
  readonly goneOn: Set<string>;
  /** Whether every trip comes to the statement at hand. */
  isReached: boolean;
}

function countList(list: readonly Statement[], counter: Counter): void {
  for (const statement of list) {
    if (counter.operations > counter.limit) return;
    countStatement(statement, counter);
    if (counter.isReached && mayJump(statement)) counter.isReached = false;
  }
}

function mayJump(statement: Statement): boolean {
  return someStatement(
    [statement],
    ({ kind }) => kind === "break" || kind === "continue" || kind === "return",
  );
}

function countStatement(statement: Statement, counter: Counter): void {
  switch (statement.kind) {
    case "evaluate":
      nameOf(statement.expression, counter);
      return;
    case "if":
      nameOf(statement.condition, counter);
      counter.operations += Math.min(jumpsOfBranch, choicesOf(statement));
      countBranches([statement.whenTrue, statement.whenFalse], counter);
      return;
    case "switch":
      nameOf(statement.selector, counter);
      counter.operations += statement.cases.length;
      countBranches(
        statement.cases.map((one) => one.body),
        counter,
      );
      return;
    case "block":
      countList(statement.body, counter);
      return;
    case "loop":
      countLoop(statement, counter);
      return;
    case "barrier":
    case "unknown":
      counter.operations++;
      counter.seen.clear();
      return;
    default:
      return;
  }
}

/** How many values LLVM chooses in place of a branch that does nothing but set variables; Infinity for every other. */
function choicesOf({ whenTrue, whenFalse }: Statement & { kind: "if" }): number {
  const chosen = new Set<number>();
  for (const statement of [...whenTrue, ...whenFalse]) {
    if (statement.kind !== "evaluate") return Infinity;
    const { expression } = statement;
    if (expression.kind !== "assign" || expression.place.kind !== "variable") return Infinity;
    if (someExpressionOf([statement], isNoChoice)) return Infinity;
    chosen.add(expression.place.variable.id);
  }
  return chosen.size;
}

/** What LLVM does not compute before it is known whether it is wanted. */
function isNoChoice(expression: Expression): boolean {
  if (expression.kind === "load" || expression.kind === "assign") return expression.place.kind === "memory";
  if (expression.kind === "binary") return expression.operator === "/" || expression.operator === "%";
  return expression.kind === "intrinsic" || isCall(expression) || expression.kind === "unknown";
}

function countBranches(lists: readonly (readonly Statement[])[], counter: Counter): void {
  const { isReached } = counter;
  counter.isReached = false;
  for (const list of lists) {
    countList(list, counter);
    forget(assignedVariables(list), counter);
  }
  counter.isReached = isReached;
}

/** A loop that stays one: LLVM has unrolled it already when it looks at the loop around it. */
function countLoop(loop: Loop, counter: Counter): void {
  forget(assignedVariables(loop.body, loop.step), counter);
  const before = counter.operations;
  const { isReached } = counter;
  counter.isReached = false;
  if (loop.condition) nameOf(loop.condition, counter);
  countList(loop.body, counter);
  for (const step of loop.step) nameOf(step, counter);
  counter.isReached = isReached;
  if (isCounted(loop))
    counter.operations += (counter.operations - before) * (copiesOfCounted - 1) + startOfCounted;
  forget(assignedVariables(loop.body, loop.step), counter);
}

/** Whether LLVM can count its trips when it starts: a sum is added to what its condition reads. */
function isCounted(loop: Loop): boolean {
  if (loop.unroll !== null || !loop.condition) return false;
  const compared = new Set<number>();
  forEachExpression(loop.condition, (node) => {
    if (node.kind === "load" && node.place.kind === "variable") compared.add(node.place.variable.id);
  });
  let isSum = false;
  const visit = (node: Expression): void => {
    if (node.kind !== "assign" || node.place.kind !== "variable") return;
    const { value } = node;
    if (!compared.has(node.place.variable.id)) return;
    if (value.kind === "offset") isSum = true;
    if (value.kind === "binary" && (value.operator === "+" || value.operator === "-")) isSum = true;
  };
  forEachExpressionOf(loop.body, visit);
  for (const step of loop.step) forEachExpression(step, visit);
  return isSum;
}

function forget(ids: ReadonlySet<number>, counter: Counter): void {
  for (const id of ids) counter.knowledge.delete(id);
  for (const key of counter.values.keys()) {
    const id = Number(key.slice(0, key.indexOf(".")));
    if (ids.has(id)) counter.values.delete(key);
  }
}

/** Counts what the expression costs that has not been counted, and gives a name that is equal for equal values. */
function nameOf(expression: Expression, counter: Counter): string {
  const known = knownValue(expression, counter.knowledge);
  if (typeof known === "number") return String(known);
  switch (expression.kind) {
    case "constant":
      return `c${expression.value}`;
    case "load": {
      const { place } = expression;
      if (place.kind === "memory") {
        const pointer = nameOf(place.pointer, counter);
        if (!isAsm(expression, counter) && isHeld(place, pointer, counter))
          return heldName(place, pointer, counter);
        counter.operations++;
        return `m${counter.operations}.${pointer}`;
      }
      const key = `${place.variable.id}.${place.offsetBytes}`;
      const known = counter.values.get(key);
      if (known !== undefined) return known;
      if (counter.counters.has(place.variable.id)) return `k${key}`;
      return `${counter.assigned.has(place.variable.id) ? "v" : "inv"}${key}`;
    }
    case "assign": {
      const value = nameOf(expression.value, counter);
      if (expression.place.kind === "memory") {
        const pointer = nameOf(expression.place.pointer, counter);
        if (!isHeld(expression.place, pointer, counter)) counter.operations++;
        return value;
      }
      const { variable, offsetBytes } = expression.place;
      const constant = knownValue(expression.value, counter.knowledge);
      if (constant === null || offsetBytes !== 0) counter.knowledge.delete(variable.id);
      else counter.knowledge.set(variable.id, constant);
      counter.values.set(`${variable.id}.${offsetBytes}`, value);
      return value;
    }
    default: {
      const operands = operandsOf(expression).map((operand) => nameOf(operand, counter));
      const made = madeOf(operands);
      const name = shortName(`${labelOf(expression)} ${operands.join(" ")}`, made, counter);
      if (counter.seen.has(name) || (made === "inv" && !isEffect(expression))) return name;
      counter.seen.add(name);
      const cost = isOneWithInner(expression, operands, counter)
        ? 0
        : made === "k" && isByPower(expression)
          ? 1
          : costOf(expression);
      counter.operations += cost;
      if (made === "k") counter.ofCounters += foldsEarly(expression) ? 0 : cost;
      else if (expression.kind === "offset" && operands.some((operand) => operand.startsWith("k")))
        counter.ofCounters += leadsToShared(expression, counter) ? 0 : cost - 1;
      return name;
    }
  }
}

/** Whether a register holds the place while the loop runs: LLVM moves such loads and stores out of it before it counts. */
function isHeld(place: MemoryPlace, pointer: string, { memory, isReached }: Counter): boolean {
  return memory !== null && isReached && madeOf([pointer]) === "inv" && isHeldInLoop(place, memory);
}

/** LLVM leaves what CUDA's headers write as `asm` where it is (`__ldg`). */
function isAsm({ site }: Load, { memory }: Counter): boolean {
  return site !== null && memory?.asmSites.has(site) === true;
}

/** What is only loaded is the same in all trips. */
function heldName(place: MemoryPlace, pointer: string, { memory }: Counter): string {
  const isStored = memory?.stored.some((stored) => stored !== null && isWrittenAlike(stored, place));
  return `${isStored ? "m" : "inv"}${place.offsetBytes}.${pointer}`;
}

/** Whether two steps into an array (`s[i][x]`) are one address to LLVM: the first that goes on from an inner one. */
function isOneWithInner(expression: Expression, [inner]: readonly string[], { goneOn }: Counter): boolean {
  if (expression.kind !== "offset" || expression.pointer.kind !== "offset") return false;
  if (inner === undefined || inner.startsWith("inv") || goneOn.has(inner)) return false;
  goneOn.add(inner);
  return true;
}

/** What LLVM folds as soon as it makes copies, whose counter is a multiple of their number: nothing is left to fold later. */
function foldsEarly(expression: Expression): boolean {
  return expression.kind === "binary" && (expression.operator === "%" || expression.operator === "&");
}

/** What the names begin with that are made of these: `inv` where no trip changes them, `k` where counters alone do. */
function madeOf(operands: readonly string[]): "inv" | "k" | "" {
  const others = operands.filter((name) => !/^-?[c\d]/.test(name));
  if (others.every((name) => name.startsWith("inv"))) return "inv";
  return others.every((name) => name.startsWith("k")) ? "k" : "";
}

function shortName(made: string, prefix: string, { names }: Counter): string {
  const known = names.get(made);
  if (known !== undefined) return known;
  const name = `${prefix}#${names.size}`;
  names.set(made, name);
  return name;
}

function isEffect(expression: Expression): boolean {
  if (expression.kind === "call" || expression.kind === "call-indirect") return true;
  if (expression.kind !== "intrinsic") return false;
  const effect = intrinsicEffect(expression.name);
  return effect !== "pure" && effect !== "identity";
}

function labelOf(expression: Expression): string {
  const type = expression.type.kind;
  if (expression.kind === "binary" || expression.kind === "unary") return expression.operator;
  if (expression.kind === "intrinsic") return expression.name;
  if (expression.kind === "offset") return `offset${expression.strideBytes}`;
  if (expression.kind === "address" && expression.place.kind === "variable")
    return `address${expression.place.variable.id}.${expression.place.offsetBytes}`;
  return `${expression.kind} ${type}`;
}

function costOf(expression: Expression): number {
  switch (expression.kind) {
    case "address":
    case "function":
    case "sequence":
    case "aggregate":
    case "extract":
      return 0;
    case "convert":
      return isFree(expression) ? 0 : 1;
    case "offset":
      // A constant is part of the address.
      if (expression.index.kind === "constant") return 0;
      return widensIndex(expression) ? 2 : 1;
    case "binary":
      return expression.operator === "/" || expression.operator === "%" ? divisionCost(expression) : 1;
    case "intrinsic":
      return sizeOfCall(expression);
    case "unknown":
      return expression.isPure && !expression.isLong ? 1 : unknownOperations;
    case "call":
    case "call-indirect":
      return callOperations;
    default:
      return 1;
  }
}

function isFree({ type, operand }: Expression & { kind: "convert" }): boolean {
  const isSameSize =
    type.kind === "integer" && operand.type.kind === "integer" && type.bits === operand.type.bits;
  return isSameSize || type.kind === "pointer" || operand.type.kind === "boolean";
}

/** An index of 32 bits into memory that 64 bits address; shared memory needs no more than 32. */
function widensIndex(expression: Expression & { kind: "offset" }): boolean {
  const { type } = expression.index;
  const storage = rootVariableOf(expression.pointer)?.storage;
  return type.kind === "integer" && type.bits < 64 && storage !== "shared" && storage !== "dynamic-shared";
}

/**
 * Whether a variable that points to shared memory is gone on from: the step takes as much as one of 64 bits does, but nothing of it folds with the
 * counter. Measured in PTX over 6 numbers of trips and 23 bodies (`float *mine = tile + threadIdx.x * 32; … mine[c]`).
 */
function leadsToShared(expression: Expression & { kind: "offset" }, { memory }: Counter): boolean {
  return memory !== null && memoryUnder(expression.pointer, memory.pointers) === "shared";
}

/** Unsigned, by a power of two, it is a shift or a mask, and so is that of a counter, which is not negative. */
function divisionCost(expression: Expression & { kind: "binary" }): number {
  const { type } = expression;
  return isByPower(expression) && type.kind === "integer" && !type.signed ? 1 : divisionOperations;
}

function isByPower(expression: Expression): boolean {
  if (expression.kind !== "binary" || (expression.operator !== "/" && expression.operator !== "%"))
    return false;
  const { right } = expression;
  return right.kind === "constant" && typeof right.value === "number" && lowBit(right.value) === right.value;
}
