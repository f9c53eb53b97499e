// Functions and variables that CUDA, C and C++ supply, brought to the intrinsics of the IR or to plain expressions.
import type { Expression } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import { booleanType, int32, pointerTo as irPointerTo, type Type, uint32 } from "../ir/type.ts";
import type { SyntaxNode } from "../syntax/node.ts";
import {
  assignOf,
  binaryOf,
  constantOf,
  convertOf,
  hasEffects,
  loadOf,
  sequenceOf,
  unknownValue,
} from "./build.ts";
import { functions, type Signature } from "./builtin-table.ts";
import { builtinType, dim3Class, uint3Class } from "./builtin-type.ts";
import { type Context, rangeOf, temporary, textOf } from "./context.ts";
import { conditionOf, convertRead, convertValue } from "./convert.ts";
import {
  boolType,
  type CxxType,
  classType,
  commonType,
  doubleType,
  floatType,
  halfType,
  intType,
  irTypeOf,
  isArithmetic,
  isFloating,
  longLongType,
  pointerTo,
  unknownOf,
  unqualified,
  unsignedLongType,
  unsignedType,
  voidType,
} from "./cxx-type.ts";
import { hostFunctionResult } from "./host-function.ts";
import { construct } from "./initialize.ts";
import { matrixFunction } from "./matrix-fragment.ts";
import { smallCopy } from "./memory-copy.ts";
import { typeArgumentOf } from "./template.ts";
import {
  type LValue,
  longUnknown,
  opaque,
  pureUnknown,
  readValue,
  rvalueOf,
  siteAt,
  unknownOfType,
  type Value,
} from "./value.ts";

// --- variables

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

// --- functions

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
  const special = specials[name];
  if (special) return special(use);
  const vector = name.startsWith("make_") ? /^make_(\w+)$/.exec(name)?.[1] : undefined;
  const vectorType = vector ? builtinType(vector) : null;
  if (vectorType?.kind === "class") return rvalueOf(vectorType, construct(context, vectorType, given, node));
  const signature = functions.get(name);
  if (signature) return withSignature(use, signature);
  if (name.startsWith("atomic")) return atomic(use);
  if (/^(tex|surf)(1D|2D|3D|Cubemap)/.test(name)) return texture(use);
  if (wordwise.test(name)) return halfResult(unsignedType)(use);
  if (/^cuda[A-Z]|^cu[A-Z][a-z]|^cublas|^cudnn|^curand|^cufft|^cusparse/.test(name)) return runtime(use);
  return null;
}

interface Use {
  readonly context: Context;
  readonly name: string;
  readonly given: readonly Value[];
  readonly list: SyntaxNode | null;
  readonly node: SyntaxNode;
}

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
  "malloc",
  "free",
  "calloc",
]);

function intrinsic(
  use: Use,
  name: string,
  type: Type,
  list: readonly Expression[],
  site = false,
): Expression {
  const effect = intrinsicEffect(name);
  const touches = site && effect !== null;
  return {
    kind: "intrinsic",
    name,
    type,
    arguments: list,
    site: touches ? siteAt(use.context, use.node, isVolatilePointer(use.given[0])) : null,
    range: rangeOf(use.context, use.node),
  };
}

function isVolatilePointer(value: Value | undefined): boolean {
  if (value?.kind !== "place" && value?.kind !== "value") return false;
  return value.type.kind === "pointer" && value.type.target.isVolatile;
}

function expressions(use: Use): Expression[] {
  return use.given
    .filter((value) => value.kind !== "list")
    .map((value) => readValue(use.context, value).expression);
}

function argument(use: Use, index: number): Value {
  return use.given[index] ?? opaque(use.name, `${use.name} lacks an argument`);
}

