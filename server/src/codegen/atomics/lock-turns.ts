// Lanes that take turns at a lock, each in a trip of its own: one that waits lets the others go on to their trips, so that lanes of several
// trips may then execute an instruction together. How many do hangs on time.
import type { Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { If, Loop, Statement } from "../../ir/statement.ts";
import { likeSite, mapLists, mapOperandsIn, mapStatements, withExpression } from "../walks/rebuild.ts";
import { assignedVariables, forEachExpressionOf, forEachStatement, readsAny } from "../walks/walk.ts";

/**
 * The body whose accesses say so where a trip's own lanes wait for a lock. The lane that every trip chooses (`threadIdx.x == 0`) meets no
 * other.
 */
export function markLockTurns(body: readonly Statement[]): readonly Statement[] {
  return holdsSpin(body) ? markIn(body, new Set()) : body;
}

/** `changing`: what the trips of the loops around the list change. */
function markIn(list: readonly Statement[], changing: ReadonlySet<number>): readonly Statement[] {
  return mapStatements(list, (statement) => {
    if (statement.kind === "loop") {
      const assigned = assignedVariables(statement.body, statement.step);
      return mapLists(statement, (body) => markIn(body, new Set([...changing, ...assigned])));
    }
    const isTurn =
      statement.kind === "if" && readsAny(statement.condition, changing) && holdsSpin([statement]);
    return mapLists(statement, (inner) => (isTurn ? noteAll(inner) : markIn(inner, changing)));
  });
}

function holdsSpin(list: readonly Statement[]): boolean {
  let holds = false;
  forEachStatement(list, (statement) => {
    if (statement.kind === "loop" && isSpin(statement)) holds = true;
  });
  return holds;
}

/** Whether the loop goes on until an atomic gives what it waits for. */
export function isSpin(loop: Loop): boolean {
  const results = new Set<number>();
  forEachExpressionOf(loop.body, (node) => {
    if (node.kind !== "assign" || node.place.kind !== "variable") return;
    const isCopy = node.value.kind === "load" && readsAny(node.value, results);
    if (isAtomic(node.value) || isCopy) results.add(node.place.variable.id);
  });
  const decides = (condition: Expression | null) => condition !== null && readsAny(condition, results);
  return (
    results.size > 0 &&
    (decides(loop.condition) ||
      loop.body.some((one) => one.kind === "if" && decides(one.condition) && endsTurns(one, loop)))
  );
}

/**
 * Whether a way of the branch ends in leaving the loop, with what is done once the atomic has given what it should (`count[slot]++; break;`), or
 * all that goes on behind it does.
 */
function endsTurns({ whenTrue, whenFalse }: If, loop: Loop): boolean {
  const endsIn = (kind: "break" | "continue") =>
    [whenTrue, whenFalse].some((way) => way.at(-1)?.kind === kind);
  return endsIn("break") || (endsIn("continue") && loop.body.at(-1)?.kind === "break");
}

function isAtomic(expression: Expression): boolean {
  return expression.kind === "intrinsic" && intrinsicEffect(expression.name) === "atomic";
}

function noteAll(list: readonly Statement[]): readonly Statement[] {
  return mapStatements(list, (statement) =>
    statement.kind === "evaluate"
      ? withExpression(statement, noted(statement.expression))
      : mapLists(statement, noteAll),
  );
}

function noted(expression: Expression): Expression {
  const mapped = mapOperandsIn(expression, noted, undefined);
  const hasSite = mapped.kind === "load" || mapped.kind === "assign" || mapped.kind === "intrinsic";
  return hasSite && mapped.site
    ? { ...mapped, site: likeSite(mapped.site, { uncertain: "lanes-meet-behind-lock" }) }
    : mapped;
}
