// What CUDA supplies: thread identities, memory intrinsics, exchanges between lanes, and pure functions.
import { copyPath } from "../../hardware/async-copy.ts";
import type { Intrinsic } from "../../ir/expression.ts";
import { atomicVariant, intrinsicEffect } from "../../ir/intrinsic.ts";
import { isScalar, type ScalarType, sizeOf, type Type } from "../../ir/type.ts";
import { pureIntrinsic } from "../../semantics/intrinsic.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { dependsOnMemory, type Frame, type Machine, unknownOfType } from "../machine.ts";
import { loadedText, loadedValue, recordAccess } from "../memory/accesses.ts";
import { scalarValue } from "../memory/objects.ts";
import type { AccessOperation } from "../profile.ts";
import { joined, toLinear, toPointer, toPredicate, unknownLike } from "../values/conversions.ts";
import { deriveLinear, factorsOf, splitOf } from "../values/derive.ts";
import { integerBinary } from "../values/integers.ts";
import { foldLanes, laneCount, laneOf, mapLanes } from "../values/lanes.ts";
import {
  blend,
  isKnown,
  isUniformLinear,
  known,
  type Linear,
  permute,
  rangeOf,
  symbolic,
} from "../values/linear.ts";
import { branch, type Mask } from "../values/mask.ts";
import { compareLinear, isOfSizesAlone, openLanes } from "../values/predicates.ts";
import { SplitRequest } from "../values/symbol.ts";
import { rangeOfType } from "../values/symbols.ts";
import { decided, floats, type Value, variesByLane } from "../values/value.ts";
import { recordCoefficients } from "./coefficients.ts";
import { evaluate, interiorWarps, withAssumption } from "./expressions.ts";

/** The value of an intrinsic; its accesses are recorded. */
export function evaluateIntrinsic(machine: Machine, frame: Frame, expression: Intrinsic, mask: Mask): Value {
  const effect = intrinsicEffect(expression.name);
  if (effect === "identity") return identity(machine, expression.name);
  const values = expression.arguments.map((argument) => evaluate(machine, frame, argument, mask));
  if (expression.name === "__isShared") return isShared(machine, values[0]);
  switch (effect) {
    case "load":
    case "store":
    case "atomic":
    case "matrix-load":
    case "matrix-store":
      return memoryIntrinsic(machine, frame, expression, effect, values, mask);
    case "async-copy":
      return asyncCopy(machine, frame, expression, values, mask);
    case "warp":
      return exchange(machine, expression, values, mask);
    case "pure":
      recordCoefficients(machine, frame, expression, values, mask);
      return pure(machine, expression, values, mask);
    default:
      return unknownOfType(machine, expression.type, `${expression.name}()`, {
        varies: true,
        dependsOnData: true,
      });
  }
}

/** A pointer of which nothing is known is taken to lead to global memory, as accesses through it are. */
function isShared(machine: Machine, value: Value | undefined): Value {
  return decided(toPointer(machine, value ?? known(0)).object.space === "shared" ? -1 : 0);
}

function identity(machine: Machine, name: string): Value {
  if (name === "warpSize") return known(laneCount);
  if (name === "laneid") return known(foldLanes(Array.from({ length: laneCount }, (_, lane) => lane)));
  if (name === "warpid") return machine.bound.warpIndex;
  const [base, suffix] = name.split(".");
  const index = suffix === "y" ? 1 : suffix === "z" ? 2 : 0;
  switch (base) {
    case "threadIdx":
      return machine.bound.threadIndex[index];
    case "blockIdx":
      return machine.bound.blockIndex[index];
    case "blockDim":
      return known(machine.launch.block[index]);
    default: {
      const count = machine.launch.grid[index];
      if (count !== null) return known(count);
      return symbolic(
        machine.symbols.derive(name, () => ({
          name,
          role: "size",
          varies: false,
          least: 1,
          most: 2 ** 31 - 1,
        })),
      );
    }
  }
}

