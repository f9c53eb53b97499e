// Which specialisation of a template fits its arguments best.
import { namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import type { TemplateArgument, TemplateEntity, TemplateParameterNode } from "../names/entity.ts";
import type { Scope } from "../names/scope.ts";
import { orElse } from "../unsupported.ts";
import { argumentText } from "./argument-names.ts";
import { bindArguments } from "./bind.ts";
import { bindPatterns, unifyArguments } from "./deduce.ts";
import { isDependent } from "./dependent.ts";
import { expandedArguments, packExpansion, templateArgument } from "./written-arguments.ts";

/** The most special specialisation that fits: full ones before partial ones, more patterns matched before fewer. */
export function chooseSpecialization(
  context: Context,
  template: TemplateEntity,
  given: readonly TemplateArgument[],
): { node: SyntaxNode; unit: TemplateEntity["unit"]; scope: Scope } | null {
  let best: { node: SyntaxNode; unit: TemplateEntity["unit"]; scope: Scope; rank: number } | null = null;
  const flat = given.flatMap((argument) => (argument.kind === "pack" ? argument.elements : [argument]));
  for (const each of template.specializations) {
    const names = each.parameters.map((parameter) => parameter.name);
    const at: Context = { ...context, unit: each.unit, scope: bindPatterns(each.scope, each.parameters) };
    const pattern = patternsOf(at, each.argumentList, template.parameters);
    const found = unifyArguments(pattern, flat);
    if (found === null) continue;
    const bound = bindArguments(
      { ...context, unit: each.unit },
      each.scope,
      each.parameters,
      names.map((name) => found.get(name) ?? null),
    );
    if (bound === null || !meetsUndeduced(pattern, { ...at, scope: bound.scope }, each.argumentList, flat))
      continue;
    const rank = specificity(pattern) - each.parameters.length;
    if (best === null || rank > best.rank)
      best = { node: each.node, unit: each.unit, scope: bound.scope, rank };
  }
  return best;
}

/** The arguments of a specialisation; "undeduced" stands for those that parameters only enter, `enable_if_t<(sizeof(T) > 4)>`. */
function patternsOf(
  context: Context,
  list: SyntaxNode,
  parameters: readonly TemplateParameterNode[],
): TemplateArgument[] {
  return namedChildren(list).flatMap((node, index): TemplateArgument[] => {
    const read = orElse(
      () => {
        const packed = packExpansion(node);
        return packed
          ? expandedArguments(context, packed)
          : [templateArgument(context, node, parameters[index] ?? null)];
      },
      () => [],
    );
    const isKnown =
      read.length > 0 && !read.some((each) => each.kind === "type" && each.type.kind === "unknown");
    return isKnown ? read : [{ kind: "undeduced" }];
  });
}

/** Whether what could not be deduced is what is given, now that the parameters are known. */
function meetsUndeduced(
  pattern: readonly TemplateArgument[],
  context: Context,
  list: SyntaxNode,
  given: readonly TemplateArgument[],
): boolean {
  if (!pattern.some(({ kind }) => kind === "undeduced")) return true;
  const known = patternsOf(context, list, []);
  return pattern.every(({ kind }, index) => {
    const [one, other] = [known[index], given[index]];
    return (
      kind !== "undeduced" ||
      (one && other && argumentText(one) === argumentText(other) && one.kind !== "undeduced")
    );
  });
}

function specificity(pattern: readonly TemplateArgument[]): number {
  return pattern.reduce(
    (sum, argument) => sum + (isDependent(argument) ? 0 : 2) + (isCompound(argument) ? 1 : 0),
    0,
  );
}

function isCompound(argument: TemplateArgument): boolean {
  return argument.kind === "type" && /^(pointer|reference|array|class-pattern)$/.test(argument.type.kind);
}
