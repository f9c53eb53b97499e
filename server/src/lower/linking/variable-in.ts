// The variable that a unit defines and another declares.
import type { VariableInfo } from "../names/entity.ts";
import type { Translation } from "../translation.ts";
import type { NamedVariable } from "./linkage.ts";

/** Null where the unit does not define it, or for itself alone. */
export function variableIn(_translation: Translation, _declared: NamedVariable): VariableInfo | null {
  return null;
}
