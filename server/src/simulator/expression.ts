// Expressions as closures: each takes the active lanes and gives their values. Lanes outside the mask hold whatever is there.
import type { AccessSite, Expression, Place } from "../ir/expression.ts";
import type { ScalarType, Type } from "../ir/type.ts";
import { alignmentOf, int64, sizeOf, uint64 } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { binary, convert } from "../semantics/arithmetic.ts";
import { binaryLanes, convertLanes, laneCount, maskOf, unaryLanes } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import type { SourceRange } from "../text/source.ts";
import { type Access, loadBytes, loadScalar, storeBytes, storeScalar } from "./access.ts";
import { compileCall, functionNumber } from "./call.ts";
import { isAggregate, localAddress, type Scope } from "./function.ts";
import { compileIntrinsic } from "./intrinsic.ts";
import { reportFault, reportGap, type Warp } from "./machine.ts";
import { baseOf, sharedSegment } from "./memory.ts";
import { uncomputedBytes, uncomputedLanes } from "./uncomputed.ts";
import {
  type BytesValue,
  bytesPart,
  emptyBytes,
  isBytes,
  type LaneValue,
  laneValue,
  placePart,
  scalarPart,
  scalarTypeOf,
  selectBytes,
  selectLanes,
  tainted,
  taintedBytes,
  uniform,
  type Value,
  zeroValue,
} from "./value.ts";

export type LaneCode = (warp: Warp, mask: number) => LaneValue;
export type BytesCode = (warp: Warp, mask: number) => BytesValue;
export type ValueCode = (warp: Warp, mask: number) => Value;

/** Records and arrays give bytes, all else lanes. */
export function compileValue(scope: Scope, expression: Expression): ValueCode {
  return isAggregate(expression) ? compileBytes(scope, expression) : compileLanes(scope, expression);
}

/** The lanes of the mask in which the condition holds. Where it is not known it counts as false, and a gap is noted. */
export function compileCondition(
  scope: Scope,
  expression: Expression,
  range: SourceRange,
): (warp: Warp, mask: number) => number {
  const code = compileLanes(scope, expression);
  return (warp, mask) => {
    const value = code(warp, mask);
    const lost = mask & value.taint;
    if (lost !== 0) reportGap(warp.machine, range, `a condition depends on ${value.reason}`);
    return maskOf(value.lanes) & mask & ~lost;
  };
}

