// Types of the standard library that carry meaning for addresses: traits, std::function, std::array. All others are opaque.
import { alignmentOf, sizeOf } from "../../ir/type.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { namedChildren } from "../../syntax/node.ts";
import { entryOf } from "../../table.ts";
import type { Context } from "../context.ts";
import type { TemplateArgument } from "../names/entity.ts";
import { templateArgumentsOf } from "../templates/written-arguments.ts";
import { isCopiedByBytes } from "../variables/copy.ts";
import { isMadeOfZeros } from "../variables/zeros.ts";
import {
  type CxxType,
  decayed,
  functionOf,
  irTypeOf,
  isArithmetic,
  isFloating,
  isIntegral,
  pointerTo,
  qualify,
  referenceTo,
  referred,
  sameType,
  unknownOf,
  unqualified,
  unsignedCharType,
  unsignedLongLongType,
  unsignedLongType,
  unsignedShortType,
  unsignedType,
  voidType,
} from "./cxx-type.ts";
import { typeOfDescriptor } from "./type-specifier.ts";

/** The type that `std::name<…>` is, or null where it is none of these. `name` is as written, `std::` and all. */
export function standardType(context: Context, name: string, list: SyntaxNode | null): CxxType | null {
  const plain = name.replace(/^(cuda::)?std::/, "");
  if (plain === name && !name.startsWith("nv")) return null;
  if (list === null) return null;
  if (plain === "function" || plain === "move_only_function") return standardFunction(context, list);
  const trait = entryOf(traits, plain.replace(/_t$|::type$/, ""));
  if (!trait || !/_t$|::type$/.test(plain)) return null;
  const given = templateArgumentsOf(context, list, null);
  if (given.some(isPattern)) return unknownOf(plain, "a trait of a template parameter");
  return trait(given);
}

/** The value of `std::is_same_v<A, B>` and its like, a boolean, or of `std::alignment_of_v<A>`, a number; null where it is none of these. */
export function standardValue(
  context: Context,
  name: string,
  list: SyntaxNode | null,
): boolean | number | null {
  const plain = name.replace(/^(cuda::)?std::/, "").replace(/_v$|::value$/, "");
  const trait = entryOf(predicates, plain) ?? entryOf(measures, plain) ?? entryOf(inspections, plain);
  if (!trait || list === null) return null;
  const types = templateArgumentsOf(context, list, null).map(typeArgument);
  return types.some((type) => type === null)
    ? null
    : trait(
        types.filter((type) => type !== null),
        context,
      );
}

function isPattern(argument: TemplateArgument): boolean {
  return argument.kind === "pattern" || (argument.kind === "type" && /pattern/.test(argument.type.kind));
}

function typeArgument(argument: TemplateArgument | undefined): CxxType | null {
  return argument?.kind === "type" ? argument.type : null;
}

/**
 * A std::function is a pointer to a function that may carry a closure. `R(A, B)` in the list is a type_descriptor with an
 * abstract_function_declarator.
 */
function standardFunction(context: Context, list: SyntaxNode): CxxType {
  const [descriptor] = namedChildren(list);
  const type = descriptor ? typeOfDescriptor(context, descriptor) : null;
  return pointerTo(
    type?.kind === "function"
      ? type
      : functionOf(unknownOf("auto", "a std::function without a signature"), []),
  );
}

const onFirst = (change: (type: CxxType) => CxxType) => (given: readonly TemplateArgument[]) => {
  const type = typeArgument(given[0]);
  return type ? change(type) : null;
};

const traits: Record<string, (given: readonly TemplateArgument[]) => CxxType | null> = {
  conditional: ([condition, yes, no]) =>
    condition?.kind === "value" ? typeArgument(Number(condition.value) !== 0 ? yes : no) : null,
  enable_if: ([condition, type]) =>
    condition?.kind === "value" && Number(condition.value) !== 0 ? (typeArgument(type) ?? voidType) : null,
  remove_reference: onFirst(referred),
  remove_cv: onFirst(unqualified),
  remove_const: onFirst((type) => ({ ...type, isConst: false })),
  remove_volatile: onFirst((type) => ({ ...type, isVolatile: false })),
  remove_cvref: onFirst((type) => unqualified(referred(type))),
  remove_pointer: onFirst((type) => (type.kind === "pointer" ? type.target : type)),
  remove_extent: onFirst((type) => (type.kind === "array" ? type.element : type)),
  add_const: onFirst((type) => qualify(type, { isConst: true })),
  add_pointer: onFirst((type) => pointerTo(referred(type))),
  add_lvalue_reference: onFirst((type) => referenceTo(type, "lvalue")),
  add_rvalue_reference: onFirst((type) => referenceTo(type, "rvalue")),
  decay: onFirst(decayed),
  type_identity: onFirst((type) => type),
  underlying_type: onFirst((type) => (type.kind === "enum" ? type.info.underlying : type)),
  make_unsigned: onFirst((type) => {
    const bytes = sizeOf(irTypeOf(type));
    if (type.kind === "fundamental" && type.name === "long long") return unsignedLongLongType;
    const bySize = new Map([
      [1, unsignedCharType],
      [2, unsignedShortType],
      [4, unsignedType],
      [8, unsignedLongType],
    ]);
    return bySize.get(bytes ?? 0) ?? type;
  }),
};

const predicates: Record<string, (types: readonly CxxType[]) => boolean> = {
  is_same: ([a, b]) => a !== undefined && b !== undefined && sameType(a, b),
  is_integral: ([a]) => a !== undefined && isIntegral(a) && a.kind !== "enum",
  is_floating_point: ([a]) =>
    a !== undefined && isFloating(a) && a.kind === "fundamental" && /^(float|double)$/.test(a.name),
  is_arithmetic: ([a]) => a !== undefined && isArithmetic(a) && a.kind !== "enum",
  is_pointer: ([a]) => a?.kind === "pointer",
  is_array: ([a]) => a?.kind === "array",
  is_reference: ([a]) => a?.kind === "reference",
  is_const: ([a]) => a?.isConst === true,
  is_void: ([a]) => a?.kind === "fundamental" && a.ir.kind === "void",
  is_enum: ([a]) => a?.kind === "enum",
  is_class: ([a]) => a?.kind === "class",
  is_signed: ([a]) => isSignedArithmetic(a),
  is_unsigned: ([a]) => a !== undefined && isIntegral(a) && !isSignedArithmetic(a),
};

const measures: Record<string, (types: readonly CxxType[]) => number | null> = {
  alignment_of: ([type]) => (type ? alignmentOf(irTypeOf(referred(type))) : null),
};

/** What our own containers ask of their elements (headers/container.ts). */
const inspections: Record<string, (types: readonly CxxType[], context: Context) => boolean> = {
  __warplint_copies_bytes: ([type], context) => type !== undefined && isCopiedByBytes(context, type),
  __warplint_is_zeros: ([type], context) => type !== undefined && isMadeOfZeros(context, type),
};

function isSignedArithmetic(type: CxxType | undefined): boolean {
  if (type?.kind !== "fundamental") return false;
  return type.ir.kind === "float" || (type.ir.kind === "integer" && type.ir.signed);
}
