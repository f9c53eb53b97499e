// String literals: what they hold, and what they are as values.
import type { Expression } from "../../ir/expression.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { type ArrayType, arrayOf, charType, irTypeOf, pointerTo, qualify } from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { constantOf, unknownValue } from "./build.ts";
import { rvalueOf, type Value } from "./value.ts";

const literals = /(u8|[uUL])?(?:R"([^(\s]*)\(([\s\S]*?)\)\2"|"((?:[^"\\]|\\[\s\S])*)")/g;

/** The text of string literals that stand one after another, escapes resolved. */
export function literalText(source: string): string {
  return textOfLiterals([...source.matchAll(literals)]);
}

function textOfLiterals(found: readonly RegExpExecArray[]): string {
  return found.map(([, , , raw, plain = ""]) => raw ?? unescaped(plain)).join("");
}

const letters: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

function unescaped(text: string): string {
  return text.replace(/\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|([\s\S]))/g, (_, octal, hexadecimal, letter) => {
    if (letter !== undefined) return letters[letter] ?? letter;
    return String.fromCharCode(Number.parseInt(octal ?? hexadecimal, octal === undefined ? 16 : 8) & 255);
  });
}

/** A literal as a pointer to its characters. They are no memory that a kernel's figures depend on: the host alone looks at them. */
export function textLiteral(context: Context, node: SyntaxNode): Value {
  const type = pointerTo(qualify(charType, { isConst: true }));
  const source = textOf(context, node);
  const reason = `the text ${source.length > 40 ? `${source.slice(0, 37)}…"` : source}`;
  const text = context.body?.isDevice === true ? null : charactersOf(context, node);
  const pointer = unknownValue(irTypeOf(type), reason);
  return rvalueOf(type, { ...pointer, isPure: true, ...(text !== null && { text }) });
}

/** What `char name[] = "…"` starts as: a literal's characters and the zero behind them; null where they are not of one byte each. */
export function textArray(
  context: Context,
  type: ArrayType,
  node: SyntaxNode,
): { readonly type: ArrayType; readonly expression: Expression } | null {
  const text = charactersOf(context, node);
  const character = irTypeOf(type.element);
  if (text === null || character.kind !== "integer" || character.bits !== 8) return null;
  const count = typeof type.count === "number" ? type.count : text.length + 1;
  const parts = [...text].slice(0, count).map((letter, index) => ({
    offsetBytes: index,
    value: constantOf(character, letter.charCodeAt(0)),
  }));
  const whole = { ...type, count };
  const array = { kind: "array", element: character, count } as const;
  return { type: whole, expression: { kind: "aggregate", type: array, parts } };
}

/** The array that a literal is to sizeof, with the zero behind its characters. */
export function textType(context: Context, node: SyntaxNode): ArrayType {
  const text = charactersOf(context, node);
  if (text === null) throw new Unsupported("sizeof of a text that is wide or not in ASCII");
  return arrayOf(qualify(charType, { isConst: true }), text.length + 1);
}

/** Whether a node is a string literal, or several in a row. */
export function isText(node: SyntaxNode): boolean {
  return /^(raw_)?string_literal$|^concatenated_string$/.test(node.type);
}

/** The characters of a node, in ASCII; null where it is no literal, or holds others or wide ones. */
function charactersOf(context: Context, node: SyntaxNode): string | null {
  if (!isText(node)) return null;
  const found = [...textOf(context, node).matchAll(literals)];
  const isWide = found.some(([, prefix]) => prefix !== undefined && prefix !== "u8");
  const text = textOfLiterals(found);
  return isWide || /\P{ASCII}/u.test(text) ? null : text;
}
