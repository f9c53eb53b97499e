// Whether an object that is made of nothing, `T()`, is zeros: then a container need not make its elements one by one.
import { childOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, textOf } from "../context.ts";
import { definitionOf } from "../functions/definition.ts";
import { parameterCount } from "../functions/instance.ts";
import type { ClassInfo, Field } from "../types/class.ts";
import type { CxxType } from "../types/cxx-type.ts";
import { orElse } from "../unsupported.ts";

/** Whether the bytes of `T()` are known to be zeros. */
export function isMadeOfZeros(context: Context, type: CxxType): boolean {
  if (type.kind === "array") return isMadeOfZeros(context, type.element);
  if (type.kind !== "class") return true;
  const { info } = type;
  if (info.origin === "builtin") return info.name !== "dim3";
  return orElse(
    () => isClassOfZeros(context, info),
    () => false,
  );
}

function isClassOfZeros(context: Context, info: ClassInfo): boolean {
  const { bases, fields, record } = info.layout();
  return (
    info.constructors.every((each) => parameterCount(each) > 0 || doesNothing(context, each)) &&
    info.constructors.every((each) => parameterCount(each) === 0 || !hasDefaults(each.declarator)) &&
    record.fields.every(({ name }) => name !== "$vtable") &&
    bases.every((base) =>
      isMadeOfZeros(context, { kind: "class", info: base.info, isConst: false, isVolatile: false }),
    ) &&
    fields.every((field) => isFieldOfZeros(context, field))
  );
}

function doesNothing(context: Context, declared: ClassInfo["constructors"][number]): boolean {
  const entity = definitionOf(context, declared);
  if (entity.body === null)
    return entity.node.children.some((child) => child.type === "default_method_clause");
  const hasList = entity.node.children.some((child) => child.type === "field_initializer_list");
  return !hasList && namedChildren(entity.body).every((child) => child.type === "comment");
}

/** Whether every parameter has a default: such a constructor makes `T()` as well. */
function hasDefaults(declarator: SyntaxNode | null): boolean {
  const list = declarator ? childOf(declarator, "parameters") : null;
  return list !== null && namedChildren(list).every((node) => node.type === "optional_parameter_declaration");
}

function isFieldOfZeros(context: Context, { type, initializer }: Field): boolean {
  if (type.kind === "reference" || type.kind === "unknown") return false;
  if (initializer) {
    const at = { ...initializer.context, body: context.body };
    return /^(nullptr|NULL|false|[-+]?0+(\.0*)?[a-zA-Z]*|\{\s*\})$/.test(textOf(at, initializer.node).trim());
  }
  return isMadeOfZeros(context, type);
}
