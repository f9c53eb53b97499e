// Pointers and references to one of several local variables: `c ? a : b`, and a function that returns either of its references. Which one is kept
// in a flag, so that what is read there is chosen between the variables, as LLVM has it, and what is written goes to one of them.
import type { Call, Conditional, Expression, MemoryPlace, VariablePlace } from "../../ir/expression.ts";
import { isPieceType } from "../../ir/pieces.ts";
import type { Statement } from "../../ir/statement.ts";
import { sizeOf, type Type } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { placeOf, readOf } from "../walks/fresh.ts";
import { forEachExpressionOf } from "../walks/walk.ts";
import { isChoice, type KnownPlace, knownValue, leadsToLocals } from "./constants.ts";
import { type Context, emitIf, flagOf } from "./context.ts";
import { assignVariable } from "./records.ts";

/** The choice by a flag of its own where it is one between addresses of local variables, or else as it is. */
export function flagged(choice: Conditional, context: Context): Conditional {
  if (choice.type.kind !== "pointer") return choice;
  const [first, second] = [choice.whenTrue, choice.whenFalse].map((way) =>
    knownValue(way, context.knowledge),
  );
  if (!leadsToLocals(first) || !leadsToLocals(second)) return choice;
  return { ...choice, condition: readOf(flagOf(choice.condition, context)) };
}

/** What is read where one of several local variables lies; null of other places. */
export function readOfChosen(
  { pointer, offsetBytes, type }: MemoryPlace,
  context: Context,
): Expression | null {
  const known = knownValue(pointer, context.knowledge);
  if (!leadsToLocals(known) || !isChoice(known) || !isWithin(known, offsetBytes, type)) return null;
  if (isPieceType(type)) return chosenRead(known, offsetBytes, type);
  const result = context.fresh.outcome(type, "chosen");
  const copy = (place: VariablePlace, inner: Context) =>
    assignVariable(placeOf(result), readOf(place.variable, place.offsetBytes, type), inner);
  forEachChosen(known, offsetBytes, type, copy, context);
  return readOf(result);
}

/** Writes where one of several local variables lies; `elsewhere` of other places, to which nothing is written. */
export function storeToChosen(
  { pointer, offsetBytes, type }: MemoryPlace,
  stored: Expression,
  context: Context,
): "stored" | "elsewhere" {
  const known = knownValue(pointer, context.knowledge);
  if (!leadsToLocals(known) || !isChoice(known) || !isWithin(known, offsetBytes, type)) return "elsewhere";
  forEachChosen(known, offsetBytes, type, (place, inner) => assignVariable(place, stored, inner), context);
  return "stored";
}

/** The call of a function that stays one: what it only reads through a reference to one of several variables it finds in one of its own. */
export function withChosenHeld(call: Call, context: Context): Call {
  const callee = context.functionOf(call.callee);
  if (!callee) return call;
  const given = call.arguments.map((argument, index): Expression => {
    const known = argument.type.kind === "pointer" ? knownValue(argument, context.knowledge) : null;
    const parameter = callee.parameters[index];
    if (!leadsToLocals(known) || !isChoice(known) || parameter?.type.kind !== "pointer") return argument;
    const { target } = parameter.type;
    if (!isPieceType(target) || !isWithin(known, 0, target) || !isOnlyRead(parameter, callee.body))
      return argument;
    const held = context.fresh.temporary(target, "chosen");
    assignVariable(placeOf(held), chosenRead(known, 0, target), context);
    return { kind: "address", type: parameter.type, place: placeOf(held) };
  });
  return { ...call, arguments: given };
}

/** Whether all that is done with the pointer is to load where it leads. */
function isOnlyRead({ id }: Variable, body: readonly Statement[]): boolean {
  const isRead = (node: Expression) =>
    node.kind === "load" && node.place.kind === "variable" && node.place.variable.id === id;
  let reads = 0;
  let loads = 0;
  forEachExpressionOf(body, (node) => {
    if (isRead(node)) reads++;
    if (node.kind === "load" && node.place.kind === "memory" && isRead(node.place.pointer)) loads++;
    if (node.kind === "assign" && node.place.kind === "variable" && node.place.variable.id === id) reads++;
  });
  return reads === loads;
}

function isWithin(place: KnownPlace, offsetBytes: number, type: Type): boolean {
  if (isChoice(place))
    return isWithin(place.whenTrue, offsetBytes, type) && isWithin(place.whenFalse, offsetBytes, type);
  const start = place.offsetBytes + offsetBytes;
  return start >= 0 && start + (sizeOf(type) ?? Infinity) <= (sizeOf(place.variable.type) ?? 0);
}

function chosenRead(place: KnownPlace, offsetBytes: number, type: Type): Expression {
  if (!isChoice(place)) return readOf(place.variable, place.offsetBytes + offsetBytes, type);
  return {
    kind: "conditional",
    type,
    condition: readOf(place.flag),
    whenTrue: chosenRead(place.whenTrue, offsetBytes, type),
    whenFalse: chosenRead(place.whenFalse, offsetBytes, type),
  };
}

/** Writes a branch of the ways that the flags decide, at the end of each what is done with its variable. */
function forEachChosen(
  place: KnownPlace,
  offsetBytes: number,
  type: Type,
  act: (place: VariablePlace, inner: Context) => void,
  context: Context,
): void {
  if (!isChoice(place)) {
    act(placeOf(place.variable, place.offsetBytes + offsetBytes, type), context);
    return;
  }
  emitIf(
    readOf(place.flag),
    (inner) => forEachChosen(place.whenTrue, offsetBytes, type, act, inner),
    (inner) => forEachChosen(place.whenFalse, offsetBytes, type, act, inner),
    context,
  );
}
