// Pointers to members: recognised, not followed.
import type { SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { lookupNode } from "../names/names.ts";
import { opaque, type Value } from "./value.ts";

/** `&Class::member` as an unknown value; null where the operand is anything else. */
export function memberPointer(context: Context, node: SyntaxNode): Value | null {
  if (node.type !== "qualified_identifier") return null;
  const [entity] = lookupNode(context, node).entities;
  const isMember =
    entity?.kind === "field" || (entity?.kind === "function" && entity.memberOf && !entity.isStatic);
  return isMember ? opaque("&", "a pointer to a member is not followed") : null;
}
