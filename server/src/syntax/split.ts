// Cuts a token stream into top-level declarations, so that a syntax error, or text typed by half, harms its own declaration only.
import type { Token } from "../preprocess/token.ts";

/** Tokens `start` (inclusive) to `end` (exclusive) are one declaration. */
export interface DeclarationSpan {
  readonly start: number;
  readonly end: number;
  readonly namespaces: readonly string[];
  /** It ends by itself; one that does not ends where something else seems to begin. */
  readonly isClosed: boolean;
}

interface OpenScope {
  /** Namespaces that the scope adds: one, several for `a::b`, none for `extern "C"`. */
  readonly names: readonly string[];
}

// Each unclosed declaration costs a look at all that follows.
const UNCLOSED_DECLARATIONS = 50;

/** The declarations of `tokens` in order; stray braces and semicolons between them belong to none. */
export function splitDeclarations(tokens: readonly Token[]): DeclarationSpan[] {
  const spans: DeclarationSpan[] = [];
  const scopes: OpenScope[] = [];
  let namespaces: readonly string[] = [];
  let unclosed = 0;
  let at = 0;
  while (at < tokens.length) {
    const text = tokens[at]?.text;
    if (text === "}" || text === ";") {
      if (text === "}") scopes.pop();
      namespaces = scopes.flatMap(({ names }) => names);
      at++;
      continue;
    }
    const scope = openedScope(tokens, at);
    if (scope !== null) {
      scopes.push(scope);
      namespaces = scopes.flatMap(({ names }) => names);
      at = scope.next;
      continue;
    }
    const found = declarationEnd(
      tokens,
      at,
      unclosed > UNCLOSED_DECLARATIONS ? "next start" : "closing brace",
    );
    if (found.ending === "none") unclosed++;
    const end = Math.max(at + 1, found.end);
    if (!isInstantiatedElsewhere(tokens, at))
      spans.push({ start: at, end, namespaces, isClosed: found.ending === "its own" });
    at = end;
  }
  return spans;
}

/** `extern template …`: what it names is instantiated elsewhere, and the grammar does not know it. */
function isInstantiatedElsewhere(tokens: readonly Token[], start: number): boolean {
  return tokens[start]?.text === "extern" && tokens[start + 1]?.text === "template";
}

/** `namespace a::b {`, `inline namespace {`, `extern "C" {` at `start`; null where there is none. */
function openedScope(
  tokens: readonly Token[],
  start: number,
): (OpenScope & { readonly next: number }) | null {
  let at = start;
  if (tokens[at]?.text === "extern") {
    const isLinkage = tokens[at + 1]?.kind === "string" && tokens[at + 2]?.text === "{";
    return isLinkage ? { names: [], next: at + 3 } : null;
  }
  const isInline = tokens[at]?.text === "inline";
  if (isInline) at++;
  if (tokens[at]?.text !== "namespace") return null;
  const names: string[] = [];
  for (at++; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.text === "{") {
      // Names of an inline namespace are found in the one around it.
      return { names: isInline ? [] : names.length > 0 ? names : [""], next: at + 1 };
    }
    if (token?.kind === "identifier" && token.text !== "inline") names.push(token.text);
    else if (token?.text !== "::" && token?.text !== "inline") return null;
  }
  return null;
}

interface DeclarationEnd {
  readonly end: number;
  /** "none": the braces never close. */
  readonly ending: "its own" | "interrupted" | "none";
}

/**
 * Where the declaration from `start` on ends. One whose braces never close ends where the next seems to begin; `until` says
 * whether to look for the closing brace first.
 */
function declarationEnd(
  tokens: readonly Token[],
  start: number,
  until: "closing brace" | "next start",
): DeclarationEnd {
  const head = new Head();
  let nextStart = -1;
  let depth = 0;
  for (let at = afterTemplateHead(tokens, start); at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const { text } = token;
    if (token.kind === "identifier") {
      const isInside = depth > 0 || head.isBegun;
      if (isInside && text === "__global__" && !isFriend(tokens, at))
        return { end: restartBefore(tokens, start, at), ending: "interrupted" };
      if (isInside && isAtMargin(token) && STARTS_DECLARATION.has(text)) {
        if (until === "next start") return { end: at, ending: "interrupted" };
        if (nextStart === -1) nextStart = at;
      }
      if (depth === 0) head.read(token);
    } else if (text === "{") {
      if (depth === 0) head.openBrace(tokens[at - 1]);
      depth++;
    } else if (text === "}") {
      if (depth === 0) return { end: at, ending: "interrupted" };
      depth--;
      if (depth === 0 && head.endsWithBody && !CONTINUES.has(tokens[at + 1]?.text ?? ""))
        return { end: at + 1, ending: "its own" };
    } else if (depth === 0) {
      if (text === ";") return { end: at + 1, ending: "its own" };
      head.read(token);
    }
  }
  return { end: nextStart === -1 ? tokens.length : nextStart, ending: "none" };
}

/** What the tokens of a declaration outside of braces say about the brace that follows. */
class Head {
  /** It has got further than specifiers: a `__global__` now begins another declaration. */
  isBegun = false;
  /** The last brace opened a function's body, with which the declaration ends. */
  endsWithBody = false;
  private hasParameters = false;
  private parentheses = 0;
  private hasInitialiser = false;
  private namesRecord = false;

