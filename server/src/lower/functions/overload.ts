// Overload resolution: which function a call means. Good enough for real code: exact before promotion before conversion,
// plain functions before templates, the more special template before the general one.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { inScope, textOf } from "../context.ts";
import { conversionFor, isExplicit } from "../expressions/convert.ts";
import type { FunctionSet, Value } from "../expressions/value.ts";
import { typeOfValue } from "../expressions/value.ts";
import type { FunctionEntity, TemplateArgument } from "../names/entity.ts";
import { memberScope } from "../names/names.ts";
import {
  type ArgumentShape,
  bindPatterns,
  type Deduced,
  deduceFromCall,
  type ParameterPattern,
} from "../templates/deduce.ts";
import { templateArgumentsOf } from "../templates/written-arguments.ts";
import { baseOffset } from "../types/class.ts";
import {
  arrayOf,
  type ClassType,
  type CxxType,
  decayed,
  isArithmetic,
  isFloating,
  isFunctionPointer,
  promoted,
  type ReferenceType,
  referred,
  sameType,
  typeText,
  unqualified,
} from "../types/cxx-type.ts";
import { containsAuto, declareParameter, parameterNodes, replaceAuto } from "../types/declarator.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { listValues } from "../variables/initialize-list.ts";
import { type FunctionInstance, instantiate } from "./instance.ts";
import { referenceToFunction } from "./reference.ts";

interface Viable {
  readonly instance: FunctionInstance;
  readonly ranks: readonly number[];
  readonly isTemplate: boolean;
  readonly specificity: number;
}

const candidateBudget = 200;

/** The instance that fits the arguments best, or null where none fits. */
export function resolveOverload(
  context: Context,
  set: FunctionSet,
  given: readonly Value[],
): FunctionInstance | null {
  let best: Viable | null = null;
  let rival: Viable | null = null;
  for (const candidate of usable(set.candidates).slice(0, candidateBudget)) {
    const viable = viableFor(context, candidate, set, given);
    if (viable === null) continue;
    if (best === null || isBetter(viable, best)) [best, rival] = [viable, null];
    else if (!isBetter(best, viable)) rival = viable;
  }
  if (best && rival && isToldByConstraints(best, rival))
    throw new Unsupported(`which ${best.instance.displayName} is meant hangs on constraints`);
  return best?.instance ?? null;
}

/**
 * The instance of the only function of its name, though an argument is not seen to convert: programs compile, so that the conversion was
 * only not understood. Null where there are several, or too few or too many arguments.
 */
export function onlyCandidate(
  context: Context,
  set: FunctionSet,
  given: readonly Value[],
): FunctionInstance | null {
  const [only, ...others] = usable(set.candidates);
  if (only === undefined || others.length > 0) return null;
  const instance = orElse(
    () => {
      const explicit = set.explicit && { ...set.explicit, isSettled: true as const };
      const settled = { ...set, explicit };
      const list = only.parameters === null ? [] : deduceArguments(context, only, settled, given);
      return list && instantiate(context, only, list);
    },
    () => null,
  );
  const required = instance?.parameters.filter((each) => each.default === null).length ?? 0;
  const fits = instance && given.length >= required && given.length <= instance.parameters.length;
  return fits ? instance : null;
}

/** Whether nothing but concepts, which are not evaluated, tells two templates apart. */
function isToldByConstraints(a: Viable, b: Viable): boolean {
  return [a, b].some(({ instance: { entity } }) => {
    const hasClause = entity.declarator?.children.some((child) => child.type === "requires_clause") ?? false;
    return hasClause || (entity.parameters?.some((each) => each.isConstrained) ?? false);
  });
}

/** Full specialisations are reached through their template, unless that is not in sight. */
function usable(candidates: readonly FunctionEntity[]): FunctionEntity[] {
  const hasTemplate = candidates.some((each) => each.parameters !== null);
  return candidates.filter(
    ({ specializes, parameters }) =>
      specializes === null || parameters !== null || (specializes === "deduced" && !hasTemplate),
  );
}

function viableFor(
  context: Context,
  candidate: FunctionEntity,
  set: FunctionSet,
  given: readonly Value[],
): Viable | null {
  try {
    const list = candidate.parameters === null ? [] : deduceArguments(context, candidate, set, given);
    if (
      list === null ||
      (candidate.parameters === null && set.explicit !== null && candidate.specializes === null)
    )
      return null;
    const instance = instantiate(context, candidate, list);
    if (instance === null) return null;
    const ranks = ranksOf(context, instance, given);
    if (ranks === null) return null;
    if (candidate.parameters !== null && mayFailInResult(context, candidate)) {
      if (instance.result().kind === "unknown") return null;
    }
    return {
      instance,
      ranks: [rankOfObject(context, candidate, set.object), ...ranks],
      isTemplate: candidate.parameters !== null,
      specificity: specificityOf(context, candidate),
    };
  } catch (error) {
    if (error instanceof Unsupported) return null;
    throw error;
  }
}

