// Expressions of C++ to values: the dispatch over the grammar's nodes, names, literals, and what is not understood.
import type { Expression } from "../../ir/expression.ts";
import { undeclaredReason, unreadMacroReason } from "../../ir/undeclared.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, firstNamedChild, namedChildren } from "../../syntax/node.ts";
import { asmExpression } from "../asm/asm.ts";
import { builtinIdentity } from "../builtins/identity.ts";
import { isLibraryName, libraryConstant } from "../builtins/library.ts";
import { type Context, noteGap, spend, textOf } from "../context.ts";
import { lambda } from "../functions/lambda.ts";
import { functionValue } from "../functions/reference.ts";
import { functionValueName } from "../headers/function-values.ts";
import { conventionalConstant } from "../names/conventions.ts";
import type { Entity, FunctionEntity, VariableInfo } from "../names/entity.ts";
import { lookupNode, type NamedEntities } from "../names/names.ts";
import { foldExpression } from "../templates/fold.ts";
import { variableTemplateInstance } from "../templates/variable-template.ts";
import {
  boolType,
  type CxxType,
  classType,
  irTypeOf,
  pointerTo,
  unsignedLongType,
  voidType,
} from "../types/cxx-type.ts";
import { standardValue } from "../types/standard-type.ts";
import { orElse, reasonOf, Unsupported } from "../unsupported.ts";
import { newExpression } from "../variables/new.ts";
import { constantOf, hasEffects, loadOf, partOf, sequenceOf, variablePlace } from "./build.ts";
import { call } from "./call.ts";
import {
  castExpression,
  castOfPostfix,
  compoundLiteral,
  offsetofExpression,
  sizeofExpression,
} from "./cast.ts";
import { characterLiteral, numberLiteral } from "./literal.ts";
import { fieldExpression, implicitMember, subscript } from "./member.ts";
import { assignment, binary, conditional, pointerExpression, unary, update } from "./operator.ts";
import { statementExpression } from "./statement-expression.ts";
import { textLiteral } from "./text-literal.ts";
import { userLiteral } from "./user-literal.ts";
import {
  type BraceList,
  dereference,
  integerValue,
  lvalueOf,
  opaque,
  readValue,
  rvalueOf,
  somewhere,
  type Value,
} from "./value.ts";

/** Lowers an expression. What is not understood is an unknown value with the operands that are. */
export function expression(context: Context, node: SyntaxNode): Value {
  return expressionBy(dispatch, context, node);
}

/** The same by `lower`, for those who know what the node is. */
export function expressionBy(
  lower: (context: Context, node: SyntaxNode) => Value,
  context: Context,
  node: SyntaxNode,
): Value {
  spend(context);
  try {
    return lower(context, node);
  } catch (error) {
    const reason = reasonOf(error);
    noteGap(context, reason);
    const operands = operandsOf(context, node);
    return isAccess(node) ? somewhere(context, reason, operands, node) : opaque("unknown", reason, operands);
  }
}

/** Whether an expression names what lies in memory, whatever its parts are. */
function isAccess(node: SyntaxNode): boolean {
  const operator = childOf(node, "operator")?.type;
  return (
    node.type === "subscript_expression" ||
    (node.type === "pointer_expression" && operator === "*") ||
    (node.type === "field_expression" && operator === "->")
  );
}

/** Lowers an expression for what it does alone: the old value of `i++` is not kept. */
export function effect(context: Context, node: SyntaxNode): Expression {
  const inner = stripped(node);
  if (inner.type === "comma_expression") {
    const [left, right] = [childOf(inner, "left"), childOf(inner, "right")];
    if (left && right) return sequenceOf([effect(context, left)], effect(context, right));
  }
  if (inner.type === "update_expression") {
    const value = orElse<Value | null>(
      () => update(context, inner, "discarded"),
      () => null,
    );
    if (value) return discard(context, value);
  }
  return discard(context, expression(context, node));
}

function stripped(node: SyntaxNode): SyntaxNode {
  const inner = node.type === "parenthesized_expression" ? firstNamedChild(node) : null;
  return inner ? stripped(inner) : node;
}

/** What a value does, its result dropped: an lvalue is not read. */
export function discard(context: Context, value: Value): Expression {
  if (value.kind === "place") {
    if (value.result) return value.result;
    const last = value.effects.at(-1);
    if (last) return sequenceOf(value.effects.slice(0, -1), last);
    if (value.type.isVolatile) return readValue(context, value).expression;
    const pointer = value.place.kind === "memory" ? value.place.pointer : null;
    return pointer && hasEffects(pointer) ? pointer : constantOf({ kind: "void" }, 0);
  }
  if (value.kind === "value") return value.expression;
  return constantOf({ kind: "void" }, 0);
}

