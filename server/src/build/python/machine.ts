// What a run over Python statements holds, and what statements, expressions and calls share.

import type { Origin } from "../flags.ts";
import type { Expression, Statement } from "./syntax.ts";
import {
  type CallRecord,
  type DictValue,
  doubted,
  joined,
  type ListValue,
  type Scope,
  string,
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
  /** A module of the project as `name` names it in the file `from`; null where it is none of the project. */
  module(name: string, from: string): PythonModule | null;
  /** Whether `load()` binds names of another file, as Starlark has it. */
  readonly hasLoad: boolean;
  /** As `call`, of a method of a path: what needs the files. */
  callPath(path: string, name: string, all: CallArguments): Value | null;
}

export interface PythonModule {
  readonly file: string;
  readonly statements: readonly Statement[];
}

export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

export interface CallContext {
  readonly origin: Origin;
  apply(callee: Value, positional: readonly Value[]): Value;
  /** The module that a file holds; null where it can't be read. */
  moduleAt(name: string): Value | null;
}

export interface Machine {
  readonly environment: Environment;
  readonly records: CallRecord[];
  /** Whether a body holds a call to be recorded. */
  readonly mentions: (body: readonly Statement[]) => boolean;
  /** By file. */
  readonly modules: Map<string, Scope>;
  readonly called: Set<readonly Statement[]>;
  /** Why what runs now may not run. */
  readonly doubts: string[];
  steps: number;
  depth: number;
}

export const maximumSteps = 300_000;

export const maximumDepth = 48;

export const maximumItems = 20_000;

export interface Frame {
  readonly scope: Scope;
  /** What was returned so far, under conditions that were not known. */
  returned: Value | undefined;
  /** What a generator gave so far. */
  yielded?: ListValue;
}

export function currentDoubt(machine: Machine): string | null {
  return machine.doubts.at(-1) ?? null;
}

/** `list += value`, `list.extend(value)`. */
export function extend(machine: Machine, target: ListValue, value: Value): void {
  const { items, more } = itemsOf(value, "a list");
  const doubt = currentDoubt(machine);
  if (target.items.length + items.length > maximumItems) target.more ??= "the list is too long";
  else target.items.push(...items.map((one) => doubted(one, doubt)));
  target.more ??= more;
}

export function itemsOf(
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

export function setEntry(machine: Machine, object: DictValue, index: Value, value: Value): void {
  const doubt = currentDoubt(machine);
  if (index.kind !== "string" || index.hole !== null) object.more ??= "a key is not known";
  else
    object.entries.set(
      index.text,
      doubt === null ? value : joined(object.entries.get(index.text), value, doubt),
    );
}

export function lookUp(scope: Scope, name: string): Value | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.around) {
    const value = at.names.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function textOf(expression: Expression): string {
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

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

export function placeOf(frame: Frame, line: number): Origin {
  return { file: frame.scope.file, line };
}
