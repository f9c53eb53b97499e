// What is true of every MIR function: passes are held to it in tests.
import { type Dominators, dominates, dominatorsOf } from "./dominators.ts";
import { type Block, edgesOf, type Instruction, type MirFunction, operandOf, type Value } from "./mir.ts";

/** What is wrong with the function, in words; nothing where it is well-formed. */
export function faultsIn(mir: MirFunction): readonly string[] {
  const faults: string[] = [];
  const blocks = new Set(mir.blocks);
  const dominators = dominatorsOf(mir);
  if (mir.blocks[0] !== mir.entry) faults.push("the entry is not the first block");
  for (const block of mir.blocks) {
    const name = `^${block.id}`;
    if (!dominators.has(block)) faults.push(`${name} is not reached`);
    for (const { target, arguments: given } of edgesOf(block)) {
      if (!blocks.has(target)) faults.push(`${name} goes to ^${target.id}, which is not of the function`);
      if (!target.predecessors.includes(block))
        faults.push(`^${target.id} does not know that ${name} goes to it`);
      if (given.length !== target.arguments.length)
        faults.push(`${name} gives ^${target.id} ${given.length} of ${target.arguments.length} arguments`);
      for (const [at, value] of given.entries())
        if (value.home !== target.arguments[at]?.home)
          faults.push(`${name} gives ^${target.id} a value of another home`);
    }
    for (const from of block.predecessors)
      if (!edgesOf(from).some(({ target }) => target === block))
        faults.push(`^${from.id} does not go to ${name}`);
    if (block.loop?.latch && !dominates(block, block.loop.latch, dominators))
      faults.push(`the latch of ${name} is reached otherwise`);
  }
  faults.push(...faultsOfValues(mir, dominators));
  return faults;
}

/** By the index of a home, the value that it holds; null where that hangs on the way that control took. */
type Held = ReadonlyMap<number, Value | null>;

/** Each value is defined in front of what reads it, and is what its home holds there. */
function faultsOfValues(mir: MirFunction, dominators: Dominators): readonly string[] {
  const faults: string[] = [];
  const check = (block: Block, held: Held, uses: readonly Value[], where: string) => {
    for (const value of uses) {
      const at = blockOf(value.definition) ?? mir.entry;
      if (!dominates(at, block, dominators))
        faults.push(`${where} reads %${value.id}, which may not be there`);
      const now = held.get(value.home.index);
      if (now === value || (now === undefined && value.definition === null)) continue;
      faults.push(`${where} reads %${value.id}, but its home holds ${now ? `%${now.id}` : "something else"}`);
    }
  };
  const ends = heldAtEnds(mir);
  for (const block of mir.blocks) {
    const held = heldAtStart(block, ends);
    for (const { operand, results } of block.instructions) {
      if (operand) check(block, held, operand.uses, `^${block.id}`);
      for (const value of results) held.set(value.home.index, value);
    }
    const operand = operandOf(block);
    if (operand) check(block, held, operand.uses, `the end of ^${block.id}`);
    for (const { arguments: given } of edgesOf(block))
      check(
        block,
        held,
        given.filter((value) => !isLeftBehind(value, held)),
        `an edge of ^${block.id}`,
      );
  }
  return faults;
}

/**
 * Whether it is what a home had when the function was entered, though an earlier iteration may have left something there: a variable that is
 * declared in the loop, on the way around its declaration. Nobody reads it before it is declared again.
 */
function isLeftBehind({ definition, home }: Value, held: Held): boolean {
  return definition === null && held.get(home.index) === null;
}

function heldAtEnds({ blocks }: MirFunction): ReadonlyMap<Block, Held> {
  const ends = new Map<Block, Held>();
  let hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (const block of blocks) {
      const held = heldAtStart(block, ends);
      for (const { results } of block.instructions)
        for (const value of results) held.set(value.home.index, value);
      const before = ends.get(block);
      if (
        before &&
        before.size === held.size &&
        [...held].every(([home, value]) => before.get(home) === value)
      )
        continue;
      ends.set(block, held);
      hasChanged = true;
    }
  }
  return ends;
}

/** What the blocks in front agree on, as far as they are known. */
function heldAtStart(block: Block, ends: ReadonlyMap<Block, Held>): Map<number, Value | null> {
  const before = block.predecessors.flatMap((from) => ends.get(from) ?? []);
  const held = new Map<number, Value | null>();
  for (const home of new Set(before.flatMap((one) => [...one.keys()]))) {
    const values = new Set(before.map((one) => one.get(home)));
    const [only] = values;
    held.set(home, values.size === 1 ? (only ?? null) : null);
  }
  for (const argument of block.arguments) held.set(argument.home.index, argument);
  return held;
}

function blockOf(definition: Instruction | Block | null): Block | null {
  if (definition === null) return null;
  return "operand" in definition ? definition.block : definition;
}
