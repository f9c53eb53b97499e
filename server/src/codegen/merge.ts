// Third pass: neighbouring accesses of straight-line code become one vector access, where their alignment is proven.
import type { AccessSite, Assign, Expression, Load, MemoryPlace } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { Evaluate, Statement } from "../ir/statement.ts";
import { pointerTo, sizeOf } from "../ir/type.ts";
import { type Address, modulo } from "./address.ts";
import { type Extent, mayAlias } from "./alias.ts";
import type { Addresses } from "./forward.ts";
import { assignment, type Fresh, placeOf, readOf } from "./fresh.ts";
import { isPieceType, mergedType, type Piece } from "./layout.ts";
import type { RecordGroups } from "./linearise.ts";
import { forEachExpression, forEachExpressionOf, partsOf, rootVariableOf } from "./walk.ts";

export interface MergeOptions {
  readonly addresses: Addresses;
  readonly groups: RecordGroups;
  readonly fresh: Fresh;
  /** `record`: pieces of one record access only, which were one access in the text. `all`: neighbours too. */
  readonly scope: "record" | "all";
}

/** The statements with neighbouring accesses merged, in every list. */
export function mergeNeighbours(list: readonly Statement[], options: MergeOptions): readonly Statement[] {
  const inner = list.map((statement) => withInnerLists(statement, (one) => mergeNeighbours(one, options)));
  return mergeStores(mergeLoads(inner, options), options);
}

function withInnerLists(
  statement: Statement,
  map: (list: readonly Statement[]) => readonly Statement[],
): Statement {
  switch (statement.kind) {
    case "if":
      return { ...statement, whenTrue: map(statement.whenTrue), whenFalse: map(statement.whenFalse) };
    case "block":
    case "loop":
      return { ...statement, body: map(statement.body) };
    case "switch":
      return { ...statement, cases: statement.cases.map((one) => ({ ...one, body: map(one.body) })) };
    default:
      return statement;
  }
}

interface Access {
  readonly index: number;
  readonly statement: Evaluate;
  readonly node: Load | Assign;
  readonly place: MemoryPlace;
  readonly site: AccessSite;
  readonly address: Address;
  readonly bytes: number;
  readonly group: object | null;
  /** Of a vector that the text asks for: it proves alignment for its neighbours, and stays as it is. */
  readonly isWhole: boolean;
}

/** Accesses that may be merged with one another: same terms, nothing between that could part them. */
interface Chain {
  readonly kind: "load" | "store";
  readonly accesses: Access[];
  /** Of a chain of loads: the stores since the first of them, which later loads would move over. */
  readonly passed: Access[];
}

const maximumOpenChains = 64;

function mergeLoads(list: readonly Statement[], options: MergeOptions): readonly Statement[] {
  const chains = chainsOf(list, "load", options);
  const edits = new Edits(list);
  for (const chain of chains) {
    const order =
      options.scope === "all" && chain.accesses.length > 1 ? firstUses(list, chain.accesses) : null;
    const windows = loadWindows(chain.accesses, options.scope);
    for (const window of windows) replaceLoads(window, order, edits, options);
    if (order) chargeLoners(chain.accesses, windows, order, edits, options);
  }
  return edits.apply();
}

function mergeStores(list: readonly Statement[], options: MergeOptions): readonly Statement[] {
  const chains = chainsOf(list, "store", options);
  const edits = new Edits(list);
  for (const chain of chains)
    for (const run of storeRuns(chain.accesses, options.scope)) replaceStores(run, edits, options);
  return edits.apply();
}