/** By table: name of the intrinsic, types of the arguments, type of the result. */
function withSignature(use: Use, signature: Signature): Value {
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
  return rvalueOf(result, intrinsic(use, signature.intrinsic, irTypeOf(result), list));
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

// --- memory

function targetOf(use: Use): CxxType {
  const read = readValue(use.context, argument(use, 0));
  return read.type.kind === "pointer" ? unqualified(read.type.target) : unknownOf("?", "not a pointer");
}

function loadThrough(use: Use): Value {
  const type = targetOf(use);
  return rvalueOf(type, intrinsic(use, use.name, irTypeOf(type), expressions(use).slice(0, 1), true));
}

function storeThrough(use: Use): Value {
  const type = targetOf(use);
  const [pointer] = expressions(use);
  const value = convertValue(use.context, argument(use, 1), type);
  return rvalueOf(
    voidType,
    intrinsic(use, use.name, { kind: "void" }, pointer ? [pointer, value] : [value], true),
  );
}

function atomic(use: Use): Value | null {
  const name = use.name.replace(/_(block|system)$/, "");
  if (intrinsicEffect(name) !== "atomic") return null;
  const type = targetOf(use);
  const [pointer] = expressions(use);
  const values = use.given.slice(1).map((value) => convertValue(use.context, value, type));
  return rvalueOf(type, intrinsic(use, name, irTypeOf(type), pointer ? [pointer, ...values] : values, true));
}

function asyncCopy(use: Use): Value {
  const [destination, source, bytes, zeroBytes] = expressions(use);
  if (!destination || !source || !bytes) return opaque(use.name, "an incomplete copy");
  const list = [destination, source, bytes];
  if (zeroBytes && !(zeroBytes.kind === "constant" && Number(zeroBytes.value) === 0))
    list.push(binaryOf("-", bytes.type, bytes, convertOf(zeroBytes, bytes.type)));
  const name = bytes.kind === "constant" && Number(bytes.value) === 16 ? "cp.async.cg" : "cp.async.ca";
  return rvalueOf(voidType, intrinsic(use, name, { kind: "void" }, list, true));
}

// --- warps

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

// --- the host

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

function allocate(use: Use): Value {
  const list = use.given.map((value) => convertValue(use.context, value, unsignedLongType));
  const type = pointerTo(voidType);
  return rvalueOf(type, intrinsic(use, use.name, irPointerTo({ kind: "void" }), list));
}

function release(use: Use): Value {
  return rvalueOf(voidType, intrinsic(use, use.name, { kind: "void" }, expressions(use)));
}

// --- the standard library's small functions

function moved(use: Use): Value {
  const value = argument(use, 0);
  return value.kind === "place" ? { ...value, category: "xvalue" } : value;
}

function forwarded(use: Use): Value {
  const value = argument(use, 0);
  if (value.kind !== "place" || use.list === null) return value;
  const type = typeArgumentOf(use.context, use.list);
  return type?.kind === "reference" && type.binds === "lvalue" ? value : { ...value, category: "xvalue" };
}

function swapped(use: Use): Value {
  const [a, b] = [argument(use, 0), argument(use, 1)];
  if (a.kind !== "place" || b.kind !== "place") return opaque("swap", "a swap of values", expressions(use));
  const { context } = use;
  const first = readValue(context, a).expression;
  const held = temporary(context, first.type);
  const place = { kind: "variable", variable: held, offsetBytes: 0, type: held.type } as const;
  const site = (value: LValue) => (value.node ? siteAt(context, value.node) : null);
  return rvalueOf(
    voidType,
    sequenceOf(
      [
        assignOf(place, first, null),
        assignOf(a.place, convertRead(context, readValue(context, b), unqualified(a.type)), site(a)),
        assignOf(b.place, loadOf(place, null), site(b)),
      ],
      constantOf({ kind: "void" }, 0),
    ),
  );
}

function clamped(use: Use): Value {
  const upper = minMax({ ...use, name: "max", given: [argument(use, 0), argument(use, 1)] });
  return minMax({ ...use, name: "min", given: [upper, argument(use, 2)] });
}

function minMax(use: Use): Value {
  const signature = functions.get(use.name);
  if (use.list) {
    const type = typeArgumentOf(use.context, use.list);
    if (type)
      return withSignature(use, { intrinsic: use.name, type: null, parameters: [type, type], result: type });
  }
  return signature ? withSignature(use, signature) : opaque(use.name, `${use.name} is not followed`);
}

/** `x` unchanged, in the type of a parameter. */
function converting(from: CxxType, to: CxxType, rounding: string | null = null): (use: Use) => Value {
  return (use) => {
    const value = convertValue(use.context, argument(use, 0), from);
    const rounded = rounding ? intrinsic(use, rounding, irTypeOf(from), [value]) : value;
    return rvalueOf(to, convertOf(rounded, irTypeOf(to)));
  };
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
function halfResult(type: CxxType | "first"): (use: Use) => Value {
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

function silent(result: CxxType): (use: Use) => Value {
  return (use) => unknownOfType(result, `${use.name} is not followed`, expressions(use));
}

function addressAsInteger(use: Use): Value {
  const pointer = readValue(use.context, argument(use, 0)).expression;
  return rvalueOf(unsignedLongType, convertOf(pointer, irTypeOf(unsignedLongType)));
}

/** null on the host, and where the copy is not one that was measured. */
function deviceCopy(use: Use): Value | null {
  const [destination, source, bytes] = expressions(use);
  if (!use.context.body?.isDevice || !destination || !source || !bytes) return null;
  const copied = smallCopy(use.context, destination, source, bytes, siteAt(use.context, use.node));
  return copied && rvalueOf(voidType, copied);
}

function isShared(use: Use): Value {
  const pointer = readValue(use.context, argument(use, 0)).expression;
  return rvalueOf(boolType, intrinsic(use, "__isShared", booleanType, [pointer]));
}

/** A barrier of CUDA's library, which has no class here: its name tells. */
function isBarrier(use: Use): Value {
  const given = argument(use, 0);
  const type = given.kind === "place" || given.kind === "value" ? given.type : null;
  const is = type?.kind === "unknown" && /\bbarrier\b/.test(type.name);
  return rvalueOf(boolType, constantOf(booleanType, is ? 1 : 0));
}

function infinity(use: Use): Value {
  const type = use.name.endsWith("f") ? floatType : doubleType;
  return rvalueOf(type, constantOf(irTypeOf(type), Number.POSITIVE_INFINITY));
}

function expected(use: Use): Value {
  return argument(use, 0);
}

function asserted(use: Use): Value {
  const conditions = use.given.map((value) => conditionOf(use.context, value)).filter(hasEffects);
  return rvalueOf(voidType, unknownValue({ kind: "void" }, "an assertion", conditions));
}

const half2 = builtinType("half2") ?? unknownOf("half2", "half2");
const bfloat162 = builtinType("nv_bfloat162") ?? unknownOf("bfloat162", "bfloat162");
const float2 = builtinType("float2") ?? unknownOf("float2", "float2");

/** Functions of real numbers whose results are data, never addresses. */
const realFunctions =
  "ldexp scalbn scalbln logb sinpi cospi tanpi normcdf normcdfinv erfinv erfcinv erfcx rcbrt rhypot j0 j1 y0 y1 nextafter remainder fdim norm3d norm4d rnorm3d rnorm4d";

const specials: Record<string, (use: Use) => Value | null> = {
  ...each("__ldg __ldca __ldcs __ldcg __ldlu __ldcv", loadThrough),
  ...each("__stwb __stcg __stcs __stwt", storeThrough),
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
  __pipeline_memcpy_async: asyncCopy,
  ...each("malloc calloc", allocate),
  free: release,
  move: moved,
  forward: forwarded,
  as_const: moved,
  swap: swapped,
  clamp: clamped,
  ...each("min max", minMax),
  ...each("assert __builtin_assume", asserted),
  ...each("__builtin_huge_valf __builtin_inff __builtin_huge_val __builtin_inf", infinity),
  __builtin_expect: expected,
  __builtin_assume_aligned: expected,
  ...each("memcpy __builtin_memcpy", deviceCopy),
  __cvta_generic_to_shared: addressAsInteger,
  __isShared: isShared,
  __warplint_is_barrier: isBarrier,
  ...each("printf fprintf sprintf snprintf puts", silent(intType)),
  ...each(
    "exit abort srand perror __trap __brkpt __builtin_unreachable __pipeline_commit __pipeline_wait_prior __nanosleep",
    silent(voidType),
  ),
  ...each("rand atoi", silent(intType)),
  ...each("clock64", silent(longLongType)),
  __float2int_rn: converting(floatType, intType, "rint"),
  __float2int_rz: converting(floatType, intType),
  __float2int_rd: converting(floatType, intType, "floor"),
  __float2int_ru: converting(floatType, intType, "ceil"),
  __float2uint_rn: converting(floatType, unsignedType, "rint"),
  __float2uint_rz: converting(floatType, unsignedType),
  __int2float_rn: converting(intType, floatType),
  __uint2float_rn: converting(unsignedType, floatType),
  __half2int_rz: converting(halfType, intType),
  __half2int_rd: converting(halfType, intType, "floor"),
  __half2int_ru: converting(halfType, intType, "ceil"),
  __half2int_rn: converting(halfType, intType, "rint"),
  ...each("lrintf lrint llrintf llrint", converting(doubleType, longLongType, "rint")),
  ...each("lroundf lround llroundf llround", converting(doubleType, longLongType, "round")),
  __double2int_rn: converting(doubleType, intType, "rint"),
  __double2int_rz: converting(doubleType, intType),
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

/** Operations on floating-point numbers that name their rounding: `__dadd_ru`. */
function directed(prefix: string, operations: readonly string[], modes: readonly string[]): string {
  return operations.flatMap((operation) => modes.map((mode) => `__${prefix}${operation}_${mode}`)).join(" ");
}

function each(names: string, use: (use: Use) => Value | null): Record<string, (use: Use) => Value | null> {
  return Object.fromEntries(names.split(" ").map((name) => [name, use]));
}
