// Takes calls that meet barriers out of expressions, so that only statements can wait: `x = f(reduce(y))` becomes
// `t = reduce(y); x = f(t)`. C++ leaves the order of operands open, so that this order is one of those allowed.
import type { Call, Expression, Place } from "../ir/expression.ts";
import type { Loop, Statement } from "../ir/statement.ts";
import type { Type } from "../ir/type.ts";
import { booleanType } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { SourceRange } from "../text/source.ts";
import { visitExpression } from "./walk.ts";

/** Whether a call waits at barriers. */
export type Suspends = (call: Call) => boolean;

/** The statements with every suspending call alone: the initializer of a `Declare`, or the expression of an `Evaluate`. */
export function flatten(statements: readonly Statement[], suspends: Suspends): readonly Statement[] {
  return new Flattening(suspends).list(statements);
}

class Flattening {
  readonly #suspends: Suspends;
  /** Temporaries count down from -1: ids of the program's own variables are not negative. */
  #nextId = -1;

  constructor(suspends: Suspends) {
    this.#suspends = suspends;
  }

  list(statements: readonly Statement[]): readonly Statement[] {
    return statements.flatMap((statement) => this.#statement(statement));
  }

  #statement(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
      case "block":
        return [{ ...statement, body: this.list(statement.body) }];
      case "evaluate":
        return this.#evaluate(statement.expression, statement.range);
      case "declare": {
        if (statement.initializer === null) return [statement];
        const before: Statement[] = [];
        const initializer = this.#outermost(statement.initializer, before, statement.range);
        return [...before, { ...statement, initializer }];
      }
      case "if": {
        const before: Statement[] = [];
        const condition = this.#hoist(statement.condition, before, statement.range);
        const whenTrue = this.list(statement.whenTrue);
        const whenFalse = this.list(statement.whenFalse);
        return [...before, { ...statement, condition, whenTrue, whenFalse }];
      }
      case "switch": {
        const before: Statement[] = [];
        const selector = this.#hoist(statement.selector, before, statement.range);
        const cases = statement.cases.map((one) => ({ ...one, body: this.list(one.body) }));
        return [...before, { ...statement, selector, cases }];
      }
      case "return": {
        if (statement.value === null) return [statement];
        const before: Statement[] = [];
        const value = this.#hoist(statement.value, before, statement.range);
        return [...before, { ...statement, value }];
      }
      case "loop":
        return [this.#loop(statement)];
      default:
        return [statement];
    }
  }

  #evaluate(expression: Expression, range: SourceRange): readonly Statement[] {
    if (expression.kind === "sequence") {
      return [...expression.effects, expression.result].flatMap((part) => this.#evaluate(part, range));
    }
    const before: Statement[] = [];
    const rest = this.#outermost(expression, before, range);
    return [...before, { kind: "evaluate", expression: rest, range }];
  }

