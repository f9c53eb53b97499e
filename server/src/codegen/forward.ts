// Second pass, forwards along the control flow: names the address of every access, drops loads whose value a thread already holds
// (repeated loads, loads of what it just stored), and reads temporaries instead of the variables that carry them.
import type { AccessSite, Assign, Expression, Intrinsic, Load, VariablePlace } from "../ir/expression.ts";
import { intrinsicEffect } from "../ir/intrinsic.ts";
import type { Loop, Statement } from "../ir/statement.ts";
import { sameType, sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { type Address, type Addressing, keyOfId, variableKey } from "./address.ts";
import { atomicPlaceOf, basesMeet, mayAlias } from "./alias.ts";
import { flowEffectsOf } from "./flow.ts";
import { type Entries, type Entry, type Held, heldInBoth, isAt } from "./held.ts";
import { type Change, inductionChanges, notedSite } from "./induction.ts";
import { type Changes, JournalMap, keysOf } from "./journal.ts";
import { type Linear, sameLinear } from "./linear.ts";
import type { RecordGroups, UnrolledLoops } from "./linearise-context.ts";
import { withoutUnchangedWords, wordOf } from "./unchanged.ts";
import { isRecordType, type Usage } from "./usage.ts";
import { forEachExpression, isOpaque, isPure, mapOperandsIn } from "./walk.ts";

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
  const addresses: Addresses = new Map();
  const entries: Entries = new Map();
  const pass = createPass(usage, options, { addresses, entries });
  const state: State = { values: new JournalMap(), copies: new JournalMap(), held: [] };
  return { body: pass(body, state), addresses, entries };
}

interface State {
  readonly values: JournalMap<Linear>;
  /** By variable key: a constant or temporary that the variable equals. */
  readonly copies: JournalMap<Expression>;
  held: readonly Held[];
}

/** How one way through a branch changes the state. */
interface Way {
  readonly values: Changes<Linear>;
  readonly copies: Changes<Expression>;
  readonly held: readonly Held[];
}

const maximumHeld = 256;

