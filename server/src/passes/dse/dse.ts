// Dead store elimination: drops stores that a later one covers before anybody could read them, and stores of nothing. README.md beside it is
// its page.
import type { Assign, Expression } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Loop } from "../../ir/statement.ts";
import { isPure } from "../../ir/walk.ts";
import type { Aliases } from "../../mir/aliases.ts";
import type { Block, Branch, Instruction, MirFunction } from "../../mir/mir.ts";
import { undefinedStoresIn } from "./undefined.ts";

/** What the passes before this one have made of control: DSE works within blocks, and theirs are longer than the text's. */
export interface StraightCode {
  /** Whether SimplifyCFG has made selections of the branch. */
  isSelection(branch: Branch): boolean;
  /** Whether the expression holds a branch: of a library's function, or of a selection that is none. */
  holdsBranch(expression: Expression): boolean;
  /** Whether the loop was unrolled whole. */
  isUnrolled(loop: Loop): boolean;
}

export interface StoreFacts {
  readonly aliases: Aliases;
  readonly straight: StraightCode;
}

/** Takes dead stores out of the function; gives whether there were any. */
export function eliminateDeadStores(mir: MirFunction, facts: StoreFacts): boolean {
  const ofNothing = undefinedStoresIn(mir);
  if (ofNothing.size > 0)
    for (const block of mir.blocks)
      block.instructions = block.instructions.filter((instruction) => !ofNothing.has(instruction));
  const repeated = sumsStoredTwice(mir, facts.aliases);
  if (repeated.size === 0) return ofNothing.size > 0;
  return new Elimination(mir, facts, repeated).run() || ofNothing.size > 0;
}

/** The sums of the addresses that more than one instruction stores to: no other store is covered. */
export function sumsStoredTwice({ blocks }: MirFunction, aliases: Aliases): ReadonlySet<number> {
  const once = new Set<number>();
  const twice = new Set<number>();
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      const store = instruction.kind === "store" ? assignOf(instruction) : null;
      const sum = store && aliases.sumOf(store);
      if (sum === null) continue;
      if (once.has(sum)) twice.add(sum);
      once.add(sum);
    }
  return twice;
}

interface Later {
  readonly store: Assign;
  /** Whether a branch stands in front of it, in which it is not read. */
  readonly isBehindBranch: boolean;
}

const none: readonly Later[] = [];

class Elimination {
  readonly #blocks: readonly Block[];
  readonly #aliases: Aliases;
  readonly #straight: StraightCode;
  readonly #repeated: ReadonlySet<number>;
  /** By block, the stores that cover what is stored right in front of it. */
  readonly #atStart = new Map<Block, readonly Later[]>();
  #isAnyGone = false;

  constructor({ blocks }: MirFunction, { aliases, straight }: StoreFacts, repeated: ReadonlySet<number>) {
    this.#blocks = blocks;
    this.#aliases = aliases;
    this.#straight = straight;
    this.#repeated = repeated;
  }

  run(): boolean {
    for (let at = this.#blocks.length - 1; at >= 0; at--) {
      const block = this.#blocks[at];
      if (block) this.#atStart.set(block, this.#withoutCovered(block, this.#atEnd(block, at)));
    }
    return this.#isAnyGone;
  }

