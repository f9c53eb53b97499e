// The arguments of a class template where they are not written, `std::pair size(2, 96)`: deduced from what its object is made of.
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import type { Context } from "../context.ts";
import { inScope } from "../context.ts";
import type { Value } from "../expressions/value.ts";
import { typeOfValue } from "../expressions/value.ts";
import { patternsOf, rankOf, shapeOf } from "../functions/overload.ts";
import type { FunctionEntity, TemplateArgument, TemplateEntity } from "../names/entity.ts";
import { instantiateClass } from "../types/class-specifier.ts";
import { type CxxType, unqualified } from "../types/cxx-type.ts";
import { parameterNodes } from "../types/declarator.ts";
import { typeOfDescriptor } from "../types/type-specifier.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import { bindArguments } from "./bind.ts";
import { bindPatterns, type Deduced, deduceFromCall, isPatternType } from "./deduce.ts";
import { instantiateTemplate } from "./template.ts";

/** What an object is made of. */
export interface Given {
  readonly values: readonly Value[];
  /** Of `T x{a, b}` the list itself. */
  readonly list: Value | null;
}

/** The class that `template` means for an object that is made of these values. */
export function deducedClass(context: Context, template: TemplateEntity, given: Given): CxxType {
  const [first] = given.values;
  const only = given.values.length === 1 && first ? typeOfValue(first) : null;
  if (only?.kind === "class" && only.info.instanceOf?.template === template) return unqualified(only);
  const type = guided(context, template, given.values) ?? constructed(context, template, given);
  if (type?.kind === "class") return type;
  throw new Unsupported(`the template arguments of ${template.name} are not written`);
}

/** By a guide that the program or a library's header gives: `template <class T> Box(T*) -> Box<T>;`. */
function guided(context: Context, template: TemplateEntity, values: readonly Value[]): CxxType | null {
  for (const guide of template.guides) {
    const found = deduced(context, guide, values, []);
    const result = guide.declarator ? resultNode(guide.declarator) : null;
    if (found === null || result === null) continue;
    const list = (guide.parameters ?? []).map(({ name, isPack }) => argumentFor(found, name, isPack));
    const at: Context = { ...context, unit: guide.unit, body: null };
    const bound = bindArguments(at, guide.scope, guide.parameters ?? [], list);
    if (bound) return typeOfDescriptor(inScope(at, bound.scope), result);
  }
  return null;
}

function resultNode(declarator: SyntaxNode): SyntaxNode | null {
  const trailing = declarator.children.find(({ type }) => type === "trailing_return_type");
  return (trailing && namedChildren(trailing)[0]) ?? null;
}

/** By a constructor: of a list, `std::vector sizes{32, 64}`, by one that takes it whole before all others. */
function constructed(context: Context, template: TemplateEntity, { values, list }: Given): CxxType | null {
  const pattern = patternClass(context, template);
  const constructors = pattern?.kind === "class" ? pattern.info.constructors : [];
  for (const given of list ? [[list], values] : [values]) {
    for (const each of constructors) {
      const found = deduced(context, each, given, template.parameters);
      const known = found && argumentsOf(template, found);
      const type =
        known &&
        orElse(
          () => instantiateTemplate(context, template, known),
          () => null,
        );
      if (type?.kind === "class") return type;
    }
  }
  return null;
}

/** The arguments up to the last that was deduced; null where one before is not. */
function argumentsOf(template: TemplateEntity, found: Deduced): TemplateArgument[] | null {
  const list = template.parameters.map(({ name, isPack }) => argumentFor(found, name, isPack));
  while (list.length > 0 && list.at(-1) === null && template.parameters[list.length - 1]?.defaultNode)
    list.pop();
  const known = list.filter((each) => each !== null);
  return known.length === list.length ? known : null;
}

function argumentFor(found: Deduced, name: string, isPack: boolean): TemplateArgument | null {
  return found.get(name) ?? (isPack ? { kind: "pack", elements: [] } : null);
}

/** The class with its parameters for arguments. */
function patternClass(context: Context, template: TemplateEntity): CxxType | null {
  const { node } = template;
  if (node === null || template.of !== "class") return null;
  const scope = bindPatterns(template.scope, template.parameters);
  const list = template.parameters.map(
    ({ name, kind }): TemplateArgument =>
      kind === "type"
        ? { kind: "type", type: { kind: "pattern", name, isConst: false, isVolatile: false } }
        : { kind: "pattern", name },
  );
  const at: Context = { ...context, unit: template.unit, scope, body: null };
  return orElse(
    () => instantiateClass(at, node, template, list),
    () => null,
  );
}

/** What the parameters of `candidate` make of the values; null where they do not fit. */
function deduced(
  context: Context,
  candidate: FunctionEntity,
  values: readonly Value[],
  outer: TemplateEntity["parameters"],
): Deduced | null {
  const nodes = parameterNodes(candidate.declarator ? childOf(candidate.declarator, "parameters") : null);
  const isOpen = nodes.some(({ type }) => type === "variadic_parameter_declaration");
  const required = nodes.filter(({ type }) => type === "parameter_declaration").length;
  if (values.length < required || (!isOpen && values.length > nodes.length)) return null;
  const patterns = patternsOf(context, candidate);
  const fits = patterns.every(({ type, isPack }, index) => {
    const value = values[index];
    return (
      isPack ||
      type === null ||
      value === undefined ||
      isPatternType(type) ||
      rankOf(context, value, type) !== null
    );
  });
  if (!fits) return null;
  const shapes = values.map((value) => shapeOf(context, value));
  const found = deduceFromCall(patterns, shapes, new Map());
  // A parameter that several things are deduced for is not.
  return found !== null &&
    outer.every(({ name, defaultNode, isPack }) => isPack || defaultNode || found.has(name))
    ? found
    : null;
}
