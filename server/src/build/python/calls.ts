// Calls of functions: those of the file, those that the reader records, and those that `Environment` knows.

import type { Origin } from "../flags.ts";
import { runBody } from "./evaluate.ts";
import { evaluate, indexed } from "./expressions.ts";
import {
  type CallArguments,
  type CallContext,
  currentDoubt,
  extend,
  type Frame,
  itemsOf,
  type Machine,
  maximumDepth,
  placeOf,
  setEntry,
} from "./machine.ts";
import { callMethod } from "./methods.ts";
import { moduleNamed } from "./modules.ts";
import type { Argument, Expression, Parameter } from "./syntax.ts";
import {
  type CallRecord,
  type ClassValue,
  doubted,
  list,
  none,
  type Scope,
  string,
  unknown,
  unknownReason,
  type Value,
} from "./values.ts";

export function call(machine: Machine, expression: Expression & { kind: "call" }, frame: Frame): Value {
  const callee = evaluate(machine, expression.callee, frame);
  const all = callArguments(machine, expression.arguments, frame);
  return apply(machine, callee, all, placeOf(frame, expression.line));
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

export function contextOf(machine: Machine, origin: Origin): CallContext {
  return {
    origin,
    moduleAt: (name) => moduleNamed(machine, name, origin.file),
    apply: (callee, positional) => apply(machine, callee, { positional, named: new Map() }, origin),
  };
}

export function apply(machine: Machine, callee: Value, all: CallArguments, origin: Origin): Value {
  switch (callee.kind) {
    case "function":
      return applyFunction(machine, callee, all);
    case "lambda": {
      const scope: Scope = { names: new Map(), around: callee.scope, file: callee.scope.file };
      bind(machine, callee.parameters, all, scope, callee.scope);
      if (machine.depth > maximumDepth) return unknown("calls are nested too deep");
      machine.depth++;
      const value = evaluate(machine, callee.body, { scope, returned: undefined });
      machine.depth--;
      return value;
    }
    case "class":
      return construct(machine, callee, all, origin);
    case "dotted": {
      const name = callee.name.slice(callee.name.lastIndexOf(".") + 1);
      if (machine.environment.isRecorded(callee.name)) {
        const record: CallRecord = {
          callee: name,
          positional: all.positional,
          named: new Map(all.named),
          origin,
          doubt: currentDoubt(machine),
        };
        machine.records.push(record);
        return { kind: "record", record, type: null };
      }
      return (
        machine.environment.call(callee.name, all, contextOf(machine, origin)) ??
        unknown(`what ${callee.name}() gives is not known`)
      );
    }
    case "method": {
      const { object, name } = callee;
      const own = object.kind === "record" ? object.type?.methods.get(name) : undefined;
      if (own?.kind === "function") {
        return applyFunction(machine, own, { positional: [object, ...all.positional], named: all.named });
      }
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

/** An object of a class of the file: its declared fields, then what __init__ sets. */
function construct(machine: Machine, type: ClassValue, all: CallArguments, origin: Origin): Value {
  const named = new Map<string, Value>();
  type.fields.forEach(({ name, fallback }, at) => {
    const given = all.named.get(name) ?? all.positional[at];
    const value =
      given ??
      (fallback === null
        ? undefined
        : evaluate(machine, fallback, { scope: type.scope, returned: undefined }));
    if (value !== undefined) named.set(name, value);
  });
  const record: CallRecord = { callee: type.name, positional: all.positional, named, origin, doubt: null };
  const object: Value = { kind: "record", record, type };
  const init = type.methods.get("__init__");
  if (init?.kind === "function")
    applyFunction(machine, init, { positional: [object, ...all.positional], named: all.named });
  return object;
}

function applyFunction(machine: Machine, callee: Value & { kind: "function" }, all: CallArguments): Value {
  machine.called.add(callee.body);
  if (machine.depth > maximumDepth) return unknown("calls are nested too deep");
  const scope: Scope = { names: new Map(), around: callee.scope, file: callee.scope.file };
  bind(machine, callee.parameters, all, scope, callee.scope);
  const frame: Frame = { scope, returned: undefined };
  machine.depth++;
  runBody(machine, callee.body, frame);
  machine.depth--;
  return frame.yielded ?? frame.returned ?? none;
}

export function bind(
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
        fallback === null ? undefined : evaluate(machine, fallback, { scope: around, returned: undefined });
    }
    scope.names.set(name, value ?? unknown(`the parameter ${name} is not known`));
  }
}
