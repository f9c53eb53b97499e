// Functions that load, store or copy through a pointer.
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { booleanType, int8, int32, pointerTo as irPointerTo } from "../../ir/type.ts";
import {
  assignOf,
  binaryOf,
  constantOf,
  convertOf,
  offsetOf,
  placeAt,
  sequenceOf,
} from "../expressions/build.ts";
import { convertValue } from "../expressions/convert.ts";
import {
  opaque,
  pointerToPlace,
  readValue,
  rvalueOf,
  siteAt,
  unknownOfType,
  type Value,
} from "../expressions/value.ts";
import {
  boolType,
  type CxxType,
  charType,
  intType,
  irTypeOf,
  longLongType,
  pointerTo,
  unknownOf,
  unqualified,
  unsignedLongType,
  voidType,
} from "../types/cxx-type.ts";
import { smallCopy, smallFill } from "./memory-copy.ts";
import { accessing, argument, type Builtin, each, expressions, intrinsic, type Use } from "./use.ts";

/** By name: loads, stores, copies and allocations. */
export const memoryFunctions: Readonly<Record<string, Builtin>> = {
  ...each("__ldg __ldca __ldcs __ldcg __ldlu __ldcv", loadThrough),
  ...each("__stwb __stcg __stcs __stwt", storeThrough),
  __pipeline_memcpy_async: asyncCopy,
  ...each("malloc calloc", allocate),
  free: release,
  ...each("memcpy __builtin_memcpy", deviceCopy),
  ...each("memset __builtin_memset", deviceFill),
  ...each("cudaMemcpyToSymbol cudaMemcpyToSymbolAsync", copyToSymbol),
  cudaGetSymbolAddress: addressOfSymbol,
  __cvta_generic_to_shared: addressAsInteger,
  __isShared: isShared,
};

/** `atomicAdd` and its like, of a block's or the system's scope too; null for names that are none. */
export function atomic(use: Use): Value | null {
  const name = use.name.replace(/_(block|system)$/, "");
  if (intrinsicEffect(name) !== "atomic") return null;
  const type = targetOf(use);
  const [pointer] = expressions(use);
  const values = use.given.slice(1).map((value) => convertValue(use.context, value, type));
  return rvalueOf(type, accessing(use, name, irTypeOf(type), pointer ? [pointer, ...values] : values));
}

function targetOf(use: Use): CxxType {
  const read = readValue(use.context, argument(use, 0));
  return read.type.kind === "pointer" ? unqualified(read.type.target) : unknownOf("?", "not a pointer");
}

function loadThrough(use: Use): Value {
  const type = targetOf(use);
  return rvalueOf(type, accessing(use, use.name, irTypeOf(type), expressions(use).slice(0, 1)));
}

function storeThrough(use: Use): Value {
  const type = targetOf(use);
  const [pointer] = expressions(use);
  const value = convertValue(use.context, argument(use, 1), type);
  return rvalueOf(voidType, accessing(use, use.name, { kind: "void" }, pointer ? [pointer, value] : [value]));
}

function asyncCopy(use: Use): Value {
  const [destination, source, bytes, zeroBytes] = expressions(use);
  if (!destination || !source || !bytes) return opaque(use.name, "an incomplete copy");
  const list = [destination, source, bytes];
  if (zeroBytes && !(zeroBytes.kind === "constant" && Number(zeroBytes.value) === 0))
    list.push(binaryOf("-", bytes.type, bytes, convertOf(zeroBytes, bytes.type)));
  const name = bytes.kind === "constant" && Number(bytes.value) === 16 ? "cp.async.cg" : "cp.async.ca";
  return rvalueOf(voidType, accessing(use, name, { kind: "void" }, list));
}

/** null on the host, and where the copy is not one that was measured. */
function deviceCopy(use: Use): Value | null {
  const [destination, source, bytes] = expressions(use);
  if (!use.context.body?.isDevice || !destination || !source || !bytes) return null;
  const copied = smallCopy(use.context, destination, source, bytes, siteAt(use.context, use.node));
  return copied && rvalueOf(voidType, copied);
}

/** null on the host, and where what is set is not what was measured. */
function deviceFill(use: Use): Value | null {
  const [destination, value, bytes] = expressions(use);
  if (!use.context.body?.isDevice || !destination || !value || !bytes) return null;
  const filled = smallFill(destination, value, bytes, siteAt(use.context, use.node));
  return filled && rvalueOf(voidType, filled);
}

function allocate(use: Use): Value {
  const list = use.given.map((value) => convertValue(use.context, value, unsignedLongType));
  const type = pointerTo(voidType);
  return rvalueOf(type, intrinsic(use, use.name, irPointerTo({ kind: "void" }), list));
}

function release(use: Use): Value {
  return rvalueOf(voidType, intrinsic(use, use.name, { kind: "void" }, expressions(use)));
}

/** (symbol, source, bytes, offset = 0, …): a copy into the variable itself, of which CUDA gives the host but a shadow. */
function copyToSymbol(use: Use): Value {
  const [symbol, source, bytes, offset] = use.given;
  if (symbol?.kind !== "place" || !source || !bytes)
    return unknownOfType(intType, `${use.name} of what is no variable`, expressions(use));
  const start = convertOf(pointerToPlace(symbol), irTypeOf(pointerTo(charType)));
  const copy = intrinsic(use, "memcpy", irPointerTo({ kind: "void" }), [
    offset ? offsetOf(start, convertValue(use.context, offset, longLongType), 1, int8) : start,
    readValue(use.context, source).expression,
    convertValue(use.context, bytes, unsignedLongType),
  ]);
  return rvalueOf(intType, sequenceOf([copy], constantOf(int32, 0)));
}

/** (address, symbol): where the variable itself lies. */
function addressOfSymbol(use: Use): Value {
  const [address, symbol] = use.given;
  if (symbol?.kind !== "place" || !address)
    return unknownOfType(intType, `${use.name} of what is no variable`, expressions(use));
  const type = irTypeOf(pointerTo(voidType));
  const target = placeAt(readValue(use.context, address).expression, type);
  const start = convertOf(pointerToPlace(symbol), type);
  return rvalueOf(intType, sequenceOf([assignOf(target, start, null)], constantOf(int32, 0)));
}

function addressAsInteger(use: Use): Value {
  const pointer = readValue(use.context, argument(use, 0)).expression;
  return rvalueOf(unsignedLongType, convertOf(pointer, irTypeOf(unsignedLongType)));
}

function isShared(use: Use): Value {
  const pointer = readValue(use.context, argument(use, 0)).expression;
  return rvalueOf(boolType, intrinsic(use, "__isShared", booleanType, [pointer]));
}
