// Lambdas: a closure class with its captures as fields, and operator() as its only member.
import type { Aggregate } from "../../ir/expression.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { convertValue } from "../expressions/convert.ts";
import { expression, thisPointer } from "../expressions/expression.ts";
import { rvalueOf, type Value } from "../expressions/value.ts";
import type { FunctionEntity, VariableEntity } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import { templateParameters } from "../templates/parameters.ts";
import { fieldOf, SourceClass } from "../types/class.ts";
import { type ClassType, type CxxType, classType, decayed, referenceTo } from "../types/cxx-type.ts";
import { orElse } from "../unsupported.ts";
import { readCopy } from "../variables/copy.ts";
import { autoParameters } from "./declared-function.ts";

interface Capture {
  readonly name: string;
  readonly type: CxxType;
  /** What it is captured from, in the scope of the lambda expression. */
  readonly value: Value;
}

export function lambda(context: Context, node: SyntaxNode): Value {
  const captures = capturesOf(context, node);
  const type = closureAt(context, node, captures);
  const { info } = type;
  const { record } = info.layout();
  const parts = captures.map(({ name, type, value }) => ({
    offsetBytes: fieldOf(info, name)?.offsetBytes ?? 0,
    value: convertValue(context, value, type),
  }));
  const closure: Aggregate = { kind: "aggregate", type: record, parts };
  return rvalueOf(type, closure);
}

/** The class of a lambda: one for each scope that it stands in, however often it is looked at (`overloaded{[](int) {}}`: for the template's arguments, then for the object). */
function closureAt(context: Context, node: SyntaxNode, captures: readonly Capture[]): ClassType {
  const known = context.scope.typeAt(node);
  if (known?.kind === "class") return known;
  const id = context.translation.nextId();
  const scope = new Scope("class", context.scope, `lambda#${id}`);
  const info = new SourceClass({
    name: `lambda#${id}`,
    qualifiedName: `lambda#${id}`,
    scope,
    unit: context.unit,
    origin: "closure",
    members: () => ({
      fields: captures.map(({ name, type }) => ({ name, type })),
      bases: [],
      unknownBase: null,
      unknownAlignment: null,
      isUnion: false,
      packingBytes: Infinity,
      alignmentBytes: 1,
      hasVirtual: false,
    }),
  });
  for (const { name } of captures)
    if (name !== "this") scope.declare(name, { kind: "field", name, owner: info });
  const operator = callOperator(context, node, scope, info);
  scope.declare("operator()", operator);
  if (operator.isHostLambda) context.translation.hostLambdas.push(operator);
  const type = classType(info);
  context.scope.defineType(node, type);
  return type;
}

function callOperator(context: Context, node: SyntaxNode, scope: Scope, info: SourceClass): FunctionEntity {
  const declarator = childOf(node, "declarator");
  const list = childOf(node, "template_parameters");
  const written = list ? templateParameters(context, list) : [];
  const parameters = [...written, ...autoParameters(context, declarator)];
  return {
    kind: "function",
    key: context.translation.nextId(),
    name: "operator()",
    unit: context.unit,
    node,
    declarator,
    body: childOf(node, "body"),
    scope,
    parameters: parameters.length > 0 ? parameters : null,
    specializes: null,
    memberOf: info,
    isStatic: false,
    isConstMember: true,
    isVirtual: false,
    conversion: null,
    isLambda: true,
    isHostLambda: isOfHost(context, node),
  };
}

/** A lambda of host code without `__device__`: the host alone calls it. */
function isOfHost(context: Context, node: SyntaxNode): boolean {
  const end = childOf(node, "body")?.start ?? node.end;
  const isDevice = context.unit.attributes.some(
    ({ name, offset }) => name === "__device__" && offset > node.start && offset <= end,
  );
  return context.body?.isDevice === false && !isDevice;
}

// --- captures

