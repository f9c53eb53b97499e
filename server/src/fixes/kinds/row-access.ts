// How a loop names the elements of a row: by an index of the array, by a pointer to the row, or by a call of what reaches them, always alike.
import type { AccessProfile } from "../../evaluate/profile.ts";
import { sizeOf } from "../../ir/type.ts";
import { type Substitution, substituted } from "../text/locals.ts";
import { mentionsOf } from "../text/mentions.ts";
import { type Span, spelled, type TypedText, textAt } from "../text/typed-text.ts";
import { elementOf } from "../text/vectors.ts";
import { elementTypeOf, parameterType } from "./element-type.ts";
import type { KernelText } from "./kernel-text.ts";
import { otherThreads } from "./launch-shape.ts";
import { rowPointerOf } from "./row-pointer.ts";

export interface RowAccess {
  readonly array: string;
  readonly type: string;
  readonly bytes: number;
  /** Every place in the loop. */
  readonly accesses: readonly Span[];
  /** What says which element it is. */
  readonly indices: readonly Span[];
  /** The element with some tokens replaced. */
  readonly element: (substitution: Substitution) => string;
}

/** In words why it is not named in one way. */
export function rowAccessOf(access: AccessProfile, kernel: KernelText, loop: Span): RowAccess | string {
  const { typed, body } = kernel;
  const { target } = access;
  const element = elementOf(target?.type);
  const bytes = element === null ? null : sizeOf(element);
  if (target === null || bytes === null) return otherThreads;
  const called = calledAccess(access, kernel, loop);
  if (called !== null) return called;
  const type = parameterType(typed, body, target.name);
  if (type === null) return otherThreads;
  const name = textAt(typed, kernel.access.first);
  const pointer = name === target.name ? null : rowPointerOf(typed, kernel.access.first, target.name, body);
  if (name !== target.name && (pointer === null || pointer.type !== null))
    return /^\w+$/.test(name) && textAt(typed, kernel.access.first + 1) === "["
      ? `${name} is no pointer to a row of ${target.name} that is made once`
      : `the access is not written as ${target.name}[…]`;
  const mentions = mentionsOf(typed, { name, nameToken: -1, scope: loop });
  const indices = mentions.map(({ subscripts }) => subscripts[0]);
  const texts = new Set(indices.map((index) => (index === undefined ? "" : tight(typed, index))));
  const [index] = indices;
  if (index === undefined || texts.size !== 1) return `${name} is indexed in several ways in the loop`;
  return {
    array: target.name,
    type,
    bytes,
    accesses: mentions.map(({ nameToken, subscripts }) => ({
      first: nameToken,
      end: (subscripts[0]?.end ?? nameToken) + 1,
    })),
    indices: pointer === null ? [index] : [index, pointer.offset],
    element: (substitution) => {
      const own = substituted(typed, index, substitution);
      const sum = pointer === null ? own : `${substituted(typed, pointer.offset, substitution)} + ${own}`;
      return `${target.name}[${sum}]`;
    },
  };
}

/** `view(row, column)`, `view.at(row, column)`: an element that a call reaches. */
function calledAccess(
  access: AccessProfile,
  { typed, body, access: own }: KernelText,
  loop: Span,
): RowAccess | null {
  const open = typed.partners[own.end - 1] ?? -1;
  const type = elementTypeOf(access, typed, body);
  if (textAt(typed, own.end - 1) !== ")" || open <= own.first || type === null) return null;
  const head = { first: own.first, end: open };
  if (!/^[A-Za-z_]\w*(?:(?:\.|->)\w+)*$/.test(tight(typed, head))) return null;
  const accesses = alike(typed, own, loop);
  // The same object in another way.
  if (accesses.length !== alike(typed, head, loop).length) return null;
  return {
    array: access.target?.name ?? "",
    type: type.text,
    bytes: type.bytes,
    accesses,
    indices: [{ first: open + 1, end: own.end - 1 }],
    element: (substitution) => substituted(typed, own, substitution),
  };
}

/** Every place in a span where the same tokens stand. */
function alike(typed: TypedText, { first, end }: Span, { first: from, end: to }: Span): Span[] {
  const found: Span[] = [];
  for (let at = from; at + (end - first) <= to; at++) {
    const isSame = Array.from({ length: end - first }, (_, k) => k).every(
      (k) => textAt(typed, at + k) === textAt(typed, first + k),
    );
    if (isSame && ![".", "->"].includes(textAt(typed, at - 1)))
      found.push({ first: at, end: at + end - first });
  }
  return found;
}

function tight(typed: TypedText, span: Span): string {
  return spelled(typed, span).replaceAll(/\s/g, "");
}
