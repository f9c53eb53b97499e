// Runs host code as far as launches depend on it, with unknown values where the text does not say. A condition that is not
// known is taken both ways from the same state; what then differs is unknown.

import { type Assumption, type BuildMacro, distinctAssumptions } from "../../ir/assumption.ts";
import type { Expression, Intrinsic } from "../../ir/expression.ts";
import type { FunctionDefinition, FunctionId, Program } from "../../ir/function.ts";
import type { If, LaunchStatement, Loop, Return, Statement, Switch } from "../../ir/statement.ts";
import { undeclaredConstantIn } from "../../ir/undeclared.ts";
import type { Variable } from "../../ir/variable.ts";
import type { SourceRange } from "../../text/source.ts";
import type { KernelUses } from "../contents/parameter-use.ts";
import type { Bulk, Slice } from "../slice/slice.ts";
import { launchEachKernel, launchWithEachBlock } from "./chosen-launches.ts";
import { CompiledLoops } from "./compiled/loops.ts";
import type { CompiledCall } from "./compiled/run.ts";
import { type ConditionTexts, waysAssumption } from "./condition-text.ts";
import { Constants, isFollowed } from "./constants.ts";
import { type DeviceKnowledge, warpSize } from "./device-facts.ts";
import type { AllocationShape } from "./evaluate.ts";
import { evaluate, nameAllocation } from "./evaluate.ts";
import { exposeToKernel, exposeToOutside } from "./exposed.ts";
import { FollowedData } from "./followed-data.ts";
import { type Completion, makeFrame, pathFrom, type Target } from "./frame.ts";
import { HostGaps } from "./gaps.ts";
import { behindArgument, type LaunchOperands, recordLaunch } from "./launch-operands.ts";
import { allocators } from "./library-effects.ts";
import { limited, supposeLimits } from "./limits.ts";
import { type LoopContext, runLoop } from "./loops.ts";
import { type HostObject, type Memory, makeObject } from "./object.ts";
import type { Recorder } from "./recorder.ts";
import { isStopped, makeRunState, type RunState, stepsLeft } from "./run-state.ts";
import { suppose, supposeEqual } from "./suppose.ts";
import { caseOf } from "./switch-case.ts";
import type { Bindings, Value } from "./value.ts";
import { isScalarValue, pointerTo, truthOf, unknownValue } from "./value.ts";
import { bulkShape, entryValue, objectFor, unknownOf } from "./variable.ts";
import { arrive, mergeReturns, takeEachWay } from "./ways.ts";

const maxDepth = 64;

export interface RunOptions {
  /** The value of argc, or unknown. */
  readonly argumentCount: 1 | "unknown";
  readonly device: DeviceKnowledge;
  /** Which environment variables are set: none, or what nobody knows. */
  readonly environment: "empty" | "unknown";
  readonly texts: ConditionTexts;
  /** What kernels do with memory, where data in bulk that they read are to be followed; null where launches alone are looked for. */
  readonly kernelUses: KernelUses | null;
}

/** What a host may ask of the world that it runs in, beside its arguments. */
export type WorldQuestion = "device" | "environment";

const nvidiaDevice: Assumption = { kind: "world", world: "nvidia-device" };
const fullOccupancy: Assumption = { kind: "world", world: "full-occupancy" };

export class Interpreter implements LoopContext {
  readonly gaps = new HostGaps();
  /** The functions that were run. */
  readonly reached = new Set<FunctionId>();
  /** Macros of which the build leaves something open, in the functions that were run. */
  private readonly openMacros = new Set<BuildMacro>();
  /** What the host asked of the world. */
  readonly asked = new Set<WorldQuestion>();
  private readonly program: Program;
  readonly state: RunState;
  readonly recorder: Recorder;
  private readonly options: RunOptions;
  private readonly constants = new Constants();
  private readonly statics = new Map<number, HostObject>();
  private readonly declaredStatics = new Set<number>();
  private assumptions: Assumption[] = [];
  /** What is followed of data in bulk; null where launches alone are looked for. */
  private readonly followed: FollowedData | null;
  /** Where they are: loops in which nothing is in doubt. */
  private readonly sureLoops: CompiledLoops;
  private depth = 0;
  /** Conditions nobody knows that chose the way at hand. */
  private choices = 0;
  /** Whether the program begins with what is run: no code has set variables before. */
  private isFromStart = true;

