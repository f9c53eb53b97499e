// Which accesses of straight-line code may merge: those with nothing between that parts them.
import type { AccessSite, Assign, Expression, Load, MemoryPlace } from "../../ir/expression.ts";
import type { NeighbourRow } from "../../ir/function.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { isPieceType, piecesOf } from "../../ir/pieces.ts";
import type { Evaluate, If, Statement } from "../../ir/statement.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import type { Address, Addresses } from "../addresses/address.ts";
import { bytesBetween, type Extent, mayAlias } from "../addresses/alias.ts";
import { declaredAlignment } from "../addresses/alignment.ts";
import { type SharedScalars, scalarOffsetOf } from "../addresses/shared-layout.ts";
import { executesAsm } from "../linearise/asm-operations.ts";
import type { RecordGroups } from "../linearise/context.ts";
import { isPackedHalves, vectorPartOf } from "../linearise/layout.ts";
import { holdsBranch, isSelection } from "../linearise/selections.ts";
import { forgetMadeOf, type SlowPath, slowPathOf, takesSlowPath } from "../linearise/slow-paths.ts";
import type { Fresh } from "../walks/fresh.ts";
import { forEachExpression, isOpaque, isPure, rootVariableOf, someExpression } from "../walks/walk.ts";
import { Blocks, endsBlock, isOfBlock } from "./blocks.ts";
import { slowPathsInFrontOf } from "./emitted.ts";
import type { BlockLoads } from "./vectorizer.ts";

export interface MergeOptions {
  readonly addresses: Addresses;
  readonly groups: RecordGroups;
  /** The temporaries, by their ids, that a record is loaded into; those that merging makes of them are added. */
  readonly copied: Set<number>;
  /** Sites that CUDA's header reads by `asm`. */
  readonly asmSites: ReadonlySet<AccessSite>;
  readonly fresh: Fresh;
  /**
   * `vector`: pieces of one access of a record that says how it is aligned, or of such a part of one, which nvcc's front end moves as vectors.
   * `record`: pieces of one record access only, which were one access in the text. `past stores`: neighbours that LLVM merges past stores to other
   * places. `all`: all neighbours.
   */
  readonly scope: "vector" | "record" | "past stores" | "all";
  /** Whether LLVM sees several blocks, and so emits loads where they are used first. */
  readonly hasSeveralBlocks: boolean;
  /** Where the scalars in shared memory lie that lie there by themselves. */
  readonly sharedScalars?: SharedScalars;
  /** Vectors that were merged of words: ptxas sees the alignment of those. */
  readonly ofWords?: ReadonlySet<Expression>;
  /** Where those are noted that only an alignment keeps apart. */
  readonly rows?: NeighbourRow[];
}

export interface Access {
  readonly index: number;
  readonly statement: Evaluate;
  readonly node: Load | Assign;
  readonly place: MemoryPlace;
  readonly site: AccessSite;
  readonly address: Address;
  readonly bytes: number;
  readonly group: number | null;
  /** How many `asm` stand before it in the list: LLVM merges within one section alone. */
  readonly section: number;
  /** Of a vector that the text asks for: it proves alignment for its neighbours, and stays as it is. */
  readonly isWhole: boolean;
  /** Of bytes and 16-bit values in global memory: whether an access of 8 bytes or more at the same base tells ptxas how they are aligned. */
  readonly isBesideWide?: boolean;
}

/** Accesses that may be merged with one another: same terms, nothing between that could part them. */
export interface Chain {
  readonly kind: "load" | "store";
  readonly accesses: Access[];
  /** Of a chain of loads: the stores since the first of them, which later loads would move over. */
  readonly passed: Access[];
  /** All accesses of shared memory in the list. */
  readonly shared: readonly Access[];
  /** Of loads in global memory that LLVM merges as the text has them: what else of their array stands in the block. */
  readonly block: BlockLoads | null;
}

/** Stores that one chain of loads is followed past. */
const mostStoresPassed = 64;

/** More than straight-line code has use for; what opens one more ends the oldest, which most likely has all its members. */
const mostOpenChains = 256;

/** Whether pieces of one record access are merged only. */
export function isOfRecords(scope: MergeOptions["scope"]): boolean {
  return scope === "record" || scope === "vector";
}

