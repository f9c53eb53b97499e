// Functions of halves and of pairs of halves, for a warp: the only pure functions whose operands or results may be records.
import type { Intrinsic } from "../ir/expression.ts";
import type { HalfFunction } from "../ir/half-function.ts";
import type { FloatType, Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import { normalize } from "../semantics/arithmetic.ts";
import { halfFunction } from "../semantics/half-function.ts";
import { laneCount } from "../semantics/lanes.ts";
import type { Scalar } from "../semantics/scalar.ts";
import { type Leaf, leavesOf } from "./contents.ts";
import type { ValueCode } from "./expression.ts";
import {
  emptyBytes,
  isBytes,
  type LaneValue,
  laneValue,
  placePart,
  scalarPart,
  tainted,
  type Value,
  zeroValue,
} from "./value.ts";

/** `made` of what `codes` give. */
export function compileHalfFunction(
  { name, type, arguments: given }: Intrinsic,
  made: HalfFunction,
  codes: readonly ValueCode[],
): ValueCode {
  const operandLeaves = given.map((argument) => leavesOf(argument.type, 0));
  const resultLeaves = leavesOf(type, 0);
  const format = formatOf([...operandLeaves.flat(), ...resultLeaves]);
  if (resultLeaves.length === 0 || operandLeaves.some(({ length }) => length === 0)) {
    const result = tainted(`${name} of a type that is not understood`);
    return (warp, mask) => {
      for (const code of codes) code(warp, mask);
      return result;
    };
  }
  return (warp, mask) => {
    const operands = codes.map((code, index) => componentsOf(code(warp, mask), operandLeaves[index] ?? []));
    const all = operands.flat();
    const taint = all.reduce((some, { taint }) => some | taint, 0);
    const reason = all.find((each) => each.reason !== null)?.reason ?? null;
    const results = lanesOfResult(made, format, operands, resultLeaves, mask);
    return resultOf(results, taint, reason, type, resultLeaves);
  };
}

/** Of the halves that a function takes or gives: it has no others. */
function formatOf(leaves: readonly Leaf[]): FloatType["format"] {
  for (const { type } of leaves) {
    if (type.kind === "float" && (type.format === "half" || type.format === "bfloat16")) return type.format;
  }
  return "half";
}

function componentsOf(value: Value, leaves: readonly Leaf[]): readonly LaneValue[] {
  if (!isBytes(value)) return [value];
  return leaves.map(({ offsetBytes, type }) => scalarPart(value, offsetBytes, type));
}

/** By component of the result, the lanes of `mask`. */
function lanesOfResult(
  made: HalfFunction,
  format: FloatType["format"],
  operands: readonly (readonly LaneValue[])[],
  leaves: readonly Leaf[],
  mask: number,
): readonly Scalar[][] {
  const results = leaves.map(() => zeroValue.lanes.slice());
  for (let lane = 0; lane < laneCount; lane++) {
    if (!((mask >>> lane) & 1)) continue;
    const numbers = operands.map((components) => components.map(({ lanes }) => Number(lanes[lane])));
    const components = halfFunction(made, format, numbers);
    leaves.forEach(({ type }, component) => {
      const lanes = results[component];
      if (lanes) lanes[lane] = normalize(type, components[component] ?? 0);
    });
  }
  return results;
}

function resultOf(
  results: readonly Scalar[][],
  taint: number,
  reason: string | null,
  type: Type,
  leaves: readonly Leaf[],
): Value {
  const [first = []] = results;
  if (type.kind !== "record") return laneValue(first, taint, reason);
  const whole = emptyBytes(sizeOf(type) ?? 0, reason);
  leaves.forEach((leaf, component) => {
    placePart(whole, leaf.offsetBytes, leaf.type, laneValue(results[component] ?? [], taint, reason));
  });
  return whole;
}
