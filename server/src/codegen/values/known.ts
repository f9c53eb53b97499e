// What is known at one point of a function: what variables hold and equal, what registers hold of memory, and how statements and ways that
// meet change it.
import type { Expression, Intrinsic, VariablePlace } from "../../ir/expression.ts";
import { intrinsicEffect } from "../../ir/intrinsic.ts";
import type { Loop, Statement } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { type Addresses, type Addressing, keyOfId, variableKey } from "../addresses/address.ts";
import { atomicPlaceOf, type Extent } from "../addresses/alias.ts";
import type { Change } from "../addresses/induction.ts";
import { type CopiedLoop, constantLinear, type Induction, type Linear } from "../addresses/linear.ts";
import type { Space } from "../addresses/space.ts";
import { flowEffectsOf } from "../walks/flow.ts";
import { type Changes, JournalMap, keysOf } from "../walks/journal.ts";
import { mapOperandsIn } from "../walks/rebuild.ts";
import { isRecordType, type Usage } from "../walks/usage.ts";
import { forEachExpression, isOpaque, isPure, sitesIn } from "../walks/walk.ts";
import { equalitiesIn, truthsIn } from "./equalities.ts";
import {
  type Held,
  heldAcrossBarrier,
  heldInBoth,
  heldSince,
  readOnlyOf,
  withHeld,
  withoutAliases,
  withoutBase,
} from "./held.ts";
import { type VariableChanges, VariableValues } from "./variables.ts";

/** How one way through a branch changes what is known. */
export interface Way {
  readonly values: VariableChanges;
  readonly copies: Changes<Expression>;
  readonly held: readonly Held[];
  readonly stretch: number;
}

export interface KnownOptions {
  readonly addressing: Addressing;
  /** Variables whose address is still taken: others may assign them. */
  readonly escaped: ReadonlySet<number>;
  readonly usage: Usage;
  /** Gets the addresses of atomics. */
  readonly addresses: Addresses;
}

/** The knowledge at the point where a pass stands, which it moves on statement by statement. */
export class Known {
  readonly values: VariableValues;
  held: readonly Held[] = [];
  /** Where the point lies among the meetings of ways; a new number for each. */
  stretch = 0;
  private meetings = 0;
  private moment = 0;
  private lastShuffle = 0;
  private lastLoop = 0;
  private readonly lastStores = new Map<Space, number>();
  /** By variable key: a constant or temporary that the variable equals. */
  private readonly copies = new JournalMap<Expression>();
  private readonly addressing: Addressing;
  private readonly escaped: ReadonlySet<number>;
  private readonly usage: Usage;
  private readonly addresses: Addresses;

  constructor({ addressing, escaped, usage, addresses }: KnownOptions) {
    this.addressing = addressing;
    this.escaped = escaped;
    this.usage = usage;
    this.addresses = addresses;
    this.values = new VariableValues({
      escaped,
      somethingElse: () => addressing.unknown(1),
      either: (left, right) => eitherOf(left, right, addressing),
    });
  }

  /** Notes that the place holds the value from here on; `key` is its variable key. */
  define({ variable, offsetBytes }: VariablePlace, key: number, value: Expression): void {
    const isNamed = isPure(value) && !isRecordType(value);
    const linear = isNamed ? this.addressing.linearOf(value, this.values) : this.addressing.unknown(1);
    this.forgetOverlap(variable, offsetBytes, sizeOf(value.type) ?? 1);
    this.values.set(key, linear);
    // What a call promises of a parameter it promises by its name.
    const hasName = isNamed && !variable.inlined && !this.escaped.has(variable.id);
    if (hasName && this.isStable(value)) this.copies.set(key, value);
  }

  /** Notes what a register holds of memory from here on. */
  hold(held: Omit<Held, "stretch" | "moment">): void {
    this.moment += 1;
    this.held = withHeld(this.held, { ...held, stretch: this.stretch, moment: this.moment });
  }

  /** Notes that what is held is read here: where a shuffle has gone by, to LLVM it is loaded here. */
  readAgain(held: Held): void {
    if (held.moment > this.lastShuffle) return;
    this.moment += 1;
    this.held = withHeld(this.held, { ...held, moment: this.moment });
  }

