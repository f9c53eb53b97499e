// The types of the IR: what C++ types are once names, templates and typedefs are gone. Sizes and offsets are those of
// nvcc on 64-bit Linux (long is 64 bits, char is signed, pointers are 8 bytes).

export interface VoidType {
  readonly kind: "void";
}

export interface BooleanType {
  readonly kind: "boolean";
}

/** Every integer type; an enumeration is its underlying integer, `char` is signed 8 bits. */
export interface IntegerType {
  readonly kind: "integer";
  readonly bits: 8 | 16 | 32 | 64;
  readonly signed: boolean;
}

export interface FloatType {
  readonly kind: "float";
  readonly format: "half" | "bfloat16" | "single" | "double";
}

/** A pointer; references are lowered to pointers too. */
export interface PointerType {
  readonly kind: "pointer";
  readonly target: Type;
}

export interface ArrayType {
  readonly kind: "array";
  readonly element: Type;
  /** Number of elements; 0 for `extern __shared__ T s[]`. */
  readonly count: number;
}

/** A struct, union, class, closure or CUDA vector type (float4, dim3), laid out. Bases are flattened into fields. */
export interface RecordType {
  readonly kind: "record";
  readonly name: string;
  readonly sizeBytes: number;
  readonly alignmentBytes: number;
  readonly fields: readonly RecordField[];
}

export interface RecordField {
  readonly name: string;
  readonly type: Type;
  readonly offsetBytes: number;
  /** Of a pointer that stands for a reference: it leads to one object for good. */
  readonly isReference?: boolean;
}

/** A pointer to a function, or a std::function: called through `CallIndirect`. */
export interface FunctionType {
  readonly kind: "function";
}

/** A type that warplint does not understand; `reason` says why, in words for the user. */
export interface UnknownType {
  readonly kind: "unknown";
  readonly reason: string;
}

export type ScalarType = BooleanType | IntegerType | FloatType;

export type Type = VoidType | ScalarType | PointerType | ArrayType | RecordType | FunctionType | UnknownType;

export const voidType: VoidType = { kind: "void" };
export const booleanType: BooleanType = { kind: "boolean" };
export const int8: IntegerType = { kind: "integer", bits: 8, signed: true };
export const uint8: IntegerType = { kind: "integer", bits: 8, signed: false };
export const int16: IntegerType = { kind: "integer", bits: 16, signed: true };
export const uint16: IntegerType = { kind: "integer", bits: 16, signed: false };
export const int32: IntegerType = { kind: "integer", bits: 32, signed: true };
export const uint32: IntegerType = { kind: "integer", bits: 32, signed: false };
export const int64: IntegerType = { kind: "integer", bits: 64, signed: true };
export const uint64: IntegerType = { kind: "integer", bits: 64, signed: false };
export const half: FloatType = { kind: "float", format: "half" };
export const bfloat16: FloatType = { kind: "float", format: "bfloat16" };
export const float32: FloatType = { kind: "float", format: "single" };
export const float64: FloatType = { kind: "float", format: "double" };
export const functionType: FunctionType = { kind: "function" };

export function pointerTo(target: Type): PointerType {
  return { kind: "pointer", target };
}

export function arrayOf(element: Type, count: number): ArrayType {
  return { kind: "array", element, count };
}

export function unknownType(reason: string): UnknownType {
  return { kind: "unknown", reason };
}

export function isScalar(type: Type): type is ScalarType {
  return type.kind === "boolean" || type.kind === "integer" || type.kind === "float";
}

/** Size in bytes, as `sizeof` gives it; null for void, unknown and unsized types. */
export function sizeOf(type: Type): number | null {
  switch (type.kind) {
    case "boolean":
      return 1;
    case "integer":
      return type.bits / 8;
    case "float":
      return floatBytes[type.format];
    case "pointer":
    case "function":
      return 8;
    case "array": {
      const element = sizeOf(type.element);
      return element === null ? null : element * type.count;
    }
    case "record":
      return type.sizeBytes;
    case "void":
    case "unknown":
      return null;
  }
}

/** Alignment in bytes, as `alignof` gives it; null for void and unknown types. */
export function alignmentOf(type: Type): number | null {
  switch (type.kind) {
    case "array":
      return alignmentOf(type.element);
    case "record":
      return type.alignmentBytes;
    default:
      return sizeOf(type);
  }
}

/** Structural equality; records are equal when their names and sizes are. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "integer":
      return b.kind === "integer" && a.bits === b.bits && a.signed === b.signed;
    case "float":
      return b.kind === "float" && a.format === b.format;
    case "pointer":
      return b.kind === "pointer" && sameType(a.target, b.target);
    case "array":
      return b.kind === "array" && a.count === b.count && sameType(a.element, b.element);
    case "record":
      return b.kind === "record" && a.name === b.name && a.sizeBytes === b.sizeBytes;
    default:
      return a.kind === b.kind;
  }
}

const floatBytes = { half: 2, bfloat16: 2, single: 4, double: 8 } as const;
