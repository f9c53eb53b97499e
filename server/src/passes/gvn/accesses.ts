// Instructions as GVN sees them: the loads that it asks for, the accesses that answer, and how one is rewritten.
import type { Assign, Load } from "../../ir/expression.ts";
import { forEachNaming, type Naming } from "../../ir/walk.ts";
import type { Home, Homes } from "../../mir/homes.ts";
import type { Block, Edge, Instruction, MirFunction, Operand, Value } from "../../mir/mir.ts";
import { operandFrom, valueIn } from "../../mir/rewrite.ts";
import type { SourceRange } from "../../text/source.ts";

/** A load that might be of what a register holds. */
export interface Wanted {
  readonly instruction: Instruction;
  readonly operand: Operand;
  readonly assign: Assign;
  readonly load: Load;
  readonly range: SourceRange;
}

export function rewrite(
  instruction: Instruction,
  expression: Assign,
  valueAt: (home: Home) => Value,
  mir: MirFunction,
): void {
  const range = rangeOf(instruction);
  if (!range) return;
  instruction.operand = operandFrom(expression, mir, valueAt);
  instruction.origin = { kind: "evaluate", expression, range };
}

/** What an operand reads, and the value. */
export function withValue(value: Value, operand: Operand): (home: Home) => Value {
  const before = valueIn(operand);
  return (home) => (home === value.home ? value : before(home));
}

/** Where the statement stands that it is; null of the step of a loop. */
export function rangeOf({ origin }: Instruction): SourceRange | null {
  return origin.kind === "evaluate" ? origin.range : null;
}

export function assignedBy({ operand }: Instruction): Assign | null {
  return operand?.expression.kind === "assign" ? operand.expression : null;
}

/** The load or store that it is; one without a site stands for a register already. */
export function accessOf(instruction: Instruction): Load | Assign | null {
  const assigned = assignedBy(instruction);
  if (!assigned) return null;
  const access = instruction.kind === "store" ? assigned : assigned.value;
  const isAccess = access.kind === "assign" || (access.kind === "load" && instruction.kind === "load");
  return isAccess ? access : null;
}

export function wantedOf(instruction: Instruction): Wanted | null {
  const { kind, operand } = instruction;
  const assigned = assignedBy(instruction);
  const range = rangeOf(instruction);
  if (kind !== "load" || !operand || assigned?.value.kind !== "load" || !assigned.value.site || !range)
    return null;
  return { instruction, operand, assign: assigned, load: assigned.value, range };
}

/** Whether it is an access to memory, or does what no value says. */
export function touchesMemory({ kind }: Instruction): boolean {
  return kind === "load" || kind === "store" || kind === "effect";
}

export function isEvaluated({ kind }: Instruction): boolean {
  return kind !== "declare";
}

/** Whether the block ends with `if (…) break;`. */
export function endsInExit({ terminator }: Block): boolean {
  if (terminator.kind !== "branch" || !terminator.origin) return false;
  const { instructions, terminator: end } = terminator.whenTrue.target;
  return instructions.length === 0 && end.kind === "jump" && end.origin?.kind === "break";
}

/** Whether the block ends with the test of a loop. */
export function isTest({ terminator }: Block): boolean {
  return terminator.kind === "branch" && terminator.origin === null;
}

/** An operand of a header as it is where the loop is entered. */
export function onEdge({ expression, uses }: Operand, header: Block, edge: Edge): Operand {
  const entered = (value: Value) => edge.arguments[header.arguments.indexOf(value)] ?? value;
  return { expression, uses: uses.map(entered) };
}

/** Whether it reads a variable that has no home. */
export function readsMemoryOf(load: Load, homes: Homes): boolean {
  const reader = { homes, isFound: false };
  forEachNaming(load, noteInMemory, reader);
  return reader.isFound;
}

function noteInMemory(node: Naming, reader: { readonly homes: Homes; isFound: boolean }): void {
  if (node.kind === "load" && !reader.homes.byVariable.has(node.place.variable.id)) reader.isFound = true;
}
