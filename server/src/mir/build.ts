// Builds MIR from linear IR: one access a statement, control structured. Values are numbered as control goes; where edges meet, a block takes
// an argument for each home that holds different values on them.
import type { Expression } from "../ir/expression.ts";
import { forEachStatement } from "../ir/operands.ts";
import type { If, Loop, Statement, Switch } from "../ir/statement.ts";
import { forEachNaming, isRemovable, type Naming } from "../ir/walk.ts";
import { type Home, type Homes, homesAt, homesIn } from "./homes.ts";
import { Journal } from "./journal.ts";
import {
  type Block,
  type Edge,
  edgesOf,
  type Instruction,
  type MirFunction,
  type Operand,
  type Region,
  type SwitchBranch,
  type Terminator,
  type Value,
} from "./mir.ts";

/** `escaped`: ids of variables whose address something may see; they stay in memory. */
export function buildMir(body: readonly Statement[], escaped: ReadonlySet<number>): MirFunction {
  const builder = new Builder(homesIn(body, escaped));
  return builder.function(body);
}

/** An edge that is on its way to a block which is not open yet, with what the homes that may differ there hold on it. */
interface Incoming {
  readonly edge: Edge;
  readonly values: readonly Value[];
}

/** Where `break` and `continue` go. */
interface Target {
  /** The homes that the construct assigns. */
  readonly assigned: readonly Home[];
  readonly exit: Block;
  readonly breaks: Incoming[];
  /** Of a loop. */
  readonly latch: Block | null;
  readonly continues: Incoming[];
  readonly outer: Target | null;
}

class Builder {
  readonly #homes: Homes;
  readonly #blocks: Block[] = [];
  readonly #held: Journal<Value>;
  readonly #reader: Reader;
  #nextValue = 0;
  #nextInstruction = 0;
  #nextBlock = 0;
  /** Where instructions go; null where control does not come. */
  #block: Block | null = null;
  #region: Region | null = null;
  #target: Target | null = null;

  constructor(homes: Homes) {
    this.#homes = homes;
    this.#held = new Journal(homes.all.map((home) => this.#value(home, null)));
    this.#reader = { uses: none, homes, held: this.#held };
  }

  function(body: readonly Statement[]): MirFunction {
    const entry = this.#open(this.#newBlock());
    this.#block = entry;
    this.#list(body);
    if (this.#block) this.#end(this.#block, { kind: "return", value: null, origin: null });
    return {
      entry,
      blocks: this.#blocks,
      homes: this.#homes,
      instructionCount: this.#nextInstruction,
      valueCount: this.#nextValue,
      body,
    };
  }

  #list(statements: readonly Statement[]): void {
    for (const statement of statements) {
      // What stands behind a jump is never reached.
      if (!this.#block) return;
      this.#statement(statement, this.#block);
    }
  }

  #statement(statement: Statement, block: Block): void {
    switch (statement.kind) {
      case "evaluate":
        this.#evaluate(statement.expression, statement, block);
        return;
      case "declare": {
        const { variable, initializer } = statement;
        const operand = initializer && this.#operand(initializer);
        const homes = operand ? this.#homes.byVariable.get(variable.id) : undefined;
        this.#instruction("declare", operand, statement, homes ?? [], block);
        return;
      }
      case "block":
        this.#list(statement.body);
        return;
      case "if":
        this.#branch(statement, block);
        return;
      case "loop":
        this.#loop(statement, block);
        return;
      case "switch":
        this.#switch(statement, block);
        return;
      case "break":
      case "continue":
        this.#jump(statement, block);
        return;
      case "return": {
        const value = statement.value && this.#operand(statement.value);
        this.#end(block, { kind: "return", value, origin: statement });
        return;
      }
      case "barrier":
        this.#instruction("effect", null, statement, [], block);
        return;
      case "unknown":
        this.#anything(statement, block);
        return;
      case "launch": {
        const { kernel, grid, block: shape, sharedBytes, arguments: given } = statement;
        const parts = [
          ...(typeof kernel === "string" ? [] : [kernel]),
          grid,
          shape,
          ...(sharedBytes ? [sharedBytes] : []),
          ...given,
        ];
        const expression: Expression = {
          kind: "sequence",
          type: nothing.type,
          effects: parts,
          result: nothing,
        };
        this.#instruction("effect", this.#operand(expression), statement, [], block);
      }
    }
  }

