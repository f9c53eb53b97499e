// Loads in the test of a loop that a register holds where the loop is entered: LLVM turns the loop, so that the first trip is tested in front of
// it, where the register serves, and each of the others at the end of the trip before.
import type { Load } from "../../ir/expression.ts";
import type { Evaluate, Loop, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { heldFor } from "../values/held.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import { assignment, type Fresh, placeOf } from "../walks/fresh.ts";
import { exits, isExit, leaves } from "../walks/jumps.ts";
import {
  likeSite,
  mapLists,
  mapStatements,
  withExpression,
  withPlace,
  withStored,
} from "../walks/rebuild.ts";

export interface FirstTestOptions extends AccessFacts {
  readonly fresh: Fresh;
  /** Takes the ids of the temporaries that such loads set: nothing reads them, and they are loaded all the same. */
  readonly kept: Set<number>;
}

/**
 * The statements with such loads at the end of each trip (cases bounds_in_memory/stored, stepToo; not: storedAcrossBarrier). At the start of a
 * trip stays one that costs nothing, for its value.
 */
export function withFirstTestsHeld(
  list: readonly Statement[],
  options: FirstTestOptions,
): readonly Statement[] {
  return mapStatements(list, (statement) => {
    const inner = mapLists(statement, (one) => withFirstTestsHeld(one, options));
    return inner.kind === "loop" ? turned(inner, options) : inner;
  });
}

function turned(loop: Loop, options: FirstTestOptions): Loop {
  const test = loop.body.findIndex(({ kind }) => kind === "if");
  if (loop.condition !== null || !isExit(loop.body[test])) return loop;
  const body = [...loop.body];
  const isOneEnd = !leaves(body, exits.continue);
  for (const [index, statement] of loop.body.slice(0, test).entries()) {
    const load = heldLoadOf(statement, options);
    if (!load || statement.kind !== "evaluate") continue;
    if (!isOneEnd) {
      body[index] = replaced(statement, load, doubted(load), options);
      continue;
    }
    body[index] = replaced(statement, load, withPlace(load, load.place, null), options);
    const temporary = options.fresh.temporary(load.type, "tested");
    options.kept.add(temporary.id);
    const again = withPlace(load, load.place);
    passOn(load, again, options);
    body.push(assignment(placeOf(temporary), again, statement.range));
  }
  return { ...loop, body };
}

/** The load that the statement is, where a register holds what it loads when the loop is entered. */
function heldLoadOf(statement: Statement, { addresses, entries }: FirstTestOptions): Load | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || value.kind !== "load" || value.place.kind !== "memory") return null;
  const address = addresses.get(value);
  const entry = entries.get(value);
  if (!address || !entry || !value.site || value.site.isVolatile) return null;
  return heldFor(entry.held, address, sizeOf(value.type) ?? 0, value) && value;
}

function replaced(statement: Evaluate, load: Load, by: Load, options: FirstTestOptions): Evaluate {
  const { expression } = statement;
  if (expression.kind !== "assign") return statement;
  passOn(load, by, options);
  return withExpression(statement, withStored(expression, expression.place, by));
}

/** Behind a `continue` LLVM may load once for all ways to the end of the trip, or for each. */
function doubted(load: Load): Load {
  return load.site
    ? withPlace(load, load.place, likeSite(load.site, { uncertain: "keeps-in-register" }))
    : load;
}
