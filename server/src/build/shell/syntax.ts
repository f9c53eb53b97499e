// A shell's text as a tree: the part of sh and bash that people use to build. Words stay as typed, with their quotes.
import type { Origin } from "../flags.ts";
import { originAt, slice, type Text } from "../worlds/text.ts";

export type Node =
  | {
      readonly kind: "simple";
      readonly assignments: readonly Setting[];
      readonly words: readonly Text[];
      readonly origin: Origin;
    }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "and" | "or"; readonly left: Node; readonly right: Node }
  | { readonly kind: "pipe"; readonly parts: readonly Node[] }
  | { readonly kind: "not"; readonly body: Node }
  | { readonly kind: "if"; readonly arms: readonly Arm[]; readonly otherwise: Node | null }
  | {
      readonly kind: "for";
      readonly name: string;
      readonly words: readonly Text[] | null;
      readonly body: Node;
    }
  | {
      readonly kind: "while";
      readonly until: "true" | "false";
      readonly condition: Node;
      readonly body: Node;
    }
  | {
      readonly kind: "case";
      readonly subject: Text;
      readonly arms: readonly { readonly patterns: readonly Text[]; readonly body: Node }[];
    }
  | { readonly kind: "function"; readonly name: string; readonly body: Node }
  | { readonly kind: "subshell"; readonly body: Node }
  | { readonly kind: "arithmetic"; readonly text: Text };

export interface Arm {
  readonly condition: Node;
  readonly body: Node;
}

/** `NAME=value`, `NAME+=value`, `NAME=(a b)`. */
export interface Setting {
  readonly name: string;
  readonly appends: boolean;
  readonly value: Text | readonly Text[];
}

/** The tree of `text`; what can't be read is left out, up to the end where need be. */
export function parseShell(text: Text): Node {
  const reader = new Reader(text);
  const parts: Node[] = [];
  while (!reader.isAtEnd()) {
    const before = reader.at;
    parts.push(...reader.sequence());
    // A word such as "done" that closes nothing.
    if (reader.at === before) reader.token();
  }
  return { kind: "sequence", parts };
}

type Token =
  | { readonly kind: "word"; readonly text: Text; readonly end: number }
  | { readonly kind: "operator"; readonly text: string; readonly end: number }
  | { readonly kind: "end"; readonly end: number };

const operators = ["&&", "||", ";;&", ";;", ";&", "|&", ";", "|", "&", "(", ")", "\n"];
const redirection = /^(?:\d*|&)(?:>>|>\||>&|<&|<>|<<<|<<-|<<|>|<)/;
const closers = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);
const deepest = 60;

class Reader {
  at = 0;
  private depth = 0;
  private readonly text: Text;
  private readonly string: string;
  /** Ends of here-documents that the next line begins. */
  private readonly pending: { readonly word: string; readonly strips: boolean }[] = [];

  constructor(text: Text) {
    this.text = text;
    this.string = text.string;
  }

  isAtEnd(): boolean {
    this.skipNewlines();
    return this.peek().kind === "end";
  }

  /** Commands up to a word or operator that closes what is around them. */
  sequence(): Node[] {
    const parts: Node[] = [];
    if (++this.depth > deepest) {
      this.at = this.string.length;
      this.depth--;
      return parts;
    }
    for (;;) {
      this.skipNewlines();
      const token = this.peek();
      if (token.kind === "end") break;
      if (token.kind === "operator" && [")", ";;", ";&", ";;&"].includes(token.text)) break;
      if (token.kind === "word" && closers.has(token.text.string)) break;
      if (token.kind === "operator" && token.text !== "(") {
        this.at = token.end;
        continue;
      }
      const before = this.at;
      parts.push(this.andOr());
      if (this.at === before) break;
    }
    this.depth--;
    return parts;
  }

  private body(): Node {
    return { kind: "sequence", parts: this.sequence() };
  }

  private andOr(): Node {
    let left = this.pipeline();
    for (;;) {
      const token = this.peek();
      if (token.kind !== "operator" || (token.text !== "&&" && token.text !== "||")) return left;
      this.at = token.end;
      this.skipNewlines();
      left = { kind: token.text === "&&" ? "and" : "or", left, right: this.pipeline() };
    }
  }

