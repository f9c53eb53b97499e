// Automatic variables: which accesses surely are theirs, and which of them pointers may reach.
import type { Expression, Place } from "../../ir/expression.ts";
import { expressionsOf, forEachExpression, forEachStatement, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";

/** Of one function. */
export interface Locals {
  /** The automatic variable that a place surely is part of; null where it is another variable, or where pointers decide. */
  automaticOf(place: Place): Variable | null;
  /** Ids of the automatic variables whose address goes elsewhere than into an access of theirs: pointers may lead to them. */
  readonly escaped: ReadonlySet<number>;
}

export function localsOf(body: readonly Statement[]): Locals {
  const pointees = pointeesOf(body);
  const escaped = escapedFrom(body, pointees);
  // Somebody may turn such a pointer elsewhere.
  if ([...pointees.keys()].some((pointer) => escaped.has(pointer))) return withPointees(body, new Map());
  return withPointees(body, pointees);
}

function withPointees(body: readonly Statement[], pointees: Pointees): Locals {
  return {
    automaticOf: (place) => variableAt(place, pointees),
    escaped: escapedFrom(body, pointees),
  };
}

/** The variable that a pointer leads to which is written once, by the pointer's id: `float* row = &tile[i];` */
type Pointees = ReadonlyMap<number, Variable>;

function variableAt(place: Place, pointees: Pointees): Variable | null {
  if (place.kind === "memory") return variableBehind(place.pointer, pointees);
  return place.variable.storage === "automatic" ? place.variable : null;
}

function variableBehind(pointer: Expression, pointees: Pointees): Variable | null {
  switch (pointer.kind) {
    case "offset":
      return variableBehind(pointer.pointer, pointees);
    case "convert":
      return variableBehind(pointer.operand, pointees);
    case "address":
      return variableAt(pointer.place, pointees);
    case "load":
      return pointer.place.kind === "variable" ? (pointees.get(pointer.place.variable.id) ?? null) : null;
    default:
      return null;
  }
}

function pointeesOf(body: readonly Statement[]): Pointees {
  const pointees = new Map<number, Variable>();
  const writes = new Map<number, number>();
  const note = ({ id, storage, type }: Variable, value: Expression): void => {
    writes.set(id, (writes.get(id) ?? 0) + 1);
    if (storage !== "automatic" || type.kind !== "pointer") return;
    const variable = variableBehind(value, pointees);
    if (variable) pointees.set(id, variable);
  };
  const visit = (expression: Expression): void => {
    if (expression.kind === "assign" && expression.place.kind === "variable")
      note(expression.place.variable, expression.value);
    for (const operand of operandsOf(expression)) visit(operand);
  };
  forEachStatement(body, (statement) => {
    if (statement.kind === "declare" && statement.initializer)
      note(statement.variable, statement.initializer);
  });
  forEachExpression(body, visit);
  for (const [id, count] of writes) if (count > 1) pointees.delete(id);
  return pointees;
}

/** Variables whose address is a value anywhere, and not just followed. */
function escapedFrom(body: readonly Statement[], pointees: Pointees): ReadonlySet<number> {
  const escaped = new Set<number>();
  const take = (variable: Variable | null | undefined): void => {
    if (variable) escaped.add(variable.id);
  };
  const visit = (expression: Expression): void => {
    switch (expression.kind) {
      case "load":
        if (expression.place.kind === "memory") follow(expression.place.pointer);
        else take(pointees.get(expression.place.variable.id));
        return;
      case "assign":
        if (expression.place.kind === "memory") follow(expression.place.pointer);
        if (expression.place.kind === "variable" && pointees.has(expression.place.variable.id))
          follow(expression.value);
        else visit(expression.value);
        return;
      case "address":
        take(variableAt(expression.place, pointees));
        break;
      default:
    }
    for (const operand of operandsOf(expression)) visit(operand);
  };
  const follow = (pointer: Expression): void => {
    if (variableBehind(pointer, pointees) === null) visit(pointer);
    else if (pointer.kind === "offset") {
      visit(pointer.index);
      follow(pointer.pointer);
    } else if (pointer.kind !== "load") for (const inner of operandsOf(pointer)) follow(inner);
  };
  forEachStatement(body, (statement) => {
    const isPointee = statement.kind === "declare" && pointees.has(statement.variable.id);
    for (const expression of expressionsOf(statement)) (isPointee ? follow : visit)(expression);
  });
  return escaped;
}
