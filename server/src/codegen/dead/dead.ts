// Drops what nobody uses: loads whose value is not read, variables that are not read or not even named, stores to shared arrays that no
// thread reads, sums that only their own updates read, and with them what later stores and assignments cover.
import type { Assign, Expression, VariablePlace } from "../../ir/expression.ts";
import type { Declare, Statement } from "../../ir/statement.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Addresses } from "../addresses/address.ts";
import type { KnownRounds } from "../linearise/context.ts";
import { mapFromEnd, mapLists } from "../walks/rebuild.ts";
import {
  forEachExpression,
  forEachExpressionOf,
  forEachStatement,
  hasLists,
  isPure,
  isRemovable,
  rootOf,
  rootVariableOf,
} from "../walks/walk.ts";
import { withoutCoveredStores } from "./covered.ts";
import { withoutOverwritten } from "./overwritten.ts";
import { writtenTwice } from "./written-twice.ts";

const maximumRounds = 12;

/** Ids of what stays although nobody reads it. */
export interface Kept {
  /** Variables of which something else may see the address. */
  readonly escaped: ReadonlySet<number>;
  /** Shared arrays. */
  readonly arrays: ReadonlySet<number>;
}

/** The statements without those that have no effect; the same list where all have one. */
export function withoutDead(
  body: readonly Statement[],
  addresses: Addresses,
  kept: Kept & { readonly knownRounds: KnownRounds },
): readonly Statement[] {
  let current = body;
  const written = writtenTwice(body, addresses, kept.escaped);
  let uncovers = true;
  for (let round = 0; round < maximumRounds; round++) {
    // A load that was dropped no longer keeps the store in front of it.
    const stored = withoutCoveredStores(current, { addresses, written, knownRounds: kept.knownRounds });
    const covered = uncovers || stored !== current ? withoutOverwritten(stored, written) : stored;
    if (covered === current && round > 0) break;
    const reads = new Reads(written.variables, pointersIntoShared(covered));
    current = prunedBy(reads, covered, kept);
    if (current === covered) break;
    uncovers = reads.hasLostWatched;
  }
  return current;
}

/** The statements without those of which nobody reads what they load or set. */
export function withoutUnread(body: readonly Statement[], kept: Kept): readonly Statement[] {
  return prunedBy(new Reads(new Set(), pointersIntoShared(body)), body, kept);
}

/** The same; `reads` counts those of the body, and then those that are left. */
function prunedBy(reads: Reads, body: readonly Statement[], kept: Kept): readonly Statement[] {
  let current = body;
  forEachExpressionOf(current, countRead, reads);
  for (let round = 0; round < maximumRounds; round++) {
    const next = prune(current, reads, kept);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** By the id of each pointer that is set once, to a place in a shared array: the array; null for what is set again. */
function pointersIntoShared(body: readonly Statement[]): ReadonlyMap<number, Variable | null> {
  const found = new Map<number, Variable | null>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return;
    const { place, value } = statement.expression;
    if (place.kind !== "variable" || place.type.kind !== "pointer") return;
    const root = rootOf(value)?.place;
    const array = root?.kind === "variable" && root.variable.storage === "shared" ? root.variable : null;
    found.set(place.variable.id, found.has(place.variable.id) ? null : array);
  });
  return found;
}

/** How often each part of a variable is read. What is dropped is taken out at once, so that what fed it alone is dead too. */
class Reads {
  /** Whether something was taken out that read one of the watched variables: what is assigned to those may be covered now. */
  hasLostWatched = false;
  readonly #watched: ReadonlySet<number>;
  readonly #arrayOf: ReadonlyMap<number, Variable | null>;
  readonly #counts = new Map<number, Counts>();

  constructor(watched: ReadonlySet<number>, arrayOf: ReadonlyMap<number, Variable | null>) {
    this.#watched = watched;
    this.#arrayOf = arrayOf;
  }

  /** The variable that a pointer leads to, by way of one that stands for a place in a shared array too; null where it is not plain to see. */
  rootOf(pointer: Expression): Variable | null {
    const root = rootVariableOf(pointer);
    const array = root && this.#arrayOf.get(root.id);
    return array ?? (rootOf(pointer) ? root : null);
  }

  remove(expression: Expression): void {
    forEachExpression(expression, uncountRead, this);
  }

