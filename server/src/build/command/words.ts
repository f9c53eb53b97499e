// Text to words: as a POSIX shell, as Windows, as nvcc's lists and as files of options. Nothing is executed; what a shell would have to run or look up is a hole.
import { type ControlOperator, type GlobPattern, parse } from "shell-quote";
import type { Origin } from "../flags.ts";
import type { CommandWord, CompilerDialect } from "./command.ts";

/** The value of a shell variable; null where it is not known. */
export type VariableLookup = (name: string) => string | null;

/** A word, or an operator between words: "&&", ";", "|", ">". */
export type ShellToken = CommandWord | { readonly operator: string };

/** The words of a command line as sh would part them; operators are left out. */
export function shellWords(text: string, origin: Origin, lookup?: VariableLookup): CommandWord[] {
  return shellTokens(text, origin, lookup).flatMap((token) => ("operator" in token ? [] : [token]));
}

/** The words and operators of a command line as sh would part them. A line's end is the operator ";", unless a backslash stands before it. */
export function shellTokens(text: string, origin: Origin, lookup: VariableLookup = () => null): ShellToken[] {
  if (looksLikeWindows(text)) {
    return windowsWords(text).map((word) => ({ text: word, origin, hole: null, doubt: null }));
  }
  const { prepared, substitutions } = withoutSubstitutions(text);
  const tokens: ShellToken[] = [];
  let entries: ReturnType<typeof parse>;
  try {
    entries = parse(
      prepared,
      (name) =>
        /^[A-Za-z_]\w*$/.test(name)
          ? (lookup(name) ?? `${opening}$${name}${closing}`)
          : `${opening}$${bracketed(name)}${closing}`,
      { splitUnquoted: true },
    );
  } catch {
    return [{ text: text.trim(), origin, hole: "this can't be read as a shell would", doubt: null }];
  }
  for (const entry of entries) {
    if (typeof entry === "string") tokens.push(wordOf(entry, substitutions, origin));
    else if (isGlob(entry)) tokens.push(wordOf(entry.pattern, substitutions, origin));
    else if (isOperator(entry)) tokens.push({ operator: entry.op });
  }
  return tokens.map((token) => ("text" in token && token.text === lineEnd ? { operator: ";" } : token));
}

/** `"a,b",c` as nvcc parts the value of an option: by commas out of double quotes; a backslash takes the next character as it is. Quotes stay. */
export function nvccList(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\" && at + 1 < text.length) {
      part += text.charAt(++at);
    } else if (character === "," && !isQuoted) {
      parts.push(part);
      part = "";
    } else {
      if (character === '"') isQuoted = !isQuoted;
      part += character;
    }
  }
  parts.push(part);
  return parts.filter((one) => one !== "");
}

/** The words of a file of options (`@file`, `--options-file`): quotes and backslashes as gcc has them; to nvcc "'" is a character as any other. */
export function optionsFileWords(
  text: string,
  dialect: CompilerDialect,
): { readonly text: string; readonly line: number }[] {
  const words: { text: string; line: number }[] = [];
  let word: string | null = null;
  let quote = "";
  let line = 1;
  let start = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\n") line++;
    if (quote === "" && /\s/.test(character)) {
      if (word !== null) words.push({ text: word, line: start });
      word = null;
      continue;
    }
    if (word === null) start = line;
    word ??= "";
    if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || (character === "'" && dialect === "gcc")))
      quote = character;
    else if (character === "\\" && dialect !== "msvc" && quote !== "'" && at + 1 < text.length)
      word += text.charAt(++at);
    else word += character;
  }
  if (word !== null) words.push({ text: word, line: start });
  return words;
}

function isGlob(entry: object): entry is GlobPattern {
  return "op" in entry && entry.op === "glob";
}

function isOperator(entry: object): entry is ControlOperator {
  return "op" in entry && entry.op !== "glob";
}

/** Characters of Unicode's private use, which no build file holds: around a hole, in place of "#" within a word and of the end of a line. */
const opening = "\u{E000}";
const closing = "\u{E001}";
const hash = "\u{E002}";
const lineEnd = "\u{E003}";

function bracketed(name: string): string {
  return `{${name}}`;
}

function wordOf(text: string, substitutions: readonly string[], origin: Origin): CommandWord {
  let hole: string | null = null;
  const plain = text.replaceAll(hash, "#").replace(/\u{E000}([^\u{E001}]*)\u{E001}/gu, (_, inner: string) => {
    const substitution = /^\d+$/.test(inner) ? substitutions[Number(inner)] : undefined;
    hole ??=
      substitution === undefined
        ? `the variable ${inner} is not known`
        : "the output of a command is not known";
    return substitution ?? inner;
  });
  return { text: plain, origin, hole, doubt: null };
}

/** The text with command substitutions replaced by numbered holes, joined lines joined, and ends of lines and "#" within words marked. */
function withoutSubstitutions(text: string): { prepared: string; substitutions: string[] } {
  const substitutions: string[] = [];
  let prepared = "";
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote === "'") {
      if (character === "'") quote = "";
      prepared += character;
    } else if (character === "\\") {
      if (next !== "\n") prepared += character + next;
      at++;
    } else if (character === "`" || (character === "$" && next === "(")) {
      const end = character === "`" ? text.indexOf("`", at + 1) : closingParenthesis(text, at + 1);
      const last = end === -1 ? text.length - 1 : end;
      prepared += `${opening}${substitutions.length}${closing}`;
      substitutions.push(text.slice(at, last + 1));
      at = last;
    } else if (character === "#" && quote === "" && /[^\s;&|()]/.test(text.charAt(at - 1))) {
      prepared += hash;
    } else if (character === "#" && quote === "") {
      const end = text.indexOf("\n", at);
      at = (end === -1 ? text.length : end) - 1;
    } else if (character === "\n" && quote === "") {
      prepared += ` ${lineEnd} `;
    } else {
      if (character === '"') quote = quote === '"' ? "" : '"';
      else if (character === "'" && quote === "") quote = "'";
      prepared += character;
    }
  }
  return { prepared, substitutions };
}

function closingParenthesis(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at;
  }
  return -1;
}

/** A command line that Windows' own tools wrote: it begins with a drive, or holds backslashes where a path to a program ends. */
function looksLikeWindows(text: string): boolean {
  return /^\s*"?[A-Za-z]:[\\/]/.test(text) || /^\s*"?[^\s"]*\\[^\s"\\]+\.exe\b/i.test(text);
}

/** As CommandLineToArgvW parts words: 2n backslashes before a quote are n, one more makes the quote a character. */
function windowsWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (/\s/.test(character) && !isQuoted) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word ??= "";
    const slashes = /^\\+(?=")/.exec(text.slice(at, at + 64))?.[0].length ?? 0;
    if (slashes > 0) {
      word += "\\".repeat(slashes >> 1);
      at += slashes - 1;
      if (slashes % 2 === 1) {
        word += '"';
        at++;
      }
    } else if (character === '"') isQuoted = !isQuoted;
    else word += character;
  }
  if (word !== null) words.push(word);
  return words;
}
