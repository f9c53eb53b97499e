// Parameter packs: which a pattern names, and its expansion.
import type { SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { inScope, textOf } from "../context.ts";
import type { PackEntity } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import { Unsupported } from "../unsupported.ts";

const lengthBudget = 1024;

/** The packs that a pattern names, with their names. */
export function packsIn(context: Context, node: SyntaxNode): { name: string; pack: PackEntity }[] {
  const found = new Map<string, PackEntity>();
  const visit = (each: SyntaxNode) => {
    if (each.type === "parameter_pack_expansion" && each !== node) return;
    if (/^((type|namespace)_)?identifier$/.test(each.type)) {
      const name = textOf(context, each);
      const [entity] = context.scope.lookup(name);
      if (entity?.kind === "pack") found.set(name, entity);
    }
    for (const child of each.children) visit(child);
  };
  visit(node);
  return [...found].map(([name, pack]) => ({ name, pack }));
}

/** Calls `use` once for each element, the packs' names bound to their elements. */
export function expandPack<T>(context: Context, pattern: SyntaxNode, use: (context: Context) => T): T[] {
  const packs = packsIn(context, pattern);
  const [first] = packs;
  if (first === undefined) throw new Unsupported(`${textOf(context, pattern)} names no parameter pack`);
  const length = first.pack.elements.length;
  if (length > lengthBudget) throw new Unsupported("a parameter pack is too long");
  const results: T[] = [];
  for (let index = 0; index < length; index++) {
    const scope = new Scope("template", context.scope, context.scope.name);
    for (const { name, pack } of packs) {
      const element = pack.elements[index];
      if (element) scope.declare(name, element);
    }
    results.push(use(inScope(context, scope)));
  }
  return results;
}
