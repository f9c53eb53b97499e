// Declarations inside functions: locals, shared arrays, static tables, structured bindings.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf, uint64 } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, childrenOf, namedChildren } from "../../syntax/node.ts";
import type { SourceRange } from "../../text/source.ts";
import { type Context, inScope, newVariable, noteGap, rangeOf, textOf } from "../context.ts";
import {
  addressOf,
  binaryOf,
  constantOf,
  convertOf,
  loadOf,
  partOf,
  variablePlace,
} from "../expressions/build.ts";
import { argumentValues } from "../expressions/call.ts";
import { folding } from "../expressions/constant.ts";
import { convertValue } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { fieldValue } from "../expressions/member.ts";
import { dereference, type LValue, materialized, opaque, type Value } from "../expressions/value.ts";
import { functionParts } from "../functions/declared-function.ts";
import { isRestricted } from "../functions/instance.ts";
import { declareNode, looksLikeVariable } from "../names/declare.ts";
import {
  type ArrayType,
  type ClassType,
  type CxxType,
  irTypeOf,
  pointerTo,
  qualify,
  referenceTo,
  sameType,
  typeText,
  unknownOf,
  unsignedLongType,
  whyOpen,
} from "../types/cxx-type.ts";
import { containsAuto, type Declared, declare } from "../types/declarator.ts";
import { alignmentBetween, resolveType, type Specifiers, typeOfSpecifiers } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import { readCopy } from "./copy.ts";
import { declaredVariable, globalVariable, initializerNode, storageOf } from "./global.ts";
import { constructAt, defaultInitializer, initialize, misreadValues } from "./initialize.ts";
import { listArguments } from "./initialize-list.ts";

export function localDeclaration(context: Context, node: SyntaxNode): Statement[] {
  const typeNode = childOf(node, "type");
  if (typeNode && /_specifier$/.test(typeNode.type) && childOf(typeNode, "body"))
    declareNode(context, typeNode, null);
  const declarators = childrenOf(node, "declarator");
  if (declarators.length === 0) return typeNode ? anonymousUnion(context, typeNode) : [];
  const specifiers = typeOfSpecifiers(context, node);
  return declarators.flatMap((declarator) => declareLocal(context, node, declarator, specifiers));
}

function declareLocal(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  specifiers: Specifiers,
): Statement[] {
  const inner = declarator.type === "init_declarator" ? childOf(declarator, "declarator") : declarator;
  if (inner?.type === "structured_binding_declarator" || findBinding(declarator)) {
    return structuredBinding(context, node, declarator);
  }
  const { functionNode } = functionParts(declarator);
  const isPointer = functionNode && childOf(functionNode, "declarator")?.type === "parenthesized_declarator";
  if (functionNode && !isPointer) {
    if (!looksLikeVariable(context, node, functionNode)) {
      declareNode(context, node, null);
      return [];
    }
    return automatic(context, node, declarator, declaredVariable(context, specifiers.type, functionNode));
  }
  const { words } = specifiers;
  const isShared = words.has("__shared__");
  if (isShared || words.has("static") || words.has("extern") || words.has("__constant__")) {
    return withStorage(context, node, declarator, specifiers);
  }
  return automatic(context, node, declarator, declare(context, specifiers.type, declarator));
}

// --- shared and static

function withStorage(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  { type: base, words }: Specifiers,
): Statement[] {
  if (!words.has("__shared__")) {
    const { nameNode } = functionParts(declarator);
    const name = nameNode ? textOf(context, nameNode) : "";
    const [known] = words.has("extern") ? context.scope.namespace().own(name) : [];
    if (known?.kind === "variable") context.scope.redeclare(name, known);
    else if (words.has("extern")) {
      const outside = inScope(context, context.scope.namespace());
      context.scope.redeclare(name, globalVariable(outside, node, declarator, name, "declared"));
    } else context.scope.redeclare(name, globalVariable(context, node, declarator, name));
    return [];
  }
  const declared = declare(context, base, declarator);
  if (declared.name === null) return [];
  const storage = storageOf(words, declared.type, { isInDevice: true, hasValue: false });
  if (declared.type.kind === "array" && declared.type.count === null && storage !== "dynamic-shared") {
    throw new Unsupported(`the size of ${textOf(context, declared.name)} is not constant`);
  }
  const variable = newVariable(context, textOf(context, declared.name), irTypeOf(declared.type), {
    storage,
    alignmentBytes: alignmentBetween(context, node, declarator.start),
    range: rangeOf(context, declared.name),
  });
  bind(context, declared.type, variable, null);
  return [{ kind: "declare", variable, initializer: null, range: rangeOf(context, node) }];
}

