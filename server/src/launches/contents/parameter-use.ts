// What a kernel does with what it is passed: whether a parameter, or what lies in the memory that it leads to, decides which places are
// accessed and by which lanes, and whether the kernel may write there. Found by names alone, wherever in the text they are assigned: of what
// decides rather too much than too little, and of what is written too.
import type { Call, Expression, MemoryPlace, Place } from "../../ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../../ir/function.ts";
import { operandsOf } from "../../ir/operands.ts";
import type { Statement } from "../../ir/statement.ts";
import type { Type } from "../../ir/type.ts";
import { type Graph, reachedFrom } from "./reached.ts";

/** Of a parameter, or of the members of one that is a record. */
export interface ParameterUse {
  /** Its own value does. */
  readonly decides: boolean;
  /** What lies in memory that it leads to does, but for floating-point numbers, whose values nobody follows in a kernel. */
  readonly contentsDecide: boolean;
  /** That memory is written. */
  readonly isWritten: boolean;
  /** It is, by more than floating-point members of records that hold other things too: those stay as they are (`bodies[i].velocity = v`). */
  readonly isChanged: boolean;
}

export interface KernelUse {
  readonly parameters: readonly ParameterUse[];
  /** Whether it writes through pointers that it found in memory. */
  readonly writesAnywhere: boolean;
}

/** What `kernel` does with each of its parameters. */
export function kernelUseOf(program: Program, kernel: FunctionId): KernelUse {
  const definition = program.functionOf(kernel);
  if (definition === null) return { parameters: [], writesAnywhere: true };
  const flows = new Flows(program);
  for (const { id } of definition.parameters) flows.given.add(flows.variable(id));
  follow(flows, definition);
  // Functions that are called join them on the way.
  for (const { body, id } of flows.followed.values()) followAll(flows, body, id);
  flowStores(flows);
  const deciding = closure(flows, flows.decisions);
  const changed = closure(flows, flows.written);
  const written = closure(flows, new Set([...flows.written, ...flows.writtenInRecords]));
  const writesAnywhere = written.has(flows.loadedPointers);
  const withStored = readsBack(deciding, written)
    ? closure(flows, new Set([...deciding, ...flows.stores.flatMap(({ values }) => values)]))
    : deciding;
  const parameters = definition.parameters.map(({ id }) => {
    const holder = flows.variable(id);
    return {
      decides: withStored.has(holder),
      contentsDecide: deciding.has(contentsOf(holder)),
      isWritten: writesAnywhere || written.has(holder),
      isChanged: writesAnywhere || changed.has(holder),
    };
  });
  return { parameters, writesAnywhere };
}

/** The uses of kernels, each worked out once. */
export class KernelUses {
  private readonly program: Program;
  private readonly known = new Map<FunctionId, KernelUse>();

  constructor(program: Program) {
    this.program = program;
  }

  of(kernel: FunctionId): KernelUse {
    const known = this.known.get(kernel);
    if (known !== undefined) return known;
    const use = kernelUseOf(this.program, kernel);
    this.known.set(kernel, use);
    return use;
  }

  /** Whether what lies in the memory of a parameter decides, and stays as it is while the kernel runs. */
  isRead(kernel: FunctionId, index: number): boolean {
    const use = this.of(kernel).parameters[index];
    return use?.contentsDecide === true && !use.isChanged;
  }
}

/**
 * What may hold a value: a variable, the address of one, what a function returns, or what lies in memory that one of them leads to, however far:
 * `a->b->c` hangs on what lies at `a`.
 */
interface Holder {
  /** What leads to the memory that it stands for; null where it stands for none. */
  readonly pointer: Holder | null;
  /** What of that memory it stands for. */
  readonly of: Content;
  /** The variable whose address it is. */
  readonly addressed: number | null;
  /** What it may come from. */
  readonly sources: Set<Holder>;
  all: Holder | null;
  floats: Holder | null;
  pointers: Holder | null;
}

/** Floating-point numbers are followed by themselves; pointers are, as far as one step goes. */
type Content = "all" | "floats" | "pointers";

function newHolder({ pointer = null, of = "all", addressed = null }: Partial<Holder>): Holder {
  return { pointer, of, addressed, sources: new Set(), all: null, floats: null, pointers: null };
}

