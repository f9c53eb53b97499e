// Range-for: over arrays, std::array, brace lists and classes whose iterators are pointers; over anything else a loop of which nothing is known.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { int64 } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { type Context, newVariable, noteGap, rangeOf, sideOf, temporary, textOf } from "../context.ts";
import { assignOf, binaryOf, constantOf, loadOf, offsetOf, unknownValue } from "../expressions/build.ts";
import { callSet } from "../expressions/call.ts";
import { convertValue } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { elementOf, fieldValue } from "../expressions/member.ts";
import {
  dereference,
  lvalueOf,
  materialized,
  pointerToPlace,
  readValue,
  somewhere,
  stablePlace,
  type Value,
} from "../expressions/value.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { memberScope } from "../names/names.ts";
import { fieldOf } from "../types/class.ts";
import { arrayOf, type CxxType, decayed, irTypeOf, longType, strideOn, typeText } from "../types/cxx-type.ts";
import { containsAuto, declare, replaceAuto } from "../types/declarator.ts";
import { typeOfSpecifiers } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import { initializeFromList } from "../variables/initialize-list.ts";
import { bindParts, isBinding } from "../variables/local.ts";
import { unrollOf } from "./loop.ts";
import { branch, inBlock } from "./statement.ts";

export function rangeLoop(context: Context, node: SyntaxNode): Statement[] {
  const declarator = childOf(node, "declarator");
  const right = childOf(node, "right");
  const body = childOf(node, "body");
  if (!declarator || !right || !body) throw new Unsupported("an incomplete range-for");
  const ranged = rangeValue(context, right);
  const array = elementsOf(ranged, right);
  const iterated = iteratorLoop(context, node, { declarator, body, ranged, right });
  if (iterated) return iterated;
  if (array.kind !== "place" || array.type.kind !== "array" || typeof array.type.count !== "number")
    return unknownLoop(context, node, { declarator, body, ranged: array, right });
  const index = temporary(context, int64);
  const place = { kind: "variable", variable: index, offsetBytes: 0, type: int64 } as const;
  const inner = inBlock(context);
  const element = elementOf(inner, array, lvalueOf(longType, place), right);
  const range = rangeOf(context, node);
  const declared = declareElement(inner, node, declarator, element);
  const one: Expression = binaryOf("+", int64, loadOf(place, null), constantOf(int64, 1));
  const start: Statement = {
    kind: "evaluate",
    expression: assignOf(place, constantOf(int64, 0), null),
    range,
  };
  return [
    ...array.effects.map((each): Statement => ({ kind: "evaluate", expression: each, range })),
    start,
    {
      kind: "loop",
      condition: binaryOf("<", { kind: "boolean" }, loadOf(place, null), constantOf(int64, array.type.count)),
      step: [assignOf(place, one, null)],
      body: [...declared, ...branch(inner, body)],
      test: "top",
      unroll: unrollOf(context, node),
      range,
    },
  ];
}

/** Over what is not understood: nothing is known of the elements, nor of how many there are. */
function unknownLoop(context: Context, node: SyntaxNode, parts: RangeParts): Statement[] {
  const { declarator, body, ranged, right } = parts;
  if (ranged.kind !== "place" && ranged.kind !== "value") throw new Unsupported("a range-for over a list");
  const { type } = ranged;
  const reason = type.kind === "unknown" ? type.reason : `a range-for over ${typeText(type)} is not followed`;
  noteGap(context, reason);
  const inner = inBlock(context);
  const operands = ranged.kind === "place" ? [pointerToPlace(ranged)] : [ranged.expression];
  const declared = declareElement(inner, node, declarator, somewhere(inner, reason, operands, right));
  return [
    {
      kind: "loop",
      condition: unknownValue({ kind: "boolean" }, reason, operands),
      step: [],
      body: [...declared, ...branch(inner, body)],
      test: "top",
      unroll: unrollOf(context, node),
      range: rangeOf(context, node),
    },
  ];
}

interface RangeParts {
  readonly declarator: SyntaxNode;
  readonly body: SyntaxNode;
  readonly ranged: Value;
  readonly right: SyntaxNode;
}

