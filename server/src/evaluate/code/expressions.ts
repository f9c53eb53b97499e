// Evaluates IR expressions over the lanes of a warp.
import type { Assumption } from "../../ir/assumption.ts";
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import {
  blendPointers,
  blendValues,
  eitherOf,
  type Frame,
  type Machine,
  relevanceIn,
  spend,
  unknownOfType,
} from "../machine.ts";
import { contentsOf } from "../memory/contents.ts";
import { scalarValue } from "../memory/objects.ts";
import { addressOf, load, store } from "../memory/places.ts";
import { fromContents } from "../memory/registers.ts";
import { withinOrBeyond } from "../values/beyond.ts";
import { converted, toLinear, toPointer, toPredicate, unknownLike } from "../values/conversions.ts";
import { integerBinary } from "../values/integers.ts";
import { nearestOf64Bits } from "../values/lanes.ts";
import { add, known, scale, subtract } from "../values/linear.ts";
import { branch, type Mask } from "../values/mask.ts";
import { binary, negated } from "../values/operators.ts";
import { and, choiceOf, isOfSizesAlone, not, openLanes, or, passedTogether } from "../values/predicates.ts";
import { SplitRequest } from "../values/symbol.ts";
import { type Doubt, isSameObject, type Predicate, type Value } from "../values/value.ts";
import { callFunction } from "./calls.ts";
import { isValueOnly } from "./effects.ts";
import { evaluateIntrinsic } from "./intrinsics.ts";

/** Terms of a form whose arithmetic takes no longer than a node otherwise does. */
const termsOfStep = 4;

function extraTermsOf(value: Value): number {
  return value.kind === "linear" ? Math.max(0, value.terms.length - termsOfStep) : 0;
}

/** The value of `expression` in the lanes of `mask`; what other lanes hold means nothing. */
export function evaluate(machine: Machine, frame: Frame, expression: Expression, mask: Mask): Value {
  spend(machine, 1);
  switch (expression.kind) {
    case "constant":
      return expression.type.kind === "pointer"
        ? { kind: "pointer", object: machine.objects.nullObject, offset: known(expression.value) }
        : scalarValue(expression.value, expression.type);
    case "load":
      return load(machine, frame, expression.place, expression.type, expression.site, mask);
    case "assign": {
      const value = evaluate(machine, frame, expression.value, mask);
      store(machine, frame, expression.place, value, expression.site, mask);
      return value;
    }
    case "address":
      return addressOf(machine, frame, expression.place, mask);
    case "unary":
      return negated(
        machine,
        expression.operator,
        expression.type,
        evaluate(machine, frame, expression.operand, mask),
        mask,
      );
    case "binary": {
      const left = evaluate(machine, frame, expression.left, mask);
      const right = evaluate(machine, frame, expression.right, mask);
      spend(machine, extraTermsOf(left) + extraTermsOf(right));
      return binary(machine, expression, left, right, mask);
    }
    case "logical":
      return logical(machine, frame, expression, mask);
    case "conditional":
      return conditional(machine, frame, expression, mask);
    case "offset": {
      const pointer = toPointer(machine, evaluate(machine, frame, expression.pointer, mask));
      const index = toLinear(machine, evaluate(machine, frame, expression.index, mask), mask);
      // Of unsigned 64 bits, what is behind the pointer is as far in front of it.
      const near = { ...index, constant: nearestOf64Bits(index.constant) };
      return { ...pointer, offset: add(pointer.offset, scale(near, expression.strideBytes)) };
    }
    case "difference": {
      const left = toPointer(machine, evaluate(machine, frame, expression.left, mask));
      const right = toPointer(machine, evaluate(machine, frame, expression.right, mask));
      if (!isSameObject(left.object, right.object))
        return unknownOfType(machine, expression.type, "a difference of pointers", {
          varies: true,
          dependsOnData: false,
        });
      const bytes = subtract(left.offset, right.offset);
      return integerBinary(
        machine.symbols,
        "/",
        expression.type,
        bytes,
        known(expression.strideBytes),
        mask.active,
      );
    }
    case "convert":
      return converted(
        machine,
        expression.operand.type,
        expression.type,
        evaluate(machine, frame, expression.operand, mask),
        mask,
      );
    case "sequence":
      for (const effect of expression.effects) perform(machine, frame, effect, mask);
      return evaluate(machine, frame, expression.result, mask);
    case "call": {
      const values = expression.arguments.map((argument) => evaluate(machine, frame, argument, mask));
      return callFunction(machine, frame, expression.callee, values, expression, mask);
    }
    case "call-indirect": {
      const callee = evaluate(machine, frame, expression.callee, mask);
      const values = expression.arguments.map((argument) => evaluate(machine, frame, argument, mask));
      if (callee.kind === "function")
        return callFunction(machine, frame, callee.callee, values, expression, mask);
      machine.gaps.add("a call through a pointer that is not known");
      return unknownOfType(machine, expression.type, "a call through a pointer", {
        varies: true,
        dependsOnData: false,
      });
    }
    case "function":
      return { kind: "function", callee: expression.callee };
    case "intrinsic":
      return evaluateIntrinsic(machine, frame, expression, mask);
    case "aggregate": {
      const parts = expression.parts.map(({ offsetBytes, value }) => ({
        offsetBytes,
        type: value.type,
        value: evaluate(machine, frame, value, mask),
      }));
      return contentsOf(parts);
    }
    case "extract": {
      const whole = evaluate(machine, frame, expression.operand, mask);
      return whole.kind === "aggregate"
        ? fromContents(machine, whole, expression.offsetBytes, expression.type, "a member")
        : unknownLike(machine, whole, expression.type);
    }
    case "unknown": {
      for (const operand of expression.operands) evaluate(machine, frame, operand, mask);
      return unknownOfType(machine, expression.type, expression.reason, {
        varies: true,
        dependsOnData: false,
      });
    }
  }
}

