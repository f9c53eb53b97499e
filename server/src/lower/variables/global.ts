// Variables of namespaces, static members and static locals: made when first named, their initializers lowered when asked for.
import type { Expression } from "../../ir/expression.ts";
import type { SetBefore, Storage } from "../../ir/variable.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import { type Context, emptyBody, newVariable, rangeOf } from "../context.ts";
import { unknownValue } from "../expressions/build.ts";
import { folding } from "../expressions/constant.ts";
import type { QualifiedVariable, VariableEntity, VariableInfo, VariableLinkage } from "../names/entity.ts";
import { isOfOneInstance, isOfOtherInstance } from "../names/owner.ts";
import type { Scope } from "../names/scope.ts";
import { type CxxType, irTypeOf, unknownOf, whyOpen } from "../types/cxx-type.ts";
import { containsAuto, type Declared, declare } from "../types/declarator.ts";
import { alignmentBetween, specifierWords, typeOfSpecifiers } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import { defaultInitializer, initialize } from "./initialize.ts";
import { setAmong } from "./set-in-sight.ts";

/** The entity of a variable with static storage. */
export function globalVariable(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  name: string,
  linkage: VariableLinkage = "usual",
): VariableEntity {
  let state: VariableInfo | "open" | "busy" = "open";
  return {
    kind: "variable",
    name,
    linkage,
    isDefined: () => linkage !== "declared" || definitionElsewhere(context, name) !== null,
    get: () => {
      if (state === "busy") throw new Unsupported(`${name} is defined by itself`);
      if (state !== "open") return state;
      state = "busy";
      try {
        const info = makeGlobal(context, node, declarator, name, linkage);
        state = info;
        return info;
      } finally {
        if (state === "busy") state = "open";
      }
    },
  };
}

function makeGlobal(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  name: string,
  linkage: VariableLinkage,
): VariableInfo {
  const definition = linkage === "declared" ? definitionElsewhere(context, name) : null;
  if (definition !== null) {
    const at = { ...context, unit: definition.unit };
    return ownGlobal(at, definition.node, definition.declarator, name, specifierWords(context, node));
  }
  const words = specifierWords(context, node);
  const isConstant = words.has("const") || words.has("constexpr");
  const elsewhere =
    linkage === "declared" || (linkage === "inline" && !isConstant)
      ? ofOtherUnit(context, name, linkage)
      : null;
  if (elsewhere === null) return ownGlobal(context, node, declarator, name, words, linkage);
  const at: Context = { ...context, body: emptyBody({ isDevice: false }) };
  const { type } = declaredVariable(at, typeOfSpecifiers(at, node).type, declarator);
  if (containsAuto(type)) return elsewhere;
  if (type.kind !== "array" || type.count !== null) return { ...elsewhere, type };
  // `extern const Entry table[];`: what it has elements of is known here by this unit's own class, how many there.
  return elsewhere.type.kind === "array"
    ? { ...elsewhere, type: { ...type, count: elsewhere.type.count } }
    : elsewhere;
}

function ownGlobal(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  name: string,
  declaredWords: ReadonlySet<string>,
  linkage: VariableLinkage = "usual",
): VariableInfo {
  const at: Context = { ...context, body: emptyBody({ isDevice: false }) };
  const { type: base, words: ownWords } = typeOfSpecifiers(at, node);
  const words = new Set([...declaredWords, ...ownWords]);
  const declared = declaredVariable(at, base, declarator);
  const valueNode = initializerNode(node, declarator);
  const storage = storageOf(words, declared.type, {
    isInDevice: context.body?.isDevice === true,
    hasValue: valueNode !== null,
  });
  const isConstant = declared.type.isConst && storage !== "shared";
  const needsNow =
    containsAuto(declared.type) ||
    (declared.type.kind === "array" && (declared.type.count === null || whyOpen(declared.type) !== null));
  const initial = valueNode && (isConstant || needsNow) ? initialValue(at, declared.type, valueNode) : null;
  const type: CxxType =
    initial?.type ??
    (containsAuto(declared.type) ? unknownOf("auto", `${name} has no initializer`) : declared.type);
  const isInternal =
    context.unit.namespaces.includes("") || (words.has("static") && context.scope.kind !== "class");
  const setBefore =
    storage === "constant"
      ? copiedBefore(context, name, isInternal)
      : storage === "static" && context.body === null && !type.isConst
        ? partsSetBefore(context, name, {
            type,
            isInternal,
            hasValue: valueNode !== null,
          })
        : null;
  const variable = {
    ...newVariable(at, name, irTypeOf(type), {
      storage,
      alignmentBytes: alignmentBetween(at, node, declarator.start),
      range: declared.name ? rangeOf(at, declared.name) : null,
    }),
    ...(setBefore !== null && { setBefore }),
  };
  const isElsewhere = linkage === "declared" && valueNode === null && storage === "static";
  const lower = () => {
    if (isElsewhere) return unknownValue(variable.type, `${name} is defined in another file`);
    if (initial) return initial.expression;
    return valueNode ? initialValue(at, type, valueNode).expression : defaulted(at, type, storage);
  };
  context.translation.setInitializer(variable, lower);
  const constant = isConstant && initial ? constantPart(initial.expression) : null;
  return { type, variable, constant };
}

