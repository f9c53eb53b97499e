// Expressions in the first pass: what they do is written as statements, what stays is pure.
import { partOfConstant } from "../../ir/constant-part.ts";
import type {
  AccessSite,
  Assign,
  Binary,
  Conditional,
  Expression,
  Intrinsic,
  Load,
  Logical,
  MemoryPlace,
  Place,
  VariablePlace,
} from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import { operandsOf } from "../../ir/operands.ts";
import { copyPiecesOf, isPieceType, movesWithPadding } from "../../ir/pieces.ts";
import { booleanType, pointerTo, sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { placeOf, readOf } from "../walks/fresh.ts";
import {
  atPointer,
  likeSite,
  mapOperands,
  mapOperandsIn,
  withOperands,
  withPlace,
  withStored,
} from "../walks/rebuild.ts";
import { isPure, rootVariableOf, someExpression } from "../walks/walk.ts";
import { holdsAsm } from "./asm-operations.ts";
import { chosenOf, joinLastChoice } from "./branches.ts";
import { flagged, readOfChosen, storeToChosen, withChosenHeld } from "./chosen-locals.ts";
import { isChoice, knownValue, leadsToLocals } from "./constants.ts";
import { type Context, emit, emitAssign, emitIf, renamedVariable, siteIn } from "./context.ts";
import { pickedHalf } from "./picked-halves.ts";
import { lieApart } from "./pointers.ts";
import {
  assignVariable,
  type Copying,
  extracted,
  isAlignedOfSizes,
  isRepeatable,
  pieceOf,
  siteOfLoad,
  stablePointer,
  storeMemory,
} from "./records.ts";
import { readsMembers } from "./selections.ts";
import { slowPathOf } from "./slow-paths.ts";

/** Evaluates an expression for what it does. */
export function effect(expression: Expression, context: Context): void {
  switch (expression.kind) {
    case "assign":
      if (isChoiceOfRecords(expression.value) && expression.place.kind === "memory")
        storeEither(expression, expression.value, context);
      else assign(expression, context);
      return;
    case "sequence":
      for (const one of expression.effects) effect(one, context);
      effect(expression.result, context);
      return;
    case "intrinsic":
    case "call":
    case "call-indirect":
    case "unknown":
      opaque(expression, context);
      return;
    default:
      if (!isPure(expression)) value(expression, context);
  }
}

/** Whether it is one of two records of the thread's own, by what is asked of plain values. */
function isChoiceOfRecords(chosen: Expression): chosen is Conditional {
  if (chosen.kind !== "conditional" || chosen.type.kind !== "record" || !isPure(chosen.condition))
    return false;
  return [chosen.whenTrue, chosen.whenFalse].every(
    (way) => way.kind === "load" && way.place.kind === "variable",
  );
}

/** `*p = c ? a : b` of records as the branch that it is: each way stores what it copies, as far as the ways do not meet (forms/best_of_block). */
function storeEither(store: Assign, { condition, whenTrue, whenFalse }: Conditional, context: Context): void {
  const asked = value(condition, context);
  const known = knownValue(asked, context.knowledge);
  const way = (chosen: Expression) => (inner: Context) => effect({ ...store, value: chosen }, inner);
  if (typeof known === "number") way(known !== 0 ? whenTrue : whenFalse)(context);
  else emitIf(asked, way(whenTrue), way(whenFalse), context);
}

/** A pure expression that has the value of `expression`; what it does is emitted before. */
export function value(expression: Expression, context: Context): Expression {
  switch (expression.kind) {
    case "constant":
      return expression;
    case "load":
      return load(expression, context);
    case "assign":
      return assign(expression, context);
    case "address":
      return addressOf(expression, context);
    case "sequence":
      for (const one of expression.effects) effect(one, context);
      return value(expression.result, context);
    case "conditional":
      return conditional(expression, context);
    case "logical":
      return logical(expression, context);
    case "extract":
      return extract(expression, context);
    case "intrinsic": {
      const kind = intrinsicEffect(expression.name);
      const plain = kind === "load" ? loadOfIntrinsic(expression, context) : null;
      if (plain) return load(plain, context);
      if (kind === "pure" || kind === "identity") {
        const call = operandsInPlace(expression, context);
        return pickedHalf(call, 0, call.type) ?? call;
      }
      return opaque(expression, context);
    }
    case "call":
    case "call-indirect":
    case "unknown":
      return opaque(expression, context);
    case "binary":
      return binary(expression, context);
    default:
      return operandsInPlace(expression, context);
  }
}

/** A left operand that takes a branch, or is an `asm`, does so before the right one loads (cases slow_paths/withinExpression, half_neighbours). */
function binary(expression: Binary, context: Context): Expression {
  const left = value(expression.left, context);
  const isDone =
    loadsMemory(expression.right) && (slowPathOf(left, new Set(), "load") !== "none" || holdsAsm(left));
  const kept = isDone ? capture(left, context) : left;
  const right = value(expression.right, context);
  return withOperands(expression, kept, right);
}

function loadsMemory(expression: Expression): boolean {
  return someExpression(expression, (node) => node.kind === "load" && node.site !== null);
}

/** Of several operands one that is an `asm` is done before a later one loads. */
function operandsInPlace(expression: Expression, context: Context): Expression {
  if (expression.kind === "convert" || expression.kind === "unary")
    return mapOperandsIn(expression, value, context);
  const lastLoading = operandsOf(expression).findLastIndex(loadsMemory);
  if (lastLoading <= 0) return mapOperandsIn(expression, value, context);
  let index = 0;
  return mapOperands(expression, (operand) => {
    const evaluated = value(operand, context);
    return index++ < lastLoading && holdsAsm(evaluated) ? capture(evaluated, context) : evaluated;
  });
}

/** Whether the members of a record are loaded as one, or those of each width by themselves. */
type Moving = "as one" | "in parts";

function load(
  expression: Load,
  context: Context,
  copying: Copying = "initialises",
  moving: Moving = "as one",
): Expression {
  const place = placeIn(expression.place, context);
  if (place.kind === "variable") return withPlace(expression, place, null);
  const known = constantAt(place, context) ?? readOfChosen(place, context);
  if (known) return known;
  const site = siteIn(expression.site, context);
  if (expression.type.kind === "record" || expression.type.kind === "array")
    return loadRecord(place, site, { copying, moving }, context);
  const temporary = context.fresh.temporary(expression.type, "loaded");
  emitAssign(placeOf(temporary), loadFrom(place, site, expression.type), null, context);
  return readOf(temporary);
}

/** What a constant of the device holds at a known offset, which nvcc does not load (cases constant_tables/known, …). */
function constantAt(place: MemoryPlace, context: Context): Expression | null {
  const known = knownValue(place.pointer, context.knowledge);
  if (known === null || typeof known === "number" || isChoice(known)) return null;
  if (known.variable.storage !== "device-constant") return null;
  const initializer = context.initializerOf(known.variable);
  return initializer && partOfConstant(initializer, known.offsetBytes + place.offsetBytes, place.type);
}

/** A node of its own each time that the text is written: what is known of an access hangs on its node. */
function loadFrom(place: MemoryPlace, site: AccessSite | null, type: Load["type"]): Load {
  return { kind: "load", type, place, site };
}

function loadRecord(
  place: MemoryPlace,
  site: AccessSite | null,
  { copying, moving }: { readonly copying: Copying; readonly moving: Moving },
  context: Context,
): Expression {
  const { type } = place;
  const pieces = site?.isVolatile ? null : copyPiecesOf(type);
  const temporary = context.fresh.temporary(type, "loaded");
  if (!pieces) {
    emitAssign(placeOf(temporary), loadFrom(place, site, type), null, context);
    return readOf(temporary);
  }
  const base = stablePointer(place, context);
  context.copied.add(temporary.id);
  const root = movesWithPadding(type) ? rootVariableOf(place.pointer) : null;
  if (root) context.paddingFrom.set(temporary.id, root);
  const group = moving === "in parts" ? null : context.groups.size;
  for (const piece of pieces) {
    const loaded: Load = {
      kind: "load",
      type: piece.type,
      place: pieceOf(base, piece, type, copying),
      site,
    };
    if (group !== null) context.groups.set(loaded, group);
    emitAssign(placeOf(temporary, piece.offsetBytes, piece.type), loaded, null, context);
  }
  return readOf(temporary);
}

/** `__ldg(p)` is `*p` of memory that does not change; its cousins differ in the caches they use alone. */
function loadOfIntrinsic(expression: Intrinsic, context: Context): Load | null {
  const pointer = expression.arguments[0];
  if (!pointer || !expression.site || expression.name === "__ldcv") return null;
  const { type, site } = expression;
  const place: MemoryPlace = { kind: "memory", pointer, offsetBytes: 0, type };
  const plain: Load = { kind: "load", type, place, site };
  if (expression.name === "__ldg") context.readOnlySites.add(site);
  context.asmSites.add(site);
  return plain;
}

/** Stores, and gives an expression for the value stored. */
function assign(expression: Assign, context: Context): Expression {
  const right = isCompound(expression)
    ? compound(expression.value, context)
    : assigned(expression.value, expression.place, context);
  // It is computed before the place is loaded: what a way does first decides of what it has in common with others (SASS of `c->p[i] = x * y`).
  const isFirst =
    expression.place.kind === "memory" && loadsMemory(expression.place.pointer) && !isRepeatable(right);
  const stored = isFirst ? capture(right, context) : right;
  const place = placeIn(expression.place, context);
  if (place.kind === "variable") {
    assignVariable(place, stored, context);
    return readOf(place.variable, place.offsetBytes, place.type);
  }
  const site = siteIn(expression.site, context);
  const kept = isRepeatable(stored) ? stored : capture(stored, context);
  if (storeToChosen(place, kept, context) === "elsewhere") storeMemory(place, kept, site, context);
  return kept;
}

function assigned(expression: Expression, place: Place, context: Context): Expression {
  if (expression.kind !== "load") return value(expression, context);
  return place.kind === "variable"
    ? loadInto(place.variable, expression, context, "assigned")
    : load(expression, context, "assigned");
}

/** The value that a new variable takes in. */
export function initialValue(expression: Expression, variable: Variable, context: Context): Expression {
  return expression.kind === "load"
    ? loadInto(variable, expression, context, "initialises")
    : value(expression, context);
}

function loadInto(variable: Variable, loaded: Load, context: Context, copying: Copying): Expression {
  const site = siteOfLoad(loaded, variable, context);
  return load({ ...loaded, site }, context, copying, isAlignedOfSizes(loaded.type) ? "in parts" : "as one");
}

/** Whether it is `place operator= value` of memory: what is read then is the very place that is stored to. */
function isCompound({ place, value: stored }: Assign): boolean {
  const computed = unconverted(stored);
  if (place.kind !== "memory" || computed.kind !== "binary") return false;
  const read = unconverted(computed.left);
  return read.kind === "load" && read.place === place;
}

function unconverted(expression: Expression): Expression {
  return expression.kind === "convert" ? unconverted(expression.operand) : expression;
}

/** The right side of `place operator= value` is computed before the place is read (cases meeting_ways/adds…). */
function compound(expression: Expression, context: Context): Expression {
  if (expression.kind !== "binary") return mapOperandsIn(expression, compound, context);
  const right = value(expression.right, context);
  const kept = isCopy(right) ? right : capture(right, context);
  return withOperands(expression, value(expression.left, context), kept);
}

function isCopy({ kind }: Expression): boolean {
  return kind === "constant" || kind === "load";
}

function capture(expression: Expression, context: Context): Expression {
  if (expression.type.kind === "void") return expression;
  const temporary = context.fresh.temporary(expression.type, "value");
  assignVariable(placeOf(temporary), expression, context);
  return readOf(temporary);
}

function extract(expression: Expression & { kind: "extract" }, context: Context): Expression {
  const operand = expression.operand;
  if (operand.kind === "load" && operand.place.kind === "memory" && !operand.site?.isVolatile) {
    const { pointer, offsetBytes } = operand.place;
    const { type } = expression;
    const place: Place = { kind: "memory", pointer, offsetBytes: offsetBytes + expression.offsetBytes, type };
    return load({ kind: "load", type, place, site: operand.site }, context);
  }
  const { type, offsetBytes } = expression;
  const record = value(operand, context);
  return pickedHalf(record, offsetBytes, type) ?? extracted(record, offsetBytes, type);
}

function addressOf(expression: Expression & { kind: "address" }, context: Context): Expression {
  const { place } = expression;
  if (place.kind === "variable" && inMemory.has(place.variable.storage)) return expression;
  return { kind: "address", type: expression.type, place: placeIn(place, context) };
}

/** The place with its pointer evaluated; memory that is a known part of a local variable becomes that variable. */
function placeIn(place: Place, context: Context): Place {
  if (place.kind === "variable") {
    if (inMemory.has(place.variable.storage)) return memoryOf(place);
    const variable = renamedVariable(place.variable, context, "used");
    return variable === place.variable ? place : placeOf(variable, place.offsetBytes, place.type);
  }
  const pointer = value(place.pointer, context);
  const known = knownValue(pointer, context.knowledge);
  if (leadsToLocals(known) && !isChoice(known)) {
    const offsetBytes = known.offsetBytes + place.offsetBytes;
    const room = sizeOf(known.variable.type) ?? 0;
    if (offsetBytes >= 0 && offsetBytes + (sizeOf(place.type) ?? Infinity) <= room)
      return { kind: "variable", variable: known.variable, offsetBytes, type: place.type };
  }
  return atPointer(place, pointer);
}

const inMemory: ReadonlySet<Variable["storage"]> = new Set([
  "shared",
  "dynamic-shared",
  "device",
  "device-constant",
  "constant",
]);

/** A known part of an array in memory (`s[0]`), as the memory that it is. */
function memoryOf(place: VariablePlace): MemoryPlace {
  const { variable } = place;
  const whole: VariablePlace = { kind: "variable", variable, offsetBytes: 0, type: variable.type };
  const pointer: Expression = { kind: "address", type: pointerTo(variable.type), place: whole };
  return { kind: "memory", pointer, offsetBytes: place.offsetBytes, type: place.type };
}

function conditional(expression: Conditional, context: Context): Expression {
  const condition = value(expression.condition, context);
  const known = knownValue(condition, context.knowledge);
  if (typeof known === "number")
    return value(known !== 0 ? expression.whenTrue : expression.whenFalse, context);
  const whenTrue = renameOnly(expression.whenTrue, context);
  const whenFalse = renameOnly(expression.whenFalse, context);
  const isPlain = whenTrue && whenFalse && isPure(whenTrue) && isPure(whenFalse);
  if (isPlain && !readsMembers([whenTrue, whenFalse]))
    return flagged({ kind: "conditional", type: expression.type, condition, whenTrue, whenFalse }, context);
  if (expression.type.kind === "void") {
    emitIf(
      condition,
      (inner) => effect(expression.whenTrue, inner),
      (inner) => effect(expression.whenFalse, inner),
      context,
    );
    return { kind: "constant", type: expression.type, value: 0 };
  }
  const selected = selectedLoad(expression, condition, context);
  if (selected) return selected;
  const result = placeOf(context.fresh.outcome(expression.type, "selected"));
  emitIf(
    condition,
    (inner) => assignVariable(result, value(expression.whenTrue, inner), inner),
    (inner) => assignVariable(result, value(expression.whenFalse, inner), inner),
    context,
  );
  joinLastChoice(context.output, context.addressTaken);
  return readOf(result.variable);
}

/**
 * `c ? *p : *q` is one load of the selected address, charged to the second (case branches/ternaryLoads); not where they lie in memories of
 * their own (fixtures/codegen/chosen_memories.cu).
 */
function selectedLoad(expression: Conditional, condition: Expression, context: Context): Expression | null {
  const { whenTrue, whenFalse } = expression;
  if (whenTrue.kind !== "load" || whenFalse.kind !== "load" || !whenTrue.site || !whenFalse.site) return null;
  const [first, second] = [whenTrue.place, whenFalse.place];
  if (first.kind !== "memory" || second.kind !== "memory" || !isPieceType(expression.type)) return null;
  if (!isPure(first.pointer) || !isPure(second.pointer)) return null;
  if (whenTrue.site.isVolatile || whenFalse.site.isVolatile) return null;
  const places = [placeIn(first, context), placeIn(second, context)];
  const [left, right] = places;
  if (left?.kind !== "memory" || right?.kind !== "memory") return null;
  if (lieApart(left.pointer, right.pointer, context.pointers)) return null;
  const type = pointerTo(expression.type);
  const pointer: Conditional = {
    kind: "conditional",
    type,
    condition,
    whenTrue: { kind: "address", type, place: left },
    whenFalse: { kind: "address", type, place: right },
  };
  const site = likeSite(whenFalse.site, { merged: [...whenFalse.site.merged, whenTrue.site.range] });
  const loaded: Load = {
    kind: "load",
    type: expression.type,
    place: { kind: "memory", pointer, offsetBytes: 0, type: expression.type },
    site,
  };
  return load(loaded, { ...context, renamed: new Map() });
}

function logical(expression: Logical, context: Context): Expression {
  const chosen = chosenOf(expression);
  if (chosen) return conditional(chosen, context);
  const left = value(expression.left, context);
  const known = knownValue(left, context.knowledge);
  const decides = expression.operator === "and" ? 0 : 1;
  if (typeof known === "number")
    return (known !== 0 ? 1 : 0) === decides
      ? { kind: "constant", type: expression.type, value: decides }
      : value(expression.right, context);
  const right = renameOnly(expression.right, context);
  if (right && isPure(right))
    return { kind: "logical", operator: expression.operator, type: expression.type, left, right };
  const result = placeOf(context.fresh.outcome(booleanType, "decided"));
  const evaluateRight = (inner: Context) => assignVariable(result, value(expression.right, inner), inner);
  const keepLeft = (inner: Context) =>
    assignVariable(result, { kind: "constant", type: booleanType, value: decides }, inner);
  if (expression.operator === "and") emitIf(left, evaluateRight, keepLeft, context);
  else emitIf(left, keepLeft, evaluateRight, context);
  return readOf(result.variable);
}

/** The expression with variables renamed and nothing evaluated, for what must stay where it is. */
export function renameOnly(expression: Expression | null, context: Context): Expression | null {
  if (!expression) return null;
  const rename = (node: Expression): Expression => {
    const mapped = mapOperands(node, rename);
    switch (mapped.kind) {
      case "load":
        return isRenamed(mapped.place) ? withPlace(mapped, placeIn(mapped.place, context)) : mapped;
      case "address":
        return isRenamed(mapped.place)
          ? { kind: "address", type: mapped.type, place: placeIn(mapped.place, context) }
          : mapped;
      case "assign":
        return isRenamed(mapped.place)
          ? withStored(mapped, placeIn(mapped.place, context), mapped.value)
          : mapped;
      default:
        return mapped;
    }
  };
  return rename(expression);
}

/** Whether it names a variable that may have another name in the function at hand. */
function isRenamed(place: Place): boolean {
  return place.kind === "variable" && !inMemory.has(place.variable.storage);
}

/** What is kept whole: its operands are evaluated before, its result goes to a temporary. */
function opaque(expression: Expression, context: Context): Expression {
  if (expression.kind === "call") {
    const inlined = context.inlineCall(expression, context);
    if (inlined) return inlined;
  }
  const written = withSite(mapOperandsIn(expression, value, context), context);
  const kept = written.kind === "call" ? withChosenHeld(written, context) : written;
  if (expression.type.kind === "void") {
    emit({ kind: "evaluate", expression: kept, range: context.range }, context);
    return { kind: "constant", type: expression.type, value: 0 };
  }
  const temporary = context.fresh.temporary(expression.type, "result");
  emitAssign(placeOf(temporary), kept, null, context);
  return readOf(temporary);
}

function withSite(expression: Expression, context: Context): Expression {
  return expression.kind === "intrinsic" && expression.site
    ? { ...expression, site: siteIn(expression.site, context) }
    : expression;
}
