// What others may do to the host's memory: code that is not in sight, and kernels.
import type { SourceRange } from "../../text/source.ts";
import type { HostContext } from "./evaluate.ts";
import type { HostObject, Memory } from "./object.ts";
import { isScalarValue, type RecordValue, type Value } from "./value.ts";

/** What code out of sight may do with values that it is given: write through pointers, and call functions. */
export function exposeToOutside(
  context: HostContext,
  values: readonly Value[],
  range: SourceRange | null,
): void {
  for (const value of values) {
    if (isScalarValue(value)) continue;
    if (value.kind === "pointer") forgetReachable(context, value.object);
    if (value.kind === "record") forgetData(context, value);
    if (value.kind === "function") {
      context.callFromOutside(value.callee, value.receiver, range);
    }
  }
}

const outside = "code that is not in sight may have changed it";

/** What a kernel may do that is passed `value`: write to memory that it has in common with the host, as far as pointers lead there. */
export function exposeToKernel(memory: Memory, value: Value, seen: Set<HostObject> = new Set()): void {
  if (isScalarValue(value)) return;
  if (value.kind === "record") {
    for (const cell of value.cells.values()) exposeToKernel(memory, cell.value, seen);
    return;
  }
  if (value.kind !== "pointer" || !value.object.isManaged || seen.has(value.object)) return;
  // Of data that are followed it is known which parameters lead to what is written.
  if (value.object.data !== null) return;
  seen.add(value.object);
  const cells = [...value.object.cells.values()];
  memory.forget(value.object, "a kernel may have changed it");
  for (const cell of cells) exposeToKernel(memory, cell.value, seen);
}

/** Forgets data in bulk that pointers in a record lead to, as iterators do. */
function forgetData(context: HostContext, { cells }: RecordValue): void {
  for (const { value } of cells.values()) {
    if (isScalarValue(value)) continue;
    if (value.kind === "record") forgetData(context, value);
    if (value.kind === "pointer" && value.object.data !== null) context.memory.forget(value.object, outside);
  }
}

function forgetReachable(context: HostContext, object: HostObject): void {
  const cells = [...object.cells.values()];
  context.memory.forget(object, outside);
  for (const { value } of cells) {
    if (!isScalarValue(value) && value.kind === "pointer" && value.object !== object) {
      context.memory.forget(value.object, outside);
    }
  }
}