/** See `Variable.setBefore`; null where it holds what it is initialized with. */
function partsSetBefore(
  context: Context,
  name: string,
  {
    type,
    isInternal,
    hasValue,
  }: { readonly type: CxxType; readonly isInternal: boolean; readonly hasValue: boolean },
): SetBefore | null {
  const parts = setAmong(unitsAround(context, isInternal), name);
  if (type.kind === "class") return parts === null ? null : parts === "whole" ? parts : [...parts];
  // What nobody sets in sight, and is worth nothing as it is, another file sets: a pointer that stays null leads nowhere.
  return parts !== null || (!hasValue && (!isInternal || type.kind === "pointer")) ? "whole" : null;
}

/** The same of `__constant__` variables, which the host copies to. */
function copiedBefore(context: Context, name: string, isInternal: boolean): SetBefore | null {
  return setAmong(unitsAround(context, isInternal), name) === "whole" ? "whole" : null;
}

/** The declarations of all files that may set a variable of this one. */
function unitsAround({ translation }: Context, isInternal: boolean): readonly SyntaxUnit[] {
  const others = isInternal ? [] : translation.linkage.others();
  return [translation.source, ...others].flatMap(({ units }) => units);
}

/** The definition that stands out of its class or namespace, `int Class::count = 4;`. */
function definitionElsewhere(context: Context, name: string): QualifiedVariable | null {
  const { translation, scope } = context;
  if (scope.name === "") return null;
  // Declares what may define it.
  for (let around: Scope | null = scope.namespace(); around; around = around.parent) around.own(name);
  const path = scope.name.replace(/<.*>/g, "");
  const fits = (each: QualifiedVariable) =>
    (each.owner === path || path.endsWith(`::${each.owner}`)) && !isOfOtherInstance(context, each, scope);
  const found = translation.qualifiedVariables.get(name)?.filter(fits) ?? [];
  // One that is declared for this instance alone stands for it, wherever it is defined.
  const own = found.filter(isOfOneInstance);
  const definitions = own.filter(({ node, declarator }) => initializerNode(node, declarator) !== null);
  return own.length > 0 ? (definitions[0] ?? null) : (found[0] ?? null);
}

function ofOtherUnit(
  { translation, unit, scope }: Context,
  name: string,
  is: "declared" | "inline",
): VariableInfo | null {
  return translation.linkage.variableOf({ name, unit, scope, is });
}

/** As `declare`, but what the grammar took for a function, `dim3 grid(N, M)`, is a variable of the type in front. */
export function declaredVariable(context: Context, base: CxxType, declarator: SyntaxNode): Declared {
  if (!isMisreadFunction(declarator)) return declare(context, base, declarator);
  return { ...declare(context, base, childOf(declarator, "declarator")), functionNode: null };
}

/** Of a pointer to function, `(*f)(int)`, the parameters are no values. */
function isMisreadFunction(declarator: SyntaxNode): boolean {
  const isFunction = /function_declarator$/.test(declarator.type);
  return isFunction && childOf(declarator, "declarator")?.type !== "parenthesized_declarator";
}

function constantPart(value: Expression): Expression | null {
  return value.kind === "constant" || value.kind === "aggregate" ? value : null;
}

/**
 * Without initializer: a class is built by its default constructor, or its members as they are declared; everything else is zero or set elsewhere.
 * What the GPU has without initializer the host fills.
 */
function defaulted(context: Context, type: CxxType, storage: Storage): Expression | null {
  if (type.kind !== "class") return null;
  if (type.info.constructors.length > 0) return initialize(context, type, null).expression;
  if (type.info.origin !== "source" || storage !== "static") return null;
  const { record, isExact } = type.info.layout();
  const zeros = isExact ? ({ kind: "aggregate", type: record, parts: [] } as const) : null;
  return defaultInitializer(context, type) ?? zeros;
}

function initialValue(
  context: Context,
  type: CxxType,
  node: SyntaxNode,
): { type: CxxType; expression: Expression } {
  const initial = initialize(context, type, node);
  return { type: initial.type, expression: folding(context, initial.expression) };
}

/** The value of an init_declarator, or the default_value of a static member. */
export function initializerNode(node: SyntaxNode, declarator: SyntaxNode): SyntaxNode | null {
  if (declarator.type === "init_declarator") return childOf(declarator, "value");
  if (/function_declarator$/.test(declarator.type))
    return isMisreadFunction(declarator) ? childOf(declarator, "parameters") : null;
  // A field_declaration has its values beside its declarators.
  const index = node.children.indexOf(declarator);
  const next = node.children.slice(index + 1).find((child) => child.type !== "=");
  return next && (next.field === "default_value" || next.field === "value") ? next : null;
}

interface Declaration {
  /** In a function of the device. */
  readonly isInDevice: boolean;
  readonly hasValue: boolean;
}

/** Where a declaration of a namespace or class, or a static one in a function, puts its variable. */
export function storageOf(
  words: ReadonlySet<string>,
  type: CxxType,
  { isInDevice, hasValue }: Declaration,
): Storage {
  if (words.has("__shared__")) {
    const isOpen = type.kind === "array" && (type.count === null || whyOpen(type) !== null);
    return words.has("extern") && isOpen ? "dynamic-shared" : "shared";
  }
  if (words.has("__constant__")) return "constant";
  if (words.has("__managed__")) return "device";
  if (!words.has("__device__") && !isInDevice) return "static";
  return type.isConst && hasValue ? "device-constant" : "device";
}