  constructor(program: Program, slice: Slice, recorder: Recorder, options: RunOptions) {
    this.program = program;
    this.state = makeRunState(slice);
    this.recorder = recorder;
    this.options = options;
    this.followed =
      options.kernelUses === null ? null : new FollowedData(program, slice, options.kernelUses, this);
    this.sureLoops = new CompiledLoops(program, slice, this, "given up");
  }

  /** Whether data in bulk were followed to the end. */
  get knowsData(): boolean {
    return this.followed?.hasGivenUp === false && stepsLeft(this.state) >= 0;
  }

  /** Runs an entry of the program: main with argc, any other function with parameters of which nothing is known. */
  runEntry(id: FunctionId): void {
    const definition = this.program.functionOf(id);
    if (definition === null) return;
    const values = definition.parameters.map((parameter) =>
      entryValue(this.memory, definition, parameter, this.options.argumentCount),
    );
    this.state.isExiting = false;
    this.isFromStart = definition.name === "main";
    this.invoke(definition, values, null);
    if (stepsLeft(this.state) < 0)
      this.gaps.add(
        `the host code from ${definition.name} on is too long to run to its end`,
        definition.nameRange,
      );
  }

  // LoopContext.

  get texts(): ConditionTexts {
    return this.options.texts;
  }

  get memory(): Memory {
    return this.state.memory;
  }

  functionOf(id: FunctionId): FunctionDefinition | null {
    return this.program.functionOf(id);
  }

  get bindings(): Bindings {
    return this.state.bindings;
  }

  get isInLibrary(): boolean {
    return this.state.frame?.definition.isLibrary === true;
  }

  charge(): boolean {
    this.state.steps++;
    return stepsLeft(this.state) >= 0;
  }

  askDevice(): DeviceKnowledge {
    this.asked.add("device");
    return this.options.device;
  }

  runCompiled(loop: Loop): Completion | null {
    const { frame } = this.state;
    if (frame === null) return null;
    const end =
      this.followed === null
        ? this.sureLoops.executeOrUndo(frame.definition, loop)
        : this.followed.runLoop(frame.definition, loop);
    if (end === "given up") this.state.isExiting = true;
    if (end === null || end === "given up") return end === null ? null : "exit";
    if (end.signal === "return") frame.result = end.result;
    return end.signal;
  }

  assumeWarpSize(): number {
    if (!this.assumptions.includes(nvidiaDevice)) this.assumptions.push(nvidiaDevice);
    return warpSize;
  }

  assumesFullOccupancy(kernel: Value | undefined): boolean {
    if (kernel === undefined || isScalarValue(kernel) || kernel.kind !== "function") return false;
    if (this.program.functionOf(kernel.callee)?.maxThreadsPerBlock !== null) return false;
    if (!this.assumptions.includes(fullOccupancy)) this.assumptions.push(fullOccupancy);
    return true;
  }

  askEnvironment(): "empty" | "unknown" {
    this.asked.add("environment");
    return this.options.environment;
  }

  exit(): void {
    this.state.isExiting = true;
  }

  objectOf(variable: Variable): HostObject {
    const isLocal = variable.storage === "automatic";
    const objects = isLocal && this.state.frame !== null ? this.state.frame.objects : this.statics;
    const known = objects.get(variable.id);
    if (known !== undefined) return known;
    const object = objectFor(variable, this.state.slice);
    objects.set(variable.id, object);
    this.constants.note(variable, object);
    if (!isLocal) this.initializeGlobal(variable, object);
    return object;
  }

  noteCall({ id }: FunctionDefinition): void {
    this.reached.add(id);
  }

