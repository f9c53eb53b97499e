// Where LLVM emits the loads of a block: in a function of several blocks right before the first operation that uses them, however early the text
// loads them, so that a division between parts them for ptxas (forms/used_behind_divisions).
import type { Expression } from "../../ir/expression.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Evaluate, Statement } from "../../ir/statement.ts";
import { variableKey } from "../addresses/address.ts";
import { isSelection } from "../linearise/selections.ts";
import { forgetMadeOf, slowPathAt } from "../linearise/slow-paths.ts";
import { forEachStatement, hasLists, isPure } from "../walks/walk.ts";

/** Whether LLVM sees more than one block. */
export function hasSeveralBlocks(body: readonly Statement[]): boolean {
  let has = false;
  forEachStatement(body, (statement) => {
    if (statement.kind === "if") has ||= !isSelection(statement);
    else if (statement.kind !== "block" && hasLists(statement)) has = true;
  });
  return has;
}

/**
 * For each statement of the list that loads into a variable: how many operations with a slow path of ptxas stand in front of it where it is emitted. Past a
 * store, or what stands for one, no load moves, and one whose value is first used behind that stays where it is.
 */
export function slowPathsInFrontOf(list: readonly Statement[]): ReadonlyMap<Statement, number> {
  const walk = new EmittedLoads();
  for (const statement of list) walk.follow(statement);
  return walk.inFront;
}

interface Unused {
  readonly statement: Evaluate;
  /** How many stores stand in front of it. */
  readonly stores: number;
}

class EmittedLoads {
  readonly inFront = new Map<Statement, number>();
  #slowPaths = 0;
  #stores = 0;
  readonly #made = new Set<string>();
  /** What is loaded and was not used yet, by the key of the variable that holds it. */
  readonly #unused = new Map<number, Unused>();

  follow(statement: Statement): void {
    switch (statement.kind) {
      case "declare":
        return;
      case "evaluate":
        this.#evaluate(statement);
        return;
      case "if":
        this.#visit(statement.condition);
        if (isSelection(statement))
          for (const inner of [...statement.whenTrue, ...statement.whenFalse]) this.follow(inner);
        else this.#stores++;
        return;
      default:
        this.#stores++;
    }
  }

  #evaluate(statement: Evaluate): void {
    const { expression } = statement;
    if (expression.kind !== "assign" || expression.place.kind !== "variable") {
      this.#visit(expression);
      this.#stores++;
      return;
    }
    const { place, value } = expression;
    const key = variableKey(place.variable, place.offsetBytes);
    if (value.kind === "load" && value.place.kind === "variable") {
      const copied = this.#unused.get(variableKey(value.place.variable, value.place.offsetBytes));
      if (copied) this.#unused.set(key, copied);
      return;
    }
    this.#visit(value);
    forgetMadeOf(place.variable.id, this.#made);
    this.#unused.delete(key);
    if (value.kind !== "load") {
      if (!isPure(value)) this.#stores++;
      return;
    }
    this.inFront.set(statement, this.#slowPaths);
    this.#unused.set(key, { statement, stores: this.#stores });
  }

  /** An operation uses its operands, and then takes its slow path. */
  #visit(node: Expression): void {
    const operands = operandsOf(node);
    for (const operand of operands)
      if (operand.kind !== "load" || operand.place.kind !== "variable") this.#visit(operand);
    for (const operand of operands)
      if (operand.kind === "load" && operand.place.kind === "variable")
        this.#use(variableKey(operand.place.variable, operand.place.offsetBytes));
    if (slowPathAt(node, this.#made, "load") === "ptxas") this.#slowPaths++;
  }

  #use(key: number): void {
    const unused = this.#unused.get(key);
    if (!unused) return;
    this.#unused.delete(key);
    if (unused.stores === this.#stores) this.inFront.set(unused.statement, this.#slowPaths);
  }
}
