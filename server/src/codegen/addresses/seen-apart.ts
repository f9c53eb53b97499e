// Members of a vector that LLVM does not see side by side. It tells by scalar evolution how far two addresses are from one another, and that multiplies
// out an index of two terms, but not one of three of which one is a product: the member at the start, to which no constant is added, then has another form
// than the rest (fixtures/forms/wide_stores.cu).
import type { AccessSite, Assign, Expression, Load } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { isScalar, sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { RecordGroups } from "../linearise/context.ts";
import { isPackedHalves } from "../linearise/layout.ts";
import { assignedVariables, forEachExpression, partsOf, someExpressionOf } from "../walks/walk.ts";
import { type Addresses, idOfKey, variableKey } from "./address.ts";
import { type Held, type Sum, sumOfIndex, sumOfPointer, type Term, termOf } from "./index-sums.ts";

export interface SeenApartOptions {
  readonly addresses: Addresses;
  readonly groups: RecordGroups;
  /** Sites that CUDA's header reads by `asm`. */
  readonly asmSites: ReadonlySet<AccessSite>;
  readonly parameters: readonly Variable[];
}

/** Says of the addresses of such members that they are seen apart, or that this is unclear. */
export function noteSeenApart(body: readonly Statement[], options: SeenApartOptions): void {
  if (!someExpressionOf(body, makesVectorOfScalars)) return;
  const walk = new Walk(options);
  walk.list(body);
  const { addresses } = options;
  const stores = [...walk.stores.values()];
  const wholes = [...walk.wholes, ...stores.filter(isSeenWhole).flat()];
  for (const each of stores) noteStores(each, wholes, addresses);
  const loads = walk.loads.filter((member) => !isToldBeside(member, walk.loads, wholes, addresses));
  for (const member of loads) noteMembers([member], "unclear", addresses);
}

/** `reinterpret_cast<float4 *>(p)`: members of what is counted in vectors from the start are seen side by side. */
function makesVectorOfScalars(node: Expression): boolean {
  if (targetOf(node.type)?.kind !== "record") return false;
  const scalars = scalarsFrom(node);
  return scalars !== null && isScalar(scalars);
}

/** What the pointer led to before it was converted; a conversion of a sum may be part of the sum. */
function scalarsFrom(node: Expression): Type | null {
  if (node.kind === "convert") return targetOf(node.operand.type);
  if (node.kind === "offset") return targetOf(node.pointer.type);
  return node.kind === "address" ? node.place.type : null;
}

function targetOf(type: Type): Type | null {
  return type.kind === "pointer" ? type.target : null;
}

/** A vector that is loaded whole, or stored so, tells ptxas how its neighbours are aligned (wide_stores/warpTile, changedInPlace). */
interface Whole {
  readonly node: Load | Assign;
  /** The list of statements that it stands in. */
  readonly block: readonly Statement[];
}

function isSeenWhole(stores: readonly Member[]): boolean {
  return stores.length > 1 && stores.every(({ sum }) => sum.constant !== 0);
}

interface Member extends Whole {
  readonly sum: Sum;
  /** Of a store, where the value comes from. */
  readonly origin: Origin;
  /** How many stores stand in front of it. */
  readonly storeCount: number;
}

/** What was loaded as a whole moves as one vector; what was computed, or loaded by `__ldg`, is stored member by member. */
type Origin = "loaded whole" | "built" | "unclear";

function noteStores(stores: readonly Member[], wholes: readonly Whole[], addresses: Addresses): void {
  const [first] = stores;
  if (!first || stores.every(({ origin }) => origin === "loaded whole")) return;
  const { termsKey } = addresses.get(first.node) ?? {};
  const beside = wholes.filter(({ node }) => addresses.get(node)?.termsKey === termsKey);
  if (beside.some(({ block }) => block === first.block)) return;
  const isBuilt = stores.some(({ origin }) => origin === "built");
  noteMembers(stores, isBuilt && beside.length === 0 ? "built" : "unclear", addresses);
}

/** Whether ptxas makes one of the loads of a vector, with no store between: another vector beside them tells it how they lie. */
function isToldBeside(
  { node, block, sum, storeCount }: Member,
  loads: readonly Member[],
  wholes: readonly Whole[],
  addresses: Addresses,
): boolean {
  const key = addresses.get(node)?.termsKey;
  const isNear = (other: Whole) => other.block === block && addresses.get(other.node)?.termsKey === key;
  const vector = Math.floor(sum.constant / 16);
  return (
    wholes.some(isNear) &&
    loads.every(
      (other) =>
        other.storeCount === storeCount || Math.floor(other.sum.constant / 16) !== vector || !isNear(other),
    )
  );
}

function noteMembers(members: readonly Member[], origin: Origin, addresses: Addresses): void {
  for (const { node, sum } of members) {
    const address = addresses.get(node);
    const isApart = isSeenApart(sum, sizeOf(node.place.type) ?? 1);
    if (!address || isApart === "no") continue;
    // In shared memory ptxas may see what LLVM does not.
    const isWhole = isApart === "factored" || address.space === "shared";
    const isUnclear = isApart === "unclear" || origin !== "built" || isWhole;
    const isAlignmentUnclear = isUnclear || address.isAlignmentUnclear;
    const member = sum.constant === 0 ? "first" : "later";
    addresses.set(node, { ...address, isAlignmentUnclear, memberSeenApart: isWhole ? null : member });
  }
}

/** `factored`: most often not, for LLVM takes out a factor that two terms have in common, and may be left with two. */
function isSeenApart({ terms, elementBytes }: Sum, bytes: number): "yes" | "no" | "unclear" | "factored" {
  if (elementBytes !== bytes || bytes === 1 || terms.length < 3) return "no";
  if (terms.every(({ isMultiple }) => isMultiple === "no")) return "no";
  if (haveFactorInCommon(terms)) return "factored";
  const isSure = terms.some(({ isMultiple }) => isMultiple === "yes") && !mayBeFewer(terms);
  return isSure && !terms.some(({ varies }) => varies) ? "yes" : "unclear";
}

/** Whether two terms of 64 bits are products of one constant, or one is a factor of another: `y * W * 2 + V * 2 + x`, `y * W + W + x`. */
function haveFactorInCommon(terms: readonly Term[]): boolean {
  if (terms.some(({ factors = [] }) => factors.some((factor) => terms.includes(factor)))) return true;
  const wide = terms.filter(({ extension, divisor }) => extension === null && divisor > 1);
  return new Set(wide.map(({ divisor }) => divisor)).size < wide.length;
}

/** Whether LLVM may add up two terms before they are 64 bits wide: the first two in the text, or the two of the lowest ranks. */
function mayBeFewer(terms: readonly Term[]): boolean {
  return terms.some((a, index) =>
    terms.slice(0, index).some((b) => {
      const lower = Math.min(a.rank, b.rank) - rankSlack;
      const areFirst = index === 1;
      const areLowest = terms.every((term) => term === a || term === b || term.rank >= lower);
      return (areFirst || areLowest) && isOneSum(a, b);
    }),
  );
}

/** Operations that LLVM may make of more or fewer. */
const rankSlack = 1;

/** Products of one factor, or what cannot overflow: neither in its ranges nor in bits that both may have. */
function isOneSum(a: Term, b: Term): boolean {
  if (a.extension !== b.extension) return false;
  if (a.extension === null) return a.divisor === b.divisor;
  const areApart = a.range.most < b.divisor || b.range.most < a.divisor;
  return areApart || a.range.most + b.range.most < 2 ** 31;
}

/** Follows what variables hold, in the order of the text. */
class Walk implements Held {
  /** The members that are stored as one, by their group. */
  readonly stores = new Map<number, Member[]>();
  /** The parts of vectors that are loaded whole. */
  readonly wholes: Whole[] = [];
  /** Members that are loaded one by one. */
  readonly loads: Member[] = [];
  readonly #groups: RecordGroups;
  readonly #asmSites: ReadonlySet<AccessSite>;
  readonly #parameters: ReadonlyMap<number, number>;
  readonly #terms = new Map<number, Term>();
  readonly #sums = new Map<number, Sum>();
  readonly #varying = new Set<number>();
  #block: readonly Statement[] = [];
  #storeCount = 0;
  /** Of parts of variables, by their key. */
  readonly #origins = new Map<number, Origin>();

  constructor({ groups, asmSites, parameters }: SeenApartOptions) {
    this.#groups = groups;
    this.#asmSites = asmSites;
    this.#parameters = new Map(parameters.map(({ id }, index) => [id, index]));
  }

  termOf(id: number): Term | undefined {
    return this.#terms.get(id);
  }

  sumOf(id: number): Sum | undefined {
    return this.#sums.get(id);
  }

  parameterOf(id: number): number | undefined {
    return this.#parameters.get(id);
  }

  varies(id: number): boolean {
    return this.#varying.has(id);
  }

  list(statements: readonly Statement[]): void {
    const around = this.#block;
    this.#block = statements;
    for (const statement of statements) this.#statement(statement);
    this.#block = around;
  }

  #statement(statement: Statement): void {
    if (statement.kind === "loop") {
      const assigned = assignedVariables(statement.body, statement.step);
      this.#forget(assigned);
      const before = new Set(this.#varying);
      for (const id of assigned) this.#varying.add(id);
      this.list(statement.body);
      this.#forget(assigned);
      for (const id of assigned) if (!before.has(id)) this.#varying.delete(id);
      return;
    }
    const { expressions, lists } = partsOf(statement);
    for (const each of expressions) forEachExpression(each, (node) => this.#expression(node));
    if (statement.kind === "declare" && statement.initializer)
      this.#assign(statement.variable.id, statement.initializer);
    const isWay = statement.kind !== "block";
    for (const list of lists) {
      this.list(list);
      if (isWay) this.#forget(assignedVariables(list));
    }
  }

  #expression(node: Expression): void {
    if (node.kind !== "load" && node.kind !== "assign") return;
    const { place } = node;
    if (place.kind === "memory") {
      this.#member(node);
      if (node.kind === "assign") this.#storeCount++;
      return;
    }
    if (node.kind !== "assign") return;
    this.#origins.set(variableKey(place.variable, place.offsetBytes), this.#originOf(node.value));
    if (place.offsetBytes === 0) this.#assign(place.variable.id, node.value);
  }

  #member(node: Load | Assign): void {
    const { place } = node;
    if (place.kind !== "memory") return;
    const vector = targetOf(place.pointer.type);
    if (vector?.kind !== "record" || isPackedHalves(vector)) return;
    const group = this.#groups.get(node);
    const block = this.#block;
    if (node.kind === "load" && group !== undefined) {
      this.wholes.push({ node, block });
      return;
    }
    const inner = sumOfPointer(place.pointer, this);
    const sum = { ...inner, constant: inner.constant + place.offsetBytes };
    const storeCount = this.#storeCount;
    if (node.kind === "load") {
      this.loads.push({ node, block, sum, origin: "built", storeCount });
      return;
    }
    const member = { node, block, sum, origin: this.#originOf(node.value), storeCount };
    const stores = group === undefined ? undefined : this.stores.get(group);
    if (stores) stores.push(member);
    else this.stores.set(group ?? -1 - this.stores.size, [member]);
  }

  #assign(id: number, value: Expression): void {
    const { kind } = value.type;
    if (kind === "pointer") this.#sums.set(id, sumOfPointer(value, this));
    else if (kind === "integer" && value.type.bits === 64) this.#sums.set(id, sumOfIndex(value, this));
    else if (kind === "integer" || kind === "boolean") this.#terms.set(id, termOf(value, this));
  }

  #originOf(value: Expression): Origin {
    if (value.kind === "constant") return "unclear";
    if (value.kind !== "load") return "built";
    if (value.place.kind === "memory") return this.#isLoadedWhole(value) ? "loaded whole" : "built";
    const { variable, offsetBytes } = value.place;
    const origin = this.#origins.get(variableKey(variable, offsetBytes)) ?? "unclear";
    return origin === "loaded whole" && variable.type.kind === "array" ? "unclear" : origin;
  }

  /** CUDA's header takes what `__ldg` loads apart. */
  #isLoadedWhole(load: Load): boolean {
    return this.#groups.has(load) && !(load.site && this.#asmSites.has(load.site));
  }

  #forget(ids: ReadonlySet<number>): void {
    for (const id of ids) {
      this.#terms.delete(id);
      this.#sums.delete(id);
    }
    for (const key of [...this.#origins.keys()]) if (ids.has(idOfKey(key))) this.#origins.delete(key);
  }
}
