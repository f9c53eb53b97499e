// Runs loops that fill arrays and lists as compiled code: the interpreter, which keeps what every way through the code would do, takes a hundred
// times as long. What cannot be compiled is left to it.
import type { Intrinsic } from "../../../ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../../../ir/function.ts";
import type { Loop } from "../../../ir/statement.ts";
import type { Variable } from "../../../ir/variable.ts";
import type { Slice } from "../../slice/slice.ts";
import { forEachStatement } from "../../slice/walk.ts";
import { makeData } from "../data.ts";
import type { AllocationShape } from "../evaluate.ts";
import { type HostObject, type Memory, makeObject } from "../object.ts";
import { type Bindings, isScalarValue, resolve, type Value } from "../value.ts";
import { objectFor } from "../variable.ts";
import { NotCompiled } from "./expressions.ts";
import {
  type CompiledCall,
  CompiledRun,
  type Environment,
  GivenUp,
  type InDoubt,
  newEnvironment,
  notKnown,
} from "./run.ts";
import { type CompiledFunction, Scope, type Signal, type Source } from "./scope.ts";
import { compileBody, compileLoop } from "./statements.ts";

/** What is asked of the interpreter whose loops these are. */
export interface Surroundings {
  readonly memory: Memory;
  readonly bindings: Bindings;
  objectOf(variable: Variable): HostObject;
  /** Memory that is allocated in `calls`, as the interpreter would have it. */
  allocate(site: Intrinsic, shape: AllocationShape, calls: readonly CompiledCall[]): HostObject;
  noteCall(callee: FunctionDefinition): void;
}

export interface LoopEnd {
  readonly signal: Signal;
  /** Of a loop that returns. */
  readonly result: Value;
}

interface CompiledLoop {
  readonly scope: Scope;
  readonly execute: (environment: Environment) => Signal;
  /** Variables of the function around it. */
  readonly outer: readonly Variable[];
}

export class CompiledLoops {
  private readonly program: Program;
  private readonly surroundings: Surroundings;
  private readonly run: CompiledRun;
  private readonly source: Source;
  private readonly loops = new Map<Loop, CompiledLoop | null>();
  private readonly functions = new Map<FunctionId, CompiledFunction>();
  private readonly refused = new Set<FunctionId>();

  constructor(program: Program, slice: Slice, surroundings: Surroundings, inDoubt: InDoubt) {
    this.program = program;
    this.surroundings = surroundings;
    this.run = new CompiledRun(surroundings.memory, inDoubt);
    const { calls } = this.run;
    this.source = {
      slice,
      allocate: (site, shape) =>
        calls === null ? followedMemory(shape) : surroundings.allocate(site, shape, calls),
      noteCall: (callee) => surroundings.noteCall(callee),
      functionOf: (id) => this.functionOf(id),
      makeObject: (variable) => objectFor(variable, slice),
      staticObject: (variable) => surroundings.objectOf(variable),
    };
  }

  /** Runs `loop` of `definition`; null where it is left to the interpreter. Throws `GivenUp` where it would take too long. */
  execute(definition: FunctionDefinition, loop: Loop): LoopEnd | null {
    const compiled = this.loopOf(definition, loop);
    if (compiled === null) return null;
    this.run.begin();
    const environment = newEnvironment(this.run);
    for (const variable of compiled.outer) this.enter(compiled.scope, environment, variable);
    const signal = compiled.execute(environment);
    if (environment.leaves > 0) throw new GivenUp();
    for (const variable of compiled.outer) this.leave(compiled.scope, environment, variable);
    return { signal, result: environment.result };
  }

  /** The same; null as well where something was in doubt, and then all is as it was. */
  executeOrUndo(definition: FunctionDefinition, loop: Loop): LoopEnd | null {
    if (this.loopOf(definition, loop) === null) return null;
    const { memory } = this.surroundings;
    const before = memory.openJournal("changes");
    try {
      return this.execute(definition, loop);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      memory.restore(before);
      this.loops.set(loop, null);
      return null;
    } finally {
      memory.closeJournal(before);
    }
  }

  private enter(scope: Scope, { objects, values }: Environment, variable: Variable): void {
    const { slot, objectIn } = scope.slotOf(variable);
    const object = this.surroundings.objectOf(variable);
    const { memory, bindings } = this.surroundings;
    if (objectIn === null) values[slot] = resolve(memory.read(object, 0, variable.type), bindings);
    else objects[slot] = object;
  }

  private leave(scope: Scope, { values }: Environment, variable: Variable): void {
    const { slot, objectIn } = scope.slotOf(variable);
    if (objectIn !== null) return;
    const { memory } = this.surroundings;
    const object = this.surroundings.objectOf(variable);
    const value = values[slot] ?? notKnown;
    const before = memory.read(object, 0, variable.type);
    const isSame = isScalarValue(value) ? Object.is(value, before) : value === before;
    if (isSame) return;
    this.run.checkKnown(value);
    memory.write(object, 0, variable.type, value);
  }

  private loopOf(definition: FunctionDefinition, loop: Loop): CompiledLoop | null {
    const known = this.loops.get(loop);
    if (known !== undefined) return known;
    const compiled = this.compiled(definition, loop);
    this.loops.set(loop, compiled);
    return compiled;
  }

  private compiled(definition: FunctionDefinition, loop: Loop): CompiledLoop | null {
    const scope = new Scope(this.run, this.source, definition.body);
    try {
      const execute = compileLoop(scope, loop);
      const declared = declaredIn(loop);
      const outer = [...scope.slots.keys()].filter(
        (variable) => variable.storage === "automatic" && !declared.has(variable),
      );
      return { scope, execute, outer };
    } catch (error) {
      if (error instanceof NotCompiled) return null;
      throw error;
    }
  }

  private functionOf(id: FunctionId): CompiledFunction {
    const known = this.functions.get(id);
    if (known !== undefined) return known;
    const definition = this.program.functionOf(id);
    if (definition === null || definition.kind === "kernel") throw new NotCompiled();
    // What it takes for granted is the interpreter's to note.
    if (this.run.calls !== null && definition.assumptions.length > 0) throw new NotCompiled();
    if (this.refused.has(id)) throw new NotCompiled();
    const scope = new Scope(this.run, this.source, definition.body);
    const parameters = definition.parameters.map((variable) => {
      const { slot, objectIn } = scope.slotOf(variable);
      const makeObject = objectIn === null ? null : () => this.source.makeObject(variable);
      return { slot, type: variable.type, makeObject };
    });
    // A function that calls itself is met again while it is compiled.
    const compiled: CompiledFunction = { callee: definition, parameters, size: 0, body: () => "next" };
    this.functions.set(id, compiled);
    try {
      compiled.body = compileBody(scope, definition.body);
    } catch (error) {
      // Those that were compiled on the way may call it.
      this.functions.clear();
      this.refused.add(id);
      throw error;
    }
    compiled.size = scope.size;
    return compiled;
  }
}

/** What compiled code allocates is followed, whatever it is for. */
function followedMemory(shape: AllocationShape): HostObject {
  return makeObject({
    ...shape,
    reason: "memory that was allocated",
    isBulk: true,
    data: makeData(shape.fill, shape.sizeBytes),
  });
}

function declaredIn(loop: Loop): ReadonlySet<Variable> {
  const declared = new Set<Variable>();
  forEachStatement(
    [loop],
    (statement) => {
      if (statement.kind === "declare") declared.add(statement.variable);
    },
    () => {},
  );
  return declared;
}
