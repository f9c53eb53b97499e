// A template's parameter as others see it: its name, its kind and what it is by default.
import type { TemplateParameter } from "../../ir/function.ts";
import { childOf, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import type { TemplateParameterNode } from "../names/entity.ts";
import { typeRoleOf } from "./type-roles.ts";

/** `declared`: the template's own node, in which the parameter is used. */
export function describedParameter(
  context: Context,
  declared: SyntaxNode,
  parameter: TemplateParameterNode,
): TemplateParameter {
  const type = parameter.kind === "value" ? childOf(parameter.declaration, "type") : null;
  let role: TemplateParameter["typeRole"] | null = parameter.kind === "type" ? null : "value";
  return {
    name: parameter.name,
    kind: parameter.kind,
    isPack: parameter.isPack,
    defaultText: parameter.defaultNode === null ? null : textOf(context, parameter.defaultNode),
    typeText: type ? textOf(context, type) : null,
    get typeRole() {
      role ??= typeRoleOf(context, declared, parameter.name);
      return role;
    },
  };
}
