// Which accesses of a chain become one: aligned windows for loads and shared stores, LLVM's splitting for global stores.

import { hasPadding, piecesOf } from "../../ir/pieces.ts";
import { alignmentOf, sizeOf } from "../../ir/type.ts";
import { declaredAlignment } from "../addresses/alignment.ts";
import { modulo } from "../addresses/linear.ts";
import { isSmallFloat } from "../linearise/asm-operations.ts";
import { hasPaddingWithin } from "../linearise/layout.ts";
import { type Access, isLeftToPtxas, isOfRecords, type MergeOptions, recordAt } from "./chains.ts";

/**
 * The loads that become one: an aligned window of 16, 8 or 4 bytes of which at least three quarters are loaded (the hole of a load
 * costs nothing: three of four words are one 128-bit load), never a window of a single load.
 */
export function loadWindows(accesses: readonly Access[], scope: MergeOptions["scope"]): Access[][] {
  const evidence = alignmentOfChain(accesses);
  let left = scope === "all" ? pairableOf(accesses) : scalarsOf(accesses);
  const windows: Access[][] = [];
  for (const width of [16, 8, 4, 2]) {
    if (width > evidence.modulus) continue;
    const byWindow = groupedBy(left, (one) => Math.floor((one.address.constant - evidence.origin) / width));
    for (const [, within] of byWindow) {
      const members = width > 4 ? wordsAmong(within, evidence.origin) : within;
      if (
        width === 2 &&
        evidence.modulus > 2 &&
        !areSmallToLlvm(members, width) &&
        !areBytesOfRecord(members) &&
        !areSmallInGlobal(members)
      )
        continue;
      if (!fillsWindow(members, width, evidence.origin, scope) || isBehindPair(members, width)) continue;
      windows.push(members);
      const taken = new Set(members);
      left = left.filter((one) => !taken.has(one));
    }
  }
  return windows;
}

/**
 * Whether the window begins with a pair of halves of which LLVM knows its own alignment alone: it goes by the first access, so that what is told of the
 * others does not help (forms/records_of_pairs pairFirst; not pairLater).
 */
function isBehindPair([first]: readonly Access[], width: number): boolean {
  if (!first || first.address.space === "shared" || !isSmallFloat(first.place.type)) return false;
  return first.group !== null && first.address.modulus < width;
}

/** Those that can be merged, in the order of their addresses. */
export function scalarsOf(accesses: readonly Access[]): Access[] {
  return accesses.filter((access) => !access.isWhole).sort(byAddress);
}

/** Those of which ptxas makes wider ones: vectors of 8 bytes in shared memory, too (vector_pairs/storePairs, loadPairsCopied). */
function pairableOf(accesses: readonly Access[]): Access[] {
  return accesses
    .filter((access) => !access.isWhole || (access.address.space === "shared" && isPart(access)))
    .sort(byAddress);
}

function isPart({ bytes, group }: Access): boolean {
  return bytes === 8 || (bytes === 4 && group !== null);
}

function byAddress(a: Access, b: Access): number {
  return a.address.constant - b.address.constant || a.index - b.index;
}

export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
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
  if (isOneRecord(members) && !areAlikeToPtxas(members, width, origin)) return false;
  const words = new Set<number>();
  for (const { address, bytes } of members)
    for (let at = 0; at < bytes; at += 4) words.add(Math.floor((address.constant + at - origin) / 4));
  const isAtStart = modulo(first.address.constant - origin, width) === 0;
  if (areSmallToLlvm(members, width)) return isFilledByLlvm(members, width, isAtStart);
  const places = width / first.bytes;
  if (areSmallInGlobal(members) && places <= 4) return isAtStart && reachesBeyond(members, width / 2);
  if (width <= 4) return true;
  // Three of four in a row from the start are as good as four (half_neighbours/threesum).
  if (areHalfWords(members, width)) return members.length >= 3 && isAtStart && isInARow(members);
  // LLVM fills the hole of scalar loads in global memory behind the first of them only (case more/membersYZW).
  const mayHaveHole = isOfRecords(scope) || first.address.space === "shared" || isAtStart;
  return words.size * 4 >= (mayHaveHole ? width * 0.75 : width);
}

