// What runs before main: initializers of variables that call functions of the program, as that of `static Registrar add("add", run);` does.
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Evaluate, Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { childrenOf, type SyntaxNode } from "../../syntax/node.ts";
import type { SyntaxUnit } from "../../syntax/unit.ts";
import { type Context, emptyBody } from "../context.ts";
import { assignOf, variablePlace } from "../expressions/build.ts";
import type { Entity, VariableEntity } from "../names/entity.ts";
import { lookupNode } from "../names/names.ts";
import type { Translation } from "../translation.ts";
import { orElse } from "../unsupported.ts";
import { functionParts } from "./declared-function.ts";

/** What main begins with: in the order of the units, and in each in that of the text. */
export interface BeforeMain {
  readonly statements: readonly Statement[];
  /** The same for a program without main, of which each entry finds the variables as they are initialized. */
  readonly initializers: readonly Evaluate[];
  /** Ids of the variables that the statements set. */
  readonly variables: ReadonlySet<number>;
}

/** More variables than these are left as they are when they are first asked for. */
const mostVariables = 200;

export function beforeMain(translations: readonly Translation[]): BeforeMain {
  const statements: Statement[] = [];
  const initializers: Evaluate[] = [];
  const variables = new Set<number>();
  for (const translation of translations)
    for (const unit of translation.source.units) {
      if (!mayRunBeforeMain(unit)) continue;
      for (const variable of variablesOf(translation, unit)) {
        const value = translation.globalInitializer(variable);
        if (value === null || variables.size >= mostVariables || variables.has(variable.id)) continue;
        if (!callsProgram(translation, value) || variable.range === null) continue;
        variables.add(variable.id);
        const { range } = variable;
        const expression = assignOf(variablePlace(variable), value, null);
        statements.push({ kind: "evaluate", expression, range });
        initializers.push({ kind: "evaluate", expression: value, range });
      }
    }
  return { statements, initializers, variables };
}

const noVariable =
  /^\s*(?:template|using|typedef|namespace|class|struct|enum|union|friend|static_assert|extern)\b|__(?:global|device|constant|shared|managed)__|\boperator\b/;
const plainNumber =
  /^\s*(?:(?:static|const|constexpr|inline|volatile)\s+)*(?:unsigned|signed|int|long|short|char|bool|float|double|size_t|u?int\d+_t)\b[^({]*;\s*$/;

/** Whether a declaration may be one of a variable whose initializer does something. Those of headers do nothing but for themselves. */
export function mayRunBeforeMain(unit: SyntaxUnit): boolean {
  const { text } = unit;
  if (!text.trimEnd().endsWith(";") || noVariable.test(text) || plainNumber.test(text)) return false;
  const place = unit.extent();
  return place === null || !/\.(?:cuh|h|hh|hpp|hxx|inl|inc)$/.test(place.file);
}

function variablesOf(translation: Translation, unit: SyntaxUnit): readonly Variable[] {
  const names = unit
    .root()
    .children.flatMap((node) =>
      node.type === "declaration" ? childrenOf(node, "declarator").map((each) => functionParts(each)) : [],
    );
  const scope = translation.scopeOf(unit);
  return names.flatMap(({ nameNode }) => {
    const name = nameNode ? unit.text.slice(nameNode.start, nameNode.end) : "";
    const found =
      nameNode?.type === "qualified_identifier" ? qualified(translation, unit, nameNode) : scope.own(name);
    const entity = found.find((each): each is VariableEntity => each.kind === "variable");
    const isDefined = entity?.linkage !== "declared" || nameNode?.type === "qualified_identifier";
    if (entity === undefined || !isDefined) return [];
    const variable = orElse(
      () => entity.get().variable,
      () => null,
    );
    return variable?.storage === "static" ? [variable] : [];
  });
}

/** `Class::variable`, which the unit defines. */
function qualified(translation: Translation, unit: SyntaxUnit, node: SyntaxNode): readonly Entity[] {
  const context: Context = { translation, unit, scope: translation.scopeOf(unit), body: emptyBody() };
  return orElse(
    () => lookupNode(context, node).entities,
    () => [],
  );
}

/** Whether functions of the program, and no library's alone, are called. */
function callsProgram(translation: Translation, expression: Expression): boolean {
  if (expression.kind === "call-indirect") return true;
  if (expression.kind === "call") {
    const callee = translation.instanceOf(expression.callee);
    if (callee === null || translation.isOwn(callee.entity.unit)) return true;
  }
  return operandsOf(expression).some((each) => callsProgram(translation, each));
}
