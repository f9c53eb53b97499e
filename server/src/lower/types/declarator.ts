// Declarators: `*p[3]`, `(&t)[N]`, `f(int)`: a base type and a declarator give a name and its type.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { textOf } from "../context.ts";
import { constantInteger, whyNotConstant } from "../expressions/constant.ts";
import { expandPack, packsIn } from "../templates/pack.ts";
import { Unsupported } from "../unsupported.ts";
import {
  type ArrayType,
  arrayOf,
  autoType,
  type CxxType,
  functionOf,
  pointerTo,
  qualify,
  referenceTo,
} from "./cxx-type.ts";
import { typeOfDescriptor, typeOfSpecifiers } from "./type-specifier.ts";

export interface Declared {
  readonly type: CxxType;
  /** The name in the declarator; null in an abstract one. */
  readonly name: SyntaxNode | null;
  /** The innermost function_declarator, where a function is declared. */
  readonly functionNode: SyntaxNode | null;
  readonly isPack: boolean;
}

/** Applies a declarator to its base type. */
export function declare(context: Context, base: CxxType, declarator: SyntaxNode | null): Declared {
  if (declarator === null) return { type: base, name: null, functionNode: null, isPack: false };
  switch (declarator.type) {
    case "init_declarator":
      return declare(context, base, childOf(declarator, "declarator"));
    case "pointer_declarator":
    case "pointer_type_declarator":
    case "abstract_pointer_declarator": {
      const type = qualify(pointerTo(base), qualifiersIn(context, declarator));
      return declare(context, type, childOf(declarator, "declarator"));
    }
    case "reference_declarator":
    case "abstract_reference_declarator": {
      const binds = declarator.children.some((child) => child.type === "&&") ? "rvalue" : "lvalue";
      return declare(context, referenceTo(base, binds), namedChildren(declarator)[0] ?? null);
    }
    case "array_declarator":
    case "abstract_array_declarator": {
      const size = childOf(declarator, "size");
      const count = size === null ? null : arrayCount(context, size);
      return declare(context, arrayOf(base, count), childOf(declarator, "declarator"));
    }
    case "function_declarator":
    case "abstract_function_declarator":
      return declareFunction(context, base, declarator);
    case "parenthesized_declarator":
    case "abstract_parenthesized_declarator":
    case "attributed_declarator":
      return declare(context, base, namedChildren(declarator).find(isDeclarator) ?? null);
    case "variadic_declarator":
      return { type: base, name: namedChildren(declarator)[0] ?? null, functionNode: null, isPack: true };
    default:
      return { type: base, name: declarator, functionNode: null, isPack: false };
  }
}

function isDeclarator(node: SyntaxNode): boolean {
  return /declarator$|identifier$|_name$/.test(node.type);
}

function declareFunction(context: Context, base: CxxType, node: SyntaxNode): Declared {
  const trailing = node.children.find((child) => child.type === "trailing_return_type");
  const descriptor = trailing ? namedChildren(trailing)[0] : undefined;
  const result = descriptor && base.kind === "auto" ? typeOfDescriptor(context, descriptor) : base;
  const inner = childOf(node, "declarator");
  const isPlain =
    node.type === "function_declarator" && (inner === null || !/parenthesized_declarator$/.test(inner.type));
  // The types of a declared function's own parameters are read later, with its template's arguments bound.
  const parameters = isPlain ? [] : parameterTypes(context, childOf(node, "parameters"));
  const declared = declare(context, functionOf(result, parameters), inner);
  return declared.functionNode || !isPlain ? declared : { ...declared, functionNode: node };
}

/** The types of the parameters in a parameter_list, packs expanded. */
function parameterTypes(context: Context, list: SyntaxNode | null): CxxType[] {
  return parameterNodes(list).flatMap((node) =>
    node.type === "variadic_parameter_declaration" && packsIn(context, node).length > 0
      ? expandPack(context, node, (inner) => declareParameter(inner, node).type)
      : [declareParameter(context, node).type],
  );
}

export function parameterNodes(list: SyntaxNode | null): SyntaxNode[] {
  if (list === null) return [];
  const nodes = namedChildren(list).filter((child) => /parameter_declaration$/.test(child.type));
  return nodes;
}

/** A parameter: arrays and functions are pointers. */
export function declareParameter(context: Context, node: SyntaxNode): Declared {
  const { type } = typeOfSpecifiers(context, node);
  const declared = declare(context, packElementOf(type, node), childOf(node, "declarator"));
  const parameter = declared.type;
  if (parameter.kind === "array") return { ...declared, type: pointerTo(parameter.element) };
  if (parameter.kind === "function") return { ...declared, type: pointerTo(parameter) };
  return declared;
}

/** `const T*... in`: the grammar has no declarator for the stars before the dots, and leaves them as an error. */
function packElementOf(base: CxxType, node: SyntaxNode): CxxType {
  if (node.type !== "variadic_parameter_declaration") return base;
  const errors = node.children.filter((child) => child.type === "ERROR");
  const stars = errors.flatMap((error) => error.children).filter((child) => child.type === "*");
  return stars.reduce((type: CxxType) => pointerTo(type), base);
}

/** The size between brackets: a number, or a template parameter while arguments are deduced. */
function arrayCount(context: Context, size: SyntaxNode): ArrayType["count"] {
  if (size.type === "identifier") {
    const [entity] = context.scope.lookup(textOf(context, size));
    if (entity?.kind === "pattern") return { pattern: entity.name };
  }
  const count = constantInteger(context, size);
  if (count === null) return namesPattern(context, size) ? null : { open: whyNotConstant(context, size) };
  if (count < 0 || count > 2 ** 40) throw new Unsupported("an array of impossible size");
  return Number(count);
}

/** Whether an expression hangs on a template parameter that is not bound yet. */
function namesPattern(context: Context, node: SyntaxNode): boolean {
  if (node.children.length > 0) return node.children.some((child) => namesPattern(context, child));
  return /identifier$/.test(node.type) && context.scope.lookup(textOf(context, node))[0]?.kind === "pattern";
}

function qualifiersIn(context: Context, node: SyntaxNode): { isConst: boolean; isVolatile: boolean } {
  const words = node.children
    .filter((child) => child.type === "type_qualifier")
    .map((child) => textOf(context, child));
  return { isConst: words.includes("const"), isVolatile: words.includes("volatile") };
}

/** The type that `auto` in `declared` stands for, given the initializer's type. */
export function replaceAuto(declared: CxxType, by: CxxType): CxxType {
  switch (declared.kind) {
    case "auto":
      return qualify(by, declared);
    case "pointer":
      return by.kind === "pointer"
        ? { ...declared, target: replaceAuto(declared.target, by.target) }
        : { ...declared, target: replaceAuto(declared.target, autoType) };
    case "reference":
      return referenceTo(replaceAuto(declared.target, by), declared.binds);
    case "array":
      return by.kind === "array"
        ? { ...declared, element: replaceAuto(declared.element, by.element) }
        : declared;
    default:
      return declared;
  }
}

export function containsAuto(type: CxxType): boolean {
  switch (type.kind) {
    case "auto":
      return true;
    case "pointer":
    case "reference":
      return containsAuto(type.target);
    case "array":
      return containsAuto(type.element);
    default:
      return false;
  }
}