function mayFailInResult(context: Context, candidate: FunctionEntity): boolean {
  const type = childOf(candidate.node, "type");
  return type !== null && textOf({ ...context, unit: candidate.unit }, type).includes("enable_if");
}

function isBetter(a: Viable, b: Viable): boolean {
  const length = Math.max(a.ranks.length, b.ranks.length);
  let isSomewhereBetter = false;
  let isSomewhereWorse = false;
  for (let index = 0; index < length; index++) {
    const difference = (a.ranks[index] ?? 0) - (b.ranks[index] ?? 0);
    if (difference < 0) isSomewhereBetter = true;
    if (difference > 0) isSomewhereWorse = true;
  }
  if (isSomewhereBetter !== isSomewhereWorse) return isSomewhereBetter;
  if (a.isTemplate !== b.isTemplate) return !a.isTemplate;
  if (a.specificity !== b.specificity) return a.specificity > b.specificity;
  return b.instance.entity.body === null && a.instance.entity.body !== null;
}

// --- deduction

/** The template arguments: those written, then those deduced; null where the arguments do not fit. */
function deduceArguments(
  context: Context,
  candidate: FunctionEntity,
  set: FunctionSet,
  given: readonly Value[],
): (TemplateArgument | null)[] | null {
  const parameters = candidate.parameters ?? [];
  const written = set.explicit
    ? templateArgumentsOf(
        set.explicit.context,
        set.explicit.node,
        parameters,
        set.explicit.isSettled ? "unknown" : "unsupported",
      )
    : [];
  const found: Deduced = new Map();
  const fixedPacks = new Set<string>();
  for (const [index, argument] of written.entries()) {
    const parameter = parameters[index];
    if (parameter === undefined) return null;
    if (parameter.isPack) {
      found.set(parameter.name, { kind: "pack", elements: written.slice(index) });
      fixedPacks.add(parameter.name);
      break;
    }
    found.set(parameter.name, argument);
  }
  const patterns = patternsOf(context, candidate);
  const shapes = given.map((value) => shapeOf(context, value));
  const isComplete = parameters.every((parameter) => found.has(parameter.name));
  if (!isComplete && deduceFromCall(patterns, shapes, found) === null) {
    // Explicit arguments allow conversions: try again with what is written alone.
    if (written.length === 0) return null;
  }
  return parameters.map((parameter) => {
    const argument = found.get(parameter.name) ?? null;
    return argument === null && parameter.isPack ? { kind: "pack", elements: [] } : argument;
  });
}

/** An argument as deduction sees it: a function is a pointer to it, a brace list has elements of one type or tells nothing. */
export function shapeOf(context: Context, value: Value): ArgumentShape {
  if (value.kind === "functions") {
    return orElse<ArgumentShape>(
      () => ({ type: referenceToFunction(context, value).type, isLvalue: false }),
      () => null,
    );
  }
  if (value.kind === "place") return { type: value.type, isLvalue: value.category === "lvalue" };
  if (value.kind === "value") return { type: value.type, isLvalue: false };
  const types = listValues(value.context, value.node).map((each) => decayed(typeOfValue(each)));
  const [first] = types;
  const isUniform = first !== undefined && types.every((each) => sameType(each, first));
  return isUniform ? { type: arrayOf(first, types.length), isLvalue: false, isList: true } : null;
}

/** The types of the parameters of `candidate`, in which those of its template are patterns. */
export function patternsOf(context: Context, candidate: FunctionEntity): readonly ParameterPattern[] {
  const known = context.translation.patterns.get(candidate);
  if (known) return known;
  const scope = bindPatterns(candidate.scope, candidate.parameters ?? []);
  const at = inScope({ ...context, unit: candidate.unit, body: null }, scope);
  const nodes = parameterNodes(candidate.declarator ? childOf(candidate.declarator, "parameters") : null);
  const patterns = nodes.map((node, index) => patternOf(at, node, index));
  context.translation.patterns.set(candidate, patterns);
  return patterns;
}

