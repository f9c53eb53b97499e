// The intrinsics that reach the IR by name, and how each uses memory. Everything else that has no body in sight is an
// `unknown` expression.

import type { Intrinsic } from "./expression.ts";
import { halfFunctions } from "./half-function.ts";
import type { Type } from "./type.ts";

/** What an intrinsic does to memory; it gives codegen, evaluate and simulator one common reading. */
export type IntrinsicEffect =
  | "pure" // a function of its arguments alone
  | "identity" // threadIdx.x and its like: a function of the thread
  | "load" // argument 0 is the address
  | "store" // argument 0 is the address, argument 1 the value
  | "atomic" // argument 0 is the address
  | "async-copy" // arguments: destination (shared), source (global), bytes constant, and bytes that are really copied (all where left out): the rest becomes zero
  | "matrix-load"
  | "matrix-store"
  | "warp" // shuffles and votes: exchange values between lanes
  | "host"; // the CUDA runtime and C library on the host

const threadIdentities = [
  "threadIdx.x",
  "threadIdx.y",
  "threadIdx.z",
  "blockIdx.x",
  "blockIdx.y",
  "blockIdx.z",
  "blockDim.x",
  "blockDim.y",
  "blockDim.z",
  "gridDim.x",
  "gridDim.y",
  "gridDim.z",
  "warpSize",
  "laneid",
  "warpid",
] as const;

const effects = new Map<string, IntrinsicEffect>();
const add = (effect: IntrinsicEffect, names: string) => {
  for (const name of names.split(/\s+/)) if (name) effects.set(name, effect);
};
add("identity", threadIdentities.join(" "));
add("load", "__ldg __ldca __ldcs __ldcg __ldlu __ldcv");
add("store", "__stwb __stcg __stcs __stwt");
add(
  "atomic",
  "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor",
);
add("async-copy", "cp.async.ca cp.async.cg");
add(
  "matrix-load",
  "ldmatrix.x1 ldmatrix.x2 ldmatrix.x4 ldmatrix.x1.trans ldmatrix.x2.trans ldmatrix.x4.trans",
);
add(
  "matrix-store",
  "stmatrix.x1 stmatrix.x2 stmatrix.x4 stmatrix.x1.trans stmatrix.x2.trans stmatrix.x4.trans",
);
add(
  "warp",
  "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl __shfl_up __shfl_down __shfl_xor " +
    "__ballot_sync __any_sync __all_sync __activemask __match_any_sync __match_all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync",
);
// The names are C's own: one set serves float, double and, where C has it, integers; the node's type tells which.
add(
  "pure",
  "min max abs fabs sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan sinpi cospi asin acos atan atan2 sinh cosh tanh " +
    "floor ceil round trunc rint fmin fmax fmod fma hypot copysign isnan isinf signbit erf erfc tgamma lgamma " +
    "__popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __umulhi __mulhi __umul64hi __mul64hi __mul24 __umul24 " +
    "__funnelshift_l __funnelshift_r __byte_perm __sad __usad __vabsdiffu4 __saturatef __fdividef __frcp_rn " +
    "__isShared __float_as_int __int_as_float __float_as_uint __uint_as_float __double_as_longlong __longlong_as_double " +
    "__half_as_short __half_as_ushort __short_as_half __ushort_as_half __bfloat16_as_short __bfloat16_as_ushort __short_as_bfloat16 __ushort_as_bfloat16",
);
for (const name of halfFunctions.keys()) effects.set(name, "pure");
add(
  "host",
  "malloc calloc aligned_alloc free memcpy memmove memset exit _exit _Exit quick_exit abort atoi atol atof strtol rand srand time clock " +
    "printf fprintf sprintf snprintf puts perror scanf fscanf sscanf fopen fclose fread fwrite fgets getenv",
);

/** Functions of CUDA's runtime, and those of its libraries that make, set and destroy handles: all of the host. */
export function isRuntimeFunction(name: string): boolean {
  return /^cuda[A-Z]|^(?:cublas|cusparse|cusolver|cudnn|cufft|curand)\w*(?:Create|Destroy|SetStream)/.test(
    name,
  );
}

/** The effect of the intrinsic called `name`, or null where warplint knows none of that name. CUDA's runtime is all of the host. */
export function intrinsicEffect(name: string): IntrinsicEffect | null {
  return effects.get(name) ?? (isRuntimeFunction(name) ? "host" : null);
}

const readingCoefficients: ReadonlySet<string> = new Set(["sin", "cos", "sinpi", "cospi"]);

/**
 * Whether the function, pure as it is, loads its coefficients from a table of CUDA's library in global memory: three times 16 bytes, from one of
 * two rows, by the quadrant (recorded: fixtures/forms/sine_tables.cu). `sincos`, `tan` and all of float have theirs in the code.
 */
export function readsCoefficients(name: string, type: Type): boolean {
  return readingCoefficients.has(name) && type.kind === "float" && type.format === "double";
}

/**
 * The hardware's name of an atomic: integers are done otherwise than numbers with a fraction, and a 32-bit `atomicAdd` of the constant 1 whose
 * result is unused counts the lanes of each word (recorded: ATOMS.POPC.INC). By a generic address, as cuda::atomic has it and a third argument
 * says, it does not (fixtures/programs/atomic_objects.cu sharedCounts).
 */
export function atomicVariant(expression: Intrinsic, accessed: Type): string {
  if (accessed.kind === "float") return `${expression.name}.${accessed.format}`;
  // half2 and bfloat162 are records of two halves.
  if (accessed.kind === "record") return `${expression.name}.half2`;
  const added = expression.arguments[1];
  const isCount =
    expression.name === "atomicAdd" &&
    expression.isDiscarded === true &&
    expression.arguments.length === 2 &&
    accessed.kind === "integer" &&
    accessed.bits === 32 &&
    added?.kind === "constant" &&
    added.value === 1;
  if (isCount) return `${expression.name}.increment`;
  const sharing = accessed.kind === "integer" && accessed.bits === 32 ? sharingOf(expression) : null;
  return sharing ? `${expression.name}.${sharing}` : expression.name;
}

/**
 * Who does a 32-bit atomic of one word for all lanes (recorded: fixtures/forms/atomic_one_word.cu). `joined`: one lane for all, where the
 * compiler knows the address to be one for all; if it must give results back, only a sum, and of operands that differ only in a full
 * warp. `apart`: every lane its own. Null where it is unclear what the compiler knows.
 */
function sharingOf(expression: Intrinsic): "joined" | "joinedIfFull" | "apart" | null {
  const { name, addressIsUniform, operandIsUniform, isDiscarded } = expression;
  if (/Exch|CAS|Inc|Dec/.test(name) || addressIsUniform === false) return "apart";
  if (addressIsUniform === undefined) return null;
  if (isDiscarded === true) return "joined";
  if (!/Add|Sub/.test(name)) return "apart";
  if (operandIsUniform === undefined) return null;
  return operandIsUniform ? "joined" : "joinedIfFull";
}
