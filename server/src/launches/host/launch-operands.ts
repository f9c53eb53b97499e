// The operands of a launch, read from values of the host.
import type { FunctionDefinition } from "../../ir/function.ts";
import type { Type } from "../../ir/type.ts";
import { uint32 } from "../../ir/type.ts";
import { undeclaredIn } from "../../ir/undeclared.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import type { HostValue } from "../launch.ts";
import type { HostObject, Memory } from "./object.ts";
import { readContents } from "./object.ts";
import type { MetLaunch, Recorder } from "./recorder.ts";
import type { Bindings, Dependence, Value } from "./value.ts";
import { choiceOf, isScalarValue, numbersOf, resolve, unknownValue } from "./value.ts";

export interface LaunchOperands {
  readonly grid: Value | undefined;
  readonly block: Value | undefined;
  readonly shared: Value;
  /** The kernel's arguments. */
  readonly values: readonly Value[];
}

/** A number that conditions chose, of which an extent of a block is computed. */
export interface BlockChoice {
  readonly of: Dependence;
  readonly numbers: readonly Scalar[];
  /** The extent. */
  readonly value: Value;
}

/** The first number that a launch's block hangs on and that is one of a few; null where there is none. */
export function blockChoice({ block }: LaunchOperands): BlockChoice | null {
  for (const value of block === undefined ? [] : extents(block)) {
    const of = choiceOf(value);
    if (of !== null && numbersOf(value).length > 0) return { of, numbers: of.symbol.among ?? [], value };
  }
  return null;
}

/** The operands with what their numbers are bound to put in. */
export function resolvedOperands(
  { grid, block, shared, values }: LaunchOperands,
  bindings: Bindings,
): LaunchOperands {
  const resolved = (value: Value | undefined) => (value === undefined ? value : resolve(value, bindings));
  return {
    grid: resolved(grid),
    block: resolved(block),
    shared: resolve(shared, bindings),
    values: values.map((value) => resolve(value, bindings)),
  };
}

/** Records a launch of `kernel`. */
export function recordLaunch(
  recorder: Recorder,
  kernel: FunctionDefinition,
  { grid, block, shared, values }: LaunchOperands,
  met: Pick<MetLaunch, "constants" | "isFromMain" | "path" | "assumptions" | "choices">,
  given: ReadonlySet<HostObject>,
): void {
  recorder.record({
    kernel: kernel.id,
    grid: dimensions(grid),
    block: dimensions(block),
    undeclaredBlock: undeclaredExtent(block),
    sharedBytes: isScalarValue(shared) ? Number(shared) : null,
    arguments: kernel.parameters.map((parameter, index): HostValue => {
      const value = values[index];
      return value === undefined
        ? { kind: "unknown", reason: `${parameter.name} is not passed` }
        : recorder.hostValue(value, parameter, given);
    }),
    ...met,
  });
}

/** The three numbers of a dim3; null where one is not known. */
function dimensions(value: Value | undefined): (number | null)[] {
  if (value === undefined) return [null, null, null];
  if (isScalarValue(value)) return [Number(value), 1, 1];
  return extents(value).map((extent) => (isScalarValue(extent) ? Number(extent) : null));
}

/** The name declared nowhere that one of the three numbers hangs on; null where none does. */
function undeclaredExtent(value: Value | undefined): string | null {
  if (value === undefined) return null;
  for (const extent of extents(value)) {
    if (isScalarValue(extent) || extent.kind !== "unknown") continue;
    const name = undeclaredIn(extent.reason);
    if (name !== null) return name;
  }
  return null;
}

function extents(value: Value): readonly Value[] {
  if (isScalarValue(value) || value.kind !== "record") return [value, value, value];
  return [0, 4, 8].map((offset) => readContents(value, offset, uint32, ""));
}

/** An argument of cudaLaunchKernel: `list` points to a pointer to each. */
export function behindArgument(memory: Memory, list: Value, index: number, type: Type): Value {
  const unknownArgument = unknownValue("an argument that is passed through a pointer");
  if (isScalarValue(list) || list.kind !== "pointer" || list.offsetBytes === null) return unknownArgument;
  const pointer = memory.read(list.object, list.offsetBytes + 8 * index, { kind: "pointer", target: type });
  if (isScalarValue(pointer) || pointer.kind !== "pointer" || pointer.offsetBytes === null)
    return unknownArgument;
  return memory.read(pointer.object, pointer.offsetBytes, type);
}