const dispatchers: Record<string, (context: Context, node: SyntaxNode) => Value> = {
  identifier: name,
  qualified_identifier: name,
  template_function: name,
  type_identifier: name,
  template_type: name,
  dependent_name: name,
  field_identifier: name,
  number_literal: (context, node) => numberLiteral(textOf(context, node)),
  char_literal: (context, node) => characterLiteral(textOf(context, node)),
  true: () => integerValue(1, boolType),
  false: () => integerValue(0, boolType),
  null: () => nullPointer(),
  string_literal: textLiteral,
  raw_string_literal: textLiteral,
  concatenated_string: textLiteral,
  user_defined_literal: userLiteral,
  parenthesized_expression: parenthesized,
  comma_expression: comma,
  unary_expression: unary,
  pointer_expression: pointerExpression,
  binary_expression: binary,
  assignment_expression: assignment,
  update_expression: (context, node) => update(context, node, "value"),
  conditional_expression: conditional,
  subscript_expression: (context, node) => castOfPostfix(context, node) ?? subscript(context, node),
  field_expression: (context, node) => castOfPostfix(context, node) ?? fieldExpression(context, node),
  call_expression: (context, node) => castOfPostfix(context, node) ?? call(context, node),
  cast_expression: castExpression,
  compound_literal_expression: compoundLiteral,
  sizeof_expression: sizeofExpression,
  alignof_expression: sizeofExpression,
  offsetof_expression: offsetofExpression,
  lambda_expression: lambda,
  this: thisPointer,
  initializer_list: (context, node): BraceList => ({ kind: "list", node, context }),
  fold_expression: foldExpression,
  gnu_asm_expression: asmExpression,
  new_expression: (context, node) => newExpression(context, node, operandsOf),
  delete_expression: (context, node) => opaqueOf(context, node, "delete"),
  type_descriptor: (context, node) => {
    const type = childOf(node, "type");
    if (type && node.children.length === 1) return expression(context, type);
    throw new Unsupported(`the type ${textOf(context, node)} where a value is needed`);
  },
};

function dispatch(context: Context, node: SyntaxNode): Value {
  const lower = dispatchers[node.type];
  if (lower) return lower(context, node);
  if (node.type === "ERROR" || node.hasError) throw new Unsupported("a syntax error");
  throw new Unsupported(`${node.type.replaceAll("_", " ")} is not followed`);
}

/** The operands of what is not understood, as far as they are. */
function operandsOf(context: Context, node: SyntaxNode): Expression[] {
  const operands: Expression[] = [];
  for (const child of namedChildren(node)) {
    if (!/expression$|^identifier$|argument_list$/.test(child.type) || child.type === "lambda_expression")
      continue;
    if (/argument_list$/.test(child.type)) {
      if (child.type !== "template_argument_list") operands.push(...operandsOf(context, child));
      continue;
    }
    const value = orElse<Value | null>(
      () => expression(context, child),
      () => null,
    );
    if (value && value.kind !== "list" && value.kind !== "functions") {
      const read = orElse(
        () => readValue(context, value).expression,
        () => null,
      );
      if (read && hasEffects(read)) operands.push(read);
    }
  }
  return operands;
}

/** An unknown value that is no gap: warplint leaves it out on purpose. */
function opaqueOf(context: Context, node: SyntaxNode, reason: string): Value {
  return opaque("unknown", reason, operandsOf(context, node));
}

// --- names

function name(context: Context, node: SyntaxNode): Value {
  return namedValue(context, node, lookupNode(context, node));
}

/** What a name is as a value. */
export function namedValue(context: Context, node: SyntaxNode, found: NamedEntities): Value {
  const [entity] = found.entities;
  if (entity === undefined) return undeclared(context, node, found);
  switch (entity.kind) {
    case "variable": {
      return variableValue(node, entity.get());
    }
    case "constant":
      return integerValue(entity.value, entity.type);
    case "unknown":
      noteGap(context, entity.reason);
      return opaque(found.qualifiedName, entity.reason);
    case "function":
      return functionSet(context, found, null);
    case "function-value":
      return functionValue(context, entity.instance);
    case "field":
      return implicitMember(context, node, entity);
    case "template":
      if (entity.of === "variable" && found.arguments) {
        return variableValue(node, variableTemplateInstance(context, entity, found.arguments).get());
      }
      throw new Unsupported(`the template ${found.name} without arguments`);
    default:
      throw new Unsupported(`${found.qualifiedName} is not a value here`);
  }
}

