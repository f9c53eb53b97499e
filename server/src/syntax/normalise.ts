// Makes preprocessed tokens digestible for tree-sitter-cuda: takes out or rewrites what the grammar stumbles on, and keeps what
// means something as attributes.

import { keptPragma } from "../preprocess/predefined.ts";
import type { ConventionalMacro } from "../preprocess/preprocessed.ts";
import { type MacroUse, madeToken, spellingOf, type Token } from "../preprocess/token.ts";
import { parenthesesOfOperands } from "./comma-operands.ts";

export interface NormalisedTokens {
  readonly tokens: readonly Token[];
  /** By index in `tokens` of the token that follows; ascending. */
  readonly attributes: readonly {
    readonly index: number;
    readonly name: string;
    readonly arguments: readonly string[];
  }[];
  /** Names of missing headers that were read by what they say: `CUTLASS_DEVICE` as `__device__`. */
  readonly conventions: readonly ConventionalMacro[];
}

/** Qualifiers with arguments that are taken out and kept. */
const KEPT = new Map([
  ["__launch_bounds__", "__launch_bounds__"],
  ["__cluster_dims__", "__cluster_dims__"],
  ["__maxnreg__", "__maxnreg__"],
  ["__block_size__", "__block_size__"],
  ["__align__", "__align__"],
  ["__builtin_align__", "__align__"],
  ["alignas", "__align__"],
  ["_Alignas", "__align__"],
]);
const DROPPED_WITH_ARGUMENTS = new Set(["__attribute__", "__attribute", "__declspec", "__nv_pure__"]);
const DROPPED = new Set([
  "__extension__",
  "__cdecl",
  "__stdcall",
  "__fastcall",
  "__vectorcall",
  "CUDARTAPI",
  "CUDART_CB",
  "CUDA_CB",
  "CUDAAPI",
]);
const RENAMED = new Map([
  ["__restrict", "__restrict__"],
  ["restrict", "__restrict__"],
  ["__volatile__", "volatile"],
  ["__volatile", "volatile"],
  ["__inline", "inline"],
  ["__inline__", "inline"],
  ["__const", "const"],
  ["__const__", "const"],
  ["__asm__", "asm"],
  ["__asm", "asm"],
  ["__decltype", "decltype"],
  ["__typeof__", "decltype"],
  ["__typeof", "decltype"],
  ["__alignof__", "alignof"],
  ["__alignof", "alignof"],
  ["__signed__", "signed"],
]);
const EXECUTION_SPACES = new Set(["__device__", "__host__", "__global__", "__forceinline__", "__noinline__"]);
const FUNCTION_SPECIFIERS = new Set([...EXECUTION_SPACES, "inline", "constexpr"]);
const CONVERSION_SPECIFIERS = new Set([...FUNCTION_SPECIFIERS, "explicit"]);

const CLASS_KEYS = new Set(["struct", "class", "union"]);

/** Types that the grammar takes for the first word of several. */
const SIZED_TYPES = new Set(["unsigned", "signed", "short", "long"]);
/** Punctuation that an expression follows: no `:` or `->`, behind which a type stands by itself (`enum E : unsigned {`). */
const BEFORE_OPERANDS = new Set(
  "( [ { , = + - * / % & | ^ < > ? && || << >> <<< == != <= >= += -= *= /= ! ~".split(" "),
);

/** What begins no value behind the parenthesis of a conversion. */
const NO_OPERANDS = new Set(") } * & && ^ const volatile void".split(" "));
const BUILT_IN_TYPES = new Set("bool char short int long float double signed unsigned".split(" "));

/** All names that are more than a name to this file. */
const SPECIAL = new Set([
  ...KEPT.keys(),
  ...DROPPED_WITH_ARGUMENTS,
  ...DROPPED,
  ...RENAMED.keys(),
  ...EXECUTION_SPACES,
  "__restrict__",
  "typename",
  "friend",
  "operator",
]);

/** Attribute name of `#pragma unroll`, `#pragma unroll N` (N as its one argument) and `#pragma nounroll`. */
const PRAGMA_PREFIX = "#pragma ";

/** Takes tokens of a translation unit in the form that the grammar parses. */
export function normalise(tokens: readonly Token[]): NormalisedTokens {
  return new Normaliser(tokens).run();
}

