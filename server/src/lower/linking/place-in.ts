// Namespaces and classes of one unit, found in another by their names.
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { Context } from "../context.ts";
import { memberScope } from "../names/names.ts";
import type { Scope } from "../names/scope.ts";
import { typeFrom } from "../templates/argument-text.ts";
import type { Translation } from "../translation.ts";
import type { ClassInfo } from "../types/class.ts";
import { orElse } from "../unsupported.ts";

/** The namespace of the name that `scope`'s has; null where the unit has none. */
export function namespaceOf(translation: Translation, scope: Scope): Scope | null {
  const { name } = scope.namespace();
  return translation.knownNamespace(name === "" ? [] : name.split("::"));
}

/** The class of the name, laid out; null where the unit has none. */
export function classNamed(translation: Translation, qualifiedName: string): ClassInfo | null {
  const [any] = translation.source.units;
  if (any === undefined) return null;
  return orElse(
    () => {
      const type = typeFrom(contextAt(translation, any, translation.global), qualifiedName);
      if (type?.kind !== "class") return null;
      memberScope(type.info);
      return type.info;
    },
    () => null,
  );
}

export function contextAt(translation: Translation, unit: SyntaxUnit, scope: Scope): Context {
  return { translation, unit, scope, body: null };
}
