// What the functions of CUDA's runtime and C's library give the host interpreter.
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import { isScalar, uint8 } from "../../ir/type.ts";
import { pureIntrinsic } from "../../semantics/intrinsic.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { writeDeviceData, writeExactly } from "./copy.ts";
import {
  deviceAttribute,
  devicePropertyFields,
  largestFullBlock,
  pitchAlignmentBytes,
} from "./device-facts.ts";
import type { HostContext } from "./evaluate.ts";
import { exposeToOutside } from "./exposed.ts";
import {
  allocators,
  answersInto,
  copiedBytes,
  exactWriters,
  exits,
  launchers,
  managedAllocators,
  successOf,
  writesThrough,
} from "./library-effects.ts";
import { textResult } from "./text.ts";
import type { Value } from "./value.ts";
import { isScalarValue, pointerTo, unknownValue } from "./value.ts";

/** Calls the library function `call.name` with `values`; `nameOf` gives the user's name for an argument. */
export function callLibrary(
  context: HostContext,
  call: Intrinsic,
  values: readonly Value[],
  nameOf: (expression: Expression) => string,
): Value {
  const { name } = call;
  if (allocators.has(name)) return allocate(context, call, values, nameOf);
  if (launchers.has(name)) {
    context.launchKernel(values, call.range);
    return 0;
  }
  if (exits.has(name)) {
    context.exit();
    return unknownValue("the program ends here");
  }
  const known = pureValue(call, values) ?? textResult(context.memory, name, values);
  if (known !== null) return known;
  if (name === "getenv" && context.askEnvironment() === "empty") return 0;
  if (exactWriters.has(name)) return writeExactly(context, call, values);
  const option = name === "__warplint_option" ? (values[3] ?? 0) : withoutArguments.get(name);
  if (option !== undefined && values[0] === 1) return option;
  if (writeDeviceData(context, call, values)) return 0;
  expose(context, call, values);
  answer(context, call, values);
  return successOf(name) ?? unknownValue(`the result of ${name}`);
}

/** Forgets what the function may change through its arguments. */
function expose(context: HostContext, call: Intrinsic, values: readonly Value[]): void {
  const bytes = copiedBytes(call.name, values);
  for (const [index, value] of values.entries()) {
    const type = call.arguments[index]?.type;
    if (!writesThrough(call.name, index, type)) continue;
    if (bytes !== null && forgetBytes(context, value, bytes)) continue;
    const answered = type?.kind === "pointer" && answersInto(call.name, type.target) ? type.target : null;
    if (answered !== null && !isScalarValue(value) && value.kind === "pointer" && value.offsetBytes !== null)
      context.memory.write(
        value.object,
        value.offsetBytes,
        answered,
        unknownValue(`what ${call.name} gives`),
      );
    else exposeToOutside(context, [value], call.range);
  }
}

/** More bytes than this are data. */
const mostBytesForgotten = 256;

/** Forgets what stands where `pointer` points, and nothing beside it; false where that cannot be told apart. */
function forgetBytes(context: HostContext, pointer: Value, bytes: number): boolean {
  if (isScalarValue(pointer) || pointer.kind !== "pointer" || pointer.offsetBytes === null) return false;
  if (bytes > mostBytesForgotten) return false;
  const type = { kind: "array", element: uint8, count: bytes } as const;
  context.memory.write(pointer.object, pointer.offsetBytes, type, unknownValue("what was copied there"));
  return true;
}

/** What the runtime writes through its first argument. */
function answer(context: HostContext, call: Intrinsic, values: readonly Value[]): void {
  const [target, second] = values;
  switch (call.name) {
    case "cudaGetDevice":
      writeInteger(context, target, 0);
      return;
    case "cudaGetDeviceCount":
      context.askDevice();
      writeInteger(context, target, 1);
      return;
    case "cudaDeviceGetAttribute": {
      const knowledge = context.askDevice();
      const value =
        second !== undefined && isScalarValue(second) ? deviceAttribute(Number(second), knowledge) : null;
      if (value !== null) writeInteger(context, target, value);
      return;
    }
    case "cudaGetDeviceProperties":
      writeProperties(context, call, target);
      return;
    case "cudaOccupancyMaxPotentialBlockSize":
      writeLargestBlock(context, values);
      return;
  }
}

function writeProperties(context: HostContext, call: Intrinsic, target: Value | undefined): void {
  const type = call.arguments[0]?.type;
  if (type?.kind !== "pointer" || type.target.kind !== "record") return;
  if (target === undefined || isScalarValue(target) || target.kind !== "pointer") return;
  if (target.offsetBytes === null) return;
  for (const { offsetBytes, bytes, value } of devicePropertyFields(type.target, context.askDevice())) {
    const integer = { kind: "integer", bits: bytes === 8 ? 64 : 32, signed: bytes === 4 } as const;
    context.memory.write(target.object, target.offsetBytes + offsetBytes, integer, value);
  }
}