  allocate(site: Intrinsic, shape: AllocationShape, within: readonly CompiledCall[] = []): HostObject {
    const object = makeObject({
      ...shape,
      reason: "memory that was allocated",
      ...bulkShape(this.state.slice, this.bulkOfAllocation(site, within), shape),
    });
    if (object.data !== null && allocators.get(site.name)?.gives === "argument")
      this.memory.followed.add(object);
    return object;
  }

  private bulkOfAllocation(site: Intrinsic, within: readonly CompiledCall[]): Bulk {
    const calls: Expression[] = [];
    for (const { call, callee } of [...within].reverse()) {
      if (callee.isLibrary !== true) return this.state.slice.bulkOfAllocation(site, callee.id, calls);
      calls.unshift(call);
    }
    let frame = this.state.frame;
    while (frame !== null && frame.call !== null && frame.definition.isLibrary === true) {
      calls.unshift(frame.call);
      frame = frame.caller;
    }
    return this.state.slice.bulkOfAllocation(site, frame?.definition.id ?? null, calls);
  }

  call(
    callee: FunctionId,
    values: readonly Value[],
    range: SourceRange | null,
    call: Expression | null,
  ): Value {
    const definition = this.program.functionOf(callee);
    // The host calls what is declared for the device where a macro says so to the device's compiler alone (`#if __CUDA_ARCH__`).
    const canRun = definition !== null && definition.kind !== "kernel";
    if (!canRun || this.depth >= maxDepth || isStopped(this.state)) {
      exposeToOutside(this, values, null);
      return unknownValue(canRun ? `the result of ${definition.name}` : "a function that is not in sight");
    }
    return this.invoke(definition, values, range, call);
  }

  callFromOutside(callee: FunctionId, receiver: Value | null, range: SourceRange | null): void {
    const definition = this.program.functionOf(callee);
    if (definition === null || definition.kind === "kernel" || definition.kind === "device") return;
    if (!this.state.slice.hasEffects(callee)) return;
    const values = definition.parameters.map((parameter, index) =>
      index === 0 && receiver !== null ? receiver : unknownOf(parameter.type, parameter.name),
    );
    const openBefore = [...this.openMacros];
    this.assuming({ kind: "hidden-caller", callee: definition.name }, () => {
      this.eachWay([() => void this.call(callee, values, range, null), () => {}]);
    });
    // What comes after it in the text is called by others, whether this is called or not.
    this.openMacros.clear();
    for (const each of openBefore) this.openMacros.add(each);
  }

  eachWay(sides: readonly (() => void)[]): void {
    takeEachWay(
      this.state,
      sides.map((side) => () => {
        side();
        return this.state.isExiting ? "exit" : "next";
      }),
    );
  }

  launchKernel(operands: readonly Value[], range: SourceRange): void {
    const [kernel, grid, block, list, shared] = operands;
    const pointers = list ?? unknownValue("the arguments");
    launchEachKernel(this, kernel, range, (definition) => {
      const values = definition.parameters.map((parameter, index) =>
        behindArgument(this.memory, pointers, index, parameter.type),
      );
      launchWithEachBlock(this, { grid, block, shared: shared ?? 0, values }, range, (operands) =>
        this.record(definition, operands, range),
      );
    });
  }

  // Functions.

  private invoke(
    definition: FunctionDefinition,
    values: readonly Value[],
    range: SourceRange | null,
    call: Expression | null = null,
  ): Value {
    this.reached.add(definition.id);
    // What a function gives back hangs on them as well.
    for (const each of definition.assumptions) if (each.kind === "build-macro") this.openMacros.add(each);
    const caller = this.state.frame;
    const assumptionCount = this.assumptions.length;
    const frame = makeFrame(definition, { callRange: range, call, caller });
    this.state.frame = frame;
    this.depth++;
    // A lambda without captures may be called through a plain pointer, which brings no closure.
    const lacksSelf =
      definition.parameters[0]?.name === "this" && values.length === definition.parameters.length - 1;
    definition.parameters.forEach((parameter, index) => {
      const value = values[lacksSelf ? index - 1 : index] ?? unknownOf(parameter.type, parameter.name);
      this.memory.write(this.objectOf(parameter), 0, parameter.type, value);
    });
    const { limits } = this.state;
    this.body(definition.body);
    mergeReturns(this.state, frame);
    this.state.limits = limits;
    this.depth--;
    this.state.frame = caller;
    this.assumptions.length = assumptionCount;
    return frame.result;
  }

