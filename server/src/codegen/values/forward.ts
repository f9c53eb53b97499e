// Second pass, forwards along the control flow: names the address of every access, drops loads whose value a thread already holds
// (repeated loads, loads of what it just stored), and reads temporaries instead of the variables that carry them.
import type {
  AccessSite,
  Assign,
  Expression,
  Load,
  MemoryPlace,
  VariablePlace,
} from "../../ir/expression.ts";
import type { If, Loop, Statement, Switch } from "../../ir/statement.ts";
import { sameType, sizeOf } from "../../ir/type.ts";
import { isReadOnlyBase } from "../../ir/variable.ts";
import { type Address, type Addresses, type Addressing, variableKey } from "../addresses/address.ts";
import { startTogether } from "../addresses/alias.ts";
import { inductionChanges, notedSite } from "../addresses/induction.ts";
import { sameLinear } from "../addresses/linear.ts";
import type { RecordGroups, UnrolledLoops } from "../linearise/context.ts";
import { asks, type Decision, decisionOf } from "../linearise/decisions.ts";
import { endsInJump, exits, isExit, leaves } from "../walks/jumps.ts";
import { atPointer, likeSite, withExpression, withPlace, withStored, withWays } from "../walks/rebuild.ts";
import type { Usage } from "../walks/usage.ts";
import { isPure } from "../walks/walk.ts";
import {
  type Entries,
  type Entry,
  type Held,
  heldAt,
  heldFor,
  heldInBoth,
  isDoubtfullyHeld,
} from "./held.ts";
import { Known, type Way } from "./known.ts";
import { isMixedVector, movesWhole, withoutUnchangedWords, wordOf } from "./unchanged.ts";

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

class ForwardPass {
  readonly addresses: Addresses = new Map();
  readonly entries: Entries = new Map();
  private readonly usage: Usage;
  private readonly options: ForwardOptions;
  private readonly addressing: Addressing;
  private readonly known: Known;
  /** By site, the address that was named there last. */
  private readonly lastNamed = new Map<AccessSite, Address>();
  /** Of the innermost loop around the statement at hand. */
  private entry: Entry | null = null;
  /** What registers hold where the innermost loop is left, of one that only its test leaves. */
  private exits: (readonly Held[])[] | null = null;
  /** Of `a && b`, `a || b` that the statement before has decided. */
  private decided: Decided | null = null;
  /** Stores of what is there already, of members that move with their neighbours. */
  private readonly unchanged = new Set<Assign>();

  constructor(usage: Usage, options: ForwardOptions) {
    this.usage = usage;
    this.options = options;
    this.addressing = options.addressing;
    this.known = new Known({ ...options, usage, addresses: this.addresses });
  }

  list(statements: readonly Statement[]): readonly Statement[] {
    const output = this.known.toEnd(() => this.kept(statements));
    return this.unchanged.size > 0
      ? withoutUnchangedWords(output, this.unchanged, this.options.groups)
      : output;
  }

  private kept(statements: readonly Statement[]): Statement[] {
    const output: Statement[] = [];
    for (const statement of statements) {
      const way = statement.kind === "if" ? this.sureWay(statement) : null;
      if (way) {
        this.decided = null;
        output.push(...this.kept(way));
        if (endsInJump(way)) break;
        continue;
      }
      const kept = this.statement(statement);
      if (kept) output.push(kept);
    }
    return output;
  }

  /** The way that a branch takes for sure, where what came before has decided its condition; else null. */
  private sureWay({ condition, whenTrue, whenFalse }: If): readonly Statement[] | null {
    const truth = this.known.truthOf(this.known.substituted(condition));
    return truth === null ? null : truth ? whenTrue : whenFalse;
  }

  private statement(statement: Statement): Statement | null {
    const { decided } = this;
    this.decided = null;
    switch (statement.kind) {
      case "evaluate": {
        const expression = this.evaluate(statement.expression);
        return expression && withExpression(statement, expression);
      }
      case "declare":
        this.known.forgetId(statement.variable.id);
        return statement;
      case "block":
        return { kind: "block", body: this.list(statement.body) };
      case "if":
        return this.branch(statement, decided);
      case "loop":
        return this.loop(statement);
      case "switch":
        return this.cases(statement);
      case "return":
        return statement.value ? { ...statement, value: this.known.substituted(statement.value) } : statement;
      case "barrier":
        this.known.passBarrier();
        return statement;
      case "break":
        this.exits?.push(this.known.held);
        return statement;
      case "unknown":
      case "launch":
        this.known.forgetMemory();
        return statement;
      default:
        return statement;
    }
  }