  read(token: Token): void {
    const { text } = token;
    if (text === "(") {
      this.hasParameters = true;
      this.isBegun = true;
      this.parentheses++;
    } else if (text === ")") {
      this.parentheses--;
    } else if (text === "=") {
      this.isBegun = true;
      // That of a default argument begins no initialiser of what is declared.
      this.hasInitialiser ||= !this.isOperatorName && this.parentheses === 0;
    } else if (RECORDS.has(text)) this.namesRecord = true;
    else if (token.kind === "punctuator" && !AMONG_SPECIFIERS.has(text)) this.isBegun = true;
    this.isOperatorName = text === "operator";
  }

  openBrace(before: Token | undefined): void {
    this.isBegun = true;
    const isRecord = this.namesRecord && before?.text !== ")" && !AFTER_PARAMETERS.has(before?.text ?? "");
    const isArgument = this.parentheses > 0;
    this.endsWithBody = this.hasParameters && !this.hasInitialiser && !isRecord && !isArgument;
  }

  private isOperatorName = false;
}

/** Anything else before a `__global__` belongs to what was pasted around the kernel: prose, the end of a statement. */
const AMONG_SPECIFIERS = new Set(["::", "<", ">", ">>", ",", "*", "&", "&&", "[", "]", "..."]);
const RECORDS = new Set(["struct", "class", "union", "enum", "typedef"]);
const AFTER_PARAMETERS = new Set(["const", "noexcept", "override", "final", "mutable"]);
/** After the brace of a member initialiser `a{1}` the head goes on, and after the body of a function that is a try block its handlers. */
const CONTINUES = new Set([",", "{", "catch"]);
const STARTS_DECLARATION = new Set(
  "template __device__ __host__ __constant__ static void int float double bool unsigned struct class enum namespace using typedef extern inline constexpr const auto".split(
    " ",
  ),
);

/** The index behind `template <…> requires … template <…>` at `start`, if it stands there: its parameters say `class` and `=` too. */
export function afterTemplateHead(tokens: readonly Token[], start: number): number {
  let at = start;
  while (tokens[at]?.text === "template" && tokens[at + 1]?.text === "<") {
    const end = templateHeadEnd(tokens, at + 1);
    if (end === -1) return at;
    at = tokens[end]?.text === "requires" ? afterConstraint(tokens, end + 1) : end;
  }
  return at;
}

/** The index behind a constraint at `start`: names, what stands in parentheses, and `requires { … }`, joined by `&&` and `||`. */
function afterConstraint(tokens: readonly Token[], start: number): number {
  let at = start;
  for (;;) {
    if (tokens[at]?.text === "requires") {
      const brace = tokens[at + 1]?.text === "(" ? afterBrackets(tokens, at + 1) : at + 1;
      at = afterBrackets(tokens, brace);
    } else if (tokens[at]?.text === "(") at = afterBrackets(tokens, at);
    else at = afterQualifiedName(tokens, at);
    const joins = tokens[at]?.text === "&&" || tokens[at]?.text === "||";
    if (!joins) return at;
    at++;
  }
}

/** The index behind `a::b<c>::d` at `start`. */
function afterQualifiedName(tokens: readonly Token[], start: number): number {
  let at = start;
  for (;;) {
    if (tokens[at]?.text === "::") at++;
    if (tokens[at]?.kind !== "identifier") return at;
    at++;
    const end = tokens[at]?.text === "<" ? templateHeadEnd(tokens, at) : -1;
    if (end !== -1) at = end;
    if (tokens[at]?.text !== "::") return at;
  }
}

/** The index behind the bracket that closes the one at `open`. */
function afterBrackets(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? "";
    if (text === "(" || text === "{" || text === "[") depth++;
    else if (text === ")" || text === "}" || text === "]") depth--;
    if (depth <= 0) return at + 1;
  }
  return tokens.length;
}

/** The index after the `>` that closes the `<` at `open`; -1 where a brace or semicolon comes first. */
function templateHeadEnd(tokens: readonly Token[], open: number): number {
  let angles = 0;
  let brackets = 0;
  for (let at = open; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? "";
    if (text === "(" || text === "[") brackets++;
    else if (text === ")" || text === "]") brackets--;
    else if (text === "{" || text === "}" || text === ";") return -1;
    else if (brackets > 0) continue;
    else if (text === "<") angles++;
    else if (text === ">" || text === ">>") angles -= text.length;
    if (angles <= 0) return at + 1;
  }
  return -1;
}

function isFriend(tokens: readonly Token[], at: number): boolean {
  for (let index = at; index > at - 6; index--) if (tokens[index]?.text === "friend") return true;
  return false;
}

/** Where the declaration begins whose `__global__` at `at` interrupts another that began at `start`. */
function restartBefore(tokens: readonly Token[], start: number, at: number): number {
  let from = at;
  while (from > start + 1 && tokens[from]?.startsLine === false) from--;
  const closesTemplate = tokens[from - 1]?.text === ">" || tokens[from - 1]?.text === ">>";
  if (closesTemplate) {
    for (let index = from - 1; index > start && index > from - 200; index--) {
      if (tokens[index]?.text === "template") return index;
    }
  }
  return from;
}

/** Whether the token stands in the first column of its line, as the user typed it. */
function isAtMargin(token: Token): boolean {
  if (!token.startsLine || token.use !== null) return false;
  return token.start === 0 || token.file.text.charCodeAt(token.start - 1) === NEWLINE;
}

const NEWLINE = 10;