  /** What is not understood, or is no code: it may read all. */
  #anything(statement: Statement, block: Block): void {
    this.#instruction("effect", { expression: nothing, uses: this.#held.all() }, statement, [], block);
  }

  #evaluate(expression: Expression, origin: Statement | Expression, block: Block): void {
    const operand = this.#operand(expression);
    if (expression.kind !== "assign") {
      this.#instruction(isRemovable(expression) ? "define" : "effect", operand, origin, [], block);
      return;
    }
    if (expression.place.kind === "memory") {
      this.#instruction("store", operand, origin, [], block);
      return;
    }
    const homes = homesAt(expression.place, this.#homes);
    const { value } = expression;
    const isLoad = value.kind === "load" && value.place.kind === "memory";
    const isDefined = homes.length > 0 && isRemovable(value);
    this.#instruction(!isDefined ? "effect" : isLoad ? "load" : "define", operand, origin, homes, block);
  }

  #operand(expression: Expression): Operand {
    const reader = this.#reader;
    reader.uses = none;
    forEachNaming(expression, noteUses, reader);
    return { expression, uses: reader.uses };
  }

  #instruction(
    kind: Instruction["kind"],
    operand: Operand | null,
    origin: Instruction["origin"],
    homes: readonly Home[],
    block: Block,
  ): void {
    const results: Value[] = homes.length === 0 ? none : [];
    const instruction: Instruction = {
      index: this.#nextInstruction++,
      kind,
      operand,
      results,
      block,
      origin,
    };
    for (const home of homes) {
      const value = this.#value(home, instruction);
      results.push(value);
      this.#held.set(home.index, value);
    }
    block.instructions.push(instruction);
  }

  #branch(statement: If, block: Block): void {
    const test = this.#operand(statement.condition);
    const outer = this.#region;
    const merge = this.#newBlock();
    this.#region = { kind: "branch", block, outer };
    const left = this.#arm(statement.whenTrue, merge);
    const right = this.#arm(statement.whenFalse, merge);
    this.#region = outer;
    const origin = statement;
    const isMet = left.incoming !== null || right.incoming !== null;
    this.#end(block, {
      kind: "branch",
      test,
      whenTrue: left.edge,
      whenFalse: right.edge,
      merge: isMet ? merge : null,
      origin,
    });
    const changed = new Set([...left.changes.keys(), ...right.changes.keys()]);
    const homes = [...changed].flatMap((index) => this.#homes.all[index] ?? []);
    const incoming = [left, right].flatMap(({ incoming: edge, changes }) =>
      edge ? [{ edge, values: homes.map(({ index }) => changes.get(index) ?? this.#held.get(index)) }] : [],
    );
    this.#block = this.#join(merge, homes, incoming);
  }

  /** An arm of a branch: the edge into it, the edge from its end to `merge`, and what its homes hold there. */
  #arm(
    list: readonly Statement[],
    merge: Block,
  ): { readonly edge: Edge; readonly incoming: Edge | null; readonly changes: ReadonlyMap<number, Value> } {
    if (list.length === 0) {
      const edge = edgeTo(merge);
      return { edge, incoming: edge, changes: new Map() };
    }
    const mark = this.#held.mark();
    const edge = edgeTo(this.#newBlock());
    this.#block = this.#open(edge.target);
    this.#list(list);
    const incoming = this.#block ? edgeTo(merge) : null;
    if (this.#block && incoming) this.#end(this.#block, { kind: "jump", edge: incoming, origin: null });
    return { edge, incoming, changes: this.#held.takeBack(mark) };
  }

  #loop(statement: Loop, before: Block): void {
    const assigned = this.#carriedBy(statement);
    const outer = this.#region;
    const entering = this.#edgeFrom(before, this.#newBlock());
    const header = entering.target;
    const region: Region = { kind: "loop", block: header, outer };
    header.region = region;
    this.#region = region;
    const mark = this.#held.mark();
    this.#open(header);
    for (const home of assigned) {
      entering.arguments.push(this.#held.get(home.index));
      const argument = this.#value(home, header);
      header.arguments.push(argument);
      this.#held.set(home.index, argument);
    }
    const target = this.#enter(assigned, "loop");
    header.loop = { statement, latch: null, exit: null };
    const { condition, test } = statement;
    this.#block = header;
    if (condition && test === "top") this.#block = this.#test(condition, { header, stays: null, target });
    this.#list(statement.body);
    if (this.#block) this.#to(target.latch, target.continues, null, this.#block);
    const latch = this.#join(target.latch ?? header, assigned, target.continues);
    header.loop.latch = latch;
    if (latch) {
      for (const step of statement.step) this.#evaluate(step, step, latch);
      if (condition && test === "bottom")
        this.#test(condition, { header: latch, stays: this.#back(header, assigned), target });
      else {
        const edge = this.#back(header, assigned);
        this.#end(latch, { kind: "jump", edge, origin: null });
      }
    }
    this.#target = target.outer;
    this.#region = outer;
    this.#held.takeBack(mark);
    this.#block = this.#join(target.exit, assigned, target.breaks);
    header.loop.exit = this.#block;
  }

  /** Ends a block with the test of a loop; gives the block that the loop goes on in. */
  #test(
    condition: Expression,
    {
      header,
      stays,
      target,
    }: { readonly header: Block; readonly stays: Edge | null; readonly target: Target },
  ): Block {
    const test = this.#operand(condition);
    const whenTrue = stays ?? edgeTo(this.#newBlock());
    const whenFalse = edgeTo(target.exit);
    target.breaks.push({ edge: whenFalse, values: this.#valuesOf(target.assigned) });
    this.#end(header, { kind: "branch", test, whenTrue, whenFalse, merge: null, origin: null });
    return stays ? header : this.#open(whenTrue.target);
  }

  #back(header: Block, assigned: readonly Home[]): Edge {
    return { target: header, arguments: [...this.#valuesOf(assigned)] };
  }

  #switch(statement: Switch, block: Block): void {
    const selector = this.#operand(statement.selector);
    const assigned = this.#assignedIn(statement);
    const outer = this.#region;
    this.#region = { kind: "switch", block, outer };
    const target = this.#enter(assigned, "switch");
    const entered = this.#valuesOf(assigned);
    const cases = statement.cases.map(({ values }) => ({ values, edge: edgeTo(this.#newBlock()) }));
    const hasDefault = statement.cases.some(({ values }) => values.includes(null));
    const otherwise = hasDefault ? null : edgeTo(target.exit);
    if (otherwise) target.breaks.push({ edge: otherwise, values: entered });
    const terminator: SwitchBranch = {
      kind: "switch",
      selector,
      cases,
      otherwise,
      merge: null,
      origin: statement,
    };
    this.#end(block, terminator);
    const mark = this.#held.mark();
    this.#block = null;
    for (const [at, { edge }] of cases.entries()) {
      const incoming: Incoming[] = [{ edge, values: entered }];
      if (this.#block) this.#to(edge.target, incoming, null, this.#block);
      this.#block = this.#join(edge.target, assigned, incoming);
      this.#list(statement.cases[at]?.body ?? []);
    }
    if (this.#block) this.#to(target.exit, target.breaks, null, this.#block);
    this.#held.takeBack(mark);
    this.#target = target.outer;
    this.#region = outer;
    this.#block = this.#join(target.exit, assigned, target.breaks);
    terminator.merge = this.#block;
  }

  #jump(statement: Statement & { kind: "break" | "continue" }, block: Block): void {
    let target = this.#target;
    if (statement.kind === "continue") while (target && !target.latch) target = target.outer;
    if (!target) this.#anything(statement, block);
    else if (statement.kind === "break")
      this.#to(target.exit, target.breaks, statement, block, target.assigned);
    else this.#to(target.latch, target.continues, statement, block, target.assigned);
  }

  /** Ends the block with a jump to one that is not open yet. */
  #to(
    to: Block | null,
    incoming: Incoming[],
    origin: (Statement & { kind: "break" | "continue" }) | null,
    block: Block,
    assigned: readonly Home[] = this.#target?.assigned ?? [],
  ): void {
    if (!to) return;
    const edge = edgeTo(to);
    incoming.push({ edge, values: this.#valuesOf(assigned) });
    this.#end(block, { kind: "jump", edge, origin });
  }

  #enter(assigned: readonly Home[], kind: "loop" | "switch"): Target {
    const latch = kind === "loop" ? this.#newBlock() : null;
    // The block behind stands in what is around.
    const region = this.#region;
    this.#region = region?.outer ?? null;
    const exit = this.#newBlock();
    this.#region = region;
    const target: Target = { assigned, exit, breaks: [], latch, continues: [], outer: this.#target };
    this.#target = target;
    return target;
  }

  /** Opens the block in which edges meet; null where none comes. `homes` are those that may differ. */
  #join(block: Block, homes: readonly Home[], incoming: readonly Incoming[]): Block | null {
    const [first, ...others] = incoming;
    if (!first) return null;
    for (const [at, home] of homes.entries()) {
      const value = first.values[at];
      if (!value) continue;
      if (home.isLocal || others.every(({ values }) => values[at] === value)) {
        this.#held.set(home.index, value);
        continue;
      }
      const argument = this.#value(home, block);
      block.arguments.push(argument);
      for (const { edge, values } of incoming) edge.arguments.push(values[at] ?? value);
      this.#held.set(home.index, argument);
    }
    return this.#open(block);
  }

  #valuesOf(homes: readonly Home[]): readonly Value[] {
    return homes.map(({ index }) => this.#held.get(index));
  }

  /** The homes that the trips of a loop hand on. */
  #carriedBy({ body, step }: Loop): readonly Home[] {
    const noted = { homes: this.#homes, assigned: new Set<Home>(), declared: new Set<number>() };
    noteAssignedIn(body, noted);
    for (const each of step) noteAssigned(each, noted);
    return [...noted.assigned].filter(
      ({ isLocal, variable }) => !isLocal && !noted.declared.has(variable.id),
    );
  }

  #assignedIn({ cases }: Switch): readonly Home[] {
    const noted = { homes: this.#homes, assigned: new Set<Home>(), declared: new Set<number>() };
    for (const { body } of cases) noteAssignedIn(body, noted);
    return [...noted.assigned].filter(({ isLocal }) => !isLocal);
  }

  #value(home: Home, definition: Instruction | Block | null): Value {
    return { id: this.#nextValue++, home, definition };
  }

  #newBlock(): Block {
    const terminator: Terminator = { kind: "return", value: null, origin: null };
    const block: Block = {
      id: this.#nextBlock++,
      arguments: [],
      instructions: [],
      terminator,
      predecessors: [],
      region: this.#region,
      loop: null,
    };
    return block;
  }

  #open(block: Block): Block {
    this.#blocks.push(block);
    return block;
  }

  #edgeFrom(block: Block, target: Block): Edge {
    const edge = edgeTo(target);
    this.#end(block, { kind: "jump", edge, origin: null });
    return edge;
  }

  /** Control leaves the block. */
  #end(block: Block, terminator: Terminator): void {
    block.terminator = terminator;
    for (const { target } of edgesOf(block)) target.predecessors.push(block);
    this.#block = null;
  }
}

function edgeTo(target: Block): Edge {
  return { target, arguments: [] };
}

/** In the place of a value that nobody asks for. */
const nothing: Expression = { kind: "constant", type: { kind: "void" }, value: 0 };

/** One for all operands that read nothing, and for all instructions that give nothing. */
const none: Value[] = [];

interface Reader {
  /** Those that were read so far of the operand at hand. */
  uses: Value[];
  readonly homes: Homes;
  readonly held: Journal<Value>;
}

function noteUses(node: Naming, reader: Reader): void {
  if (node.kind === "assign") return;
  const { homes, held } = reader;
  // By its address any part of a variable may be read.
  const read =
    node.kind === "load" ? homesAt(node.place, homes) : (homes.byVariable.get(node.place.variable.id) ?? []);
  if (read.length > 0 && reader.uses === none) reader.uses = [];
  for (const home of read) reader.uses.push(held.get(home.index));
}

interface Noted {
  readonly homes: Homes;
  readonly assigned: Set<Home>;
  /** Ids of variables whose life begins in the statements, and so ends there. */
  readonly declared: Set<number>;
}

function noteAssignedIn(body: readonly Statement[], noted: Noted): void {
  forEachStatement(body, (statement) => {
    if (statement.kind === "declare") noted.declared.add(statement.variable.id);
    else if (statement.kind === "evaluate") noteAssigned(statement.expression, noted);
    else if (statement.kind === "loop") for (const step of statement.step) noteAssigned(step, noted);
  });
}

function noteAssigned(expression: Expression, { homes, assigned }: Noted): void {
  if (expression.kind !== "assign" || expression.place.kind !== "variable") return;
  for (const home of homesAt(expression.place, homes)) assigned.add(home);
}
