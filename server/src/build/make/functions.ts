// Make's functions. What hangs on something that is not known gives something that is not known; what would run gives its text as one.
import { resolvePath } from "../../text/path.ts";
import { glob } from "../worlds/glob.ts";
import {
  concat,
  emptyText,
  hasUnknown,
  join,
  replaceAll,
  slice,
  type Text,
  textOf,
  trim,
  wordsOf,
} from "../worlds/text.ts";
import { patternOf, stemOf, withStem } from "./patterns.ts";
import { answerOfShell } from "./pure-shell.ts";
import type { Call } from "./scope.ts";
import { VariableSet } from "./variables.ts";

type Function = (call: Call) => Text;

export function isBuiltInFunction(name: string): boolean {
  return functions.has(name);
}

export function callFunction(call: Call): Text {
  const made = functions.get(call.name);
  return made === undefined || !call.scope.world.step() ? emptyText : made(call);
}

/** More words than this are not made by one call. */
const mostWords = 50_000;

/** What hangs on something that is not known. */
function unknownOf(call: Call, of: string): Text {
  const { world } = call.scope;
  const reason = world.reasonOf(of)?.reason ?? "it is not known";
  const what = `$(${call.name} ${call.arguments.map((argument) => world.unknowns.written(call.expand(argument, call.scope).string)).join(",")})`;
  return world.unknowns.textOf(what, reason, call.origin);
}

/** The arguments, expanded; those beyond `count` belong to the last. */
function expanded(call: Call, count: number): Text[] {
  const given: Text[] = [];
  for (let index = 0; index < count; index++) {
    const argument =
      index === count - 1 ? rejoined(call.arguments.slice(index)) : (call.arguments[index] ?? emptyText);
    given.push(call.expand(argument, call.scope));
  }
  return given;
}

function rejoined(parts: readonly Text[]): Text {
  return parts.length === 0 ? emptyText : parts.length === 1 ? (parts[0] ?? emptyText) : join(parts, ",");
}

/** A function of each word of its last argument by itself. */
function perWord(of: (word: Text, call: Call) => Text | null): Function {
  return (call) => {
    const [words = emptyText] = expanded(call, 1);
    return join(
      wordsOf(words).flatMap((word) => of(word, call) ?? []),
      " ",
    );
  };
}

const functions: ReadonlyMap<string, Function> = new Map<string, Function>([
  ["subst", substitute],
  ["patsubst", substitutePattern],
  ["strip", (call) => join(expanded(call, 1).flatMap(wordsOf), " ")],
  ["findstring", findString],
  ["filter", (call) => filter(call, "in")],
  ["filter-out", (call) => filter(call, "out")],
  ["sort", sort],
  ["word", word],
  ["wordlist", wordList],
  ["words", countWords],
  ["firstword", (call) => oneOf(call, (words) => words[0])],
  ["lastword", (call) => oneOf(call, (words) => words.at(-1))],
  ["dir", perWord((word, call) => directoryPart(word, call))],
  ["notdir", perWord((word) => slice(word, word.string.lastIndexOf("/") + 1))],
  [
    "suffix",
    perWord((word) => (suffixStart(word.string) === -1 ? null : slice(word, suffixStart(word.string)))),
  ],
  [
    "basename",
    perWord((word) => (suffixStart(word.string) === -1 ? word : slice(word, 0, suffixStart(word.string)))),
  ],
  ["addsuffix", (call) => affixed(call, (affix, word) => concat(word, affix))],
  ["addprefix", (call) => affixed(call, (affix, word) => concat(affix, word))],
  ["join", joinLists],
  ["wildcard", wildcard],
  ["realpath", perWord((word, call) => existingPath(word, call))],
  ["abspath", perWord((word, call) => absolutePath(word, call))],
  ["if", conditional],
  ["or", or],
  ["and", and],
  ["foreach", forEach],
  ["let", bind],
  ["call", callVariable],
  ["value", (call) => variableOf(call)?.value ?? emptyText],
  ["origin", origin],
  ["flavor", (call) => textOf(variableOf(call)?.flavor ?? "undefined", call.origin)],
  ["eval", evaluate],
  ["shell", shell],
  ["error", error],
  ["warning", nothing],
  ["info", nothing],
  ["file", readFile],
]);

