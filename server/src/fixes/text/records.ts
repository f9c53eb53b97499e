// Where a struct is declared in the text, and how its author says what it is aligned to.
import type { TextEdit } from "../fix.ts";
import { type Span, spelled, type TypedText, type TypedTexts, textAt } from "./typed-text.ts";

export interface DeclaredRecord {
  readonly typed: TypedText;
  readonly name: string;
  /** `struct` or `class`. */
  readonly keyToken: number;
  /** The one type that a template is made for; null where it is none. */
  readonly typeParameter: string | null;
}

/** The one definition of a record, without an alignment of its own; null where it is not in sight, or written by a macro. */
export function recordNamed(
  fullName: string,
  files: Iterable<string>,
  texts: TypedTexts,
): DeclaredRecord | null {
  const name = bareName(fullName);
  const found = [...files].flatMap((file) => {
    const typed = texts(file);
    return typed === null ? [] : definitionsOf(typed, name);
  });
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : only;
}

/** "ns::Complex<float>" is declared as "Complex". */
function bareName(fullName: string): string {
  return fullName.replace(/<.*$/s, "").split("::").at(-1) ?? "";
}

function definitionsOf(typed: TypedText, name: string): DeclaredRecord[] {
  return (typed.byName.get(name) ?? []).flatMap((nameToken) => {
    if (typed.isInDirective(nameToken)) return [];
    const keyToken = keyBefore(typed, nameToken) ?? keyOfTypedef(typed, nameToken);
    if (keyToken === null || !hasPlainHead(typed, keyToken)) return [];
    const parameter = typeParameterOf(typed, keyToken);
    return parameter === "others" ? [] : [{ typed, name, keyToken, typeParameter: parameter }];
  });
}

const keys = new Set(["struct", "class"]);

/** `struct Name {`, `struct Name : Base {`. */
function keyBefore(typed: TypedText, nameToken: number): number | null {
  const after = textAt(typed, nameToken + 1);
  const isDefinition = after === "{" || after === ":" || after === "final";
  return isDefinition && keys.has(textAt(typed, nameToken - 1)) ? nameToken - 1 : null;
}

/** `typedef struct { … } Name;`. */
function keyOfTypedef(typed: TypedText, nameToken: number): number | null {
  if (textAt(typed, nameToken - 1) !== "}" || textAt(typed, nameToken + 1) !== ";") return null;
  const open = typed.partners[nameToken - 1] ?? -1;
  const key = keys.has(textAt(typed, open - 1)) ? open - 1 : open - 2;
  return open > 1 && keys.has(textAt(typed, key)) && textAt(typed, key - 1) === "typedef" ? key : null;
}

/** Nothing between `struct` and the name: `alignas`, `__align__` and attributes are left as they are. */
function hasPlainHead(typed: TypedText, keyToken: number): boolean {
  return ["{", ":", "final"].includes(
    textAt(typed, textAt(typed, keyToken + 1) === "{" ? keyToken + 1 : keyToken + 2),
  );
}

/** `T` of `template <typename T> struct`; null where there is no template, "others" where it takes more or something else. */
function typeParameterOf(typed: TypedText, keyToken: number): string | null | "others" {
  if (textAt(typed, keyToken - 1) !== ">" || typed.isInDirective(keyToken - 1)) return null;
  const words = Array.from({ length: 5 }, (_, index) => textAt(typed, keyToken - 5 + index));
  const [template, open, typename, name = ""] = words;
  const isOne = template === "template" && open === "<" && ["typename", "class"].includes(typename ?? "");
  return isOne ? name : "others";
}

/** `alignas(8)`, or `__align__(8)` where the file says it so. */
export function alignedHead(
  { typed, keyToken, typeParameter }: DeclaredRecord,
  bytes: number,
  parameterBytes: number | null,
): string | null {
  const word = typed.byName.has("__align__") ? "__align__" : "alignas";
  const key = spelled(typed, spanOf(keyToken));
  if (typeParameter === null) return `${key} ${word}(${bytes})`;
  if (parameterBytes === null || bytes % parameterBytes !== 0) return null;
  const times = bytes / parameterBytes;
  return `${key} ${word}(${times === 1 ? "" : `${times} * `}sizeof(${typeParameter}))`;
}

function spanOf(token: number): Span {
  return { first: token, end: token + 1 };
}

/** A member more behind the others, on a line of its own where they have theirs. */
export function withMember({ typed, keyToken }: DeclaredRecord, member: string): TextEdit {
  let open = keyToken;
  while (textAt(typed, open) !== "{") open++;
  const closer = typed.partners[open] ?? open;
  const [from, to] = [typed.tokens[closer - 1]?.end ?? 0, typed.tokens[closer]?.start ?? 0];
  const { file, text } = typed;
  const first = typed.tokens[open + 1];
  const line = text.slice(text.lastIndexOf("\n", (first?.start ?? 0) - 1) + 1, first?.start ?? 0);
  const isOnLines = text.slice(from, to).includes("\n") && line.trim() === "";
  return { file, start: from, end: from, newText: isOnLines ? `\n${line}${member}` : ` ${member}` };
}
