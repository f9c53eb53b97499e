// Function bodies: one instance to one FunctionDefinition.

import type { FunctionDefinition } from "../../ir/function.ts";
import type { Statement } from "../../ir/statement.ts";
import { pointerTo as irPointerTo } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { hangsOn } from "../../syntax/assumed.ts";
import type { SyntaxNode } from "../../syntax/node.ts";
import { childOf, namedChildren } from "../../syntax/node.ts";
import type { TranslationUnit } from "../../syntax/unit.ts";
import {
  type Context,
  emptyBody,
  type FunctionBody,
  inScope,
  newVariable,
  rangeOf,
  textOf,
} from "../context.ts";
import { assignOf, hasEffects, loadOf, partOf, placeAt } from "../expressions/build.ts";
import { argumentValues } from "../expressions/call.ts";
import { constantInteger } from "../expressions/constant.ts";
import { convertValue } from "../expressions/convert.ts";
import { isStandardLibrary } from "../headers/standard-library.ts";
import { assume } from "../names/conventions.ts";
import type { Entity } from "../names/entity.ts";
import { classNamed, nameAndArguments } from "../names/names.ts";
import { Scope } from "../names/scope.ts";
import { compound } from "../statements/statement.ts";
import { argumentText } from "../templates/argument-names.ts";
import type { Translation } from "../translation.ts";
import { type ClassInfo, type Field, fieldOf } from "../types/class.ts";
import { type CxxType, classType, irTypeOf, unqualified, voidType } from "../types/cxx-type.ts";
import { containsAuto } from "../types/declarator.ts";
import { textConstant } from "../types/text-constant.ts";
import { virtualTables } from "../types/virtual.ts";
import { orElse, Unsupported } from "../unsupported.ts";
import {
  construct,
  constructAt,
  defaultInitializer,
  fieldDefault,
  initialize,
} from "../variables/initialize.ts";
import { functionParts } from "./declared-function.ts";
import { type FunctionInstance, type InstanceParameter, writtenResult } from "./instance.ts";
import { restrictedThroughLocals } from "./restricted-locals.ts";

/** Lowers the body of an instance. Never throws: what is not understood is in `gaps`. */
export function lowerFunction(translation: Translation, instance: FunctionInstance): FunctionDefinition {
  const { entity } = instance;
  const scope = new Scope("block", instance.scope);
  const outer: Context = { translation, unit: entity.unit, scope, body: null };
  const copied = instance.kind === "kernel" ? restrictedThroughLocals(outer, entity.body) : null;
  const parameters = instance.parameters.map((parameter) => {
    const variable = parameterVariable(outer, parameter);
    return { ...variable, ...promiseOf(parameter, instance.kind, copied?.get(parameter.name) ?? null) };
  });
  const self = instance.self ? selfVariable(outer, instance.self) : null;
  const body = emptyBody({
    isDevice: instance.kind !== "host",
    result: declaredResult(outer, instance),
    self:
      self && instance.self
        ? { pointer: loadOf(wholeOf(self), null), info: instance.self, isConst: entity.isConstMember }
        : null,
  });
  const context: Context = { ...outer, body };
  bindParameters(context, instance, parameters);
  const statements = orElse(
    () => lowerBody(context, instance),
    (reason) => failed(context, entity.node, reason),
  );
  rememberResult(translation, instance, body);
  for (const conventional of translation.source.conventions)
    noteConvention(context, entity.node, conventional);
  for (const macro of translation.source.assumed) noteMacro(context, entity.node, macro);
  return {
    id: instance.id,
    name: entity.name,
    ...templateBinding(instance),
    kind: instance.kind,
    ...(isStandardLibrary(rangeOf(context, entity.node).file) ? { isLibrary: true as const } : {}),
    result: irTypeOf(body.result ?? voidType),
    parameters: self ? [self, ...parameters] : parameters,
    body: [...declared(body, context, entity.node), ...statements],
    maxThreadsPerBlock: launchBounds(context, entity.node),
    range: rangeOf(context, entity.node),
    nameRange: rangeOf(context, nameNodeOf(instance)),
    gaps: [...body.gaps],
    assumptions: [...body.assumptions.values()],
    ...(body.doubts.size > 0 ? { doubts: [...body.doubts] } : {}),
  };
}

function failed(context: Context, node: SyntaxNode, reason: string): Statement[] {
  context.body?.gaps.add(reason);
  return [{ kind: "unknown", reason, range: rangeOf(context, node) }];
}

/** The result as far as it is declared: `auto` is left to the return statements. */
function declaredResult(context: Context, instance: FunctionInstance): CxxType | null {
  return orElse<CxxType | null>(
    () => writtenResult(context, instance),
    () => null,
  );
}

function rememberResult(translation: Translation, instance: FunctionInstance, body: FunctionBody): void {
  if (body.result === null || containsAuto(body.result)) body.result = voidType;
  translation.deducedResults.set(instance.id, body.result);
}

