// Functions of numbers: conversions, arithmetic that names its rounding, and halves, whose values are data.
import { binaryOf, convertOf } from "./build.ts";
import { builtinType } from "./builtin-type.ts";
import { argument, type Builtin, each, expressions, intrinsic, type Use } from "./builtin-use.ts";
import { convertValue } from "./convert.ts";
import {
  boolType,
  type CxxType,
  doubleType,
  floatType,
  halfType,
  intType,
  irTypeOf,
  isFloating,
  longLongType,
  unknownOf,
  unsignedLongLongType,
  unsignedLongType,
  unsignedType,
} from "./cxx-type.ts";
import { longUnknown, opaque, pureUnknown, readValue, rvalueOf, type Value } from "./value.ts";

const half2 = builtinType("half2") ?? unknownOf("half2", "half2");
const bfloat162 = builtinType("nv_bfloat162") ?? unknownOf("bfloat162", "bfloat162");
const float2 = builtinType("float2") ?? unknownOf("float2", "float2");

/** Functions of real numbers whose results are data, never addresses. */
const realFunctions =
  "ldexp scalbn scalbln logb sinpi cospi tanpi normcdf normcdfinv erfinv erfcinv erfcx rcbrt rhypot j0 j1 y0 y1 nextafter remainder fdim norm3d norm4d rnorm3d rnorm4d";

