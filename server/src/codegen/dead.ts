// Drops what nobody uses: loads whose value is not read, variables that are not read, stores that a later store covers, and stores
// to shared arrays that no thread reads.
import type { Assign, Expression } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { Statement } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { Address } from "./address.ts";
import { type Extent, mayAlias } from "./alias.ts";
import type { Addresses } from "./forward.ts";
import { forEachExpressionOf, isPure, operandsOf, partsOf, rootOf } from "./walk.ts";

const maximumRounds = 12;

/** The statements without those that have no effect. `escaped` variables are kept. */
export function withoutDead(
  body: readonly Statement[],
  addresses: Addresses,
  escaped: ReadonlySet<number>,
): readonly Statement[] {
  let current = withoutCoveredStores(body, addresses);
  for (let round = 0; round < maximumRounds; round++) {
    const reads = readsOf(current);
    const next = prune(current, (expression) => isDead(expression, reads, escaped));
    if (next === current) break;
    current = next;
  }
  return current;
}

interface Reads {
  /** Bytes read, by variable id; beyond byte 4096 all count as read. */
  readonly bytes: ReadonlyMap<number, ReadonlySet<number>>;
  /** Ids of shared arrays that something other than a store uses. */
  readonly objects: ReadonlySet<number>;
}

const trackedBytes = 4096;

function readsOf(body: readonly Statement[]): Reads {
  const bytes = new Map<number, Set<number>>();
  const objects = new Set<number>();
  const storePointers = new Set<Expression>();
  forEachExpressionOf(body, (expression) => {
    if (expression.kind === "assign" && expression.place.kind === "memory" && !expression.site?.isVolatile) {
      const root = rootOf(expression.place.pointer);
      if (root) storePointers.add(root);
    }
    if (expression.kind !== "load" || expression.place.kind !== "variable") return;
    const { variable, offsetBytes } = expression.place;
    if (variable.storage !== "automatic") objects.add(variable.id);
    let set = bytes.get(variable.id);
    if (!set) {
      set = new Set();
      bytes.set(variable.id, set);
    }
    const end = Math.min(trackedBytes, offsetBytes + (sizeOf(expression.type) ?? trackedBytes));
    for (let at = offsetBytes; at < end; at++) set.add(at);
  });
  forEachExpressionOf(body, (expression) => {
    if (
      expression.kind === "address" &&
      expression.place.kind === "variable" &&
      !storePointers.has(expression)
    )
      objects.add(expression.place.variable.id);
  });
  return { bytes, objects };
}

function isDead(expression: Expression, reads: Reads, escaped: ReadonlySet<number>): boolean {
  if (expression.kind !== "assign") return isPure(expression);
  if (expression.site?.isVolatile || !isRemovable(expression.value)) return false;
  const { place } = expression;
  if (place.kind === "memory") {
    const root = rootOf(place.pointer)?.place;
    return root?.kind === "variable" && isUnreadArray(root.variable, reads) && isPure(place.pointer);
  }
  if (place.variable.storage !== "automatic" || escaped.has(place.variable.id)) return false;
  const read = reads.bytes.get(place.variable.id);
  if (!read) return true;
  const end = place.offsetBytes + (sizeOf(place.type) ?? trackedBytes);
  if (end > trackedBytes) return false;
  for (let at = place.offsetBytes; at < end; at++) if (read.has(at)) return false;
  return true;
}

function isUnreadArray(variable: Variable, reads: Reads): boolean {
  return variable.storage === "shared" && !reads.objects.has(variable.id);
}

function isRemovable(value: Expression): boolean {
  if (isPure(value)) return true;
  if (value.kind === "load") return !value.site?.isVolatile && operandsOf(value).every(isPure);
  if (value.kind === "intrinsic")
    return intrinsicEffect(value.name) === "load" && value.arguments.every(isPure);
  return false;
}

