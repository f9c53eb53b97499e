// Arrays that a kernel reaches by a pointer in a record that it is given: `s.pos[i]`. What goes by names of arrays sees a text in which the pointer is
// a parameter of its own.
import type { AccessProfile } from "../../evaluate/profile.ts";
import type { TextEdit } from "../fix.ts";
import { freshNameIn } from "../text/statements.ts";
import { blockAround, offsetsOf, replaced, type Span, type TypedText, textAt } from "../text/typed-text.ts";

export interface MemberPointer {
  /** "s.pos", as typed. */
  readonly written: string;
  /** What it is called in the other text. */
  readonly name: string;
  /** They make the other text. */
  readonly edits: readonly TextEdit[];
}

/** The pointer that an access goes through; null where it is no `record.member` of a parameter, or the record is not declared in the kernel's file. */
export function memberPointer({ target }: AccessProfile, typed: TypedText, body: Span): MemberPointer | null {
  const [, record, member] = /^(\w+)\.(\w+)$/.exec(target?.name ?? "") ?? [];
  if (record === undefined || member === undefined) return null;
  const closer = body.first - 2;
  const head = typed.partners[closer] ?? -1;
  const parameter = (typed.byName.get(record) ?? []).find((index) => head < index && index < closer);
  const declared = parameter === undefined ? null : memberOf(typed, textAt(typed, parameter - 1), member);
  const type = declared === null ? null : typeBefore(typed, declared);
  if (type === null || head === -1) return null;
  const name = freshNameIn(typed, body, `${record}_${member}`);
  const mentions = (typed.byName.get(member) ?? []).filter(
    (index) =>
      body.first <= index &&
      index < body.end &&
      textAt(typed, index - 1) === "." &&
      textAt(typed, index - 2) === record,
  );
  const [at] = offsetsOf(typed, { first: closer, end: closer + 1 });
  return {
    written: `${record}.${member}`,
    name,
    edits: [
      { file: typed.file, start: at, end: at, newText: `, ${type} *${name}` },
      ...mentions.map((index) => replaced(typed, { first: index - 2, end: index + 1 }, name)),
    ],
  };
}

/** The name of a member where the one record of that name declares it; null where there is none, or several. */
function memberOf(typed: TypedText, record: string, member: string): number | null {
  const bodies = (typed.byName.get(record) ?? []).flatMap((index): Span[] => {
    const isDefinition =
      ["struct", "class"].includes(textAt(typed, index - 1)) && textAt(typed, index + 1) === "{";
    return isDefinition ? [{ first: index + 1, end: typed.partners[index + 1] ?? -1 }] : [];
  });
  const [body, ...others] = bodies;
  if (body === undefined || others.length > 0) return null;
  const declared = (typed.byName.get(member) ?? []).filter(
    (index) =>
      blockAround(typed, index)?.first === body.first + 1 &&
      [";", ",", "="].includes(textAt(typed, index + 1)),
  );
  return declared.length === 1 ? (declared[0] ?? null) : null;
}

/** `const T` of a member `const T *a, *member;`. */
function typeBefore(typed: TypedText, member: number): string | null {
  const words: string[] = [];
  for (let at = member - 1; at >= 0 && !["{", "}", ";", ":"].includes(textAt(typed, at)); at--)
    words.unshift(textAt(typed, at));
  const star = words.indexOf("*");
  const type = words.slice(0, star);
  const isPlain = star > 0 && words.every((word) => /^(?:[A-Za-z_]\w*|::|,|\*)$/.test(word));
  return isPlain && words.at(-1) === "*" ? type.join(" ").replaceAll(" :: ", "::") : null;
}
