// Numbers, types and lists in words: one spelling for all texts.
import type { AccessOperation } from "../evaluate/profile.ts";
import type { Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";

/** 1048576 is "1,048,576"; averages keep one decimal: "4.5". */
export function countText(value: number): string {
  const rounded =
    Math.abs(value - Math.round(value)) < 0.05 ? Math.round(value) : Math.round(value * 10) / 10;
  const [whole = "", fraction] = String(rounded).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** An average over requests: whole where it is, else with one decimal: "2.0" is not quite 2. */
export function averageText(value: number): string {
  return Number.isInteger(value) || value >= 1000 ? countText(value) : value.toFixed(1);
}

/** "8.0×", "32.0×"; below 2 with two decimals where they say something: "1.25×". */
export function ratioText(ratio: number): string {
  const isFine = ratio < 2 && Math.abs(ratio * 10 - Math.round(ratio * 10)) > 0.05;
  return `${ratio.toFixed(isFine ? 2 : 1)}×`;
}

/** "1 wavefront", "2 wavefronts", "2 async copies". */
export function plural(count: number, noun: string): string {
  const many = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${countText(count)} ${count === 1 ? noun : many}`;
}

/** "a", "a and b", "a, b and c". */
export function listText(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

/** As the beginning of a sentence. */
export function capitalised(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}

export function operationText(operation: AccessOperation): string {
  return operation === "matrix-load" || operation === "matrix-store" || operation === "async-copy"
    ? operation.replace("-", " ")
    : operation;
}

/** What lanes do: "Neighbouring lanes write …". */
export function verbOf(operation: AccessOperation): string {
  return {
    load: "read",
    store: "write",
    atomic: "update",
    "async-copy": "copy",
    "matrix-load": "read",
    "matrix-store": "write",
  }[operation];
}

/** The scalar or record that an array or pointer is made of. */
export function elementOf(type: Type | null | undefined): Type | null {
  let at: Type | null = type ?? null;
  for (let depth = 0; depth < 16 && at !== null; depth++) {
    if (at.kind === "array") at = at.element;
    else if (at.kind === "pointer") at = at.target;
    else return at;
  }
  return at;
}

/** "float", "double", "unsigned int", "half", "float4"; null for what has no short name. */
export function typeName(type: Type | null): string | null {
  switch (type?.kind) {
    case "boolean":
      return "bool";
    case "float":
      return { half: "half", bfloat16: "bfloat16", single: "float", double: "double" }[type.format];
    case "integer": {
      const name = { 8: "char", 16: "short", 32: "int", 64: "long" }[type.bits];
      return type.signed ? name : `unsigned ${name}`;
    }
    case "record":
      return /^[A-Za-z_]\w*$/.test(type.name) ? type.name : null;
    default:
      return null;
  }
}

/** `bytes` of `type` in elements: "512 floats", "1 double"; in bytes where they are no whole elements. */
export function extentText(bytes: number, type: Type | null): string {
  const size = type === null ? null : sizeOf(type);
  const name = typeName(type);
  if (size === null || name === null || size === 0 || bytes % size !== 0) return plural(bytes, "byte");
  const count = bytes / size;
  return count === 1 ? `1 ${name}` : `${countText(count)} ${pluralName(name)}`;
}

/** "floats", "halves"; a record's own name is left alone: "Pixel elements". */
export function pluralName(name: string): string {
  if (name === "half") return "halves";
  return /^[a-z ]+\d?$/.test(name) ? `${name}s` : `${name} elements`;
}

/** The CUDA vector that an access of `bytes` on elements of `type` is: "float4"; else "16-byte". */
export function vectorName(bytes: number, type: Type | null): string {
  const size = type === null ? null : sizeOf(type);
  const name = typeName(type);
  if (type?.kind === "record" && size === bytes && name !== null) return name;
  const count = size === null || size === 0 ? 0 : bytes / size;
  if (name === null || ![2, 3, 4].includes(count)) return `${bytes}-byte`;
  const short = name.replace(/^unsigned (\w)/, "u$1");
  return `${short}${count}`;
}

/** "61 %", "0.4 %", "0 %". */
export function shareText(share: number): string {
  const percent = share * 100;
  return `${percent >= 10 || percent === 0 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}
