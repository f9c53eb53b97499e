// What addresses prove whose index a branch has compared: behind `if (i + 1 < n)`, LLVM has that sum in a register, and makes the address of `s[i]` of the
// one of `s[i + 1]` where that is accessed first. ptxas then knows no more of either than what divides the sum.
import type { Binary, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf, uint64 } from "../../ir/type.ts";
import { forEachExpression, forEachExpressionOf, partsOf } from "../walks/walk.ts";
import type { Address, Addresses } from "./address.ts";
import { declaredAlignment, promisedAlignment } from "./alignment.ts";
import { type Linear, type LinearTable, lowBit, modulo, type Terms } from "./linear.ts";

/** The sums that the branches have compared through which control came to one point. */
export class TestedIndices {
  #sums: readonly Linear[] = [];

  /** Notes what the condition compares: as it is, and widened to an index of 64 bits. */
  note(condition: Expression, linearOf: (expression: Expression) => Linear): void {
    const tests = testsIn(condition);
    if (tests.length === 0) return;
    const sums = tests.flatMap((test) =>
      [test.operand, widened(test.operand)].map((operand) => leftToCompare(linearOf(operand), test)),
    );
    this.#sums = [...this.#sums, ...sums];
  }

  get isEmpty(): boolean {
    return this.#sums.length === 0;
  }

  /** What `action` gives; what is noted in it is forgotten. */
  within<R>(action: () => R): R {
    const sums = this.#sums;
    const result = action();
    this.#sums = sums;
    return result;
  }

  /** What a constant is added to in an index that is so compared, and never without the constant; else null. */
  startOf({ terms, constant }: Linear): Terms | null {
    if (constant === 0) return null;
    const constants = this.#sums.filter((sum) => sum.terms === terms).map((sum) => sum.constant);
    return constants.includes(constant) && !constants.includes(0) ? terms : null;
  }
}

interface Test {
  readonly operand: Expression;
  readonly operator: Binary["operator"];
  readonly isWithConstant: boolean;
}

const comparisons: ReadonlySet<Binary["operator"]> = new Set(["<", "<=", ">", ">=", "==", "!="]);

const mirrored: Partial<Record<Binary["operator"], Binary["operator"]>> = {
  "<": ">",
  ">": "<",
  "<=": ">=",
  ">=": "<=",
};

function testsIn(condition: Expression): readonly Test[] {
  switch (condition.kind) {
    case "logical":
      return [...testsIn(condition.left), ...testsIn(condition.right)];
    case "unary":
    case "convert":
      return testsIn(condition.operand);
    case "binary": {
      const { operator, left, right } = condition;
      if (!comparisons.has(operator) || left.type.kind !== "integer") return [];
      const sides: readonly Test[] = [
        { operand: left, operator, isWithConstant: right.kind === "constant" },
        {
          operand: right,
          operator: mirrored[operator] ?? operator,
          isWithConstant: left.kind === "constant",
        },
      ];
      return sides.filter(({ operand }) => operand.kind !== "constant");
    }
    default:
      return [];
  }
}

/** LLVM compares `i + 1 < 9` of signed numbers as `i < 8`, and `i + 1 <= n` as `i < n`. */
function leftToCompare(sum: Linear, { operand, operator, isWithConstant }: Test): Linear {
  const isSigned = operand.type.kind === "integer" && operand.type.signed;
  const isEquality = operator === "==" || operator === "!=";
  const isOneOff = sum.constant === 1 && (operator === "<=" || operator === ">");
  const isMoved = isWithConstant ? isSigned || isEquality : isSigned && isOneOff;
  return isMoved ? { terms: sum.terms, constant: 0 } : sum;
}

function widened(operand: Expression): Expression {
  return { kind: "convert", type: uint64, operand };
}

/**
 * Narrows the alignment of addresses in shared memory by the first of those that differ by constants, where a branch has compared its index
 * (test/codegen/tested-indices.test.ts).
 */
