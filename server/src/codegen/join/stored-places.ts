// Where LLVM computes the address of a place that ways of a branch store to: in front of the branch, or in a way.
import type { Expression, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { assignedVariables, someExpressionOf } from "../walks/walk.ts";
import { isCopy, namesAny } from "./loads.ts";

export interface StoredPlace {
  readonly place: MemoryPlace;
  readonly address: Address;
}

/** Whether the address is there before the branch: of an access in front of it (`before`, nearest first), or because all ways begin with it. */
export function isAddressInFront(
  ways: readonly (readonly Statement[])[],
  stored: StoredPlace,
  before: readonly Statement[],
  addresses: Addresses,
): boolean {
  if (namesAny(stored.place.pointer, assignedVariables(ways.flat()))) return false;
  return isAccessed(stored, before, addresses) || allBeginWith(ways, stored, addresses);
}

/** Whether the first thing that each way does is to access the place: LLVM computes the address in front of them then. */
export function allBeginWith(
  ways: readonly (readonly Statement[])[],
  stored: StoredPlace,
  addresses: Addresses,
): boolean {
  return ways.every((way) => {
    const first = way.find((statement) => statement.kind !== "declare" && !isCopied(statement));
    if (first?.kind !== "evaluate" || first.expression.kind !== "assign") return false;
    const { expression } = first;
    if (expression.place.kind === "variable") return isAtPlace(expression.value, stored, addresses);
    return isCopy(expression.value) && isAtPlace(expression, stored, addresses);
  });
}

/** Whether the statements access the place otherwise than by these stores. */
export function accessesPlace(
  list: readonly Statement[],
  stored: StoredPlace,
  except: ReadonlySet<Expression>,
  addresses: Addresses,
): boolean {
  return someExpressionOf(list, (node) => {
    const isAccess = node.kind === "load" || node.kind === "assign";
    return isAccess && !except.has(node) && isAtPlace(node, stored, addresses);
  });
}

/** Whether the statement gives a variable what another one holds, or a constant. */
export function isCopied(statement: Statement): boolean {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  return statement.expression.place.kind === "variable" && isCopy(statement.expression.value);
}

function isAtPlace(node: Expression, { address }: StoredPlace, addresses: Addresses): boolean {
  const other = addresses.get(node);
  return other?.termsKey === address.termsKey && other.constant === address.constant;
}

/** Whether an access in front is of the same place, with nothing between that changes its index. */
function isAccessed(stored: StoredPlace, before: readonly Statement[], addresses: Addresses): boolean {
  for (const statement of before) {
    if (statement.kind === "evaluate" && accessesPlace([statement], stored, new Set(), addresses))
      return true;
    if (namesAny(stored.place.pointer, assignedVariables([statement]))) return false;
  }
  return false;
}