function substitute(call: Call): Text {
  const [from = emptyText, to = emptyText, text = emptyText] = expanded(call, 3);
  if (from.string === "") return concat(text, to);
  return replaceAll(text, new RegExp(from.string.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "g"), () => to);
}

function substitutePattern(call: Call): Text {
  const [from = emptyText, to = emptyText, text = emptyText] = expanded(call, 3);
  const pattern = patternOf(from.string.trim());
  const replacement = trim(to);
  return join(
    wordsOf(text).map((word) => {
      const match = stemOf(pattern, word.string);
      if (match === null) return word;
      return match === "unknown"
        ? unknownOf(call, word.string + from.string)
        : withStem(replacement, word, pattern, match.stem);
    }),
    " ",
  );
}

function findString(call: Call): Text {
  const [searched = emptyText, text = emptyText] = expanded(call, 2);
  if (text.string.includes(searched.string)) return searched;
  return hasUnknown(searched.string + text.string)
    ? unknownOf(call, searched.string + text.string)
    : emptyText;
}

function filter(call: Call, kept: "in" | "out"): Text {
  const [patterns = emptyText, text = emptyText] = expanded(call, 2);
  const { world } = call.scope;
  const wanted = wordsOf(patterns).map((pattern) => patternOf(world.resolved(pattern.string)));
  const isExact = new Set(wanted.filter((pattern) => !pattern.hasStem).map((pattern) => pattern.prefix));
  const others = wanted.filter((pattern) => pattern.hasStem || hasUnknown(pattern.prefix));
  const found: Text[] = [];
  for (const word of wordsOf(text)) {
    const string = world.resolved(word.string);
    const matches = hasUnknown(string)
      ? wanted.map((pattern) => stemOf(pattern, string))
      : [isExact.has(string) ? { stem: "" } : null, ...others.map((pattern) => stemOf(pattern, string))];
    if (matches.some((match) => match !== null && match !== "unknown")) {
      if (kept === "in") found.push(word);
    } else if (matches.includes("unknown")) {
      const reason = world.reasonOf(string + patterns.string);
      if (reason === null) continue;
      const what = `whether ${world.unknowns.written(string)} is among ${world.unknowns.written(patterns.string)}`;
      if (kept === "out" || !hasUnknown(string)) {
        const isAmong = world.decide(what, reason.what, call.origin);
        if (isAmong === (kept === "in")) found.push(word);
      } else
        found.push(
          world.unknowns.textOf(
            `$(filter ${world.unknowns.written(patterns.string)},${world.unknowns.written(string)})`,
            reason.reason,
            call.origin,
          ),
        );
    } else if (kept === "out") found.push(word);
  }
  return join(found, " ");
}

function sort(call: Call): Text {
  const [text = emptyText] = expanded(call, 1);
  const byString = new Map(wordsOf(text).map((word) => [word.string, word]));
  return join(
    [...byString].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, word]) => word),
    " ",
  );
}

/** One word of the last argument; unknown where something in front of it may be any number of words. */
function oneOf(call: Call, choose: (words: readonly Text[]) => Text | undefined): Text {
  const [text = emptyText] = expanded(call, 1);
  const chosen = choose(wordsOf(text)) ?? emptyText;
  return isWhollyUnknown(chosen.string) ? unknownOf(call, chosen.string) : chosen;
}

function isWhollyUnknown(string: string): boolean {
  return string !== "" && /^[\uE000-\uF8FF]+$/.test(string);
}

function word(call: Call): Text {
  const [number = emptyText, text = emptyText] = expanded(call, 2);
  if (hasUnknown(number.string)) return unknownOf(call, number.string);
  const words = wordsOf(text);
  const index = Number.parseInt(number.string, 10) - 1;
  if (words.slice(0, index + 1).some((one) => isWhollyUnknown(one.string)))
    return unknownOf(call, text.string);
  return words[index] ?? emptyText;
}