export function compileLanes(scope: Scope, expression: Expression): LaneCode {
  switch (expression.kind) {
    case "constant": {
      const value = uniform(expression.value);
      return () => value;
    }
    case "load":
      return compileLoad(scope, expression.place, expression.site);
    case "address":
      return compileAddress(scope, expression.place);
    case "unary": {
      const operand = compileLanes(scope, expression.operand);
      const type = scalarTypeOf(expression.operand.type) ?? uint64;
      const { operator } = expression;
      return (warp, mask) => {
        const value = operand(warp, mask);
        return laneValue(unaryLanes(operator, type, value.lanes), value.taint, value.reason);
      };
    }
    case "binary":
      return compileBinary(scope, expression);
    case "logical":
      return compileLogical(scope, expression);
    case "offset":
      return compileOffset(scope, expression);
    case "difference":
      return compileDifference(scope, expression);
    case "convert":
      return compileConvert(scope, expression.operand, expression.type);
    case "conditional": {
      const condition = compileCondition(scope, expression.condition, scope.range);
      const whenTrue = compileLanes(scope, expression.whenTrue);
      const whenFalse = compileLanes(scope, expression.whenFalse);
      return (warp, mask) => {
        const taken = condition(warp, mask);
        const other = mask & ~taken;
        if (other === 0) return whenTrue(warp, taken);
        if (taken === 0) return whenFalse(warp, other);
        return selectLanes(taken, whenTrue(warp, taken), whenFalse(warp, other));
      };
    }
    case "assign":
      return compileAssignLanes(scope, expression.place, expression.value, expression.site);
    case "sequence": {
      const effects = expression.effects.map((effect) => compileValue(scope, effect));
      const result = compileLanes(scope, expression.result);
      return (warp, mask) => {
        for (const effect of effects) effect(warp, mask);
        return result(warp, mask);
      };
    }
    case "call":
    case "call-indirect":
      return compileCall(scope, expression, (value) =>
        value === null ? tainted("a function that returned nothing") : isBytes(value) ? zeroValue : value,
      );
    case "function": {
      const { callee } = expression;
      return (warp) => uniform(functionNumber(warp, callee));
    }
    case "intrinsic": {
      const code = compileIntrinsic(scope, expression);
      return (warp, mask) => {
        const value = code(warp, mask);
        return isBytes(value) ? zeroValue : value;
      };
    }
    case "extract": {
      const operand = compileBytes(scope, expression.operand);
      const type = scalarTypeOf(expression.type);
      const { offsetBytes } = expression;
      if (type === null) return () => tainted("a member of a type that is not understood");
      return (warp, mask) => scalarPart(operand(warp, mask), offsetBytes, type);
    }
    case "unknown": {
      const operands = expression.operands.map((operand) => compileValue(scope, operand));
      const { reason, type, isPure } = expression;
      const value = tainted(reason);
      return (warp, mask) => {
        const values = operands.map((operand) => operand(warp, mask));
        return isPure ? uncomputedLanes(warp, mask, reason, type, values) : value;
      };
    }
    case "aggregate":
      return () => zeroValue;
  }
}

function compileBytes(scope: Scope, expression: Expression): BytesCode {
  const sizeBytes = sizeOf(expression.type) ?? 0;
  switch (expression.kind) {
    case "load": {
      const address = compileAddress(scope, expression.place);
      const access = accessOf(scope, expression.site, "load");
      const pieceBytes = pieceBytesOf(expression.type);
      return (warp, mask) => loadBytes(warp, mask, address(warp, mask), 0, sizeBytes, pieceBytes, access);
    }
    case "assign": {
      const value = compileBytes(scope, expression.value);
      const address = compileAddress(scope, expression.place);
      const access = accessOf(scope, expression.site, "store");
      const pieceBytes = pieceBytesOf(expression.type);
      return (warp, mask) => {
        const stored = value(warp, mask);
        storeBytes(warp, mask, address(warp, mask), 0, stored, pieceBytes, access);
        return stored;
      };
    }
    case "sequence": {
      const effects = expression.effects.map((effect) => compileValue(scope, effect));
      const result = compileBytes(scope, expression.result);
      return (warp, mask) => {
        for (const effect of effects) effect(warp, mask);
        return result(warp, mask);
      };
    }
    case "conditional": {
      const condition = compileCondition(scope, expression.condition, scope.range);
      const whenTrue = compileBytes(scope, expression.whenTrue);
      const whenFalse = compileBytes(scope, expression.whenFalse);
      return (warp, mask) => {
        const taken = condition(warp, mask);
        const other = mask & ~taken;
        if (other === 0) return whenTrue(warp, taken);
        if (taken === 0) return whenFalse(warp, other);
        return selectBytes(taken, whenTrue(warp, taken), whenFalse(warp, other));
      };
    }
    case "call":
    case "call-indirect":
      return compileCall(scope, expression, (value) =>
        value !== null && isBytes(value)
          ? value
          : taintedBytes(sizeBytes, "a function that returned nothing"),
      );
    case "aggregate": {
      const parts = expression.parts.map((part) => ({
        offsetBytes: part.offsetBytes,
        type: part.value.type,
        code: compileValue(scope, part.value),
      }));
      return (warp, mask) => {
        const values = parts.map((part) => part.code(warp, mask));
        const reason = values.find((value) => value.reason !== null)?.reason ?? null;
        const whole = emptyBytes(sizeBytes, reason);
        parts.forEach((part, at) => {
          placePart(whole, part.offsetBytes, part.type, values[at] ?? zeroValue);
        });
        return whole;
      };
    }
    case "extract": {
      const operand = compileBytes(scope, expression.operand);
      const { offsetBytes } = expression;
      return (warp, mask) => bytesPart(operand(warp, mask), offsetBytes, sizeBytes);
    }
    case "convert": {
      if (isAggregate(expression.operand)) return compileBytes(scope, expression.operand);
      return unknownBytes(scope, [expression.operand], sizeBytes, "a conversion to a class");
    }
    case "intrinsic": {
      const code = compileIntrinsic(scope, expression);
      return (warp, mask) => {
        const value = code(warp, mask);
        return isBytes(value) ? value : taintedBytes(sizeBytes, value.reason ?? expression.name);
      };
    }
    case "unknown": {
      const { operands, reason, type, isPure } = expression;
      if (!isPure) return unknownBytes(scope, operands, sizeBytes, reason);
      const codes = operands.map((operand) => compileValue(scope, operand));
      return (warp, mask) => {
        const values = codes.map((code) => code(warp, mask));
        return uncomputedBytes(warp, mask, reason, type, values);
      };
    }
    case "constant": {
      const value = emptyBytes(sizeBytes);
      return () => value;
    }
    default:
      return unknownBytes(scope, [], sizeBytes, "a value that is not understood");
  }
}

