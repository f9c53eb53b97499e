// Methods of Python's strings, paths, lists and dicts.
import type { CallArguments } from "./machine.ts";
import { joinedStrings } from "./operators.ts";
import {
  asString,
  boolean,
  type DictValue,
  doubted,
  keyOf,
  type ListValue,
  list,
  none,
  type StringValue,
  string,
  unknown,
  type Value,
} from "./values.ts";

/** What `object.name(…)` gives; null where that is not known. `doubt`: why the call may not be made, for those that change a list. */
export function callMethod(
  object: Value,
  name: string,
  all: CallArguments,
  doubt: string | null,
): Value | null {
  if (object.kind === "string") return stringMethod(object, name, all);
  if (object.kind === "list") return listMethod(object, name, all, doubt);
  return object.kind === "dict" ? dictMethod(object, name, all) : null;
}

function stringMethod(object: StringValue, name: string, all: CallArguments): Value | null {
  const [first, second] = all.positional;
  const argument = first?.kind === "string" && first.hole === null ? first.text : null;
  if (object.isPath) {
    const path = pathMethod(object, name, all);
    if (path !== null) return path;
  }
  if (name === "join" && first !== undefined) return doubted(joinedStrings(object, first), object.doubt);
  if (name === "format") return formatMethod(object, all);
  if (object.hole !== null) return unknown(object.hole);
  const same = (text: string): Value => ({ ...object, text, isPath: false });
  const { text } = object;
  switch (name) {
    case "lower":
      return same(text.toLowerCase());
    case "upper":
      return same(text.toUpperCase());
    case "strip":
      return same(stripped(text, argument, "both"));
    case "lstrip":
      return same(stripped(text, argument, "left"));
    case "rstrip":
      return same(stripped(text, argument, "right"));
    case "removeprefix":
      return argument !== null && text.startsWith(argument) ? same(text.slice(argument.length)) : object;
    case "removesuffix":
      return argument !== null && text.endsWith(argument)
        ? same(text.slice(0, text.length - argument.length))
        : object;
    case "replace":
      return argument !== null && second?.kind === "string"
        ? { ...same(text.replaceAll(argument, second.text)) }
        : null;
    case "split": {
      const parts = argument === null ? (text.match(/\S+/g) ?? []) : text.split(argument);
      return first !== undefined && argument === null && first.kind !== "none"
        ? null
        : list(parts.map((part) => doubted(string(part, object.place), object.doubt)));
    }
    case "splitlines":
      return list(text.split(/\r?\n/).map((part) => string(part, object.place)));
    case "startswith":
    case "endswith": {
      const options = first?.kind === "list" ? first.items : first === undefined ? [] : [first];
      if (options.some((one) => one.kind !== "string" || one.hole !== null)) return null;
      const matches = options.some(
        (one) =>
          one.kind === "string" &&
          (name === "startswith" ? text.startsWith(one.text) : text.endsWith(one.text)),
      );
      return doubted(boolean(matches), object.doubt);
    }
    case "isdigit":
      return boolean(/^\d+$/.test(text));
    case "count":
      return argument === null || argument === ""
        ? null
        : { kind: "number", value: text.split(argument).length - 1 };
    case "find":
      return argument === null ? null : { kind: "number", value: text.indexOf(argument) };
    case "encode":
    case "decode":
      return object;
    default:
      return null;
  }
}

