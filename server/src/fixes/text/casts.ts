// Casts to pointers in the text, and how long the elements are that they make.
import { type TypedText, textAt } from "./typed-text.ts";

/** A cast of a pointer: where it begins, and the last word of what it makes the pointer point to. */
export interface PointerCast {
  readonly first: number;
  readonly element: string;
}

/** `(T *)` or `reinterpret_cast<T *>` right before a token; null where none stands there. */
export function castBefore(typed: TypedText, index: number): PointerCast | null {
  const closer = index - 1;
  if (textAt(typed, closer - 1) !== "*") return null;
  const element = textAt(typed, closer - 2);
  if (textAt(typed, closer) === ")") {
    const first = typed.partners[closer] ?? -1;
    return first === -1 ? null : { first, element };
  }
  if (textAt(typed, closer) !== ">") return null;
  let at = closer - 2;
  while (at > 0 && (typed.tokens[at]?.kind === "identifier" || textAt(typed, at) === "::")) at--;
  return textAt(typed, at) === "<" && textAt(typed, at - 1) === "reinterpret_cast"
    ? { first: at - 1, element }
    : null;
}

/** Of a scalar or one of CUDA's vectors by its name; null of what is neither. */
export function bytesNamed(name: string): number | null {
  const { scalar = "", count = "1" } = pattern.exec(name)?.groups ?? {};
  const bytes = scalarBytes.get(scalar);
  return bytes === undefined || count === "3" ? null : bytes * Number(count);
}

const pattern = /^(?:__)?(?:nv_)?(?:u(?!n))?(?<scalar>[a-z]+|int\d+_t|bfloat16)(?<count>[1-4])?$/;

const scalarBytes: ReadonlyMap<string, number> = new Map([
  ["char", 1],
  ["int8_t", 1],
  ["short", 2],
  ["int16_t", 2],
  ["half", 2],
  ["bfloat16", 2],
  ["int", 4],
  ["unsigned", 4],
  ["int32_t", 4],
  ["float", 4],
  ["double", 8],
  ["int64_t", 8],
  ["longlong", 8],
]);
