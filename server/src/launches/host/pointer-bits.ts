// Pointers as numbers, of which the low bits are known: hosts ask whether they are aligned, `reinterpret_cast<uintptr_t>(p) % 16 == 0`.
import type { BinaryOperator } from "../../ir/expression.ts";
import { makeObject } from "./object.ts";
import { isScalarValue, type PointerValue, pointerTo, type Value } from "./value.ts";

/** What `left operator right` comes to by the low bits of pointers; null where it hangs on others, or on pointers that the caller gives. */
export function byLowBits(operator: BinaryOperator, left: Value, right: Value): Value | null {
  const address = allocated(left);
  if (address === null) return null;
  if (isScalarValue(right)) return remainderOf(address, operator, Number(right));
  const other = operator === "|" ? allocated(right) : null;
  return other && bothOf(address, other);
}

interface Allocated {
  readonly offsetBytes: number;
  readonly alignmentBytes: number;
}

/** A pointer into memory that the host was seen to allocate: that of a caller may be aligned in any way. */
function allocated(value: Value): Allocated | null {
  if (isScalarValue(value) || value.kind !== "pointer" || value.offsetBytes === null) return null;
  const { isOpaque, alignmentBytes } = value.object;
  return isOpaque ? null : { offsetBytes: value.offsetBytes, alignmentBytes };
}

function remainderOf(
  { offsetBytes, alignmentBytes }: Allocated,
  operator: BinaryOperator,
  right: number,
): number | null {
  const low = ((offsetBytes % alignmentBytes) + alignmentBytes) % alignmentBytes;
  if (operator === "%") return right > 0 && alignmentBytes % right === 0 ? low % right : null;
  if (operator === "&") return right >= 0 && right < alignmentBytes ? low & right : null;
  return null;
}

/** The bits of either: `(a | b) & 15` is asked of two pointers at once. */
function bothOf(a: Allocated, b: Allocated): PointerValue {
  const alignmentBytes = Math.min(a.alignmentBytes, b.alignmentBytes);
  const sum = makeObject({
    name: "",
    sizeBytes: null,
    alignmentBytes,
    fill: "unknown",
    reason: "an address made of two",
  });
  return pointerTo(sum, (a.offsetBytes % alignmentBytes) | (b.offsetBytes % alignmentBytes));
}
