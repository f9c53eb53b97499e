// Python's expressions, by recursive descent.

import { lineAt, lineStarts } from "../command/lines.ts";
import { expect, isAt, NotPython, nameToken, next, type Parser, peek, take, textFrom } from "./parser.ts";
import type { Argument, Clause, Expression, Parameter } from "./syntax.ts";
import { type PythonToken, pythonTokens, unescaped } from "./tokens.ts";

const maximumDepth = 200;

export function parameterList(parser: Parser, end: string): Parameter[] {
  const parameters: Parameter[] = [];
  while (!isAt(parser, end) && peek(parser).kind !== "end") {
    const star = take(parser, "**") ? "**" : take(parser, "*") ? "*" : "";
    if (take(parser, "/") || (star === "*" && isAt(parser, ","))) {
      take(parser, ",");
      continue;
    }
    const name = nameToken(parser);
    if (end === ")" && take(parser, ":")) expression(parser);
    const fallback = take(parser, "=") ? expression(parser) : null;
    parameters.push({ name, star, fallback });
    if (!take(parser, ",")) break;
  }
  return parameters;
}

/** One expression, or a tuple without parentheses. */
export function expressionList(parser: Parser): Expression {
  const { line } = peek(parser);
  const first = starred(parser);
  if (!isAt(parser, ",") && first.star === "") return first.value;
  const items = [first];
  while (take(parser, ",")) {
    const { kind, text } = peek(parser);
    if (kind === "newline" || kind === "end" || (kind === "operator" && /^[=)\]};:]$/.test(text))) break;
    items.push(starred(parser));
  }
  return { kind: "sequence", shape: "tuple", items, line };
}

function starred(parser: Parser): Argument {
  const star = take(parser, "*") ? "*" : "";
  return { name: null, star, value: expression(parser) };
}

export function targetList(parser: Parser): Expression {
  const { line } = peek(parser);
  const items: Argument[] = [];
  do {
    if (isAt(parser, "in")) break;
    const star = take(parser, "*") ? "*" : "";
    items.push({ name: null, star, value: primary(parser) });
  } while (take(parser, ","));
  const [only] = items;
  if (only === undefined) throw new NotPython();
  return items.length === 1 ? only.value : { kind: "sequence", shape: "tuple", items, line };
}

export function expression(parser: Parser): Expression {
  if (++parser.depth > maximumDepth) throw new NotPython();
  const value = expressionAtDepth(parser);
  parser.depth--;
  return value;
}

function expressionAtDepth(parser: Parser): Expression {
  const { line } = peek(parser);
  if (take(parser, "lambda")) {
    const parameters = parameterList(parser, ":");
    expect(parser, ":");
    return { kind: "lambda", parameters, body: expression(parser), line };
  }
  if (take(parser, "await") || take(parser, "yield"))
    return { kind: "unknown", text: textFrom(parser, parser.at - 1), line };
  const then = logical(parser, "or");
  if (isAt(parser, ":=")) {
    parser.at++;
    return expression(parser);
  }
  if (!isAt(parser, "if")) return then;
  parser.at++;
  const start = parser.at;
  const test = logical(parser, "or");
  const text = textFrom(parser, start);
  expect(parser, "else");
  return { kind: "conditional", test, then, otherwise: expression(parser), text, line };
}

function logical(parser: Parser, operator: "or" | "and"): Expression {
  const { line } = peek(parser);
  const operand = (): Expression => (operator === "or" ? logical(parser, "and") : notTest(parser));
  let left = operand();
  while (take(parser, operator)) left = { kind: "logical", operator, left, right: operand(), line };
  return left;
}

function notTest(parser: Parser): Expression {
  const { line } = peek(parser);
  let count = 0;
  while (take(parser, "not")) count++;
  let value = comparison(parser);
  for (; count > 0; count--) value = { kind: "unary", operator: "not", operand: value, line };
  return value;
}

function comparison(parser: Parser): Expression {
  const { line } = peek(parser);
  let left = binary(parser, 0);
  let whole: Expression | null = null;
  for (;;) {
    const operator = comparisonOperator(parser);
    if (operator === null) return whole ?? left;
    const right = binary(parser, 0);
    const compared: Expression = { kind: "compare", operator, left, right, line };
    whole =
      whole === null ? compared : { kind: "logical", operator: "and", left: whole, right: compared, line };
    left = right;
  }
}

