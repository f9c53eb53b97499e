// Constant evaluation: what array sizes, template arguments, case labels and constexpr variables are.
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { emptyBody, isTemporary, textOf } from "../context.ts";
import type { CxxType } from "../types/cxx-type.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { constantOf } from "./build.ts";
import { evaluateConstant } from "./constant-evaluator.ts";
import { convertedBy, scalarConversion } from "./convert.ts";
import { expression } from "./expression.ts";
import { type RValue, readValue } from "./value.ts";

/** The integer that an expression is at compile time, or null. */
export function constantInteger(context: Context, node: SyntaxNode): Scalar | null {
  return constantValue(context, node)?.value ?? null;
}

/**
 * Value and type of a constant expression of scalar type, or of a class that converts to one (`std::integral_constant`); null where it is not
 * constant.
 */
export function constantValue(context: Context, node: SyntaxNode): { value: Scalar; type: CxxType } | null {
  try {
    const inBody = context.body ? context : { ...context, body: emptyBody() };
    const value = readValue(inBody, expression(inBody, node));
    const conversion = scalarConversion(inBody, value.type);
    return scalarOf(context, conversion ? convertedBy(inBody, conversion, value) : value);
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

/** Why an expression is no constant, in words: what of it is not known, else the expression itself. */
export function whyNotConstant(context: Context, node: SyntaxNode): string {
  const body = emptyBody();
  const reason = orElse<string | null>(
    () => reasonIn(readValue({ ...context, body }, expression({ ...context, body }, node)).expression),
    (why) => why,
  );
  const [gap] = body.gaps;
  return gap ?? reason ?? `${textOf(context, node)} is not constant`;
}

/** The first reason in an expression why something is not known; null where there is none. */
function reasonIn(expression: Expression): string | null {
  if (expression.kind === "unknown") return expression.reason;
  for (const operand of operandsOf(expression)) {
    const reason = reasonIn(operand);
    if (reason !== null) return reason;
  }
  return null;
}

function scalarOf(context: Context, value: RValue): { value: Scalar; type: CxxType } | null {
  const folded = folding(context, value.expression);
  return folded.kind === "constant" ? { value: folded.value, type: value.type } : null;
}

/**
 * The expression as a Constant where it can be computed now, else as it was: what sets a variable of the text (`if ((rows = 128) <= 0)`) has to be
 * done when its turn comes.
 */
export function folding(context: Context, value: Expression): Expression {
  if (value.kind === "constant") return value;
  const scalar = evaluateConstant(context.translation, value);
  return scalar === null || setsVariable(value) ? value : constantOf(value.type, scalar);
}

function setsVariable(expression: Expression): boolean {
  const isSet =
    expression.kind === "assign" &&
    expression.place.kind === "variable" &&
    !isTemporary(expression.place.variable);
  return isSet || operandsOf(expression).some(setsVariable);
}