function templateBinding(instance: FunctionInstance): {
  templateArguments: string[];
  templateParameterNames: string[];
} {
  const templateArguments: string[] = [];
  const templateParameterNames: string[] = [];
  const names = instance.entity.parameters ?? [];
  for (const [index, argument] of instance.templateArguments.entries()) {
    const list = argument.kind === "pack" ? argument.elements : [argument];
    for (const each of list) {
      templateArguments.push(argumentText(each));
      templateParameterNames.push(names[index]?.name ?? "");
    }
  }
  return { templateArguments, templateParameterNames };
}

function nameNodeOf(instance: FunctionInstance): SyntaxNode {
  const declarator = childOf(instance.entity.node, "declarator");
  return functionParts(declarator).nameNode ?? instance.entity.node;
}

// --- parameters

function parameterVariable(context: Context, parameter: InstanceParameter): Variable {
  return newVariable(context, parameter.name, irTypeOf(parameter.type), {
    range: parameter.nameNode ? rangeOf(context, parameter.nameNode) : null,
  });
}

/** What `__restrict__` and `const` promise of a kernel's pointer; a device function's are restricted as long as a call of it lasts. */
function promiseOf(
  { type, isRestrict }: InstanceParameter,
  kind: FunctionDefinition["kind"],
  copied: { readonly isConst: boolean } | null,
): Pick<Variable, "isRestrict" | "pointsToConst"> {
  if (type.kind !== "pointer" || kind === "host") return {};
  if (kind !== "kernel") return isRestrict ? { isRestrict } : {};
  const { isConst } = type.target;
  if (isRestrict || copied) return { isRestrict: true, pointsToConst: isConst || copied?.isConst === true };
  return isConst ? { pointsToConst: true } : {};
}

function selfVariable(context: Context, info: ClassInfo): Variable {
  return newVariable(context, "this", irPointerTo(irTypeOf(classType(info))));
}

function wholeOf(variable: Variable): {
  kind: "variable";
  variable: Variable;
  offsetBytes: number;
  type: Variable["type"];
} {
  return { kind: "variable", variable, offsetBytes: 0, type: variable.type };
}

function bindParameters(context: Context, instance: FunctionInstance, variables: readonly Variable[]): void {
  const packs = new Map<string, Entity[]>(instance.packNames.map((name) => [name, []]));
  for (const [index, parameter] of instance.parameters.entries()) {
    const variable = variables[index];
    if (variable === undefined || parameter.name === "") continue;
    const { type } = parameter;
    const entity: Entity = {
      kind: "variable",
      name: parameter.name,
      get: () => ({ type, variable, constant: null }),
    };
    if (parameter.packName === null) context.scope.declare(parameter.name, entity);
    else packs.get(parameter.packName)?.push(entity);
  }
  for (const [name, elements] of packs) context.scope.declare(name, { kind: "pack", elements });
}

// --- bodies

function lowerBody(context: Context, instance: FunctionInstance): Statement[] {
  const { entity } = instance;
  if (entity.body === null) {
    context.body?.gaps.add(`${instance.displayName} is declared but not defined here`);
    return [{ kind: "unknown", reason: "no body", range: rangeOf(context, entity.node) }];
  }
  if (entity.body.hasError) {
    const reason = "a syntax error";
    if (namedChildren(entity.body).some((child) => child.type === "ERROR")) context.body?.gaps.add(reason);
  }
  const isConstructor = entity.memberOf !== null && entity.name === entity.memberOf.name;
  const first =
    isConstructor && entity.memberOf ? memberInitializers(context, entity.node, entity.memberOf) : [];
  return [
    ...first,
    ...compound(inScope(context, new Scope("block", context.scope)), entity.body, "of the function"),
  ];
}

function declared(body: FunctionBody, context: Context, node: SyntaxNode): Statement[] {
  const range = rangeOf(context, node);
  return body.temporaries.map((variable) => ({ kind: "declare", variable, initializer: null, range }));
}

/** Bases and fields in the order of the class, each as the constructor, the class or its type says. */
function memberInitializers(context: Context, node: SyntaxNode, info: ClassInfo): Statement[] {
  const list = node.children.find((child) => child.type === "field_initializer_list");
  const written = new Map<string, SyntaxNode>();
  const ofClass = new Map<ClassInfo, SyntaxNode>();
  for (const child of list ? namedChildren(list) : []) {
    const [nameNode] = namedChildren(child);
    if (!nameNode) continue;
    written.set(nameAndArguments(context, nameNode).name, child);
    const named = fieldOf(info, textOf(context, nameNode)) ? null : initializedClass(context, nameNode);
    if (named) ofClass.set(named, child);
  }
  const delegated = ofClass.get(info) ?? written.get(info.name);
  if (delegated) return statementsOf(context, delegated, [constructBase(context, info, 0, delegated)]);
  const statements: Statement[] = [];
  for (const base of info.layout().bases) {
    const own = ofClass.get(base.info) ?? written.get(base.info.name);
    statements.push(
      ...statementsOf(context, own ?? node, [
        constructBase(context, base.info, base.offsetBytes, own ?? null),
      ]),
    );
  }
  for (const { offsetBytes, value } of virtualTables(context, info))
    statements.push(
      ...statementsOf(context, node, [assignOf(selfPart(context, offsetBytes, value.type), value, null)]),
    );
  for (const field of info.layout().fields) {
    const own = written.get(field.name);
    statements.push(...statementsOf(context, own ?? node, [initializeField(context, field, own ?? null)]));
  }
  return statements;
}

