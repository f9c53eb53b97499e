// Loads that registers make needless around loops: what each iteration ends with storing is there for the next one, and behind the loop. The part of
// LLVM's GVN that eliminates loads across blocks; README.md beside it is its page.
import type { Assign, Expression, Load } from "../../ir/expression.ts";
import { assign, readOf } from "../../ir/make.ts";
import { sameType, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { forEachNaming, isRemovable, type Naming } from "../../ir/walk.ts";
import type { Aliases } from "../../mir/aliases.ts";
import type { Home, Homes } from "../../mir/homes.ts";
import {
  type Block,
  type Edge,
  edgesOf,
  type Instruction,
  type MirFunction,
  type Operand,
  type Value,
} from "../../mir/mir.ts";
import { addHome, addValue, definitionOf, guardOnEdge, operandFrom, valueIn } from "../../mir/rewrite.ts";
import type { SourceRange } from "../../text/source.ts";

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
}

/** Takes such loads out of the function; gives whether there were any. */
export function eliminateLoads(mir: MirFunction, facts: LoadFacts): boolean {
  if (!mir.blocks.some(({ loop }) => loop !== null)) return false;
  return new LoadElimination(mir, facts).run();
}

interface Wanted {
  readonly instruction: Instruction;
  readonly operand: Operand;
  readonly assign: Assign;
  readonly load: Load;
  readonly range: SourceRange;
}

/** Where what is wanted is in a register: behind an instruction, or in the argument of a loop's header. */
type Available =
  | Instruction
  | { readonly header: Block; readonly entering: Available; readonly back: Available };

class LoadElimination {
  readonly #mir: MirFunction;
  readonly #facts: LoadFacts;
  /** By block in which the arms of a branch meet, the one that branches. */
  readonly #branches = new Map<Block, Block>();
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

