// Compares what two runs leave behind in global memory, byte by byte.
import { type MemoryObject, pageBytes, pageOf, presentPages } from "../../simulator/memory.ts";
import type { SimulationResult } from "../../simulator/simulate.ts";

/** The first byte that is not the same, in words; null where all are. Objects are matched by their order. */
export function firstDifference(before: SimulationResult, after: SimulationResult): string | null {
  const [left, right] = [before.memories(), after.memories()];
  if (left.length !== right.length) return "the kernel reaches other memory";
  for (const [index, object] of left.entries()) {
    const other = right[index];
    const offset = other === undefined ? 0 : firstDifferentByte(object, other);
    if (offset !== null) return `${object.name} would hold other values from byte ${offset} on`;
  }
  return null;
}

function firstDifferentByte(left: MemoryObject, right: MemoryObject): number | null {
  if (left.pages === null || right.pages === null) return firstUnequal(left.bytes, right.bytes);
  // What only one of them reached gets its first contents in the other, too.
  const pages = new Set([...presentPages(left), ...presentPages(right)]);
  for (const page of [...pages].sort((a, b) => a - b)) {
    const bytes = pageOf(left, page);
    const offset = firstUnequal(bytes, pageOf(right, page));
    if (offset !== null) return page * pageBytes + offset;
  }
  return null;
}

function firstUnequal(left: Uint8Array, right: Uint8Array): number | null {
  if (left.length !== right.length) return Math.min(left.length, right.length);
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return at;
  return null;
}
