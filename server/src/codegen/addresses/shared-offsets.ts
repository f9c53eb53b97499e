// Which arrays in static shared memory may be taken to begin where the layout of their kernel alone has them.
import type { Statement } from "../../ir/statement.ts";
import { forEachExpressionOf, rootVariableOf } from "../walks/walk.ts";
import { promisedAlignment } from "./alignment.ts";

/** By the id of a variable: where it begins in the block's shared memory. */
type Offsets = ReadonlyMap<number, number>;

/**
 * `arrays` without those of which the text accesses more at once than they are aligned as, and which may lie elsewhere within 16 bytes where
 * other kernels call the same functions: nobody could say that such an access faults.
 */
export function arrayOffsetsOf(arrays: Offsets, ifShared: Offsets, body: readonly Statement[]): Offsets {
  const isUnclear = (id: number) => isElsewhere(id, arrays, ifShared);
  if (![...arrays.keys()].some(isUnclear)) return arrays;
  const cast = new Set<number>();
  forEachExpressionOf(body, (node) => {
    if ((node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
    const array = rootVariableOf(node.place.pointer);
    if (array && promisedAlignment(node.place) > array.alignmentBytes) cast.add(array.id);
  });
  return new Map([...arrays].filter(([id]) => !cast.has(id) || !isUnclear(id)));
}

/** Whether both know the variable, and have it begin elsewhere within 16 bytes. */
export function isElsewhere(id: number, offsets: Offsets, others: Offsets): boolean {
  const offset = offsets.get(id) ?? 0;
  return (offset - (others.get(id) ?? offset)) % 16 !== 0;
}
