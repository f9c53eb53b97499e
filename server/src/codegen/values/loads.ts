// Runs GVN's elimination of loads on statements.
import type { AccessSite } from "../../ir/expression.ts";
import { listsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import { buildMir } from "../../mir/build.ts";
import { raise } from "../../mir/raise.ts";
import { eliminateLoads } from "../../passes/gvn/gvn.ts";
import type { Addresses } from "../addresses/address.ts";
import { aliasesOf } from "../addresses/alias.ts";
import { isAsm, isAsmSite } from "../linearise/asm-operations.ts";
import { knownValue } from "../linearise/constants.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import type { Fresh } from "../walks/fresh.ts";
import { someExpression } from "../walks/walk.ts";

export interface LoadOptions extends AccessFacts {
  readonly asmSites: ReadonlySet<AccessSite>;
  readonly fresh: Fresh;
  readonly escaped: ReadonlySet<number>;
}

/** The statements without loads of what registers hold around loops; the same list where there are none. */
export function withLoadsEliminated(body: readonly Statement[], options: LoadOptions): readonly Statement[] {
  if (!accessesTwice(body, options)) return body;
  const mir = buildMir(body, options.escaped);
  const isAnyGone = eliminateLoads(mir, {
    aliases: aliasesOf(options.addresses),
    temporary: (type, name) => options.fresh.temporary(type, name),
    passOn: (from, to) => passOn(from, to, options),
    mayNotReturn: (expression) =>
      someExpression(expression, (node) => isAsm(node) || isAsmSite(node, options.asmSites)),
    numberOf: (expression, known) => {
      const value = knownValue(expression, known);
      return typeof value === "number" ? value : null;
    },
  });
  return isAnyGone ? raise(mir) : body;
}

/** Whether a place is accessed in a loop and once more: few functions are worth building. */
function accessesTwice(body: readonly Statement[], { addresses }: LoadOptions): boolean {
  const places: Places = { inLoops: new Set(), all: new Set(), twice: new Set() };
  notePlaces(body, addresses, places, places.all);
  for (const place of places.twice) if (places.inLoops.has(place)) return true;
  return false;
}

interface Places {
  readonly inLoops: Set<string>;
  readonly all: Set<string>;
  readonly twice: Set<string>;
}

function notePlaces(
  list: readonly Statement[],
  addresses: Addresses,
  places: Places,
  around: Set<string>,
): void {
  for (const statement of list) {
    if (statement.kind === "evaluate" && statement.expression.kind === "assign") {
      const { expression } = statement;
      const address = addresses.get(expression) ?? addresses.get(expression.value);
      if (!address) continue;
      const place = `${address.termsKey}+${address.constant}`;
      if (places.all.has(place)) places.twice.add(place);
      places.all.add(place);
      around.add(place);
    }
    const inner = statement.kind === "loop" ? places.inLoops : around;
    for (const each of listsOf(statement)) notePlaces(each, addresses, places, inner);
  }
}
