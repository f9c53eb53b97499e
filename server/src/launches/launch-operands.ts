// The operands of a launch, read from values of the host.
import type { Type } from "../ir/type.ts";
import { uint32 } from "../ir/type.ts";
import type { Memory } from "./object.ts";
import { readContents } from "./object.ts";
import type { Value } from "./value.ts";
import { isScalarValue, unknownValue } from "./value.ts";

/** The three numbers of a dim3; null where one is not known. */
export function dimensions(value: Value | undefined): (number | null)[] {
  if (value === undefined) return [null, null, null];
  if (isScalarValue(value)) return [Number(value), 1, 1];
  if (value.kind !== "record") return [null, null, null];
  return [0, 4, 8].map((offset) => {
    const extent = readContents(value, offset, uint32, "");
    return isScalarValue(extent) ? Number(extent) : null;
  });
}

/** An argument of cudaLaunchKernel: `list` points to a pointer to each. */
export function behindArgument(memory: Memory, list: Value, index: number, type: Type): Value {
  const unknownArgument = unknownValue("an argument that is passed through a pointer");
  if (isScalarValue(list) || list.kind !== "pointer" || list.offsetBytes === null) return unknownArgument;
  const pointer = memory.read(list.object, list.offsetBytes + 8 * index, { kind: "pointer", target: type });
  if (isScalarValue(pointer) || pointer.kind !== "pointer" || pointer.offsetBytes === null)
    return unknownArgument;
  return memory.read(pointer.object, pointer.offsetBytes, type);
}
