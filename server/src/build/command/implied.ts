// Macros that compilers define because of other options, where sources ask for them.
import type { CompilerDialect } from "./command.ts";

/**
 * Name and value of the macro that an option defines; null where there is none. Measured with `nvcc -E -Xcompiler -dM` (13.0, gcc 12): the option against none. `-use_fast_math`, `-lineinfo`,
 * `-g` and `-ftz=true` define nothing.
 */
export function impliedMacro(dialect: CompilerDialect, option: string): Macro | null {
  return (dialect === "nvcc" ? nvccMacros.get(option) : undefined) ?? hostMacros.get(option) ?? null;
}

type Macro = readonly [string, string];

const relocatable: Macro = ["__CUDACC_RDC__", "1"];
const extendedLambda: Macro = ["__CUDACC_EXTENDED_LAMBDA__", "1"];
const relaxedConstexpr: Macro = ["__CUDACC_RELAXED_CONSTEXPR__", "1"];
const deviceDebug: Macro = ["__CUDACC_DEBUG__", "1"];
const openMp: Macro = ["_OPENMP", "201511"];

const nvccMacros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["-rdc=true", relocatable],
  ["-dc", relocatable],
  ["--device-c", relocatable],
  ["-dlto", relocatable],
  ["--dlink-time-opt", relocatable],
  ["-extended-lambda", extendedLambda],
  ["--extended-lambda", extendedLambda],
  ["-expt-extended-lambda", extendedLambda],
  ["--expt-extended-lambda", extendedLambda],
  ["-expt-relaxed-constexpr", relaxedConstexpr],
  ["--expt-relaxed-constexpr", relaxedConstexpr],
  ["-G", deviceDebug],
  ["--device-debug", deviceDebug],
  ["-default-stream=per-thread", ["CUDA_API_PER_THREAD_DEFAULT_STREAM", "1"]],
]);

/** Of the host compiler, whose preprocessor reads device code as well. */
const hostMacros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ["-O", ["__OPTIMIZE__", "1"]],
  ["-fopenmp", openMp],
  ["-qopenmp", openMp],
  ["-ffast-math", ["__FAST_MATH__", "1"]],
  ["-pthread", ["_REENTRANT", "1"]],
]);
