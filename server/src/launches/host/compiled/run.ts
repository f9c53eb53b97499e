// What compiled host code works on: memory as the interpreter has it, and whether it is sure that the code at hand runs at all.
import type { Call } from "../../../ir/expression.ts";
import type { FunctionDefinition } from "../../../ir/function.ts";
import type { Type } from "../../../ir/type.ts";
import { readData, writeData } from "../data.ts";
import { type HostObject, lastSerial, type Memory } from "../object.ts";
import { isScalarValue, type UnknownValue, unknownValue, type Value } from "../value.ts";

/**
 * What becomes of code of which nobody knows whether it runs. `unknown`: what it writes is unknown from then on. `given up`: the loop is left to the
 * interpreter, which keeps what each way would do; so are loops that hang on anything else that is not known, but for data in bulk.
 */
export type InDoubt = "unknown" | "given up";

/**
 * Steps of all compiled loops of one run: two or three seconds where data are followed, for a mesh of 30³ cells, built with accessors, takes 90
 * million; a fifth of a second where the interpreter does in their place.
 */
const mostSteps: Readonly<Record<InDoubt, number>> = { unknown: 100_000_000, "given up": 10_000_000 };
/** Calls within calls. */
const mostDepth = 64;

/** One call of a compiled function, or the code around a compiled loop: its variables by their slots. */
export interface Environment {
  readonly values: Value[];
  /** Of variables that lie in memory. */
  readonly objects: HostObject[];
  result: Value;
  /** How sure it was that the call is made. */
  readonly doubts: number;
  /** Places at which it may have returned. */
  leaves: number;
}

export function newEnvironment({ doubts }: CompiledRun): Environment {
  return { values: [], objects: [], result: notAsked, doubts, leaves: 0 };
}

/** Thrown where compiled code cannot go on. */
export class GivenUp extends Error {}

export const notKnown: UnknownValue = unknownValue("data that is not known");

/** What a call gives whose function returns nothing that launches depend on. */
export const notAsked: UnknownValue = unknownValue("a result that nobody asks for");

/** What a pointer holds that was set where nobody knows whether: it may lead to data that is followed. */
export const pointerInDoubt: UnknownValue = unknownValue("a pointer that was set in doubt");

/** A call that compiled code is in. */
export interface CompiledCall {
  readonly call: Call;
  readonly callee: FunctionDefinition;
}

export class CompiledRun {
  readonly memory: Memory;
  /** The calls that the code at hand is in; null where nobody asks. */
  readonly calls: CompiledCall[] | null;
  private readonly inDoubt: InDoubt;
  /** Greater than 0 where it is not known whether the code at hand runs: all that it writes is unknown from then on. */
  doubts = 0;
  private depth = 0;
  private steps = 0;
  /** Objects that were there when a way began that may not be the one taken have no greater serial. */
  private lastUncertain = 0;
  private readonly noted = new Set<HostObject>();
  /** Objects that were there when the loop began have no greater serial. */
  private lastBefore = 0;

  constructor(memory: Memory, inDoubt: InDoubt) {
    this.memory = memory;
    this.inDoubt = inDoubt;
    this.calls = inDoubt === "given up" ? [] : null;
  }

  /** Begins a loop of the interpreter's. */
  begin(): void {
    this.doubts = 0;
    this.depth = 0;
    this.lastUncertain = this.memory.lastUncertainSerial;
    this.noted.clear();
    this.lastBefore = lastSerial();
    if (this.calls !== null) this.calls.length = 0;
  }

  /** Begins code of which it is not known whether it runs. */
  doubt(): void {
    if (this.inDoubt === "given up") throw new GivenUp();
    this.doubts++;
  }

  /** What a variable around the loop holds is not known: no matter where data alone are followed. */
  checkKnown(value: Value): void {
    if (this.inDoubt === "given up" && holdsUnknown(value)) throw new GivenUp();
  }

  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > mostSteps[this.inDoubt]) throw new GivenUp();
  }

  /** Begins a call of a function of so many steps. */
  enter(steps: number): void {
    this.spend(steps);
    if (++this.depth > mostDepth) throw new GivenUp();
  }

  /** Ends a call: whether it runs at all is as sure as it was before. */
  leave(doubts: number): void {
    this.depth--;
    this.doubts = doubts;
  }

  read(pointer: Value, offset: number, type: Type): Value {
    if (isScalarValue(pointer) || pointer.kind !== "pointer" || pointer.offsetBytes === null) return notKnown;
    return this.readObject(pointer.object, pointer.offsetBytes + offset, type);
  }

  readObject(object: HostObject, offset: number, type: Type): Value {
    if (object.data !== null && isSingle(type)) return readData(object.data, offset, type);
    const value = this.memory.read(object, offset, type);
    if (this.isAround(object)) this.checkKnown(value);
    return value;
  }

  /** Whether it was there before the loop, and is no data in bulk. */
  private isAround({ serial, isBulk }: HostObject): boolean {
    return serial <= this.lastBefore && !isBulk;
  }

  write(pointer: Value, offset: number, type: Type, value: Value): void {
    if (pointer === pointerInDoubt) throw new GivenUp();
    // As the interpreter has it: what an unknown pointer leads to is no data that anybody follows.
    if (isScalarValue(pointer) || pointer.kind !== "pointer") return;
    const { object, offsetBytes } = pointer;
    if (offsetBytes === null) this.memory.forget(object, "a store to an element that is not known");
    else this.writeObject(object, offsetBytes + offset, type, value);
  }

  writeObject(object: HostObject, offset: number, type: Type, value: Value): void {
    const written = this.doubts > 0 ? notKnown : value;
    if (this.isAround(object)) this.checkKnown(written);
    if (object.data === null || !isSingle(type) || object.serial <= this.lastUncertain) {
      this.memory.write(object, offset, type, written);
      return;
    }
    if (!this.noted.has(object)) {
      this.noted.add(object);
      this.memory.noteWritten(object);
    }
    writeData(object.data, offset, type, written);
  }
}

function holdsUnknown(value: Value): boolean {
  if (isScalarValue(value)) return false;
  if (value.kind !== "record") return value.kind === "unknown";
  for (const cell of value.cells.values()) if (holdsUnknown(cell.value)) return true;
  return false;
}

function isSingle(type: Type): boolean {
  return type.kind !== "record" && type.kind !== "array";
}
