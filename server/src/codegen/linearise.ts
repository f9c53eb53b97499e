// First pass: one access a statement. Every load becomes `temporary = load`, calls are inlined, loops of constant trips unrolled,
// records moved piece by piece, and memory that turns out to be a local variable becomes that variable.
import type {
  AccessSite,
  Conditional,
  Expression,
  Intrinsic,
  Load,
  Logical,
  MemoryPlace,
  Place,
  VariablePlace,
} from "../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../ir/function.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { Declare, If, Loop, Statement, Switch } from "../ir/statement.ts";
import { booleanType, pointerTo, sameType, sizeOf, type Type } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { SourceRange } from "../text/source.ts";
import { commonKnowledge, type Knowledge, knownValue } from "./constants.ts";
import { type Fresh, placeOf, readOf } from "./fresh.ts";
import { withSingleExit } from "./inline.ts";
import { copyPiecesOf, isPieceType, type Piece, piecesOf } from "./layout.ts";
import { planOfUnrolling } from "./unroll.ts";
import { assignedVariables, forEachExpressionOf, isPure, mapOperands } from "./walk.ts";

/** Accesses that come from one access of a record in the text: the compiler sees one vector and may narrow it. */
export type RecordGroups = WeakMap<Expression, object>;

export interface Linearised {
  readonly body: readonly Statement[];
  /** For each load or store that is a piece of a record access, the same object as for its fellows. */
  readonly groups: RecordGroups;
  /** Sites that `__ldg` reads: the program promises that nobody writes there. */
  readonly readOnlySites: WeakSet<AccessSite>;
  /** The ranges of loops whose body stands several times. */
  readonly unrolledLoops: WeakSet<SourceRange>;
}

export interface LineariseOptions {
  readonly functionOf: (id: FunctionId) => FunctionDefinition | null;
  readonly fresh: Fresh;
}

const maximumDepth = 24;
const maximumStatements = 20_000;

/** The body of `definition` with one access a statement. What it computes is the same. */
export function linearise(definition: FunctionDefinition, options: LineariseOptions): Linearised {
  const context: Context = {
    ...options,
    output: [],
    knowledge: new Map(),
    renamed: new Map(),
    addressTaken: addressTakenIn(definition.body),
    stack: [],
    callees: [definition.id],
    groups: new WeakMap(),
    copied: new Set(),
    readOnlySites: new WeakSet(),
    unrolledLoops: new WeakSet(),
    budget: { statements: maximumStatements },
    result: null,
    range: definition.range,
  };
  statements(definition.body, context);
  const { output, groups, readOnlySites, unrolledLoops } = context;
  return { body: output, groups, readOnlySites, unrolledLoops };
}

interface Context extends LineariseOptions {
  output: Statement[];
  knowledge: Knowledge;
  /** Variables of the function being inlined, by the id that its text has. */
  readonly renamed: Map<number, Variable>;
  readonly addressTaken: ReadonlySet<number>;
  /** The calls around the code at hand, innermost first. */
  readonly stack: readonly SourceRange[];
  readonly callees: readonly FunctionId[];
  readonly groups: RecordGroups;
  /** Ids of temporaries that hold a record as it was in memory, its padding too. */
  readonly copied: Set<number>;
  readonly readOnlySites: WeakSet<AccessSite>;
  readonly unrolledLoops: WeakSet<SourceRange>;
  readonly budget: { statements: number };
  /** Where `return` puts its value while a function is inlined. */
  readonly result: Variable | null;
  /** Of the statement at hand. */
  range: SourceRange;
}

// Statements

function statements(list: readonly Statement[], context: Context): void {
  for (let index = 0; index < list.length; index++) {
    const statement = list[index];
    if (statement) oneStatement(statement, context);
  }
}

function oneStatement(statement: Statement, context: Context): void {
  if ("range" in statement) context.range = statement.range;
  switch (statement.kind) {
    case "evaluate":
      effect(statement.expression, context);
      return;
    case "declare":
      declare(statement, context);
      return;
    case "block":
      statements(statement.body, context);
      return;
    case "if":
      ifStatement(statement, context);
      return;
    case "loop":
      loopStatement(statement, context);
      return;
    case "switch":
      switchStatement(statement, context);
      return;
    case "return":
      returnStatement(statement, context);
      return;
    case "break":
    case "continue":
    case "barrier":
    case "unknown":
    case "launch":
      emit(statement, context);
  }
}

