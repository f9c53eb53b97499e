// Arrays that are members of a struct or union in shared memory: where they are declared, and every place of the text that mentions them.
import type { RecordType, Type } from "../../ir/type.ts";
import { sizeOf } from "../../ir/type.ts";
import { type ArrayMention, mentionAt } from "./mentions.ts";
import {
  blockAround,
  type Span,
  subscriptsAfter,
  type TypedText,
  type TypedTexts,
  textAt,
} from "./typed-text.ts";

/** A member that is an array, in the record's layout. */
export interface ArrayField {
  readonly name: string;
  readonly type: Type & { readonly kind: "array" };
  /** From the start of the outermost record. */
  readonly offsetBytes: number;
  /** The record that declares it. */
  readonly record: RecordType;
}

/** The array that holds all bytes from `least` to `most`; null where there is none, or where a union has several and `expression` names none. */
export function fieldHolding(
  record: RecordType,
  [least, most]: readonly [number, number],
  expression: string,
  startBytes = 0,
): ArrayField | null {
  const holding = record.fields.flatMap((field): ArrayField[] => {
    const offsetBytes = startBytes + field.offsetBytes;
    if (least < offsetBytes || most >= offsetBytes + (sizeOf(field.type) ?? 0)) return [];
    if (field.type.kind === "array") return [{ name: field.name, type: field.type, offsetBytes, record }];
    const inner =
      field.type.kind === "record" ? fieldHolding(field.type, [least, most], expression, offsetBytes) : null;
    return inner === null ? [] : [inner];
  });
  const [only, ...others] = holding;
  if (others.length === 0) return only ?? null;
  const named = holding.filter(({ name }) => new RegExp(`\\b${name}\\[`).test(expression));
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** A member where it is declared. */
export interface DeclaredMember {
  readonly typed: TypedText;
  readonly nameToken: number;
  readonly dimensions: readonly Span[];
  readonly mentions: readonly ArrayMention[];
  /** No other struct and no variable has the name: every mention is of this member. */
  readonly isOnlyOfName: boolean;
}

/** Null where the record has no one definition in sight, or writes the member's lengths elsewhere. */
export function declaredMember(
  recordName: string,
  member: string,
  files: Iterable<string>,
  texts: TypedTexts,
): DeclaredMember | null {
  const name = bareName(recordName);
  const found = [...files].flatMap((file) => {
    const typed = texts(file);
    return typed === null ? [] : bodiesOf(typed, name).map((body) => ({ typed, body }));
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return null;
  const { typed, body } = only;
  const declarators = declaratorsIn(typed, body, member);
  const [nameToken, ...more] = declarators;
  if (nameToken === undefined || more.length > 0) return null;
  const places = (typed.byName.get(member) ?? []).filter(
    (index) =>
      index !== nameToken &&
      !builtIns.has(textAt(typed, index - 2)) &&
      !isMemberOfAnother(typed, index, name),
  );
  const isMember = (index: number) => [".", "->"].includes(textAt(typed, index - 1));
  const isInBody = (index: number) => body.first <= index && index < body.end;
  return {
    typed,
    nameToken,
    dimensions: subscriptsAfter(typed, nameToken),
    mentions: places
      .filter((index) => isMember(index) || isInBody(index) || typed.isInDirective(index))
      .map((index) => mentionAt(typed, index, objectStart(typed, index))),
    isOnlyOfName: places.every((index) => isMember(index) || isInBody(index) || !isInRecord(typed, index)),
  };
}

/** Whether what stands before the dot is declared as another record, which has a member of this name: `params.A` beside `storage.A`. */
function isMemberOfAnother(typed: TypedText, member: number, recordName: string): boolean {
  const object = typed.tokens[member - 2];
  const isDirect = object?.kind === "identifier" && ![".", "->", "::"].includes(textAt(typed, member - 3));
  if (![".", "->"].includes(textAt(typed, member - 1)) || !isDirect) return false;
  const declared = (typed.byName.get(object.text) ?? []).findLast(
    (index) => index < member - 2 && typeBefore(typed, index) !== null,
  );
  const type = declared === undefined ? null : typeBefore(typed, declared);
  if (type === null || type === recordName) return false;
  return bodiesOf(typed, type).some(({ first, end }) =>
    (typed.byName.get(textAt(typed, member)) ?? []).some(
      (index) => first <= index && index < end && isDeclarator(typed, index),
    ),
  );
}

/** The last name of the type that a declarator follows; null where the token is none. */
function typeBefore(typed: TypedText, index: number): string | null {
  if (!isDeclarator(typed, index)) return null;
  let at = index - 1;
  while (["&", "*", "const", "__restrict__", "__restrict"].includes(textAt(typed, at))) at--;
  const token = typed.tokens[at];
  const isType = token?.kind === "identifier" && !notTypes.has(token.text);
  return isType ? token.text : null;
}

const notTypes = new Set(["return", "auto", "else", "goto", "case", "typename", "sizeof"]);

/** A name behind a type or a comma, and before what ends a declarator. */
function isDeclarator(typed: TypedText, index: number): boolean {
  const before = typed.tokens[index - 1];
  const isAfter = before?.kind === "identifier" || ["&", "*", ",", ">"].includes(before?.text ?? "");
  return isAfter && [";", ",", ")", "=", "{", "[", "("].includes(textAt(typed, index + 1));
}

const builtIns = new Set(["threadIdx", "blockIdx", "blockDim", "gridDim"]);

/** "ns::Storage<float>" is declared as "Storage", and a struct without a name in the one around it. */
function bareName(recordName: string): string {
  const names = recordName.replace(/<.*$/s, "").split("::");
  return names.findLast((name) => !name.startsWith("(")) ?? "";
}

/** Whether a token stands among the members of a record, and not in the body of a function. */
function isInRecord(typed: TypedText, index: number): boolean {
  const block = blockAround(typed, index);
  return block !== null && isRecordBrace(typed, block.first - 1);
}

const keys = new Set(["struct", "class", "union"]);

/** Between the braces of each definition of a record. */
function bodiesOf(typed: TypedText, name: string): Span[] {
  return (typed.byName.get(name) ?? []).flatMap((nameToken) => {
    if (typed.isInDirective(nameToken)) return [];
    const closer = nameToken - 1;
    const isTypedef = textAt(typed, closer) === "}" && textAt(typed, nameToken + 1) === ";";
    const open = isTypedef ? (typed.partners[closer] ?? -1) : braceAfterHead(typed, nameToken);
    const end = open === -1 ? -1 : (typed.partners[open] ?? -1);
    return end === -1 ? [] : [{ first: open + 1, end }];
  });
}

/** `struct Name {`, `struct alignas(16) Name : Base {`; -1 where the name is no record's that is defined there. */
function braceAfterHead(typed: TypedText, nameToken: number): number {
  let before = nameToken - 1;
  if (textAt(typed, before) === ")") before = (typed.partners[before] ?? 0) - 2;
  if (!keys.has(textAt(typed, before))) return -1;
  for (let at = nameToken + 1; at < typed.tokens.length; at++) {
    const text = textAt(typed, at);
    if (text === "{") return at;
    if ([";", "(", ")", "=", "*", "&"].includes(text)) return -1;
  }
  return -1;
}

/** Tokens that declare a member of the name, in the record or in one without a name inside of it, but not in bodies of functions. */
function declaratorsIn(typed: TypedText, { first, end }: Span, member: string): number[] {
  const found: number[] = [];
  for (let index = first; index < end; index++) {
    const text = textAt(typed, index);
    const partner = typed.partners[index] ?? -1;
    if (text === "(" || text === "[") index = Math.max(index, partner);
    else if (text === "{" && !isRecordBrace(typed, index)) index = Math.max(index, partner);
    else if (text === member && textAt(typed, index + 1) === "[") found.push(index);
  }
  return found;
}

function isRecordBrace(typed: TypedText, brace: number): boolean {
  return keys.has(textAt(typed, brace - 1)) || keys.has(textAt(typed, brace - 2));
}

/** The first token of what a member is of: `smem` of `smem.stage[0].a`. */
function objectStart(typed: TypedText, member: number): number {
  let at = member;
  while ([".", "->"].includes(textAt(typed, at - 1))) {
    at -= 2;
    while ([")", "]"].includes(textAt(typed, at))) {
      const partner = typed.partners[at] ?? -1;
      if (partner === -1) return member;
      const isNamed = typed.tokens[partner - 1]?.kind === "identifier" || textAt(typed, partner - 1) === "]";
      at = isNamed ? partner - 1 : partner;
      if (!isNamed) break;
    }
  }
  return at;
}
