// Loads that ptxas makes ahead of a branch, as one vector with a load in front of it: of two words that are all of a vector, as in a search for the largest of
// records of a value and its index (test/codegen/loaded-ahead.test.ts). Of more words, `a = s[4 * t]; if (a > x) return; b = s[4 * t + 1]; …`, and of trips of an
// unrolled loop that may end before the last, it does not always (fixtures/forms/left_trips.cu), so that such loads are conditional.
import type { Intrinsic, Load, MemoryPlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { isPieceType } from "../../ir/pieces.ts";
import type { Statement } from "../../ir/statement.ts";
import { pointerTo, sameType, sizeOf } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { type SharedScalars, scalarOffsetOf } from "../addresses/shared-layout.ts";
import { mergedType } from "../linearise/layout.ts";
import { takesSlowPath } from "../linearise/slow-paths.ts";
import { assignment, type Fresh, placeOf, readOf } from "../walks/fresh.ts";
import { likeSite, mapLists, withExpression, withPlace, withStored } from "../walks/rebuild.ts";
import {
  hasLists,
  isOpaque,
  partsOf,
  rootVariableOf,
  someExpressionOf,
  someStatement,
} from "../walks/walk.ts";

/** The statements with such pairs as one load, and a doubt at other such loads. */
export function withLoadsAhead(list: readonly Statement[], options: AheadOptions): readonly Statement[] {
  const noting: Noting = {
    ...options,
    ahead: new Set(),
    pairs: new Map(),
    counts: new Map(),
    merged: new Map(),
    stretch: 0,
  };
  visit(list, new Map(), noting);
  for (const words of noting.pairs.values()) if (areAlone(words, noting)) mergeWords(words, noting);
  return noting.ahead.size + noting.merged.size === 0 ? list : noted(list, noting);
}

export interface AheadOptions {
  readonly addresses: Addresses;
  /** Where the scalars in shared memory lie, which are neighbours as elements of an array are. */
  readonly sharedScalars: SharedScalars;
  readonly fresh: Fresh;
}

interface Noting extends AheadOptions {
  readonly ahead: Set<Load>;
  /** By the first word of a vector of two, all the loads of it to which the first one leads. */
  readonly pairs: Map<Loaded, readonly Loaded[]>;
  /** By stretch and window, the loads of its words. */
  readonly counts: Map<string, number>;
  /** What takes the place of a load, and what stands in front of it. */
  readonly merged: Map<Load, Replacement>;
  /** The number of what no load moves past, so far. */
  stretch: number;
}

interface Replacement {
  readonly inFront: readonly Statement[];
  readonly value: Load;
}

/** A word in shared memory that is loaded wherever control has come so far. */
interface Loaded {
  readonly node: Load & { readonly place: MemoryPlace };
  readonly address: Address;
  readonly bytes: number;
  /** Not a vector that was loaded as such or made before. */
  readonly isWord: boolean;
  readonly range: SourceRange;
  readonly stretch: number;
  /** The number of branches that stand before it, around it or not. */
  readonly branches: number;
}

/** By their window, the words that are loaded on every way to a statement. */
type Path = Map<string, readonly Loaded[]>;

/** `path`: what is loaded on every way to the list, and, when it is done, on every way through it. */
function visit(list: readonly Statement[], path: Path, noting: Noting, around = 0): void {
  let branches = around;
  for (const statement of list) {
    const load = loadIn(statement, branches, noting);
    if (load?.isWord) noteWindows(load, path, noting);
    else if (statement.kind === "block") visit(statement.body, path, noting, branches);
    else {
      if (load) noteVector(load, path, noting);
      const isBranch = statement.kind === "if" || statement.kind === "switch";
      if (isBranch) branches++;
      if (statement.kind === "loop") noting.stretch++;
      for (const way of partsOf(statement).lists) visit(way, new Map(isBranch ? path : []), noting, branches);
      if (path.size > 0 && (statement.kind === "loop" || partsLoads(statement, noting.addresses))) {
        path.clear();
        noting.stretch++;
      }
    }
  }
}

/** Adds the load, and notes those of a vector that it makes whole but for a word of four, which costs nothing, if a branch stands between. */
function noteWindows(load: Loaded, path: Path, noting: Noting): void {
  const { sharedScalars, ahead, pairs } = noting;
  const { bytes, branches } = load;
  for (const width of [8, 16]) {
    const key = bytes < width ? windowOf(load, width, sharedScalars) : null;
    if (key === null) continue;
    const members = [...(path.get(key) ?? []), load];
    path.set(key, members);
    countLoad(load, width, noting);
    const places = new Set(members.map((one) => placeIn(one, sharedScalars)));
    const isFilled = places.size * bytes >= 0.75 * width;
    if (isFilled && members.some((one) => one.branches !== branches))
      for (const { node } of members) ahead.add(node);
    const [first] = members;
    if (first && width === 2 * bytes) pairs.set(first, [...(pairs.get(first) ?? []), load]);
  }
}

/** Notes a word and the rest of its vector, which became one load behind a branch: ptxas loads all of it in front (twelve kernels in SASS). */
function noteVector(load: Loaded, path: Path, noting: Noting): void {
  countLoad(load, 16, noting);
  const key = windowOf(load, 16, noting.sharedScalars);
  const before = key === null ? [] : (path.get(key) ?? []);
  if (before.some(({ branches }) => branches !== load.branches))
    for (const { node } of [...before, load]) noting.ahead.add(node);
}

function countLoad(load: Loaded, width: number, { counts, sharedScalars }: Noting): void {
  const key = windowOf(load, width, sharedScalars);
  if (key === null) return;
  const counted = `${load.stretch} ${key}`;
  counts.set(counted, (counts.get(counted) ?? 0) + 1);
}

/** Whether they are both words of a vector, with branches between, and nothing else in their stretch loads of it, or of a wider one. */
function areAlone(words: readonly Loaded[], { sharedScalars, counts }: Noting): boolean {
  const [first] = words;
  if (!first || scalarOffsetOf(first.node.place, sharedScalars) !== null) return false;
  if (new Set(words.map(({ address }) => address.constant)).size !== 2) return false;
  if (words.every(({ branches }) => branches === first.branches)) return false;
  if (!words.every((one) => one.bytes === first.bytes && areAlikeAt(one, words))) return false;
  if (words.some(({ node }) => node.site?.uncertain !== undefined)) return false;
  return [8, 16].every((width) => {
    const key = first.bytes < width ? windowOf(first, width, sharedScalars) : null;
    return key === null || counts.get(`${first.stretch} ${key}`) === words.length;
  });
}

function areAlikeAt({ address, node }: Loaded, words: readonly Loaded[]): boolean {
  return words.every(
    (one) => one.address.constant !== address.constant || sameType(one.node.type, node.type),
  );
}

function mergeWords(words: readonly Loaded[], { addresses, fresh, ahead, merged }: Noting): void {
  const [first] = words;
  const own = first?.node.site;
  if (!first || !own) return;
  const { node, address, bytes, range } = first;
  const start = Math.min(...words.map((one) => one.address.constant));
  const types = new Map(words.map((one) => [one.address.constant - start, one.node.type]));
  const pieces = [...types].flatMap(([offsetBytes, type]) =>
    isPieceType(type) ? [{ offsetBytes, type }] : [],
  );
  const type = mergedType(2 * bytes, pieces);
  const temporary = fresh.temporary(type, "merged");
  const others = words.flatMap(({ node: { site } }) => (site && site !== own ? [site] : []));
  const lines = others.flatMap((site) => [site.range, ...site.merged]);
  const site = likeSite(own, { merged: [...own.merged, ...lines] });
  const place: MemoryPlace = {
    kind: "memory",
    pointer: { kind: "convert", type: pointerTo(type), operand: node.place.pointer },
    offsetBytes: node.place.offsetBytes + start - address.constant,
    type,
  };
  const loaded: Load = { kind: "load", type, place, site };
  addresses.set(loaded, { ...address, constant: start, modulus: 2 * bytes, residue: 0 });
  for (const one of words) {
    ahead.delete(one.node);
    merged.set(one.node, {
      inFront: one === first ? [assignment(placeOf(temporary), loaded, range)] : [],
      value: readOf(temporary, one.address.constant - start, one.node.type),
    });
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

function loadIn(statement: Statement, branches: number, { addresses, stretch }: Noting): Loaded | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const node = statement.expression.value;
  const address = node.kind === "load" ? addresses.get(node) : undefined;
  const bytes = sizeOf(node.type);
  if (node.kind !== "load" || address?.space !== "shared" || !isInMemory(node)) return null;
  const isPlain = node.site !== null && !node.site.isVolatile;
  if (!isPlain || bytes === null || bytes < 4) return null;
  const isWord = isPieceType(node.type);
  return { node, address, bytes, isWord, range: statement.range, stretch, branches };
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
    if (node.kind === "intrinsic") return node.site !== null && !isGlobalAtomic(node);
    return node.kind === "assign" && node.place.kind === "memory" && addresses.get(node)?.space !== "global";
  });
}

function isGlobalAtomic({ name, arguments: [pointer] }: Intrinsic): boolean {
  if (intrinsicEffect(name) !== "atomic" || !pointer) return false;
  const storage = rootVariableOf(pointer)?.storage;
  return storage !== undefined && storage !== "shared" && storage !== "dynamic-shared";
}

function hasSlowPath(statement: Statement): boolean {
  return statement.kind === "evaluate" && takesSlowPath(statement.expression);
}

function noted(list: readonly Statement[], noting: Noting): readonly Statement[] {
  return list.flatMap((statement) => {
    if (hasLists(statement)) return mapLists(statement, (one) => noted(one, noting));
    if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return statement;
    const { place, value } = statement.expression;
    if (value.kind !== "load") return statement;
    const replaced = noting.merged.get(value);
    if (replaced)
      return [
        ...replaced.inFront,
        withExpression(statement, withStored(statement.expression, place, replaced.value)),
      ];
    if (!noting.ahead.has(value) || !value.site) return statement;
    const load = withPlace(value, value.place, likeSite(value.site, { uncertain: "loads-vectors" }));
    const address = noting.addresses.get(value);
    if (address) noting.addresses.set(load, address);
    return withExpression(statement, withStored(statement.expression, place, load));
  });
}
