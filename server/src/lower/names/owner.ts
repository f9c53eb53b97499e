// The class that a definition out of it names: `Class<float>::f` is of that instance alone.
import type { SyntaxUnit } from "../../syntax/unit.ts";
import type { Context } from "../context.ts";
import { typeFrom } from "../templates/argument-text.ts";
import { orElse } from "../unsupported.ts";
import type { Scope } from "./scope.ts";

/** `ns::Class<float>` of `ns::Class<float>::f`. */
export function ownerText(name: string): string {
  let depth = 0;
  for (let at = operatorAt(name) ?? name.length - 1; at > 0; at--) {
    const character = name[at];
    if (character === ">") depth++;
    else if (character === "<") depth--;
    else if (depth === 0 && name.startsWith("::", at - 1)) return name.slice(0, at - 1).trim();
  }
  return "";
}

/** Where the name of an operator begins, whose brackets are none: `operator<<`, `operator->`; null in other names. */
export function operatorAt(name: string): number | null {
  return /\boperator\b/.exec(name)?.index ?? null;
}

/** How a definition names its class. */
export interface OwnerNamed {
  readonly unit: SyntaxUnit;
  /** `Class<float>`, as written. */
  readonly ownerText: string;
  /** The definition is for all instances of a class template. */
  readonly isTemplate: boolean;
}

/** Whether it is for one instance of a class template alone. */
export function isOfOneInstance({ ownerText: text, isTemplate }: OwnerNamed): boolean {
  return !isTemplate && text.includes("<");
}

/** Whether it is for one instance of a class template, and another than that of the scope `owner`. */
export function isOfOtherInstance(context: Context, named: OwnerNamed, owner: Scope): boolean {
  if (!isOfOneInstance(named)) return false;
  const { unit, ownerText: text } = named;
  const at = { ...context, unit, scope: context.translation.scopeOf(unit), body: null };
  const type = orElse(
    () => typeFrom(at, text.replace(/^::/, "")),
    () => null,
  );
  return type?.kind === "class" && type.info.scope !== owner;
}
