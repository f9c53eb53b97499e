// Runs the statements of a Python file as far as plain values go. What hangs on a condition that is not known is doubtful; nothing is imported, read or executed but what `Environment` gives.

import { callMethod } from "./methods.ts";
import { binaryOperation, compareValues } from "./operators.ts";
import type { Argument, Expression, Parameter, Statement } from "./syntax.ts";
import {
  asString,
  boolean,
  type CallRecord,
  type DictValue,
  doubted,
  joined,
  keyOf,
  type ListValue,
  list,
  none,
  type Scope,
  string,
  truthOf,
  unknown,
  unknownReason,
  type Value,
} from "./values.ts";

/** What the reader of a file knows of the world around it. */
export interface Environment {
  /** Whether a call to a name is to be recorded. */
  isRecorded(name: string): boolean;
  /** The value of a name that the file does not define; null where nothing is known of it. */
  valueOf(dotted: string): Value | null;
  /** What a function of another module gives; null where nothing is known of it. */
  call(dotted: string, all: CallArguments, context: CallContext): Value | null;
  /** As `call`, of a method of a path: what needs the files. */
  callPath(path: string, name: string, all: CallArguments): Value | null;
}

export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

export interface CallContext {
  readonly line: number;
  apply(callee: Value, positional: readonly Value[]): Value;
}

export interface Evaluation {
  readonly records: readonly CallRecord[];
  readonly globals: Scope;
}

interface Machine {
  readonly environment: Environment;
  readonly records: CallRecord[];
  readonly called: Set<readonly Statement[]>;
  /** Why what runs now may not run. */
  readonly doubts: string[];
  steps: number;
  depth: number;
}

const maximumSteps = 300_000;
const maximumDepth = 48;
const maximumItems = 20_000;

type Ending = "return" | "break" | "continue" | "raise" | null;

interface Frame {
  readonly scope: Scope;
  readonly globals: Scope;
  /** What was returned so far, under conditions that were not known. */
  returned: Value | undefined;
}

/**
 * Runs a file, then the functions in it that nothing called and that name a call to be recorded: those run where the file is used, with parameters that are not known.
 */
export function evaluatePython(
  statements: readonly Statement[],
  environment: Environment,
  mentions: (body: readonly Statement[]) => boolean,
): Evaluation {
  const machine: Machine = { environment, records: [], called: new Set(), doubts: [], steps: 0, depth: 0 };
  const globals: Scope = { names: new Map(), around: null };
  runBody(machine, statements, { scope: globals, globals, returned: undefined });
  runUncalled(machine, statements, globals, mentions);
  return { records: machine.records, globals };
}

function runUncalled(
  machine: Machine,
  statements: readonly Statement[],
  globals: Scope,
  mentions: (body: readonly Statement[]) => boolean,
): void {
  for (const statement of statements) {
    if (statement.kind === "class") runUncalled(machine, statement.body, globals, mentions);
    else if (
      statement.kind === "function" &&
      !machine.called.has(statement.body) &&
      mentions(statement.body)
    ) {
      const scope: Scope = { names: new Map(), around: globals };
      bind(machine, statement.parameters, { positional: [], named: new Map() }, scope, globals);
      machine.called.add(statement.body);
      runBody(machine, statement.body, { scope, globals, returned: undefined });
    }
  }
}

function currentDoubt(machine: Machine): string | null {
  return machine.doubts.at(-1) ?? null;
}

function runBody(machine: Machine, statements: readonly Statement[], frame: Frame): Ending {
  let pushed = 0;
  let ending: Ending = null;
  for (const statement of statements) {
    if (++machine.steps > maximumSteps) {
      ending = "raise";
      break;
    }
    const before = frame.returned;
    ending = run(machine, statement, frame);
    if (ending !== null) break;
    // A return under a condition that is not known: what follows may not run.
    if (frame.returned !== before) {
      machine.doubts.push(returnDoubt);
      pushed++;
    }
  }
  machine.doubts.length -= pushed;
  return ending;
}