function wordList(call: Call): Text {
  const [from = emptyText, to = emptyText, text = emptyText] = expanded(call, 3);
  if (hasUnknown(from.string + to.string)) return unknownOf(call, from.string + to.string);
  const start = Number.parseInt(from.string, 10) - 1;
  return join(wordsOf(text).slice(Math.max(0, start), Math.max(0, Number.parseInt(to.string, 10))), " ");
}

function countWords(call: Call): Text {
  const [text = emptyText] = expanded(call, 1);
  const words = wordsOf(text);
  if (words.some((one) => isWhollyUnknown(one.string))) return unknownOf(call, text.string);
  return textOf(String(words.length), call.origin);
}

function directoryPart(word: Text, call: Call): Text {
  const at = word.string.lastIndexOf("/");
  return at === -1 ? textOf("./", call.origin) : slice(word, 0, at + 1);
}

function suffixStart(word: string): number {
  const at = word.lastIndexOf(".");
  return at > word.lastIndexOf("/") ? at : -1;
}

function affixed(call: Call, of: (affix: Text, word: Text) => Text): Text {
  const [affix = emptyText, words = emptyText] = expanded(call, 2);
  return join(
    wordsOf(words).map((one) => of(affix, one)),
    " ",
  );
}

function joinLists(call: Call): Text {
  const [first = emptyText, second = emptyText] = expanded(call, 2)
    .map(wordsOf)
    .map((words) => words);
  const a = first === emptyText ? [] : (first as readonly Text[]);
  const b = second === emptyText ? [] : (second as readonly Text[]);
  const joined: Text[] = [];
  for (let index = 0; index < Math.max(a.length, b.length); index++)
    joined.push(concat(a[index] ?? emptyText, b[index] ?? emptyText));
  return join(joined, " ");
}

function wildcard(call: Call): Text {
  const [patterns = emptyText] = expanded(call, 1);
  const { host, workspace, directory, world } = call.scope;
  const found: Text[] = [];
  for (const pattern of wordsOf(patterns)) {
    if (found.length > mostWords) break;
    const string = world.resolved(pattern.string);
    const paths = hasUnknown(string) ? null : glob(host, workspace, directory, string);
    if (paths === null) found.push(unknownFile(call, string));
    else for (const path of paths) found.push(textOf(path, call.origin));
  }
  return join(found, " ");
}

function unknownFile(call: Call, path: string): Text {
  const { unknowns } = call.scope.world;
  return unknowns.textOf(
    `$(wildcard ${unknowns.written(path)})`,
    "files outside of the workspace are not looked at",
    call.origin,
  );
}

function absolutePath(word: Text, call: Call): Text {
  if (hasUnknown(word.string)) return word;
  return textOf(resolvePath(call.scope.directory, word.string), call.origin);
}

function existingPath(word: Text, call: Call): Text | null {
  if (hasUnknown(word.string)) return unknownOf(call, word.string);
  const path = resolvePath(call.scope.directory, word.string);
  const paths = glob(call.scope.host, call.scope.workspace, "/", path.replace(/[*?[]/g, "\\$&"));
  if (paths === null) return textOf(path, call.origin);
  return call.scope.host.kindOf(path) === "missing" ? null : textOf(path, call.origin);
}

function conditional(call: Call): Text {
  const [asked = emptyText, yes = emptyText, ...no] = call.arguments;
  const condition = call.expand(trim(asked), call.scope);
  const isTrue = !call.scope.world.isEmpty(condition.string, call.origin);
  return call.expand(isTrue ? yes : rejoined(no), call.scope);
}

function or(call: Call): Text {
  for (const argument of call.arguments) {
    const value = call.expand(trim(argument), call.scope);
    if (!call.scope.world.isEmpty(value.string, call.origin)) return value;
  }
  return emptyText;
}

function and(call: Call): Text {
  let value = emptyText;
  for (const argument of call.arguments) {
    value = call.expand(trim(argument), call.scope);
    if (call.scope.world.isEmpty(value.string, call.origin)) return emptyText;
  }
  return value;
}

function forEach(call: Call): Text {
  const [nameText = emptyText, listText = emptyText, ...body] = call.arguments;
  const name = call.expand(nameText, call.scope).string.trim();
  const text = rejoined(body);
  const results: Text[] = [];
  for (const one of wordsOf(call.expand(listText, call.scope))) {
    if (!call.scope.world.step() || results.length > mostWords) break;
    const variables = new VariableSet(call.scope.variables);
    variables.own.set(name, { value: one, flavor: "simple", source: "automatic", appends: false });
    results.push(call.expand(text, { ...call.scope, variables }));
  }
  return join(results, " ");
}

function bind(call: Call): Text {
  const [namesText = emptyText, listText = emptyText, ...body] = call.arguments;
  const names = wordsOf(call.expand(namesText, call.scope)).map((name) => name.string);
  const values = wordsOf(call.expand(listText, call.scope));
  const variables = new VariableSet(call.scope.variables);
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const value = isLast ? join(values.slice(index), " ") : (values[index] ?? emptyText);
    variables.own.set(name, { value, flavor: "simple", source: "automatic", appends: false });
  }
  return call.expand(rejoined(body), { ...call.scope, variables });
}

