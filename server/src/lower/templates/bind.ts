// Arguments bound to the names of parameters: defaults, packs, values in their parameters' types.
import { isScalar } from "../../ir/type.ts";
import { convert } from "../../semantics/arithmetic.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { childOf, type SyntaxNode } from "../../syntax/node.ts";
import { type Context, inScope, textOf } from "../context.ts";
import type { Entity, TemplateArgument, TemplateParameterNode } from "../names/entity.ts";
import { Scope } from "../names/scope.ts";
import { type CxxType, irTypeOf } from "../types/cxx-type.ts";
import { declare } from "../types/declarator.ts";
import { typeOfDescriptor, typeOfSpecifiers } from "../types/type-specifier.ts";
import { Unsupported } from "../unsupported.ts";
import { templateArgument } from "./written-arguments.ts";

/**
 * Binds arguments to parameters in a new scope inside `scope`: defaults fill what is not given, packs take the rest. Null
 * where an argument is missing or of the wrong kind.
 */
export function bindArguments(
  context: Context,
  scope: Scope,
  parameters: readonly TemplateParameterNode[],
  given: readonly (TemplateArgument | null)[],
): { scope: Scope; arguments: TemplateArgument[] } | null {
  const bound = new Scope("template", scope, scope.name);
  const result: TemplateArgument[] = [];
  const inner = inScope(context, bound);
  for (const [index, parameter] of parameters.entries()) {
    if (parameter.isPack) {
      const pack = given[index]?.kind === "pack" ? given[index] : packOf(given.slice(index));
      if (pack === null) return null;
      bound.declare(parameter.name, entityOf(pack));
      result.push(pack);
      continue;
    }
    const argument = converted(inner, parameter, given[index] ?? defaultArgument(inner, parameter));
    if (argument === null) return null;
    bound.declare(parameter.name, entityOf(argument));
    result.push(argument);
  }
  if (given.length > parameters.length && !parameters.at(-1)?.isPack) return null;
  return { scope: bound, arguments: result };
}

/** What the name of a bound parameter means. */
export function entityOf(argument: TemplateArgument): Entity {
  switch (argument.kind) {
    case "type": {
      const { type } = argument;
      return { kind: "type", type: () => type };
    }
    case "value":
      return { kind: "constant", type: argument.type, value: argument.value };
    case "unknown":
      return argument;
    case "function":
      return { kind: "function-value", instance: argument.instance };
    case "template":
      return argument.template;
    case "pack":
      return { kind: "pack", elements: argument.elements.map(entityOf) };
    case "pattern":
      return { kind: "pattern", name: argument.name };
    default:
      throw new Unsupported("a template argument that is not deduced");
  }
}

function packOf(rest: readonly (TemplateArgument | null)[]): TemplateArgument | null {
  const elements = rest.filter((each) => each !== null);
  return elements.length === rest.length ? { kind: "pack", elements } : null;
}

function defaultArgument(context: Context, parameter: TemplateParameterNode): TemplateArgument | null {
  if (parameter.defaultNode === null) return null;
  if (parameter.kind === "type") {
    const type = typeOfDescriptor(context, parameter.defaultNode);
    return isDisabled(context, type, parameter.defaultNode) ? null : { kind: "type", type };
  }
  return templateArgument(context, parameter.defaultNode, parameter);
}

/** A type that `enable_if` does not give: the template is no candidate. */
function isDisabled(context: Context, type: CxxType, node: SyntaxNode): boolean {
  return type.kind === "unknown" && textOf(context, node).includes("enable_if");
}

/** The argument as its parameter takes it: values in the parameter's type. Null where the kinds differ. */
function converted(
  context: Context,
  parameter: TemplateParameterNode,
  argument: TemplateArgument | null,
): TemplateArgument | null {
  if (argument === null) return null;
  if (parameter.kind === "type") return argument.kind === "type" ? argument : null;
  if (parameter.kind === "template") return argument.kind === "template" ? argument : null;
  if (argument.kind === "function" || argument.kind === "unknown") return argument;
  if (argument.kind !== "value") return null;
  const { type } = typeOfSpecifiers(context, parameter.declaration);
  const declared = declare(context, type, childOf(parameter.declaration, "declarator")).type;
  if (isDisabled(context, declared, parameter.declaration)) return null;
  if (declared.kind !== "fundamental" && declared.kind !== "enum") return argument;
  return { kind: "value", value: scalarAs(argument.value, argument.type, declared), type: declared };
}

function scalarAs(value: Scalar, from: CxxType, to: CxxType): Scalar {
  const source = irTypeOf(from);
  const target = irTypeOf(to);
  return isScalar(source) && isScalar(target) ? convert(value, source, target, "host") : value;
}
