// Functions of numbers: conversions, and arithmetic that names its rounding.
import type { Constant } from "../../ir/expression.ts";
import { int32, int64, uint32 } from "../../ir/type.ts";
import { binaryOf, convertOf } from "../expressions/build.ts";
import { convertValue } from "../expressions/convert.ts";
import { longUnknown, opaque, pureUnknown, readValue, rvalueOf, type Value } from "../expressions/value.ts";
import {
  bfloat16Type,
  boolType,
  type CxxType,
  doubleType,
  floatType,
  halfType,
  intType,
  irTypeOf,
  longLongType,
  unknownOf,
  unsignedLongLongType,
  unsignedLongType,
  unsignedType,
} from "../types/cxx-type.ts";
import { builtinType } from "./type.ts";
import { argument, type Builtin, each, expressions, intrinsic, type Use } from "./use.ts";

const wordBits: Constant = { kind: "constant", type: int32, value: 32 };
const half2 = builtinType("half2") ?? unknownOf("half2", "half2");

/** Functions of real numbers whose results are data, never addresses. */
const realFunctions =
  "ldexp scalbn scalbln logb tanpi normcdf normcdfinv erfinv erfcinv erfcx rcbrt rhypot j0 j1 y0 y1 nextafter remainder fdim norm3d norm4d rnorm3d rnorm4d";

/** By name: conversions, directed arithmetic. */
export const numberFunctions: Readonly<Record<string, Builtin>> = {
  ...conversions(),
  ...each("lrintf lrint llrintf llrint", converting(doubleType, longLongType, "rint")),
  ...each("lroundf lround llroundf llround", converting(doubleType, longLongType, "round")),
  __half2float: converting(halfType, floatType),
  ...each("__float2half __float2half_rn", converting(floatType, halfType)),
  __bfloat162float: converting(bfloat16Type, floatType),
  ...each("__float2bfloat16 __float2bfloat16_rn", converting(floatType, bfloat16Type)),
  ...each("__fadd_rn", arithmetic("+", floatType)),
  __fmul_rn: arithmetic("*", floatType),
  __dadd_rn: arithmetic("+", doubleType),
  __dmul_rn: arithmetic("*", doubleType),
  ...each(
    directed("f", ["add", "sub", "mul", "div", "maf", "sqrt"], ["rd", "ru", "rz"]),
    uncomputed(floatType),
  ),
  ...each("__frcp_rd __frcp_ru __frcp_rz __fdiv_rn __fsub_rn", uncomputed(floatType)),
  ...each(
    directed("d", ["add", "sub", "mul", "div", "sqrt", "rcp"], ["rd", "ru", "rz"]),
    uncomputed(doubleType),
  ),
  ...each(directed("", ["fma"], ["rn", "rd", "ru", "rz"]), uncomputed(doubleType)),
  ...each("__dsub_rn __ddiv_rn __dsqrt_rn __drcp_rn", uncomputed(doubleType)),
  ...each("nan", uncomputed(doubleType)),
  ...each("nanf", uncomputed(floatType)),
  ...each("__isnanf __isinff __isnan __isinf __finitef isfinite finite isnormal", uncomputed(boolType)),
  ...each("__dp4a __dp2a_lo __dp2a_hi", uncomputed(intType)),
  ...each("__funnelshift_lc __funnelshift_rc", uncomputed(unsignedType)),
  ...each("ilogb ilogbf __warplint_block_vote", uncomputed(intType)),
  __double2loint: halfOfDouble("low"),
  __double2hiint: halfOfDouble("high"),
  __hiloint2double: doubleOfHalves,
  fdividef: arithmetic("/", floatType),
  ...each(realFunctions, longResult("first")),
  ...each(
    realFunctions
      .split(" ")
      .map((name) => `${name}f`)
      .join(" "),
    longResult(floatType),
  ),
  ...each("UINT8_C UINT16_C UINT32_C", converting(unsignedType, unsignedType)),
  ...each("INT8_C INT16_C INT32_C", converting(intType, intType)),
  UINT64_C: converting(unsignedLongType, unsignedLongType),
  INT64_C: converting(longLongType, longLongType),
  ...each(
    "__nv_cvt_float_to_fp8 __nv_cvt_double_to_fp8 __nv_cvt_halfraw_to_fp8 __nv_cvt_bfloat16raw_to_fp8 __nv_cvt_float_to_e8m0 __nv_cvt_bfloat16raw_to_e8m0",
    uncomputed(builtinType("uint8_t") ?? intType),
  ),
  ...each(
    "__nv_cvt_float2_to_fp8x2 __nv_cvt_double2_to_fp8x2 __nv_cvt_halfraw2_to_fp8x2 __nv_cvt_bfloat16raw2_to_fp8x2",
    uncomputed(builtinType("ushort") ?? intType),
  ),
  __nv_cvt_fp8_to_halfraw: uncomputed(halfType),
  __nv_cvt_fp8x2_to_halfraw2: uncomputed(half2),
  __nv_cvt_e8m0_to_bf16raw: uncomputed(bfloat16Type),
  ...each("__hcmadd", uncomputed("first")),
  __double2half: converting(doubleType, halfType),
  __double2bfloat16: converting(doubleType, bfloat16Type),
};