  /** The expression over what variables are known to equal. */
  substituted(expression: Expression): Expression {
    return substituted(expression, this.copies);
  }

  /** Whether the expression has the value that it has here wherever it is read. */
  isStable(expression: Expression): boolean {
    return (
      expression.kind === "constant" ||
      (expression.kind === "load" &&
        expression.place.kind === "variable" &&
        this.usage.stable.has(variableKey(expression.place.variable, expression.place.offsetBytes)))
    );
  }

  // What statements make unknown

  clobber(expression: Expression): void {
    if (!isPure(expression)) forEachExpression(expression, clobberBy, this);
  }

  clobberBy(node: Expression): void {
    if (isOpaque(node)) {
      this.forgetMemory();
      this.values.forgetEscaped();
    } else if (node.kind === "assign") {
      if (node.place.kind === "variable") this.forgetId(node.place.variable.id);
      else this.forgetMemory();
    } else if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect === "pure" || effect === "identity" || effect === "load") return;
      if (effect === "warp") {
        this.shuffle();
        return;
      }
      if (effect === "matrix-load") return;
      if (effect === "atomic") this.forgetAtomic(node);
      else this.forgetMemory();
    }
  }

  private shuffle(): void {
    this.moment += 1;
    this.lastShuffle = this.moment;
    this.forgetPassed();
  }

  /** Notes that control has come out of a loop that stays one: few of those that touch no memory do. */
  leaveLoop({ body }: Loop): void {
    this.meet();
    if (sitesIn(body).length > 0) {
      this.moment += 1;
      this.lastLoop = this.moment;
    }
    this.forgetPassed();
  }

  /** Forgets what was held before a shuffle and a loop, or a shuffle and a store of its space, that both have gone by. */
  private forgetPassed(): void {
    if (this.lastShuffle === 0) return;
    this.held = heldSince(this.held, (space) =>
      Math.min(this.lastShuffle, Math.max(this.lastLoop, this.lastStoreIn(space))),
    );
  }

  private lastStoreIn(space: Space): number {
    const last = space === "unknown" ? [...this.lastStores.values()] : [this.lastStores.get(space) ?? 0];
    return Math.max(0, ...last, this.lastStores.get("unknown") ?? 0);
  }

  /** An atomic changes what it points at, and leaves the rest of memory to registers. */
  private forgetAtomic(atomic: Intrinsic): void {
    const place = atomicPlaceOf(atomic);
    if (!place) {
      this.forgetMemory();
      return;
    }
    const address = this.addressing.addressOf(place, this.values);
    this.addresses.set(atomic, address);
    this.changeMemory({ address, bytes: sizeOf(place.type) ?? 8 });
  }

  /** Forgets what a write there may change. */
  changeMemory(extent: Extent): void {
    this.held = withoutAliases(this.held, extent);
    const { space } = extent.address;
    if (space === "unknown" || space === "local") this.values.forgetEscaped();
    if (space === "local") return;
    this.moment += 1;
    this.lastStores.set(space, this.moment);
    this.forgetPassed();
  }

  forgetMemory(): void {
    this.held = readOnlyOf(this.held);
  }

  /** Other threads may have stored anywhere but behind restricted pointers. */
  passBarrier(): void {
    this.held = heldAcrossBarrier(this.held);
  }

  /** Forgets what overlaps bytes that are assigned; `define` says what they themselves hold then. */
  private forgetOverlap(variable: Variable, offset: number, bytes: number): void {
    this.copies.delete(variableKey(variable, offset));
    for (const at of this.usage.offsets.get(variable.id) ?? []) {
      const key = variableKey(variable, at);
      if (at === offset || at + (this.usage.widths.get(key) ?? 0) <= offset || at >= offset + bytes) continue;
      this.copies.delete(key);
      this.values.set(key, this.addressing.unknown(1));
    }
  }

  /** Forgets what overlaps a part of a variable, and that part itself. */
  private forgetPart({ variable, offsetBytes, type }: VariablePlace): void {
    const end = offsetBytes + (sizeOf(type) ?? Number.POSITIVE_INFINITY);
    for (const at of this.usage.offsets.get(variable.id) ?? onlyWhole) {
      const key = variableKey(variable, at);
      if (at >= end || at + (this.usage.widths.get(key) ?? 0) <= offsetBytes) continue;
      this.forgetKey(key);
    }
  }

  forgetId(id: number): void {
    for (const at of this.usage.offsets.get(id) ?? onlyWhole) this.forgetKey(keyOfId(id, at));
  }

  private forgetKey(key: number): void {
    this.copies.delete(key);
    this.values.forget(key);
  }

  // Control flow

  /** Notes what is so where the condition holds, or where it does not; `toEnd` forgets it. */
  decide(condition: Expression, holds: boolean): void {
    const { linears, tested } = this.addressing;
    tested.note(condition, (expression) => this.addressing.linearOf(expression, this.values));
    for (const { left, right } of equalitiesIn(condition, holds)) {
      const other = right ? this.addressing.linearOf(right, this.values) : constantLinear(0);
      linears.equate(this.addressing.linearOf(left, this.values), other);
    }
    for (const truth of truthsIn(condition, holds))
      linears.equate(
        this.addressing.linearOf(truth.condition, this.values),
        constantLinear(truth.holds ? 1 : 0),
      );
  }

  /** Whether the condition holds, as far as the branches around and the ways that have left before say it. */
  truthOf(condition: Expression): boolean | null {
    if (condition.kind === "logical") {
      const sides = [this.truthOf(condition.left), this.truthOf(condition.right)];
      const decides = condition.operator === "or";
      if (sides.includes(decides)) return decides;
      return sides.includes(null) ? null : !decides;
    }
    if (condition.kind === "unary" && condition.operator === "not") {
      const truth = this.truthOf(condition.operand);
      return truth === null ? null : !truth;
    }
    if (condition.type.kind !== "boolean" || !isPure(condition)) return null;
    const { terms, constant } = this.addressing.linearOf(condition, this.values);
    return terms.atoms.length === 0 ? constant !== 0 : null;
  }

  /** What the action gives, which runs to the end of a list: what conditions have said in it ends with it. */
  toEnd<R>(action: () => R): R {
    const { linears, tested } = this.addressing;
    const { equalities } = linears;
    const mark = equalities.mark();
    const result = tested.within(action);
    equalities.takeBack(mark);
    return result;
  }

  /** Ways meet here. */
  meet(): void {
    this.meetings += 1;
    this.stretch = this.meetings;
  }

  /** What the action gives; the state stays as it is, and `way` says how the action would change it. */
  tryWay<R>(action: () => R): { readonly result: R; readonly way: Way } {
    const { held, stretch } = this;
    const copies = this.copies.mark();
    const { result, changes } = this.values.tryOut(action);
    const way: Way = {
      values: changes,
      copies: this.copies.takeBack(copies),
      held: this.held,
      stretch: this.stretch,
    };
    this.held = held;
    this.stretch = stretch;
    return { result, way };
  }

  /** The state behind a branch, null for a way that leaves. */
  join(a: Way | null, b: Way | null): void {
    const only = a && b ? null : (a ?? b);
    if (only) {
      this.held = only.held;
      this.stretch = only.stretch;
      this.values.apply(only.values);
      this.copies.apply(only.copies);
    } else if (a && b) {
      this.held = heldInBoth(a.held, b.held);
      this.meet();
      joinCopies(this.copies, a.copies, b.copies);
      this.values.join(a.values, b.values);
    }
  }

  /** Forgets all that the statements may change, whatever the order they run in. */
  enterUnknownFlow(body: readonly Statement[], step: readonly Expression[]): void {
    const { declared, assigned, hasCalls, storedAt, hasBarrier, hasUnknown, touching } = flowEffectsOf(
      body,
      step,
    );
    for (const id of declared) this.forgetId(id);
    for (const place of assigned) this.forgetPart(place);
    const mayAssign = (pointer: Expression) =>
      ["unknown", "local"].includes(this.addressing.options.spaceOfPointer(pointer));
    if (this.escaped.size > 0 && (hasCalls || storedAt.some(mayAssign))) this.values.forgetEscaped();
    if (hasUnknown) this.forgetMemory();
    else if (hasBarrier) this.passBarrier();
    if (this.held.length === 0) return;
    for (const expression of touching) {
      if (expression.kind !== "assign") this.clobberInFlow(expression);
      else if (expression.place.kind === "memory")
        this.held = withoutBase(this.held, this.addressing.addressOf(expression.place, this.values));
    }
  }

  private clobberInFlow(expression: Expression): void {
    if (isOpaque(expression)) this.forgetMemory();
    if (expression.kind !== "intrinsic") return;
    const effect = intrinsicEffect(expression.name);
    const place = effect === "atomic" ? atomicPlaceOf(expression) : null;
    if (place) this.held = withoutBase(this.held, this.addressing.addressOf(place, this.values));
    else if (
      effect === "store" ||
      effect === "atomic" ||
      effect === "async-copy" ||
      effect === "matrix-store" ||
      effect === null
    )
      this.forgetMemory();
  }

  /**
   * `i += c` in each trip keeps what divides both the start and c, and so can prove the alignment of s[i]. How far ptxas sees it hangs on where
   * the loop counts from (addresses/counters.ts).
   */
  count({ range }: Loop, changes: ReadonlyMap<number, Change>, copied: CopiedLoop | null | undefined): void {
    const isRolled = copied === undefined;
    for (const [id, { start, divisor, isPointer, isMovedFirst, advance, addsNumbers }] of changes) {
      const proven = Math.min(divisor, this.addressing.linears.divisorOf(start));
      const copies = copied && !isPointer ? copied : null;
      const counts: Induction["counts"] = isMovedFirst
        ? "pointer moved first"
        : isPointer
          ? "pointer"
          : "index";
      const induction = advance === null ? undefined : { start, advance, copies, loop: range, counts };
      const isNamed = isRolled || copies !== null;
      const within = (addsNumbers && this.addressing.linears.baseAtomOf(start)) || undefined;
      const moved = { induction: isNamed ? induction : undefined, within };
      this.values.set(keyOfId(id, 0), this.addressing.unknown(proven, moved));
    }
  }
}

