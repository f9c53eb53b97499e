// Templates of host code that launch and that nothing in sight instantiates: functions, and classes with members that launch.
import type { FunctionId, HostTemplate } from "../../ir/function.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import { type Context, emptyBody } from "../context.ts";
import type { FunctionEntity, TemplateEntity } from "../names/entity.ts";
import { argumentsFrom } from "../templates/argument-text.ts";
import { describedParameter } from "../templates/described-parameter.ts";
import { instantiateTemplate } from "../templates/template.ts";
import type { Translation } from "../translation.ts";
import { orElse } from "../unsupported.ts";
import { membersOf } from "./explicit-instances.ts";
import { instantiate } from "./instance.ts";

/** The function template `entity`. */
export function functionTemplate(translation: Translation, entity: FunctionEntity): HostTemplate {
  const context = contextIn(translation, entity);
  const parameters = entity.parameters ?? [];
  return {
    name: entity.name,
    templateParameters: parameters.map((parameter) => describedParameter(context, entity.node, parameter)),
    instantiate: (values) =>
      idsOf(() => {
        const list = argumentsFrom(context, values, parameters);
        return list === null ? [] : [instantiate(context, entity, list)?.id ?? null];
      }),
  };
}

/** The class templates that a unit declares, with those of their members of which `launches` holds. */
export function classTemplates(
  translation: Translation,
  unit: SyntaxUnit,
  launches: (member: FunctionEntity) => boolean,
): readonly HostTemplate[] {
  translation.declare(unit);
  const scope = translation.scopeOf(unit);
  return [...unit.names()]
    .flatMap((name) => scope.own(name))
    .filter((each): each is TemplateEntity => each.kind === "template" && each.of === "class")
    .map((entity) => classTemplate(translation, entity, launches));
}

function classTemplate(
  translation: Translation,
  entity: TemplateEntity,
  launches: (member: FunctionEntity) => boolean,
): HostTemplate {
  const context = contextIn(translation, entity);
  const { node, parameters } = entity;
  return {
    name: entity.name,
    templateParameters:
      node === null ? [] : parameters.map((parameter) => describedParameter(context, node, parameter)),
    instantiate: (values) =>
      idsOf(() => {
        const list = node === null ? null : argumentsFrom(context, values, parameters);
        const type = list === null ? null : instantiateTemplate(context, entity, list);
        if (type?.kind !== "class") return [];
        return membersOf(translation, type.info)
          .filter(launches)
          .map((member) => instantiate(contextIn(translation, member), member, [])?.id ?? null);
      }),
  };
}

/** Completes the classes of a unit, so that their members are among its functions. */
export function completeClasses(translation: Translation, unit: SyntaxUnit): void {
  if (!/\b(?:class|struct)\b/.test(unit.text)) return;
  translation.declare(unit);
  for (const name of unit.names())
    for (const entity of translation.scopeOf(unit).own(name))
      if (entity.kind === "type")
        orElse(
          () => void entity.type(),
          () => undefined,
        );
}

function idsOf(make: () => readonly (FunctionId | null)[]): readonly FunctionId[] {
  return orElse(make, () => []).filter((id) => id !== null);
}

function contextIn(
  translation: Translation,
  { unit, scope }: Pick<FunctionEntity | TemplateEntity, "unit" | "scope">,
): Context {
  return { translation, unit, scope, body: emptyBody() };
}
