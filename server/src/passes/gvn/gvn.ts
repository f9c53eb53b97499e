// Loads that registers make needless across blocks: what each iteration ends with storing is there for the next one, what one arm of a branch has
// loaded is there behind it. The part of LLVM's GVN that eliminates loads across blocks; README.md beside it is its page.
import type { Assign, Expression, Load } from "../../ir/expression.ts";
import { assign, readOf } from "../../ir/make.ts";
import { sameType, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { isRemovable } from "../../ir/walk.ts";
import type { Aliases } from "../../mir/aliases.ts";
import type { Home } from "../../mir/homes.ts";
import {
  type Block,
  type Edge,
  edgesOf,
  type Instruction,
  type MirFunction,
  type Operand,
  operandOf,
  type Value,
} from "../../mir/mir.ts";
import {
  addHome,
  addValue,
  blockOnEdge,
  type Definition,
  definitionOf,
  guardOnEdge,
  valueIn,
} from "../../mir/rewrite.ts";
import type { SourceRange } from "../../text/source.ts";
import {
  accessOf,
  assignedBy,
  endsInExit,
  isEvaluated,
  isTest,
  onEdge,
  rangeOf,
  readsMemoryOf,
  rewrite,
  touchesMemory,
  type Wanted,
  wantedOf,
  withValue,
} from "./accesses.ts";

export interface LoadFacts {
  readonly aliases: Aliases;
  /** Makes a variable of a thread. */
  readonly temporary: (type: Type, name: string) => Variable;
  /** An access takes the place of another, or stands beside it. */
  readonly passOn: (from: Expression, to: Expression) => void;
  /** Whether control may not come out of it, as far as LLVM knows. */
  readonly mayNotReturn: (expression: Expression) => boolean;
  /** What an expression of integers is, by what variables are known to hold; null where that is not known. */
  readonly numberOf: (expression: Expression, known: ReadonlyMap<number, number>) => number | null;
  /** The load, said to be made more or fewer times than it stands there. */
  readonly doubted: (load: Load) => Load;
  /** Whether it is one with other accesses: a part of a vector or record. */
  readonly isPart: (load: Load) => boolean;
}

/** Takes loads out of the function whose value is in a register around loops; gives whether there were any. */
export function eliminateAroundLoops(mir: MirFunction, facts: LoadFacts): boolean {
  const pass = new LoadElimination(mir, facts);
  return pass.run((block, wanted) => pass.eliminateAroundLoop(block, wanted));
}

/** The same of loads behind branches. */
export function eliminateBehindBranches(mir: MirFunction, facts: LoadFacts): boolean {
  const pass = new LoadElimination(mir, facts);
  return pass.run((block, wanted) => pass.eliminateBehindBranch(block, wanted));
}

/** Instructions in front of a load in its block that are looked through for a branch, as LLVM gives up in long blocks. */
const mostPassed = 100;

/** The variable that takes what is loaded at the end of an arm for a load behind the branch. */
export const earlyName = "early";

/** Where what is wanted is in a register: behind an instruction, or in the argument of a loop's header. */
type Available =
  | Instruction
  | { readonly header: Block; readonly entering: Available; readonly back: Available };

class LoadElimination {
  readonly #mir: MirFunction;
  readonly #facts: LoadFacts;
  /** By block in which the arms of a branch meet, the one that branches. */
  readonly #branches = new Map<Block, Block>();
  /** What the loads that are gone have left in registers. */
  readonly #gone = new Map<Instruction, Load>();
  /** Headers that a search is within. */
  readonly #open = new Set<Block>();

  constructor(mir: MirFunction, facts: LoadFacts) {
    this.#mir = mir;
    this.#facts = facts;
    for (const block of mir.blocks) {
      const { terminator } = block;
      if (terminator.kind !== "branch" && terminator.kind !== "switch") continue;
      if (terminator.merge) this.#branches.set(terminator.merge, block);
    }
  }

  run(eliminate: (block: Block, wanted: Wanted) => boolean): boolean {
    let isAnyGone = false;
    for (const block of this.#mir.blocks)
      for (const instruction of [...block.instructions]) {
        const wanted = wantedOf(instruction);
        if (wanted && eliminate(block, wanted)) isAnyGone = true;
      }
    return isAnyGone;
  }

  /** A load at the start of an iteration or behind a loop. */
  eliminateAroundLoop(block: Block, wanted: Wanted): boolean {
    const [from, ...others] = block.predecessors;
    const isBesideTest = from !== undefined && others.length === 0 && isTest(from);
    const above = block.loop || isBesideTest ? this.#above(block, wanted) : null;
    if (above === null) return false;
    if (block.loop)
      return this.#eliminateInLoop(block, null, above, wanted) || this.#eliminateInTest(block, wanted);
    if (!from) return false;
    const { terminator } = from;
    if (from.loop && terminator.kind === "branch" && terminator.whenTrue.target === block)
      return this.#eliminateInLoop(from, terminator.test, above, wanted);
    const available = from.loop ? this.#atHeader(from, wanted) : this.#atEnd(from, wanted);
    if (!available) return false;
    const home = this.#home(wanted);
    this.#replace(wanted, this.#valueOf(available, home, wanted));
    return true;
  }

  /**
   * A load behind a branch of which an arm leaves the value in a register: the other loads it at its end (one unavailable predecessor, as LLVM has it), which
   * must be one block. Not where that would be all that a register is kept for: LLVM has such a load in the arm that reads it.
   */
  eliminateBehindBranch(block: Block, wanted: Wanted): boolean {
    const fork = this.#facts.isPart(wanted.load) ? null : this.#forkAbove(block, wanted);
    if (!fork || !this.#isMadeOf(this.#mir.blocks.indexOf(fork.branch) + 1, wanted)) return false;
    const { branch, merge } = fork;
    const arms = merge.predecessors.map((from) => ({ from, available: this.#atEnd(from, wanted) }));
    const [other, ...more] = arms.filter(({ available }) => !available);
    if (more.length > 0 || (other && other.from !== branch && !other.from.instructions.some(isEvaluated)))
      return false;
    if (!arms.some(({ available }) => available && this.#isWorthKeeping(available, branch, merge)))
      return false;
    const home = this.#home(wanted);
    for (const { from, available } of arms) {
      const staying = available && this.#stayingRegister(available);
      const end = from === branch && (staying || !available) ? blockOnEdge(this.#mir, from, merge) : from;
      const value = staying
        ? this.#copyOf(staying, home, { block: end, at: end.instructions.length, range: wanted.range })
        : available
          ? this.#valueOf(available, home, wanted)
          : this.#loadEarly(end, home, wanted);
      for (const edge of edgesOf(end)) if (edge.target === merge) edge.arguments.push(value);
    }
    const argument = addValue(this.#mir, home, merge);
    merge.arguments.push(argument);
    this.#replace(wanted, argument);
    return true;
  }

  /** The branch with accesses in its arms behind which a load stands, in the block where they meet or behind what only chooses between values. */
  #forkAbove(block: Block, wanted: Wanted): { readonly branch: Block; readonly merge: Block } | null {
    const isMet = this.#branches.has(block) && block.instructions.indexOf(wanted.instruction) <= mostPassed;
    let above = isMet ? this.#above(block, wanted) : null;
    for (let merge = block; above; ) {
      const branch = this.#branches.get(merge);
      if (branch?.terminator.kind !== "branch" || merge.predecessors.length !== 2) return null;
      if (this.#between(branch, merge).some(({ instructions }) => instructions.some(touchesMemory)))
        return { branch, merge };
      const { instructions } = branch;
      above = this.#arePassed(instructions, wanted) ? instructions : null;
      merge = branch;
    }
    return null;
  }

  /** Whether a register is kept for what is available without this load: what is loaded in front of a branch and read in it alone is loaded there. */
  #isWorthKeeping(available: Available, branch: Block, merge: Block): boolean {
    const { blocks } = this.#mir;
    if ("header" in available || available.kind !== "load") return true;
    if (blocks.indexOf(available.block) > blocks.indexOf(branch)) return true;
    const arms = new Set(this.#between(branch, merge));
    const isRead = (operand: Operand | null) =>
      operand?.uses.some((value) => available.results.includes(value)) ?? false;
    return blocks.some(
      (block) =>
        !arms.has(block) &&
        (isRead(operandOf(block)) || block.instructions.some(({ operand }) => isRead(operand))),
    );
  }

  /** What stands in front of the load in its block; null where that says itself what is in memory. */
  #above(block: Block, wanted: Wanted): readonly Instruction[] | null {
    const above = block.instructions.slice(0, block.instructions.indexOf(wanted.instruction));
    return this.#arePassed(above, wanted) ? above : null;
  }

  #arePassed(instructions: readonly Instruction[], wanted: Wanted): boolean {
    return instructions.every((one) => !this.#isGivenBy(one, wanted) && !this.#mayBeChangedBy(one, wanted));
  }

  /**
   * A load that each iteration begins with, where the one before has left the value in a register. `test`: what the iteration hangs on where the loop asks
   * that first: to LLVM it is rotated, and begins behind its test.
   */
  #eliminateInLoop(
    header: Block,
    test: Operand | null,
    above: readonly Instruction[],
    wanted: Wanted,
  ): boolean {
    const latch = header.loop?.latch;
    const entered = this.#entering(header);
    if (!latch || !entered || latch.predecessors.length !== 1) return false;
    if (!test && !isTest(latch)) return false;
    if (!this.#isInvariant(header, wanted)) return false;
    this.#open.add(header);
    const back = this.#atEnd(latch, wanted);
    const entering = back && this.#atEnd(entered.from, wanted);
    this.#open.delete(header);
    if (!back) return false;
    // What may not be reached is not loaded in front of the loop.
    const isReached = above.every(({ operand }) => !operand || !this.#facts.mayNotReturn(operand.expression));
    if (!entering && !isReached) return false;
    const home = this.#home(wanted);
    const first = entering
      ? this.#valueOf(entering, home, wanted)
      : this.#loadInFront(header, entered, test, home, wanted);
    const last = this.#valueOf(back, home, wanted);
    this.#replace(wanted, carry(this.#mir, header, home, { first, last }));
    return true;
  }

  /**
   * A load in the test of a loop, of what a register holds where the loop is entered: the first test is made in front of the loop, where the register serves,
   * and each of the others at the end of an iteration. Several ends of it LLVM may have load for themselves.
   */
  #eliminateInTest(header: Block, wanted: Wanted): boolean {
    const latch = header.loop?.latch;
    const entered = this.#entering(header);
    if (!latch || !entered || !endsInExit(header) || !this.#isInvariant(header, wanted)) return false;
    this.#open.add(header);
    const entering = this.#atEnd(entered.from, wanted);
    const back = this.#atEnd(latch, wanted);
    this.#open.delete(header);
    if (!entering) return false;
    const [end, ...more] = latch.predecessors;
    if (!end || more.length > 0 || end.terminator.kind !== "jump" || end.terminator.origin) {
      this.#doubt(wanted);
      return true;
    }
    const home = this.#home(wanted);
    const first = this.#valueOf(entering, home, wanted);
    const last = back ? this.#valueOf(back, home, wanted) : this.#loadAtEnd(end, home, wanted);
    this.#replace(wanted, carry(this.#mir, header, home, { first, last }));
    return true;
  }

  #doubt({ instruction, operand, assign: { place }, load }: Wanted): void {
    rewrite(instruction, assign(place, this.#facts.doubted(load)), valueIn(operand), this.#mir);
  }

  /** The load as a read of what the home holds. */
  #replace({ instruction, operand, assign: { place }, load }: Wanted, value: Value): void {
    rewrite(instruction, assign(place, readOf(value.home.variable)), withValue(value, operand), this.#mir);
    instruction.kind = "define";
    this.#gone.set(instruction, load);
  }

  /** Loads at the end of an arm; the home takes a copy. */
  #loadEarly(block: Block, home: Home, wanted: Wanted): Value {
    const early = this.#loadAtEnd(
      block,
      addHome(this.#mir, this.#facts.temporary(wanted.load.type, earlyName)),
      wanted,
    );
    const like = { expression: wanted.load, uses: [early] };
    const { range } = wanted;
    const { instruction, value } = definitionOf(this.#mir, home, readOf(early.home.variable), {
      block,
      like,
      range,
    });
    block.instructions.push(instruction);
    return value;
  }

  #loadAtEnd(block: Block, home: Home, wanted: Wanted): Value {
    const { instruction, value } = this.#loadIn(block, home, wanted);
    block.instructions.push(instruction);
    return value;
  }

  /** The same load once more, which stands in no block yet. */
  #loadIn(block: Block, home: Home, { load, operand, range }: Wanted): Definition {
    const { kind, type, place, site } = load;
    const copy: Load = { kind, type, place, site };
    this.#facts.passOn(load, copy);
    return definitionOf(this.#mir, home, copy, { block, like: operand, range });
  }

  #home({ load }: Wanted): Home {
    return addHome(this.#mir, this.#facts.temporary(load.type, "held"));
  }

  /** Loads in front of the loop, by those alone that make an iteration; gives what the home holds in front of it. */
  #loadInFront(
    header: Block,
    { from, edge }: Entering,
    test: Operand | null,
    home: Home,
    wanted: Wanted,
  ): Value {
    const asked = test && onEdge(test, header, edge);
    if (!asked || this.#holds(asked)) return this.#loadAtEnd(from, home, wanted);
    const behind = guardOnEdge(this.#mir, from, edge, {
      test: asked,
      range: header.loop?.statement.range ?? wanted.range,
      make: (block) => this.#loadIn(block, home, wanted),
    });
    if (behind.definition && "predecessors" in behind.definition) this.#branches.set(behind.definition, from);
    return behind;
  }

  /** Whether a test surely holds, by what constants say. */
  #holds({ expression, uses }: Operand): boolean {
    const known = new Map<number, number>();
    for (const { home, definition } of uses) {
      const value = definition && "operand" in definition ? assignedBy(definition)?.value : null;
      if (value?.kind === "constant" && typeof value.value === "number" && home.offsetBytes === 0)
        known.set(home.variable.id, value.value);
    }
    return (this.#facts.numberOf(expression, known) ?? 0) !== 0;
  }

  /** Where the value of the memory is at the end of a block; null where it is in no register. */
  #atEnd(block: Block, wanted: Wanted): Available | null {
    for (let at = block.instructions.length - 1; at >= 0; at--) {
      const instruction = block.instructions[at];
      if (!instruction) continue;
      if (this.#isGivenBy(instruction, wanted)) return instruction;
      if (this.#mayBeChangedBy(instruction, wanted)) return null;
    }
    if (block.loop) return this.#atHeader(block, wanted);
    const [from, ...others] = block.predecessors;
    if (from && others.length === 0) return this.#atEnd(from, wanted);
    const branch = this.#branches.get(block);
    return branch && this.#leavesMemory(branch, block, wanted) ? this.#atEnd(branch, wanted) : null;
  }

  #atHeader(header: Block, wanted: Wanted): Available | null {
    const latch = header.loop?.latch;
    const entered = this.#entering(header);
    if (!latch || !entered || this.#open.has(header) || !this.#isInvariant(header, wanted)) return null;
    this.#open.add(header);
    const back = this.#atEnd(latch, wanted);
    const entering = back && this.#atEnd(entered.from, wanted);
    this.#open.delete(header);
    return back && entering ? { header, entering, back } : null;
  }

  /** Whether nothing between a branch and the block in which its arms meet may change what is wanted. */
  #leavesMemory(branch: Block, merge: Block, wanted: Wanted): boolean {
    return this.#between(branch, merge).every(({ instructions }) =>
      instructions.every((one) => !this.#mayBeChangedBy(one, wanted)),
    );
  }

  /** The blocks of a branch's arms. */
  #between(branch: Block, merge: Block): readonly Block[] {
    const { blocks } = this.#mir;
    return blocks.slice(blocks.indexOf(branch) + 1, blocks.indexOf(merge));
  }

  /** Whether the address is the same in all iterations of the loop. */
  #isInvariant(header: Block, wanted: Wanted): boolean {
    return this.#isMadeOf(this.#mir.blocks.indexOf(header), wanted);
  }

  /** Whether the address is made of values of so many blocks from the first on. */
  #isMadeOf(count: number, { operand, load }: Wanted): boolean {
    const { blocks, homes } = this.#mir;
    const isOutside = ({ definition }: Value): boolean => {
      if (definition === null) return true;
      return blocks.indexOf("operand" in definition ? definition.block : definition) < count;
    };
    return operand.uses.every(isOutside) && !readsMemoryOf(load, homes);
  }

  #isGivenBy(instruction: Instruction, { load }: Wanted): boolean {
    const access = this.#gone.get(instruction) ?? (rangeOf(instruction) && accessOf(instruction));
    if (access?.site?.isVolatile !== false || !this.#facts.aliases.isSamePlace(access, load)) return false;
    return sameType(access.kind === "assign" ? access.value.type : access.type, load.type);
  }

  #mayBeChangedBy(instruction: Instruction, { load }: Wanted): boolean {
    const { kind, operand } = instruction;
    if (kind === "effect") return true;
    if (kind === "declare") return operand !== null && !isRemovable(operand.expression);
    const access = kind === "store" ? accessOf(instruction) : null;
    return access !== null && this.#facts.aliases.mayAlias(access, load);
  }

  /** The edge by which a loop is entered; null where there are several. */
  #entering(header: Block): Entering | null {
    const [from, ...others] = header.predecessors.filter((one) => one !== header.loop?.latch);
    const edge = from && edgesOf(from).find(({ target }) => target === header);
    return from && edge && others.length === 0 && from.terminator.kind === "jump" ? { from, edge } : null;
  }

  /** What is available, in the home. */
  #valueOf(available: Available, home: Home, wanted: Wanted): Value {
    if (!("header" in available)) return this.#kept(available, home);
    const { header, entering, back } = available;
    const first = this.#valueOf(entering, home, wanted);
    const last = this.#valueOf(back, home, wanted);
    return carry(this.#mir, header, home, { first, last });
  }

  /** The instruction, if what it leaves stays in its variable for good: nothing else assigns that. */
  #stayingRegister(available: Available): Instruction | null {
    if ("header" in available || available.kind === "store") return null;
    const isOnlyValue = ({ home }: Value) =>
      this.#mir.blocks.every(
        ({ arguments: given, instructions }) =>
          given.every((one) => one.home !== home) &&
          instructions.every((one) => one === available || one.results.every((each) => each.home !== home)),
      );
    return available.results.every(isOnlyValue) ? available : null;
  }

  /** What an instruction has left in its variable, copied to the home. */
  #copyOf(
    instruction: Instruction,
    home: Home,
    { block, at, range }: { readonly block: Block; readonly at: number; readonly range: SourceRange },
  ): Value {
    const assigned = assignedBy(instruction);
    if (assigned?.place.kind !== "variable") throw new Error("only variables are copied");
    const read: Load = { kind: "load", type: assigned.type, place: assigned.place, site: null };
    const like = { expression: read, uses: instruction.results };
    const copy = definitionOf(this.#mir, home, read, { block, like, range });
    block.instructions.splice(at, 0, copy.instruction);
    return copy.value;
  }

  /** What the instruction loads or stores, in the home as well. */
  #kept(instruction: Instruction, home: Home): Value {
    const { block, operand } = instruction;
    const assigned = assignedBy(instruction);
    const range = rangeOf(instruction);
    if (!operand || !assigned || !range) throw new Error("only loads and stores leave a value");
    const at = block.instructions.indexOf(instruction);
    if (instruction.kind !== "store") return this.#copyOf(instruction, home, { block, at: at + 1, range });
    const made = definitionOf(this.#mir, home, assigned.value, { block, like: operand, range });
    block.instructions.splice(at, 0, made.instruction);
    const changed: Assign = { ...assign(assigned.place, readOf(home.variable)), site: assigned.site };
    this.#facts.passOn(assigned, changed);
    rewrite(instruction, changed, withValue(made.value, operand), this.#mir);
    return made.value;
  }
}

interface Entering {
  readonly from: Block;
  readonly edge: Edge;
}

/** Hands a value from iteration to iteration in a home: gives the argument of the header. */
function carry(
  mir: MirFunction,
  header: Block,
  home: Home,
  { first, last }: { readonly first: Value; readonly last: Value },
): Value {
  const argument = addValue(mir, home, header);
  header.arguments.push(argument);
  for (const from of new Set(header.predecessors))
    for (const edge of edgesOf(from))
      if (edge.target === header) edge.arguments.push(from === header.loop?.latch ? last : first);
  return argument;
}
