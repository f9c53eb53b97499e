// CUDA's functions that take a pair of halves apart as floats, as conversions of the halves they take: ptxas loads no more of the pair than is
// used (fixtures/forms/half_parts).
import type { Expression } from "../../ir/expression.ts";
import { halfFunctions } from "../../ir/half-function.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import { readOf } from "../walks/fresh.ts";
import { isPackedHalves } from "./layout.ts";

/** `type` at `offsetBytes` of what such a function gives for a pair in a variable; null of all else. */
export function pickedHalf(call: Expression, offsetBytes: number, type: Type): Expression | null {
  if (call.kind !== "intrinsic" || type.kind !== "float" || type.format !== "single") return null;
  const made = halfFunctions.get(call.name);
  const pick = made?.kind === "pick" ? made.picks[offsetBytes / (sizeOf(type) ?? 1)] : undefined;
  const pair = pick && call.arguments[pick.operand];
  if (pair?.kind !== "load" || pair.place.kind !== "variable") return null;
  const { place } = pair;
  if (place.type.kind !== "record" || !isPackedHalves(place.type)) return null;
  const half = place.type.fields[pick?.component ?? 0];
  if (half === undefined) return null;
  const operand = readOf(place.variable, place.offsetBytes + half.offsetBytes, half.type);
  return { kind: "convert", type, operand };
}
