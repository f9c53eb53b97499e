// What of a kernel hangs on the index of its block.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { forEachExpression, partsOf, someExpression } from "../walks/walk.ts";

/** Ids of variables, and whether integers in shared memory may hold such a number. */
export interface OfBlock {
  readonly variables: ReadonlySet<number>;
  readonly inShared: boolean;
}

/** Whether another block may have another value; what lies in global memory is no index, and left out. */
export function isOfBlock(expression: Expression, { variables, inShared }: OfBlock): boolean {
  return someExpression(expression, (node) => {
    if (node.kind === "intrinsic") return node.name.startsWith("blockIdx");
    if (node.kind !== "load") return false;
    if (node.place.kind === "variable") return variables.has(node.place.variable.id);
    return inShared && node.type.kind === "integer";
  });
}

/** The variables of a body that hang on the index of the block. */
export function variablesOfBlock(body: readonly Statement[]): OfBlock {
  const variables = new Set<number>();
  const found = { variables, inShared: false };
  let size = -1;
  const visit = (list: readonly Statement[], isChosen: boolean): void => {
    for (const statement of list) {
      const { expressions, lists } = partsOf(statement);
      if (statement.kind === "declare" && statement.initializer)
        if (isChosen || isOfBlock(statement.initializer, found)) variables.add(statement.variable.id);
      for (const expression of expressions)
        forEachExpression(expression, (node) => {
          if (node.kind !== "assign" || !(isChosen || isOfBlock(node.value, found))) return;
          if (node.place.kind === "variable") variables.add(node.place.variable.id);
          else if (node.type.kind === "integer") found.inShared = true;
        });
      const chooses = lists.length > 0 && expressions.some((expression) => isOfBlock(expression, found));
      for (const inner of lists) visit(inner, isChosen || chooses);
    }
  };
  while (size !== variables.size + Number(found.inShared)) {
    size = variables.size + Number(found.inShared);
    visit(body, false);
  }
  return found;
}

/** Whether a way that the statements take, or a place that they access, hangs on the index of the block. */
export function hangsOnBlock(statements: readonly Statement[], ofBlock: OfBlock): boolean {
  return statements.some((statement) => {
    const { expressions, lists } = partsOf(statement);
    if (lists.some((list) => hangsOnBlock(list, ofBlock))) return true;
    if (lists.length > 0) return expressions.some((expression) => isOfBlock(expression, ofBlock));
    return expressions.some((expression) =>
      someExpression(expression, (node) => isPlaceOfBlock(node, ofBlock)),
    );
  });
}

function isPlaceOfBlock(node: Expression, ofBlock: OfBlock): boolean {
  if (node.kind === "load" || node.kind === "assign" || node.kind === "address")
    return node.place.kind === "memory" && isOfBlock(node.place.pointer, ofBlock);
  return (
    node.kind === "intrinsic" &&
    node.site !== null &&
    node.arguments.some((operand) => isOfBlock(operand, ofBlock))
  );
}
