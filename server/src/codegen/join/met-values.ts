// Loads of what registers hold on every way that leads to them: LLVM takes the register in which the ways' values meet, however far behind
// the branch the load stands, and under whatever other branch.
import type { Expression } from "../../ir/expression.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { mapLists, withExpression, withStored, withWays } from "../walks/rebuild.ts";
import { assignedVariables, hasLists } from "../walks/walk.ts";
import {
  isHeldIn,
  type JoinOptions,
  type LoadStatement,
  leaves,
  loadStatementOf,
  mayChange,
  valueFrom,
} from "./loads.ts";

/** The body without the loads whose value meets where ways do (cases forms/met_values). */
export function withMetValues(body: readonly Statement[], options: JoinOptions): readonly Statement[] {
  if (!body.some(hasLists)) return body;
  return new MeetingPass(options).list(body, null);
}

/** A point in a list whose ways may yet get an end: in front of the statement of that index. */
interface Point {
  readonly list: Statement[];
  readonly index: number;
  /** Null where other ways lead to the begin of the list too, as those from the end of a trip. */
  readonly around: Point | null;
}

/** A value that a register holds on all ways to a point. */
interface Met {
  readonly value: Expression;
  /** Whether ways have met in it: what came straight down is known already. */
  readonly isOfWays: boolean;
}

/** Statements that are looked through for a value, as LLVM gives up in long blocks. */
const mostLookedThrough = 100;

class MeetingPass {
  private readonly options: JoinOptions;

  constructor(options: JoinOptions) {
    this.options = options;
  }

  list(statements: readonly Statement[], around: Point | null): readonly Statement[] {
    const list: Statement[] = [];
    for (const [index, statement] of statements.entries())
      list.push(this.statement(statement, { list, index, around }));
    return statements.every((statement, index) => statement === list[index]) ? statements : list;
  }

  private statement(statement: Statement, point: Point): Statement {
    if (hasLists(statement)) {
      const isEnteredOnce = statement.kind === "if" || statement.kind === "block";
      return mapLists(statement, (list) => this.list(list, isEnteredOnce ? point : null));
    }
    const wanted = loadStatementOf(statement, this.options);
    if (!wanted) return statement;
    const met = this.valueAt(point, wanted, new Set());
    return met?.isOfWays ? this.replaced(wanted, met.value) : statement;
  }

  private replaced(wanted: LoadStatement, value: Expression): Statement {
    const { statement, expression } = wanted;
    const replacing = withExpression(statement, withStored(expression, expression.place, value));
    this.options.replaced.set(replacing, wanted);
    return replacing;
  }

  /** What a register holds of the place on all ways to the point; `assigned` are the variables that change behind it. */
  private valueAt({ list, index, around }: Point, wanted: LoadStatement, assigned: Set<number>): Met | null {
    const last = Math.max(0, index - mostLookedThrough);
    for (let at = index - 1; at >= last; at--) {
      const statement = list[at];
      if (!statement) continue;
      const value = valueFrom(statement, wanted, this.options);
      if (value) return isHeldIn(value, assigned, this.options) ? { value, isOfWays: false } : null;
      if (mayChange(statement, wanted, this.options))
        return statement.kind === "if" && !leaves([statement])
          ? this.valueBehind(statement, { list, index: at, around }, wanted)
          : null;
      for (const id of assignedVariables([statement])) assigned.add(id);
    }
    return last === 0 && around ? this.valueAt(around, wanted, assigned) : null;
  }

  /** The register that both ways of the branch at the point leave their value in. */
  private valueBehind(branch: If, point: Point, wanted: LoadStatement): Met | null {
    const ends = [branch.whenTrue, branch.whenFalse].map((way): Point => {
      return { list: [...way], index: way.length, around: point };
    });
    const [left, right] = ends;
    const fromLeft = left && this.valueAt(left, wanted, new Set());
    const fromRight = fromLeft && right && this.valueAt(right, wanted, new Set());
    if (!fromLeft || !fromRight) return null;
    const { load, statement } = wanted;
    const result = this.options.fresh.outcome(load.type, "met");
    left.list.push(assignment(placeOf(result), fromLeft.value, statement.range));
    right.list.push(assignment(placeOf(result), fromRight.value, statement.range));
    point.list[point.index] = withWays(branch, branch.condition, left.list, right.list);
    return { value: readOf(result), isOfWays: true };
  }
}
