// C++ types as the front end needs them: with qualifiers, references, enumerations and classes. `irTypeOf` gives the IR's
// plain type of each.
import * as ir from "../../ir/type.ts";
import type { TemplateArgument, TemplateEntity } from "../names/entity.ts";
import type { Scope } from "../names/scope.ts";
import { orElse } from "../unsupported.ts";
import type { ClassInfo } from "./class.ts";

interface Qualified {
  readonly isConst: boolean;
  readonly isVolatile: boolean;
}

/** void, bool, and every integer and floating type under its C++ name: `long` and `long long` differ here. */
export interface FundamentalType extends Qualified {
  readonly kind: "fundamental";
  readonly name: string;
  readonly ir: ir.ScalarType | ir.VoidType;
}

export interface EnumInfo {
  readonly name: string;
  readonly isScoped: boolean;
  readonly underlying: FundamentalType;
  /** Its enumerators, for `Enum::name`. */
  readonly scope: Scope;
}

export interface EnumType extends Qualified {
  readonly kind: "enum";
  readonly info: EnumInfo;
}

export interface PointerType extends Qualified {
  readonly kind: "pointer";
  readonly target: CxxType;
}

export interface ReferenceType extends Qualified {
  readonly kind: "reference";
  readonly target: CxxType;
  readonly binds: "lvalue" | "rvalue";
}

/**
 * `count` is null where it is not written (`extern T s[]`, `T a[] = {…}`), a pattern while a template is deduced, and open where it is
 * written and not known.
 */
export interface ArrayType extends Qualified {
  readonly kind: "array";
  readonly element: CxxType;
  readonly count: number | null | { readonly pattern: string } | { readonly open: string };
}

export interface ClassType extends Qualified {
  readonly kind: "class";
  readonly info: ClassInfo;
}

export interface FunctionType extends Qualified {
  readonly kind: "function";
  readonly result: CxxType;
  readonly parameters: readonly CxxType[];
}

/** `auto`, `decltype(auto)`, and a class template's name without arguments, until an initializer tells. */
export interface AutoType extends Qualified {
  readonly kind: "auto";
  /** Whose arguments the initializer tells. */
  readonly template?: TemplateEntity;
  /** `decltype(auto)` stays the reference that the initializer is; `auto` is a copy. */
  readonly keeps: "value" | "reference";
}

/** A template's own parameter, while its arguments are deduced. */
export interface PatternType extends Qualified {
  readonly kind: "pattern";
  readonly name: string;
}

/** A class template of which some arguments are patterns, while arguments are deduced. */
export interface ClassPattern extends Qualified {
  readonly kind: "class-pattern";
  readonly template: TemplateEntity | { readonly pattern: string };
  readonly arguments: readonly TemplateArgument[];
}

export interface UnknownType extends Qualified {
  readonly kind: "unknown";
  readonly name: string;
  readonly reason: string;
}

export type CxxType =
  | FundamentalType
  | EnumType
  | PointerType
  | ReferenceType
  | ArrayType
  | ClassType
  | FunctionType
  | AutoType
  | PatternType
  | ClassPattern
  | UnknownType;

const plain = { isConst: false, isVolatile: false } as const;

const fundamental = (name: string, type: ir.ScalarType | ir.VoidType): FundamentalType => ({
  kind: "fundamental",
  name,
  ir: type,
  ...plain,
});

export const voidType = fundamental("void", ir.voidType);
export const boolType = fundamental("bool", ir.booleanType);
export const charType = fundamental("char", ir.int8);
export const signedCharType = fundamental("signed char", ir.int8);
export const unsignedCharType = fundamental("unsigned char", ir.uint8);
export const shortType = fundamental("short", ir.int16);
export const unsignedShortType = fundamental("unsigned short", ir.uint16);
export const intType = fundamental("int", ir.int32);
export const unsignedType = fundamental("unsigned int", ir.uint32);
export const longType = fundamental("long", ir.int64);
export const unsignedLongType = fundamental("unsigned long", ir.uint64);
export const longLongType = fundamental("long long", ir.int64);
export const unsignedLongLongType = fundamental("unsigned long long", ir.uint64);
export const halfType = fundamental("__half", ir.half);
export const bfloat16Type = fundamental("__nv_bfloat16", ir.bfloat16);
export const floatType = fundamental("float", ir.float32);
export const doubleType = fundamental("double", ir.float64);
export const autoType: AutoType = { kind: "auto", keeps: "value", ...plain };
export const decltypeAutoType: AutoType = { kind: "auto", keeps: "reference", ...plain };

