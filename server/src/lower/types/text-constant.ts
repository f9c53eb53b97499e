// Constants in the arguments of attributes, which come as text: `16`, `sizeof(T) * N`, `N < 16 ? N : 16`.
import { alignmentOf, sizeOf } from "../../ir/type.ts";
import { builtinType, fundamentalOf } from "../builtins/type.ts";
import type { Context } from "../context.ts";
import { orElse } from "../unsupported.ts";
import { irTypeOf } from "./cxx-type.ts";

/** The number that a text of numbers, names, sizeof, parentheses and operators is; null where it is anything else. */
export function textConstant(context: Context, text: string): number | null {
  const tokens = text.match(/\d\w*|[A-Za-z_][\w:]*|<<|>>|[<>=!]=|&&|\|\||\S/g) ?? [];
  const reader = { tokens, next: 0 };
  const value = choice(context, reader);
  return reader.next === tokens.length ? value : null;
}

interface Reader {
  readonly tokens: readonly string[];
  next: number;
}

type Operation = (left: number, right: number) => number;

/** What binds least first. */
const levels: readonly ReadonlyMap<string, Operation>[] = [
  new Map([["||", (left, right) => Number(left !== 0 || right !== 0)]]),
  new Map([["&&", (left, right) => Number(left !== 0 && right !== 0)]]),
  new Map([
    ["==", (left, right) => Number(left === right)],
    ["!=", (left, right) => Number(left !== right)],
  ]),
  new Map([
    ["<", (left, right) => Number(left < right)],
    [">", (left, right) => Number(left > right)],
    ["<=", (left, right) => Number(left <= right)],
    [">=", (left, right) => Number(left >= right)],
  ]),
  new Map([
    ["<<", (left, right) => left * 2 ** right],
    [">>", (left, right) => Math.floor(left / 2 ** right)],
  ]),
  new Map([
    ["+", (left, right) => left + right],
    ["-", (left, right) => left - right],
  ]),
  new Map([
    ["*", (left, right) => left * right],
    ["/", (left, right) => Math.trunc(left / right)],
    ["%", (left, right) => left % right],
  ]),
];

function choice(context: Context, reader: Reader): number | null {
  const condition = binary(context, reader, 0);
  if (reader.tokens[reader.next] !== "?") return condition;
  reader.next += 1;
  const chosen = choice(context, reader);
  if (reader.tokens[reader.next] !== ":") return null;
  reader.next += 1;
  const other = choice(context, reader);
  if (condition === null) return null;
  return condition === 0 ? other : chosen;
}

function binary(context: Context, reader: Reader, level: number): number | null {
  const operations = levels[level];
  if (operations === undefined) return factor(context, reader);
  let value = binary(context, reader, level + 1);
  for (;;) {
    const operation = operations.get(reader.tokens[reader.next] ?? "");
    if (operation === undefined) return value;
    reader.next += 1;
    const right = binary(context, reader, level + 1);
    value = value === null || right === null ? null : operation(value, right);
  }
}

function factor(context: Context, reader: Reader): number | null {
  const token = reader.tokens[reader.next];
  reader.next += 1;
  if (token === undefined) return null;
  if (token === "(") {
    const value = choice(context, reader);
    if (reader.tokens[reader.next] !== ")") return null;
    reader.next += 1;
    return value;
  }
  if (token === "sizeof" || token === "alignof") return typeProperty(context, reader, token);
  const literal = Number(token.replace(/[uUlL]+$/, ""));
  return Number.isInteger(literal) ? literal : namedConstant(context, token);
}

/** `sizeof(T)`: the name between the parentheses, which may be several words. */
function typeProperty(context: Context, reader: Reader, property: "sizeof" | "alignof"): number | null {
  const close = reader.tokens.indexOf(")", reader.next);
  if (reader.tokens[reader.next] !== "(" || close < 0) return null;
  const words = reader.tokens.slice(reader.next + 1, close);
  reader.next = close + 1;
  const [entity] = context.scope.lookup(words.join(""));
  const type = orElse(
    () => (entity?.kind === "type" ? entity.type() : (builtinType(words.join(" ")) ?? fundamentalOf(words))),
    () => null,
  );
  if (type === null) return null;
  return property === "sizeof" ? sizeOf(irTypeOf(type)) : alignmentOf(irTypeOf(type));
}

function namedConstant(context: Context, path: string): number | null {
  const parts = path.split("::");
  const last = parts.pop() ?? "";
  let { scope } = context;
  for (const part of parts) {
    const [entity] = scope.lookup(part);
    const type =
      entity?.kind === "type"
        ? orElse(
            () => entity.type(),
            () => null,
          )
        : null;
    if (entity?.kind === "namespace") scope = entity.scope;
    else if (type?.kind === "class" || type?.kind === "enum") scope = type.info.scope;
    else return null;
  }
  const [entity] = parts.length > 0 ? scope.own(last) : scope.lookup(last);
  if (entity?.kind === "constant") return Number(entity.value);
  if (entity?.kind !== "variable") return null;
  const constant = orElse(
    () => entity.get().constant,
    () => null,
  );
  return constant?.kind === "constant" ? Number(constant.value) : null;
}
