// Third pass: neighbouring accesses of straight-line code become one vector access, where their alignment is proven.
import type { AccessSite, Assign, Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import { type Piece, piecesOf } from "../../ir/pieces.ts";
import type { Statement } from "../../ir/statement.ts";
import { pointerTo, sizeOf } from "../../ir/type.ts";
import { declaredAlignment } from "../addresses/alignment.ts";
import { areStridesOfOne, modulo } from "../addresses/linear.ts";
import { isSmallFloat } from "../linearise/asm-operations.ts";
import { mergedType } from "../linearise/layout.ts";
import { assignment, placeOf, readOf } from "../walks/fresh.ts";
import { likeSite, mapLists, mapStatements, withExpression, withStored } from "../walks/rebuild.ts";
import { forEachExpressionOf, hasLists } from "../walks/walk.ts";
import { type Access, chainsOf, isOfRecords, isOfScalar, type MergeOptions, rowsForPtxas } from "./chains.ts";
import { rowsOf } from "./rows.ts";
import { type Pairing, pairingOf } from "./shorts.ts";
import { rowsOfVectorizer } from "./vectorizer.ts";
import {
  alignmentOfChain,
  areBytesOfRecord,
  areHalfWords,
  areSmallInGlobal,
  areSmallToLlvm,
  type ChainAlignment,
  groupedBy,
  loadWindows,
  scalarsOf,
  storeRuns,
  windowsOfLlvm,
} from "./windows.ts";

/** The statements with neighbouring accesses merged, in every list. */
export function mergeNeighbours(list: readonly Statement[], options: MergeOptions): readonly Statement[] {
  const inner = mapStatements(list, (statement) =>
    hasLists(statement) ? mapLists(statement, (one) => mergeNeighbours(one, options)) : statement,
  );
  return mergeStores(mergeLoads(inner, options), options);
}

/**
 * The statements with words of shared memory merged that LLVM merges past stores to other places, as far as a declaration tells it of their alignment
 * (`s[0].x += s[1].x; s[0].y += s[1].y` of pairs): where ptxas sees more of it, it sees what LLVM has left (forms/pairs_past_stores).
 */
export function mergePastStores(
  list: readonly Statement[],
  ofWords: Set<Expression>,
  options: Omit<MergeOptions, "scope" | "ofWords">,
): readonly Statement[] {
  const inner = mapStatements(list, (statement) =>
    hasLists(statement) ? mapLists(statement, (one) => mergePastStores(one, ofWords, options)) : statement,
  );
  const scoped: MergeOptions = { ...options, scope: "past stores" };
  const edits = new Edits(inner);
  for (const { accesses, passed } of chainsOf(inner, "load", scoped)) {
    if (passed.length === 0) continue;
    const order = firstUses(inner, accesses);
    const told = new Map(accesses.filter(isPartlyTold).map((access) => [asTold(access), access]));
    for (const window of loadWindows([...told.keys()], "past stores")) {
      const members = window.flatMap((one) => told.get(one) ?? []);
      if (!passed.some(({ index }) => isWithin(members, index))) continue;
      const merged = replaceLoads(members, order, edits, scoped);
      if (merged) ofWords.add(merged);
    }
  }
  return edits.apply();
}

/** Whether a declaration tells LLVM of some alignment, but not of all that ptxas sees. */
function isPartlyTold({ address, place, bytes }: Access): boolean {
  const told = declaredAlignment(place, address);
  return address.space === "shared" && bytes >= 4 && told > bytes && told < address.modulus;
}

function asTold(access: Access): Access {
  const modulus = declaredAlignment(access.place, access.address);
  return { ...access, address: { ...access.address, modulus, residue: access.address.residue % modulus } };
}

function isWithin(window: readonly Access[], index: number): boolean {
  return window.some((one) => one.index < index) && window.some((one) => one.index > index);
}

function mergeLoads(list: readonly Statement[], options: MergeOptions): readonly Statement[] {
  const chains = chainsOf(list, "load", options);
  if (chains.length === 0) return list;
  const edits = new Edits(list);
  for (const chain of chains) {
    const windowsIn = (some: readonly Access[]) => loadWindows(some, options.scope);
    const { windows, left } = windowsOfLlvm(chain.accesses, windowsIn);
    const rows = rowsForPtxas(left, chain)
      .flatMap((row) => (chain.block ? rowsOfVectorizer(chain.accesses, chain.block) : [row]))
      .map((row) => besideWide(withDoubts(row, windowsIn, options), options));
    const accesses = [...new Set(rows.flat())];
    const order =
      options.scope === "all" && chain.accesses.length > 1 ? firstUses(list, chain.accesses) : null;
    for (const window of rows.flatMap(windowsIn).flatMap((one) => packed(list, one))) {
      if (window.pairing === "one word") windows.push(window.members);
      if (window.pairing === "unclear")
        for (const access of window.members) recharge(access, doubted(access.site), edits, options);
    }
    const merged = new Set(windows.flat());
    for (const window of windows) replaceLoads(window, order, edits, options);
    if (order) chargeLoners(accesses, windows, order, edits, options);
    noteDoubts(accesses, merged, edits, options);
    options.rows?.push(...rowsOf(accesses, merged, "load"));
  }
  return edits.apply();
}

interface Packed {
  readonly members: Access[];
  readonly pairing: Pairing;
}

/** The window, and whether ptxas makes it one load; four of 16 bits that it does not are pairs of which it may. */
function packed(list: readonly Statement[], members: Access[]): readonly Packed[] {
  if (!areHalfWords(members, 4) && !areHalfWords(members, 8)) return [{ members, pairing: "one word" }];
  const pairing = pairingOf(list, members);
  if (members.length === 2 || pairing === "one word") return [{ members, pairing }];
  return [members.slice(0, 2), members.slice(2)]
    .filter((pair) => pair.length === 2)
    .map((pair) => ({ members: pair, pairing: pairingOf(list, pair) }));
}

/**
 * The loads with what is unclear of their alignment: where `s[t]` is accessed before, LLVM may compute the address of `s[2 * t]` from it,
 * and ptxas then sees 8 bytes (vector_pairs/loadPairs; not loadPairsCopied, and not where s[t] is copied as it is: forms/pairs_behind).
 * Behind it sixteen are seen (programs/ntt_fft). Of single words it sees 16 all the same.
 */
function withDoubts(
  accesses: readonly Access[],
  windowsIn: (some: readonly Access[]) => Access[][],
  options: MergeOptions,
): readonly Access[] {
  const { scope, ofWords } = options;
  const [first] = accesses;
  if (!first || isOfRecords(scope) || accesses.every(({ node }) => ofWords?.has(node))) return accesses;
  if (accesses.every(isHalf)) return withDoubtsOfHalves(accesses, windowsIn, options);
  if (!accesses.every(({ isWhole, bytes }) => isWhole && bytes === 8)) return accesses;
  if (reuseOf(first, options) !== "before") return accesses;
  return accesses.map((access) => seenAlignedTo(8, access));
}

/** Of halves, which are classes, as vectors are, ptxas then sees 2 bytes (forms/half_neighbours own_…), where `s[t]` is accessed before. */
function withDoubtsOfHalves(
  accesses: readonly Access[],
  windowsIn: (some: readonly Access[]) => Access[][],
  options: MergeOptions,
): readonly Access[] {
  const [first] = accesses;
  const merging = new Set(windowsIn(accesses).flat());
  const reuse = first && merging.size > 0 ? reuseOf(first, options) : "none";
  if (reuse === "none") return accesses;
  return accesses.map((access) => {
    const seen = seenAlignedTo(reuse === "before" ? 2 : 16, access);
    const { isAlignmentUnclear } = access.address;
    return merging.has(access) ? seen : { ...seen, address: { ...seen.address, isAlignmentUnclear } };
  });
}

/**
 * Bytes and 16-bit values in global memory with what a wide access at the same base tells of them, a store behind them too: ptxas makes one of four
 * 16-bit values (halves_beside_wide/addedThenStored; not: addedOnly), and what it makes of others is not known.
 */
function besideWide(accesses: readonly Access[], { addresses, scope }: MergeOptions): readonly Access[] {
  const [first] = accesses;
  if (isOfRecords(scope) || first?.address.space !== "global" || !accesses.every(({ bytes }) => bytes <= 2))
    return accesses;
  const wide = [...addresses].find(
    ([node, { termsKey }]) => termsKey === first.address.termsKey && widthOfAccess(node) >= 8,
  );
  if (!wide) return accesses;
  const [node, { constant }] = wide;
  const modulus = Math.min(16, widthOfAccess(node));
  return accesses.map((access) => {
    const residue = modulo(access.address.constant - constant, modulus);
    const address = { ...access.address, modulus, residue, isAlignmentUnclear: true };
    return { ...access, isBesideWide: true, address };
  });
}

function widthOfAccess(node: Expression): number {
  return node.kind === "load" || node.kind === "assign" ? (sizeOf(node.place.type) ?? 0) : 0;
}

/** Where the kernel accesses the array by the same terms times another number. */
function reuseOf({ address, site }: Access, options: MergeOptions): "none" | "before" | "behind" {
  let reuse: "none" | "before" | "behind" = "none";
  for (const [node, { base, terms }] of options.addresses) {
    if (base?.id !== address.base?.id || !areStridesOfOne(terms, address.terms)) continue;
    const other = node.kind === "load" || node.kind === "assign" ? node.site : null;
    if (node.kind === "assign" && storesCopy(node, options)) continue;
    if (other && other.range.start < site.range.start) return "before";
    reuse = "behind";
  }
  return reuse;
}

/** Whether it is (part of) a record that goes from memory to memory, with no member of it read on the way. */
function storesCopy(store: Assign, options: MergeOptions): boolean {
  const { value } = store;
  if (value.kind === "aggregate") return value.parts.every((part) => isCopied(part.value, options));
  return options.groups.has(store) && isCopied(value, options);
}

function isCopied(value: Expression, { copied }: MergeOptions): boolean {
  return value.kind === "load" && value.place.kind === "variable" && copied.has(value.place.variable.id);
}

function loadsCopy({ statement: { expression } }: Access, { copied }: MergeOptions): boolean {
  return (
    expression.kind === "assign" &&
    expression.place.kind === "variable" &&
    copied.has(expression.place.variable.id)
  );
}

function seenAlignedTo(bytes: number, access: Access): Access {
  const modulus = Math.min(access.address.modulus, bytes);
  const residue = access.address.residue % modulus;
  return { ...access, address: { ...access.address, modulus, residue, isAlignmentUnclear: true } };
}

function isHalf({ place: { type }, address }: Access): boolean {
  return isSmallFloat(type) && address.space === "shared";
}

/** Says of accesses that did not merge that they might have. */
function noteDoubts(
  accesses: readonly Access[],
  merged: ReadonlySet<Access>,
  edits: Edits,
  options: MergeOptions,
): void {
  if (isOfRecords(options.scope)) return;
  for (const access of accesses)
    if (access.address.isAlignmentUnclear && !merged.has(access))
      recharge(access, doubted(access.site), edits, options);
}

function doubted(site: AccessSite): AccessSite {
  return likeSite(site, {
    uncertain: "other-alignment",
  });
}

function mergeStores(list: readonly Statement[], options: MergeOptions): readonly Statement[] {
  const chains = chainsOf(list, "store", options);
  if (chains.length === 0) return list;
  const edits = new Edits(list);
  for (const chain of chains) {
    const runsIn = (some: readonly Access[]) => storeRuns(some, options.scope);
    const { windows: ofLlvm, left } = windowsOfLlvm(chain.accesses, runsIn);
    const rows = rowsForPtxas(left, chain).map((row) =>
      row.every(isHalf) ? withDoubts(row, runsIn, options) : row,
    );
    const accesses = rows.flat();
    const runs = [...ofLlvm, ...rows.flatMap(runsIn)];
    const merged = new Set(runs.flat());
    for (const run of runs) replaceStores(run, edits, options);
    noteDoubts(accesses, merged, edits, options);
    options.rows?.push(...rowsOf(accesses, merged, "store"));
  }
  return edits.apply();
}

function replaceLoads(
  window: readonly Access[],
  order: ReadonlyMap<Access, number> | null,
  edits: Edits,
  options: MergeOptions,
): Load | null {
  const inProgram = [...window].sort((a, b) => a.index - b.index);
  const byAddress = [...window].sort((a, b) => a.address.constant - b.address.constant);
  const first = inProgram[0];
  const lowest = byAddress[0];
  if (!first || !lowest) return null;
  const charged = order
    ? inProgram.reduce((a, b) => ((order.get(b) ?? 0) < (order.get(a) ?? 0) ? b : a))
    : first;
  const evidence = alignmentOfChain(window);
  const highest = byAddress.at(-1) ?? lowest;
  const width =
    areSmallToLlvm(window, 2) || areBytesOfRecord(window) || areSmallInGlobal(window)
      ? widthOf(lowest, highest, evidence, [2, 4, 8])
      : widthOf(lowest, highest, evidence, evidence.modulus > 2 ? [4, 8] : [2]);
  if (isOfScalar(first)) {
    chargeOne(charged, window, width, edits, options);
    return null;
  }
  const start = evidence.origin + Math.floor((lowest.address.constant - evidence.origin) / width) * width;
  const pieces = byAddress.flatMap((access) => piecesAt(access, start));
  const type = mergedType(width, pieces);
  const temporary = options.fresh.temporary(type, "merged");
  const place = movedPlace(first, start - first.address.constant, type);
  const site = mergedSite(charged.site, window);
  if (window.every((member) => loadsCopy(member, options))) options.copied.add(temporary.id);
  const loaded: Load = { kind: "load", type, place, site };
  const modulus = Math.max(width, evidence.modulus);
  const residue = evidence.modulus > width ? modulo(start - evidence.origin, modulus) : 0;
  options.addresses.set(loaded, { ...first.address, constant: start, modulus, residue });
  if (first.group !== null && window.every(({ group }) => group === first.group))
    options.groups.set(loaded, first.group);
  edits.insertBefore(first.index, assignment(placeOf(temporary), loaded, first.statement.range));
  for (const member of window) {
    const assign = member.statement.expression;
    if (assign.kind !== "assign") continue;
    const value = readOf(temporary, member.address.constant - start, member.place.type);
    edits.replace(member.index, withExpression(member.statement, withStored(assign, assign.place, value)));
  }
  return loaded;
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

/**
 * Scalar variables that lie side by side in shared memory are one access of 64 or 128 bits (fixtures/forms/scalars_and_guards,
 * shared_scalars). Each stays an access of its own variable, but one alone is charged, as wide as all of them.
 */
function chargeOne(
  charged: Access,
  members: readonly Access[],
  wideBytes: number,
  edits: Edits,
  options: MergeOptions,
): void {
  const site = likeSite(mergedSite(charged.site, members), { wideBytes });
  for (const access of members) recharge(access, access === charged ? site : null, edits, options);
}

function recharge(access: Access, site: AccessSite | null, edits: Edits, options: MergeOptions): void {
  const assign = access.statement.expression;
  if (assign.kind !== "assign") return;
  const { node } = access;
  const recharged: Load | Assign = { ...node, site };
  options.addresses.set(recharged, access.address);
  const expression = recharged.kind === "load" ? withStored(assign, assign.place, recharged) : recharged;
  edits.replace(access.index, withExpression(access.statement, expression));
}

/** The narrowest aligned window of the widths that holds both, else 16 bytes. */
function widthOf(
  lowest: Access,
  highest: Access,
  evidence: ChainAlignment,
  widths: readonly number[],
): number {
  const from = lowest.address.constant - evidence.origin;
  const to = highest.address.constant + highest.bytes - evidence.origin;
  for (const width of widths) if (Math.floor(from / width) === Math.floor((to - 1) / width)) return width;
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
  const site = likeSite(charged, { merged: [...ranges.values()] });
  return members.some(({ address }) => address.isAlignmentUnclear) ? doubted(site) : site;
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

function piecesAt({ address, place }: Access, start: number): Piece[] {
  return (piecesOf(place.type) ?? []).map(({ offsetBytes, type }) => ({
    offsetBytes: address.constant - start + offsetBytes,
    type,
  }));
}

function replaceStores(run: readonly Access[], edits: Edits, options: MergeOptions): void {
  const inProgram = [...run].sort((a, b) => a.index - b.index);
  const lowest = run[0];
  const last = inProgram.at(-1);
  if (!lowest || !last) return;
  const width = run.reduce((total, access) => total + access.bytes, 0);
  if (isOfScalar(lowest)) {
    chargeOne(last, run, width, edits, options);
    return;
  }
  const start = lowest.address.constant;
  const pieces = run.flatMap((access) => piecesAt(access, start));
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
  const isProven = lowest.address.modulus > width;
  options.addresses.set(
    stored,
    isProven ? lowest.address : { ...lowest.address, modulus: width, residue: 0 },
  );
  edits.replace(last.index, withExpression(last.statement, stored));
}

/** The value of a store that moves down to the last one of its run: computed where it was, kept in a temporary. */
function capturedValue(access: Access, last: Access, edits: Edits, options: MergeOptions): Expression {
  const value = access.node.kind === "assign" ? access.node.value : access.node;
  if (access === last) return value;
  const temporary = options.fresh.temporary(value.type, "stored");
  if (isCopied(value, options)) options.copied.add(temporary.id);
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
    const edited: Statement[] = [];
    for (const [index, statement] of this.#list.entries()) {
      const before = this.#before.get(index);
      if (before !== undefined) edited.push(...before);
      edited.push(this.#replaced.get(index) ?? statement);
    }
    return edited;
  }
}
