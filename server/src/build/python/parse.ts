// Python's statements, by recursive descent. A statement that can't be read is left out, and the next one is read.

import {
  callArguments,
  expression,
  expressionList,
  parameterList,
  primary,
  targetList,
} from "./parse-expressions.ts";
import { expect, isAt, NotPython, nameToken, next, type Parser, peek, take, textFrom } from "./parser.ts";
import type { Expression, Statement } from "./syntax.ts";
import { pythonTokens } from "./tokens.ts";

/** The statements of a text. */
export function parsePython(text: string): Statement[] {
  const parser: Parser = { text, tokens: pythonTokens(text), at: 0, depth: 0 };
  const statements: Statement[] = [];
  while (peek(parser).kind !== "end") statements.push(...statement(parser));
  return statements;
}

/** A budget of depth and a place to go on from: where a statement isn't Python, its line and block are skipped. */
export function statement(parser: Parser): Statement[] {
  const start = parser.at;
  const depth = parser.depth;
  try {
    return statementOrThrow(parser);
  } catch (error) {
    if (!(error instanceof NotPython)) throw error;
    parser.depth = depth;
    parser.at = Math.max(parser.at, start);
    skipStatement(parser);
    return [];
  }
}

function skipStatement(parser: Parser): void {
  while (!["newline", "end"].includes(peek(parser).kind)) parser.at++;
  if (peek(parser).kind === "newline") parser.at++;
  if (peek(parser).kind !== "indent") return;
  let open = 0;
  do {
    const { kind } = next(parser);
    if (kind === "indent") open++;
    else if (kind === "dedent") open--;
    else if (kind === "end") break;
  } while (open > 0);
}

function block(parser: Parser): Statement[] {
  expect(parser, ":");
  const body: Statement[] = [];
  if (peek(parser).kind !== "newline") {
    body.push(...statement(parser));
    return body;
  }
  parser.at++;
  if (peek(parser).kind !== "indent") return body;
  parser.at++;
  while (peek(parser).kind !== "dedent" && peek(parser).kind !== "end") body.push(...statement(parser));
  if (peek(parser).kind === "dedent") parser.at++;
  return body;
}

function statementOrThrow(parser: Parser): Statement[] {
  const { line, kind, text } = peek(parser);
  if (kind === "newline" || kind === "indent" || kind === "dedent") {
    parser.at++;
    return [];
  }
  if (isAt(parser, "@")) {
    while (peek(parser).kind !== "newline" && peek(parser).kind !== "end") parser.at++;
    return [];
  }
  if (kind === "name") {
    const compound = compoundStatement(parser, text, line);
    if (compound !== null) return compound;
  }
  const statements = [simpleStatement(parser)];
  while (take(parser, ";")) {
    if (peek(parser).kind === "newline") break;
    statements.push(simpleStatement(parser));
  }
  if (peek(parser).kind !== "newline" && peek(parser).kind !== "end") throw new NotPython();
  next(parser);
  return statements;
}

function compoundStatement(parser: Parser, word: string, line: number): Statement[] | null {
  switch (word) {
    case "async":
      parser.at++;
      return statementOrThrow(parser);
    case "if":
      return [ifStatement(parser)];
    case "for": {
      parser.at++;
      const target = targetList(parser);
      expect(parser, "in");
      const start = parser.at;
      const iterable = expressionList(parser);
      const text = textFrom(parser, start);
      const body = block(parser);
      return [{ kind: "for", target, iterable, text, body, line }, ...elseBlock(parser)];
    }
    case "while": {
      parser.at++;
      const start = parser.at;
      const test = expression(parser);
      const text = textFrom(parser, start);
      const body = block(parser);
      return [{ kind: "while", test, text, body, line }, ...elseBlock(parser)];
    }
    case "def": {
      parser.at++;
      const name = nameToken(parser);
      expect(parser, "(");
      const parameters = parameterList(parser, ")");
      expect(parser, ")");
      if (take(parser, "->")) expression(parser);
      return [{ kind: "function", name, parameters, body: block(parser), line }];
    }
    case "class": {
      parser.at++;
      const name = nameToken(parser);
      if (take(parser, "(")) {
        callArguments(parser);
        expect(parser, ")");
      }
      return [{ kind: "class", name, body: block(parser), line }];
    }
    case "with": {
      parser.at++;
      const bound: { target: Expression; value: Expression }[] = [];
      const isGrouped = take(parser, "(");
      do {
        if (isGrouped && isAt(parser, ")")) break;
        const value = expression(parser);
        if (take(parser, "as")) bound.push({ target: primary(parser), value });
      } while (take(parser, ","));
      if (isGrouped) take(parser, ")");
      return [{ kind: "block", bound, body: block(parser), line }];
    }
    case "try": {
      parser.at++;
      const body = block(parser);
      const after: Statement[] = [];
      while (isAt(parser, "except")) {
        while (!isAt(parser, ":") && peek(parser).kind !== "newline") parser.at++;
        block(parser);
      }
      after.push(...elseBlock(parser));
      if (take(parser, "finally")) after.push(...block(parser));
      return [{ kind: "block", bound: [], body, line }, ...after];
    }
    default:
      return null;
  }
}

