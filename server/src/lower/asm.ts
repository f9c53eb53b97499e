// Inline PTX: special registers are read; every other instruction leaves its outputs unknown.
import type { Expression } from "../ir/expression.ts";
import { uint32 } from "../ir/type.ts";
import type { SyntaxNode } from "../syntax/node.ts";
import { childOf, childrenOf, namedChildren } from "../syntax/node.ts";
import { constantOf, convertOf, sequenceOf, unknownValue } from "./build.ts";
import { type Context, rangeOf, textOf } from "./context.ts";
import { irTypeOf, unqualified, voidType } from "./cxx-type.ts";
import { expression } from "./expression.ts";
import { store } from "./operator.ts";
import { readValue, rvalueOf, type Value } from "./value.ts";

const registers: Record<string, string> = {
  laneid: "laneid",
  warpid: "warpid",
  "tid.x": "threadIdx.x",
  "tid.y": "threadIdx.y",
  "tid.z": "threadIdx.z",
  "ntid.x": "blockDim.x",
  "ntid.y": "blockDim.y",
  "ntid.z": "blockDim.z",
  "ctaid.x": "blockIdx.x",
  "ctaid.y": "blockIdx.y",
  "ctaid.z": "blockIdx.z",
  "nctaid.x": "gridDim.x",
  "nctaid.y": "gridDim.y",
  "nctaid.z": "gridDim.z",
};

export function asmExpression(context: Context, node: SyntaxNode): Value {
  const code = childOf(node, "assembly_code");
  const text = code
    ? textOf(context, code)
        .replace(/["\s]+/g, " ")
        .trim()
    : "";
  const outputs = operandNodes(node, "output_operands");
  const inputs = operandNodes(node, "input_operands").map(
    (each) => readValue(context, expression(context, each)).expression,
  );
  const register = /^mov\.[us]32 %0, %%?([\w.]+);? ?$/.exec(text.replace(/\\[nt]/g, " ").trim())?.[1];
  const name = register ? registers[register] : undefined;
  const source: Expression = name
    ? { kind: "intrinsic", name, type: uint32, arguments: [], site: null, range: rangeOf(context, node) }
    : unknownValue(uint32, `the PTX instruction ${text.split(/[\s;]/)[0] ?? ""} is not followed`, inputs);
  const effects = outputs.flatMap((output) => assigned(context, output, source));
  if (effects.length === 0) effects.push(...inputs);
  return rvalueOf(voidType, sequenceOf(effects, constantOf({ kind: "void" }, 0)));
}

function operandNodes(node: SyntaxNode, field: string): SyntaxNode[] {
  const list = childOf(node, field);
  const operands = list ? childrenOf(list, "operand") : [];
  return (operands.length > 0 ? operands : list ? namedChildren(list) : [])
    .map((operand) => childOf(operand, "value"))
    .filter((value) => value !== null);
}

function assigned(context: Context, output: SyntaxNode, source: Expression): Expression[] {
  const target = expression(context, output);
  if (target.kind !== "place") return [];
  const type = irTypeOf(unqualified(target.type));
  const value = source.kind === "unknown" ? { ...source, type } : convertOf(source, type);
  const stored = store(context, target, value);
  if (stored.kind === "value") return [stored.expression];
  return stored.result ? [stored.result] : [];
}
