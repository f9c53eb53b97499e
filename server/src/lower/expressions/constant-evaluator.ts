// A small interpreter of IR for constexpr functions: scalars, local records and arrays, loops, within a budget.
import type { Expression, Place } from "../../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../../ir/function.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Statement } from "../../ir/statement.ts";
import { isScalar, type ScalarType, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import * as arithmetic from "../../semantics/arithmetic.ts";
import { pureIntrinsic } from "../../semantics/intrinsic.ts";
import type { Scalar } from "../../semantics/scalar.ts";

/** What the evaluator needs of the program. */
export interface ConstantSource {
  functionOf(id: FunctionId): FunctionDefinition | null;
  globalInitializer(variable: Variable): Expression | null;
}

/** The scalar that `expression` is at compile time; null where it is not constant or the budget ends. */
export function evaluateConstant(source: ConstantSource, expression: Expression): Scalar | null {
  if (startsAtVariable(expression) || !mayBeConstant(expression)) return null;
  try {
    const value = new Evaluator(source).value(expression);
    return typeof value === "number" || typeof value === "bigint" ? value : null;
  } catch (error) {
    if (error instanceof NotConstant || error instanceof RangeError) return null;
    throw error;
  }
}

class NotConstant extends Error {}

/** Thrown often: one instance spares a stack trace each time. */
const notConstant = new NotConstant();

interface Pointer {
  readonly object: Variable;
  readonly offset: number;
}

type Bytes = Map<number, Scalar | Pointer>;
type Value = Scalar | Pointer | Bytes;
type Flow = "next" | "break" | "continue" | { readonly returned: Value | null };

const stepBudget = 200_000;
const depthBudget = 128;

/**
 * Whether the first thing that evaluating it does is to read a variable of which no constant is known: nobody can have assigned it. Most
 * conditions and indices are so, and are spared the rest.
 */
function startsAtVariable(expression: Expression): boolean {
  switch (expression.kind) {
    case "load":
      if (expression.place.kind === "memory") return startsAtVariable(expression.place.pointer);
      return expression.place.variable.storage !== "static";
    case "unary":
    case "convert":
    case "extract":
      return startsAtVariable(expression.operand);
    case "binary": {
      const { left, right } = expression;
      return startsAtVariable(left) || (left.kind === "constant" && startsAtVariable(right));
    }
    case "logical":
      return startsAtVariable(expression.left);
    case "conditional":
      return startsAtVariable(expression.condition);
    default:
      return false;
  }
}

/** Cheap test that spares most expressions the interpreter: threads and memory are never constant. */
function mayBeConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case "constant":
      return true;
    case "load":
      return (
        expression.site === null ||
        (expression.place.kind === "memory" && mayBeConstant(expression.place.pointer))
      );
    case "unary":
    case "convert":
    case "extract":
      return mayBeConstant(expression.operand);
    case "binary":
    case "logical":
      return mayBeConstant(expression.left) && mayBeConstant(expression.right);
    case "conditional":
      return mayBeConstant(expression.condition);
    case "intrinsic":
      return intrinsicEffect(expression.name) === "pure" && expression.arguments.every(mayBeConstant);
    case "call":
      return expression.arguments.every(mayBeConstant);
    case "sequence":
      return mayBeConstant(expression.result);
    case "offset":
      return mayBeConstant(expression.pointer) && mayBeConstant(expression.index);
    case "address":
    case "aggregate":
    case "assign":
      return true;
    default:
      return false;
  }
}

class Evaluator {
  private readonly source: ConstantSource;
  private steps = 0;
  private depth = 0;
  private memory = new Map<number, Bytes>();

  constructor(source: ConstantSource) {
    this.source = source;
  }

  value(node: Expression): Value {
    this.step();
    switch (node.kind) {
      case "constant":
        return node.value;
      case "load":
        return this.load(node.place, node.type);
      case "address":
        return this.locate(node.place);
      case "unary":
        return arithmetic.unary(node.operator, scalarType(node.operand.type), this.scalar(node.operand));
      case "binary": {
        const left = this.scalar(node.left);
        const right = this.scalar(node.right);
        const result = arithmetic.binary(node.operator, scalarType(node.left.type), left, right);
        if (result === null) throw notConstant;
        return result;
      }
      case "logical": {
        const left = this.scalar(node.left) !== 0;
        if (node.operator === "and") return left && this.scalar(node.right) !== 0 ? 1 : 0;
        return left || this.scalar(node.right) !== 0 ? 1 : 0;
      }
      case "convert":
        return this.convert(node.operand, node.type);
      case "conditional":
        return this.value(this.scalar(node.condition) !== 0 ? node.whenTrue : node.whenFalse);
      case "offset": {
        const pointer = this.value(node.pointer);
        if (!isPointer(pointer)) throw notConstant;
        const offset = pointer.offset + Number(this.scalar(node.index)) * node.strideBytes;
        return { object: pointer.object, offset };
      }
      case "assign": {
        const value = this.value(node.value);
        this.store(this.locate(node.place), value);
        return value;
      }
      case "sequence":
        for (const effect of node.effects) this.value(effect);
        return this.value(node.result);
      case "aggregate": {
        const bytes: Bytes = new Map();
        for (const part of node.parts) place(bytes, part.offsetBytes, this.value(part.value));
        return bytes;
      }
      case "extract": {
        const record = this.value(node.operand);
        if (!(record instanceof Map)) throw notConstant;
        return isScalar(node.type) ? (record.get(node.offsetBytes) ?? 0) : cut(record, node.offsetBytes);
      }
      case "intrinsic":
        return this.intrinsic(node.name, node.type, node.arguments);
      case "call":
        return this.call(node.callee, node.arguments);
      default:
        throw notConstant;
    }
  }