function memoryIntrinsic(
  machine: Machine,
  frame: Frame,
  expression: Intrinsic,
  effect: AccessOperation,
  values: readonly Value[],
  mask: Mask,
): Value {
  const pointer = toPointer(machine, values[0] ?? known(0));
  const accessed = accessedType(expression, effect);
  if (expression.site)
    recordAccess(
      machine,
      frame,
      {
        site: expression.site,
        operation: effect,
        variant: variantOf(expression, effect, accessed),
        type: accessed,
        meetsAtWord: expression.addressIsUniform === true,
      },
      pointer,
      mask,
    );
  if (effect === "store" || effect === "matrix-store") return known(0);
  const text = expression.site === null ? expression.name : loadedText(expression.site, pointer.object);
  if (effect === "load") return loadedValue(machine, pointer, expression.type, mask, text);
  return unknownOfType(machine, expression.type, text, {
    varies: true,
    dependsOnData: true,
  });
}

/** The type that the pointer of a memory intrinsic points to. */
function accessedType(expression: Intrinsic, effect: AccessOperation): Type {
  const pointer = expression.arguments[0]?.type;
  if (effect === "matrix-load" || effect === "matrix-store")
    return { kind: "record", name: "a row", sizeBytes: 16, alignmentBytes: 16, fields: [] };
  if (pointer?.kind === "pointer" && sizeOf(pointer.target) !== null) return pointer.target;
  return expression.type;
}

/** How the hardware knows the operation: the name for matrices, and for atomics the name and the kind of number. */
function variantOf(expression: Intrinsic, effect: AccessOperation, accessed: Type): string {
  return effect === "atomic" ? atomicVariant(expression, accessed) : expression.name;
}

/** cp.async: a write of shared memory and a read of global memory. */
function asyncCopy(
  machine: Machine,
  frame: Frame,
  expression: Intrinsic,
  values: readonly Value[],
  mask: Mask,
): Value {
  const destination = toPointer(machine, values[0] ?? known(0));
  const source = toPointer(machine, values[1] ?? known(0));
  const length = values[2];
  const bytes = length?.kind === "linear" && isKnown(length) ? Number(laneOf(length.constant, 0)) : 4;
  const type: Type = {
    kind: "record",
    name: `${bytes} bytes`,
    sizeBytes: bytes,
    alignmentBytes: bytes,
    fields: [],
  };
  if (expression.site) {
    const access = {
      site: expression.site,
      operation: "async-copy",
      variant: expression.name,
      type,
      isBypass: copyPath(expression.name, bytes) === "bypass",
      writing: mask.active,
    } as const;
    const reading = values[3] ? copyingLanes(values[3], mask) : mask;
    const partnerMask = access.isBypass ? mask.active : reading.active;
    recordAccess(machine, frame, { ...access, partner: source, partnerMask }, destination, mask);
    recordAccess(machine, frame, { ...access, partner: destination }, source, reading);
  }
  return known(0);
}

/** The lanes that copy any byte: the others write zeros alone. */
function copyingLanes(copiedBytes: Value, mask: Mask): Mask {
  const predicate = toPredicate(copiedBytes, mask);
  if (predicate.doubt?.split && openLanes(predicate, mask.active) !== 0)
    throw new SplitRequest(predicate.doubt.split);
  return branch(mask, predicate).whenTrue;
}

/** Shuffles move lanes' values; votes make a predicate of all lanes uniform. */
function exchange(machine: Machine, expression: Intrinsic, values: readonly Value[], mask: Mask): Value {
  const name = expression.name;
  const isSettled = mask.uncertain === 0;
  if (name.startsWith("__shfl")) return shuffle(machine, expression, values, isSettled ? "settled" : "open");
  if (name === "__activemask" && isSettled) return known(mask.active >>> 0);
  const vote = values[1] ? toPredicate(values[1], mask) : null;
  if (vote && isSettled && openLanes(vote, mask.active) === 0) {
    const yes = vote.yes & mask.active;
    if (name === "__ballot_sync") return known(yes >>> 0);
    if (name === "__any_sync") return decided(yes === 0 ? 0 : -1);
    if (name === "__all_sync") return decided(yes === mask.active ? -1 : 0);
  }
  if (name === "__match_any_sync" && isSettled && values[1] && values[1].kind !== "floats") {
    const alike = lanesAlike(toLinear(machine, values[1], mask), mask.active);
    if (alike) return alike;
  }
  const isUniform = name !== "__match_any_sync" && name !== "__match_all_sync";
  return unknownOfType(machine, expression.type, `${name}()`, {
    varies: !isUniform,
    dependsOnData: values.some(dependsOnMemory),
  });
}

