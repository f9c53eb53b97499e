// Records that registers hold as the variables that they are to LLVM, one for each member that is used: what loads a member then moves to where
// that one is used (fixtures/forms/records_by_value).
import type { Assign, Expression, Load, VariablePlace } from "../../ir/expression.ts";
import { listsOf } from "../../ir/operands.ts";
import { isPieceType } from "../../ir/pieces.ts";
import type { Statement } from "../../ir/statement.ts";
import { alignmentOf, sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { variableKey } from "../addresses/address.ts";
import { vectorPartOf } from "../linearise/layout.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import { type Fresh, placeOf } from "../walks/fresh.ts";
import { mapLists, mapOperands, withExpression, withPlace, withStored, withWays } from "../walks/rebuild.ts";
import { forEachExpressionOf, hasLists } from "../walks/walk.ts";

interface Options {
  readonly facts: AccessFacts;
  readonly fresh: Fresh;
  /** Variables that pointers lead to. */
  readonly escaped: ReadonlySet<number>;
  /** The records that are copied as they are; what takes their place is added. */
  readonly copied: Set<number>;
}

/** The statements with records apart that are accessed by their members alone; the same statements where there is none, or no branch. */
export function withPiecesApart(body: readonly Statement[], options: Options): readonly Statement[] {
  if (!body.some(hasLists)) return body;
  const records = recordsIn(body, options);
  if (records.size === 0) return body;
  return new Parting(records, copiesIn(body, records), options).statements(body);
}

/** By offset, the type of what is accessed there. */
type Pieces = Map<number, Type>;

/**
 * By id, the records of which nothing but scalars is read and assigned, and something was loaded, with the pieces that move by themselves: what is
 * left of a vector was one load, and stays where that was.
 */
function recordsIn(body: readonly Statement[], { escaped, facts }: Options): ReadonlyMap<number, Pieces> {
  const records = new Map<number, Pieces>();
  const loaded = new Set<number>();
  const whole = new Set<number>();
  const ofVectors: VariablePlace[] = [];
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "load" && node.kind !== "assign" && node.kind !== "address") return;
    const { place } = node;
    if (place.kind !== "variable" || place.variable.type.kind !== "record") return;
    const { id, storage } = place.variable;
    if (node.kind === "address" || storage !== "automatic" || escaped.has(id)) whole.add(id);
    else if (!addPiece(records, place)) whole.add(id);
    if (node.kind !== "assign" || !isLoaded(node.value)) return;
    loaded.add(id);
    if (isOfVector(node.value, facts)) ofVectors.push(place);
  });
  for (const { variable, offsetBytes } of ofVectors) records.get(variable.id)?.delete(offsetBytes);
  for (const [id, pieces] of records)
    if (whole.has(id) || !loaded.has(id) || pieces.size === 0 || overlap(pieces)) records.delete(id);
  return records;
}

function isOfVector(value: Expression, { groups }: AccessFacts): boolean {
  if (value.kind !== "load" || value.place.kind !== "memory" || !groups.has(value)) return false;
  return vectorPartOf(value.place) !== null;
}

/** Whether a record was loaded that the value is, or is a part of. */
function isLoaded(value: Expression): boolean {
  if (value.kind !== "load") return false;
  const { place } = value;
  return place.kind === "memory" ? value.site !== null : place.variable.type.kind === "record";
}

function addPiece(records: Map<number, Pieces>, { variable, offsetBytes, type }: VariablePlace): boolean {
  if (!isPieceType(type)) return false;
  const pieces = records.get(variable.id);
  if (!pieces) {
    records.set(variable.id, new Map([[offsetBytes, type]]));
    return true;
  }
  const known = pieces.get(offsetBytes);
  if (known === undefined) pieces.set(offsetBytes, type);
  return known === undefined || sizeOf(known) === sizeOf(type);
}

function overlap(pieces: Pieces): boolean {
  let end = 0;
  for (const [offsetBytes, type] of [...pieces].sort(([a], [b]) => a - b)) {
    if (offsetBytes < end) return true;
    end = offsetBytes + (sizeOf(type) ?? 1);
  }
  return false;
}

/**
 * By key of a piece, what is read in its place: the part of the vector that it is a copy of, made right behind the load. Both are assigned in that
 * place of the text alone.
 */
