// IR like other IR but in some of its parts. Nodes are written out property by property, in the order of `ir/`, and not spread: nodes of a
// kind then have one layout, of which a pass reads properties several times as fast as of five.
import type {
  AccessSite,
  Assign,
  Binary,
  Expression,
  Load,
  MemoryPlace,
  Place,
} from "../../ir/expression.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";

/** The same expression over mapped operands; the expression itself where none changed. `map` is called in the order of evaluation. */
export function mapOperands(expression: Expression, map: (operand: Expression) => Expression): Expression {
  return mapOperandsIn(expression, map, undefined);
}

/** The same where `map` needs to know more: what it would close over is handed through, since every node passes here. */
export function mapOperandsIn<C>(expression: Expression, map: MapIn<C>, context: C): Expression {
  switch (expression.kind) {
    case "constant":
    case "function":
      return expression;
    case "load":
      return withPlace(expression, mapPlace(expression.place, map, context));
    case "address": {
      const { kind, type } = expression;
      const place = mapPlace(expression.place, map, context);
      return place === expression.place ? expression : { kind, type, place };
    }
    case "unary": {
      const { kind, operator, type } = expression;
      const operand = map(expression.operand, context);
      return operand === expression.operand ? expression : { kind, operator, type, operand };
    }
    case "convert": {
      const { kind, type } = expression;
      const operand = map(expression.operand, context);
      return operand === expression.operand ? expression : { kind, type, operand };
    }
    case "extract": {
      const { kind, type, offsetBytes } = expression;
      const operand = map(expression.operand, context);
      return operand === expression.operand ? expression : { kind, type, operand, offsetBytes };
    }
    case "binary": {
      const left = map(expression.left, context);
      return withOperands(expression, left, map(expression.right, context));
    }
    case "logical": {
      const { kind, operator, type } = expression;
      const left = map(expression.left, context);
      const right = map(expression.right, context);
      return left === expression.left && right === expression.right
        ? expression
        : { kind, operator, type, left, right };
    }
    case "difference": {
      const { kind, type, strideBytes } = expression;
      const left = map(expression.left, context);
      const right = map(expression.right, context);
      return left === expression.left && right === expression.right
        ? expression
        : { kind, type, left, right, strideBytes };
    }
    case "offset": {
      const { kind, type, strideBytes } = expression;
      const pointer = map(expression.pointer, context);
      const index = map(expression.index, context);
      return pointer === expression.pointer && index === expression.index
        ? expression
        : { kind, type, pointer, index, strideBytes };
    }
    case "conditional": {
      const condition = map(expression.condition, context);
      const whenTrue = map(expression.whenTrue, context);
      const whenFalse = map(expression.whenFalse, context);
      return condition === expression.condition &&
        whenTrue === expression.whenTrue &&
        whenFalse === expression.whenFalse
        ? expression
        : { kind: expression.kind, type: expression.type, condition, whenTrue, whenFalse };
    }
    case "assign": {
      const value = map(expression.value, context);
      return withStored(expression, mapPlace(expression.place, map, context), value);
    }
    case "sequence": {
      const effects = mapAll(expression.effects, map, context);
      const result = map(expression.result, context);
      return effects === expression.effects && result === expression.result
        ? expression
        : { kind: expression.kind, type: expression.type, effects, result };
    }
    case "call": {
      const { kind, type, callee, range, isSeparate } = expression;
      const mapped = mapAll(expression.arguments, map, context);
      if (mapped === expression.arguments) return expression;
      return isSeparate
        ? { kind, type, callee, arguments: mapped, range, isSeparate }
        : { kind, type, callee, arguments: mapped, range };
    }
    case "intrinsic": {
      const mapped = mapAll(expression.arguments, map, context);
      return mapped === expression.arguments ? expression : { ...expression, arguments: mapped };
    }
    case "call-indirect":
      return {
        ...expression,
        callee: map(expression.callee, context),
        arguments: mapAll(expression.arguments, map, context),
      };
    case "aggregate":
      return {
        ...expression,
        parts: expression.parts.map((part) => ({ ...part, value: map(part.value, context) })),
      };
    case "unknown": {
      const operands = mapAll(expression.operands, map, context);
      return operands === expression.operands ? expression : { ...expression, operands };
    }
  }
}

type MapIn<C> = (operand: Expression, context: C) => Expression;

function mapPlace<C>(place: Place, map: MapIn<C>, context: C): Place {
  if (place.kind === "variable") return place;
  const pointer = map(place.pointer, context);
  return atPointer(place, pointer);
}

function mapAll<C>(list: readonly Expression[], map: MapIn<C>, context: C): readonly Expression[] {
  let mapped: Expression[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (item === undefined) continue;
    const result = map(item, context);
    if (result !== item) mapped ??= list.slice(0, index);
    mapped?.push(result);
  }
  return mapped ?? list;
}