  private evaluate(expression: Expression): Expression | null {
    if (expression.kind === "assign") return this.assign(expression);
    const kept = this.known.substituted(expression);
    this.known.clobber(kept);
    return kept;
  }

  private assign(expression: Assign): Expression | null {
    const { value, place } = expression;
    if (place.kind === "memory") return this.store(expression, place);
    const key = variableKey(place.variable, place.offsetBytes);
    if (value.kind === "load" && value.place.kind === "memory")
      return this.load(expression, place, value, value.place, key);
    const kept = this.known.substituted(value);
    this.known.clobber(kept);
    this.known.define(place, key, kept);
    return withStored(expression, place, kept);
  }

  /** `key`: of `target`, to which `loaded` is assigned. */
  private load(
    expression: Assign,
    target: VariablePlace,
    loaded: Load,
    source: MemoryPlace,
    key: number,
  ): Expression {
    const pointer = this.known.substituted(source.pointer);
    const place = atPointer(source, pointer);
    const { named, address } = this.addressesAt(loaded.site, place);
    const bytes = sizeOf(loaded.type) ?? 0;
    const heldOf = (one: Address) => heldFor(this.known.held, one, bytes, loaded);
    const held = loaded.site?.isVolatile
      ? null
      : (heldOf(named) ?? (named === address ? null : heldOf(address)));
    if (held) {
      this.known.readAgain(held);
      this.known.define(target, key, held.value);
      return withStored(expression, target, held.value);
    }
    const isDoubtful = isDoubtfullyHeld(this.known.held, named, bytes);
    const site = isDoubtful ? doubtedSite(loaded.site) : notedSite(loaded.site, address, bytes);
    const kept = withPlace(loaded, place, site);
    this.inherit(loaded, kept, address);
    if (this.entry) this.entries.set(kept, this.entry);
    this.known.define(target, key, kept);
    if (loaded.site?.isVolatile) this.known.forgetMemory();
    else if (this.usage.stable.has(key)) {
      const isPromised = loaded.site !== null && this.options.readOnlySites.has(loaded.site);
      this.known.hold({
        address,
        bytes,
        value: { kind: "load", type: loaded.type, place: target, site: null },
        isReadOnly: isPromised || isReadOnlyBase(address.base),
      });
    }
    return withStored(expression, target, kept);
  }

  private store(expression: Assign, target: MemoryPlace): Expression | null {
    const value = this.known.substituted(expression.value);
    const pointer = this.known.substituted(target.pointer);
    const place = atPointer(target, pointer);
    const { address } = this.addressesAt(expression.site, place);
    const bytes = sizeOf(place.type) ?? 0;
    const isVolatile = expression.site?.isVolatile ?? false;
    const isUnchanged = !isVolatile && bytes > 0 && this.isPutBack(expression, address, bytes, value);
    const word = isUnchanged ? wordOf(expression, this.options.groups) : null;
    if (isUnchanged && word === null) return null;
    const kept = withStored(expression, place, value);
    if (word) this.unchanged.add(kept);
    this.inherit(expression, kept, address);
    if (this.entry) this.entries.set(kept, this.entry);
    this.known.changeMemory({ address, bytes: bytes || 1 });
    if (!isVolatile && bytes > 0 && this.known.isStable(value))
      this.known.hold({ address, bytes, value, isReadOnly: false });
    return kept;
  }

  /**
   * The address by the names of its values, and as it is where conditions say what numbers they are. What each trip of a loop addresses has its
   * address before the loop, where no condition says so (forms/equal_in_branch lastTrip).
   */
  private addressesAt(
    site: AccessSite | null,
    place: MemoryPlace,
  ): { readonly named: Address; readonly address: Address } {
    const { addressing, known, lastNamed } = this;
    const addresses = addressing.addressesOf(place, known.values);
    const { named } = addresses;
    const last = site && lastNamed.get(site);
    if (site) lastNamed.set(site, named);
    const isOfEachTrip = last !== null && last !== undefined && startTogether(last, named);
    return isOfEachTrip ? { named, address: named } : addresses;
  }

  private isPutBack(store: Assign, address: Address, bytes: number, value: Expression): boolean {
    if (isMixedVector(store, this.options.groups)) return false;
    const held = heldAt(this.known.held, address, bytes);
    if (held?.value.kind !== "load" || value.kind !== "load") return false;
    if (held.stretch !== this.known.stretch && movesWhole(store, this.options.groups)) return false;
    return (
      sameType(held.value.type, value.type) &&
      sameLinear(
        this.addressing.linearOf(held.value, this.known.values),
        this.addressing.linearOf(value, this.known.values),
      )
    );
  }

