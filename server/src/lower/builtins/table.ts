// The pure functions of CUDA and C: which intrinsic each name is, and in which types it computes.
import {
  bfloat16Type,
  type CxxType,
  doubleType,
  floatType,
  halfType,
  intType,
  longLongType,
  shortType,
  unsignedLongLongType,
  unsignedShortType,
  unsignedType,
} from "../types/cxx-type.ts";

export interface Signature {
  readonly intrinsic: string;
  /** `common`: the arguments' common type; `float`: that, or double for integers; null: as `parameters` say. */
  readonly type: "common" | "float" | null;
  readonly parameters: readonly CxxType[] | null;
  readonly result: CxxType | null;
}

export const functions = new Map<string, Signature>();

const mathNames =
  "sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan sinpi cospi asin acos atan atan2 sinh cosh tanh " +
  "floor ceil round trunc rint fmin fmax fmod fma hypot copysign erf erfc tgamma lgamma fabs";

for (const name of mathNames.split(" ")) {
  functions.set(name, { intrinsic: name, type: "float", parameters: null, result: null });
  const parameters = [floatType, floatType, floatType];
  functions.set(`${name}f`, { intrinsic: name, type: null, parameters, result: floatType });
}
functions.set("nearbyint", { intrinsic: "rint", type: "float", parameters: null, result: null });
functions.set("nearbyintf", { intrinsic: "rint", type: null, parameters: [floatType], result: floatType });

for (const name of ["min", "max", "abs"]) {
  functions.set(name, { intrinsic: name, type: "common", parameters: null, result: null });
}
for (const name of ["isnan", "isinf", "signbit"]) {
  functions.set(name, { intrinsic: name, type: "float", parameters: null, result: intType });
}

/** Fast and rounded forms of float: `__expf` is exp. */
const fast: Record<string, string> = {
  __expf: "exp",
  __exp10f: "exp10",
  __logf: "log",
  __log2f: "log2",
  __log10f: "log10",
  __sinf: "sin",
  __cosf: "cos",
  __tanf: "tan",
  __powf: "pow",
  __fsqrt_rn: "sqrt",
  __frsqrt_rn: "rsqrt",
  __fmaf_rn: "fma",
  __fdividef: "__fdividef",
  __frcp_rn: "__frcp_rn",
  __saturatef: "__saturatef",
};
for (const [name, intrinsic] of Object.entries(fast)) {
  functions.set(name, {
    intrinsic,
    type: null,
    parameters: [floatType, floatType, floatType],
    result: floatType,
  });
}

function add(names: string, parameters: readonly CxxType[], result: CxxType): void {
  for (const name of names.split(" "))
    functions.set(name, { intrinsic: name, type: null, parameters, result });
}
add("__half_as_short", [halfType], shortType);
add("__half_as_ushort", [halfType], unsignedShortType);
add("__short_as_half", [shortType], halfType);
add("__ushort_as_half", [unsignedShortType], halfType);
add("__bfloat16_as_short", [bfloat16Type], shortType);
add("__bfloat16_as_ushort", [bfloat16Type], unsignedShortType);
add("__short_as_bfloat16", [shortType], bfloat16Type);
add("__ushort_as_bfloat16", [unsignedShortType], bfloat16Type);
add("__popc", [unsignedType], intType);
add("__popcll", [unsignedLongLongType], intType);
add("__clz __ffs", [intType], intType);
add("__clzll __ffsll", [longLongType], intType);
same("__popc", "__builtin_popcount", [unsignedType]);
same("__popcll", "__builtin_popcountl __builtin_popcountll", [unsignedLongLongType]);
same("__clz", "__builtin_clz", [intType]);
same("__clzll", "__builtin_clzl __builtin_clzll", [longLongType]);
same("__ffs", "__builtin_ffs", [intType]);
same("__ffsll", "__builtin_ffsl __builtin_ffsll", [longLongType]);
add("__brev", [unsignedType], unsignedType);
add("__brevll", [unsignedLongLongType], unsignedLongLongType);
add("__umulhi", [unsignedType, unsignedType], unsignedType);
add("__mulhi __mul24", [intType, intType], intType);
add("__umul24", [unsignedType, unsignedType], unsignedType);
add("__umul64hi", [unsignedLongLongType, unsignedLongLongType], unsignedLongLongType);
add("__mul64hi", [longLongType, longLongType], longLongType);
add("__funnelshift_l __funnelshift_r __byte_perm", [unsignedType, unsignedType, unsignedType], unsignedType);
add("__sad", [intType, intType, unsignedType], unsignedType);
add("__usad", [unsignedType, unsignedType, unsignedType], unsignedType);
add("__vabsdiffu4", [unsignedType, unsignedType], unsignedType);
add("__float_as_int", [floatType], intType);
add("__int_as_float", [intType], floatType);
add("__float_as_uint", [floatType], unsignedType);
add("__uint_as_float", [unsignedType], floatType);
add("__double_as_longlong", [doubleType], longLongType);
add("__longlong_as_double", [longLongType], doubleType);

/** What the host's compiler calls them, and device code may too. */
function same(intrinsic: string, names: string, parameters: readonly CxxType[]): void {
  for (const name of names.split(" "))
    functions.set(name, { intrinsic, type: null, parameters, result: intType });
}

function alias(name: string, intrinsic: string, type: CxxType, count: number): void {
  functions.set(name, { intrinsic, type: null, parameters: new Array(count).fill(type), result: type });
}
alias("umin", "min", unsignedType, 2);
alias("umax", "max", unsignedType, 2);
alias("llmin", "min", longLongType, 2);
alias("llmax", "max", longLongType, 2);
alias("llabs", "abs", longLongType, 1);
alias("labs", "abs", longLongType, 1);
