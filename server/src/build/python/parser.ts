import type { PythonToken } from "./tokens.ts";

export interface Parser {
  readonly text: string;
  readonly tokens: readonly PythonToken[];
  at: number;
  depth: number;
}

/** Ends the reading of a statement; caught by the reader of statements alone. */
export class NotPython extends Error {}

export function peek(parser: Parser, ahead = 0): PythonToken {
  const token = parser.tokens[Math.min(parser.at + ahead, parser.tokens.length - 1)];
  if (token === undefined) throw new NotPython();
  return token;
}

export function next(parser: Parser): PythonToken {
  const token = peek(parser);
  if (token.kind !== "end") parser.at++;
  return token;
}

export function isAt(parser: Parser, text: string, ahead = 0): boolean {
  const token = peek(parser, ahead);
  return (token.kind === "operator" || token.kind === "name") && token.text === text;
}

export function take(parser: Parser, text: string): boolean {
  if (!isAt(parser, text)) return false;
  parser.at++;
  return true;
}

export function expect(parser: Parser, text: string): void {
  if (!take(parser, text)) throw new NotPython();
}

export function nameToken(parser: Parser): string {
  const token = next(parser);
  if (token.kind !== "name") throw new NotPython();
  return token.text;
}

export function textFrom(parser: Parser, start: number): string {
  const first = parser.tokens[start];
  const last = parser.tokens[parser.at - 1];
  return first === undefined || last === undefined
    ? ""
    : parser.text.slice(first.start, last.end).replace(/\s+/g, " ");
}
