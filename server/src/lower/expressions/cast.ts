// Casts of all spellings, sizeof, alignof and offsetof, compound literals.
import { alignmentOf } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { sideOf, textOf } from "../context.ts";
import { withoutMisreadCasts } from "../misread/cast.ts";
import { postfixBehindCast } from "../misread/postfix.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { lookupNode } from "../names/names.ts";
import { deducedClass } from "../templates/class-arguments.ts";
import { baseOffset, fieldOf } from "../types/class.ts";
import {
  type CxxType,
  irTypeOf,
  pointerTo,
  referred,
  strideOn,
  typeText,
  unsignedLongType,
  voidType,
} from "../types/cxx-type.ts";
import { resolveType, typeOfDescriptor } from "../types/type-specifier.ts";
import { classMark } from "../types/virtual.ts";
import { Unsupported } from "../unsupported.ts";
import { withPadding } from "../variables/image.ts";
import { construct } from "../variables/initialize.ts";
import { initializeFromList } from "../variables/initialize-list.ts";
import { constantOf, convertOf } from "./build.ts";
import { argumentValues, callSet, castInDisguise, handOver } from "./call.ts";
import { castValue } from "./convert.ts";
import { expression } from "./expression.ts";
import { isText, textType } from "./text-literal.ts";
import {
  dereference,
  integerValue,
  opaque,
  pointerToPlace,
  readValue,
  rvalueOf,
  typeOfValue,
  unknownOfType,
  unknownSizeOf,
  type Value,
} from "./value.ts";

/** `(T)x`. */
export function castExpression(context: Context, node: SyntaxNode): Value {
  const repaired = withoutMisreadCasts(context, node);
  if (repaired) return expression(context, repaired);
  const type = childOf(node, "type");
  const value = childOf(node, "value");
  if (type === null || value === null) throw new Unsupported("an incomplete cast");
  return castValue(context, expression(context, value), typeOfDescriptor(context, type));
}

/** `(T)(x)[i]`, the cast of `(x)[i]`, and its like with members and calls; null where no type stands first. */
export function castOfPostfix(context: Context, node: SyntaxNode): Value | null {
  const misread = postfixBehindCast(node);
  const type = misread && castInDisguise(context, misread.callee);
  return misread && type ? castValue(context, expression(context, misread.value), type) : null;
}

/** `static_cast<T>(x)` and its like; null for any other name. */
export function namedCast(context: Context, name: string, list: SyntaxNode, given: SyntaxNode): Value | null {
  if (!/^(static|reinterpret|const|dynamic)_cast$/.test(name)) return null;
  const [typeNode] = namedChildren(list);
  const [value] = argumentValues(context, given);
  if (!typeNode || !value) throw new Unsupported(`an incomplete ${name}`);
  const type = typeOfDescriptor(context, typeNode);
  const found = name === "dynamic_cast" ? dynamicCast(context, value, type, given) : null;
  return found ?? castValue(context, value, type);
}

/** A cast that asks the object what it is; null where its type says so already. */
function dynamicCast(context: Context, value: Value, type: CxxType, node: SyntaxNode): Value | null {
  if (sideOf(context) !== "host" || (type.kind !== "pointer" && type.kind !== "reference")) return null;
  const pointer = type.kind === "reference" && value.kind === "place" ? pointerToPlace(value) : null;
  const given = pointer ?? readValue(context, value).expression;
  const from = pointer ? typeOfValue(value) : pointedTo(typeOfValue(value));
  const to = type.target;
  if (from?.kind !== "class" || to.kind !== "class" || baseOffset(from.info, to.info) !== null) return null;
  const candidates = context.translation.global
    .own("__warplint_dynamic_cast")
    .filter((entity): entity is FunctionEntity => entity.kind === "function");
  const mark = classMark(context, to.info);
  if (mark === null || candidates.length === 0) return null;
  const set = { kind: "functions", name: "dynamic_cast", candidates, explicit: null, object: null } as const;
  const operands = [given, mark].map((each) =>
    rvalueOf(pointerTo(voidType), convertOf(each, irTypeOf(pointerTo(voidType)))),
  );
  const found = readValue(context, callSet(context, set, operands, node)).expression;
  const result = convertOf(found, irTypeOf(pointerTo(to)));
  return type.kind === "reference" ? dereference(result, to) : rvalueOf(pointerTo(to), result);
}

function pointedTo(type: CxxType): CxxType | null {
  const plain = referred(type);
  return plain.kind === "pointer" ? plain.target : null;
}

