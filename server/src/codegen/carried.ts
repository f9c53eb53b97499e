// Loads of what the trip before has loaded or stored (`row[x] += row[x - 1]`, `s[k] * s[k + 1]`). nvcc keeps some of these values in
// registers from one trip to the next: which ones hangs on how LLVM and ptxas unroll the loop.
import type { Expression, Load } from "../ir/expression.ts";
import type { Loop, Statement } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import { type Extent, mayAlias } from "./alias.ts";
import { type AccessFacts, passOn } from "./facts.ts";
import { isSamePlace } from "./join-loads.ts";
import { type LinearTable, sameLinear } from "./linear.ts";
import { effectsOf } from "./loop-effects.ts";
import { nextTripOf } from "./next-trip.ts";
import { likeSite, mapLists, mapStatements, withExpression, withPlace, withStored } from "./rebuild.ts";
import { forEachExpressionOf, forEachStatement } from "./walk.ts";

const mayBeHeld = "the compiler may keep in a register what the trip before has loaded or stored";

export interface CarriedFacts extends AccessFacts {
  readonly linears: LinearTable;
}

/** The statements, in which such loads say so. */
export function noteCarried(list: readonly Statement[], facts: CarriedFacts): readonly Statement[] {
  return mapStatements(list, (statement) => {
    if (statement.kind !== "loop" || holdsLoop(statement))
      return mapLists(statement, (inner) => noteCarried(inner, facts));
    const carried = carriedLoads(statement, facts);
    return carried.size === 0 ? statement : mapLists(statement, (body) => noted(body, carried, facts));
  });
}

function holdsLoop({ body }: Loop): boolean {
  let holds = false;
  forEachStatement(body, ({ kind }) => {
    if (kind === "loop") holds = true;
  });
  return holds;
}

/** A load, a store or an atomic. */
interface Touch extends Extent {
  readonly node: Expression;
}

function carriedLoads(loop: Loop, facts: CarriedFacts): ReadonlySet<Expression> {
  const effects = effectsOf(loop, facts.addresses);
  const carried = new Set<Expression>();
  if (!effects || effects.exchanges) return carried;
  const touches = touchesOf(loop.body, facts);
  const certain = touchesOf(
    loop.body.filter(({ kind }) => kind === "evaluate"),
    facts,
  );
  for (const [index, load] of touches.entries()) {
    const next = load.node.kind === "load" ? nextTripOf(load.address, loop.range, facts.linears) : null;
    if (next === null) continue;
    const before = touches.slice(0, index);
    const source = certain.find(({ address, bytes }) => bytes === load.bytes && sameLinear(address, next));
    if (!source || before.some((one) => overwrites(one, load))) continue;
    const behind = touches.slice(touches.findIndex(({ node }) => node === source.node) + 1);
    if (!behind.some((one) => overwrites(one, source))) carried.add(load.node);
  }
  return carried;
}

/** Whether the store may change what is held of another place: of the same one it leaves a new value in the register. */
function overwrites(one: Touch, held: Extent): boolean {
  return one.node.kind !== "load" && !isSamePlace(one, held) && mayAlias(one, held);
}

function touchesOf(list: readonly Statement[], { addresses }: CarriedFacts): readonly Touch[] {
  const touches: Touch[] = [];
  forEachExpressionOf(list, (node) => {
    const address = addresses.get(node);
    if (!address) return;
    const type = node.kind === "load" || node.kind === "assign" ? node.place.type : node.type;
    touches.push({ node, address, bytes: sizeOf(type) ?? 1 });
  });
  return touches;
}

function noted(
  list: readonly Statement[],
  carried: ReadonlySet<Expression>,
  facts: CarriedFacts,
): readonly Statement[] {
  return mapStatements(list, (statement) => {
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign")
      return mapLists(statement, (inner) => noted(inner, carried, facts));
    const { expression } = statement;
    const { value } = expression;
    if (value.kind !== "load" || !carried.has(value)) return statement;
    return withExpression(statement, withStored(expression, expression.place, notedLoad(value, facts)));
  });
}

function notedLoad(load: Load, facts: CarriedFacts): Load {
  if (!load.site) return load;
  const noted = withPlace(load, load.place, likeSite(load.site, { uncertain: mayBeHeld }));
  passOn(load, noted, facts);
  return noted;
}
