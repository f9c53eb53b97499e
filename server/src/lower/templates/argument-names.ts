// What arguments are called: in the names of instances, and as the keys that these are found by.
import type { TemplateArgument } from "../names/entity.ts";
import { typeText } from "../types/cxx-type.ts";

/** As a demangler prints them. */
export function argumentText(argument: TemplateArgument): string {
  switch (argument.kind) {
    case "type":
      return typeText(argument.type);
    case "value":
      return String(argument.value);
    case "unknown":
      return argument.text;
    case "function":
      return `&${argument.instance.qualifiedName}`;
    case "template":
      return argument.template.scope.name + (argument.template.scope.name && "::") + argument.template.name;
    case "pack":
      return argument.elements.map(argumentText).join(",");
    default:
      return "?";
  }
}

/** Unique for each distinct list of arguments. */
export function argumentsKey(list: readonly TemplateArgument[]): string {
  return list
    .map((argument) =>
      argument.kind === "pack" ? `{${argumentsKey(argument.elements)}}` : argumentText(argument),
    )
    .join(",");
}
