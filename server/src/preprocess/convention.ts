// Names that are used and defined nowhere in sight: what system headers define, and what the CUDA community means by them.

import { dispatchMacros } from "./dispatch.ts";
import { ExpandedStream, newExpansionState } from "./expand.ts";
import { headText, type Macro, type MacroTable, macroFromText } from "./macro.ts";
import type { ConventionalMacro } from "./preprocessed.ts";
import { spellingOf, type Token } from "./token.ts";

/** The name of the file that these definitions are spelled in. */
const CONVENTION = "<convention>";

// <climits>, <cinttypes>, <cfloat>, <cmath>, <cstdlib>, <cassert>, <math_constants.h>, <ATen/Dispatch.h>: facts, not assumptions.
const SYSTEM = macros([
  'PRId32 "d"',
  'PRIu32 "u"',
  'PRIx32 "x"',
  'PRId64 "ld"',
  'PRIu64 "lu"',
  'PRIx64 "lx"',
  "CHAR_BIT 8",
  "SCHAR_MAX 127",
  "SCHAR_MIN (-128)",
  "UCHAR_MAX 255",
  "CHAR_MAX 127",
  "CHAR_MIN (-128)",
  "SHRT_MAX 32767",
  "SHRT_MIN (-32768)",
  "USHRT_MAX 65535",
  "INT_MAX 2147483647",
  "INT_MIN (-2147483647 - 1)",
  "UINT_MAX 4294967295U",
  "LONG_MAX 9223372036854775807L",
  "LONG_MIN (-9223372036854775807L - 1)",
  "ULONG_MAX 18446744073709551615UL",
  "LLONG_MAX 9223372036854775807LL",
  "LLONG_MIN (-9223372036854775807LL - 1)",
  "ULLONG_MAX 18446744073709551615ULL",
  "INT8_MAX 127",
  "INT8_MIN (-128)",
  "UINT8_MAX 255",
  "INT16_MAX 32767",
  "INT16_MIN (-32768)",
  "UINT16_MAX 65535",
  "INT32_MAX 2147483647",
  "INT32_MIN (-2147483647 - 1)",
  "UINT32_MAX 4294967295U",
  "INT64_MAX 9223372036854775807L",
  "INT64_MIN (-9223372036854775807L - 1)",
  "UINT64_MAX 18446744073709551615UL",
  "SIZE_MAX 18446744073709551615UL",
  "FLT_MAX 3.402823466e+38F",
  "FLT_MIN 1.175494351e-38F",
  "FLT_EPSILON 1.192092896e-07F",
  "DBL_MAX 1.7976931348623157e+308",
  "DBL_MIN 2.2250738585072014e-308",
  "DBL_EPSILON 2.2204460492503131e-16",
  "INFINITY __builtin_huge_valf()",
  "HUGE_VALF __builtin_huge_valf()",
  "HUGE_VAL __builtin_huge_val()",
  'NAN __builtin_nanf("")',
  "CUDART_INF_F __int_as_float(0x7f800000U)",
  "CUDART_NAN_F __int_as_float(0x7fffffffU)",
  "CUDART_MIN_DENORM_F __int_as_float(0x00000001U)",
  "CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffffU)",
  "CUDART_ZERO_F 0.0f",
  "CUDART_ONE_F 1.0f",
  "CUDART_PI_F 3.141592654f",
  "CUDART_PI 3.1415926535897931e+0",
  "CUDART_INF __longlong_as_double(0x7ff0000000000000ULL)",
  "CUDART_NAN __longlong_as_double(0xfff8000000000000ULL)",
  "M_E 2.7182818284590452354",
  "M_LOG2E 1.4426950408889634074",
  "M_LOG10E 0.43429448190325182765",
  "M_LN2 0.69314718055994530942",
  "M_LN10 2.30258509299404568402",
  "M_PI 3.14159265358979323846",
  "M_PI_2 1.57079632679489661923",
  "M_PI_4 0.78539816339744830962",
  "M_1_PI 0.31830988618379067154",
  "M_2_PI 0.63661977236758134308",
  "M_2_SQRTPI 1.12837916709551257390",
  "M_SQRT2 1.41421356237309504880",
  "M_SQRT1_2 0.70710678118654752440",
  "EXIT_SUCCESS 0",
  "EXIT_FAILURE 1",
  "RAND_MAX 2147483647",
  "CLOCKS_PER_SEC 1000000L",
  "assert(...) ((__VA_ARGS__) ? (void)0 : __assert_fail())",
  ...dispatchMacros,
]);

