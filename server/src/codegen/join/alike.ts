// Branches whose ways are alike, instruction by instruction: LLVM sinks them whole, so that their loads become one of the selected address.
import type { Assign, Expression, Load } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { If, Statement } from "../../ir/statement.ts";
import { pointerTo, sameType, sizeOf } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Extent } from "../addresses/alias.ts";
import { isSamePlace } from "../addresses/alias.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { mayLeave } from "../walks/jumps.ts";
import { likeSite, withExpression, withStored, withWays } from "../walks/rebuild.ts";
import { assignedVariables, isPure } from "../walks/walk.ts";
import { type JoinOptions, type LoadStatement, namesAny, selectableLoadOf } from "./loads.ts";
import { areOfOneArray, type StoredPlace } from "./stored-places.ts";

const maximumLoads = 8;

/**
 * The loads of the selected addresses, and the branch that reads what they give; null where the ways are not alike (cases joins/alike…).
 * `behind`: the line behind the branch, which they may be charged to. `mayPart`: whether the stores that the ways end with may go to several
 * places of one array, asked where they do.
 */
export function withSelectedLoads(
  branch: If,
  behind: readonly SourceRange[],
  mayPart: () => boolean,
  options: JoinOptions,
): { readonly loads: readonly Statement[]; readonly branch: If } | null {
  if (!isPure(branch.condition) || mayLeave(branch)) return null;
  const left = branch.whenTrue.filter(isDone);
  const right = branch.whenFalse.filter(isDone);
  if (left.length !== right.length) return null;
  const assigned = assignedVariables([branch]);
  const pairs: (readonly [LoadStatement, LoadStatement])[] = [];
  for (const [index, statement] of left.entries()) {
    const other = right[index];
    if (!other) return null;
    const pair = loadsOf(statement, other, options);
    if (pair) {
      if (pair.some(({ load }) => namesAny(load, assigned))) return null;
      pairs.push(pair);
    } else if (!areAlike(statement, other, index === left.length - 1 ? mayPart : "inner", options))
      return null;
  }
  if (pairs.length === 0 || pairs.length > maximumLoads) return null;
  const values = new Map<Statement, Statement>();
  const loads = pairs.map(([first, second]) => {
    const temporary = options.fresh.temporary(second.load.type, "either");
    for (const { statement, expression } of [first, second])
      values.set(
        statement,
        withExpression(statement, withStored(expression, expression.place, readOf(temporary))),
      );
    return assignment(
      placeOf(temporary),
      isSamePlace(first, second)
        ? ofBoth(first.load, second.load, behind)
        : selected(branch.condition, first.load, second.load, behind),
      branch.range,
    );
  });
  const replaced = (list: readonly Statement[]) =>
    list.map((statement) => values.get(statement) ?? statement);
  return {
    loads,
    branch: withWays(branch, branch.condition, replaced(branch.whenTrue), replaced(branch.whenFalse)),
  };
}

function isDone(statement: Statement): boolean {
  return statement.kind !== "declare";
}

/** Of pointers that each way takes for a load of its own, LLVM chooses when they are there (forms/pointers_of_ways loadedFromEither). */
function loadIntoOne({ expression: first }: LoadStatement, { expression: second }: LoadStatement): boolean {
  const [one, other] = [first.place, second.place];
  return one.kind === "variable" && other.kind === "variable" && one.variable.id === other.variable.id;
}

function loadsOf(
  statement: Statement,
  other: Statement,
  options: JoinOptions,
): readonly [LoadStatement, LoadStatement] | null {
  const first = selectableLoadOf(statement, options);
  const second = first && selectableLoadOf(other, options);
  if (!first || !second || !sameType(first.load.type, second.load.type)) return null;
  if (first.load.type.kind === "pointer" && !loadIntoOne(first, second)) return null;
  const { space } = first.address;
  return (space === "shared" || space === "global") && second.address.space === space
    ? [first, second]
    : null;
}