  private initializeGlobal(variable: Variable, object: HostObject): void {
    const setBefore = this.isFromStart ? undefined : variable.setBefore;
    if (setBefore === "whole") {
      object.fill = "unknown";
      return;
    }
    this.initializeAtStart(variable, object);
    if (variable.type.kind !== "record") return;
    for (const { name, offsetBytes, type } of variable.type.fields)
      if (setBefore?.includes(name) === true)
        this.memory.initialize(object, type, unknownOf(type, `${variable.name}.${name}`), offsetBytes);
  }

  private initializeAtStart(variable: Variable, object: HostObject): void {
    const initializer = this.program.globalInitializer(variable);
    const isInitialized = variable.storage === "static" || variable.storage === "device-constant";
    if (initializer !== null && (isInitialized || isFollowed(variable))) {
      const value = this.memory.atStart(() => evaluate(this, initializer));
      this.memory.initialize(object, variable.type, value);
    }
  }

  // Statements.

  body(statements: readonly Statement[]): Completion {
    for (const statement of statements) {
      const completion = this.statement(statement);
      if (completion !== "next") return completion;
    }
    return "next";
  }

  private statement(statement: Statement): Completion {
    if (statement.kind === "block") return this.body(statement.body);
    if (statement.kind === "unknown") {
      this.gaps.add(statement.reason, statement.range);
      return "next";
    }
    if (!this.state.slice.needs(statement)) return "next";
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
        return runLoop(this, statement);
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
    return isStopped(this.state) ? "exit" : "next";
  }

  private declare(variable: Variable, initializer: Expression | null): void {
    if (variable.storage !== "automatic") {
      if (this.declaredStatics.has(variable.id)) return;
      this.declaredStatics.add(variable.id);
      if (initializer === null) return;
    }
    const value = initializer === null ? null : evaluate(this, initializer);
    if (variable.storage === "automatic")
      this.state.frame?.objects.set(variable.id, objectFor(variable, this.state.slice));
    if (value === null) return;
    nameAllocation(value, { kind: "variable", variable, offsetBytes: 0, type: variable.type });
    const object = this.objectOf(variable);
    if (variable.storage === "automatic") this.memory.write(object, 0, variable.type, value);
    else this.memory.initialize(object, variable.type, value);
  }

  private returnStatement(statement: Return): Completion {
    const { frame } = this.state;
    if (frame !== null && statement.value !== null && this.state.slice.needsValue(statement)) {
      frame.result = evaluate(this, statement.value);
    }
    return isStopped(this.state) ? "exit" : "return";
  }

  private ifStatement(statement: If): Completion {
    const value = evaluate(this, statement.condition);
    const truth = truthOf(value);
    if (isStopped(this.state)) return "exit";
    if (truth !== null) return this.body(truth ? statement.whenTrue : statement.whenFalse);
    return this.choosing(waysAssumption(this.options.texts, statement, "both"), value, () =>
      takeEachWay(this.state, [
        () => {
          supposeEqual(this, this.state, statement.condition);
          supposeLimits(this, this.state, statement.condition, true);
          return this.body(statement.whenTrue);
        },
        () => {
          supposeLimits(this, this.state, statement.condition, false);
          return this.body(statement.whenFalse);
        },
      ]),
    );
  }

