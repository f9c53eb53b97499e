// What the host code that entries reach reads, writes and calls, as launches may depend on it: one walk over its IR.
import type {
  Call,
  CallIndirect,
  Expression,
  FunctionReference,
  Intrinsic,
  Place,
} from "../../ir/expression.ts";
import type { FunctionId, Program } from "../../ir/function.ts";
import type { LaunchStatement, Return, Statement } from "../../ir/statement.ts";
import { sizeOf } from "../../ir/type.ts";
import type { Variable } from "../../ir/variable.ts";
import { isFollowed } from "../host/constants.ts";
import {
  allocators,
  deviceSetters,
  exactWriters,
  exits,
  launchers,
  successOf,
  writesThrough,
} from "../host/library-effects.ts";
import { BulkData } from "./bulk.ts";
import { kindBehind, kindOf, kindWritten } from "./data-kinds.ts";
import {
  type Actual,
  type Around,
  type Atom,
  type Control,
  type FunctionScope,
  type IndirectCall,
  newScope,
  type Unit,
  type Write,
} from "./dependences.ts";
import { Objects } from "./objects.ts";
import { holdsPointers, isOneOfMany, keepsAddresses, PointerClasses } from "./pointer-classes.ts";
import type { MemoryNeeds } from "./slice.ts";
import { kernelOf, writesDataAlone } from "./walk.ts";

/** An array of more bytes than this on the stack is data. */
const maxTableBytes = 1 << 16;

/** More functions than this are not looked at; those left out count as not in sight. */
const maxFunctions = 4000;

/** Collects it: `reach` the entries, then `run`. */
export class HostDependences {
  /** What pointers may point to. Places in what is collected are nodes of it. */
  readonly places = new PointerClasses();
  readonly atoms: Atom[] = [];
  readonly writes: Write[] = [];
  readonly scopes = new Map<FunctionId, FunctionScope>();
  /** Library functions, by who calls them and where: a vector of sizes is not to be mixed up with one of data. */
  readonly libraryScopes = new Map<FunctionScope | null, Map<Expression, FunctionScope>>();
  readonly variables = new Map<number, number>();
  /** What calls that allocate give, by the function that they stand in. */
  readonly allocations = new Map<FunctionScope | null, Map<Expression, number>>();
  readonly bulk = new BulkData();
  readonly objects = new Objects();
  /** Variables that the host fills for kernels. */
  private readonly constants: number[] = [];
  private readonly program: Program;
  /** Null where launches alone are looked for. */
  private readonly needs: MemoryNeeds | null;
  private libraryScopeCount = 0;
  private readonly queue: FunctionScope[] = [];
  private readonly addressed = new Set<FunctionScope>();
  private readonly indirectCalls: IndirectCall[] = [];
  /** Of these two, so many are linked with each other. */
  private linked = { calls: 0, functions: 0 };

  private unit: Unit = { node: { kind: "break" }, owner: null, control: null };
  private open: Atom[] = [];

  constructor(program: Program, needs: MemoryNeeds | null) {
    this.program = program;
    this.needs = needs;
  }

  reach(id: FunctionId): FunctionScope | null {
    const known = this.scopes.get(id);
    if (known !== undefined) return known;
    if (this.scopes.size >= maxFunctions) return null;
    const scope = this.scopeFor(id, "shared");
    if (scope !== null) this.scopes.set(id, scope);
    return scope;
  }

  private scopeFor(id: FunctionId, variables: "shared" | "own"): FunctionScope | null {
    // The host names kernels, of templates by the hundred, and calls none of them.
    if (this.program.kindOf(id) === "kernel") return null;
    const definition = this.program.functionOf(id);
    if (definition === null) return null;
    const scope = newScope(definition, this.places.fresh(), variables === "own" ? new Map() : null);
    this.queue.push(scope);
    return scope;
  }

  /** The function that `call` calls: of a library, one of its own for each place that calls it. */
  private calledBy(call: Call): FunctionScope | null {
    if (!this.program.functionOf(call.callee)?.isLibrary) return this.reach(call.callee);
    const { owner } = this.unit;
    const calls = this.libraryScopes.get(owner) ?? new Map<Expression, FunctionScope>();
    this.libraryScopes.set(owner, calls);
    const known = calls.get(call);
    if (known !== undefined) return known;
    if (++this.libraryScopeCount > maxFunctions) return null;
    const scope = this.scopeFor(call.callee, "own");
    if (scope !== null) calls.set(call, scope);
    return scope;
  }

  run(): void {
    for (let scope = this.queue.pop(); scope !== undefined; scope = this.queue.pop()) {
      this.body(scope.definition.body, { owner: scope, control: null, loop: null, breakable: null });
      if (this.queue.length === 0) this.linkIndirectCalls();
    }
    // A kernel may read all that the host copied for it.
    for (const atom of this.atoms) if (atom.launches) atom.reads.push(...this.constants);
  }

