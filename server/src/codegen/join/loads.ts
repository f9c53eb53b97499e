// Loads where two ways meet: what one way has loaded or stored already is not loaded again behind the branch, and what both ways load
// first is loaded once in front of it.
import type { AccessSite, Assign, Expression, Load } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { type Extent, isSamePlace, mayAlias } from "../addresses/alias.ts";
import { isAsmSite } from "../linearise/asm-operations.ts";
import type { RecordGroups } from "../linearise/context.ts";
import { assignment, type Fresh, placeOf, readOf } from "../walks/fresh.ts";
import { mayLeave } from "../walks/jumps.ts";
import { likeSite, withExpression, withStored, withWays } from "../walks/rebuild.ts";
import {
  assignedVariables,
  forEachExpression,
  forEachExpressionOf,
  forEachStatement,
  isPure,
  someExpressionOf,
  someStatement,
} from "../walks/walk.ts";

export interface JoinOptions {
  readonly addresses: Addresses;
  readonly groups: RecordGroups;
  /** The groups of stores that LLVM has as one copy, from place to place, and what they copy. */
  readonly byteCopies: ReadonlyMap<number, "vector" | "record">;
  readonly asmSites: ReadonlySet<AccessSite>;
  /** Variables whose address is taken: others may assign them. */
  readonly escaped: ReadonlySet<number>;
  readonly fresh: Fresh;
  /** Of the branches that only the step of a `for` follows. */
  readonly beforeSteps: ReadonlySet<SourceRange>;
  /** Statements that were loads, and now take from the ways of a branch what those would have loaded. */
  readonly replaced: Map<Statement, LoadStatement>;
}

export interface LoadStatement {
  readonly statement: Evaluate;
  readonly expression: Assign;
  readonly load: Load;
  readonly address: Address;
  readonly bytes: number;
}