function comparisonOperator(parser: Parser): string | null {
  const { kind, text } = peek(parser);
  if (kind === "operator" && /^(?:[<>]=?|==|!=)$/.test(text)) {
    parser.at++;
    return text;
  }
  if (take(parser, "in")) return "in";
  if (isAt(parser, "not") && isAt(parser, "in", 1)) {
    parser.at += 2;
    return "not in";
  }
  if (take(parser, "is")) return take(parser, "not") ? "is not" : "is";
  return null;
}

const precedence: readonly (readonly string[])[] = [
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "//", "%", "@"],
];

function binary(parser: Parser, level: number): Expression {
  const operators = precedence[level];
  if (operators === undefined) return unary(parser);
  const { line } = peek(parser);
  let left = binary(parser, level + 1);
  while (peek(parser).kind === "operator" && operators.includes(peek(parser).text)) {
    const operator = next(parser).text;
    left = { kind: "binary", operator, left, right: binary(parser, level + 1), line };
  }
  return left;
}

function unary(parser: Parser): Expression {
  const { line, kind, text } = peek(parser);
  if (kind === "operator" && /^[-+~]$/.test(text)) {
    parser.at++;
    return { kind: "unary", operator: text, operand: unary(parser), line };
  }
  const base = primary(parser);
  if (!take(parser, "**")) return base;
  return { kind: "binary", operator: "**", left: base, right: unary(parser), line };
}

export function primary(parser: Parser): Expression {
  let value = atom(parser);
  for (;;) {
    const { line } = peek(parser);
    if (take(parser, ".")) value = { kind: "attribute", object: value, name: nameToken(parser), line };
    else if (take(parser, "(")) {
      const all = callArguments(parser);
      expect(parser, ")");
      value = { kind: "call", callee: value, arguments: all, line: value.line };
    } else if (take(parser, "[")) {
      value = subscript(parser, value, line);
      expect(parser, "]");
    } else return value;
  }
}

function subscript(parser: Parser, object: Expression, line: number): Expression {
  const bounds: (Expression | null)[] = [];
  let isSlice = false;
  let index: Expression | null = null;
  while (!isAt(parser, "]") && peek(parser).kind !== "end") {
    if (take(parser, ":")) {
      isSlice = true;
      bounds.push(index);
      index = null;
    } else index = expressionList(parser);
  }
  if (isSlice) return { kind: "slice", object, bounds: [...bounds, index], line };
  if (index === null) throw new NotPython();
  return { kind: "index", object, index, line };
}

export function callArguments(parser: Parser): Argument[] {
  const all: Argument[] = [];
  while (!isAt(parser, ")") && peek(parser).kind !== "end") {
    if (take(parser, "**")) all.push({ name: null, star: "**", value: expression(parser) });
    else if (take(parser, "*")) all.push({ name: null, star: "*", value: expression(parser) });
    else if (peek(parser).kind === "name" && isAt(parser, "=", 1)) {
      const name = nameToken(parser);
      parser.at++;
      all.push({ name, star: "", value: expression(parser) });
    } else {
      const value = expression(parser);
      const isGenerator = isAt(parser, "for") || isAt(parser, "async");
      all.push({
        name: null,
        star: "",
        value: isGenerator ? comprehension(parser, "list", null, value) : value,
      });
    }
    if (!take(parser, ",")) break;
  }
  return all;
}

function comprehension(
  parser: Parser,
  shape: "list" | "set" | "dict" | "tuple",
  key: Expression | null,
  element: Expression,
): Expression {
  const clauses: Clause[] = [];
  for (;;) {
    take(parser, "async");
    if (take(parser, "for")) {
      const target = targetList(parser);
      expect(parser, "in");
      clauses.push({ kind: "for", target, value: logical(parser, "or") });
    } else if (take(parser, "if")) clauses.push({ kind: "if", target: null, value: logical(parser, "or") });
    else return { kind: "comprehension", shape, key, element, clauses, line: element.line };
  }
}

