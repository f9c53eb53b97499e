// `string(…)`.
import { setMatches } from "../condition.ts";
import type { Call, Interpreter } from "../interpreter.ts";
import { cmakeRegex } from "../regex.ts";
import { hasUnknown } from "../unknown.ts";
import { type CommandTable, textsOf } from "./command.ts";
import { configured } from "./configure.ts";

export const stringCommands: CommandTable = [["string", string]];

const mostMatched = 100_000;

function string(cmake: Interpreter, call: Call): undefined {
  const [kind = "", ...rest] = textsOf(call);
  const put = (name: string | undefined, value: string): void => {
    if (name !== undefined) cmake.set(name, value, call.origin);
  };
  const map = (text: string, to: (known: string) => string): string => mapped(cmake, text, to);
  switch (kind) {
    case "APPEND":
      put(rest[0], cmake.text(rest[0] ?? "") + rest.slice(1).join(""));
      return undefined;
    case "PREPEND":
      put(rest[0], rest.slice(1).join("") + cmake.text(rest[0] ?? ""));
      return undefined;
    case "CONCAT":
      put(rest[0], rest.slice(1).join(""));
      return undefined;
    case "JOIN":
      put(rest[1], rest.slice(2).join(rest[0]));
      return undefined;
    case "TOUPPER":
    case "TOLOWER":
    case "STRIP":
    case "MAKE_C_IDENTIFIER":
    case "GENEX_STRIP":
      put(
        rest[1],
        map(rest[0] ?? "", (text) => transformed(text, [kind])),
      );
      return undefined;
    case "LENGTH":
      put(
        rest[1],
        map(rest[0] ?? "", (text) => String(new TextEncoder().encode(text).length)),
      );
      return undefined;
    case "SUBSTRING": {
      const [text = "", begin, length, name] = rest;
      const from = Number(begin);
      const count = Number(length);
      put(
        name,
        map(text, (known) => known.slice(from, count < 0 ? undefined : from + count)),
      );
      return undefined;
    }
    case "FIND": {
      const [text = "", part = "", name, mode] = rest;
      const find = (known: string): string =>
        String(mode === "REVERSE" ? known.lastIndexOf(part) : known.indexOf(part));
      put(name, map(text, find));
      return undefined;
    }
    case "REPEAT":
      put(rest[2], (rest[0] ?? "").repeat(Math.min(Math.max(Number(rest[1]) || 0, 0), 10_000)));
      return undefined;
    case "REPLACE": {
      const [part = "", to = "", name, ...texts] = rest;
      const text = texts.join("");
      const replace = (known: string): string => (part === "" ? known : known.split(part).join(to));
      // What is unknown in a text stays where it is: only what is known around it is replaced.
      put(name, hasUnknown(part) || hasUnknown(to) ? map(text, replace) : replace(text));
      return undefined;
    }
    case "REGEX":
      regex(cmake, call, rest);
      return undefined;
    case "COMPARE": {
      const [operator, a = "", b = "", name] = rest;
      put(name, compared(cmake, operator ?? "", a, b));
      return undefined;
    }
    case "CONFIGURE": {
      const [text = "", name] = rest;
      put(name, configured(cmake, text, { isAtOnly: rest.includes("@ONLY"), cLanguage: "plain" }));
      return undefined;
    }
    case "ASCII":
      put(
        rest.at(-1),
        rest
          .slice(0, -1)
          .map((code) => String.fromCharCode(Number(code)))
          .join(""),
      );
      return undefined;
    case "HEX":
      put(
        rest[1],
        map(rest[0] ?? "", (text) =>
          [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
        ),
      );
      return undefined;
    case "TIMESTAMP":
      put(rest[0], cmake.unknown("the time of the build is not known"));
      return undefined;
    default: {
      // RANDOM, UUID, hashes, JSON: the variable that they set comes first or last.
      const name =
        kind === "JSON" || kind === "RANDOM" || kind === "UUID" || /^(?:MD5|SHA\w+)$/.test(kind)
          ? kind === "RANDOM"
            ? rest.at(-1)
            : rest[0]
          : rest.at(-1);
      put(name, cmake.unknown(`string(${kind}) is not evaluated`));
      return undefined;
    }
  }
}

/** A function of a text, for each reading of it. */
function mapped(cmake: Interpreter, text: string, to: (known: string) => string): string {
  const reason = cmake.unknowns.reasonOf(text);
  if (reason === null) return to(text);
  const readings = cmake.unknowns.readings(text);
  return readings === null ? cmake.unknown(reason) : cmake.unknowns.mark(reason, readings.map(to));
}

/** What `list(TRANSFORM)` and `string` make of one text. */
export function transformed(text: string, action: readonly string[]): string {
  const [kind, first = "", second = ""] = action;
  switch (kind) {
    case "APPEND":
      return text + first;
    case "PREPEND":
      return first + text;
    case "TOUPPER":
      return text.toUpperCase();
    case "TOLOWER":
      return text.toLowerCase();
    case "STRIP":
      return text.trim();
    case "MAKE_C_IDENTIFIER":
      return text.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(\d)/, "_$1");
    case "GENEX_STRIP":
      return text.replace(/\$<[^<>]*>/g, "");
    case "REPLACE": {
      const pattern = cmakeRegex(first, "g");
      return pattern === null ? text : text.replace(pattern, replacement(second));
    }
    default:
      return text;
  }
}

/** `\1` in a replacement as JavaScript has it. */
function replacement(text: string): string {
  return text
    .replace(/\$/g, "$$$$")
    .replace(/\\(\d)/g, (_, digit: string) => (digit === "0" ? "$&" : `$${digit}`))
    .replace(/\\n/g, "\n")
    .replace(/\\(.)/g, "$1");
}

function regex(cmake: Interpreter, call: Call, args: readonly string[]): void {
  const [kind, pattern = ""] = args;
  const isReplacing = kind === "REPLACE";
  const name = isReplacing ? args[3] : args[2];
  const text = args.slice(isReplacing ? 4 : 3).join(kind === "REPLACE" ? "" : "");
  if (name === undefined) return;
  const reason = cmake.unknowns.reasonOf(text) ?? cmake.unknowns.reasonOf(pattern);
  const compiled = hasUnknown(pattern) ? null : cmakeRegex(pattern, kind === "MATCH" ? "" : "g");
  if (compiled === null || text.length > mostMatched) {
    cmake.set(
      name,
      cmake.unknown(reason ?? `${pattern} is no regular expression that is known`),
      call.origin,
    );
    return;
  }
  const to = (known: string): string => {
    compiled.lastIndex = 0;
    if (isReplacing) return known.replace(compiled, replacement(args[2] ?? ""));
    if (kind === "MATCHALL")
      return (known.match(compiled) ?? []).map((one) => one.replace(/;/g, "\\;")).join(";");
    const found = compiled.exec(known);
    if (found !== null && reason === null) setMatches(cmake, found);
    return found?.[0] ?? "";
  };
  cmake.set(name, mapped(cmake, text, to), call.origin);
}

function compared(cmake: Interpreter, operator: string, a: string, b: string): string {
  const reason = cmake.unknowns.reasonOf(a) ?? cmake.unknowns.reasonOf(b);
  if (reason !== null) return cmake.unknown(reason);
  const isTrue =
    operator === "EQUAL"
      ? a === b
      : operator === "NOTEQUAL"
        ? a !== b
        : operator === "LESS"
          ? a < b
          : operator === "GREATER"
            ? a > b
            : operator === "LESS_EQUAL"
              ? a <= b
              : a >= b;
  return isTrue ? "1" : "0";
}
