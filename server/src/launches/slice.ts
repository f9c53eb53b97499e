// Which statements of the host code launches depend on. Two passes over the IR: one finds what pointers may point to
// (by unification, as Steensgaard did), the other walks dependences back from the launches. Everything else, such as a
// reference computation on the CPU, is never run.
import type {
  BinaryOperator,
  Call,
  CallIndirect,
  Expression,
  FunctionReference,
  Intrinsic,
  Place,
} from "../ir/expression.ts";
import type { FunctionId, Program } from "../ir/function.ts";
import type { LaunchStatement, Return, Statement } from "../ir/statement.ts";
import type { Type } from "../ir/type.ts";
import { sizeOf } from "../ir/type.ts";
import type { Variable } from "../ir/variable.ts";
import { dataDependence } from "./data-dependence.ts";
import { type Atom, type Control, type FunctionScope, Needs, type Unit, type Write } from "./dependences.ts";
import { allocators, exactWriters, exits, launchers, writesThrough } from "./library.ts";

export interface Slice {
  /** Whether a statement that is no block has to be run. */
  needs(statement: Statement): boolean;
  /** Whether the step expression of a loop has to be run. */
  needsStep(step: Expression): boolean;
  /** Whether the value that this statement returns has to be known. */
  needsValue(statement: Return): boolean;
  /** Whether some launch depends on what the variable holds. */
  dependsOn(variable: Variable): boolean;
  /** Whether a function is run for what it does; else only for what it returns. */
  hasEffects(id: FunctionId): boolean;
  /** Whether a variable holds data in bulk: what is written to it is not followed. */
  isBulkVariable(variable: Variable): boolean;
  /** The same of what a call of malloc or its like gives, in `caller` or in a library's function that `calls` lead to from there. */
  isBulkAllocation(call: Expression, caller: FunctionId | null, calls: readonly Expression[]): boolean;
}

/** An array of more bytes than this on the stack is data. */
const maxTableBytes = 1 << 16;

/** More functions than this are not looked at; those left out count as not in sight. */
const maxFunctions = 4000;

/** What launches need of the host code that `entries` reach. */
export function sliceOf(program: Program, entries: readonly FunctionId[]): Slice {
  const collector = new Collector(program);
  for (const entry of entries) collector.reach(entry);
  collector.run();
  return collector.slice();
}

interface Actual {
  readonly atom: Atom;
  /** The class of what the argument points to, or -1. */
  readonly points: number;
}

interface IndirectCall {
  readonly call: CallIndirect;
  readonly callee: Atom;
  /** Those that use the result. */
  readonly users: readonly Atom[];
  readonly actuals: readonly Actual[];
}

class Collector {
  private readonly program: Program;
  private readonly parents: number[] = [];
  private readonly pointees: number[] = [];
  private readonly variables = new Map<number, number>();
  private readonly scopes = new Map<FunctionId, FunctionScope>();
  /** Library functions, by who calls them and where: a vector of sizes is not to be mixed up with one of data. */
  private readonly libraryScopes = new Map<FunctionScope | null, Map<Expression, FunctionScope>>();
  private libraryScopeCount = 0;
  private readonly queue: FunctionScope[] = [];
  private readonly writes: Write[] = [];
  private readonly atoms: Atom[] = [];
  private readonly addressed: FunctionScope[] = [];
  private readonly indirectCalls: IndirectCall[] = [];
  private readonly behind = new Map<FunctionScope | null, Map<Expression, number>>();
  private readonly heaps = new Set<number>();
  private readonly indexed = new Set<number>();

  private unit: Unit = { node: { kind: "break" }, owner: null, control: null };
  private open: Atom[] = [];

  constructor(program: Program) {
    this.program = program;
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
    const definition = this.program.functionOf(id);
    if (definition === null || definition.kind === "kernel" || definition.kind === "device") return null;
    const scope: FunctionScope = {
      definition,
      returns: [],
      exits: [],
      sites: [],
      result: this.fresh(),
      locals: variables === "own" ? new Map() : null,
      mustRun: false,
      isEntered: false,
      needsResult: false,
    };
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
  }

  // Pass one: locations, writes and dependences.