  private step(): void {
    this.steps += 1;
    if (this.steps > stepBudget) throw notConstant;
  }

  private scalar(node: Expression): Scalar {
    const value = this.value(node);
    if (typeof value === "number" || typeof value === "bigint") return value;
    throw notConstant;
  }

  private convert(operand: Expression, type: Type): Value {
    const value = this.value(operand);
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    if (!isScalar(operand.type) || !isScalar(type)) return value;
    return arithmetic.convert(value, operand.type, type, "host");
  }

  private intrinsic(name: string, type: Type, operands: readonly Expression[]): Value {
    const types = operands.map((operand) => scalarType(operand.type));
    const values = operands.map((operand) => this.scalar(operand));
    const result = pureIntrinsic(name, scalarType(type), types, values);
    if (result === null) throw notConstant;
    return result;
  }

  private locate(target: Place): Pointer {
    if (target.kind === "variable") return { object: target.variable, offset: target.offsetBytes };
    const pointer = this.value(target.pointer);
    if (!isPointer(pointer)) throw notConstant;
    return { object: pointer.object, offset: pointer.offset + target.offsetBytes };
  }

  private load(from: Place, type: Type): Value {
    // Nobody need know an object that holds nothing.
    if (type.kind === "record" && type.fields.length === 0) return new Map();
    const { object, offset } = this.locate(from);
    const bytes = this.memory.get(object.id) ?? this.initial(object);
    if (type.kind === "record" || type.kind === "array") return cut(bytes, offset);
    const value = bytes.get(offset);
    if (value === undefined) throw notConstant;
    return value;
  }

  private initial(object: Variable): Bytes {
    const isKept = object.storage === "static" || object.storage === "automatic";
    const initializer = isKept ? this.source.globalInitializer(object) : null;
    const value = initializer && this.value(initializer);
    if (!(value instanceof Map)) throw notConstant;
    const bytes: Bytes = new Map(value);
    this.memory.set(object.id, bytes);
    return bytes;
  }

  private store(to: Pointer, value: Value): void {
    if (to.object.storage !== "automatic") throw notConstant;
    const bytes = this.memory.get(to.object.id) ?? new Map();
    this.memory.set(to.object.id, bytes);
    place(bytes, to.offset, value);
  }

  private call(callee: FunctionId, operands: readonly Expression[]): Value {
    const definition = this.source.functionOf(callee);
    if (definition === null || definition.gaps.length > 0 || this.depth > depthBudget) throw notConstant;
    const values = operands.map((operand) => this.value(operand));
    const saved = this.memory;
    this.memory = new Map(saved);
    definition.parameters.forEach((parameter, index) => {
      const bytes: Bytes = new Map();
      place(bytes, 0, values[index] ?? 0);
      this.memory.set(parameter.id, bytes);
    });
    this.depth += 1;
    const flow = this.statements(definition.body);
    this.depth -= 1;
    this.memory = saved;
    return typeof flow === "object" && flow.returned !== null ? flow.returned : 0;
  }

  private statements(list: readonly Statement[]): Flow {
    for (const statement of list) {
      const flow = this.statement(statement);
      if (flow !== "next") return flow;
    }
    return "next";
  }

  private statement(statement: Statement): Flow {
    this.step();
    switch (statement.kind) {
      case "evaluate":
        this.value(statement.expression);
        return "next";
      case "declare":
        this.memory.set(statement.variable.id, new Map());
        if (statement.initializer) {
          this.store({ object: statement.variable, offset: 0 }, this.value(statement.initializer));
        }
        return "next";
      case "block":
        return this.statements(statement.body);
      case "if":
        return this.statements(
          this.scalar(statement.condition) !== 0 ? statement.whenTrue : statement.whenFalse,
        );
      case "loop":
        return this.loop(statement);
      case "switch":
        return this.switched(statement);
      case "break":
      case "continue":
        return statement.kind;
      case "return":
        return { returned: statement.value ? this.value(statement.value) : null };
      default:
        throw notConstant;
    }
  }

  private loop(loop: Extract<Statement, { kind: "loop" }>): Flow {
    for (let first = true; ; first = false) {
      this.step();
      const isTested = loop.test === "top" || !first;
      if (isTested && loop.condition && this.scalar(loop.condition) === 0) return "next";
      const flow = this.statements(loop.body);
      if (flow === "break") return "next";
      if (typeof flow === "object") return flow;
      for (const step of loop.step) this.value(step);
    }
  }

  private switched(node: Extract<Statement, { kind: "switch" }>): Flow {
    const selector = this.scalar(node.selector);
    let entry = node.cases.findIndex((each) => each.values.includes(selector));
    if (entry < 0) entry = node.cases.findIndex((each) => each.values.includes(null));
    if (entry < 0) return "next";
    for (const each of node.cases.slice(entry)) {
      const flow = this.statements(each.body);
      if (flow === "break") return "next";
      if (flow !== "next") return flow;
    }
    return "next";
  }
}

function isPointer(value: Value): value is Pointer {
  return typeof value === "object" && !(value instanceof Map);
}

function place(bytes: Bytes, offset: number, value: Value): void {
  if (value instanceof Map) for (const [at, part] of value) bytes.set(offset + at, part);
  else bytes.set(offset, value);
}

function cut(bytes: Bytes, offset: number): Bytes {
  const result: Bytes = new Map();
  for (const [at, part] of bytes) if (at >= offset) result.set(at - offset, part);
  return result;
}

function scalarType(type: Type): ScalarType {
  if (isScalar(type)) return type;
  throw notConstant;
}
