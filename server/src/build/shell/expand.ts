// A shell's words as the program gets them: quotes taken away, variables replaced, fields parted, files found by wildcards.
import { resolvePath } from "../../text/path.ts";
import { glob, matcherOf } from "../worlds/glob.ts";
import {
  concat,
  emptyText,
  hasUnknown,
  join,
  originAt,
  replaceAll,
  slice,
  startOf,
  type Text,
  TextBuilder,
  textOf,
} from "../worlds/text.ts";
import { isList, type Shell, type Value } from "./scope.ts";
import { endOfBackquote, endOfDoubleQuote, endOfParameter } from "./syntax.ts";

/** What a variable stands for that nobody set: a test takes it as empty, in a command it is whatever the environment says. */
export type Unset = "empty" | "unknown";

export type Capture = (command: Text, shell: Shell) => Text;

/** More fields than this come of no word that somebody wrote. */
const mostFields = 20_000;

/** The fields of words. */
export function fieldsOf(words: readonly Text[], shell: Shell, capture: Capture, unset: Unset): Text[] {
  const fields: Text[] = [];
  for (const word of words) {
    const parts = shell.dialect === "bash" ? withBraces(word) : [word];
    for (const part of parts) {
      if (fields.length < mostFields) fields.push(...fieldsOfWord(part, shell, capture, unset));
    }
  }
  return fields;
}

/** The word as one text, as in an assignment: nothing is parted, no files are looked for. */
export function textOfWord(word: Text, shell: Shell, capture: Capture, unset: Unset): Text {
  const fields = new Fields(shell, "whole");
  expandInto(fields, word, "plain", shell, capture, unset);
  return join(fields.done(), " ");
}

function fieldsOfWord(word: Text, shell: Shell, capture: Capture, unset: Unset): Text[] {
  const fields = new Fields(shell, "parted");
  expandInto(fields, word, "plain", shell, capture, unset);
  return fields.done();
}

/** Puts fields together. */
class Fields {
  private readonly fields: Text[] = [];
  private current = new TextBuilder();
  private hasCurrent = false;
  private isPattern = false;
  private readonly shell: Shell;
  private readonly parting: "parted" | "whole";

  constructor(shell: Shell, parting: "parted" | "whole") {
    this.shell = shell;
    this.parting = parting;
  }

  /** Text that stays as it is. */
  quoted(text: Text): void {
    this.current.append(text);
    this.hasCurrent = true;
  }

