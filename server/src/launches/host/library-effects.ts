// What functions of CUDA's runtime and C's library do to the host's memory, as far as launches depend on it.
import { isRuntimeFunction } from "../../ir/intrinsic.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import { isScalarValue, type Value } from "./value.ts";

/** Functions that give fresh memory: `result` as malloc does, `argument` through their first argument as cudaMalloc does. */
export const allocators = new Map<
  string,
  { readonly gives: "result" | "argument"; readonly alignmentBytes: number }
>([
  ["malloc", { gives: "result", alignmentBytes: 16 }],
  ["calloc", { gives: "result", alignmentBytes: 16 }],
  ["realloc", { gives: "result", alignmentBytes: 16 }],
  ["aligned_alloc", { gives: "result", alignmentBytes: 16 }],
  ["operator new", { gives: "result", alignmentBytes: 16 }],
  ["cudaMalloc", { gives: "argument", alignmentBytes: 256 }],
  ["cudaMallocAsync", { gives: "argument", alignmentBytes: 256 }],
  ["cudaMallocManaged", { gives: "argument", alignmentBytes: 256 }],
  ["cudaMallocHost", { gives: "argument", alignmentBytes: 256 }],
  ["cudaHostAlloc", { gives: "argument", alignmentBytes: 256 }],
  ["cudaMallocPitch", { gives: "argument", alignmentBytes: 256 }],
]);

/** Those whose memory the host and kernels have in common. */
export const managedAllocators: ReadonlySet<string> = new Set([
  "cudaMallocManaged",
  "cudaMallocHost",
  "cudaHostAlloc",
]);

/** Functions that launch the kernel that their first argument is: (kernel, grid, block, arguments, sharedBytes, stream). */
export const launchers = new Set(["cudaLaunchKernel", "cudaLaunchCooperativeKernel"]);

/** Functions after which the process is gone. */
export const exits = new Set([
  "exit",
  "_exit",
  "_Exit",
  "quick_exit",
  "abort",
  "terminate",
  "__assert_fail",
  "throw",
  "__builtin_unreachable",
]);

/** Functions that write to nothing that a launch could depend on, though they are given pointers. */
const readers = new Set([
  ..."printf fprintf puts putchar fputs perror fwrite fclose fflush fopen fseek ftell feof free".split(" "),
  ..."atoi atol atoll atof strtol strtoll strtoul strtoull strtod".split(" "),
  ..."strcmp strncmp strcasecmp strncasecmp strlen strstr strchr strrchr memcmp".split(" "),
  ..."__warplint_text_compare __warplint_text_find __warplint_text_rfind __warplint_is_shared __warplint_has_room".split(
    " ",
  ),
  ..."getopt getopt_long checkCmdLineFlag getCmdLineArgumentInt getCmdLineArgumentFloat findCudaDevice".split(
    " ",
  ),
  "__warplint_option",
  ..."srand srand48 srandom getenv setenv system sleep usleep isatty difftime".split(" "),
  "cudaFree",
  "cudaFreeHost",
  "cudaFreeAsync",
  "cudaMemset",
  "cudaMemsetAsync",
  "cudaFuncSetAttribute",
  "cudaFuncSetCacheConfig",
  "cudaMemPrefetchAsync",
  "cudaMemAdvise",
  "cudaHostRegister",
  "cudaGetErrorString",
  "cudaGetErrorName",
  "cudaLaunchKernel",
  "cudaLaunchCooperativeKernel",
]);

/** Functions that set bytes of the GPU's memory: launches hang on none of them, but what kernels find there does. */
export const deviceSetters: ReadonlySet<string> = new Set(["cudaMemset", "cudaMemsetAsync"]);

/** Functions that write what they are told to: what they write to is not data in bulk for that. */
export const exactWriters = new Set(["memcpy", "memmove", "memset", "__warplint_fill", "__warplint_copy"]);

/** Functions that write through their first argument and read the others. */
const copiers = new Set([
  "memcpy",
  "memmove",
  "memset",
  "__warplint_fill",
  "__warplint_copy",
  "strcpy",
  "strncpy",
  "strcat",
  "sprintf",
  "snprintf",
  "cudaMemcpy",
  "cudaMemcpyAsync",
  "cudaMemcpy2D",
  "cudaMemcpyFromSymbol",
  "fread",
  "fgets",
]);

/** Whether `name` may write to what its argument at `index`, of `type`, points to. */
export function writesThrough(name: string, index: number, type: Type | undefined): boolean {
  return !readers.has(name) && (index === 0 || !copiers.has(name)) && !isHandle(name, type);
}

/** Streams, events and the like point to what no program sees: CUDA's functions write through `void*` where they move bytes, or call others. */
function isHandle(name: string, type: Type | undefined): boolean {
  if (type?.kind !== "pointer" || type.target.kind !== "void") return false;
  return isRuntimeFunction(name) && !/^cudaMem(?:cpy|set)|HostFunc|Callback/.test(name);
}

/** How many bytes `name` writes through its first argument, where it copies as many as its third says; null else. */
export function copiedBytes(name: string, arguments_: readonly Value[]): number | null {
  const bytes = arguments_[2];
  const isCopy = name === "cudaMemcpy" || name === "cudaMemcpyAsync" || name === "cudaMemcpyFromSymbol";
  return isCopy && bytes !== undefined && isScalarValue(bytes) ? Number(bytes) : null;
}

/**
 * Whether `name` writes one `target` where a pointer to it points, and nothing around: CUDA's functions do, which give handles, numbers
 * and properties, but for those that move bytes.
 */
export function answersInto(name: string, target: Type): boolean {
  const isAnswer = isRuntimeFunction(name) && !/^cudaMem(?:cpy|set)/.test(name);
  return isAnswer && target.kind !== "void" && (sizeOf(target) ?? 0) > 1;
}

/** What a call that nobody sees inside gives: CUDA's functions succeed, the current device is 0. */
export function successOf(name: string): 0 | null {
  return isRuntimeFunction(name) && !/String$|Name$/.test(name) ? 0 : null;
}
