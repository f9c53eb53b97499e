// Values that a loop reads and writes at one address stay in a register: `s[t] += x` in a loop loads once before it, and where nothing
// else in the loop can see the memory, stores once after it.
import type { AccessSite, Assign, Expression, Load, MemoryPlace } from "../ir/expression.ts";
import { operandsOf } from "../ir/operands.ts";
import type { Evaluate, Loop, Statement } from "../ir/statement.ts";
import { booleanType, sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { SourceRange } from "../text/source.ts";
import { basesMeet, type Extent, mayAlias } from "./alias.ts";
import type { Addresses } from "./forward.ts";
import { assignment, type Fresh, placeOf, readOf } from "./fresh.ts";
import { assignedVariables, forEachExpression, forEachExpressionOf, isPure } from "./walk.ts";

export interface PromoteOptions {
  readonly addresses: Addresses;
  readonly fresh: Fresh;
}

/** What stands before the loop, the loop, and what stands after it; null where nothing can be promoted. */
export function promoteUpdates(loop: Loop, options: PromoteOptions): readonly Statement[] | null {
  if (loop.condition && !isPure(loop.condition)) return null;
  const assigned = assignedVariables(loop.body, loop.step);
  for (const statement of loop.body) {
    const update = updateOf(statement, loop, assigned, options);
    if (update) return promoted(loop, update, options);
    if (statement.kind !== "evaluate" && statement.kind !== "declare") return null;
  }
  return null;
}

/** A location that the loop loads first and stores to later in the same trip. */
interface Update {
  readonly load: Load;
  readonly place: MemoryPlace;
  readonly extent: Extent;
  readonly target: Variable;
  readonly range: SourceRange;
  readonly stores: readonly Assign[];
  /** Whether the stores can wait for the end of the loop. */
  readonly mayWait: boolean;
}

function updateOf(
  statement: Statement,
  loop: Loop,
  assigned: ReadonlySet<number>,
  { addresses }: PromoteOptions,
): Update | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place: target, value: load } = statement.expression;
  if (
    target.kind !== "variable" ||
    load.kind !== "load" ||
    load.place.kind !== "memory" ||
    load.site?.isVolatile
  )
    return null;
  const address = addresses.get(load);
  if (!address || readsAssigned(load, assigned)) return null;
  const extent: Extent = { address, bytes: sizeOf(load.type) ?? 0 };
  const own: Assign[] = [];
  let isHidden = false;
  let isSeen = false;
  forEachExpressionOf(loop.body, (node) => {
    if ((node.kind !== "assign" && node.kind !== "load") || node.place.kind !== "memory" || node === load)
      return;
    const other = addresses.get(node);
    const bytes = sizeOf(node.place.type) ?? 1;
    const isSame =
      other?.termsKey === address.termsKey && other.constant === address.constant && bytes === extent.bytes;
    if (isSame && node.kind === "assign" && !node.site?.isVolatile) own.push(node);
    else if (!other || meets(extent, { address: other, bytes })) {
      if (node.kind === "assign") isHidden = true;
      else isSeen = true;
    }
  });
  if (isHidden || own.length === 0) return null;
  const areCertain = own.every((store) =>
    loop.body.some((one) => one.kind === "evaluate" && one.expression === store),
  );
  const mayWait = !isSeen && areCertain && !loop.body.some(mayLeave);
  return {
    load,
    place: load.place,
    extent,
    target: target.variable,
    range: statement.range,
    stores: own,
    mayWait,
  };
}

/** Whether the accesses may meet in any two trips: constants tell only addresses of the same invariant terms apart. */
function meets(a: Extent, b: Extent): boolean {
  if (a.address.termsKey === b.address.termsKey) return mayAlias(a, b);
  const isApart =
    a.address.space !== b.address.space && a.address.space !== "unknown" && b.address.space !== "unknown";
  return !isApart && basesMeet(a.address.base, b.address.base);
}