function createPass(
  { stable, offsets, widths }: Usage,
  { addressing, groups, escaped, readOnlySites, unrolledLoops }: ForwardOptions,
  { addresses, entries }: Pick<Forwarded, "addresses" | "entries">,
): (list: readonly Statement[], state: State) => readonly Statement[] {
  const { linears } = addressing;
  /** Of the innermost loop around the statement at hand. */
  let entry: Entry | null = null;

  const isStable = (expression: Expression): boolean =>
    expression.kind === "constant" ||
    (expression.kind === "load" &&
      expression.place.kind === "variable" &&
      stable.has(variableKey(expression.place.variable, expression.place.offsetBytes)));

  const substitute = (expression: Expression, state: State): Expression => {
    if (expression.kind === "load" && expression.place.kind === "variable") {
      const key = variableKey(expression.place.variable, expression.place.offsetBytes);
      const copy = state.copies.get(key);
      return copy && sameType(copy.type, expression.type) ? copy : expression;
    }
    return mapOperandsIn(expression, substitute, state);
  };

  /** Stores of what is there already, of members that move with their neighbours. */
  const unchanged = new Set<Assign>();

  const list = (statements: readonly Statement[], state: State): readonly Statement[] => {
    const output: Statement[] = [];
    for (const statement of statements) {
      const kept = one(statement, state);
      if (kept) output.push(kept);
    }
    return unchanged.size > 0 ? withoutUnchangedWords(output, unchanged, groups) : output;
  };

  const one = (statement: Statement, state: State): Statement | null => {
    switch (statement.kind) {
      case "evaluate": {
        const expression = evaluate(statement.expression, state);
        return expression === statement.expression ? statement : expression && { ...statement, expression };
      }
      case "declare":
        forgetVariable(statement.variable, state);
        return statement;
      case "block":
        return { ...statement, body: list(statement.body, state) };
      case "if": {
        const condition = substitute(statement.condition, state);
        const { body: whenTrue, way: left } = tryWay(statement.whenTrue, state);
        const { body: whenFalse, way: right } = tryWay(statement.whenFalse, state);
        join(state, leavesList(whenTrue) ? null : left, leavesList(whenFalse) ? null : right);
        return { ...statement, condition, whenTrue, whenFalse };
      }
      case "loop":
        return loop(statement, state);
      case "switch": {
        const selector = substitute(statement.selector, state);
        enterUnknownFlow(
          statement.cases.flatMap((one) => one.body),
          [],
          state,
        );
        const cases = statement.cases.map((one) => ({ ...one, body: tryWay(one.body, state).body }));
        return { ...statement, selector, cases };
      }
      case "return":
        return statement.value ? { ...statement, value: substitute(statement.value, state) } : statement;
      case "barrier":
      case "unknown":
      case "launch":
        forgetMemory(state);
        return statement;
      default:
        return statement;
    }
  };

  const evaluate = (expression: Expression, state: State): Expression | null => {
    if (expression.kind === "assign") return assign(expression, state);
    const kept = substitute(expression, state);
    clobber(kept, state);
    return kept;
  };

  const assign = (expression: Assign, state: State): Expression | null => {
    const { value, place } = expression;
    if (place.kind === "memory") return store(expression, state);
    const key = variableKey(place.variable, place.offsetBytes);
    if (value.kind === "load" && value.place.kind === "memory") return load(expression, value, key, state);
    const kept = substitute(value, state);
    clobber(kept, state);
    define(place.variable, place.offsetBytes, key, kept, state);
    return kept === value ? expression : { ...expression, value: kept };
  };

  const define = (variable: Variable, offset: number, key: number, value: Expression, state: State): void => {
    const isNamed = isPure(value) && !isRecordType(value);
    const linear = isNamed ? addressing.linearOf(value, state.values) : addressing.unknown(1);
    forgetOverlap(variable, offset, sizeOf(value.type) ?? 1, state);
    state.values.set(key, linear);
    if (isNamed && isStable(value) && !escaped.has(variable.id)) state.copies.set(key, value);
  };

  const load = (expression: Assign, loaded: Load, key: number, state: State): Expression => {
    if (loaded.place.kind !== "memory" || expression.place.kind !== "variable") return expression;
    const pointer = substitute(loaded.place.pointer, state);
    const isMoved = pointer !== loaded.place.pointer;
    const place = isMoved ? { ...loaded.place, pointer } : loaded.place;
    const address = addressing.addressOf(place, state.values);
    const bytes = sizeOf(loaded.type) ?? 0;
    const held = loaded.site?.isVolatile ? null : find(address, bytes, loaded, state);
    const { variable, offsetBytes } = expression.place;
    if (held) {
      define(variable, offsetBytes, key, held.value, state);
      return { ...expression, value: held.value };
    }
    const site = notedSite(loaded.site, address, bytes);
    const isSame = place === loaded.place && site === loaded.site;
    const kept: Load = isSame ? loaded : { ...loaded, place, site };
    inherit(loaded, kept, address);
    if (entry) entries.set(kept, entry);
    define(variable, offsetBytes, key, kept, state);
    if (loaded.site?.isVolatile) forgetMemory(state);
    else if (stable.has(key))
      hold(
        {
          address,
          bytes,
          value: { kind: "load", type: loaded.type, place: expression.place, site: null },
          isReadOnly:
            isReadOnlyBase(address.base) || (loaded.site !== null && readOnlySites.has(loaded.site)),
        },
        state,
      );
    return kept === loaded ? expression : { ...expression, value: kept };
  };

  const store = (expression: Assign, state: State): Expression | null => {
    if (expression.place.kind !== "memory") return expression;
    const value = substitute(expression.value, state);
    const pointer = substitute(expression.place.pointer, state);
    const isMoved = pointer !== expression.place.pointer;
    const place = isMoved ? { ...expression.place, pointer } : expression.place;
    const address = addressing.addressOf(place, state.values);
    const bytes = sizeOf(place.type) ?? 0;
    const isVolatile = expression.site?.isVolatile ?? false;
    const isUnchanged = !isVolatile && bytes > 0 && isSameHeld(address, bytes, value, state);
    const word = isUnchanged ? wordOf(expression, groups) : null;
    if (isUnchanged && word === null) return null;
    const isSame = place === expression.place && value === expression.value;
    const kept: Assign = isSame && !word ? expression : { ...expression, place, value };
    if (word) unchanged.add(kept);
    inherit(expression, kept, address);
    forgetAliases({ address, bytes: bytes || 1 }, state);
    if (!isVolatile && bytes > 0 && isStable(value))
      hold({ address, bytes, value, isReadOnly: false }, state);
    forgetEscaped(address, state);
    return kept;
  };

  const isSameHeld = (address: Address, bytes: number, value: Expression, state: State): boolean => {
    const held = state.held.find((one) => isAt(one, address, bytes));
    if (held?.value.kind !== "load" || value.kind !== "load") return false;
    return (
      sameType(held.value.type, value.type) &&
      sameLinear(addressing.linearOf(held.value, state.values), addressing.linearOf(value, state.values))
    );
  };

  const inherit = (from: Expression, to: Expression, address: Address): void => {
    addresses.set(to, address);
    if (from === to) return;
    const group = groups.get(from);
    if (group !== undefined) groups.set(to, group);
  };

  const find = (address: Address, bytes: number, wanted: Expression, state: State): Held | null =>
    state.held.find((one) => isAt(one, address, bytes) && sameType(one.value.type, wanted.type)) ?? null;

  const hold = (held: Held, state: State): void => {
    const others = state.held.filter((one) => !isAt(one, held.address, held.bytes));
    if (others.length > maximumHeld) others.splice(0, others.length - maximumHeld);
    others.push(held);
    state.held = others;
  };

  // What statements make unknown

  const clobber = (expression: Expression, state: State): void => {
    if (isPure(expression)) return;
    forEachExpression(expression, (node) => {
      if (isOpaque(node)) {
        forgetMemory(state);
        for (const id of escaped) forgetId(id, state);
      } else if (node.kind === "assign") {
        if (node.place.kind === "variable") forgetVariable(node.place.variable, state);
        else forgetMemory(state);
      } else if (node.kind === "intrinsic") {
        const effect = intrinsicEffect(node.name);
        if (effect === "pure" || effect === "identity" || effect === "load" || effect === "warp") return;
        if (effect === "matrix-load") return;
        if (effect === "atomic") forgetAtomic(node, state);
        else forgetMemory(state);
      }
    });
  };

  /** An atomic changes what it points at, and leaves the rest of memory to registers. */
  const forgetAtomic = (atomic: Intrinsic, state: State): void => {
    const place = atomicPlaceOf(atomic);
    if (!place) {
      forgetMemory(state);
      return;
    }
    const address = addressing.addressOf(place, state.values);
    addresses.set(atomic, address);
    forgetAliases({ address, bytes: sizeOf(place.type) ?? 8 }, state);
    forgetEscaped(address, state);
  };

  const forgetMemory = (state: State): void => {
    if (state.held.length === 0) return;
    state.held = state.held.filter((one) => one.isReadOnly);
  };

  const forgetAliases = (extent: { address: Address; bytes: number }, state: State): void => {
    if (state.held.length === 0) return;
    state.held = state.held.filter((one) => one.isReadOnly || !mayAlias(one, extent));
  };

  const forgetEscaped = (address: Address, state: State): void => {
    if (address.space !== "unknown" && address.space !== "local") return;
    for (const id of escaped) forgetId(id, state);
  };

  /** Forgets what overlaps bytes that are assigned; `define` says what they themselves hold then. */
  const forgetOverlap = (variable: Variable, offset: number, bytes: number, state: State): void => {
    state.copies.delete(variableKey(variable, offset));
    for (const at of offsets.get(variable.id) ?? []) {
      const key = variableKey(variable, at);
      if (at === offset || at + (widths.get(key) ?? 0) <= offset || at >= offset + bytes) continue;
      state.copies.delete(key);
      state.values.set(key, addressing.unknown(1));
    }
  };

  /** Forgets what overlaps a part of a variable, and that part itself. */
  const forgetPart = ({ variable, offsetBytes, type }: VariablePlace, state: State): void => {
    const end = offsetBytes + (sizeOf(type) ?? Number.POSITIVE_INFINITY);
    for (const at of offsets.get(variable.id) ?? [0]) {
      const key = variableKey(variable, at);
      if (at >= end || at + (widths.get(key) ?? 0) <= offsetBytes) continue;
      state.copies.delete(key);
      state.values.renew(key, () => addressing.unknown(1));
    }
  };

  const forgetVariable = (variable: Variable, state: State): void => forgetId(variable.id, state);

  const forgetId = (id: number, state: State): void => {
    for (const at of offsets.get(id) ?? [0]) {
      const key = keyOfId(id, at);
      state.copies.delete(key);
      state.values.renew(key, () => addressing.unknown(1));
    }
  };

  // Control flow

  /** The statements after the state at hand, which stays as it is, and how they would change it. */
  const tryWay = (
    statements: readonly Statement[],
    state: State,
    then?: () => void,
  ): { readonly body: readonly Statement[]; readonly way: Way } => {
    const { held } = state;
    const values = state.values.mark();
    const copies = state.copies.mark();
    const body = list(statements, state);
    then?.();
    const way: Way = {
      values: state.values.takeBack(values),
      copies: state.copies.takeBack(copies),
      held: state.held,
    };
    state.held = held;
    return { body, way };
  };

  const join = (state: State, a: Way | null, b: Way | null): void => {
    const only = a && b ? null : (a ?? b);
    if (only) {
      state.held = only.held;
      state.values.apply(only.values);
      state.copies.apply(only.copies);
    } else if (a && b) {
      state.held = heldInBoth(a.held, b.held);
      joinCopies(state.copies, a.copies, b.copies);
      joinValues(state.values, a.values, b.values);
    }
  };

  const joinValues = (values: State["values"], a: Way["values"], b: Way["values"]): void => {
    for (const key of keysOf(a, b)) {
      const left = a.has(key) ? a.get(key) : values.get(key);
      const right = b.has(key) ? b.get(key) : values.get(key);
      if (left && right && sameLinear(left, right)) values.set(key, left);
      else {
        const divisor = left && right ? Math.min(linears.divisorOf(left), linears.divisorOf(right)) : 1;
        if (divisor === 1) values.renew(key, () => addressing.unknown(1));
        else values.set(key, addressing.unknown(divisor));
      }
    }
  };

  const loop = (statement: Loop, state: State): Statement => {
    const changes = inductionChanges(statement, addressing, state.values);
    const outer = entry;
    entry = { held: state.held, depth: outer ? outer.depth + 1 : 0, outer };
    enterUnknownFlow(statement.body, statement.step, state);
    giveInductionDivisors(statement, changes, state);
    const condition = statement.condition && substitute(statement.condition, state);
    let step = statement.step;
    const { body } = tryWay(statement.body, state, () => {
      step = step.map((expression) => substitute(expression, state));
    });
    entry = outer;
    return { ...statement, condition, body, step };
  };

  /** Forgets all that the statements may change, whatever the order they run in. */
  const enterUnknownFlow = (body: readonly Statement[], step: readonly Expression[], state: State): void => {
    const { declared, assigned, mayAssignEscaped, hasFence, touching } = flowEffectsOf(body, step);
    for (const id of declared) forgetId(id, state);
    for (const place of assigned) forgetPart(place, state);
    if (mayAssignEscaped) for (const id of escaped) forgetId(id, state);
    if (hasFence) forgetMemory(state);
    if (state.held.length === 0) return;
    for (const expression of touching) {
      if (expression.kind !== "assign") clobberShallow(expression, state);
      else if (expression.place.kind === "memory")
        forgetBase(addressing.addressOf(expression.place, state.values), state);
    }
  };

  const clobberShallow = (expression: Expression, state: State): void => {
    if (isOpaque(expression)) forgetMemory(state);
    if (expression.kind !== "intrinsic") return;
    const effect = intrinsicEffect(expression.name);
    const place = effect === "atomic" ? atomicPlaceOf(expression) : null;
    if (place) forgetBase(addressing.addressOf(place, state.values), state);
    else if (
      effect === "store" ||
      effect === "atomic" ||
      effect === "async-copy" ||
      effect === "matrix-store" ||
      effect === null
    )
      forgetMemory(state);
  };

  const forgetBase = (address: Address, state: State): void => {
    if (state.held.length === 0) return;
    state.held = state.held.filter(
      (one) =>
        one.isReadOnly ||
        (address.space !== "unknown" &&
          one.address.space !== "unknown" &&
          address.space !== one.address.space) ||
        !basesMeet(one.address.base, address.base),
    );
  };

  /**
   * `i += c` in each trip keeps what divides both the start and c, and so can prove the alignment of s[i]. Of a loop that stays rolled,
   * ptxas proves 8 bytes of an integer index and no more: the loop counts from the middle of the vector (case more/inductionBy128).
   */
  const giveInductionDivisors = (
    statement: Loop,
    changes: ReadonlyMap<number, Change>,
    state: State,
  ): void => {
    const copied = unrolledLoops.get(statement.range);
    const isRolled = copied === undefined;
    for (const [id, { start, divisor, isPointer, step }] of changes) {
      const common = Math.min(divisor, linears.divisorOf(start));
      const proven = isRolled && !isPointer ? Math.min(common, 2) : common;
      const copies = copied && !isPointer ? copied : null;
      const induction = step === null ? undefined : { start, step, copies };
      const isNamed = isRolled || copies !== null;
      state.values.set(keyOfId(id, 0), addressing.unknown(proven, isNamed ? induction : undefined));
    }
  };

  return list;
}

function joinCopies(copies: State["copies"], a: Way["copies"], b: Way["copies"]): void {
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

function isReadOnlyBase(base: Variable | null): boolean {
  return (base?.isRestrict === true && base.pointsToConst === true) || base?.storage === "constant";
}

function leavesList(list: readonly Statement[]): boolean {
  const last = list.at(-1);
  return last?.kind === "return" || last?.kind === "break" || last?.kind === "continue";
}