  private inherit(from: Expression, to: Expression, address: Address): void {
    this.addresses.set(to, address);
    if (from === to) return;
    const group = this.options.groups.get(from);
    if (group !== undefined) this.options.groups.set(to, group);
  }

  private branch(statement: If, decided: Decided | null): Statement {
    const { known } = this;
    const condition = known.substituted(statement.condition);
    const from = decided && asks(statement.condition, decided) ? decided : null;
    const { result: whenTrue, way: left } = known.tryWay(() => {
      if (from?.operator === "and") known.held = from.held;
      return this.way(statement.whenTrue, condition, true);
    });
    const { result: whenFalse, way: right } = known.tryWay(() => {
      if (from?.operator === "or") known.held = from.held;
      return this.way(statement.whenFalse, condition, false);
    });
    const { stretch } = known;
    const [onlyFalse, onlyTrue] = [endsInJump(whenTrue), endsInJump(whenFalse)];
    known.join(onlyFalse ? null : left, onlyTrue ? null : right);
    if (onlyFalse !== onlyTrue) known.decide(condition, onlyTrue);
    if (onlyChooses(whenTrue) && onlyChooses(whenFalse)) known.stretch = stretch;
    this.decided = decidedBy(statement, left, right);
    return withWays(statement, condition, whenTrue, whenFalse);
  }

  /** A way through a branch, in which its condition holds or does not. */
  private way(list: readonly Statement[], condition: Expression, holds: boolean): readonly Statement[] {
    return this.known.toEnd(() => {
      this.known.decide(condition, holds);
      return this.list(list);
    });
  }

  private cases(statement: Switch): Statement {
    const { known } = this;
    const selector = known.substituted(statement.selector);
    known.enterUnknownFlow(
      statement.cases.flatMap((one) => one.body),
      [],
    );
    const cases = statement.cases.map((one) => ({
      ...one,
      body: known.tryWay(() => this.list(one.body)).result,
    }));
    known.meet();
    return { ...statement, selector, cases };
  }

  private loop(statement: Loop): Statement {
    const { known } = this;
    const changes = inductionChanges(statement, this.addressing, known.values);
    const outer = this.entry;
    this.entry = { held: known.held, depth: outer ? outer.depth + 1 : 0, outer };
    known.enterUnknownFlow(statement.body, statement.step);
    known.meet();
    known.count(statement, changes, this.options.unrolledLoops.get(statement.range));
    const condition = statement.condition && known.substituted(statement.condition);
    const outerExits = this.exits;
    const exits: (readonly Held[])[] | null = isLeftByTest(statement) ? [] : null;
    this.exits = exits;
    const { result } = known.tryWay(() => ({
      body: this.list(statement.body),
      step: statement.step.map((expression) => known.substituted(expression)),
    }));
    this.exits = outerExits;
    this.entry = outer;
    const [first, ...others] = exits ?? [];
    if (first) known.held = others.reduce(heldInBoth, first);
    known.leaveLoop(statement);
    return { ...statement, condition, ...result };
  }
}

/** Where `a && b` is true, and `a || b` false, control came from b, and registers hold what b has loaded. */
interface Decided extends Decision {
  readonly held: readonly Held[];
}

function decidedBy(statement: If, left: Way, right: Way): Decided | null {
  const decision = decisionOf(statement);
  return decision && { ...decision, held: (decision.operator === "and" ? left : right).held };
}

/** Whether a loop's body begins with its test, and no other way leads behind it: what the test has loaded is in registers there. */
function isLeftByTest({ condition, body }: Loop): boolean {
  if (condition !== null) return false;
  const behindTest = body.findIndex((one) => !isExit(one) && !fillsRegister(one));
  const exit = body.findIndex(isExit);
  if (exit < 0 || (behindTest >= 0 && behindTest < exit)) return false;
  return behindTest < 0 || !leaves(body.slice(behindTest), exits.break);
}

/** Of those that only this pass and the one before it know. */
function fillsRegister(statement: Statement): boolean {
  if (statement.kind !== "evaluate" || statement.expression.kind !== "assign") return false;
  const { place } = statement.expression;
  return place.kind === "variable" && place.variable.id < 0;
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

function doubtedSite(site: AccessSite | null): AccessSite | null {
  return site && likeSite(site, { uncertain: "store-without-effect" });
}