/** What evaluating `expression` does beside giving a value; what no access hangs on is left out. */
export function perform(machine: Machine, frame: Frame, expression: Expression, mask: Mask): void {
  const { automaticOf, isRelevant, acts } = relevanceIn(machine, frame);
  if (!acts(expression)) return;
  spend(machine, 1);
  const performAll = (operands: readonly Expression[]) => {
    for (const operand of operands) perform(machine, frame, operand, mask);
  };
  switch (expression.kind) {
    case "assign": {
      const variable = automaticOf(expression.place);
      if (variable && !isRelevant(variable)) performAll(operandsOf(expression));
      else evaluate(machine, frame, expression, mask);
      break;
    }
    case "conditional":
      if (acts(expression.whenTrue) || acts(expression.whenFalse)) evaluate(machine, frame, expression, mask);
      else perform(machine, frame, expression.condition, mask);
      break;
    case "logical":
      if (acts(expression.right)) evaluate(machine, frame, expression, mask);
      else perform(machine, frame, expression.left, mask);
      break;
    case "intrinsic":
      if (isValueOnly(expression)) performAll(expression.arguments);
      else evaluate(machine, frame, expression, mask);
      break;
    case "load":
      if (automaticOf(expression.place)) performAll(operandsOf(expression));
      else evaluate(machine, frame, expression, mask);
      break;
    case "call":
    case "call-indirect":
      evaluate(machine, frame, expression, mask);
      break;
    default:
      performAll(operandsOf(expression));
  }
}

/** The truth of a condition, with every split made that can settle it. */
export function evaluateCondition(
  machine: Machine,
  frame: Frame,
  expression: Expression,
  mask: Mask,
): Predicate {
  const predicate = toPredicate(evaluate(machine, frame, expression, mask), mask);
  if (predicate.doubt && openLanes(predicate, mask.active) !== 0) {
    if (predicate.doubt.split) throw new SplitRequest(predicate.doubt.split);
    for (const size of predicate.doubt.sizes) machine.sizes.bounding.add(size.id);
  }
  return predicate;
}

function logical(
  machine: Machine,
  frame: Frame,
  expression: Extract<Expression, { kind: "logical" }>,
  mask: Mask,
): Predicate {
  const left = toPredicate(evaluate(machine, frame, expression.left, mask), mask);
  const first = expression.operator === "and" ? left : not(left);
  const needed = mask.active & ~first.no;
  if (needed === 0) return left;
  const sides = branch(mask, first);
  const right = toPredicate(evaluate(machine, frame, expression.right, sides.whenTrue), sides.whenTrue);
  return expression.operator === "and" ? and(left, right) : or(left, right);
}

