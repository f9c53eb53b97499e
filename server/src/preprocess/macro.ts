// Macros: their definition, and the substitution of arguments into their body with # and ## (C++ [cpp.subst], [cpp.concat]).
import type { AssumedMacro } from "./assumed.ts";
import { lex } from "./lex.ts";
import { type MacroUse, madeToken, type Token, tokenWithUse } from "./token.ts";

export interface Macro {
  readonly name: string;
  /** Null for an object-like macro. */
  readonly parameters: readonly string[] | null;
  /** What the variable arguments are called, or null: `__VA_ARGS__`, or `args` of GNU's `args...`. */
  readonly variadicName: string | null;
  readonly body: readonly Token[];
  /** Computes the expansion of a macro such as `__LINE__`; the body is empty then. */
  readonly compute?: (
    use: MacroUse,
    macroArguments: readonly MacroArgument[],
    name: Token,
  ) => readonly Token[];
  /** It is undefined in host code, as `__CUDA_ARCH__` is. */
  readonly isDeviceOnly?: true;
  /** What of it is open. */
  readonly assumed?: AssumedMacro;
}

/** A macro argument: as written, and fully expanded when that is needed. */
export interface MacroArgument {
  readonly raw: readonly Token[];
  readonly expanded: () => readonly Token[];
}

export type MacroTable = Map<string, Macro>;

const NO_ARGUMENT: MacroArgument = { raw: [], expanded: () => [] };

/** The macro that the tokens after `#define` define, or null where they are no definition. */
export function parseDefinition(tokens: readonly Token[]): Macro | null {
  const [name, open] = tokens;
  if (name?.kind !== "identifier") return null;
  if (open?.text !== "(" || open.spaceBefore) {
    return { name: name.text, parameters: null, variadicName: null, body: tokens.slice(1) };
  }
  const close = tokens.findIndex((token) => token.text === ")");
  if (close === -1) return null;
  const parameters: string[] = [];
  let variadicName: string | null = null;
  for (const token of tokens.slice(2, close)) {
    if (token.kind === "identifier") parameters.push(token.text);
    else if (token.text === "...") {
      const isNamed = parameters.length > 0 && tokens[tokens.indexOf(token) - 1]?.kind === "identifier";
      if (!isNamed) parameters.push("__VA_ARGS__");
      variadicName = parameters.at(-1) ?? "__VA_ARGS__";
    } else if (token.text !== ",") return null;
  }
  return { name: name.text, parameters, variadicName, body: tokens.slice(close + 1) };
}

/** A macro from text, as `#define ${text}` would define it. */
export function macroFromText(text: string, path: string): Macro | null {
  return parseDefinition(lex(path, text).tokens);
}

/** What a use of `macro` becomes before it is scanned again. */
export function substitute(macro: Macro, macroArguments: readonly MacroArgument[], use: MacroUse): Token[] {
  const out: (Token | null)[] = [];
  substituteInto(out, macro, macro.body, macroArguments, use);
  return out.filter((token) => token !== null);
}

/** Appends the substituted `body`; null is a placemarker, what an empty operand of ## is. */
function substituteInto(
  out: (Token | null)[],
  macro: Macro,
  body: readonly Token[],
  macroArguments: readonly MacroArgument[],
  use: MacroUse,
): void {
  const argumentOf = (token: Token | undefined): MacroArgument | null => {
    if (token?.kind !== "identifier" || macro.parameters === null) return null;
    const index = macro.parameters.indexOf(token.text);
    return index === -1 ? null : (macroArguments[index] ?? NO_ARGUMENT);
  };
  for (let index = 0; index < body.length; index++) {
    const token = body[index];
    if (token === undefined) break;
    const next = body[index + 1];
    if (token.text === "##" && index > 0 && next !== undefined) {
      const argument = argumentOf(next);
      const isVariable = next.text === macro.variadicName;
      if (isVariable && argument !== null && out.at(-1)?.text === "," && body[index - 1]?.text === ",") {
        if (argument.raw.length === 0) out.pop();
        else appendAll(out, argument.expanded(), use);
        index++;
        continue;
      }
      const operand: (Token | null)[] = [];
      index += appendOperand(operand, macro, body, index + 1, macroArguments, use, argument);
      pasteInto(out, operand);
    } else if (token.text === "#" && macro.parameters !== null && argumentOf(next) !== null) {
      out.push(stringified(token, argumentOf(next)?.raw ?? [], use));
      index++;
    } else if (token.text === "__VA_OPT__" && macro.variadicName !== null && next?.text === "(") {
      index += appendOptional(out, macro, body, index, macroArguments, use) - 1;
    } else {
      const argument = argumentOf(token);
      if (argument === null) out.push(tokenWithUse(token, use));
      else if (next?.text === "##" && index + 2 < body.length) appendRaw(out, argument, use);
      else appendAll(out, argument.expanded(), use);
    }
  }
}

