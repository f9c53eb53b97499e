// Calls in the text: of functions, members, closures, types used as functions, casts with names, and CUDA's own functions.
import type { Expression } from "../../ir/expression.ts";
import { functionType, isScalar, type Type } from "../../ir/type.ts";
import { undeclaredReason } from "../../ir/undeclared.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { builtinCall } from "../builtins/function.ts";
import { isByValue, isLibraryName, isUnanalysedCopy } from "../builtins/library.ts";
import { builtinType, fundamentalOf } from "../builtins/type.ts";
import { type Context, noteGap, rangeOf, textOf } from "../context.ts";
import { callInstance } from "../functions/call-function.ts";
import { resolveOverload } from "../functions/overload.ts";
import { referenceToFunction } from "../functions/reference.ts";
import { withoutMisreadTemplates } from "../misread/comparison.ts";
import type { Entity, FunctionEntity } from "../names/entity.ts";
import { lookupNode, memberScope, type NamedEntities } from "../names/names.ts";
import { expandPack, packsIn } from "../templates/pack.ts";
import { type CxxType, type FunctionType, irTypeOf, typeText, unknownOf } from "../types/cxx-type.ts";
import { resolveType } from "../types/type-specifier.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { loadOf, sequenceOf, unknownValue } from "./build.ts";
import { functionalCast, namedCast } from "./cast.ts";
import { castValue, convertValue, resultValue } from "./convert.ts";
import { expression, namedValue } from "./expression.ts";
import { forgottenPlace, forgottenThrough } from "./forgotten.ts";
import { implicitObject } from "./member.ts";
import {
  type FunctionSet,
  type LValue,
  opaque,
  pointerToPlace,
  readValue,
  rvalueOf,
  siteOf,
  type Value,
} from "./value.ts";

export function call(context: Context, node: SyntaxNode): Value {
  const callee = childOf(node, "function");
  const list = childOf(node, "arguments");
  if (callee === null || list === null) throw new Unsupported("an incomplete call");
  if (node.children.some((child) => child.type === "kernel_call_syntax")) {
    throw new Unsupported("a kernel launch inside an expression");
  }
  const comparison = callee.type === "template_function" ? withoutMisreadTemplates(context, node) : null;
  if (comparison) return expression(context, comparison);
  const fundamental = fundamentalNamed(context, callee);
  if (fundamental) return functionalCast(context, fundamental, argumentValues(context, list), node);
  if (callee.type === "type_identifier" || isName(callee)) {
    return callNamed(context, node, callee, list);
  }
  const cast = castInDisguise(context, callee);
  if (cast) {
    const [value] = argumentValues(context, list);
    if (value) return castValue(context, value, cast);
  }
  const target = expression(context, callee);
  return callValue(context, target, argumentValues(context, list), node);
}

/** `(T)(x)` and `(T)-x` parse as a call or a subtraction: the type that the parentheses hold, or null. */
export function castInDisguise(context: Context, node: SyntaxNode): CxxType | null {
  if (node.type !== "parenthesized_expression") return null;
  const [inner] = namedChildren(node);
  const fundamental = inner ? fundamentalNamed(context, inner) : null;
  if (fundamental) return fundamental;
  if (!inner || !isName(inner)) return null;
  const found = lookupNode(context, inner);
  return typeNamed(context, inner, found);
}

/** The arguments in an argument_list, packs expanded. */
export function argumentValues(context: Context, list: SyntaxNode): Value[] {
  const values: Value[] = [];
  for (const child of list.children) {
    if (!child.isNamed) continue;
    if (child.type === "parameter_pack_expansion") values.push(...packValues(context, child));
    else values.push(expression(context, child));
  }
  return values;
}

function packValues(context: Context, node: SyntaxNode): Value[] {
  const pattern = childOf(node, "pattern") ?? namedChildren(node)[0];
  if (!pattern || packsIn(context, pattern).length === 0)
    throw new Unsupported("an expansion without a pack");
  return expandPack(context, pattern, (inner) => expression(inner, pattern));
}

function callNamed(context: Context, node: SyntaxNode, callee: SyntaxNode, list: SyntaxNode): Value {
  const found = lookupNode(context, callee);
  if (found.arguments && !found.isQualified) {
    const cast = namedCast(context, found.name, found.arguments, list);
    if (cast) return cast;
  }
  const type = typeNamed(context, callee, found);
  const given = argumentValues(context, list);
  if (type) return functionalCast(context, type, given, node);
  const candidates = functionsOf([...found.entities, ...argumentDependent(found, given)]);
  if (candidates.length > 0 && !candidates.every(isDeclaredRuntime))
    return callSet(context, setOf(context, found, candidates), given, node);
  if (found.entities.length > candidates.length)
    return callValue(context, namedValue(context, callee, found), given, node);
  return callLibrary(context, found, given, node);
}

