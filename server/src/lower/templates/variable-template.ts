// Variable templates: one variable for each distinct list of arguments.
import { undeclaredReason } from "../../ir/undeclared.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childrenOf } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import type { TemplateEntity, VariableEntity } from "../names/entity.ts";
import { Unsupported } from "../unsupported.ts";
import { globalVariable } from "../variables/global.ts";
import { bindArguments } from "./bind.ts";
import { chooseSpecialization } from "./specialize.ts";
import { templateArgumentsOf } from "./written-arguments.ts";

export function variableTemplateInstance(
  context: Context,
  template: TemplateEntity,
  list: SyntaxNode,
): VariableEntity {
  const given = templateArgumentsOf(context, list, template.parameters);
  const at: Context = { ...context, unit: template.unit };
  const bound = bindArguments(at, template.scope, template.parameters, given);
  if (bound === null) throw new Unsupported(`the template arguments of ${template.name} do not fit`);
  const key = context.translation.keyOf(bound.arguments);
  const known = template.instances.get(key);
  if (known?.kind === "variable") return known;
  const chosen = chooseSpecialization(at, template, bound.arguments);
  const node = chosen?.node ?? template.node;
  const declarator = node ? childrenOf(node, "declarator")[0] : undefined;
  if (!node || !declarator) throw new Unsupported(undeclaredReason(template.name));
  const scope = chosen?.scope ?? bound.scope;
  const unit = chosen?.unit ?? template.unit;
  const entity = globalVariable({ ...context, unit, scope, body: null }, node, declarator, template.name);
  template.instances.set(key, entity);
  return entity;
}
