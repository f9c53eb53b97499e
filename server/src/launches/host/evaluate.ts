// The value of an expression of host code, and what evaluating it does to memory.
import type {
  Aggregate,
  Binary,
  Call,
  CallIndirect,
  Conditional,
  Convert,
  Expression,
  FunctionReference,
  Intrinsic,
  Logical,
  Place,
  UnknownExpression,
} from "../../ir/expression.ts";
import type { FunctionId } from "../../ir/function.ts";
import type { Type } from "../../ir/type.ts";
import { isScalar, sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { binary, convert, unary } from "../../semantics/arithmetic.ts";
import type { SourceRange } from "../../text/source.ts";
import { anyElement } from "./candidates.ts";
import type { DeviceKnowledge } from "./device-facts.ts";
import { exposeToOutside } from "./exposed.ts";
import { callLibrary } from "./library.ts";
import { expressionName, isWarpSize, placeName } from "./naming.ts";
import type { Fill, HostObject, Memory } from "./object.ts";
import { makeObject, readContents } from "./object.ts";
import { byLowBits } from "./pointer-bits.ts";
import { recordOf } from "./records.ts";
import type { Bindings, FunctionValue, PointerValue, RecordValue, UnknownValue, Value } from "./value.ts";
import {
  candidatesOf,
  isScalarValue,
  mapUnknown,
  mapUnknowns,
  mergeValues,
  pointerTo,
  resolve,
  symbolicValue,
  truthOf,
  unknownValue,
  withoutChoice,
} from "./value.ts";

/** What the evaluation of expressions asks of the interpreter that runs the statements. */
export interface HostContext {
  readonly memory: Memory;
  readonly bindings: Bindings;
  /** The object that a variable is at this moment. */
  objectOf(variable: Variable): HostObject;
  /** Memory that `site` allocates. */
  allocate(site: Intrinsic, shape: AllocationShape): HostObject;
  call(
    callee: FunctionId,
    values: readonly Value[],
    range: SourceRange | null,
    call: Expression | null,
  ): Value;
  /** Calls a function that some code out of sight was given, its arguments unknown. */
  callFromOutside(callee: FunctionId, receiver: Value | null, range: SourceRange | null): void;
  /** Runs each of `sides` from the same point and merges what they did. */
  eachWay(sides: readonly (() => void)[]): void;
  launchKernel(values: readonly Value[], range: SourceRange): void;
  exit(): void;
  /** What is known of the GPU, for a host that asks. */
  askDevice(): DeviceKnowledge;
  /** The size of a warp, where only a name says that it is one. */
  assumeWarpSize(): number;
  /** Whether blocks of any size have full occupancy, as is assumed of kernels that set themselves no bound. */
  assumesFullOccupancy(kernel: Value | undefined): boolean;
  /** Which environment variables are set, for a host that asks. */
  askEnvironment(): "empty" | "unknown";
  /** Whether the code at hand stands for a library's: its names mean nothing to anyone. */
  readonly isInLibrary: boolean;
  /** Counts a step; false once the budget is spent. */
  charge(): boolean;
}

export interface AllocationShape {
  readonly name: string;
  readonly sizeBytes: number | null;
  readonly alignmentBytes: number;
  /** What it holds at first. */
  readonly fill: Fill;
  readonly isManaged?: boolean;
}

/** A place in memory that is known. */
interface Location {
  readonly object: HostObject;
  readonly offsetBytes: number;
}

/** What is done by closures stands in functions of its own, so that the other kinds make no room for what those see. */
export function evaluate(context: HostContext, expression: Expression): Value {
  if (!context.charge()) return unknownValue("the host code is too long to run");
  switch (expression.kind) {
    case "constant":
      return expression.value;
    case "load":
      return load(context, expression.place, expression.type);
    case "address":
      return addressOf(context, expression.place);
    case "unary":
      return evaluateUnary(
        evaluate(context, expression.operand),
        expression.operator,
        expression.operand.type,
      );
    case "binary":
      return evaluateBinary(context, expression);
    case "logical":
      return evaluateLogical(context, expression);
    case "offset":
      return step(
        evaluate(context, expression.pointer),
        evaluate(context, expression.index),
        expression.strideBytes,
      );
    case "difference":
      return difference(
        evaluate(context, expression.left),
        evaluate(context, expression.right),
        expression.strideBytes,
      );
    case "convert":
      return evaluateConvert(evaluate(context, expression.operand), expression);
    case "conditional":
      return evaluateConditional(context, expression);
    case "assign": {
      const value = evaluate(context, expression.value);
      store(context, expression.place, value);
      return value;
    }
    case "sequence":
      for (const effect of expression.effects) evaluate(context, effect);
      return evaluate(context, expression.result);
    case "call":
      return evaluateCall(context, expression);
    case "call-indirect":
      return evaluateIndirectCall(context, expression);
    case "function":
      return { kind: "function", callee: expression.callee, receiver: evaluateReceiver(context, expression) };
    case "intrinsic":
      return evaluateIntrinsic(context, expression);
    case "aggregate":
      return evaluateAggregate(context, expression);
    case "extract": {
      const operand = evaluate(context, expression.operand);
      if (isScalarValue(operand) || operand.kind !== "record")
        return asUnknown(operand, "a member of what is not known");
      return readContents(operand, expression.offsetBytes, expression.type, "a member that nobody set");
    }
    case "unknown":
      return evaluateUnknown(context, expression);
  }
}

/** Writes `value` to `place`. A store through an unknown pointer is lost: what it could have hit is bulk data or opaque. */
function store(context: HostContext, place: Place, value: Value): void {
  const location = locate(context, place);
  if (!context.isInLibrary) nameAllocation(value, place);
  if (location === null) return;
  if ("offsetBytes" in location && location.offsetBytes !== null) {
    context.memory.write(location.object, location.offsetBytes, place.type, value);
  } else {
    context.memory.forget(location.object, "a store to an element that is not known");
  }
}

/** An allocation is called after the first variable that holds it. */
export function nameAllocation(value: Value, place: Place): void {
  if (isScalarValue(value) || value.kind !== "pointer" || value.object.name !== "") return;
  value.object.name = placeName(place);
}

/** A pointer of which nothing is known but its name. */
export function opaquePointer(name: string, alignmentBytes = 256): PointerValue {
  const object = makeObject({
    name,
    sizeBytes: null,
    alignmentBytes,
    fill: "unknown",
    reason: name === "" ? "memory that is not known" : `what ${name} points to`,
    isOpaque: true,
  });
  return pointerTo(object, 0);
}

function locate(context: HostContext, place: Place): Location | PointerValue | null {
  if (place.kind === "variable") {
    return { object: context.objectOf(place.variable), offsetBytes: place.offsetBytes };
  }
  const pointer = evaluate(context, place.pointer);
  if (isScalarValue(pointer) || pointer.kind !== "pointer") return null;
  if (pointer.offsetBytes === null) return shifted(pointer, place.offsetBytes);
  return { object: pointer.object, offsetBytes: pointer.offsetBytes + place.offsetBytes };
}

function shifted(pointer: PointerValue, bytes: number): PointerValue {
  const { among } = pointer;
  return among === undefined || bytes === 0
    ? pointer
    : { ...pointer, among: { ...among, startBytes: among.startBytes + bytes } };
}

function load(context: HostContext, place: Place, type: Type): Value {
  const location = locate(context, place);
  const any = location !== null && "kind" in location ? anyElement(context.memory, location, type) : null;
  if (any !== null) return any;
  const isKnown = location !== null && location.offsetBytes !== null;
  const value = isKnown
    ? context.memory.read(location.object, location.offsetBytes, type)
    : unknownValue(`what ${placeName(place) || "a pointer"} holds`);
  const resolved = resolve(value, context.bindings);
  if (!isUnknown(resolved)) return resolved;
  if (type.kind === "integer" && isWarpSize(placeName(place))) return context.assumeWarpSize();
  if (resolved.of !== undefined) return resolved;
  const named = namedUnknown(type, place, resolved.reason);
  if (named === null) return value;
  if (isKnown && !location.object.isBulk)
    context.memory.write(location.object, location.offsetBytes, type, named);
  return named;
}

/** An identity for the unknown that a place holds, so that it is the same whenever it is read. */
function namedUnknown(type: Type, place: Place, reason: string): Value | null {
  if (type.kind === "pointer") return opaquePointer(placeName(place));
  return type.kind === "integer" ? symbolicValue(placeName(place), reason) : null;
}

function addressOf(context: HostContext, place: Place): Value {
  const location = locate(context, place);
  if (location === null) return opaquePointer(placeName(place));
  return "kind" in location ? location : pointerTo(location.object, location.offsetBytes);
}

function evaluateUnary(operand: Value, operator: "negate" | "complement" | "not", type: Type): Value {
  if (operator === "not") {
    const truth = truthOf(operand);
    return truth === null ? asUnknown(operand, "a pointer that may be null") : truth ? 0 : 1;
  }
  if (!isScalar(type)) return asUnknown(operand, "arithmetic on a pointer");
  if (isScalarValue(operand)) return unary(operator, type, operand);
  if (!isUnknown(operand)) return unknownValue("arithmetic on a pointer");
  return mapUnknown(operand, (value) => unary(operator, type, value));
}

function evaluateBinary(context: HostContext, expression: Binary): Value {
  const left = evaluate(context, expression.left);
  const right = evaluate(context, expression.right);
  const { operator } = expression;
  const { type } = expression.left;
  if (isScalarValue(left) && isScalarValue(right)) {
    const scalarType = isScalar(type) ? type : pointerBits;
    return (
      binary(operator, scalarType, left, right) ?? unknownValue(`a ${operator} that C++ leaves undefined`)
    );
  }
  if (isUnknown(left) || isUnknown(right)) return binaryOfUnknown(operator, type, left, right);
  if (operator === "==" || operator === "!=") {
    const equal = equalPointers(left, right);
    return equal === null ? unknownValue("a comparison of pointers") : equal === (operator === "==") ? 1 : 0;
  }
  if (/^[<>]=?$/.test(operator)) return orderOf(operator, left, right);
  if (operator === "+" || operator === "-") return step(left, right, operator === "+" ? 1 : -1);
  return byLowBits(operator, left, right) ?? unknownValue("arithmetic on a pointer");
}

function binaryOfUnknown(operator: Binary["operator"], type: Type, left: Value, right: Value): Value {
  if (isScalar(type)) {
    if (isUnknown(left) && isUnknown(right)) {
      return mapUnknowns(left, right, (a, b) => binary(operator, type, a, b));
    }
    if (isUnknown(left) && isScalarValue(right)) {
      return mapUnknown(left, (value) => binary(operator, type, value, right));
    }
    if (isScalarValue(left) && isUnknown(right)) {
      return mapUnknown(right, (value) => binary(operator, type, left, value));
    }
  }
  return unknownValue(isUnknown(left) ? left.reason : "arithmetic on what is not known");
}

const offsetType = { kind: "integer", bits: 64, signed: true } as const;
const pointerBits = { kind: "integer", bits: 64, signed: false } as const;

function equalPointers(left: Value, right: Value): boolean | null {
  if (isScalarValue(left)) return left === 0 ? negated(truthOf(right)) : null;
  if (isScalarValue(right)) return right === 0 ? negated(truthOf(left)) : null;
  if (left.kind === "function" && right.kind === "function") return left.callee === right.callee;
  if (left.kind !== "pointer" || right.kind !== "pointer") return null;
  if (left.object !== right.object) return left.object.isOpaque || right.object.isOpaque ? null : false;
  if (left.offsetBytes === null || right.offsetBytes === null) return null;
  return left.offsetBytes === right.offsetBytes;
}

/** Pointers into one object are in the order of their offsets. */
function orderOf(operator: Binary["operator"], left: Value, right: Value): Value {
  const isKnown =
    !isScalarValue(left) &&
    !isScalarValue(right) &&
    left.kind === "pointer" &&
    right.kind === "pointer" &&
    left.object === right.object &&
    left.offsetBytes !== null &&
    right.offsetBytes !== null;
  const order = isKnown ? binary(operator, offsetType, left.offsetBytes, right.offsetBytes) : null;
  return order ?? unknownValue("a comparison of pointers");
}

function negated(truth: boolean | null): boolean | null {
  return truth === null ? null : !truth;
}

function evaluateLogical(context: HostContext, expression: Logical): Value {
  const deciding = expression.operator === "or";
  const left = evaluate(context, expression.left);
  const leftTruth = truthOf(left);
  if (leftTruth === deciding) return deciding ? 1 : 0;
  let right: Value = 0;
  const evaluateRight = () => {
    right = evaluate(context, expression.right);
  };
  if (leftTruth === null) context.eachWay([evaluateRight, () => {}]);
  else evaluateRight();
  const rightTruth = truthOf(right);
  if (rightTruth === deciding || (rightTruth !== null && leftTruth !== null)) return rightTruth ? 1 : 0;
  return leftTruth === null ? asUnknown(left, "a condition") : asUnknown(right, "a condition");
}

function step(pointer: Value, index: Value, strideBytes: number): Value {
  // A step of nothing leads nowhere else, from null either: the end of an empty list.
  if (index === 0) return pointer;
  if (isScalarValue(pointer)) return unknownValue("a pointer made from a number");
  if (pointer.kind !== "pointer") return asUnknown(pointer, "arithmetic on a pointer");
  const { object, offsetBytes } = pointer;
  if (isScalarValue(index)) {
    const bytes = Number(index) * strideBytes;
    return offsetBytes === null ? shifted(pointer, bytes) : pointerTo(object, offsetBytes + bytes);
  }
  if (offsetBytes === null || strideBytes <= 0) return pointerTo(object, null);
  return { ...pointerTo(object, null), among: { startBytes: offsetBytes, strideBytes } };
}

function difference(left: Value, right: Value, strideBytes: number): Value {
  // Of null pointers, as in a container that holds nothing yet.
  if (left === 0 && right === 0) return 0;
  if (isScalarValue(left) || isScalarValue(right) || left.kind !== "pointer" || right.kind !== "pointer") {
    return unknownValue("a difference of pointers");
  }
  if (left.object !== right.object || left.offsetBytes === null || right.offsetBytes === null) {
    return unknownValue("a difference of pointers");
  }
  return Math.trunc((left.offsetBytes - right.offsetBytes) / strideBytes);
}

function evaluateConvert(operand: Value, expression: Convert): Value {
  const from = expression.operand.type;
  const to = expression.type;
  if (isScalarValue(operand))
    return isScalar(from) && isScalar(to) ? convert(operand, from, to, "host") : operand;
  if (to.kind === "boolean") {
    const truth = truthOf(operand);
    return truth === null ? asUnknown(operand, "a pointer that may be null") : truth ? 1 : 0;
  }
  if (!isUnknown(operand) || operand.of === undefined) return operand;
  if (!isScalar(from) || !isScalar(to)) return unknownValue(operand.reason);
  return mapUnknown(operand, (value) => convert(value, from, to, "host"));
}

function choose(
  context: HostContext,
  condition: Value,
  whenTrue: () => Value,
  whenFalse: () => Value,
): Value {
  const truth = truthOf(condition);
  if (truth !== null) return truth ? whenTrue() : whenFalse();
  let a: Value = 0;
  let b: Value = 0;
  context.eachWay([
    () => {
      a = whenTrue();
    },
    () => {
      b = whenFalse();
    },
  ]);
  return mergeValues(a, b, isUnknown(condition) ? condition.reason : "a condition that is not known");
}

function evaluateConditional(context: HostContext, expression: Conditional): Value {
  return choose(
    context,
    evaluate(context, expression.condition),
    () => evaluate(context, expression.whenTrue),
    () => evaluate(context, expression.whenFalse),
  );
}

function evaluateUnknown(context: HostContext, { text, operands, reason }: UnknownExpression): Value {
  if (text !== undefined) return pointerTo(context.memory.literal(text), 0);
  const values = operands.map((operand) => evaluate(context, operand));
  exposeToOutside(context, values, rangeOf(operands));
  return unknownValue(reason);
}

function evaluateCall(context: HostContext, expression: Call): Value {
  const values = expression.arguments.map((argument) => evaluate(context, argument));
  return nameResult(context.call(expression.callee, values, expression.range, expression), expression);
}

/** A call of a function that is any of several. */
function callEach(
  context: HostContext,
  candidates: readonly FunctionValue[],
  values: readonly Value[],
  expression: CallIndirect,
): Value {
  let merged: Value | null = null;
  const sides = candidates.map(({ callee, receiver }) => () => {
    const all = receiver === null ? values : [receiver, ...values];
    const result = context.call(callee, all, expression.range, null);
    merged = merged === null ? result : mergeValues(merged, result, "a function that is not known");
  });
  context.eachWay(sides);
  return merged ?? unknownValue("a function that is not known");
}

function evaluateIndirectCall(context: HostContext, expression: CallIndirect): Value {
  const callee = evaluate(context, expression.callee);
  const values = expression.arguments.map((argument) => evaluate(context, argument));
  const candidates = candidatesOf(callee);
  if (isScalarValue(callee) || callee.kind !== "function") {
    if (candidates.length > 0) return callEach(context, candidates, values, expression);
    exposeToOutside(context, values, expression.range);
    return asUnknown(callee, "a function that is not known");
  }
  const all = callee.receiver === null ? values : [callee.receiver, ...values];
  return nameResult(context.call(callee.callee, all, expression.range, null), expression);
}

function nameResult(value: Value, expression: Expression): Value {
  if (expression.type.kind !== "pointer" || !isUnknown(value)) return value;
  return opaquePointer("");
}

function evaluateIntrinsic(context: HostContext, expression: Intrinsic): Value {
  const values = expression.arguments.map((argument) => evaluate(context, argument));
  return callLibrary(context, expression, values, expressionName);
}

/** A std::function keeps a copy of the closure that it calls. */
function evaluateReceiver(context: HostContext, expression: FunctionReference): Value | null {
  if (expression.receiver === undefined) return null;
  const { type } = expression.receiver;
  const object = makeObject({
    name: "closure",
    sizeBytes: sizeOf(type),
    alignmentBytes: 8,
    fill: "unknown",
    reason: "what a closure holds",
  });
  context.memory.write(object, 0, type, evaluate(context, expression.receiver));
  return pointerTo(object, 0);
}

function evaluateAggregate(context: HostContext, { parts }: Aggregate): RecordValue {
  return recordOf(
    parts,
    parts.map(({ value }) => evaluate(context, value)),
  );
}

function isUnknown(value: Value): value is UnknownValue {
  return !isScalarValue(value) && value.kind === "unknown";
}

function asUnknown(value: Value, reason: string): Value {
  return isUnknown(value) ? withoutChoice(value) : unknownValue(reason);
}

function rangeOf(expressions: readonly Expression[]): SourceRange | null {
  for (const expression of expressions) {
    if ("range" in expression) return expression.range;
  }
  return null;
}
