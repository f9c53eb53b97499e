// Which values the compiler knows to be one for all lanes of a warp, and which it takes to differ: what LLVM's uniformity analysis finds.
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import { exits, leaves } from "../walks/jumps.ts";
import {
  assignedVariables,
  forEachExpressionIn,
  forEachExpressionOf,
  forEachStatement,
  partsOf,
} from "../walks/walk.ts";

/** `unclear`: lanes may have come by different ways to it; what the compiler makes of that is not imitated. */
export type Uniformity = "uniform" | "unclear" | "varying";

export type UniformityOf = (expression: Expression) => Uniformity;

/** How expressions of a body are to the compiler; `parameters` is what its parameters are. */
export function uniformityIn(
  body: readonly Statement[],
  parameters: ReadonlyMap<number, Uniformity>,
): UniformityOf {
  const known = new Map<number, Uniformity>(parameters);
  forEachExpressionOf(body, (expression) => {
    const { kind } = expression;
    if (kind !== "address" || expression.place.kind !== "variable") return;
    if (expression.place.variable.storage === "automatic") known.set(expression.place.variable.id, "unclear");
  });
  const often = assignedOften(body);
  const uniformityOf: UniformityOf = (expression) => of(expression, known);
  for (let round = 0; round < mostRounds; round++)
    if (!settle(body, "uniform", { known, often, uniformityOf })) return uniformityOf;
  return () => "unclear";
}

const mostRounds = 16;

function joined(a: Uniformity, b: Uniformity): Uniformity {
  if (a === "uniform" || b === "varying") return b;
  return a === "varying" || b === "uniform" ? a : b;
}

interface Analysis {
  readonly known: Map<number, Uniformity>;
  /** Variables that are assigned in more than one place: what they hold depends on the way that was taken. */
  readonly often: ReadonlySet<number>;
  readonly uniformityOf: UniformityOf;
}

function assignedOften(body: readonly Statement[]): ReadonlySet<number> {
  const once = new Set<number>();
  const often = new Set<number>();
  const count = (id: number) => (once.has(id) ? often : once).add(id);
  forEachStatement(body, (statement) => {
    if (statement.kind === "declare" && statement.initializer) count(statement.variable.id);
  });
  forEachExpressionOf(body, (expression) => {
    if (expression.kind === "assign" && expression.place.kind === "variable")
      count(expression.place.variable.id);
  });
  return often;
}

/** One round over a list whose control flow is as `control` says; whether anything new was learnt. */
function settle(body: readonly Statement[], control: Uniformity, analysis: Analysis): boolean {
  const { known, often, uniformityOf } = analysis;
  let changed = false;
  const learn = (id: number, uniformity: Uniformity) => {
    const before = known.get(id) ?? "uniform";
    const after = joined(before, uniformity);
    if (after === before) return;
    known.set(id, after);
    changed = true;
  };
  const assign = (id: number, value: Expression) =>
    learn(id, joined(often.has(id) ? control : "uniform", uniformityOf(value)));
  for (const statement of body) {
    if (statement.kind === "declare" && statement.initializer)
      assign(statement.variable.id, statement.initializer);
    const { expressions, lists } = partsOf(statement);
    for (const expression of expressions) forEachAssignment(expression, assign);
    if (lists.length === 0) continue;
    const isApart = statement.kind !== "block" && !isTogether(statement, uniformityOf);
    const inside = isApart ? "unclear" : control;
    for (const list of lists) if (settle(list, inside, analysis)) changed = true;
    // Of a loop that lanes leave at different trips, what it changed differs behind it.
    if (isApart && statement.kind === "loop")
      for (const id of assignedVariables(statement.body, statement.step)) learn(id, "unclear");
  }
  return changed;
}

function forEachAssignment(expression: Expression, visit: (id: number, value: Expression) => void): void {
  if (expression.kind === "assign" && expression.place.kind === "variable")
    visit(expression.place.variable.id, expression.value);
  for (const operand of operandsOf(expression)) forEachAssignment(operand, visit);
}

/** Whether all lanes go the same ways through a statement. */
function isTogether(statement: Statement, uniformityOf: UniformityOf): boolean {
  const { expressions, lists } = partsOf(statement);
  const isOne = expressions.every((expression) => uniformityOf(expression) === "uniform");
  if (statement.kind !== "loop") return isOne;
  return isOne && lists.every((list) => !partsWaysAndLeaves(list, uniformityOf));
}

/** Whether lanes part in a list and some of them leave it for good. */
function partsWaysAndLeaves(list: readonly Statement[], uniformityOf: UniformityOf): boolean {
  return list.some((statement) => {
    const { expressions, lists } = partsOf(statement);
    if (lists.length === 0) return false;
    const parts = expressions.some((expression) => uniformityOf(expression) !== "uniform");
    return parts
      ? lists.some((inner) => leaves(inner, exits.jump))
      : lists.some((inner) => partsWaysAndLeaves(inner, uniformityOf));
  });
}

function of(expression: Expression, known: ReadonlyMap<number, Uniformity>): Uniformity {
  switch (expression.kind) {
    case "constant":
    case "function":
      return "uniform";
    case "call":
    case "call-indirect":
    case "unknown":
      return "unclear";
    case "intrinsic":
      return ofIntrinsic(expression, known);
    case "load":
      if (expression.place.kind === "variable" && expression.place.variable.storage === "automatic")
        return known.get(expression.place.variable.id) ?? "uniform";
      return ofOperands(expression, known);
    default:
      return ofOperands(expression, known);
  }
}

function ofOperands(expression: Expression, known: ReadonlyMap<number, Uniformity>): Uniformity {
  let all: Uniformity = "uniform";
  for (const operand of operandsOf(expression)) {
    all = joined(all, of(operand, known));
    if (all === "varying") return all;
  }
  return all;
}

function ofIntrinsic(expression: Intrinsic, known: ReadonlyMap<number, Uniformity>): Uniformity {
  const effect = intrinsicEffect(expression.name);
  if (effect === "identity")
    return /^(threadIdx|laneid|warpid)/.test(expression.name) ? "varying" : "uniform";
  if (effect === "atomic") return "varying";
  if (effect === "pure" || effect === "load") return ofOperands(expression, known);
  return "unclear";
}

/** Whether a body has an atomic at all: most have none. */
export function hasAtomics(body: readonly Statement[]): boolean {
  let found = false;
  for (const statement of body) {
    forEachExpressionIn(statement, (expression) => {
      if (expression.kind === "intrinsic" && intrinsicEffect(expression.name) === "atomic") found = true;
    });
    if (found) return true;
  }
  return false;
}