  private locationOf(variable: Variable, scope: FunctionScope | null = this.unit.owner): number {
    const locals = variable.storage === "automatic" ? scope?.locals : null;
    const variables = locals ?? this.variables;
    const known = variables.get(variable.id);
    if (known !== undefined) return known;
    const node = this.places.fresh();
    variables.set(variable.id, node);
    if (isFollowed(variable)) this.constants.push(node);
    this.objects.declared(variable, node);
    if ((sizeOf(variable.type) ?? 0) > maxTableBytes) this.bulk.large(node, kindOf(variable.type));
    const initializer = variable.storage === "automatic" ? null : this.program.globalInitializer(variable);
    if (initializer !== null) this.globalInitializer(node, initializer);
    return node;
  }

  /** The interpreter evaluates the initializer of a global when it is first read. */
  private globalInitializer(location: number, initializer: Expression): void {
    const atom = this.atom({ node: initializer, owner: null, control: null }, () => {
      const points = this.expression(initializer);
      if (points !== -1) this.places.unify(this.places.pointee(location), points);
    });
    this.writes.push({ location, atom, local: true });
  }

  private body(statements: readonly Statement[], around: Around): void {
    for (const statement of statements) this.statement(statement, around);
  }

  private statement(statement: Statement, around: Around): void {
    if (statement.kind === "block") {
      this.body(statement.body, around);
      return;
    }
    const unit: Unit = { node: statement, owner: around.owner, control: around.control };
    switch (statement.kind) {
      case "evaluate":
        if (this.needs === null && writesDataAlone(statement)) return;
        this.atom(unit, () => this.expression(statement.expression));
        return;
      case "declare":
        this.declare(unit, statement.variable, statement.initializer);
        return;
      case "if": {
        const control = this.control(unit, statement.condition);
        this.body(statement.whenTrue, { ...around, control });
        this.body(statement.whenFalse, { ...around, control });
        return;
      }
      case "loop": {
        const control = this.control(unit, statement.condition);
        this.body(statement.body, { ...around, control, loop: control, breakable: control });
        for (const step of statement.step) {
          this.atom({ node: step, owner: around.owner, control }, () => this.expression(step));
        }
        return;
      }
      case "switch": {
        const control = this.control(unit, statement.selector);
        for (const entry of statement.cases) {
          this.body(entry.body, { ...around, control, breakable: control });
        }
        return;
      }
      case "break":
        around.breakable?.leaves.push(unit);
        return;
      case "continue":
        around.loop?.leaves.push(unit);
        return;
      case "return":
        this.returns(unit, statement);
        return;
      case "launch":
        this.launch(unit, statement);
        return;
      case "barrier":
      case "unknown":
        return;
    }
  }

  private declare(unit: Unit, variable: Variable, initializer: Expression | null): void {
    const atom = this.atom(unit, () => {
      if (initializer === null) return;
      const points = this.expression(initializer);
      if (points !== -1) this.places.unify(this.places.pointee(this.locationOf(variable)), points);
    });
    const location = this.locationOf(variable, unit.owner);
    this.writes.push({ location, atom, local: variable.storage === "automatic" });
  }

  private control(unit: Unit, condition: Expression | null): Control {
    const atom = condition && this.atom(unit, () => this.expression(condition));
    return { condition: atom, unit, leaves: [], isNeeded: false };
  }

  private returns(unit: Unit, statement: Return): void {
    const { owner } = unit;
    const { value } = statement;
    owner?.exits.push({ unit, callee: null });
    if (value === null || owner === null) return;
    const atom = this.atom(unit, () => {
      const points = this.expression(value);
      if (points !== -1) this.places.unify(this.places.pointee(owner.result), points);
    });
    owner.returns.push(atom);
  }

  private launch(unit: Unit, statement: LaunchStatement): void {
    const atom = this.atom(unit, () => {
      if (typeof statement.kernel !== "string") this.expression(statement.kernel);
      this.expression(statement.grid);
      this.expression(statement.block);
      if (statement.sharedBytes !== null) this.expression(statement.sharedBytes);
      const kernel = kernelOf(statement);
      statement.arguments.forEach((argument, index) => {
        const points = this.expression(argument);
        if (points !== -1 && kernel !== null && this.needs?.(kernel, index)) this.reads(points);
      });
    });
    atom.launches = true;
  }

  /** Collects what `build` reads as what one thing depends on. */
  private atom(unit: Unit, build: () => void): Atom {
    const saved = this.unit;
    this.unit = unit;
    const atom = this.within([], build);
    this.unit = saved;
    return atom;
  }