function returnStatement(statement: Statement & { kind: "return" }, context: Context): void {
  if (context.callees.length === 1) {
    const returned = statement.value ? value(statement.value, context) : null;
    emit({ ...statement, value: returned }, context);
  } else if (statement.value && context.result) {
    assignVariable(placeOf(context.result), value(statement.value, context), context);
  } else if (statement.value) effect(statement.value, context);
}

function declare(statement: Declare, context: Context): void {
  const variable = renamedVariable(statement.variable, context, "declared");
  emit({ ...statement, variable, initializer: null }, context);
  context.knowledge.delete(variable.id);
  if (statement.initializer)
    assignVariable(placeOf(variable), value(statement.initializer, context), context);
}

function ifStatement(statement: If, context: Context): void {
  const condition = value(statement.condition, context);
  const known = knownValue(condition, context.knowledge);
  if (typeof known === "number") {
    statements(known !== 0 ? statement.whenTrue : statement.whenFalse, context);
    return;
  }
  emitIf(
    condition,
    (inner) => statements(statement.whenTrue, inner),
    (inner) => statements(statement.whenFalse, inner),
    context,
  );
}

function emitIf(
  condition: Expression,
  buildTrue: (inner: Context) => void,
  buildFalse: (inner: Context) => void,
  context: Context,
): void {
  const { range } = context;
  const whenTrue = branch(context, new Map(context.knowledge), buildTrue);
  const whenFalse = branch(context, new Map(context.knowledge), buildFalse);
  const ends = [whenTrue, whenFalse].filter((one) => !leaves(one.output));
  const [first, second] = ends;
  if (first)
    context.knowledge = second ? commonKnowledge(first.knowledge, second.knowledge) : first.knowledge;
  context.range = range;
  emit({ kind: "if", condition, whenTrue: whenTrue.output, whenFalse: whenFalse.output, range }, context);
}

function branch(context: Context, knowledge: Knowledge, build: (inner: Context) => void): Context {
  const inner: Context = { ...context, output: [], knowledge };
  build(inner);
  return inner;
}

/** Whether control never reaches the end of the list. */
function leaves(list: readonly Statement[]): boolean {
  const last = list.at(-1);
  return last?.kind === "return" || last?.kind === "break" || last?.kind === "continue";
}

function loopStatement(statement: Loop, context: Context): void {
  const plan = planOfUnrolling(statement, context.knowledge, context.budget.statements);
  if (plan?.kind === "full") {
    for (let trip = 0; trip < plan.trips; trip++) {
      statements(statement.body, context);
      for (const step of statement.step) effect(step, context);
    }
    return;
  }
  const copies = plan?.kind === "partial" ? plan.copies : 1;
  keptLoop(statement, copies, context);
}

/** A loop that stays one, its body written `copies` times where the trips are known to be a multiple of that. */
function keptLoop(statement: Loop, copies: number, context: Context): void {
  const { range } = context;
  forget(assignedVariables(statement.body, statement.step), context);
  const condition = statement.condition ? branch(context, new Map(context.knowledge), () => {}) : null;
  const test = condition && statement.condition ? value(statement.condition, condition) : null;
  const isPlainTest = !condition || condition.output.length === 0;
  const canFlatten = !hasContinue(statement.body);
  const body = branch(context, new Map(context.knowledge), (inner) => {
    if (!isPlainTest && canFlatten && statement.test === "top") exitUnless(statement.condition, inner);
    for (let copy = 0; copy < copies; copy++) {
      statements(statement.body, inner);
      if (copy + 1 < copies || canFlatten) for (const step of statement.step) effect(step, inner);
    }
    if (!isPlainTest && canFlatten && statement.test === "bottom") exitUnless(statement.condition, inner);
  });
  context.range = range;
  const kept: Loop = {
    ...statement,
    condition: isPlainTest ? test : canFlatten ? null : renameOnly(statement.condition, context),
    step: canFlatten ? [] : statement.step.map((step) => renameOnly(step, context) ?? step),
    test: isPlainTest || !canFlatten ? statement.test : "top",
    body: body.output,
  };
  if (copies > 1) context.unrolledLoops.add(kept.range);
  emit(kept, context);
  forget(assignedVariables(statement.body, statement.step), context);
}

function exitUnless(condition: Expression | null, context: Context): void {
  if (!condition) return;
  const test = value(condition, context);
  const { range } = context;
  const stop: Expression = { kind: "unary", operator: "not", type: booleanType, operand: test };
  emit({ kind: "if", condition: stop, whenTrue: [{ kind: "break" }], whenFalse: [], range }, context);
}