function promoted(loop: Loop, update: Update, options: PromoteOptions): readonly Statement[] {
  const { fresh, addresses } = options;
  const carried = fresh.temporary(update.load.type, "carried");
  const entered = fresh.temporary(booleanType, "entered");
  const { range } = update;
  const first = assignment(placeOf(carried), update.load, range);
  const body = loop.body.flatMap((statement) => carriedThrough(statement, update, carried));
  const condition: Expression = loop.test === "top" && loop.condition ? loop.condition : always;
  const result: Statement[] = [
    assignment(placeOf(entered), condition, range),
    guarded(entered, [first], range),
    { ...loop, body },
  ];
  const last = update.stores.at(-1);
  if (update.mayWait && last) {
    const store: Assign = {
      ...last,
      place: update.place,
      value: readOf(carried),
      site: siteOf(last.site, update.stores),
    };
    addresses.set(store, update.extent.address);
    const after: Evaluate = { kind: "evaluate", expression: store, range };
    result.push(guarded(entered, [after], range));
  }
  return result;
}

const always: Expression = { kind: "constant", type: booleanType, value: 1 };

function guarded(condition: Variable, whenTrue: readonly Statement[], range: SourceRange): Statement {
  return { kind: "if", condition: readOf(condition), whenTrue, whenFalse: [], range };
}

function siteOf(site: AccessSite | null, stores: readonly Assign[]): AccessSite | null {
  return (
    site && {
      ...site,
      merged: [...site.merged, ...stores.slice(0, -1).flatMap((one) => (one.site ? [one.site.range] : []))],
    }
  );
}

/** The statement over the carried value: the load reads it, each store sets it (and stores no more where it may wait). */
function carriedThrough(statement: Statement, update: Update, carried: Variable): readonly Statement[] {
  const inner = (list: readonly Statement[]) => list.flatMap((one) => carriedThrough(one, update, carried));
  switch (statement.kind) {
    case "evaluate": {
      const { expression } = statement;
      if (expression.kind !== "assign") return [statement];
      if (expression.value === update.load)
        return [{ ...statement, expression: { ...expression, value: readOf(carried) } }];
      if (!update.stores.includes(expression)) return [statement];
      const set = assignment(placeOf(carried), expression.value, statement.range);
      return update.mayWait ? [set] : [statement, set];
    }
    case "if":
      return [{ ...statement, whenTrue: inner(statement.whenTrue), whenFalse: inner(statement.whenFalse) }];
    case "block":
    case "loop":
      return [{ ...statement, body: inner(statement.body) }];
    case "switch":
      return [{ ...statement, cases: statement.cases.map((one) => ({ ...one, body: inner(one.body) })) }];
    default:
      return [statement];
  }
}

function readsAssigned(load: Load, assigned: ReadonlySet<number>): boolean {
  let reads = false;
  for (const operand of operandsOf(load))
    forEachExpression(operand, (node) => {
      if (node.kind === "load" && (node.place.kind !== "variable" || assigned.has(node.place.variable.id)))
        reads = true;
    });
  return reads;
}

function mayLeave(statement: Statement): boolean {
  switch (statement.kind) {
    case "break":
    case "continue":
    case "return":
    case "switch":
      return true;
    case "if":
      return statement.whenTrue.some(mayLeave) || statement.whenFalse.some(mayLeave);
    case "block":
      return statement.body.some(mayLeave);
    case "loop":
      return statement.body.some(returnsWithin);
    default:
      return false;
  }
}

function returnsWithin(statement: Statement): boolean {
  switch (statement.kind) {
    case "return":
      return true;
    case "if":
      return statement.whenTrue.some(returnsWithin) || statement.whenFalse.some(returnsWithin);
    case "block":
    case "loop":
      return statement.body.some(returnsWithin);
    case "switch":
      return statement.cases.some((one) => one.body.some(returnsWithin));
    default:
      return false;
  }
}
