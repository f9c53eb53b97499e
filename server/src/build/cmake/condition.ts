// The conditions of `if` and `while`: true, false, or not known with the reason.
import { resolvePath } from "../../text/path.ts";
import type { Argument, Interpreter } from "./interpreter.ts";
import { cmakeRegex } from "./regex.ts";
import { isFalseConstant, isTrueConstant } from "./state.ts";
import { hasUnknown } from "./unknown.ts";
import { compareVersions } from "./version.ts";

/** A string says why it is not known. */
export type Truth = boolean | string;

/** Evaluates the arguments of an `if`. */
export function evaluateCondition(cmake: Interpreter, args: readonly Argument[]): Truth {
  return new Condition(cmake, args).evaluate();
}

export function not(truth: Truth): Truth {
  return typeof truth === "boolean" ? !truth : truth;
}

export function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === true ? b : a;
}

export function or(a: Truth, b: Truth): Truth {
  if (a === true || b === true) return true;
  return a === false ? b : a;
}

type Comparison = (a: string, b: string) => boolean;

function numeric(compare: (a: number, b: number) => boolean): Comparison {
  return (a, b) => {
    const first = Number.parseFloat(a);
    const second = Number.parseFloat(b);
    return !Number.isNaN(first) && !Number.isNaN(second) && compare(first, second);
  };
}

const comparisons: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ["STREQUAL", (a, b) => a === b],
  ["STRLESS", (a, b) => a < b],
  ["STRGREATER", (a, b) => a > b],
  ["STRLESS_EQUAL", (a, b) => a <= b],
  ["STRGREATER_EQUAL", (a, b) => a >= b],
  ["EQUAL", numeric((a, b) => a === b)],
  ["LESS", numeric((a, b) => a < b)],
  ["GREATER", numeric((a, b) => a > b)],
  ["LESS_EQUAL", numeric((a, b) => a <= b)],
  ["GREATER_EQUAL", numeric((a, b) => a >= b)],
  ["VERSION_EQUAL", (a, b) => compareVersions(a, b) === 0],
  ["VERSION_LESS", (a, b) => compareVersions(a, b) < 0],
  ["VERSION_GREATER", (a, b) => compareVersions(a, b) > 0],
  ["VERSION_LESS_EQUAL", (a, b) => compareVersions(a, b) <= 0],
  ["VERSION_GREATER_EQUAL", (a, b) => compareVersions(a, b) >= 0],
  ["PATH_EQUAL", (a, b) => a.replace(/\/+/g, "/") === b.replace(/\/+/g, "/")],
]);

const others = new Set(["MATCHES", "IN_LIST", "IS_NEWER_THAN"]);

const tests: ReadonlySet<string> = new Set([
  "DEFINED",
  "TARGET",
  "COMMAND",
  "POLICY",
  "TEST",
  "EXISTS",
  "IS_DIRECTORY",
  "IS_SYMLINK",
  "IS_ABSOLUTE",
  "IS_READABLE",
  "IS_WRITABLE",
  "IS_EXECUTABLE",
]);

class Condition {
  private readonly cmake: Interpreter;
  private readonly args: readonly Argument[];
  private at = 0;

  constructor(cmake: Interpreter, args: readonly Argument[]) {
    this.cmake = cmake;
    this.args = args;
  }

  evaluate(): Truth {
    if (this.args.length === 0) return false;
    const result = this.any();
    return this.at < this.args.length ? "the condition is not one that CMake knows" : result;
  }

  private any(): Truth {
    let result = this.all();
    while (this.take("OR")) result = or(result, this.all());
    return result;
  }

  private all(): Truth {
    let result = this.negated();
    while (this.take("AND")) result = and(result, this.negated());
    return result;
  }

  private negated(): Truth {
    let isNegated = false;
    while (this.isWord("NOT") && this.at + 1 < this.args.length) {
      this.at++;
      isNegated = !isNegated;
    }
    const result = this.test();
    return isNegated ? not(result) : result;
  }