  private switchStatement(statement: Switch): Completion {
    const selector = evaluate(this, statement.selector);
    if (isStopped(this.state)) return "exit";
    const target: Target = { kind: "switch", ways: [], isLeft: false, leftUnder: null, observed: null };
    this.state.frame?.targets.push(target);
    const completion = isScalarValue(selector)
      ? this.fromCase(statement, caseOf(statement, selector))
      : this.choosing(waysAssumption(this.options.texts, statement, "every"), selector, () =>
          this.everyCase(statement),
        );
    this.state.frame?.targets.pop();
    for (const way of target.ways.reverse()) arrive(this.state, way, "a switch whose case is not known");
    return completion === "break" ? "next" : completion;
  }

  private everyCase(statement: Switch): Completion {
    const hasDefault = statement.cases.some((entry) => entry.values.includes(null));
    const sides = statement.cases.flatMap((entry, index) =>
      entry.values.map((value) => () => {
        if (value !== null) suppose(this, this.state, statement.selector, value);
        const completion = this.fromCase(statement, index);
        return completion === "break" ? "next" : completion;
      }),
    );
    return takeEachWay(this.state, hasDefault ? sides : [...sides, () => "next"]);
  }

  private fromCase(statement: Switch, index: number): Completion {
    for (const entry of index < 0 ? [] : statement.cases.slice(index)) {
      const completion = this.body(entry.body);
      if (completion !== "next") return completion;
    }
    return "next";
  }

  /** As `assuming`, on one of the ways that a condition which is not known, as `value` says why, chooses between. */
  choosing(assumption: Assumption, value: Value, run: () => Completion): Completion {
    const name = isScalarValue(value) || value.kind !== "unknown" ? null : undeclaredConstantIn(value.reason);
    return name === null
      ? this.choosingUnder(assumption, run)
      : this.assuming({ kind: "undeclared", name }, () => this.choosingUnder(assumption, run));
  }

  private choosingUnder(assumption: Assumption, run: () => Completion): Completion {
    const loop = this.state.frame?.targets.findLast(({ kind }) => kind === "loop");
    this.choices++;
    const completion = this.assuming(assumption, run);
    this.choices--;
    if (loop?.isLeft === true) loop.leftUnder ??= assumption;
    return completion;
  }

  /** Launches that `run` meets hold under `assumption`. Where a way that launched left early, so do those behind it. */
  assuming<T>(assumption: Assumption, run: () => T): T {
    this.assumptions.push(assumption);
    const result = run();
    const at = this.assumptions.lastIndexOf(assumption);
    if (at !== -1) this.assumptions.splice(at, 1);
    return result;
  }

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
    const isKnown = launchEachKernel(this, callee, statement.range, (definition) => {
      launchWithEachBlock(this, { grid, block, shared, values }, statement.range, (operands) => {
        if (!isStopped(this.state)) this.record(definition, operands, statement.range);
      });
    });
    if (!isKnown) this.followed?.expose(null, values);
  }

  private record(definition: FunctionDefinition, operands: LaunchOperands, range: SourceRange): void {
    const given = this.followed?.given(definition.id, operands.values) ?? new Set();
    const met = {
      constants: this.constants.values(this.state.memory, this.recorder),
      isFromMain: this.isFromStart,
      path: pathFrom(range, this.state.frame),
      assumptions: distinctAssumptions([...this.assumptions, ...this.openMacros]),
      choices: this.choices,
    };
    const values = operands.values.map((value) => limited(value, this.state.limits));
    recordLaunch(this.recorder, definition, { ...operands, values }, met, given);
    this.exposeToKernel(definition, operands.values);
    this.followed?.expose(definition.id, operands.values);
  }

  /** A kernel may write to managed memory, of variables whoever launches it, and of the rest what it is passed. */
  private exposeToKernel({ parameters }: FunctionDefinition, values: readonly Value[]): void {
    for (const object of this.statics.values())
      if (object.isManaged) exposeToKernel(this.memory, pointerTo(object, 0));
    parameters.forEach((parameter, index) => {
      const value = values[index];
      if (value !== undefined && parameter.pointsToConst !== true) exposeToKernel(this.memory, value);
    });
  }
}