function capturesOf(context: Context, node: SyntaxNode): Capture[] {
  const list = childOf(node, "captures");
  const captures: Capture[] = [];
  const taken = new Set<string>();
  const add = (capture: Capture | null) => {
    if (capture === null || taken.has(capture.name)) return;
    taken.add(capture.name);
    captures.push(capture);
  };
  let mode: "value" | "reference" | null = null;
  const children = list?.children ?? [];
  for (const [index, child] of children.entries()) {
    if (child.type === "lambda_default_capture") {
      mode = textOf(context, child).includes("&") ? "reference" : "value";
    } else if (child.type === "lambda_capture_initializer") {
      add(initialized(context, child, isReference(context, children, index) ? "reference" : "value"));
    } else if (child.type === "identifier") {
      add(
        named(
          context,
          textOf(context, child),
          isReference(context, children, index) ? "reference" : "value",
          child,
        ),
      );
    } else if (child.type === "this") add(thisCapture(context));
  }
  if (mode !== null) for (const capture of used(context, node, mode)) add(capture);
  return captures;
}

/** `&x`: the mark may be a token of its own before the name. */
function isReference(context: Context, children: readonly SyntaxNode[], index: number): boolean {
  const before = children[index - 1];
  const child = children[index];
  return before?.type === "&" || (child !== undefined && textOf(context, child).startsWith("&"));
}

function initialized(context: Context, node: SyntaxNode, by: "reference" | "value"): Capture | null {
  const [left, right] = [childOf(node, "left"), childOf(node, "right")];
  if (!left || !right) return null;
  const value = expression(context, right);
  if (by === "reference" && value.kind === "place") {
    return { name: textOf(context, left), type: referenceTo(value.type, "lvalue"), value };
  }
  const read = readCopy(context, value);
  return { name: textOf(context, left), type: read.type, value: read };
}

function named(
  context: Context,
  name: string,
  mode: "value" | "reference",
  node: SyntaxNode,
): Capture | null {
  const [entity] = context.scope.lookup(name);
  if (entity?.kind !== "variable" && entity?.kind !== "field") return null;
  const value = expression(context, node);
  if (value.kind !== "place") return null;
  if (mode === "reference") return { name, type: referenceTo(value.type, "lvalue"), value };
  // An array is captured whole; its copy is an array again.
  return {
    name,
    type: value.type.kind === "array" ? referenceTo(value.type, "lvalue") : decayed(value.type),
    value,
  };
}

function thisCapture(context: Context): Capture | null {
  if (!context.body?.self) return null;
  const value = orElse<Value | null>(
    () => thisPointer(context),
    () => null,
  );
  return value?.kind === "value" ? { name: "this", type: value.type, value } : null;
}

/** The local variables that a body names, and `this` where it names members. */
function used(context: Context, node: SyntaxNode, mode: "value" | "reference"): Capture[] {
  const body = childOf(node, "body");
  const captures: Capture[] = [];
  const seen = new Set<string>();
  const visit = (each: SyntaxNode) => {
    if (each.type === "this") captures.push(...some(thisCapture(context)));
    if (each.type === "identifier") {
      const name = textOf(context, each);
      if (!seen.has(name)) {
        seen.add(name);
        captures.push(...captureOfUse(context, name, mode, each));
      }
    }
    for (const child of each.children) visit(child);
  };
  if (body) visit(body);
  return captures;
}

function captureOfUse(
  context: Context,
  name: string,
  mode: "value" | "reference",
  node: SyntaxNode,
): Capture[] {
  const [entity] = context.scope.lookup(name);
  if (entity?.kind === "field") {
    return entity.owner.origin === "closure"
      ? some(named(context, name, mode, node))
      : some(thisCapture(context));
  }
  if (entity?.kind === "function" && entity.memberOf && !entity.isStatic) return some(thisCapture(context));
  if (entity?.kind !== "variable" || !isLocal(entity)) return [];
  return some(named(context, name, mode, node));
}

function isLocal(entity: VariableEntity): boolean {
  const { variable, constant } = entity.get();
  return variable.storage === "automatic" && constant?.kind !== "constant";
}

function some<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}
