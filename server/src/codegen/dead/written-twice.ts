// What more than one statement writes: a write of anything else is covered by none, and need not be followed.
import type { Statement } from "../../ir/statement.ts";
import type { Addresses } from "../addresses/address.ts";
import { forEachStatement } from "../walks/walk.ts";

export interface WrittenTwice {
  /** Ids of automatic variables of which all that read them is in sight. */
  readonly variables: ReadonlySet<number>;
  /** The terms of addresses in memory. */
  readonly termsKeys: ReadonlySet<number>;
}

export function writtenTwice(
  body: readonly Statement[],
  addresses: Addresses,
  escaped: ReadonlySet<number>,
): WrittenTwice {
  const variables = new Repeated();
  const termsKeys = new Repeated();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return;
    const { place } = statement.expression;
    if (place.kind === "memory") {
      const address = addresses.get(statement.expression);
      if (address) termsKeys.note(address.termsKey);
      return;
    }
    const { id, storage } = place.variable;
    if (storage === "automatic" && !escaped.has(id)) variables.note(id);
  });
  return { variables: variables.found, termsKeys: termsKeys.found };
}

/** Finds the numbers that are noted more than once. */
class Repeated {
  readonly found = new Set<number>();
  readonly #noted = new Set<number>();

  note(value: number): void {
    if (this.#noted.has(value)) this.found.add(value);
    else this.#noted.add(value);
  }
}
