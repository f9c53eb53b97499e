// The line of loads into one variable that the way to a loop and each of its trips end with (`v = a[i]; while (v > 0) { …; v = a[v]; }`): LLVM
// makes one of them in the loop's head, and nvcc charges it, and what becomes of it later, to the loop.
import type { Assign, Expression, Load } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import type { SourceRange } from "../../text/source.ts";
import type { AccessFacts } from "../walks/facts.ts";
import {
  likeSite,
  mapLists,
  mapStatements,
  withExpression,
  withPlace,
  withStored,
} from "../walks/rebuild.ts";
import { isPure } from "../walks/walk.ts";

/** The statements with the loop's line noted at such loads; `isKept` tells which loads have to stay the nodes that they are. */
export function withHeadLinesNoted(
  body: readonly Statement[],
  addresses: AccessFacts["addresses"],
  isKept: (load: Load) => boolean,
): readonly Statement[] {
  const lines = new Map<Load, SourceRange>();
  collect(body, lines);
  for (const load of lines.keys()) if (isKept(load)) lines.delete(load);
  if (lines.size === 0) return body;
  const noted = (expression: Expression): Expression => {
    if (expression.kind !== "assign" || expression.value.kind !== "load") return expression;
    const load = expression.value;
    const range = lines.get(load);
    if (!range || !load.site) return expression;
    const value = withPlace(load, load.place, likeSite(load.site, { merged: [...load.site.merged, range] }));
    const address = addresses.get(load);
    if (address) addresses.set(value, address);
    return withStored(expression, expression.place, value);
  };
  const statements = (list: readonly Statement[]): readonly Statement[] =>
    mapStatements(list, (statement) => {
      if (statement.kind === "evaluate") return withExpression(statement, noted(statement.expression));
      const inner = mapLists(statement, statements);
      if (inner.kind !== "loop" || !inner.step.some((step) => noted(step) !== step)) return inner;
      return { ...inner, step: inner.step.map(noted) };
    });
  return statements(body);
}

function collect(list: readonly Statement[], lines: Map<Load, SourceRange>): void {
  for (const [index, statement] of list.entries()) {
    mapLists(statement, (inner) => {
      collect(inner, lines);
      return inner;
    });
    if (statement.kind !== "loop" || statement.test !== "top") continue;
    const steps = statement.step.map(registerAssign);
    const trip = lastLoadOf([...statement.body.map(assignOf), ...steps]);
    const entry = trip && lastLoadOf(list.slice(0, index).map(assignOf));
    if (!entry || ![...entry.into].some((id) => trip.into.has(id))) continue;
    for (const { load } of [entry, trip]) lines.set(load, statement.range);
  }
}

interface LastLoad {
  readonly load: Load;
  /** The variables that take what it loads, or what is computed behind it. */
  readonly into: ReadonlySet<number>;
}

/** The load of a list behind which registers alone are computed. */
function lastLoadOf(list: readonly (Assign | "declaration" | null)[]): LastLoad | null {
  const into = new Set<number>();
  for (const assign of list.toReversed()) {
    if (assign === "declaration") continue;
    if (assign?.place.kind !== "variable") return null;
    into.add(assign.place.variable.id);
    const { value } = assign;
    if (value.kind === "load" && value.place.kind === "memory")
      return value.site?.isVolatile === false ? { load: value, into } : null;
    if (!isPure(value)) return null;
  }
  return null;
}

function assignOf(statement: Statement): Assign | "declaration" | null {
  if (statement.kind === "declare" && statement.initializer === null) return "declaration";
  return statement.kind === "evaluate" ? registerAssign(statement.expression) : null;
}

function registerAssign(expression: Expression): Assign | null {
  return expression.kind === "assign" ? expression : null;
}
