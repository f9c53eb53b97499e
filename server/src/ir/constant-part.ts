// Parts of aggregates whose values are written out.
import type { Aggregate, Constant, Expression } from "./expression.ts";
import { sameType, sizeOf, type Type } from "./type.ts";

/** The part of the type at an offset of a value that is written out, zero where an aggregate names none; null where there is no such part. */
export function partOfConstant(
  value: Expression,
  offsetBytes: number,
  type: Type,
): Constant | Aggregate | null {
  if (value.kind !== "constant" && value.kind !== "aggregate") return null;
  if (offsetBytes === 0 && sameType(value.type, type)) return value;
  if (value.kind === "constant" || !value.parts.every(({ value: part }) => isWrittenOut(part))) return null;
  const end = offsetBytes + (sizeOf(type) ?? 0);
  for (const part of value.parts) {
    const partEnd = part.offsetBytes + (sizeOf(part.value.type) ?? 0);
    if (offsetBytes >= part.offsetBytes && end <= partEnd)
      return partOfConstant(part.value, offsetBytes - part.offsetBytes, type);
    if (offsetBytes < partEnd && end > part.offsetBytes) return null;
  }
  const isNumber = type.kind === "integer" || type.kind === "float" || type.kind === "boolean";
  const isInside = offsetBytes >= 0 && end <= (sizeOf(value.type) ?? 0);
  return isNumber && isInside ? { kind: "constant", type, value: 0 } : null;
}

function isWrittenOut({ kind }: Expression): boolean {
  return kind === "constant" || kind === "aggregate";
}