/** What is stored through pointers. */
interface Store {
  readonly pointers: readonly Holder[];
  readonly values: readonly Holder[];
}

/** What the code of a kernel does with what there is. */
class Flows {
  readonly program: Program;
  /** What addresses and branches come from. */
  readonly decisions = new Set<Holder>();
  /** Pointers through which something is written, */
  readonly written = new Set<Holder>();
  /** and those to records through which floating-point members of them are. */
  readonly writtenInRecords = new Set<Holder>();
  /** Variables of a thread's own that pointers lead to. */
  readonly pointedTo = new Set<number>();
  /** The functions that the kernel comes to. */
  readonly followed = new Map<FunctionId, FunctionDefinition>();
  /** The kernel's parameters. */
  readonly given = new Set<Holder>();
  /** Pointers that were loaded from memory. */
  readonly loadedPointers = newHolder({});
  /** Those may be to variables of the thread's own. */
  readonly stores: Store[] = [];
  private readonly variables = new Map<number, Holder>();
  private readonly addresses = new Map<number, Holder>();
  private readonly results = new Map<FunctionId, Holder>();

  constructor(program: Program) {
    this.program = program;
  }

  variable(id: number): Holder {
    return heldBy(this.variables, id, {});
  }

  addressOf(id: number): Holder {
    return heldBy(this.addresses, id, { addressed: id });
  }

  resultOf(id: FunctionId): Holder {
    return heldBy(this.results, id, {});
  }
}

function heldBy<K>(holders: Map<K, Holder>, key: K, of: Parameters<typeof newHolder>[0]): Holder {
  const known = holders.get(key);
  if (known !== undefined) return known;
  const holder = newHolder(of);
  holders.set(key, holder);
  return holder;
}

function contentsOf(holder: Holder, of: Content = "all"): Holder {
  const pointer = holder.pointer ?? holder;
  pointer[of] ??= newHolder({ pointer, of });
  return pointer[of];
}

/** All that `holders` may come from. */
function closure(flows: Flows, holders: ReadonlySet<Holder>): ReadonlySet<Holder> {
  const found = new Set(holders);
  for (const holder of found) for (const each of origins(flows, holder)) found.add(each);
  return found;
}

/** What a holder may come from. What lies at a pointer lies at those that it may come from, and at a variable's address lies the variable. */
function origins(flows: Flows, holder: Holder): Iterable<Holder> {
  const { pointer } = holder;
  if (pointer === null) return holder.sources;
  const found: Holder[] = [];
  if (pointer.addressed !== null) {
    const variable = flows.variable(pointer.addressed);
    found.push(variable);
    if (holder.of !== "pointers") found.push(contentsOf(variable, holder.of));
  } else if (holder.of === "pointers" && flows.given.has(pointer)) {
    found.push(flows.loadedPointers, contentsOf(pointer));
  }
  for (const source of pointer.sources) {
    if (holder.of !== "pointers") found.push(contentsOf(source, holder.of));
    else found.push(...pointersAt(flows, source));
  }
  return found;
}

/**
 * Pointers that lie in memory. Those in the thread's own variables are what was assigned there; whatever was found in other memory may lead
 * anywhere.
 */
function pointersAt(flows: Flows, pointer: Holder): readonly Holder[] {
  return pointer.pointer === null
    ? [contentsOf(pointer, "pointers")]
    : [contentsOf(pointer), flows.loadedPointers];
}

/** What is stored lies in the variables that the pointer may lead to: in any, where that was found in memory. */
function flowStores(flows: Flows): void {
  const graph: Graph<Holder, number> = {
    nextOf: (holder) => origins(flows, holder),
    markOf: (holder) => (holder === flows.loadedPointers ? "any" : holder.addressed),
  };
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    const pointees = reachedFrom(new Set(flows.stores.flatMap(({ pointers }) => pointers)), graph);
    for (const { pointers, values } of flows.stores) {
      const reached = pointers.map((pointer) => pointees.get(pointer) ?? new Set<number>());
      const targets = reached.includes("any")
        ? flows.pointedTo
        : new Set(reached.flatMap((each) => (each === "any" ? [] : [...each])));
      for (const target of targets) {
        const { sources } = flows.variable(target);
        const { size } = sources;
        addAll(sources, values);
        if (sources.size > size) isSettled = false;
      }
    }
  }
}

