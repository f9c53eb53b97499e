// The loads of shared and global memory in what was generated, where doubts look for those of a kind.
import type { Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { forEachExpressionOf } from "../walks/walk.ts";

export type MemoryLoad = Load & { readonly place: MemoryPlace };

export function isMemoryLoad(node: Expression): node is MemoryLoad {
  return node.kind === "load" && node.place.kind === "memory";
}

/** Those of the statements, in their order. */
export function memoryLoadsIn(statements: readonly Statement[]): readonly MemoryLoad[] {
  const loads: MemoryLoad[] = [];
  forEachExpressionOf(statements, (node) => {
    if (isMemoryLoad(node)) loads.push(node);
  });
  return loads;
}
