// What both ways of a branch load first is loaded once in front of it.
import type { Assign, Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sameType } from "../../ir/type.ts";
import { earlyName } from "../../passes/gvn/gvn.ts";
import type { SourceRange } from "../../text/source.ts";
import { isSamePlace, startTogether } from "../addresses/alias.ts";
import { vectorPartOf } from "../linearise/layout.ts";
import { areEqual } from "../walks/equal.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { atPointer, likeSite, mapOperands, withExpression, withStored, withWays } from "../walks/rebuild.ts";
import { forEachExpression, isPure } from "../walks/walk.ts";
import {
  isCopy,
  type JoinOptions,
  type LoadStatement,
  loadStatementOf,
  namesAny,
  siteOfBoth,
} from "./loads.ts";

/**
 * The loads that both ways of the branch begin with, in front of it, and the branch that reads their temporaries (LLVM hoists what both ways
 * begin with; cases branches/bothSidesSameAddress, heads). Stops at the first statement that differs. `ahead`: the lines in front that they may be charged to.
 */
export function withCommonHeads(
  branch: If,
  ahead: readonly SourceRange[],
  options: JoinOptions,
): { readonly lifted: readonly Statement[]; readonly branch: If } {
  const before: Statement[] = [];
  let { whenTrue, whenFalse } = branch;
  for (;;) {
    const vectors = vectorsOf(whenTrue, whenFalse, options);
    if (vectors) {
      const { lifted, names } = liftedVector(
        vectors,
        [...ahead, ...readersIn(whenFalse, vectors.right)],
        branch.range,
        options,
      );
      before.push(...lifted);
      whenTrue = withPieces(whenTrue, vectors.left, names);
      whenFalse = withPieces(whenFalse, vectors.right, names);
      // Behind members of its own each way goes on by itself.
      if (!readAlike(vectors)) break;
      continue;
    }
    const left = headOf(whenTrue, options);
    const right = left && headOf(whenFalse, options);
    if (!left || !right || !areOfOnePlace(left, right)) break;
    if (!sameType(left.load.load.type, right.load.load.type) || !areAligned(left, right)) break;
    const donor = namesAny(left.pointer, left.assigned) ? right : left;
    if (namesAny(donor.pointer, donor.assigned)) break;
    const { load, address, place } = donor.load;
    const temporary = options.fresh.temporary(load.type, "common");
    const both = siteOfBoth(left.load.load.site, right.load.load.site);
    const site = both && likeSite(both, { merged: [...both.merged, ...ahead] });
    const lifted: Load = { kind: "load", type: load.type, place: atPointer(place, donor.pointer), site };
    options.addresses.set(lifted, address);
    before.push(assignment(placeOf(temporary), lifted, branch.range));
    whenTrue = withValueAt(whenTrue, left, readOf(temporary));
    whenFalse = withValueAt(whenFalse, right, readOf(temporary));
  }
  return { lifted: before, branch: withWays(branch, branch.condition, whenTrue, whenFalse) };
}

/** The pieces of one vector that a way begins with, by their offsets in it. */
interface VectorHead {
  readonly group: number;
  /** The address, in what was known before the way. */
  readonly pointer: Expression;
  readonly pieces: ReadonlyMap<number, Piece>;
  /** Variables that are assigned in front of it. */
  readonly assigned: ReadonlySet<number>;
}

interface Piece {
  readonly index: number;
  readonly statement: Evaluate;
  readonly expression: Assign;
  readonly load: Load;
  readonly place: MemoryPlace;
}

interface Vectors {
  readonly left: VectorHead;
  readonly right: VectorHead;
  /** Where both start, in what was known before the branch. */
  readonly pointer: Expression;
}

/** Of a vector that both ways begin with: nvcc's front end loads it whole, whichever of its members each way reads. */
function vectorsOf(
  whenTrue: readonly Statement[],
  whenFalse: readonly Statement[],
  options: JoinOptions,
): Vectors | null {
  const left = vectorHeadOf(whenTrue, options);
  const right = left && vectorHeadOf(whenFalse, options);
  if (!left || !right || !areOneVector(left, right, options)) return null;
  const donor = namesAny(left.pointer, left.assigned) ? right : left;
  if (namesAny(donor.pointer, donor.assigned)) return null;
  const areAlike = [...left.pieces].every(([offset, { load }]) => {
    const other = right.pieces.get(offset)?.load;
    return other === undefined || sameType(other.type, load.type);
  });
  return areAlike ? { left, right, pointer: donor.pointer } : null;
}

