// Integers and flags in shared memory that a kernel sets in one place, to what its launch alone decides (`begin = 16 * blockIdx.y;`): whoever
// loads them gets that. The loads stay; what follows from them is known.
import type { Assign, Expression, Load } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { assignment, placeOf } from "../walks/fresh.ts";
import { mapLists, mapOperands } from "../walks/rebuild.ts";
import { forEachExpression, forEachExpressionOf } from "../walks/walk.ts";
import { type BlockTickets, ticketsIn, ticketVariables } from "./block-tickets.ts";

/** Of a block: the same for all of its threads. */
const blockIdentities = /^(blockIdx|blockDim|gridDim)\.[xyz]$/;
/** Nodes that a value may be made of: it is written out behind each load. */
const mostNodes = 40;

/** By the id of a temporary that a load sets, or the draw of a ticket: what it holds. `parameters` are the kernel's. */
export function settledLoads(
  body: readonly Statement[],
  parameters: ReadonlySet<number>,
): ReadonlyMap<number, Expression> {
  const { stores, loads, assigned } = accessesIn(body);
  const tickets = ticketsIn(body, assigned);
  const settled = new Map(ticketVariables(assigned, tickets));
  const resolve = resolverOf(parameters, assigned, settled, tickets);
  // A scalar may be made of those before it.
  for (const [variable, list] of stores) {
    const [store] = list;
    const value = store && list.length === 1 ? resolve(store.value) : null;
    if (value) for (const temporary of loads.get(variable) ?? []) settled.set(temporary, value);
  }
  return settled;
}

/** The statements, with what is known of a temporary behind the load that sets it. */
export function withSettledLoads(
  list: readonly Statement[],
  settled: ReadonlyMap<number, Expression>,
): readonly Statement[] {
  return list.flatMap((statement) => {
    if (statement.kind !== "evaluate")
      return [mapLists(statement, (inner) => withSettledLoads(inner, settled))];
    const { expression, range } = statement;
    if (expression.kind !== "assign" || expression.place.kind !== "variable") return [statement];
    const { variable } = expression.place;
    const value = settled.get(variable.id);
    return value ? [statement, assignment(placeOf(variable), value, range)] : [statement];
  });
}

interface Accesses {
  /** Of each integer or flag in shared memory whose address nobody takes, by its id, in the order of the text. */
  readonly stores: ReadonlyMap<number, readonly Assign[]>;
  /** The temporaries that its loads set. */
  readonly loads: ReadonlyMap<number, readonly number[]>;
  /** By variable: the value, where it is assigned once and as a whole; null where more is done to it. */
  readonly assigned: ReadonlyMap<number, Expression | null>;
}

function accessesIn(body: readonly Statement[]): Accesses {
  const stores = new Map<number, Assign[]>();
  const loads = new Map<number, number[]>();
  const assigned = new Map<number, Expression | null>();
  const named = new Map<number, number>();
  const accessed = new Map<number, number>();
  const count = (counts: Map<number, number>, id: number) => counts.set(id, (counts.get(id) ?? 0) + 1);
  forEachExpressionOf(body, (node) => {
    if (node.kind === "address" && node.place.kind === "variable") {
      const { variable } = node.place;
      if (isSharedScalar(variable)) count(named, variable.id);
      else if (variable.storage === "automatic") assigned.set(variable.id, null);
    }
    if (node.kind !== "assign" && node.kind !== "load") return;
    const scalar = scalarOf(node);
    if (scalar !== null) count(accessed, scalar);
    if (node.kind !== "assign") return;
    if (scalar !== null) stores.set(scalar, [...(stores.get(scalar) ?? []), node]);
    if (node.place.kind !== "variable") return;
    const { variable, offsetBytes } = node.place;
    const isOnce = offsetBytes === 0 && !assigned.has(variable.id);
    assigned.set(variable.id, isOnce ? node.value : null);
    const loaded = node.value.kind === "load" && isOnce ? scalarOf(node.value) : null;
    if (loaded !== null) loads.set(loaded, [...(loads.get(loaded) ?? []), variable.id]);
  });
  for (const [id, times] of named) if (accessed.get(id) !== times) stores.delete(id);
  forgetOwn(assigned);
  return { stores, loads, assigned };
}

/** What is made of its own value (`n = n / 2`) is assigned once in the text, and not one value. */
function forgetOwn(assigned: Map<number, Expression | null>): void {
  const open = new Set<number>();
  const done = new Set<number>();
  const visit = (id: number): void => {
    const value = assigned.get(id);
    if (!value || done.has(id)) return;
    open.add(id);
    forEachExpression(value, (node) => {
      if (node.kind !== "load" || node.place.kind !== "variable") return;
      if (open.has(node.place.variable.id)) assigned.set(node.place.variable.id, null);
      else visit(node.place.variable.id);
    });
    open.delete(id);
    done.add(id);
  };
  for (const id of assigned.keys()) visit(id);
}

/** The integer or flag in shared memory that is loaded or stored, by its id. */
function scalarOf({ place, site }: Load | Assign): number | null {
  if (place.kind !== "memory" || place.offsetBytes !== 0 || place.pointer.kind !== "address") return null;
  if (place.pointer.place.kind !== "variable" || place.pointer.place.offsetBytes !== 0) return null;
  const { variable } = place.pointer.place;
  const isWhole = sizeOf(place.type) === sizeOf(variable.type);
  return isWhole && isSharedScalar(variable) && site?.isVolatile !== true ? variable.id : null;
}

function isSharedScalar({ storage, type }: Variable): boolean {
  return storage === "shared" && (type.kind === "integer" || type.kind === "boolean");
}

/** Gives a value in words of what the launch decides; null where something else has a say. */
function resolverOf(
  parameters: ReadonlySet<number>,
  assigned: Accesses["assigned"],
  settled: ReadonlyMap<number, Expression>,
  tickets: BlockTickets,
): (value: Expression) => Expression | null {
  return (value) => {
    let nodes = 0;
    let isSettled = true;
    const resolved = (node: Expression): Expression => {
      nodes++;
      const ticket = tickets.get(node);
      if (ticket) return ticket;
      if (!isSettled || nodes > mostNodes) isSettled = false;
      else if (node.kind === "load") return ofLoad(node);
      else if (!isArithmetic(node)) isSettled = false;
      return isSettled ? mapOperands(node, resolved) : node;
    };
    const ofLoad = (node: Load): Expression => {
      const { place } = node;
      if (place.kind === "variable" && place.offsetBytes === 0) {
        const { id, storage } = place.variable;
        const known = settled.get(id);
        if (known) return known;
        if (parameters.has(id) && !assigned.has(id)) return node;
        const source = storage === "automatic" ? assigned.get(id) : null;
        if (source) return resolved(source);
      }
      isSettled = false;
      return node;
    };
    const result = resolved(value);
    return isSettled ? result : null;
  };
}

function isArithmetic(node: Expression): boolean {
  if (node.kind === "intrinsic")
    return blockIdentities.test(node.name) || node.name === "min" || node.name === "max";
  return ["constant", "binary", "unary", "convert", "conditional"].includes(node.kind);
}