const returnDoubt = "an earlier return hangs on a condition that is not known";

function run(machine: Machine, statement: Statement, frame: Frame): Ending {
  switch (statement.kind) {
    case "expression":
      evaluate(machine, statement.value, frame);
      return null;
    case "assign": {
      const value = evaluate(machine, statement.value, frame);
      for (const target of statement.targets) assign(machine, target, value, frame);
      return null;
    }
    case "augment":
      augment(machine, statement, frame);
      return null;
    case "if":
      return runIf(machine, statement, frame);
    case "for":
      return runFor(machine, statement, frame);
    case "while":
      return runWhile(machine, statement, frame);
    case "function":
      frame.scope.names.set(statement.name, {
        kind: "function",
        name: statement.name,
        parameters: statement.parameters,
        body: statement.body,
        scope: frame.scope,
      });
      return null;
    case "class":
      frame.scope.names.set(statement.name, { kind: "dotted", name: statement.name });
      return null;
    case "return": {
      const value = statement.value === null ? none : evaluate(machine, statement.value, frame);
      frame.returned =
        frame.returned === undefined
          ? value
          : joined(frame.returned, value, currentDoubt(machine) ?? returnDoubt);
      return "return";
    }
    case "import":
      for (const [name, dotted] of statement.names) frame.scope.names.set(name, named(machine, dotted));
      return null;
    case "block":
      for (const bound of statement.bound)
        assign(machine, bound, unknown("what `with` gives is not known"), frame);
      return runBody(machine, statement.body, frame);
    case "stop":
      return statement.word;
    case "delete":
    case "nothing":
      return null;
  }
}

function named(machine: Machine, dotted: string): Value {
  return machine.environment.valueOf(dotted) ?? { kind: "dotted", name: dotted };
}

function runIf(machine: Machine, statement: Statement & { kind: "if" }, frame: Frame): Ending {
  const test = evaluate(machine, statement.test, frame);
  // A branch that ends the build is not the one that builds, whatever is known of this machine.
  if (endsBuild(statement.then)) return runBody(machine, statement.otherwise, frame);
  if (endsBuild(statement.otherwise)) return runBody(machine, statement.then, frame);
  const truth = truthOf(test);
  if (truth !== null) return runBody(machine, truth ? statement.then : statement.otherwise, frame);
  const reason = `the condition \`${shortened(statement.text)}\` is not known`;
  const then = runDoubtful(machine, statement.then, frame, reason);
  const otherwise = runDoubtful(machine, statement.otherwise, frame, reason);
  for (const name of new Set([...then.names.keys(), ...otherwise.names.keys()])) {
    const old = lookUp(frame.scope, name);
    // A branch that returns leaves its names behind.
    const first = then.ending === null ? (then.names.get(name) ?? old) : undefined;
    const second = otherwise.ending === null ? (otherwise.names.get(name) ?? old) : undefined;
    if (then.ending !== null && second !== undefined) frame.scope.names.set(name, second);
    else if (otherwise.ending !== null && first !== undefined) frame.scope.names.set(name, first);
    else frame.scope.names.set(name, joined(first, second, reason));
  }
  return then.ending !== null && then.ending === otherwise.ending ? then.ending : null;
}

/** Runs a branch that may not run: names that it sets are kept apart, what it adds to lists is doubtful. */
function runDoubtful(
  machine: Machine,
  statements: readonly Statement[],
  frame: Frame,
  reason: string,
): { names: ReadonlyMap<string, Value>; ending: Ending } {
  const scope: Scope = { names: new Map(), around: frame.scope };
  const inner: Frame = { scope, globals: frame.globals, returned: frame.returned };
  machine.doubts.push(reason);
  const ending = runBody(machine, statements, inner);
  machine.doubts.pop();
  if (inner.returned !== undefined && inner.returned !== frame.returned) frame.returned = inner.returned;
  return { names: scope.names, ending };
}

