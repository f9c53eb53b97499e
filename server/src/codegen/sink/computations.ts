// Straight-line computations: which statements belong together, and how many registers what they are computed of takes.
import type { Expression, Load, VariablePlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import { isScalar } from "../../ir/type.ts";
import type { Addresses } from "../addresses/address.ts";
import { forEachExpression, forEachExpressionOf, forEachStatement } from "../walks/walk.ts";

/** Statements that compute of each other, in their order. */
export interface Computation {
  readonly statements: readonly Statement[];
  /** Ids of the variables that they set. */
  readonly assigned: ReadonlySet<number>;
}

/** The load of memory that a statement is: what it gives goes to a variable of codegen's own. */
export function loadOf(statement: Statement): Load | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place, value } = statement.expression;
  if (place.kind !== "variable" || place.variable.id >= 0 || value.kind !== "load" || !value.site)
    return null;
  return value.site.isVolatile || value.place.kind !== "memory" ? null : value;
}

/** The statements, grouped by the variables that they set and read of each other; what an address is made of is not part of the value. */
export function computationsOf(statements: readonly Statement[]): Computation[] {
  return groupsOf(statements, ({ variable }) => variable.id);
}

/**
 * The computations that one is made of, where elements of an array, which are registers of their own to LLVM, are all that joins them: it
 * moves each for itself (fixtures/forms/tile_rows rowsOfTile).
 */
export function independentIn({ statements }: Computation): Computation[] {
  const whole = new Set<number>();
  forEachExpressionOf(statements, (node) => {
    const place = variablePlaceIn(node);
    if (place && (node.kind === "address" || !isScalar(place.type))) whole.add(place.variable.id);
  });
  return groupsOf(statements, ({ variable, offsetBytes }) =>
    whole.has(variable.id) ? variable.id : `${variable.id}@${offsetBytes}`,
  );
}

/** The statements, grouped by what of them has one name. */
function groupsOf(
  statements: readonly Statement[],
  nameOfPlace: (place: VariablePlace) => Name,
): Computation[] {
  const setAnywhere = new Set(statements.flatMap((each) => [...namesIn([each], nameOfPlace).assigned]));
  let groups: { statements: Statement[]; names: Set<Name> }[] = [];
  for (const statement of statements) {
    const { assigned, read } = namesIn([statement], nameOfPlace);
    const operands = loadOf(statement) ? [] : [...read];
    const names = new Set([...assigned, ...operands].filter((name) => setAnywhere.has(name)));
    const isJoined = (group: { names: Set<Name> }) => [...names].some((name) => group.names.has(name));
    const joined = groups.filter(isJoined);
    groups = groups.filter((group) => !isJoined(group));
    groups.push({
      statements: [...joined.flatMap((group) => group.statements), statement],
      names: new Set([...joined.flatMap((group) => [...group.names]), ...names]),
    });
  }
  const setBy = (each: Statement) => [...namesIn([each]).assigned].filter(isId);
  return groups.map((group) => ({
    statements: group.statements,
    assigned: new Set(group.statements.flatMap(setBy)),
  }));
}

/** How often each variable is read, assigned or pointed to. */
export function mentionsIn(statements: readonly Statement[]): Map<number, number> {
  const counts = new Map<number, number>();
  forEachExpressionOf(statements, (node) => {
    const id = variableIn(node);
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  });
  return counts;
}

interface Sources {
  readonly addresses: Addresses;
  /** Variables that take no register. */
  readonly constants: ReadonlySet<number>;
}

/**
 * How many registers must live on for a computation that is made where its users are: those that its addresses start from, equal but for
 * constants, and the variables that it reads; not what the users read anyway. Infinite where it stays whatever it takes.
 */
