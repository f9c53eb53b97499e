// What a fix takes: shared memory of a block, blocks of an SM.
import type { Expression } from "../ir/expression.ts";
import type { FunctionId, Program } from "../ir/function.ts";
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { Launch } from "../launches/launch.ts";
import { visitStatements } from "../simulator/walk.ts";

/** What nvcc allows of `__shared__` arrays of fixed size, and a launch of dynamic memory without an attribute set. */
export const mostSharedBytes = 48 * 1024;

/** Of sm_90: shared memory of an SM, what of it the system keeps for each block, threads and blocks that an SM holds (CUDA guide, table 15). */
const smSharedBytes = 228 * 1024;
const reservedBytes = 1024;
const smThreads = 2048;
const smBlocks = 32;

/** Bytes of `__shared__` arrays of fixed size that a kernel declares or reaches; null where the program has no such kernel. */
export function staticSharedBytes(program: Program, kernel: FunctionId): number | null {
  if (program.functionOf(kernel) === null) return null;
  const variables = new Map<number, Variable>();
  const seen = new Set<FunctionId>();
  const waiting: FunctionId[] = [kernel];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    visitStatements(program.functionOf(id)?.body ?? [], {
      statement: (statement) => {
        if (statement.kind === "declare" && statement.variable.storage === "shared")
          variables.set(statement.variable.id, statement.variable);
      },
      expression: (expression) => waiting.push(...calleesOf(expression)),
      place: (place) => {
        if (place.kind === "variable" && place.variable.storage === "shared")
          variables.set(place.variable.id, place.variable);
      },
    });
  }
  let bytes = 0;
  for (const { type, alignmentBytes } of variables.values()) {
    const size = sizeOf(type) ?? 0;
    bytes = Math.ceil(bytes / Math.max(alignmentBytes, 1)) * Math.max(alignmentBytes, 1) + size;
  }
  return bytes;
}

function calleesOf(expression: Expression): FunctionId[] {
  return expression.kind === "call" ? [expression.callee] : [];
}

/** Blocks that an SM holds at once, as far as shared memory and threads decide. */
export function blocksPerSm({ block }: Launch, sharedBytes: number): number {
  const threads = Math.ceil((block[0] * block[1] * block[2]) / 32) * 32;
  return Math.min(
    smBlocks,
    Math.floor(smThreads / threads),
    Math.floor(smSharedBytes / (sharedBytes + reservedBytes)),
  );
}