/** The load from another place; the load itself where it is the same, and so below. */
export function withPlace(load: Load, place: Place, site = load.site): Load {
  return place === load.place && site === load.site
    ? load
    : { kind: load.kind, type: load.type, place, site };
}

/** The assignment of `value` to `place`. */
export function withStored(assign: Assign, place: Place, value: Expression): Assign {
  const { kind, type, site } = assign;
  return place === assign.place && value === assign.value ? assign : { kind, type, place, value, site };
}

export function withOperands(binary: Binary, left: Expression, right: Expression): Binary {
  const { kind, operator, type } = binary;
  return left === binary.left && right === binary.right ? binary : { kind, operator, type, left, right };
}

/** The place behind another pointer. */
export function atPointer(place: MemoryPlace, pointer: Expression): MemoryPlace {
  const { kind, offsetBytes, type } = place;
  return pointer === place.pointer ? place : { kind, pointer, offsetBytes, type };
}

/** What the access does elsewhere, or is charged to as well. */
export function likeSite(site: AccessSite, changes: Partial<AccessSite>): AccessSite {
  const wideBytes = changes.wideBytes ?? site.wideBytes;
  // Few sites have it: what a layout of their own costs does not show.
  if (wideBytes !== undefined) return { ...site, ...changes };
  const { range, expression, isVolatile } = site;
  const merged = changes.merged ?? site.merged;
  const stack = changes.stack ?? site.stack;
  const uncertain = changes.uncertain ?? site.uncertain;
  if (uncertain !== undefined)
    return stack === undefined
      ? { range, expression, isVolatile, merged, uncertain }
      : { range, expression, isVolatile, merged, stack, uncertain };
  return stack === undefined
    ? { range, expression, isVolatile, merged }
    : { range, expression, isVolatile, merged, stack };
}

/** The site, of an access that takes nothing along, of which nothing is uncertain any more. */
export function withoutDoubt({ range, expression, isVolatile, merged, stack }: AccessSite): AccessSite {
  return stack === undefined
    ? { range, expression, isVolatile, merged }
    : { range, expression, isVolatile, merged, stack };
}

/** The statement that evaluates another expression. */
export function withExpression(statement: Evaluate, expression: Expression): Evaluate {
  const { kind, range } = statement;
  return expression === statement.expression ? statement : { kind, expression, range };
}

/** The `if` of another condition and other ways. */
export function withWays(
  statement: If,
  condition: Expression,
  whenTrue: readonly Statement[],
  whenFalse: readonly Statement[],
): If {
  const isSame =
    condition === statement.condition && whenTrue === statement.whenTrue && whenFalse === statement.whenFalse;
  return isSame
    ? statement
    : { kind: statement.kind, condition, whenTrue, whenFalse, range: statement.range };
}

/** The mapped statements; the list itself where none changed. */
export function mapStatements(
  list: readonly Statement[],
  map: (statement: Statement) => Statement,
): readonly Statement[] {
  let mapped: Statement[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const statement = list[index];
    if (statement === undefined) continue;
    const other = map(statement);
    if (other !== statement) mapped ??= list.slice(0, index);
    mapped?.push(other);
  }
  return mapped ?? list;
}

/** The same statement over mapped lists; the statement itself where none changed. */
export function mapLists(
  statement: Statement,
  map: (list: readonly Statement[]) => readonly Statement[],
): Statement {
  switch (statement.kind) {
    case "if": {
      const whenTrue = map(statement.whenTrue);
      return withWays(statement, statement.condition, whenTrue, map(statement.whenFalse));
    }
    case "block":
    case "loop": {
      const body = map(statement.body);
      return body === statement.body ? statement : { ...statement, body };
    }
    case "switch": {
      let changed = false;
      const cases = statement.cases.map((one) => {
        const body = map(one.body);
        if (body !== one.body) changed = true;
        return body === one.body ? one : { ...one, body };
      });
      return changed ? { ...statement, cases } : statement;
    }
    default:
      return statement;
  }
}

/** Maps the statements from the last to the first, null dropping one; the same list where none changed. */
export function mapFromEnd(
  list: readonly Statement[],
  map: (statement: Statement) => Statement | null,
): readonly Statement[] {
  let output: Statement[] | null = null;
  for (let index = list.length - 1; index >= 0; index--) {
    const statement = list[index];
    if (!statement) continue;
    const mapped = map(statement);
    if (mapped !== statement) output ??= list.slice(index + 1).reverse();
    if (mapped) output?.push(mapped);
  }
  return output?.reverse() ?? list;
}
