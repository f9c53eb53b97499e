// Aggressive dead code elimination: everything is dead until something with an effect needs it. README.md beside it is its page.
import type { Assign, Expression } from "../../ir/expression.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { forEachNaming, isPure, isRemovable, type Naming, rootOf, rootVariableOf } from "../../ir/walk.ts";
import { buildMir } from "../../mir/build.ts";
import type { Homes } from "../../mir/homes.ts";
import {
  type Block,
  dropArguments,
  dropUnreached,
  type Edge,
  edgesTo,
  type Instruction,
  type MirFunction,
  type Operand,
  operandOf,
  type Region,
  type Value,
} from "../../mir/mir.ts";
import { raise } from "../../mir/raise.ts";

/** Ids of what stays although nobody reads it. */
export interface Kept {
  /** Variables of which something else may see the address. */
  readonly escaped: ReadonlySet<number>;
  /** Shared arrays. */
  readonly arrays: ReadonlySet<number>;
}

/** What of a function was dead: loads and stores, or only what accesses nothing. */
export type Dead = "accesses" | "no access" | "nothing";

/** The statements without those of which nobody reads what they load, set or store; the same list where all are needed. */
export function withoutUnread(
  body: readonly Statement[],
  kept: Kept,
): { readonly body: readonly Statement[]; readonly dead: Dead } {
  const mir = buildMir(body, kept.escaped);
  const dead = eliminateDead(mir, kept.arrays);
  return { body: dead === "nothing" ? body : raise(mir), dead };
}

/** Takes what is dead out of the function. `arrays`: ids of shared arrays whose stores stay. */
export function eliminateDead(mir: MirFunction, arrays: ReadonlySet<number>): Dead {
  const unread = new Set<number>();
  let liveness = livenessOf(mir, arrays, unread);
  // What only the stores of an array that nobody reads have needed is dead with them.
  for (let found = liveness.unreadArrays(); found.length > 0; found = liveness.unreadArrays()) {
    for (const array of found) unread.add(array);
    liveness = livenessOf(mir, arrays, unread);
  }
  return sweep(mir, liveness);
}

function livenessOf(mir: MirFunction, arrays: ReadonlySet<number>, unread: ReadonlySet<number>): Liveness {
  const liveness = new Liveness(mir, arrays, unread);
  liveness.spread();
  return liveness;
}

class Liveness {
  /** By the number of the instruction, 1 of one that is live. */
  readonly #instructions: Uint8Array;
  /** The same of arguments of blocks, by the number of the value. */
  readonly #values: Uint8Array;
  /** Blocks that end with a branch which something hangs on. */
  readonly branches = new Set<Block>();
  readonly #homes: Homes;
  readonly #arrays: ReadonlySet<number>;
  readonly #unread: ReadonlySet<number>;
  readonly #declarations = new Map<number, Instruction[]>();
  /** By the id of a shared array, the stores that nobody needs unless something but stores names the array. */
  readonly #stores = new Map<number, Instruction[]>();
  /** By store, its array. */
  readonly #arrayOf = new Map<Instruction, Variable>();
  readonly #named = new Set<number>();
  /** Those that something stands in. */
  readonly #regions = new Set<Region>();
  /** By block, those that come to it, once they were asked for. */
  readonly #edges = new Map<Block, readonly Edge[]>();
  readonly #pending: (Instruction | Value)[] = [];

  constructor(mir: MirFunction, arrays: ReadonlySet<number>, unread: ReadonlySet<number>) {
    this.#instructions = new Uint8Array(mir.instructionCount);
    this.#values = new Uint8Array(mir.valueCount);
    this.#homes = mir.homes;
    this.#arrays = arrays;
    this.#unread = unread;
    for (const block of mir.blocks) for (const instruction of block.instructions) this.#sort(instruction);
    for (const block of mir.blocks) this.#root(block);
  }

