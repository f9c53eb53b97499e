// Compiles expressions of host code to functions; what cannot be compiled throws `NotCompiled`, and the interpreter runs it.
import type {
  Aggregate,
  Assign,
  Binary,
  Call,
  Conditional,
  Convert,
  Expression,
  Intrinsic,
  Logical,
  Place,
  UnknownExpression,
} from "../../../ir/expression.ts";
import { isScalar, type Type } from "../../../ir/type.ts";
import type { Variable } from "../../../ir/variable.ts";
import { convert, unary } from "../../../semantics/arithmetic.ts";
import { pureIntrinsic } from "../../../semantics/intrinsic.ts";
import { writeExactly } from "../copy.ts";
import { allocatedBytes } from "../library.ts";
import { allocators, exactWriters, exits, launchers, writesThrough } from "../library-effects.ts";
import { readContents } from "../object.ts";
import { recordOf } from "../records.ts";
import { isTextFunction, textResult } from "../text.ts";
import { isScalarValue, mergeValues, pointerTo, truthOf, type Value } from "../value.ts";
import { operatorOf } from "./operators.ts";
import {
  type CompiledRun,
  type Environment,
  GivenUp,
  newEnvironment,
  notAsked,
  notKnown,
  pointerInDoubt,
} from "./run.ts";
import type { CompiledFunction, Scope } from "./scope.ts";

/** The value of an expression, and what evaluating it does to memory. */
export type Evaluation = (environment: Environment) => Value;

/** Thrown by what is left to the interpreter. */
export class NotCompiled extends Error {}

export function compileExpression(scope: Scope, expression: Expression): Evaluation {
  scope.size++;
  switch (expression.kind) {
    case "constant": {
      const { value } = expression;
      return () => value;
    }
    case "load":
      return compileLoad(scope, expression.place, expression.type);
    case "address":
      return compileAddress(scope, expression.place);
    case "unary": {
      const { operator, operand } = expression;
      const { type } = operand;
      const evaluate = compileExpression(scope, operand);
      if (operator === "not") return (environment) => negated(truthOf(evaluate(environment)));
      if (!isScalar(type)) throw new NotCompiled();
      return (environment) => {
        const value = evaluate(environment);
        return isScalarValue(value) ? unary(operator, type, value) : notKnown;
      };
    }
    case "binary":
      return compileBinary(scope, expression);
    case "logical":
      return compileLogical(scope, expression);
    case "conditional":
      return compileConditional(scope, expression);
    case "convert":
      return compileConvert(scope, expression);
    case "offset": {
      const pointer = compileExpression(scope, expression.pointer);
      const index = compileExpression(scope, expression.index);
      const { strideBytes } = expression;
      return (environment) => stepped(pointer(environment), index(environment), strideBytes);
    }
    case "difference": {
      const left = compileExpression(scope, expression.left);
      const right = compileExpression(scope, expression.right);
      const { strideBytes } = expression;
      return (environment) => difference(left(environment), right(environment), strideBytes);
    }
    case "sequence": {
      const effects = expression.effects.map((effect) => compileExpression(scope, effect));
      const result = compileExpression(scope, expression.result);
      return (environment) => {
        for (const effect of effects) effect(environment);
        return result(environment);
      };
    }
    case "assign":
      return compileAssign(scope, expression);
    case "call":
      return compileCall(scope, expression);
    case "intrinsic":
      return compileIntrinsic(scope, expression);
    case "extract": {
      const operand = compileExpression(scope, expression.operand);
      const { offsetBytes, type } = expression;
      return (environment) => {
        const value = operand(environment);
        return isScalarValue(value) || value.kind !== "record"
          ? notKnown
          : readContents(value, offsetBytes, type, notKnown.reason);
      };
    }
    case "unknown":
      return compileUnknown(scope, expression);
    case "aggregate":
      return compileAggregate(scope, expression);
    case "call-indirect":
    case "function":
      throw new NotCompiled();
  }
}

function compileAggregate(scope: Scope, { parts }: Aggregate): Evaluation {
  const values = parts.map(({ value }) => compileExpression(scope, value));
  return (environment) =>
    recordOf(
      parts,
      values.map((value) => value(environment)),
    );
}

function compileUnknown({ run }: Scope, { isPure, text }: UnknownExpression): Evaluation {
  if (run.calls !== null && text !== undefined) {
    const literal = pointerTo(run.memory.literal(text), 0);
    return () => literal;
  }
  if (!isPure || run.calls !== null) throw new NotCompiled();
  return () => notKnown;
}

function negated(truth: boolean | null): Value {
  return truth === null ? notKnown : truth ? 0 : 1;
}