class Normaliser {
  private readonly source: readonly Token[];
  private readonly out: Token[] = [];
  private readonly conventions = new Map<string, string>();
  private readonly attributes: { index: number; name: string; arguments: readonly string[] }[] = [];
  /** For each open `<<<`, the brackets open inside it, as their closing texts; `dim3}` closes a brace that became a parenthesis. */
  private readonly launches: string[][] = [];
  /** The alignment that `#pragma pack` leaves members at most, in front of each `push` that is open; null where it leaves them their own. */
  private readonly packed: (string | null)[] = [null];
  /** Of closing braces that become parentheses, the indices. */
  private readonly turned = new Set<number>();
  private at = 0;

  constructor(source: readonly Token[]) {
    this.source = source;
  }

  run(): NormalisedTokens {
    for (; this.at < this.source.length; this.at++) {
      const token = this.source[this.at];
      if (token !== undefined) this.take(token);
    }
    const conventions = [...this.conventions].map(([name, value]) => ({ name, written: name, value }));
    return { tokens: this.withParentheses(), attributes: this.attributes, conventions };
  }

  /** What came out, with the parentheses that operands of commas need; attributes stand where their tokens then do. */
  private withParentheses(): readonly Token[] {
    const added = parenthesesOfOperands(this.out);
    if (added.length === 0) return this.out;
    const tokens: Token[] = [];
    /** By the index of a token: where it stands then, or what was added in front of it. */
    const movedTo: number[] = [];
    let next = 0;
    this.out.forEach((token, index) => {
      movedTo.push(tokens.length);
      for (; added[next]?.index === index; next++) tokens.push(added[next]?.token ?? token);
      tokens.push(token);
    });
    for (const attribute of this.attributes) attribute.index = movedTo[attribute.index] ?? tokens.length;
    return tokens;
  }

  private take(token: Token): void {
    if (token.kind === "identifier") this.takeName(token);
    else if (token.kind === "punctuator") this.takePunctuator(token);
    else if (token.kind === "pragma") this.keepPragma(token);
    else if (token.kind === "string") this.takeString(token);
    else if (token.kind !== "other") this.out.push(token);
  }

  /** nvcc needs no comma between the operands of `asm`: `"r"(a) "r"(b)`. */
  private takeString(token: Token): void {
    if (this.out.at(-1)?.text === ")" && this.out[this.openingOfLast() - 1]?.kind === "string")
      this.out.push(madeToken(token, "punctuator", ","));
    this.out.push(token);
  }

  /** The index of what the bracket that was taken last closes; -1 where nothing does. */
  private openingOfLast(): number {
    let depth = 0;
    return this.out.findLastIndex(({ text }) => {
      if (text === ")") depth++;
      else if (text === "(") depth--;
      return depth === 0;
    });
  }

  private keepPragma(token: Token): void {
    const [name = "", ...rest] = token.text.split(" ");
    if (name === "pack") this.pack(rest);
    else this.keep(PRAGMA_PREFIX + name, rest.length > 0 ? [rest.join(" ")] : []);
  }

  /**
   * A pragma that a macro stands for: `#define UNROLL #pragma unroll`. nvcc finds it in the text that its preprocessor
   * writes, where it goes on to the end of the line in which the macro is used: `UNROLL 4`.
   */
  private takeMadePragma(hash: Token, use: MacroUse): void {
    this.at++;
    const words: Token[] = [];
    for (let word = this.source[this.at + 1]; word !== undefined; word = this.source[this.at + 1]) {
      const place = word.use ?? word;
      const isOfLine = place.file === use.file && !use.file.text.slice(use.end, place.start).includes("\n");
      if (!isOfLine) break;
      words.push(word);
      this.at++;
    }
    const text = keptPragma(spellingOf(words));
    if (text !== null) this.keepPragma(madeToken(hash, "pragma", text));
  }

  /** `#pragma pack(n)`, `pack(push, n)`, `pack(pop)` and `pack()`. */
  private pack(words: readonly string[]): void {
    const [bytes = null] = words.filter((word) => /^\d+$/.test(word));
    if (words.includes("push")) this.packed.push(this.packed.at(-1) ?? null);
    if (words.includes("pop")) this.packed.pop();
    else if (bytes !== null || !words.includes("push")) this.packed.splice(-1, 1, bytes);
  }

  private keep(name: string, values: readonly string[]): void {
    this.attributes.push({ index: this.out.length, name, arguments: values });
  }