  /** Marks what the live need. */
  spread(): void {
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
      if ("home" in next) this.#incoming(next);
      else {
        this.#control(next.block);
        if (next.operand) this.#operand(next.operand, this.#arrayOf.get(next) ?? null);
      }
    }
  }

  /** Of an instruction, what makes it live. */
  #sort(instruction: Instruction): void {
    const { kind, operand, origin } = instruction;
    if (kind === "declare" && "variable" in origin) {
      const { variable } = origin;
      const isInMemory = variable.storage !== "automatic" || this.#homes.inMemory.has(variable.id);
      const isOwn = !isInMemory && (operand === null || isRemovable(operand.expression));
      if (isOwn) addTo(this.#declarations, variable.id, instruction);
      else this.#live(instruction);
      return;
    }
    const array = kind === "store" ? droppableArrayOf(instruction) : null;
    if (array && !this.#arrays.has(array.id)) {
      if (this.#unread.has(array.id)) return;
      addTo(this.#stores, array.id, instruction);
      this.#arrayOf.set(instruction, array);
    }
    if (kind === "effect" || kind === "store") this.#live(instruction);
  }

  /** What the end of a block does for itself. Loops and switches stay, whatever is left in them. */
  #root(block: Block): void {
    const { terminator, loop } = block;
    if (loop) this.#control(block);
    if (terminator.kind === "jump" && terminator.origin === null) return;
    if (terminator.kind === "branch" && terminator.origin !== null) {
      if (isPure(terminator.test.expression)) return;
      this.#branch(block);
    }
    this.#control(block);
    const operand = operandOf(block);
    if (operand) this.#operand(operand, null);
  }

  #live(instruction: Instruction): void {
    if (this.#instructions[instruction.index] === 1) return;
    this.#instructions[instruction.index] = 1;
    this.#pending.push(instruction);
    const [result] = instruction.results;
    if (result) this.named(result.home.variable);
  }

  #branch(block: Block): void {
    if (this.branches.has(block)) return;
    this.branches.add(block);
    const operand = operandOf(block);
    if (operand) this.#operand(operand, null);
  }

  /** The branches that the block stands in decide whether it is executed. */
  #control({ region }: Block): void {
    for (let at = region; at; at = at.outer) {
      if (this.#regions.has(at)) return;
      this.#regions.add(at);
      if (at.kind === "branch") this.#branch(at.block);
    }
  }

  /** What it reads, and names; but for what leads to the array that it stores to. */
  #operand({ expression, uses }: Operand, array: Variable | null): void {
    const pointer = array ? pointerOf(expression) : null;
    const named = pointer && rootVariableOf(pointer);
    for (const value of uses) if (value.home.variable !== named) this.#value(value);
    if (this.#stores.size > 0)
      forEachNaming(expression, noteNamed, { liveness: this, root: pointer && rootOf(pointer) });
  }

  isLive({ index }: Instruction): boolean {
    return this.#instructions[index] === 1;
  }

  /** Whether an argument of a block is live. */
  holds({ id }: Value): boolean {
    return this.#values[id] === 1;
  }

  /** Ids of arrays that nothing but stores names. */
  unreadArrays(): readonly number[] {
    return [...this.#stores.keys()].filter((id) => !this.#named.has(id));
  }

  #value(value: Value): void {
    const { definition } = value;
    if (definition === null) this.named(value.home.variable);
    else if ("operand" in definition) this.#live(definition);
    else if (!this.holds(value)) {
      this.#values[value.id] = 1;
      this.#pending.push(value);
    }
  }

  /** What edges give for an argument. */
  #incoming(argument: Value): void {
    const { definition: block } = argument;
    if (block === null || "operand" in block) return;
    const at = block.arguments.indexOf(argument);
    for (const edge of this.#edgesTo(block)) {
      const value = edge.arguments[at];
      if (value) this.#value(value);
    }
  }

  #edgesTo(block: Block): readonly Edge[] {
    const known = this.#edges.get(block);
    if (known) return known;
    const edges = edgesTo(block);
    this.#edges.set(block, edges);
    return edges;
  }

  /** A live expression names the variable. */
  named({ id, storage }: Variable): void {
    if (this.#named.has(id)) return;
    this.#named.add(id);
    if (storage === "automatic")
      for (const declaration of this.#declarations.get(id) ?? []) this.#live(declaration);
    // Then the pointers are needed by which stores go there.
    else for (const { operand } of this.#stores.get(id) ?? []) if (operand) this.#operand(operand, null);
  }
}

interface Reading {
  readonly liveness: Liveness;
  /** The array that is stored to, which nobody reads by that. */
  readonly root: Expression | null;
}

function noteNamed(node: Naming, { liveness, root }: Reading): void {
  if (node !== root) liveness.named(node.place.variable);
}

/** The shared array that a store goes to of which nothing else is needed; null of any other store. */
function droppableArrayOf(instruction: Instruction): Variable | null {
  const store = storeOf(instruction);
  if (store?.place.kind !== "memory" || store.site?.isVolatile) return null;
  const { pointer } = store.place;
  if (!isPure(pointer) || !isRemovable(store.value)) return null;
  const array = arrayBehind(pointer, instruction.operand?.uses ?? []);
  return array?.storage === "shared" ? array : null;
}

/** The variable that a pointer leads to, by way of values that are pointers to it; null where it is not plain to see. */
function arrayBehind(pointer: Expression, uses: readonly Value[]): Variable | null {
  const place = rootOf(pointer)?.place;
  if (place?.kind === "variable") return place.variable;
  const named = rootVariableOf(pointer);
  const definition = uses.find(({ home }) => home.variable === named)?.definition;
  if (!definition || !("operand" in definition) || definition.kind !== "define") return null;
  const assign = definition.operand?.expression;
  return assign?.kind === "assign" ? arrayBehind(assign.value, definition.operand?.uses ?? []) : null;
}

function pointerOf(expression: Expression): Expression | null {
  return expression.kind === "assign" && expression.place.kind === "memory" ? expression.place.pointer : null;
}

function storeOf({ operand }: Instruction): Assign | null {
  return operand?.expression.kind === "assign" ? operand.expression : null;
}

function sweep(mir: MirFunction, liveness: Liveness): Dead {
  let dead: Dead = "nothing";
  for (const block of mir.blocks) {
    const live: Instruction[] = [];
    for (const instruction of block.instructions)
      if (liveness.isLive(instruction)) live.push(instruction);
      else if (instruction.kind === "load" || instruction.kind === "store") dead = "accesses";
      else if (dead === "nothing") dead = "no access";
    if (live.length < block.instructions.length) block.instructions = live;
    if (block.arguments.length > 0) dropArguments(block, (argument) => !liveness.holds(argument));
  }
  let isAnyGone = false;
  for (const block of mir.blocks) {
    const { terminator } = block;
    if (
      terminator.kind !== "branch" ||
      !terminator.origin ||
      !terminator.merge ||
      liveness.branches.has(block)
    )
      continue;
    isAnyGone = true;
    block.terminator = { kind: "jump", edge: { target: terminator.merge, arguments: [] }, origin: null };
  }
  if (isAnyGone) dropUnreached(mir);
  return isAnyGone && dead === "nothing" ? "no access" : dead;
}

function addTo(lists: Map<number, Instruction[]>, id: number, instruction: Instruction): void {
  const list = lists.get(id);
  if (list) list.push(instruction);
  else lists.set(id, [instruction]);
}
