// Bit-fields: which of the bytes of their unit nvcc loads and stores is not followed, so that nothing is known but that it does.
import type { AccessSite, Expression, Place } from "../../ir/expression.ts";
import type { Context } from "../context.ts";
import type { CxxType } from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { assignOf, loadOf, unknownValue } from "./build.ts";
import { type LValue, type RValue, siteOf, unknownOfType } from "./value.ts";

/** The value of a bit-field; in memory of the device, its unit is loaded. */
export function bitsRead(context: Context, value: LValue, type: CxxType): RValue {
  const reason = "a bit-field is read";
  const loaded = isOnDevice(context, value) ? [loadOf(unitOf(value, reason), siteOf(context, value))] : [];
  return unknownOfType(type, reason, [...value.effects, ...loaded]);
}

/** A bit-field in memory of the device is given a value: the bits beside it stay as they were. */
export function bitsWritten(
  context: Context,
  target: LValue,
  { value, site }: { readonly value: Expression; readonly site: AccessSite | null },
): Expression {
  const reason = "a bit-field is written";
  if (!isOnDevice(context, target)) throw new Unsupported(reason);
  const unit = unitOf(target, reason);
  return assignOf(unit, unknownValue(unit.type, reason, [value]), site);
}

function isOnDevice(context: Context, { place }: LValue): boolean {
  return place.kind === "memory" && context.body?.isDevice === true;
}

function unitOf({ place }: LValue, reason: string): Place {
  return { ...place, type: { kind: "unknown", reason } };
}
