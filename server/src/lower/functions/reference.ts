// Functions named as values.
import { functionType } from "../../ir/type.ts";
import type { Context } from "../context.ts";
import type { FunctionSet, RValue } from "../expressions/value.ts";
import { rvalueOf } from "../expressions/value.ts";
import type { FunctionEntity } from "../names/entity.ts";
import type { NamedEntities } from "../names/names.ts";
import { templateArgumentsOf } from "../templates/written-arguments.ts";
import { functionOf, pointerTo } from "../types/cxx-type.ts";
import { Unsupported } from "../unsupported.ts";
import { type FunctionInstance, instantiate } from "./instance.ts";

/** A function named as a value: the only one that the name and its template arguments allow. */
export function soleInstance(context: Context, found: NamedEntities): FunctionInstance {
  const [first] = found.entities;
  if (first?.kind === "function-value") return first.instance;
  const candidates = found.entities.filter((entity): entity is FunctionEntity => entity.kind === "function");
  const usable = candidates.filter((each) => each.specializes === null);
  const defined = usable.filter((each) => each.body !== null);
  for (const entity of defined.length > 0 ? defined : usable) {
    if (entity.parameters !== null && found.arguments === null) continue;
    const list = found.arguments ? templateArgumentsOf(context, found.arguments, entity.parameters) : [];
    const instance = instantiate(context, entity, list);
    if (instance) return instance;
  }
  throw new Unsupported(`${found.qualifiedName} is not one function`);
}

/** The address of a function as a value. */
export function referenceToFunction(context: Context, set: FunctionSet): RValue {
  const instance = soleInstance(set.explicit?.context ?? context, {
    name: set.name,
    qualifiedName: set.name,
    entities: set.candidates,
    arguments: set.explicit?.node ?? null,
    isQualified: false,
  });
  return functionValue(context, instance);
}

export function functionValue({ translation }: Context, instance: FunctionInstance): RValue {
  const type = functionOf(
    instance.result(),
    instance.parameters.map((parameter) => parameter.type),
  );
  return rvalueOf(pointerTo(type), {
    kind: "function",
    type: functionType,
    callee: translation.calleeOf(instance) ?? instance.id,
  });
}
