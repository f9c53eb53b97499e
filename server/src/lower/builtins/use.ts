// A call of a function that CUDA, C or C++ supplies, and what all such calls have in common.
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Type } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { type Context, rangeOf } from "../context.ts";
import { opaque, readValue, siteAt, type Value } from "../expressions/value.ts";

/** `list` is the call's own template arguments, if it has any. */
export interface Use {
  readonly context: Context;
  readonly name: string;
  readonly given: readonly Value[];
  readonly list: SyntaxNode | null;
  readonly node: SyntaxNode;
}

/** What a call gives; null where this form of it is not known. */
export type Builtin = (use: Use) => Value | null;

/** The intrinsic of the IR that a call comes to, where it touches no memory. */
export function intrinsic(use: Use, name: string, type: Type, list: readonly Expression[]): Intrinsic {
  const range = rangeOf(use.context, use.node);
  return { kind: "intrinsic", name, type, arguments: list, site: null, range };
}

/** The same where it does: an access, at the place of the call. */
export function accessing(use: Use, name: string, type: Type, list: readonly Expression[]): Expression {
  const isAccess = intrinsicEffect(name) !== null;
  const site = isAccess ? siteAt(use.context, use.node, isVolatilePointer(use.given[0])) : null;
  return { kind: "intrinsic", name, type, arguments: list, site, range: rangeOf(use.context, use.node) };
}

function isVolatilePointer(value: Value | undefined): boolean {
  if (value?.kind !== "place" && value?.kind !== "value") return false;
  return value.type.kind === "pointer" && value.type.target.isVolatile;
}

/** The values of the arguments, read. */
export function expressions(use: Use): Expression[] {
  return use.given
    .filter((value) => value.kind !== "list")
    .map((value) => readValue(use.context, value).expression);
}

/** The argument at a place; one that is not followed where there is none. */
export function argument(use: Use, index: number): Value {
  return use.given[index] ?? opaque(use.name, `${use.name} lacks an argument`);
}

/** The same for several names, parted by blanks. */
export function each(names: string, use: Builtin): Record<string, Builtin> {
  return Object.fromEntries(names.split(" ").map((name) => [name, use]));
}
