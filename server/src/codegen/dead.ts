// Drops what nobody uses: loads whose value is not read, variables that are not read or not even named, stores that a later store
// covers, and stores to shared arrays that no thread reads.
import type { Assign, Expression, Place, VariablePlace } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import { operandsOf } from "../ir/operands.ts";
import type { Declare, Statement } from "../ir/statement.ts";
import { sizeOf, type Type } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { Address } from "./address.ts";
import { type Extent, mayAlias } from "./alias.ts";
import type { Addresses } from "./forward.ts";
import { mapFromEnd, mapLists } from "./rebuild.ts";
import { forEachExpression, forEachExpressionOf, hasLists, isPure, rootOf } from "./walk.ts";

const maximumRounds = 12;

/** The statements without those that have no effect; the same list where all have one. `escaped` variables are kept. */
export function withoutDead(
  body: readonly Statement[],
  addresses: Addresses,
  escaped: ReadonlySet<number>,
): readonly Statement[] {
  let current = body;
  for (let round = 0; round < maximumRounds; round++) {
    // A load that was dropped no longer keeps the store in front of it.
    const covered = withoutOverwritten(withoutCoveredStores(current, addresses), escaped);
    if (covered === current && round > 0) break;
    current = withoutUnread(covered, escaped);
    if (current === covered) break;
  }
  return current;
}