function clobberBy(node: Expression, known: Known): void {
  known.clobberBy(node);
}

/** What divides both, or both of them where they differ by a constant alone. */
function eitherOf(left: Linear, right: Linear, addressing: Addressing): Linear | null {
  const { linears } = addressing;
  const divisor = Math.min(linears.divisorOf(left), linears.divisorOf(right));
  const choices = linears.eitherOf(left, right) ?? undefined;
  return divisor === 1 && !choices ? null : addressing.unknown(divisor, { choices });
}

/** Of a variable that is neither read nor assigned. */
const onlyWhole: readonly number[] = [0];

/** The expression over what variables are known to equal. */
function substituted(expression: Expression, copies: JournalMap<Expression>): Expression {
  if (expression.kind !== "load" || expression.place.kind !== "variable")
    return withoutZeroProduct(mapOperandsIn(expression, substituted, copies));
  const copy = copies.get(variableKey(expression.place.variable, expression.place.offsetBytes));
  return copy && sameType(copy.type, expression.type) ? copy : expression;
}

/** What an integer is multiplied by 0 with is not computed, and so not loaded (case constant_tables/zeroWeights). */
function withoutZeroProduct(expression: Expression): Expression {
  if (expression.kind !== "binary" || expression.operator !== "*" || expression.type.kind !== "integer")
    return expression;
  const { left, right, type } = expression;
  return isZero(left) || isZero(right) ? { kind: "constant", type, value: 0 } : expression;
}

function isZero(expression: Expression): boolean {
  const value = expression.kind === "convert" ? expression.operand : expression;
  return value.kind === "constant" && Number(value.value) === 0;
}

function joinCopies(copies: JournalMap<Expression>, a: Way["copies"], b: Way["copies"]): void {
  for (const key of keysOf(a, b)) {
    const left = a.has(key) ? a.get(key) : copies.get(key);
    const right = b.has(key) ? b.get(key) : copies.get(key);
    if (left && right && (left === right || sameCopy(left, right))) copies.set(key, left);
    else copies.delete(key);
  }
}

function sameCopy(a: Expression, b: Expression): boolean {
  if (a.kind === "constant" && b.kind === "constant") return a.value === b.value && sameType(a.type, b.type);
  if (a.kind !== "load" || b.kind !== "load" || a.place.kind !== "variable" || b.place.kind !== "variable")
    return false;
  return a.place.variable.id === b.place.variable.id && a.place.offsetBytes === b.place.offsetBytes;
}