/** The class that a constructor's list initialises: a base under its own name, a typedef of it, or the class itself. */
function initializedClass(context: Context, nameNode: SyntaxNode): ClassInfo | null {
  return orElse(
    () => classNamed(context, nameNode),
    () => null,
  );
}

function statementsOf(
  context: Context,
  node: SyntaxNode,
  list: readonly (ReturnType<typeof constructAt> | null)[],
): Statement[] {
  const range = rangeOf(context, node);
  return list
    .filter((each) => each !== null)
    .filter(hasEffects)
    .map((expression) => ({ kind: "evaluate", expression, range }));
}

function constructBase(
  context: Context,
  info: ClassInfo,
  offsetBytes: number,
  node: SyntaxNode | null,
): ReturnType<typeof constructAt> {
  const type = classType(info);
  const place = selfPart(context, offsetBytes, irTypeOf(type));
  const list = node ? namedChildren(node).at(-1) : undefined;
  const given = list && /_list$/.test(list.type) ? argumentValues(context, list) : [];
  if (info.constructors.length === 0) {
    const value =
      given.length > 0 ? construct(context, type, given, node) : defaultInitializer(context, type);
    return value && assignOf(place, value, null);
  }
  const pointer = { kind: "address", type: irPointerTo(place.type), place } as const;
  return constructAt(context, type, pointer, given, node);
}

function initializeField(
  context: Context,
  field: Field,
  node: SyntaxNode | null,
): ReturnType<typeof constructAt> {
  const place = selfPart(context, field.offsetBytes, irTypeOf(field.type));
  if (node === null) {
    const value = fieldDefault(context, field);
    return value ? assignOf(place, value, null) : null;
  }
  const list = namedChildren(node).at(-1);
  if (!list) return null;
  const isEmpty = namedChildren(list).length === 0;
  const type = field.type.kind === "reference" ? field.type : unqualified(field.type);
  if (field.type.kind === "reference") {
    const [value] = argumentValues(context, list);
    return value ? assignOf(place, convertValue(context, value, field.type), null) : null;
  }
  if (isEmpty && type.kind !== "class") {
    const plain = irTypeOf(type);
    if (plain.kind === "array" || plain.kind === "record") {
      return assignOf(place, { kind: "aggregate", type: plain, parts: [] }, null);
    }
    return assignOf(place, { kind: "constant", type: plain, value: 0 }, null);
  }
  return assignOf(place, initialize(context, type, list).expression, null);
}

function selfPart(context: Context, offsetBytes: number, type: Variable["type"]) {
  const self = context.body?.self;
  if (!self) throw new Unsupported("a constructor without an object");
  return partOf(placeAt(self.pointer, type), offsetBytes, type);
}

// --- attributes

function launchBounds(context: Context, node: SyntaxNode): number | null {
  const end = childOf(node, "body")?.start ?? node.end;
  const written = context.unit.attributes.find(
    (each) => each.name === "__launch_bounds__" && each.offset >= node.start && each.offset <= end,
  );
  if (written) return textConstant(context, written.arguments[0] ?? "");
  const inTree = node.children.find((child) => child.type === "launch_bounds");
  const [first] = inTree ? namedChildren(inTree) : [];
  const value = first ? constantInteger(context, first) : null;
  return value === null ? null : Number(value);
}

/** A macro of which the build leaves something open counts where the function's own text hangs on it. */
function noteMacro(context: Context, node: SyntaxNode, macro: TranslationUnit["assumed"][number]): void {
  if (!hangsOn(rangeOf(context, node), context.translation.source.texts, macro)) return;
  const { name, value, why, doubt, origin, preset } = macro;
  const { file, line } = origin;
  context.body?.assumptions.set(name, {
    kind: "build-macro",
    name,
    value,
    why,
    doubt,
    file,
    line,
    ...(preset !== undefined && { preset }),
  });
}

/** A macro that preprocessing took by convention counts where the function's own text used it. */
function noteConvention(
  context: Context,
  node: SyntaxNode,
  convention: TranslationUnit["conventions"][number],
): void {
  const range = rangeOf(context, node);
  const text = context.translation.source.texts.get(range.file)?.slice(range.start, range.end) ?? "";
  if (new RegExp(`\\b${convention.name}\\b`).test(text))
    assume(context, convention.written, convention.value);
}
