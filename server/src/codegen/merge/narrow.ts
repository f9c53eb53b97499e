// A load of an integer of which only the low or the high bits are used becomes a narrower load (cases narrow/intMaskByte,
// narrow/intShiftByte); of halves of 64 bits long-halves.ts knows, of bits that a branch asks for tested-bits.ts, of words that stay whole
// whole-words.ts. Vectors are not narrowed so: the pass runs when they are made.
import type { AccessSite, Expression, Load } from "../../ir/expression.ts";
import type { Evaluate, Statement } from "../../ir/statement.ts";
import { type IntegerType, uint8, uint16, uint32 } from "../../ir/type.ts";
import type { SourceRange } from "../../text/source.ts";
import type { Addresses } from "../addresses/address.ts";
import { placeOf, readOf } from "../walks/fresh.ts";
import { mapOperands, withExpression, withWays } from "../walks/rebuild.ts";
import { forEachExpression, forEachExpressionOf } from "../walks/walk.ts";
import { maskedBits, testedBitsIn } from "./tested-bits.ts";
import {
  type HeldValues,
  isShift,
  ReadOnlyLoads,
  storedCut,
  wholeUsesOf,
  withoutCut,
} from "./whole-words.ts";

export interface NarrowingFacts {
  readonly addresses: Addresses;
  /** What CUDA's headers load by `asm`. */
  readonly asmSites: ReadonlySet<AccessSite>;
}

interface Narrowing {
  readonly type: IntegerType;
  readonly offsetBytes: number;
  /** Of an integer that is asked for some bits: those of the narrow one. */
  readonly mask?: number;
  readonly asked?: SourceRange;
}

/** The statements with such loads narrowed; the same statements where there is none. */
export function narrowLoads(body: readonly Statement[], facts: NarrowingFacts): readonly Statement[] {
  const narrowings = narrowingsOf(body, facts);
  if (narrowings.size === 0) return body;
  return rewrite(body, narrowings, facts.addresses);
}

/** By id of the temporary that holds a loaded integer: what its only use needs of it. */
function narrowingsOf(
  body: readonly Statement[],
  { addresses, asmSites }: NarrowingFacts,
): ReadonlyMap<number, Narrowing> {
  const loaded = new Map<number, Load>();
  /** Below the conditions by which loads were made one: such a condition is its branch's own node, and one value. */
  const asked = new Set<Expression>();
  const wanted = new Map<number, Narrowing>();
  /** By variable: the temporary of which it holds some bits. */
  const named = new Map<number, number>();
  forEachExpressionOf(body, (expression) => {
    switch (expression.kind) {
      case "assign": {
        const { place, value } = expression;
        if (place.kind !== "variable") return;
        const masked = operandOf(value);
        if (masked && !isShift(value)) named.set(place.variable.id, masked.id);
        if (place.variable.id >= 0 || value.kind !== "load") return;
        const isPlain = value.place.kind === "memory" && value.site?.isVolatile === false;
        if (isPlain && value.type.kind === "integer") loaded.set(place.variable.id, value);
        return;
      }
      case "conditional":
        if (isAddress(expression)) forEachExpression(expression.condition, (node) => asked.add(node));
        return;
      case "convert":
      case "binary": {
        const used = operandOf(expression);
        if (used) wanted.set(used.id, used.narrowing);
      }
    }
  });
  if (loaded.size === 0) return new Map();
  for (const { id, narrowing } of testedBitsIn(body)) wanted.set(id, narrowing);
  const readOnly = new ReadOnlyLoads(body, addresses, asmSites);
  for (const id of wanted.keys()) {
    const load = loaded.get(id);
    if (!load || readOnly.has(load)) wanted.delete(id);
  }
  if (wanted.size === 0) return wanted;
  const { reads, held } = readsOf(wanted, body);
  for (const id of wanted.keys()) {
    const nodes = reads.get(id) ?? [];
    const values = nodes.filter((node, index) => !asked.has(node) || nodes.indexOf(node) === index);
    if (values.length !== 1) wanted.delete(id);
  }
  if (wanted.size === 0) return wanted;
  forEachExpressionOf(body, (expression) => {
    for (const whole of wholeUsesOf(expression, held)) {
      const id = operandOf(whole)?.id ?? variableIn(whole);
      if (id === null) continue;
      wanted.delete(id);
      wanted.delete(named.get(id) ?? id);
    }
    const cut = storedCut(expression, held);
    if (cut !== null && wanted.has(cut)) wanted.set(cut, { type: uint16, offsetBytes: 0 });
  });
  return wanted;
}