/** Whether both vectors start at one place: as their addresses say, or by what was put in front of the branch. */
function areOneVector(left: VectorHead, right: VectorHead, { addresses }: JoinOptions): boolean {
  if (areEqual(left.pointer, right.pointer)) return true;
  const [a, b] = [left, right].map(({ pieces }) => {
    const [piece] = pieces.values();
    const address = piece && addresses.get(piece.load);
    return address && { termsKey: address.termsKey, constant: address.constant - piece.place.offsetBytes };
  });
  return a !== undefined && b !== undefined && startTogether(a, b);
}

/** Whether both ways read the same members. */
function readAlike({ left, right }: Vectors): boolean {
  return (
    left.pieces.size === right.pieces.size &&
    [...left.pieces.keys()].every((offset) => right.pieces.has(offset))
  );
}

function vectorHeadOf(list: readonly Statement[], options: JoinOptions): VectorHead | null {
  const assigned = new Set<number>();
  const copies = new Map<number, Expression>();
  const pieces = new Map<number, Piece>();
  let group: number | null = null;
  let pointer: Expression | null = null;
  for (const [index, statement] of list.entries()) {
    if (statement.kind === "declare") continue;
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") break;
    const { expression } = statement;
    const { place, value } = expression;
    if (place.kind !== "variable") break;
    const own = value.kind === "load" ? options.groups.get(value) : undefined;
    if (value.kind === "load" && value.place.kind === "memory" && own !== undefined) {
      const from = withCopiesRead(value.place.pointer, copies);
      const isFirst = group === null && isOfVector(value.place) && value.site?.isVolatile === false;
      if (isFirst) [group, pointer] = [own, from];
      if (own !== group || pointer === null || !areEqual(pointer, from)) break;
      pieces.set(value.place.offsetBytes, { index, statement, expression, load: value, place: value.place });
      continue;
    }
    if (pieces.size > 0 || !isCopy(value)) break;
    if (sameType(place.variable.type, value.type))
      copies.set(place.variable.id, withCopiesRead(value, copies));
    assigned.add(place.variable.id);
  }
  return group === null || pointer === null ? null : { group, pointer, pieces, assigned };
}

/** Whether it is a piece of what moves as one vector. */
function isOfVector(place: MemoryPlace): boolean {
  const { type } = place.pointer;
  return type.kind === "pointer" && type.target.kind === "record" && vectorPartOf(place) === 0;
}

/** The line behind a vector's pieces, which Nsight Compute may show for the one in front of the branch (forms/vector_heads). */
function readersIn(way: readonly Statement[], { pieces }: VectorHead): readonly SourceRange[] {
  const last = Math.max(...[...pieces.values()].map(({ index }) => index));
  const reader = way.slice(last + 1).find((statement) => statement.kind === "evaluate");
  return reader?.kind === "evaluate" ? [reader.range] : [];
}

/** One load of all the pieces, in the order of their places, and by their offsets what they are called from then on. */
function liftedVector(
  { left, right, pointer }: Vectors,
  ahead: readonly SourceRange[],
  range: SourceRange,
  options: JoinOptions,
): { readonly lifted: readonly Statement[]; readonly names: ReadonlyMap<number, Expression> } {
  const offsets = [...new Set([...left.pieces.keys(), ...right.pieces.keys()])].sort((a, b) => a - b);
  const names = new Map<number, Expression>();
  const lifted = offsets.flatMap((offset): Statement[] => {
    const [one, other] = [left.pieces.get(offset), right.pieces.get(offset)];
    const known = one ?? other;
    const address = known && options.addresses.get(known.load);
    if (!known || !address) return [];
    const both = siteOfBoth(one?.load.site ?? null, other?.load.site ?? null);
    const site = both && likeSite(both, { merged: [...both.merged, ...ahead] });
    const { type } = known.load;
    const load: Load = { kind: "load", type, place: atPointer(known.place, pointer), site };
    options.addresses.set(load, address);
    options.groups.set(load, left.group);
    const temporary = options.fresh.temporary(type, "common");
    names.set(offset, readOf(temporary));
    return [assignment(placeOf(temporary), load, range)];
  });
  return { lifted, names };
}

