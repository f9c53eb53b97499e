// Objects of a few members, and tables of pointers. A pointer to one may lie beside pointers to data (a layer that keeps its weights and its
// input), and whatever may be in one place is one class: what is written to these is followed all the same.
import type { Convert, Expression } from "../../ir/expression.ts";
import type { FunctionDefinition } from "../../ir/function.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { hasMembersOnly } from "../host/leaves.ts";
import { describesData } from "./pointer-classes.ts";

/** Whether nothing of what has this type is data that a pointer steps over. */
export function isObject(type: Type): boolean {
  if (type.kind !== "array") return hasMembersOnly(type);
  return type.element.kind === "pointer" || type.element.kind === "function";
}

function isOfString(maker: FunctionDefinition | null): boolean {
  return maker?.isLibrary === true && maker.id.startsWith("std::string::");
}

export class Objects {
  readonly places = new Set<number>();
  /** The calls that give memory for one object. */
  readonly allocations = new Set<Expression>();

  declared({ type }: Variable, location: number): void {
    if (isObject(type)) this.places.add(location);
  }

  /**
   * The memory for an object is converted to a pointer to it, and so is that for many objects that lead to data (layers, rows of a table).
   * So are the characters of a string that `maker` makes: few, and what names are compared by. `points` is where that may be, and is given back.
   */
  made({ operand, type }: Convert, points: number, maker: FunctionDefinition | null): number {
    if (operand.kind !== "intrinsic" || type.kind !== "pointer") return points;
    if (operand.name !== "malloc" && operand.name !== "calloc") return points;
    const [bytes] = operand.arguments;
    const isOne = bytes?.kind === "constant" && Number(bytes.value) === sizeOf(type.target);
    const isOfObjects = isObject(type.target)
      ? isOne || describesData(type.target)
      : type.target.kind === "pointer" || isOfString(maker);
    if (isOfObjects) {
      this.allocations.add(operand);
      this.places.add(points);
    }
    return points;
  }
}