  private test(): Truth {
    if (this.take("(")) {
      const result = this.any();
      this.take(")");
      return result;
    }
    const first = this.args[this.at++];
    if (first === undefined) return false;
    const second = this.args[this.at];
    if (second !== undefined && !second.isQuoted) {
      const operator = second.text;
      if (comparisons.has(operator) || others.has(operator)) {
        this.at++;
        const right = this.args[this.at++];
        return right === undefined ? false : this.binary(first, operator, right);
      }
    }
    if (!first.isQuoted && second !== undefined && tests.has(first.text) && !this.isWord(")")) {
      if (!this.isWord("AND") && !this.isWord("OR")) {
        this.at++;
        return this.unary(first.text, second.text);
      }
    }
    return this.bare(first);
  }

  private isWord(word: string): boolean {
    const arg = this.args[this.at];
    return arg !== undefined && !arg.isQuoted && arg.text === word;
  }

  private take(word: string): boolean {
    const isThere = this.isWord(word);
    if (isThere) this.at++;
    return isThere;
  }

  /** An operand of a comparison: the variable of that name, where there is one. */
  private operand(arg: Argument): string {
    if (arg.isQuoted || hasUnknown(arg.text)) return arg.text;
    const special = /^(ENV|CACHE)\{(.*)\}$/.exec(arg.text);
    if (special?.[1] === "ENV") return this.cmake.environmentText(special[2] ?? "");
    return this.cmake.get(arg.text) ?? arg.text;
  }

  private bare(arg: Argument): Truth {
    const { text } = arg;
    if (hasUnknown(text)) return this.each(text, (one) => this.bareKnown(one, arg.isQuoted));
    return this.bareKnown(text, arg.isQuoted);
  }

  private bareKnown(text: string, isQuoted: boolean): Truth {
    if (isTrueConstant(text)) return true;
    if (isFalseConstant(text)) return false;
    if (isQuoted) return false;
    const environment = /^ENV\{(.*)\}$/.exec(text)?.[1];
    const value = environment === undefined ? this.cmake.get(text) : this.cmake.environmentText(environment);
    return value === null ? false : this.truthOf(value);
  }

  private truthOf(value: string): Truth {
    if (!hasUnknown(value)) return !isFalseConstant(value);
    const readings = this.cmake.unknowns.readings(value);
    if (readings !== null) return this.each(value, (one) => !isFalseConstant(one));
    // Text around what is not known makes it true, unless it may be one of the words for false.
    const known = this.cmake.unknowns.bare(value).replace(/[;\s]/g, "");
    const mayBeFalse = /^(?:0|o|of|off|n|no|f|i|.{0,2})$/i.test(known) || /-?NOTFOUND$/i.test(known);
    return mayBeFalse ? (this.cmake.unknowns.reasonOf(value) ?? "it is not known") : true;
  }

  /** What all readings of a text agree on. */
  private each(text: string, test: (reading: string) => Truth): Truth {
    const reason = this.cmake.unknowns.reasonOf(text) ?? "it is not known";
    const readings = this.cmake.unknowns.readings(text);
    if (readings === null || readings.length === 0) return reason;
    const results = readings.map(test);
    const first = results[0] ?? reason;
    return typeof first === "boolean" && results.every((one) => one === first) ? first : reason;
  }

  private binary(left: Argument, operator: string, right: Argument): Truth {
    const a = this.operand(left);
    if (operator === "MATCHES") return this.matches(a, right.text);
    if (operator === "IN_LIST") return this.isInList(a, right.text);
    if (operator === "IS_NEWER_THAN") return "the times of files are not known";
    const b = this.operand(right);
    const compare = comparisons.get(operator);
    if (compare === undefined) return false;
    if (!hasUnknown(a) && !hasUnknown(b)) return compare(a, b);
    const { unknowns } = this.cmake;
    const readingsA = unknowns.readings(a);
    const readingsB = unknowns.readings(b);
    const reason = unknowns.reasonOf(a) ?? unknowns.reasonOf(b) ?? "it is not known";
    if (readingsA !== null && readingsB !== null) {
      const results = new Set(readingsA.flatMap((one) => readingsB.map((other) => compare(one, other))));
      return results.size === 1 ? results.has(true) : reason;
    }
    if (operator === "STREQUAL" && !couldBe(a, b)) return false;
    return reason;
  }