const CONVENTIONS = macros([
  ...["FLOAT4", "FETCH_FLOAT4", "LDST128BITS", "CONST_FLOAT4"].map((name) => vectorAccess(name, "float4")),
  ...["FLOAT2", "FETCH_FLOAT2", "LDST64BITS"].map((name) => vectorAccess(name, "float2")),
  ...["INT4", "FETCH_INT4"].map((name) => vectorAccess(name, "int4")),
  ...["INT2", "FETCH_INT2"].map((name) => vectorAccess(name, "int2")),
  ...["HALF2", "FETCH_HALF2", "LDST32BITS"].map((name) => vectorAccess(name, "half2")),
  ...["BFLOAT2", "BFLOAT162"].map((name) => vectorAccess(name, "__nv_bfloat162")),
  ...["DOUBLE2", "FETCH_DOUBLE2"].map((name) => vectorAccess(name, "double2")),
  ...["UINT4", "FETCH_UINT4"].map((name) => vectorAccess(name, "uint4")),
  ...[
    "CEIL_DIV",
    "CEILDIV",
    "DIV_UP",
    "DIVUP",
    "DIV_CEIL",
    "DIVIDE_UP",
    "ROUND_UP_DIV",
    "CDIV",
    "cdiv",
    "ceil_div",
    "div_up",
    "div_ceil",
    "divCeil",
    "ceilDiv",
    "ceildiv",
    "divUp",
    "iDivUp",
  ].map((name) => `${name}(a, b) (((a) + (b) - 1) / (b))`),
  "OFFSET(row, col, ld) ((row) * (ld) + (col))",
  "MIN(a, b) (((a) < (b)) ? (a) : (b))",
  "MAX(a, b) (((a) > (b)) ? (a) : (b))",
  ...[
    "CUDA_CHECK",
    "CHECK_CUDA",
    "CUDACHECK",
    "CudaCheck",
    "cudaCheck",
    "CHECK_CUDA_ERROR",
    "CUDA_CHECK_ERROR",
    "CUDA_CALL",
    "CUDA_SAFE_CALL",
    "CUDA_ERROR_CHECK",
    "CUDA_ERR",
    "CUDA_RT_CALL",
    "CUDA_TRY",
    "C10_CUDA_CHECK",
    "AT_CUDA_CHECK",
    "HANDLE_ERROR",
    "CHECK_ERROR",
    "CHECK",
    "checkCuda",
    "checkCudaErrors",
    "checkCudaError",
    "cudaErrCheck",
    "gpuErrchk",
    "gpuErrCheck",
    "cutilSafeCall",
  ].map((name) => `${name}(call) (call)`),
]);

const ALL: MacroTable = new Map([...SYSTEM, ...CONVENTIONS]);

function vectorAccess(name: string, type: string): string {
  return `${name}(value) (reinterpret_cast<${type} *>(&(value))[0])`;
}

function macros(definitions: readonly string[]): MacroTable {
  const table: MacroTable = new Map();
  for (const definition of definitions) {
    const macro = macroFromText(definition, CONVENTION);
    if (macro !== null) table.set(macro.name, macro);
  }
  return table;
}

/** The names of the tables above that tokens mention. */
export interface Conventions {
  /** Those that are used and neither defined nor declared, in the order of their first use, and those that these use. */
  readonly macros: MacroTable;
  /** Equal for tokens that mention the same names in the same ways. */
  readonly mentions: string;
}

/** What the preprocessed `tokens` of a translation unit, or of a part of it, mention of the tables above. `defined`: the macros at its end. */
export function conventionsIn(tokens: readonly Token[], defined: MacroTable): Conventions {
  const macros: MacroTable = new Map();
  const declared = new Set<string>();
  const mentions = new Set<string>();
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind !== "identifier") continue;
    const macro = ALL.get(token.text);
    if (macro === undefined || defined.has(macro.name)) continue;
    const isDeclared = isDeclaration(tokens, index, macro);
    mentions.add(isDeclared ? `${macro.name}:` : macro.name);
    if (isDeclared) declared.add(macro.name);
    else macros.set(macro.name, macro);
  }
  for (const name of declared) macros.delete(name);
  // A map is walked to what is added meanwhile.
  for (const { body } of macros.values()) {
    for (const { text } of body) {
      const macro = ALL.get(text);
      if (macro !== undefined && !defined.has(text) && !declared.has(text)) macros.set(text, macro);
    }
  }
  return { macros, mentions: [...mentions].join() };
}

/** `tokens` with `conventions` expanded; null where that takes too many. */
export function withConventions(tokens: readonly Token[], conventions: MacroTable): readonly Token[] | null {
  if (conventions.size === 0) return tokens;
  let at = 0;
  const state = newExpansionState(conventions, () => true);
  const stream = new ExpandedStream(state, () => tokens[at++] ?? null);
  const out: Token[] = [];
  while (at < tokens.length) {
    const token = tokens[at];
    // Few tokens of a text are such names.
    if (token !== undefined && stream.isAtSource && !conventions.has(token.text)) {
      out.push(token);
      at++;
      continue;
    }
    const expanded = stream.next();
    if (expanded === null) break;
    out.push(expanded);
  }
  for (let token = stream.next(); token !== null; token = stream.next()) out.push(token);
  return state.isExceeded ? null : out;
}

/** What is only assumed of `conventions`, as people are told. */
export function assumptionsIn(conventions: MacroTable): ConventionalMacro[] {
  return [...conventions.values()]
    .filter((macro) => CONVENTIONS.has(macro.name))
    .map((macro) => ({ name: macro.name, written: headText(macro), value: spellingOf(macro.body) }));
}

const NOT_A_TYPE = new Set([
  "return",
  "case",
  "else",
  "do",
  "throw",
  "co_return",
  "co_yield",
  "goto",
  "and",
  "or",
  "not",
]);

/** Whether the name at `index` is being declared, or is a member of something: then it is no macro. */
function isDeclaration(tokens: readonly Token[], index: number, macro: Macro): boolean {
  const before = tokens[index - 1];
  const after = tokens[index + 1]?.text ?? "";
  if (before?.text === "::" || before?.text === "." || before?.text === "->") return true;
  const followsType = before?.kind === "identifier" && !NOT_A_TYPE.has(before.text);
  if (macro.parameters === null) return followsType && ["=", ";", ",", ")", "[", "{"].includes(after);
  return after !== "(" || followsType || isFollowedByBody(tokens, index + 1, before);
}

function isFollowedByBody(tokens: readonly Token[], open: number, before: Token | undefined): boolean {
  if (before === undefined || !["*", "&", ">"].includes(before.text)) return false;
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const text = tokens[index]?.text;
    if (text === "(") depth++;
    else if (text === ")" && --depth === 0) return tokens[index + 1]?.text === "{";
  }
  return false;
}
