// What passes need that add to a function. A value that is read where its home holds another gets a home of its own: a variable that is assigned
// beside it.
import type { Expression } from "../ir/expression.ts";
import { assign, placeOf } from "../ir/make.ts";
import type { If } from "../ir/statement.ts";
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { forEachNaming, type Naming } from "../ir/walk.ts";
import type { SourceRange } from "../text/source.ts";
import { type Home, type Homes, homeOf, homesAt } from "./homes.ts";
import type { Block, Edge, Instruction, MirFunction, Operand, Value } from "./mir.ts";

/** A home that is the whole of a variable which the function does not name yet. */
export function addHome({ homes }: MirFunction, variable: Variable): Home {
  const bytes = sizeOf(variable.type) ?? Number.POSITIVE_INFINITY;
  const home = homeOf({ index: homes.all.length, variable, offsetBytes: 0, bytes, isLocal: false });
  homes.all.push(home);
  homes.byVariable.set(variable.id, home.alone);
  return home;
}

export function addValue(mir: MirFunction, home: Home, definition: Value["definition"]): Value {
  return { id: mir.valueCount++, home, definition };
}

/** The expression with the values that it reads. */
export function operandFrom(
  expression: Expression,
  { homes }: MirFunction,
  valueAt: (home: Home) => Value,
): Operand {
  const reader: Reader = { homes, valueAt, uses: [] };
  forEachNaming(expression, noteUses, reader);
  return { expression, uses: reader.uses };
}

interface Reader {
  readonly homes: Homes;
  readonly valueAt: (home: Home) => Value;
  readonly uses: Value[];
}

function noteUses(node: Naming, { homes, valueAt, uses }: Reader): void {
  if (node.kind === "assign") return;
  const { place } = node;
  const read = node.kind === "load" ? homesAt(place, homes) : (homes.byVariable.get(place.variable.id) ?? []);
  for (const home of read) uses.push(valueAt(home));
}

export interface Definition {
  readonly instruction: Instruction;
  readonly value: Value;
}

/** The instruction `home = value`, which stands in no block yet, and what it gives. `like`: an operand that reads what `value` reads. */
export function definitionOf(
  mir: MirFunction,
  home: Home,
  value: Expression,
  { block, like, range }: { readonly block: Block; readonly like: Operand; readonly range: SourceRange },
): Definition {
  const expression = assign(placeOf(home.variable), value);
  const results: Value[] = [];
  const isLoad = value.kind === "load" && value.place.kind === "memory";
  const instruction: Instruction = {
    index: mir.instructionCount++,
    kind: isLoad ? "load" : "define",
    operand: operandFrom(expression, mir, valueIn(like)),
    results,
    block,
    origin: { kind: "evaluate", expression, range },
  };
  const given = addValue(mir, home, instruction);
  results.push(given);
  return { instruction, value: given };
}

/** What an operand reads of a home. */
export function valueIn({ uses }: Operand): (home: Home) => Value {
  return (home) => {
    const value = uses.find((one) => one.home === home);
    if (!value) throw new Error(`nothing reads ${home.variable.name} here`);
    return value;
  };
}

export interface Guard {
  readonly test: Operand;
  readonly range: SourceRange;
  /** What is executed where the test holds, made for its block. */
  readonly make: (block: Block) => Definition;
}

/** Puts an instruction on the edge that leads from a block to one, under a branch; gives what the home of its result holds behind both arms. */
export function guardOnEdge(mir: MirFunction, from: Block, edge: Edge, { test, range, make }: Guard): Value {
  const id = freeId(mir);
  const merge = emptyBlock(id + 1, from.region);
  const arm = emptyBlock(id, { kind: "branch", block: from, outer: from.region });
  const { instruction, value } = make(arm);
  arm.instructions.push(instruction);
  const behind = addValue(mir, value.home, merge);
  merge.arguments.push(behind);
  const around: Edge = { target: merge, arguments: [addValue(mir, value.home, null)] };
  const origin: If = { kind: "if", condition: test.expression, whenTrue: [], whenFalse: [], range };
  const whenTrue: Edge = { target: arm, arguments: [] };
  from.terminator = { kind: "branch", test, whenTrue, whenFalse: around, merge, origin };
  arm.terminator = { kind: "jump", edge: { target: merge, arguments: [value] }, origin: null };
  merge.terminator = { kind: "jump", edge, origin: null };
  arm.predecessors.push(from);
  merge.predecessors.push(arm, from);
  const { target } = edge;
  target.predecessors = target.predecessors.map((one) => (one === from ? merge : one));
  const first = mir.blocks.indexOf(target);
  mir.blocks = [...mir.blocks.slice(0, first), arm, merge, ...mir.blocks.slice(first)];
  return behind;
}

/** Puts a block on the edge that leads from a branch past its other arm. */
export function blockOnEdge(mir: MirFunction, branch: Block, merge: Block): Block {
  const { terminator } = branch;
  if (terminator.kind !== "branch") throw new Error("only branches have arms");
  const arm = emptyBlock(freeId(mir), { kind: "branch", block: branch, outer: branch.region });
  const edge: Edge = { target: arm, arguments: [] };
  const isFirst = terminator.whenTrue.target === merge;
  const past = isFirst ? terminator.whenTrue : terminator.whenFalse;
  arm.terminator = { kind: "jump", edge: past, origin: null };
  arm.predecessors.push(branch);
  branch.terminator = { ...terminator, ...(isFirst ? { whenTrue: edge } : { whenFalse: edge }) };
  merge.predecessors = merge.predecessors.map((one) => (one === branch ? arm : one));
  const at = mir.blocks.indexOf(isFirst ? terminator.whenFalse.target : merge);
  mir.blocks = [...mir.blocks.slice(0, at), arm, ...mir.blocks.slice(at)];
  return arm;
}

function freeId({ blocks }: MirFunction): number {
  return 1 + blocks.reduce((most, block) => Math.max(most, block.id), 0);
}

function emptyBlock(id: number, region: Block["region"]): Block {
  const terminator: Block["terminator"] = { kind: "return", value: null, origin: null };
  return { id, arguments: [], instructions: [], terminator, predecessors: [], region, loop: null };
}