/** By name: conversions, directed arithmetic, halves. */
export const numberFunctions: Readonly<Record<string, Builtin>> = {
  ...conversions(),
  __half2int_rz: converting(halfType, intType),
  __half2int_rd: converting(halfType, intType, "floor"),
  __half2int_ru: converting(halfType, intType, "ceil"),
  __half2int_rn: converting(halfType, intType, "rint"),
  ...each("lrintf lrint llrintf llrint", converting(doubleType, longLongType, "rint")),
  ...each("lroundf lround llroundf llround", converting(doubleType, longLongType, "round")),
  __half2float: converting(halfType, floatType),
  ...each("__float2half __float2half_rn", converting(floatType, halfType)),
  __int2half_rn: converting(intType, halfType),
  __uint2half_rn: converting(unsignedType, halfType),
  __half2short_rz: converting(halfType, intType),
  __half2uint_rz: converting(halfType, unsignedType),
  __bfloat162float: converting(builtinType("__nv_bfloat16") ?? floatType, floatType),
  ...each(
    "__float2bfloat16 __float2bfloat16_rn",
    converting(floatType, builtinType("__nv_bfloat16") ?? floatType),
  ),
  ...each("__fadd_rn", arithmetic("+", floatType)),
  __fmul_rn: arithmetic("*", floatType),
  __dadd_rn: arithmetic("+", doubleType),
  __dmul_rn: arithmetic("*", doubleType),
  ...each(
    directed("f", ["add", "sub", "mul", "div", "maf", "sqrt"], ["rd", "ru", "rz"]),
    halfResult(floatType),
  ),
  ...each("__frcp_rd __frcp_ru __frcp_rz __fdiv_rn __fsub_rn", halfResult(floatType)),
  ...each(
    directed("d", ["add", "sub", "mul", "div", "sqrt", "rcp"], ["rd", "ru", "rz"]),
    halfResult(doubleType),
  ),
  ...each(directed("", ["fma"], ["rn", "rd", "ru", "rz"]), halfResult(doubleType)),
  ...each("__dsub_rn __ddiv_rn __dsqrt_rn __drcp_rn", halfResult(doubleType)),
  ...each("nan", halfResult(doubleType)),
  ...each("nanf", halfResult(floatType)),
  ...each("__isnanf __isinff __isnan __isinf __finitef isfinite finite isnormal", halfResult(boolType)),
  ...each("__dp4a __dp2a_lo __dp2a_hi", halfResult(intType)),
  ...each("__double2hiint __double2loint ilogb ilogbf __warplint_block_vote", halfResult(intType)),
  __hiloint2double: halfResult(doubleType),
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
    halfResult(builtinType("uint8_t") ?? intType),
  ),
  ...each(
    "__nv_cvt_float2_to_fp8x2 __nv_cvt_double2_to_fp8x2 __nv_cvt_halfraw2_to_fp8x2 __nv_cvt_bfloat16raw2_to_fp8x2",
    halfResult(builtinType("ushort") ?? intType),
  ),
  __nv_cvt_fp8_to_halfraw: halfResult(halfType),
  __nv_cvt_fp8x2_to_halfraw2: halfResult(half2),
  __nv_cvt_e8m0_to_bf16raw: halfResult(builtinType("__nv_bfloat16") ?? floatType),
  ...each("__hadd __hadd2", halfArithmetic("+")),
  ...each("__hsub __hsub2", halfArithmetic("-")),
  ...each("__hmul __hmul2", halfArithmetic("*")),
  ...each("__hdiv __h2div", halfArithmetic("/")),
  ...each(
    "__hadd_sat __hsub_sat __hmul_sat __hfma_sat __hfma_relu __hfma2_relu __hadd2_rn __hmul2_rn __hadd_rn __hmul_rn __hmax_nan __hmin_nan hcos hsin hexp2 hexp10 hlog2 hlog10 " +
      "hrcp hfloor hceil htrunc hrint htanh h2sqrt h2rsqrt h2log h2rcp h2exp2 h2sin h2cos h2floor h2ceil h2tanh __lowhigh2highlow __hcmadd " +
      "__hfma __hfma2 __hmax __hmin __hmax2 __hmin2 hexp h2exp hsqrt hrsqrt hlog __hneg __hneg2 __habs __habs2",
    halfResult("first"),
  ),
  ...each(
    "__floats2half2_rn __float2half2_rn __halves2half2 __half2half2 __float22half2_rn __low2half2 __high2half2",
    halfResult(half2),
  ),
  ...each(
    "__halves2bfloat162 __bfloat162bfloat162 __float2bfloat162_rn __floats2bfloat162_rn",
    halfResult(bfloat162),
  ),
  ...each("__ushort_as_bfloat16", halfResult(builtinType("__nv_bfloat16") ?? floatType)),
  ...each("__ushort_as_half", halfResult(halfType)),
  ...each("__half22float2 __bfloat1622float2", halfResult(float2)),
  ...each("__low2half __high2half", halfResult(halfType)),
  ...each("__low2float __high2float", halfResult(floatType)),
  ...each(
    "__heq __hne __hlt __hle __hgt __hge __hisnan __hisinf __hbeq2 __hbne2 __hblt2 __hble2 __hbgt2 __hbge2",
    halfResult(boolType),
  ),
  ...each("__heq2 __hne2 __hlt2 __hle2 __hgt2 __hge2", halfResult("first")),
  ...each("__half_as_ushort __bfloat16_as_ushort", halfResult(builtinType("ushort") ?? intType)),
  ...each("__half_as_short __bfloat16_as_short", halfResult(builtinType("int16_t") ?? intType)),
  ...each("__double2half", halfResult(halfType)),
  ...each(
    "__float22bfloat162_rn __lows2bfloat162 __highs2bfloat162 __low2bfloat162 __high2bfloat162",
    halfResult(bfloat162),
  ),
  ...each("__lows2half2 __highs2half2", halfResult(half2)),
  ...each("__low2bfloat16 __high2bfloat16", halfResult(builtinType("__nv_bfloat16") ?? floatType)),
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
  const reals = { float: floatType, double: doubleType };
  const integers = { int: intType, uint: unsignedType, ll: longLongType, ull: unsignedLongLongType };
  const roundings = { rn: "rint", rz: null, rd: "floor", ru: "ceil" };
  const table: Record<string, Builtin> = {};
  for (const [real, realType] of Object.entries(reals))
    for (const [integer, integerType] of Object.entries(integers))
      for (const [suffix, rounding] of Object.entries(roundings)) {
        table[`__${real}2${integer}_${suffix}`] = converting(realType, integerType, rounding);
        table[`__${integer}2${real}_${suffix}`] =
          suffix === "rn" ? converting(integerType, realType) : halfResult(realType);
      }
  // Doubles hold these exactly, whatever the rounding.
  for (const integer of ["int", "uint"] as const)
    for (const suffix of Object.keys(roundings))
      table[`__${integer}2double_${suffix}`] = converting(integers[integer], doubleType);
  table.__double2float_rn = converting(doubleType, floatType);
  for (const suffix of ["rz", "rd", "ru"]) table[`__double2float_${suffix}`] = halfResult(floatType);
  return table;
}

function arithmetic(operator: "+" | "-" | "*" | "/", type: CxxType): (use: Use) => Value {
  return (use) => {
    const [a, b] = [0, 1].map((index) => convertValue(use.context, argument(use, index), type));
    if (!a || !b) return opaque(use.name, "an incomplete call");
    return rvalueOf(type, binaryOf(operator, irTypeOf(type), a, b));
  };
}

function halfArithmetic(operator: "+" | "-" | "*" | "/"): (use: Use) => Value {
  return (use) => {
    const read = readValue(use.context, argument(use, 0));
    if (isFloating(read.type)) return arithmetic(operator, read.type)(use);
    return pureUnknown(read.type, `${use.name} of two halves`, expressions(use));
  };
}

/** Values of half types are data, never addresses: only their accesses and types matter. */
export function halfResult(type: CxxType | "first"): (use: Use) => Value {
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
