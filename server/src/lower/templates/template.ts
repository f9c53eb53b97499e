// Instances of class templates and alias templates.
import { childOf } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import type { TemplateArgument, TemplateEntity } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import { instantiateClass } from "../types/class-specifier.ts";
import { type CxxType, unknownOf } from "../types/cxx-type.ts";
import { typeOfDescriptor } from "../types/type-specifier.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { argumentText } from "./argument-names.ts";
import { bindArguments, entityOf } from "./bind.ts";
import { isDependent, isDependentType } from "./dependent.ts";
import { chooseSpecialization } from "./specialize.ts";

/** The class or aliased type that a template is for these arguments; a class-pattern while some of them are patterns. */
export function instantiateTemplate(
  context: Context,
  template: TemplateEntity,
  given: readonly TemplateArgument[],
): CxxType {
  if (given.some(isDependent)) {
    const aliased = template.of === "alias" ? aliasedPattern(context, template, given) : null;
    if (aliased !== null) return aliased;
    return { kind: "class-pattern", template, arguments: given, isConst: false, isVolatile: false };
  }
  const at: Context = { ...context, unit: template.unit };
  const bound = bindArguments(at, template.scope, template.parameters, given);
  const text = `${template.name}<${given.map(argumentText).join(",")}>`;
  if (bound === null) return unknownOf(text, `the arguments of ${text} do not fit`);
  const key = context.translation.keyOf(bound.arguments);
  const known = template.instances.get(key);
  if (known && known.kind !== "variable") return known;
  if (template.instances.size > 2000) throw new Unsupported(`too many instances of ${template.name}`);
  const type = makeInstance(at, template, bound);
  template.instances.set(key, type);
  return type;
}

/** What an alias is for patterns: `bool_constant<B>` is `integral_constant<bool, B>`. Null where nothing could be deduced from that. */
function aliasedPattern(
  context: Context,
  template: TemplateEntity,
  given: readonly TemplateArgument[],
): CxxType | null {
  const { parameters, node, unit } = template;
  const isPlain = given.length === parameters.length && parameters.every(({ isPack }) => !isPack);
  const typeNode = node === null ? null : childOf(node, "type");
  if (!isPlain || typeNode === null) return null;
  const scope = new Scope("template", template.scope, template.scope.name);
  for (const [index, { name }] of parameters.entries()) {
    const argument = given[index];
    if (argument === undefined || argument.kind === "expansion" || argument.kind === "undeduced") return null;
    scope.declare(name, entityOf(argument));
  }
  const type = orElse(
    () => typeOfDescriptor({ ...context, unit, scope }, typeNode),
    () => null,
  );
  return type !== null && isDependentType(type) ? type : null;
}

function makeInstance(
  context: Context,
  template: TemplateEntity,
  bound: { scope: Scope; arguments: TemplateArgument[] },
): CxxType {
  const chosen = chooseSpecialization(context, template, bound.arguments);
  const node = chosen ? chosen.node : template.node;
  const scope = chosen ? chosen.scope : bound.scope;
  if (node === null) return unknownOf(template.name, `${template.name} is declared but not defined here`);
  const at: Context = { ...context, unit: chosen ? chosen.unit : template.unit, scope };
  if (template.of === "alias") {
    const type = childOf(node, "type");
    if (type === null) throw new Unsupported(`the alias ${template.name} is incomplete`);
    return typeOfDescriptor(at, type);
  }
  return instantiateClass(at, node, template, bound.arguments);
}