function copiesIn(
  body: readonly Statement[],
  records: ReadonlyMap<number, Pieces>,
): ReadonlyMap<number, Load> {
  const assignedTimes = new Map<number, number>();
  forEachExpressionOf(body, (node) => {
    if (node.kind !== "assign" || node.place.kind !== "variable") return;
    const key = variableKey(node.place.variable, node.place.offsetBytes);
    assignedTimes.set(key, (assignedTimes.get(key) ?? 0) + 1);
  });
  const copies = new Map<number, Load>();
  const isOnce = (variable: Variable, offsetBytes: number) =>
    variable.id < 0 && assignedTimes.get(variableKey(variable, offsetBytes)) === 1;
  const visit = (list: readonly Statement[]): void => {
    let vector: Variable | null = null;
    for (const statement of list) {
      const assign = assignedBy(statement);
      const value = assign?.value;
      if (assign && value?.kind === "load" && value.place.kind === "memory") {
        vector = isOnce(assign.place.variable, assign.place.offsetBytes) ? assign.place.variable : null;
      } else if (assign && value?.kind === "load" && value.place.kind === "variable") {
        const { variable, offsetBytes } = assign.place;
        const isOfVector = value.place.variable.id === vector?.id;
        if (isOfVector && records.has(variable.id) && isOnce(variable, offsetBytes))
          copies.set(variableKey(variable, offsetBytes), value);
      } else vector = null;
      for (const inner of listsOf(statement)) visit(inner);
    }
  };
  visit(body);
  return copies;
}

function assignedBy(statement: Statement): (Assign & { readonly place: VariablePlace }) | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const { place } = statement.expression;
  return place.kind === "variable" ? { ...statement.expression, place } : null;
}

/** Rewrites the statements with a variable for each piece of a record. */
class Parting {
  private readonly records: ReadonlyMap<number, Pieces>;
  private readonly copies: ReadonlyMap<number, Load>;
  private readonly options: Options;
  private readonly variables = new Map<number, Variable>();
  /** A condition that stands in two places stays one. */
  private readonly mapped = new Map<Expression, Expression>();

  constructor(records: ReadonlyMap<number, Pieces>, copies: ReadonlyMap<number, Load>, options: Options) {
    this.records = records;
    this.copies = copies;
    this.options = options;
  }

  statements(list: readonly Statement[]): readonly Statement[] {
    return list.flatMap((statement): readonly Statement[] => {
      const pieces = statement.kind === "declare" ? this.records.get(statement.variable.id) : undefined;
      if (statement.kind === "declare" && pieces)
        return [
          statement,
          ...[...pieces].map(([offsetBytes, type]) => ({
            ...statement,
            variable: this.variableOf(statement.variable, offsetBytes, type),
          })),
        ];
      if (statement.kind === "evaluate") {
        const { expression } = statement;
        const isCopy =
          expression.kind === "assign" &&
          expression.place.kind === "variable" &&
          this.copyOf(expression.place);
        return isCopy ? [] : [withExpression(statement, this.expression(expression))];
      }
      return [mapLists(this.withExpressions(statement), (inner) => this.statements(inner))];
    });
  }

  private withExpressions(statement: Statement): Statement {
    switch (statement.kind) {
      case "if":
        return withWays(
          statement,
          this.expression(statement.condition),
          statement.whenTrue,
          statement.whenFalse,
        );
      case "loop":
        return {
          ...statement,
          condition: statement.condition && this.expression(statement.condition),
          step: statement.step.map((step) => this.expression(step)),
        };
      case "switch":
        return { ...statement, selector: this.expression(statement.selector) };
      case "return":
        return { ...statement, value: statement.value && this.expression(statement.value) };
      case "declare":
        return {
          ...statement,
          initializer: statement.initializer && this.expression(statement.initializer),
        };
      default:
        return statement;
    }
  }

  private expression(expression: Expression): Expression {
    const known = this.mapped.get(expression);
    if (known) return known;
    const result = this.rewritten(expression);
    if (result !== expression) passOn(expression, result, this.options.facts);
    this.mapped.set(expression, result);
    return result;
  }

  private rewritten(expression: Expression): Expression {
    const map = (operand: Expression) => this.expression(operand);
    if (expression.kind !== "load" && expression.kind !== "assign") return mapOperands(expression, map);
    const { place } = expression;
    if (place.kind !== "variable" || !this.isApart(place)) return mapOperands(expression, map);
    if (expression.kind === "load") {
      const copy = this.copyOf(place);
      return copy ? withPlace(expression, copy.place) : withPlace(expression, this.pieceOf(place));
    }
    return withStored(expression, this.pieceOf(place), this.expression(expression.value));
  }

  private isApart({ variable, offsetBytes }: VariablePlace): boolean {
    return this.records.get(variable.id)?.has(offsetBytes) === true;
  }

  private copyOf({ variable, offsetBytes }: VariablePlace): Load | undefined {
    return this.copies.get(variableKey(variable, offsetBytes));
  }

  private pieceOf({ variable, offsetBytes, type }: VariablePlace): VariablePlace {
    return placeOf(this.variableOf(variable, offsetBytes, type), 0, type);
  }

  private variableOf(record: Variable, offsetBytes: number, type: Type): Variable {
    const key = variableKey(record, offsetBytes);
    const known = this.variables.get(key);
    if (known) return known;
    const { fresh, copied } = this.options;
    const alignmentBytes = alignmentOf(type) ?? 1;
    const variable = { ...fresh.copyOf(record), type, alignmentBytes, isMember: true };
    if (copied.has(record.id)) copied.add(variable.id);
    this.variables.set(key, variable);
    return variable;
  }
}
