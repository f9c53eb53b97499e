// What a statement leaves behind in variables. A rehearsal of a loop asks for nothing else: it passes by whatever leaves nothing.
import type { Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { forEachExpression, forEachStatement, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Locals } from "../memory/locals.ts";
import { memoised } from "./effects.ts";

/** Answers for the statements of one function. */
export interface Lasting {
  /** Whether it writes a variable that lives on, calls, or makes control go elsewhere than behind it. */
  leavesTraces(statement: Statement): boolean;
  /** Whether it writes where pointers lead. */
  writesThroughPointers(statement: Statement): boolean;
  /** Whether statements of the body behind that of this index may see that it was executed, in what variables hold or in which lanes come to them. */
  mattersBehind(index: number): boolean;
}

/** Of the function of that body; `isRelevant` says which variables are kept at all. */
export function lastingOf(
  body: readonly Statement[],
  { automaticOf, escaped }: Locals,
  isRelevant: (variable: Variable) => boolean,
): Lasting {
  const namedInAll = memoised((all: readonly Statement[]) => namedIn(all));
  const isEffectOf = (statement: Statement, test: (expression: Expression) => boolean): boolean => {
    const holds = (expression: Expression): boolean => test(expression) || operandsOf(expression).some(holds);
    let found = false;
    forEachExpression([statement], (expression) => {
      found ||= holds(expression);
    });
    return found;
  };
  const calls = (expression: Expression) => expression.kind === "call" || expression.kind === "call-indirect";
  const writtenBy = (expression: Expression): Variable | null => {
    const written = expression.kind === "assign" ? automaticOf(expression.place) : null;
    return written !== null && isRelevant(written) ? written : null;
  };
  const writesThroughPointers = memoised((statement: Statement) =>
    isEffectOf(statement, (expression) => {
      if (expression.kind === "assign")
        return expression.place.kind === "memory" && automaticOf(expression.place) === null;
      return expression.kind === "intrinsic" && !readingEffects.has(intrinsicEffect(expression.name));
    }),
  );
  const lastNamings = memoised(lastNamingsIn);
  const isSeenBehind = (statement: Statement, index: number): boolean => {
    if (leadsElsewhere(statement, [])) return true;
    if (escaped.size > 0 && writesThroughPointers(statement)) return true;
    const isNamedBehind = ({ id }: Variable) => (lastNamings(body).get(id) ?? -1) > index;
    if (statement.kind === "declare" && isNamedBehind(statement.variable)) return true;
    return isEffectOf(statement, (expression) => {
      const written = writtenBy(expression);
      return calls(expression) || (written !== null && isNamedBehind(written));
    });
  };
  const seenBehind = new Map<number, boolean>();
  return {
    leavesTraces: memoised((statement) => {
      if (leadsElsewhere(statement, [])) return true;
      if (statement.kind === "declare" && isRelevant(statement.variable)) return true;
      const born = bornIn(statement, namedInAll(body));
      return isEffectOf(statement, (expression) => {
        const written = writtenBy(expression);
        return calls(expression) || (written !== null && !born.has(written.id));
      });
    }),
    writesThroughPointers,
    mattersBehind: (index) => {
      const statement = body[index];
      if (statement === undefined) return false;
      const known = seenBehind.get(index) ?? isSeenBehind(statement, index);
      seenBehind.set(index, known);
      return known;
    },
  };
}

const readingEffects: ReadonlySet<ReturnType<typeof intrinsicEffect>> = new Set([
  "pure",
  "identity",
  "warp",
  "load",
]);

/**
 * Variables that are born within the statement, and that nobody names behind it, as generated code may where the compiler reads a variable of an inner
 * scope once for several ways.
 */
function bornIn(statement: Statement, namedInAll: ReadonlyMap<number, number>): ReadonlySet<number> {
  const born = new Set<number>();
  forEachStatement([statement], (inner) => {
    if (inner.kind === "declare" && inner !== statement) born.add(inner.variable.id);
  });
  if (born.size === 0) return born;
  const named = namedIn([statement]);
  for (const id of born) if (named.get(id) !== namedInAll.get(id)) born.delete(id);
  return born;
}

/** By variable, the index of the last of the statements that names it. */
function lastNamingsIn(statements: readonly Statement[]): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const [index, statement] of statements.entries())
    for (const id of namedIn([statement]).keys()) last.set(id, index);
  return last;
}

/** How often the expressions of some statements name each variable, those by which the copies of an unrolled loop are told apart among them. */
function namedIn(statements: readonly Statement[]): ReadonlyMap<number, number> {
  const named = new Map<number, number>();
  const visit = (expression: Expression): void => {
    if (expression.kind === "load" || expression.kind === "assign" || expression.kind === "address") {
      const { place } = expression;
      if (place.kind === "variable") named.set(place.variable.id, (named.get(place.variable.id) ?? 0) + 1);
    }
    for (const operand of operandsOf(expression)) visit(operand);
  };
  forEachExpression(statements, visit);
  forEachStatement(statements, (statement) => {
    if (statement.kind !== "loop" || !statement.copies) return;
    for (const part of [statement.copies.left, statement.copies.right, statement.copies.stride]) visit(part);
  });
  return named;
}

type Jump = "break" | "continue";

/** Whether lanes may go on elsewhere than behind it; jumps of the `caught` kinds end within. */
function leadsElsewhere(statement: Statement, caught: readonly Jump[]): boolean {
  const some = (statements: readonly Statement[], within: readonly Jump[]) =>
    statements.some((each) => leadsElsewhere(each, within));
  switch (statement.kind) {
    case "break":
    case "continue":
      return !caught.includes(statement.kind);
    case "return":
    case "launch":
    case "unknown":
      return true;
    case "block":
      return some(statement.body, caught);
    case "if":
      return some(statement.whenTrue, caught) || some(statement.whenFalse, caught);
    case "loop":
      return some(statement.body, ["break", "continue"]);
    case "switch":
      return statement.cases.some(({ body }) => some(body, [...caught, "break"]));
    default:
      return false;
  }
}