  /** Drops the block's own; gives what covers in front of it. */
  #withoutCovered(block: Block, atEnd: readonly Later[]): readonly Later[] {
    const { instructions } = block;
    const gone = new Set<Instruction>();
    let covered = atEnd;
    for (let at = instructions.length - 1; at >= 0; at--) {
      const instruction = instructions[at];
      if (!instruction) continue;
      const store = eligibleStoreOf(instruction);
      const sum = store && this.#aliases.sumOf(store);
      if (store && sum !== null) {
        if (covered.some((later) => this.#covers(later, store))) {
          gone.add(instruction);
          continue;
        }
        if (this.#repeated.has(sum)) covered = [...covered, { store, isBehindBranch: false }];
      } else covered = this.#uncovered(instruction, covered);
      if (covered.some(isInFront) && this.#holdsBranch(instruction)) covered = covered.map(behindBranch);
    }
    if (gone.size > 0) {
      block.instructions = instructions.filter((instruction) => !gone.has(instruction));
      this.#isAnyGone = true;
    }
    return covered;
  }

  #covers({ store: later, isBehindBranch }: Later, store: Assign): boolean {
    return this.#aliases.covers(later, store) && (!isBehindBranch || later.site === store.site);
  }

  /** What covers at the end of a block: what does behind the construct that begins there, unless that reads it, or control leaves by it. */
  #atEnd(block: Block, at: number): readonly Later[] {
    const { terminator } = block;
    const next = terminator.kind === "jump" && terminator.origin === null ? terminator.edge.target : null;
    const loop = next && this.#blocks[at + 1] === next ? next.loop : null;
    if (loop) return this.#past(at + 1, loop.exit);
    if (next) return next.predecessors.length === 1 ? (this.#atStart.get(next) ?? none) : none;
    if (terminator.kind !== "branch" || !terminator.origin || !terminator.merge) return none;
    if (this.#straight.isSelection(terminator)) return this.#atStart.get(terminator.merge) ?? none;
    return this.#past(at + 1, terminator.merge).map(behindBranch);
  }

  /** What covers in front of the blocks from one up to another. */
  #past(first: number, end: Block | null): readonly Later[] {
    let covered = (end && this.#atStart.get(end)) ?? none;
    for (let at = first; covered.length > 0; at++) {
      const block = this.#blocks[at];
      if (!block || block === end) return covered;
      if (leavesStraightCode(block, this.#straight)) return none;
      for (const instruction of block.instructions) {
        covered = this.#uncovered(instruction, covered);
        if (this.#holdsBranch(instruction)) covered = covered.map(behindBranch);
      }
      const { terminator } = block;
      if (terminator.kind !== "branch" || !terminator.origin) continue;
      const isBranch = !this.#straight.isSelection(terminator);
      if (isBranch || this.#straight.holdsBranch(terminator.test.expression))
        covered = covered.map(behindBranch);
    }
    return covered;
  }

  /** What still covers in front of an instruction: nothing that it may read. */
  #uncovered({ kind, operand, origin }: Instruction, covered: readonly Later[]): readonly Later[] {
    if (covered.length === 0) return covered;
    if (kind === "declare") return operand === null || isPure(operand.expression) ? covered : none;
    if (!operand || origin.kind === "launch" || origin.kind === "unknown") return none;
    const { expression } = operand;
    if (expression.kind === "assign" && readsNothing(expression.value))
      return expression.place.kind === "variable" ? covered : none;
    const read = expression.kind === "assign" ? expression.value : expression;
    if (read.kind !== "load" || this.#aliases.sumOf(read) === null) return none;
    return covered.filter(({ store }) => !this.#aliases.mayAlias(store, read));
  }

  #holdsBranch({ operand }: Instruction): boolean {
    return operand !== null && this.#straight.holdsBranch(operand.expression);
  }
}

/** Whether control may leave by the end of the block, or go round in a loop that begins there. */
function leavesStraightCode(block: Block, straight: StraightCode): boolean {
  const { terminator, loop } = block;
  if (loop && !straight.isUnrolled(loop.statement)) return true;
  return terminator.kind === "jump" ? terminator.origin !== null : terminator.kind !== "branch";
}

function isInFront({ isBehindBranch }: Later): boolean {
  return !isBehindBranch;
}

function behindBranch(later: Later): Later {
  return later.isBehindBranch ? later : { store: later.store, isBehindBranch: true };
}

function assignOf({ operand }: Instruction): Assign | null {
  return operand?.expression.kind === "assign" ? operand.expression : null;
}

/** A store that does nothing else. */
function eligibleStoreOf(instruction: Instruction): Assign | null {
  const store = instruction.kind === "store" ? assignOf(instruction) : null;
  return store && !store.site?.isVolatile && isPure(store.value) ? store : null;
}

function readsNothing(value: Expression): boolean {
  if (isPure(value)) return true;
  const computes =
    value.kind === "intrinsic"
      ? ["warp", "pure"].includes(intrinsicEffect(value.name) ?? "")
      : ["binary", "unary", "convert", "conditional", "extract"].includes(value.kind);
  return computes && operandsOf(value).every(readsNothing);
}
