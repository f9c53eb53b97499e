// `new T`, `new T(a, b)`, `new T[n]`: on the host memory of that size with the object made in it, on the device an object that nobody follows.
import type { Expression } from "../../ir/expression.ts";
import { pointerTo as irPointerTo, sizeOf, uint64 } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import { type Context, rangeOf, sideOf, temporary } from "../context.ts";
import { assignOf, binaryOf, constantOf, convertOf, loadOf, sequenceOf } from "../expressions/build.ts";
import { argumentValues } from "../expressions/call.ts";
import { convertValue } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { readValue, rvalueOf, type Value } from "../expressions/value.ts";
import {
  arrayOf,
  type CxxType,
  irTypeOf,
  pointerTo,
  typeText,
  unknownOf,
  unsignedLongType,
  voidType,
} from "../types/cxx-type.ts";
import { resolveType } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import { isCopiedByBytes } from "./copy.ts";
import { constructAt, defaultInitializer, initialize } from "./initialize.ts";
import { listArguments } from "./initialize-list.ts";
import { isMadeOfZeros } from "./zeros.ts";

/** The value of a new_expression; `operands` are what it evaluates where the object is not followed. */
export function newExpression(
  context: Context,
  node: SyntaxNode,
  operandsOf: (context: Context, node: SyntaxNode) => Expression[],
): Value {
  const type = sideOf(context) === "host" ? allocatedType(context, node) : null;
  if (type === null) return unfollowed(operandsOf(context, node));
  const placement = childOf(node, "placement");
  if (placement) return objectAt(context, node, placement, type, operandsOf);
  const declarator = childOf(node, "declarator");
  return declarator ? arrayOfNew(context, node, declarator, type) : objectOfNew(context, node, type);
}

/** null for `new T*[n]`, of which the grammar reads the type alone. */
function allocatedType(context: Context, node: SyntaxNode): CxxType | null {
  const typeNode = childOf(node, "type");
  if (typeNode === null) return null;
  if (/^\s*[*&]/.test(context.unit.text.slice(node.end))) return null;
  const type = resolveType(context, typeNode);
  return sizeOf(irTypeOf(type)) === null ? null : type;
}

function unfollowed(operands: readonly Expression[]): Value {
  const reason = "an object of new";
  const type = irPointerTo({ kind: "unknown", reason });
  return rvalueOf(pointerTo(unknownOf("new", reason)), { kind: "unknown", type, reason, operands });
}

function arrayOfNew(context: Context, node: SyntaxNode, declarator: SyntaxNode, element: CxxType): Value {
  const length = childOf(declarator, "length");
  if (length === null || childOf(declarator, "declarator") !== null)
    throw new Unsupported("a new array of this form");
  const count = convertValue(context, expression(context, length), unsignedLongType);
  const given = childOf(node, "arguments");
  const memory = memoryOf(context, node, element, given === null ? "malloc" : "calloc", count);
  const pointerType = irTypeOf(pointerTo(element));
  const held = temporary(context, pointerType);
  const place = { kind: "variable", variable: held, offsetBytes: 0, type: pointerType } as const;
  const made = elementsOfNew(context, element, loadOf(place, null), { count, given, node });
  return rvalueOf(
    pointerTo(element),
    made.length === 0 ? memory : sequenceOf([assignOf(place, memory, null), ...made], loadOf(place, null)),
  );
}