function chainsOf(
  list: readonly Statement[],
  kind: "load" | "store",
  options: MergeOptions,
): readonly Chain[] {
  const chains = new Map<string, Chain>();
  const finished: Chain[] = [];
  const closeIf = (mustClose: (chain: Chain) => boolean) => {
    for (const [key, chain] of chains) {
      if (!mustClose(chain)) continue;
      chains.delete(key);
      if (chain.accesses.length > 1) finished.push(chain);
    }
  };
  list.forEach((statement, index) => {
    const access = accessOf(statement, index, options);
    if (!access) {
      closeBefore(statement, kind, closeIf, options);
      return;
    }
    const isOfKind = (access.node.kind === "load") === (kind === "load");
    closeIf((chain) => (isOfKind && kind === "load" ? false : parts(chain, access)));
    if (!isOfKind || access.site.isVolatile) return;
    const key = chainKey(access, options);
    const chain = chains.get(key);
    if (chain?.passed.some((store) => mayAlias(extentOf(store), extentOf(access))))
      closeIf((one) => one === chain);
    const open = chains.get(key);
    if (open) open.accesses.push(access);
    else if (key !== "" && chains.size < maximumOpenChains)
      chains.set(key, { kind, accesses: [access], passed: [] });
  });
  closeIf(() => true);
  return finished;
}

const groupNumbers = new WeakMap<object, number>();
let nextGroup = 0;

function chainKey(access: Access, options: MergeOptions): string {
  if (options.scope === "all") return `${access.address.space}|${access.address.termsKey}`;
  if (!access.group) return "";
  let number = groupNumbers.get(access.group);
  if (number === undefined) {
    number = nextGroup++;
    groupNumbers.set(access.group, number);
  }
  return `${number}|${access.address.termsKey}`;
}

/**
 * Whether an access that is no member of the chain, or a store of the chain itself, forbids that the chain goes on past it. In shared
 * memory ptxas looks at nothing: any other access does (cases shared_straight/acrossSharedStoreOther, more/acrossDisjointStore).
 */
function parts(chain: Chain, access: Access): boolean {
  const first = chain.accesses[0];
  if (!first || access.site.isVolatile) return true;
  const isMember = first.address.termsKey === access.address.termsKey && first.node.kind === access.node.kind;
  if (access.address.space === "shared" && first.address.space === "shared" && !isMember) return true;
  if (chain.kind === "load") {
    chain.passed.push(access);
    return chain.passed.length > maximumOpenChains;
  }
  return !isMember && chain.accesses.some((member) => mayAlias(extentOf(member), extentOf(access)));
}

function extentOf(access: Access): Extent {
  return { address: access.address, bytes: access.bytes };
}

function closeBefore(
  statement: Statement,
  kind: "load" | "store",
  closeIf: (mustClose: (chain: Chain) => boolean) => void,
  options: MergeOptions,
): void {
  switch (statement.kind) {
    case "declare":
      return;
    case "evaluate":
      closeAcross(statement.expression, closeIf);
      return;
    case "if":
      if (!isPredicated(statement, kind, options)) closeIf(() => true);
      return;
    default:
      closeIf(() => true);
  }
}

/** An atomic parts the chains of its own memory alone (cases more/atomicsBetween, shared_straight/acrossAtomic). */
function closeAcross(expression: Expression, closeIf: (mustClose: (chain: Chain) => boolean) => void): void {
  if (touchesMemory(expression)) {
    closeIf(() => true);
    return;
  }
  const spaces = new Set<string>();
  forEachExpression(expression, (node) => {
    if (node.kind !== "intrinsic" || intrinsicEffect(node.name) !== "atomic") return;
    const pointer = node.arguments[0];
    const storage = pointer && rootVariableOf(pointer)?.storage;
    spaces.add(storage === "shared" || storage === "dynamic-shared" ? "shared" : "global");
  });
  if (spaces.size > 0) closeIf((chain) => spaces.has(chain.accesses[0]?.address.space ?? "global"));
}

/** A branch that ptxas turns into predicated instructions: a store or some arithmetic, no more (case shared_straight/acrossIf). */
function isPredicated(statement: Statement, kind: "load" | "store", options: MergeOptions): boolean {
  if (statement.kind !== "if" || kind === "store" || statement.whenFalse.length > 0) return false;
  if (
    statement.whenTrue.length > 2 ||
    partsOf(statement).lists.some((list) => list.some((one) => one.kind !== "evaluate"))
  )
    return false;
  return statement.whenTrue.every((one, index) => {
    if (one.kind !== "evaluate") return false;
    const access = accessOf(one, index, options);
    if (access) return access.node.kind === "assign" && access.address.space === "global";
    return !touchesMemory(one.expression);
  });
}

