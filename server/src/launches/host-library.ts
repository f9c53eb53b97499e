// What the functions of CUDA's runtime and C's library give the host interpreter.
import type { Expression, Intrinsic } from "../ir/expression.ts";
import { isScalar } from "../ir/type.ts";
import { pureIntrinsic } from "../semantics/intrinsic.ts";
import type { Scalar } from "../semantics/scalar.ts";
import type { HostContext } from "./evaluate-host.ts";
import { exposeToOutside } from "./evaluate-host.ts";
import { allocators, exits, launchers, successOf, writesThrough } from "./library.ts";
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
  const pure = pureValue(call, values);
  if (pure !== null) return pure;
  if (name === "memcpy" || name === "memmove" || name === "memset") return copyOrFill(context, call, values);
  exposeToOutside(
    context,
    values.filter((_, index) => writesThrough(name, index)),
    call.range,
  );
  if (name === "cudaGetDevice") writeInteger(context, values[0], 0);
  return successOf(name) ?? unknownValue(`the result of ${name}`);
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
    return pointerTo(context.allocate(call, "", sizeBytes, allocator.alignmentBytes), 0);
  }
  const target = values[0];
  if (target === undefined || isScalarValue(target) || target.kind !== "pointer") return 0;
  const [argument] = call.arguments;
  const name = argument?.kind === "address" || argument?.kind === "convert" ? nameOf(argument) : "";
  const object = context.allocate(call, name || target.object.name, sizeBytes, allocator.alignmentBytes);
  if (target.offsetBytes === null)
    context.memory.forget(target.object, "an allocation whose place is not known");
  else context.memory.write(target.object, target.offsetBytes, pointerType, pointerTo(object, 0));
  if (call.name === "cudaMallocPitch") exposeToOutside(context, values.slice(1, 2), call.range);
  return 0;
}

const pointerType = { kind: "pointer", target: { kind: "void" } } as const;

function allocatedBytes(name: string, values: readonly Value[]): number | null {
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
      return null;
    default:
      return at(1);
  }
}

/** memset to zero and memcpy between known places are followed; else the destination is forgotten. */
function copyOrFill(context: HostContext, call: Intrinsic, values: readonly Value[]): Value {
  const [destination, source, count] = values;
  if (destination === undefined || isScalarValue(destination) || destination.kind !== "pointer") {
    return destination ?? unknownValue(`the result of ${call.name}`);
  }
  const bytes = count !== undefined && isScalarValue(count) ? Number(count) : null;
  const { object, offsetBytes } = destination;
  const isSmall = bytes !== null && bytes <= 4096 && offsetBytes !== null;
  if (!isSmall) {
    context.memory.forget(object, `${call.name} of what is not known`);
    return destination;
  }
  const type = { kind: "record", name: "", sizeBytes: bytes, alignmentBytes: 1, fields: [] } as const;
  if (call.name === "memset") {
    if (source === 0 && offsetBytes === 0 && bytes === object.sizeBytes) {
      context.memory.write(object, 0, type, { kind: "record", cells: new Map(), fill: "zero" });
    } else {
      context.memory.forget(object, "memset of a part");
    }
  } else if (
    source !== undefined &&
    !isScalarValue(source) &&
    source.kind === "pointer" &&
    source.offsetBytes !== null
  ) {
    const value = context.memory.read(source.object, source.offsetBytes, type);
    const isWhole = offsetBytes === 0 && bytes === object.sizeBytes;
    const hasAll =
      !isScalarValue(value) && value.kind === "record" && (isWhole || value.fill === object.fill);
    if (hasAll) context.memory.write(object, offsetBytes, type, value);
    else context.memory.forget(object, "memcpy of a part");
  } else {
    context.memory.forget(object, "memcpy of what is not known");
  }
  return destination;
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
