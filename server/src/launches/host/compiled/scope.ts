// Where compiled code finds the variables of the function that it stands in, and the functions that it calls.
import type { Intrinsic } from "../../../ir/expression.ts";
import type { FunctionDefinition, FunctionId } from "../../../ir/function.ts";
import type { Statement } from "../../../ir/statement.ts";
import type { Type } from "../../../ir/type.ts";
import type { Variable } from "../../../ir/variable.ts";
import type { Slice } from "../../slice/slice.ts";
import { forEachStatement } from "../../slice/walk.ts";
import type { AllocationShape } from "../evaluate.ts";
import type { HostObject } from "../object.ts";
import type { CompiledRun, Environment } from "./run.ts";

/** How a statement ended. */
export type Signal = "next" | "break" | "continue" | "return";

export interface CompiledFunction {
  readonly callee: FunctionDefinition;
  readonly parameters: readonly {
    readonly slot: number;
    readonly type: Type;
    /** Of one that lies in memory. */
    readonly makeObject: (() => HostObject) | null;
  }[];
  /** The steps that its body takes, without those of loops and calls in it. */
  size: number;
  body: (environment: Environment) => Signal;
}

export interface Slot {
  readonly slot: number;
  /** Where it lies, if pointers may lead to it or parts of it are read and written; null where it is a value alone. */
  readonly objectIn: ((environment: Environment) => HostObject) | null;
}

/** What of the host's code is compiled, and how its variables are made. */
export interface Source {
  readonly slice: Slice;
  functionOf(id: FunctionId): CompiledFunction;
  makeObject(variable: Variable): HostObject;
  allocate(site: Intrinsic, shape: AllocationShape): HostObject;
  /** Told of each call, where the interpreter is. */
  noteCall(callee: FunctionDefinition): void;
  /** Of a variable of a namespace. */
  staticObject(variable: Variable): HostObject;
}

/** One function, or the code around a loop. */
export class Scope {
  readonly run: CompiledRun;
  readonly source: Source;
  /** The steps of what was compiled so far. */
  size = 0;
  readonly slots = new Map<Variable, Slot>();
  private readonly addressed: ReadonlySet<Variable>;

  constructor(run: CompiledRun, source: Source, body: readonly Statement[]) {
    this.run = run;
    this.source = source;
    this.addressed = addressedIn(body);
  }

  slotOf(variable: Variable): Slot {
    const known = this.slots.get(variable);
    if (known !== undefined) return known;
    const slot = this.slots.size;
    const made = { slot, objectIn: this.placeOf(variable, slot) };
    this.slots.set(variable, made);
    return made;
  }

  private placeOf(variable: Variable, slot: number): Slot["objectIn"] {
    const { storage, type } = variable;
    if (storage !== "automatic") return () => this.source.staticObject(variable);
    if (type.kind !== "record" && type.kind !== "array" && !this.addressed.has(variable)) return null;
    return ({ objects }) => {
      // What nobody needs to be declared is made when it is first asked for, as the interpreter does.
      const object = objects[slot] ?? this.source.makeObject(variable);
      objects[slot] = object;
      return object;
    };
  }
}

/** The variables whose address is taken. */
function addressedIn(body: readonly Statement[]): ReadonlySet<Variable> {
  const found = new Set<Variable>();
  forEachStatement(
    body,
    () => {},
    (expression) => {
      if (expression.kind === "address" && expression.place.kind === "variable")
        found.add(expression.place.variable);
    },
  );
  return found;
}
