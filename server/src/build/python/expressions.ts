// What expressions come to.

import { call, contextOf } from "./calls.ts";
import { assign } from "./evaluate.ts";
import {
  type Frame,
  itemsOf,
  lookUp,
  type Machine,
  maximumItems,
  maximumSteps,
  placeOf,
  shortened,
  textOf,
} from "./machine.ts";
import { memberOf, named } from "./modules.ts";
import { binaryOperation, compareValues } from "./operators.ts";
import type { Expression } from "./syntax.ts";
import {
  asString,
  boolean,
  doubted,
  joined,
  keyOf,
  list,
  none,
  type Scope,
  string,
  truthOf,
  unknown,
  unknownReason,
  type Value,
} from "./values.ts";

export function evaluate(machine: Machine, expression: Expression, frame: Frame): Value {
  if (++machine.steps > maximumSteps) return unknown("this file takes too long to evaluate");
  switch (expression.kind) {
    case "name":
      return lookUp(frame.scope, expression.name) ?? named(machine, expression.name, frame.scope.file);
    case "string":
      return string(expression.value, placeOf(frame, expression.line));
    case "format": {
      const parts = expression.parts.map((part) =>
        typeof part === "string" ? string(part) : asString(evaluate(machine, part, frame), textOf(part)),
      );
      return { ...concatenated(parts), place: placeOf(frame, expression.line) };
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
      return attribute(
        machine,
        evaluate(machine, expression.object, frame),
        expression.name,
        frame.scope.file,
      );
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
    place: null,
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

function attribute(machine: Machine, object: Value, name: string, from: string): Value {
  if (object.kind === "dotted") return named(machine, `${object.name}.${name}`, from);
  if (object.kind === "module") return memberOf(object.scope, name);
  if (object.kind === "record") return object.record.named.get(name) ?? { kind: "method", object, name };
  if (object.kind === "class")
    return object.methods.get(name) ?? unknown(`${object.name}.${name} is not known`);
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
    place: null,
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

export function indexed(machine: Machine, object: Value, index: Value): Value {
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
      machine.environment.call(
        `${object.name}.__getitem__`,
        all,
        contextOf(machine, { file: "", line: 0 }),
      ) ?? unknown(`${object.name}[…] is not known`)
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
  const scope: Scope = { names: new Map(), around: frame.scope, file: frame.scope.file };
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
