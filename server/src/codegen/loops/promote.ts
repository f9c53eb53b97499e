// Values that a loop reads and writes at one address stay in a register: `s[t] += x` in a loop loads once before it, and where nothing
// else in the loop can see the memory, stores once after it.
import type { AccessSite, Assign, Expression, Load } from "../../ir/expression.ts";
import type { Evaluate, Loop, Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { type AccessFacts, passOn } from "../walks/facts.ts";
import { assignment, type Fresh, placeOf, readOf } from "../walks/fresh.ts";
import { likeSite, mapLists, withExpression, withStored } from "../walks/rebuild.ts";
import type { Guard } from "./guards.ts";
import type { Update } from "./updates.ts";

export interface PromoteOptions extends AccessFacts {
  readonly fresh: Fresh;
}

export interface Promoted {
  /** What is done in front of the loop whether it is entered or not. */
  readonly always: readonly Statement[];
  /** What a loop that is entered does before its first trip. */
  readonly before: readonly Statement[];
  readonly loop: Loop;
  /** What it does behind its last. */
  readonly behind: readonly Statement[];
}

/** Loads that are no accesses: they say behind a loop that registers hold what lies there. */
export function registersOf(
  known: readonly Pick<Update, "extent" | "place">[],
  { range }: Loop,
  { addresses, fresh }: PromoteOptions,
): Statement[] {
  return known.map(({ extent, place }) => {
    const held: Load = { kind: "load", type: place.type, place, site: null };
    addresses.set(held, extent.address);
    return assignment(placeOf(fresh.temporary(place.type, "held")), held, range);
  });
}

/** The loop with a register in the place of each of the updates. */
export function promoteUpdates(loop: Loop, updates: readonly Update[], options: PromoteOptions): Promoted {
  const carriedAt = new Map<Expression, Carried>();
  const always: Statement[] = [];
  const before: Statement[] = [];
  const behind: Statement[] = [];
  for (const update of updates) {
    const { loads, stores, mayWait } = update;
    const [first] = loads;
    const last = stores.at(-1);
    const type = update.place.type;
    const variable = options.fresh.temporary(type, "carried");
    for (const node of [...loads, ...stores]) carriedAt.set(node, { variable, mayWait });
    if (first) {
      const site = first.site && noted(first.site, update);
      const load: Load = { kind: "load", type: first.type, place: update.place, site };
      passOn(first, load, options);
      // Where a register holds the value, it is read whatever the guards say.
      const guards = site === null ? [] : update.guards;
      const list = update.isReadBehind ? always : before;
      list.push(underAll(guards, assignment(placeOf(variable), load, loop.range), loop));
    }
    if (mayWait && last) {
      // A variable of its own, which nothing changes: loads behind the loop read it.
      const left = options.fresh.temporary(type, "left");
      behind.push(
        assignment(placeOf(left), readOf(variable), loop.range),
        underAll(update.guards, storeBehind(last, left, update, loop, options), loop),
      );
    }
  }
  const body = loop.body.flatMap((statement) => withRegisters(statement, carriedAt));
  return { always, before, loop: { ...loop, body }, behind };
}

function underAll(guards: readonly Guard[], statement: Statement, { range }: Loop): Statement {
  return guards.reduceRight<Statement>(
    (inner, { lifted }) => ({ kind: "if", condition: lifted, whenTrue: [inner], whenFalse: [], range }),
    statement,
  );
}

interface Carried {
  readonly variable: Variable;
  readonly mayWait: boolean;
}

function storeBehind(
  last: Assign,
  left: Variable,
  update: Update,
  { range }: Loop,
  options: PromoteOptions,
): Evaluate {
  const site = last.site && noted(siteOf(last.site, update), update);
  const store: Assign = {
    kind: "assign",
    type: last.type,
    place: update.place,
    value: readOf(left),
    site,
  };
  passOn(last, store, options);
  return { kind: "evaluate", expression: store, range };
}

function siteOf(site: AccessSite, { stores }: Update): AccessSite {
  const others = stores.slice(0, -1).flatMap((one) => (one.site ? [one.site.range] : []));
  return others.length === 0 ? site : likeSite(site, { merged: [...site.merged, ...others] });
}

function noted(site: AccessSite, { uncertain }: Update): AccessSite {
  return uncertain === undefined ? site : likeSite(site, { uncertain });
}

/** The statement over the registers: loads read them, stores set them (and store no more where that may wait). */
function withRegisters(
  statement: Statement,
  carriedAt: ReadonlyMap<Expression, Carried>,
): readonly Statement[] {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") {
    return [mapLists(statement, (list) => list.flatMap((one) => withRegisters(one, carriedAt)))];
  }
  const { expression, range } = statement;
  const loaded = carriedAt.get(expression.value);
  if (loaded)
    return [withExpression(statement, withStored(expression, expression.place, readOf(loaded.variable)))];
  const stored = carriedAt.get(expression);
  if (!stored) return [statement];
  const set = assignment(placeOf(stored.variable), expression.value, range);
  return stored.mayWait ? [set] : [statement, set];
}
