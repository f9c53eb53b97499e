// Operations that CUDA's headers make of `asm`: all arithmetic of half and bfloat16, and conversions from and to them. LLVM does not look beyond
// one when it merges neighbours (fixtures/forms/half_neighbours.cu).
import type { AccessSite, Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Type } from "../../ir/type.ts";
import { someExpression, someExpressionOf } from "../walks/walk.ts";
import { isPackedHalves } from "./layout.ts";

/** Whether the statement executes such an operation, or an access that is one (`asmSites`: those of `__ldg` and its like). */
export function executesAsm(statement: Statement, asmSites: ReadonlySet<AccessSite>): boolean {
  return someExpressionOf(
    [statement],
    (node) => isAsm(node) || isConstantStored(node) || isAsmSite(node, asmSites),
  );
}

/** Whether it is an access that CUDA's headers write as `asm`. */
export function isAsmSite(node: Expression, asmSites: ReadonlySet<AccessSite>): boolean {
  return (node.kind === "load" || node.kind === "assign") && node.site !== null && asmSites.has(node.site);
}

/** A constant that is a half was converted, too. */
function isConstantStored(node: Expression): boolean {
  return node.kind === "assign" && node.value.kind === "constant" && isSmallFloat(node.type);
}

/** Whether evaluating the expression executes such an operation. */
export function holdsAsm(expression: Expression): boolean {
  return someExpression(expression, isAsm);
}

/** Whether the operation itself is one. */
export function isAsm(node: Expression): boolean {
  switch (node.kind) {
    case "convert":
      return isSmallFloat(node.type) !== isSmallFloat(node.operand.type);
    case "binary":
      return isSmallFloat(node.left.type);
    case "unary":
      return isSmallFloat(node.type);
    case "intrinsic":
      return (
        intrinsicEffect(node.name) === "pure" &&
        !isMove(node.name) &&
        [node, ...operandsOf(node)].some(({ type }) => isSmallFloat(type) || isPackedHalves(type))
      );
    default:
      return false;
  }
}

/** Those that copy bits in plain C++. */
function isMove(name: string): boolean {
  return name.startsWith("make_") || name.includes("_as_");
}

export function isSmallFloat(type: Type): boolean {
  return type.kind === "float" && (type.format === "half" || type.format === "bfloat16");
}
