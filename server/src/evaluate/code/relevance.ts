// Which values of a function the evaluation must work out: those that its accesses, and the lanes that make them, may hang on. The sums of
// a matrix product are none of them, and working them out would take most of the time.
import type { Expression } from "../../ir/expression.ts";
import type { FunctionDefinition } from "../../ir/function.ts";
import { expressionsOf, listsOf, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { type Locals, localsOf } from "../memory/locals.ts";
import { createEffects, type Effects, isValueOnly, memoised } from "./effects.ts";
import { type Lasting, lastingOf } from "./lasting.ts";

export interface Relevance extends Pick<Locals, "automaticOf" | "escaped">, Lasting {
  /** Whether an access, or which lanes make it, may hang on what the variable holds. */
  isRelevant(variable: Variable): boolean;
  /** Whether evaluating it does anything but give a value: it accesses memory, calls, or writes a relevant variable. */
  acts(expression: Expression): boolean;
  /** Whether executing it does anything but write variables that are not relevant. */
  hasWork(statement: Statement): boolean;
  /** Ids of the variables that it or a part of it writes. */
  writtenBy(statement: Statement): ReadonlySet<number>;
}

/** Reads the body of one function, once. */
export function relevanceOf(definition: FunctionDefinition): Relevance {
  const slice = sliceOf(definition);
  const { automaticOf } = slice.locals;
  const { actsByItself, hasEffect } = slice.effects;
  const isRelevant = ({ id }: Variable): boolean => slice.relevant.has(id);
  const acts = memoised((expression: Expression): boolean => {
    if (!hasEffect(expression)) return false;
    const written = expression.kind === "assign" ? automaticOf(expression.place) : null;
    const isIdleWrite = written !== null && !isRelevant(written);
    return (actsByItself(expression) && !isIdleWrite) || operandsOf(expression).some(acts);
  });
  const hasWork = memoised((statement: Statement): boolean => {
    switch (statement.kind) {
      case "evaluate":
        return acts(statement.expression);
      case "declare":
        return (
          isRelevant(statement.variable) || (statement.initializer !== null && acts(statement.initializer))
        );
      case "block":
        return statement.body.some(hasWork);
      case "if":
        return (
          acts(statement.condition) || statement.whenTrue.some(hasWork) || statement.whenFalse.some(hasWork)
        );
      case "loop":
        return (
          (statement.condition !== null && acts(statement.condition)) ||
          statement.step.some(acts) ||
          statement.body.some(hasWork)
        );
      case "barrier":
        return false;
      default:
        return true;
    }
  });
  const { escaped } = slice.locals;
  const lasting = lastingOf(definition.body, slice.locals, isRelevant);
  return {
    automaticOf,
    escaped,
    isRelevant,
    acts,
    hasWork,
    writtenBy: slice.writtenBy,
    ...lasting,
  };
}

/** A backward slice in the making. */
interface Slice extends Pick<Relevance, "writtenBy"> {
  /** Variables that pointers may reach matter all together, as soon as what is loaded through a pointer does. */
  readonly locals: Locals;
  readonly effects: Effects;
  readonly relevant: Set<number>;
  /** What is written to each variable, or decides whether something is. */
  readonly definitions: Map<number, Expression[]>;
  /** What is written through pointers. */
  readonly writtenThrough: Expression[];
  areEscapedRelevant: boolean;
  /** Whether pointers may lead to variables of a caller: what is written through them may matter there. */
  readonly hasCaller: boolean;
  /** Expressions whose value matters, and those of them that are still to be followed. */
  readonly wanted: Set<Expression>;
  readonly waiting: Expression[];
}

/** Goes backwards from addresses and conditions to the variables that they hang on. */
function sliceOf({ body, kind }: FunctionDefinition): Slice {
  const locals = localsOf(body);
  const slice: Slice = {
    locals,
    effects: createEffects(locals),
    writtenBy: writesIn(locals),
    relevant: new Set(),
    definitions: new Map(),
    writtenThrough: [],
    areEscapedRelevant: false,
    hasCaller: kind !== "kernel",
    wanted: new Set(),
    waiting: [],
  };
  for (const statement of body) visitStatement(slice, statement);
  for (let next = slice.waiting.pop(); next; next = slice.waiting.pop()) follow(slice, next);
  return slice;
}

function visitStatement(slice: Slice, statement: Statement): void {
  const visitAll = (statements: readonly Statement[]) => {
    for (const each of statements) visitStatement(slice, each);
  };
  switch (statement.kind) {
    case "evaluate":
      visit(slice, statement.expression);
      break;
    case "declare":
      if (!statement.initializer) break;
      define(slice, statement.variable.id, statement.initializer);
      visit(slice, statement.initializer);
      break;
    case "block":
      visitAll(statement.body);
      break;
    case "if":
      visitCondition(slice, statement, statement.condition);
      visitAll(statement.whenTrue);
      visitAll(statement.whenFalse);
      break;
    case "loop":
      if (statement.condition) visitCondition(slice, statement, statement.condition);
      if (statement.copies)
        for (const part of ["left", "right", "stride"] as const) want(slice, statement.copies[part]);
      for (const step of statement.step) visit(slice, step);
      visitAll(statement.body);
      break;
    case "switch":
      want(slice, statement.selector);
      for (const each of statement.cases) visitAll(each.body);
      break;
    case "return":
      if (statement.value) want(slice, statement.value);
      break;
    default:
  }
}

/** A condition that decides only what variables hold matters if one of them does. */
function visitCondition(slice: Slice, decided: Statement, condition: Expression): void {
  if (!slice.effects.onlyWritesVariables(decided)) {
    want(slice, condition);
    return;
  }
  visit(slice, condition);
  for (const id of slice.writtenBy(decided)) define(slice, id, condition);
}

/** What each statement writes: made of what those inside it do, so that branches within branches are read once. */
function writesIn({ automaticOf }: Locals): Relevance["writtenBy"] {
  const note = (expression: Expression, written: Set<number>): void => {
    const variable = expression.kind === "assign" ? automaticOf(expression.place) : null;
    if (variable) written.add(variable.id);
    for (const operand of operandsOf(expression)) note(operand, written);
  };
  const writtenBy = memoised((statement: Statement): ReadonlySet<number> => {
    const written = new Set<number>();
    for (const expression of expressionsOf(statement)) note(expression, written);
    for (const list of listsOf(statement))
      for (const inner of list) for (const id of writtenBy(inner)) written.add(id);
    return written;
  });
  return writtenBy;
}

/** What an expression does, whoever uses its value. */
function visit(slice: Slice, expression: Expression): void {
  const { hasEffect } = slice.effects;
  if (!hasEffect(expression)) return;
  const visitOperands = () => {
    for (const operand of operandsOf(expression)) visit(slice, operand);
  };
  switch (expression.kind) {
    case "load":
      if (slice.locals.automaticOf(expression.place)) visitOperands();
      else for (const operand of operandsOf(expression)) want(slice, operand);
      break;
    case "assign":
      noteWrite(slice, expression);
      visitOperands();
      break;
    // Which lanes come to the accesses of a side is part of what is wanted.
    case "conditional":
      if (hasEffect(expression.whenTrue) || hasEffect(expression.whenFalse)) want(slice, expression);
      else visit(slice, expression.condition);
      break;
    case "logical":
      if (hasEffect(expression.right)) want(slice, expression);
      else visit(slice, expression.left);
      break;
    case "call":
    case "call-indirect":
      want(slice, expression);
      break;
    case "intrinsic":
      if (isValueOnly(expression)) visitOperands();
      else want(slice, expression);
      break;
    default:
      visitOperands();
  }
}

/** What the value of an expression hangs on. */
function follow(slice: Slice, expression: Expression): void {
  switch (expression.kind) {
    case "sequence":
      for (const effect of expression.effects) visit(slice, effect);
      want(slice, expression.result);
      return;
    case "assign":
      noteWrite(slice, expression);
      break;
    case "call":
    case "call-indirect":
      wantEscaped(slice);
      break;
    case "load": {
      const variable = slice.locals.automaticOf(expression.place);
      if (variable) wantVariable(slice, variable.id);
      else if (expression.place.kind === "memory") wantEscaped(slice);
      break;
    }
    default:
  }
  for (const operand of operandsOf(expression)) want(slice, operand);
}

function noteWrite(slice: Slice, { place, value }: Extract<Expression, { kind: "assign" }>): void {
  const variable = slice.locals.automaticOf(place);
  if (variable) {
    define(slice, variable.id, value);
    // At which element it is written matters as much as what is.
    if (place.kind === "memory") define(slice, variable.id, place.pointer);
  } else if (place.kind === "memory") {
    want(slice, place.pointer);
    slice.writtenThrough.push(value);
    if (slice.areEscapedRelevant || (slice.hasCaller && mayDecide(value))) want(slice, value);
  }
}

/** Whether addresses and conditions of a caller are likely to hang on it: floating-point numbers are seldom known at all. */
function mayDecide({ type }: Expression): boolean {
  return type.kind !== "float";
}

function define(slice: Slice, id: number, value: Expression): void {
  const before = slice.definitions.get(id);
  if (before) before.push(value);
  else slice.definitions.set(id, [value]);
  if (slice.relevant.has(id)) want(slice, value);
}

function want(slice: Slice, expression: Expression): void {
  if (slice.wanted.has(expression)) return;
  slice.wanted.add(expression);
  slice.waiting.push(expression);
}

function wantVariable(slice: Slice, id: number): void {
  if (slice.relevant.has(id)) return;
  slice.relevant.add(id);
  for (const value of slice.definitions.get(id) ?? []) want(slice, value);
  if (slice.locals.escaped.has(id)) wantEscaped(slice);
}

function wantEscaped(slice: Slice): void {
  if (slice.areEscapedRelevant || slice.locals.escaped.size === 0) return;
  slice.areEscapedRelevant = true;
  for (const id of slice.locals.escaped) wantVariable(slice, id);
  for (const value of slice.writtenThrough) want(slice, value);
}
