// What Python's expressions come to: plain values, and what is not known of them.
import type { Origin } from "../flags.ts";
import type { Expression, Parameter, Statement } from "./syntax.ts";

/** `doubt`: why the value may be another, or may not be in its list at all. */
export type Value = { readonly doubt?: string } & (
  | { readonly kind: "none" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "number"; readonly value: number }
  | StringValue
  | ListValue
  | DictValue
  | {
      readonly kind: "function";
      readonly name: string;
      readonly parameters: readonly Parameter[];
      readonly body: readonly Statement[];
      readonly scope: Scope;
    }
  | {
      readonly kind: "lambda";
      readonly parameters: readonly Parameter[];
      readonly body: Expression;
      readonly scope: Scope;
    }
  /** Something of a module that is not read: `os.path.join`, `CUDAExtension`. */
  | { readonly kind: "dotted"; readonly name: string }
  /** A method of a value, before it is called. */
  | { readonly kind: "method"; readonly object: Value; readonly name: string }
  /** What a call gave that the reader of the file wants to know of. */
  | { readonly kind: "record"; readonly record: CallRecord; readonly type: ClassValue | null }
  | ClassValue
  /** A module of the project, by its names. */
  | { readonly kind: "module"; readonly scope: Scope }
  | { readonly kind: "unknown"; readonly reason: string; readonly isNone: "no" | "maybe" }
);

export interface StringValue {
  readonly kind: "string";
  /** What is not known stands as written, in braces. */
  readonly text: string;
  /** Why parts of the text are not known; null where all is. */
  readonly hole: string | null;
  /** Where it was written; null where it was put together. */
  readonly place: Origin | null;
  /** A pathlib.Path. */
  readonly isPath: boolean;
  readonly doubt?: string;
}

/** A class of the file, by what its objects need. */
export interface ClassValue {
  readonly kind: "class";
  readonly name: string;
  /** Those that are declared with a type: a dataclass, a NamedTuple. */
  readonly fields: readonly { readonly name: string; readonly fallback: Expression | null }[];
  readonly methods: ReadonlyMap<string, Value>;
  readonly scope: Scope;
  readonly doubt?: string;
}

/** Items change in place, as Python's do. */
export interface ListValue {
  readonly kind: "list";
  readonly shape: "list" | "tuple" | "set";
  items: Value[];
  /** Why there may be more items; null where these are all. */
  more: string | null;
  readonly doubt?: string;
}

export interface DictValue {
  readonly kind: "dict";
  readonly entries: Map<string, Value>;
  more: string | null;
  readonly doubt?: string;
}

export interface Scope {
  readonly names: Map<string, Value>;
  readonly around: Scope | null;
  /** The file whose statements run in it. */
  readonly file: string;
}

export interface CallRecord {
  /** The last part of the callee's name: "CUDAExtension". */
  readonly callee: string;
  readonly positional: readonly Value[];
  readonly named: Map<string, Value>;
  readonly origin: Origin;
  readonly doubt: string | null;
}

export const none: Value = { kind: "none" };

export function string(text: string, place: Origin | null = null): StringValue {
  return { kind: "string", text, hole: null, place, isPath: false };
}

export function pathValue(text: string, hole: string | null = null): StringValue {
  return { kind: "string", text, hole, place: null, isPath: true };
}

export function boolean(value: boolean): Value {
  return { kind: "boolean", value };
}

export function list(
  items: Value[],
  shape: ListValue["shape"] = "list",
  more: string | null = null,
): ListValue {
  return { kind: "list", shape, items, more };
}

export function unknown(reason: string, isNone: "no" | "maybe" = "maybe"): Value {
  return { kind: "unknown", reason, isNone };
}

/** The value with a doubt, unless it has one that weighs as much. */
export function doubted<T extends Value>(value: T, doubt: string | null | undefined): T {
  const weighsMore = value.doubt === undefined || (isFirm(value.doubt) && !isFirm(doubt ?? undefined));
  return doubt != null && weighsMore ? { ...value, doubt } : value;
}

/** Why the value is not known; null where it is. */
export function unknownReason(value: Value): string | null {
  if (value.kind === "unknown") return value.reason;
  if (value.kind === "dotted") return `${value.name} is not known`;
  if (
    value.kind === "method" ||
    value.kind === "record" ||
    value.kind === "function" ||
    value.kind === "class" ||
    value.kind === "module" ||
    value.kind === "lambda"
  )
    return "this is not a plain value";
  return value.kind === "string" ? value.hole : null;
}