  private takeName(token: Token): void {
    const { text } = token;
    const packed = CLASS_KEYS.has(text) ? this.packed.at(-1) : null;
    if (packed) this.keep("packed", [packed]);
    if (SPECIAL.has(text) && this.takeSpecial(token)) return;
    if (SIZED_TYPES.has(text) && this.takeSizedType(token)) return;
    if (isCapital(text.charCodeAt(0)) && this.takeMacroName(token)) return;
    this.out.push(token);
  }

  /** Takes what is no plain name; false where it is one. */
  private takeSpecial(token: Token): boolean {
    const { text } = token;
    const hasArguments = this.source[this.at + 1]?.text === "(";
    const kept = KEPT.get(text);
    if (kept !== undefined && hasArguments) {
      this.keep(kept, this.skipArguments());
      return true;
    }
    if (DROPPED.has(text)) return true;
    if (DROPPED_WITH_ARGUMENTS.has(text)) {
      if (hasArguments) this.keepAlignment(this.skipArguments());
      return true;
    }
    if (EXECUTION_SPACES.has(text) && this.followsLambdaCapture()) {
      this.keep(text, []);
      return true;
    }
    if (text === "typename") return this.constructsDependentType();
    if (text === "friend") return this.takeFriend(token);
    if (text === "operator") this.thinConversion();
    const renamed = RENAMED.get(text);
    const name = renamed ?? text;
    // The grammar wants no qualifier in `P* __restrict__... list`.
    if (name === "__restrict__" && this.source[this.at + 1]?.text === "...") return true;
    if (renamed === undefined) return false;
    this.out.push({ ...token, text: renamed });
    return true;
  }

  /** In `typename T::Fragment{}` the grammar wants no `typename`. */
  private constructsDependentType(): boolean {
    if (this.out.at(-1)?.text === "<") return false;
    let angles = 0;
    for (let index = this.at + 1; index < Math.min(this.source.length, this.at + 100); index++) {
      const token = this.source[index];
      const text = token?.text ?? ";";
      if (angles <= 0 && text !== "<" && text !== "::" && token?.kind !== "identifier")
        return text === "{" || text === "(";
      if (text === "<") angles++;
      else if (text === ">" || text === ">>") angles -= text.length;
      else if (text === ";" || text === "{") return false;
      const isNext =
        angles <= 0 && token?.kind === "identifier" && this.source[index + 1]?.kind === "identifier";
      if (isNext && text !== "template") return false;
    }
    return false;
  }

  /** The grammar wants `friend` before the other specifiers: `__device__ friend T f(T)`. */
  private takeFriend(token: Token): boolean {
    let index = this.out.length;
    while (FUNCTION_SPECIFIERS.has(this.out[index - 1]?.text ?? "")) index--;
    if (index === this.out.length) return false;
    this.out.splice(index, 0, token);
    for (const attribute of this.attributes) if (attribute.index >= index) attribute.index++;
    return true;
  }

  /** The grammar has one specifier at most before a conversion: of `__host__ __device__ operator T() const` none is kept. */
  private thinConversion(): void {
    const next = this.source[this.at + 1];
    if (next?.kind !== "identifier" || next.text === "new" || next.text === "delete") return;
    let index = this.out.length;
    while (CONVERSION_SPECIFIERS.has(this.out[index - 1]?.text ?? "")) index--;
    if (this.out.length - index < 2) return;
    this.out.length = index;
    for (const attribute of this.attributes) attribute.index = Math.min(attribute.index, index);
  }

  /** nvcc has `[=] __device__ (int i) { … }`. */
  private followsLambdaCapture(): boolean {
    return this.out.at(-1)?.text === "]";
  }

  /** `__attribute__((aligned(16)))` and `packed` say how members lie; other attributes change no address. */
  private keepAlignment(values: readonly string[]): void {
    const text = values.join(",");
    if (/\b(?:__packed__|packed)\b/.test(text)) this.keep("packed", ["1"]);
    const aligned = /(?:__aligned__|aligned)\s*\(([^()]*)\)/.exec(text);
    if (aligned?.[1] !== undefined) this.keep("__align__", [aligned[1].trim()]);
  }

  /** Steps over `( … )` after the current token; the arguments' spellings. */
  private skipArguments(): string[] {
    const values: Token[][] = [[]];
    let depth = 0;
    for (let index = this.at + 1; index < this.source.length; index++) {
      const token = this.source[index];
      const isBody = token?.text === "{" && this.source[index - 1]?.text === ")";
      if (token === undefined || isBody || token.text === ";") break;
      this.at = index;
      if (token.text === ")" && --depth === 0) break;
      if (depth === 1 && token.text === ",") values.push([]);
      else if (depth > 0) values.at(-1)?.push(token);
      if (token.text === "(") depth++;
    }
    return values.map((value) => spellingOf(value));
  }

