// What code out of sight may have written: local variables that it was given pointers or references to hold unknown values afterwards.
import type { Expression, Place } from "../../ir/expression.ts";
import { assignOf, loadOf, unknownValue } from "./build.ts";

/** Makes unknown what the local variable holds that `pointer` points to or into; nothing where it points elsewhere. */
export function forgottenThrough(pointer: Expression, reason: string): Expression[] {
  const place = pointedTo(pointer);
  return place ? forgottenPlace(place, reason) : [];
}

/** Makes unknown what the local variable holds that `place` is or lies in; nothing where it lies elsewhere. */
export function forgottenPlace(place: Place, reason: string): Expression[] {
  if (place.kind !== "variable" || place.variable.storage !== "automatic") return [];
  const { variable } = place;
  const whole: Place = { kind: "variable", variable, offsetBytes: 0, type: variable.type };
  // What it held may have been read: what loaded it is needed.
  return [assignOf(whole, unknownValue(variable.type, reason, [loadOf(whole, null)]), null)];
}

function pointedTo(pointer: Expression): Place | null {
  if (pointer.kind === "convert") return pointedTo(pointer.operand);
  if (pointer.kind === "offset") return pointedTo(pointer.pointer);
  return pointer.kind === "address" ? pointer.place : null;
}
