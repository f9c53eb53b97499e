// Loads that ptxas may make ahead of a branch, as one vector with a load in front of it: `a = s[4 * t]; if (a > x) return; b = s[4 * t + 1]; …`, and the trips
// of an unrolled loop that may end before the last. It does not always (fixtures/forms/left_trips.cu), so that such loads are conditional.
import type { Load, MemoryPlace } from "../../ir/expression.ts";
import { isPieceType } from "../../ir/pieces.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { type SharedScalars, scalarOffsetOf } from "../addresses/shared-layout.ts";
import { takesSlowPath } from "../linearise/slow-paths.ts";
import {
  likeSite,
  mapLists,
  mapStatements,
  withExpression,
  withPlace,
  withStored,
} from "../walks/rebuild.ts";
import { hasLists, isOpaque, partsOf, someExpressionOf, someStatement } from "../walks/walk.ts";

/** The statements with a doubt at such loads. */
export function withLoadsAheadNoted(
  list: readonly Statement[],
  addresses: Addresses,
  sharedScalars: SharedScalars,
): readonly Statement[] {
  const noting = { addresses, sharedScalars, ahead: new Set<Load>() };
  visit(list, new Map(), noting);
  return noting.ahead.size === 0 ? list : noted(list, noting);
}

interface Noting {
  readonly addresses: Addresses;
  /** Where the scalars in shared memory lie, which are neighbours as elements of an array are. */
  readonly sharedScalars: SharedScalars;
  readonly ahead: Set<Load>;
}

/** A word in shared memory that is loaded wherever control has come so far. */
interface Loaded {
  readonly node: Load & { readonly place: MemoryPlace };
  readonly address: Address;
  readonly bytes: number;
  /** The number of branches that stand before it, around it or not. */
  readonly branches: number;
}

/** By their window, the words that are loaded on every way to a statement. */
type Path = Map<string, readonly Loaded[]>;

/** `path`: what is loaded on every way to the list, and, when it is done, on every way through it. */
function visit(list: readonly Statement[], path: Path, noting: Noting, around = 0): void {
  let branches = around;
  for (const statement of list) {
    const load = loadIn(statement, branches, noting.addresses);
    if (load) noteWindows(load, path, noting);
    else if (statement.kind === "block") visit(statement.body, path, noting, branches);
    else {
      const isBranch = statement.kind === "if";
      if (isBranch) branches++;
      for (const way of partsOf(statement).lists) visit(way, new Map(isBranch ? path : []), noting, branches);
      if (path.size > 0 && (statement.kind === "loop" || partsLoads(statement, noting.addresses)))
        path.clear();
    }
  }
}

/** Adds the load, and notes those of a vector that it makes whole but for a word of four, which costs nothing, if a branch stands between. */
function noteWindows(load: Loaded, path: Path, { sharedScalars, ahead }: Noting): void {
  const { bytes, branches } = load;
  for (const width of [8, 16]) {
    const key = bytes < width ? windowOf(load, width, sharedScalars) : null;
    if (key === null) continue;
    const members = [...(path.get(key) ?? []), load];
    path.set(key, members);
    const places = new Set(members.map((one) => placeIn(one, sharedScalars)));
    const isFilled = places.size * bytes >= 0.75 * width;
    if (isFilled && members.some((one) => one.branches !== branches))
      for (const { node } of members) ahead.add(node);
  }
}

/** The aligned window of so many bytes that the load lies in; null where nothing proves that it is one. */
function windowOf(load: Loaded, width: number, sharedScalars: SharedScalars): string | null {
  const { address, bytes, node } = load;
  const offset = scalarOffsetOf(node.place, sharedScalars);
  if (offset !== null) return `scalars of ${bytes} ${width} ${Math.floor(offset / width)}`;
  if (address.modulus < width) return null;
  return `${address.termsKey} ${width} ${address.constant - (address.residue % width)}`;
}

function placeIn({ address, node }: Loaded, sharedScalars: SharedScalars): number {
  return scalarOffsetOf(node.place, sharedScalars) ?? address.constant;
}

function loadIn(statement: Statement, branches: number, addresses: Addresses): Loaded | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const node = statement.expression.value;
  const address = node.kind === "load" ? addresses.get(node) : undefined;
  const bytes = sizeOf(node.type);
  if (node.kind !== "load" || address?.space !== "shared" || !isPieceType(node.type)) return null;
  if (!isInMemory(node)) return null;
  const isPlain = node.site !== null && !node.site.isVolatile;
  return isPlain && bytes !== null && bytes >= 4 ? { node, address, bytes, branches } : null;
}

function isInMemory(node: Load): node is Loaded["node"] {
  return node.place.kind === "memory";
}

/** Whether no load of shared memory moves past it. */
function partsLoads(statement: Statement, addresses: Addresses): boolean {
  if (statement.kind === "barrier" || statement.kind === "unknown") return true;
  if (someStatement([statement], hasSlowPath)) return true;
  return someExpressionOf([statement], (node) => {
    if (isOpaque(node)) return true;
    if (node.kind === "intrinsic") return node.site !== null;
    return node.kind === "assign" && node.place.kind === "memory" && addresses.get(node)?.space !== "global";
  });
}

function hasSlowPath(statement: Statement): boolean {
  return statement.kind === "evaluate" && takesSlowPath(statement.expression);
}

function noted(list: readonly Statement[], noting: Noting): readonly Statement[] {
  return mapStatements(list, (statement) => {
    if (hasLists(statement)) return mapLists(statement, (one) => noted(one, noting));
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return statement;
    const { value } = statement.expression;
    if (value.kind !== "load" || !noting.ahead.has(value) || !value.site) return statement;
    const load = withPlace(value, value.place, likeSite(value.site, { uncertain: "loads-vectors" }));
    const address = noting.addresses.get(value);
    if (address) noting.addresses.set(load, address);
    return withExpression(statement, withStored(statement.expression, statement.expression.place, load));
  });
}
