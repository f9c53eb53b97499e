// Stores of parts of locals that nothing was assigned to (`V v; v.x = 1; *p = v;`): any value will do. LLVM's InstCombine drops `store undef`.
import type { Assign } from "../../ir/expression.ts";
import type { RecordType, Type } from "../../ir/type.ts";
import { forEachExpression } from "../../ir/walk.ts";
import { homesAt } from "../../mir/homes.ts";
import { type Instruction, type MirFunction, type Operand, operandOf, type Value } from "../../mir/mir.ts";

/** How many copies (`u = v; *p = u;`) a value is followed through. */
const mostCopies = 4;

/** The function's stores of undefined values. */
export function undefinedStoresIn(mir: MirFunction): ReadonlySet<Instruction> {
  const entered = new Map<Instruction, readonly Value[]>();
  for (const { instructions } of mir.blocks)
    for (const instruction of instructions) {
      const values = instruction.kind === "store" ? enteredStoredBy(instruction, mir) : [];
      if (values.length > 0) entered.set(instruction, values);
    }
  if (entered.size === 0 || holdsUnknown(mir)) return new Set();
  const locals = partlyAssignedIn(mir);
  const isOfLocals = (values: readonly Value[]) => values.every(({ home }) => locals.has(home.variable.id));
  return new Set([...entered].flatMap(([store, values]) => (isOfLocals(values) ? [store] : [])));
}

/** What homes held when the function was entered, of a store that stores nothing else. */
function enteredStoredBy({ operand }: Instruction, mir: MirFunction): readonly Value[] {
  if (operand?.expression.kind !== "assign" || operand.expression.site?.isVolatile) return [];
  const entered = valuesCopied(operand, operand.expression, mir).map((value) => enteredOf(value, mir));
  return entered.every((value) => value !== null) ? entered : [];
}

/** The values of the homes that an assignment copies; none where it does more than copy. */
function valuesCopied({ uses }: Operand, { value }: Assign, { homes }: MirFunction): readonly Value[] {
  if (value.kind !== "load" || value.place.kind !== "variable") return [];
  const copied = homesAt(value.place, homes);
  return uses.filter(({ home }) => copied.includes(home));
}

/** What the value is a copy of, of what its home held when the function was entered; null where something was assigned. */
function enteredOf(value: Value, mir: MirFunction): Value | null {
  let at = value;
  for (let copies = 0; copies <= mostCopies; copies++) {
    if (at.definition === null) return at;
    if (!("operand" in at.definition) || at.definition.kind !== "define") return null;
    const { operand } = at.definition;
    if (operand?.expression.kind !== "assign") return null;
    const [only, ...others] = valuesCopied(operand, operand.expression, mir);
    if (!only || others.length > 0) return null;
    at = only;
  }
  return null;
}

/**
 * Ids of locals that are declared without a value, and of which something is assigned. Of one to which nothing is we say nothing: what assigns it may be
 * what we do not see.
 */
function partlyAssignedIn({ blocks }: MirFunction): ReadonlySet<number> {
  const declared = new Set<number>();
  const assigned = new Set<number>();
  for (const { instructions } of blocks)
    for (const { kind, operand, origin, results } of instructions) {
      for (const { home } of results) assigned.add(home.variable.id);
      if (kind === "declare" && operand === null && "variable" in origin && hasParts(origin.variable.type))
        declared.add(origin.variable.id);
    }
  return new Set([...declared].filter((id) => assigned.has(id)));
}

function hasParts(type: Type): boolean {
  const element = type.kind === "array" ? type.element : type;
  return element.kind === "record" ? isCopiedByField(element) : element !== type;
}

/** Arrays within a record are copied as whole words, and so are pairs of halves by their classes: one part of them is enough. */
function isCopiedByField({ fields }: RecordType): boolean {
  return fields.every(({ type }) => {
    if (type.kind === "record") return isCopiedByField(type);
    return type.kind === "float"
      ? type.format === "single" || type.format === "double"
      : type.kind !== "array";
  });
}

/** Whether there is what may assign to anything. */
function holdsUnknown({ blocks }: MirFunction): boolean {
  return blocks.some((block) => {
    const operands = [operandOf(block), ...block.instructions.map(({ operand }) => operand)];
    return (
      block.instructions.some(({ origin }) => origin.kind === "unknown") ||
      operands.some((one) => one !== null && holdsUnknownExpression(one))
    );
  });
}

function holdsUnknownExpression({ expression }: Operand): boolean {
  let isFound = false;
  forEachExpression(expression, ({ kind }) => {
    if (kind === "unknown") isFound = true;
  });
  return isFound;
}
