// Switches that are a branch of two ways to LLVM, or no branch at all.
import type { Expression } from "../../ir/expression.ts";
import type { If, Statement, Switch } from "../../ir/statement.ts";
import { booleanType } from "../../ir/type.ts";
import type { Scalar } from "../../semantics/scalar.ts";
import { lowBit } from "../addresses/linear.ts";
import { exits, leaves } from "../walks/jumps.ts";

/** What a switch does whose selector is `selected`; null where that is not plain to see. */
export function takenCase({ cases }: Switch, selected: Scalar): readonly Statement[] | null {
  const named = cases.findIndex(({ values }) =>
    values.some((value) => value !== null && isSame(value, selected)),
  );
  const entered = named >= 0 ? named : cases.findIndex(({ values }) => values.includes(null));
  if (entered < 0) return [];
  const taken: Statement[] = [];
  for (const { body } of cases.slice(entered)) {
    const way = wayOf(body);
    if (way === null) return null;
    taken.push(...way.statements);
    if (way.isLeft) return taken;
  }
  return taken;
}

/** The branch that a switch of one case is, or one of two cases that its selector is surely one of (`switch (x & 2)`); null for all others. */
export function asBranch(statement: Switch): If | null {
  const { selector, range } = statement;
  const named = statement.cases.filter(({ values }) => !values.includes(null));
  const otherwise = statement.cases.find(({ values }) => values.includes(null));
  const [first, second] = named;
  const value = first?.values[0] ?? null;
  if (!first || value === null || first.values.length !== 1 || named.length > 2) return null;
  const isOneOfTwo =
    second !== undefined && second.values.length === 1 && areAll([value, second.values[0]], selector);
  if (second !== undefined && !isOneOfTwo) return null;
  const ways = statement.cases.map(({ body }) => wayOf(body));
  // What falls through from one case into another is code of both.
  if (!ways.every((way, index) => way !== null && (way.isLeft || index === ways.length - 1))) return null;
  const bodyOf = (one: typeof first | undefined) =>
    one === undefined ? [] : (ways[statement.cases.indexOf(one)]?.statements ?? []);
  const constant: Expression = { kind: "constant", type: selector.type, value };
  return {
    kind: "if",
    condition: { kind: "binary", operator: "==", type: booleanType, left: selector, right: constant },
    whenTrue: bodyOf(first),
    whenFalse: bodyOf(second ?? otherwise),
    range,
  };
}

/** A case without the `break` at its end; null where it is left from its midst. */
function wayOf(
  body: readonly Statement[],
): { readonly statements: readonly Statement[]; readonly isLeft: boolean } | null {
  const [only] = body;
  if (body.length === 1 && only?.kind === "block") return wayOf(only.body);
  const last = body.at(-1);
  const statements = last?.kind === "break" ? body.slice(0, -1) : body;
  if (leaves(statements, exits.break)) return null;
  return {
    statements,
    isLeft: last?.kind === "break" || last?.kind === "return" || last?.kind === "continue",
  };
}

/** A way of a switch, and by which values of the selector control comes to it; null among them is every other. */
export interface SwitchWay {
  readonly values: readonly (Scalar | null)[];
  /** Without the `break` at its end. */
  readonly statements: readonly Statement[];
}

/** The ways of a switch that control surely takes one of, each of which ends where the switch does; null of all others. */
export function waysOfSwitch({ cases }: Switch): readonly SwitchWay[] | null {
  const ways: SwitchWay[] = [];
  for (const [index, { values, body }] of cases.entries()) {
    const way = wayOf(body);
    if (!way || (!endsInBreak(body) && index < cases.length - 1)) return null;
    ways.push({ values, statements: way.statements });
  }
  return ways.some(({ values }) => values.includes(null)) ? ways : null;
}

function endsInBreak(body: readonly Statement[]): boolean {
  const [only] = body;
  if (body.length === 1 && only?.kind === "block") return endsInBreak(only.body);
  return body.at(-1)?.kind === "break";
}

function isSame(a: Scalar, b: Scalar): boolean {
  return Number(a) === Number(b);
}

/** Whether the values are both that the selector may have: one bit is left of it, set or not. */
function areAll([first, second]: readonly (Scalar | null | undefined)[], selector: Expression): boolean {
  const bit = onlyBitOf(selector);
  const values = [Number(first), Number(second)].sort((a, b) => a - b);
  return bit !== null && values[0] === 0 && values[1] === bit;
}

function onlyBitOf(selector: Expression): number | null {
  if (selector.kind === "convert") return onlyBitOf(selector.operand);
  if (selector.kind !== "binary" || selector.right.kind !== "constant") return null;
  const { operator, left, right } = selector;
  const constant = Number(right.value);
  if (operator === "&") return constant > 0 && lowBit(constant) === constant ? constant : null;
  const isUnsigned = left.type.kind === "integer" && !left.type.signed;
  return operator === "%" && isUnsigned && constant === 2 ? 1 : null;
}
