// Functions and variables that CUDA, C and C++ supply, brought to the intrinsics of the IR or to plain expressions.
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { int32 } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { entryOf } from "../../table.ts";
import type { Context } from "../context.ts";
import { rvalueOf, unknownOfType, type Value } from "../expressions/value.ts";
import { typeArgumentOf } from "../templates/written-arguments.ts";
import { intType, irTypeOf, unknownOf, unsignedType, voidType } from "../types/cxx-type.ts";
import { construct } from "../variables/initialize.ts";
import { halfBuiltin } from "./half.ts";
import { hostFunctionResult } from "./host-function.ts";
import { matrixFunction } from "./matrix-fragment.ts";
import { atomic, memoryFunctions } from "./memory.ts";
import { numberFunctions, uncomputed } from "./number.ts";
import { withSignature } from "./signature.ts";
import { functions } from "./table.ts";
import { builtinType } from "./type.ts";
import { type Builtin, expressions, intrinsic, type Use } from "./use.ts";
import { utilityFunctions } from "./utility.ts";
import { warpFunctions } from "./warp.ts";

/** The call of a function without a body in sight; null where warplint does not know the name. */
export function builtinCall(
  context: Context,
  qualifiedName: string,
  given: readonly Value[],
  list: SyntaxNode | null,
  node: SyntaxNode,
): Value | null {
  const matrix = matrixFunction(context, qualifiedName, given, node);
  if (matrix) return matrix;
  const name = qualifiedName.includes("std::")
    ? qualifiedName.replace(/^(::)?(cuda::)?std::/, "")
    : qualifiedName;
  const hostResult = context.body?.isDevice === false ? hostFunctionResult(name) : null;
  const isStandard = standardFunctions.has(name) || functions.has(name) || hostResult !== null;
  if (name !== qualifiedName && !isStandard) return null;
  const use: Use = { context, name, given, list, node };
  if (hostResult) return rvalueOf(hostResult, intrinsic(use, name, irTypeOf(hostResult), expressions(use)));
  const special = entryOf(specials, name) ?? halfBuiltin(name);
  if (special) return special(use);
  const vector = name.startsWith("make_") ? /^make_(\w+)$/.exec(name)?.[1] : undefined;
  const vectorType = vector ? builtinType(vector) : null;
  if (vectorType?.kind === "class") return rvalueOf(vectorType, construct(context, vectorType, given, node));
  const signature = functions.get(name);
  if (signature) return withSignature(use, signature);
  if (name.startsWith("atomic")) return atomic(use);
  if (/^(tex|surf)(1D|2D|3D|Cubemap)/.test(name)) return texture(use);
  if (wordwise.test(name)) return uncomputed(unsignedType)(use);
  if (/^cuda[A-Z]|^cu[A-Z][a-z]|^cublas|^cudnn|^curand|^cufft|^cusparse/.test(name)) return runtime(use);
  return null;
}

const specials: Readonly<Record<string, Builtin>> = {
  ...memoryFunctions,
  ...warpFunctions,
  ...utilityFunctions,
  ...numberFunctions,
};

/** Operations on the halves or bytes of a word: `__vmaxs4`. */
const wordwise = /^__vi?(abs|add|avg|cmp|hadd|max|min|neg|sad|set|sub)\w*[24](_relu)?$/;

const standardFunctions = new Set([
  "move",
  "forward",
  "swap",
  "min",
  "max",
  "abs",
  "as_const",
  "addressof",
  "size",
  "clamp",
  "memcpy",
  "memset",
  "malloc",
  "free",
  "calloc",
]);

/** Texture memory is neither shared nor global: what it holds is not known. */
function texture(use: Use): Value {
  const reason = `what ${use.name} reads is not known`;
  const given = use.list === null ? null : typeArgumentOf(use.context, use.list);
  const type = /^surf.*write$/.test(use.name) ? voidType : (given ?? unknownOf(use.name, reason));
  return unknownOfType(type, reason, expressions(use));
}

function runtime(use: Use): Value {
  const list = expressions(use);
  const name = use.name.replace(/Async$/, "");
  if (intrinsicEffect(name) === "host") return rvalueOf(intType, intrinsic(use, name, int32, list));
  return unknownOfType(intType, `${use.name} is not followed`, list);
}
