// The data of MIR: SSA with block arguments over a control-flow graph. Control stays structured, as in SPIR-V: a branch names the block in
// which its arms merge, a loop's header its latch and its exit. The right side of an instruction is an expression of the IR: a tree of pure
// operators, whose leaves that read a variable stand for values.
import type { Expression } from "../ir/expression.ts";
import type { Break, Continue, If, Loop, Return, Statement, Switch } from "../ir/statement.ts";
import type { Scalar } from "../semantics/scalar.ts";
import type { Home, Homes } from "./homes.ts";

/** What an instruction or a block argument gives to a home; it is read there until the next value takes its place. */
export interface Value {
  /** Unique within a function. */
  readonly id: number;
  readonly home: Home;
  /** Null for what the home holds when the function is entered. */
  readonly definition: Instruction | Block | null;
}

/** An expression and the values that it reads. */
export interface Operand {
  readonly expression: Expression;
  /** Of each leaf that names a variable with homes, in the order of evaluation, the values of the homes that it covers. */
  readonly uses: readonly Value[];
}

/**
 * `define`: a value of other values; `load` and `store`: one access to memory; `declare`: a variable's life begins, its homes hold nothing;
 * `effect`: what does more than that, such as an atomic, a shuffle, a call, a barrier.
 */
export interface Instruction {
  /** Its number among those of the function, in the order of the text. */
  readonly index: number;
  kind: "define" | "load" | "store" | "declare" | "effect";
  /** Null where there is nothing to evaluate. */
  operand: Operand | null;
  readonly results: readonly Value[];
  readonly block: Block;
  /** What `raise` gives back: a statement, or a step of a loop. */
  origin: Statement | Expression;
}

export interface Block {
  readonly id: number;
  arguments: Value[];
  instructions: Instruction[];
  terminator: Terminator;
  predecessors: Block[];
  /** The innermost construct around it, of a loop's header the loop; null in the straight line of the function. */
  region: Region | null;
  /** Of the header of a loop. */
  loop: LoopInfo | null;
}

/** A construct of structured control: its block branches, or is the header of a loop. */
export interface Region {
  readonly kind: "branch" | "loop" | "switch";
  readonly block: Block;
  readonly outer: Region | null;
}

export interface LoopInfo {
  readonly statement: Loop;
  /** The block that goes back to the header, with the steps in it; null where no iteration ends. */
  latch: Block | null;
  /** The block behind the loop; null where control never comes there. */
  exit: Block | null;
}

/** A way into a block: a value for each of its arguments. */
export interface Edge {
  readonly target: Block;
  arguments: Value[];
}

/** `jump` with a statement is that `break` or `continue`; without one, control goes on behind the end of a list. */
export interface Jump {
  readonly kind: "jump";
  readonly edge: Edge;
  readonly origin: Break | Continue | null;
}

/** `origin` is null where it is the test of a loop; `merge` is null where control comes to the end of no arm. */
export interface Branch {
  readonly kind: "branch";
  readonly test: Operand;
  readonly whenTrue: Edge;
  readonly whenFalse: Edge;
  merge: Block | null;
  readonly origin: If | null;
}

export interface SwitchBranch {
  readonly kind: "switch";
  readonly selector: Operand;
  readonly cases: readonly { readonly values: readonly (Scalar | null)[]; readonly edge: Edge }[];
  /** Where control goes if no case is taken; null where one always is. */
  readonly otherwise: Edge | null;
  merge: Block | null;
  readonly origin: Switch;
}

/** `value` is what the function gives back; `origin` is null at the end of its text. */
export interface ReturnTerminator {
  readonly kind: "return";
  readonly value: Operand | null;
  readonly origin: Return | null;
}

export type Terminator = Jump | Branch | SwitchBranch | ReturnTerminator;

export interface MirFunction {
  readonly entry: Block;
  /** In the order of the text, which is one in which each block stands behind those that dominate it. */
  blocks: readonly Block[];
  readonly homes: Homes;
  /** How many instructions and values were made for it: all of them have smaller numbers. */
  instructionCount: number;
  valueCount: number;
  /** What it was built from. */
  readonly body: readonly Statement[];
}

/** The edges that leave the block. */
export function edgesOf({ terminator }: Block): readonly Edge[] {
  switch (terminator.kind) {
    case "jump":
      return [terminator.edge];
    case "branch":
      return [terminator.whenTrue, terminator.whenFalse];
    case "switch": {
      const cases = terminator.cases.map(({ edge }) => edge);
      return terminator.otherwise ? [...cases, terminator.otherwise] : cases;
    }
    case "return":
      return [];
  }
}

/** What the end of the block evaluates. */
export function operandOf({ terminator }: Block): Operand | null {
  switch (terminator.kind) {
    case "jump":
      return null;
    case "branch":
      return terminator.test;
    case "switch":
      return terminator.selector;
    case "return":
      return terminator.value;
  }
}

/** The edges that come to the block; a block that branches to it both ways has two. */
export function edgesTo(block: Block): readonly Edge[] {
  return [...new Set(block.predecessors)].flatMap((from) =>
    edgesOf(from).filter(({ target }) => target === block),
  );
}

/** Takes arguments from the block, and what edges give for them. */
export function dropArguments(block: Block, isDropped: (argument: Value) => boolean): void {
  const kept = block.arguments.map((argument) => !isDropped(argument));
  if (!kept.includes(false)) return;
  for (const edge of edgesTo(block)) edge.arguments = edge.arguments.filter((_, at) => kept[at]);
  block.arguments = block.arguments.filter((_, at) => kept[at]);
}

/** Drops the blocks that control does not reach any more. */
export function dropUnreached(mir: MirFunction): void {
  const reached = new Set<Block>([mir.entry]);
  // What is added while the set is walked over is walked over as well.
  for (const block of reached) for (const { target } of edgesOf(block)) reached.add(target);
  mir.blocks = mir.blocks.filter((block) => reached.has(block));
  for (const block of mir.blocks) block.predecessors = [];
  for (const block of mir.blocks) for (const { target } of edgesOf(block)) target.predecessors.push(block);
}
