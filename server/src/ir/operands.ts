// What an expression is made of.
import type { Expression } from "./expression.ts";

/** The operands of an expression, in the order in which they are evaluated; the pointer of a place is one of them. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "constant":
    case "function":
      return [];
    case "load":
    case "address":
      return expression.place.kind === "memory" ? [expression.place.pointer] : [];
    case "unary":
    case "convert":
    case "extract":
      return [expression.operand];
    case "binary":
    case "logical":
    case "difference":
      return [expression.left, expression.right];
    case "offset":
      return [expression.pointer, expression.index];
    case "conditional":
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case "assign":
      return expression.place.kind === "memory"
        ? [expression.value, expression.place.pointer]
        : [expression.value];
    case "sequence":
      return [...expression.effects, expression.result];
    case "call":
    case "intrinsic":
      return expression.arguments;
    case "call-indirect":
      return [expression.callee, ...expression.arguments];
    case "aggregate":
      return expression.parts.map((part) => part.value);
    case "unknown":
      return expression.operands;
  }
}
