// CUDA's functions that take halves out of a pair, as reads of the halves they take: ptxas loads no more of the pair than is used
// (fixtures/forms/half_parts, picked_halves).
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { halfFunctions } from "../../ir/half-function.ts";
import { type RecordType, sizeOf, type Type } from "../../ir/type.ts";
import { readOf } from "../walks/fresh.ts";
import { isPackedHalves } from "./layout.ts";

/** `type` at `offsetBytes` of what such a function gives for a pair in a variable; null of all else. */
export function pickedHalf(call: Expression, offsetBytes: number, type: Type): Expression | null {
  if (call.kind !== "intrinsic" || halfFunctions.get(call.name)?.kind !== "pick") return null;
  if (type.kind === "record") return isPackedHalves(type) ? pickedPair(call, type) : null;
  if (type.kind !== "float") return null;
  const half = componentOf(call, offsetBytes / (sizeOf(type) ?? 1));
  if (half === null) return null;
  return type.format === "single" ? { kind: "convert", type, operand: half } : half;
}

/** A pair of one half twice, or of one half each of two pairs. Of both halves of a pair nothing is saved. */
function pickedPair(call: Intrinsic, type: RecordType): Expression | null {
  const made = halfFunctions.get(call.name);
  const [first, second] = made?.kind === "pick" ? made.picks : [];
  const isOfBoth = first?.operand === second?.operand && first?.component !== second?.component;
  if (isOfBoth || call.arguments.some((operand) => operand.type.kind !== "record")) return null;
  const parts = type.fields.map(({ offsetBytes }, index) => ({
    offsetBytes,
    value: componentOf(call, index),
  }));
  const known = parts.flatMap(({ offsetBytes, value }) => (value ? [{ offsetBytes, value }] : []));
  return known.length === parts.length ? { kind: "aggregate", type, parts: known } : null;
}

/** One half of a pair: that of a variable, one that was picked, or that of a sum or product of pairs. */
function componentOf(pair: Expression, component: number): Expression | null {
  if (pair.kind === "load") {
    const { place } = pair;
    if (place.kind !== "variable" || place.type.kind !== "record" || !isPackedHalves(place.type)) return null;
    const half = place.type.fields[component];
    return half ? readOf(place.variable, place.offsetBytes + half.offsetBytes, half.type) : null;
  }
  if (pair.kind !== "intrinsic") return null;
  const made = halfFunctions.get(pair.name);
  if (made?.kind === "pick") {
    const pick = made.picks[component];
    const operand = pick && pair.arguments[pick.operand];
    if (operand?.type.kind !== "float") return operand ? componentOf(operand, pick?.component ?? 0) : null;
    const half = pair.type.kind === "record" ? pair.type.fields[component] : undefined;
    return half ? { kind: "convert", type: half.type, operand } : null;
  }
  const name = pair.name.replace(/2$/, "");
  if (made?.kind !== "each" || halfFunctions.get(name)?.kind !== "each") return null;
  const operands = pair.arguments.flatMap((operand) => componentOf(operand, component) ?? []);
  const [first] = operands;
  if (first === undefined || operands.length < pair.arguments.length) return null;
  return { ...pair, name, type: first.type, arguments: operands };
}
