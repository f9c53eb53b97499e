// Pieces of IR that several stages make. Nodes are written out in the order of their declarations: one layout for each kind.

import type { SourceRange } from "../text/source.ts";
import type { Assign, Expression, Load, Place, VariablePlace } from "./expression.ts";
import type { Statement } from "./statement.ts";
import type { Variable } from "./variable.ts";

export function placeOf(variable: Variable, offsetBytes = 0, type = variable.type): VariablePlace {
  return { kind: "variable", variable, offsetBytes, type };
}

export function readOf(variable: Variable, offsetBytes = 0, type = variable.type): Load {
  return { kind: "load", type, place: placeOf(variable, offsetBytes, type), site: null };
}

/** The expression `place = value`. */
export function assign(place: Place, value: Expression): Assign {
  return { kind: "assign", type: place.type, place, value, site: null };
}

/** The statement `place = value`. */
export function assignment(place: VariablePlace, value: Expression, range: SourceRange): Statement {
  return { kind: "evaluate", expression: assign(place, value), range };
}
