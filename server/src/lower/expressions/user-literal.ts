// Literals with suffixes of the program's own: `32_Ki` is a call of `operator""_Ki`.
import type { SyntaxNode } from "../../syntax/node.ts";
import { namedChildren } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { unsignedLongLongType, unsignedLongType } from "../types/cxx-type.ts";
import { callSet } from "./call.ts";
import { convertRead } from "./convert.ts";
import { expression } from "./expression.ts";
import { isText, textType } from "./text-literal.ts";
import { integerValue, opaque, readValue, rvalueOf, type Value } from "./value.ts";

export function userLiteral(context: Context, node: SyntaxNode): Value {
  const [written, suffix] = namedChildren(node);
  if (!written || !suffix) return opaque("literal", `the literal ${textOf(context, node)}`);
  const name = `operator""${textOf(context, suffix)}`;
  const candidates = context.scope
    .lookup(name)
    .filter((each): each is FunctionEntity => each.kind === "function");
  if (candidates.length > 0) {
    const set = { kind: "functions", name, candidates, explicit: null, object: null } as const;
    return callSet(context, set, operandsOf(context, written), node);
  }
  // Those of the standard library make strings of texts.
  return isText(written)
    ? expression(context, written)
    : opaque("literal", `the literal ${textOf(context, node)}`);
}

/** A number as the widest of its kind, a text with its length. */
function operandsOf(context: Context, written: SyntaxNode): Value[] {
  const value = expression(context, written);
  if (isText(written)) {
    const type = textType(context, written);
    const length = type.kind === "array" && typeof type.count === "number" ? type.count - 1 : 0;
    return [value, integerValue(length, unsignedLongType)];
  }
  const read = readValue(context, value);
  if (written.type !== "number_literal" || read.expression.type.kind !== "integer") return [read];
  return [rvalueOf(unsignedLongLongType, convertRead(context, read, unsignedLongLongType))];
}
