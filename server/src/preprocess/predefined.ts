// The macros that nvcc and the missing system headers define.

import type { CompileFlags } from "../build/flags.ts";
import { lineStarts, positionAt } from "../text/source.ts";
import { assumedMacro } from "./assumed.ts";
import { lex } from "./lex.ts";
import { destringized, type Macro, type MacroTable, macroFromText } from "./macro.ts";
import { type LexedFile, madeToken, type Token, tokenWithUse } from "./token.ts";

/** The name of the file that built-in definitions are spelled in. */
const BUILT_IN = "<built-in>";

// nvcc 13.0 with GCC 12 on Linux, the default dialect.
const NVCC = [
  "__CUDACC__ 1",
  "__NVCC__ 1",
  "__CUDACC_VER_MAJOR__ 13",
  "__CUDACC_VER_MINOR__ 0",
  "__CUDACC_VER_BUILD__ 88",
  "__CUDACC_EXTENDED_LAMBDA__ 1",
  "__CUDACC_RELAXED_CONSTEXPR__ 1",
];

// GCC, with what CUDA's headers define. nvcc includes cuda_runtime.h in front of a source, and libraries ask for the guards of its headers: NVIDIA's
// helper_cuda.h has checkCudaErrors behind `#ifdef __DRIVER_TYPES_H__`.
const HOST = [
  "CUDART_VERSION 13000",
  "CUDA_VERSION 13000",
  "__CUDA_RUNTIME_H__",
  "__CUDA_RUNTIME_API_H__",
  "__DEVICE_LAUNCH_PARAMETERS_H__",
  "__DRIVER_TYPES_H__",
  "__HOST_DEFINES_H__",
  "__LIBRARY_TYPES_H__",
  "__VECTOR_FUNCTIONS_H__",
  "__VECTOR_TYPES_H__",
  "__STDC__ 1",
  "__STDC_HOSTED__ 1",
  "__GNUC__ 12",
  "__GNUC_MINOR__ 2",
  "__GNUC_PATCHLEVEL__ 0",
  "__GNUG__ 12",
  "__x86_64__ 1",
  "__x86_64 1",
  "__amd64__ 1",
  "__LP64__ 1",
  "_LP64 1",
  "__linux__ 1",
  "__linux 1",
  "__unix__ 1",
  "__CHAR_BIT__ 8",
  "__SIZEOF_POINTER__ 8",
  "__SIZEOF_LONG__ 8",
  "__SIZEOF_INT128__ 16",
  "__INT_MAX__ 2147483647",
  "__ORDER_LITTLE_ENDIAN__ 1234",
  "__ORDER_BIG_ENDIAN__ 4321",
  "__BYTE_ORDER__ 1234",
  "_GNU_SOURCE 1",
  '__DATE__ "Jan  1 2026"',
  '__TIME__ "00:00:00"',
];

/** `__cplusplus` by the name of the standard, whether with GNU's extensions or without. */
const standards: readonly (readonly [RegExp, string])[] = [
  [/\+\+(98|03)$/, "199711L"],
  [/\+\+(11|0x)$/, "201103L"],
  [/\+\+(14|1y)$/, "201402L"],
  [/\+\+(17|1z)$/, "201703L"],
  [/\+\+(20|2a)$/, "202002L"],
  [/\+\+(23|2b)$/, "202302L"],
];
const usualStandard = "201703L";

/** The macros that stand before the first line. */
export function predefinedMacros(
  architecture: number,
  flags: CompileFlags,
  compiler: "nvcc" | "host",
): MacroTable {
  const table: MacroTable = new Map(compiler === "nvcc" ? macrosOfNvcc : macrosOfHost);
  const arch = macroFromText(`__CUDA_ARCH__ ${architecture}`, BUILT_IN);
  if (arch !== null && compiler === "nvcc") define(table, { ...arch, isDeviceOnly: true });
  for (const macro of computedMacros()) define(table, macro);
  const standard = standards.find(([name]) => name.test(flags.standard?.value ?? ""))?.[1] ?? usualStandard;
  define(table, macroFromText(`__cplusplus ${standard}`, BUILT_IN));
  for (const flag of flags.macros) {
    const { kind, name, value } = flag;
    if (kind === "undefine") {
      table.delete(name);
      continue;
    }
    const assumed = assumedMacro(flag);
    // A value that is not known stays the name, which nothing declares.
    const macro = macroFromText(`${name} ${value ?? assumed?.name ?? ""}`, BUILT_IN);
    define(table, macro === null || assumed === null ? macro : { ...macro, assumed });
  }
  return table;
}

const macrosOfHost = tableOf(HOST);
const macrosOfNvcc = tableOf([...NVCC, ...HOST]);

function tableOf(texts: readonly string[]): ReadonlyMap<string, Macro> {
  return new Map(
    texts.flatMap((text) => {
      const macro = macroFromText(text, BUILT_IN);
      return macro === null ? [] : [[macro.name, macro] as const];
    }),
  );
}

function define(table: MacroTable, macro: Macro | null): void {
  if (macro !== null) table.set(macro.name, macro);
}

function computedMacros(): Macro[] {
  let counter = 0;
  const computed = (
    name: string,
    parameters: string[] | null,
    compute: NonNullable<Macro["compute"]>,
  ): Macro => ({
    name,
    parameters,
    variadicName: null,
    body: [],
    compute: (use, values, token) => compute(use, values, token).map((made) => tokenWithUse(made, use)),
  });
  return [
    computed("__LINE__", null, (use, _, name) => [
      madeToken(name, "number", String(lineOf(use.file, use.start))),
    ]),
    computed("__FILE__", null, (use, _, name) => [madeToken(name, "string", JSON.stringify(use.file.path))]),
    computed("__COUNTER__", null, (_, __, name) => [madeToken(name, "number", String(counter++))]),
    computed("_Pragma", ["text"], (_, values, name) => pragmaTokens(values[0]?.expanded() ?? [], name)),
  ];
}

function pragmaTokens(tokens: readonly Token[], name: Token): Token[] {
  const [literal] = tokens;
  const text = literal?.kind === "string" ? keptPragma(destringized(literal)) : null;
  return text === null ? [] : [madeToken(name, "pragma", text)];
}

/** `unroll`, `unroll N`, `nounroll` or `pack ( … )` of a pragma that means something to warplint, else null. */
export function keptPragma(text: string): string | null {
  const words = lex(BUILT_IN, text).tokens.map((token) => token.text);
  const rest = words[0] === "GCC" || words[0] === "clang" ? words.slice(1) : words;
  return /^(unroll|nounroll|pack)$/.test(rest[0] ?? "") ? rest.join(" ") : null;
}

const startsOfLines = new WeakMap<LexedFile, number[]>();

/** From 1. */
export function lineOf(file: LexedFile, offset: number): number {
  const starts = startsOfLines.get(file) ?? lineStarts(file.text);
  startsOfLines.set(file, starts);
  return positionAt(starts, offset).line;
}