/** `temporary = load` of plain memory that belongs to no vector; null for every other statement. */
export function loadStatementOf(
  statement: Statement | undefined,
  options: JoinOptions,
): LoadStatement | null {
  if (statement?.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { expression } = statement;
  const { place, value: load } = expression;
  if (place.kind !== "variable" || load.kind !== "load" || load.place.kind !== "memory") return null;
  if (!load.site || load.site.isVolatile || options.groups.has(load)) return null;
  const address = options.addresses.get(load);
  const bytes = sizeOf(load.type);
  return address && bytes ? { statement, expression, load, address, bytes } : null;
}

/** The same of a load that may become one with others from elsewhere: LLVM selects no address for an `asm` (cases chosen_asm). */
export function selectableLoadOf(
  statement: Statement | undefined,
  options: JoinOptions,
): LoadStatement | null {
  const found = loadStatementOf(statement, options);
  return found && !isAsmSite(found.load, options.asmSites) ? found : null;
}

/**
 * A load behind a branch of which one way or both have the value already, of their own or from before the branch: each way leaves it in a
 * temporary, the other one by a load of its own (LLVM's elimination of partly redundant loads; cases branches/loadUnderAndAfter, partial,
 * held_before). `before`: what runs before the list, nearest first.
 */
export function withoutPartlyRedundant(
  list: readonly Statement[],
  before: readonly Statement[],
  options: JoinOptions,
): readonly Statement[] {
  let current: Statement[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const branch = (current ?? list)[index];
    if (branch?.kind !== "if" || mayLeave(branch) || !touchesMemory([branch])) continue;
    const standing = current ?? list;
    const around: Around = {
      before: () => nearestOf(standing.slice(Math.max(0, index - mostLookedThrough), index), before),
      following: standing.slice(index + 1),
    };
    const rest = sharedBehind(branch, around, options);
    if (rest) current = [...(current ?? list).slice(0, index), ...rest];
  }
  return current ?? list;
}

/** What runs before a branch, nearest first, which few branches are asked for, and behind it. */
interface Around {
  readonly before: () => readonly Statement[];
  readonly following: readonly Statement[];
}

/** Statements that are looked through for a value, as LLVM gives up in long blocks. */
const mostLookedThrough = 100;

function nearestOf(list: readonly Statement[], before: readonly Statement[]): readonly Statement[] {
  const near = list.toReversed();
  return near.length < mostLookedThrough
    ? near.concat(before.slice(0, mostLookedThrough - near.length))
    : near;
}

/** The branch and what follows it, rewritten; null where nothing changes. */
function sharedBehind(branch: If, around: Around, options: JoinOptions): readonly Statement[] | null {
  const { following } = around;
  // Most branches have no such load behind them, and what is in them is long.
  let changedIds: Set<number> | null = null;
  const stored: Extent[] = [];
  let output: Statement[] | null = null;
  let joined = branch;
  for (const [index, statement] of following.entries()) {
    const load = loadStatementOf(statement, options);
    if (load) changedIds ??= assignedVariables([branch, ...following.slice(0, index)]);
    const isFixed =
      load &&
      changedIds &&
      !namesAny(load.load, changedIds) &&
      !stored.some((store) => mayAlias(store, load));
    const next = isFixed ? joinedLoad(joined, load, around, options) : null;
    if (next) {
      joined = next.branch;
      output ??= [...following];
      output[index] = next.statement;
    } else if (!passes(statement, stored, options)) break;
    if (changedIds) for (const id of assignedVariables([statement])) changedIds.add(id);
  }
  return output && [joined, ...output];
}

/** Whether a load behind the statement is in the block in which the ways meet; what the statement stores is noted. */
function passes(statement: Statement, stored: Extent[], { addresses }: JoinOptions): boolean {
  if (statement.kind === "declare") return true;
  if (statement.kind === "if") return !touchesMemory([statement]) && !mayLeave(statement);
  if (statement.kind !== "evaluate") return false;
  const { expression } = statement;
  if (expression.kind !== "assign") return isPure(expression);
  if (expression.place.kind === "variable")
    return (
      isPure(expression.value) || (expression.value.kind === "load" && !expression.value.site?.isVolatile)
    );
  const address = addresses.get(expression);
  const bytes = sizeOf(expression.place.type);
  if (!address || !bytes || expression.site?.isVolatile) return false;
  stored.push({ address, bytes });
  return true;
}

function joinedLoad(
  branch: If,
  wanted: LoadStatement,
  around: Around,
  options: JoinOptions,
): { readonly branch: If; readonly statement: Statement } | null {
  const own = ownValues(branch, wanted, options);
  const { left, right } = own.left || own.right ? own : valuesFromBefore(branch, wanted, around, options);
  if (!left && !right) return null;
  const { statement, expression, load } = wanted;
  const result = options.fresh.outcome(load.type, "joined");
  const end = (value: Expression | null): readonly Statement[] => {
    if (value) return [assignment(placeOf(result), value, statement.range)];
    const early = options.fresh.temporary(load.type, earlyName);
    const copy: Load = { kind: "load", type: load.type, place: load.place, site: load.site };
    options.addresses.set(copy, wanted.address);
    return [
      assignment(placeOf(early), copy, statement.range),
      assignment(placeOf(result), readOf(early), statement.range),
    ];
  };
  const replacing = withExpression(statement, withStored(expression, expression.place, readOf(result)));
  options.replaced.set(replacing, wanted);
  return {
    branch: withWays(
      branch,
      branch.condition,
      [...branch.whenTrue, ...end(left)],
      [...branch.whenFalse, ...end(right)],
    ),
    statement: replacing,
  };
}

/** What is in memory at the end of each way, null where it would have to be loaded there. */
interface WaysValues {
  readonly left: Expression | null;
  readonly right: Expression | null;
}

function ownValues({ whenTrue, whenFalse }: If, wanted: LoadStatement, options: JoinOptions): WaysValues {
  return { left: valueAtEnd(whenTrue, wanted, options), right: valueAtEnd(whenFalse, wanted, options) };
}

/**
 * What a register held before the branch one way leaves alone; the other, which may change it, loads at its end. To LLVM that must be one
 * block: where the way ends with a branch or a loop of its own, the load stays behind (cases held_before/changedInOneWay; not: endsInBranch, endsInLoop, changedInBothWays).
 */
function valuesFromBefore(
  branch: If,
  wanted: LoadStatement,
  { before, following }: Around,
  options: JoinOptions,
): WaysValues {
  const none: WaysValues = { left: null, right: null };
  const { whenTrue, whenFalse } = branch;
  const changesLeft = whenTrue.some((one) => mayChange(one, wanted, options));
  const changesRight = whenFalse.some((one) => mayChange(one, wanted, options));
  if (changesLeft === changesRight || !endsInOneBlock(changesLeft ? whenTrue : whenFalse)) return none;
  const value = valueAtEnd(before().toReversed(), wanted, options);
  if (!value || !isStillHeld(value, branch, { before, following })) return none;
  const kept = isHeldIn(value, assignedVariables([branch]), options) ? value : null;
  return changesLeft ? { left: null, right: kept } : { left: kept, right: null };
}

/** Whether to LLVM the block at the end of the way is the only one that goes on from there. */
export function endsInOneBlock(way: readonly Statement[]): boolean {
  const last = way.findLast(({ kind }) => kind !== "declare");
  return last?.kind === "evaluate";
}

/** Whether the value is read elsewhere than under the branch: else it is loaded there. */
function isStillHeld(value: Expression, branch: If, { before, following }: Around): boolean {
  if (value.kind !== "load" || value.place.kind !== "variable") return true;
  const { id } = value.place.variable;
  const reads = (node: Expression): boolean =>
    node.kind === "load" && node.place.kind === "variable" && node.place.variable.id === id;
  if (someExpressionOf(before(), reads) || someExpressionOf(following, reads)) return true;
  return namesAny(branch.condition, new Set([id]));
}

/** What is in memory at the end of the way, where a register holds it; null where it would have to be loaded. */
function valueAtEnd(
  list: readonly Statement[],
  wanted: LoadStatement,
  options: JoinOptions,
): Expression | null {
  const assignedBehind = new Set<number>();
  for (let index = list.length - 1; index >= 0; index--) {
    const statement = list[index];
    if (!statement) continue;
    const value = valueFrom(statement, wanted, options);
    if (value) return isHeldIn(value, assignedBehind, options) ? value : null;
    if (mayChange(statement, wanted, options)) return null;
    for (const id of assignedVariables([statement])) assignedBehind.add(id);
  }
  return null;
}

function valueFrom(statement: Statement, wanted: LoadStatement, options: JoinOptions): Expression | null {
  const load = options.replaced.get(statement) ?? loadStatementOf(statement, options);
  if (load && isSamePlace(load, wanted) && sameType(load.load.type, wanted.load.type)) {
    const { place } = load.expression;
    return place.kind === "variable" ? { kind: "load", type: load.load.type, place, site: null } : null;
  }
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { expression } = statement;
  const address = options.addresses.get(expression);
  if (expression.place.kind !== "memory" || !address || expression.site?.isVolatile) return null;
  const bytes = sizeOf(expression.place.type) ?? 0;
  const isSame = isSamePlace({ address, bytes }, wanted) && sameType(expression.value.type, wanted.load.type);
  return isSame ? expression.value : null;
}

function isHeldIn(value: Expression, assignedBehind: ReadonlySet<number>, { escaped }: JoinOptions): boolean {
  if (value.kind === "constant") return true;
  if (value.kind !== "load" || value.place.kind !== "variable") return false;
  const { id, storage } = value.place.variable;
  return storage === "automatic" && !assignedBehind.has(id) && !escaped.has(id);
}

/** Whether the statement may write what is wanted, or is of a kind that nothing is known of. */
function mayChange(statement: Statement, wanted: Extent, { addresses }: JoinOptions): boolean {
  let changes = false;
  forEachStatement([statement], ({ kind }) => {
    if (!["evaluate", "declare", "if", "loop", "block"].includes(kind)) changes = true;
  });
  forEachExpressionOf([statement], (node) => {
    if (node.kind === "assign" && node.place.kind === "memory") {
      const address = addresses.get(node);
      const bytes = sizeOf(node.place.type);
      if (!address || !bytes || mayAlias({ address, bytes }, wanted)) changes = true;
    } else if (isEffect(node)) changes = true;
  });
  return changes;
}

/** Whether it is neither a value of its operands, nor a plain load or assignment. */
function isEffect(node: Expression): boolean {
  if (node.kind === "load" || node.kind === "assign") return node.site?.isVolatile ?? false;
  if (node.kind === "intrinsic") {
    const effect = intrinsicEffect(node.name);
    return effect !== "pure" && effect !== "identity";
  }
  return node.kind === "call" || node.kind === "call-indirect" || node.kind === "unknown";
}

/** Whether the statements access memory, or do what is not known. */
export function touchesMemory(list: readonly Statement[]): boolean {
  return someExpressionOf(list, accessesOrActs) || someStatement(list, fences);
}

function fences({ kind }: Statement): boolean {
  return kind === "barrier" || kind === "unknown" || kind === "launch";
}

function accessesOrActs(node: Expression): boolean {
  const isAccess = (node.kind === "load" || node.kind === "assign") && node.place.kind === "memory";
  return isAccess || isEffect(node);
}

export function namesAny(expression: Expression, ids: ReadonlySet<number>): boolean {
  if (ids.size === 0) return false;
  let reads = false;
  forEachExpression(expression, (node) => {
    if ((node.kind === "load" || node.kind === "address") && node.place.kind === "variable")
      reads ||= ids.has(node.place.variable.id);
  });
  return reads;
}

/**
 * LLVM gives what two lines share no line, and Nsight Compute then shows that of whatever came before: more often where the later one stands
 * (branches/loadUnderAndAfter).
 */
export function siteOfBoth(a: AccessSite | null, b: AccessSite | null): AccessSite | null {
  if (!a || !b) return a ?? b;
  const [first, last] = a.range.start <= b.range.start ? [a, b] : [b, a];
  return likeSite(last, { merged: [...last.merged, first.range, ...first.merged] });
}

/** Of what is loaded at the end of a way for a load behind it. */
export const earlyName = "early";

/** Whether a register or a constant holds it: nothing is computed. */
export function isCopy(value: Expression): boolean {
  return value.kind === "constant" || (value.kind === "load" && value.place.kind === "variable");
}
