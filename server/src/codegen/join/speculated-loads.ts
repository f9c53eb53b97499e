// Loads of a known element of an array that short ways of a branch make: LLVM makes them whichever way control goes, and chooses.
import type { If, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { cheapOperations } from "../linearise/selections.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { withExpression, withStored, withWays } from "../walks/rebuild.ts";
import { type JoinOptions, type LoadStatement, selectableLoadOf } from "./loads.ts";

/** The most that both ways do, loads and operations, and the most that they load (PTX of 40 branches). */
const mostDone = 5;
const mostLoads = 3;

/**
 * The list with such loads in front of their branches. Of static shared arrays LLVM knows that there is memory behind a constant index, so that
 * nothing speaks against loading it in vain; of dynamic shared memory and of parameters it does not. From arrays on the device ptxas lets those
 * lanes load that need it (forms/sure_elements ofTable).
 */
export function withSpeculatedLoads(list: readonly Statement[], options: JoinOptions): readonly Statement[] {
  let result: Statement[] | null = null;
  for (const [index, statement] of list.entries()) {
    const loads = statement.kind === "if" ? speculatedIn(statement, options) : [];
    if (statement.kind !== "if" || loads.length === 0) {
      result?.push(statement);
      continue;
    }
    result ??= list.slice(0, index);
    const values = new Map<Statement, Statement>();
    for (const { statement: load, expression } of loads) {
      const variable = options.fresh.temporary(expression.value.type, "speculated");
      result.push(assignment(placeOf(variable), expression.value, load.range));
      values.set(load, withExpression(load, withStored(expression, expression.place, readOf(variable))));
    }
    const taking = (way: readonly Statement[]) => way.map((each) => values.get(each) ?? each);
    result.push(
      withWays(statement, statement.condition, taking(statement.whenTrue), taking(statement.whenFalse)),
    );
  }
  return result ?? list;
}

/** What the ways load so, where they do little else; nothing where LLVM keeps the branch. */
function speculatedIn({ whenTrue, whenFalse }: If, options: JoinOptions): readonly LoadStatement[] {
  const loads: LoadStatement[] = [];
  let operations = 0;
  for (const statement of [...whenTrue, ...whenFalse]) {
    if (statement.kind === "declare" && statement.initializer === null) continue;
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return [];
    if (statement.expression.place.kind !== "variable") return [];
    const load = selectableLoadOf(statement, options);
    if (load && !isSurelyThere(load)) return [];
    if (load) loads.push(load);
    else operations += cheapOperations(statement.expression.value);
  }
  return loads.length <= mostLoads && loads.length + operations <= mostDone ? loads : [];
}

/** Whether a constant index leads to an element of an array of known size. */
function isSurelyThere({ address, bytes }: LoadStatement): boolean {
  const { base, terms, constant } = address;
  if (base?.storage !== "shared") return false;
  const size = sizeOf(base.type);
  return terms.atoms.length === 1 && size !== null && constant >= 0 && constant + bytes <= size;
}
