// What it takes to read and compute of records that were copied. LLVM decides of short branches before it holds the members of such a record in
// registers: reading one is an operation then (fixtures/forms/record_selections).
import type { Expression } from "../../ir/expression.ts";
import { isPieceType } from "../../ir/pieces.ts";
import { variableKey } from "../addresses/address.ts";
import { forEachExpression } from "../walks/walk.ts";

export interface MemberOperations {
  readonly count: number;
  readonly readsMembers: boolean;
}

/** The most operations of each of two ways that compute, and of one alone. */
const mostOfEither = 2;
const mostOfOne = 4;

/** Whether LLVM computes both ways, and chooses. */
export function isChosen(first: MemberOperations, second: MemberOperations): boolean {
  const isOfBoth = first.count > 0 && second.count > 0;
  return isOfBoth
    ? Math.max(first.count, second.count) <= mostOfEither
    : first.count + second.count <= mostOfOne;
}

/** The operations of the expressions: those that compute, and reading a member, once however often. A product that a sum takes in is none of its own. */
export function memberOperationsOf(expressions: readonly Expression[]): MemberOperations {
  let count = 0;
  const members = new Set<number>();
  for (const expression of expressions)
    forEachExpression(expression, (node) => {
      const member = memberRead(node);
      if (member !== null) members.add(member);
      if (isOperation(node)) count++;
      if (isFused(node)) count--;
    });
  return { count: count + members.size, readsMembers: members.size > 0 };
}

/** Whether the node is an instruction of its own: not a constant, a variable or a conversion between numbers of one kind. */
export function isOperation(node: Expression): boolean {
  if (node.kind === "convert") return node.type.kind !== node.operand.type.kind;
  return ["binary", "unary", "logical", "offset", "difference", "conditional"].includes(node.kind);
}

/** The key of the member that is read. */
function memberRead(node: Expression): number | null {
  if (node.kind !== "load" || node.place.kind !== "variable" || !isPieceType(node.type)) return null;
  const { variable, offsetBytes } = node.place;
  return variable.isMember === true || variable.type.kind === "record"
    ? variableKey(variable, offsetBytes)
    : null;
}

function isFused(node: Expression): boolean {
  if (node.kind !== "binary" || node.type.kind !== "float" || !"+-".includes(node.operator)) return false;
  return [node.left, node.right].some(
    (each) => each.kind === "binary" && each.operator === "*" && !isTwice(each),
  );
}

/** A product with 2 is a sum. */
function isTwice({ right }: Expression & { kind: "binary" }): boolean {
  return right.kind === "constant" && right.value === 2;
}