export function limitByTests(body: readonly Statement[], addresses: Addresses, linears: LinearTable): void {
  let areAnyTested = false;
  for (const { testedStart } of addresses.values()) areAnyTested ||= testedStart !== null;
  if (!areAnyTested) return;
  const walk: Walk = { addresses, made: [], others: [] };
  visitList(body, new Firsts(null), walk);
  for (const { node, address, first } of walk.made) {
    const place = node.kind === "load" || node.kind === "assign" ? node.place : null;
    if (place?.kind !== "memory" || address.space !== "shared" || !first.testedStart) continue;
    const bytes = Math.max(sizeOf(place.type) ?? 1, promisedAlignment(place));
    const modulus = Math.max(lowBit(first.constant), bytes);
    // Where the declaration tells LLVM the alignment, it merges by itself.
    if (address.modulus <= modulus || declaredAlignment(place, address) > bytes) continue;
    const use = useOfStart(first.testedStart, bytes, walk.others, linears);
    if (use === "sure") continue;
    const isAlignmentUnclear = address.isAlignmentUnclear || use === "perhaps";
    const residue = modulo(address.constant - first.constant, modulus);
    addresses.set(node, { ...address, modulus, residue, isAlignmentUnclear });
  }
}

interface Access {
  readonly node: Expression;
  readonly address: Address;
  /** The first on the way that differs by a constant alone. */
  readonly first: Address;
}

interface Walk {
  readonly addresses: Addresses;
  /** Accesses whose first one has a sum for its index that was compared, and all others. */
  readonly made: Access[];
  readonly others: Access[];
}

/** By the terms of addresses, the first that control has passed on its way. */
class Firsts {
  readonly #own = new Map<number, Address>();
  readonly #around: Firsts | null;

  constructor(around: Firsts | null) {
    this.#around = around;
  }

  get(termsKey: number): Address | undefined {
    return this.#own.get(termsKey) ?? this.#around?.get(termsKey);
  }

  set(address: Address): void {
    this.#own.set(address.termsKey, address);
  }
}

function visitList(list: readonly Statement[], firsts: Firsts, walk: Walk): void {
  const visit = (node: Expression): void => {
    const address = walk.addresses.get(node);
    if (!address) return;
    const first = firsts.get(address.termsKey) ?? address;
    if (first === address) firsts.set(address);
    (first.testedStart ? walk.made : walk.others).push({ node, address, first });
  };
  for (const statement of list) {
    const { expressions, lists } = partsOf(statement);
    for (const expression of expressions) forEachExpression(expression, visit);
    // What each trip of a loop needs has a register of its own.
    if (statement.kind === "loop") visitTrip(statement.body, walk);
    else for (const inner of lists) visitList(inner, new Firsts(firsts), walk);
  }
}

function visitTrip(body: readonly Statement[], { addresses, others }: Walk): void {
  forEachExpressionOf(body, (node) => {
    const address = addresses.get(node);
    if (address) others.push({ node, address, first: address });
  });
}

/** Whether LLVM has what the constant is added to in a register all the same: for an index, or perhaps, as a number of bytes or of an address not in sight. */
function useOfStart(
  start: Terms,
  bytes: number,
  others: readonly Access[],
  linears: LinearTable,
): "sure" | "perhaps" | null {
  // Of a sum of several, a part may be in a register.
  let use: "perhaps" | null = start.atoms.length > 1 ? "perhaps" : null;
  for (const { node, address } of others) {
    const elementBytes = node.kind === "load" || node.kind === "assign" ? (sizeOf(node.type) ?? 0) : 0;
    const isAt = (factor: number) => {
      const left = linears.difference(address, linears.scaled({ terms: start, constant: 0 }, factor));
      return left?.constant === 0 && left.terms.atoms.length === 1;
    };
    if (isAt(elementBytes)) return "sure";
    if (isAt(bytes) || isAt(1) || (address.base === null && address.space === "shared")) use = "perhaps";
  }
  return use;
}
