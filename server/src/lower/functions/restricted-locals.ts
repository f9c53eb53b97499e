// Parameters of kernels that the body uses for one thing alone: to initialise a local pointer which is restricted (`const T* __restrict__ a = a_;`).
// To nvcc the parameter is restricted then, where the declaration stands in the outermost block.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { isRestricted } from "./instance.ts";

/** By name of the parameter, whether the pointer that it is copied to is one to const. */
export function restrictedThroughLocals(
  context: Context,
  body: SyntaxNode | null,
): ReadonlyMap<string, { readonly isConst: boolean }> {
  const found = new Map<string, { readonly isConst: boolean }>();
  if (body === null) return found;
  for (const declaration of namedChildren(body)) {
    if (declaration.type !== "declaration") continue;
    const isConst = declaration.children.some(
      (child) => child.type === "type_qualifier" && textOf(context, child) === "const",
    );
    for (const declarator of declaration.children) {
      const value = childOf(declarator, "value");
      if (!value || !isRestricted(context, childOf(declarator, "declarator"))) continue;
      for (const name of identifiersIn(context, value)) found.set(name, { isConst });
    }
  }
  if (found.size === 0) return found;
  const used = identifiersIn(context, body);
  return new Map([...found].filter(([name]) => used.indexOf(name) === used.lastIndexOf(name)));
}

function identifiersIn(context: Context, node: SyntaxNode): readonly string[] {
  if (node.type === "identifier") return [textOf(context, node)];
  return node.children.flatMap((child) => identifiersIn(context, child));
}