/** The largest block that a full multiprocessor is made of, and the grid that fills the GPU with them, where no dynamic shared memory has a say. */
function writeLargestBlock(
  context: HostContext,
  [grid, block, kernel, shared = 0, limit = 0]: readonly Value[],
): void {
  if (shared !== 0 || !isScalarValue(limit)) return;
  const isMeasured = context.askDevice() === "measured";
  if (!isMeasured || !context.assumesFullOccupancy(kernel)) return;
  const threads = largestFullBlock(Number(limit));
  if (threads === null) return;
  writeInteger(context, block, threads.block);
  writeInteger(context, grid, threads.grid);
}

function pureValue(call: Intrinsic, values: readonly Value[]): Scalar | null {
  if (!isScalar(call.type) || !values.every(isScalarValue)) return null;
  const types = call.arguments.map((argument) => argument.type);
  return types.every(isScalar) ? pureIntrinsic(call.name, call.type, types, values) : null;
}

function allocate(
  context: HostContext,
  call: Intrinsic,
  values: readonly Value[],
  nameOf: (expression: Expression) => string,
): Value {
  const allocator = allocators.get(call.name);
  if (allocator === undefined) return unknownValue(`the result of ${call.name}`);
  const sizeBytes = allocatedBytes(call.name, values);
  if (allocator.gives === "result") {
    const fill = call.name === "calloc" ? "zero" : "unknown";
    return pointerTo(
      context.allocate(call, { name: "", sizeBytes, alignmentBytes: allocator.alignmentBytes, fill }),
      0,
    );
  }
  const target = values[0];
  if (target === undefined || isScalarValue(target) || target.kind !== "pointer") return 0;
  const [argument] = call.arguments;
  const name = argument?.kind === "address" || argument?.kind === "convert" ? nameOf(argument) : "";
  const object = context.allocate(call, {
    name: context.isInLibrary ? "" : name || target.object.name,
    sizeBytes,
    alignmentBytes: allocator.alignmentBytes,
    fill: "unknown",
    isManaged: managedAllocators.has(call.name),
  });
  if (target.offsetBytes === null)
    context.memory.forget(target.object, "an allocation whose place is not known");
  else context.memory.write(target.object, target.offsetBytes, pointerType, pointerTo(object, 0));
  if (call.name === "cudaMallocPitch") writePitch(context, values);
  return 0;
}

/** What functions that look for an option on the command line give where there is none (argc = 1). */
const withoutArguments = new Map([
  ["getopt", -1],
  ["getopt_long", -1],
  ["checkCmdLineFlag", 0],
  ["getCmdLineArgumentInt", 0],
  ["getCmdLineArgumentFloat", 0],
  ["getCmdLineArgumentString", 0],
  ["findCudaDevice", 0],
]);

/** cudaMallocPitch(pointer, pitch, widthBytes, height) widens the rows to whole units. */
function writePitch(context: HostContext, [, target, width]: readonly Value[]): void {
  if (target === undefined || isScalarValue(target) || target.kind !== "pointer") return;
  const isKnown = width !== undefined && isScalarValue(width) && context.askDevice() === "measured";
  if (!isKnown || target.offsetBytes === null) {
    context.memory.forget(target.object, "the pitch of an allocation");
    return;
  }
  const pitch = Math.ceil(Number(width) / pitchAlignmentBytes) * pitchAlignmentBytes;
  context.memory.write(
    target.object,
    target.offsetBytes,
    { kind: "integer", bits: 64, signed: false },
    pitch,
  );
}

const pointerType = { kind: "pointer", target: { kind: "void" } } as const;

/** How many bytes an allocator is asked for, with its arguments; null where that is not known. */
export function allocatedBytes(name: string, values: readonly Value[]): number | null {
  const at = (index: number) => {
    const value = values[index];
    return value !== undefined && isScalarValue(value) && value >= 0 ? Number(value) : null;
  };
  switch (name) {
    case "malloc":
    case "operator new":
      return at(0);
    case "calloc": {
      const count = at(0);
      const bytes = at(1);
      return count === null || bytes === null ? null : count * bytes;
    }
    case "cudaMallocPitch":
    case "realloc":
      return null;
    default:
      return at(1);
  }
}

function writeInteger(context: HostContext, pointer: Value | undefined, value: number): void {
  if (
    pointer === undefined ||
    isScalarValue(pointer) ||
    pointer.kind !== "pointer" ||
    pointer.offsetBytes === null
  )
    return;
  const type = { kind: "integer", bits: 32, signed: true } as const;
  context.memory.write(pointer.object, pointer.offsetBytes, type, value);
}
