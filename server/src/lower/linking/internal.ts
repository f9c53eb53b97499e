// What has internal linkage: names that mean something in one translation unit alone.
import type { FunctionEntity, TemplateArgument } from "../names/entity.ts";
import type { Scope } from "../names/scope.ts";
import type { ClassInfo } from "../types/class.ts";
import type { CxxType } from "../types/cxx-type.ts";

/** Whether no other unit can mean this function: `static`, of an anonymous namespace, a lambda, a member of a class within a function. */
export function isInternal({ unit, memberOf, isStatic, isLambda }: FunctionEntity): boolean {
  if (isLambda || unit.namespaces.includes("")) return true;
  return memberOf === null ? isStatic : isLocal(memberOf);
}

/** Whether a class has no name outside of a function. */
export function isLocal({ origin, scope }: ClassInfo): boolean {
  return origin === "closure" || isInFunction(scope);
}

function isInFunction(scope: Scope): boolean {
  for (let at: Scope | null = scope; at; at = at.parent) if (at.kind === "block") return true;
  return false;
}

/** The classes that the template arguments of a function, and of the class it is a member of, name. */
export function classesIn(entity: FunctionEntity, list: readonly TemplateArgument[]): readonly ClassInfo[] {
  const around = entity.memberOf?.instanceOf?.arguments ?? [];
  return [...around, ...list].flatMap(classesOfArgument);
}

function classesOfArgument(argument: TemplateArgument): readonly ClassInfo[] {
  switch (argument.kind) {
    case "type":
      return classesOfType(argument.type);
    case "pack":
      return argument.elements.flatMap(classesOfArgument);
    case "function":
      return argument.instance.self ? [argument.instance.self] : [];
    default:
      return [];
  }
}

function classesOfType(type: CxxType): readonly ClassInfo[] {
  switch (type.kind) {
    case "class":
      return [type.info, ...(type.info.instanceOf?.arguments ?? []).flatMap(classesOfArgument)];
    case "pointer":
    case "reference":
      return classesOfType(type.target);
    case "array":
      return classesOfType(type.element);
    case "function":
      return [type.result, ...type.parameters].flatMap(classesOfType);
    default:
      return [];
  }
}