/** By id, what reads the wanted temporaries, and what all variables hold. */
function readsOf(
  wanted: ReadonlyMap<number, Narrowing>,
  body: readonly Statement[],
): { readonly reads: ReadonlyMap<number, readonly Expression[]>; readonly held: HeldValues } {
  const reads = new Map<number, Expression[]>();
  const assigned = new Map<number, Expression | null>();
  const readCounts = new Map<number, number>();
  forEachExpressionOf(body, (expression) => {
    if (expression.kind !== "load" && expression.kind !== "assign") return;
    if (expression.place.kind !== "variable") return;
    const { id } = expression.place.variable;
    if (expression.kind === "assign") {
      assigned.set(id, assigned.has(id) ? null : expression.value);
      return;
    }
    readCounts.set(id, (readCounts.get(id) ?? 0) + 1);
    if (!wanted.has(id)) return;
    const known = reads.get(id);
    if (known) known.push(expression);
    else reads.set(id, [expression]);
  });
  return { reads, held: { assigned, reads: readCounts } };
}

/** Whether it chooses the address of one load. */
function isAddress({ type }: Expression): boolean {
  return type.kind === "pointer";
}

/** The temporary that an expression takes some bits of, and which. */
function operandOf(expression: Expression): { readonly id: number; readonly narrowing: Narrowing } | null {
  if (expression.kind === "convert" && expression.type.kind === "integer") {
    const from = expression.operand.type;
    if (from.kind !== "integer" || expression.type.bits >= Math.min(from.bits, 32)) return null;
    return found(expression.operand, { type: unsignedOf(expression.type.bits), offsetBytes: 0 });
  }
  if (expression.kind !== "binary" || expression.right.kind !== "constant") return null;
  const { left, right } = expression;
  if (left.type.kind !== "integer" || typeof right.value !== "number") return null;
  if (expression.operator === "&") {
    const type = right.value === 0xff ? uint8 : right.value === 0xffff ? uint16 : null;
    if (type === null || left.type.bits <= type.bits) return null;
    const cut = withoutCut(left);
    return shiftedBytes(cut, type, left.type.bits) ?? found(cut, { type, offsetBytes: 0 });
  }
  if (expression.operator === ">>" && !left.type.signed && left.type.bits === 32) {
    if (right.value === 24) return found(left, { type: uint8, offsetBytes: 3 });
    if (right.value === 16) return found(left, { type: uint16, offsetBytes: 2 });
  }
  return null;
}

/** `x >> 8` of which a byte is taken, `x >> 16` of which 16 bits are, among the lowest: the temporary and the bytes in front of them. */
function shiftedBytes(
  left: Expression,
  taken: IntegerType,
  lowestBits: number,
): ReturnType<typeof operandOf> {
  if (left.kind !== "binary" || left.operator !== ">>" || left.right.kind !== "constant") return null;
  const { type } = left;
  const count = Number(left.right.value);
  if (type.kind !== "integer" || type.bits < 32) return null;
  if (count % taken.bits !== 0 || count + taken.bits > Math.min(type.bits, lowestBits)) return null;
  return found(left.left, { type: taken, offsetBytes: count / 8 });
}

function variableIn(expression: Expression): number | null {
  return expression.kind === "load" && expression.place.kind === "variable"
    ? expression.place.variable.id
    : null;
}

/** What an expression takes its bits from. */
function bitsFrom(expression: Expression): Expression | null {
  if (expression.kind === "convert") return expression.operand;
  if (expression.kind !== "binary") return null;
  const left = expression.operator === "&" ? withoutCut(expression.left) : expression.left;
  const isShifted = expression.operator === "&" && left.kind === "binary" && left.operator === ">>";
  return isShifted ? left.left : left;
}