// --- automatic

function automatic(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  declared: Declared,
): Statement[] {
  const nameNode = declared.name;
  if (nameNode === null) throw new Unsupported("a declaration without a name");
  const valueNode = initializerNode(node, declarator);
  if (isOpenArray(declared.type) && valueNode === null && context.body?.isDevice !== true)
    return hostArray(context, node, declarator, declared);
  if (declared.type.kind === "unknown" && context.body?.isDevice === true)
    noteGap(context, declared.type.reason);
  const pointer = declarator.type === "init_declarator" ? childOf(declarator, "declarator") : declarator;
  const promise = isRestricted(context, pointer) ? { isRestrictedLocal: true } : {};
  const variableOf = (type: CxxType) => ({
    ...newVariable(context, textOf(context, nameNode), irTypeOf(type), {
      alignmentBytes: alignmentBetween(context, node, declarator.start),
      range: rangeOf(context, nameNode),
    }),
    ...promise,
  });
  // The name holds in its own initializer: `T (*rows)[8] = reinterpret_cast<decltype(rows)>(p)`.
  const early =
    valueNode === null || containsAuto(declared.type) || isOpenArray(declared.type)
      ? null
      : variableOf(declared.type);
  if (early) bind(context, declared.type, early, null);
  const whole = initialOf(context, declared.type, valueNode);
  const type: CxxType = whole?.type ?? declared.type;
  if (containsAuto(type)) throw new Unsupported(`${textOf(context, nameNode)} has no initializer`);
  const variable = early && sameType(type, declared.type) ? early : variableOf(type);
  const range = rangeOf(context, node);
  const direct = constructed(context, type, valueNode, variable);
  if (direct) {
    bind(context, type, variable, null);
    return [
      { kind: "declare", variable, initializer: null, range },
      { kind: "evaluate", expression: direct, range },
    ];
  }
  const initializer = whole ? foldedIfConstant(context, type, whole.expression) : null;
  const isConstant = type.isConst && (initializer?.kind === "constant" || isTable(initializer));
  bind(context, type, variable, isConstant ? initializer : null);
  // Template arguments may be parts of it.
  if (type.isConst && type.kind === "class") context.translation.setInitializer(variable, () => initializer);
  return [{ kind: "declare", variable, initializer, range }];
}

function initialOf(
  context: Context,
  type: CxxType,
  node: SyntaxNode | null,
): { type: CxxType; expression: Expression } | null {
  if (type.kind === "class" && type.info.constructors.length > 0 && isDirect(node)) return null;
  if (node === null) {
    const value = defaultInitializer(context, type);
    return value ? { type, expression: value } : null;
  }
  return initialize(context, type, node);
}

/** `T x;`, `T x(a)`, `T x{a}`: the constructor runs on the variable itself. */
function isDirect(node: SyntaxNode | null): boolean {
  return node === null || /^(argument_list|initializer_list|parameter_list)$/.test(node.type);
}

function constructed(
  context: Context,
  type: CxxType,
  node: SyntaxNode | null,
  variable: Parameters<typeof variablePlace>[0],
): Expression | null {
  if (type.kind !== "class" || type.info.constructors.length === 0 || !isDirect(node)) return null;
  const given = node === null ? [] : valuesIn(context, type, node);
  const [only] = given;
  if (
    given.length === 1 &&
    only?.kind === "place" &&
    only.type.kind === "class" &&
    only.type.info === type.info
  ) {
    const value = readCopy(context, only).expression;
    const place = variablePlace(variable);
    return { kind: "assign", type: value.type, place, value, site: null };
  }
  return constructAt(context, type, addressOf(variablePlace(variable)), given, node);
}