function variableValue(
  node: SyntaxNode,
  { type, variable, constant, offsetBytes, place: part }: VariableInfo,
): Value {
  if (part) return lvalueOf(type, part, { node });
  const whole = variablePlace(variable);
  const place = offsetBytes === undefined ? whole : partOf(whole, offsetBytes, irTypeOf(type));
  if (type.kind === "reference") {
    if (type.target.kind === "function") return rvalueOf(pointerTo(type.target), loadOf(place, null));
    return dereference(loadOf(place, null), type.target, { node });
  }
  return lvalueOf(type, place, { node, constant });
}

function functionSet(context: Context, found: NamedEntities, object: Value | null): Value {
  const candidates = found.entities.filter(
    (each: Entity): each is FunctionEntity => each.kind === "function",
  );
  return {
    kind: "functions",
    name: found.name,
    candidates,
    explicit: found.arguments ? { node: found.arguments, context } : null,
    object,
  };
}

function undeclared(context: Context, node: SyntaxNode, found: NamedEntities): Value {
  const identity = builtinIdentity(context, node, found.name);
  if (identity) return identity;
  const standard = standardValue(context, found.qualifiedName, found.arguments);
  if (typeof standard === "number") return integerValue(standard, unsignedLongType);
  if (standard !== null) return integerValue(standard ? 1 : 0, boolType);
  const unread = unreadMacro(context, found.qualifiedName);
  if (unread !== null) {
    noteGap(context, unread);
    return opaque(found.qualifiedName, unread);
  }
  const constant = conventionalConstant(context, found.name);
  if (constant) return constant;
  const library = context.scope.lookup(functionValueName(found.name));
  if (library.length > 0) return functionSet(context, { ...found, entities: library }, null);
  if (functionNames.has(found.name)) return textLiteral(context, node);
  if (found.name === "NULL" || found.name === "nullptr") return nullPointer();
  const known = libraryConstant(found.name);
  if (known) return integerValue(known.value, known.type);
  const isLibrary = isLibraryName(found.qualifiedName);
  const reason = isLibrary
    ? `${found.qualifiedName} is not defined here`
    : undeclaredReason(found.qualifiedName);
  if (!isLibrary) noteGap(context, reason);
  return opaque(found.qualifiedName, reason);
}

/** Why a name is not known that is a macro which the build sets to something that could not be read; null of others. */
function unreadMacro(context: Context, name: string): string | null {
  const macro = context.translation.source.assumed.find(
    (each) => each.name === name && each.why === "unknown-value",
  );
  if (macro === undefined) return null;
  const { file, line } = macro.origin;
  return unreadMacroReason(name, `${file.slice(file.lastIndexOf("/") + 1)}:${line}`);
}

/** What stands for the name of the function it is in. */
const functionNames: ReadonlySet<string> = new Set(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"]);

// --- small forms

function nullPointer(): Value {
  const type = pointerTo(voidType);
  return rvalueOf(type, constantOf({ kind: "pointer", target: { kind: "void" } }, 0));
}

function parenthesized(context: Context, node: SyntaxNode): Value {
  const inner = firstNamedChild(node);
  if (!inner) throw new Unsupported("empty parentheses");
  if (inner.type === "compound_statement") return statementExpression(context, inner);
  return expression(context, inner);
}

function comma(context: Context, node: SyntaxNode): Value {
  const left = childOf(node, "left");
  const right = childOf(node, "right");
  if (!left || !right) throw new Unsupported("an incomplete comma expression");
  const first = effect(context, left);
  const value = expression(context, right);
  if (value.kind === "place") {
    return {
      ...value,
      effects: [first, ...value.effects],
      result: value.result && sequenceOf([first], value.result),
    };
  }
  const read = readValue(context, value);
  return rvalueOf(read.type, sequenceOf([first], read.expression));
}

export function thisPointer(context: Context): Value {
  const self = context.body?.self;
  if (!self) throw new Unsupported("this outside of a class");
  const outer =
    self.info.origin === "closure" ? self.info.layout().fields.find((field) => field.name === "this") : null;
  if (self.info.origin !== "closure") return rvalueOf(pointerTo(classType(self.info)), self.pointer);
  if (!outer) throw new Unsupported("this is not captured");
  return readValue(context, dereferenceField(self.pointer, outer));
}

function dereferenceField(pointer: Expression, field: { type: CxxType; offsetBytes: number }): Value {
  const whole = dereference(pointer, field.type);
  return { ...whole, place: partOf(whole.place, field.offsetBytes, irTypeOf(field.type)) };
}
