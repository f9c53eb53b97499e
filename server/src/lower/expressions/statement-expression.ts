// GNU's `({ int a = x; a < 4 ? a : 4; })`: statements in parentheses whose last expression is the value.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { inBlock, statement } from "../statements/statement.ts";
import { Unsupported } from "../unsupported.ts";
import { assignOf, sequenceOf, variablePlace } from "./build.ts";
import { expression } from "./expression.ts";
import { readValue, rvalueOf, type Value } from "./value.ts";

/** Its value, after what its other statements do; declarations and expressions alone are followed. */
export function statementExpression(context: Context, body: SyntaxNode): Value {
  const inner = inBlock(context);
  const nodes = namedChildren(body).filter((node) => node.type !== "comment");
  const last = nodes.pop();
  const value = last?.type === "expression_statement" ? namedChildren(last)[0] : undefined;
  if (value === undefined) throw new Unsupported("a statement expression without a value");
  const effects = nodes.flatMap((node) => statement(inner, node)).flatMap(effectsOf);
  const read = readValue(inner, expression(inner, value));
  return rvalueOf(read.type, sequenceOf(effects, read.expression));
}

function effectsOf(lowered: Statement): Expression[] {
  if (lowered.kind === "evaluate") return [lowered.expression];
  if (lowered.kind !== "declare" || lowered.variable.storage !== "automatic")
    throw new Unsupported("a statement expression with control flow");
  const { variable, initializer } = lowered;
  return initializer ? [assignOf(variablePlace(variable), initializer, null)] : [];
}