/** The list without expressions that are dead; the same list where none is. */
function prune(
  list: readonly Statement[],
  isDeadExpression: (expression: Expression) => boolean,
): readonly Statement[] {
  let changed = false;
  const output: Statement[] = [];
  for (const statement of list) {
    const kept = pruneOne(statement, isDeadExpression);
    if (kept !== statement) changed = true;
    if (kept) output.push(kept);
  }
  return changed ? output : list;
}

function pruneOne(
  statement: Statement,
  isDeadExpression: (expression: Expression) => boolean,
): Statement | null {
  switch (statement.kind) {
    case "evaluate":
      return isDeadExpression(statement.expression) ? null : statement;
    case "block": {
      const body = prune(statement.body, isDeadExpression);
      return body === statement.body ? statement : { ...statement, body };
    }
    case "if": {
      const whenTrue = prune(statement.whenTrue, isDeadExpression);
      const whenFalse = prune(statement.whenFalse, isDeadExpression);
      if (whenTrue.length === 0 && whenFalse.length === 0 && isPure(statement.condition)) return null;
      return whenTrue === statement.whenTrue && whenFalse === statement.whenFalse
        ? statement
        : { ...statement, whenTrue, whenFalse };
    }
    case "loop": {
      const body = prune(statement.body, isDeadExpression);
      return body === statement.body ? statement : { ...statement, body };
    }
    case "switch":
      return {
        ...statement,
        cases: statement.cases.map((one) => ({ ...one, body: prune(one.body, isDeadExpression) })),
      };
    default:
      return statement;
  }
}

/** Within each list: a store is dropped where a later one covers it before any thread could read it. */
function withoutCoveredStores(list: readonly Statement[], addresses: Addresses): readonly Statement[] {
  const output: Statement[] = [];
  let covered: Extent[] = [];
  for (let index = list.length - 1; index >= 0; index--) {
    const statement = list[index];
    if (!statement) continue;
    const store = storeOf(statement, addresses);
    if (store) {
      if (covered.some((later) => covers(later, store))) continue;
      covered.push(store);
    } else if (statement.kind === "evaluate") covered = uncovered(statement.expression, covered, addresses);
    else if (statement.kind !== "declare") covered = [];
    output.push(withInnerLists(statement, addresses));
  }
  return output.reverse();
}

function withInnerLists(statement: Statement, addresses: Addresses): Statement {
  if (partsOf(statement).lists.length === 0) return statement;
  const clean = (list: readonly Statement[]) => withoutCoveredStores(list, addresses);
  switch (statement.kind) {
    case "if":
      return { ...statement, whenTrue: clean(statement.whenTrue), whenFalse: clean(statement.whenFalse) };
    case "block":
    case "loop":
      return { ...statement, body: clean(statement.body) };
    case "switch":
      return { ...statement, cases: statement.cases.map((one) => ({ ...one, body: clean(one.body) })) };
    default:
      return statement;
  }
}

function storeOf(statement: Statement, addresses: Addresses): Extent | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const store: Assign = statement.expression;
  const address = addresses.get(store);
  if (!address || store.site?.isVolatile || !isPure(store.value)) return null;
  return { address, bytes: sizeOf(store.place.type) ?? 0 };
}

function covers(later: Extent, earlier: Extent): boolean {
  return (
    later.address.termsKey === earlier.address.termsKey &&
    later.address.constant <= earlier.address.constant &&
    later.address.constant + later.bytes >= earlier.address.constant + earlier.bytes
  );
}

/** What is still covered before an expression: nothing that it may read. */
function uncovered(expression: Expression, covered: Extent[], addresses: Addresses): Extent[] {
  if (expression.kind === "assign" && isPure(expression.value))
    return expression.place.kind === "variable" ? covered : [];
  const loaded = expression.kind === "assign" ? expression.value : expression;
  const address: Address | undefined = addresses.get(loaded);
  if (!address || loaded.kind !== "load") return [];
  const read = { address, bytes: sizeOf(loaded.type) ?? 1 };
  return covered.filter((store) => !mayAlias(store, read));
}
