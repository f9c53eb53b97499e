// Where the variables of a body are read and assigned.
import type { Expression } from "../ir/expression.ts";
import type { Statement } from "../ir/statement.ts";
import { variableKey } from "./address.ts";
import { forEachExpressionOf } from "./walk.ts";

export interface Usage {
  /** Keys of the temporaries of codegen that are assigned at one place of the text, by one scalar assignment. */
  readonly stable: ReadonlySet<number>;
  /** By variable id, the offsets at which it is read or assigned. */
  readonly offsets: ReadonlyMap<number, readonly number[]>;
}

export function usageOf(body: readonly Statement[]): Usage {
  const collector = new UsageCollector();
  forEachExpressionOf(body, (expression) => collector.visit(expression));
  return collector;
}

/** The usage of all expressions that it visits, for those who walk over a body anyway. */
export class UsageCollector implements Usage {
  readonly stable = new Set<number>();
  readonly offsets = new Map<number, number[]>();
  readonly #assigned = new Set<number>();

  visit(expression: Expression): void {
    const { kind } = expression;
    if (kind !== "assign" && kind !== "load") return;
    const { place } = expression;
    if (place.kind !== "variable") return;
    const { variable, offsetBytes } = place;
    const known = this.offsets.get(variable.id);
    if (known === undefined) this.offsets.set(variable.id, [offsetBytes]);
    else if (known[0] !== offsetBytes && !known.includes(offsetBytes)) known.push(offsetBytes);
    if (kind !== "assign" || variable.id >= 0) return;
    const key = variableKey(variable, offsetBytes);
    if (this.#assigned.has(key) || isRecordType(expression)) this.stable.delete(key);
    else this.stable.add(key);
    this.#assigned.add(key);
  }
}

export function isRecordType(expression: Expression): boolean {
  return expression.type.kind === "record" || expression.type.kind === "array";
}
