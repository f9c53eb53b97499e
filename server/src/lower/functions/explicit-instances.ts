// Explicit instantiations of function templates, `template void run<2, float>(float*);`: what a library compiles for callers elsewhere.
import { childOf, type SyntaxNode } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import { type Context, emptyBody } from "../context.ts";
import { placeAt, unknownValue } from "../expressions/build.ts";
import { lvalueOf, unknownOfType, type Value } from "../expressions/value.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { lookupNode } from "../names/names.ts";
import type { Translation } from "../translation.ts";
import { type CxxType, irTypeOf, pointerTo } from "../types/cxx-type.ts";
import { declareParameter, parameterNodes } from "../types/declarator.ts";
import { orElse } from "../unsupported.ts";
import { functionParts } from "./declared-function.ts";
import type { FunctionInstance } from "./instance.ts";
import { resolveOverload } from "./overload.ts";

/** In the order of the text, each once; none for what is not understood, for `extern template` and for classes. */
export function explicitInstances(translation: Translation): readonly FunctionInstance[] {
  const instances = translation.source.units
    .filter(({ text }) => /^\s*template\b\s*(?!<)/.test(text))
    .flatMap((unit) => instantiationsIn(unit).map((node) => instanceOf(translation, unit, node)));
  return [...new Set(instances.filter((each) => each !== null))];
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
