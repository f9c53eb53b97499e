// The entities of class, alias and variable templates, and their specialisations.
import { childOf, type SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { explicitArguments } from "../functions/declared-function.ts";
import type { Specialization, TemplateEntity, TemplateParameterNode } from "../names/entity.ts";
import type { Scope } from "../names/scope.ts";

/** A class template, or a specialisation where the name has arguments. */
export function declareClassTemplate(
  context: Context,
  node: SyntaxNode,
  name: string,
  parameters: readonly TemplateParameterNode[],
  nameNode: SyntaxNode,
): void {
  const existing = templateNamed(context.scope, name);
  const argumentList = nameNode.type === "template_type" ? childOf(nameNode, "arguments") : null;
  if (argumentList) {
    specializationsOf(context.scope, name).push({
      unit: context.unit,
      scope: context.scope,
      parameters,
      argumentList,
      node,
    });
    return;
  }
  const hasBody = childOf(node, "body") !== null;
  if (existing && existing.node === null && hasBody) {
    // Defaults may stand at the first declaration only.
    const merged = parameters.map((each, index) =>
      each.defaultNode ? each : { ...each, defaultNode: existing.parameters[index]?.defaultNode ?? null },
    );
    const defined = {
      ...templateEntity(context, "class", name, merged, node),
      specializations: existing.specializations,
    };
    context.scope.redeclare(name, defined);
  } else if (!existing) {
    context.scope.declare(name, templateEntity(context, "class", name, parameters, hasBody ? node : null));
  }
}

/** A variable template, or a specialisation where the name has arguments. */
export function declareVariableTemplate(
  context: Context,
  node: SyntaxNode,
  nameNode: SyntaxNode | null,
  name: string,
  parameters: readonly TemplateParameterNode[],
): void {
  const list = explicitArguments(nameNode);
  if (list) {
    specializationsOf(context.scope, name).push({
      unit: context.unit,
      scope: context.scope,
      parameters,
      argumentList: list,
      node,
    });
    return;
  }
  context.scope.declare(name, templateEntity(context, "variable", name, parameters, node));
}

/** A template of this scope; `node` is null where it is only announced. */
export function templateEntity(
  context: Context,
  of: TemplateEntity["of"],
  name: string,
  parameters: readonly TemplateParameterNode[],
  node: SyntaxNode | null,
): TemplateEntity {
  return {
    kind: "template",
    of,
    name,
    unit: context.unit,
    scope: context.scope,
    parameters,
    node,
    specializations: specializationsOf(context.scope, name),
    guides: [],
    instances: new Map(),
  };
}

/** The template of that name in this very scope. */
export function templateNamed(scope: Scope, name: string): TemplateEntity | null {
  for (const entity of scope.own(name)) if (entity.kind === "template") return entity;
  return null;
}

/** By scope and name: a specialisation may be met while its template is still being declared. */
const specializations = new WeakMap<Scope, Map<string, Specialization[]>>();

function specializationsOf(scope: Scope, name: string): Specialization[] {
  const byName = specializations.get(scope) ?? new Map<string, Specialization[]>();
  specializations.set(scope, byName);
  const known = byName.get(name) ?? [];
  byName.set(name, known);
  return known;
}
