// Assignments that the comma operator follows: the grammar takes `(a = b, c)` for `a = c`. They get parentheses of their own.
import { madeToken, type Token } from "../preprocess/token.ts";

export interface AddedToken {
  /** Of the token that it stands in front of. */
  readonly index: number;
  readonly token: Token;
}

interface OpenBracket {
  /** Whether commas in it are operators, and not between arguments or parameters. */
  readonly isGroup: boolean;
  /** The index of the token that the current operand begins with. */
  operandStart: number;
  hasAssignment: boolean;
}

const ASSIGNMENTS = new Set(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]);
/** Behind these a parenthesis opens an expression; behind any other name it opens arguments, or what the grammar reads right. */
const BEFORE_EXPRESSION = new Set(["return", "else", "do"]);
/** What a call, a cast or the parameters of a lambda may stand behind. */
const ENDS_OF_OPERAND = new Set([")", "]", ">", ">>", "}"]);

/** The parentheses that operands of commas need, in their order. */
export function parenthesesOfOperands(tokens: readonly Token[]): readonly AddedToken[] {
  const open: OpenBracket[] = [];
  const added: AddedToken[] = [];
  let index = -1;
  for (const token of tokens) {
    index++;
    if (token.kind !== "punctuator") continue;
    const { text } = token;
    if (text === "(" || text === "[" || text === "{") {
      const isGroup = text === "(" && opensExpression(tokens[index - 1]);
      open.push({ isGroup, operandStart: index + 1, hasAssignment: false });
    } else if (text === ")" || text === "]" || text === "}") open.pop();
    else noteOperator(tokens, index, open.at(-1), added);
  }
  return added.sort((one, other) => one.index - other.index);
}

function noteOperator(
  tokens: readonly Token[],
  index: number,
  group: OpenBracket | undefined,
  added: AddedToken[],
): void {
  if (!group?.isGroup) return;
  const text = tokens[index]?.text ?? "";
  if (ASSIGNMENTS.has(text)) group.hasAssignment = true;
  if (text !== ",") return;
  const first = tokens[group.operandStart];
  const last = tokens[index - 1];
  if (group.hasAssignment && first && last)
    added.push(
      { index: group.operandStart, token: madeToken(first, "punctuator", "(") },
      { index, token: madeToken(last, "punctuator", ")") },
    );
  group.operandStart = index + 1;
  group.hasAssignment = false;
}

function opensExpression(before: Token | undefined): boolean {
  if (before?.kind === "punctuator") return !ENDS_OF_OPERAND.has(before.text);
  return before?.kind === "identifier" && BEFORE_EXPRESSION.has(before.text);
}
