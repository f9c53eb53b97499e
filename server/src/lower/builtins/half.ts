// The functions and operators of cuda_fp16.h and cuda_bf16.h: intrinsics on halves and on pairs of them.
import type { Expression } from "../../ir/expression.ts";
import { type HalfFunction, type HalfPickResult, halfFunctions } from "../../ir/half-function.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { convertRead } from "../expressions/convert.ts";
import {
  pureUnknown,
  type RValue,
  readValue,
  rvalueOf,
  typeOfValue,
  type Value,
} from "../expressions/value.ts";
import {
  bfloat16Type,
  boolType,
  type CxxType,
  floatType,
  halfType,
  intType,
  irTypeOf,
  isArithmetic,
} from "../types/cxx-type.ts";
import { builtinType } from "./type.ts";
import { type Builtin, expressions, intrinsic, type Use } from "./use.ts";

const half2 = builtinType("half2") ?? halfType;
const bfloat162 = builtinType("nv_bfloat162") ?? bfloat16Type;
const float2 = builtinType("float2") ?? floatType;

/** The function called `name`; null where it is none of halves. */
export function halfBuiltin(name: string): Builtin | null {
  const made = halfFunctions.get(name);
  return made ? (use) => halfCall(use, made) : null;
}

function halfCall(use: Use, made: HalfFunction): Value {
  const operands = use.given
    .filter((value) => value.kind !== "list")
    .map((value) => readValue(use.context, value));
  if (made.kind === "pick") {
    const type = made.gives === "pair" ? operands[0]?.type : pickTypes[made.gives];
    const given = use.name.startsWith("__float") ? floatType : elementOf(type);
    return called(use, type ?? half2, converted(use.context, operands, given));
  }
  const type = operands.find((operand) => isHalf(operand.type) || isPair(operand.type))?.type;
  if (type === undefined)
    return pureUnknown(operands[0]?.type ?? halfType, `${use.name} is not computed`, expressions(use));
  const result = resultTypeOf(use.name, made, type);
  return called(use, result, converted(use.context, operands, isHalf(type) ? type : null));
}

function resultTypeOf(name: string, made: HalfFunction, type: CxxType): CxxType {
  if (name === "__hisinf") return intType;
  if (name === "__hisnan") return boolType;
  return made.kind === "compare" && made.gives === "all" ? boolType : type;
}

function called(use: Use, type: CxxType, operands: readonly Expression[]): RValue {
  return rvalueOf(type, intrinsic(use, use.name, irTypeOf(type), operands));
}

/** The operands, numbers as `type`. */
function converted(context: Context, operands: readonly RValue[], type: CxxType | null): Expression[] {
  return operands.map((operand) =>
    type !== null && isArithmetic(operand.type) ? convertRead(context, operand, type) : operand.expression,
  );
}

const pickTypes: Readonly<Record<Exclude<HalfPickResult, "pair">, CxxType>> = {
  half: halfType,
  half2,
  bfloat16: bfloat16Type,
  bfloat162,
  float: floatType,
  float2,
};

/** What a pair is made of; null for what is none. */
function elementOf(type: CxxType | undefined): CxxType | null {
  const made = type === undefined ? null : irTypeOf(type);
  if (made?.kind !== "record") return null;
  return made.name === "__half2" ? halfType : made.name === "__nv_bfloat162" ? bfloat16Type : null;
}

function isPair(type: CxxType): boolean {
  return type.kind === "class" && elementOf(type) !== null;
}

function isHalf(type: CxxType): boolean {
  const made = irTypeOf(type);
  return made.kind === "float" && (made.format === "half" || made.format === "bfloat16");
}

/** What the operators of pairs come to: of comparisons one truth for both components. */
const operatorFunctions: Readonly<Record<string, string>> = {
  "+": "__hadd2",
  "-": "__hsub2",
  "*": "__hmul2",
  "/": "__h2div",
  "==": "__hbeq2",
  "!=": "__hbneu2",
  "<": "__hblt2",
  "<=": "__hble2",
  ">": "__hbgt2",
  ">=": "__hbge2",
};

/** `a + b` and `-a` where the operands are pairs; null where they are not. */
export function pairOperator(
  context: Context,
  operator: string,
  operands: readonly Value[],
  node: SyntaxNode,
): Value | null {
  if (!operands.every((operand) => isPair(typeOfValue(operand)))) return null;
  const name = operands.length === 2 ? operatorFunctions[operator] : operator === "-" ? "__hneg2" : undefined;
  const made = name === undefined ? undefined : halfFunctions.get(name);
  if (name === undefined || made === undefined) return null;
  return halfCall({ context, name, given: operands, list: null, node }, made);
}
