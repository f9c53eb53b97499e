// Template arguments that come as text: what annotations and the configuration write, and what `argumentText` made of those of an
// instance, so that the instance is found again in a text that was lowered anew.
import { unknownTypeMark } from "../../ir/function.ts";
import { builtinType, fundamentalOf } from "../builtins/type.ts";
import type { Context } from "../context.ts";
import { soleInstance } from "../functions/reference.ts";
import type { Entity, TemplateArgument, TemplateParameterNode } from "../names/entity.ts";
import type { Scope } from "../names/scope.ts";
import {
  boolType,
  type CxxType,
  doubleType,
  longLongType,
  pointerTo,
  qualify,
  referenceTo,
  unknownOf,
} from "../types/cxx-type.ts";
import { orElse } from "../unsupported.ts";
import { instantiateTemplate } from "./template.ts";

/**
 * The arguments of a template with `parameters`: `float`, `const float*`, `32`, `true`, `Mode::fast`, `lite::Gemm<lite::Shape<64,16>,0>`,
 * `&twice`. Names are looked up from the context's scope. Null where one is none of these, or not known.
 */
export function argumentsFrom(
  context: Context,
  texts: readonly string[],
  parameters: readonly TemplateParameterNode[],
): TemplateArgument[] | null {
  const given: TemplateArgument[] = [];
  for (const [index, text] of texts.entries()) {
    const argument = argumentFrom(context, text.trim(), parameterAt(parameters, index));
    if (argument === null) return null;
    given.push(argument);
  }
  return given;
}

/** The parameter that takes the argument: a pack takes all from its own place on. */
function parameterAt(
  parameters: readonly TemplateParameterNode[],
  index: number,
): TemplateParameterNode | null {
  const last = parameters.at(-1) ?? null;
  return parameters[index] ?? (last?.isPack ? last : null);
}

function argumentFrom(
  context: Context,
  text: string,
  parameter: TemplateParameterNode | null,
): TemplateArgument | null {
  switch (parameter?.kind) {
    case "value":
      return text.startsWith("&") ? functionFrom(context, text.slice(1)) : valueFrom(context, text);
    case "template": {
      const template = entityAt(context, text)?.entities.find((each) => each.kind === "template");
      return template ? { kind: "template", template } : null;
    }
    default: {
      if (text.startsWith(unknownTypeMark)) {
        const name = text.slice(unknownTypeMark.length);
        return {
          kind: "type",
          type: unknownOf(name, `${name} is a type that only callers out of sight know`),
        };
      }
      const type = typeFrom(context, text);
      return type ? { kind: "type", type } : null;
    }
  }
}

function valueFrom(context: Context, text: string): TemplateArgument | null {
  const value = text === "true" ? 1 : text === "false" ? 0 : Number(text);
  if (text !== "" && Number.isFinite(value)) {
    return { kind: "value", value, type: Number.isInteger(value) ? longLongType : doubleType };
  }
  const [entity] = entityAt(context, text)?.entities ?? [];
  return entity?.kind === "constant" ? { kind: "value", value: entity.value, type: entity.type } : null;
}

function functionFrom(context: Context, name: string): TemplateArgument | null {
  const found = entityAt(context, name);
  if (found === null || found.entities.length === 0) return null;
  const names = { name, qualifiedName: name, arguments: null, isQualified: found.isQualified };
  return orElse(
    () => ({ kind: "function", instance: soleInstance(context, { ...names, entities: found.entities }) }),
    () => null,
  );
}

/** The type that `text` names, as `typeText` writes it; null where it is not known. */
export function typeFrom(context: Context, text: string): CxxType | null {
  const plain = text.trim();
  const derived = /^(.*?)\s*(\*|&&?|\bconst)$/s.exec(plain);
  if (derived?.[1] && derived[2]) {
    const target = typeFrom(context, derived[1]);
    return target && derivedFrom(target, derived[2]);
  }
  const qualified = /^const\s+(.*)$/s.exec(plain);
  if (qualified?.[1]) {
    const type = typeFrom(context, qualified[1]);
    return type && qualify(type, { isConst: true });
  }
  const [entity] = entityAt(context, plain)?.entities ?? [];
  const named = entity && typeOf(context, entity, null);
  return (
    named ?? fundamentalOf(plain.split(/\s+/)) ?? builtinType(plain) ?? (plain === "bool" ? boolType : null)
  );
}

function derivedFrom(target: CxxType, mark: string): CxxType {
  if (mark === "*") return pointerTo(target);
  if (mark === "const") return qualify(target, { isConst: true });
  return referenceTo(target, mark === "&" ? "lvalue" : "rvalue");
}

/** What a path of names, some of them with template arguments, leads to; null where a part of it is not known. */
function entityAt(
  context: Context,
  path: string,
): { readonly entities: readonly Entity[]; readonly isQualified: boolean } | null {
  const parts = splitOutside(path, "::").map(partOf);
  let scope: Scope | null = null;
  for (const [index, { name, list }] of parts.entries()) {
    const entities: readonly Entity[] = scope?.own(name) ?? context.scope.lookup(name);
    const isLast = index === parts.length - 1;
    if (isLast && list === null) return { entities, isQualified: parts.length > 1 };
    const [entity] = entities;
    if (entity?.kind === "namespace") {
      scope = entity.scope;
      continue;
    }
    const type: CxxType | null = entity ? typeOf(context, entity, list) : null;
    if (type === null) return null;
    if (isLast) return { entities: [{ kind: "type", type: () => type }], isQualified: parts.length > 1 };
    if (type.kind !== "class" && type.kind !== "enum") return null;
    scope = type.info.scope;
  }
  return null;
}

/** `Gemm<A,B>`: the name and the texts between the brackets, null where there are none. */
function partOf(text: string): { readonly name: string; readonly list: readonly string[] | null } {
  const match = /^\s*([^<]*?)\s*<(.*)>\s*$/s.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return { name: text.trim(), list: null };
  return { name: match[1], list: match[2].trim() === "" ? [] : splitOutside(match[2], ",") };
}

function typeOf(context: Context, entity: Entity, list: readonly string[] | null): CxxType | null {
  if (entity.kind === "type") return list === null ? resolved(entity.type) : null;
  if (entity.kind !== "template" || entity.of === "variable" || list === null) return null;
  const given = argumentsFrom(context, list, entity.parameters);
  return given && resolved(() => instantiateTemplate(context, entity, given));
}

function resolved(type: () => CxxType): CxxType | null {
  return orElse(type, () => null);
}

/** The parts of a text between the separators that stand in no brackets. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if ("<([".includes(character)) depth++;
    else if (">)]".includes(character)) depth--;
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(start, at));
      at += separator.length - 1;
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