  private fresh(): number {
    this.parents.push(this.parents.length);
    this.pointees.push(-1);
    return this.parents.length - 1;
  }

  private find(node: number): number {
    let root = node;
    while (this.parents[root] !== root) root = this.parents[root] ?? root;
    while (this.parents[node] !== root) {
      const next = this.parents[node] ?? root;
      this.parents[node] = root;
      node = next;
    }
    return root;
  }

  private pointee(node: number): number {
    const root = this.find(node);
    const known = this.pointees[root] ?? -1;
    if (known !== -1) return known;
    const made = this.fresh();
    this.pointees[root] = made;
    return made;
  }

  private unify(a: number, b: number): void {
    for (;;) {
      const left = this.find(a);
      const right = this.find(b);
      if (left === right) return;
      const leftPointee = this.pointees[left] ?? -1;
      const rightPointee = this.pointees[right] ?? -1;
      this.parents[right] = left;
      if (leftPointee === -1) this.pointees[left] = rightPointee;
      if (leftPointee === -1 || rightPointee === -1) return;
      a = leftPointee;
      b = rightPointee;
    }
  }

  private locationOf(variable: Variable, scope: FunctionScope | null = this.unit.owner): number {
    const locals = variable.storage === "automatic" ? scope?.locals : null;
    const variables = locals ?? this.variables;
    const known = variables.get(variable.id);
    if (known !== undefined) return known;
    const node = this.fresh();
    variables.set(variable.id, node);
    if ((sizeOf(variable.type) ?? 0) > maxTableBytes) {
      this.heaps.add(node);
      this.indexed.add(node);
    }
    const initializer = variable.storage === "automatic" ? null : this.program.globalInitializer(variable);
    if (initializer !== null) this.globalInitializer(node, initializer);
    return node;
  }

  /** The interpreter evaluates the initializer of a global when it is first read. */
  private globalInitializer(location: number, initializer: Expression): void {
    const atom = this.atom({ node: initializer, owner: null, control: null }, () => {
      const points = this.expression(initializer);
      if (points !== -1) this.unify(this.pointee(location), points);
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
      if (points !== -1) this.unify(this.pointee(this.locationOf(variable)), points);
    });
    const location = this.locationOf(variable, unit.owner);
    this.writes.push({ location, atom, local: variable.storage === "automatic" });
  }

  private control(unit: Unit, condition: Expression | null): Control {
    const atom =
      condition === null
        ? null
        : this.atom(unit, () => {
            this.expression(condition);
          });
    return { condition: atom, unit, leaves: [], isNeeded: false };
  }

  private returns(unit: Unit, statement: Return): void {
    const { owner } = unit;
    const { value } = statement;
    owner?.exits.push({ unit, callee: null });
    if (value === null || owner === null) return;
    const atom = this.atom(unit, () => {
      const points = this.expression(value);
      if (points !== -1) this.unify(this.pointee(owner.result), points);
    });
    owner.returns.push(atom);
  }

