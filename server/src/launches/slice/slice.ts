// Which statements of the host code launches depend on: what is collected of it is walked back from the launches. Everything else, such as
// a reference computation on the CPU, is never run.
import type { Expression } from "../../ir/expression.ts";
import type { FunctionId, Program } from "../../ir/function.ts";
import type { Return, Statement } from "../../ir/statement.ts";
import type { Variable } from "../../ir/variable.ts";
import { dataDependence } from "./data-dependence.ts";
import type { DataKind } from "./data-kinds.ts";
import { type FunctionScope, Needs, type Write } from "./dependences.ts";
import { HostDependences } from "./host-dependences.ts";
import { isObject } from "./objects.ts";

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
  /** Whether data in bulk are followed at all. */
  readonly followsData: boolean;
  /** Whether a variable holds data in bulk. */
  bulkOfVariable(variable: Variable): Bulk;
  /** The same of what a call of malloc or its like gives, in `caller` or in a library's function that `calls` lead to from there. */
  bulkOfAllocation(call: Expression, caller: FunctionId | null, calls: readonly Expression[]): Bulk;
}

/** No data in bulk, or such of which what is written to it is not followed, or is. */
export type Bulk = "none" | "not followed" | "followed";

/** Whether the accesses of `kernel` hang on what its parameter at `index` leads to. */
export type MemoryNeeds = (kernel: FunctionId, index: number) => boolean;

/** What launches need of the host code that `entries` reach, and of what lies in memory what kernels need of it by `needs`, where that is given. */
export function sliceOf(
  program: Program,
  entries: readonly FunctionId[],
  needs: MemoryNeeds | null = null,
): Slice {
  const collected = new HostDependences(program, needs);
  for (const entry of entries) collected.reach(entry);
  collected.run();
  spreadExits(collected);
  const find = (node: number) => collected.places.find(node);
  const bulk = collected.bulk.classes(find);
  const isUpToData = dataDependence(collected.atoms, collected.writes, new Set(bulk.keys()), find);
  const dropped =
    needs === null
      ? { all: bulk, withOthers: collected.bulk.mixed(bulk, collected.objects.places, find) }
      : { all: new Map<number, DataKind>(), withOthers: new Set<number>() };
  const needed = new Needs(writesByClass(collected), dropped, find, isUpToData);
  for (const atom of collected.atoms) if (atom.launches) needed.atom(atom);
  needed.settle();
  const followsData = needs !== null;
  const bulkOf = (node: number | undefined): Bulk => {
    const kind = node === undefined ? undefined : bulk.get(find(node));
    if (node === undefined || kind === undefined || collected.bulk.isApart(node, kind)) return "none";
    return followsData && needed.dependsOn(node) ? "followed" : "not followed";
  };
  return { followsData, ...answer(collected, needed, bulkOf) };
}

/** A call of a function that may end the process may end it. */
function spreadExits(collected: HostDependences): void {
  const scopes = [...collected.scopes.values()];
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

function answer(
  collected: HostDependences,
  needed: Needs,
  bulkOf: (node: number | undefined) => Bulk,
): Omit<Slice, "followsData"> {
  const values = new Set<Statement>();
  for (const atom of collected.atoms) {
    const { node } = atom.unit;
    if (atom.isNeeded && node.kind === "return") values.add(node);
  }
  const libraryEffects = new Set<FunctionId>();
  for (const calls of collected.libraryScopes.values()) {
    for (const scope of calls.values()) if (scope.mustRun) libraryEffects.add(scope.definition.id);
  }
  return {
    needs: (statement) => needed.units.has(statement),
    needsStep: (step) => needed.units.has(step),
    needsValue: (statement) => values.has(statement),
    dependsOn: (variable) => {
      const node = collected.variables.get(variable.id);
      return node !== undefined && needed.dependsOn(node);
    },
    hasEffects: (id) => collected.scopes.get(id)?.mustRun ?? libraryEffects.has(id),
    bulkOfVariable: (variable) =>
      isObject(variable.type) ? "none" : bulkOf(collected.variables.get(variable.id)),
    bulkOfAllocation: (call, caller, calls) =>
      collected.objects.allocations.has(call) ? "none" : bulkOf(allocationAt(collected, call, caller, calls)),
  };
}

function allocationAt(
  collected: HostDependences,
  call: Expression,
  caller: FunctionId | null,
  calls: readonly Expression[],
): number | undefined {
  const origin = caller === null ? null : (collected.scopes.get(caller) ?? null);
  for (const start of [origin, null]) {
    let scope: FunctionScope | null | undefined = start;
    for (const each of calls) scope = collected.libraryScopes.get(scope ?? null)?.get(each);
    const node = scope === undefined ? undefined : collected.allocations.get(scope)?.get(call);
    if (node !== undefined) return node;
  }
  return undefined;
}

function writesByClass(collected: HostDependences): Map<number, Write[]> {
  const byClass = new Map<number, Write[]>();
  for (const write of collected.writes) {
    const root = collected.places.find(write.location);
    const known = byClass.get(root);
    if (known === undefined) byClass.set(root, [write]);
    else known.push(write);
  }
  return byClass;
}
