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
}

/** `isRelevant` says which variables are kept at all. */
export function lastingOf({ automaticOf }: Locals, isRelevant: (variable: Variable) => boolean): Lasting {
  const isEffectOf = (statement: Statement, test: (expression: Expression) => boolean): boolean => {
    const holds = (expression: Expression): boolean => test(expression) || operandsOf(expression).some(holds);
    let found = false;
    forEachExpression([statement], (expression) => {
      found ||= holds(expression);
    });
    return found;
  };
  return {
    leavesTraces: memoised((statement) => {
      if (leadsElsewhere(statement, [])) return true;
      if (statement.kind === "declare" && isRelevant(statement.variable)) return true;
      const born = bornIn(statement);
      return isEffectOf(statement, (expression) => {
        if (expression.kind === "call" || expression.kind === "call-indirect") return true;
        const written = expression.kind === "assign" ? automaticOf(expression.place) : null;
        return written !== null && isRelevant(written) && !born.has(written.id);
      });
    }),
    writesThroughPointers: memoised((statement) =>
      isEffectOf(statement, (expression) => {
        if (expression.kind === "assign")
          return expression.place.kind === "memory" && automaticOf(expression.place) === null;
        return expression.kind === "intrinsic" && !readingEffects.has(intrinsicEffect(expression.name));
      }),
    ),
  };
}

const readingEffects: ReadonlySet<ReturnType<typeof intrinsicEffect>> = new Set([
  "pure",
  "identity",
  "warp",
  "load",
]);

/** Variables that are born within the statement: nobody sees them behind it. */
function bornIn(statement: Statement): ReadonlySet<number> {
  const born = new Set<number>();
  forEachStatement([statement], (inner) => {
    if (inner.kind === "declare" && inner !== statement) born.add(inner.variable.id);
  });
  return born;
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