export function registersOf(
  { statements, assigned }: Computation,
  users: readonly Statement[],
  { addresses, constants }: Sources,
): number {
  const alive = new Set<Name>(namesIn(users).read);
  forEachExpressionOf(users, (node) => {
    if (isIdentity(node)) alive.add(node.name);
  });
  const isFree = (name: Name) => alive.has(name) || (typeof name === "number" && constants.has(name));
  const products = new Set<number>();
  const starts = new Set<number>();
  const leaves = new Set<Name>();
  for (const statement of statements) {
    const load = loadOf(statement);
    if (load) {
      const address = addresses.get(load);
      const names = load.place.kind === "memory" ? namesOf(load.place.pointer) : [];
      if (!address || address.choices || names.some((name) => typeof name === "number" && assigned.has(name)))
        return Number.POSITIVE_INFINITY;
      if (!names.every(isFree)) starts.add(address.termsKey);
      continue;
    }
    let stays = false;
    forEachExpressionOf([statement], (node) => {
      if (keepsInPlace(node, products)) stays = true;
      const name = nameOf(node);
      if (name !== null && !(typeof name === "number" && assigned.has(name)) && !isFree(name))
        leaves.add(name);
      if (node.kind === "assign" && node.place.kind === "variable" && isProduct(node.value, products))
        products.add(node.place.variable.id);
    });
    if (stays) return Number.POSITIVE_INFINITY;
  }
  return starts.size + leaves.size;
}

/** A variable, by its id, or what a thread knows of itself (`threadIdx.x`). */
type Name = number | string;

function nameOf(node: Expression): Name | null {
  if (node.kind === "load" && node.place.kind === "variable") return node.place.variable.id;
  return isIdentity(node) ? node.name : null;
}

function isIdentity(node: Expression): node is Expression & { readonly kind: "intrinsic" } {
  return node.kind === "intrinsic" && intrinsicEffect(node.name) === "identity";
}

function namesOf(expression: Expression): Name[] {
  const names: Name[] = [];
  forEachExpression(expression, (node) => {
    const name = nameOf(node);
    if (name !== null) names.push(name);
  });
  return names;
}

function variableIn(node: Expression): number | null {
  return variablePlaceIn(node)?.variable.id ?? null;
}

function variablePlaceIn(node: Expression): VariablePlace | null {
  const namesPlace = node.kind === "load" || node.kind === "assign" || node.kind === "address";
  return namesPlace && node.place.kind === "variable" ? node.place : null;
}

function isId(name: Name): name is number {
  return typeof name === "number";
}

/** What the statements set and read, by name: of a variable its id, unless told otherwise. */
function namesIn(
  statements: readonly Statement[],
  nameOfPlace: (place: VariablePlace) => Name = ({ variable }) => variable.id,
): { assigned: Set<Name>; read: Set<Name> } {
  const assigned = new Set<Name>();
  const read = new Set<Name>();
  forEachExpressionOf(statements, (node) => {
    const place = variablePlaceIn(node);
    if (place) (node.kind === "assign" ? assigned : read).add(nameOfPlace(place));
  });
  forEachStatement(statements, (one) => {
    if (one.kind === "declare") assigned.add(one.variable.id);
  });
  return { assigned, read };
}

/** Functions that become a block of their own, or several, by the time that LLVM moves computations: those stay, and what is made of them. */
const inBlocks: ReadonlySet<string> = new Set(["pow", "fmod", "sin", "cos", "tan", "atan2", "__byte_perm"]);

/** Whether an operation stays where it is: a sum of a product, which LLVM has fused by then, functions that take branches, pointers. */
function keepsInPlace(node: Expression, products: ReadonlySet<number>): boolean {
  if (node.kind === "address") return true;
  if (node.kind === "intrinsic") return inBlocks.has(node.name);
  if (node.kind !== "binary" || node.operator !== "+" || node.type.kind !== "float") return false;
  return isProduct(node.left, products) || isProduct(node.right, products);
}

/** Whether a value is a product of floating-point numbers, here or in the variable that it is read from. */
function isProduct(value: Expression, products: ReadonlySet<number>): boolean {
  if (value.kind === "binary") return value.operator === "*" && value.type.kind === "float";
  return value.kind === "load" && value.place.kind === "variable" && products.has(value.place.variable.id);
}
