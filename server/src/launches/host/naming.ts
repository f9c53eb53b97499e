// What people would call a place of the host: the names of allocations and of unknown pointers.
import type { Expression, Place } from "../../ir/expression.ts";
import type { Type } from "../../ir/type.ts";

/** The user's name for a place (`d_in`, `config.data`); empty where it has none. */
export function placeName(place: Place): string {
  if (place.kind === "variable") {
    return qualify(place.variable.name, fieldName(place.variable.type, place.offsetBytes));
  }
  const { pointer } = place;
  const target = pointer.type.kind === "pointer" ? pointer.type.target : null;
  const field = target === null ? "" : fieldName(target, place.offsetBytes);
  const base = expressionName(pointer);
  return base === "this" && field !== "" ? field : qualify(base, field);
}

/** Whether a place is called `warp_size`, `props.warpSize` and the like. */
export function isWarpSize(name: string): boolean {
  return /(^|\.)warp_?size$/i.test(name);
}

/** The name of the place that an expression reads or points to; empty where there is none. */
export function expressionName(expression: Expression): string {
  switch (expression.kind) {
    case "load":
    case "address":
      return placeName(expression.place);
    case "convert":
      return expressionName(expression.operand);
    case "offset":
      return expressionName(expression.pointer);
    default:
      return "";
  }
}

function qualify(base: string, field: string): string {
  if (base === "") return field;
  return field === "" ? base : `${base}.${field}`;
}

function fieldName(type: Type, offsetBytes: number): string {
  if (type.kind !== "record") return "";
  const field = type.fields.findLast((each) => each.offsetBytes <= offsetBytes);
  if (field === undefined) return "";
  return qualify(field.name, fieldName(field.type, offsetBytes - field.offsetBytes));
}