  private takePunctuator(written: Token): void {
    const token = this.withParenthesis(written);
    const next = this.source[this.at + 1]?.text;
    if (token.text === "[" && next === "[" && this.skipStandardAttribute()) return;
    if (token.text === "<<<") this.launches.push([]);
    const open = this.launches.at(-1);
    if (token.text === "#" && next === "pragma" && token.use !== null) this.takeMadePragma(token, token.use);
    else if (open === undefined) this.out.push(token);
    else this.takeInLaunch(token, open);
  }

  /** Braces that became parentheses: those of `unsigned{n}`. */
  private withParenthesis(token: Token): Token {
    if (!this.turned.has(this.at)) return token;
    return madeToken(token, "punctuator", token.text === "{" ? "(" : ")");
  }

  /**
   * `unsigned(n)` and `unsigned{n}`, where an expression may stand, as `(unsigned)(n)`: the grammar takes braces behind other types
   * alone, and `dim3 block{unsigned(n), 8}` for a declaration of `n`.
   */
  private takeSizedType(token: Token): boolean {
    const before = this.out.at(-1)?.text ?? "";
    const open = this.source[this.at + 1]?.text;
    const isSecond = before === ":" && open === "(";
    if (open !== "(" && open !== "{") return false;
    if (before !== "return" && !BEFORE_OPERANDS.has(before) && !isSecond) return false;
    if (open === "{") {
      this.turned.add(this.at + 1);
      this.turned.add(this.closingOfNext());
    }
    if (!this.isOperandAt(this.at + 2)) return false;
    this.out.push(madeToken(token, "punctuator", "("), token, madeToken(token, "punctuator", ")"));
    return true;
  }

  /** Whether a value begins there, not a parameter of a function's type (`unsigned(int)`) or its declarator (`unsigned (*f)(int)`). */
  private isOperandAt(index: number): boolean {
    const first = this.source[index]?.text ?? ")";
    if (NO_OPERANDS.has(first)) return false;
    return !BUILT_IN_TYPES.has(first) || ["(", "{"].includes(this.source[index + 1]?.text ?? "");
  }

  /** The index of what closes the brace that comes next. */
  private closingOfNext(): number {
    let depth = 0;
    for (let index = this.at; index < this.source.length; index++) {
      const text = this.source[index]?.text;
      if (text === "{") depth++;
      else if (text === "}" && --depth === 0) return index;
    }
    return -1;
  }

  /** Between `<<<` and `>>>`, `{1, 2}` and `dim3{1, 2}` become `dim3(1, 2)`, which is what they mean. */
  private takeInLaunch(token: Token, open: string[]): void {
    const before = this.out.at(-1)?.text;
    if (token.text === "{" && open.length === 0 && (before === "<<<" || before === ",")) {
      open.push("dim3}");
      this.out.push(madeToken(token, "identifier", "dim3"), madeToken(token, "punctuator", "("));
      return;
    }
    if (token.text === "{" && before === "dim3") {
      open.push("dim3}");
      this.out.push(madeToken(token, "punctuator", "("));
      return;
    }
    if (token.text === "}" && open.at(-1) === "dim3}") {
      open.pop();
      this.out.push(madeToken(token, "punctuator", ")"));
      return;
    }
    if (token.text === "(" || token.text === "[" || token.text === "{") open.push(CLOSING[token.text] ?? "");
    else if (token.text === open.at(-1)) open.pop();
    else if (token.text === ";" || (open.length === 0 && this.closesLaunch(token))) this.launches.pop();
    // No launch outlives its block.
    else if (token.text === "}") this.launches.length = 0;
    this.out.push(token);
  }

  private closesLaunch(token: Token): boolean {
    return token.text === ">" && this.out.at(-1)?.text === ">>" && this.out.at(-1)?.end === token.start;
  }

  /** Steps over `[[ … ]]`; false where it is no attribute (`a[[&] { return 0; }()]`). */
  private skipStandardAttribute(): boolean {
    const limit = Math.min(this.source.length, this.at + STANDARD_ATTRIBUTE_TOKENS);
    let depth = 0;
    for (let index = this.at; index < limit; index++) {
      const text = this.source[index]?.text;
      if (text === "[") depth++;
      else if (text === "{" || text === ";" || text === "}") return false;
      else if (text === "]" && --depth === 0) {
        if (this.source[index - 1]?.text !== "]") return false;
        this.at = index;
        return true;
      }
    }
    return false;
  }

