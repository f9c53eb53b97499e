// Commands that set variables: set, unset, option, math, cmake_parse_arguments.

import { evaluateCondition } from "../condition.ts";
import type { Argument, Call, Interpreter } from "../interpreter.ts";
import { isFalseConstant, isNew } from "../state.ts";
import { hasUnknown, splitListWhole } from "../unknown.ts";
import { type CommandTable, textsOf } from "./command.ts";
import { calculate } from "./math.ts";

export const variableCommands: CommandTable = [
  ["set", set],
  ["unset", unset],
  ["option", option],
  ["cmake_dependent_option", dependentOption],
  ["math", math],
  ["cmake_parse_arguments", parseArguments],
  ["separate_arguments", separateArguments],
];

/** The scope outside of the one that is open: of the calling function, or of the directory above. */
function outer(cmake: Interpreter): Interpreter["scope"] {
  return cmake.outerScopes.at(-1) ?? cmake.scope;
}

function set(cmake: Interpreter, call: Call): undefined {
  const [nameArgument, ...rest] = call.args;
  if (nameArgument === undefined) return undefined;
  const name = nameArgument.text;
  if (hasUnknown(name)) {
    const reason = cmake.unknowns.reasonOf(name) ?? "";
    for (const one of cmake.unknowns.readings(name) ?? []) cmake.set(one, cmake.unknown(reason), call.origin);
    return undefined;
  }
  const environment = /^ENV\{(.*)\}$/.exec(name)?.[1];
  if (environment !== undefined) {
    cmake.set(environment, rest[0]?.text ?? "", call.origin, cmake.environment);
    return undefined;
  }
  const inScope = rest.at(-1)?.text === "PARENT_SCOPE" && !rest.at(-1)?.isQuoted;
  const cacheAt = rest.findIndex(({ text, isQuoted }) => text === "CACHE" && !isQuoted);
  if (cacheAt >= 0) {
    const value = joined(rest.slice(0, cacheAt));
    const type = rest[cacheAt + 1]?.text;
    const isForced = rest.slice(cacheAt + 2).some(({ text }) => text === "FORCE") || type === "INTERNAL";
    if (isForced || !cmake.cache.has(name)) cmake.set(name, value, call.origin, cmake.cache);
    // Since CMP0126 a normal variable stays as it is.
    if (!isNew(cmake.directory.policies, "CMP0126", 321) && (isForced || !cmake.cache.has(name)))
      cmake.unset(name);
    return undefined;
  }
  const where = inScope ? outer(cmake) : cmake.scope;
  const values = inScope ? rest.slice(0, -1) : rest;
  if (values.length === 0) cmake.unset(name, where);
  else cmake.set(name, joined(values), originOfValues(values, call), where);
  return undefined;
}

/** Where the value stands: a long list begins on another line than `set`. */
function originOfValues(values: readonly Argument[], call: Call): Argument["origin"] {
  return values.length === 1 ? (values[0]?.origin ?? call.origin) : call.origin;
}

function joined(args: readonly Argument[]): string {
  return args.map(({ text }) => text).join(";");
}

function unset(cmake: Interpreter, call: Call): undefined {
  const [name, kind] = textsOf(call);
  if (name === undefined) return undefined;
  const environment = /^ENV\{(.*)\}$/.exec(name)?.[1];
  if (environment !== undefined) cmake.set(environment, "", call.origin, cmake.environment);
  else if (kind === "CACHE") cmake.unset(name, cmake.cache);
  else cmake.unset(name, kind === "PARENT_SCOPE" ? outer(cmake) : cmake.scope);
  return undefined;
}

/** `GGML_CUDA`, `USE_GPU`; not `NO_CUDA`. */
const turnsCudaOn = /^(?!.*(?:NO|WITHOUT|DISABLE)_?(?:CUDA|GPU)$)(?:\w*_)?(?:CUDA|GPU)$/i;

function option(cmake: Interpreter, call: Call): undefined {
  const [name, , value] = textsOf(call);
  if (name === undefined) return undefined;
  const isOptionNew = isNew(cmake.directory.policies, "CMP0077", 313);
  // A normal variable of that name stays, since CMP0077; before, the option took its place.
  if (cmake.scope.has(name) && isOptionNew) return undefined;
  if (!cmake.cache.has(name)) {
    cmake.set(name, value ?? "OFF", call.origin, cmake.cache);
    if (turnsCudaOn.test(name) && isFalseConstant(value ?? "OFF"))
      cmake.cudaOptions.push({ name, origin: call.origin });
  }
  if (!isOptionNew) cmake.unset(name);
  return undefined;
}

