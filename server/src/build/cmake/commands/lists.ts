// `list(…)`.
import type { Call, Interpreter } from "../interpreter.ts";
import { cmakeRegex } from "../regex.ts";
import { type Element, hasUnknown, splitListWhole } from "../unknown.ts";
import { compareVersions } from "../version.ts";
import { type CommandTable, textsOf } from "./command.ts";
import { transformed } from "./strings.ts";

export const listCommands: CommandTable = [["list", list]];

function list(cmake: Interpreter, call: Call): undefined {
  const [kind, name, ...rest] = textsOf(call);
  if (kind === undefined || name === undefined) return undefined;
  const { unknowns } = cmake;
  const text = cmake.text(name);
  const isKnown = !hasUnknown(text) && !rest.some(hasUnknown);
  const reason = (): string =>
    unknowns.reasonOf(text) ?? unknowns.reasonOf(rest.join(";")) ?? "it is not known";
  const put = (variable: string | undefined, value: string): void => {
    if (variable !== undefined) cmake.set(variable, value, call.origin);
  };
  const change = (to: (elements: readonly Element[]) => readonly Element[]): void => {
    if (!isKnown) put(name, unknowns.join(to(unknowns.elements(text))));
    else
      put(
        name,
        to(splitListWhole(text).map((one) => ({ text: one, doubt: null })))
          .map((one) => one.text)
          .join(";"),
      );
  };
  const plain = (texts: readonly string[]): readonly Element[] =>
    texts.map((one) => ({ text: one, doubt: null }));
  switch (kind) {
    case "APPEND":
      if (rest.length > 0) put(name, [...(text === "" ? [] : [text]), ...rest].join(";"));
      return undefined;
    case "PREPEND":
      if (rest.length > 0) put(name, [...rest, ...(text === "" ? [] : [text])].join(";"));
      return undefined;
    case "LENGTH":
      put(rest[0], isKnown ? String(splitListWhole(text).length) : unknowns.mark(reason()));
      return undefined;
    case "GET": {
      const variable = rest.at(-1);
      if (!isKnown) {
        const lists = unknowns.readings(text)?.map((one) => got(splitListWhole(one), rest.slice(0, -1)));
        put(variable, unknowns.mark(reason(), lists ?? null));
      } else put(variable, got(splitListWhole(text), rest.slice(0, -1)));
      return undefined;
    }
    case "SUBLIST": {
      const [begin, length, variable] = rest;
      const from = Number(begin);
      const count = Number(length);
      const elements = splitListWhole(text);
      const end = count < 0 ? elements.length : from + count;
      put(variable, isKnown ? elements.slice(from, end).join(";") : unknowns.mark(reason()));
      return undefined;
    }
    case "FIND": {
      const [value = "", variable] = rest;
      put(variable, isKnown ? String(splitListWhole(text).indexOf(value)) : unknowns.mark(reason()));
      return undefined;
    }
    case "JOIN": {
      const [glue = "", variable] = rest;
      if (isKnown) put(variable, splitListWhole(text).join(glue));
      else {
        const elements = unknowns.elements(text);
        put(
          variable,
          elements
            .map((one, at) => {
              const part = at === 0 ? one.text : glue + one.text;
              return one.doubt === null ? part : unknowns.mark(one.doubt, ["", part]);
            })
            .join(""),
        );
      }
      return undefined;
    }
    case "INSERT": {
      const index = Number(rest[0]);
      change((elements) => {
        const at = index < 0 ? elements.length + index : index;
        return [...elements.slice(0, at), ...plain(rest.slice(1)), ...elements.slice(at)];
      });
      return undefined;
    }
    case "REMOVE_ITEM": {
      const removed = new Set(rest);
      change((elements) => elements.filter((one) => !removed.has(one.text)));
      return undefined;
    }
    case "REMOVE_AT": {
      const places = rest.map(Number);
      change((elements) =>
        elements.filter(
          (_, at) => !places.some((place) => (place < 0 ? place + elements.length : place) === at),
        ),
      );
      return undefined;
    }
    case "REMOVE_DUPLICATES":
      change((elements) =>
        elements.filter((one, at) => elements.findIndex((other) => other.text === one.text) === at),
      );
      return undefined;
    case "REVERSE":
      change((elements) => [...elements].reverse());
      return undefined;
    case "POP_BACK":
    case "POP_FRONT": {
      if (!isKnown) {
        for (const variable of rest) put(variable, unknowns.mark(reason()));
        return undefined;
      }
      const elements = splitListWhole(text);
      for (const variable of rest.length === 0 ? [undefined] : rest) {
        put(variable, (kind === "POP_BACK" ? elements.pop() : elements.shift()) ?? "");
      }
      put(name, elements.join(";"));
      return undefined;
    }
    case "SORT": {
      const isNatural = rest.includes("NATURAL");
      const isCaseless = rest.includes("INSENSITIVE");
      const isFile = rest.includes("FILE_BASENAME");
      const key = (one: Element): string => {
        const own = isFile ? one.text.slice(one.text.lastIndexOf("/") + 1) : one.text;
        return isCaseless ? own.toLowerCase() : own;
      };
      const order = (a: Element, b: Element): number => {
        if (isNatural) {
          const difference = compareVersions(key(a).replace(/\D+/g, "."), key(b).replace(/\D+/g, "."));
          if (difference !== 0) return difference;
        }
        return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
      };
      change((elements) => {
        const sorted = [...elements].sort(order);
        return rest.includes("DESCENDING") ? sorted.reverse() : sorted;
      });
      return undefined;
    }
    case "FILTER": {
      const regex = cmakeRegex(rest[2] ?? "");
      const isIncluded = rest[0] === "INCLUDE";
      if (regex === null) put(name, unknowns.mark(`${rest[2]} is no regular expression that is known`));
      else change((elements) => elements.filter((one) => regex.test(one.text) === isIncluded));
      return undefined;
    }
    case "TRANSFORM":
      transform(cmake, call, name, rest);
      return undefined;
    default:
      cmake.note(`list(${kind})`, "it is not evaluated", call.origin);
      return undefined;
  }
}

function got(elements: readonly string[], places: readonly string[]): string {
  return places
    .map((place) => {
      const at = Number(place);
      return elements[at < 0 ? at + elements.length : at] ?? "NOTFOUND";
    })
    .join(";");
}

function transform(cmake: Interpreter, call: Call, name: string, args: readonly string[]): void {
  const rest = [...args];
  const outputAt = rest.indexOf("OUTPUT_VARIABLE");
  const output = outputAt < 0 ? name : (rest[outputAt + 1] ?? name);
  if (outputAt >= 0) rest.splice(outputAt, 2);
  const selectorAt = rest.findIndex((text) => text === "AT" || text === "FOR" || text === "REGEX");
  const selector = selectorAt < 0 ? [] : rest.splice(selectorAt);
  const elements = cmake.unknowns.elements(cmake.text(name));
  const isChosen = (text: string, at: number): boolean => {
    if (selector[0] === "REGEX") return cmakeRegex(selector[1] ?? "")?.test(text) ?? false;
    const places = selector
      .slice(1)
      .map((place) => (Number(place) < 0 ? Number(place) + elements.length : Number(place)));
    if (selector[0] === "AT") return places.includes(at);
    if (selector[0] === "FOR") return at >= (places[0] ?? 0) && at <= (places[1] ?? 0);
    return true;
  };
  const results = elements.map(({ text, doubt }, at) => ({
    text: isChosen(text, at) ? transformed(text, rest) : text,
    doubt,
  }));
  cmake.set(output, cmake.unknowns.join(results), call.origin);
}