function conditional(
  machine: Machine,
  frame: Frame,
  expression: Extract<Expression, { kind: "conditional" }>,
  mask: Mask,
): Value {
  const value = evaluate(machine, frame, expression.condition, mask);
  let predicate = toPredicate(value, mask);
  const isCheap = isPlain(expression.whenTrue) && isPlain(expression.whenFalse);
  if (predicate.doubt && openLanes(predicate, mask.active) !== 0 && !isCheap)
    predicate = evaluateConditionOf(machine, predicate, mask);
  const { doubt } = predicate;
  const open = openLanes(predicate, mask.active);
  if (open !== 0 && doubt?.lean && !doubt.split && !isOfSizesAlone(doubt)) {
    const own = isCheap && open === mask.active ? eitherIndex(machine, frame, expression, doubt, mask) : null;
    if (own) return own;
    machine.assumptions = withAssumption(machine.assumptions, interiorWarps);
    predicate = {
      ...predicate,
      yes: doubt.lean.holds ? predicate.yes | open : predicate.yes,
      no: doubt.lean.holds ? predicate.no : predicate.no | open,
      doubt: null,
    };
  }
  const together = isCheap ? null : passedTogether(predicate, mask.active);
  if (together) {
    machine.assumptions = withAssumption(machine.assumptions, interiorWarps);
    predicate = together;
  }
  const sides = branch(mask, predicate);
  const whenTrue =
    sides.whenTrue.active === 0 ? null : evaluate(machine, frame, expression.whenTrue, sides.whenTrue);
  const whenFalse =
    sides.whenFalse.active === 0 ? null : evaluate(machine, frame, expression.whenFalse, sides.whenFalse);
  if (!whenTrue || !whenFalse)
    return (
      whenTrue ??
      whenFalse ??
      unknownOfType(machine, expression.type, "nothing", { varies: true, dependsOnData: false })
    );
  if (sides.open === 0) {
    const blended =
      blendValues(predicate.yes, whenTrue, whenFalse) ??
      blendPointers(machine, predicate.yes, whenTrue, whenFalse);
    if (blended) return blended;
    return eitherOf(machine, whenTrue, whenFalse, null, {
      reason: "a choice that differs by lane",
      varies: true,
      dependsOnData: false,
      split: null,
    });
  }
  return eitherOf(machine, whenTrue, whenFalse, null, choiceOf(predicate));
}

/** `i < n ? i : i - n`; null where those beyond the size are too few to count. */
function eitherIndex(
  machine: Machine,
  frame: Frame,
  { whenTrue, whenFalse }: Extract<Expression, { kind: "conditional" }>,
  doubt: Doubt,
  mask: Mask,
): Value | null {
  if (doubt.lean?.others !== "any share") return null;
  const onTrue = evaluate(machine, frame, whenTrue, mask);
  const onFalse = evaluate(machine, frame, whenFalse, mask);
  const pair = doubt.lean.holds ? { within: onTrue, beyond: onFalse } : { within: onFalse, beyond: onTrue };
  return withinOrBeyond(machine, doubt, [pair])?.[0] ?? null;
}

function evaluateConditionOf(machine: Machine, predicate: Predicate, mask: Mask): Predicate {
  if (predicate.doubt && openLanes(predicate, mask.active) !== 0) {
    if (predicate.doubt.split) throw new SplitRequest(predicate.doubt.split);
    for (const size of predicate.doubt.sizes) machine.sizes.bounding.add(size.id);
  }
  return predicate;
}

/** "Interior warps": guards against unknown sizes are taken as passed. */
export const interiorWarps: Assumption = { kind: "interior-warps" };

export function withAssumption(
  assumptions: readonly Assumption[],
  assumption: Assumption,
): readonly Assumption[] {
  return assumptions.includes(assumption) ? assumptions : [...assumptions, assumption];
}

/** Whether evaluating it reads no memory and calls nothing, so that both sides of a choice may be evaluated. */
function isPlain(expression: Expression): boolean {
  switch (expression.kind) {
    case "constant":
    case "function":
      return true;
    case "load":
      return expression.place.kind === "variable" && expression.place.variable.storage === "automatic";
    case "address":
      return expression.place.kind === "variable";
    case "unary":
    case "convert":
      return isPlain(expression.operand);
    case "binary":
    case "logical":
      return isPlain(expression.left) && isPlain(expression.right);
    case "offset":
      return isPlain(expression.pointer) && isPlain(expression.index);
    case "conditional":
      return isPlain(expression.condition) && isPlain(expression.whenTrue) && isPlain(expression.whenFalse);
    case "intrinsic":
      return expression.site === null && expression.arguments.every(isPlain);
    default:
      return false;
  }
}