  /** A new atom of the statement at hand; what `build` reads counts for `outer` too. */
  private within(outer: readonly Atom[], build: () => void): Atom {
    const atom: Atom = { unit: this.unit, reads: [], results: [], launches: false, isNeeded: false };
    this.atoms.push(atom);
    const saved = this.open;
    this.open = [...outer, atom];
    build();
    this.open = saved;
    return atom;
  }

  private reads(location: number): void {
    for (const atom of this.open) atom.reads.push(location);
  }

  /** A write by the innermost atom. */
  private written(location: number, how: Pick<Write, "local" | "ofElement">): void {
    const atom = this.open.at(-1);
    if (atom !== undefined) this.writes.push({ location, atom, ...how });
  }

  /** The class of objects that the value of `expression` may point to, or -1. */
  private expression(expression: Expression): number {
    switch (expression.kind) {
      case "constant":
        return -1;
      case "load": {
        const location = this.place(expression.place);
        this.reads(location);
        return holdsPointers(expression.type) ? this.places.pointee(location) : -1;
      }
      case "address":
        return this.place(expression.place);
      case "assign":
        return this.assign(expression.place, expression.value);
      case "offset": {
        const points = this.expression(expression.pointer);
        this.expression(expression.index);
        return points;
      }
      case "convert": {
        const points = this.expression(expression.operand);
        this.bulk.seenAs(expression, points);
        return this.objects.made(expression, points, this.unit.owner?.definition ?? null);
      }
      case "extract":
      case "unary":
        return this.expression(expression.operand);
      case "binary": {
        const left = this.expression(expression.left);
        const right = this.expression(expression.right);
        return keepsAddresses.has(expression.operator) ? this.either(left, right) : -1;
      }
      case "logical":
      case "difference":
        this.expression(expression.left);
        this.expression(expression.right);
        return -1;
      case "conditional":
        this.expression(expression.condition);
        return this.either(this.expression(expression.whenTrue), this.expression(expression.whenFalse));
      case "sequence":
        for (const effect of expression.effects) this.expression(effect);
        return this.expression(expression.result);
      case "call":
        return this.call(expression);
      case "call-indirect":
        return this.callIndirect(expression);
      case "function":
        return this.functionReference(expression);
      case "aggregate":
        return expression.parts.reduce(
          (points, part) => this.either(points, this.expression(part.value)),
          -1,
        );
      case "intrinsic":
        return this.intrinsic(expression);
      case "unknown":
        return this.unknown(expression.operands);
    }
  }

  private functionReference(reference: FunctionReference): number {
    const scope = this.reach(reference.callee);
    if (scope !== null) this.addressed.add(scope);
    const { receiver } = reference;
    const self = scope?.definition.parameters[0];
    if (receiver === undefined || self === undefined) return -1;
    const closure = this.places.fresh();
    const atom = this.within(this.open, () => {
      const points = this.expression(receiver);
      if (points !== -1) this.places.unify(this.places.pointee(closure), points);
    });
    this.writes.push({ location: closure, atom, local: false });
    this.places.unify(this.places.pointee(this.locationOf(self, scope)), closure);
    return closure;
  }

  private either(a: number, b: number): number {
    if (a !== -1 && b !== -1) this.places.unify(a, b);
    return a === -1 ? b : a;
  }

  private place(place: Place): number {
    if (place.kind === "variable") return this.locationOf(place.variable);
    const points = this.expression(place.pointer);
    return points === -1 ? this.places.fresh() : points;
  }

  private assign(place: Place, value: Expression): number {
    let points = -1;
    this.within(this.open, () => {
      const location = this.place(place);
      points = this.expression(value);
      if (points !== -1) this.places.unify(this.places.pointee(location), points);
      const isElement = place.kind === "memory" && isOneOfMany(place.pointer);
      const ofElement = isElement ? kindBehind(place.pointer) : null;
      if (ofElement) this.bulk.written(location, ofElement);
      const local = place.kind === "variable" && place.variable.storage === "automatic";
      this.written(location, { local, ofElement });
    });
    return points;
  }

  private call(call: Call): number {
    const scope = this.calledBy(call);
    const actuals = call.arguments.map((argument) => this.actual(argument));
    if (scope === null) return -1;
    this.bind(scope, actuals);
    this.site(scope);
    return holdsPointers(call.type) ? this.places.pointee(scope.result) : -1;
  }

  /** An argument depends on what it reads only if its parameter is needed. */
  private actual(argument: Expression): Actual {
    let points = -1;
    const atom = this.within([], () => {
      points = this.expression(argument);
    });
    return { atom, points };
  }

