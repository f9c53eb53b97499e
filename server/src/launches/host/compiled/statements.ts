// Compiles statements of host code to functions.
import type { Declare, If, Loop, Return, Statement } from "../../../ir/statement.ts";
import { truthOf } from "../value.ts";
import { compileExpression, NotCompiled } from "./expressions.ts";
import { type Environment, notKnown } from "./run.ts";
import type { Scope, Signal } from "./scope.ts";

type Execution = (environment: Environment) => Signal;

/** A list of statements as one function. */
export function compileBody(scope: Scope, statements: readonly Statement[]): Execution {
  const all = statements.flatMap((statement) => {
    if (statement.kind !== "block" && !scope.source.slice.needs(statement)) return [];
    return [compileStatement(scope, statement)];
  });
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  return (environment) => {
    for (const execute of all) {
      const signal = execute(environment);
      if (signal !== "next") return signal;
    }
    return "next";
  };
}

/** A loop, its condition and steps included. */
export function compileLoop(scope: Scope, statement: Loop): Execution {
  const sizeBefore = scope.size;
  const condition = statement.condition === null ? null : compileExpression(scope, statement.condition);
  const body = compileBody(scope, statement.body);
  const steps = statement.step.flatMap((step) =>
    scope.source.slice.needsStep(step) ? [compileExpression(scope, step)] : [],
  );
  const size = scope.size - sizeBefore + 1;
  const { run } = scope;
  const isTestedFirst = statement.test === "top";
  return (environment) => {
    const { doubts } = run;
    const { leaves } = environment;
    const end = (signal: Signal): Signal => {
      run.doubts = doubts + environment.leaves - leaves;
      return signal;
    };
    for (let trip = 0; ; trip++) {
      run.spend(size);
      const isTested = condition !== null && (trip > 0 || isTestedFirst);
      const truth = isTested ? truthOf(condition(environment)) : true;
      if (truth === false) return end("next");
      // What a trip writes that may not be made is not known; neither is what the ones behind it write, which is the same.
      const isLast = truth === null || (condition === null && run.doubts > doubts);
      if (truth === null) run.doubt();
      const signal = body(environment);
      if (signal === "return" && truth !== null) return end(signal);
      if (signal === "return") environment.leaves++;
      if (signal === "break") return end("next");
      for (const step of steps) step(environment);
      if (isLast) return end("next");
    }
  };
}

function compileStatement(scope: Scope, statement: Statement): Execution {
  scope.size++;
  switch (statement.kind) {
    case "block":
      return compileBody(scope, statement.body);
    case "evaluate": {
      const evaluate = compileExpression(scope, statement.expression);
      return (environment) => {
        evaluate(environment);
        return "next";
      };
    }
    case "declare":
      return compileDeclare(scope, statement);
    case "if":
      return compileIf(scope, statement);
    case "loop":
      return compileLoop(scope, statement);
    case "break":
    case "continue": {
      const { kind } = statement;
      return () => kind;
    }
    case "return":
      return compileReturn(scope, statement);
    case "switch":
    case "launch":
    case "barrier":
    case "unknown":
      throw new NotCompiled();
  }
}

function compileDeclare(scope: Scope, { variable, initializer }: Declare): Execution {
  if (variable.storage !== "automatic") throw new NotCompiled();
  const { slot, objectIn } = scope.slotOf(variable);
  const value = initializer === null ? null : compileExpression(scope, initializer);
  const { run } = scope;
  return (environment) => {
    const initial = value?.(environment) ?? notKnown;
    if (objectIn === null) {
      environment.values[slot] = initial;
      return "next";
    }
    const object = scope.source.makeObject(variable);
    environment.objects[slot] = object;
    if (value !== null) run.memory.write(object, 0, variable.type, initial);
    return "next";
  };
}

/** Where nobody knows which side is taken, both are run in doubt; where one of them leaves, all behind it is in doubt too. */
function compileIf(scope: Scope, statement: If): Execution {
  const condition = compileExpression(scope, statement.condition);
  const whenTrue = compileBody(scope, statement.whenTrue);
  const whenFalse = compileBody(scope, statement.whenFalse);
  const { run } = scope;
  return (environment) => {
    const truth = truthOf(condition(environment));
    if (truth !== null) return truth ? whenTrue(environment) : whenFalse(environment);
    run.doubt();
    const first = whenTrue(environment);
    const second = whenFalse(environment);
    if (first === second) {
      run.doubts--;
      return first;
    }
    if (first === "return" || second === "return") environment.leaves++;
    return "next";
  };
}

function compileReturn(scope: Scope, statement: Return): Execution {
  const isNeeded = statement.value !== null && scope.source.slice.needsValue(statement);
  const value = isNeeded && statement.value !== null ? compileExpression(scope, statement.value) : null;
  const { run } = scope;
  return (environment) => {
    const result = value?.(environment) ?? notKnown;
    environment.result = run.doubts > environment.doubts ? notKnown : result;
    return "return";
  };
}
