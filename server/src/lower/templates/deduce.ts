// Deduction of template arguments: patterns against types.

import type { TemplateArgument, TemplateEntity, TemplateParameterNode } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import type { ClassInfo } from "../types/class.ts";
import {
  type CxxType,
  decayed,
  qualify,
  referenceTo,
  referred,
  sameType,
  typeText,
  unqualified,
  unsignedLongType,
} from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";

export type Deduced = Map<string, TemplateArgument>;

/** A scope in which the parameters of a template mean themselves. */
export function bindPatterns(scope: Scope, parameters: readonly TemplateParameterNode[]): Scope {
  const bound = new Scope("template", scope, scope.name);
  for (const { name, kind } of parameters) {
    if (kind === "type") {
      const type: CxxType = { kind: "pattern", name, isConst: false, isVolatile: false };
      bound.declare(name, { kind: "type", type: () => type });
    } else bound.declare(name, { kind: "pattern", name });
  }
  return bound;
}

/** What makes `patterns` equal `given`; null where nothing does. */
export function unifyArguments(
  patterns: readonly TemplateArgument[],
  given: readonly TemplateArgument[],
  found: Deduced = new Map(),
): Deduced | null {
  for (const [index, pattern] of patterns.entries()) {
    if (pattern.kind === "expansion") {
      const rest = given.slice(index);
      return unifyExpansion(pattern.of, rest, found) ? found : null;
    }
    const argument = given[index];
    if (argument === undefined || !unifyArgument(pattern, argument, found)) return null;
  }
  return given.length > patterns.length ? null : found;
}

function unifyExpansion(
  pattern: TemplateArgument,
  rest: readonly TemplateArgument[],
  found: Deduced,
): boolean {
  const columns = new Map<string, TemplateArgument[]>();
  for (const argument of rest) {
    const each: Deduced = new Map();
    if (!unifyArgument(pattern, argument, each)) return false;
    for (const [name, value] of each) columns.set(name, [...(columns.get(name) ?? []), value]);
  }
  if (rest.length === 0) {
    const name = nameOfPattern(pattern);
    if (name !== null) columns.set(name, []);
  }
  for (const [name, elements] of columns) found.set(name, { kind: "pack", elements });
  return true;
}

function nameOfPattern(pattern: TemplateArgument): string | null {
  if (pattern.kind === "pattern") return pattern.name;
  return pattern.kind === "type" && pattern.type.kind === "pattern" ? pattern.type.name : null;
}

function unifyArgument(pattern: TemplateArgument, given: TemplateArgument, found: Deduced): boolean {
  switch (pattern.kind) {
    case "type":
      return given.kind === "type" && unifyType(pattern.type, given.type, found);
    case "pattern":
      return note(found, pattern.name, given);
    case "value":
      // Whether it is this value is not known, and so neither is which specialisation is meant.
      if (given.kind === "unknown") throw new Unsupported(given.reason);
      return given.kind === "value" && Number(given.value) === Number(pattern.value);
    case "template":
      return given.kind === "template" && given.template === pattern.template;
    case "function":
      return given.kind === "function" && given.instance === pattern.instance;
    case "undeduced":
      return true;
    default:
      return false;
  }
}

/** Makes `pattern` equal `type`, noting what its parameters are. */
function unifyType(pattern: CxxType, type: CxxType, found: Deduced): boolean {
  switch (pattern.kind) {
    case "pattern": {
      if ((pattern.isConst && !type.isConst) || (pattern.isVolatile && !type.isVolatile)) return false;
      const isConst = type.isConst && !pattern.isConst;
      const isVolatile = type.isVolatile && !pattern.isVolatile;
      const rest = { ...type, isConst, isVolatile } as CxxType;
      return note(found, pattern.name, { kind: "type", type: rest });
    }
    case "pointer":
      return type.kind === "pointer" && unifyQualified(pattern.target, type.target, found);
    case "reference":
      return (
        type.kind === "reference" &&
        pattern.binds === type.binds &&
        unifyType(pattern.target, type.target, found)
      );
    case "array":
      return type.kind === "array" && unifyArray(pattern.count, type.count, found)
        ? unifyType(pattern.element, type.element, found)
        : false;
    case "class-pattern":
      return type.kind === "class" && unifyClass(pattern.template, pattern.arguments, type.info, found);
    case "function":
      return (
        type.kind === "function" &&
        unifyType(pattern.result, type.result, found) &&
        unifyParameters(pattern.parameters, type.parameters, found)
      );
    default:
      return sameType(pattern, type);
  }
}