/** A value as a string, as `str()` and f-strings write it; `written` is what stands for it where it is not known. */
export function asString(value: Value, written: string): StringValue {
  const known = plainText(value);
  const base: StringValue =
    known !== null
      ? {
          kind: "string",
          text: known,
          hole: value.kind === "string" ? value.hole : null,
          place: null,
          isPath: false,
        }
      : {
          kind: "string",
          text: `{${written}}`,
          hole: unknownReason(value) ?? `${written} is not a plain value`,
          place: null,
          isPath: false,
        };
  return doubted(base, value.doubt);
}

function plainText(value: Value): string | null {
  switch (value.kind) {
    case "string":
      return value.text;
    case "number":
      return String(value.value);
    case "boolean":
      return value.value ? "True" : "False";
    case "none":
      return "None";
    default:
      return null;
  }
}

/** Two values that print alike are equal; null where nothing is known of the value. */
export function keyOf(value: Value): string | null {
  if (value.kind === "list") {
    const keys = value.items.map(keyOf);
    return value.more !== null || keys.includes(null) ? null : `[${keys.join(",")}]`;
  }
  if (value.kind === "string") return value.hole === null ? `"${value.text}` : null;
  return plainText(value);
}

/** Whether a value counts as true; null where that is not known. */
export function truthOf(value: Value): boolean | null {
  switch (value.kind) {
    case "none":
      return false;
    case "boolean":
      return value.value;
    case "number":
      return value.value !== 0;
    case "string":
      return value.hole === null
        ? value.text !== ""
        : value.text.replace(/\{[^}]*\}/g, "") !== ""
          ? true
          : null;
    case "list":
      return value.items.some((one) => isFirm(one.doubt))
        ? true
        : value.items.length > 0 || value.more !== null
          ? null
          : false;
    case "dict":
      return value.entries.size > 0 ? true : value.more !== null ? null : false;
    case "unknown":
      return null;
    case "dotted":
      return null;
    default:
      return true;
  }
}

/** What a name holds behind a condition that is not known: one value or the other. */
export function joined(first: Value | undefined, second: Value | undefined, reason: string): Value {
  if (first === second && first !== undefined) return first;
  if (first === undefined || second === undefined) {
    const only = first ?? second ?? none;
    if (only.kind === "list") return { ...only, items: only.items.map((one) => doubted(one, reason)) };
    return doubted(only, reason);
  }
  if (first.kind === "list" && second.kind === "list") return joinedLists(first, second, reason);
  if (first.kind === "list" && second.kind === "none") return joined(first, undefined, reason);
  if (first.kind === "none" && second.kind === "list") return joined(second, undefined, reason);
  if (first.kind === "dict" && second.kind === "dict") {
    const entries = new Map<string, Value>();
    for (const key of new Set([...first.entries.keys(), ...second.entries.keys()])) {
      entries.set(key, joined(first.entries.get(key), second.entries.get(key), reason));
    }
    return { kind: "dict", entries, more: first.more ?? second.more };
  }
  const key = keyOf(first);
  if (key !== null && key === keyOf(second)) return first;
  return unknown(reason, first.kind === "none" || second.kind === "none" ? "maybe" : "no");
}

/** Items of both stay certain; the others are doubtful, in the order of the first list and then of the second. */
function joinedLists(first: ListValue, second: ListValue, reason: string): ListValue {
  const count = (items: readonly Value[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const item of items) {
      const key = keyOf(item);
      if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  };
  const common = (counts: Map<string, number>) => (item: Value) => {
    const key = keyOf(item);
    const left = key === null ? 0 : (counts.get(key) ?? 0);
    if (key !== null) counts.set(key, left - 1);
    return left > 0;
  };
  const isInSecond = common(count(second.items));
  const isInFirst = common(count(first.items));
  const items = first.items.map((item) => (isInSecond(item) ? item : doubted(item, reason)));
  items.push(...second.items.filter((item) => !isInFirst(item)).map((item) => doubted(item, reason)));
  return { kind: "list", shape: first.shape, items, more: first.more ?? second.more };
}

/** Why a value that an environment variable would replace may be another. Conditions are taken as if no variable were set. */
export function environmentDoubt(name: string): string {
  return `${environmentStart}${name} is taken as not set`;
}

/** Whether conditions pass over a doubt. */
export function isFirm(doubt: string | undefined): boolean {
  return doubt === undefined || doubt.startsWith(environmentStart);
}

/** The environment variable of `environmentDoubt`; null where the doubt is another. */
export function unsetVariableOf(doubt: string | null): string | null {
  return doubt?.startsWith(environmentStart)
    ? doubt.slice(environmentStart.length).replace(/ .*$/s, "")
    : null;
}

const environmentStart = "the environment variable ";