/** Bytes of the machine accesses that a value of the type takes: at most 16, and not more than its alignment allows. */
export function pieceBytesOf(type: Type): number {
  const size = sizeOf(type) ?? 0;
  return Math.max(1, Math.min(alignmentOf(type) ?? 1, 16, size));
}

export function accessOf(scope: Scope, site: AccessSite | null, operation: Access["operation"]): Access {
  return { site, range: site?.range ?? scope.range, operation, intrinsic: null };
}

function unknownBytes(
  scope: Scope,
  operands: readonly Expression[],
  sizeBytes: number,
  reason: string,
): BytesCode {
  const codes = operands.map((operand) => compileValue(scope, operand));
  return (warp, mask) => {
    for (const code of codes) code(warp, mask);
    return taintedBytes(sizeBytes, reason);
  };
}

function compileLoad(scope: Scope, place: Place, site: AccessSite | null): LaneCode {
  const register = registerOf(scope, place);
  if (register !== null) return compileRegisterLoad(scope, register, place);
  const type = scalarTypeOf(place.type);
  const address = compileAddress(scope, place);
  if (type === null) {
    const value = tainted(place.type.kind === "unknown" ? place.type.reason : "a value without a size");
    return (warp, mask) => {
      address(warp, mask);
      return value;
    };
  }
  const access = accessOf(scope, site, "load");
  return (warp, mask) => loadScalar(warp, mask, address(warp, mask), 0, type, access);
}

function registerOf(scope: Scope, place: Place): number | null {
  return place.kind === "variable" ? (scope.registers.get(place.variable.id) ?? null) : null;
}

function compileRegisterLoad(scope: Scope, register: number, place: Place): LaneCode {
  const { range } = scope;
  const name = place.kind === "variable" ? place.variable.name : "";
  const reason = `the variable ${name}, which was never set`;
  return (warp, mask) => {
    const slot = warp.frame.slots[register];
    if (slot === undefined) return zeroValue;
    const unset = mask & slot.uninitialized;
    if (unset === 0) return slot.value;
    reportFault(warp, "uninitialized", range, unset, { offsetBytes: 0, object: name });
    return laneValue(slot.value.lanes, slot.value.taint | unset, slot.value.reason ?? reason);
  };
}