/** Whether two statements do the same with other operands; the last ones may store to one place. */
function areAlike(
  a: Statement,
  b: Statement,
  where: "inner" | (() => boolean),
  options: JoinOptions,
): boolean {
  if (a.kind !== "evaluate" || b.kind !== "evaluate") return false;
  const [first, second] = [a.expression, b.expression];
  if (first.kind !== "assign" || second.kind !== "assign") return false;
  if (!isPure(first.value) || !isPure(second.value) || !areShapedAlike(first.value, second.value))
    return false;
  if (first.place.kind === "variable" && second.place.kind === "variable")
    return sameType(first.place.type, second.place.type);
  if (where === "inner" || first.site?.isVolatile !== false || second.site?.isVolatile !== false)
    return false;
  const [one, other] = [storedPlace(first, options), storedPlace(second, options)];
  if (one === null || other === null) return false;
  return isSamePlace(one, other) || (areOfOneArray(one, other) && where());
}

function storedPlace(store: Assign, { addresses }: JoinOptions): (StoredPlace & Extent) | null {
  const { place } = store;
  const address = addresses.get(store);
  const bytes = sizeOf(place.type);
  return address && bytes && place.kind === "memory" ? { place, address, bytes } : null;
}

/** Whether the same operations make both, of whatever variables and constants. */
export function areShapedAlike(a: Expression, b: Expression): boolean {
  if (isLeaf(a) && isLeaf(b)) return sameType(a.type, b.type);
  if (a.kind !== b.kind || !sameType(a.type, b.type)) return false;
  if (a.kind === "binary" && b.kind === "binary" && a.operator !== b.operator) return false;
  if (a.kind === "unary" && b.kind === "unary" && a.operator !== b.operator) return false;
  if (a.kind === "intrinsic" && b.kind === "intrinsic" && a.name !== b.name) return false;
  const [left, right] = [operandsOf(a), operandsOf(b)];
  return (
    left.length === right.length &&
    left.every((operand, index) => {
      const other = right[index];
      return other !== undefined && areShapedAlike(operand, other);
    })
  );
}

/** Whether two expressions end with one operation, of whatever operands. */
export function isSameOperation(a: Expression, b: Expression): boolean {
  if (a.kind === "binary" && b.kind === "binary") return a.operator === b.operator;
  if (a.kind === "unary" && b.kind === "unary") return a.operator === b.operator;
  if (a.kind === "intrinsic" && b.kind === "intrinsic")
    return a.name === b.name && a.arguments.length === b.arguments.length;
  return a.kind === "convert" && b.kind === "convert";
}

function isLeaf(expression: Expression): boolean {
  return (
    expression.kind === "constant" || (expression.kind === "load" && expression.place.kind === "variable")
  );
}

/** One load of what both ways load: registers may hold it. */
function ofBoth(first: Load, second: Load, behind: readonly SourceRange[]): Load {
  return { kind: "load", type: second.type, place: second.place, site: siteOfEither(first, second, behind) };
}

/** `c ? *p : *q` as one load, charged to the second, or to a line behind. */
export function selected(
  condition: Expression,
  first: Load,
  second: Load,
  behind: readonly SourceRange[],
): Load {
  const type = pointerTo(second.type);
  const pointer: Expression = {
    kind: "conditional",
    type,
    condition,
    whenTrue: { kind: "address", type, place: first.place },
    whenFalse: { kind: "address", type, place: second.place },
  };
  return {
    kind: "load",
    type: second.type,
    place: { kind: "memory", pointer, offsetBytes: 0, type: second.type },
    site: siteOfEither(first, second, behind),
  };
}

function siteOfEither(first: Load, second: Load, behind: readonly SourceRange[]): Load["site"] {
  if (!first.site || !second.site) return null;
  const merged = [...second.site.merged, first.site.range, ...first.site.merged, ...behind];
  return likeSite(second.site, { merged });
}
