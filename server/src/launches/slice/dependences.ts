// What depends on what in host code, and the walk back from the launches to all that they need.
import type { CallIndirect, Expression } from "../../ir/expression.ts";
import type { FunctionDefinition } from "../../ir/function.ts";
import type { Statement } from "../../ir/statement.ts";
import { type DataKind, mayBeSame } from "./data-kinds.ts";

/** A unit is a statement, or a step of a loop: what the interpreter runs or leaves out as a whole. */
export interface Unit {
  readonly node: Statement | Expression;
  /** Null for the initializers of globals. */
  readonly owner: FunctionScope | null;
  /** The condition that decides whether the unit runs. */
  readonly control: Control | null;
}

/** An assignment, an argument, a condition or a launch: reads that something depends on. */
export interface Atom {
  readonly unit: Unit;
  readonly reads: number[];
  readonly results: FunctionScope[];
  /** Whether it must happen for its own sake wherever its function is called. */
  launches: boolean;
  isNeeded: boolean;
}

export interface Write {
  readonly location: number;
  readonly atom: Atom;
  /** A write to a local variable by name stays in its function. */
  readonly local: boolean;
  /** Of one element of many, at an index: no member of an object is written by it, and no data of another kind. */
  readonly ofElement?: DataKind | null;
}

/** Classes of places that hold data in bulk, with the kind of it, and, among those, the ones that hold something else too. */
export interface BulkClasses {
  readonly all: ReadonlyMap<number, DataKind>;
  readonly withOthers: ReadonlySet<number>;
}

/** An if, loop or switch. */
export interface Control {
  readonly condition: Atom | null;
  readonly unit: Unit;
  /** `break` and `continue` that act on it. */
  readonly leaves: Unit[];
  isNeeded: boolean;
}

export interface FunctionScope {
  readonly definition: FunctionDefinition;
  /** The values that it returns. */
  readonly returns: Atom[];
  /** Its `return` and exit units, calls of functions that may end the process among them. */
  readonly exits: Exit[];
  readonly sites: Site[];
  readonly result: number;
  /** Where the variables of a library's function are: every call has its own. Null for the program's functions. */
  readonly locals: Map<number, number> | null;
  mustRun: boolean;
  isEntered: boolean;
  needsResult: boolean;
}

export function newScope(
  definition: FunctionDefinition,
  result: number,
  locals: Map<number, number> | null,
): FunctionScope {
  return {
    definition,
    returns: [],
    exits: [],
    sites: [],
    result,
    locals,
    mustRun: false,
    isEntered: false,
    needsResult: false,
  };
}

/** A unit that may leave its function, or end the process. */
export interface Exit {
  readonly unit: Unit;
  /** The function that it calls, where that may end the process. */
  readonly callee: FunctionScope | null;
}

/** Where a function is called, and for a call through a pointer, what decides which function that is. */
export interface Site {
  readonly atom: Atom;
  readonly isIndirect: boolean;
}

/** An argument of a call. */
export interface Actual {
  readonly atom: Atom;
  /** The class of what the argument points to, or -1. */
  readonly points: number;
}

/** A call through a pointer. */
export interface IndirectCall {
  readonly call: CallIndirect;
  readonly callee: Atom;
  /** Those that use the result. */
  readonly users: readonly Atom[];
  readonly actuals: readonly Actual[];
  /** The class of what its result points to, or -1. */
  readonly result: number;
}

/** What a statement stands in. */
export interface Around {
  readonly owner: FunctionScope;
  readonly control: Control | null;
  readonly loop: Control | null;
  readonly breakable: Control | null;
}

/** Walks dependences back until nothing more is needed. */
export class Needs {
  readonly units = new Set<Statement | Expression>();
  private readonly locations = new Set<number>();
  private readonly work: (() => void)[] = [];
  private readonly writesByClass: ReadonlyMap<number, readonly Write[]>;
  private readonly bulk: BulkClasses;
  private readonly find: (node: number) => number;
  /** Whether data decide if a unit runs: an exit of this kind is not looked for. */
  private readonly isUpToData: (unit: Unit) => boolean;

  constructor(
    writesByClass: ReadonlyMap<number, readonly Write[]>,
    bulk: BulkClasses,
    find: (node: number) => number,
    isUpToData: (unit: Unit) => boolean,
  ) {
    this.writesByClass = writesByClass;
    this.bulk = bulk;
    this.find = find;
    this.isUpToData = isUpToData;
  }

  settle(): void {
    for (let next = this.work.pop(); next !== undefined; next = this.work.pop()) next();
  }

  atom(atom: Atom): void {
    if (atom.isNeeded) return;
    atom.isNeeded = true;
    this.work.push(() => {
      this.unit(atom.unit);
      if (atom.launches) this.mustRun(atom.unit.owner);
      for (const location of atom.reads) this.location(location);
      for (const scope of atom.results) this.result(scope);
    });
  }

  dependsOn(location: number): boolean {
    return this.locations.has(this.find(location));
  }

  private unit(unit: Unit): void {
    if (this.units.has(unit.node)) return;
    this.units.add(unit.node);
    this.control(unit.control);
    this.enter(unit.owner);
  }

  private control(control: Control | null): void {
    if (control === null || control.isNeeded) return;
    control.isNeeded = true;
    this.unit(control.unit);
    if (control.condition !== null) this.atom(control.condition);
    // Without a `break` of its own a switch goes on with the case behind.
    const isSwitch = control.unit.node.kind === "switch";
    for (const leave of control.leaves) if (isSwitch || !this.isUpToData(leave)) this.unit(leave);
  }

  /** Once anything in a function is needed, so is whatever ends it early. */
  private enter(scope: FunctionScope | null): void {
    if (scope === null || scope.isEntered) return;
    scope.isEntered = true;
    this.work.push(() => {
      for (const { unit, callee } of scope.exits) {
        if (this.isUpToData(unit)) continue;
        this.unit(unit);
        this.enter(callee);
      }
    });
  }

  private result(scope: FunctionScope): void {
    if (scope.needsResult) return;
    scope.needsResult = true;
    this.enter(scope);
    for (const value of scope.returns) this.atom(value);
  }

  private location(node: number): void {
    const root = this.find(node);
    if (this.locations.has(root)) return;
    this.locations.add(root);
    const bulk = this.bulk.all.get(root);
    if (bulk !== undefined && !this.bulk.withOthers.has(root)) return;
    for (const write of this.writesByClass.get(root) ?? []) {
      if (bulk !== undefined && write.ofElement && mayBeSame(write.ofElement, bulk)) continue;
      this.atom(write.atom);
      if (!write.local) this.mustRun(write.atom.unit.owner);
    }
  }

  private mustRun(scope: FunctionScope | null): void {
    if (scope === null || scope.mustRun) return;
    scope.mustRun = true;
    this.work.push(() => {
      for (const { atom, isIndirect } of scope.sites) {
        this.unit(atom.unit);
        this.mustRun(atom.unit.owner);
        if (isIndirect || atom.unit.node.kind === "return") this.atom(atom);
      }
    });
  }
}