  /** A condition that waits is tested in the body, where it can. */
  #loop(loop: Loop): Statement {
    const body = this.list(loop.body);
    if (loop.condition === null || loop.test === "bottom" || !this.#contains(loop.condition)) {
      return { ...loop, body };
    }
    const test: Statement[] = [];
    const condition = this.#hoist(loop.condition, test, loop.range);
    test.push({ kind: "if", condition, whenTrue: [], whenFalse: [{ kind: "break" }], range: loop.range });
    return { ...loop, condition: null, body: [...test, ...body] };
  }

  #contains(expression: Expression): boolean {
    let found = false;
    visitExpression(expression, {
      expression: (one) => {
        if (one.kind === "call" && this.#suspends(one)) found = true;
      },
    });
    return found;
  }

  /** As `#hoist`, but a call that is the whole expression stays. */
  #outermost(expression: Expression, before: Statement[], range: SourceRange): Expression {
    if (expression.kind !== "call" || !this.#suspends(expression))
      return this.#hoist(expression, before, range);
    return this.#withArguments(expression, before, range);
  }

  #withArguments(call: Call, before: Statement[], range: SourceRange): Call {
    return { ...call, arguments: call.arguments.map((one) => this.#hoist(one, before, range)) };
  }

  #hoist(expression: Expression, before: Statement[], range: SourceRange): Expression {
    if (!this.#contains(expression)) return expression;
    switch (expression.kind) {
      case "call": {
        const call = this.#withArguments(expression, before, range);
        return this.#suspends(expression) ? this.#temporary(call.type, call, before, range) : call;
      }
      case "conditional":
        return this.#choose(expression, before, range);
      case "logical": {
        const constant = {
          kind: "constant",
          type: booleanType,
          value: expression.operator === "and" ? 0 : 1,
        } as const;
        const { left: condition, right, type } = expression;
        return this.#choose(
          expression.operator === "and"
            ? { type, condition, whenTrue: right, whenFalse: constant }
            : { type, condition, whenTrue: constant, whenFalse: right },
          before,
          range,
        );
      }
      case "sequence": {
        for (const effect of expression.effects) before.push(...this.#evaluate(effect, range));
        return this.#hoist(expression.result, before, range);
      }
      default:
        return mapOperands(expression, (operand) => this.#hoist(operand, before, range));
    }
  }

  /** `condition ? whenTrue : whenFalse` as a statement, since only one side may wait. */
  #choose(
    choice: {
      readonly type: Type;
      readonly condition: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
    },
    before: Statement[],
    range: SourceRange,
  ): Expression {
    const condition = this.#hoist(choice.condition, before, range);
    const [whenTrue, whenFalse]: [Statement[], Statement[]] = [[], []];
    const left = this.#hoist(choice.whenTrue, whenTrue, range);
    const right = this.#hoist(choice.whenFalse, whenFalse, range);
    if (choice.type.kind === "void") {
      whenTrue.push({ kind: "evaluate", expression: left, range });
      whenFalse.push({ kind: "evaluate", expression: right, range });
      before.push({ kind: "if", condition, whenTrue, whenFalse, range });
      return { kind: "sequence", type: choice.type, effects: [], result: nothing };
    }
    const variable = this.#variable(choice.type);
    const place: Place = { kind: "variable", variable, offsetBytes: 0, type: choice.type };
    const assign = (value: Expression): Statement => ({
      kind: "evaluate",
      expression: { kind: "assign", type: choice.type, place, value, site: null },
      range,
    });
    whenTrue.push(assign(left));
    whenFalse.push(assign(right));
    before.push({ kind: "declare", variable, initializer: null, range });
    before.push({ kind: "if", condition, whenTrue, whenFalse, range });
    return { kind: "load", type: choice.type, place, site: null };
  }

  #temporary(type: Type, initializer: Expression, before: Statement[], range: SourceRange): Expression {
    if (type.kind === "void") {
      before.push({ kind: "evaluate", expression: initializer, range });
      return nothing;
    }
    const variable = this.#variable(type);
    before.push({ kind: "declare", variable, initializer, range });
    return {
      kind: "load",
      type,
      place: { kind: "variable", variable, offsetBytes: 0, type },
      site: null,
    };
  }

  #variable(type: Type): Variable {
    const id = this.#nextId--;
    return { id, name: `temporary ${-id}`, type, storage: "automatic", alignmentBytes: 16, range: null };
  }
}

const nothing: Expression = { kind: "constant", type: booleanType, value: 0 };

function mapOperands(expression: Expression, map: (operand: Expression) => Expression): Expression {
  switch (expression.kind) {
    case "load":
    case "address":
      return { ...expression, place: mapPlace(expression.place, map) };
    case "assign": {
      const value = map(expression.value);
      return { ...expression, value, place: mapPlace(expression.place, map) };
    }
    case "unary":
    case "convert":
    case "extract":
      return { ...expression, operand: map(expression.operand) };
    case "binary":
    case "difference":
      return { ...expression, left: map(expression.left), right: map(expression.right) };
    case "offset":
      return { ...expression, pointer: map(expression.pointer), index: map(expression.index) };
    case "intrinsic":
      return { ...expression, arguments: expression.arguments.map(map) };
    case "call-indirect":
      return { ...expression, callee: map(expression.callee), arguments: expression.arguments.map(map) };
    case "aggregate":
      return {
        ...expression,
        parts: expression.parts.map((part) => ({ ...part, value: map(part.value) })),
      };
    case "unknown":
      return { ...expression, operands: expression.operands.map(map) };
    default:
      return expression;
  }
}

function mapPlace(place: Place, map: (operand: Expression) => Expression): Place {
  return place.kind === "memory" ? { ...place, pointer: map(place.pointer) } : place;
}
