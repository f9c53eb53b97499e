// Atomic read-modify-writes: the lanes of a warp take turns, the lowest first.

import type { Intrinsic } from "../ir/expression.ts";
import { atomicVariant } from "../ir/intrinsic.ts";
import type { ScalarType } from "../ir/type.ts";
import { binary, convert } from "../semantics/arithmetic.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { type Access, announce, loadScalar, storeScalar } from "./access.ts";
import { accessOf, type ValueCode } from "./expression.ts";
import type { Scope } from "./function.ts";
import { compileUnknown, lanesOf } from "./intrinsic.ts";
import type { Warp } from "./machine.ts";
import { type LaneValue, laneValue, scalarTypeOf, sizeOfScalar, zeroValue } from "./value.ts";

/** What memory holds after `operand` met `old`; for a compare-and-swap, `comparand` is its first operand. */
type Update = (type: ScalarType, old: Scalar, operand: Scalar, comparand: Scalar) => Scalar;

const updates = new Map<string, Update>([
  ["atomicAdd", (type, old, operand) => binary("+", type, old, operand) ?? 0],
  ["atomicSub", (type, old, operand) => binary("-", type, old, operand) ?? 0],
  ["atomicExch", (_type, _old, operand) => operand],
  ["atomicMin", (_type, old, operand) => (isLess(operand, old) ? operand : old)],
  ["atomicMax", (_type, old, operand) => (isLess(old, operand) ? operand : old)],
  ["atomicInc", (_type, old, limit) => (Number(old) >= Number(limit) ? 0 : Number(old) + 1)],
  ["atomicDec", (_type, old, limit) => (old === 0 || Number(old) > Number(limit) ? limit : Number(old) - 1)],
  ["atomicCAS", (_type, old, operand, comparand) => (old === comparand ? operand : old)],
  ["atomicAnd", (type, old, operand) => binary("&", type, old, operand) ?? 0],
  ["atomicOr", (type, old, operand) => binary("|", type, old, operand) ?? 0],
  ["atomicXor", (type, old, operand) => binary("^", type, old, operand) ?? 0],
]);

export function compileAtomic(scope: Scope, expression: Intrinsic, codes: readonly ValueCode[]): ValueCode {
  const update = updates.get(expression.name);
  const operandType = expression.arguments.at(-1)?.type;
  const given = operandType === undefined ? null : scalarTypeOf(operandType);
  const type = scalarTypeOf(expression.type) ?? given;
  if (update === undefined || type === null || given === null) {
    return compileUnknown(codes, `${expression.name} of this type is not run`);
  }
  const access: Access = {
    ...accessOf(scope, expression.site, "atomic"),
    intrinsic: atomicVariant(expression, type),
  };
  const [addressCode] = codes;
  return (warp, mask) => {
    const address = lanesOf(addressCode?.(warp, mask));
    const operands = codes.slice(1).map((code) => lanesOf(code(warp, mask)));
    const operand = operands.at(-1) ?? zeroValue;
    const comparand = operands[0] ?? zeroValue;
    announce(warp, mask, address, 0, sizeOfScalar(type), access, null);
    const taint = operand.taint | comparand.taint;
    return takeTurns(warp, mask & ~address.taint, address, type, { ...access, site: null }, (lane, old) => ({
      value: update(type, old, convert(operand.lanes[lane] ?? 0, given, type), comparand.lanes[lane] ?? 0),
      isTainted: ((taint >>> lane) & 1) === 1,
    }));
  };
}

function takeTurns(
  warp: Warp,
  mask: number,
  address: LaneValue,
  type: ScalarType,
  access: Access,
  next: (lane: number, old: Scalar) => { readonly value: Scalar; readonly isTainted: boolean },
): LaneValue {
  const result: Scalar[] = zeroValue.lanes.slice();
  let taint = address.taint;
  let reason = address.reason;
  for (let lane = 0; lane < laneCount; lane++) {
    const bit = 1 << lane;
    if (!(mask & bit)) continue;
    const old = loadScalar(warp, bit, address, 0, type, access);
    const { value, isTainted } = next(lane, old.lanes[lane] ?? 0);
    const lanes = zeroValue.lanes.slice();
    lanes[lane] = value;
    const written = (old.taint & bit) | (isTainted ? bit : 0);
    storeScalar(warp, bit, address, 0, type, laneValue(lanes, written, old.reason), access);
    result[lane] = old.lanes[lane] ?? 0;
    taint |= old.taint & bit;
    reason ??= old.reason;
  }
  return laneValue(result, taint, taint === 0 ? null : (reason ?? "an atomic on memory that is not known"));
}

function isLess(left: Scalar, right: Scalar): boolean {
  return left < right;
}
