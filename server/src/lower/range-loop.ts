// Range-for: over arrays, std::array and brace lists; over anything else it is not followed.
import type { Expression } from "../ir/expression.ts";
import type { Statement } from "../ir/statement.ts";
import { int64 } from "../ir/type.ts";
import type { SyntaxNode } from "../syntax/node.ts";
import { childOf } from "../syntax/node.ts";
import { assignOf, binaryOf, constantOf, loadOf } from "./build.ts";
import { fieldOf } from "./class.ts";
import { type Context, newVariable, rangeOf, temporary, textOf } from "./context.ts";
import { convertValue } from "./convert.ts";
import { arrayOf, type CxxType, decayed, irTypeOf, longType, typeText } from "./cxx-type.ts";
import { containsAuto, declare, replaceAuto } from "./declarator.ts";
import { expression } from "./expression.ts";
import { initializeFromList } from "./initialize-list.ts";
import { elementOf, fieldValue } from "./member.ts";
import { branch, inBlock, unrollOf } from "./statement.ts";
import { typeOfSpecifiers } from "./type-specifier.ts";
import { Unsupported } from "./unsupported.ts";
import { lvalueOf, materialized, type Value } from "./value.ts";

export function rangeLoop(context: Context, node: SyntaxNode): Statement[] {
  const declarator = childOf(node, "declarator");
  const right = childOf(node, "right");
  const body = childOf(node, "body");
  if (!declarator || !right || !body) throw new Unsupported("an incomplete range-for");
  const array = elementsOf(rangeValue(context, right), right);
  if (array.kind !== "place" || array.type.kind !== "array" || typeof array.type.count !== "number") {
    const name = array.kind === "place" || array.kind === "value" ? typeText(array.type) : "a list";
    throw new Unsupported(`a range-for over ${name} is not followed`);
  }
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
      body: [declared, ...branch(inner, body)],
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
): Statement {
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
  return { kind: "declare", variable, initializer, range: rangeOf(context, node) };
}