function endsBuild(statements: readonly Statement[]): boolean {
  const last = statements.at(-1);
  if (last?.kind === "stop") return last.word === "raise";
  if (last?.kind !== "expression" || last.value.kind !== "call") return false;
  const { callee } = last.value;
  const name = callee.kind === "attribute" ? callee.name : callee.kind === "name" ? callee.name : "";
  return name === "exit" || name === "_exit" || name === "fail";
}

function runFor(machine: Machine, statement: Statement & { kind: "for" }, frame: Frame): Ending {
  const { items, more } = itemsOf(evaluate(machine, statement.iterable, frame), statement.text);
  for (const item of items) {
    if (++machine.steps > maximumSteps) return "raise";
    assign(machine, statement.target, item, frame);
    if (item.doubt !== undefined) machine.doubts.push(item.doubt);
    const ending = runBody(machine, statement.body, frame);
    if (item.doubt !== undefined) machine.doubts.pop();
    if (ending === "break") return null;
    if (ending === "return" || ending === "raise") return ending;
  }
  if (more === null) return null;
  machine.doubts.push(more);
  assign(machine, statement.target, unknown(more), frame);
  runBody(machine, statement.body, frame);
  machine.doubts.pop();
  return null;
}

const maximumIterations = 2_000;

function runWhile(machine: Machine, statement: Statement & { kind: "while" }, frame: Frame): Ending {
  for (let count = 0; count < maximumIterations; count++) {
    const truth = truthOf(evaluate(machine, statement.test, frame));
    if (truth === false) return null;
    if (truth === null) {
      runDoubtful(
        machine,
        statement.body,
        frame,
        `the condition \`${shortened(statement.text)}\` is not known`,
      );
      return null;
    }
    const ending = runBody(machine, statement.body, frame);
    if (ending === "break") return null;
    if (ending === "return" || ending === "raise") return ending;
  }
  return null;
}

function augment(machine: Machine, statement: Statement & { kind: "augment" }, frame: Frame): void {
  const right = evaluate(machine, statement.value, frame);
  const left = evaluate(machine, statement.target, frame);
  if (statement.operator === "+" && left.kind === "list" && left.shape === "list")
    extend(machine, left, right);
  else assign(machine, statement.target, binaryOperation(statement.operator, left, right), frame);
}

/** `list += value`, `list.extend(value)`. */
function extend(machine: Machine, target: ListValue, value: Value): void {
  const { items, more } = itemsOf(value, "a list");
  const doubt = currentDoubt(machine);
  if (target.items.length + items.length > maximumItems) target.more ??= "the list is too long";
  else target.items.push(...items.map((one) => doubted(one, doubt)));
  target.more ??= more;
}

function itemsOf(
  value: Value,
  written: string,
): { readonly items: readonly Value[]; readonly more: string | null } {
  if (value.kind === "list")
    return { items: value.items.map((one) => doubted(one, value.doubt)), more: value.more };
  if (value.kind === "dict")
    return { items: [...value.entries.keys()].map((key) => string(key)), more: value.more };
  if (value.kind === "none") return { items: [], more: null };
  return { items: [], more: unknownReason(value) ?? `${shortened(written)} is not a list that is known` };
}

function assign(machine: Machine, target: Expression, value: Value, frame: Frame): void {
  switch (target.kind) {
    case "name":
      frame.scope.names.set(target.name, value);
      return;
    case "sequence": {
      const { items, more } = itemsOf(value, "the value");
      target.items.forEach((one, at) => {
        const rest =
          one.star === "*" ? list(items.slice(at, items.length - (target.items.length - at - 1))) : undefined;
        assign(machine, one.value, rest ?? items[at] ?? unknown(more ?? "there is no such item"), frame);
      });
      return;
    }
    case "index": {
      const object = evaluate(machine, target.object, frame);
      const index = evaluate(machine, target.index, frame);
      if (object.kind === "dict") setEntry(machine, object, index, value);
      else if (object.kind === "list" && index.kind === "number" && index.value in object.items)
        object.items[index.value] = value;
      else if (object.kind === "list") object.more ??= "an item that is not known was set";
      return;
    }
    case "attribute": {
      const object = evaluate(machine, target.object, frame);
      if (object.kind === "record") (object.record.named as Map<string, Value>).set(target.name, value);
      return;
    }
    default:
      return;
  }
}

