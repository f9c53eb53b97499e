// Records and arrays by value, put together of their parts.
import type { Aggregate } from "../../ir/expression.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import { leavesOf } from "./leaves.ts";
import { type Cell, readContents } from "./object.ts";
import { isScalarValue, type RecordValue, unknownValue, type Value } from "./value.ts";

/** What an aggregate of these parts is, with the values that they have. */
export function recordOf(parts: Aggregate["parts"], values: readonly Value[]): RecordValue {
  const cells = new Map<number, Cell>();
  let fill: RecordValue["fill"] = "zero";
  for (const [index, { offsetBytes, value: part }] of parts.entries()) {
    const value = values[index] ?? unknownValue("a part of a record");
    const { type } = part;
    if (type.kind === "record" || type.kind === "array") {
      if (!spellOut(cells, offsetBytes, type, value)) fill = "unknown";
    } else cells.set(offsetBytes, { value, bytes: sizeOf(type) ?? 0, type });
  }
  return { kind: "record", cells, fill };
}

/** Adds a cell for each scalar of a record inside a record; false where they are too many. */
function spellOut(cells: Map<number, Cell>, offset: number, type: Type, value: Value): boolean {
  const leaves = leavesOf(type);
  for (const leaf of leaves ?? [])
    cells.set(offset + leaf.offsetBytes, {
      value: memberOf(value, leaf.offsetBytes, leaf.type),
      bytes: leaf.bytes,
      type: leaf.type,
    });
  return leaves !== null;
}

function memberOf(value: Value, offsetBytes: number, type: Type): Value {
  if (isScalarValue(value)) return unknownValue("a record that is not known");
  if (value.kind === "record") return readContents(value, offsetBytes, type, "a member that nobody set");
  return value.kind === "unknown" ? value : unknownValue("a record that is not known");
}