/** `cmake_dependent_option(NAME "help" default "conditions" otherwise)`. */
function dependentOption(cmake: Interpreter, call: Call): undefined {
  const [name, , value = "OFF", conditions = "", otherwise = "OFF"] = textsOf(call);
  if (name === undefined || cmake.scope.has(name)) return undefined;
  let isMet: boolean | string = true;
  for (const condition of splitListWhole(conditions)) {
    const words = condition.match(/[()]|[^\s()]+/g) ?? [];
    const args = words.map((text) => ({ text, isQuoted: false, origin: call.origin }));
    const truth = args.length === 0 ? true : evaluateCondition(cmake, args);
    if (truth !== true && isMet !== false) isMet = truth;
  }
  const before = cmake.cache.get(name);
  const own = before?.kind === "variable" ? before.text : value;
  if (isMet === true) cmake.set(name, own, call.origin, cmake.cache);
  else if (isMet === false) cmake.set(name, otherwise, call.origin);
  else cmake.set(name, cmake.unknowns.either(own, otherwise, isMet), call.origin);
  return undefined;
}

function math(cmake: Interpreter, call: Call): undefined {
  const [kind, name, expression = ""] = textsOf(call);
  if (kind !== "EXPR" || name === undefined) return undefined;
  const format = textsOf(call).includes("HEXADECIMAL") ? "hexadecimal" : "decimal";
  const reason = cmake.unknowns.reasonOf(expression);
  const value = reason === null ? calculate(expression, format) : null;
  cmake.set(name, value ?? cmake.unknown(reason ?? `${expression} can't be calculated`), call.origin);
  return undefined;
}

function parseArguments(cmake: Interpreter, call: Call): undefined {
  const args = [...call.args];
  let values: readonly string[];
  let head: readonly string[];
  if (args[0]?.text === "PARSE_ARGV") {
    head = args.slice(2, 6).map(({ text }) => text);
    const from = Number(args[1]?.text);
    values = splitListWhole(cmake.text("ARGV")).slice(Number.isNaN(from) ? 0 : from);
  } else {
    head = args.slice(0, 4).map(({ text }) => text);
    values = args.slice(4).flatMap(({ text, isQuoted }) => (isQuoted ? [text] : splitListWhole(text)));
  }
  const [prefix = "", options = "", single = "", several = ""] = head;
  const kinds = new Map<string, "option" | "single" | "several">();
  for (const [list, kind] of [
    [options, "option"],
    [single, "single"],
    [several, "several"],
  ] as const) {
    for (const keyword of splitListWhole(list)) kinds.set(keyword, kind);
  }
  const found = new Map<string, string[]>();
  const rest: string[] = [];
  let current: string | null = null;
  for (const value of values) {
    const kind = kinds.get(value);
    if (kind === "option") {
      found.set(value, ["TRUE"]);
      current = null;
    } else if (kind !== undefined) {
      if (kind === "single" || !found.has(value)) found.set(value, []);
      current = value;
    } else if (current === null) rest.push(value);
    else {
      found.get(current)?.push(value);
      if (kinds.get(current) === "single") current = null;
    }
  }
  for (const [keyword, kind] of kinds) {
    const name = `${prefix}_${keyword}`;
    const texts = found.get(keyword);
    if (kind === "option") cmake.set(name, texts === undefined ? "FALSE" : "TRUE", call.origin);
    else if (texts === undefined || texts.length === 0) cmake.unset(name);
    else cmake.set(name, texts.join(";"), call.origin);
  }
  if (rest.length > 0) cmake.set(`${prefix}_UNPARSED_ARGUMENTS`, rest.join(";"), call.origin);
  else cmake.unset(`${prefix}_UNPARSED_ARGUMENTS`);
  return undefined;
}

/** Words of a shell's line as a list. */
function separateArguments(cmake: Interpreter, call: Call): undefined {
  const [name, mode, text] = textsOf(call);
  if (name === undefined) return undefined;
  const source = mode === undefined ? cmake.text(name) : (text ?? "");
  const words = source.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  cmake.set(name, words.map((word) => word.replace(/["']/g, "")).join(";"), call.origin);
  return undefined;
}
