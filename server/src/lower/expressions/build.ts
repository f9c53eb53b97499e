// Builders of IR nodes that fold constants and join address arithmetic, so that the IR says no more than it must.
import type {
  AccessSite,
  BinaryOperator,
  Constant,
  Expression,
  Place,
  UnaryOperator,
  UnknownExpression,
} from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import * as ir from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import * as arithmetic from "../../semantics/arithmetic.ts";
import type { Scalar } from "../../semantics/scalar.ts";

export function constantOf(type: ir.Type, value: Scalar): Constant {
  return { kind: "constant", type, value };
}

export function unknownValue(
  type: ir.Type,
  reason: string,
  operands: readonly Expression[] = [],
): UnknownExpression {
  return { kind: "unknown", type, reason, operands };
}

export function unaryOf(operator: UnaryOperator, type: ir.Type, operand: Expression): Expression {
  if (operand.kind === "constant" && ir.isScalar(operand.type)) {
    return constantOf(type, arithmetic.unary(operator, operand.type, operand.value));
  }
  if (operator === "not" && operand.kind === "unary" && operand.operator === "not") return operand.operand;
  return { kind: "unary", operator, type, operand };
}

export function binaryOf(
  operator: BinaryOperator,
  type: ir.Type,
  left: Expression,
  right: Expression,
): Expression {
  if (left.kind === "constant" && right.kind === "constant" && ir.isScalar(left.type)) {
    const value = arithmetic.binary(operator, left.type, left.value, right.value);
    if (value !== null) return constantOf(type, value);
  }
  return { kind: "binary", operator, type, left, right };
}

/** `operand` as `type`; nothing where it has that type already. Addresses are retyped in place. */
export function convertOf(operand: Expression, type: ir.Type): Expression {
  if (ir.sameType(operand.type, type)) return operand;
  if (operand.kind === "constant") {
    if (ir.isScalar(operand.type) && ir.isScalar(type)) {
      return constantOf(type, arithmetic.convert(operand.value, operand.type, type));
    }
    if (type.kind === "pointer" || type.kind === "function") return constantOf(type, operand.value);
  }
  if (type.kind === "pointer" && operand.type.kind === "pointer") return retyped(operand, type);
  if (operand.kind === "unknown") return { ...operand, type };
  return { kind: "convert", type, operand };
}

function retyped(pointer: Expression, type: ir.PointerType): Expression {
  if (pointer.kind === "address") return { kind: "address", type, place: pointer.place };
  if (pointer.kind === "offset") {
    const { pointer: base, index, strideBytes } = pointer;
    return { kind: "offset", type, pointer: base, index, strideBytes };
  }
  if (pointer.kind === "convert" && pointer.operand.type.kind === "pointer") {
    return { kind: "convert", type, operand: pointer.operand };
  }
  return { kind: "convert", type, operand: pointer };
}

/** The address of a place, as a pointer to `target` (by default the place's type). */
export function addressOf(place: Place, target: ir.Type = place.type): Expression {
  const type = ir.pointerTo(target);
  if (place.kind === "memory" && place.offsetBytes === 0) return convertOf(place.pointer, type);
  return { kind: "address", type, place };
}

/** The place of `type` at a pointer. */
export function placeAt(pointer: Expression, type: ir.Type): Place {
  if (pointer.kind === "offset" && pointer.index.kind === "constant") {
    const offsetBytes = stepsOf(pointer.index) * pointer.strideBytes;
    return partOf(placeAt(pointer.pointer, type), offsetBytes, type);
  }
  if (pointer.kind !== "address") return { kind: "memory", pointer, offsetBytes: 0, type };
  const { place } = pointer;
  if (place.kind === "memory" || isNamedDirectly(place.variable)) return partOf(place, 0, type);
  return partOf(variablePlace(place.variable), place.offsetBytes, type);
}

/** A constant index as a step: of unsigned 64 bits, the last are steps back. */
function stepsOf({ value }: Constant): number {
  return Number(typeof value === "bigint" ? BigInt.asIntN(64, value) : value);
}