function touchesMemory(expression: Expression): boolean {
  let touches = false;
  forEachExpression(expression, (node) => {
    if (node.kind === "call" || node.kind === "call-indirect" || node.kind === "unknown") touches = true;
    if (node.kind === "assign" && node.place.kind === "memory") touches = true;
    if (node.kind === "load" && node.place.kind === "memory") touches = true;
    if (node.kind !== "intrinsic") return;
    const effect = intrinsicEffect(node.name);
    if (effect === "store" || effect === "async-copy" || effect === "matrix-store" || effect === null)
      touches = true;
  });
  return touches;
}

function accessOf(statement: Statement, index: number, options: MergeOptions): Access | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const assign = statement.expression;
  const node = assign.place.kind === "memory" ? assign : assign.value;
  if (node.kind !== "load" && node.kind !== "assign") return null;
  const address = options.addresses.get(node);
  if (!address || node.place.kind !== "memory" || !node.site) return null;
  const isWhole = !isPieceType(node.place.type);
  const bytes = sizeOf(node.place.type) ?? 0;
  const group = options.groups.get(node) ?? null;
  return { index, statement, node, place: node.place, site: node.site, address, bytes, group, isWhole };
}

// Loads

/**
 * The loads that become one: an aligned window of 16, 8 or 4 bytes of which at least three quarters are loaded (the hole of a load
 * costs nothing: three of four words are one 128-bit load), never a window of a single load.
 */
function loadWindows(accesses: readonly Access[], scope: MergeOptions["scope"]): Access[][] {
  const evidence = alignmentOfChain(accesses);
  let left = scalarsOf(accesses);
  const windows: Access[][] = [];
  for (const width of [16, 8, 4, 2]) {
    if (width > evidence.modulus || (width === 2 && evidence.modulus > 2)) continue;
    const byWindow = groupedBy(left, (one) => Math.floor((one.address.constant - evidence.origin) / width));
    for (const [, members] of byWindow) {
      if (!fillsWindow(members, width, evidence.origin, scope)) continue;
      windows.push(members);
      const taken = new Set(members);
      left = left.filter((one) => !taken.has(one));
    }
  }
  return windows;
}

