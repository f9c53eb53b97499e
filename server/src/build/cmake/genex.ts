// Generator expressions: `$<…>`, evaluated for one target, language and configuration.
import type { Interpreter } from "./interpreter.ts";
import { cmakeRegex } from "./regex.ts";
import { isFalseConstant, type Target } from "./state.ts";
import { cudaVersion } from "./toolchain.ts";
import { hasUnknown, splitListWhole } from "./unknown.ts";
import { compareVersions } from "./version.ts";

export interface ExpressionContext {
  readonly cmake: Interpreter;
  /** The target that is compiled. */
  readonly head: Target;
  /** The target whose property holds the expression. */
  readonly current: Target;
  /** "C", "CXX" or "CUDA"; empty where no source is compiled. */
  readonly language: string;
  readonly configuration: string;
  readonly property: (target: Target, name: string) => string;
  readonly depth: number;
}

type Node = string | { readonly name: readonly Node[]; readonly params: readonly (readonly Node[])[] | null };

/** The text with its generator expressions evaluated. */
export function evaluateExpression(text: string, context: ExpressionContext): string {
  if (!text.includes("$<")) return text;
  if (context.depth > 30) return "";
  const reader = { text, at: 0, depth: 0 };
  return evaluateAll(parseUntil(reader, ""), context);
}

const deepest = 60;

function parseUntil(reader: { text: string; at: number; depth: number }, ends: string): Node[] {
  const nodes: Node[] = [];
  let plain = "";
  while (reader.at < reader.text.length) {
    const char = reader.text[reader.at] ?? "";
    if (ends.includes(char)) break;
    if (char === "$" && reader.text[reader.at + 1] === "<" && reader.depth < deepest) {
      if (plain !== "") nodes.push(plain);
      plain = "";
      reader.at += 2;
      reader.depth++;
      nodes.push(parseExpression(reader));
      reader.depth--;
    } else {
      plain += char;
      reader.at++;
    }
  }
  if (plain !== "") nodes.push(plain);
  return nodes;
}

function parseExpression(reader: { text: string; at: number; depth: number }): Node {
  const name = parseUntil(reader, ":>");
  if (reader.text[reader.at] !== ":") {
    reader.at++;
    return { name, params: null };
  }
  const params: Node[][] = [];
  while (reader.at < reader.text.length && reader.text[reader.at] !== ">") {
    reader.at++;
    params.push(parseUntil(reader, ",>"));
  }
  reader.at++;
  return { name, params };
}

function evaluateAll(nodes: readonly Node[], context: ExpressionContext): string {
  return nodes.map((node) => (typeof node === "string" ? node : evaluateNode(node, context))).join("");
}

function evaluateNode(node: Exclude<Node, string>, context: ExpressionContext): string {
  const name = evaluateAll(node.name, context);
  const { unknowns } = context.cmake;
  const all = (): string => (node.params ?? []).map((param) => evaluateAll(param, context)).join(",");
  if (name === "0" || name === "") return "";
  if (name === "1") return all();
  if (hasUnknown(name)) {
    const readings = unknowns.readings(name);
    const reason = unknowns.reasonOf(name) ?? "";
    if (readings?.every((one) => one === "1")) return all();
    if (readings?.every((one) => one === "0")) return "";
    return unknowns.mark(reason, ["", all()]);
  }
  return evaluateNamed(name, node.params, context, all);
}