function patternOf(context: Context, node: SyntaxNode, index: number): ParameterPattern {
  const isPack = node.type === "variadic_parameter_declaration";
  try {
    const { type } = declareParameter(context, node);
    if (!containsAuto(type)) return { type, isPack };
    const [own] = context.scope.lookup(`auto#${index}`);
    return { type: own?.kind === "type" ? replaceAuto(type, own.type()) : null, isPack };
  } catch (error) {
    if (error instanceof Unsupported) return { type: null, isPack };
    throw error;
  }
}

/** How much of its parameters a template spells out: `f(T*)` is more special than `f(T)`. */
function specificityOf(context: Context, candidate: FunctionEntity): number {
  if (candidate.parameters === null) return 0;
  let sum = 0;
  for (const { type, isPack } of patternsOf(context, candidate)) {
    sum -= isPack ? 4 : 0;
    for (let at = type; at; ) {
      if (at.kind === "pattern") break;
      sum += at.kind === "reference" ? 0 : 1;
      if (at.kind === "pointer" || at.kind === "reference") at = at.target;
      else if (at.kind === "array") at = at.element;
      else break;
    }
  }
  return sum;
}

// --- ranking

function ranksOf(context: Context, instance: FunctionInstance, given: readonly Value[]): number[] | null {
  const { parameters } = instance;
  if (given.length > parameters.length && !instance.isVariadic) return null;
  const ranks: number[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const argument = given[index];
    if (argument === undefined) {
      if (parameter.default === null) return null;
      continue;
    }
    const rank = rankOf(context, argument, parameter.type);
    if (rank === null) return null;
    ranks.push(rank);
  }
  for (let index = parameters.length; index < given.length; index++) ranks.push(50);
  return ranks;
}

/**
 * How a member fits its object: a const object wants a const member, any other one that may change it. A misfit is never refused: programs
 * compile, so that what looks like one was only not understood.
 */
function rankOfObject(context: Context, candidate: FunctionEntity, object: Value | null): number {
  if (candidate.memberOf === null || candidate.isStatic) return 0;
  const isConst = object ? typeOfValue(object).isConst : context.body?.self?.isConst === true;
  if (isConst === candidate.isConstMember) return 0;
  return isConst ? 50 : 0.5;
}

/** The rank of what converts by a constructor or a conversion operator. */
export const userConversion = 40;

/** 0 exact … 40 by a user's conversion, more where a type is not known; null where it does not convert. */
export function rankOf(context: Context, value: Value, type: CxxType): number | null {
  if (value.kind === "list") return type.kind === "class" || type.kind === "array" ? 10 : 20;
  if (value.kind === "functions") {
    const target = referred(type);
    return target.kind === "pointer" || target.kind === "function" || target.kind === "class"
      ? 0
      : target.kind === "unknown"
        ? 45
        : null;
  }
  if (type.kind === "reference") return rankReference(context, value, type);
  return rankConversion(context, decayed(typeOfValue(value)), unqualified(type), value);
}

function rankReference(context: Context, value: Value, { target, binds }: ReferenceType): number | null {
  const type = typeOfValue(value);
  const isLvalue = value.kind === "place" && value.category === "lvalue";
  const isSame = sameType(unqualified(type), unqualified(target));
  if (binds === "rvalue") {
    if (isLvalue && (isSame || type.kind === "unknown")) return null;
    return isSame ? 0 : rankConversion(context, decayed(type), unqualified(target), value);
  }
  if (!target.isConst && !isLvalue && target.kind !== "unknown" && type.kind !== "unknown") return null;
  if (isSame) {
    if (type.isConst && !target.isConst) return null;
    return type.isConst === target.isConst && isLvalue ? 0 : 0.5;
  }
  if (type.kind === "array" && target.kind === "array") return null;
  const rank = rankConversion(context, decayed(type), unqualified(target), value);
  // A non-const reference binds to its own type or a base only: a type that is not known may be that.
  if (target.isConst || target.kind === "unknown" || type.kind === "unknown") return rank;
  return rank !== null && rank >= 5 && !isBaseOf(type, target) ? null : rank;
}

function isBaseOf(type: CxxType, base: CxxType): boolean {
  return type.kind === "class" && base.kind === "class" && baseOffset(type.info, base.info) !== null;
}

function rankConversion(context: Context, from: CxxType, to: CxxType, value: Value): number | null {
  const rank = rankStandard(from, to, value);
  if (rank !== "user") return rank;
  return to.kind === "class" ? rankToClass(context, from, to, value) : rankOperator(context, value, to);
}

/** By a conversion operator: of two, the one that gives just the type comes first. */
function rankOperator(context: Context, value: Value, to: CxxType): number | null {
  const found = conversionFor(context, typeOfValue(value), to, "implicit");
  return found && userConversion + found.rank / 100;
}