/** The place of `type` at `offsetBytes` within another. */
export function partOf(place: Place, offsetBytes: number, type: ir.Type): Place {
  const from = place.offsetBytes + offsetBytes;
  return place.kind === "variable"
    ? { kind: "variable", variable: place.variable, offsetBytes: from, type }
    : { kind: "memory", pointer: place.pointer, offsetBytes: from, type };
}

/** `pointer + index` in strides; a constant index into a known place stays a place. */
export function offsetOf(
  pointer: Expression,
  index: Expression,
  strideBytes: number,
  target: ir.Type,
): Expression {
  const type = ir.pointerTo(target);
  if (index.kind === "constant") {
    const offset = stepsOf(index) * strideBytes;
    if (offset === 0) return convertOf(pointer, type);
    if (pointer.kind === "address") {
      return { kind: "address", type, place: partOf(pointer.place, offset, target) };
    }
  }
  return { kind: "offset", type, pointer, index, strideBytes };
}

/**
 * The place of a variable. Memory that threads share is reached through its address, so that its accesses have sites; a
 * thread's own variables and the host's are named directly.
 */
export function variablePlace(variable: Variable): Place {
  const place: Place = { kind: "variable", variable, offsetBytes: 0, type: variable.type };
  if (isNamedDirectly(variable)) return place;
  const address: Expression = { kind: "address", type: ir.pointerTo(variable.type), place };
  return { kind: "memory", pointer: address, offsetBytes: 0, type: variable.type };
}

function isNamedDirectly(variable: Variable): boolean {
  return variable.storage === "automatic" || variable.storage === "static";
}

export function loadOf(place: Place, site: AccessSite | null): Expression {
  return { kind: "load", type: place.type, place, site: place.kind === "memory" ? site : null };
}

export function assignOf(place: Place, value: Expression, site: AccessSite | null): Expression {
  return { kind: "assign", type: place.type, place, value, site: place.kind === "memory" ? site : null };
}

/** `result` after `effects`; effects that do nothing are left out. */
export function sequenceOf(effects: readonly Expression[], result: Expression): Expression {
  const needed = effects.filter(hasEffects);
  if (needed.length === 0) return result;
  if (result.kind === "sequence") {
    return { ...result, effects: [...needed, ...result.effects] };
  }
  return { kind: "sequence", type: result.type, effects: needed, result };
}

/** Whether evaluating it twice differs from once, or it accesses memory. */
export function hasEffects(expression: Expression): boolean {
  switch (expression.kind) {
    case "constant":
    case "function":
      return false;
    case "load":
      return expression.site !== null || placeHasEffects(expression.place);
    case "address":
      return placeHasEffects(expression.place);
    case "unary":
    case "convert":
    case "extract":
      return hasEffects(expression.operand);
    case "binary":
    case "logical":
    case "difference":
      return hasEffects(expression.left) || hasEffects(expression.right);
    case "offset":
      return hasEffects(expression.pointer) || hasEffects(expression.index);
    case "conditional":
      return (
        hasEffects(expression.condition) ||
        hasEffects(expression.whenTrue) ||
        hasEffects(expression.whenFalse)
      );
    case "aggregate":
      return expression.parts.some((part) => hasEffects(part.value));
    case "intrinsic": {
      const effect = intrinsicEffect(expression.name);
      return (effect !== "pure" && effect !== "identity") || expression.arguments.some(hasEffects);
    }
    case "unknown":
      return expression.operands.some((operand) => hasEffects(operand) || isHandedOut(operand));
    default:
      return true;
  }
}

/** Whether code that is not in sight may do something with what it is given: write to a variable, or call a function. */
function isHandedOut(operand: Expression): boolean {
  if (operand.kind === "convert") return isHandedOut(operand.operand);
  return operand.kind === "function" || operand.kind === "address";
}

function placeHasEffects(place: Place): boolean {
  return place.kind === "memory" && hasEffects(place.pointer);
}

/** Whether a constant condition is true or false; null where it is not constant. */
export function truthOf(condition: Expression): boolean | null {
  return condition.kind === "constant" ? Number(condition.value) !== 0 : null;
}
