// What data in bulk are made of. Whatever pointers may lie in one place is one class, though a vector of sizes beside a pointer to weights is no data: of a class those
// parts alone are data whose kind is written to at many places. C++ lets nobody write an int through a pointer to float.
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import type { Type } from "../../ir/type.ts";
import { deviceSetters } from "../host/library-effects.ts";

export interface DataKind {
  /** The scalars that it is made of; null where these may be any, as those of bytes may. */
  readonly scalars: ReadonlySet<string> | null;
  /** Whether it may lie in the GPU's memory, which no statement of the host writes. */
  readonly isOfDevice: boolean;
}

export const anyData: DataKind = { scalars: null, isOfDevice: true };

/** What only the GPU's memory holds. */
const deviceData: DataKind = { scalars: new Set(), isOfDevice: true };

/** Of the host's memory that holds values of a type. */
export function kindOf(type: Type): DataKind {
  const scalars = new Set<string>();
  return { scalars: addScalars(type, scalars) ? scalars : null, isOfDevice: false };
}

/** What a pointer leads to, by its type before it was made one to void. */
export function kindBehind(pointer: Expression): DataKind {
  const { type } = pointer;
  if (type.kind === "pointer" && type.target.kind !== "void") return kindOf(type.target);
  return pointer.kind === "convert" ? kindBehind(pointer.operand) : anyData;
}

/** What the memory is made of that `cudaMalloc(place)` and its like give. */
export function kindAllocatedBy(place: Expression): DataKind {
  const { type } = place;
  const target = type.kind === "pointer" ? type.target : null;
  if (target?.kind === "pointer" && target.target.kind !== "void")
    return { ...kindOf(target.target), isOfDevice: true };
  return place.kind === "convert" ? kindAllocatedBy(place.operand) : anyData;
}

/** What a call of the runtime or of C's library writes through its argument at `index`. */
export function kindWritten({ name, arguments: given }: Intrinsic, index: number): DataKind {
  const [pointer, direction] = [given[index], given[directionAt.get(name) ?? given.length]];
  if (deviceSetters.has(name)) return deviceData;
  const kind = pointer === undefined ? anyData : kindBehind(pointer);
  if (direction === undefined) return kind;
  if (direction.kind !== "constant") return either(kind, deviceData);
  return toDevice.has(Number(direction.value)) ? deviceData : kind;
}

/** Which argument says where from and where to a function copies. */
const directionAt: ReadonlyMap<string, number> = new Map([
  ["cudaMemcpy", 3],
  ["cudaMemcpyAsync", 3],
  ["cudaMemcpy2D", 6],
]);

/** Values of cudaMemcpyKind: HostToDevice, DeviceToDevice. */
const toDevice: ReadonlySet<number> = new Set([1, 3]);

/** Whether a write to the one may be a write to the other. */
export function mayBeSame(a: DataKind, b: DataKind): boolean {
  if (a.isOfDevice && b.isOfDevice) return true;
  const [few, many] = [a.scalars, b.scalars];
  if (few === null) return many === null || many.size > 0;
  if (many === null) return few.size > 0;
  return [...few].some((each) => many.has(each));
}

export function either(a: DataKind, b: DataKind): DataKind {
  const scalars = a.scalars === null || b.scalars === null ? null : new Set([...a.scalars, ...b.scalars]);
  return { scalars, isOfDevice: a.isOfDevice || b.isOfDevice };
}

function addScalars(type: Type, scalars: Set<string>): boolean {
  switch (type.kind) {
    case "integer":
      scalars.add(`i${type.bits}`);
      return type.bits > 8;
    case "float":
      scalars.add(type.format);
      return true;
    case "pointer":
    case "function":
      scalars.add("pointer");
      return true;
    case "array":
      return addScalars(type.element, scalars);
    case "record":
      return type.fields.length > 0 && type.fields.every((field) => addScalars(field.type, scalars));
    default:
      return false;
  }
}