/** Appends the right operand of a ## at `index`; returns how many tokens of the body it took. */
function appendOperand(
  operand: (Token | null)[],
  macro: Macro,
  body: readonly Token[],
  index: number,
  macroArguments: readonly MacroArgument[],
  use: MacroUse,
  argument: MacroArgument | null,
): number {
  const token = body[index];
  if (token === undefined) return 0;
  if (token.text === "__VA_OPT__" && macro.variadicName !== null && body[index + 1]?.text === "(") {
    return appendOptional(operand, macro, body, index, macroArguments, use);
  }
  if (token.text === "#" && macro.parameters !== null) {
    const after = body[index + 1];
    const position = after === undefined ? -1 : macro.parameters.indexOf(after.text);
    if (position !== -1) {
      operand.push(stringified(token, macroArguments[position]?.raw ?? [], use));
      return 2;
    }
  }
  if (argument === null) operand.push(tokenWithUse(token, use));
  else appendRaw(operand, argument, use);
  return 1;
}

/** Appends what `__VA_OPT__(…)` at `index` stands for; returns how many tokens of the body it takes. */
function appendOptional(
  out: (Token | null)[],
  macro: Macro,
  body: readonly Token[],
  index: number,
  macroArguments: readonly MacroArgument[],
  use: MacroUse,
): number {
  const end = closingParenthesis(body, index + 1);
  const position = macro.parameters?.indexOf(macro.variadicName ?? "") ?? -1;
  const hasVariable = (macroArguments[position]?.expanded().length ?? 0) > 0;
  if (hasVariable) substituteInto(out, macro, body.slice(index + 2, end), macroArguments, use);
  else out.push(null);
  return end - index + 1;
}

function closingParenthesis(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const text = tokens[index]?.text;
    if (text === "(") depth++;
    else if (text === ")" && --depth === 0) return index;
  }
  return tokens.length;
}

function appendRaw(out: (Token | null)[], argument: MacroArgument, use: MacroUse): void {
  if (argument.raw.length === 0) out.push(null);
  else appendAll(out, argument.raw, use);
}

function appendAll(out: (Token | null)[], tokens: readonly Token[], use: MacroUse): void {
  for (const token of tokens) out.push(tokenWithUse(token, use));
}

/** Pastes the first token of `operand` onto the last of `out`, and appends the rest. */
function pasteInto(out: (Token | null)[], operand: readonly (Token | null)[]): void {
  const left = out.pop() ?? null;
  const right = operand[0] ?? null;
  if (left === null || right === null) out.push(left ?? right);
  else out.push(...pasted(left, right));
  for (let index = 1; index < operand.length; index++) out.push(operand[index] ?? null);
}

/** Both tokens as one; both as they are where they make no single token. */
function pasted(left: Token, right: Token): Token[] {
  const text = left.text + right.text;
  const [only, ...others] = lex("", text).tokens;
  if (only === undefined || others.length > 0 || only.text !== text) return [left, right];
  return [madeToken(left, only.kind, text)];
}

function stringified(hash: Token, tokens: readonly Token[], use: MacroUse): Token {
  let text = "";
  for (const token of tokens) {
    if (text !== "" && (token.spaceBefore || token.startsLine)) text += " ";
    const isLiteral = token.kind === "string" || token.kind === "character";
    text += isLiteral ? token.text.replace(/[\\"]/g, "\\$&") : token.text;
  }
  return tokenWithUse(madeToken(hash, "string", `"${text}"`), use);
}

/** The text that a string literal stands for, as `_Pragma` reads it. */
export function destringized(literal: Token): string {
  const { text } = literal;
  return text.slice(text.indexOf('"') + 1, text.lastIndexOf('"')).replace(/\\([\\"])/g, "$1");
}

/** `NAME`, `NAME(a, b)`. */
export function headText({ name, parameters }: Macro): string {
  return parameters === null ? name : `${name}(${parameters.join(", ")})`;
}