export function chainsOf(
  list: readonly Statement[],
  kind: "load" | "store",
  options: MergeOptions,
): readonly Chain[] {
  if (!hasTwoMembers(list, kind, options)) return [];
  const chains = new Map<string, Chain>();
  const finished: Chain[] = [];
  const made = new Set<string>();
  const inFront = kind === "load" && options.hasSeveralBlocks ? slowPathsInFrontOf(list) : null;
  const closeIf = (mustClose: (chain: Chain) => boolean) => {
    for (const [key, chain] of chains) {
      if (!mustClose(chain)) continue;
      chains.delete(key);
      if (chain.accesses.length > 1 || isFirstUnclear(chain)) finished.push(chain);
    }
  };
  const shared: Access[] = [];
  const blocks = new Blocks();
  let section = 0;
  list.forEach((statement, index) => {
    forgetMadeBy(list[index - 1], made);
    // LLVM does not look beyond an `asm` (small_across_asm, half_neighbours); one in front of all that may merge parts nothing.
    const isExchange = chains.size > 0 && exchangesLanes(statement);
    if (isExchange) closeIf(isInGlobal);
    if (isExchange || (chains.size > 0 && executesAsm(statement, options.asmSites))) section++;
    const access = accessOf(statement, index, options, section);
    if (
      kind === "store" &&
      chains.size > 0 &&
      statement.kind === "evaluate" &&
      holdsBranch(statement.expression)
    )
      closeIf(() => true);
    if (!access) {
      if (chains.size === 0) return;
      if (statement.kind === "evaluate") {
        const path = slowPathOf(statement.expression, made, kind);
        if (path === "library" || path === "predicated") blocks.end();
        if (path !== "ptxas" || inFront === null)
          closeIf(({ accesses: [first] }) => first !== undefined && isPartedBy(path, first));
      }
      if (endsBlock(statement)) blocks.end();
      closeBefore(statement, kind, closeIf, options);
      return;
    }
    if (access.address.space === "shared") shared.push(access);
    const isOfKind = (access.node.kind === "load") === (kind === "load");
    closeIf((chain) => (isOfKind && kind === "load" ? false : parts(chain, access, options)));
    if (!isOfKind || access.site.isVolatile) return;
    const ownKey = chainKey(access, options);
    const isParted = inFront !== null && ownKey !== "" && knowsNoAlignment(access);
    const key = isParted ? `${ownKey}|${inFront.get(statement)}` : ownKey;
    const chain = chains.get(key);
    if (chain?.passed.some((store) => mayAlias(extentOf(store), extentOf(access))))
      closeIf((one) => one === chain);
    const open = chains.get(key);
    if (isOfBlock(access, kind, options)) blocks.add(access);
    if (open) open.accesses.push(access);
    else if (key !== "") {
      if (chains.size === mostOpenChains) {
        const [oldest] = chains.values();
        closeIf((one) => one === oldest);
      }
      const accesses = [access];
      const block = isOfBlock(access, kind, options) ? blocks.of(key, accesses) : null;
      chains.set(key, { kind, accesses, passed: [], shared, block });
    }
  });
  closeIf(() => true);
  return finished;
}

function isFirstUnclear({ accesses: [first] }: Chain): boolean {
  return first?.address.memberSeenApart === "first" && first.address.isAlignmentUnclear;
}

function forgetMadeBy(statement: Statement | undefined, made: Set<string>): void {
  if (made.size === 0 || statement?.kind !== "evaluate" || statement.expression.kind !== "assign") return;
  const { place } = statement.expression;
  if (place.kind === "variable") forgetMadeOf(place.variable.id, made);
}

/** LLVM merges within a block of its own: what ptxas makes two blocks of is one to it. In global memory it alone merges, in shared memory ptxas once more. */
function isPartedBy(path: SlowPath, access: Access): boolean {
  if (path === "none" || access.group !== null) return false;
  if (access.address.space !== "shared") return path !== "ptxas";
  return isLeftToPtxas(access) ? path !== "predicated" : path === "library";
}

/** The same of a member of a record that is copied, too: of all its members or of none, as the widest of them has it, but for words made of some. */
function knowsNoAlignment(access: Access): boolean {
  const { address, place, group, isWhole } = access;
  if (address.space !== "shared") return false;
  const record = group === null || isWhole ? null : recordAt(access);
  const members = (record && piecesOf(record)) ?? [place];
  return declaredAlignment(place, address) <= Math.max(...members.map(({ type }) => sizeOf(type) ?? 1));
}

