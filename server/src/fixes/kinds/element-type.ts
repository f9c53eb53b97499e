// What an array of global memory holds, as its author spells it.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { argumentsIn, type Span, type TypedText, textAt } from "../text/typed-text.ts";
import { elementOf, vectorOf } from "../text/vectors.ts";

export interface ElementType {
  readonly text: string;
  readonly bytes: number;
}

/** Of the array that an access goes to, if it accesses whole elements: as its parameter is declared, else by the type's own name. */
export function elementTypeOf(
  { target, bytes }: AccessProfile,
  typed: TypedText,
  body: Span,
): ElementType | null {
  const element = elementOf(target?.type);
  if (target === null || element === null || sizeOf(element) !== bytes) return null;
  const declared = parameterType(typed, body, target.name) ?? vectorOf(element, 2)?.element ?? null;
  return declared === null ? null : { text: declared, bytes };
}

const qualifiers = new Set(["const", "volatile", "__restrict__", "__restrict", "restrict", "*", "&"]);

/** `T` of a parameter `const T *__restrict__ name`. */
export function parameterType(typed: TypedText, body: Span, name: string): string | null {
  const closer = body.first - 2;
  const opener = typed.partners[closer] ?? -1;
  if (opener === -1) return null;
  const parameters = argumentsIn(typed, { first: opener + 1, end: closer });
  for (const { first, end } of parameters) {
    const words: string[] = [];
    for (let index = first; index < end; index++) words.push(textAt(typed, index));
    const at = words.indexOf(name);
    if (at <= 0 || words[at + 1] === "[" || words.filter((word) => word === "*").length !== 1) continue;
    const type = words.slice(0, at).filter((word) => !qualifiers.has(word));
    return type.every((word) => /^(?:[A-Za-z_]\w*|::)$/.test(word))
      ? type.join(" ").replaceAll(" :: ", "::")
      : null;
  }
  return null;
}

/** `const T *array` among the kernel's parameters. */
export function isConstantParameter(typed: TypedText, body: Span, array: string): boolean {
  const head = typed.partners[body.first - 2] ?? body.first;
  const index = (typed.byName.get(array) ?? []).find((at) => head < at && at < body.first) ?? head;
  for (let at = index; at > head && textAt(typed, at) !== ","; at--)
    if (textAt(typed, at) === "const") return true;
  return false;
}
