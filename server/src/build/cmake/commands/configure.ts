// `configure_file`, `file(CONFIGURE)` and `string(CONFIGURE)`: a text with the values of variables put in.

import type { Interpreter } from "../interpreter.ts";
import { isFalseConstant } from "../state.ts";
import { hasUnknown } from "../unknown.ts";

export interface ConfigureOptions {
  /** Whether `${VAR}` stays as it is. */
  readonly isAtOnly: boolean;
  /** "header": a macro whose value is not known keeps its own name as value. */
  readonly cLanguage: "header" | "plain";
}

/** The text as CMake writes it. */
export function configured(cmake: Interpreter, text: string, options: ConfigureOptions): string {
  return text
    .split("\n")
    .map((line) => configuredLine(cmake, line, options))
    .join("\n");
}

function configuredLine(cmake: Interpreter, line: string, options: ConfigureOptions): string {
  const define = /^([ \t]*)#([ \t]*)cmakedefine(01)?[ \t]+([A-Za-z0-9_/.+-]+)(.*)$/.exec(
    line.replace(/\r$/, ""),
  );
  if (define === null) return substituted(cmake, line, options);
  const [, indent = "", space = "", isNumber, name = "", rest = ""] = define;
  const value = cmake.get(name);
  const readings = value === null ? [""] : hasUnknown(value) ? cmake.unknowns.readings(value) : [value];
  const truths = new Set(readings?.map((one) => !isFalseConstant(one)));
  if (readings === null || truths.size !== 1) {
    const reason = cmake.unknowns.reasonOf(value ?? "") ?? "";
    if (options.cLanguage === "header") return unknownMacro(name, reason);
    return cmake.unknown(reason);
  }
  const isOn = truths.has(true);
  if (isNumber !== undefined)
    return `${indent}#${space}define ${name}${substituted(cmake, rest, options)} ${isOn ? 1 : 0}`;
  if (!isOn) return `/* #undef ${name} */`;
  return `${indent}#${space}define ${name}${substituted(cmake, rest, options)}`;
}

/** A macro that is neither defined nor undefined: it stands for its own name, which nothing declares. */
function unknownMacro(name: string, reason: string): string {
  return `#define ${name} ${name} /* ${reason.replace(/\*\//g, "* /")} */`;
}

function substituted(cmake: Interpreter, line: string, options: ConfigureOptions): string {
  let unknownReason: string | null = null;
  const value = (name: string): string => {
    const text = cmake.text(name);
    if (hasUnknown(text)) unknownReason ??= cmake.unknowns.reasonOf(text);
    return text;
  };
  let result = line.replace(/@([A-Za-z0-9_/.+-]+)@/g, (_, name: string) => value(name));
  if (!options.isAtOnly) {
    for (let depth = 0; depth < 4 && /\$\{[\w/.+-]+\}/.test(result); depth++) {
      result = result.replace(/\$\{([\w/.+-]+)\}/g, (_, name: string) => value(name));
    }
  }
  if (unknownReason === null || options.cLanguage === "plain") return result;
  const name = /^\s*#\s*define\s+(\w+)/.exec(result)?.[1];
  return name === undefined ? result : unknownMacro(name, unknownReason);
}