/** What it is a part of: the element where an array is named. */
export function recordAt({ place: { pointer } }: Pick<Access, "place">): Type | null {
  let target = pointer.type.kind === "pointer" ? pointer.type.target : null;
  while (target?.kind === "array") target = target.element;
  return target;
}

/** Whether LLVM, to which all of a block's operations are one, knows too little of the alignment to merge the access itself. */
export function isLeftToPtxas({ address, place, group }: Access): boolean {
  if (address.space !== "shared" || group !== null) return false;
  return declaredAlignment(place, address) <= (sizeOf(place.type) ?? 1);
}

/** Whether LLVM knows all of the alignment that there is, or that could help in so small a record, so that nothing is left for ptxas to merge. */
function isLeftToLlvm(access: Access): boolean {
  if (access.group !== null || access.isWhole || isLeftToPtxas(access)) return false;
  const { base, modulus } = access.address;
  const recordBytes = base?.type.kind === "record" ? base.type.sizeBytes : 16;
  return declaredAlignment(access.place, access.address) >= Math.min(modulus, 16, recordBytes);
}

/** Whether there is anything that could make a chain: most lists have nothing. */
function hasTwoMembers(list: readonly Statement[], kind: "load" | "store", options: MergeOptions): boolean {
  let count = 0;
  for (const statement of list) {
    const node = accessedIn(statement);
    if (node === null || (node.kind === "load") !== (kind === "load") || !options.addresses.has(node))
      continue;
    if (isOfRecords(options.scope) && !options.groups.has(node)) continue;
    if (++count === 2) return true;
  }
  return false;
}

function chainKey({ address, group, node, place }: Access, options: MergeOptions): string {
  const isFirst = address.memberSeenApart === "first" ? "first" : "";
  if (!isOfRecords(options.scope)) return `${address.space}|${address.termsKey}${isFirst}`;
  if (group === null || address.memberSeenApart !== null) return "";
  const part = options.scope === "vector" && node.kind === "load" ? vectorPartOf(place) : 0;
  return part === null ? "" : `${group}|${address.termsKey}|${part}`;
}

/**
 * Whether an access that is no member of the chain, or a store of the chain itself, forbids that the chain goes on past it. In shared
 * memory ptxas looks at nothing: any other access does (cases shared_straight/acrossSharedStoreOther, more/acrossDisjointStore). What LLVM
 * merges parts only where it may be the same memory (members_in_place).
 */
function parts(chain: Chain, access: Access, { scope }: MergeOptions): boolean {
  const first = chain.accesses[0];
  if (!first || access.site.isVolatile) return true;
  const isMember =
    bytesBetween(first.address, access.address) !== null && first.node.kind === access.node.kind;
  const isInShared = access.address.space === "shared" && first.address.space === "shared";
  const isOfLlvm = scope === "past stores" ? !isLeftToPtxas(first) : isLeftToLlvm(first);
  if (isInShared && !isMember && !isOfLlvm) return true;
  if (chain.kind === "load") {
    chain.passed.push(access);
    return chain.passed.length > mostStoresPassed;
  }
  return !isMember && chain.accesses.some((member) => mayAlias(extentOf(member), extentOf(access)));
}

/**
 * Bytes and 16-bit values of a chain in rows with nothing between that parts them for ptxas: LLVM, which the chain was made for, looks beyond
 * other accesses of shared memory.
 */
export function rowsForPtxas(
  accesses: readonly Access[],
  { kind, shared }: Chain,
): readonly (readonly Access[])[] {
  const [first] = accesses;
  if (!first || first.bytes > 2 || first.address.space !== "shared" || isLeftToPtxas(first))
    return [accesses];
  const members = new Set(accesses);
  const parting = shared.filter((one) => !members.has(one) && (kind === "store" || one.node.kind !== "load"));
  const rows: Access[][] = [];
  for (const access of [...accesses].sort((a, b) => a.index - b.index)) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const isParted = parting.some(({ index }) => last && last.index < index && index < access.index);
    if (row && !isParted) row.push(access);
    else rows.push([access]);
  }
  return rows;
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
      if (isSelection(statement)) return;
      closeIf(isPredicated(statement, kind, options) ? isInGlobal : () => true);
      return;
    default:
      closeIf(() => true);
  }
}

/** LLVM, which alone merges there, merges within a block (forms/members_across_ifs). */
function isInGlobal({ accesses: [first] }: Chain): boolean {
  return first?.address.space !== "shared";
}

