// `template <Layout L, std::floating_point T = float>`: where a concept stands in front of its name, a parameter is a type, though the
// grammar takes it for a value of a type of that name.
import { childOf, namedChildren, type SyntaxNode } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { lookupNode } from "../names/names.ts";

/** The concepts of the standard library that constrain one type; `cuda::std` has them too. */
const STANDARD_CONCEPTS = new Set([
  "assignable_from",
  "common_reference_with",
  "common_with",
  "constructible_from",
  "convertible_to",
  "copy_constructible",
  "copyable",
  "default_initializable",
  "derived_from",
  "destructible",
  "equality_comparable",
  "equality_comparable_with",
  "floating_point",
  "integral",
  "invocable",
  "movable",
  "move_constructible",
  "predicate",
  "regular",
  "regular_invocable",
  "same_as",
  "semiregular",
  "signed_integral",
  "swappable",
  "totally_ordered",
  "totally_ordered_with",
  "unsigned_integral",
]);

/** Whether a parameter that is written as a value's is a type that a concept constrains. */
export function isConstrainedType(context: Context, parameter: SyntaxNode): boolean {
  const type = childOf(parameter, "type");
  if (type === null || !/^(type_identifier|qualified_identifier|template_type)$/.test(type.type))
    return false;
  const { entities, qualifiedName } = lookupNode(context, type);
  const [entity] = entities;
  if (entity !== undefined) return entity.kind === "concept";
  const standard = /^(?:::)?(?:cuda::)?std::(\w+)$/.exec(qualifiedName)?.[1];
  return standard !== undefined && STANDARD_CONCEPTS.has(standard);
}

/**
 * The default of a constrained parameter. A built-in type is none to the grammar, which leaves `= float` behind the parameter as an error.
 */
export function constrainedDefault(parameter: SyntaxNode, next: SyntaxNode | undefined): SyntaxNode | null {
  const written = childOf(parameter, "default_value");
  if (written !== null || next?.type !== "ERROR" || next.children[0]?.type !== "=") return written;
  const [type, ...more] = namedChildren(next);
  if (type === undefined || more.length > 0) return null;
  return { ...type, type: "type_descriptor", field: null, children: [{ ...type, field: "type" }] };
}
