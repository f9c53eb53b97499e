// Second pass, forwards along the control flow: names the address of every access, drops loads whose value a thread already holds
// (repeated loads, loads of what it just stored), and reads temporaries instead of the variables that carry them.
import type {
  AccessSite,
  Assign,
  Expression,
  Intrinsic,
  Load,
  MemoryPlace,
  VariablePlace,
} from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { If, Loop, Statement } from "../ir/statement.ts";
import { sameType, sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { type Address, type Addressing, keyOfId, variableKey } from "./address.ts";
import { atomicPlaceOf } from "./alias.ts";
import { flowEffectsOf } from "./flow.ts";
import {
  type Entries,
  type Entry,
  type Held,
  heldAt,
  heldFor,
  heldInBoth,
  isDoubtfullyHeld,
  readOnlyOf,
  withHeld,
  withoutAliases,
  withoutBase,
} from "./held.ts";
import { type Change, inductionChanges, notedSite } from "./induction.ts";
import { type Changes, JournalMap, keysOf } from "./journal.ts";
import { type Linear, sameLinear } from "./linear.ts";
import type { RecordGroups, UnrolledLoops } from "./linearise-context.ts";
import {
  atPointer,
  likeSite,
  mapOperandsIn,
  withExpression,
  withPlace,
  withStored,
  withWays,
} from "./rebuild.ts";
import { movesWhole, withoutUnchangedWords, wordOf } from "./unchanged.ts";
import { isRecordType, type Usage } from "./usage.ts";
import { forEachExpression, isOpaque, isPure } from "./walk.ts";

/** The address of each load and store that the pass left standing. */
export type Addresses = Map<Expression, Address>;

export interface ForwardOptions {
  readonly addressing: Addressing;
  readonly groups: RecordGroups;
  /** Variables whose address is still taken: others may assign them. */
  readonly escaped: ReadonlySet<number>;
  readonly readOnlySites: ReadonlySet<AccessSite>;
  readonly unrolledLoops: UnrolledLoops;
}

export interface Forwarded {
  readonly body: readonly Statement[];
  readonly addresses: Addresses;
  readonly entries: Entries;
}

/** `usage` is that of `body`. */
export function forwardValues(body: readonly Statement[], usage: Usage, options: ForwardOptions): Forwarded {
  const pass = new ForwardPass(usage, options);
  return { body: pass.list(body), addresses: pass.addresses, entries: pass.entries };
}

/** How one way through a branch changes what is known. */
interface Way {
  readonly values: Changes<Linear>;
  readonly copies: Changes<Expression>;
  readonly held: readonly Held[];
  readonly stretch: number;
}

/** What is known where the pass stands, and what it has found on its way there. */
class ForwardPass {
  readonly addresses: Addresses = new Map();
  readonly entries: Entries = new Map();
  private readonly usage: Usage;
  private readonly options: ForwardOptions;
  private readonly addressing: Addressing;
  private readonly values = new JournalMap<Linear>();
  /** By variable key: a constant or temporary that the variable equals. */
  private readonly copies = new JournalMap<Expression>();
  private held: readonly Held[] = [];
  /** Where the statement at hand stands among the meetings of ways; a new number for each. */
  private stretch = 0;
  private meetings = 0;
  /** Of the innermost loop around the statement at hand. */
  private entry: Entry | null = null;
  /** Stores of what is there already, of members that move with their neighbours. */
  private readonly unchanged = new Set<Assign>();
  private readonly somethingElse = (): Linear => this.addressing.unknown(1);

  constructor(usage: Usage, options: ForwardOptions) {
    this.usage = usage;
    this.options = options;
    this.addressing = options.addressing;
  }

  list(statements: readonly Statement[]): readonly Statement[] {
    const output: Statement[] = [];
    for (const statement of statements) {
      const kept = this.statement(statement);
      if (kept) output.push(kept);
    }
    return this.unchanged.size > 0
      ? withoutUnchangedWords(output, this.unchanged, this.options.groups)
      : output;
  }

  private statement(statement: Statement): Statement | null {
    switch (statement.kind) {
      case "evaluate": {
        const expression = this.evaluate(statement.expression);
        return expression && withExpression(statement, expression);
      }
      case "declare":
        this.forgetId(statement.variable.id);
        return statement;
      case "block":
        return { kind: "block", body: this.list(statement.body) };
      case "if":
        return this.branch(statement);
      case "loop":
        return this.loop(statement);
      case "switch": {
        const selector = this.substituted(statement.selector);
        this.enterUnknownFlow(
          statement.cases.flatMap((one) => one.body),
          [],
        );
        const cases = statement.cases.map((one) => ({ ...one, body: this.tryWay(one.body).body }));
        this.meet();
        return { ...statement, selector, cases };
      }
      case "return":
        return statement.value ? { ...statement, value: this.substituted(statement.value) } : statement;
      case "barrier":
      case "unknown":
      case "launch":
        this.forgetMemory();
        return statement;
      default:
        return statement;
    }
  }

  private evaluate(expression: Expression): Expression | null {
    if (expression.kind === "assign") return this.assign(expression);
    const kept = this.substituted(expression);
    this.clobber(kept);
    return kept;
  }

  private assign(expression: Assign): Expression | null {
    const { value, place } = expression;
    if (place.kind === "memory") return this.store(expression, place);
    const key = variableKey(place.variable, place.offsetBytes);
    if (value.kind === "load" && value.place.kind === "memory")
      return this.load(expression, place, value, value.place, key);
    const kept = this.substituted(value);
    this.clobber(kept);
    this.define(place, key, kept);
    return withStored(expression, place, kept);
  }

  private define({ variable, offsetBytes }: VariablePlace, key: number, value: Expression): void {
    const isNamed = isPure(value) && !isRecordType(value);
    const linear = isNamed ? this.addressing.linearOf(value, this.values) : this.addressing.unknown(1);
    this.forgetOverlap(variable, offsetBytes, sizeOf(value.type) ?? 1);
    this.values.set(key, linear);
    if (isNamed && this.isStable(value) && !this.options.escaped.has(variable.id))
      this.copies.set(key, value);
  }

  /** `key`: of `target`, to which `loaded` is assigned. */
  private load(
    expression: Assign,
    target: VariablePlace,
    loaded: Load,
    source: MemoryPlace,
    key: number,
  ): Expression {
    const pointer = this.substituted(source.pointer);
    const place = atPointer(source, pointer);
    const address = this.addressing.addressOf(place, this.values);
    const bytes = sizeOf(loaded.type) ?? 0;
    const held = loaded.site?.isVolatile ? null : heldFor(this.held, address, bytes, loaded);
    if (held) {
      this.define(target, key, held.value);
      return withStored(expression, target, held.value);
    }
    const isDoubtful = isDoubtfullyHeld(this.held, address, bytes);
    const site = isDoubtful ? doubtedSite(loaded.site) : notedSite(loaded.site, address, bytes);
    const kept = withPlace(loaded, place, site);
    this.inherit(loaded, kept, address);
    if (this.entry) this.entries.set(kept, this.entry);
    this.define(target, key, kept);
    if (loaded.site?.isVolatile) this.forgetMemory();
    else if (this.usage.stable.has(key)) {
      const isPromised = loaded.site !== null && this.options.readOnlySites.has(loaded.site);
      this.held = withHeld(this.held, {
        address,
        bytes,
        value: { kind: "load", type: loaded.type, place: target, site: null },
        isReadOnly: isPromised || isReadOnlyBase(address.base),
        stretch: this.stretch,
      });
    }
    return withStored(expression, target, kept);
  }

  private store(expression: Assign, target: MemoryPlace): Expression | null {
    const value = this.substituted(expression.value);
    const pointer = this.substituted(target.pointer);
    const place = atPointer(target, pointer);
    const address = this.addressing.addressOf(place, this.values);
    const bytes = sizeOf(place.type) ?? 0;
    const isVolatile = expression.site?.isVolatile ?? false;
    const isUnchanged = !isVolatile && bytes > 0 && this.isPutBack(expression, address, bytes, value);
    const word = isUnchanged ? wordOf(expression, this.options.groups) : null;
    if (isUnchanged && word === null) return null;
    const kept = withStored(expression, place, value);
    if (word) this.unchanged.add(kept);
    this.inherit(expression, kept, address);
    this.held = withoutAliases(this.held, { address, bytes: bytes || 1 });
    if (!isVolatile && bytes > 0 && this.isStable(value))
      this.held = withHeld(this.held, { address, bytes, value, isReadOnly: false, stretch: this.stretch });
    this.forgetEscapedAt(address);
    return kept;
  }

  private isPutBack(store: Assign, address: Address, bytes: number, value: Expression): boolean {
    const held = heldAt(this.held, address, bytes);
    if (held?.value.kind !== "load" || value.kind !== "load") return false;
    if (held.stretch !== this.stretch && movesWhole(store, this.options.groups)) return false;
    return (
      sameType(held.value.type, value.type) &&
      sameLinear(
        this.addressing.linearOf(held.value, this.values),
        this.addressing.linearOf(value, this.values),
      )
    );
  }

  private inherit(from: Expression, to: Expression, address: Address): void {
    this.addresses.set(to, address);
    if (from === to) return;
    const group = this.options.groups.get(from);
    if (group !== undefined) this.options.groups.set(to, group);
  }

  private substituted(expression: Expression): Expression {
    return substituted(expression, this.copies);
  }

  private isStable(expression: Expression): boolean {
    return (
      expression.kind === "constant" ||
      (expression.kind === "load" &&
        expression.place.kind === "variable" &&
        this.usage.stable.has(variableKey(expression.place.variable, expression.place.offsetBytes)))
    );
  }

  // What statements make unknown

  private clobber(expression: Expression): void {
    if (!isPure(expression)) forEachExpression(expression, (node) => this.clobberBy(node));
  }

  private clobberBy(node: Expression): void {
    if (isOpaque(node)) {
      this.forgetMemory();
      this.forgetEscaped();
    } else if (node.kind === "assign") {
      if (node.place.kind === "variable") this.forgetId(node.place.variable.id);
      else this.forgetMemory();
    } else if (node.kind === "intrinsic") {
      const effect = intrinsicEffect(node.name);
      if (effect === "pure" || effect === "identity" || effect === "load" || effect === "warp") return;
      if (effect === "matrix-load") return;
      if (effect === "atomic") this.forgetAtomic(node);
      else this.forgetMemory();
    }
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
    this.held = withoutAliases(this.held, { address, bytes: sizeOf(place.type) ?? 8 });
    this.forgetEscapedAt(address);
  }

  private forgetMemory(): void {
    this.held = readOnlyOf(this.held);
  }

  /** What a write at that address may change of them. */
  private forgetEscapedAt(address: Address): void {
    if (address.space === "unknown" || address.space === "local") this.forgetEscaped();
  }

  private forgetEscaped(): void {
    for (const id of this.options.escaped) this.forgetId(id);
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

  private forgetId(id: number): void {
    for (const at of this.usage.offsets.get(id) ?? onlyWhole) this.forgetKey(keyOfId(id, at));
  }

  private forgetKey(key: number): void {
    this.copies.delete(key);
    this.values.renew(key, this.somethingElse);
  }

  // Control flow

  private branch(statement: If): Statement {
    const condition = this.substituted(statement.condition);
    const { body: whenTrue, way: left } = this.tryWay(statement.whenTrue);
    const { body: whenFalse, way: right } = this.tryWay(statement.whenFalse);
    const { stretch } = this;
    this.join(leavesList(whenTrue) ? null : left, leavesList(whenFalse) ? null : right);
    if (onlyChooses(whenTrue) && onlyChooses(whenFalse)) this.stretch = stretch;
    return withWays(statement, condition, whenTrue, whenFalse);
  }

  private loop(statement: Loop): Statement {
    const changes = inductionChanges(statement, this.addressing, this.values);
    const outer = this.entry;
    this.entry = { held: this.held, depth: outer ? outer.depth + 1 : 0, outer };
    this.enterUnknownFlow(statement.body, statement.step);
    this.meet();
    this.giveInductionDivisors(statement, changes);
    const condition = statement.condition && this.substituted(statement.condition);
    let { step } = statement;
    const { body } = this.tryWay(statement.body, () => {
      step = step.map((expression) => this.substituted(expression));
    });
    this.entry = outer;
    this.meet();
    return { ...statement, condition, body, step };
  }

  private meet(): void {
    this.meetings += 1;
    this.stretch = this.meetings;
  }

  /** The statements after the state at hand, which stays as it is, and how they would change it. */
  private tryWay(
    statements: readonly Statement[],
    then?: () => void,
  ): { readonly body: readonly Statement[]; readonly way: Way } {
    const { held, stretch } = this;
    const values = this.values.mark();
    const copies = this.copies.mark();
    const body = this.list(statements);
    then?.();
    const way: Way = {
      values: this.values.takeBack(values),
      copies: this.copies.takeBack(copies),
      held: this.held,
      stretch: this.stretch,
    };
    this.held = held;
    this.stretch = stretch;
    return { body, way };
  }

  private join(a: Way | null, b: Way | null): void {
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
      this.joinValues(a.values, b.values);
    }
  }

  private joinValues(a: Way["values"], b: Way["values"]): void {
    const { linears } = this.addressing;
    for (const key of keysOf(a, b)) {
      const left = a.has(key) ? a.get(key) : this.values.get(key);
      const right = b.has(key) ? b.get(key) : this.values.get(key);
      if (left && right && sameLinear(left, right)) this.values.set(key, left);
      else {
        const divisor = left && right ? Math.min(linears.divisorOf(left), linears.divisorOf(right)) : 1;
        const choices = (left && right && linears.eitherOf(left, right)) ?? undefined;
        if (divisor === 1 && !choices) this.values.renew(key, this.somethingElse);
        else this.values.set(key, this.addressing.unknown(divisor, { choices }));
      }
    }
  }

  /** Forgets all that the statements may change, whatever the order they run in. */
  private enterUnknownFlow(body: readonly Statement[], step: readonly Expression[]): void {
    const { declared, assigned, mayAssignEscaped, hasFence, touching } = flowEffectsOf(body, step);
    for (const id of declared) this.forgetId(id);
    for (const place of assigned) this.forgetPart(place);
    if (mayAssignEscaped) this.forgetEscaped();
    if (hasFence) this.forgetMemory();
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
   * `i += c` in each trip keeps what divides both the start and c, and so can prove the alignment of s[i]. Of a loop that stays rolled,
   * ptxas proves 8 bytes of an integer index and no more: the loop counts from the middle of the vector (case more/inductionBy128).
   */
  private giveInductionDivisors(statement: Loop, changes: ReadonlyMap<number, Change>): void {
    const copied = this.options.unrolledLoops.get(statement.range);
    const isRolled = copied === undefined;
    for (const [id, { start, divisor, isPointer, advance, addsNumbers }] of changes) {
      const common = Math.min(divisor, this.addressing.linears.divisorOf(start));
      const proven = isRolled && !isPointer ? Math.min(common, 2) : common;
      const copies = copied && !isPointer ? copied : null;
      const induction = advance === null ? undefined : { start, advance, copies, loop: statement.range };
      const isNamed = isRolled || copies !== null;
      const within = (addsNumbers && this.addressing.linears.baseAtomOf(start)) || undefined;
      const moved = { induction: isNamed ? induction : undefined, within };
      this.values.set(keyOfId(id, 0), this.addressing.unknown(proven, moved));
    }
  }
}

const mostChoices = 2;

/** Whether a way computes so little that the branch becomes a choice of values, without ways that meet (random_states…). */
function onlyChooses(way: readonly Statement[]): boolean {
  return (
    way.length <= mostChoices &&
    way.every(
      (statement) =>
        statement.kind === "evaluate" &&
        statement.expression.kind === "assign" &&
        statement.expression.place.kind === "variable" &&
        isPure(statement.expression.value),
    )
  );
}

/** Of a variable that is neither read nor assigned. */
const onlyWhole: readonly number[] = [0];

/** The expression over what variables are known to equal. */
function substituted(expression: Expression, copies: JournalMap<Expression>): Expression {
  if (expression.kind !== "load" || expression.place.kind !== "variable")
    return mapOperandsIn(expression, substituted, copies);
  const copy = copies.get(variableKey(expression.place.variable, expression.place.offsetBytes));
  return copy && sameType(copy.type, expression.type) ? copy : expression;
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

function doubtedSite(site: AccessSite | null): AccessSite | null {
  return (
    site && likeSite(site, { uncertain: "the compiler may see that the store before leaves it as it is" })
  );
}

function isReadOnlyBase(base: Variable | null): boolean {
  return (base?.isRestrict === true && base.pointsToConst === true) || base?.storage === "constant";
}

function leavesList(list: readonly Statement[]): boolean {
  const last = list.at(-1);
  return last?.kind === "return" || last?.kind === "break" || last?.kind === "continue";
}