/** `T(a, b)`, `T()`. */
export function functionalCast(
  context: Context,
  type: CxxType,
  given: readonly Value[],
  node: SyntaxNode,
): Value {
  if (type.kind === "auto" && type.template)
    return functionalCast(
      context,
      deducedClass(context, type.template, { values: given, list: null }),
      given,
      node,
    );
  const [only] = given;
  if (type.kind === "class") return rvalueOf(type, construct(context, type, given, node));
  if (given.length === 0) return zeroOf(type);
  if (type.kind === "unknown") return opaque(type.name, type.reason, handOver(context, given, type.reason));
  if (given.length === 1 && only) return castValue(context, only, type);
  throw new Unsupported(`${typeText(type)} of several values`);
}

export function zeroOf(type: CxxType): Value {
  const plain = irTypeOf(type);
  if (plain.kind === "record")
    return rvalueOf(type, { kind: "aggregate", type: plain, parts: withPadding(plain, []) });
  if (plain.kind === "array") return rvalueOf(type, { kind: "aggregate", type: plain, parts: [] });
  if (plain.kind === "unknown") return unknownOfType(type, plain.reason);
  return rvalueOf(type, constantOf(plain, 0));
}

/** `T{…}`; without a type the grammar has it for the `{}` of a parameter that is given none: `void f(Options options = {})`. */
export function compoundLiteral(context: Context, node: SyntaxNode): Value {
  const typeNode = childOf(node, "type");
  const value = childOf(node, "value");
  if (typeNode === null || value === null) throw new Unsupported("an incomplete literal");
  if (typeNode.start === typeNode.end) return { kind: "list", node: value, context };
  const initial = initializeFromList(context, resolveType(context, typeNode), value);
  return rvalueOf(initial.type, initial.expression);
}

/** `sizeof(T)`, `sizeof x`, `sizeof...(Ts)`, `alignof(T)`. */
export function sizeofExpression(context: Context, node: SyntaxNode): Value {
  if (node.children.some((child) => child.type === "...")) return packLength(context, node);
  const type = operandType(context, node);
  const plain = irTypeOf(referred(type));
  const bytes =
    node.type === "alignof_expression" ? alignmentOf(plain) : strideOn(sideOf(context), referred(type));
  if (bytes === null) {
    return unknownOfType(unsignedLongType, type.kind === "unknown" ? type.reason : unknownSizeOf(type));
  }
  return integerValue(bytes, unsignedLongType);
}

/** `offsetof(T, member)`. */
export function offsetofExpression(context: Context, node: SyntaxNode): Value {
  const type = childOf(node, "type");
  const member = childOf(node, "member");
  if (type === null || member === null) throw new Unsupported("an incomplete offsetof");
  const of = typeOfDescriptor(context, type);
  const field = of.kind === "class" ? fieldOf(of.info, textOf(context, member)) : null;
  if (field) return integerValue(field.offsetBytes, unsignedLongType);
  return unknownOfType(
    unsignedLongType,
    `where ${textOf(context, member)} lies in ${typeText(of)} is not known`,
  );
}

function packLength(context: Context, node: SyntaxNode): Value {
  const name = namedChildren(node)[0];
  const [entity] = name ? context.scope.lookup(textOf(context, name)) : [];
  if (entity?.kind !== "pack") throw new Unsupported("sizeof... of no pack");
  return integerValue(entity.elements.length, unsignedLongType);
}

function operandType(context: Context, node: SyntaxNode): CxxType {
  const typeNode = childOf(node, "type");
  if (typeNode) return typeOrValueType(context, typeNode);
  const value = childOf(node, "value");
  if (value === null) throw new Unsupported("sizeof of nothing");
  const inner = value.type === "parenthesized_expression" ? namedChildren(value)[0] : value;
  if (inner && /^(identifier|qualified_identifier|type_identifier)$/.test(inner.type)) {
    const named = typeOrNull(context, inner);
    if (named) return named;
  }
  if (inner && isText(inner)) return textType(context, inner);
  return typeOfValue(expression(context, value));
}

/** The grammar takes `sizeof(x)` of a variable for a type at times: the name's declaration decides. */
function typeOrValueType(context: Context, node: SyntaxNode): CxxType {
  const typeNode = childOf(node, "type");
  const isName = typeNode && node.children.length === 1 && /identifier$/.test(typeNode.type);
  if (!isName) return typeOfDescriptor(context, node);
  const named = typeOrNull(context, typeNode);
  if (named) return named;
  const [entity] = lookupNode(context, typeNode).entities;
  if (entity?.kind === "variable" || entity?.kind === "constant" || entity?.kind === "field") {
    return typeOfValue(expression(context, typeNode));
  }
  return typeOfDescriptor(context, node);
}

function typeOrNull(context: Context, node: SyntaxNode): CxxType | null {
  const [entity] = lookupNode(context, node).entities;
  if (entity !== undefined && entity.kind !== "type" && entity.kind !== "template") return null;
  const type = resolveType(context, node);
  return type.kind === "unknown" && entity === undefined && !isTypeName(type.name) ? null : type;
}

function isTypeName(name: string): boolean {
  return /::|_t$/.test(name);
}