/** For each lane the active lanes that hold its value, as bits; null where what is not known differs between lanes. */
function lanesAlike(value: Linear, active: number): Linear | null {
  if (!isUniformLinear({ ...value, constant: 0 })) {
    const split = splitOf(factorsOf([value]), null);
    if (split) throw new SplitRequest(split);
    return null;
  }
  const lanesOfValue = new Map<Scalar, number>();
  for (let lane = 0; lane < laneCount; lane++) {
    const held = laneOf(value.constant, lane);
    if ((active >>> lane) & 1) lanesOfValue.set(held, (lanesOfValue.get(held) ?? 0) | (1 << lane));
  }
  return known(mapLanes(value.constant, (held) => (lanesOfValue.get(held) ?? 0) >>> 0));
}

function shuffle(
  machine: Machine,
  expression: Intrinsic,
  values: readonly Value[],
  lanes: "settled" | "open",
): Value {
  // The forms without _sync have no mask in front.
  const [value, lane, width] = expression.name.endsWith("_sync") ? values.slice(1) : values;
  const reason = `${expression.name}()`;
  const isOneForAll = isOfOneLane(expression.name, lane, width);
  const lost = (): Value =>
    unknownOfType(machine, expression.type, reason, {
      varies:
        !isOneForAll &&
        (value === undefined || variesByLane(value) || lane === undefined || variesByLane(lane)),
      dependsOnData: value === undefined || dependsOnMemory(value),
    });
  if (!value || !lane || lane.kind !== "linear" || !isKnown(lane) || lanes === "open") return lost();
  if (!variesByLane(value)) return value;
  const segment = width?.kind === "linear" && isKnown(width) ? Number(laneOf(width.constant, 0)) : laneCount;
  const sources = Array.from({ length: laneCount }, (_, own) =>
    sourceLane(expression.name, own, Number(laneOf(lane.constant, own)), segment),
  );
  if (value.kind === "linear") return permute(value, sources) ?? lost();
  if (value.kind === "floats")
    return floats(
      sources.map((source) => (typeof value.lanes === "number" ? value.lanes : (value.lanes[source] ?? 0))),
    );
  return lost();
}

/** Whether all lanes of the warp read the same one: what they get is one value, whatever that lane holds. */
function isOfOneLane(name: string, lane: Value | undefined, width: Value | undefined): boolean {
  if (!/^__shfl(_sync)?$/.test(name) || lane === undefined || variesByLane(lane)) return false;
  return (
    width === undefined ||
    (width.kind === "linear" && isKnown(width) && laneOf(width.constant, 0) === laneCount)
  );
}

/** The lane that a shuffle reads (CUDA C++ programming guide, warp shuffle functions). */
function sourceLane(name: string, own: number, operand: number, width: number): number {
  const start = own - (own % width);
  if (name.startsWith("__shfl_up")) return own - operand >= start ? own - operand : own;
  if (name.startsWith("__shfl_down")) return own + operand < start + width ? own + operand : own;
  if (name.startsWith("__shfl_xor")) {
    const source = own ^ operand;
    return source < start + width ? source & 31 : own;
  }
  return start + (((operand % width) + width) % width);
}

function pure(machine: Machine, expression: Intrinsic, values: readonly Value[], mask: Mask): Value {
  const types = expression.arguments.map((argument) => argument.type);
  if (!isScalar(expression.type) || !types.every(isScalar)) return joined(...values);
  const { name, type } = expression;
  if ((name === "min" || name === "max") && type.kind === "integer")
    return extreme(machine, name, values, mask);
  const scalars = types.filter(isScalar);
  const lanes = values.map((value, index) => lanesOf(machine, value, scalars[index], mask));
  if (lanes.every((each) => each !== null)) return applied(name, type, scalars, lanes, mask);
  if (type.kind === "float") return joined(...values);
  const product = productOf24Bits(machine, name, type, values, mask);
  if (product) return product;
  const operands = values.map((value) => toLinear(machine, value, mask));
  const limits = rangeOfType(type);
  if (values.some((value) => value.kind !== "linear")) return unknownLike(machine, joined(...values), type);
  const [dividend, multiplier] = operands;
  const highHalfOf = name === "__umulhi" && dividend && multiplier ? { dividend, multiplier } : null;
  return deriveLinear(machine.symbols, { operation: name, operands, ...narrowed(name, limits), highHalfOf });
}

