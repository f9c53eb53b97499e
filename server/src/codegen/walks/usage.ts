// Where the variables of a body are read and assigned.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { variableKey } from "../addresses/address.ts";
import { forEachExpressionOf } from "./walk.ts";

/** The offsets of most variables: one list for all of them. */
const atStart: number[] = [0];

/** What is taken for the width of a type of unknown size. */
const unknownWidth = 16;

export interface Usage {
  /**
   * Keys of the temporaries of codegen that are assigned at one place of the text, by one scalar assignment, or by one on either way
   * of the branch that they are the outcome of.
   */
  readonly stable: ReadonlySet<number>;
  /** By variable id, the offsets at which it is read or assigned. */
  readonly offsets: ReadonlyMap<number, readonly number[]>;
  /** By variable key, the most bytes that are read or assigned there at once. */
  readonly widths: ReadonlyMap<number, number>;
}

export function usageOf(body: readonly Statement[]): Usage {
  const collector = new UsageCollector();
  forEachExpressionOf(body, visitUsage, collector);
  return collector;
}

function visitUsage(expression: Expression, collector: UsageCollector): void {
  collector.visit(expression);
}

/** The usage of all expressions that it visits, for those who walk over a body anyway. */
export class UsageCollector implements Usage {
  readonly stable = new Set<number>();
  readonly offsets = new Map<number, number[]>();
  readonly widths = new Map<number, number>();
  readonly #assignments = new Map<number, number>();

  visit(expression: Expression): void {
    const { kind } = expression;
    if (kind !== "assign" && kind !== "load") return;
    const { place } = expression;
    if (place.kind !== "variable") return;
    const { variable, offsetBytes } = place;
    const known = this.offsets.get(variable.id);
    if (known === undefined) this.offsets.set(variable.id, offsetBytes === 0 ? atStart : [offsetBytes]);
    else if (known[0] !== offsetBytes && !known.includes(offsetBytes)) {
      if (known === atStart) this.offsets.set(variable.id, [0, offsetBytes]);
      else known.push(offsetBytes);
    }
    const key = variableKey(variable, offsetBytes);
    const bytes = sizeOf(place.type) ?? unknownWidth;
    if (bytes > (this.widths.get(key) ?? 0)) this.widths.set(key, bytes);
    if (kind !== "assign" || variable.id >= 0) return;
    const before = this.#assignments.get(key) ?? 0;
    const isOutcome = before === 1 && variable.isOutcome === true;
    if ((before > 0 && !isOutcome) || isRecordType(expression)) this.stable.delete(key);
    else this.stable.add(key);
    this.#assignments.set(key, before + 1);
  }
}

export function isRecordType(expression: Expression): boolean {
  return expression.type.kind === "record" || expression.type.kind === "array";
}