/** Those that can be merged, in the order of their addresses. */
function scalarsOf(accesses: readonly Access[]): Access[] {
  return accesses
    .filter((access) => !access.isWhole)
    .sort((a, b) => a.address.constant - b.address.constant || a.index - b.index);
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function fillsWindow(
  members: readonly Access[],
  width: number,
  origin: number,
  scope: MergeOptions["scope"],
): boolean {
  const first = members[0];
  if (!first || members.length < 2 || overlap(members, width, origin) || !mayPack(members, width))
    return false;
  const words = new Set<number>();
  for (const { address, bytes } of members)
    for (let at = 0; at < bytes; at += 4) words.add(Math.floor((address.constant + at - origin) / 4));
  if (width <= 4) return true;
  const isAtStart = modulo(first.address.constant - origin, width) === 0;
  // LLVM fills the hole of scalar loads in global memory behind the first of them only (case more/membersYZW).
  const mayHaveHole = scope === "record" || first.address.space === "shared" || isAtStart;
  return words.size * 4 >= (mayHaveHole ? width * 0.75 : width);
}

/** Whether two of the members overlap, or one reaches beyond the window. */
function overlap(members: readonly Access[], width: number, origin: number): boolean {
  let end = Number.NEGATIVE_INFINITY;
  for (const { address, bytes } of members) {
    if (modulo(address.constant - origin, width) + bytes > width || address.constant < end) return true;
    end = address.constant + bytes;
  }
  return false;
}

/** Bytes and 16-bit values of separate accesses: ptxas makes pairs of 16-bit integers one word, and leaves the rest (case narrow). */
function mayPack(members: readonly Access[], width: number): boolean {
  const narrowest = Math.min(...members.map((member) => member.bytes));
  if (narrowest >= 4) return true;
  const first = members[0];
  const isOneRecord = first?.group !== null && members.every((member) => member.group === first?.group);
  if (isOneRecord || members.every(isMemberOfVector)) return true;
  return narrowest === 2 && width === 4 && first?.address.space === "shared" && members.every(isShort);
}

function isMemberOfVector(access: Access): boolean {
  const { pointer } = access.place;
  return pointer.type.kind === "pointer" && pointer.type.target.kind === "record";
}

function isShort(access: Access): boolean {
  return access.place.type.kind === "integer";
}

interface ChainAlignment {
  /** The window that begins at byte constant `origin` is aligned to `modulus`. */
  readonly modulus: number;
  readonly origin: number;
}

/** What any access of the chain proves of the address holds for all: they differ by constants. */
function alignmentOfChain(accesses: readonly Access[]): ChainAlignment {
  let best: ChainAlignment = { modulus: 1, origin: 0 };
  for (const { address } of accesses)
    if (address.modulus > best.modulus)
      best = { modulus: address.modulus, origin: address.constant - address.residue };
  return best;
}

function replaceLoads(
  window: readonly Access[],
  order: ReadonlyMap<Access, number> | null,
  edits: Edits,
  options: MergeOptions,
): void {
  const inProgram = [...window].sort((a, b) => a.index - b.index);
  const byAddress = [...window].sort((a, b) => a.address.constant - b.address.constant);
  const first = inProgram[0];
  const lowest = byAddress[0];
  if (!first || !lowest) return;
  const evidence = alignmentOfChain(window);
  const highest = byAddress.at(-1) ?? lowest;
  const width = widthOf(lowest, highest, evidence);
  const start = evidence.origin + Math.floor((lowest.address.constant - evidence.origin) / width) * width;
  const charged = order
    ? inProgram.reduce((a, b) => ((order.get(b) ?? 0) < (order.get(a) ?? 0) ? b : a))
    : first;
  const pieces: Piece[] = byAddress.flatMap(({ address, place }) =>
    isPieceType(place.type) ? [{ offsetBytes: address.constant - start, type: place.type }] : [],
  );
  const type = mergedType(width, pieces);
  const temporary = options.fresh.temporary(type, "merged");
  const place = movedPlace(first, start - first.address.constant, type);
  const site = mergedSite(charged.site, window);
  const loaded: Load = { kind: "load", type, place, site };
  options.addresses.set(loaded, { ...first.address, constant: start, modulus: width, residue: 0 });
  edits.insertBefore(first.index, assignment(placeOf(temporary), loaded, first.statement.range));
  for (const member of window) {
    const assign = member.statement.expression;
    if (assign.kind !== "assign") continue;
    const value = readOf(temporary, member.address.constant - start, member.place.type);
    edits.replace(member.index, { ...member.statement, expression: { ...assign, value } });
  }
}

/**
 * Two words of an aligned 16 bytes of shared memory that are not one half stay two loads, but both are charged to the first: ptxas
 * makes a vector of them and cuts it again (cases shared_straight/pairOdd, gap02, gap03).
 */
function chargeLoners(
  accesses: readonly Access[],
  windows: readonly Access[][],
  order: ReadonlyMap<Access, number>,
  edits: Edits,
  options: MergeOptions,
): void {
  const evidence = alignmentOfChain(accesses);
  if (accesses[0]?.address.space !== "shared" || evidence.modulus < 16) return;
  const merged = new Set(windows.flat());
  const loners = scalarsOf(accesses).filter((access) => !merged.has(access) && access.bytes === 4);
  const byWindow = groupedBy(loners, (one) => Math.floor((one.address.constant - evidence.origin) / 16));
  for (const [, pair] of byWindow) {
    const [a, b] = pair;
    if (!a || !b || pair.length !== 2 || a.address.constant === b.address.constant) continue;
    const isFirst = (order.get(a) ?? 0) <= (order.get(b) ?? 0);
    recharge(isFirst ? b : a, mergedSite(isFirst ? a.site : b.site, pair), edits, options);
  }
}

function recharge(access: Access, site: AccessSite, edits: Edits, options: MergeOptions): void {
  const assign = access.statement.expression;
  if (assign.kind !== "assign" || access.node.kind !== "load") return;
  const load: Load = { ...access.node, site };
  options.addresses.set(load, access.address);
  edits.replace(access.index, { ...access.statement, expression: { ...assign, value: load } });
}

/** The narrowest aligned window that holds both. */
function widthOf(lowest: Access, highest: Access, evidence: ChainAlignment): number {
  const from = lowest.address.constant - evidence.origin;
  const to = highest.address.constant + highest.bytes - evidence.origin;
  for (const width of evidence.modulus > 2 ? [4, 8, 16] : [2])
    if (Math.floor(from / width) === Math.floor((to - 1) / width)) return width;
  return 16;
}

function movedPlace(access: Access, byBytes: number, type: Load["type"]): MemoryPlace {
  return {
    kind: "memory",
    pointer: { kind: "convert", type: pointerTo(type), operand: access.place.pointer },
    offsetBytes: access.place.offsetBytes + byBytes,
    type,
  };
}

function mergedSite(charged: AccessSite, members: readonly Access[]): AccessSite {
  const ranges = new Map(charged.merged.map((range) => [`${range.file}:${range.start}:${range.end}`, range]));
  for (const { site } of members)
    for (const range of [site.range, ...site.merged])
      if (
        range.start !== charged.range.start ||
        range.file !== charged.range.file ||
        range.end !== charged.range.end
      )
        ranges.set(`${range.file}:${range.start}:${range.end}`, range);
  return { ...charged, merged: [...ranges.values()] };
}

/** The order in which the loaded values are first used: nvcc emits loads so, and charges a merged one to the first of them. */
function firstUses(list: readonly Statement[], accesses: readonly Access[]): ReadonlyMap<Access, number> {
  const byVariable = new Map<number, Access>();
  for (const access of accesses) {
    const assign = access.statement.expression;
    if (assign.kind === "assign" && assign.place.kind === "variable")
      byVariable.set(assign.place.variable.id, access);
  }
  const order = new Map<Access, number>();
  let clock = 0;
  const last = accesses.reduce((most, access) => Math.max(most, access.index), 0);
  forEachExpressionOf(list.slice(accesses[0]?.index ?? 0, last + 64), (expression) => {
    clock++;
    if (expression.kind !== "load" || expression.place.kind !== "variable") return;
    const access = byVariable.get(expression.place.variable.id);
    if (access && !order.has(access)) order.set(access, clock);
  });
  for (const access of accesses) if (!order.has(access)) order.set(access, clock + access.index);
  return order;
}

// Stores

/** The stores that become one: of records and in shared memory every full aligned window, elsewhere what LLVM's vectorizer makes of a chain. */
function storeRuns(accesses: readonly Access[], scope: MergeOptions["scope"]): Access[][] {
  const evidence = alignmentOfChain(accesses);
  if (scope === "record" || accesses[0]?.address.space === "shared") return storeWindows(accesses, evidence);
  const sorted = scalarsOf(accesses);
  const runs: Access[][] = [];
  let chain: Access[] = [];
  for (const access of sorted) {
    const last = chain.at(-1);
    const follows =
      last && last.address.constant + last.bytes === access.address.constant && last.bytes === access.bytes;
    if (last && !follows) {
      splitStores(chain, evidence, runs);
      chain = [];
    }
    chain.push(access);
  }
  splitStores(chain, evidence, runs);
  return runs;
}

/** ptxas: aligned windows of 16, 8 or 4 bytes that are stored whole (cases more/sharedStore8Plus1, more/sharedStoreYZW). */
function storeWindows(accesses: readonly Access[], evidence: ChainAlignment): Access[][] {
  let left = scalarsOf(accesses);
  const windows: Access[][] = [];
  for (const width of [16, 8, 4]) {
    if (width > evidence.modulus) continue;
    const byWindow = groupedBy(left, (one) => Math.floor((one.address.constant - evidence.origin) / width));
    for (const [, members] of byWindow) {
      const bytes = members.reduce((total, member) => total + member.bytes, 0);
      if (members.length < 2 || bytes !== width || overlap(members, width, evidence.origin)) continue;
      if (!mayPack(members, width)) continue;
      windows.push(members);
      const taken = new Set(members);
      left = left.filter((one) => !taken.has(one));
    }
  }
  return windows;
}

/** LoadStoreVectorizer: as many as 16 bytes hold from the front; a chain of odd length loses its last, a misaligned one is halved. */
function splitStores(chain: readonly Access[], evidence: ChainAlignment, runs: Access[][]): void {
  const first = chain[0];
  if (!first || chain.length < 2) return;
  const most = 16 / first.bytes;
  if (chain.length > most) {
    splitStores(chain.slice(0, most), evidence, runs);
    splitStores(chain.slice(most), evidence, runs);
    return;
  }
  const bytes = chain.length * first.bytes;
  const isPower = (bytes & (bytes - 1)) === 0;
  const isAligned =
    evidence.modulus >= bytes && modulo(first.address.constant - evidence.origin, bytes) === 0;
  if (isPower && isAligned && mayPack(chain, bytes)) {
    runs.push([...chain]);
    return;
  }
  const left = chain.length % 2 === 0 ? chain.length / 2 : chain.length - 1;
  splitStores(chain.slice(0, left), evidence, runs);
  splitStores(chain.slice(left), evidence, runs);
}

function replaceStores(run: readonly Access[], edits: Edits, options: MergeOptions): void {
  const inProgram = [...run].sort((a, b) => a.index - b.index);
  const lowest = run[0];
  const last = inProgram.at(-1);
  if (!lowest || !last) return;
  const start = lowest.address.constant;
  const pieces: Piece[] = run.flatMap(({ address, place }) =>
    isPieceType(place.type) ? [{ offsetBytes: address.constant - start, type: place.type }] : [],
  );
  const width = run.reduce((total, access) => total + access.bytes, 0);
  const type = mergedType(width, pieces);
  const parts = run.map((access) => ({
    offsetBytes: access.address.constant - start,
    value: capturedValue(access, last, edits, options),
  }));
  const stored: Assign = {
    kind: "assign",
    type,
    place: movedPlace(last, start - last.address.constant, type),
    value: { kind: "aggregate", type, parts },
    site: mergedSite(last.site, run),
  };
  options.addresses.set(stored, { ...lowest.address, modulus: width, residue: 0 });
  edits.replace(last.index, { ...last.statement, expression: stored });
}

/** The value of a store that moves down to the last one of its run: computed where it was, kept in a temporary. */
function capturedValue(access: Access, last: Access, edits: Edits, options: MergeOptions): Expression {
  const value = access.node.kind === "assign" ? access.node.value : access.node;
  if (access === last) return value;
  const temporary = options.fresh.temporary(value.type, "stored");
  edits.replace(access.index, assignment(placeOf(temporary), value, access.statement.range));
  return readOf(temporary);
}

/** Changes to a list, by index of the statement, made together at the end. */
class Edits {
  readonly #list: readonly Statement[];
  readonly #before = new Map<number, Statement[]>();
  readonly #replaced = new Map<number, Statement>();

  constructor(list: readonly Statement[]) {
    this.#list = list;
  }

  insertBefore(index: number, statement: Statement): void {
    const known = this.#before.get(index);
    if (known) known.push(statement);
    else this.#before.set(index, [statement]);
  }

  replace(index: number, statement: Statement): void {
    this.#replaced.set(index, statement);
  }

  apply(): readonly Statement[] {
    if (this.#before.size === 0 && this.#replaced.size === 0) return this.#list;
    return this.#list.flatMap((statement, index) => [
      ...(this.#before.get(index) ?? []),
      this.#replaced.get(index) ?? statement,
    ]);
  }
}
