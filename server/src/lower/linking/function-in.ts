// The definition that a unit has of a function that another unit declares.
import { type Context, emptyBody } from "../context.ts";
import { type FunctionInstance, instantiate } from "../functions/instance.ts";
import type { FunctionEntity } from "../names/entity.ts";
import { argumentText } from "../templates/argument-names.ts";
import { argumentsFrom } from "../templates/argument-text.ts";
import type { Translation } from "../translation.ts";
import { type CxxType, typeText, unqualified } from "../types/cxx-type.ts";
import { orElse } from "../unsupported.ts";
import { isInternal } from "./internal.ts";
import { classNamed, contextAt, namespaceOf } from "./place-in.ts";

/** The instance with a body; null where the unit has none of the name and types. */
export function definitionIn(translation: Translation, declared: FunctionInstance): FunctionInstance | null {
  const { name, conversion } = declared.entity;
  if (conversion === null && !translation.mayDeclare(name)) return null;
  const found = candidatesIn(translation, declared).flatMap(
    (candidate) => instanceLike(translation, candidate, declared) ?? [],
  );
  const exact = found.find(({ symbol }) => symbol === declared.symbol);
  if (exact) return exact;
  const [only, ...others] = found.filter((each) => mayTakeTheSame(each, declared));
  return others.length === 0 ? (only ?? null) : null;
}

function candidatesIn(translation: Translation, { entity }: FunctionInstance): readonly FunctionEntity[] {
  const { memberOf, name } = entity;
  if (memberOf !== null) {
    const info = classNamed(translation, memberOf.qualifiedName);
    if (info === null) return [];
    if (name === memberOf.name) return info.constructors;
    return info.scope
      .own(name)
      .filter((each): each is FunctionEntity => each.kind === "function" && each.memberOf === info);
  }
  const scope = namespaceOf(translation, entity.scope);
  if (scope === null) return [];
  // Declares what may define it by its qualified name.
  for (let around = scope.parent; around; around = around.parent) around.own(name);
  return scope
    .own(name)
    .filter(
      (each): each is FunctionEntity =>
        each.kind === "function" && each.memberOf === null && each.specializes === null && !isInternal(each),
    );
}

/** The candidate with the template arguments of `declared`, where it has a body and as many parameters. */
function instanceLike(
  translation: Translation,
  candidate: FunctionEntity,
  declared: FunctionInstance,
): FunctionInstance | null {
  const { entity, templateArguments } = declared;
  const isTemplate = entity.parameters !== null || entity.specializes !== null;
  if ((candidate.parameters !== null) !== isTemplate) return null;
  if (candidate.isConstMember !== entity.isConstMember || !translation.isOwn(candidate.unit)) return null;
  const context: Context = { ...contextAt(translation, candidate.unit, candidate.scope), body: emptyBody() };
  return orElse(
    () => {
      const list =
        candidate.parameters === null
          ? []
          : argumentsFrom(context, textsOf(templateArguments), candidate.parameters);
      const instance = list && instantiate(context, candidate, list);
      if (!instance || instance.entity.body === null) return null;
      return instance.parameters.length === declared.parameters.length ? instance : null;
    },
    () => null,
  );
}

function textsOf(list: FunctionInstance["templateArguments"]): readonly string[] {
  return list.flatMap((each) => (each.kind === "pack" ? textsOf(each.elements) : [argumentText(each)]));
}

/** Whether two functions differ in nothing but types that one of the units does not know. */
function mayTakeTheSame(a: FunctionInstance, b: FunctionInstance): boolean {
  return a.parameters.every(({ type }, index) => {
    const other = b.parameters[index]?.type;
    return other !== undefined && mayBeTheSame(unqualified(type), unqualified(other));
  });
}

function mayBeTheSame(a: CxxType, b: CxxType): boolean {
  if (a.kind === "unknown" || b.kind === "unknown") return true;
  if (a.kind === "pointer" && b.kind === "pointer") return mayBeTheSame(a.target, b.target);
  if (a.kind === "reference" && b.kind === "reference") return mayBeTheSame(a.target, b.target);
  return typeText(a) === typeText(b);
}
