// Integer expressions as people write them in annotations: `1<<20`, `(n+255)/256`, with names that were given before.
import { operateOnWholeNumbers } from "../../semantics/whole-number.ts";

export type IntegerResult =
  | { readonly kind: "value"; readonly value: number }
  /** `start` and `end` are offsets into the text. */
  | { readonly kind: "error"; readonly message: string; readonly start: number; readonly end: number };

/** The value of `text`, by C's precedence: + - * / % << >> & ^ |, parentheses, decimal and hexadecimal literals, names. */
export function evaluateInteger(text: string, names: ReadonlyMap<string, number>): IntegerResult {
  const tokens = tokenize(text);
  if (!Array.isArray(tokens)) return tokens;
  const parser = new Parser(tokens, names, text.length);
  return parser.whole();
}

interface Token {
  readonly text: string;
  readonly start: number;
}

function tokenize(text: string): Token[] | IntegerResult {
  const tokens: Token[] = [];
  const pattern = /\s+|(0[xX][0-9a-fA-F']+|\d[\d']*)[uUlLzZ]*|[A-Za-z_]\w*|<<|>>|[-+*/%()&^|]/y;
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null)
      return { kind: "error", message: `"${text[start]}" is not allowed here`, start, end: start + 1 };
    if (match[0].trim() !== "") tokens.push({ text: match[0], start });
  }
  return tokens;
}

const precedences = new Map([
  ["|", 1],
  ["^", 2],
  ["&", 3],
  ["<<", 4],
  [">>", 4],
  ["+", 5],
  ["-", 5],
  ["*", 6],
  ["/", 6],
  ["%", 6],
]);

const maxNesting = 100;

class Parser {
  private readonly tokens: readonly Token[];
  private readonly names: ReadonlyMap<string, number>;
  private readonly length: number;
  private at = 0;
  private nesting = 0;
  private problem: IntegerResult | null = null;

  constructor(tokens: readonly Token[], names: ReadonlyMap<string, number>, length: number) {
    this.tokens = tokens;
    this.names = names;
    this.length = length;
  }

  whole(): IntegerResult {
    const value = this.binary(0);
    const rest = this.tokens[this.at];
    if (rest !== undefined) this.fail(`"${rest.text}" is not expected here`);
    if (this.problem !== null) return this.problem;
    if (Number.isSafeInteger(value)) return { kind: "value", value };
    return { kind: "error", message: "the number is too large", start: 0, end: this.length };
  }

  private binary(least: number): number {
    let left = this.operand();
    for (;;) {
      const operator = this.tokens[this.at]?.text ?? "";
      const precedence = precedences.get(operator) ?? 0;
      if (precedence <= least || this.problem !== null) return left;
      this.at++;
      left = this.apply(operator, left, this.binary(precedence));
    }
  }

  private apply(operator: string, left: number, right: number): number {
    if ((operator === "/" || operator === "%") && right === 0) return this.fail("division by zero");
    // What no number comes of is too large for one.
    return operateOnWholeNumbers(operator, left, right) ?? Number.POSITIVE_INFINITY;
  }

  private operand(): number {
    const token = this.tokens[this.at];
    if (token === undefined) return this.fail("a number is missing");
    if (++this.nesting > maxNesting) return this.fail("the expression is nested too deeply");
    this.at++;
    const value = this.operandOf(token);
    this.nesting--;
    return value;
  }

  private operandOf(token: Token): number {
    if (token.text === "-") return -this.operand();
    if (token.text === "+") return this.operand();
    if (token.text === "(") {
      const value = this.binary(0);
      if (this.tokens[this.at]?.text !== ")") return this.fail("a ) is missing");
      this.at++;
      return value;
    }
    if (/^\d/.test(token.text)) return Number(token.text.replace(/'|[uUlLzZ]+$/g, ""));
    const value = this.names.get(token.text);
    if (value !== undefined) return value;
    this.at--;
    return this.fail(
      /^\w/.test(token.text) ? `${token.text} has no value here` : `"${token.text}" is not expected here`,
    );
  }

  private fail(message: string): number {
    const token = this.tokens[this.at];
    const start = token?.start ?? this.length;
    this.problem ??= { kind: "error", message, start, end: start + (token?.text.length ?? 0) };
    return 0;
  }
}
