// Runs GVN's elimination of loads on statements.
import type { AccessSite, Load } from "../../ir/expression.ts";
import { listsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import { buildMir } from "../../mir/build.ts";
import { raise } from "../../mir/raise.ts";
import { eliminateAroundLoops, eliminateBehindBranches } from "../../passes/gvn/gvn.ts";
import type { Addresses } from "../addresses/address.ts";
import { aliasesOf } from "../addresses/alias.ts";
import { isAsm, isAsmSite } from "../linearise/asm-operations.ts";
import { knownValue } from "../linearise/constants.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import type { Fresh } from "../walks/fresh.ts";
import { likeSite, withPlace } from "../walks/rebuild.ts";
import { someExpression } from "../walks/walk.ts";

export interface LoadOptions extends AccessFacts {
  readonly asmSites: ReadonlySet<AccessSite>;
  readonly fresh: Fresh;
  readonly escaped: ReadonlySet<number>;
}

/** The statements without loads behind branches of what an arm leaves in a register; the same list where there are none. */
export function withoutPartlyRedundant(
  body: readonly Statement[],
  options: LoadOptions,
): readonly Statement[] {
  return placesIn(body, options).isBehindBranch ? eliminated(body, eliminateBehindBranches, options) : body;
}

/** The statements without loads of what registers hold around loops; the same list where there are none. */
export function withLoadsEliminated(body: readonly Statement[], options: LoadOptions): readonly Statement[] {
  return placesIn(body, options).isTwiceInLoop ? eliminated(body, eliminateAroundLoops, options) : body;
}

function eliminated(
  body: readonly Statement[],
  eliminate: typeof eliminateAroundLoops,
  options: LoadOptions,
): readonly Statement[] {
  const mir = buildMir(body, options.escaped);
  const isAnyGone = eliminate(mir, {
    aliases: aliasesOf(options.addresses),
    temporary: (type, name) => options.fresh.temporary(type, name),
    passOn: (from, to) => passOn(from, to, options),
    doubted: (load) => doubted(load, options),
    isPart: (load) => options.groups.has(load),
    mayNotReturn: (expression) =>
      someExpression(expression, (node) => isAsm(node) || isAsmSite(node, options.asmSites)),
    numberOf: (expression, known) => {
      const value = knownValue(expression, known);
      return typeof value === "number" ? value : null;
    },
  });
  return isAnyGone ? raise(mir) : body;
}

function doubted(load: Load, options: LoadOptions): Load {
  if (!load.site) return load;
  const noted = withPlace(load, load.place, likeSite(load.site, { uncertain: "keeps-in-register" }));
  passOn(load, noted, options);
  return noted;
}

/** What is accessed twice: few functions are worth building. */
function placesIn(body: readonly Statement[], { addresses }: LoadOptions): Places {
  const places: Places = {
    branchesBefore: new Map(),
    inLoops: new Set(),
    branches: 0,
    isBehindBranch: false,
    isTwiceInLoop: false,
  };
  notePlaces(body, addresses, places, "once");
  return places;
}

interface Places {
  /** By place, how many branches end in front of what accesses it first. */
  readonly branchesBefore: Map<string, number>;
  readonly inLoops: Set<string>;
  /** How many ended so far. */
  branches: number;
  /** Whether a place is accessed once more behind a branch: in front of that, or in its arms, it may be in a register. */
  isBehindBranch: boolean;
  /** Whether one is accessed in a loop and once more. */
  isTwiceInLoop: boolean;
}

function notePlaces(
  list: readonly Statement[],
  addresses: Addresses,
  places: Places,
  executed: "once" | "in-loop",
): void {
  for (const statement of list) {
    if (statement.kind === "evaluate" && statement.expression.kind === "assign") {
      const { expression } = statement;
      const address = addresses.get(expression) ?? addresses.get(expression.value);
      if (!address) continue;
      const place = `${address.termsKey}+${address.constant}`;
      const before = places.branchesBefore.get(place);
      if (executed === "in-loop") places.inLoops.add(place);
      if (before === undefined) places.branchesBefore.set(place, places.branches);
      else if (places.inLoops.has(place)) places.isTwiceInLoop = true;
      if (before !== undefined && before < places.branches) places.isBehindBranch = true;
    }
    for (const each of listsOf(statement))
      notePlaces(each, addresses, places, statement.kind === "loop" ? "in-loop" : executed);
    if (statement.kind === "if" || statement.kind === "switch") places.branches++;
  }
}