function elseBlock(parser: Parser): Statement[] {
  return take(parser, "else") ? block(parser) : [];
}

function ifStatement(parser: Parser): Statement {
  const { line } = next(parser);
  const start = parser.at;
  const test = expression(parser);
  const text = textFrom(parser, start);
  const then = block(parser);
  const otherwise = isAt(parser, "elif") ? [ifStatement(parser)] : elseBlock(parser);
  return { kind: "if", test, text, then, otherwise, line };
}

function simpleStatement(parser: Parser): Statement {
  const { line, kind, text } = peek(parser);
  if (kind === "name") {
    const found = wordStatement(parser, text, line);
    if (found !== null) return found;
  }
  const first = expressionList(parser);
  if (take(parser, ":")) {
    expression(parser);
    if (!take(parser, "="))
      return first.kind === "name" ? { kind: "declare", name: first.name, line } : { kind: "nothing", line };
    return { kind: "assign", targets: [first], value: expressionList(parser), line };
  }
  const operator = peek(parser).text;
  if (peek(parser).kind === "operator" && /^(?:\*\*|\/\/|>>|<<|[-+*/%&|^@])=$/.test(operator)) {
    parser.at++;
    return {
      kind: "augment",
      target: first,
      operator: operator.slice(0, -1),
      value: expressionList(parser),
      line,
    };
  }
  const parts = [first];
  while (take(parser, "=")) parts.push(expressionList(parser));
  const value = parts.pop() ?? first;
  return parts.length === 0
    ? { kind: "expression", value, line }
    : { kind: "assign", targets: parts, value, line };
}

function wordStatement(parser: Parser, word: string, line: number): Statement | null {
  const isEnd = (): boolean => peek(parser).kind === "newline" || isAt(parser, ";");
  switch (word) {
    case "pass":
    case "global":
    case "nonlocal":
    case "assert":
      while (!isEnd() && peek(parser).kind !== "end") parser.at++;
      return { kind: "nothing", line };
    case "break":
    case "continue":
      parser.at++;
      return { kind: "stop", word, line };
    case "raise":
      while (!isEnd() && peek(parser).kind !== "end") parser.at++;
      return { kind: "stop", word, line };
    case "return":
      parser.at++;
      return { kind: "return", value: isEnd() ? null : expressionList(parser), line };
    case "yield": {
      parser.at++;
      const isFrom = take(parser, "from");
      return { kind: "yield", value: isEnd() ? null : expressionList(parser), isFrom, line };
    }
    case "del":
      parser.at++;
      return { kind: "delete", targets: [expressionList(parser)], line };
    case "import": {
      parser.at++;
      const names: (readonly [string, string])[] = [];
      do {
        const dotted = dottedName(parser);
        const root = dotted.split(".")[0] ?? dotted;
        names.push(take(parser, "as") ? [nameToken(parser), dotted] : [root, root]);
      } while (take(parser, ","));
      return { kind: "import", names, line };
    }
    case "from":
      return fromStatement(parser, line);
    default:
      return null;
  }
}

function fromStatement(parser: Parser, line: number): Statement {
  parser.at++;
  let module = "";
  while (isAt(parser, ".") || isAt(parser, "...")) module += next(parser).text;
  if (!isAt(parser, "import")) module += dottedName(parser);
  expect(parser, "import");
  if (take(parser, "*")) return { kind: "import", names: [["*", module]], line };
  const isGrouped = take(parser, "(");
  const names: (readonly [string, string])[] = [];
  do {
    if (isGrouped && isAt(parser, ")")) break;
    const name = nameToken(parser);
    names.push([take(parser, "as") ? nameToken(parser) : name, `${module}.${name}`]);
  } while (take(parser, ","));
  if (isGrouped) expect(parser, ")");
  return { kind: "import", names, line };
}

function dottedName(parser: Parser): string {
  let name = nameToken(parser);
  while (take(parser, ".")) name += `.${nameToken(parser)}`;
  return name;
}