function withPieces(
  list: readonly Statement[],
  { pieces }: VectorHead,
  names: ReadonlyMap<number, Expression>,
): readonly Statement[] {
  const output = [...list];
  for (const [offset, { index, statement, expression }] of pieces) {
    const name = names.get(offset);
    if (name) output[index] = withExpression(statement, withStored(expression, expression.place, name));
  }
  return output;
}

/** Whether both load the same bytes: what leads there may have been put in front of the branch by now. */
function areOfOnePlace(left: Head, right: Head): boolean {
  if (isSamePlace(left.load, right.load)) return true;
  const [a, b] = [left.load.place, right.load.place];
  return a.offsetBytes === b.offsetBytes && areEqual(left.pointer, right.pointer);
}

/**
 * Whether both loads are the same instruction of their ways, counted from the first. The address of a load that was put in front of the
 * meeting point is known before the branch, and so is what the other way computes for it.
 */
function areAligned(left: Head, right: Head): boolean {
  return (left.isFirst || isEarly(right)) && (right.isFirst || isEarly(left));
}

function isEarly({ load }: Head): boolean {
  return load.expression.place.kind === "variable" && load.expression.place.variable.name === earlyName;
}

interface Head {
  readonly index: number;
  readonly load: LoadStatement & { readonly place: MemoryPlace };
  /** The address, in what was known before the way where copies in front of it say so: an element of what was put in front of the branch, too. */
  readonly pointer: Expression;
  /** Whether nothing is computed in front of it but its address. */
  readonly isFirst: boolean;
  /** Variables that are assigned in front of it. */
  readonly assigned: ReadonlySet<number>;
}

/** The first load of a way with nothing before it but copies, and what its address is made of. */
function headOf(list: readonly Statement[], options: JoinOptions): Head | null {
  const assigned = new Set<number>();
  const computed = new Set<number>();
  const copies = new Map<number, Expression>();
  const before: Assign[] = [];
  for (const [index, statement] of list.entries()) {
    if (statement.kind === "declare") continue;
    const load = loadStatementOf(statement, options);
    if (load) {
      const read = variablesReadBy(load.load);
      const isFirst = [...computed].every((id) => read.has(id));
      const { place } = load.load;
      if (place.kind !== "memory" || !isAddressOf(load, before)) return null;
      return {
        index,
        load: { ...load, place },
        pointer: withCopiesRead(place.pointer, copies),
        assigned,
        isFirst,
      };
    }
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
    const { place, value } = statement.expression;
    if (place.kind !== "variable" || !isPure(value)) return null;
    before.push(statement.expression);
    assigned.add(place.variable.id);
    if (!isCopy(value)) computed.add(place.variable.id);
    else if (sameType(place.variable.type, value.type))
      copies.set(place.variable.id, withCopiesRead(value, copies));
  }
  return null;
}

function withCopiesRead(expression: Expression, copies: ReadonlyMap<number, Expression>): Expression {
  if (expression.kind !== "load" || expression.place.kind !== "variable")
    return mapOperands(expression, (operand) => withCopiesRead(operand, copies));
  const copied = copies.get(expression.place.variable.id);
  return copied && sameType(copied.type, expression.type) ? copied : expression;
}

/** Whether all that is computed goes into the load's address: else LLVM's way begins with something else (case meeting_ways/addsConverted). */
function isAddressOf({ load }: LoadStatement, computed: readonly Assign[]): boolean {
  const needed = variablesReadBy(load);
  for (const { place, value } of [...computed].reverse()) {
    if (place.kind === "variable" && needed.has(place.variable.id))
      for (const id of variablesReadBy(value)) needed.add(id);
    else if (!isCopy(value)) return false;
  }
  return true;
}

function variablesReadBy(expression: Expression): Set<number> {
  const ids = new Set<number>();
  forEachExpression(expression, (node) => {
    if (node.kind === "load" && node.place.kind === "variable") ids.add(node.place.variable.id);
  });
  return ids;
}

function withValueAt(
  list: readonly Statement[],
  { index, load }: Head,
  value: Expression,
): readonly Statement[] {
  const statement = withExpression(load.statement, withStored(load.expression, load.expression.place, value));
  return [...list.slice(0, index), statement, ...list.slice(index + 1)];
}
