// CUDA's vector types by what they hold.
import type { Type } from "../../ir/type.ts";

export interface VectorType {
  /** "float4". */
  readonly name: string;
  readonly element: string;
  readonly elementBytes: number;
  readonly elementCount: number;
}

export const vectorMembers = ["x", "y", "z", "w"] as const;
const widestBytes = 16;

/** The vector of `elementCount` scalars of a type; null where CUDA has none of 8 or 16 bytes. */
export function vectorOf(type: Type, elementCount: number): VectorType | null {
  const element = elementName(type);
  if (element === null || (elementCount !== 2 && elementCount !== 4)) return null;
  const { name, vector, bytes } = element;
  if (bytes * elementCount > widestBytes) return null;
  return { name: `${vector}${elementCount}`, element: name, elementBytes: bytes, elementCount };
}

function elementName(type: Type): { name: string; vector: string; bytes: number } | null {
  if (type.kind === "float" && type.format === "single") return { name: "float", vector: "float", bytes: 4 };
  if (type.kind === "float" && type.format === "double")
    return { name: "double", vector: "double", bytes: 8 };
  if (type.kind !== "integer") return null;
  const { name, vector } = integerNames[type.bits];
  const bytes = type.bits / 8;
  return type.signed
    ? { name, vector, bytes }
    : { name: name === "int" ? "unsigned" : `unsigned ${name}`, vector: `u${vector}`, bytes };
}

const integerNames = {
  8: { name: "char", vector: "char" },
  16: { name: "short", vector: "short" },
  32: { name: "int", vector: "int" },
  64: { name: "long long", vector: "longlong" },
} as const;

/** What an array or pointer holds: the innermost element. */
export function elementOf(type: Type | null | undefined): Type | null {
  let element = type ?? null;
  while (element?.kind === "array") element = element.element;
  return element?.kind === "pointer" ? element.target : element;
}

export function isArrayOrPointer(type: Type | null | undefined): boolean {
  return type?.kind === "array" || type?.kind === "pointer";
}
