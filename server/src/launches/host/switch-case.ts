// Which case of a switch its selector leads to.
import type { Switch } from "../../ir/statement.ts";

/** The index of the case for `selector`, of the default where there is none, or -1. */
export function caseOf(statement: Switch, selector: number | bigint): number {
  const exact = statement.cases.findIndex((entry) =>
    entry.values.some((value) => value !== null && BigInt(value) === BigInt(selector)),
  );
  return exact !== -1 ? exact : statement.cases.findIndex((entry) => entry.values.includes(null));
}