  run(): boolean {
    let isAnyGone = false;
    for (const block of this.#mir.blocks)
      for (const instruction of [...block.instructions]) {
        const wanted = wantedOf(instruction);
        if (wanted && this.#eliminate(block, wanted)) isAnyGone = true;
      }
    return isAnyGone;
  }

  #eliminate(block: Block, wanted: Wanted): boolean {
    const [from, ...others] = block.predecessors;
    const isBesideTest = from !== undefined && others.length === 0 && isTest(from);
    const above = block.loop || isBesideTest ? this.#above(block, wanted) : null;
    if (above === null) return false;
    if (block.loop) return this.#eliminateInLoop(block, null, above, wanted);
    if (!from) return false;
    const { terminator } = from;
    if (from.loop && terminator.kind === "branch" && terminator.whenTrue.target === block)
      return this.#eliminateInLoop(from, terminator.test, above, wanted);
    const available = from.loop ? this.#atHeader(from, wanted) : this.#atEnd(from, wanted);
    if (!available) return false;
    const home = this.#home(wanted);
    replace(wanted, this.#valueOf(available, home, wanted), this.#mir);
    return true;
  }

  /** What stands in front of the load in its block; null where that says itself what is in memory. */
  #above(block: Block, wanted: Wanted): readonly Instruction[] | null {
    const above = block.instructions.slice(0, block.instructions.indexOf(wanted.instruction));
    const isPassed = above.every(
      (one) => !this.#isGivenBy(one, wanted) && !this.#mayBeChangedBy(one, wanted),
    );
    return isPassed ? above : null;
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
    replace(wanted, carry(this.#mir, header, home, { first, last }), this.#mir);
    return true;
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
    { load, operand, range }: Wanted,
  ): Value {
    const { kind, type, place, site } = load;
    const first: Load = { kind, type, place, site };
    this.#facts.passOn(load, first);
    const make = (block: Block) => definitionOf(this.#mir, home, first, { block, like: operand, range });
    const asked = test && onEdge(test, header, edge);
    if (!asked || this.#holds(asked)) {
      const made = make(from);
      from.instructions.push(made.instruction);
      return made.value;
    }
    const behind = guardOnEdge(this.#mir, from, edge, {
      test: asked,
      range: header.loop?.statement.range ?? range,
      make,
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
    const { blocks } = this.#mir;
    return blocks
      .slice(blocks.indexOf(branch) + 1, blocks.indexOf(merge))
      .every(({ instructions }) => instructions.every((one) => !this.#mayBeChangedBy(one, wanted)));
  }

  /** Whether the address is the same in all iterations of the loop. */
  #isInvariant(header: Block, { operand, load }: Wanted): boolean {
    const { blocks, homes } = this.#mir;
    const first = blocks.indexOf(header);
    const isOutside = ({ definition }: Value): boolean => {
      if (definition === null) return true;
      return blocks.indexOf("operand" in definition ? definition.block : definition) < first;
    };
    return operand.uses.every(isOutside) && !readsMemoryOf(load, homes);
  }

  #isGivenBy(instruction: Instruction, { load }: Wanted): boolean {
    const access = rangeOf(instruction) && accessOf(instruction);
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

  /** What the instruction loads or stores, in the home as well. */
  #kept(instruction: Instruction, home: Home): Value {
    const { block, operand } = instruction;
    const assigned = assignedBy(instruction);
    const range = rangeOf(instruction);
    if (!operand || !assigned || !range) throw new Error("only loads and stores leave a value");
    const { instruction: made, value } = definitionOf(this.#mir, home, assigned.value, {
      block,
      like: operand,
      range,
    });
    block.instructions.splice(block.instructions.indexOf(instruction), 0, made);
    const changed: Assign = { ...assign(assigned.place, readOf(home.variable)), site: assigned.site };
    if (instruction.kind === "store") this.#facts.passOn(assigned, changed);
    rewrite(instruction, changed, value, this.#mir);
    return value;
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

/** The load as a read of what the home holds. */
function replace({ instruction, assign: assigned }: Wanted, value: Value, mir: MirFunction): void {
  const { place } = assigned;
  rewrite(instruction, assign(place, readOf(value.home.variable)), value, mir);
}

function rewrite(instruction: Instruction, expression: Assign, value: Value, mir: MirFunction): void {
  const { operand } = instruction;
  const range = rangeOf(instruction);
  if (!operand || !range) return;
  const before = valueIn(operand);
  instruction.operand = operandFrom(expression, mir, (home) => (home === value.home ? value : before(home)));
  if (instruction.kind === "load") instruction.kind = "define";
  instruction.origin = { kind: "evaluate", expression, range };
}

/** Where the statement stands that it is; null of the step of a loop. */
function rangeOf({ origin }: Instruction): SourceRange | null {
  return origin.kind === "evaluate" ? origin.range : null;
}

function assignedBy({ operand }: Instruction): Assign | null {
  return operand?.expression.kind === "assign" ? operand.expression : null;
}

/** The load or store that it is; one without a site stands for a register already. */
function accessOf(instruction: Instruction): Load | Assign | null {
  const assigned = assignedBy(instruction);
  if (!assigned) return null;
  const access = instruction.kind === "store" ? assigned : assigned.value;
  const isAccess = access.kind === "assign" || (access.kind === "load" && instruction.kind === "load");
  return isAccess ? access : null;
}

function wantedOf(instruction: Instruction): Wanted | null {
  const { kind, operand } = instruction;
  const assigned = assignedBy(instruction);
  const range = rangeOf(instruction);
  if (kind !== "load" || !operand || assigned?.value.kind !== "load" || !assigned.value.site || !range)
    return null;
  return { instruction, operand, assign: assigned, load: assigned.value, range };
}

/** Whether the block ends with the test of a loop. */
function isTest({ terminator }: Block): boolean {
  return terminator.kind === "branch" && terminator.origin === null;
}

/** An operand of a header as it is where the loop is entered. */
function onEdge({ expression, uses }: Operand, header: Block, edge: Edge): Operand {
  const entered = (value: Value) => edge.arguments[header.arguments.indexOf(value)] ?? value;
  return { expression, uses: uses.map(entered) };
}

/** Whether it reads a variable that has no home. */
function readsMemoryOf(load: Load, homes: Homes): boolean {
  const reader = { homes, isFound: false };
  forEachNaming(load, noteInMemory, reader);
  return reader.isFound;
}

function noteInMemory(node: Naming, reader: { readonly homes: Homes; isFound: boolean }): void {
  if (node.kind === "load" && !reader.homes.byVariable.has(node.place.variable.id)) reader.isFound = true;
}
