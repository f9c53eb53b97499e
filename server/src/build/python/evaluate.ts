// Runs the statements of a Python file as far as plain values go. What hangs on a condition that is not known is doubtful; nothing is imported, read or executed but what `Environment` gives.

import { bind } from "./calls.ts";
import { evaluate } from "./expressions.ts";
import {
  currentDoubt,
  type Environment,
  extend,
  type Frame,
  itemsOf,
  lookUp,
  type Machine,
  maximumSteps,
  setEntry,
  shortened,
} from "./machine.ts";
import { memberOf, moduleNamed, named } from "./modules.ts";
import { binaryOperation } from "./operators.ts";
import type { Expression, Statement } from "./syntax.ts";
import { type CallRecord, joined, list, none, type Scope, truthOf, unknown, type Value } from "./values.ts";

export interface Evaluation {
  readonly records: readonly CallRecord[];
  /** Files of the modules that were read. */
  readonly modules: readonly string[];
}

type Ending = "return" | "break" | "continue" | "raise" | null;

/**
 * Runs a file, then the functions in it that nothing called and that name a call to be recorded: those run where the file is used, with parameters that are not known.
 */
export function evaluatePython(
  statements: readonly Statement[],
  file: string,
  environment: Environment,
  mentions: (body: readonly Statement[]) => boolean,
): Evaluation {
  const machine: Machine = {
    environment,
    mentions,
    records: [],
    modules: new Map(),
    called: new Set(),
    doubts: [],
    steps: 0,
    depth: 0,
  };
  const globals: Scope = { names: new Map(), around: null, file };
  runBody(machine, statements, { scope: globals, returned: undefined });
  runUncalled(machine, statements, globals, mentions);
  return { records: machine.records, modules: [...machine.modules.keys()] };
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
      const scope: Scope = { names: new Map(), around: globals, file: globals.file };
      bind(machine, statement.parameters, { positional: [], named: new Map() }, scope, globals);
      machine.called.add(statement.body);
      runBody(machine, statement.body, { scope, returned: undefined });
    }
  }
}

export function runBody(machine: Machine, statements: readonly Statement[], frame: Frame): Ending {
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

export function run(machine: Machine, statement: Statement, frame: Frame): Ending {
  switch (statement.kind) {
    case "expression":
      if (!loadNames(machine, statement.value, frame)) evaluate(machine, statement.value, frame);
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
      frame.scope.names.set(statement.name, classOf(machine, statement, frame));
      return null;
    case "return": {
      const value = statement.value === null ? none : evaluate(machine, statement.value, frame);
      frame.returned =
        frame.returned === undefined
          ? value
          : joined(frame.returned, value, currentDoubt(machine) ?? returnDoubt);
      return "return";
    }
    case "yield": {
      const value = statement.value === null ? none : evaluate(machine, statement.value, frame);
      frame.yielded ??= list([]);
      extend(machine, frame.yielded, statement.isFrom ? value : list([value]));
      return null;
    }
    case "import":
      for (const [name, dotted] of statement.names) bindImport(machine, name, dotted, frame);
      return null;
    case "block":
      for (const { target, value } of statement.bound) {
        const given = evaluate(machine, value, frame);
        // An open file is its path; of anything else `with` may give something else.
        const isFile = given.kind === "string" && given.isPath;
        assign(machine, target, isFile ? given : unknown("what `with` gives is not known"), frame);
      }
      return runBody(machine, statement.body, frame);
    case "stop":
      return statement.word;
    case "declare":
    case "delete":
    case "nothing":
      return null;
  }
}

function bindImport(machine: Machine, name: string, dotted: string, frame: Frame): void {
  const { file } = frame.scope;
  if (name !== "*") frame.scope.names.set(name, named(machine, dotted, file));
  else
    for (const [one, value] of moduleNamed(machine, dotted, file)?.scope.names ?? [])
      frame.scope.names.set(one, value);
}

/** Starlark's `load("//pkg:file.bzl", "NAME", other = "NAME")`; whether it was one. */
function loadNames(machine: Machine, value: Expression, frame: Frame): boolean {
  if (!machine.environment.hasLoad || value.kind !== "call" || value.callee.kind !== "name") return false;
  const [label, ...names] = value.arguments;
  if (value.callee.name !== "load" || label?.value.kind !== "string") return false;
  const module = moduleNamed(machine, label.value.value, frame.scope.file);
  for (const one of names) {
    if (one.value.kind !== "string") continue;
    const name = one.value.value;
    frame.scope.names.set(
      one.name ?? name,
      module === null ? { kind: "dotted", name } : memberOf(module.scope, name),
    );
  }
  return true;
}

function classOf(machine: Machine, statement: Statement & { kind: "class" }, frame: Frame): Value {
  const scope: Scope = { names: new Map(), around: frame.scope, file: frame.scope.file };
  const fields: { name: string; fallback: Expression | null }[] = [];
  for (const one of statement.body) {
    if (one.kind === "declare") fields.push({ name: one.name, fallback: null });
    else if (one.kind === "assign" && one.targets[0]?.kind === "name")
      fields.push({ name: one.targets[0].name, fallback: one.value });
    else if (one.kind === "function") run(machine, one, { scope, returned: undefined });
  }
  return { kind: "class", name: statement.name, fields, methods: scope.names, scope: frame.scope };
}

function runIf(machine: Machine, statement: Statement & { kind: "if" }, frame: Frame): Ending {
  const test = evaluate(machine, statement.test, frame);
  // A branch that ends the build is not the one that builds, whatever is known of this machine.
  if (endsBuild(statement.then)) return runBody(machine, statement.otherwise, frame);
  if (endsBuild(statement.otherwise)) return runBody(machine, statement.then, frame);
  const truth = truthOf(test);
  if (truth !== null) {
    const taken = truth ? statement.then : statement.otherwise;
    const other = truth ? statement.otherwise : statement.then;
    // What an environment variable would build is read as well, beside what is built without it.
    if (test.doubt !== undefined && machine.mentions(other)) runDoubtful(machine, other, frame, test.doubt);
    return runBody(machine, taken, frame);
  }
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
  const scope: Scope = { names: new Map(), around: frame.scope, file: frame.scope.file };
  const inner: Frame = { ...frame, scope };
  machine.doubts.push(reason);
  const ending = runBody(machine, statements, inner);
  machine.doubts.pop();
  if (inner.yielded !== undefined) frame.yielded = inner.yielded;
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

export function assign(machine: Machine, target: Expression, value: Value, frame: Frame): void {
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
      if (object.kind === "record") object.record.named.set(target.name, value);
      return;
    }
    default:
      return;
  }
}
