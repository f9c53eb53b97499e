// Which variables a trip of a loop writes before it reads them: nothing of them is carried from trip to trip.
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";

/** Ids of variables that no trip of a loop takes over from the one before. */
export interface Remade {
  /** A trip writes them as a whole before anything in it may read them. */
  readonly variables: ReadonlySet<number>;
  /** Those of them that each trip surely writes, whatever branches its lanes take. */
  readonly surely: ReadonlySet<number>;
}

/** Variables that a trip of `loop` writes as a whole before anything in it may read them. */
export function variablesRemadeBy(loop: Loop): Remade {
  const everWritten = new Set<number>();
  const carried = new Set<number>();
  visitLoop(loop, { written: new Set(), everWritten, carried });
  for (const id of carried) everWritten.delete(id);
  const surely = new Set<number>();
  // Lanes that jump may leave a trip before it has written anything, and a test behind the trip may read what it wrote.
  if (loop.test === "top" && !loop.body.some(mayJump)) {
    const written = new Set<number>();
    visitStatements(loop.body, { written, everWritten: new Set(), carried: new Set() });
    for (const id of written) if (everWritten.has(id)) surely.add(id);
  }
  return { variables: everWritten, surely };
}

function mayJump(statement: Statement): boolean {
  switch (statement.kind) {
    case "break":
    case "continue":
    case "return":
    case "unknown":
      return true;
    case "block":
    case "loop":
      return statement.body.some(mayJump);
    case "if":
      return statement.whenTrue.some(mayJump) || statement.whenFalse.some(mayJump);
    case "switch":
      return statement.cases.some(({ body }) => body.some(mayJump));
    default:
      return false;
  }
}

interface Flow {
  /** Surely written on the way here. */
  readonly written: Set<number>;
  /** Written as a whole somewhere in the loop. */
  readonly everWritten: Set<number>;
  /** Perhaps read before it is written. */
  readonly carried: Set<number>;
}

function visitStatements(statements: readonly Statement[], flow: Flow): void {
  for (const statement of statements) visitStatement(statement, flow);
}

function visitStatement(statement: Statement, flow: Flow): void {
  switch (statement.kind) {
    case "evaluate":
      visitExpression(statement.expression, flow);
      break;
    case "declare":
      if (statement.initializer) visitExpression(statement.initializer, flow);
      note(statement.variable.id, flow);
      break;
    case "block":
      visitStatements(statement.body, flow);
      break;
    case "if":
      visitIf(statement, flow);
      break;
    case "loop":
      visitLoop(statement, flow);
      break;
    case "switch":
      visitExpression(statement.selector, flow);
      for (const each of statement.cases) visitStatements(each.body, branchOf(flow));
      break;
    case "return":
      if (statement.value) visitExpression(statement.value, flow);
      break;
    default:
  }
}

function visitIf({ condition, whenTrue, whenFalse }: If, flow: Flow): void {
  visitExpression(condition, flow);
  const first = branchOf(flow);
  visitStatements(whenTrue, first);
  const second = branchOf(flow);
  visitStatements(whenFalse, second);
  for (const id of first.written) if (second.written.has(id)) flow.written.add(id);
}

/** A loop that may make no trip, or end one in the middle by `continue`: what it was to write may not be written then. */
function visitLoop({ condition, test, body, step }: Loop, flow: Flow): void {
  if (test === "top" && condition) visitExpression(condition, flow);
  visitStatements(body, branchOf(flow));
  const end = branchOf(flow);
  for (const effect of step) visitExpression(effect, end);
  if (test === "bottom" && condition) visitExpression(condition, end);
}

function visitExpression(expression: Expression, flow: Flow): void {
  switch (expression.kind) {
    case "logical":
      visitExpression(expression.left, flow);
      visitExpression(expression.right, branchOf(flow));
      return;
    case "conditional":
      visitExpression(expression.condition, flow);
      visitExpression(expression.whenTrue, branchOf(flow));
      visitExpression(expression.whenFalse, branchOf(flow));
      return;
  }
  for (const operand of operandsOf(expression)) visitExpression(operand, flow);
  if (expression.kind !== "load" && expression.kind !== "address" && expression.kind !== "assign") return;
  const { place } = expression;
  if (place.kind !== "variable" || flow.written.has(place.variable.id)) return;
  const { variable } = place;
  const isWhole = place.offsetBytes === 0 && sizeOf(place.type) === sizeOf(variable.type);
  if (expression.kind === "assign" && isWhole) note(variable.id, flow);
  else flow.carried.add(variable.id);
}

function note(id: number, { written, everWritten }: Flow): void {
  written.add(id);
  everWritten.add(id);
}

function branchOf(flow: Flow): Flow {
  return { ...flow, written: new Set(flow.written) };
}