/** What makes the elements: `{1, 2}` of those that are listed, constructors of the rest. */
function elementsOfNew(
  context: Context,
  element: CxxType,
  pointer: Expression,
  {
    count,
    given,
    node,
  }: { readonly count: Expression; readonly given: SyntaxNode | null; readonly node: SyntaxNode },
): Expression[] {
  const known = count.kind === "constant" ? Number(count.value) : null;
  if (given?.type === "initializer_list" && namedChildren(given).length > 0 && known !== null) {
    const whole = initialize(context, arrayOf(element, known), given);
    const type = irTypeOf(whole.type);
    return [assignOf({ kind: "memory", pointer, offsetBytes: 0, type }, whole.expression, null)];
  }
  if (element.kind !== "class" || isMadeOfZeros(context, element)) return [];
  const value = isCopiedByBytes(context, element) ? defaultInitializer(context, element) : null;
  if (value !== null)
    return [
      {
        kind: "intrinsic",
        name: "__warplint_fill",
        type: irTypeOf(voidType),
        arguments: [pointer, count, value],
        site: null,
        range: rangeOf(context, node),
      },
    ];
  const whole = known === null ? null : defaultInitializer(context, arrayOf(element, known));
  return whole ? [assignOf({ kind: "memory", pointer, offsetBytes: 0, type: whole.type }, whole, null)] : [];
}

/** The object is made in its memory, as a variable is where it stands. */
function objectOfNew(context: Context, node: SyntaxNode, type: CxxType): Value {
  const pointerType = irTypeOf(pointerTo(type));
  if (pointerType.kind !== "pointer") throw new Unsupported(`new of ${typeText(type)}`);
  const held = temporary(context, pointerType);
  const place = { kind: "variable", variable: held, offsetBytes: 0, type: pointerType } as const;
  const pointer = loadOf(place, null);
  const memory = memoryOf(context, node, type, "malloc", constantOf(uint64, 1));
  const given = childOf(node, "arguments");
  const made = madeAt(context, type, pointer, given);
  return rvalueOf(
    pointerTo(type),
    sequenceOf([assignOf(place, memory, null), ...(made ? [made] : [])], pointer),
  );
}

/** `new (pointer) T(a, b)`: the object is made where the program says; `new (std::nothrow) T` is made as any other. */
function objectAt(
  context: Context,
  node: SyntaxNode,
  placement: SyntaxNode,
  type: CxxType,
  operandsOf: (context: Context, node: SyntaxNode) => Expression[],
): Value {
  const [where, ...others] = argumentValues(context, placement);
  if (where === undefined || others.length > 0 || childOf(node, "declarator") !== null)
    return unfollowed(operandsOf(context, node));
  const read = readValue(context, where);
  if (read.type.kind !== "pointer") return objectOfNew(context, node, type);
  const pointerType = irTypeOf(pointerTo(type));
  const held = temporary(context, pointerType);
  const place = { kind: "variable", variable: held, offsetBytes: 0, type: pointerType } as const;
  const pointer = loadOf(place, null);
  const made = madeAt(context, type, pointer, childOf(node, "arguments"));
  return rvalueOf(
    pointerTo(type),
    sequenceOf(
      [assignOf(place, convertOf(read.expression, pointerType), null), ...(made ? [made] : [])],
      pointer,
    ),
  );
}

function madeAt(
  context: Context,
  type: CxxType,
  pointer: Expression,
  given: SyntaxNode | null,
): Expression | null {
  if (type.kind === "class" && type.info.constructors.length > 0) {
    const values =
      given?.type === "initializer_list"
        ? listArguments(context, type, given)
        : given
          ? argumentValues(context, given)
          : [];
    return constructAt(context, type, pointer, values, given);
  }
  const isEmpty = given === null || given.children.every((child) => !child.isNamed);
  if (type.kind !== "class" && isEmpty) return null;
  const { expression: value } = initialize(context, type, isEmpty ? null : given);
  return assignOf({ kind: "memory", pointer, offsetBytes: 0, type: irTypeOf(type) }, value, null);
}

function memoryOf(
  context: Context,
  node: SyntaxNode,
  type: CxxType,
  allocator: "malloc" | "calloc",
  count: Expression,
): Expression {
  const bytes = constantOf(uint64, sizeOf(irTypeOf(type)) ?? 0);
  const memory: Expression = {
    kind: "intrinsic",
    name: allocator,
    type: irPointerTo({ kind: "void" }),
    arguments: allocator === "calloc" ? [count, bytes] : [binaryOf("*", uint64, count, bytes)],
    site: null,
    range: rangeOf(context, node),
  };
  return convertOf(memory, irTypeOf(pointerTo(type)));
}