/** Parameters of a function type one by one; a last pattern that would be left over, or alone for several, is a pack: `void (*)(P...)`. */
function unifyParameters(patterns: readonly CxxType[], types: readonly CxxType[], found: Deduced): boolean {
  const last = patterns[patterns.length - 1];
  const fixed = patterns.length - 1;
  if (patterns.length !== types.length) {
    if (last?.kind !== "pattern" || types.length < fixed) return false;
    const elements = types.slice(fixed).map((type): TemplateArgument => ({ kind: "type", type }));
    return (
      note(found, last.name, { kind: "pack", elements }) &&
      unifyParameters(patterns.slice(0, -1), types.slice(0, fixed), found)
    );
  }
  return patterns.every((each, index) => {
    const other = types[index];
    return other !== undefined && unifyType(each, other, found);
  });
}

/** Behind a pointer or reference a pattern may add const: `const T*` takes `float*`. */
function unifyQualified(pattern: CxxType, type: CxxType, found: Deduced): boolean {
  const given = pattern.isConst && !type.isConst ? qualify(type, { isConst: true }) : type;
  if (unifyType(pattern, pattern.isVolatile ? qualify(given, { isVolatile: true }) : given, found))
    return true;
  return sameType(unqualified(pattern), unqualified(type));
}

function unifyArray(pattern: unknown, count: unknown, found: Deduced): boolean {
  if (typeof pattern === "object" && pattern !== null && "pattern" in pattern) {
    if (typeof count !== "number") return false;
    return note(found, String(pattern.pattern), { kind: "value", value: count, type: unsignedLongType });
  }
  // A bound that is an expression of the parameters deduces nothing.
  return pattern === null || pattern === count;
}

function unifyClass(
  template: TemplateEntity | { readonly pattern: string },
  patterns: readonly TemplateArgument[],
  info: ClassInfo,
  found: Deduced,
): boolean {
  const instance = info.instanceOf;
  if (instance && (!("kind" in template) || instance.template === template)) {
    const flat = instance.arguments.flatMap((each) => (each.kind === "pack" ? each.elements : [each]));
    const trial: Deduced = new Map(found);
    const padded = patterns.length < flat.length && !patterns.some((each) => each.kind === "expansion");
    if (unifyArguments(patterns, padded ? flat.slice(0, patterns.length) : flat, trial)) {
      for (const [name, value] of trial) found.set(name, value);
      if (!("kind" in template))
        return note(found, template.pattern, { kind: "template", template: instance.template });
      return true;
    }
  }
  return info.layout().bases.some((base) => unifyClass(template, patterns, base.info, found));
}

function note(found: Deduced, name: string, argument: TemplateArgument): boolean {
  const known = found.get(name);
  if (known === undefined) {
    found.set(name, argument);
    return true;
  }
  if (known.kind === "type" && argument.kind === "type") return sameType(known.type, argument.type);
  if (known.kind === "value" && argument.kind === "value")
    return Number(known.value) === Number(argument.value);
  if (known.kind === "unknown" && argument.kind === "unknown") return known.text === argument.text;
  return known.kind === argument.kind;
}

/** A parameter of a function template, its type a pattern; null where nothing is deduced from it (`typename T::x`). */
export interface ParameterPattern {
  readonly type: CxxType | null;
  readonly isPack: boolean;
}

