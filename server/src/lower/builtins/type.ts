// Types that CUDA, C and C++ supply: fixed-width integers, vector types with CUDA's alignments, opaque handles.
import { RecordClass } from "../types/class.ts";
import {
  bfloat16Type,
  type CxxType,
  charType,
  classType,
  doubleType,
  floatType,
  halfType,
  intType,
  longLongType,
  longType,
  pointerTo,
  shortType,
  signedCharType,
  unknownOf,
  unsignedCharType,
  unsignedLongLongType,
  unsignedLongType,
  unsignedShortType,
  unsignedType,
  voidType,
} from "../types/cxx-type.ts";

/** The type that a name means if the program does not define it, or null. `std::` is left out. */
export function builtinType(name: string): CxxType | null {
  return named.get(name) ?? vectors.get(name) ?? null;
}

export const uint3Class = vectorClass("uint3", unsignedType, 3, 4);
export const dim3Class = vectorClass("dim3", unsignedType, 3, 4);

const named = new Map<string, CxxType>([
  ["size_t", unsignedLongType],
  ["ssize_t", longType],
  ["ptrdiff_t", longType],
  ["intptr_t", longType],
  ["uintptr_t", unsignedLongType],
  ["int8_t", signedCharType],
  ["uint8_t", unsignedCharType],
  ["int16_t", shortType],
  ["uint16_t", unsignedShortType],
  ["int32_t", intType],
  ["uint32_t", unsignedType],
  ["int64_t", longType],
  ["uint64_t", unsignedLongType],
  ["int_least8_t", signedCharType],
  ["uint_least8_t", unsignedCharType],
  ["int_least16_t", shortType],
  ["uint_least16_t", unsignedShortType],
  ["int_least32_t", intType],
  ["uint_least32_t", unsignedType],
  ["int_least64_t", longType],
  ["uint_least64_t", unsignedLongType],
  ["int_fast8_t", signedCharType],
  ["uint_fast8_t", unsignedCharType],
  ["int_fast16_t", longType],
  ["uint_fast16_t", unsignedLongType],
  ["int_fast32_t", longType],
  ["uint_fast32_t", unsignedLongType],
  ["int_fast64_t", longType],
  ["uint_fast64_t", unsignedLongType],
  ["intmax_t", longType],
  ["uintmax_t", unsignedLongType],
  ["clock_t", longType],
  ["time_t", longType],
  ["char8_t", unsignedCharType],
  ["char16_t", unsignedShortType],
  ["char32_t", unsignedType],
  ["wchar_t", intType],
  ["uchar", unsignedCharType],
  ["ushort", unsignedShortType],
  ["uint", unsignedType],
  ["ulong", unsignedLongType],
  ["u_char", unsignedCharType],
  ["u_int", unsignedType],
  ["byte", unsignedCharType],
  ["half", halfType],
  ["__half", halfType],
  ["__half_raw", halfType],
  ["nv_bfloat16", bfloat16Type],
  ["__nv_bfloat16", bfloat16Type],
  ["__bfloat16", bfloat16Type],
  ["_Float16", halfType],
  ["__int128", unknownOf("__int128", "128-bit integers are not followed")],
  ["cudaError_t", intType],
  ["cudaError", intType],
  ["CUresult", intType],
  ["cudaMemcpyKind", intType],
  ...[
    "cudaStream_t cudaEvent_t cudaGraph_t cudaGraphExec_t cudaGraphNode_t cudaMemPool_t cudaArray_t cudaMipmappedArray_t",
    "CUstream CUevent CUcontext CUmodule CUfunction",
    "cublasHandle_t cublasLtHandle_t cusparseHandle_t cusolverDnHandle_t cudnnHandle_t curandGenerator_t ncclComm_t",
  ].flatMap((names) => names.split(" ").map((name) => [name, pointerTo(voidType)] as const)),
  ["cudaTextureObject_t", unsignedLongLongType],
  ["cudaSurfaceObject_t", unsignedLongLongType],
  ["FILE", unknownOf("FILE", "a file")],
  ["cublasStatus_t", intType],
  ["cufftReal", floatType],
  ["cufftDoubleReal", doubleType],
  ["dim3", classType(dim3Class)],
  ["uint3", classType(uint3Class)],
]);