/** Whether what decides may have been stored before by the kernel itself. */
function readsBack(deciding: ReadonlySet<Holder>, written: ReadonlySet<Holder>): boolean {
  for (const { pointer } of deciding) if (pointer !== null && written.has(pointer)) return true;
  return false;
}

function flow(to: Holder, from: readonly Holder[]): void {
  for (const source of from) to.sources.add(source);
}

function addAll(to: Set<Holder>, from: readonly Holder[]): void {
  for (const holder of from) to.add(holder);
}

/** Functions call each other deeper than a stack may be: none is followed within another. */
function follow(flows: Flows, definition: FunctionDefinition): void {
  if (!flows.followed.has(definition.id)) flows.followed.set(definition.id, definition);
}

function followAll(flows: Flows, statements: readonly Statement[], owner: FunctionId): void {
  for (const statement of statements) followStatement(flows, statement, owner);
}

function followStatement(flows: Flows, statement: Statement, owner: FunctionId): void {
  switch (statement.kind) {
    case "evaluate":
      sourcesOf(flows, statement.expression);
      break;
    case "declare":
      if (statement.initializer)
        flow(flows.variable(statement.variable.id), sourcesOf(flows, statement.initializer));
      break;
    case "block":
      followAll(flows, statement.body, owner);
      break;
    case "if":
      addAll(flows.decisions, sourcesOf(flows, statement.condition));
      followAll(flows, statement.whenTrue, owner);
      followAll(flows, statement.whenFalse, owner);
      break;
    case "loop":
      if (statement.condition) addAll(flows.decisions, sourcesOf(flows, statement.condition));
      for (const step of statement.step) sourcesOf(flows, step);
      followAll(flows, statement.body, owner);
      break;
    case "switch":
      addAll(flows.decisions, sourcesOf(flows, statement.selector));
      for (const each of statement.cases) followAll(flows, each.body, owner);
      break;
    case "launch":
      for (const argument of statement.arguments) addAll(flows.written, sourcesOf(flows, argument));
      break;
    case "return":
      if (statement.value) flow(flows.resultOf(owner), sourcesOf(flows, statement.value));
      break;
    default:
  }
}

/** Computed without memory and without effect: which of two such is taken is no branch. */
function isPlain(expression: Expression): boolean {
  switch (expression.kind) {
    case "load":
    case "address":
      return expression.place.kind === "variable";
    case "assign":
    case "call":
    case "call-indirect":
      return false;
    case "intrinsic":
      return expression.site === null && expression.arguments.every(isPlain);
    default:
      return operandsOf(expression).every(isPlain);
  }
}

/** What a value may come from. What it does on the way is noted. */
function sourcesOf(flows: Flows, expression: Expression): readonly Holder[] {
  switch (expression.kind) {
    case "constant":
      return [];
    case "convert":
    case "unary":
      return sourcesOf(flows, expression.operand);
    case "load":
      return loadedFrom(flows, expression.place, expression);
    case "address": {
      const { place } = expression;
      if (place.kind === "memory") return sourcesOf(flows, place.pointer);
      const { id, storage, type } = place.variable;
      if (storage === "automatic") flows.pointedTo.add(id);
      else if (holdsPointers(type)) flow(flows.variable(id), [flows.loadedPointers]);
      return [flows.addressOf(id)];
    }
    case "assign":
      return assigned(flows, expression.place, sourcesOf(flows, expression.value));
    case "conditional":
    case "logical": {
      const [, ...sides] = operandsOf(expression);
      const [condition = [], ...others] = operandsOf(expression).map((operand) => sourcesOf(flows, operand));
      if (!sides.every(isPlain)) addAll(flows.decisions, condition);
      return distinct([...condition, ...others.flat()]);
    }
    case "call":
      return called(flows, expression);
    case "sequence":
      for (const effect of expression.effects) sourcesOf(flows, effect);
      return sourcesOf(flows, expression.result);
    case "intrinsic": {
      const values = distinct(expression.arguments.flatMap((argument) => sourcesOf(flows, argument)));
      if (expression.site === null) return values;
      addAll(flows.decisions, values);
      if (!isLoad(expression.name)) addAll(flows.written, values);
      return values.map((value) => contentsOf(value));
    }
    case "call-indirect":
    case "unknown": {
      const values = distinct(operandsOf(expression).flatMap((operand) => sourcesOf(flows, operand)));
      if (expression.kind === "unknown" && expression.isPure) return values;
      const all = distinct([...values, ...values.map((value) => contentsOf(value))]);
      addAll(flows.decisions, all);
      addAll(flows.written, values);
      return [...all, flows.loadedPointers];
    }
    default:
      return distinct(
        operandsOf(expression).flatMap((operand) => {
          const sources = sourcesOf(flows, operand);
          if (expression.type.kind !== "pointer" || holdsPointers(operand.type)) return sources;
          addAll(flows.decisions, sources);
          return [];
        }),
      );
  }
}