function found(operand: Expression, narrowing: Narrowing) {
  return operand.kind === "load" && operand.place.kind === "variable" && operand.place.variable.id < 0
    ? { id: operand.place.variable.id, narrowing }
    : null;
}

function unsignedOf(bits: number): IntegerType {
  return bits === 8 ? uint8 : uint16;
}

function rewrite(
  list: readonly Statement[],
  narrowings: ReadonlyMap<number, Narrowing>,
  addresses: Addresses,
): readonly Statement[] {
  const inner = (body: readonly Statement[]) => rewrite(body, narrowings, addresses);
  const value = (expression: Expression): Expression => narrowedUse(expression, narrowings, value);
  return list.map((statement): Statement => {
    switch (statement.kind) {
      case "evaluate":
        return (
          narrowedLoad(statement, narrowings, addresses) ??
          withExpression(statement, value(statement.expression))
        );
      case "if":
        return withWays(
          statement,
          value(statement.condition),
          inner(statement.whenTrue),
          inner(statement.whenFalse),
        );
      case "loop":
        return {
          ...statement,
          condition: statement.condition && value(statement.condition),
          step: statement.step.map(value),
          body: inner(statement.body),
        };
      case "block":
        return { ...statement, body: inner(statement.body) };
      case "switch":
        return {
          ...statement,
          selector: value(statement.selector),
          cases: statement.cases.map((one) => ({ ...one, body: inner(one.body) })),
        };
      case "return":
        return { ...statement, value: statement.value && value(statement.value) };
      default:
        return statement;
    }
  });
}

function narrowedLoad(
  statement: Evaluate,
  narrowings: ReadonlyMap<number, Narrowing>,
  addresses: Addresses,
): Evaluate | null {
  const assign = statement.expression;
  if (assign.kind !== "assign" || assign.place.kind !== "variable" || assign.value.kind !== "load")
    return null;
  const narrowing = narrowings.get(assign.place.variable.id);
  const { place } = assign.value;
  if (!narrowing || place.kind !== "memory") return null;
  const { type, offsetBytes } = narrowing;
  const load: Load = {
    kind: "load",
    type,
    place: { kind: "memory", pointer: place.pointer, offsetBytes: place.offsetBytes + offsetBytes, type },
    site: chargedTo(assign.value.site, narrowing.asked),
  };
  const address = addresses.get(assign.value);
  if (address) addresses.set(load, { ...address, constant: address.constant + offsetBytes });
  const variable = { ...assign.place.variable, type, alignmentBytes: type.bits / 8 };
  const target = placeOf(variable, assign.place.offsetBytes);
  return withExpression(statement, { kind: "assign", type, place: target, value: load, site: assign.site });
}

function chargedTo(site: AccessSite | null, other: SourceRange | undefined): AccessSite | null {
  return site === null || other === undefined ? site : { ...site, merged: [...site.merged, other] };
}

/** The use, over the narrow value: `x & 255` is the value itself, `x >> 16` too. */
function narrowedUse(
  expression: Expression,
  narrowings: ReadonlyMap<number, Narrowing>,
  value: (expression: Expression) => Expression,
): Expression {
  const masked = maskedBits(expression);
  const test = masked && narrowings.get(masked.variable.id);
  if (masked && test?.mask !== undefined) {
    const narrow = readOf({ ...masked.variable, type: test.type, alignmentBytes: test.type.bits / 8 });
    const operand: Expression = { kind: "convert", type: uint32, operand: narrow };
    const mask: Expression = { kind: "constant", type: uint32, value: test.mask };
    const bits: Expression = { kind: "binary", operator: "&", type: uint32, left: operand, right: mask };
    return { kind: "convert", type: expression.type, operand: bits };
  }
  const used = operandOf(expression);
  const narrowing = used && narrowings.get(used.id);
  const operand = narrowing && bitsFrom(expression);
  if (!narrowing || operand?.kind !== "load" || operand.place.kind !== "variable")
    return mapOperands(expression, value);
  const { type } = narrowing;
  const narrow = readOf({ ...operand.place.variable, type, alignmentBytes: type.bits / 8 });
  return { kind: "convert", type: expression.type, operand: narrow };
}