/** Sizes and positions are taken to fit into the 24 bits that such a product is made of, as they are not to wrap. Null of other functions, and of data. */
function productOf24Bits(
  machine: Machine,
  name: string,
  type: ScalarType,
  values: readonly Value[],
  mask: Mask,
): Value | null {
  const [left, right] = values;
  if ((name !== "__mul24" && name !== "__umul24") || type.kind !== "integer") return null;
  if (left?.kind !== "linear" || right?.kind !== "linear" || values.some(dependsOnMemory)) return null;
  return integerBinary(machine.symbols, "*", type, left, right, mask.active);
}

/** Known results of a few functions are small whatever their operands. */
function narrowed(name: string, limits: { least: number; most: number }): { least: number; most: number } {
  if (name === "__popc" || name === "__clz" || name === "__ffs") return { least: 0, most: 32 };
  if (name === "__popcll" || name === "__clzll" || name === "__ffsll") return { least: 0, most: 64 };
  return limits;
}

type LaneScalars = Scalar | readonly Scalar[];

function lanesOf(
  machine: Machine,
  value: Value,
  type: ScalarType | undefined,
  mask: Mask,
): LaneScalars | null {
  if (value.kind === "floats") return value.lanes;
  if (value.kind === "linear" && isKnown(value)) return value.constant;
  if (value.kind === "predicate" && type?.kind === "boolean" && openLanes(value, mask.active) === 0) {
    const form = toLinear(machine, value, mask);
    return isKnown(form) ? form.constant : null;
  }
  return null;
}

function applied(
  name: string,
  type: ScalarType,
  types: readonly ScalarType[],
  lanes: readonly LaneScalars[],
  mask: Mask,
): Value {
  const at = (lane: number) => lanes.map((each) => (typeof each === "object" ? (each[lane] ?? 0) : each));
  if (lanes.every((each) => typeof each !== "object")) {
    const result = pureIntrinsic(name, type, types, at(0));
    return result === null
      ? { kind: "unknown", reason: `${name}()`, varies: false, dependsOnData: false, split: null }
      : scalarValue(result, type);
  }
  const results: Scalar[] = [];
  for (let lane = 0; lane < laneCount; lane++) {
    const result = (mask.active >>> lane) & 1 ? pureIntrinsic(name, type, types, at(lane)) : 0;
    if (result === null)
      return { kind: "unknown", reason: `${name}()`, varies: true, dependsOnData: false, split: null };
    results.push(result);
  }
  if (type.kind === "float") return floats(results.map(Number));
  if (type.kind === "boolean")
    return decided(results.reduce<number>((bits, result, lane) => (result ? bits | (1 << lane) : bits), 0));
  return known(foldLanes(results));
}

/** min and max of integers: decided lane by lane where the order is known, the lesser or greater bound where it is not. */
function extreme(machine: Machine, name: "min" | "max", values: readonly Value[], mask: Mask): Value {
  const [left, right] = values.map((value) => toLinear(machine, value, mask));
  if (!left || !right) return joined(...values);
  const isFirst = compareLinear(name === "min" ? "<=" : ">=", left, right, mask.active);
  const open = openLanes(isFirst, mask.active);
  if (open === 0) return blend(isFirst.yes, left, right);
  // Beside an unknown size the other one is taken: clamping does nothing in interior warps.
  const { doubt } = isFirst;
  if (doubt?.lean && !doubt.split && !isOfSizesAlone(doubt)) {
    machine.assumptions = withAssumption(machine.assumptions, interiorWarps);
    return blend(doubt.lean.holds ? isFirst.yes | open : isFirst.yes, left, right);
  }
  const first = rangeOf(left, mask.active);
  const second = rangeOf(right, mask.active);
  const pick = name === "min" ? Math.min : Math.max;
  const split = doubt?.split ?? null;
  return deriveLinear(machine.symbols, {
    operation: name,
    operands: [left, right],
    least: pick(first.least, second.least),
    most: pick(first.most, second.most),
    split,
  });
}