/** `extern "C" int cudaMalloc(void**, size_t);`: who does without CUDA's headers declares its functions. */
function isDeclaredRuntime({ name, body, parameters, memberOf, scope }: FunctionEntity): boolean {
  const isGlobal = memberOf === null && scope.parent === null;
  return isGlobal && body === null && parameters === null && /^cuda[A-Z]/.test(name);
}

function setOf(context: Context, found: NamedEntities, candidates: readonly FunctionEntity[]): FunctionSet {
  return {
    kind: "functions",
    name: found.name,
    candidates,
    explicit: found.arguments ? { node: found.arguments, context } : null,
    object: null,
  };
}

function isName({ type }: SyntaxNode): boolean {
  return type === "identifier" || type === "qualified_identifier" || type === "template_function";
}

/** `float(x)`; the grammar takes `short` and the like for names where they are called. Null where the callee is no such type. */
function fundamentalNamed(context: Context, callee: SyntaxNode): CxxType | null {
  if (callee.type === "primitive_type" || callee.type === "sized_type_specifier")
    return resolveType(context, callee);
  return callee.type === "identifier" ? fundamentalOf([textOf(context, callee)]) : null;
}

/** Whether the callee of a call names a type. */
export function namesType(context: Context, callee: SyntaxNode): boolean {
  if (fundamentalNamed(context, callee)) return true;
  if (!isName(callee)) return false;
  return typeNamed(context, callee, lookupNode(context, callee)) !== null;
}

/** A type used as a function: `float4(…)`, `Foo<T>(…)`, a typedef; null where the name is no type. */
function typeNamed(context: Context, callee: SyntaxNode, found: NamedEntities): CxxType | null {
  const [entity] = found.entities;
  if (entity === undefined) {
    if (found.arguments !== null) return null;
    const { qualifiedName } = found;
    return builtinType(
      qualifiedName.includes("std::") ? qualifiedName.replace(/^(cuda::)?std::/, "") : qualifiedName,
    );
  }
  if (entity.kind === "type") return entity.type();
  if (entity.kind === "template" && entity.of !== "variable") return resolveType(context, callee);
  return null;
}

function functionsOf(entities: readonly Entity[]): FunctionEntity[] {
  return entities.filter((entity): entity is FunctionEntity => entity.kind === "function");
}

/** Functions of the namespaces in which the classes of the arguments live. */
function argumentDependent(found: NamedEntities, given: readonly Value[]): Entity[] {
  if (found.isQualified || found.entities.some((entity) => entity.kind === "function" && entity.memberOf))
    return [];
  const known = new Set<Entity>(found.entities);
  const result: Entity[] = [];
  for (const value of given) {
    if ((value.kind !== "place" && value.kind !== "value") || value.type.kind !== "class") continue;
    for (const entity of value.type.info.scope.namespace().own(found.name)) {
      if (entity.kind === "function" && !known.has(entity)) result.push(entity);
      known.add(entity);
    }
  }
  return result;
}

/** Calls the function of a set that fits. */
export function callSet(
  context: Context,
  set: FunctionSet,
  given: readonly Value[],
  node: SyntaxNode,
): Value {
  const instance = resolveOverload(context, set, given);
  if (instance === null) {
    const builtin = builtinCall(context, set.name, given, null, node);
    if (builtin) return builtin;
    const reason = `no function ${set.name} fits the arguments`;
    noteGap(context, reason);
    return opaque(set.name, reason, handOver(context, given, reason));
  }
  const object = set.object ?? (instance.self ? implicitObject(context, instance.self) : null);
  return callInstance(context, instance, { object, arguments: given, node });
}

/** Calls a value: a function pointer, a closure, an object with operator(). */
function callValue(context: Context, target: Value, given: readonly Value[], node: SyntaxNode): Value {
  if (target.kind === "functions") return callSet(context, target, given, node);
  if (target.kind === "list") throw new Unsupported("a call of a brace list");
  if (target.type.kind === "class") {
    const candidates = functionsOf(memberScope(target.type.info).own("operator()"));
    if (candidates.length === 0) throw new Unsupported(`${target.type.info.name} is not a function`);
    const set: FunctionSet = {
      kind: "functions",
      name: "operator()",
      candidates,
      explicit: null,
      object: target,
    };
    return callSet(context, set, given, node);
  }
  // A member of what is not known is called, not read.
  const isNamed = target.kind === "place" && target.type.kind === "unknown";
  const read = isNamed ? rvalueOf(target.type, pointerToPlace(target)) : readValue(context, target);
  const signature = signatureOf(read.type);
  if (signature && read.expression.kind === "function") {
    const instance = context.translation.instanceOf(read.expression.callee);
    if (instance) return callInstance(context, instance, { object: null, arguments: given, node });
  }
  if (signature) return callIndirect(context, signature, read.expression, given, node);
  const reason = read.type.kind === "unknown" ? read.type.reason : "a call of what is no function";
  if (context.body?.isDevice && !isLibraryName(typeText(read.type))) noteGap(context, reason);
  return opaque("()", reason, [read.expression, ...handOver(context, given, reason)]);
}