  /** Text as typed, of which wildcards count. */
  typed(text: Text): void {
    if (/[*?[]/.test(text.string)) this.isPattern = true;
    this.quoted(text);
  }

  /** The value of something out of quotes. */
  split(text: Text): void {
    if (this.parting === "whole") {
      this.quoted(text);
      return;
    }
    let from = 0;
    for (const match of text.string.matchAll(/\s+/g)) {
      if (match.index > from) this.typed(slice(text, from, match.index));
      this.end();
      from = match.index + match[0].length;
    }
    if (from < text.string.length) this.typed(slice(text, from));
  }

  end(): void {
    if (!this.hasCurrent) return;
    const field = this.current.build();
    if (this.isPattern && this.parting === "parted") this.fields.push(...filesOf(field, this.shell));
    else this.fields.push(field);
    this.current = new TextBuilder();
    this.hasCurrent = false;
    this.isPattern = false;
  }

  done(): Text[] {
    this.end();
    return this.fields;
  }
}

function filesOf(field: Text, shell: Shell): Text[] {
  if (shell.directory === null || hasUnknown(field.string)) return [field];
  const found = glob(shell.host, shell.workspace, shell.directory, field.string);
  const origin = originAt(field, 0);
  if (found === null || found.length === 0 || origin === null) return [field];
  return found.map((path) => textOf(path, origin));
}

function expandInto(
  fields: Fields,
  text: Text,
  within: "plain" | "double",
  shell: Shell,
  capture: Capture,
  unset: Unset,
): void {
  const { string } = text;
  let at = 0;
  while (at < string.length) {
    const character = string[at] ?? "";
    if (character === "\\") {
      if (string[at + 1] === "\n") at += 2;
      else if (within === "double" && !/[$`"\\]/.test(string[at + 1] ?? ""))
        fields.quoted(slice(text, at, ++at));
      else {
        fields.quoted(slice(text, at + 1, at + 2));
        at += 2;
      }
    } else if (character === "'" && within === "plain") {
      const end = string.indexOf("'", at + 1);
      fields.quoted(slice(text, at + 1, end === -1 ? string.length : end));
      at = end === -1 ? string.length : end + 1;
    } else if (character === '"' && within === "plain") {
      const end = endOfDoubleQuote(string, at);
      const inner = slice(text, at + 1, string[end - 1] === '"' && end > at + 1 ? end - 1 : end);
      fields.quoted(emptyIn(inner));
      expandInto(fields, inner, "double", shell, capture, unset);
      at = end;
    } else if (character === "`") {
      const end = endOfBackquote(string, at);
      put(fields, capture(slice(text, at + 1, end - 1), shell), within);
      at = end;
    } else if (character === "$") {
      const end = endOfParameter(string, at);
      if (end === at + 1) fields.quoted(slice(text, at, end));
      else putParameter(fields, slice(text, at, end), within, shell, capture, unset);
      at = Math.max(end, at + 1);
    } else if (character === "~" && at === 0 && within === "plain" && /^~(?:\/|$)/.test(string)) {
      fields.quoted(shell.world.unknowns.textOf("~", "the home directory is not known", startOf(text)));
      at++;
    } else {
      let end = at + 1;
      while (end < string.length && !/[\\'"`$]/.test(string[end] ?? "")) end++;
      const piece = slice(text, at, end);
      if (within === "plain") fields.typed(piece);
      else fields.quoted(piece);
      at = end;
    }
  }
}

/** What keeps `""` a field. */
function emptyIn(text: Text): Text {
  return slice(text, 0, 0);
}

function put(fields: Fields, value: Text, within: "plain" | "double"): void {
  if (within === "double") fields.quoted(value);
  else fields.split(value);
}

function putParameter(
  fields: Fields,
  whole: Text,
  within: "plain" | "double",
  shell: Shell,
  capture: Capture,
  unset: Unset,
): void {
  const { string } = whole;
  if (string.startsWith("$((")) {
    put(fields, arithmetic(slice(whole, 3, string.length - 2), whole, shell, capture), within);
    return;
  }
  if (string.startsWith("$(")) {
    put(fields, capture(slice(whole, 2, string.length - 1), shell), within);
    return;
  }
  const content = string[1] === "{" ? slice(whole, 2, string.length - 1) : slice(whole, 1);
  const list = /^(?:([A-Za-z_]\w*)\[([@*])\]|([@*]))$/.exec(content.string);
  if (list !== null) {
    const items = list[3] === undefined ? shell.variables.get(list[1] ?? "") : shell.parameters;
    if (items === null) put(fields, unknownOf(whole, "it is what the caller gives", shell), within);
    else {
      const texts = items === undefined ? [] : isList(items) ? items : [items];
      texts.forEach((item, index) => {
        if (index > 0) {
          if (within === "double" && (list[2] ?? list[3]) === "*") fields.quoted(textOf(" ", startOf(whole)));
          else fields.end();
        }
        put(fields, item, within);
      });
    }
    return;
  }
  put(fields, parameterOf(content, whole, shell, capture, unset), within);
}

/** `X`, `X:-default`, `#X`, `X%pattern` and on: what stands between the braces. */
function parameterOf(content: Text, whole: Text, shell: Shell, capture: Capture, unset: Unset): Text {
  const head = /^(#?|!)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[([^\]]*)\])?/.exec(content.string);
  if (head === null) return unknownOf(whole, "it can't be read", shell);
  const [matched, sign = "", name = "", index] = head;
  const rest = slice(content, matched.length);
  const value = lookUp(name, index, whole, shell);
  if (sign === "#" && matched.length > 1) return lengthOf(name, index, value, whole, shell);
  if (sign === "!") return unknownOf(whole, "which variable it is is not known", shell);
  const isSoft = value === null || (value !== "unset" && value.string === "" && rest.string.startsWith(":"));
  const known = value === null || value === "unset" ? null : value;
  const operator = /^(:?[-=+?])/.exec(rest.string)?.[0];
  const argument = () => textOfWord(slice(rest, operator?.length ?? 0), shell, capture, unset);
  if (operator !== undefined) {
    const isSet = known !== null && !isSoft;
    if (operator.endsWith("+")) return isSet ? argument() : emptyText;
    if (isSet) return known;
    if (operator.endsWith("?")) return unknownOf(whole, `${name} is not set`, shell);
    const text = argument();
    if (operator.endsWith("=")) shell.variables.set(name, text);
    return text;
  }
  if (value === null) return unknownOf(whole, "it is what the caller gives", shell);
  if (known === null) return unset === "empty" ? emptyText : unknownOf(whole, `${name} is not set`, shell);
  return rest.string === "" ? known : cut(known, rest, whole, shell, capture);
}

/** A variable's value; "unset" where nobody set it, null where whoever calls may have given it. */
function lookUp(name: string, index: string | undefined, whole: Text, shell: Shell): Text | "unset" | null {
  if (/^\d+$/.test(name)) {
    if (name === "0") return shell.script ?? unknownOf(whole, "the name of the script is not known", shell);
    if (shell.parameters === null) return null;
    return shell.parameters[Number(name) - 1] ?? "unset";
  }
  if (name === "#")
    return shell.parameters === null
      ? unknownOf(whole, "it is what the caller gives", shell)
      : textOf(String(shell.parameters.length), startOf(whole));
  if (name === "?")
    return shell.status === null
      ? unknownOf(whole, "how the command ends is not known", shell)
      : textOf(shell.status, startOf(whole));
  if (/^[^A-Za-z_]/.test(name)) return unknownOf(whole, "it is not known", shell);
  const value = shell.variables.get(name);
  if (value === undefined) {
    if (name === "PWD")
      return shell.directory === null
        ? unknownOf(whole, "the directory is not known", shell)
        : textOf(shell.directory, startOf(whole));
    if (name === "BASH_SOURCE") return shell.script ?? "unset";
    return "unset";
  }
  if (!isList(value)) return value;
  if (index === "@" || index === "*") return join(value, " ");
  const number = index === undefined ? 0 : Number(index);
  return Number.isInteger(number)
    ? (value[number] ?? "unset")
    : unknownOf(whole, "which item it is is not known", shell);
}

function lengthOf(
  name: string,
  index: string | undefined,
  value: Text | "unset" | null,
  whole: Text,
  shell: Shell,
): Text {
  const held: Value | undefined = shell.variables.get(name);
  if (index !== undefined && held !== undefined && isList(held))
    return textOf(String(held.length), startOf(whole));
  if (value === null || (value !== "unset" && hasUnknown(value.string)))
    return unknownOf(whole, "it is not known", shell);
  return textOf(String(value === "unset" ? 0 : value.string.length), startOf(whole));
}

/** `%`, `#`, `/` and their kin. */
function cut(value: Text, rest: Text, whole: Text, shell: Shell, capture: Capture): Text {
  const operator = /^(?:%%|%|##|#|\/\/|\/|\^\^|,,|:)/.exec(rest.string)?.[0];
  if (operator === undefined) return unknownOf(whole, "it can't be read", shell);
  const argument = slice(rest, operator.length);
  if (operator === ":") {
    const range = /^\s*(\d+)(?::(\d+))?$/.exec(argument.string);
    if (range === null || hasUnknown(value.string)) return unknownOf(whole, "it can't be read", shell);
    const from = Number(range[1]);
    return slice(value, from, range[2] === undefined ? undefined : from + Number(range[2]));
  }
  if (operator === "^^" || operator === ",,") {
    return textOf(
      operator === "^^" ? value.string.toUpperCase() : value.string.toLowerCase(),
      startOf(value),
    );
  }
  const [patternText = "", replacement] = operator.startsWith("/")
    ? splitAtSlash(argument)
    : [argument.string, undefined];
  const pattern = textOfWord(textOf(patternText, startOf(whole)), shell, capture, "empty").string;
  if (hasUnknown(pattern)) return unknownOf(whole, "it is not known", shell);
  const inner = matcherOf(pattern).source.slice(1, -1).replaceAll("[^\\/]", "[^]").replaceAll("[^/]", "[^]");
  if (operator.startsWith("/")) {
    const to = replacement === undefined ? emptyText : textOfWord(replacement, shell, capture, "empty");
    if (hasUnknown(value.string)) return unknownOf(whole, "it is not known", shell);
    let count = 0;
    return replaceAll(value, new RegExp(inner, "g"), (match) =>
      operator === "//" || count++ === 0 ? to : slice(value, match.index, match.index + match[0].length),
    );
  }
  const { string } = value;
  const lengths = Array.from({ length: string.length + 1 }, (_, length) => length);
  const candidates = operator.length === 2 ? lengths.reverse() : lengths;
  const whole_ = new RegExp(`^(?:${inner})$`);
  if (string.length > 2000) return value;
  const length = candidates.find((one) =>
    whole_.test(operator.startsWith("%") ? string.slice(string.length - one) : string.slice(0, one)),
  );
  if (length === undefined) return hasUnknown(string) ? unknownOf(whole, "it is not known", shell) : value;
  return operator.startsWith("%") ? slice(value, 0, string.length - length) : slice(value, length);
}

function splitAtSlash(text: Text): [string, Text | undefined] {
  for (let at = 0; at < text.string.length; at++) {
    if (text.string[at] === "\\") at++;
    else if (text.string[at] === "/") return [text.string.slice(0, at), slice(text, at + 1)];
  }
  return [text.string, undefined];
}

/** `$((…))` of numbers that are known. */
export function arithmetic(text: Text, whole: Text, shell: Shell, capture: Capture): Text {
  const numbers = text.string.replace(/\$?\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => {
    const value = shell.variables.get(name);
    return value === undefined || isList(value) ? (value === undefined ? "0" : "?") : `(${value.string})`;
  });
  const expanded = textOfWord(textOf(numbers, startOf(whole)), shell, capture, "empty").string;
  const value = evaluateIntegers(expanded);
  return value === null ? unknownOf(whole, "it is not known", shell) : textOf(String(value), startOf(whole));
}

/** Sums and products of whole numbers; null where there is something else. */
export function evaluateIntegers(text: string): number | null {
  const tokens = text.match(/\d+|[-+*/%()]|<=|>=|==|!=|<|>|\S/g) ?? [];
  let at = 0;
  let depth = 0;
  const primary = (): number | null => {
    const token = tokens[at++];
    if (token === "-") {
      const value = primary();
      return value === null ? null : -value;
    }
    if (token === "(") {
      if (++depth > 50) return null;
      const value = comparison();
      depth--;
      return tokens[at++] === ")" ? value : null;
    }
    return token !== undefined && /^\d+$/.test(token) ? Number(token) : null;
  };
  const product = (): number | null => {
    let value = primary();
    for (let token = tokens[at]; token === "*" || token === "/" || token === "%"; token = tokens[at]) {
      at++;
      const right = primary();
      if (value === null || right === null || (token !== "*" && right === 0)) return null;
      value = token === "*" ? value * right : token === "/" ? Math.trunc(value / right) : value % right;
    }
    return value;
  };
  const sum = (): number | null => {
    let value = product();
    for (let token = tokens[at]; token === "+" || token === "-"; token = tokens[at]) {
      at++;
      const right = product();
      if (value === null || right === null) return null;
      value = token === "+" ? value + right : value - right;
    }
    return value;
  };
  const comparison = (): number | null => {
    const left = sum();
    const token = tokens[at];
    if (token === undefined || !/^(?:<=|>=|==|!=|<|>)$/.test(token)) return left;
    at++;
    const right = sum();
    if (left === null || right === null) return null;
    const answers: Record<string, boolean> = {
      "<": left < right,
      ">": left > right,
      "<=": left <= right,
      ">=": left >= right,
      "==": left === right,
      "!=": left !== right,
    };
    return answers[token] === true ? 1 : 0;
  };
  const value = comparison();
  return at === tokens.length && value !== null && Number.isSafeInteger(value) ? value : null;
}

function unknownOf(whole: Text, reason: string, shell: Shell): Text {
  return shell.world.unknowns.textOf(shell.world.unknowns.written(whole.string), reason, startOf(whole));
}

/** `a{b,c}` as `ab ac`, `{1..3}` as `1 2 3`. */
function withBraces(word: Text): Text[] {
  const done: Text[] = [];
  const waiting = [word];
  for (
    let one = waiting.shift();
    one !== undefined && done.length + waiting.length < 1000;
    one = waiting.shift()
  ) {
    const match = /(?<!\$)\{([^{}\s"'$`]*)\}/.exec(one.string);
    const inner = match?.[1] ?? "";
    const range = /^(-?\d+)\.\.(-?\d+)$/.exec(inner);
    if (
      match === null ||
      (range === null && !inner.includes(",")) ||
      /['"]/.test(one.string.slice(0, match.index))
    ) {
      done.push(one);
      continue;
    }
    const before = slice(one, 0, match.index);
    const after = slice(one, match.index + match[0].length);
    const origin = startOf(one);
    const items: Text[] = [];
    if (range !== null) {
      const [from, to] = [Number(range[1]), Number(range[2])];
      for (
        let number = from;
        items.length < 1000 && (from <= to ? number <= to : number >= to);
        number += from <= to ? 1 : -1
      )
        items.push(textOf(String(number), origin));
    } else {
      let from = match.index + 1;
      for (const part of inner.split(",")) {
        items.push(slice(one, from, from + part.length));
        from += part.length + 1;
      }
    }
    waiting.unshift(...items.map((item) => concat(before, item, after)));
  }
  return [...done, ...waiting];
}

/** A path of a shell's directory; null where it is not known. */
export function pathIn(shell: Shell, path: string): string | null {
  if (hasUnknown(path)) return null;
  if (path.startsWith("/")) return resolvePath("/", path);
  return shell.directory === null ? null : resolvePath(shell.directory, path);
}
