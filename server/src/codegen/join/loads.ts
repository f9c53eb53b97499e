// Loads as statements, and what passes ask of the ways of a branch.
import type { AccessSite, Assign, Expression, Load } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Evaluate, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { isAsmSite } from "../linearise/asm-operations.ts";
import type { RecordGroups } from "../linearise/context.ts";
import type { Fresh } from "../walks/fresh.ts";
import { likeSite } from "../walks/rebuild.ts";
import { forEachExpression, someExpressionOf, someStatement } from "../walks/walk.ts";

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

/** Whether to LLVM the block at the end of the way is the only one that goes on from there. */
export function endsInOneBlock(way: readonly Statement[]): boolean {
  const last = way.findLast(({ kind }) => kind !== "declare");
  return last?.kind === "evaluate";
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

/** Whether a register or a constant holds it: nothing is computed. */
export function isCopy(value: Expression): boolean {
  return value.kind === "constant" || (value.kind === "load" && value.place.kind === "variable");
}
