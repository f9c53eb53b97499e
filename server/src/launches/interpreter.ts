// Runs host code as far as launches depend on it, with unknown values where the text does not say. A condition that is not
// known is taken both ways from the same state; what then differs is unknown.
import type { Expression, Intrinsic } from "../ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../ir/function.ts";
import type { If, LaunchStatement, Loop, Return, Statement, Switch } from "../ir/statement.ts";
import type { Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import type { Scalar } from "../semantics/scalar.ts";
import type { SourceRange } from "../text/source.ts";
import { assignedIn } from "./assigned.ts";
import { type ConditionTexts, conditionText } from "./condition-text.ts";
import type { DeviceKnowledge } from "./device-facts.ts";
import type { AllocationShape, HostContext } from "./evaluate-host.ts";
import { evaluate, exposeToOutside, nameAllocation, opaquePointer } from "./evaluate-host.ts";
import { type Completion, type Frame, makeFrame, pathFrom, type Target, type Way } from "./frame.ts";
import type { HostValue } from "./launch.ts";
import { behindArgument, dimensions } from "./launch-operands.ts";
import { type HostObject, type Journal, lastSerial, Memory, makeObject } from "./object.ts";
import type { Recorder } from "./recorder.ts";
import { type CountingLoop, countingLoop, isUnchanged, remainingTrips } from "./repeat.ts";
import type { Slice } from "./slice.ts";
import type { Bindings, Value } from "./value.ts";
import { isScalarValue, mergeValues, sameValue, truthOf, unknownValue } from "./value.ts";

/** Steps (expressions evaluated) of one run, of one loop that launches nothing, and of one that does. */
const maxSteps = 1_000_000;
const maxIdleLoopSteps = 30_000;
const maxLaunchingLoopSteps = 200_000;
const maxDepth = 64;
/** Ways out of one function that are kept apart, before all that is written from there on is forgotten. */
const maxEarlyReturns = 12;
/**
 * Conditions that are taken both ways, and what each counts as in steps: state is kept and merged. What is written while ways wait to be
 * merged is kept once for each of them, and merged again for each.
 */
const maxWays = 20_000;
const stepsPerWay = 40;
/** Cells of memory that are kept and merged in the time of a step. */
const cellsPerStep = 4;

/** Iterations from the second on after which a loop may have come back to where it was: a swap of two buffers takes two. */
const maxObservedIterations = 3;

export interface RunOptions {
  /** The value of argc, or unknown. */
  readonly argumentCount: 1 | "unknown";
  readonly device: DeviceKnowledge;
  readonly texts: ConditionTexts;
}

export class Interpreter implements HostContext {
  readonly memory = new Memory();
  /** What could not be followed, in words. */
  readonly gaps = new Set<string>();
  /** Whether the host asked for facts that differ between GPUs. */
  asksDevice = false;
  private readonly program: Program;
  private readonly slice: Slice;
  private readonly recorder: Recorder;
  private readonly options: RunOptions;
  private readonly statics = new Map<number, HostObject>();
  private readonly declaredStatics = new Set<number>();
  bindings: Bindings = new Map();
  private assumptions: string[] = [];
  private frame: Frame | null = null;
  private depth = 0;
  private steps = 0;
  private ways = 0;
  private isExiting = false;

  constructor(program: Program, slice: Slice, recorder: Recorder, options: RunOptions) {
    this.program = program;
    this.slice = slice;
    this.recorder = recorder;
    this.options = options;
  }

  /** Runs an entry of the program: main with argc, any other function with parameters of which nothing is known. */
  runEntry(id: FunctionId): void {
    const definition = this.program.functionOf(id);
    if (definition === null) return;
    const values = definition.parameters.map((parameter) => this.entryValue(definition, parameter));
    this.isExiting = false;
    this.invoke(definition, values, null);
    if (this.steps > maxSteps)
      this.gaps.add(`the host code from ${definition.name} on is too long to run to its end`);
  }

  // HostContext.

  get isInLibrary(): boolean {
    return this.frame?.definition.isLibrary === true;
  }

  charge(): boolean {
    return ++this.steps <= maxSteps;
  }

  askDevice(): DeviceKnowledge {
    this.asksDevice = true;
    return this.options.device;
  }

  exit(): void {
    this.isExiting = true;
  }

  objectOf(variable: Variable): HostObject {
    const isLocal = variable.storage === "automatic";
    const objects = isLocal && this.frame !== null ? this.frame.objects : this.statics;
    const known = objects.get(variable.id);
    if (known !== undefined) return known;
    const object = this.objectFor(variable);
    objects.set(variable.id, object);
    if (!isLocal) this.initializeGlobal(variable, object);
    return object;
  }

  allocate(site: Intrinsic, shape: AllocationShape): HostObject {
    return makeObject({
      ...shape,
      reason: "memory that was allocated",
      isBulk: this.isBulkAllocation(site),
    });
  }

  private isBulkAllocation(site: Intrinsic): boolean {
    const calls: Expression[] = [];
    let frame = this.frame;
    while (frame !== null && frame.call !== null && frame.definition.isLibrary === true) {
      calls.unshift(frame.call);
      frame = frame.caller;
    }
    return this.slice.isBulkAllocation(site, frame?.definition.id ?? null, calls);
  }

  call(
    callee: FunctionId,
    values: readonly Value[],
    range: SourceRange | null,
    call: Expression | null,
  ): Value {
    const definition = this.program.functionOf(callee);
    const canRun = definition !== null && definition.kind !== "kernel" && definition.kind !== "device";
    if (!canRun || this.depth >= maxDepth || this.isStopped()) {
      exposeToOutside(this, values, null);
      return unknownValue(canRun ? `the result of ${definition.name}` : "a function that is not in sight");
    }
    return this.invoke(definition, values, range, call);
  }

  callFromOutside(callee: FunctionId, receiver: Value | null, range: SourceRange | null): void {
    const definition = this.program.functionOf(callee);
    if (definition === null || definition.kind === "kernel" || !this.slice.hasEffects(callee)) return;
    const values = definition.parameters.map((parameter, index) =>
      index === 0 && receiver !== null ? receiver : this.unknownOf(parameter.type, parameter.name),
    );
    const name = definition.name === "operator()" ? "a lambda" : definition.name;
    this.assuming(`${name} is called by code that is not in sight`, () => {
      this.eachWay([() => void this.call(callee, values, range, null), () => {}]);
    });
  }

  eachWay(sides: readonly (() => void)[]): void {
    this.takeEachWay(
      sides.map((side) => () => {
        side();
        return this.isExiting ? "exit" : "next";
      }),
    );
  }

  launchKernel(values: readonly Value[], range: SourceRange): void {
    const [kernel, grid, block, list, shared] = values;
    const definition = this.kernelOf(kernel);
    if (definition === null) return;
    const pointers = list ?? unknownValue("the arguments");
    const operands = definition.parameters.map((parameter, index) =>
      behindArgument(this.memory, pointers, index, parameter.type),
    );
    this.record(definition, grid, block, shared ?? 0, operands, range);
  }

  // Functions.

  private invoke(
    definition: FunctionDefinition,
    values: readonly Value[],
    range: SourceRange | null,
    call: Expression | null = null,
  ): Value {
    const caller = this.frame;
    const assumptionCount = this.assumptions.length;
    const frame = makeFrame(definition, { callRange: range, call, caller });
    this.frame = frame;
    this.depth++;
    // A lambda without captures may be called through a plain pointer, which brings no closure.
    const lacksSelf =
      definition.parameters[0]?.name === "this" && values.length === definition.parameters.length - 1;
    definition.parameters.forEach((parameter, index) => {
      const value = values[lacksSelf ? index - 1 : index] ?? this.unknownOf(parameter.type, parameter.name);
      this.memory.write(this.objectOf(parameter), 0, parameter.type, value);
    });
    this.body(definition.body);
    this.mergeReturns(frame);
    this.depth--;
    this.frame = caller;
    this.assumptions.length = assumptionCount;
    return frame.result;
  }

  private mergeReturns(frame: Frame): void {
    for (const way of frame.earlyReturns.reverse()) {
      frame.result = mergeValues(frame.result, way.value, `the result of ${frame.definition.name}`);
      this.arrive(way, `what ${frame.definition.name} did`);
    }
    if (frame.overflow !== null) {
      this.memory.unwatch(frame.overflow);
      frame.result = unknownValue(`the result of ${frame.definition.name}`);
      this.forgetAll(frame.overflow, `what ${frame.definition.name} did`);
    }
  }

  private entryValue(definition: FunctionDefinition, parameter: Variable): Value {
    const isCount = definition.name === "main" && parameter === definition.parameters[0];
    if (isCount && this.options.argumentCount === 1) return 1;
    return this.unknownOf(parameter.type, parameter.name);
  }

  private unknownOf(type: Type, name: string): Value {
    return type.kind === "pointer"
      ? opaquePointer(name)
      : unknownValue(name === "" ? "an argument" : `the value of ${name}`);
  }

  private objectFor(variable: Variable): HostObject {
    // A class may have a constructor, so that only plain globals are sure to be zero.
    const isZero = variable.storage === "static" && variable.type.kind !== "record";
    return makeObject({
      name: variable.name,
      sizeBytes: sizeOf(variable.type),
      alignmentBytes:
        variable.storage === "device" ? Math.max(256, variable.alignmentBytes) : variable.alignmentBytes,
      fill: isZero ? "zero" : "unknown",
      reason: `the value of ${variable.name}`,
      isBulk: this.slice.isBulkVariable(variable),
    });
  }

  private initializeGlobal(variable: Variable, object: HostObject): void {
    const initializer = this.program.globalInitializer(variable);
    if (initializer !== null && variable.storage === "static") {
      this.memory.write(object, 0, variable.type, evaluate(this, initializer));
    }
  }

  // Statements.

  private isStopped(): boolean {
    return this.isExiting || this.steps > maxSteps;
  }

  private body(statements: readonly Statement[]): Completion {
    for (const statement of statements) {
      const completion = this.statement(statement);
      if (completion !== "next") return completion;
    }
    return "next";
  }

  private statement(statement: Statement): Completion {
    if (statement.kind === "block") return this.body(statement.body);
    if (statement.kind === "unknown") {
      this.gaps.add(statement.reason);
      return "next";
    }
    if (!this.slice.needs(statement)) return "next";
    if (!this.charge()) return "exit";
    switch (statement.kind) {
      case "evaluate":
        evaluate(this, statement.expression);
        break;
      case "declare":
        this.declare(statement.variable, statement.initializer);
        break;
      case "if":
        return this.ifStatement(statement);
      case "loop":
        return this.loop(statement);
      case "switch":
        return this.switchStatement(statement);
      case "break":
      case "continue":
        return statement.kind;
      case "return":
        return this.returnStatement(statement);
      case "launch":
        this.launch(statement);
        break;
      case "barrier":
        break;
    }
    return this.isStopped() ? "exit" : "next";
  }

  private declare(variable: Variable, initializer: Expression | null): void {
    if (variable.storage !== "automatic") {
      if (this.declaredStatics.has(variable.id)) return;
      this.declaredStatics.add(variable.id);
      if (initializer === null) return;
    }
    const value = initializer === null ? null : evaluate(this, initializer);
    if (variable.storage === "automatic") this.frame?.objects.set(variable.id, this.objectFor(variable));
    if (value === null) return;
    nameAllocation(value, { kind: "variable", variable, offsetBytes: 0, type: variable.type });
    this.memory.write(this.objectOf(variable), 0, variable.type, value);
  }

  private returnStatement(statement: Return): Completion {
    const { frame } = this;
    if (frame !== null && statement.value !== null && this.slice.needsValue(statement)) {
      frame.result = evaluate(this, statement.value);
    }
    return this.isStopped() ? "exit" : "return";
  }

  private ifStatement(statement: If): Completion {
    const truth = truthOf(evaluate(this, statement.condition));
    if (this.isStopped()) return "exit";
    if (truth !== null) return this.body(truth ? statement.whenTrue : statement.whenFalse);
    return this.assuming(
      `host condition \`${conditionText(this.options.texts, statement)}\` taken both ways`,
      () =>
        this.takeEachWay([
          () => {
            this.supposeEqual(statement.condition);
            return this.body(statement.whenTrue);
          },
          () => this.body(statement.whenFalse),
        ]),
    );
  }

  /** Inside `if (x == 5)`, x is 5. */
  private supposeEqual(condition: Expression): void {
    if (condition.kind === "convert") {
      this.supposeEqual(condition.operand);
      return;
    }
    if (condition.kind === "logical" && condition.operator === "and") {
      this.supposeEqual(condition.left);
      this.supposeEqual(condition.right);
      return;
    }
    if (condition.kind !== "binary" || condition.operator !== "==") return;
    const value = evaluate(this, condition.right);
    if (isScalarValue(value)) this.suppose(condition.left, value);
  }

  /** On the way at hand the variable that `expression` reads is `value`. */
  private suppose(expression: Expression, value: Scalar): void {
    if (expression.kind === "convert" && expression.type.kind === "integer") {
      this.suppose(expression.operand, value);
    } else if (expression.kind === "load" && expression.type.kind === "integer") {
      const current = evaluate(this, expression);
      if (isScalarValue(current) || current.kind !== "unknown" || current.of?.depth !== 0) return;
      this.bindings = new Map([...this.bindings, [current.of.symbol, value]]);
    }
  }

  private switchStatement(statement: Switch): Completion {
    const selector = evaluate(this, statement.selector);
    if (this.isStopped()) return "exit";
    const target: Target = { kind: "switch", ways: [], isLeft: false, observed: null };
    this.frame?.targets.push(target);
    const completion = isScalarValue(selector)
      ? this.fromCase(statement, caseOf(statement, selector))
      : this.assuming(
          `host condition \`${conditionText(this.options.texts, statement)}\` taken every way`,
          () => this.everyCase(statement),
        );
    this.frame?.targets.pop();
    for (const way of target.ways.reverse()) this.arrive(way, "a switch whose case is not known");
    return completion === "break" ? "next" : completion;
  }

  private everyCase(statement: Switch): Completion {
    const hasDefault = statement.cases.some((entry) => entry.values.includes(null));
    const sides = statement.cases.flatMap((entry, index) =>
      entry.values.map((value) => () => {
        if (value !== null) this.suppose(statement.selector, value);
        const completion = this.fromCase(statement, index);
        return completion === "break" ? "next" : completion;
      }),
    );
    return this.takeEachWay(hasDefault ? sides : [...sides, () => "next"]);
  }

  private fromCase(statement: Switch, index: number): Completion {
    for (const entry of index < 0 ? [] : statement.cases.slice(index)) {
      const completion = this.body(entry.body);
      if (completion !== "next") return completion;
    }
    return "next";
  }

  private loop(statement: Loop): Completion {
    const target: Target = { kind: "loop", ways: [], isLeft: false, observed: null };
    const written = this.memory.watch();
    this.frame?.targets.push(target);
    const outcome = this.iterate(statement, target);
    this.stopObserving(target);
    this.frame?.targets.pop();
    this.memory.unwatch(written);
    if (target.ways.length > 0) target.isLeft = true;
    for (const way of target.ways) this.memory.closeJournal(way.before);
    if (outcome.isCertain && !target.isLeft) return outcome.completion;
    this.forgetAll(written, "a loop that may end early or late");
    for (const variable of assignedIn(statement)) {
      this.memory.forget(this.objectOf(variable), "a loop that may end early or late");
    }
    return outcome.completion;
  }

  private iterate(statement: Loop, target: Target): { completion: Completion; isCertain: boolean } {
    const firstStep = this.steps;
    const launchesBefore = this.recorder.met;
    const counting = countingLoop(statement);
    for (let iteration = 0; ; iteration++) {
      if (counting !== null && iteration > 0 && iteration <= maxObservedIterations) {
        this.foldRepeats(counting, iteration, target);
      } else {
        this.stopObserving(target);
      }
      if (iteration > 0 || statement.test === "top") {
        const truth = statement.condition === null ? true : truthOf(evaluate(this, statement.condition));
        if (this.isStopped()) return { completion: "exit", isCertain: true };
        if (truth === false) return { completion: "next", isCertain: true };
        if (truth === null) {
          const completion = iteration === 0 ? this.maybeOnce(statement) : "next";
          return { completion, isCertain: false };
        }
      }
      const completion = this.onceThrough(statement, target);
      if (completion === "break") return { completion: "next", isCertain: true };
      if (completion !== "next") return { completion, isCertain: true };
      const isIdle = this.recorder.met === launchesBefore;
      const isSpent = this.steps - firstStep > (isIdle ? maxIdleLoopSteps : maxLaunchingLoopSteps);
      if (isSpent && !isIdle)
        this.gaps.add(`a loop that launches kernels was followed for ${iteration + 1} iterations only`);
      const isEndless = target.isLeft && statement.condition === null;
      if (isSpent || isEndless) return { completion: "next", isCertain: false };
    }
  }

  /**
   * Looks at a loop that only counts, between two iterations: where one or two of them left everything as it was, all others do the same,
   * and what they launch is counted at once.
   */
  private foldRepeats(loop: CountingLoop, iteration: number, target: Target): void {
    const { observed } = target;
    if (observed === null) {
      target.observed = {
        iteration,
        journal: this.memory.openJournal(),
        serial: lastSerial(),
        mark: this.recorder.mark(),
      };
      return;
    }
    const counter = this.objectOf(loop.variable);
    const period = iteration - observed.iteration;
    const isQuiet = !target.isLeft && target.ways.length === 0;
    if (!isQuiet || observed.mark === null || !isUnchanged(observed.journal, observed.serial, counter))
      return;
    const value = this.memory.read(counter, 0, loop.type);
    const trips = remainingTrips(loop, value, evaluate(this, loop.bound));
    const times = trips === null ? 0 : Math.floor(trips / period);
    if (times === 0 || !isScalarValue(value)) return;
    this.recorder.repeat(observed.mark, times);
    this.memory.write(counter, 0, loop.type, Number(value) + times * period * loop.stride);
  }

  private stopObserving(target: Target): void {
    if (target.observed !== null) this.memory.closeJournal(target.observed.journal);
    target.observed = null;
  }

  /** One iteration, with what ways that `continue` it have done. */
  private onceThrough(statement: Loop, target: Target): Completion {
    const completion = this.body(statement.body);
    if (completion !== "next" && completion !== "continue") return completion;
    for (const way of target.ways.reverse()) this.arrive(way, "an iteration that may end early");
    target.ways = [];
    for (const step of statement.step) if (this.slice.needsStep(step)) evaluate(this, step);
    return this.isStopped() ? "exit" : "next";
  }

  /** The body of a loop whose condition is not known to hold even once. */
  private maybeOnce(statement: Loop): Completion {
    return this.assuming(
      `host condition \`${conditionText(this.options.texts, statement)}\` true at least once`,
      () =>
        this.takeEachWay([
          () => {
            const completion = this.body(statement.body);
            return completion === "break" || completion === "continue" ? "next" : completion;
          },
          () => "next",
        ]),
    );
  }

  // Ways.

  /** Launches that `run` meets hold under `assumption`. Where a way that launched left early, so do those behind it. */
  private assuming<T>(assumption: string, run: () => T): T {
    this.assumptions.push(assumption);
    const result = run();
    const at = this.assumptions.lastIndexOf(assumption);
    if (at !== -1) this.assumptions.splice(at, 1);
    return result;
  }

  /** Takes all `sides` from the state at hand. Those that end alike are merged; others wait where they lead. */
  private takeEachWay(sides: readonly (() => Completion)[]): Completion {
    this.steps += stepsPerWay + this.memory.openJournals ** 2 / 10;
    if (++this.ways > maxWays) {
      this.steps = maxSteps + 1;
      return "exit";
    }
    const journal = this.memory.openJournal();
    const resultBefore = this.frame?.result ?? 0;
    const outcomes: Way[] = [];
    for (const side of sides) {
      if (this.frame !== null) this.frame.result = resultBefore;
      const bindingsBefore = this.bindings;
      const completion = side();
      this.bindings = bindingsBefore;
      this.isExiting = false;
      const value = this.frame?.result ?? 0;
      const after = this.memory.contentsOf(journal);
      this.memory.restore(journal);
      this.steps += stepsToKeep(after);
      outcomes.push({ completion, value, after, before: journal });
    }
    const followed = completions.find((each) => outcomes.some((way) => way.completion === each)) ?? "exit";
    const alike = outcomes.filter((way) => way.completion === followed);
    this.follow(alike, journal, resultBefore);
    const others = outcomes.filter((way) => way.completion !== followed);
    const ended = this.park(others);
    if (!others.some((way) => way.completion !== "exit" && this.isParked(way)))
      this.memory.closeJournal(journal);
    if (followed === "exit") this.isExiting = true;
    return ended ?? followed;
  }

  private follow(alike: readonly Way[], journal: Journal, resultBefore: Value): void {
    const [first, ...rest] = alike;
    if (first === undefined) return;
    this.memory.restore(first.after);
    let { value } = first;
    for (const way of rest) {
      this.memory.mergeWith(way.after, new Map(journal), "a condition that is not known");
      value = sameValue(value, way.value)
        ? value
        : mergeValues(value, way.value, "a condition that is not known");
    }
    if (this.frame !== null) this.frame.result = first.completion === "return" ? value : resultBefore;
  }

  /** Puts ways that leave where they will be merged. Gives "return" where nothing is left to find out here. */
  private park(ways: readonly Way[]): Completion | null {
    for (const way of ways) {
      if (way.completion === "return") {
        if (this.parkReturn(way)) return "return";
      } else if (way.completion !== "exit") {
        this.parkLeave(way);
      }
    }
    return null;
  }

  private parkReturn(way: Way): boolean {
    const { frame } = this;
    if (frame === null || frame.caller === null) return false;
    if (!this.slice.hasEffects(frame.definition.id)) {
      frame.result = unknownValue(`the result of ${frame.definition.name}`);
      return true;
    }
    if (frame.earlyReturns.length < maxEarlyReturns) frame.earlyReturns.push(way);
    else frame.overflow ??= this.memory.watch();
    return false;
  }

  private parkLeave(way: Way): void {
    const target = this.frame?.targets.findLast((each) => each.kind === "loop" || way.completion === "break");
    if (target === undefined) return;
    if (target.kind === "loop" && way.completion === "break") target.isLeft = true;
    else target.ways.push(way);
  }

  private isParked(way: Way): boolean {
    const inReturns = this.frame?.earlyReturns.includes(way) ?? false;
    return inReturns || (this.frame?.targets.some((target) => target.ways.includes(way)) ?? false);
  }

  /** Merges a way that left early into the state at hand. */
  private arrive(way: Way, reason: string): void {
    this.memory.closeJournal(way.before);
    this.steps += stepsToKeep(way.after) + stepsToKeep(way.before);
    this.memory.mergeWith(way.after, way.before, reason);
  }

  private forgetAll(objects: Iterable<HostObject>, reason: string): void {
    for (const object of objects) this.memory.forget(object, reason);
  }

  // Launches.

  private launch(statement: LaunchStatement): void {
    const kernel = statement.kernel;
    const callee: Value =
      typeof kernel === "string"
        ? { kind: "function", callee: kernel, receiver: null }
        : evaluate(this, kernel);
    const grid = evaluate(this, statement.grid);
    const block = evaluate(this, statement.block);
    const shared = statement.sharedBytes === null ? 0 : evaluate(this, statement.sharedBytes);
    const values = statement.arguments.map((argument) => evaluate(this, argument));
    const definition = this.kernelOf(callee);
    if (definition !== null && !this.isStopped())
      this.record(definition, grid, block, shared, values, statement.range);
  }

  private kernelOf(callee: Value | undefined): FunctionDefinition | null {
    const isFunction = callee !== undefined && !isScalarValue(callee) && callee.kind === "function";
    const definition = isFunction ? this.program.functionOf(callee.callee) : null;
    if (definition?.kind === "kernel") return definition;
    this.gaps.add("a launch whose kernel is not known");
    return null;
  }

  /** An argument of cudaLaunchKernel: the list holds a pointer to each. */
  private record(
    definition: FunctionDefinition,
    grid: Value | undefined,
    block: Value | undefined,
    shared: Value,
    values: readonly Value[],
    range: SourceRange,
  ): void {
    this.recorder.record({
      kernel: definition.id,
      grid: dimensions(grid),
      block: dimensions(block),
      sharedBytes: isScalarValue(shared) ? Number(shared) : null,
      arguments: definition.parameters.map((parameter, index): HostValue => {
        const value = values[index];
        return value === undefined
          ? { kind: "unknown", reason: `${parameter.name} is not passed` }
          : this.recorder.hostValue(value, parameter);
      }),
      path: pathFrom(range, this.frame),
      assumptions: [...new Set(this.assumptions)],
    });
  }
}

/** Which of several ends is followed: the one that stays longest. */
const completions: readonly Completion[] = ["next", "continue", "break", "return"];

function caseOf(statement: Switch, selector: number | bigint): number {
  const exact = statement.cases.findIndex((entry) =>
    entry.values.some((value) => value !== null && BigInt(value) === BigInt(selector)),
  );
  return exact !== -1 ? exact : statement.cases.findIndex((entry) => entry.values.includes(null));
}

/** What it takes to keep what the objects of a way hold, and to merge it with other ways. */
function stepsToKeep(after: Journal): number {
  let cells = 0;
  for (const contents of after.values()) cells += 1 + contents.cells.size;
  return Math.ceil(cells / cellsPerStep);
}