export function pointerTo(target: CxxType): PointerType {
  return { kind: "pointer", target, ...plain };
}

/** A reference; references to references collapse as C++ has it. */
export function referenceTo(target: CxxType, binds: "lvalue" | "rvalue"): ReferenceType {
  if (target.kind === "reference") {
    return binds === "lvalue" && target.binds === "rvalue" ? referenceTo(target.target, "lvalue") : target;
  }
  return { kind: "reference", target, binds, ...plain };
}

/** Why the size that is written for an array is not known; null where it is, or none is written. */
export function whyOpen({ count }: ArrayType): string | null {
  return typeof count === "object" && count !== null && "open" in count ? count.open : null;
}

export function arrayOf(element: CxxType, count: ArrayType["count"]): ArrayType {
  return { kind: "array", element, count, isConst: element.isConst, isVolatile: element.isVolatile };
}

export function classType(info: ClassInfo): ClassType {
  return { kind: "class", info, ...plain };
}

export function enumType(info: EnumInfo): EnumType {
  return { kind: "enum", info, ...plain };
}

export function functionOf(result: CxxType, parameters: readonly CxxType[]): FunctionType {
  return { kind: "function", result, parameters, ...plain };
}

export function unknownOf(name: string, reason: string): UnknownType {
  return { kind: "unknown", name, reason, ...plain };
}

/** `type` with more qualifiers; those of an array are its elements', a reference has none. */
export function qualify(type: CxxType, added: { isConst?: boolean; isVolatile?: boolean }): CxxType {
  const isConst = type.isConst || added.isConst === true;
  const isVolatile = type.isVolatile || added.isVolatile === true;
  if (type.kind === "reference" || (isConst === type.isConst && isVolatile === type.isVolatile)) return type;
  if (type.kind === "array") return { ...type, isConst, isVolatile, element: qualify(type.element, added) };
  return { ...type, isConst, isVolatile };
}

/** Without const and volatile at the top; of an array, its elements'. */
export function unqualified(type: CxxType): CxxType {
  if (type.kind === "array") return { ...type, ...plain, element: unqualified(type.element) };
  return type.isConst || type.isVolatile ? { ...type, ...plain } : type;
}

/** What a reference refers to; every other type itself. */
export function referred(type: CxxType): CxxType {
  return type.kind === "reference" ? type.target : type;
}

/** The type that a value of `type` has when it is copied: no reference, no qualifiers, arrays and functions as pointers. */
export function decayed(type: CxxType): CxxType {
  const target = referred(type);
  if (target.kind === "array") return pointerTo(target.element);
  return unqualified(target);
}

/** Structural equality, qualifiers included. */
export function sameType(a: CxxType, b: CxxType): boolean {
  return a === b || (a.kind === b.kind && typeText(a) === typeText(b) && sameClass(a, b));
}

function sameClass(a: CxxType, b: CxxType): boolean {
  return a.kind !== "class" || b.kind !== "class" || a.info === b.info;
}

/** As a demangler prints it: `float const*`, `int [4]`. */
export function typeText(type: CxxType): string {
  const qualifiers = `${type.isConst ? " const" : ""}${type.isVolatile ? " volatile" : ""}`;
  switch (type.kind) {
    case "fundamental":
      return type.name + qualifiers;
    case "enum":
      return type.info.name + qualifiers;
    case "pointer":
      return type.target.kind === "array"
        ? suffixed(type.target, `(*${qualifiers})`)
        : `${typeText(type.target)}*${qualifiers}`;
    case "reference": {
      const mark = type.binds === "lvalue" ? "&" : "&&";
      return type.target.kind === "array" ? suffixed(type.target, `(${mark})`) : typeText(type.target) + mark;
    }
    case "array":
      return suffixed(type, "");
    case "class":
      return type.info.qualifiedName + qualifiers;
    case "function":
      return `${typeText(type.result)} (${type.parameters.map(typeText).join(", ")})`;
    case "auto":
      return `auto${qualifiers}`;
    case "pattern":
      return type.name + qualifiers;
    case "class-pattern":
      return `<pattern>${qualifiers}`;
    case "unknown":
      return type.name + qualifiers;
  }
}

function suffixed(type: ArrayType, middle: string): string {
  let counts = "";
  let element: CxxType = type;
  while (element.kind === "array") {
    counts += `[${typeof element.count === "number" ? element.count : ""}]`;
    element = element.element;
  }
  return `${typeText(element)} ${middle}${counts}`;
}

