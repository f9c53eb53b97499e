// Which parameters of a kernel decide what it accesses: those from which an address, a branch or the number of trips may come. Found by names
// alone, wherever in the text they are assigned, so rather too many than too few.
import type { Expression, Place } from "../ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../ir/function.ts";
import { operandsOf } from "../ir/operands.ts";
import type { Statement } from "../ir/statement.ts";

/** A variable, what a function returns, or what is written through pointers to variables. */
type Holder = number | string;

const throughPointers: Holder = "through pointers";

interface Flows {
  /** What each holder may come from. */
  readonly sources: Map<Holder, Set<Holder>>;
  /** What addresses and branches come from. */
  readonly decisions: Set<Holder>;
  /** Variables of a thread's own that pointers lead to. */
  readonly pointedTo: Set<Holder>;
  readonly seen: Set<FunctionId>;
  readonly program: Program;
}

/** Indices of the parameters of `kernel` that decide what it accesses. */
export function decidingParameters(program: Program, kernel: FunctionId): ReadonlySet<number> {
  const definition = program.functionOf(kernel);
  if (!definition) return new Set();
  const flows: Flows = {
    sources: new Map(),
    decisions: new Set(),
    pointedTo: new Set(),
    seen: new Set(),
    program,
  };
  followFunction(flows, definition);
  for (const variable of flows.pointedTo) {
    flow(flows, variable, [throughPointers]);
    flow(flows, throughPointers, [variable]);
  }
  // What lies in memory is not known, whoever wrote it.
  if (flows.pointedTo.size === 0) flows.sources.delete(throughPointers);
  const deciding = reached(flows);
  return new Set(
    definition.parameters.flatMap((parameter, index) => (deciding.has(parameter.id) ? [index] : [])),
  );
}

function reached({ sources, decisions }: Flows): ReadonlySet<Holder> {
  const found = new Set(decisions);
  for (const holder of found) for (const source of sources.get(holder) ?? []) found.add(source);
  return found;
}

function flow(flows: Flows, to: Holder, from: Iterable<Holder>): void {
  const sources = flows.sources.get(to) ?? new Set();
  for (const source of from) sources.add(source);
  flows.sources.set(to, sources);
}

function decide(flows: Flows, from: Iterable<Holder>): void {
  for (const holder of from) flows.decisions.add(holder);
}

function followFunction(flows: Flows, definition: FunctionDefinition): void {
  if (flows.seen.has(definition.id)) return;
  flows.seen.add(definition.id);
  followAll(flows, definition.body, definition.id);
}

function followAll(flows: Flows, statements: readonly Statement[], owner: FunctionId): void {
  for (const statement of statements) follow(flows, statement, owner);
}

function follow(flows: Flows, statement: Statement, owner: FunctionId): void {
  switch (statement.kind) {
    case "evaluate":
      sourcesOf(flows, statement.expression);
      break;
    case "declare":
      if (statement.initializer) flow(flows, statement.variable.id, sourcesOf(flows, statement.initializer));
      break;
    case "block":
      followAll(flows, statement.body, owner);
      break;
    case "if":
      decide(flows, sourcesOf(flows, statement.condition));
      followAll(flows, statement.whenTrue, owner);
      followAll(flows, statement.whenFalse, owner);
      break;
    case "loop":
      if (statement.condition) decide(flows, sourcesOf(flows, statement.condition));
      for (const step of statement.step) sourcesOf(flows, step);
      followAll(flows, statement.body, owner);
      break;
    case "switch":
      decide(flows, sourcesOf(flows, statement.selector));
      for (const each of statement.cases) followAll(flows, each.body, owner);
      break;
    case "return":
      if (statement.value) flow(flows, resultOf(owner), sourcesOf(flows, statement.value));
      break;
    default:
  }
}

/** Computed without memory and without effect: which of two such is taken is no branch. */
function isPlain(expression: Expression): boolean {
  switch (expression.kind) {
    case "load":
    case "address":
      return expression.place.kind === "variable";
    case "assign":
    case "call":
    case "call-indirect":
      return false;
    case "intrinsic":
      return expression.site === null && expression.arguments.every(isPlain);
    default:
      return operandsOf(expression).every(isPlain);
  }
}

function resultOf(id: FunctionId): Holder {
  return `result of ${id}`;
}

/** What a value may come from. What it does on the way is noted. */
function sourcesOf(flows: Flows, expression: Expression): Holder[] {
  switch (expression.kind) {
    case "load":
      return [...placeOf(expression.place), ...addressOf(flows, expression.place)];
    case "address":
      if (expression.place.kind === "variable" && expression.place.variable.storage === "automatic")
        flows.pointedTo.add(expression.place.variable.id);
      return expression.place.kind === "variable"
        ? [expression.place.variable.id]
        : sourcesOf(flows, expression.place.pointer);
    case "assign": {
      const value = sourcesOf(flows, expression.value);
      addressOf(flows, expression.place);
      for (const target of placeOf(expression.place)) flow(flows, target, value);
      return value;
    }
    case "conditional":
    case "logical": {
      const [, ...sides] = operandsOf(expression);
      const [condition, ...others] = operandsOf(expression).map((operand) => sourcesOf(flows, operand));
      if (condition && !sides.every(isPlain)) decide(flows, condition);
      return [...(condition ?? []), ...others.flat()];
    }
    case "call": {
      const values = expression.arguments.map((argument) => sourcesOf(flows, argument));
      const callee = flows.program.functionOf(expression.callee);
      if (!callee) return values.flat();
      callee.parameters.forEach((parameter, index) => {
        flow(flows, parameter.id, values[index] ?? []);
      });
      followFunction(flows, callee);
      return [resultOf(callee.id)];
    }
    case "intrinsic":
    case "call-indirect":
    case "unknown": {
      // They may take an operand for an address.
      const values = operandsOf(expression).flatMap((operand) => sourcesOf(flows, operand));
      const isPure =
        expression.kind === "intrinsic" ? expression.site === null : expression.kind === "unknown";
      if (!isPure) decide(flows, values);
      return values;
    }
    default:
      return operandsOf(expression).flatMap((operand) => sourcesOf(flows, operand));
  }
}

function placeOf(place: Place): Holder[] {
  return [place.kind === "variable" ? place.variable.id : throughPointers];
}

/** Notes that the pointer of a place in memory decides; gives nothing. */
function addressOf(flows: Flows, place: Place): Holder[] {
  if (place.kind === "memory") decide(flows, sourcesOf(flows, place.pointer));
  return [];
}
