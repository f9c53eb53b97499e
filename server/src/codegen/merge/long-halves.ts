// A load of 64 bits of which only one half is used becomes a load of that half: an index of 64 bits that addresses shared memory, a sum or
// product that goes into 32 bits. ptxas holds 64 bits in two registers, and loads the ones that something reads (fixtures/forms/long_halves).
import type { Binary, Convert, Expression, Intrinsic, Load, Place } from "../../ir/expression.ts";
import { expressionsOf, operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import { type IntegerType, int32, sizeOf, type Type, uint32 } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import type { Addresses } from "../addresses/address.ts";
import {
  likeSite,
  mapLists,
  mapOperands,
  mapStatements,
  withExpression,
  withPlace,
} from "../walks/rebuild.ts";
import { forEachExpression, forEachStatement, rootVariableOf, someExpressionOf } from "../walks/walk.ts";

/** The statements with such loads narrowed; the same statements where there is none. */
export function loadHalves(body: readonly Statement[], addresses: Addresses): readonly Statement[] {
  const loads = longLoadsIn(body, addresses);
  if (loads.size === 0) return body;
  const used = usedHalves(body, addresses);
  const halves = new Map<Expression, Load>();
  for (const load of loads) {
    const part = (used.get(load) ?? none) & both;
    if (part === low || part === high) halves.set(load, halfOf(load, part, addresses));
  }
  if (halves.size === 0) return body;
  if (storesNarrow(body)) noteNarrower(halves, addresses);
  const value = (expression: Expression): Expression => {
    const half = halves.get(expression);
    return half
      ? whole(half, expression.type, (used.get(expression) ?? low) & both)
      : mapOperands(expression, value);
  };
  const statements = (list: readonly Statement[]): readonly Statement[] =>
    mapStatements(list, (statement) =>
      statement.kind === "evaluate"
        ? withExpression(statement, value(statement.expression))
        : mapLists(statement, statements),
    );
  return statements(body);
}

/** Whether bytes or 16 bits are stored: of a high half they are loaded as 16 bits (fixtures/forms/cut_longs highByteOfLong), which is not followed. */
function storesNarrow(body: readonly Statement[]): boolean {
  return someExpressionOf(body, (node) => {
    if (node.kind !== "assign" || node.place.kind !== "memory") return false;
    const { type } = node.place;
    return type.kind === "integer" && type.bits < 32;
  });
}

/** High halves may be loaded narrower still. */
function noteNarrower(halves: Map<Expression, Load>, addresses: Addresses): void {
  for (const [whole, half] of halves) {
    if (!half.site || half.place.kind !== "memory" || half.place.offsetBytes % 8 !== 4) continue;
    const noted = withPlace(half, half.place, likeSite(half.site, { uncertain: "narrows-load" }));
    const address = addresses.get(half);
    if (address) addresses.set(noted, address);
    halves.set(whole, noted);
  }
}

/** Which halves of a number are used, as bits. Of 32 unsigned bits the high half is what zeros extend them by where they scale an index. */
type Halves = number;
const none: Halves = 0;
const low: Halves = 1;
const high: Halves = 2;
const both: Halves = low | high;
/** Whether the number scales an index, so that a mask of it is shifted with it. */
const scaled: Halves = 4;

/** The loads of 64-bit numbers from shared and global memory; what a thread has of its own is held as it is written. */
function longLoadsIn(body: readonly Statement[], addresses: Addresses): ReadonlySet<Load> {
  const loads = new Set<Load>();
  forEachStatement(body, (statement) => {
    if (statement.kind !== "evaluate") return;
    forEachExpression(statement.expression, (node) => {
      if (node.kind !== "load" || node.place.kind !== "memory" || !hasHalves(node.type)) return;
      const space = addresses.get(node)?.space;
      if (node.site?.isVolatile === false && space !== undefined && space !== "local") loads.add(node);
    });
  });
  return loads;
}

/** Of each load from memory the halves that something uses. */
function usedHalves(body: readonly Statement[], addresses: Addresses): ReadonlyMap<Expression, Halves> {
  const uses = new Uses(addresses);
  do {
    uses.hasGrown = false;
    forEachStatement(body, (statement) => uses.addStatement(statement));
  } while (uses.hasGrown);
  return uses.ofLoads;
}

/** What is used of variables and loads, gathered from their uses backwards until nothing is added. */
class Uses {
  hasGrown = false;
  readonly ofLoads = new Map<Expression, Halves>();
  private readonly ofVariables = new Map<number, Halves>();

  private readonly addresses: Addresses;

  constructor(addresses: Addresses) {
    this.addresses = addresses;
  }

  addStatement(statement: Statement): void {
    switch (statement.kind) {
      case "evaluate":
        this.add(statement.expression, none);
        return;
      case "declare":
        if (statement.initializer) this.add(statement.initializer, this.heldBy(statement.variable));
        return;
      case "loop":
        if (statement.condition) this.add(statement.condition, both);
        for (const step of statement.step) this.add(step, none);
        return;
      default:
        for (const expression of expressionsOf(statement)) this.add(expression, both);
    }
  }

  private heldBy(variable: Variable): Halves {
    return this.ofVariables.get(variable.id) ?? none;
  }

  private use(variable: Variable, halves: Halves): void {
    const before = this.heldBy(variable);
    if ((before | halves) === before) return;
    this.ofVariables.set(variable.id, before | halves);
    this.hasGrown = true;
  }

  /** Adds what is used of an expression's operands where those halves of its value are. */
  private add(expression: Expression, halves: Halves): void {
    switch (expression.kind) {
      case "load":
        this.ofLoads.set(expression, (this.ofLoads.get(expression) ?? none) | halves);
        if (!this.readsHalf(expression)) this.addPlace(expression.place, halves, this.isShared(expression));
        return;
      case "address":
        this.addPlace(expression.place, both, false);
        return;
      case "assign": {
        const { place, value } = expression;
        const isHeld = place.kind === "variable" && isWhole(place);
        this.add(value, isHeld ? halves | this.heldBy(place.variable) : both);
        if (place.kind === "memory") this.addPlace(place, both, this.isShared(expression));
        return;
      }
      case "convert":
        this.add(expression.operand, ofConverted(expression, halves));
        return;
      case "unary":
        this.add(expression.operand, isLong(expression.type) && halves === low ? low : both);
        return;
      case "binary": {
        const [left, right] = ofOperands(expression, halves);
        this.add(expression.left, left);
        this.add(expression.right, right);
        return;
      }
      case "conditional":
        this.add(expression.condition, both);
        this.add(expression.whenTrue, halves);
        this.add(expression.whenFalse, halves);
        return;
      case "sequence":
        for (const effect of expression.effects) this.add(effect, none);
        this.add(expression.result, halves);
        return;
      case "offset":
        this.addOffset(expression, this.isInShared(expression.pointer));
        return;
      case "intrinsic":
        for (const operand of expression.arguments)
          if (operand.type.kind === "pointer") this.addPointer(operand, this.isShared(expression));
          else this.add(operand, ofArgument(expression, operand, halves));
        return;
      default:
        for (const operand of operandsOf(expression)) this.add(operand, both);
    }
  }

  /** Whether it reads 32 bits at most of a variable: by its address (`*(int *)&v`), or as a member of a union. */
  private readsHalf({ place, type }: Load): boolean {
    const bytes = sizeOf(type) ?? 8;
    if (place.kind !== "variable" || bytes > 4 || sizeOf(place.variable.type) !== 8) return false;
    const { offsetBytes, variable } = place;
    if (offsetBytes < 4 && offsetBytes + bytes > 4) return false;
    this.use(variable, offsetBytes < 4 ? low : high);
    return true;
  }

  private addPlace(place: Place, halves: Halves, isShared: boolean): void {
    if (place.kind === "memory") this.addPointer(place.pointer, isShared);
    else this.use(place.variable, isWhole(place) ? halves : both);
  }

  private addPointer(pointer: Expression, isShared: boolean): void {
    if (pointer.kind === "offset") this.addOffset(pointer, isShared || this.isInShared(pointer.pointer));
    else if (pointer.kind === "convert" && pointer.operand.type.kind === "pointer")
      this.addPointer(pointer.operand, isShared);
    else if (pointer.kind === "address" && pointer.place.kind === "memory")
      this.addPointer(pointer.place.pointer, isShared);
    else this.add(pointer, both);
  }

  /** Addresses in shared memory have 32 bits. */
  private addOffset(offset: Expression & { kind: "offset" }, isShared: boolean): void {
    this.addPointer(offset.pointer, isShared);
    const index = withoutExtension(offset.index);
    const isScaled = offset.strideBytes > 1;
    if (isShared) this.add(offset.index, low);
    else if (index !== offset.index || isWord(index.type)) this.add(index, isScaled ? high : low);
    else this.add(index, isScaled ? both | scaled : both);
  }

  private isShared(access: Expression): boolean {
    return this.addresses.get(access)?.space === "shared";
  }

  private isInShared(pointer: Expression): boolean {
    const storage = rootVariableOf(pointer)?.storage;
    return storage === "shared" || storage === "dynamic-shared";
  }
}

/**
 * 64 bits of which 32 unsigned ones scale an index are masked once the index is shifted, in both registers; any other use of the 32 takes
 * the low half by itself.
 */
function ofConverted({ type, operand }: Convert, halves: Halves): Halves {
  if (type.kind !== "integer" || operand.type.kind !== "integer") return both;
  if (!isLong(operand.type)) return low;
  if (isLong(type)) return halves;
  return isWord(type) && halves === high ? both : low;
}

function ofOperands({ operator, type, left, right }: Binary, halves: Halves): readonly [Halves, Halves] {
  if (isWord(type) && isWord(left.type))
    return right.kind === "constant" && "+-*".includes(operator) ? [halves, low] : [low, low];
  if (!isLong(type)) return [both, both];
  const constant = right.kind === "constant" ? BigInt.asUintN(64, BigInt(right.value)) : null;
  const upTo = halves & high ? halves | low : halves;
  switch (operator) {
    case "+":
    case "-":
    case "*":
      return [upTo, upTo];
    case "^":
      return [halves, halves];
    case "|":
      return [halves, halves];
    case "&":
      return constant === null ? [halves, halves] : [halves & halvesOfMask(constant, halves), none];
    case "<<":
      if (constant === null) return [upTo, both];
      return [constant >= 32n ? (halves & high ? low : none) : upTo, none];
    case ">>":
      return [constant !== null && constant >= 32n ? high : both, both];
    default:
      return [both, both];
  }
}

/** Masks below it stay within the low half when an index of up to 16 bytes is scaled by them. */
const scalableMask = 1n << 28n;

/** The halves in which the mask has bits (fixtures/codegen/halves_of_wide), or has them once it is shifted with an index. */
function halvesOfMask(mask: bigint, halves: Halves): Halves {
  if (halves & scaled) return mask < scalableMask ? low : both;
  return (BigInt.asUintN(32, mask) === 0n ? none : low) | (mask >> 32n === 0n ? none : high);
}

/** The index before zeros extended it to 64 bits. */
function withoutExtension(index: Expression): Expression {
  return index.kind === "convert" && isLong(index.type) && isWord(index.operand.type) ? index.operand : index;
}

/** A shuffle of 64 bits is one of each half. */
function ofArgument({ name }: Intrinsic, { type }: Expression, halves: Halves): Halves {
  if (name === "__double_as_longlong") return halves;
  return name.startsWith("__shfl") && isLong(type) ? halves : both;
}

/** A 64-bit integer or a double. */
function hasHalves(type: Type): boolean {
  return isLong(type) || (type.kind === "float" && type.format === "double");
}

function isLong(type: Type): type is IntegerType {
  return type.kind === "integer" && type.bits === 64;
}

/** 32 unsigned bits, which zeros extend. */
function isWord(type: Type): boolean {
  return type.kind === "integer" && type.bits === 32 && !type.signed;
}

function isWhole(place: Place & { kind: "variable" }): boolean {
  return place.offsetBytes === 0 && sizeOf(place.type) === sizeOf(place.variable.type);
}

function halfOf(load: Load, half: Halves, addresses: Addresses): Load {
  const { place, type, site } = load;
  if (place.kind !== "memory") return load;
  const narrow = type.kind === "integer" && !type.signed ? uint32 : int32;
  const offsetBytes = half === high ? 4 : 0;
  const narrowed: Load = {
    kind: "load",
    type: narrow,
    place: {
      kind: "memory",
      pointer: place.pointer,
      offsetBytes: place.offsetBytes + offsetBytes,
      type: narrow,
    },
    site,
  };
  const address = addresses.get(load);
  if (address) addresses.set(narrowed, { ...address, constant: address.constant + offsetBytes });
  return narrowed;
}

/** The number of 64 bits with that half, as far as it is used. */
function whole(half: Load, type: Type, part: Halves): Expression {
  if (type.kind === "float")
    return { kind: "unknown", type, reason: "one half of a double", operands: [half], isPure: true };
  const extended: Convert = { kind: "convert", type, operand: half };
  if (part === low) return extended;
  const count: Expression = { kind: "constant", type: int32, value: 32 };
  return { kind: "binary", operator: "<<", type, left: extended, right: count };
}