function evaluateNamed(
  name: string,
  params: readonly (readonly Node[])[] | null,
  context: ExpressionContext,
  all: () => string,
): string {
  const { cmake } = context;
  const one = (index: number): string => evaluateAll(params?.[index] ?? [], context);
  switch (name) {
    case "BUILD_INTERFACE":
    case "BUILD_LOCAL_INTERFACE":
    case "TARGET_NAME":
    case "SHELL_PATH":
    case "COMPILE_ONLY":
      return all();
    case "INSTALL_INTERFACE":
    case "INSTALL_PREFIX":
    case "LINK_ONLY":
    case "HOST_LINK":
    case "DEVICE_LINK":
    case "TARGET_OBJECTS":
      return "";
    case "SEMICOLON":
      return ";";
    case "COMMA":
      return ",";
    case "ANGLE-R":
      return ">";
    case "QUOTE":
      return '"';
    case "IF":
      return conditional(
        context,
        one(0),
        () => one(1),
        () => one(2),
      );
    case "BOOL":
      return truth(context, all(), (text) => !isFalseConstant(text));
    case "NOT":
      return truth(context, one(0), (text) => text === "0");
    case "AND":
    case "OR":
      return joined(
        context,
        name,
        (params ?? []).map((_, index) => one(index)),
      );
    case "STREQUAL":
      return both(context, one(0), one(1), (a, b) => a === b);
    case "EQUAL":
      return both(context, one(0), one(1), (a, b) => Number(a) === Number(b));
    case "IN_LIST":
      return both(context, one(0), one(1), (a, b) => splitListWhole(b).includes(a));
    case "VERSION_LESS":
      return both(context, one(0), one(1), (a, b) => compareVersions(a, b) < 0);
    case "VERSION_GREATER":
      return both(context, one(0), one(1), (a, b) => compareVersions(a, b) > 0);
    case "VERSION_EQUAL":
      return both(context, one(0), one(1), (a, b) => compareVersions(a, b) === 0);
    case "VERSION_LESS_EQUAL":
      return both(context, one(0), one(1), (a, b) => compareVersions(a, b) <= 0);
    case "VERSION_GREATER_EQUAL":
      return both(context, one(0), one(1), (a, b) => compareVersions(a, b) >= 0);
    case "CONFIG":
    case "CONFIGURATION": {
      if (params === null) return context.configuration;
      const own = context.configuration.toUpperCase();
      return params.some((_, index) => one(index).toUpperCase() === own) ? "1" : "0";
    }
    case "COMPILE_LANGUAGE":
      if (params === null) return context.language;
      return params.some((_, index) => one(index) === context.language) ? "1" : "0";
    case "COMPILE_LANG_AND_ID": {
      const ids = (params ?? []).slice(1).map((_, index) => one(index + 1));
      return one(0) === context.language && ids.includes(compilerId(context.language)) ? "1" : "0";
    }
    case "LINK_LANGUAGE":
    case "LINK_LANG_AND_ID":
      return "0";
    case "PLATFORM_ID":
      if (params === null) return "Linux";
      return params.some((_, index) => one(index) === "Linux") ? "1" : "0";
    case "C_COMPILER_ID":
    case "CXX_COMPILER_ID":
    case "CUDA_COMPILER_ID": {
      const id = cmake.languages.has(name.replace("_COMPILER_ID", ""))
        ? compilerId(name.replace("_COMPILER_ID", ""))
        : "";
      if (params === null) return id;
      return params.some((_, index) => one(index) === id) ? "1" : "0";
    }
    case "C_COMPILER_VERSION":
    case "CXX_COMPILER_VERSION":
    case "CUDA_COMPILER_VERSION": {
      const version = name.startsWith("CUDA") ? cudaVersion : cmake.text(`CMAKE_${name}`);
      if (params === null) return version;
      return compareVersions(one(0), version) === 0 ? "1" : "0";
    }
    case "COMPILE_FEATURES":
      return "1";
    case "TARGET_EXISTS":
    case "TARGET_NAME_IF_EXISTS": {
      const found = cmake.findTarget(one(0));
      if (found !== null && "unknown" in found) return cmake.unknowns.mark(found.unknown, ["0", "1"]);
      if (name === "TARGET_EXISTS") return found === null ? "0" : "1";
      return found === null ? "" : one(0);
    }
    case "TARGET_PROPERTY":
      return targetProperty(context, params === null ? [] : params.map((_, index) => one(index)));
    case "TARGET_POLICY":
      return "1";
    case "GENEX_EVAL":
      return evaluateExpression(all(), { ...context, depth: context.depth + 1 });
    case "TARGET_GENEX_EVAL": {
      const found = cmake.findTarget(one(0));
      const text = (params ?? [])
        .slice(1)
        .map((_, index) => one(index + 1))
        .join(",");
      if (found === null || "unknown" in found) return "";
      return evaluateExpression(text, { ...context, current: found.target, depth: context.depth + 1 });
    }
    case "LOWER_CASE":
      return all().toLowerCase();
    case "UPPER_CASE":
      return all().toUpperCase();
    case "MAKE_C_IDENTIFIER":
      return all().replace(/[^A-Za-z0-9_]/g, "_");
    case "JOIN":
      return splitListWhole(one(0)).join(one(1));
    case "REMOVE_DUPLICATES":
      return [...new Set(splitListWhole(all()))].join(";");
    case "FILTER": {
      const regex = cmakeRegex(one(2));
      const isIncluded = one(1) === "INCLUDE";
      return splitListWhole(one(0))
        .filter((text) => (regex?.test(text) ?? false) === isIncluded)
        .join(";");
    }
    default:
      if (/^TARGET_/.test(name)) return cmake.unknown(`$<${name}> is not evaluated`);
      return cmake.unknown(`$<${cmake.shown(name)}> is not evaluated`);
  }
}

function compilerId(language: string): string {
  return language === "CUDA" ? "NVIDIA" : "GNU";
}

function bit(isTrue: boolean): string {
  return isTrue ? "1" : "0";
}

function truth(context: ExpressionContext, text: string, test: (text: string) => boolean): string {
  if (!hasUnknown(text)) return bit(test(text));
  const { unknowns } = context.cmake;
  const results = new Set(unknowns.readings(text)?.map(test) ?? [true, false]);
  return results.size === 1
    ? bit(results.has(true))
    : unknowns.mark(unknowns.reasonOf(text) ?? "", ["0", "1"]);
}

function both(
  context: ExpressionContext,
  a: string,
  b: string,
  compare: (a: string, b: string) => boolean,
): string {
  return hasUnknown(a)
    ? truth(context, a, (text) => compare(text, b))
    : truth(context, b, (text) => compare(a, text));
}

function joined(context: ExpressionContext, name: "AND" | "OR", bits: readonly string[]): string {
  const deciding = name === "AND" ? "0" : "1";
  if (bits.includes(deciding)) return deciding;
  const { unknowns } = context.cmake;
  const unknown = bits.find(hasUnknown);
  if (unknown !== undefined) return unknowns.mark(unknowns.reasonOf(unknown) ?? "", ["0", "1"]);
  return name === "AND" ? "1" : "0";
}

function conditional(
  context: ExpressionContext,
  condition: string,
  yes: () => string,
  no: () => string,
): string {
  if (condition === "1") return yes();
  if (condition === "0") return no();
  const { unknowns } = context.cmake;
  return unknowns.mark(unknowns.reasonOf(condition) ?? "the condition is not known", [yes(), no()]);
}

function targetProperty(context: ExpressionContext, params: readonly string[]): string {
  const [first = "", second] = params;
  if (second === undefined) return context.property(context.head, first);
  const found = context.cmake.findTarget(first);
  if (found === null) return "";
  if ("unknown" in found) return context.cmake.unknown(found.unknown);
  return context.property(found.target, second);
}
