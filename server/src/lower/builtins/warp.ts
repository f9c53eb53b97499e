// Functions in which the lanes of a warp take part together.
import { int32 } from "../../ir/type.ts";
import { constantOf } from "../expressions/build.ts";
import { convertValue } from "../expressions/convert.ts";
import { readValue, rvalueOf, type Value } from "../expressions/value.ts";
import { type CxxType, intType, irTypeOf, isArithmetic, unknownOf, unsignedType } from "../types/cxx-type.ts";
import { argument, type Builtin, each, intrinsic, type Use } from "./use.ts";

/** By name: shuffles, votes and reductions. */
export const warpFunctions: Readonly<Record<string, Builtin>> = {
  ...each(
    "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl __shfl_up __shfl_down __shfl_xor",
    shuffle,
  ),
  ...each(
    "__reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync",
    reduction,
  ),
  __ballot_sync: vote(unsignedType, [unsignedType, intType]),
  __any_sync: vote(intType, [unsignedType, intType]),
  __all_sync: vote(intType, [unsignedType, intType]),
  __activemask: vote(unsignedType, []),
  __match_any_sync: vote(unsignedType, [unsignedType, null]),
  __match_all_sync: vote(unsignedType, [unsignedType, null, null]),
};

/** (mask, value, lane, width): the width is 32 where it is left out. The older forms without mask lack the first. */
function shuffle(use: Use): Value {
  const hasMask = use.name.endsWith("_sync");
  const at = hasMask ? 1 : 0;
  const value = readValue(use.context, argument(use, at));
  const type = isArithmetic(value.type) ? value.type : unknownOf("?", "a shuffle of what is no number");
  const width = use.given[at + 2];
  const list = [
    ...(hasMask ? [convertValue(use.context, argument(use, 0), unsignedType)] : []),
    value.expression,
    convertValue(use.context, argument(use, at + 1), intType),
    width ? convertValue(use.context, width, intType) : constantOf(int32, 32),
  ];
  return rvalueOf(type, intrinsic(use, use.name, irTypeOf(type), list));
}

function vote(result: CxxType, parameters: readonly (CxxType | null)[]): (use: Use) => Value {
  return (use) => {
    const list = use.given.map((value, index) => {
      const type = parameters[index];
      return type ? convertValue(use.context, value, type) : readValue(use.context, value).expression;
    });
    return rvalueOf(result, intrinsic(use, use.name, irTypeOf(result), list));
  };
}

function reduction(use: Use): Value {
  const value = readValue(use.context, argument(use, 1));
  const list = [convertValue(use.context, argument(use, 0), unsignedType), value.expression];
  return rvalueOf(value.type, intrinsic(use, use.name, irTypeOf(value.type), list));
}
