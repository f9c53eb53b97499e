// Expressions that compute the same.
import type { Expression, MemoryPlace, Place } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import { sameType } from "../../ir/type.ts";

const compared: ReadonlySet<Expression["kind"]> = new Set([
  "binary",
  "unary",
  "convert",
  "intrinsic",
  "offset",
]);

/** Whether pure expressions compute the same. */
export function areEqual(a: Expression, b: Expression): boolean {
  if (a.kind !== b.kind || !sameType(a.type, b.type)) return false;
  if (a.kind === "constant" && b.kind === "constant") return a.value === b.value;
  if (a.kind === "load" && b.kind === "load") return isSameVariable(a.place, b.place);
  if (a.kind === "address" && b.kind === "address") return isSameVariable(a.place, b.place);
  if (a.kind === "binary" && b.kind === "binary" && a.operator !== b.operator) return false;
  if (a.kind === "unary" && b.kind === "unary" && a.operator !== b.operator) return false;
  if (a.kind === "intrinsic" && b.kind === "intrinsic" && a.name !== b.name) return false;
  if (a.kind === "offset" && b.kind === "offset" && a.strideBytes !== b.strideBytes) return false;
  if (!compared.has(a.kind)) return false;
  const [left, right] = [operandsOf(a), operandsOf(b)];
  return left.length === right.length && left.every((operand, index) => isEqualTo(operand, right[index]));
}

function isEqualTo(a: Expression, b: Expression | undefined): boolean {
  return b !== undefined && areEqual(a, b);
}

/** Whether two places in memory are written alike: what can be said before addresses are known. */
export function isWrittenAlike(a: MemoryPlace, b: MemoryPlace): boolean {
  return a.offsetBytes === b.offsetBytes && areEqual(a.pointer, b.pointer);
}

function isSameVariable(a: Place, b: Place): boolean {
  return (
    a.kind === "variable" &&
    b.kind === "variable" &&
    a.variable.id === b.variable.id &&
    a.offsetBytes === b.offsetBytes
  );
}

/** Equal for expressions that are written alike, whatever they are widened to. */
export function writtenKeyOf(expression: Expression): string {
  switch (expression.kind) {
    case "constant":
      return String(expression.value);
    case "convert":
      return writtenKeyOf(expression.operand);
    case "load":
    case "address":
      return expression.place.kind === "variable"
        ? `${expression.place.variable.id}.${expression.place.offsetBytes}`
        : `*${writtenKeyOf(expression.place.pointer)}+${expression.place.offsetBytes}`;
    case "unary":
      return `${expression.operator}(${writtenKeyOf(expression.operand)})`;
    case "binary":
      return `(${writtenKeyOf(expression.left)}${expression.operator}${writtenKeyOf(expression.right)})`;
    case "offset":
      return `(${writtenKeyOf(expression.pointer)}[${writtenKeyOf(expression.index)}*${expression.strideBytes}])`;
    case "intrinsic":
      return `${expression.name}(${expression.arguments.map(writtenKeyOf).join()})`;
    default:
      return expression.kind;
  }
}