  private matches(text: string, pattern: string): Truth {
    const { unknowns } = this.cmake;
    if (hasUnknown(text) || hasUnknown(pattern)) {
      const regex = hasUnknown(pattern) ? null : cmakeRegex(pattern);
      if (regex !== null && unknowns.readings(text) !== null)
        return this.each(text, (one) => regex.test(one));
      return unknowns.reasonOf(text) ?? unknowns.reasonOf(pattern) ?? "it is not known";
    }
    const found = cmakeRegex(pattern)?.exec(text) ?? null;
    if (found === null) return false;
    setMatches(this.cmake, found);
    return true;
  }

  private isInList(element: string, listName: string): Truth {
    const list = this.cmake.text(listName);
    const { unknowns } = this.cmake;
    if (hasUnknown(element)) return this.each(element, (one) => this.isInList(one, listName));
    const found = unknowns.elements(list).find(({ text }) => text === element);
    if (found !== undefined) return found.doubt ?? true;
    return unknowns.readings(list) === null ? (unknowns.reasonOf(list) ?? false) : false;
  }

  private unary(test: string, text: string): Truth {
    const { cmake } = this;
    if (hasUnknown(text)) return this.each(text, (one) => this.unary(test, one));
    switch (test) {
      case "DEFINED": {
        const environment = /^ENV\{(.*)\}$/.exec(text)?.[1];
        if (environment !== undefined) {
          return cmake.environment.has(environment) || (cmake.reasonOfEnvironment(environment) ?? false);
        }
        const inCache = /^CACHE\{(.*)\}$/.exec(text)?.[1];
        if (inCache !== undefined) return cmake.cache.has(inCache);
        const variable = cmake.variable(text);
        return variable === null ? (cmake.reasonOfUnset(text) ?? false) : (variable.doubt ?? true);
      }
      case "TARGET": {
        const found = cmake.findTarget(text);
        if (found === null) return false;
        if ("unknown" in found) return found.unknown;
        const type = found.target.properties.get("TYPE");
        return (type?.kind === "property" ? type.entries[0]?.doubt : null) ?? true;
      }
      case "COMMAND":
        return cmake.procedures.has(text.toLowerCase()) || cmake.isCommand(text.toLowerCase());
      case "POLICY":
        return Number(/^CMP(\d{4})$/.exec(text)?.[1] ?? 9999) <= 142;
      case "TEST":
        return false;
      case "IS_ABSOLUTE":
        return text.startsWith("/");
      case "IS_SYMLINK":
        return false;
      default: {
        if (text === "") return false;
        const kind = cmake.kindOf(resolvePath(cmake.directory.source, text));
        if (kind === "outside") return `${text} lies outside of the workspace`;
        if (test === "IS_DIRECTORY") return kind === "directory";
        return kind === "file" || kind === "directory";
      }
    }
  }
}

/** `CMAKE_MATCH_n`, `CMAKE_MATCH_COUNT`. */
export function setMatches(cmake: Interpreter, found: RegExpExecArray): void {
  const origin = { file: cmake.file, line: 1 };
  for (const [index, group] of found.slice(0, 10).entries()) {
    cmake.set(`CMAKE_MATCH_${index}`, group ?? "", origin);
  }
  cmake.set("CMAKE_MATCH_COUNT", String(Math.max(0, found.length - 1)), origin);
}

/** Whether texts with unknown parts can be equal, by what is known at their ends. */
function couldBe(a: string, b: string): boolean {
  const headA = a.split("\uE000", 1)[0] ?? "";
  const headB = b.split("\uE000", 1)[0] ?? "";
  if (hasUnknown(a) && hasUnknown(b)) return headA.startsWith(headB) || headB.startsWith(headA);
  const [open, closed] = hasUnknown(a) ? [a, b] : [b, a];
  const tail = open.slice(open.lastIndexOf("\uE001") + 1);
  const head = open.split("\uE000", 1)[0] ?? "";
  return closed.startsWith(head) && closed.endsWith(tail) && closed.length >= head.length + tail.length;
}
