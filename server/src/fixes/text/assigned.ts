// Whether what stands at a token changes what stands before it.
import { type TypedText, textAt } from "./typed-text.ts";

/** `=`, `+=` and its like, `++` or `--`. */
export function isAssigned(typed: TypedText, index: number): boolean {
  return /^(?:[-+*/%&|^]|<<|>>)?=$/.test(textAt(typed, index)) || ["++", "--"].includes(textAt(typed, index));
}