/** Over a class whose begin() and end() are pointers: a container (headers/container.ts), or the user's own. Null for all else. */
function iteratorLoop(context: Context, node: SyntaxNode, parts: RangeParts): Statement[] | null {
  const { declarator, body, ranged, right } = parts;
  if ((ranged.kind !== "place" && ranged.kind !== "value") || ranged.type.kind !== "class") return null;
  const members = memberScope(ranged.type.info);
  if (members.own("begin").length === 0 || fieldOf(ranged.type.info, "elements_")) return null;
  const range = rangeOf(context, node);
  const object = materialized(context, ranged);
  const held = stablePlace(context, object);
  const ends = ["begin", "end"].map((name) => {
    const candidates = members.own(name).filter((each): each is FunctionEntity => each.kind === "function");
    const set = {
      kind: "functions",
      name,
      candidates,
      explicit: null,
      object: { ...held, effects: [] },
    } as const;
    return readValue(context, callSet(context, set, [], right));
  });
  const [first, last] = ends;
  if (first?.type.kind !== "pointer" || last?.type.kind !== "pointer") return null;
  const strideBytes = strideOn(sideOf(context), first.type.target);
  if (strideBytes === null) return null;
  const target = irTypeOf(first.type.target);
  const pointer = irTypeOf(first.type);
  const [at, end] = [temporary(context, pointer), temporary(context, pointer)].map(
    (variable) => ({ kind: "variable", variable, offsetBytes: 0, type: pointer }) as const,
  );
  if (at === undefined || end === undefined) return null;
  const inner = inBlock(context);
  const element = dereference(loadOf(at, null), first.type.target, { node: right });
  const declared = declareElement(inner, node, declarator, element);
  const start = [...held.effects, assignOf(at, first.expression, null), assignOf(end, last.expression, null)];
  return [
    ...start.map((each): Statement => ({ kind: "evaluate", expression: each, range })),
    {
      kind: "loop",
      condition: binaryOf("!=", { kind: "boolean" }, loadOf(at, null), loadOf(end, null)),
      step: [assignOf(at, offsetOf(loadOf(at, null), constantOf(int64, 1), strideBytes, target), null)],
      body: [...declared, ...branch(inner, body)],
      test: "top",
      unroll: unrollOf(context, node),
      range,
    },
  ];
}

/** Of a library class that is an array by another name (std::array, in prelude.ts), the array. */
function elementsOf(value: Value, node: SyntaxNode): Value {
  if (value.kind !== "place" || value.type.kind !== "class") return value;
  const field = fieldOf(value.type.info, "elements_");
  return field ? fieldValue(value, field, node) : value;
}

function rangeValue(context: Context, node: SyntaxNode): Value {
  if (node.type !== "initializer_list") return expression(context, node);
  const first = node.children.find((child) => child.isNamed);
  if (!first) throw new Unsupported("a range-for over nothing");
  const value = expression(context, first);
  if (value.kind !== "place" && value.kind !== "value")
    throw new Unsupported("a range-for over a list of lists");
  const list = initializeFromList(context, arrayOf(decayed(value.type), null), node);
  return materialized(context, { kind: "value", type: list.type, expression: list.expression });
}

function declareElement(
  context: Context,
  node: SyntaxNode,
  declarator: SyntaxNode,
  element: Value,
): Statement[] {
  if (isBinding(declarator)) return bindParts(context, declarator, element, rangeOf(context, node));
  const base = typeOfSpecifiers(context, node).type;
  const declared = declare(context, base, declarator);
  if (declared.name === null || (element.kind !== "place" && element.kind !== "value")) {
    throw new Unsupported("a range-for of this form");
  }
  const type: CxxType = containsAuto(declared.type)
    ? replaceAuto(declared.type, declared.type.kind === "reference" ? element.type : decayed(element.type))
    : declared.type;
  const name = textOf(context, declared.name);
  const variable = newVariable(context, name, irTypeOf(type), { range: rangeOf(context, declared.name) });
  const initializer = convertValue(context, element, type);
  context.scope.declare(name, { kind: "variable", name, get: () => ({ type, variable, constant: null }) });
  return [{ kind: "declare", variable, initializer, range: rangeOf(context, node) }];
}