function withoutUnread(body: readonly Statement[], escaped: ReadonlySet<number>): readonly Statement[] {
  let current = body;
  const reads = new Reads();
  forEachExpressionOf(current, countRead, reads);
  for (let round = 0; round < maximumRounds; round++) {
    const next = prune(current, reads, escaped);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** How often each part of a variable is read. What is dropped is taken out at once, so that what fed it alone is dead too. */
class Reads {
  readonly #counts = new Map<number, Counts>();

  remove(expression: Expression): void {
    forEachExpression(expression, uncountRead, this);
  }

  isRead(place: VariablePlace): boolean {
    const end = place.offsetBytes + (sizeOf(place.type) ?? Infinity);
    let part = this.#counts.get(place.variable.id)?.parts ?? null;
    for (; part !== null; part = part.next)
      if (part.count > 0 && part.start < end && place.offsetBytes < part.end) return true;
    return false;
  }

  isUsed(variable: Variable): boolean {
    return (this.#counts.get(variable.id)?.uses ?? 0) > 0;
  }

  count(node: Expression, change: 1 | -1): void {
    switch (node.kind) {
      case "load": {
        if (node.place.kind !== "variable") return;
        const counts = this.#countsOf(node.place.variable);
        countPart(counts, node.place.offsetBytes, node.type, change);
        counts.uses += change;
        return;
      }
      case "address":
        if (node.place.kind === "variable") this.#countsOf(node.place.variable).uses += change;
        return;
      case "assign": {
        if (node.place.kind === "variable") {
          if (node.place.variable.storage === "automatic") this.#countsOf(node.place.variable).uses += change;
          return;
        }
        if (node.site?.isVolatile) return;
        const stored = rootOf(node.place.pointer)?.place;
        if (stored?.kind === "variable") this.#countsOf(stored.variable).uses -= change;
      }
    }
  }

  #countsOf({ id }: Variable): Counts {
    const known = this.#counts.get(id);
    if (known !== undefined) return known;
    const counts: Counts = { uses: 0, parts: null };
    this.#counts.set(id, counts);
    return counts;
  }
}

/** What is counted of a variable. */
interface Counts {
  /** Of a shared array, the uses of it that are not a store's; of an automatic variable all that name it. */
  uses: number;
  /** The parts that are read, one for each range of bytes. */
  parts: Part | null;
}

interface Part {
  readonly start: number;
  readonly end: number;
  count: number;
  readonly next: Part | null;
}

function countPart(counts: Counts, start: number, type: Type, change: 1 | -1): void {
  const end = start + (sizeOf(type) ?? Infinity);
  let part = counts.parts;
  while (part !== null && (part.start !== start || part.end !== end)) part = part.next;
  if (part === null) counts.parts = { start, end, count: change, next: counts.parts };
  else part.count += change;
}

function countRead(node: Expression, reads: Reads): void {
  reads.count(node, 1);
}

function uncountRead(node: Expression, reads: Reads): void {
  reads.count(node, -1);
}

function isDead(expression: Expression, reads: Reads, escaped: ReadonlySet<number>): boolean {
  if (expression.kind !== "assign") return isPure(expression);
  if (expression.site?.isVolatile) return false;
  const { place } = expression;
  if (place.kind === "memory") {
    const root = rootOf(place.pointer)?.place;
    if (root?.kind !== "variable" || root.variable.storage !== "shared" || reads.isUsed(root.variable))
      return false;
    return isPure(place.pointer) && isRemovable(expression.value);
  }
  if (place.variable.storage !== "automatic" || escaped.has(place.variable.id)) return false;
  return !reads.isRead(place) && isRemovable(expression.value);
}

function isRemovable(value: Expression): boolean {
  if (isPure(value)) return true;
  if (value.kind === "load") return !value.site?.isVolatile && operandsOf(value).every(isPure);
  if (value.kind === "intrinsic") {
    const effect = intrinsicEffect(value.name);
    return (effect === "load" || effect === "matrix-load") && value.arguments.every(isPure);
  }
  return false;
}

/** Whether a declaration is all that is left of its variable. */
function isUnnamed({ variable, initializer }: Declare, reads: Reads): boolean {
  return variable.storage === "automatic" && initializer === null && !reads.isUsed(variable);
}

/** The list without statements that are dead, from the last to the first; the same list where none is. */
function prune(list: readonly Statement[], reads: Reads, escaped: ReadonlySet<number>): readonly Statement[] {
  return mapFromEnd(list, (statement) => {
    if (statement.kind === "evaluate") {
      if (!isDead(statement.expression, reads, escaped)) return statement;
      reads.remove(statement.expression);
      return null;
    }
    if (statement.kind === "declare") return isUnnamed(statement, reads) ? null : statement;
    if (!hasLists(statement)) return statement;
    const kept = mapLists(statement, (inner) => prune(inner, reads, escaped));
    if (kept.kind !== "if" || kept.whenTrue.length > 0 || kept.whenFalse.length > 0) return kept;
    if (!isPure(kept.condition)) return kept;
    reads.remove(kept.condition);
    return null;
  });
}

/** Within each list: a store is dropped where a later one covers it before any thread could read it. */
function withoutCoveredStores(list: readonly Statement[], addresses: Addresses): readonly Statement[] {
  let covered: Extent[] = [];
  return mapFromEnd(list, (statement) => {
    const store = storeOf(statement, addresses);
    if (store) {
      if (covered.some((later) => covers(later, store))) return null;
      covered.push(store);
    } else if (statement.kind === "evaluate") {
      if (covered.length > 0) covered = uncovered(statement.expression, covered, addresses);
    } else if (statement.kind !== "declare") covered = [];
    if (!hasLists(statement)) return statement;
    return mapLists(statement, (inner) => withoutCoveredStores(inner, addresses));
  });
}

/** Bytes of an automatic variable. */
interface VariablePart {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** By id of a variable, the parts of it that are assigned before anybody reads them. */
type CoveredParts = Map<number, VariablePart[]>;

/** Within each list: what is assigned to a part of a variable is dropped where a later one covers it before it is read (`v = *p; v.x = 1;`). */
function withoutOverwritten(list: readonly Statement[], escaped: ReadonlySet<number>): readonly Statement[] {
  const covered: CoveredParts = new Map();
  return mapFromEnd(list, (statement) => {
    if (statement.kind === "evaluate") {
      const { expression } = statement;
      const part = expression.kind === "assign" ? partOf(expression.place, escaped) : null;
      if (part && expression.kind === "assign" && isRemovable(expression.value) && isCovered(part, covered))
        return null;
      if (part) cover(part, covered);
      // What an assignment reads it reads before it assigns.
      if (covered.size > 0) forEachExpression(expression, uncoverRead, covered);
      return statement;
    }
    if (statement.kind !== "declare" || statement.initializer !== null) covered.clear();
    return hasLists(statement)
      ? mapLists(statement, (inner) => withoutOverwritten(inner, escaped))
      : statement;
  });
}

/** Null for what others may read in ways that are not seen. */
function partOf(place: Place, escaped: ReadonlySet<number>): VariablePart | null {
  const sizeBytes = sizeOf(place.type);
  if (place.kind !== "variable" || sizeBytes === null) return null;
  const { variable, offsetBytes: start } = place;
  if (variable.storage !== "automatic" || escaped.has(variable.id)) return null;
  return { id: variable.id, start, end: start + sizeBytes };
}

function isCovered({ id, start, end }: VariablePart, covered: CoveredParts): boolean {
  return covered.get(id)?.some((later) => later.start <= start && end <= later.end) === true;
}

function cover(part: VariablePart, covered: CoveredParts): void {
  const known = covered.get(part.id);
  if (known === undefined) covered.set(part.id, [part]);
  else known.push(part);
}

/** Takes out what the expression reads. */
function uncoverRead(node: Expression, covered: CoveredParts): void {
  if ((node.kind !== "load" && node.kind !== "address") || node.place.kind !== "variable") return;
  const { variable, offsetBytes: start, type } = node.place;
  const parts = covered.get(variable.id);
  if (parts === undefined) return;
  const end = start + (sizeOf(type) ?? 0);
  // By its address any part of it may be read.
  const kept = node.kind === "address" ? [] : parts.filter((part) => part.end <= start || end <= part.start);
  if (kept.length === 0) covered.delete(variable.id);
  else covered.set(variable.id, kept);
}

function storeOf(statement: Statement, addresses: Addresses): Extent | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const store: Assign = statement.expression;
  if (store.place.kind !== "memory") return null;
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
