// Explicit instantiations of function and class templates, `template void run<2, float>(float*);` and `template class Solver<float>;`: what a
// library compiles for callers elsewhere.
import { childOf, type SyntaxNode } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import { type Context, emptyBody } from "../context.ts";
import { placeAt, unknownValue } from "../expressions/build.ts";
import { lvalueOf, unknownOfType, type Value } from "../expressions/value.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { classNamed, lookupNode } from "../names/names.ts";
import type { Translation } from "../translation.ts";
import type { ClassInfo } from "../types/class.ts";
import { type CxxType, irTypeOf, pointerTo } from "../types/cxx-type.ts";
import { declareParameter, parameterNodes } from "../types/declarator.ts";
import { orElse } from "../unsupported.ts";
import { functionParts } from "./declared-function.ts";
import { definitionOf } from "./definition.ts";
import type { FunctionInstance } from "./instance.ts";
import { resolveOverload } from "./overload.ts";

/** Of functions, in the order of the text, each once; none for what is not understood, and for `extern template`. */
export function explicitInstances(translation: Translation): readonly FunctionInstance[] {
  const instances = instantiationsOf(translation, ({ text }) => !isOfClass.test(text)).map(({ unit, node }) =>
    instanceOf(translation, unit, node),
  );
  return [...new Set(instances.filter((each) => each !== null))];
}

/** The member functions of classes that are instantiated explicitly: all but templates are compiled with them. */
export function explicitMembers(translation: Translation): readonly FunctionEntity[] {
  const classes = instantiationsOf(translation, ({ text }) => isOfClass.test(text)).flatMap(
    ({ unit, node }) => {
      const specifier = childOf(node, "type");
      const name = specifier && childOf(specifier, "name");
      return name
        ? [classIn({ translation, unit, scope: translation.scopeOf(unit), body: emptyBody() }, name)]
        : [];
    },
  );
  return [...new Set(classes)].flatMap((info) => (info ? membersOf(translation, info) : []));
}

const isOfClass = /^\s*template\s+(?:class|struct)\b/;

function classIn(context: Context, name: SyntaxNode): ClassInfo | null {
  return orElse(
    () => classNamed(context, name),
    () => null,
  );
}

/** The members of a class that are functions and no templates, wherever they are defined. */
export function membersOf(translation: Translation, info: ClassInfo): readonly FunctionEntity[] {
  const { unit } = info;
  if (unit === null) return [];
  return translation
    .functionsOf(unit)
    .filter(({ memberOf, parameters }) => memberOf === info && parameters === null)
    .map((entity) =>
      orElse(
        () => definitionOf({ translation, unit, scope: info.scope, body: emptyBody() }, entity),
        () => entity,
      ),
    );
}

interface Instantiation {
  readonly unit: SyntaxUnit;
  readonly node: SyntaxNode;
}

function instantiationsOf(
  translation: Translation,
  isWanted: (unit: SyntaxUnit) => boolean,
): readonly Instantiation[] {
  return translation.source.units
    .filter((unit) => /^\s*template\b\s*(?!<)/.test(unit.text) && isWanted(unit))
    .flatMap((unit) => instantiationsIn(unit).map((node) => ({ unit, node })));
}

function instantiationsIn(unit: SyntaxUnit): readonly SyntaxNode[] {
  return unit.root().children.filter(({ type }) => type === "template_instantiation");
}

function instanceOf(translation: Translation, unit: SyntaxUnit, node: SyntaxNode): FunctionInstance | null {
  const context: Context = { translation, unit, scope: translation.scopeOf(unit), body: emptyBody() };
  const { functionNode, nameNode } = functionParts(childOf(node, "declarator"));
  if (functionNode === null || nameNode === null) return null;
  return orElse(
    () => {
      const found = lookupNode(context, nameNode);
      const candidates = found.entities.filter(isFunctionTemplate);
      const explicit = found.arguments && { node: found.arguments, context };
      const set = { kind: "functions", name: found.name, candidates, explicit, object: null } as const;
      return resolveOverload(context, set, givenTo(context, functionNode));
    },
    () => null,
  );
}

function isFunctionTemplate(entity: { readonly kind: string }): entity is FunctionEntity {
  return entity.kind === "function" && (entity as FunctionEntity).parameters !== null;
}

/** Something of each parameter's type: arguments from which the parameters of the template are deduced. */
function givenTo(context: Context, functionNode: SyntaxNode): readonly Value[] {
  const types = parameterNodes(childOf(functionNode, "parameters")).map(
    (node) => declareParameter(context, node).type,
  );
  const isVoid = types.length === 1 && types[0]?.kind === "fundamental" && types[0].ir.kind === "void";
  return isVoid ? [] : types.map(somethingOf);
}

function somethingOf(type: CxxType): Value {
  const reason = "an explicit instantiation has no arguments";
  if (type.kind !== "reference" || type.binds === "rvalue")
    return unknownOfType(type.kind === "reference" ? type.target : type, reason);
  const pointer = unknownValue(irTypeOf(pointerTo(type.target)), reason);
  return lvalueOf(type.target, placeAt(pointer, irTypeOf(type.target)));
}