/** The IR's type. References are pointers; a class is laid out when first asked for. */
export function irTypeOf(type: CxxType): ir.Type {
  switch (type.kind) {
    case "fundamental":
      return type.ir;
    case "enum":
      return type.info.underlying.ir;
    case "pointer":
    case "reference":
      return type.target.kind === "function" ? ir.functionType : ir.pointerTo(pointee(type.target));
    case "array":
      return ir.arrayOf(irTypeOf(type.element), typeof type.count === "number" ? type.count : 0);
    case "class":
      return recordOf(type.info);
    case "function":
      return ir.functionType;
    case "auto":
      return ir.unknownType("auto without an initializer");
    case "pattern":
    case "class-pattern":
      return ir.unknownType("a template parameter");
    case "unknown":
      return ir.unknownType(type.reason);
  }
}

/** A class that cannot be laid out is an unknown type. */
function recordOf(info: ClassInfo): ir.Type {
  return orElse<ir.Type>(
    () => info.layout().record,
    (reason) => ir.unknownType(reason),
  );
}

/** The target of a pointer. A class that is just being declared or laid out (it points to itself) is left open. */
function pointee(type: CxxType): ir.Type {
  if (type.kind === "class" && type.info.isIncomplete())
    return ir.unknownType(`${type.info.name} is incomplete`);
  return irTypeOf(type);
}

/** The side of the machine that code runs on. */
export type Side = "host" | "device";

/**
 * The same on one side: only the host has objects of the standard library's own classes, so that there a guess of their size, one for all
 * uses, is as good as the truth.
 */
export function strideOn(side: Side, type: CxxType): number | null {
  const stride = strideOf(type);
  if (stride !== null || side === "device") return stride;
  if (type.kind === "unknown" && type.name.startsWith("std::")) return opaqueBytes;
  if (type.kind !== "class") return null;
  return orElse(
    () => type.info.layout().record.sizeBytes,
    () => null,
  );
}

/** Room for an object of a library's class: enough that no field overlaps another. */
export const opaqueBytes = 64;

/** Size of an element of `type` in bytes, for address arithmetic; null where it is not known for certain. */
export function strideOf(type: CxxType): number | null {
  if (type.kind === "class" && !isLaidOutExactly(type.info)) return null;
  if (type.kind === "array" && (whyOpen(type) !== null || strideOf(type.element) === null)) return null;
  return ir.sizeOf(irTypeOf(type));
}

function isLaidOutExactly(info: ClassInfo): boolean {
  return orElse(
    () => info.layout().isExact,
    () => false,
  );
}

/** The pointer or function type under which a function's address is held: both are FunctionType in the IR. */
export function isFunctionPointer(type: CxxType): boolean {
  return type.kind === "function" || (type.kind === "pointer" && type.target.kind === "function");
}

export function isArithmetic(type: CxxType): type is FundamentalType | EnumType {
  return type.kind === "enum" || (type.kind === "fundamental" && type.ir.kind !== "void");
}

export function isFloating(type: CxxType): boolean {
  return type.kind === "fundamental" && type.ir.kind === "float";
}

export function isIntegral(type: CxxType): boolean {
  return isArithmetic(type) && !isFloating(type);
}

/** Integer promotion: bool, small integers and unscoped enumerations become int (or what holds them). */
export function promoted(type: CxxType): CxxType {
  if (type.kind === "enum") return promoted(type.info.underlying);
  if (type.kind !== "fundamental") return type;
  if (type.ir.kind === "boolean") return intType;
  if (type.ir.kind === "integer" && type.ir.bits < 32) return intType;
  return unqualified(type);
}

const conversionRanks = [
  "int",
  "unsigned int",
  "long",
  "unsigned long",
  "long long",
  "unsigned long long",
  "__nv_bfloat16",
  "__half",
  "float",
  "double",
];

/** The usual arithmetic conversions: the type in which both operands are computed. */
export function commonType(a: CxxType, b: CxxType): CxxType {
  const left = promoted(a);
  const right = promoted(b);
  if (left.kind !== "fundamental" || right.kind !== "fundamental") return left;
  const leftRank = conversionRanks.indexOf(left.name);
  const rightRank = conversionRanks.indexOf(right.name);
  const [high, low] = leftRank >= rightRank ? [left, right] : [right, left];
  // A signed type of higher rank but equal width turns unsigned: long long with unsigned long.
  if (high.ir.kind === "integer" && low.ir.kind === "integer" && high.ir.bits === low.ir.bits) {
    if (high.ir.signed && !low.ir.signed) return high.name === "long long" ? unsignedLongLongType : low;
  }
  return high;
}