/** `x` unchanged, in the type of a parameter. */
function converting(from: CxxType, to: CxxType, rounding: string | null = null): (use: Use) => Value {
  return (use) => {
    const value = convertValue(use.context, argument(use, 0), from);
    const rounded = rounding ? intrinsic(use, rounding, irTypeOf(from), [value]) : value;
    return rvalueOf(to, convertOf(rounded, irTypeOf(to)));
  };
}

/** `__float2int_rd` and its like: reals to integers in each rounding; integers to reals, rounded as C++ rounds or to a result that is data. */
function conversions(): Record<string, Builtin> {
  const reals = { float: floatType, double: doubleType, half: halfType, bfloat16: bfloat16Type };
  const short = ["short", "ushort", "char", "uchar"].map((name) => [name, builtinType(name) ?? intType]);
  const long = { int: intType, uint: unsignedType, ll: longLongType, ull: unsignedLongLongType };
  const integers: Readonly<Record<string, CxxType>> = { ...long, ...Object.fromEntries(short) };
  const roundings = { rn: "rint", rz: null, rd: "floor", ru: "ceil" };
  const table: Record<string, Builtin> = {};
  for (const [real, realType] of Object.entries(reals))
    for (const [integer, integerType] of Object.entries(integers))
      for (const [suffix, rounding] of Object.entries(roundings)) {
        table[`__${real}2${integer}_${suffix}`] = converting(realType, integerType, rounding);
        table[`__${integer}2${real}_${suffix}`] =
          suffix === "rn" ? converting(integerType, realType) : uncomputed(realType);
      }
  // Doubles hold these exactly, whatever the rounding.
  for (const integer of ["int", "uint"] as const)
    for (const suffix of Object.keys(roundings))
      table[`__${integer}2double_${suffix}`] = converting(long[integer], doubleType);
  table.__double2float_rn = converting(doubleType, floatType);
  for (const suffix of ["rz", "rd", "ru"]) {
    table[`__double2float_${suffix}`] = uncomputed(floatType);
    table[`__float2half_${suffix}`] = uncomputed(halfType);
    table[`__float2bfloat16_${suffix}`] = uncomputed(bfloat16Type);
  }
  return table;
}

/** 32 of a double's bits, which are all that is loaded of it (fixtures/forms/halves_of_longs). */
function halfOfDouble(half: "low" | "high"): Builtin {
  return (use) => {
    const value = convertValue(use.context, argument(use, 0), doubleType);
    const bits = intrinsic(use, "__double_as_longlong", int64, [value]);
    const shifted = half === "high" ? binaryOf(">>", int64, bits, wordBits) : bits;
    return rvalueOf(intType, convertOf(shifted, irTypeOf(intType)));
  };
}

function doubleOfHalves(use: Use): Value {
  const [high, low] = [0, 1].map((index) => convertValue(use.context, argument(use, index), intType));
  if (!high || !low) return opaque(use.name, "an incomplete call");
  const shifted = binaryOf("<<", int64, convertOf(high, int64), wordBits);
  const bits = binaryOf("|", int64, shifted, convertOf(convertOf(low, uint32), int64));
  return rvalueOf(doubleType, intrinsic(use, "__longlong_as_double", irTypeOf(doubleType), [bits]));
}

function arithmetic(operator: "+" | "-" | "*" | "/", type: CxxType): (use: Use) => Value {
  return (use) => {
    const [a, b] = [0, 1].map((index) => convertValue(use.context, argument(use, index), type));
    if (!a || !b) return opaque(use.name, "an incomplete call");
    return rvalueOf(type, binaryOf(operator, irTypeOf(type), a, b));
  };
}

/** What is data, never an address: only its operands and its type matter. */
export function uncomputed(type: CxxType | "first"): (use: Use) => Value {
  return (use) => {
    const result = type === "first" ? readValue(use.context, argument(use, 0)).type : type;
    return pureUnknown(result, `${use.name} is not computed`, expressions(use));
  };
}

/** The same for functions of dozens of operations. */
function longResult(type: CxxType | "first"): (use: Use) => Value {
  return (use) => {
    const result = type === "first" ? readValue(use.context, argument(use, 0)).type : type;
    return longUnknown(result, `${use.name} is not computed`, expressions(use));
  };
}

/** Operations on floating-point numbers that name their rounding: `__dadd_ru`. */
function directed(prefix: string, operations: readonly string[], modes: readonly string[]): string {
  return operations.flatMap((operation) => modes.map((mode) => `__${prefix}${operation}_${mode}`)).join(" ");
}