function valuesIn(context: Context, type: ClassType, node: SyntaxNode): Value[] {
  if (node.type === "initializer_list") return listArguments(context, type, node);
  if (node.type === "argument_list") return argumentValues(context, node);
  return misreadValues(context, node);
}

/** A const scalar with a constant initializer is that constant wherever it is read. */
function foldedIfConstant(context: Context, type: CxxType, value: Expression): Expression {
  const isScalarConstant = type.isConst && type.kind !== "class" && type.kind !== "array";
  return isScalarConstant ? folding(context, value) : value;
}

function isTable(value: Expression | null): boolean {
  return (
    value?.kind === "aggregate" &&
    value.parts.every((part) => part.value.kind === "constant" || isTable(part.value))
  );
}

function bind(
  context: Context,
  type: CxxType,
  variable: Parameters<typeof variablePlace>[0],
  constant: Expression | null,
): void {
  const { name } = variable;
  context.scope.redeclare(name, { kind: "variable", name, get: () => ({ type, variable, constant }) });
}

/** `union { int i; float f; };` in a function: an object without a name, whose members are named as variables are. */
export function anonymousUnion(context: Context, typeNode: SyntaxNode): Statement[] {
  const isAnonymous = childOf(typeNode, "name") === null && childOf(typeNode, "body") !== null;
  const type = isAnonymous && typeNode.type === "union_specifier" ? resolveType(context, typeNode) : null;
  if (type?.kind !== "class") return [];
  const range = rangeOf(context, typeNode);
  const variable = newVariable(context, "union", irTypeOf(type), { range });
  bindMembers(context, type, variable, 0);
  return [{ kind: "declare", variable, initializer: null, range }];
}

function bindMembers(context: Context, type: ClassType, variable: Variable, offset: number): void {
  for (const { name, type: member, offsetBytes: within } of type.info.layout().fields) {
    const offsetBytes = offset + within;
    if (name === "" && member.kind === "class") bindMembers(context, member, variable, offsetBytes);
    const info = { type: member, variable, constant: null, offsetBytes };
    context.scope.redeclare(name, { kind: "variable", name, get: () => info });
  }
}

// --- arrays of run-time size, as host code has them

function isOpenArray(type: CxxType): boolean {
  return type.kind === "array" && (type.count === null || whyOpen(type) !== null);
}

/** `float a[n]` is a pointer to memory of that size. */
function hostArray(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  declared: Declared,
): Statement[] {
  const size = childOf(declarator, "size");
  if (declared.type.kind !== "array" || size === null || declared.name === null) {
    throw new Unsupported("an array without a size");
  }
  const { element } = declared.type;
  const bytes = sizeOf(irTypeOf(element));
  if (bytes === null) throw new Unsupported(`the size of ${typeText(element)} is not known`);
  const count = convertValue(context, expression(context, size), unsignedLongType);
  const type = pointerTo(element);
  const range = rangeOf(context, node);
  const memory: Expression = {
    kind: "intrinsic",
    name: "malloc",
    type: { kind: "pointer", target: { kind: "void" } },
    arguments: [binaryOf("*", uint64, count, constantOf(uint64, bytes))],
    site: null,
    range,
  };
  const variable = newVariable(context, textOf(context, declared.name), irTypeOf(type), {
    range: rangeOf(context, declared.name),
  });
  bind(context, type, variable, null);
  return [{ kind: "declare", variable, initializer: convertOf(memory, irTypeOf(type)), range }];
}

// --- structured bindings

function findBinding(declarator: SyntaxNode): SyntaxNode | null {
  if (declarator.type === "structured_binding_declarator") return declarator;
  for (const child of declarator.children) {
    if (!/declarator$/.test(child.type)) continue;
    const found = findBinding(child);
    if (found) return found;
  }
  return null;
}

/** `auto [a, b] = record;`: each name is a field of a hidden copy, or of the object itself for `auto&`. */
function structuredBinding(context: Context, node: SyntaxNode, declarator: SyntaxNode): Statement[] {
  const valueNode = initializerNode(node, declarator);
  if (!valueNode) throw new Unsupported("a binding without an initializer");
  return bindParts(context, declarator, expression(context, valueNode), rangeOf(context, node));
}

