// Functions that a table describes: types of the arguments, type of the result.

import { readsCoefficients } from "../../ir/intrinsic.ts";
import { isTyped } from "../../text/source.ts";
import type { Context } from "../context.ts";
import { convertValue } from "../expressions/convert.ts";
import { readValue, rvalueOf, siteAt, unknownOfType, type Value } from "../expressions/value.ts";
import {
  type CxxType,
  commonType,
  doubleType,
  intType,
  irTypeOf,
  isArithmetic,
  isFloating,
  unknownOf,
  unqualified,
} from "../types/cxx-type.ts";
import type { Signature } from "./table.ts";
import { expressions, intrinsic, type Use } from "./use.ts";

/** By table: name of the intrinsic, types of the arguments, type of the result. */
export function withSignature(use: Use, signature: Signature): Value {
  const { context } = use;
  const types = use.given.map((value) => (value.kind === "list" ? intType : readTypeOf(context, value)));
  const computed =
    signature.type === "common" ? commonOf(types) : signature.type === "float" ? floatOf(types) : null;
  if (computed?.kind === "unknown" || computed?.kind === "class") {
    return unknownOfType(
      computed,
      `${use.name} of ${computed.kind === "unknown" ? computed.reason : "a vector"}`,
      expressions(use),
    );
  }
  const list = use.given.map((value, index) => {
    const type = signature.parameters?.[index] ?? computed;
    return type ? convertValue(context, value, type) : readValue(context, value).expression;
  });
  const result = signature.result ?? computed ?? intType;
  const isFoldedSignBit = signature.intrinsic === "abs" && isUnsigned(result);
  const [first] = list;
  if (isFoldedSignBit && first) return rvalueOf(result, first);
  const plain = intrinsic(use, signature.intrinsic, irTypeOf(result), list);
  // Where CUDA's own headers call both, as sincos does, the compiler makes one function of them that reads no table.
  const isReading = readsCoefficients(plain.name, plain.type) && isTyped(plain.range);
  const call = isReading ? { ...plain, site: siteAt(context, use.node) } : plain;
  const isFast = use.name.startsWith("__") && use.name !== signature.intrinsic;
  return rvalueOf(result, isFast ? { ...call, isFast } : call);
}

function readTypeOf(context: Context, value: Value): CxxType {
  return value.kind === "place" ? unqualified(value.type) : readValue(context, value).type;
}

function isUnsigned(type: CxxType): boolean {
  const plain = irTypeOf(type);
  return plain.kind === "integer" && !plain.signed;
}

function commonOf(types: readonly CxxType[]): CxxType {
  const odd = types.find((type) => !isArithmetic(type));
  if (odd)
    return odd.kind === "class" ? odd : unknownOf("?", odd.kind === "unknown" ? odd.reason : "no number");
  return types.reduce((a, b) => commonType(a, b), types[0] ?? intType);
}

/** C++'s overloads of the C functions: float stays float, integers become double. */
function floatOf(types: readonly CxxType[]): CxxType {
  const type = commonOf(types);
  return type.kind === "unknown" || type.kind === "class" || isFloating(type) ? type : doubleType;
}