const vectors = new Map<string, CxxType>();

function vectorClass(name: string, element: CxxType, count: number, alignmentBytes: number): RecordClass {
  const names = ["x", "y", "z", "w"].slice(0, count);
  return new RecordClass(
    name,
    names.map((field) => ({ name: field, type: element })),
    alignmentBytes,
  );
}

/** The alignments are those of CUDA's vector_types.h; the vectors of 32-byte alignment came with CUDA 13. */
function addVectors(prefix: string, element: CxxType, bytes: number): void {
  for (const count of [1, 2, 3, 4]) {
    const name = `${prefix}${count}`;
    if (named.has(name)) continue;
    const alignment = count === 3 ? bytes : Math.min(bytes * count, 16);
    vectors.set(name, classType(vectorClass(name, element, count, alignment)));
  }
  if (bytes !== 8) return;
  for (const alignment of [16, 32]) {
    const name = `${prefix}4_${alignment}a`;
    vectors.set(name, classType(vectorClass(name, element, 4, alignment)));
  }
}

addVectors("char", signedCharType, 1);
addVectors("uchar", unsignedCharType, 1);
addVectors("short", shortType, 2);
addVectors("ushort", unsignedShortType, 2);
addVectors("int", intType, 4);
addVectors("uint", unsignedType, 4);
addVectors("long", longType, 8);
addVectors("ulong", unsignedLongType, 8);
addVectors("longlong", longLongType, 8);
addVectors("ulonglong", unsignedLongLongType, 8);
addVectors("float", floatType, 4);
addVectors("double", doubleType, 8);
for (const [name, element] of [
  ["half2", halfType],
  ["__half2", halfType],
  ["nv_bfloat162", bfloat16Type],
  ["__nv_bfloat162", bfloat16Type],
] as const) {
  vectors.set(name, classType(vectorClass(name.startsWith("__") ? name : `__${name}`, element, 2, 4)));
}
vectors.set("half2", vectors.get("__half2") ?? halfType);
vectors.set("nv_bfloat162", vectors.get("__nv_bfloat162") ?? bfloat16Type);

for (const [name, vector] of [
  ["cuComplex", "float2"],
  ["cuFloatComplex", "float2"],
  ["cuDoubleComplex", "double2"],
  ["cufftComplex", "float2"],
  ["cufftDoubleComplex", "double2"],
] as const)
  vectors.set(name, vectors.get(vector) ?? doubleType);

const wordsOfFundamentals = new Set("char short int long float double signed unsigned".split(" "));

function isOfFundamental(word: string): boolean {
  return wordsOfFundamentals.has(word);
}

/** char, float…: what a primitive_type or sized_type_specifier spells; null where it spells none. */
export function fundamentalOf(words: readonly string[]): CxxType | null {
  // Cheap, for it is asked of every function that is called by its name.
  if (!words.some(isOfFundamental)) return null;
  const count = (word: string) => words.filter((each) => each === word).length;
  const isUnsigned = count("unsigned") > 0;
  if (count("char") > 0)
    return isUnsigned ? unsignedCharType : count("signed") > 0 ? signedCharType : charType;
  if (count("double") > 0) return doubleType;
  if (count("float") > 0) return floatType;
  if (count("short") > 0) return isUnsigned ? unsignedShortType : shortType;
  if (count("long") > 1) return isUnsigned ? unsignedLongLongType : longLongType;
  if (count("long") > 0) return isUnsigned ? unsignedLongType : longType;
  if (isUnsigned) return unsignedType;
  if (count("int") > 0 || count("signed") > 0) return intType;
  return null;
}
