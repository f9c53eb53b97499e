// What a thread knows of itself by name: `threadIdx.x`, `blockDim`, `warpSize`.
import type { Expression } from "../../ir/expression.ts";
import { int32, uint32 } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { type Context, rangeOf, textOf } from "../context.ts";
import { rvalueOf, type Value } from "../expressions/value.ts";
import { classType, intType, unsignedType } from "../types/cxx-type.ts";
import { dim3Class, uint3Class } from "./type.ts";

const vectorVariables = new Set(["threadIdx", "blockIdx", "blockDim", "gridDim"]);

/** `threadIdx.x` and its like; null for any other member access. */
export function vectorField(
  context: Context,
  argument: SyntaxNode,
  field: string,
  node: SyntaxNode,
): Value | null {
  if (argument.type !== "identifier") return null;
  const name = textOf(context, argument);
  if (!vectorVariables.has(name) || !/^[xyz]$/.test(field) || context.scope.lookup(name).length > 0)
    return null;
  return rvalueOf(unsignedType, identity(context, `${name}.${field}`, node));
}

/** `threadIdx` as a whole, `warpSize`; null for other names. */
export function builtinIdentity(context: Context, node: SyntaxNode, name: string): Value | null {
  if (name === "warpSize") return rvalueOf(intType, { ...identity(context, name, node), type: int32 });
  if (!vectorVariables.has(name)) return null;
  const info = name.endsWith("Idx") ? uint3Class : dim3Class;
  const record = info.layout().record;
  const parts = record.fields.map((field) => ({
    offsetBytes: field.offsetBytes,
    value: identity(context, `${name}.${field.name}`, node),
  }));
  return rvalueOf(classType(info), { kind: "aggregate", type: record, parts });
}

function identity(
  context: Context,
  name: string,
  node: SyntaxNode,
): Extract<Expression, { kind: "intrinsic" }> {
  return { kind: "intrinsic", name, type: uint32, arguments: [], site: null, range: rangeOf(context, node) };
}
