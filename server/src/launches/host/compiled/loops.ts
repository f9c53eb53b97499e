// Runs loops that fill arrays as compiled code: the interpreter, which keeps what every way through the code would do, takes a hundred times
// as long. What cannot be compiled is left to it.
import type { FunctionDefinition, FunctionId, Program } from "../../../ir/function.ts";
import type { Loop } from "../../../ir/statement.ts";
import type { Variable } from "../../../ir/variable.ts";
import type { Slice } from "../../slice/slice.ts";
import { forEachStatement } from "../../slice/walk.ts";
import type { HostObject, Memory } from "../object.ts";
import { type Bindings, isScalarValue, resolve, type Value } from "../value.ts";
import { objectFor } from "../variable.ts";
import { NotCompiled } from "./expressions.ts";
import { CompiledRun, type Environment, GivenUp, newEnvironment, notKnown } from "./run.ts";
import { type CompiledFunction, Scope, type Signal, type Source } from "./scope.ts";
import { compileBody, compileLoop } from "./statements.ts";

/** What is asked of the interpreter whose loops these are. */
export interface Surroundings {
  readonly memory: Memory;
  readonly bindings: Bindings;
  objectOf(variable: Variable): HostObject;
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

  constructor(program: Program, slice: Slice, surroundings: Surroundings) {
    this.program = program;
    this.surroundings = surroundings;
    this.run = new CompiledRun(surroundings.memory);
    this.source = {
      slice,
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
    if (!isSame) memory.write(object, 0, variable.type, value);
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
    if (this.refused.has(id)) throw new NotCompiled();
    const scope = new Scope(this.run, this.source, definition.body);
    const parameters = definition.parameters.map((variable) => {
      const { slot, objectIn } = scope.slotOf(variable);
      const makeObject = objectIn === null ? null : () => this.source.makeObject(variable);
      return { slot, type: variable.type, makeObject };
    });
    // A function that calls itself is met again while it is compiled.
    const compiled: CompiledFunction = { parameters, size: 0, body: () => "next" };
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
