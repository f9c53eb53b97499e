// Loops of C++ to those of the IR.
import type { Loop, Statement } from "../../ir/statement.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf } from "../../syntax/node.ts";
import { type Context, rangeOf } from "../context.ts";
import { truthOf } from "../expressions/build.ts";
import { conditionOf } from "../expressions/convert.ts";
import { expression } from "../expressions/expression.ts";
import { textConstant } from "../types/text-constant.ts";
import { Unsupported } from "../unsupported.ts";
import { localDeclaration } from "../variables/local.ts";
import { branch, condition, inBlock, standingAlone } from "./statement.ts";

export function forStatement(context: Context, node: SyntaxNode): Statement[] {
  const inner = inBlock(context);
  const initializer = childOf(node, "initializer");
  const start = initializer
    ? initializer.type === "declaration"
      ? localDeclaration(inner, initializer)
      : standingAlone(inner, initializer)
    : [];
  const conditionNode = childOf(node, "condition");
  const test = conditionNode ? conditionOf(inner, expression(inner, conditionNode)) : null;
  const known = test ? truthOf(test) : true;
  if (known === false) return start.length > 0 ? [{ kind: "block", body: start }] : [];
  const body = childOf(node, "body");
  const update = childOf(node, "update");
  const trip = body ? branch(inner, body) : [];
  const after = update ? standingAlone(inner, update) : [];
  const step = after.flatMap((each) => (each.kind === "evaluate" ? [each.expression] : []));
  // A barrier among the steps, `n /= 2, __syncthreads()`, is the end of the trip.
  const hasBarrier = step.length < after.length;
  if (hasBarrier && mayContinue(trip))
    throw new Unsupported("a barrier in the step of a loop that continues");
  const loop: Loop = {
    kind: "loop",
    condition: known ? null : test,
    step: hasBarrier ? [] : step,
    body: hasBarrier ? [...trip, ...after] : trip,
    test: "top",
    unroll: unrollOf(context, node),
    range: rangeOf(context, node),
  };
  return start.length > 0 ? [{ kind: "block", body: [...start, loop] }] : [loop];
}

/** Whether a trip may end early by `continue`. */
function mayContinue(body: readonly Statement[]): boolean {
  return body.some((each) => {
    if (each.kind === "continue") return true;
    if (each.kind === "if") return mayContinue(each.whenTrue) || mayContinue(each.whenFalse);
    if (each.kind === "switch") return each.cases.some((one) => mayContinue(one.body));
    return each.kind === "block" && mayContinue(each.body);
  });
}

export function whileStatement(context: Context, node: SyntaxNode): Statement[] {
  const conditionNode = childOf(node, "condition");
  const body = childOf(node, "body");
  if (conditionNode === null) throw new Unsupported("an incomplete while");
  const inner = inBlock(context);
  const { statements, expression: test } = condition(inner, conditionNode);
  const known = truthOf(test);
  if (known === false && statements.length === 0) return [];
  const lowered = body ? branch(inner, body) : [];
  const range = rangeOf(context, node);
  const unroll = unrollOf(context, node);
  if (statements.length === 0) {
    return [
      { kind: "loop", condition: known ? null : test, step: [], body: lowered, test: "top", unroll, range },
    ];
  }
  // `while (T x = f())` makes x anew for each trip.
  const leave: Statement = {
    kind: "if",
    condition: test,
    whenTrue: [],
    whenFalse: [{ kind: "break" }],
    range,
  };
  return [
    {
      kind: "loop",
      condition: null,
      step: [],
      body: [...statements, leave, ...lowered],
      test: "top",
      unroll,
      range,
    },
  ];
}

export function doStatement(context: Context, node: SyntaxNode): Statement[] {
  const body = childOf(node, "body");
  const conditionNode = childOf(node, "condition");
  if (body === null || conditionNode === null) throw new Unsupported("an incomplete do");
  const test = conditionOf(context, expression(context, conditionNode));
  const known = truthOf(test);
  const lowered = branch(context, body);
  // `do { … } while (0)` of macros runs once; a break or continue inside still needs the loop.
  if (known === false && !lowered.some(leaves)) return [{ kind: "block", body: lowered }];
  return [
    {
      kind: "loop",
      condition: known ? null : test,
      step: [],
      body: lowered,
      test: "bottom",
      unroll: unrollOf(context, node),
      range: rangeOf(context, node),
    },
  ];
}

/** Whether a statement may break or continue the loop around it. */
function leaves(each: Statement): boolean {
  switch (each.kind) {
    case "break":
    case "continue":
      return true;
    case "block":
      return each.body.some(leaves);
    case "if":
      return each.whenTrue.some(leaves) || each.whenFalse.some(leaves);
    case "switch":
      return each.cases.some((one) => one.body.some((inner) => inner.kind === "continue"));
    default:
      return false;
  }
}

/** `#pragma unroll` comes as an attribute of the loop's first token. */
export function unrollOf(context: Context, node: SyntaxNode): Loop["unroll"] {
  const attribute = context.unit.attributes.find(
    (each) => each.offset === node.start && /^#pragma /.test(each.name),
  );
  if (!attribute) return null;
  if (attribute.name === "#pragma nounroll") return 1;
  const [text] = attribute.arguments;
  if (text === undefined || text.trim() === "") return "full";
  return textConstant(context, text) ?? "full";
}
