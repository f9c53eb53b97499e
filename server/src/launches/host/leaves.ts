// The scalars and pointers that types of the host are made of.
import type { Type } from "../../ir/type.ts";
import { sizeOf } from "../../ir/type.ts";

/** Whether `type` is a record that holds no array, however deep. */
export function hasMembersOnly(type: Type): boolean {
  return type.kind === "record" && type.fields.every((field) => holdsNoArray(field.type));
}

function holdsNoArray(type: Type): boolean {
  return type.kind !== "array" && (type.kind !== "record" || hasMembersOnly(type));
}

export interface Leaf {
  readonly offsetBytes: number;
  readonly bytes: number;
  readonly type: Type;
}

/** The scalars and pointers of a type with their offsets; null where they are more than anyone passes by value. */
export function leavesOf(type: Type, maxLeaves = 4096): Leaf[] | null {
  const leaves: Leaf[] = [];
  const visit = (at: Type, offsetBytes: number): boolean => {
    if (at.kind === "array") {
      const stride = sizeOf(at.element) ?? 0;
      for (let i = 0; i < at.count; i++) if (!visit(at.element, offsetBytes + i * stride)) return false;
      return true;
    }
    if (at.kind === "record")
      return at.fields.every((field) => visit(field.type, offsetBytes + field.offsetBytes));
    leaves.push({ offsetBytes, bytes: sizeOf(at) ?? 0, type: at });
    return leaves.length <= maxLeaves;
  };
  return visit(type, 0) ? leaves : null;
}