  private bind(scope: FunctionScope, actuals: readonly (Actual | undefined)[]): void {
    scope.definition.parameters.forEach((parameter, index) => {
      const actual = actuals[index];
      if (actual === undefined) return;
      const location = this.locationOf(parameter, scope);
      this.writes.push({ location, atom: actual.atom, local: true });
      if (actual.points !== -1) this.places.unify(this.places.pointee(location), actual.points);
    });
  }

  private site(scope: FunctionScope): void {
    const innermost = this.open.at(-1);
    if (innermost !== undefined) scope.sites.push({ atom: innermost, isIndirect: false });
    for (const atom of this.open) atom.results.push(scope);
  }

  private callIndirect(call: CallIndirect): number {
    const users = [...this.open];
    const callee = this.within(this.open, () => this.expression(call.callee));
    const actuals = call.arguments.map((argument) => this.actual(argument));
    const result = holdsPointers(call.type) ? this.places.fresh() : -1;
    this.indirectCalls.push({ call, callee, users, actuals, result });
    return result;
  }

  /** Every function whose address is taken may be what a pointer calls. Each pair is linked once. */
  private linkIndirectCalls(): void {
    const functions = [...this.addressed];
    const known = this.linked;
    this.linked = { calls: this.indirectCalls.length, functions: functions.length };
    for (const [index, call] of this.indirectCalls.entries())
      for (const scope of index < known.calls ? functions.slice(known.functions) : functions)
        this.linkIndirectCall(call, scope);
  }

  private linkIndirectCall({ callee, users, actuals, result }: IndirectCall, scope: FunctionScope): void {
    scope.sites.push({ atom: callee, isIndirect: true });
    for (const user of users) user.results.push(scope);
    if (result !== -1 && holdsPointers(scope.definition.result))
      this.places.unify(result, this.places.pointee(scope.result));
    const receivers = Math.max(0, scope.definition.parameters.length - actuals.length);
    this.bind(scope, [...new Array<undefined>(receivers), ...actuals]);
  }

  private intrinsic(call: Intrinsic): number {
    if (exits.has(call.name)) this.unit.owner?.exits.push({ unit: this.unit, callee: null });
    const points = call.arguments.map((argument) => this.expression(argument));
    const atom = this.open[0];
    if (launchers.has(call.name)) return this.launcher(points, atom);
    const allocator = allocators.get(call.name);
    points.forEach((target, index) => {
      if (target === -1 || call.name === "free") return;
      if (allocator !== undefined && index > (call.name === "cudaMallocPitch" ? 1 : 0)) return;
      this.reads(target);
      const isSet = this.needs !== null && index === 0 && deviceSetters.has(call.name);
      if (isSet || writesThrough(call.name, index, call.arguments[index]?.type)) {
        this.written(target, { local: false });
        if (allocator === undefined && !exactWriters.has(call.name))
          this.bulk.written(target, kindWritten(call, index));
      }
    });
    if (exactWriters.has(call.name)) this.copied(call.name, points);
    // What CUDA's functions return says whether they succeeded, and leads nowhere.
    if (allocator === undefined) return successOf(call.name) === null ? (points[0] ?? -1) : -1;
    const target = points[0] ?? -1;
    const heap =
      allocator.gives === "argument" && target !== -1 ? this.places.pointee(target) : this.places.fresh();
    this.bulk.allocated(heap, call);
    const { owner } = this.unit;
    const allocations = this.allocations.get(owner) ?? new Map<Expression, number>();
    this.allocations.set(owner, allocations);
    allocations.set(call, heap);
    return allocator.gives === "result" ? heap : -1;
  }

  /** Pointers among what is copied point to the same in the copy. */
  private copied(name: string, [target = -1, second = -1, third = -1]: readonly number[]): void {
    const source = name === "__warplint_fill" ? third : second === -1 ? -1 : this.places.pointee(second);
    if (target !== -1 && source !== -1) this.places.unify(this.places.pointee(target), source);
  }

  /** The arguments of cudaLaunchKernel stand behind two pointers. */
  private launcher(points: readonly number[], atom: Atom | undefined): number {
    for (const target of points) {
      if (target === -1) continue;
      this.reads(target);
      this.reads(this.places.pointee(target));
    }
    if (atom !== undefined) atom.launches = true;
    return -1;
  }

  /** What nobody sees inside may write through the pointers that it is given, and call the functions. */
  private unknown(operands: readonly Expression[]): number {
    for (const operand of operands) {
      const target = this.expression(operand);
      if (operand.kind === "function") {
        const scope = this.reach(operand.callee);
        if (scope !== null) this.site(scope);
      }
      if (target === -1) continue;
      this.reads(target);
      this.written(target, { local: false });
      this.bulk.written(target, kindBehind(operand));
    }
    return -1;
  }
}