/**
 * What LLVM merges of bytes and 16-bit values, each section by itself, and the accesses that it leaves to ptxas: all of them where it knows
 * too little of the alignment.
 */
export function windowsOfLlvm(
  accesses: readonly Access[],
  windowsIn: (some: readonly Access[]) => Access[][],
): { readonly windows: Access[][]; readonly left: readonly Access[] } {
  const [first] = accesses;
  if (!first || first.bytes > 2 || first.address.space !== "shared" || isLeftToPtxas(first))
    return { windows: [], left: accesses };
  const sections = [...groupedBy(accesses, ({ section }) => section).values()];
  const windows = sections
    .filter(({ length }) => length > 1)
    .flatMap(windowsIn)
    .filter((window) => areSmallToLlvm(window, 2 ** Math.ceil(Math.log2(window.length * first.bytes))));
  const taken = new Set(windows.flat());
  return { windows, left: accesses.filter((access) => !taken.has(access)) };
}

/** Whether LLVM merges bytes or 16-bit values: what they are used for is nothing to it (small_neighbours), but not across an `asm` (half_neighbours). */
export function areSmallToLlvm(members: readonly Access[], width: number): boolean {
  const [first] = members;
  if (!first || first.bytes > 2) return false;
  const { base, space } = first.address;
  // Of global memory LLVM knows how the device's own arrays lie (test/codegen/tables-of-bytes.test.ts).
  if (space !== "shared" && base?.storage !== "device" && base?.storage !== "device-constant") return false;
  return (
    declaredAlignment(first.place, first.address) >= width &&
    members.every(
      (each) => each.bytes === first.bytes && each.group === null && each.section === first.section,
    )
  );
}

/**
 * Whether they are bytes or 16-bit values of global memory that the text loads one by one: of LLVM's vectors, which fill from the first on with
 * holes behind it, ptxas makes one load of 16, 32 or 64 bits (`p[i].x + p[i].y` of a uchar4 loads 16; y and z are two).
 */
export function areSmallInGlobal(members: readonly Access[]): boolean {
  const [first] = members;
  if (!first || first.bytes > 2 || first.node.kind !== "load") return false;
  return members.every(
    (each) => each.address.space === "global" && each.group === null && each.bytes === first.bytes,
  );
}

function reachesBeyond(members: readonly Access[], bytes: number): boolean {
  const [first] = members;
  return (
    first !== undefined && members.some(({ address }) => address.constant - first.address.constant >= bytes)
  );
}

/** Whether they are values of 16 bits in shared memory that the text accesses one by one, and LLVM leaves so: ptxas may make two or four of them one. */
export function areHalfWords(members: readonly Access[], width: number): boolean {
  if (width > 8 || isOneRecord(members) || members.every(isMemberOfVector) || areSmallToLlvm(members, width))
    return false;
  return members.every((each) => each.bytes === 2 && each.address.space === "shared");
}

/** A window that is loaded whole, or from its start on by an odd number that the window's is the next power of two of; or its words are. */
function isFilledByLlvm(members: readonly Access[], width: number, isAtStart: boolean): boolean {
  const [first] = members;
  const last = members.at(-1);
  if (!first || !last) return false;
  const count = members.length;
  if (!isInARow(members)) return false;
  const places = width / first.bytes;
  const isRoundedUp = isAtStart && count % 2 === 1 && count > places / 2;
  // Of 64 and 32 bits that LLVM leaves, ptxas makes 128 with a hole.
  const isThreeWords = isAtStart && width === 16 && count * first.bytes === 12 && first.bytes === 2;
  return count === places || isRoundedUp || isThreeWords;
}

