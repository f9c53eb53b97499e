// Compares what two runs leave behind in global memory, byte by byte.
import { type MemoryObject, presentBytes, touch } from "../simulator/memory.ts";
import type { SimulationResult } from "../simulator/simulate.ts";

/** The first byte that is not the same, in words; null where all are. Objects are matched by their order. */
export function firstDifference(before: SimulationResult, after: SimulationResult): string | null {
  const [left, right] = [before.memories(), after.memories()];
  if (left.length !== right.length) return "the kernel reaches other memory";
  for (const [index, object] of left.entries()) {
    const other = right[index];
    const offset = other === undefined ? 0 : firstDifferentByte(object, other);
    if (offset !== null) return `byte ${offset} of ${object.name} becomes another`;
  }
  return null;
}

function firstDifferentByte(left: MemoryObject, right: MemoryObject): number | null {
  // What only one of them reached gets its first contents in the other, too.
  for (const [start, end] of presentBytes(left)) touch(right, start, end);
  for (const [start, end] of presentBytes(right)) touch(left, start, end);
  for (const [start, end] of presentBytes(left)) {
    for (let at = start; at < end; at++) {
      if (left.bytes[at] !== right.bytes[at]) return at;
    }
  }
  return null;
}
