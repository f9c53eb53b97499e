// The variable that a unit defines and another declares.
import type { VariableEntity, VariableInfo } from "../names/entity.ts";
import type { Translation } from "../translation.ts";
import { orElse } from "../unsupported.ts";
import type { NamedVariable } from "./linkage.ts";
import { classNamed, namespaceOf } from "./place-in.ts";

/** Null where the unit does not define it, or for itself alone. */
export function variableIn(translation: Translation, declared: NamedVariable): VariableInfo | null {
  const { name, scope } = declared;
  if (scope.kind === "namespace" && !translation.mayDeclare(name)) return null;
  const found =
    scope.kind === "class" ? classNamed(translation, scope.name)?.scope : namespaceOf(translation, scope);
  const entity = found?.own(name).find((each) => each.kind === "variable");
  if (entity === undefined || !isForOthers(entity)) return null;
  const info = orElse(
    () => entity.get(),
    () => null,
  );
  return info !== null && entity.linkage === "usual" && info.type.isConst ? null : info;
}

function isForOthers({ linkage, isDefined }: VariableEntity): boolean {
  return linkage !== "internal" && isDefined?.() === true;
}