/** Calls in calls, of which a variable that calls itself makes many. */
const deepestCall = 40;

function callVariable(call: Call): Text {
  const given = call.arguments.map((argument, index) => {
    const value = call.expand(argument, call.scope);
    return index === 0 ? trim(value) : value;
  });
  const name = given[0]?.string ?? "";
  if (hasUnknown(name)) return unknownOf(call, name);
  if (functions.has(name)) return callFunction({ ...call, name, arguments: given.slice(1).map(escaped) });
  const variable = call.scope.variables.find(name);
  if (variable === null) return emptyText;
  const variables = new VariableSet(call.scope.variables);
  for (let index = 0; index < Math.max(given.length, 10); index++) {
    const value = given[index] ?? emptyText;
    variables.own.set(String(index), { value, flavor: "simple", source: "automatic", appends: false });
  }
  if (depthOf(variables) > deepestCall) {
    call.scope.world.cannot(`$(call ${name})`, "the variable calls itself too often", call.origin);
    return emptyText;
  }
  if (variable.flavor === "simple") return variable.value;
  const { expanding } = call.scope;
  return call.expand(variable.value, {
    ...call.scope,
    variables,
    expanding: new Set([...expanding].filter((one) => one !== name)),
  });
}

function depthOf(variables: VariableSet): number {
  let depth = 0;
  for (let set: VariableSet | null = variables; set !== null; set = set.below) depth++;
  return depth;
}

/** Text that an expansion gives back as it is. */
function escaped(text: Text): Text {
  return replaceAll(text, /\$/g, (match) =>
    concat(slice(text, match.index, match.index + 1), slice(text, match.index, match.index + 1)),
  );
}

function variableOf(call: Call) {
  const [name = emptyText] = expanded(call, 1);
  return call.scope.variables.find(name.string.trim());
}

function origin(call: Call): Text {
  const variable = variableOf(call);
  return textOf(variable?.source ?? "undefined", call.origin);
}

function evaluate(call: Call): Text {
  const [text = emptyText] = expanded(call, 1);
  call.scope.evaluate(text);
  return emptyText;
}

function shell(call: Call): Text {
  const [command = emptyText] = expanded(call, 1);
  return answerOfShell(command, call.origin, call.scope);
}

function error(call: Call): Text {
  const [text = emptyText] = expanded(call, 1);
  call.scope.world.stop(call.scope.world.unknowns.written(text.string));
  return emptyText;
}

function nothing(call: Call): Text {
  expanded(call, 1);
  return emptyText;
}

function readFile(call: Call): Text {
  const [operation = emptyText] = expanded(call, 2);
  if (!operation.string.trimStart().startsWith("<")) return emptyText;
  const { unknowns } = call.scope.world;
  return unknowns.textOf(
    `$(file ${unknowns.written(operation.string)})`,
    "the file may be made by the build",
    call.origin,
  );
}