function compileAssignLanes(
  scope: Scope,
  place: Place,
  expression: Expression,
  site: AccessSite | null,
): LaneCode {
  const value = compileLanes(scope, expression);
  const register = registerOf(scope, place);
  if (register !== null) {
    return (warp, mask) => {
      const assigned = value(warp, mask);
      const slot = warp.frame.slots[register];
      if (slot === undefined) return assigned;
      slot.value = selectLanes(mask, assigned, slot.value);
      slot.uninitialized &= ~mask;
      return assigned;
    };
  }
  const type = scalarTypeOf(place.type);
  const address = compileAddress(scope, place);
  const access = accessOf(scope, site, "store");
  return (warp, mask) => {
    const assigned = value(warp, mask);
    const to = address(warp, mask);
    if (type !== null) storeScalar(warp, mask, to, 0, type, assigned, access);
    return assigned;
  };
}

function compileAddress(scope: Scope, place: Place): LaneCode {
  if (place.kind === "memory") {
    const pointer = compileLanes(scope, place.pointer);
    const { offsetBytes } = place;
    if (offsetBytes === 0) return pointer;
    return (warp, mask) => {
      const value = pointer(warp, mask);
      return laneValue(
        value.lanes.map((address) => Number(address) + offsetBytes),
        value.taint,
        value.reason,
      );
    };
  }
  return compileVariableAddress(scope, place.variable, place.offsetBytes);
}

function compileVariableAddress(scope: Scope, variable: Variable, offsetBytes: number): LaneCode {
  if (variable.storage === "automatic") {
    const offset = scope.locals.get(variable.id);
    if (offset === undefined) return () => tainted(`the variable ${variable.name} of another function`);
    return (warp) => uniform(localAddress(warp, offset + offsetBytes));
  }
  if (variable.storage === "shared" || variable.storage === "dynamic-shared") {
    const offset = scope.machine.sharedOffsets.get(variable.id) ?? 0;
    const value = uniform(baseOf(sharedSegment) + offset + offsetBytes);
    return () => value;
  }
  let value: LaneValue | null = null;
  return (warp) => {
    value ??= uniform(warp.machine.makeGlobal(variable).base + offsetBytes);
    return value;
  };
}

function compileBinary(scope: Scope, expression: Extract<Expression, { kind: "binary" }>): LaneCode {
  const left = compileLanes(scope, expression.left);
  const right = compileLanes(scope, expression.right);
  const type: ScalarType = scalarTypeOf(expression.left.type) ?? uint64;
  const { operator } = expression;
  return (warp, mask) => {
    const a = left(warp, mask);
    const b = right(warp, mask);
    const taint = a.taint | b.taint;
    const lanes = binaryLanes(operator, type, a.lanes, b.lanes, mask);
    if (lanes !== null) return laneValue(lanes, taint, taint === 0 ? null : (a.reason ?? b.reason));
    return divideSomeLanes(expression.operator, type, a, b);
  };
}

/** Where a lane divides by zero, it alone is unknown. */
function divideSomeLanes(
  operator: Extract<Expression, { kind: "binary" }>["operator"],
  type: ScalarType,
  a: LaneValue,
  b: LaneValue,
): LaneValue {
  const lanes: Scalar[] = zeroValue.lanes.slice();
  let taint = a.taint | b.taint;
  for (let lane = 0; lane < laneCount; lane++) {
    const value = binary(operator, type, a.lanes[lane] ?? 0, b.lanes[lane] ?? 0);
    if (value === null) taint |= 1 << lane;
    else lanes[lane] = value;
  }
  return laneValue(lanes, taint, a.reason ?? b.reason ?? "a division by zero");
}