  /** Names in capitals that no macro defines: qualifiers of a library whose headers are missing, and statement macros. */
  private takeMacroName(token: Token): boolean {
    if (!/^[A-Z][A-Z0-9_]+$/.test(token.text)) return false;
    const next = this.source[this.at + 1];
    if (next?.text === "(") return this.takeStatementMacro(token);
    if (token.text.endsWith("UNROLL") && LOOPS.has(next?.text ?? "")) {
      const pragma = PRAGMA_PREFIX + (token.text.includes("NO_") ? "nounroll" : "unroll");
      this.keep(pragma, []);
      this.conventions.set(token.text, pragma);
      return true;
    }
    if (
      CALLING_CONVENTION.test(token.text) &&
      next?.kind === "identifier" &&
      this.source[this.at + 2]?.text === "("
    )
      return true;
    const before = this.out.at(-1)?.text;
    const isHead = before === undefined || ENDS_OF_DECLARATION.has(before) || EXECUTION_SPACES.has(before);
    if (!isHead && before !== ">" && before !== "static" && before !== "inline") return false;
    const startsType = next?.kind === "identifier" && this.declaresAfter(this.at + 1);
    if (!startsType || !SPECIFIER.test(token.text)) return false;
    const specifiers = specifiersOf(token.text);
    for (const text of specifiers) this.out.push(madeToken(token, "identifier", text));
    this.conventions.set(token.text, specifiers.join(" "));
    return true;
  }

  /** Whether the tokens from `index` on still are a declaration without the name before them. */
  private declaresAfter(index: number): boolean {
    const second = this.source[index + 1];
    return second?.kind === "identifier" || ["*", "&", "&&", "::", "<", "("].includes(second?.text ?? "");
  }

  /** `CHECK_LAST()` on a line of its own, without `;`: gets one. */
  private takeStatementMacro(token: Token): boolean {
    const before = this.out.at(-1)?.text ?? "";
    if (!["{", "}", ";", ")"].includes(before) || !token.startsLine || this.launches.length > 0) return false;
    const from = this.at;
    const close = closingIndex(this.source, from + 1);
    const after = this.source[close + 1];
    const isStatement = after?.startsLine === true && (after.kind === "identifier" || after.text === "}");
    if (close === -1 || after === undefined || !isStatement) return false;
    for (; this.at <= close; this.at++) {
      const inner = this.source[this.at];
      if (inner === undefined) break;
      if (inner === token) this.out.push(inner);
      else this.take(inner);
    }
    this.at = close;
    this.out.push(madeToken(this.source[close] ?? token, "punctuator", ";"));
    return true;
  }
}

const STANDARD_ATTRIBUTE_TOKENS = 100;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const ENDS_OF_DECLARATION = new Set([";", "{", "}", ":"]);
const LOOPS = new Set(["for", "while", "do"]);
const CALLING_CONVENTION = /_(?:CALL|CALLBACK|CB|APIENTRY)$/;
const SPECIFIER =
  /(?:^|_)(?:DEVICE|HOST|GLOBAL|KERNEL|(?:FORCE_?|ALWAYS_?|NO_?)?INLINE|API|EXPORT|PUBLIC|VISIBLE|HIDDEN|CONSTEXPR|DECL|FUNC|ATTR|QUALIFIERS?)_?$/;

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** What a library's qualifier such as `CUTLASS_HOST_DEVICE` or `FOO_API` says by its name. */
function specifiersOf(name: string): string[] {
  const words = new Set(name.split("_"));
  const specifiers: string[] = [];
  if (name.includes("HOST")) specifiers.push("__host__");
  if (words.has("DEVICE") || name.endsWith("DEVICE")) specifiers.push("__device__");
  if (words.has("GLOBAL")) specifiers.push("__global__");
  if (name.includes("INLINE") && !name.includes("NOINLINE")) specifiers.push("inline");
  return specifiers;
}

/** The index of the parenthesis that closes the one at `open`, or -1. */
function closingIndex(tokens: readonly Token[], open: number): number {
  const limit = Math.min(tokens.length, open + 4000);
  let depth = 0;
  for (let index = open; index < limit; index++) {
    const text = tokens[index]?.text;
    if (text === "(") depth++;
    else if (text === ")" && --depth === 0) return index;
  }
  return -1;
}
