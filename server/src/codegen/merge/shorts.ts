// Which neighbouring 16-bit values in shared memory ptxas loads as one: those that it needs as 16 bits, such as the two factors of a product, and
// halves. Where arithmetic wants 32 bits, each load extends its own sign (cases short_windows, short_products, half_neighbours).
import type { Binary, Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { isSmallFloat } from "../linearise/asm-operations.ts";
import { partsOf } from "../walks/walk.ts";
import type { Access } from "./chains.ts";

export type Pairing = "one word" | "apart" | "unclear";

/** How ptxas loads the neighbours, two or up to four, by what the statements make of their values. */
export function pairingOf(list: readonly Statement[], members: readonly Access[]): Pairing {
  const uses = members.map((access) => usesOf(list, access));
  if (members.every(({ place }) => isSmallFloat(place.type)))
    return uses.some((each) => each.some(({ kind }) => kind === "shifted")) ? "apart" : "one word";
  const single = uses.map((each) => (each.length === 1 ? each[0] : undefined));
  const [left, right] = single;
  const isSigned = members.every(({ place }) => place.type.kind === "integer" && place.type.signed);
  if (left && right && members.length === 2) {
    const isOneProduct = left.kind === "factor" && right.kind === "factor" && left.product === right.product;
    if (isOneProduct) return isSigned && !left.isAdded ? "one word" : "apart";
    const isOneOrder = left.kind === "compared" && right.kind === "compared" && left.order === right.order;
    if (isOneOrder) return isSigned ? "one word" : "apart";
  }
  if (
    left &&
    single.every((use) => use?.kind === left.kind) &&
    (left.kind === "float" || left.kind === "copied")
  )
    return "one word";
  // A difference of which the other one is a factor is seen both ways (forms/narrow_scalars twoShorts, short_products productPlus).
  const kinds = new Set(single.map((use) => use?.kind));
  if (kinds.size === 2 && kinds.has("operand") && kinds.has("factor")) return "unclear";
  return uses.some((each) => each.some(({ kind }) => kind === "operand" || kind === "compared"))
    ? "apart"
    : "unclear";
}

type Use =
  | { readonly kind: "factor"; readonly product: Expression; readonly isAdded: boolean }
  /** Of a sum or a difference. */
  | { readonly kind: "operand" }
  | { readonly kind: "compared"; readonly order: Expression }
  /** A bfloat16 that becomes a float is shifted, as 32 bits. */
  | { readonly kind: "shifted" }
  | { readonly kind: "float" | "copied" | "other" };

function usesOf(list: readonly Statement[], { statement }: Access): readonly Use[] {
  const { expression } = statement;
  if (expression.kind !== "assign" || expression.place.kind !== "variable") return [];
  return usesOfVariable(list, expression.place.variable, new Set());
}

/** What is made of a variable; of those that were `followed` before, as where two are exchanged in turns, no more than has been said. */
function usesOfVariable(
  list: readonly Statement[],
  variable: Variable,
  followed: Set<number>,
): readonly Use[] {
  if (followed.has(variable.id)) return [];
  followed.add(variable.id);
  const uses: Use[] = [];
  const visit = (node: Expression, parents: readonly Expression[]): void => {
    if (node.kind === "load" && node.place.kind === "variable" && node.place.variable.id === variable.id) {
      uses.push(...useUnder(list, parents, followed));
      return;
    }
    for (const operand of operandsOf(node)) visit(operand, [node, ...parents]);
  };
  forEachTop(list, (expression) => visit(expression, []));
  return uses;
}

/** What the expressions around a value, nearest first, make of it: a variable that it is assigned to is followed. */
function useUnder(
  list: readonly Statement[],
  parents: readonly Expression[],
  followed: Set<number>,
): readonly Use[] {
  const [user, ...around] = parents.filter((parent) => !isWidening(parent));
  if (user?.kind === "convert" && user.type.kind === "float") {
    const { type } = user.operand;
    const isShifted = type.kind === "float" && type.format === "bfloat16";
    return [{ kind: isShifted ? "shifted" : "float" }];
  }
  if (user?.kind === "assign" && user.place.kind === "variable")
    return usesOfVariable(list, user.place.variable, followed);
  if (user?.kind === "assign") return [{ kind: user.site?.isVolatile === true ? "other" : "copied" }];
  if (user?.kind === "intrinsic" && (user.name === "min" || user.name === "max"))
    return [{ kind: "operand" }];
  if (user?.kind !== "binary") return [{ kind: "other" }];
  if (user.operator === "*") return [factorOf(user, around[0])];
  if (user.type.kind === "boolean") return [{ kind: "compared", order: user }];
  const isArithmetic = user.operator === "+" || user.operator === "-";
  return [{ kind: isArithmetic ? "operand" : "other" }];
}

/** Of two products that are added one alone is a multiplication with an addition, and products with small constants may be added in pairs. */
function factorOf(product: Binary, parent: Expression | undefined): Use {
  const isWeighted = product.left.kind === "constant" || product.right.kind === "constant";
  const isSumOfProducts = isSum(parent) && isProduct(parent.left) && isProduct(parent.right);
  if (isWeighted || isSumOfProducts) return { kind: "other" };
  return { kind: "factor", product, isAdded: isSum(parent) };
}

function isProduct(expression: Expression): boolean {
  return expression.kind === "binary" && expression.operator === "*";
}

function isWidening(expression: Expression): boolean {
  return expression.kind === "convert" && expression.type.kind === "integer";
}

function isSum(expression: Expression | undefined): expression is Binary {
  return expression?.kind === "binary" && (expression.operator === "+" || expression.operator === "-");
}

function forEachTop(list: readonly Statement[], visit: (expression: Expression) => void): void {
  for (const statement of list) {
    const { expressions, lists } = partsOf(statement);
    expressions.forEach(visit);
    for (const inner of lists) forEachTop(inner, visit);
  }
}
