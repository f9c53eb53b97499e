// Which memory pointers lead to, as far as the statements before say: for what is written before all of them are known.
import type { Expression, VariablePlace } from "../../ir/expression.ts";
import { type Space, spaceOfObject } from "../addresses/space.ts";

/** By id, the memory that the pointer in a variable leads to; "unknown" where it is none alone. */
export type PointerMemories = Map<number, Space>;

/** Notes what a variable of a pointer is given. */
export function notePointer(
  { variable }: VariablePlace,
  stored: Expression,
  pointers: PointerMemories,
): void {
  const before = pointers.get(variable.id);
  const space = memoryUnder(stored, pointers);
  pointers.set(variable.id, before === undefined || before === space ? space : "unknown");
}

/** Whether the pointers surely lead to memories of their own. */
export function lieApart(a: Expression, b: Expression, pointers: PointerMemories): boolean {
  const [first, second] = [memoryUnder(a, pointers), memoryUnder(b, pointers)];
  return first !== second && first !== "unknown" && second !== "unknown";
}

/** The memory that a pointer leads to, as far as it is known. */
export function memoryUnder(pointer: Expression, pointers: PointerMemories): Space {
  switch (pointer.kind) {
    case "address":
      return pointer.place.kind === "variable"
        ? spaceOfObject(pointer.place.variable)
        : memoryUnder(pointer.place.pointer, pointers);
    case "offset":
      return memoryUnder(pointer.pointer, pointers);
    case "convert":
      return memoryUnder(pointer.operand, pointers);
    case "load":
      return (pointer.place.kind === "variable" && pointers.get(pointer.place.variable.id)) || "unknown";
    default:
      return "unknown";
  }
}