/** The function that a value of the type is called as, through a pointer or not; null where it can be none. */
export function signatureOf(type: CxxType): FunctionType | null {
  if (type.kind === "function") return type;
  return type.kind === "pointer" && type.target.kind === "function" ? type.target : null;
}

function callIndirect(
  context: Context,
  signature: FunctionType,
  callee: ReturnType<typeof readValue>["expression"],
  given: readonly Value[],
  node: SyntaxNode,
): Value {
  const list = given.map((value, index) => {
    const type = signature.parameters[index];
    return type ? convertValue(context, value, type) : readValue(context, value).expression;
  });
  const type = irTypeOf(signature.result);
  if (callee.type.kind !== functionType.kind)
    return rvalueOf(signature.result, unknownValue(type, "a call of an unknown function", [callee, ...list]));
  return resultValue(
    signature.result,
    { kind: "call-indirect", type, callee, arguments: list, range: rangeOf(context, node) },
    node,
  );
}

/** A function without a body in sight: CUDA's and C's own, or unknown. */
function callLibrary(
  context: Context,
  found: NamedEntities,
  given: readonly Value[],
  node: SyntaxNode,
): Value {
  const builtin = builtinCall(context, found.qualifiedName, given, found.arguments, node);
  if (builtin) return builtin;
  const isLibrary = isLibraryName(found.qualifiedName);
  const reason =
    isLibrary || found.entities.length > 0
      ? `${found.qualifiedName} is not defined here`
      : undeclaredReason(found.qualifiedName, "function");
  if (context.body?.isDevice && isUnanalysedCopy(found.qualifiedName))
    noteGap(context, `${found.qualifiedName} in device code is not analysed`);
  else if (!isLibrary) noteGap(context, reason);
  const operands = isByValue(found.qualifiedName)
    ? readAll(context, given)
    : handOver(context, given, reason);
  return rvalueOf(
    unknownOf(found.qualifiedName, reason),
    unknownValue({ kind: "unknown", reason }, reason, operands),
  );
}

/** A function that host code hands to what is not defined here, which may call it. */
function calledLater(
  context: Context,
  set: FunctionSet,
  receiver?: ReturnType<typeof readValue>["expression"],
): ReturnType<typeof readValue>["expression"][] {
  if (context.body?.isDevice !== false) return [];
  return orElse(
    () => {
      const { expression: reference } = referenceToFunction(context, set);
      return reference.kind === "function" && receiver ? [{ ...reference, receiver }] : [reference];
    },
    () => [],
  );
}

/** That such an object is copied is not known, and libraries take their storage by reference (`cub::BlockReduce(storage)`). */
function isPassedByAddress(context: Context, type: CxxType): boolean {
  return type.kind === "unknown" || (type.kind === "class" && context.body?.isDevice === false);
}

/** Arguments of what is not defined here. */
export function readAll(
  context: Context,
  values: readonly Value[],
): ReturnType<typeof readValue>["expression"][] {
  return values.flatMap((value) => {
    if (value.kind === "list") return [];
    if (value.kind === "functions") return calledLater(context, value);
    if (value.type.kind === "class" && value.type.info.origin === "closure") {
      const candidates = functionsOf(memberScope(value.type.info).own("operator()"));
      const object = readValue(context, value).expression;
      const set = {
        kind: "functions",
        name: "operator()",
        candidates,
        explicit: null,
        object: value,
      } as const;
      return [...calledLater(context, set, object), object];
    }
    if (value.kind === "place" && isPassedByAddress(context, value.type)) return [pointerToPlace(value)];
    return [readValue(context, value).expression];
  });
}

/** Arguments of device code that is not in sight and may take references: what it does with those in memory is not known. */
export function handOver(context: Context, values: readonly Value[], reason: string): Expression[] {
  if (context.body?.isDevice !== true) return readAll(context, values);
  const read = values.flatMap((value) =>
    isValueInMemory(value) ? [touched(context, value, reason)] : readAll(context, [value]),
  );
  return [...read, ...values.flatMap((value) => forgotten(value, reason))];
}

/** What a call out of sight may have written of `value`: a local variable that it is, or that it points to. */
function forgotten(value: Value, reason: string): Expression[] {
  if (value.kind === "value") return forgottenThrough(value.expression, reason);
  return value.kind === "place" && !value.type.isConst ? forgottenPlace(value.place, reason) : [];
}

function isValueInMemory(value: Value): value is LValue {
  if (value.kind !== "place" || value.place.kind !== "memory") return false;
  const isClosure = value.type.kind === "class" && value.type.info.origin === "closure";
  return !isClosure && (isScalar(value.place.type) || value.place.type.kind === "record");
}

/** An access that may be any: a load of what has no type, so that no figure is made of it. */
function touched(context: Context, value: LValue, reason: string): Expression {
  const type: Type = {
    kind: "unknown",
    reason: `${reason}: whether it reads, writes or keeps its argument is not known`,
  };
  return sequenceOf(value.effects, loadOf({ ...value.place, type }, siteOf(context, value)));
}