  private pipeline(): Node {
    const first = this.peek();
    if (first.kind === "word" && first.text.string === "!") {
      this.at = first.end;
      return { kind: "not", body: this.pipeline() };
    }
    const parts = [this.command()];
    for (;;) {
      const token = this.peek();
      if (token.kind !== "operator" || (token.text !== "|" && token.text !== "|&")) break;
      this.at = token.end;
      this.skipNewlines();
      parts.push(this.command());
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "pipe", parts };
  }

  private command(): Node {
    const token = this.peek();
    if (token.kind === "operator" && token.text === "(") {
      if (this.string.startsWith("((", token.end - 1)) return this.arithmetic(token.end + 1);
      this.at = token.end;
      const body = this.body();
      this.expectOperator(")");
      return this.behindRedirections({ kind: "subshell", body });
    }
    if (token.kind !== "word") return this.simple();
    switch (token.text.string) {
      case "if":
        this.at = token.end;
        return this.behindRedirections(this.conditional());
      case "for":
      case "select":
        this.at = token.end;
        return this.behindRedirections(this.loop());
      case "while":
      case "until": {
        this.at = token.end;
        const condition = this.body();
        this.expect("do");
        const body = this.body();
        this.expect("done");
        return this.behindRedirections({
          kind: "while",
          until: token.text.string === "while" ? "false" : "true",
          condition,
          body,
        });
      }
      case "case":
        this.at = token.end;
        return this.choice();
      case "{": {
        this.at = token.end;
        const body = this.body();
        this.expect("}");
        return this.behindRedirections(body);
      }
      case "function": {
        this.at = token.end;
        const name = this.word();
        this.skipParentheses();
        this.skipNewlines();
        return { kind: "function", name: name?.string ?? "", body: this.command() };
      }
      default:
        return this.functionOrSimple(token.text, token.end);
    }
  }

  private functionOrSimple(name: Text, end: number): Node {
    if (/^[\w.:-]+$/.test(name.string) && /^[ \t]*\([ \t]*\)/.test(this.string.slice(end, end + 40))) {
      this.at = end;
      this.skipParentheses();
      this.skipNewlines();
      return { kind: "function", name: name.string, body: this.command() };
    }
    return this.simple();
  }

  private skipParentheses(): void {
    const match = /^[ \t]*\([ \t]*\)/.exec(this.string.slice(this.at, this.at + 40));
    if (match !== null) this.at += match[0].length;
  }

  private conditional(): Node {
    const arms: Arm[] = [];
    let otherwise: Node | null = null;
    for (;;) {
      const condition = this.body();
      this.expect("then");
      arms.push({ condition, body: this.body() });
      if (this.accept("elif")) continue;
      if (this.accept("else")) otherwise = this.body();
      this.expect("fi");
      return { kind: "if", arms, otherwise };
    }
  }

  private loop(): Node {
    const next = this.peek();
    if (next.kind === "operator" && next.text === "(") {
      const head = this.arithmetic(next.end + 1);
      this.skipNewlines();
      this.expect("do");
      const body = this.body();
      this.expect("done");
      return { kind: "while", until: "false", condition: head, body };
    }
    const name = this.word()?.string ?? "";
    this.skipNewlines();
    let words: Text[] | null = null;
    if (this.accept("in")) {
      words = [];
      for (let token = this.peek(); token.kind === "word"; token = this.peek()) {
        words.push(token.text);
        this.at = token.end;
      }
    }
    this.skipNewlines();
    this.expect("do");
    const body = this.body();
    this.expect("done");
    return { kind: "for", name, words, body };
  }