/** Whether a declarator is `[a, b]`, `&[a, b]` or `&&[a, b]`. */
export function isBinding(declarator: SyntaxNode): boolean {
  return findBinding(declarator) !== null;
}

/** `auto& [a, b] = …`; `auto [a, b] = …` has parts of a copy. */
function bindsReference(declarator: SyntaxNode): boolean {
  const inner = declarator.type === "init_declarator" ? childOf(declarator, "declarator") : declarator;
  return inner?.type === "reference_declarator";
}

/** Declares the names of a structured binding as the parts of `value`. */
export function bindParts(
  context: Context,
  declarator: SyntaxNode,
  value: Value,
  range: SourceRange,
): Statement[] {
  const binding = findBinding(declarator);
  if (!binding) throw new Unsupported("a binding without names");
  const names = namedChildren(binding).map((each) => textOf(context, each));
  const isArray = value.kind === "place" && value.type.kind === "array";
  const read: Value = bindsReference(declarator) || isArray ? value : readCopy(context, value);
  if ((read.kind !== "place" && read.kind !== "value") || (read.type.kind !== "class" && !isArray)) {
    for (const name of names) declareOpaque(context, name);
    const unknown = opaque(
      "binding",
      "a binding of an unknown record",
      read.kind === "value" ? [read.expression] : [],
    );
    return [{ kind: "evaluate", expression: unknown.expression, range }];
  }
  const held = materialized(context, read);
  const statements = held.effects.map((each): Statement => ({ kind: "evaluate", expression: each, range }));
  const { object, variable, reached } = heldBinding(context, { ...held, effects: [] }, range);
  statements.push(...reached);
  for (const [index, part] of partsOf(object).entries()) {
    const name = names[index];
    if (name === undefined || part.kind !== "place" || part.effects.length > 0)
      throw new Unsupported("a binding of this form");
    const info = { type: part.type, variable, constant: null, place: part.place };
    context.scope.redeclare(name, { kind: "variable", name, get: () => info });
  }
  return statements;
}

/** The object whose parts are named: the variable that it is, or what a reference of its own leads to. */
function heldBinding(
  context: Context,
  object: LValue,
  range: SourceRange,
): { readonly object: LValue; readonly variable: Variable; readonly reached: readonly Statement[] } {
  if (object.place.kind === "variable") return { object, variable: object.place.variable, reached: [] };
  const type = referenceTo(object.type, "lvalue");
  const variable = newVariable(context, "[…]", irTypeOf(type));
  const reached: Statement = { kind: "declare", variable, initializer: addressOf(object.place), range };
  const whole = dereference(loadOf(variablePlace(variable), null), object.type, { node: object.node });
  return { object: whole, variable, reached: [reached] };
}

/** The elements of an array, the fields of a record in order; of a std::tuple or std::array (lower/headers) its elements. */
function partsOf(object: LValue): Value[] {
  const { type } = object;
  if (type.kind === "array") return elementsOf(object, type);
  if (type.kind !== "class") return [];
  const parts = type.info.layout().fields.map((field) => fieldValue(object, field, null));
  const [first, tail] = parts;
  if (type.info.qualifiedName.startsWith("std::array") && first?.kind === "place") return partsOf(first);
  if (!type.info.qualifiedName.startsWith("std::tuple")) return parts;
  return first && tail?.kind === "place" ? [first, ...partsOf(tail)] : parts;
}

function elementsOf(array: LValue, { element, count, isConst }: ArrayType): Value[] {
  const type = irTypeOf(element);
  const strideBytes = sizeOf(type);
  if (typeof count !== "number" || strideBytes === null)
    throw new Unsupported("a binding of an unknown array");
  return Array.from({ length: count }, (_, index) => ({
    ...array,
    type: qualify(element, { isConst }),
    place: partOf(array.place, index * strideBytes, type),
    constant: null,
  }));
}

function declareOpaque(context: Context, name: string): void {
  const type = unknownOf(name, `${name} is part of an unknown record`);
  bind(context, type, newVariable(context, name, irTypeOf(type)), null);
}