/** Whether a `continue` of this loop itself is in the list. */
function hasContinue(list: readonly Statement[]): boolean {
  return list.some((statement) => {
    switch (statement.kind) {
      case "continue":
        return true;
      case "block":
        return hasContinue(statement.body);
      case "if":
        return hasContinue(statement.whenTrue) || hasContinue(statement.whenFalse);
      case "switch":
        return statement.cases.some((one) => hasContinue(one.body));
      default:
        return false;
    }
  });
}

function switchStatement(statement: Switch, context: Context): void {
  const selector = value(statement.selector, context);
  const { range } = context;
  forget(assignedVariables([statement]), context);
  const cases = statement.cases.map((one) => ({
    ...one,
    body: branch(context, new Map(context.knowledge), (inner) => statements(one.body, inner)).output,
  }));
  emit({ kind: "switch", selector, cases, range }, context);
  forget(assignedVariables([statement]), context);
}

function forget(ids: ReadonlySet<number>, context: Context): void {
  for (const id of ids) context.knowledge.delete(context.renamed.get(id)?.id ?? id);
}

function emit(statement: Statement, context: Context): void {
  context.budget.statements--;
  context.output.push(statement);
}

// Expressions

/** Evaluates an expression for what it does. */
function effect(expression: Expression, context: Context): void {
  switch (expression.kind) {
    case "assign":
      assign(expression, context);
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

/** A pure expression that has the value of `expression`; what it does is emitted before. */
function value(expression: Expression, context: Context): Expression {
  switch (expression.kind) {
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
      if (kind === "pure" || kind === "identity") return operandsInPlace(expression, context);
      return opaque(expression, context);
    }
    case "call":
    case "call-indirect":
    case "unknown":
      return opaque(expression, context);
    default:
      return operandsInPlace(expression, context);
  }
}

function operandsInPlace(expression: Expression, context: Context): Expression {
  return mapOperands(expression, (operand) => value(operand, context));
}

function load(expression: Load, context: Context): Expression {
  const place = placeIn(expression.place, context);
  if (place.kind === "variable") return { ...expression, place, site: null };
  const site = siteIn(expression.site, context);
  if (expression.type.kind === "record" || expression.type.kind === "array")
    return loadRecord(expression, place, site, context);
  const temporary = context.fresh.temporary(expression.type, "loaded");
  emitAssign(placeOf(temporary), { ...expression, place, site }, null, context);
  return readOf(temporary);
}

function loadRecord(
  expression: Load,
  place: MemoryPlace,
  site: AccessSite | null,
  context: Context,
): Expression {
  const pieces = site?.isVolatile ? null : copyPiecesOf(expression.type);
  const temporary = context.fresh.temporary(expression.type, "loaded");
  if (!pieces) {
    emitAssign(placeOf(temporary), { ...expression, place, site }, null, context);
    return readOf(temporary);
  }
  const base = stablePointer(place, context);
  context.copied.add(temporary.id);
  const group = {};
  for (const piece of pieces) {
    const loaded: Load = {
      kind: "load",
      type: piece.type,
      place: pieceOf(base, piece, expression.type),
      site,
    };
    context.groups.set(loaded, group);
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
  return plain;
}

/** The place with a pointer that costs little to write again for every piece. */
function stablePointer(place: MemoryPlace, context: Context): MemoryPlace {
  const { pointer } = place;
  if (pointer.kind === "load" || pointer.kind === "address") return place;
  const variable = context.fresh.temporary(pointer.type, "address");
  emitAssign(placeOf(variable), pointer, null, context);
  return { ...place, pointer: readOf(variable) };
}

/** A piece of a record in memory. Its pointer keeps the record's type, which is what proves its alignment. */
function pieceOf(base: MemoryPlace, piece: Piece, whole: Type): MemoryPlace {
  const pointer: Expression =
    base.pointer.type.kind === "pointer" && sameType(base.pointer.type.target, whole)
      ? base.pointer
      : { kind: "convert", type: pointerTo(whole), operand: base.pointer };
  return {
    kind: "memory",
    pointer: base.offsetBytes === 0 ? pointer : base.pointer,
    offsetBytes: base.offsetBytes + piece.offsetBytes,
    type: piece.type,
  };
}

/** Stores, and gives an expression for the value stored. */
function assign(expression: Expression & { kind: "assign" }, context: Context): Expression {
  const stored = value(expression.value, context);
  const place = placeIn(expression.place, context);
  if (place.kind === "variable") {
    assignVariable(place, stored, context);
    return readOf(place.variable, place.offsetBytes, place.type);
  }
  const site = siteIn(expression.site, context);
  const kept = isRepeatable(stored) ? stored : capture(stored, context);
  storeMemory(place, kept, site, context);
  return kept;
}

/** Whether writing the expression twice is as good as once: constants, and temporaries, which nobody assigns again. */
function isRepeatable(expression: Expression): boolean {
  if (expression.kind === "constant") return true;
  if (expression.kind === "aggregate") return expression.parts.every((part) => isRepeatable(part.value));
  return (
    expression.kind === "load" && expression.place.kind === "variable" && expression.place.variable.id < 0
  );
}

function capture(expression: Expression, context: Context): Expression {
  if (expression.type.kind === "void") return expression;
  const temporary = context.fresh.temporary(expression.type, "value");
  assignVariable(placeOf(temporary), expression, context);
  return readOf(temporary);
}

function storeMemory(
  place: MemoryPlace,
  stored: Expression,
  site: AccessSite | null,
  context: Context,
): void {
  const isRecord = place.type.kind === "record" || place.type.kind === "array";
  const parts = isRecord && !site?.isVolatile ? partsOfValue(stored, place.type, context) : null;
  if (!parts) {
    emitAssign(place, stored, site, context);
    return;
  }
  const base = stablePointer(place, context);
  const group = {};
  for (const part of parts)
    emitAssign(pieceOf(base, part.piece, place.type), part.value, site, context, group);
}

interface PartOfValue {
  readonly piece: Piece;
  readonly value: Expression;
}

/** A record value cut into scalars; null where it cannot be. */
function partsOfValue(stored: Expression, type: Type, context: Context): readonly PartOfValue[] | null {
  if (stored.kind === "aggregate") {
    const pieces = piecesOf(type);
    return pieces?.map((piece) => ({ piece, value: partOfAggregate(stored, piece) })) ?? null;
  }
  if (stored.kind !== "load" || stored.place.kind !== "variable") return null;
  const { variable, offsetBytes } = stored.place;
  const pieces = context.copied.has(variable.id) ? copyPiecesOf(type) : piecesOf(type);
  return (
    pieces?.map((piece) => ({
      piece,
      value: readOf(variable, offsetBytes + piece.offsetBytes, piece.type),
    })) ?? null
  );
}

function partOfAggregate(aggregate: Expression & { kind: "aggregate" }, piece: Piece): Expression {
  const width = sizeOf(piece.type) ?? 0;
  for (const part of aggregate.parts) {
    const size = sizeOf(part.value.type) ?? 0;
    const inside = piece.offsetBytes - part.offsetBytes;
    if (inside < 0 || inside + width > size) continue;
    if (part.value.type.kind !== "record" && part.value.type.kind !== "array") return part.value;
    return extracted(part.value, inside, piece.type);
  }
  return { kind: "constant", type: piece.type, value: 0 };
}

/** A scalar of a pure record value. */
function extracted(record: Expression, offsetBytes: number, type: Type): Expression {
  if (record.kind === "load" && record.place.kind === "variable")
    return readOf(record.place.variable, record.place.offsetBytes + offsetBytes, type);
  if (record.kind === "aggregate" && isPieceType(type)) return partOfAggregate(record, { offsetBytes, type });
  return { kind: "extract", type, operand: record, offsetBytes };
}

function extract(expression: Expression & { kind: "extract" }, context: Context): Expression {
  const operand = expression.operand;
  if (operand.kind === "load" && operand.place.kind === "memory" && !operand.site?.isVolatile) {
    const { place } = operand;
    const part = { ...place, offsetBytes: place.offsetBytes + expression.offsetBytes, type: expression.type };
    return load({ ...operand, type: expression.type, place: part }, context);
  }
  return extracted(value(operand, context), expression.offsetBytes, expression.type);
}

/** `place = stored` for a variable: records go piece by piece, what is known of scalars is kept. */
function assignVariable(place: VariablePlace, stored: Expression, context: Context): void {
  const isRecord = place.type.kind === "record" || place.type.kind === "array";
  const parts =
    isRecord && place.variable.storage === "automatic" ? partsOfValue(stored, place.type, context) : null;
  if (parts) {
    for (const { piece, value: part } of parts)
      emitAssign(
        placeOf(place.variable, place.offsetBytes + piece.offsetBytes, piece.type),
        part,
        null,
        context,
      );
    return;
  }
  emitAssign(place, stored, null, context);
}

function emitAssign(
  place: Place,
  stored: Expression,
  site: AccessSite | null,
  context: Context,
  group?: object,
): void {
  const expression: Expression = { kind: "assign", type: place.type, place, value: stored, site };
  if (group) context.groups.set(expression, group);
  emit({ kind: "evaluate", expression, range: context.range }, context);
  if (place.kind === "variable") learn(place, stored, context);
}

function learn(place: VariablePlace, stored: Expression, context: Context): void {
  const { id } = place.variable;
  const known =
    place.offsetBytes === 0 && isPieceType(place.variable.type) && !context.addressTaken.has(id)
      ? knownValue(stored, context.knowledge)
      : null;
  if (known === null) context.knowledge.delete(id);
  else context.knowledge.set(id, known);
}

function addressOf(expression: Expression & { kind: "address" }, context: Context): Expression {
  const { place } = expression;
  if (place.kind === "variable" && inMemory.has(place.variable.storage)) return expression;
  return { ...expression, place: placeIn(expression.place, context) };
}

/** The place with its pointer evaluated; memory that is a known part of a local variable becomes that variable. */
function placeIn(place: Place, context: Context): Place {
  if (place.kind === "variable") {
    if (inMemory.has(place.variable.storage)) return memoryOf(place);
    const variable = renamedVariable(place.variable, context, "used");
    return variable === place.variable ? place : { ...place, variable };
  }
  const pointer = value(place.pointer, context);
  const known = knownValue(pointer, context.knowledge);
  if (known !== null && typeof known !== "number") {
    const offsetBytes = known.offsetBytes + place.offsetBytes;
    const room = sizeOf(known.variable.type) ?? 0;
    if (offsetBytes >= 0 && offsetBytes + (sizeOf(place.type) ?? Infinity) <= room)
      return { kind: "variable", variable: known.variable, offsetBytes, type: place.type };
  }
  return { ...place, pointer };
}

const inMemory: ReadonlySet<Variable["storage"]> = new Set([
  "shared",
  "dynamic-shared",
  "device",
  "constant",
]);

/** A known part of an array in memory (`s[0]`), as the memory that it is. */
function memoryOf(place: VariablePlace): MemoryPlace {
  const { variable } = place;
  const whole: VariablePlace = { kind: "variable", variable, offsetBytes: 0, type: variable.type };
  const pointer: Expression = { kind: "address", type: pointerTo(variable.type), place: whole };
  return { kind: "memory", pointer, offsetBytes: place.offsetBytes, type: place.type };
}

function siteIn(site: AccessSite | null, context: Context): AccessSite | null {
  if (!site || context.stack.length === 0) return site;
  const framed: AccessSite = { ...site, stack: context.stack };
  if (context.readOnlySites.has(site)) context.readOnlySites.add(framed);
  return framed;
}

function conditional(expression: Conditional, context: Context): Expression {
  const condition = value(expression.condition, context);
  const known = knownValue(condition, context.knowledge);
  if (typeof known === "number")
    return value(known !== 0 ? expression.whenTrue : expression.whenFalse, context);
  const whenTrue = renameOnly(expression.whenTrue, context);
  const whenFalse = renameOnly(expression.whenFalse, context);
  if (whenTrue && whenFalse && isPure(whenTrue) && isPure(whenFalse))
    return { ...expression, condition, whenTrue, whenFalse };
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
  const result = placeOf(context.fresh.temporary(expression.type, "selected"));
  emitIf(
    condition,
    (inner) => assignVariable(result, value(expression.whenTrue, inner), inner),
    (inner) => assignVariable(result, value(expression.whenFalse, inner), inner),
    context,
  );
  return readOf(result.variable);
}

/** `c ? *p : *q` is one load of the selected address, charged to the second (case branches/ternaryLoads). */
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
  const type = pointerTo(expression.type);
  const pointer: Conditional = {
    kind: "conditional",
    type,
    condition,
    whenTrue: { kind: "address", type, place: left },
    whenFalse: { kind: "address", type, place: right },
  };
  const site = { ...whenFalse.site, merged: [...whenFalse.site.merged, whenTrue.site.range] };
  const loaded: Load = {
    kind: "load",
    type: expression.type,
    place: { kind: "memory", pointer, offsetBytes: 0, type: expression.type },
    site,
  };
  return load(loaded, { ...context, renamed: new Map() });
}

function logical(expression: Logical, context: Context): Expression {
  const left = value(expression.left, context);
  const known = knownValue(left, context.knowledge);
  const decides = expression.operator === "and" ? 0 : 1;
  if (typeof known === "number")
    return (known !== 0 ? 1 : 0) === decides
      ? { kind: "constant", type: expression.type, value: decides }
      : value(expression.right, context);
  const right = renameOnly(expression.right, context);
  if (right && isPure(right)) return { ...expression, left, right };
  const result = placeOf(context.fresh.temporary(booleanType, "decided"));
  const evaluateRight = (inner: Context) => assignVariable(result, value(expression.right, inner), inner);
  const keepLeft = (inner: Context) =>
    assignVariable(result, { kind: "constant", type: booleanType, value: decides }, inner);
  if (expression.operator === "and") emitIf(left, evaluateRight, keepLeft, context);
  else emitIf(left, keepLeft, evaluateRight, context);
  return readOf(result.variable);
}

/** The expression with variables renamed and nothing evaluated, for what must stay where it is. */
function renameOnly(expression: Expression | null, context: Context): Expression | null {
  if (!expression) return null;
  const rename = (node: Expression): Expression => {
    const mapped = mapOperands(node, rename);
    if (
      (mapped.kind === "load" || mapped.kind === "address" || mapped.kind === "assign") &&
      mapped.place.kind === "variable" &&
      !inMemory.has(mapped.place.variable.storage)
    )
      return { ...mapped, place: placeIn(mapped.place, context) } as Expression;
    return mapped;
  };
  return rename(expression);
}

/** What is kept whole: its operands are evaluated before, its result goes to a temporary. */
function opaque(expression: Expression, context: Context): Expression {
  if (expression.kind === "call") {
    const inlined = inlineCall(expression, context);
    if (inlined) return inlined;
  }
  const kept = withSite(
    mapOperands(expression, (operand) => value(operand, context)),
    context,
  );
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

// Calls

function inlineCall(expression: Expression & { kind: "call" }, context: Context): Expression | null {
  if (context.callees.length > maximumDepth || context.callees.includes(expression.callee)) return null;
  if (context.budget.statements <= 0) return null;
  const callee = context.functionOf(expression.callee);
  const body = callee && withSingleExit(callee.body);
  if (!callee || !body || callee.parameters.length !== expression.arguments.length) return null;
  const returned = callee.result.kind === "void" ? null : context.fresh.temporary(callee.result, "returned");
  const inner: Context = {
    ...context,
    renamed: new Map(),
    addressTaken: addressTakenIn(body, context.addressTaken),
    stack: [expression.range, ...context.stack],
    callees: [...context.callees, callee.id],
    result: returned,
  };
  const given = expression.arguments.map((argument) => value(argument, context));
  callee.parameters.forEach((parameter, index) => {
    const argument = given[index];
    if (argument) passArgument(parameter, argument, inner);
  });
  statements(body, inner);
  context.knowledge = inner.knowledge;
  if (!returned) return { kind: "constant", type: expression.type, value: 0 };
  return readOf(returned);
}

function passArgument(parameter: Variable, argument: Expression, inner: Context): void {
  const variable = renamedVariable(parameter, inner, "declared");
  emit({ kind: "declare", variable, initializer: null, range: inner.range }, inner);
  assignVariable(placeOf(variable), argument, inner);
}

/** Automatic variables of an inlined function are new ones for each call. */
function renamedVariable(variable: Variable, context: Context, how: "declared" | "used"): Variable {
  if (variable.storage !== "automatic" || context.callees.length === 1) return variable;
  const known = context.renamed.get(variable.id);
  if (known && how === "used") return known;
  if (how === "used") return variable;
  const copy = context.fresh.copyOf(variable);
  context.renamed.set(variable.id, copy);
  return copy;
}

/** Ids of the variables whose address is taken in a way that hides who assigns them. */
function addressTakenIn(
  body: readonly Statement[],
  outer: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  const ids = new Set(outer);
  forEachExpressionOf(body, (expression) => {
    if (expression.kind === "address" && expression.place.kind === "variable")
      ids.add(expression.place.variable.id);
  });
  return ids;
}
