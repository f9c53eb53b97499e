// Runs IR of 32-bit integers plainly, one thread: what a kernel leaves in memory must not depend on codegen.
import type { Expression, Place } from "../../server/src/ir/expression.ts";
import type { Statement } from "../../server/src/ir/statement.ts";
import { sizeOf, type Type } from "../../server/src/ir/type.ts";

type Value = number | ReadonlyMap<number, number>;

export interface Machine {
  /** Words by byte address. */
  readonly memory: Map<number, number>;
  /** Words of variables, by id and byte offset. */
  readonly variables: Map<string, number>;
  /** Byte address of each array in memory, by id of its variable. */
  readonly arrays: ReadonlyMap<number, number>;
  readonly thread: number;
  steps: number;
}

type Exit = "break" | "continue" | "return" | null;

export function run(list: readonly Statement[], machine: Machine): Exit {
  for (const statement of list) {
    const exit = step(statement, machine);
    if (exit) return exit;
  }
  return null;
}

function step(statement: Statement, machine: Machine): Exit {
  if (machine.steps-- < 0) throw new Error("too many steps");
  switch (statement.kind) {
    case "evaluate":
      evaluate(statement.expression, machine);
      return null;
    case "declare":
      if (statement.initializer)
        write(statement.variable.id, 0, evaluate(statement.initializer, machine), machine);
      return null;
    case "block":
      return run(statement.body, machine);
    case "if":
      return run(evaluate(statement.condition, machine) ? statement.whenTrue : statement.whenFalse, machine);
    case "loop":
      for (let trip = 0; ; trip++) {
        if (machine.steps-- < 0) throw new Error("too many steps");
        const isTested = statement.test === "top" || trip > 0;
        if (isTested && statement.condition && !evaluate(statement.condition, machine)) return null;
        const exit = run(statement.body, machine);
        if (exit === "break") return null;
        if (exit === "return") return exit;
        for (const one of statement.step) evaluate(one, machine);
      }
    case "break":
    case "continue":
    case "return":
      return statement.kind;
    case "barrier":
      return null;
    default:
      throw new Error(statement.kind);
  }
}

function evaluate(expression: Expression, machine: Machine): Value {
  const number = (one: Expression): number => {
    const value = evaluate(one, machine);
    if (typeof value !== "number") throw new Error("not a number");
    return value;
  };
  switch (expression.kind) {
    case "constant":
      return Number(expression.value);
    case "load":
      return readPlace(expression.place, expression.type, machine);
    case "address":
      return addressOf(expression.place, machine);
    case "unary":
      return expression.operator === "not"
        ? number(expression.operand)
          ? 0
          : 1
        : -number(expression.operand) | 0;
    case "binary":
      return binary(expression.operator, number(expression.left), number(expression.right));
    case "offset":
      return number(expression.pointer) + number(expression.index) * expression.strideBytes;
    case "convert":
      return evaluate(expression.operand, machine);
    case "conditional":
      return evaluate(number(expression.condition) ? expression.whenTrue : expression.whenFalse, machine);
    case "assign": {
      const value = evaluate(expression.value, machine);
      if (expression.place.kind === "variable")
        write(expression.place.variable.id, expression.place.offsetBytes, value, machine);
      else store(addressOf(expression.place, machine), value, machine);
      return value;
    }
    case "sequence":
      for (const one of expression.effects) evaluate(one, machine);
      return evaluate(expression.result, machine);
    case "intrinsic":
      return machine.thread;
    case "aggregate":
      return new Map(expression.parts.map((part) => [part.offsetBytes, number(part.value)]));
    default:
      throw new Error(expression.kind);
  }
}

function binary(operator: string, left: number, right: number): number {
  switch (operator) {
    case "+":
      return (left + right) | 0;
    case "-":
      return (left - right) | 0;
    case "*":
      return Math.imul(left, right);
    case "&":
      return left & right;
    case "<":
      return left < right ? 1 : 0;
    default:
      throw new Error(operator);
  }
}

function addressOf(place: Place, machine: Machine): number {
  if (place.kind === "memory") return (evaluate(place.pointer, machine) as number) + place.offsetBytes;
  return (machine.arrays.get(place.variable.id) ?? Number.NaN) + place.offsetBytes;
}

function readPlace(place: Place, type: Type, machine: Machine): Value {
  const word = (offset: number): number =>
    place.kind === "variable"
      ? (machine.variables.get(`${place.variable.id}.${place.offsetBytes + offset}`) ?? 0)
      : (machine.memory.get(addressOf(place, machine) + offset) ?? 0);
  if (type.kind !== "record") return word(0);
  return new Map(type.fields.map((field) => [field.offsetBytes, word(field.offsetBytes)]));
}

function write(id: number, offset: number, value: Value, machine: Machine): void {
  if (typeof value === "number") machine.variables.set(`${id}.${offset}`, value);
  else for (const [at, word] of value) machine.variables.set(`${id}.${offset + at}`, word);
}

function store(address: number, value: Value, machine: Machine): void {
  if (typeof value === "number") machine.memory.set(address, value);
  else for (const [at, word] of value) machine.memory.set(address + at, word);
}

export function wordsOf(type: Type): number {
  return (sizeOf(type) ?? 0) / 4;
}