function compileLoad(scope: Scope, place: Place, type: Type): Evaluation {
  const { run } = scope;
  const { offsetBytes } = place;
  if (place.kind === "memory") {
    const pointer = compileExpression(scope, place.pointer);
    return (environment) => run.read(pointer(environment), offsetBytes, type);
  }
  const { slot, objectIn } = scope.slotOf(place.variable);
  if (objectIn === null) return (environment) => environment.values[slot] ?? notKnown;
  return (environment) => run.readObject(objectIn(environment), offsetBytes, type);
}

function compileAddress(scope: Scope, place: Place): Evaluation {
  const { offsetBytes } = place;
  if (place.kind === "memory") {
    const pointer = compileExpression(scope, place.pointer);
    return offsetBytes === 0 ? pointer : (environment) => stepped(pointer(environment), offsetBytes, 1);
  }
  const { objectIn } = scope.slotOf(place.variable);
  if (objectIn === null) throw new NotCompiled();
  return (environment) => pointerTo(objectIn(environment), offsetBytes);
}

function compileAssign(scope: Scope, { place, value }: Assign): Evaluation {
  const { run } = scope;
  const evaluate = compileExpression(scope, value);
  const { offsetBytes, type } = place;
  if (place.kind === "memory") {
    const pointer = compileExpression(scope, place.pointer);
    return (environment) => {
      const target = pointer(environment);
      const written = evaluate(environment);
      run.write(target, offsetBytes, type, written);
      return written;
    };
  }
  const { slot, objectIn } = scope.slotOf(place.variable);
  const isPlace = isHeldPlace(place.variable);
  const inDoubt = type.kind === "pointer" ? pointerInDoubt : notKnown;
  return (environment) => {
    const written = evaluate(environment);
    if (objectIn !== null) run.writeObject(objectIn(environment), offsetBytes, type, written);
    else environment.values[slot] = run.doubts > 0 && !isPlace ? inDoubt : written;
    return written;
  };
}

/** Whether it holds a place for one expression alone, as that of `(*p)[i]++`, which is computed once: in doubt it leads where it leads all the same. */
function isHeldPlace({ name, type }: Variable): boolean {
  return name.startsWith("$") && type.kind === "pointer";
}

function stepped(pointer: Value, index: Value, strideBytes: number): Value {
  if (pointer === pointerInDoubt) return pointer;
  if (isScalarValue(pointer) || pointer.kind !== "pointer") return notKnown;
  const isKnown = isScalarValue(index) && pointer.offsetBytes !== null;
  return pointerTo(pointer.object, isKnown ? (pointer.offsetBytes ?? 0) + Number(index) * strideBytes : null);
}

function difference(left: Value, right: Value, strideBytes: number): Value {
  if (left === 0 && right === 0) return 0;
  if (isScalarValue(left) || isScalarValue(right) || left.kind !== "pointer" || right.kind !== "pointer")
    return notKnown;
  if (left.object !== right.object || left.offsetBytes === null || right.offsetBytes === null)
    return notKnown;
  return Math.trunc((left.offsetBytes - right.offsetBytes) / strideBytes);
}

function compileBinary(scope: Scope, expression: Binary): Evaluation {
  const left = compileExpression(scope, expression.left);
  const right = compileExpression(scope, expression.right);
  const operate = operatorOf(expression.operator, expression.left.type);
  return (environment) => operate(left(environment), right(environment));
}

function compileConvert(scope: Scope, { operand, type: to }: Convert): Evaluation {
  const evaluate = compileExpression(scope, operand);
  const { type: from } = operand;
  if (to.kind === "boolean") return (environment) => negated(negation(evaluate(environment)));
  if (!isScalar(from) || !isScalar(to)) return evaluate;
  return (environment) => {
    const value = evaluate(environment);
    return isScalarValue(value) ? convert(value, from, to, "host") : value;
  };
}

function negation(value: Value): boolean | null {
  const truth = truthOf(value);
  return truth === null ? null : !truth;
}

function compileLogical(scope: Scope, expression: Logical): Evaluation {
  const left = compileExpression(scope, expression.left);
  const right = compileExpression(scope, expression.right);
  const deciding = expression.operator === "or";
  const { run } = scope;
  return (environment) => {
    const first = truthOf(left(environment));
    if (first === deciding) return deciding ? 1 : 0;
    if (first === null) run.doubt();
    const second = truthOf(right(environment));
    if (first === null) run.doubts--;
    if (second === deciding) return deciding ? 1 : 0;
    return first === null || second === null ? notKnown : second ? 1 : 0;
  };
}