function setEntry(machine: Machine, object: DictValue, index: Value, value: Value): void {
  const doubt = currentDoubt(machine);
  if (index.kind !== "string" || index.hole !== null) object.more ??= "a key is not known";
  else
    object.entries.set(
      index.text,
      doubt === null ? value : joined(object.entries.get(index.text), value, doubt),
    );
}

function lookUp(scope: Scope, name: string): Value | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.around) {
    const value = at.names.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function evaluate(machine: Machine, expression: Expression, frame: Frame): Value {
  if (++machine.steps > maximumSteps) return unknown("this file takes too long to evaluate");
  switch (expression.kind) {
    case "name":
      return lookUp(frame.scope, expression.name) ?? named(machine, expression.name);
    case "string":
      return string(expression.value, expression.line);
    case "format": {
      const parts = expression.parts.map((part) =>
        typeof part === "string" ? string(part) : asString(evaluate(machine, part, frame), textOf(part)),
      );
      return { ...concatenated(parts), line: expression.line };
    }
    case "number":
      return { kind: "number", value: expression.value };
    case "constant":
      return expression.value === null ? none : boolean(expression.value);
    case "sequence":
      return sequence(machine, expression, frame);
    case "dict":
      return dict(machine, expression, frame);
    case "attribute":
      return attribute(machine, evaluate(machine, expression.object, frame), expression.name);
    case "call":
      return call(machine, expression, frame);
    case "index":
      return indexed(
        machine,
        evaluate(machine, expression.object, frame),
        evaluate(machine, expression.index, frame),
      );
    case "slice": {
      const object = evaluate(machine, expression.object, frame);
      const bounds = expression.bounds.map((one) => (one === null ? null : evaluate(machine, one, frame)));
      return sliced(object, bounds);
    }
    case "binary":
      return binaryOperation(
        expression.operator,
        evaluate(machine, expression.left, frame),
        evaluate(machine, expression.right, frame),
      );
    case "unary": {
      const operand = evaluate(machine, expression.operand, frame);
      if (expression.operator === "not") {
        const truth = truthOf(operand);
        return truth === null
          ? unknown(unknownReason(operand) ?? "this is not known", "no")
          : doubted(boolean(!truth), operand.doubt);
      }
      return operand.kind === "number" && expression.operator === "-"
        ? { kind: "number", value: -operand.value }
        : operand;
    }
    case "compare":
      return compareValues(
        expression.operator,
        evaluate(machine, expression.left, frame),
        evaluate(machine, expression.right, frame),
      );
    case "logical": {
      const left = evaluate(machine, expression.left, frame);
      const truth = truthOf(left);
      if (truth === (expression.operator === "or")) return left;
      const right = evaluate(machine, expression.right, frame);
      if (truth !== null) return right;
      // "unknown and False" is False, "unknown or True" is true.
      const rightTruth = truthOf(right);
      if (rightTruth === (expression.operator === "or"))
        return rightTruth ? doubted(right, unknownReason(left)) : right;
      return unknown(unknownReason(left) ?? unknownReason(right) ?? "this is not known");
    }
    case "conditional": {
      const truth = truthOf(evaluate(machine, expression.test, frame));
      if (truth !== null) return evaluate(machine, truth ? expression.then : expression.otherwise, frame);
      const reason = `the condition \`${shortened(expression.text)}\` is not known`;
      return joined(
        evaluate(machine, expression.then, frame),
        evaluate(machine, expression.otherwise, frame),
        reason,
      );
    }
    case "comprehension":
      return comprehension(machine, expression, frame);
    case "lambda":
      return { kind: "lambda", parameters: expression.parameters, body: expression.body, scope: frame.scope };
    case "unknown":
      return unknown(`\`${shortened(expression.text)}\` can't be evaluated`);
  }
}

function concatenated(parts: readonly (Value & { kind: "string" })[]): Value & { kind: "string" } {
  return {
    kind: "string",
    text: parts.map(({ text }) => text).join(""),
    hole: parts.find(({ hole }) => hole !== null)?.hole ?? null,
    line: null,
    isPath: false,
    ...doubtOf(parts.find(({ doubt }) => doubt !== undefined)?.doubt),
  };
}

function doubtOf(doubt: string | undefined): { doubt?: string } {
  return doubt === undefined ? {} : { doubt };
}

function sequence(machine: Machine, expression: Expression & { kind: "sequence" }, frame: Frame): Value {
  const items: Value[] = [];
  let more: string | null = null;
  for (const one of expression.items) {
    const value = evaluate(machine, one.value, frame);
    if (one.star === "*") {
      const spread = itemsOf(value, textOf(one.value));
      items.push(...spread.items);
      more ??= spread.more;
    } else items.push(value);
  }
  return list(items, expression.shape, more);
}

function dict(machine: Machine, expression: Expression & { kind: "dict" }, frame: Frame): Value {
  const entries = new Map<string, Value>();
  let more: string | null = null;
  for (const { key, value } of expression.entries) {
    const read = evaluate(machine, value, frame);
    if (key === null) {
      if (read.kind !== "dict") more ??= unknownReason(read) ?? "a dict is not known";
      else for (const [name, one] of read.entries) entries.set(name, one);
      continue;
    }
    const name = evaluate(machine, key, frame);
    const text = name.kind === "string" && name.hole === null ? name.text : keyOf(name);
    if (text === null) more ??= "a key is not known";
    else entries.set(text, read);
  }
  return { kind: "dict", entries, more };
}

function attribute(machine: Machine, object: Value, name: string): Value {
  if (object.kind === "dotted") return named(machine, `${object.name}.${name}`);
  if (object.kind === "record") return object.record.named.get(name) ?? { kind: "method", object, name };
  if (object.kind === "unknown") return unknown(object.reason);
  const property =
    object.kind === "string" && object.isPath ? pathProperty(object.text, name, object.hole) : null;
  return property ?? { kind: "method", object, name };
}

function pathProperty(text: string, name: string, hole: string | null): Value | null {
  const at = text.lastIndexOf("/");
  const last = text.slice(at + 1);
  const make = (value: string, isPath: boolean): Value => ({
    kind: "string",
    text: value,
    hole,
    line: null,
    isPath,
  });
  if (name === "parent") return make(at > 0 ? text.slice(0, at) : at === 0 ? "/" : ".", true);
  if (name === "name") return make(last, false);
  if (name === "stem") return make(last.replace(/(?<=.)\.[^.]*$/, ""), false);
  if (name === "suffix") return make(/(?<=.)\.[^.]*$/.exec(last)?.[0] ?? "", false);
  if (name !== "parents") return null;
  const parents: Value[] = [];
  for (let one = text; one.includes("/") && one !== "/"; ) {
    one = one.slice(0, Math.max(one.lastIndexOf("/"), 1)) || "/";
    parents.push(make(one, true));
  }
  return list(parents, "tuple");
}

function indexed(machine: Machine, object: Value, index: Value): Value {
  if (object.kind === "dict" && index.kind === "string") {
    return object.entries.get(index.text) ?? unknown(object.more ?? `there is no key ${index.text}`);
  }
  if ((object.kind === "list" || object.kind === "string") && index.kind === "number") {
    if (object.kind === "string")
      return object.hole === null ? string(object.text.at(index.value) ?? "") : unknown(object.hole);
    if (object.more !== null && (index.value < 0 || index.value >= object.items.length))
      return unknown(object.more);
    return object.items.at(index.value) ?? unknown("there is no such item");
  }
  if (object.kind === "dotted") {
    const all = { positional: [index], named: new Map() };
    return (
      machine.environment.call(`${object.name}.__getitem__`, all, contextOf(machine, 0)) ??
      unknown(`${object.name}[…] is not known`)
    );
  }
  return unknown(unknownReason(object) ?? unknownReason(index) ?? "an item is not known");
}

function sliced(object: Value, bounds: readonly (Value | null)[]): Value {
  const [from, to, step] = bounds.map((one) =>
    one === null ? undefined : one.kind === "number" ? one.value : Number.NaN,
  );
  if (step !== undefined || Number.isNaN(from ?? 0) || Number.isNaN(to ?? 0))
    return unknown("a slice is not known");
  if (object.kind === "string") return object.hole === null ? string(object.text.slice(from, to)) : object;
  if (object.kind === "list" && object.more === null) return list(object.items.slice(from, to), object.shape);
  return unknown(unknownReason(object) ?? "a slice is not known");
}

function comprehension(
  machine: Machine,
  expression: Expression & { kind: "comprehension" },
  frame: Frame,
): Value {
  const items: Value[] = [];
  const entries = new Map<string, Value>();
  let more: string | null = null;
  const scope: Scope = { names: new Map(), around: frame.scope };
  const inner: Frame = { ...frame, scope };
  const go = (at: number, doubt: string | null): void => {
    if (++machine.steps > maximumSteps || items.length > maximumItems) return;
    const clause = expression.clauses[at];
    if (clause === undefined) {
      const value = doubted(evaluate(machine, expression.element, inner), doubt);
      if (expression.key === null) items.push(value);
      else {
        const key = evaluate(machine, expression.key, inner);
        if (key.kind === "string" && key.hole === null) entries.set(key.text, value);
        else more ??= "a key is not known";
      }
      return;
    }
    const value = evaluate(machine, clause.value, inner);
    if (clause.target === null) {
      const truth = truthOf(value);
      if (truth !== false)
        go(at + 1, truth === null ? (unknownReason(value) ?? "a condition is not known") : doubt);
      return;
    }
    const all = itemsOf(value, textOf(clause.value));
    more ??= all.more;
    for (const item of all.items) {
      assign(machine, clause.target, item, inner);
      go(at + 1, item.doubt ?? doubt);
    }
  };
  go(0, null);
  if (expression.shape === "dict") return { kind: "dict", entries, more };
  return list(items, expression.shape, more);
}

function call(machine: Machine, expression: Expression & { kind: "call" }, frame: Frame): Value {
  const callee = evaluate(machine, expression.callee, frame);
  const all = callArguments(machine, expression.arguments, frame);
  return apply(machine, callee, all, expression.line);
}

function callArguments(machine: Machine, all: readonly Argument[], frame: Frame): CallArguments {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  for (const one of all) {
    const value = evaluate(machine, one.value, frame);
    if (one.name !== null) named.set(one.name, value);
    else if (one.star === "") positional.push(value);
    else if (one.star === "*") positional.push(...itemsOf(value, "").items);
    else if (value.kind === "dict") for (const [name, entry] of value.entries) named.set(name, entry);
  }
  return { positional, named };
}

function contextOf(machine: Machine, line: number): CallContext {
  return {
    line,
    apply: (callee, positional) => apply(machine, callee, { positional, named: new Map() }, line),
  };
}

function apply(machine: Machine, callee: Value, all: CallArguments, line: number): Value {
  switch (callee.kind) {
    case "function":
      return applyFunction(machine, callee, all);
    case "lambda": {
      const scope: Scope = { names: new Map(), around: callee.scope };
      bind(machine, callee.parameters, all, scope, callee.scope);
      if (machine.depth > maximumDepth) return unknown("calls are nested too deep");
      machine.depth++;
      const value = evaluate(machine, callee.body, { scope, globals: callee.scope, returned: undefined });
      machine.depth--;
      return value;
    }
    case "dotted": {
      const name = callee.name.slice(callee.name.lastIndexOf(".") + 1);
      if (machine.environment.isRecorded(callee.name)) {
        const record: CallRecord = {
          callee: name,
          positional: all.positional,
          named: new Map(all.named),
          line,
          doubt: currentDoubt(machine),
        };
        machine.records.push(record);
        return { kind: "record", record };
      }
      return (
        machine.environment.call(callee.name, all, contextOf(machine, line)) ??
        unknown(`what ${callee.name}() gives is not known`)
      );
    }
    case "method": {
      const { object, name } = callee;
      if (
        object.kind === "list" &&
        (name === "append" || name === "extend" || name === "insert" || name === "add")
      ) {
        const value = all.positional[name === "insert" ? 1 : 0] ?? none;
        if (name === "extend") extend(machine, object, value);
        else if (name === "insert" && all.positional[0]?.kind === "number") {
          object.items.splice(all.positional[0].value, 0, doubted(value, currentDoubt(machine)));
        } else extend(machine, object, list([value]));
        return none;
      }
      if (object.kind === "dict" && name === "update") {
        const [from] = all.positional;
        if (from?.kind === "dict")
          for (const [key, value] of from.entries) setEntry(machine, object, string(key), value);
        for (const [key, value] of all.named) setEntry(machine, object, string(key), value);
        return none;
      }
      if (object.kind === "dict" && name === "setdefault") {
        const [key, value] = all.positional;
        if (key?.kind === "string" && !object.entries.has(key.text))
          setEntry(machine, object, key, value ?? none);
        return key === undefined ? none : indexed(machine, object, key);
      }
      if (object.kind === "string" && object.isPath && object.hole === null) {
        const found = machine.environment.callPath(object.text, name, all);
        if (found !== null) return found;
      }
      return (
        callMethod(object, name, all, currentDoubt(machine)) ??
        unknown(unknownReason(object) ?? `what .${name}() gives is not known`)
      );
    }
    default:
      return unknown(unknownReason(callee) ?? "this is no function");
  }
}

function applyFunction(machine: Machine, callee: Value & { kind: "function" }, all: CallArguments): Value {
  machine.called.add(callee.body);
  if (machine.depth > maximumDepth) return unknown("calls are nested too deep");
  const scope: Scope = { names: new Map(), around: callee.scope };
  bind(machine, callee.parameters, all, scope, callee.scope);
  const frame: Frame = { scope, globals: callee.scope, returned: undefined };
  machine.depth++;
  runBody(machine, callee.body, frame);
  machine.depth--;
  return frame.returned ?? none;
}

function bind(
  machine: Machine,
  parameters: readonly Parameter[],
  all: CallArguments,
  scope: Scope,
  around: Scope,
): void {
  const left = new Map(all.named);
  let at = 0;
  for (const { name, star, fallback } of parameters) {
    let value: Value | undefined;
    if (star === "*") {
      value = list(all.positional.slice(at), "tuple");
      at = all.positional.length;
    } else if (star === "**") value = { kind: "dict", entries: left, more: null };
    else {
      value = left.get(name) ?? all.positional[at];
      if (left.has(name)) left.delete(name);
      else at++;
      value ??=
        fallback === null
          ? undefined
          : evaluate(machine, fallback, { scope: around, globals: around, returned: undefined });
    }
    scope.names.set(name, value ?? unknown(`the parameter ${name} is not known`));
  }
}

function textOf(expression: Expression): string {
  switch (expression.kind) {
    case "name":
      return expression.name;
    case "attribute":
      return `${textOf(expression.object)}.${expression.name}`;
    case "call":
      return `${textOf(expression.callee)}()`;
    case "index":
      return `${textOf(expression.object)}[…]`;
    default:
      return "…";
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
