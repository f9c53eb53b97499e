// Functions that a value may be where nobody knows which: a kernel that a flag, a mode or a name chooses is launched as each of them.
import { sizeOf, type Type } from "../../ir/type.ts";
import type { Memory } from "./object.ts";
import {
  isScalarValue,
  mergeValues,
  type PointerValue,
  unknownValue,
  type Value,
  withoutChoice,
} from "./value.ts";

/** Elements of a table that are looked at. */
const mostElements = 64;

/** What lies behind a pointer to an element of which the index is not known: a function that is any of the table's, or null. */
export function anyElement(memory: Memory, { object, among }: PointerValue, type: Type): Value | null {
  if (among === undefined || object.isBulk || !holdsFunction(type)) return null;
  const { startBytes, strideBytes } = among;
  const bytes = sizeOf(type) ?? 0;
  const first = startBytes % strideBytes;
  let merged: Value | null = null;
  for (let index = 0; index < mostElements; index++) {
    const at = first + index * strideBytes;
    if (at + bytes > (object.sizeBytes ?? 0)) break;
    const element = memory.read(object, at, type);
    merged = merged === null ? element : mergeValues(merged, element, `an element of ${object.name}`);
  }
  const isLonger = first + mostElements * strideBytes + bytes <= (object.sizeBytes ?? 0);
  return merged !== null && isLonger ? withoutNumbers(merged) : merged;
}

/** The functions of a value alone: of a table of which not all was looked at, others may have other numbers. */
function withoutNumbers(value: Value): Value {
  if (isScalarValue(value)) return unknownValue("an element of a long table");
  if (value.kind === "unknown") return withoutChoice(value);
  if (value.kind !== "record") return value;
  const cells = [...value.cells].map(
    ([at, cell]) => [at, { ...cell, value: withoutNumbers(cell.value) }] as const,
  );
  return { ...value, cells: new Map(cells) };
}

function holdsFunction(type: Type): boolean {
  if (type.kind === "function") return true;
  if (type.kind === "array") return holdsFunction(type.element);
  return type.kind === "record" && type.fields.some((field) => holdsFunction(field.type));
}
