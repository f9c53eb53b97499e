// What a variable or a parameter of the host holds before anything is known of it.
import type { FunctionDefinition } from "../../ir/function.ts";
import type { Type } from "../../ir/type.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Bulk, Slice } from "../slice/slice.ts";
import { makeData } from "./data.ts";
import { opaquePointer } from "./evaluate.ts";
import { hasMembersOnly } from "./leaves.ts";
import { type HostObject, type Memory, makeObject, type ObjectShape } from "./object.ts";
import { pointerTo, unknownValue, type Value } from "./value.ts";

/** The object that a variable is: zero where the language says so, unknown else. */
export function objectFor(variable: Variable, slice: Slice): HostObject {
  // A class may have a constructor, so that only plain globals are sure to be zero.
  const isZero = variable.storage === "static" && variable.type.kind !== "record";
  const fill = isZero ? "zero" : "unknown";
  const sizeBytes = sizeOf(variable.type);
  const { isBulk, data } = bulkShape(slice, slice.bulkOfVariable(variable), { sizeBytes, fill });
  return makeObject({
    name: variable.name,
    sizeBytes,
    alignmentBytes: variable.storage.startsWith("device")
      ? Math.max(256, variable.alignmentBytes)
      : variable.alignmentBytes,
    fill,
    reason: `the value of ${variable.name}`,
    isBulk,
    data,
    isManaged: variable.storage === "device",
    hasMembersOnly: hasMembersOnly(variable.type),
    isLocal: variable.storage === "automatic",
    isFromStart: variable.storage !== "automatic",
  });
}

/** An array of more bytes is no description of data, but data. */
const mostDescriptionBytes = 512;

/** What is kept of an object of `sizeBytes` bytes that holds data in bulk. */
export function bulkShape(
  { followsData }: Slice,
  bulk: Bulk,
  { sizeBytes, fill }: Pick<ObjectShape, "sizeBytes" | "fill">,
): Required<Pick<ObjectShape, "isBulk" | "data">> {
  const isData = bulk === "none" && followsData && sizeBytes !== null && sizeBytes > mostDescriptionBytes;
  const isFollowed = bulk === "followed" || isData;
  return { isBulk: bulk !== "none" || isData, data: isFollowed ? makeData(fill, sizeBytes) : null };
}

/** A value of which nothing is known but its type, as a caller out of sight may pass it for `name`. */
export function unknownOf(type: Type, name: string): Value {
  return type.kind === "pointer"
    ? opaquePointer(name)
    : unknownValue(name === "" ? "an argument" : `the value of ${name}`);
}

/** What a parameter of an entry holds: of main the arguments of a program that is given none, where `argumentCount` says so. */
export function entryValue(
  memory: Memory,
  definition: FunctionDefinition,
  parameter: Variable,
  argumentCount: 1 | "unknown",
): Value {
  if (definition.name === "main" && argumentCount === 1) {
    if (parameter === definition.parameters[0]) return 1;
    if (parameter === definition.parameters[1]) return pointerTo(noArguments(memory), 0);
  }
  return unknownOf(parameter.type, parameter.name);
}

/** What argv points to then: a name that is no option, and the null pointer behind it. */
function noArguments(memory: Memory): HostObject {
  const object = makeObject({
    name: "argv",
    sizeBytes: 16,
    alignmentBytes: 8,
    fill: "zero",
    reason: "the arguments of the program",
  });
  const type = { kind: "pointer", target: { kind: "void" } } as const;
  memory.write(object, 0, type, pointerTo(memory.literal("a.out"), 0));
  return object;
}