  noteLost(node: Expression): void {
    if ((node.kind === "load" || node.kind === "address") && node.place.kind === "variable")
      this.hasLostWatched ||= this.#watched.has(node.place.variable.id);
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
        countPart(this.#countsOf(node.place.variable), node.place.offsetBytes, node.type, change);
        this.#countUse(node.place.variable, change);
        return;
      }
      case "address":
        if (node.place.kind === "variable") this.#countUse(node.place.variable, change);
        return;
      case "assign": {
        if (node.place.kind === "variable") {
          if (node.place.variable.storage !== "automatic") return;
          const counts = this.#countsOf(node.place.variable);
          counts.uses += change;
          const array = this.#arrayOf.get(node.place.variable.id);
          if (array) this.#countsOf(array).uses -= change;
          const own = ownReadsOf(node);
          if (own > 0) countPart(counts, node.place.offsetBytes, node.place.type, -change * own);
          return;
        }
        if (node.site?.isVolatile) return;
        const stored = this.rootOf(node.place.pointer);
        if (stored) this.#countsOf(stored).uses -= change;
      }
    }
  }

  #countUse(variable: Variable, change: 1 | -1): void {
    this.#countsOf(variable).uses += change;
    const array = this.#arrayOf.get(variable.id);
    if (array) this.#countsOf(array).uses += change;
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

function countPart(counts: Counts, start: number, type: Type, change: number): void {
  const end = start + (sizeOf(type) ?? Infinity);
  let part = counts.parts;
  while (part !== null && (part.start !== start || part.end !== end)) part = part.next;
  if (part === null) counts.parts = { start, end, count: change, next: counts.parts };
  else part.count += change;
}

/** How often an assignment reads the very place that it assigns: of a sum that nothing else reads, that is nobody's use (dead_sums). */
function ownReadsOf({ place, value }: Assign): number {
  if (place.kind !== "variable" || value.kind === "load" || value.kind === "constant") return 0;
  const own: OwnReads = { place, count: 0, assigns: false };
  forEachExpression(value, countOwnRead, own);
  return own.assigns ? 0 : own.count;
}

interface OwnReads {
  readonly place: VariablePlace;
  count: number;
  /** Whether the value assigns something itself, so that it is needed whatever is read. */
  assigns: boolean;
}

function countOwnRead(node: Expression, own: OwnReads): void {
  if (node.kind === "assign") own.assigns = true;
  if (node.kind !== "load" || node.place.kind !== "variable") return;
  const { variable, offsetBytes, type } = node.place;
  const { place } = own;
  if (
    variable.id === place.variable.id &&
    offsetBytes === place.offsetBytes &&
    sizeOf(type) === sizeOf(place.type)
  )
    own.count++;
}

function countRead(node: Expression, reads: Reads): void {
  reads.count(node, 1);
}

function uncountRead(node: Expression, reads: Reads): void {
  reads.count(node, -1);
  reads.noteLost(node);
}

function isDead(expression: Expression, reads: Reads, { escaped, arrays }: Kept): boolean {
  if (expression.kind !== "assign") return isPure(expression);
  if (expression.site?.isVolatile) return false;
  const { place } = expression;
  if (place.kind === "memory") {
    const root = reads.rootOf(place.pointer);
    if (root?.storage !== "shared" || reads.isUsed(root) || arrays.has(root.id)) return false;
    return isPure(place.pointer) && isRemovable(expression.value);
  }
  if (place.variable.storage !== "automatic" || escaped.has(place.variable.id)) return false;
  return !reads.isRead(place) && isRemovable(expression.value);
}

/** Whether a declaration is all that is left of its variable. */
function isUnnamed({ variable, initializer }: Declare, reads: Reads): boolean {
  return variable.storage === "automatic" && initializer === null && !reads.isUsed(variable);
}

/** The list without statements that are dead, from the last to the first; the same list where none is. */
function prune(list: readonly Statement[], reads: Reads, kept: Kept): readonly Statement[] {
  return mapFromEnd(list, (statement) => {
    if (statement.kind === "evaluate") {
      if (!isDead(statement.expression, reads, kept)) return statement;
      reads.remove(statement.expression);
      return null;
    }
    if (statement.kind === "declare") return isUnnamed(statement, reads) ? null : statement;
    if (!hasLists(statement)) return statement;
    const left = mapLists(statement, (inner) => prune(inner, reads, kept));
    if (left.kind !== "if" || left.whenTrue.length > 0 || left.whenFalse.length > 0) return left;
    if (!isPure(left.condition)) return left;
    reads.remove(left.condition);
    return null;
  });
}