/** Shuffles and votes, which LLVM takes for changes of memory: past them it merges nothing, in shared memory ptxas does. */
function exchangesLanes(statement: Statement): boolean {
  return (
    statement.kind === "evaluate" &&
    someExpression(
      statement.expression,
      (node) => node.kind === "intrinsic" && intrinsicEffect(node.name) === "warp",
    )
  );
}

/** An atomic parts the chains of its own memory alone (cases more/atomicsBetween, shared_straight/acrossAtomic). */
function closeAcross(expression: Expression, closeIf: (mustClose: (chain: Chain) => boolean) => void): void {
  const assigned = expression.kind === "assign" && expression.place.kind === "variable";
  if (isPure(assigned ? expression.value : expression)) return;
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

/** As many statements ptxas surely predicates, the branch among them (recorded: all of these were). */
const statementsPredicated = 17;

/**
 * A branch that ptxas turns into predicated instructions, across which it merges loads of shared memory: a few loads, stores to global memory and arithmetic,
 * branches among them (cases shared_straight/acrossIf, predicated_between). A store to shared memory parts them as it does elsewhere.
 */
function isPredicated(branch: If, kind: "load" | "store", options: MergeOptions): boolean {
  if (kind === "store") return false;
  let count = 0;
  const isShort = (list: readonly Statement[]): boolean =>
    list.every((statement, index) => {
      if (statement.kind === "declare") return true;
      count++;
      if (count > statementsPredicated) return false;
      if (statement.kind === "if") return isShort(statement.whenTrue) && isShort(statement.whenFalse);
      if (statement.kind !== "evaluate") return false;
      const access = accessOf(statement, index, options);
      if (access)
        return !access.site.isVolatile && (access.node.kind === "load" || access.address.space === "global");
      return !touchesMemory(statement.expression) && !takesSlowPath(statement.expression);
    });
  return isShort([branch]);
}

function touchesMemory(expression: Expression): boolean {
  let touches = false;
  forEachExpression(expression, (node) => {
    if (isOpaque(node)) touches = true;
    if (node.kind === "assign" && node.place.kind === "memory") touches = true;
    if (node.kind === "load" && node.place.kind === "memory") touches = true;
    if (node.kind !== "intrinsic") return;
    const effect = intrinsicEffect(node.name);
    if (effect === "store" || effect === "async-copy" || effect === "matrix-store" || effect === null)
      touches = true;
  });
  return touches;
}

/** What a statement loads or stores, if it is a copy from or to memory. */
function accessedIn(statement: Statement): Load | Assign | null {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return null;
  const assign = statement.expression;
  const node = assign.place.kind === "memory" ? assign : assign.value;
  return node.kind === "load" || node.kind === "assign" ? node : null;
}

function accessOf(statement: Statement, index: number, options: MergeOptions, section = 0): Access | null {
  const node = accessedIn(statement);
  if (node === null || statement.kind !== "evaluate") return null;
  const known = options.addresses.get(node);
  if (!known || node.place.kind !== "memory" || !node.site) return null;
  const address = amongScalars(node.place, known, options);
  const isWhole = !isPieceType(node.place.type) && !isPackedHalves(node.place.type);
  const bytes = sizeOf(node.place.type) ?? 0;
  const group = options.groups.get(node) ?? null;
  return {
    index,
    statement,
    node,
    place: node.place,
    site: node.site,
    address,
    bytes,
    group,
    section,
    isWhole,
  };
}

/** By their bytes: words merge with words, 8 bytes with 8 bytes (shared_scalars/doubles; not: doubleAndWords), 2 with 2 (narrow_scalars). `Addressing` makes no such keys. */
const keysOfScalars: ReadonlyMap<number, number> = new Map([
  [4, -1],
  [8, -2],
  [2, -3],
]);

/** Of a scalar in shared memory: its address among all of them, since ptxas knows where they lie. */
function amongScalars(place: MemoryPlace, address: Address, { sharedScalars }: MergeOptions): Address {
  const termsKey = keysOfScalars.get(sizeOf(place.type) ?? 0);
  const offset = sharedScalars && scalarOffsetOf(place, sharedScalars);
  if (offset === undefined || offset === null || termsKey === undefined) return address;
  return { ...address, termsKey, constant: offset, modulus: 16, residue: offset % 16 };
}

/** Whether the access is of a scalar variable, whose neighbours are other variables. */
export function isOfScalar({ address }: Access): boolean {
  return address.termsKey < 0;
}