  private launch(unit: Unit, statement: LaunchStatement): void {
    const atom = this.atom(unit, () => {
      if (typeof statement.kernel !== "string") this.expression(statement.kernel);
      this.expression(statement.grid);
      this.expression(statement.block);
      if (statement.sharedBytes !== null) this.expression(statement.sharedBytes);
      for (const argument of statement.arguments) this.expression(argument);
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
  private written(location: number, local: boolean): void {
    const atom = this.open.at(-1);
    if (atom !== undefined) this.writes.push({ location, atom, local });
  }

  /** The class of objects that the value of `expression` may point to, or -1. */
  private expression(expression: Expression): number {
    switch (expression.kind) {
      case "constant":
        return -1;
      case "load": {
        const location = this.place(expression.place);
        this.reads(location);
        return holdsPointers(expression.type) ? this.pointee(location) : -1;
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
      case "convert":
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
    if (scope !== null && !this.addressed.includes(scope)) this.addressed.push(scope);
    const { receiver } = reference;
    const self = scope?.definition.parameters[0];
    if (receiver === undefined || self === undefined) return -1;
    const closure = this.fresh();
    const atom = this.within(this.open, () => {
      const points = this.expression(receiver);
      if (points !== -1) this.unify(this.pointee(closure), points);
    });
    this.writes.push({ location: closure, atom, local: false });
    this.unify(this.pointee(this.locationOf(self, scope)), closure);
    return closure;
  }

  private either(a: number, b: number): number {
    if (a !== -1 && b !== -1) this.unify(a, b);
    return a === -1 ? b : a;
  }

  private place(place: Place): number {
    if (place.kind === "variable") return this.locationOf(place.variable);
    const points = this.expression(place.pointer);
    return points === -1 ? this.fresh() : points;
  }

  private assign(place: Place, value: Expression): number {
    let points = -1;
    this.within(this.open, () => {
      const location = this.place(place);
      points = this.expression(value);
      if (points !== -1) this.unify(this.pointee(location), points);
      if (place.kind === "memory" && isIndexed(place.pointer)) this.indexed.add(location);
      this.written(location, place.kind === "variable" && place.variable.storage === "automatic");
    });
    return points;
  }

  private call(call: Call): number {
    const scope = this.calledBy(call);
    const actuals = call.arguments.map((argument) => this.actual(argument));
    if (scope === null) return -1;
    this.bind(scope, actuals);
    this.site(scope);
    return holdsPointers(call.type) ? this.pointee(scope.result) : -1;
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
      if (actual.points !== -1) this.unify(this.pointee(location), actual.points);
    });
  }

  private site(scope: FunctionScope): void {
    const innermost = this.open.at(-1);
    if (innermost !== undefined) scope.sites.push({ atom: innermost, isIndirect: false });
    for (const atom of this.open) atom.results.push(scope);
  }

  private callIndirect(call: CallIndirect): number {
    const users = [...this.open];
    const callee = this.within(this.open, () => {
      this.expression(call.callee);
    });
    const actuals = call.arguments.map((argument) => this.actual(argument));
    this.indirectCalls.push({ call, callee, users, actuals });
    return -1;
  }

  /** Every function whose address is taken may be what a pointer calls. */
  private linkIndirectCalls(): void {
    for (const { callee, users, actuals } of this.indirectCalls) {
      for (const scope of this.addressed) {
        if (scope.sites.some((site) => site.atom === callee)) continue;
        scope.sites.push({ atom: callee, isIndirect: true });
        for (const user of users) user.results.push(scope);
        const receivers = Math.max(0, scope.definition.parameters.length - actuals.length);
        this.bind(scope, [...new Array<undefined>(receivers), ...actuals]);
      }
    }
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
      if (writesThrough(call.name, index)) {
        this.written(target, false);
        if (allocator === undefined && !exactWriters.has(call.name)) this.indexed.add(target);
      }
    });
    if (exactWriters.has(call.name)) this.copied(call.name, points);
    if (allocator === undefined) return points[0] ?? -1;
    const target = points[0] ?? -1;
    const heap = allocator.gives === "argument" && target !== -1 ? this.pointee(target) : this.fresh();
    this.heaps.add(heap);
    const { owner } = this.unit;
    const allocations = this.behind.get(owner) ?? new Map<Expression, number>();
    this.behind.set(owner, allocations);
    allocations.set(call, heap);
    return allocator.gives === "result" ? heap : -1;
  }

  /** Pointers among what is copied point to the same in the copy. */
  private copied(name: string, [target = -1, second = -1, third = -1]: readonly number[]): void {
    const source = name === "__warplint_fill" ? third : second === -1 ? -1 : this.pointee(second);
    if (target !== -1 && source !== -1) this.unify(this.pointee(target), source);
  }

  /** The arguments of cudaLaunchKernel stand behind two pointers. */
  private launcher(points: readonly number[], atom: Atom | undefined): number {
    for (const target of points) {
      if (target === -1) continue;
      this.reads(target);
      this.reads(this.pointee(target));
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
      this.written(target, false);
      this.indexed.add(target);
    }
    return -1;
  }

  // Pass two: what launches depend on.

  slice(): Slice {
    this.spreadExits();
    const bulk = this.rootsInBoth(this.heaps, this.indexed);
    const isUpToData = dataDependence(this.atoms, this.writes, bulk, (node) => this.find(node));
    const needed = new Needs(this.writesByClass(), bulk, (node) => this.find(node), isUpToData);
    for (const atom of this.atoms) if (atom.launches) needed.atom(atom);
    needed.settle();
    return this.answer(needed, bulk);
  }

  /** A call of a function that may end the process may end it. */
  private spreadExits(): void {
    const scopes = [...this.scopes.values()];
    const work = scopes.filter((scope) => scope.exits.some(({ unit }) => unit.node.kind !== "return"));
    const seen = new Set(work);
    for (let callee = work.pop(); callee !== undefined; callee = work.pop()) {
      for (const { atom } of callee.sites) {
        const { owner } = atom.unit;
        if (owner === null) continue;
        owner.exits.push({ unit: atom.unit, callee });
        if (!seen.has(owner)) work.push(owner);
        seen.add(owner);
      }
    }
  }

  private answer(needed: Needs, bulk: ReadonlySet<number>): Slice {
    const values = new Set<Statement>();
    for (const atom of this.atoms) {
      const { node } = atom.unit;
      if (atom.isNeeded && node.kind === "return") values.add(node);
    }
    const libraryEffects = new Set<FunctionId>();
    for (const calls of this.libraryScopes.values()) {
      for (const scope of calls.values()) if (scope.mustRun) libraryEffects.add(scope.definition.id);
    }
    const isBulk = (node: number | undefined) => node !== undefined && bulk.has(this.find(node));
    return {
      needs: (statement) => needed.units.has(statement),
      needsStep: (step) => needed.units.has(step),
      needsValue: (statement) => values.has(statement),
      dependsOn: (variable) => {
        const node = this.variables.get(variable.id);
        return node !== undefined && needed.dependsOn(node);
      },
      hasEffects: (id) => this.scopes.get(id)?.mustRun ?? libraryEffects.has(id),
      isBulkVariable: (variable) => isBulk(this.variables.get(variable.id)),
      isBulkAllocation: (call, caller, calls) => isBulk(this.allocationAt(call, caller, calls)),
    };
  }

  private allocationAt(
    call: Expression,
    caller: FunctionId | null,
    calls: readonly Expression[],
  ): number | undefined {
    const origin = caller === null ? null : (this.scopes.get(caller) ?? null);
    for (const start of [origin, null]) {
      let scope: FunctionScope | null | undefined = start;
      for (const each of calls) scope = this.libraryScopes.get(scope ?? null)?.get(each);
      const node = scope === undefined ? undefined : this.behind.get(scope)?.get(call);
      if (node !== undefined) return node;
    }
    return undefined;
  }

  private rootsInBoth(a: ReadonlySet<number>, b: ReadonlySet<number>): Set<number> {
    const roots = new Set([...a].map((node) => this.find(node)));
    return new Set([...b].map((node) => this.find(node)).filter((node) => roots.has(node)));
  }

  private writesByClass(): Map<number, Write[]> {
    const byClass = new Map<number, Write[]>();
    for (const write of this.writes) {
      const root = this.find(write.location);
      const known = byClass.get(root);
      if (known === undefined) byClass.set(root, [write]);
      else known.push(write);
    }
    return byClass;
  }
}

/** What a statement stands in. */
interface Around {
  readonly owner: FunctionScope;
  readonly control: Control | null;
  readonly loop: Control | null;
  readonly breakable: Control | null;
}

/** Whether a value of this type may hold a pointer. */
function holdsPointers(type: Type): boolean {
  switch (type.kind) {
    case "pointer":
    case "function":
    case "unknown":
      return true;
    case "integer":
      return type.bits === 64;
    case "array":
      return holdsPointers(type.element);
    case "record":
      return type.fields.some((field) => holdsPointers(field.type));
    default:
      return false;
  }
}

/** Operators that make an address of an address, as those do who align pointers by hand. */
const keepsAddresses: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["+", "-", "&", "|"]);

/** Whether a pointer is stepped by an index that no constant gives: a write through it is one of many. */
function isIndexed(pointer: Expression): boolean {
  switch (pointer.kind) {
    case "offset":
      return pointer.index.kind !== "constant" || isIndexed(pointer.pointer);
    case "convert":
      return isIndexed(pointer.operand);
    default:
      return false;
  }
}