/** A conversion that the language has; "user" where a class must have it. */
function rankStandard(from: CxxType, to: CxxType, value: Value): number | null | "user" {
  if (sameType(from, to)) return 0;
  if (from.kind === "unknown" || to.kind === "unknown") return 45;
  if (isArithmetic(from) && isArithmetic(to)) {
    if (to.kind === "enum" && (from.kind !== "enum" || from.info !== to.info)) return null;
    if (from.kind === "enum" && from.info.isScoped) return null;
    if (sameType(promoted(from), to) && !isFloating(from)) return 5;
    if (typeText(from) === "float" && typeText(to) === "double") return 5;
    return 10;
  }
  if (to.kind === "pointer" && isNull(value)) return 10;
  if (from.kind === "pointer" && to.kind === "pointer") return rankPointers(from.target, to.target);
  if (from.kind === "pointer" && typeText(to) === "bool") return 15;
  if (from.kind === "class" && isFunctionPointer(to)) return isCallable(from) ? 20 : null;
  if (to.kind === "function") return from.kind === "class" || from.kind === "pointer" ? 20 : null;
  if (isBaseOf(from, to)) return 10;
  return to.kind === "class" || from.kind === "class" ? "user" : null;
}

/** A closure or functor converts to a std::function, which is a pointer to a function here. */
function isCallable(type: ClassType): boolean {
  return memberScope(type.info).own("operator()").length > 0;
}

function rankPointers(from: CxxType, to: CxxType): number | null {
  if (sameType(unqualified(from), unqualified(to))) return from.isConst && !to.isConst ? null : 1;
  if (to.kind === "fundamental" && to.ir.kind === "void") return from.isConst && !to.isConst ? null : 12;
  if (isBaseOf(from, to)) return 10;
  if (gainsConstBelow(from, to)) return from.isConst && !to.isConst ? null : 2;
  return from.kind === "unknown" || to.kind === "unknown" ? 45 : null;
}

/** Whether pointers lead to pointers that differ by a `const` further down: `float**` is a `float const* const*`, but no `float const**`. */
function gainsConstBelow(from: CxxType, to: CxxType): boolean {
  if (from.kind !== "pointer" || to.kind !== "pointer" || !to.isConst) return false;
  if (from.target.isConst && !to.target.isConst) return false;
  return (
    sameType(unqualified(from.target), unqualified(to.target)) || gainsConstBelow(from.target, to.target)
  );
}

function isNull(value: Value): boolean {
  return (
    value.kind === "value" && value.expression.kind === "constant" && Number(value.expression.value) === 0
  );
}

function rankToClass(context: Context, from: CxxType, to: ClassType, value: Value): number | null {
  if (from.kind === "class" && from.info.origin !== "closure") {
    const rank = rankOperator(context, value, to);
    if (rank !== null) return rank;
  }
  if (to.info.name === "dim3" && (isArithmetic(from) || typeText(from) === "uint3")) return userConversion;
  const ranks = to.info.constructors.flatMap(
    (each) => rankConstructor(context, each, { from, to, value }) ?? [],
  );
  return ranks.length === 0 ? null : userConversion + Math.min(...ranks) / 100;
}

interface Wanted {
  readonly from: CxxType;
  readonly to: ClassType;
  readonly value: Value;
}

/** By a constructor that takes one argument and is not explicit. */
function rankConstructor(context: Context, entity: FunctionEntity, wanted: Wanted): number | null {
  const { from, to, value } = wanted;
  const nodes = parameterNodes(entity.declarator ? childOf(entity.declarator, "parameters") : null);
  const required = nodes.filter((node) => node.type === "parameter_declaration").length;
  const [first] = nodes;
  if (first === undefined || required > 1 || isExplicit(entity)) return null;
  if (entity.parameters !== null)
    return takesPointer(first) && from.kind !== "pointer" && !isNull(value) ? null : 5;
  const type = orElse(
    () => instantiate(context, entity, [])?.parameters[0]?.type ?? null,
    () => null,
  );
  if (type === null || type.kind === "unknown") return 5;
  const target = unqualified(referred(type));
  // An object of the class itself would be a copy of what is not there yet.
  if (target.kind === "class" && target.info === to.info) return null;
  if (type.kind === "reference" && from.kind === "array") return null;
  const rank = rankStandard(from, target, value);
  return rank === "user" ? null : rank;
}

function takesPointer(parameter: SyntaxNode): boolean {
  return /^(abstract_)?pointer_declarator$/.test(childOf(parameter, "declarator")?.type ?? "");
}