function compileLogical(scope: Scope, expression: Extract<Expression, { kind: "logical" }>): LaneCode {
  const left = compileLanes(scope, expression.left);
  const right = compileLanes(scope, expression.right);
  const isAnd = expression.operator === "and";
  return (warp, mask) => {
    const a = left(warp, mask);
    const whenA = maskOf(a.lanes) | 0;
    const open = mask & (a.taint | (isAnd ? whenA : ~whenA));
    if (open === 0) return a;
    const b = right(warp, open);
    const whenB = maskOf(b.lanes) | 0;
    const result = isAnd ? whenA & whenB : whenA | (whenB & open);
    const decidedByRight = open & ~b.taint & (isAnd ? ~whenB : whenB);
    const taint = (a.taint | (b.taint & open)) & ~decidedByRight;
    return laneValue(lanesOfMask(result), taint, taint === 0 ? null : (a.reason ?? b.reason));
  };
}

export function lanesOfMask(mask: number): Scalar[] {
  const lanes: Scalar[] = zeroValue.lanes.slice();
  for (let lane = 0; lane < laneCount; lane++) lanes[lane] = (mask >>> lane) & 1;
  return lanes;
}

function compileOffset(scope: Scope, expression: Extract<Expression, { kind: "offset" }>): LaneCode {
  const pointer = compileLanes(scope, expression.pointer);
  const index = compileLanes(scope, expression.index);
  const { strideBytes } = expression;
  return (warp, mask) => {
    const base = pointer(warp, mask);
    const count = index(warp, mask);
    const taint = base.taint | count.taint;
    const lanes: Scalar[] = base.lanes.slice();
    for (let lane = 0; lane < laneCount; lane++) {
      const at = count.lanes[lane] ?? 0;
      const steps = typeof at === "bigint" ? Number(BigInt.asIntN(64, at)) : at;
      lanes[lane] = Number(lanes[lane]) + steps * strideBytes;
    }
    return laneValue(lanes, taint, taint === 0 ? null : (base.reason ?? count.reason));
  };
}

function compileDifference(scope: Scope, expression: Extract<Expression, { kind: "difference" }>): LaneCode {
  const left = compileLanes(scope, expression.left);
  const right = compileLanes(scope, expression.right);
  const strideBytes = Math.max(1, expression.strideBytes);
  return (warp, mask) => {
    const a = left(warp, mask);
    const b = right(warp, mask);
    const taint = a.taint | b.taint;
    const lanes = a.lanes.map((address, lane) =>
      Math.trunc((Number(address) - Number(b.lanes[lane] ?? 0)) / strideBytes),
    );
    return laneValue(lanes, taint, taint === 0 ? null : (a.reason ?? b.reason));
  };
}

function compileConvert(scope: Scope, operand: Expression, to: Type): LaneCode {
  const target = scalarTypeOf(to);
  if (isAggregate(operand) || to.kind === "void") {
    const code = compileValue(scope, operand);
    const value = to.kind === "void" ? zeroValue : tainted("a conversion of a class");
    return (warp, mask) => {
      code(warp, mask);
      return value;
    };
  }
  const lanes = compileLanes(scope, operand);
  const from = scalarTypeOf(operand.type);
  if (target === null || from === null) {
    return (warp, mask) => {
      const value = lanes(warp, mask);
      return laneValue(value.lanes, -1, value.reason ?? "a type that is not understood");
    };
  }
  if (to.kind === "pointer") return compileToPointer(lanes, from);
  return (warp, mask) => {
    const value = lanes(warp, mask);
    return laneValue(convertLanes(value.lanes, from, target), value.taint, value.reason);
  };
}

/**
 * Addresses are kept as doubles; an integer too wide for one is no address of any object. One of 32 unsigned bits counts from the
 * start of shared memory, as PTX does.
 */
function compileToPointer(lanes: LaneCode, from: ScalarType): LaneCode {
  const isWindow = from.kind === "integer" && from.bits === 32 && !from.signed;
  const start = isWindow ? baseOf(sharedSegment) : 0;
  const isSigned = from.kind === "integer" && from.signed;
  return (warp, mask) => {
    const value = lanes(warp, mask);
    return laneValue(
      value.lanes.map((one) => start + Number(isSigned ? convert(one, from, int64) : one)),
      value.taint,
      value.reason,
    );
  };
}