/** An argument of a call as deduction sees it, a brace list as an array of its elements; null is not looked at. */
export type ArgumentShape = {
  readonly type: CxxType;
  readonly isLvalue: boolean;
  readonly isList?: true;
} | null;

/** Deduces from a call's arguments on top of what is `found` already; null where they do not fit. */
export function deduceFromCall(
  parameters: readonly ParameterPattern[],
  given: readonly ArgumentShape[],
  found: Deduced,
): Deduced | null {
  const named = new Set(found.keys());
  for (const [index, parameter] of parameters.entries()) {
    if (parameter.type === null || takesConversions(parameter.type, named)) continue;
    if (parameter.isPack) {
      const elements: Deduced[] = [];
      for (const argument of given.slice(index)) {
        const each: Deduced = new Map();
        if (argument === null || !unifyParameter(parameter.type, argument, each)) return null;
        elements.push(each);
      }
      collectPack(parameter.type, elements, found);
      return found;
    }
    const argument = given[index];
    if (!argument) continue;
    if (!unifyParameter(parameter.type, argument, found)) return null;
  }
  return found;
}

/** Nothing is deduced of a parameter whose template arguments all stand in the call: what is given may be converted. */
function takesConversions(pattern: CxxType, named: ReadonlySet<string>): boolean {
  const names = patternNames(pattern);
  return names.length > 0 && names.every((name) => named.has(name));
}

function collectPack(pattern: CxxType, elements: readonly Deduced[], found: Deduced): void {
  const names = new Set(elements.flatMap((each) => [...each.keys()]));
  if (elements.length === 0) for (const name of patternNames(pattern)) names.add(name);
  for (const name of names) {
    const values = elements.map((each) => each.get(name)).filter((value) => value !== undefined);
    if (!found.has(name)) found.set(name, { kind: "pack", elements: values });
  }
}

function patternNames(type: CxxType): string[] {
  if (type.kind === "pattern") return [type.name];
  if (type.kind === "pointer" || type.kind === "reference") return patternNames(type.target);
  return type.kind === "array" ? patternNames(type.element) : [];
}

function unifyParameter(pattern: CxxType, argument: NonNullable<ArgumentShape>, found: Deduced): boolean {
  if (argument.isList) return unifyList(referred(pattern), argument.type, found);
  // Conversions are for overload resolution.
  if (!isPatternType(pattern.kind === "reference" ? pattern.target : pattern)) return true;
  if (pattern.kind === "reference") {
    const { target } = pattern;
    const type = referred(argument.type);
    if (pattern.binds === "rvalue" && target.kind === "pattern" && !target.isConst && argument.isLvalue) {
      return note(found, target.name, { kind: "type", type: referenceTo(type, "lvalue") });
    }
    return unifyQualified(target, type, found);
  }
  return unifyType(unqualified(pattern), decayed(argument.type), found);
}

/** A brace list tells what the elements of an array or a std::initializer_list are, and nothing else. */
function unifyList(pattern: CxxType, type: CxxType, found: Deduced): boolean {
  if (pattern.kind === "array") return unifyType(pattern, type, found);
  if (pattern.kind !== "class-pattern" || type.kind !== "array") return true;
  const [element] = pattern.arguments;
  const isTold = "kind" in pattern.template && pattern.template.name === "initializer_list";
  return !isTold || element?.kind !== "type" || unifyType(element.type, type.element, found);
}

/** Whether something is deduced from what is given for a parameter of the type. */
export function isPatternType(type: CxxType): boolean {
  return (
    typeText(type).includes("<pattern>") ||
    patternNames(type).length > 0 ||
    type.kind === "function" ||
    type.kind === "class-pattern" ||
    (type.kind === "array" && (typeof type.count === "object" || isPatternType(type.element))) ||
    (type.kind === "pointer" && isPatternType(type.target))
  );
}