  private choice(): Node {
    const subject = this.word();
    this.skipNewlines();
    this.expect("in");
    const arms: { patterns: Text[]; body: Node }[] = [];
    for (;;) {
      this.skipNewlines();
      const before = this.at;
      if (this.accept("esac") || this.peek().kind === "end") break;
      this.acceptOperator("(");
      const patterns: Text[] = [];
      for (let token = this.peek(); token.kind === "word"; token = this.peek()) {
        patterns.push(token.text);
        this.at = token.end;
        if (!this.acceptOperator("|")) break;
      }
      this.expectOperator(")");
      const body = this.body();
      arms.push({ patterns, body });
      if (!this.acceptOperator(";;") && !this.acceptOperator(";&")) this.acceptOperator(";;&");
      if (this.at === before) break;
    }
    return { kind: "case", subject: subject ?? this.text, arms };
  }

  /** `((…))`, whose inside begins at `from`. */
  private arithmetic(from: number): Node {
    const end = this.string.indexOf("))", from);
    this.at = end === -1 ? this.string.length : end + 2;
    return { kind: "arithmetic", text: slice(this.text, from, end === -1 ? this.string.length : end) };
  }

  private simple(): Node {
    const origin = originAt(this.text, this.at) ?? { file: "", line: 1 };
    const assignments: Setting[] = [];
    const words: Text[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.skipRedirection()) continue;
      const token = this.peek();
      if (token.kind !== "word") break;
      const setting = /^([A-Za-z_]\w*)(\+?)=/.exec(token.text.string);
      const declares = /^(?:export|local|declare|readonly|typeset)$/.test(words[0]?.string ?? "");
      if (setting !== null && (words.length === 0 || declares)) {
        const [whole = "", name = "", plus = ""] = setting;
        this.at = token.end;
        const isList = token.text.string === whole && this.string[this.at] === "(";
        const value = isList ? this.list() : slice(token.text, whole.length);
        assignments.push({ name, appends: plus === "+", value });
        continue;
      }
      this.at = token.end;
      words.push(token.text);
    }
    return { kind: "simple", assignments, words, origin };
  }

  /** `(a b c)` behind the name of a list. */
  private list(): Text[] {
    this.at++;
    const words: Text[] = [];
    for (;;) {
      this.skipNewlines();
      const token = this.peek();
      if (token.kind === "end") return words;
      this.at = token.end;
      if (token.kind === "operator" && token.text === ")") return words;
      if (token.kind === "word") words.push(token.text);
    }
  }

  private skipRedirection(): boolean {
    const match = redirection.exec(this.string.slice(this.at, this.at + 12));
    if (match === null) return false;
    this.at += match[0].length;
    this.skipBlanks();
    const token = this.peek();
    if (token.kind !== "word") return true;
    this.at = token.end;
    if (match[0].endsWith("<<") || match[0].endsWith("<<-"))
      this.pending.push({ word: token.text.string.replace(/["'\\]/g, ""), strips: match[0].endsWith("-") });
    return true;
  }

  private behindRedirections(node: Node): Node {
    this.skipBlanks();
    while (this.skipRedirection()) this.skipBlanks();
    return node;
  }

  private word(): Text | null {
    const token = this.peek();
    if (token.kind !== "word") return null;
    this.at = token.end;
    return token.text;
  }

  private accept(word: string): boolean {
    this.skipNewlines();
    const token = this.peek();
    if (token.kind !== "word" || token.text.string !== word) return false;
    this.at = token.end;
    return true;
  }

  private expect(word: string): void {
    this.accept(word);
  }

  private acceptOperator(operator: string): boolean {
    this.skipBlanks();
    const token = this.peek();
    if (token.kind !== "operator" || token.text !== operator) return false;
    this.at = token.end;
    return true;
  }

  private expectOperator(operator: string): void {
    this.skipNewlines();
    this.acceptOperator(operator);
  }

  /** Takes whatever comes. */
  token(): void {
    const token = this.peek();
    this.at = Math.max(token.end, this.at + 1);
  }

  private skipBlanks(): void {
    for (;;) {
      const character = this.string[this.at];
      if (character === " " || character === "\t" || character === "\r") this.at++;
      else if (character === "\\" && this.string[this.at + 1] === "\n") this.at += 2;
      else if (character === "#" && isWordStart(this.string, this.at)) {
        const end = this.string.indexOf("\n", this.at);
        this.at = end === -1 ? this.string.length : end;
      } else return;
    }
  }

  private skipNewlines(): void {
    for (;;) {
      this.skipBlanks();
      if (this.string[this.at] === "\n") this.passLine();
      else if (
        this.string[this.at] === ";" &&
        this.string[this.at + 1] !== ";" &&
        this.string[this.at + 1] !== "&"
      )
        this.at++;
      else return;
    }
  }

  /** Goes to the next line, past the here-documents that begin there. */
  private passLine(): void {
    this.at++;
    for (const { word, strips } of this.pending.splice(0)) {
      while (this.at < this.string.length) {
        const end = this.string.indexOf("\n", this.at);
        const line = this.string.slice(this.at, end === -1 ? undefined : end);
        this.at = end === -1 ? this.string.length : end + 1;
        if ((strips ? line.replace(/^\t+/, "") : line) === word) break;
      }
    }
  }

  private peek(): Token {
    this.skipBlanks();
    if (this.at >= this.string.length) return { kind: "end", end: this.string.length };
    const operator = operators.find((one) => this.string.startsWith(one, this.at));
    if (operator === "\n" && this.pending.length > 0) {
      const start = this.at;
      this.passLine();
      const end = this.at;
      this.at = start;
      return { kind: "operator", text: "\n", end };
    }
    if (operator !== undefined) return { kind: "operator", text: operator, end: this.at + operator.length };
    const end = wordEnd(this.string, this.at);
    if (end === this.at) return { kind: "operator", text: this.string[this.at] ?? "", end: this.at + 1 };
    return { kind: "word", text: slice(this.text, this.at, end), end };
  }
}

function isWordStart(string: string, at: number): boolean {
  return at === 0 || /[\s;&|()]/.test(string[at - 1] ?? "");
}

/** The place behind the word that begins at `from`. */
function wordEnd(string: string, from: number): number {
  let at = from;
  while (at < string.length) {
    const character = string[at] ?? "";
    if (character === "\\") at += 2;
    else if (character === "'") at = endOfQuote(string, at);
    else if (character === '"') at = endOfDoubleQuote(string, at);
    else if (character === "`") at = endOfBackquote(string, at);
    else if (character === "$") at = endOfParameter(string, at);
    else if (/[\s;&|()<>]/.test(character)) break;
    else at++;
  }
  return Math.min(at, string.length);
}

function endOfQuote(string: string, at: number): number {
  const end = string.indexOf("'", at + 1);
  return end === -1 ? string.length : end + 1;
}

export function endOfBackquote(string: string, at: number): number {
  for (let index = at + 1; index < string.length; index++) {
    if (string[index] === "\\") index++;
    else if (string[index] === "`") return index + 1;
  }
  return string.length;
}

export function endOfDoubleQuote(string: string, from: number): number {
  let at = from + 1;
  while (at < string.length) {
    const character = string[at];
    if (character === "\\") at += 2;
    else if (character === '"') return at + 1;
    else if (character === "$") at = endOfParameter(string, at);
    else if (character === "`") at = endOfBackquote(string, at);
    else at++;
  }
  return string.length;
}

/** The place behind the expansion that the "$" at `at` begins. */
export function endOfParameter(string: string, at: number): number {
  const next = string[at + 1] ?? "";
  if (next === "(") return endOfBrackets(string, at + 1, "(", ")");
  if (next === "{") return endOfBrackets(string, at + 1, "{", "}");
  const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(string.slice(at + 1, at + 200));
  return at + 1 + (name?.[0].length ?? 0);
}

function endOfBrackets(string: string, from: number, open: string, close: string): number {
  let depth = 0;
  let at = from;
  while (at < string.length) {
    const character = string[at] ?? "";
    if (character === "\\") at += 2;
    else if (character === "'" && open === "(") at = endOfQuote(string, at);
    else if (character === '"') at = endOfDoubleQuote(string, at);
    else {
      if (character === open) depth++;
      else if (character === close && --depth === 0) return at + 1;
      at++;
    }
  }
  return string.length;
}
