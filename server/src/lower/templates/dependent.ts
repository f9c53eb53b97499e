// Whether arguments and types hang on parameters that are not bound yet.
import type { TemplateArgument } from "../names/entity.ts";
import type { CxxType } from "../types/cxx-type.ts";

/** Whether `argument`, or a part of it, is a parameter or hangs on one. */
export function isDependent(argument: TemplateArgument): boolean {
  switch (argument.kind) {
    case "pattern":
    case "expansion":
    case "undeduced":
      return true;
    case "type":
      return isDependentType(argument.type);
    case "pack":
      return argument.elements.some(isDependent);
    default:
      return false;
  }
}

/** The same of a type. */
export function isDependentType(type: CxxType): boolean {
  switch (type.kind) {
    case "pattern":
    case "class-pattern":
      return true;
    case "pointer":
    case "reference":
      return isDependentType(type.target);
    case "array":
      return (
        isDependentType(type.element) ||
        (typeof type.count === "object" && type.count !== null && "pattern" in type.count)
      );
    case "function":
      return isDependentType(type.result) || type.parameters.some(isDependentType);
    default:
      return false;
  }
}