/** Each once: calls in calls of what nobody sees would double them with each. */
function distinct(holders: readonly Holder[]): readonly Holder[] {
  return holders.length < 2 ? holders : [...new Set(holders)];
}

/** `__ldg` and its cousins, which differ in the caches that they use. */
function isLoad(name: string): boolean {
  return /^__ld(g|c[agsv]|lu)$/.test(name);
}

function loadedFrom(flows: Flows, place: Place, { type }: Expression): readonly Holder[] {
  if (place.kind === "variable") {
    const { id, storage } = place.variable;
    const holder = flows.variable(id);
    return storage !== "automatic" && holdsPointers(type) ? [holder, flows.loadedPointers] : [holder];
  }
  const pointer = sourcesOf(flows, place.pointer);
  addAll(flows.decisions, pointer);
  if (type.kind === "pointer") return distinct(pointer.flatMap((each) => pointersAt(flows, each)));
  const of = holdsFloatsAlone(type) ? "floats" : "all";
  const contents = pointer.map((each) => contentsOf(each, of));
  return holdsPointers(type)
    ? distinct([...contents, ...pointer.flatMap((each) => pointersAt(flows, each))])
    : contents;
}

function assigned(flows: Flows, place: Place, value: readonly Holder[]): readonly Holder[] {
  if (place.kind === "variable") {
    flow(flows.variable(place.variable.id), value);
    return value;
  }
  const pointer = sourcesOf(flows, place.pointer);
  addAll(flows.decisions, pointer);
  addAll(isFloatsOfRecord(place) ? flows.writtenInRecords : flows.written, pointer);
  flows.stores.push({ pointers: pointer, values: value });
  return value;
}

function isFloatsOfRecord({ pointer: { type }, type: written }: MemoryPlace): boolean {
  return (
    type.kind === "pointer" &&
    type.target.kind === "record" &&
    !holdsFloatsAlone(type.target) &&
    holdsFloatsAlone(written)
  );
}

function called(flows: Flows, expression: Call): readonly Holder[] {
  const values = expression.arguments.map((argument) => sourcesOf(flows, argument));
  const callee = flows.program.functionOf(expression.callee);
  if (callee === null) {
    const all = distinct(values.flat());
    addAll(flows.written, all);
    return distinct([...all, ...all.map((value) => contentsOf(value))]);
  }
  callee.parameters.forEach((parameter, index) => {
    flow(flows.variable(parameter.id), values[index] ?? []);
  });
  follow(flows, callee);
  return [flows.resultOf(callee.id)];
}

function holdsPointers(type: Type): boolean {
  switch (type.kind) {
    case "pointer":
    case "unknown":
      return true;
    case "array":
      return holdsPointers(type.element);
    case "record":
      return type.fields.some((field) => holdsPointers(field.type));
    default:
      return false;
  }
}

function holdsFloatsAlone(type: Type): boolean {
  switch (type.kind) {
    case "float":
      return true;
    case "array":
      return holdsFloatsAlone(type.element);
    case "record":
      return type.fields.every((field) => holdsFloatsAlone(field.type));
    default:
      return false;
  }
}