function compileConditional(scope: Scope, expression: Conditional): Evaluation {
  const condition = compileExpression(scope, expression.condition);
  const whenTrue = compileExpression(scope, expression.whenTrue);
  const whenFalse = compileExpression(scope, expression.whenFalse);
  const { run } = scope;
  return (environment) => {
    const truth = truthOf(condition(environment));
    if (truth !== null) return truth ? whenTrue(environment) : whenFalse(environment);
    run.doubt();
    const a = whenTrue(environment);
    const b = whenFalse(environment);
    run.doubts--;
    return mergeValues(a, b, notKnown.reason);
  };
}

function compileCall(scope: Scope, call: Call): Evaluation {
  const { run, source } = scope;
  const compiled = source.functionOf(call.callee);
  const values = call.arguments.map((argument) => compileExpression(scope, argument));
  const { calls } = run;
  if (calls === null) return (environment) => callCompiled(run, compiled, values, environment);
  const { callee } = compiled;
  const isPointer = call.type.kind === "pointer";
  return (environment) => {
    source.noteCall(callee);
    calls.push({ call, callee });
    const value = callCompiled(run, compiled, values, environment);
    calls.pop();
    if (isPointer && value !== notAsked) run.checkKnown(value);
    return value;
  };
}

function callCompiled(
  run: CompiledRun,
  { parameters, size, body }: CompiledFunction,
  values: readonly Evaluation[],
  caller: Environment,
): Value {
  run.enter(size);
  const environment = newEnvironment(run);
  // No closure: accessors are called a million times over.
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index];
    if (parameter === undefined) continue;
    const { slot, makeObject, type } = parameter;
    const value = values[index]?.(caller) ?? notKnown;
    if (makeObject === null) environment.values[slot] = value;
    else {
      const object = makeObject();
      environment.objects[slot] = object;
      run.memory.write(object, 0, type, value);
    }
  }
  const { doubts } = run;
  body(environment);
  run.leave(doubts);
  return environment.result;
}

function compileAllocation(scope: Scope, intrinsic: Intrinsic): Evaluation {
  const { name } = intrinsic;
  const alignmentBytes = allocators.get(name)?.alignmentBytes ?? 1;
  const fill = name === "calloc" ? "zero" : "unknown";
  const values = intrinsic.arguments.map((argument) => compileExpression(scope, argument));
  const { source } = scope;
  return (environment) => {
    const sizeBytes = allocatedBytes(
      name,
      values.map((value) => value(environment)),
    );
    return pointerTo(source.allocate(intrinsic, { name: "", sizeBytes, alignmentBytes, fill }), 0);
  };
}

function compileWriter(scope: Scope, intrinsic: Intrinsic): Evaluation {
  const { run } = scope;
  const values = intrinsic.arguments.map((argument) => compileExpression(scope, argument));
  return (environment) => {
    const known = values.map((value) => value(environment));
    const [target, ...others] = known;
    run.spend(stepsOfWriter(others));
    if (run.doubts === 0) return writeExactly(run, intrinsic, known);
    if (target !== undefined && !isScalarValue(target) && target.kind === "pointer")
      run.memory.forget(target.object, notKnown.reason);
    return target ?? notKnown;
  };
}

/** A byte of what is copied or filled takes a part of a step. */
const bytesPerStep = 8;

function stepsOfWriter(values: readonly Value[]): number {
  const counts = values.map((value) => (typeof value === "number" && value > 0 ? value : 0));
  return 1 + Math.ceil(Math.max(...counts) / bytesPerStep);
}

function compileIntrinsic(scope: Scope, intrinsic: Intrinsic): Evaluation {
  const { name, type, arguments: operands } = intrinsic;
  if (allocators.get(name)?.gives === "result") return compileAllocation(scope, intrinsic);
  if (exactWriters.has(name)) return compileWriter(scope, intrinsic);
  if (allocators.has(name) || exits.has(name) || launchers.has(name)) throw new NotCompiled();
  if (operands.some((operand, index) => !isScalar(operand.type) && writesThrough(name, index, operand.type)))
    throw new NotCompiled();
  const values = operands.map((operand) => compileExpression(scope, operand));
  const types = operands.map((operand) => operand.type);
  if (!isScalar(type) || !types.every(isScalar)) {
    if (scope.run.calls === null) return () => notKnown;
    // The interpreter asks the world.
    if (!isTextFunction(name)) throw new NotCompiled();
    const { memory } = scope.run;
    return (environment) => {
      const result = textResult(
        memory,
        name,
        values.map((value) => value(environment)),
      );
      if (result === null) throw new GivenUp();
      return result;
    };
  }
  return (environment) => {
    const known = values.map((value) => value(environment));
    return (known.every(isScalarValue) ? pureIntrinsic(name, type, types, known) : null) ?? notKnown;
  };
}
