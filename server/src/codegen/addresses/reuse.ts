// What addresses prove that LLVM computes from one another: of `s[b + 4 * l]`, where `s[b + l]` was accessed before, it makes that address and
// 12 * l more (straight-line strength reduction), of which ptxas knows no more than that it is one of a word.
import type { Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import { forEachExpression, partsOf } from "../walks/walk.ts";
import type { Address, Addresses } from "./address.ts";
import { declaredAlignment, promisedAlignment } from "./alignment.ts";
import { type Atom, type LinearTable, modulo, type Terms } from "./linear.ts";

/**
 * LLVM looks back at 50 candidates, of which an address has several, and what it is computed from some more. In PTX of nvcc 13.0 an address is still
 * made from the earlier one with 9 others at constant offsets between, or with 19 that loads and stores share in pairs, and anew with 12, or with 25.
 */
const surelyInReach = 9;
const surelyOutOfReach = 32;

/**
 * Narrows the alignment of addresses in shared memory by those of accesses that every way to them has passed (cases reused_sums/sumThenQuads,
 * pitchThenQuads, threeParts, reused_steps; not: quadsThenSum, wordThenQuads, rowsThenQuads), a few addresses ago.
 */
export function limitByReuse(body: readonly Statement[], options: ReuseOptions): void {
  const { addresses, linears } = options;
  limitInList(body, { addresses, linears, computed: new Map(), passed: new Passed(null) });
}

export interface ReuseOptions {
  readonly addresses: Addresses;
  readonly linears: LinearTable;
}

interface Walk extends ReuseOptions {
  /** How many addresses were computed before each, which is computed once. */
  readonly computed: Map<string, number>;
  readonly passed: Passed;
}

interface Sum {
  readonly factor: number;
  /** How many addresses were computed before it. */
  readonly at: number;
}

/** Of the sums that stand in one index, but for one part of each: what that part was multiplied by where they were first accessed. */
class Passed {
  readonly #sums = new Map<string, Sum>();
  readonly #around: Passed | null;

  constructor(around: Passed | null) {
    this.#around = around;
  }

  sumOf(key: string): Sum | undefined {
    return this.#sums.get(key) ?? this.#around?.sumOf(key);
  }

  note(key: string, sum: Sum): void {
    this.#sums.set(key, sum);
  }
}

function limitInList(list: readonly Statement[], walk: Walk): void {
  const { addresses, linears, computed, passed } = walk;
  for (const statement of list) {
    const { expressions, lists } = partsOf(statement);
    for (const expression of expressions) forEachExpression(expression, limitAccess, walk);
    for (const inner of lists)
      limitInList(inner, { addresses, linears, computed, passed: new Passed(passed) });
  }
}

function limitAccess(node: Expression, { addresses, linears, computed, passed }: Walk): void {
  const address = addresses.get(node);
  if (!address || (node.kind !== "load" && node.kind !== "assign") || node.place.kind !== "memory") return;
  const at = positionOf(address, computed);
  if (!address.index) return;
  let nearest = Number.POSITIVE_INFINITY;
  for (const { key, factor } of partsOfSum(address.terms, address.index, linears)) {
    const before = passed.sumOf(key);
    if (before === undefined) passed.note(key, { factor, at });
    else if (before.factor !== factor) nearest = Math.min(nearest, at - before.at);
  }
  if (nearest > surelyOutOfReach) return;
  const bytes = Math.max(sizeOf(node.place.type) ?? 1, promisedAlignment(node.place));
  // Where the declaration tells LLVM the alignment, it merges by itself.
  if (address.modulus <= bytes || declaredAlignment(node.place, address) > bytes) return;
  addresses.set(
    node,
    nearest > surelyInReach
      ? { ...address, isAlignmentUnclear: true }
      : { ...address, modulus: bytes, residue: modulo(address.residue, bytes) },
  );
}

/** How many addresses were computed before this one, or before the first that differs by a constant from it. */
function positionOf({ termsKey, constant }: Address, computed: Map<string, number>): number {
  const own = `${termsKey}`;
  const first = computed.get(own) ?? computed.size;
  computed.set(own, first);
  if (constant !== 0) computed.set(`${own} ${constant}`, first);
  return first;
}

/** The parts of the index in turn, each with a key that is the same for sums that differ in what it is multiplied by; of two parts at least. */
function partsOfSum(terms: Terms, index: Terms, linears: LinearTable): { key: string; factor: number }[] {
  const parts = index.atoms.filter((id) => !isPointer(linears.atom(id)));
  if (parts.length < 2) return [];
  return parts.map((part) => {
    const rest = terms.atoms.map((id, at) => (id === part ? `${id}` : `${id}*${terms.coefficients[at]}`));
    return { key: rest.join("+"), factor: terms.coefficients[terms.atoms.indexOf(part)] ?? 0 };
  });
}

function isPointer(atom: Atom | undefined): boolean {
  return (atom?.within ?? atom)?.base != null;
}