function atom(parser: Parser): Expression {
  const token = next(parser);
  const { line, text } = token;
  if (token.kind === "string") return strings(parser, token);
  if (token.kind === "number") {
    const value = Number(text.replaceAll("_", "").replace(/[jJ]$/, ""));
    return { kind: "number", value, line };
  }
  if (token.kind === "name") {
    if (text === "True" || text === "False") return { kind: "constant", value: text === "True", line };
    if (text === "None") return { kind: "constant", value: null, line };
    if (keywords.has(text)) throw new NotPython();
    return { kind: "name", name: text, line };
  }
  if (text === "(" || text === "[") return sequence(parser, text === "(" ? ")" : "]", line);
  if (text === "{") return braces(parser, line);
  if (text === "...") return { kind: "constant", value: null, line };
  throw new NotPython();
}

const keywords = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

function sequence(parser: Parser, end: string, line: number): Expression {
  const items: Argument[] = [];
  let hasComma = false;
  while (!isAt(parser, end) && peek(parser).kind !== "end") {
    const item = starred(parser);
    if (items.length === 0 && (isAt(parser, "for") || isAt(parser, "async"))) {
      const whole = comprehension(parser, "list", null, item.value);
      expect(parser, end);
      return whole;
    }
    items.push(item);
    if (!take(parser, ",")) break;
    hasComma = true;
  }
  expect(parser, end);
  const [only] = items;
  if (end === ")" && items.length === 1 && only !== undefined && !hasComma) return only.value;
  return { kind: "sequence", shape: end === ")" ? "tuple" : "list", items, line };
}

function braces(parser: Parser, line: number): Expression {
  const entries: { key: Expression | null; value: Expression }[] = [];
  const items: Argument[] = [];
  while (!isAt(parser, "}") && peek(parser).kind !== "end") {
    if (take(parser, "**")) entries.push({ key: null, value: expression(parser) });
    else {
      const item = starred(parser);
      if (take(parser, ":")) {
        const value = expression(parser);
        if (isAt(parser, "for") || isAt(parser, "async")) {
          const whole = comprehension(parser, "dict", item.value, value);
          expect(parser, "}");
          return whole;
        }
        entries.push({ key: item.value, value });
      } else if (isAt(parser, "for")) {
        const whole = comprehension(parser, "set", null, item.value);
        expect(parser, "}");
        return whole;
      } else items.push(item);
    }
    if (!take(parser, ",")) break;
  }
  expect(parser, "}");
  return items.length > 0 ? { kind: "sequence", shape: "set", items, line } : { kind: "dict", entries, line };
}

/** A string and those behind it, which Python joins. */
function strings(parser: Parser, first: PythonToken): Expression {
  const parts: (string | Expression)[] = [];
  let token = first;
  for (;;) {
    if (/[ft]/.test(token.prefix)) parts.push(...formatParts(parser, token));
    else parts.push(token.prefix.includes("r") ? token.text : unescaped(token.text));
    if (peek(parser).kind !== "string") break;
    token = next(parser);
  }
  if (parts.every((part) => typeof part === "string"))
    return { kind: "string", value: parts.join(""), line: first.line };
  return { kind: "format", parts, line: first.line };
}

function formatParts(parser: Parser, token: PythonToken): (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  const plain = (text: string): string => (token.prefix.includes("r") ? text : unescaped(text));
  const { text } = token;
  const starts = lineStarts(text);
  let literal = "";
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if ((character === "{" || character === "}") && text.charAt(at + 1) === character) {
      literal += character;
      at++;
    } else if (character === "{") {
      const end = fieldEnd(text, at + 1);
      parts.push(plain(literal));
      literal = "";
      parts.push(field(text.slice(at + 1, end), token.line + lineAt(starts, at) - 1, parser.depth));
      at = end;
    } else literal += character;
  }
  parts.push(plain(literal));
  return parts;
}

function fieldEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (/[([{]/.test(character)) depth++;
    else if (character === "}" && depth === 0) return at;
    else if (/[)\]}]/.test(character)) depth--;
  }
  return text.length;
}

/** The expression in the braces of an f-string, without its conversion and format. */
function field(text: string, line: number, depth: number): Expression {
  const parser: Parser = {
    text,
    tokens: pythonTokens(text, line).filter(({ kind }) => kind !== "indent"),
    at: 0,
    depth,
  };
  try {
    const value = expressionList(parser);
    take(parser, "=");
    const rest = peek(parser);
    if (rest.kind === "newline" || rest.kind === "end") return value;
  } catch (error) {
    if (!(error instanceof NotPython)) throw error;
  }
  return { kind: "unknown", text, line };
}