function isInARow(members: readonly Access[]): boolean {
  const [first] = members;
  const last = members.at(-1);
  if (!first || !last) return false;
  return last.address.constant - first.address.constant === (members.length - 1) * first.bytes;
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

/**
 * Vectors of 8 bytes, or what has become one, and scalars of as many are two to ptxas (forms/mixed_members). Bytes and 16-bit values of separate
 * accesses: ptxas may make 16-bit values one word or two, and leaves bytes (cases narrow, half_neighbours).
 */
function mayPack(members: readonly Access[], width: number): boolean {
  const narrowest = Math.min(...members.map((member) => member.bytes));
  if (members.some(({ isWhole }) => isWhole) && members.some(({ isWhole }) => !isWhole))
    return isOneRecord(members) && members.some(isPaddedWithin);
  if (narrowest >= 4 && !isOneRecord(members)) return members.every(({ bytes }) => bytes === narrowest);
  if (narrowest >= 4 || areSmallToLlvm(members, width)) return true;
  // A short and a byte of a struct that are read one by one stay two loads (programs/aos_types, records).
  const isOneWidth = members.every((member) => member.bytes === narrowest);
  if (isOneRecord(members)) return true;
  if (isOneWidth && members.every(isMemberOfVector)) return areSeenTogether(members);
  if (width === 8 && members.length === 4 && members.every(isHalfBesideWide)) return true;
  return areHalfWords(members, width);
}

/** Whether nothing stands between them that LLVM does not look beyond: in shared memory it parts no chains. */
function areSeenTogether(members: readonly Access[]): boolean {
  const [first] = members;
  return first?.address.space !== "shared" || members.every(({ section }) => section === first.section);
}

function isOneRecord(members: readonly Access[]): boolean {
  const [first] = members;
  return first?.group !== null && members.every(({ group }) => group === first?.group);
}

/**
 * Whether LLVM leaves members of a record that ptxas makes one load or store of: it makes vectors of neighbours of one width (of bytes with holes
 * behind the first, in as many as the next power of two), leaves a byte beside a short, and ptxas then takes 32 bits with 32 bits and 64 with 64 alone
 * (forms/mixed_members). Up to 32 bits it stores as one whatever they were.
 */
function areAlikeToPtxas(members: readonly Access[], width: number, origin: number): boolean {
  const [first] = members;
  if (!first) return true;
  const isOneWidth = members.every(({ bytes }) => bytes === first.bytes);
  if (isCopiedInWords(members)) return width <= 8 || isOneWidth || !isPaddedBehind(first);
  if (width <= 4 && first.node.kind !== "load") return true;
  if (width <= 4 && areBytesOfRecord(members)) return areVectorOfBytes(members, width, origin);
  if (width <= 4 || isOneWidth) return isOneWidth;
  const words = [
    ...groupedBy(members, ({ address }) => Math.floor((address.constant - origin) / 4)).values(),
  ];
  return words.every((word) => word.some(({ bytes }) => bytes === 8)) || words.every(isWordToLlvm);
}

/** The members of a record without the bytes and shorts that are no word, for which a load of the words has a hole. */
function wordsAmong(members: Access[], origin: number): Access[] {
  const [first] = members;
  if (!first || !isOneRecord(members) || isCopiedInWords(members)) return members;
  if (members.every(({ bytes }) => bytes === first.bytes)) return members;
  const words = groupedBy(members, ({ address }) => Math.floor((address.constant - origin) / 4));
  return [...words.values()]
    .filter((word) => word.some(({ bytes }) => bytes > 4) || isWordToLlvm(word))
    .flat();
}

function isWordToLlvm(members: readonly Access[]): boolean {
  const [first] = members;
  return (
    first !== undefined &&
    members.every(({ bytes }) => bytes === first.bytes) &&
    first.bytes * members.length === 4
  );
}

function areVectorOfBytes(members: readonly Access[], width: number, origin: number): boolean {
  const places = members.map(({ address }) => modulo(address.constant - origin, width));
  return Math.min(...places) === 0 && Math.max(...places) >= width / 2;
}

/** A record with padding is copied in words to begin with, and one that is aligned by declaration as a whole. */
function isCopiedInWords([first]: readonly Access[]): boolean {
  const target = first ? recordAt(first) : null;
  if (target === null || hasPadding(target)) return true;
  const ofMembers = piecesOf(target)?.map((piece) => alignmentOf(piece.type) ?? 1) ?? [];
  return (alignmentOf(target) ?? 1) > Math.max(1, ...ofMembers);
}

/** Whether it is of a record that moves in parts as large as its alignment (test/codegen/padded-records.test.ts). */
function isPaddedWithin(access: Access): boolean {
  const record = recordAt(access);
  return record !== null && hasPaddingWithin(record);
}

/** Whether 8 bytes and what is narrower lie in a record that has its padding behind all of it, and so moves by its members. */
function isPaddedBehind(access: Access): boolean {
  const target = recordAt(access);
  if (target === null || !hasPadding(target) || hasPaddingWithin(target)) return false;
  const ofMembers = piecesOf(target)?.map(({ type }) => sizeOf(type) ?? 0) ?? [];
  return alignmentOf(target) === 8 && Math.max(...ofMembers) === 8;
}

/** Bytes of a record that LLVM sees one by one. */
export function areBytesOfRecord(members: readonly Access[]): boolean {
  return isOneRecord(members) && !isCopiedInWords(members) && members.every(({ bytes }) => bytes === 1);
}

/** Four 16-bit values that fill 8 bytes are one load to ptxas where it knows how they lie (halves_beside_wide/addedThenStored, fourThenStored). */
function isHalfBesideWide({ bytes, isBesideWide }: Access): boolean {
  return bytes === 2 && isBesideWide === true;
}

/**
 * Not a half, which is a class itself: its operations get a reference that says nothing of the vector around it (half_members). Nor what has
 * become a vector of bytes.
 */
function isMemberOfVector({ place: { pointer, type } }: Access): boolean {
  const isMember = pointer.type.kind === "pointer" && pointer.type.target.kind === "record";
  return isMember && type.kind !== "record" && !isSmallFloat(type);
}

export interface ChainAlignment {
  /** The window that begins at byte constant `origin` is aligned to `modulus`. */
  readonly modulus: number;
  readonly origin: number;
}

/** What any access of the chain proves of the address holds for all: they differ by constants. */
export function alignmentOfChain(accesses: readonly Access[]): ChainAlignment {
  let best: ChainAlignment = { modulus: 1, origin: 0 };
  for (const { address } of accesses)
    if (address.modulus > best.modulus)
      best = { modulus: address.modulus, origin: address.constant - address.residue };
  return best;
}

/** The stores that become one: of records and in shared memory every full aligned window, elsewhere what LLVM's vectorizer makes of a chain. */
export function storeRuns(accesses: readonly Access[], scope: MergeOptions["scope"]): Access[][] {
  const evidence = alignmentOfChain(accesses);
  if (isOfRecords(scope) || accesses[0]?.address.space === "shared")
    return inSuccession(accesses, evidence).flatMap((row) => storeWindows(row, evidence));
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

/**
 * What ptxas has in sight at once: stores of one window without another one between (cases store_order/scrambledEight, columnsOfTwo,
 * oneApart; not: scrambledFour). LLVM, which merges where the declaration is aligned, sees a block as a whole (alignedColumns).
 */
function inSuccession(accesses: readonly Access[], evidence: ChainAlignment): readonly (readonly Access[])[] {
  const [first] = accesses;
  if (!first || !isLeftToPtxas(first)) return [accesses];
  const windowOf = ({ address }: Access) =>
    Math.floor((address.constant - evidence.origin) / Math.min(16, evidence.modulus));
  const rows: Access[][] = [];
  for (const access of accesses) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row && last && windowOf(last) === windowOf(access)) row.push(access);
    else rows.push([access]);
  }
  return rows;
}

/** ptxas: aligned windows of 16, 8 or 4 bytes that are stored whole (cases more/sharedStore8Plus1, more/sharedStoreYZW). */
function storeWindows(accesses: readonly Access[], evidence: ChainAlignment): Access[][] {
  let left = pairableOf(accesses);
  const windows: Access[][] = [];
  for (const width of [16, 8, 4, 2]) {
    if (width > evidence.modulus) continue;
    const byWindow = groupedBy(left, (one) => Math.floor((one.address.constant - evidence.origin) / width));
    for (const [, members] of byWindow) {
      const bytes = members.reduce((total, member) => total + member.bytes, 0);
      if (members.length < 2 || bytes !== width || overlap(members, width, evidence.origin)) continue;
      if (!mayPack(members, width) || isBehindPair(members, width)) continue;
      if (isOneRecord(members) && !areAlikeToPtxas(members, width, evidence.origin)) continue;
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