function stripped(text: string, characters: string | null, side: "left" | "right" | "both"): string {
  const isStripped = (one: string): boolean =>
    characters === null ? /\s/.test(one) : characters.includes(one);
  let from = 0;
  let to = text.length;
  while (side !== "right" && from < to && isStripped(text.charAt(from))) from++;
  while (side !== "left" && to > from && isStripped(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

function formatMethod(object: StringValue, all: CallArguments): Value {
  let at = 0;
  let { hole, doubt } = object;
  const text = object.text.replace(/\{\{|\}\}|\{(\w*)(?::[^{}]*)?\}/g, (field, name: string | undefined) => {
    if (field === "{{" || field === "}}") return field.charAt(0);
    const value =
      name === undefined || name === ""
        ? all.positional[at++]
        : /^\d+$/.test(name)
          ? all.positional[Number(name)]
          : all.named.get(name);
    const known =
      value === undefined
        ? { ...string(field), hole: "the value of a format is not known" }
        : asString(value, name ?? "");
    hole ??= known.hole;
    doubt ??= known.doubt;
    return known.text;
  });
  return doubted({ ...object, text, hole }, doubt);
}

function pathMethod(object: StringValue, name: string, all: CallArguments): Value | null {
  const [first] = all.positional;
  const made = (text: string): Value => ({ ...object, text });
  switch (name) {
    case "resolve":
    case "absolute":
    case "expanduser":
      return object;
    case "as_posix":
    case "__str__":
      return { ...object, isPath: false };
    case "joinpath": {
      const parts = all.positional.map((one) => (one.kind === "string" ? one : string("{…}")));
      const hole = object.hole ?? parts.find((one) => one.hole !== null)?.hole ?? null;
      return { ...object, text: [object.text, ...parts.map(({ text }) => text)].join("/"), hole };
    }
    case "with_suffix":
      return first?.kind === "string" ? made(object.text.replace(/\.[^./]*$/, "") + first.text) : null;
    case "with_name":
      return first?.kind === "string" ? made(object.text.replace(/[^/]*$/, first.text)) : null;
    case "relative_to":
      return first?.kind === "string" && object.text.startsWith(`${first.text}/`)
        ? made(object.text.slice(first.text.length + 1))
        : object;
    default:
      return null;
  }
}

function listMethod(object: ListValue, name: string, all: CallArguments, doubt: string | null): Value | null {
  const [first] = all.positional;
  switch (name) {
    case "copy":
      return list([...object.items], object.shape, object.more);
    case "remove":
    case "discard": {
      const key = first === undefined ? null : keyOf(first);
      const at = object.items.findIndex((one) => key !== null && keyOf(one) === key);
      const found = object.items[at];
      if (found === undefined) return none;
      if (doubt === null) object.items.splice(at, 1);
      else object.items[at] = doubted(found, doubt);
      return none;
    }
    case "clear":
      if (doubt === null) object.items.length = 0;
      else object.items = object.items.map((one) => doubted(one, doubt));
      return none;
    case "sort":
      object.items = sorted(object.items);
      return none;
    case "reverse":
      object.items.reverse();
      return none;
    case "pop":
      return (first?.kind === "number" ? object.items.splice(first.value, 1)[0] : object.items.pop()) ?? null;
    case "index": {
      const key = first === undefined ? null : keyOf(first);
      const at = object.items.findIndex((one) => key !== null && keyOf(one) === key);
      return at === -1 ? null : { kind: "number", value: at };
    }
    case "union":
      return first?.kind === "list"
        ? list([...object.items, ...first.items], object.shape, object.more ?? first.more)
        : null;
    default:
      return null;
  }
}

/** Strings in their order, other values where they stand. */
export function sorted(items: readonly Value[]): Value[] {
  return items.toSorted((a, b) => {
    const [left, right] = [keyOf(a) ?? "", keyOf(b) ?? ""];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

function dictMethod(object: DictValue, name: string, all: CallArguments): Value | null {
  const [first, second] = all.positional;
  switch (name) {
    case "get": {
      if (first?.kind !== "string" || first.hole !== null) return null;
      return (
        object.entries.get(first.text) ?? (object.more === null ? (second ?? none) : unknown(object.more))
      );
    }
    case "keys":
      return list(
        [...object.entries.keys()].map((key) => string(key)),
        "list",
        object.more,
      );
    case "values":
      return list([...object.entries.values()], "list", object.more);
    case "items":
      return list(
        [...object.entries].map(([key, value]) => list([string(key), value], "tuple")),
        "list",
        object.more,
      );
    case "copy":
      return { kind: "dict", entries: new Map(object.entries), more: object.more };
    case "pop": {
      if (first?.kind !== "string") return null;
      const value = object.entries.get(first.text);
      object.entries.delete(first.text);
      return value ?? second ?? null;
    }
    default:
      return null;
  }
}
