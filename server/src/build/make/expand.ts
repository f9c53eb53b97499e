// Expansion of references and calls in a makefile's text.

import {
  concat,
  emptyText,
  hasUnknown,
  join,
  slice,
  startOf,
  type Text,
  TextBuilder,
  textOf,
  wordsOf,
} from "../worlds/text.ts";
import { callFunction, isBuiltInFunction } from "./functions.ts";
import { patternOf, stemOf, withStem } from "./patterns.ts";
import type { Scope } from "./scope.ts";
import { afterReference, type Variable } from "./variables.ts";

/** What a login has and a makefile does not say. */
const environment = new Set(
  "HOME PATH USER LOGNAME PWD OLDPWD HOSTNAME TMPDIR LD_LIBRARY_PATH LIBRARY_PATH CPATH CONDA_PREFIX VIRTUAL_ENV SLURM_JOB_ID".split(
    " ",
  ),
);

const deepest = 60;

/** `text` with all that stands for something else replaced. */
export function expand(text: Text, scope: Scope): Text {
  const { string } = text;
  if (!string.includes("$")) return text;
  if (!scope.world.step()) return emptyText;
  const builder = new TextBuilder();
  let from = 0;
  for (let at = string.indexOf("$"); at !== -1; at = string.indexOf("$", from)) {
    builder.append(slice(text, from, at));
    const next = string[at + 1];
    if (next === undefined) {
      from = at + 1;
      break;
    }
    if (next === "$") {
      builder.append(slice(text, at, at + 1));
      from = at + 2;
    } else if (next === "(" || next === "{") {
      const end = afterReference(string, at);
      builder.append(expandReference(slice(text, at, end), scope));
      from = end;
    } else {
      builder.append(
        /\s/.test(next)
          ? emptyText
          : valueOfVariable(slice(text, at + 1, at + 2), slice(text, at, at + 2), scope),
      );
      from = at + 2;
    }
  }
  builder.append(slice(text, from));
  return builder.build();
}

/** What `$(…)` stands for: a call, a variable, or a variable with its words rewritten. */
function expandReference(whole: Text, scope: Scope): Text {
  const open = whole.string[1] ?? "(";
  const close = open === "(" ? ")" : "}";
  const hasEnd = whole.string.endsWith(close);
  const content = slice(whole, 2, hasEnd ? whole.string.length - 1 : whole.string.length);
  const origin = startOf(whole);
  const called = /^([a-z-]+)[ \t\n]\s*/.exec(content.string);
  if (called !== null && isBuiltInFunction(called[1] ?? "")) {
    const rest = slice(content, called[0].length);
    return callFunction({
      name: called[1] ?? "",
      arguments: splitArguments(rest, open, close),
      whole,
      origin,
      scope,
      expand,
    });
  }
  const name = expand(content, scope);
  const colon = name.string.indexOf(":");
  const equals = colon === -1 ? -1 : name.string.indexOf("=", colon);
  if (equals === -1) return valueOfVariable(name, whole, scope);
  const value = valueOfVariable(slice(name, 0, colon), whole, scope);
  const from = slice(name, colon + 1, equals);
  const to = slice(name, equals + 1);
  if (from.string.includes("%")) return substituted(value, from, to, whole, scope);
  const percent = textOf("%", origin);
  return substituted(value, concat(percent, from), concat(percent, to), whole, scope);
}

/** `$(patsubst from,to,words)`. */
function substituted(words: Text, from: Text, to: Text, whole: Text, scope: Scope): Text {
  const pattern = patternOf(from.string);
  return join(
    wordsOf(words).map((word) => {
      const match = stemOf(pattern, word.string);
      if (match === null) return word;
      return match === "unknown"
        ? derived(whole, scope, word.string)
        : withStem(to, word, pattern, match.stem);
    }),
    " ",
  );
}

/** What hangs on something that is not known in `of`. */
function derived(whole: Text, scope: Scope, of: string): Text {
  const reason = scope.world.reasonOf(of)?.reason ?? "it is not known";
  const origin = startOf(whole);
  return scope.world.unknowns.textOf(
    `${scope.world.unknowns.written(whole.string)} of ${scope.world.unknowns.written(of)}`,
    reason,
    origin,
  );
}

/** The value of a variable by name, expanded where it is recursive. */
export function valueOfVariable(name: Text, whole: Text, scope: Scope): Text {
  if (hasUnknown(name.string)) return derived(whole, scope, name.string);
  const layers = scope.variables.layers(name.string);
  if (layers.length === 0) return valueOfEnvironment(name.string, whole, scope);
  if (layers.length === 1 && layers[0]?.flavor === "simple") return layers[0].value;
  return join(
    layers
      .map((layer) => expandValue(name.string, layer, scope))
      .filter((value, index) => index === 0 || value.string !== ""),
    " ",
  );
}

function expandValue(name: string, variable: Variable, scope: Scope): Text {
  if (variable.flavor === "simple" || !variable.value.string.includes("$")) return variable.value;
  const { expanding, world } = scope;
  if (expanding.has(name) || expanding.size > deepest) {
    const origin = startOf(variable.value);
    world.cannot(`$(${name})`, "the variable is made of itself", origin);
    return emptyText;
  }
  expanding.add(name);
  const value = expand(variable.value, scope);
  expanding.delete(name);
  return value;
}

function valueOfEnvironment(name: string, whole: Text, scope: Scope): Text {
  if (name === ".VARIABLES") {
    const origin = startOf(whole);
    return textOf([...scope.variables.names()].join(" "), origin);
  }
  if (!environment.has(name)) return emptyText;
  const origin = startOf(whole);
  return scope.world.unknowns.textOf(`$(${name})`, `${name} is a variable of the environment`, origin);
}

/** Arguments between commas that stand in no bracket of the call's own kind. */
function splitArguments(rest: Text, open: string, close: string): Text[] {
  const parts: Text[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < rest.string.length; at++) {
    const character = rest.string[at];
    if (character === open) depth++;
    else if (character === close) depth--;
    else if (character === "," && depth === 0) {
      parts.push(slice(rest, from, at));
      from = at + 1;
    }
  }
  parts.push(slice(rest, from));
  return parts;
}
