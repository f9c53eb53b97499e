// Where LLVM computes the address of a place that ways of a branch store to: in front of the branch, or in a way.
import type { Expression, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { startTogether } from "../addresses/alias.ts";
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
  return other !== undefined && startTogether(other, address);
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

/** Whether two addresses are made of one pointer by operations that are alike, of whatever numbers: then LLVM chooses between the numbers. */
export function areOfOneArray(a: StoredPlace, b: StoredPlace): boolean {
  const steps = stepsTo(a.place);
  return (
    (a.address.space === "shared" || a.address.space === "global") &&
    a.address.space === b.address.space &&
    sameType(a.place.type, b.place.type) &&
    steps !== null &&
    steps === stepsTo(b.place)
  );
}

/** The pointer that an address is made of, the strides of its indices, and the member; null where there is no index. */
function stepsTo({ pointer, offsetBytes, type }: MemoryPlace): string | null {
  const strides: number[] = [];
  let base = pointer;
  while (base.kind === "offset" || base.kind === "convert") {
    if (base.kind === "offset") strides.push(base.strideBytes);
    base = base.kind === "offset" ? base.pointer : base.operand;
  }
  if ((base.kind !== "load" && base.kind !== "address") || base.place.kind !== "variable") return null;
  const { variable, offsetBytes: start } = base.place;
  const isConstantIndex = strides.length === 0 && offsetBytes > 0 && offsetBytes % (sizeOf(type) ?? 1) === 0;
  if (isConstantIndex) return [base.kind, variable.id, start, sizeOf(type), 0].join();
  return strides.length > 0 ? [base.kind, variable.id, start, ...strides, offsetBytes].join() : null;
}
